//! Small random programs in the vocabulary of `java.util.concurrent`, as trees of statements.
//!
//! A program has some plain data, a few objects that synchronise, two or three actors and a `main`. `main` starts the actors (as threads,
//! tasks of a pool, futures, one by one or in a loop over a collection), does something meanwhile, waits for some or all of them in some
//! way, and goes on. Each program uses few kinds of synchronisation and few pieces of data, so that orderly programs and programs that
//! are nearly so are both frequent: the count of a latch is off by one, a join is missing, a future is completed by somebody else.
//!
//! Every program compiles and needs nothing but the JDK. It may deadlock; loops that wait without blocking are bounded.
//!
//! [`Program::smaller`] gives the programs that lack one statement, for whoever shrinks one.

mod ending;
mod statements;

use std::fmt::Write as _;

use crate::Rng;

/// A statement: a line, or a block with a line before and after its statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// A line of code.
    Line(String),
    /// Statements between an opening and a closing line.
    Block {
        /// The line before them.
        open: String,
        /// What is inside.
        body: Vec<Statement>,
        /// The line after them.
        close: String,
    },
}

impl Statement {
    pub(crate) fn line(text: impl Into<String>) -> Self {
        Statement::Line(text.into())
    }

    pub(crate) fn block(open: impl Into<String>, body: Vec<Statement>, close: impl Into<String>) -> Self {
        Statement::Block { open: open.into(), body, close: close.into() }
    }

    fn write(&self, indent: usize, out: &mut String) {
        let margin = "    ".repeat(indent);
        match self {
            Statement::Line(text) => {
                let _ = writeln!(out, "{margin}{text}");
            }
            Statement::Block { open, body, close } => {
                let _ = writeln!(out, "{margin}{open}");
                body.iter().for_each(|inner| inner.write(indent + 1, out));
                let _ = writeln!(out, "{margin}{close}");
            }
        }
    }
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Whether what the actors share belongs to an object, not to the class.
    in_object: bool,
    /// The declarations of the class, each removable: fields and classes.
    declarations: Vec<Statement>,
    /// The bodies of the actors.
    actors: Vec<Vec<Statement>>,
    /// The body of `go`, which `main` calls.
    go: Vec<Statement>,
    /// How often `main` calls it.
    rounds: usize,
}

/// What data is shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Data {
    /// A field of the program's class.
    Number,
    /// A field of an object that another field refers to, once and for all.
    Inner,
    /// A reference to an object, and a field of that object.
    Reference,
    /// Elements of an array.
    Elements,
    /// A list of the library's.
    List,
    /// A map of the library's.
    Map,
}

const DATA: [Data; 6] = [Data::Number, Data::Inner, Data::Reference, Data::Elements, Data::List, Data::Map];

/// What synchronises.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Means {
    Monitor,
    WaitNotify,
    Lock,
    ReadWriteLock,
    Stamped,
    Condition,
    Latch,
    Barrier,
    Phaser,
    Semaphore,
    Exchanger,
    Queue,
    Synchronous,
    Concurrent,
    Volatile,
    AtomicFlag,
    AtomicCounter,
    AtomicReference,
    Handle,
    Updater,
    Local,
    Promise,
    Interrupt,
    Initializer,
    Handler,
}

const MEANS: [Means; 25] = [
    Means::Monitor,
    Means::WaitNotify,
    Means::Lock,
    Means::ReadWriteLock,
    Means::Stamped,
    Means::Condition,
    Means::Latch,
    Means::Barrier,
    Means::Phaser,
    Means::Semaphore,
    Means::Exchanger,
    Means::Queue,
    Means::Synchronous,
    Means::Concurrent,
    Means::Volatile,
    Means::AtomicFlag,
    Means::AtomicCounter,
    Means::AtomicReference,
    Means::Handle,
    Means::Updater,
    Means::Local,
    Means::Promise,
    Means::Interrupt,
    Means::Initializer,
    Means::Handler,
];

/// Who runs the actors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    Threads,
    Subclasses,
    ThreadLoop,
    Pool,
    PoolLoop,
    InvokeAll,
    Futures,
    FutureTasks,
    ForkJoin,
    Parallel,
}

const STARTS: [Start; 10] = [
    Start::Threads,
    Start::Subclasses,
    Start::ThreadLoop,
    Start::Pool,
    Start::PoolLoop,
    Start::InvokeAll,
    Start::Futures,
    Start::FutureTasks,
    Start::ForkJoin,
    Start::Parallel,
];

/// The choices that a program is made from, and what is left of the chance.
pub(crate) struct Generator {
    rng: Rng,
    data: Vec<Data>,
    means: Vec<Means>,
    actors: usize,
    in_object: bool,
    /// The next number of a local variable.
    locals: usize,
}

impl Program {
    /// The program of a seed.
    pub fn new(seed: u64) -> Program {
        let mut rng = Rng::new(seed);
        let mut take = |all: usize, some: usize| {
            let mut order: Vec<usize> = (0..all).collect();
            rng.shuffle(&mut order);
            order.truncate(some);
            order
        };
        let data = take(DATA.len(), 2).into_iter().map(|index| DATA[index]).collect();
        let count = [0, 1, 1, 1, 2, 2, 3][take(7, 1)[0]];
        let means = take(MEANS.len(), count).into_iter().map(|index| MEANS[index]).collect();
        let in_object = rng.one_in(2);
        let actors = 2 + usize::from(rng.one_in(3));
        Generator { rng, data, means, actors, in_object, locals: 0 }.program()
    }

    /// The source, with the class called `name`.
    pub fn java(&self, name: &str) -> String {
        let own = if self.in_object { "" } else { "static " };
        let mut out = String::from(
            "import java.lang.invoke.*;\nimport java.util.*;\nimport java.util.concurrent.*;\nimport java.util.concurrent.atomic.*;\n\
             import java.util.concurrent.locks.*;\nimport java.util.stream.*;\n\n",
        );
        let _ = writeln!(out, "public class {name} {{");
        let mut members = String::new();
        self.declarations.iter().for_each(|declaration| declaration.write(1, &mut members));
        for (number, body) in self.actors.iter().enumerate() {
            let _ = writeln!(members, "    OWN void act{number}() {{\n        try {{");
            body.iter().for_each(|statement| statement.write(3, &mut members));
            members += "        } catch (Exception e) {\n            use(0);\n        }\n    }\n";
        }
        members += "    OWN void go() throws Exception {\n";
        self.go.iter().for_each(|statement| statement.write(2, &mut members));
        members += "    }\n";
        out += &members.replace("OWN ", own).replace("NAME", name);
        out += "    static void use(int value) { }\n";
        out += "    static class D {\n        int x;\n        final int[] a = new int[2];\n    }\n";
        out += "    public static void main(String[] args) throws Exception {\n";
        for _ in 0..self.rounds {
            let call = if self.in_object { format!("new {name}().go()") } else { "go()".to_owned() };
            let _ = writeln!(out, "        {call};");
        }
        out + "    }\n}\n"
    }

    /// The programs that lack one declaration, actor or statement, or have what is in a block without the block. Some do not compile.
    pub fn smaller(&self) -> Vec<Program> {
        let mut all = Vec::new();
        if self.rounds > 1 {
            all.push(Program { rounds: 1, ..self.clone() });
        }
        for go in without_one(&self.go) {
            all.push(Program { go, ..self.clone() });
        }
        for (number, body) in self.actors.iter().enumerate() {
            let with = |body: Vec<Statement>| {
                let mut actors = self.actors.clone();
                actors[number] = body;
                Program { actors, ..self.clone() }
            };
            if body.len() > 1 {
                all.push(with(Vec::new()));
            }
            all.extend(without_one(body).into_iter().map(with));
        }
        if self.actors.len() > 1 {
            let mut actors = self.actors.clone();
            actors.pop();
            all.push(Program { actors, ..self.clone() });
        }
        for declarations in without_one(&self.declarations) {
            all.push(Program { declarations, ..self.clone() });
        }
        all
    }
}

fn without_one(statements: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for (index, statement) in statements.iter().enumerate() {
        let with = |instead: Vec<Statement>| {
            let mut changed = statements.to_vec();
            changed.splice(index..=index, instead);
            changed
        };
        all.push(with(Vec::new()));
        if let Statement::Block { open, body, close } = statement {
            all.push(with(body.clone()));
            for body in without_one(body) {
                all.push(with(vec![Statement::block(open.clone(), body, close.clone())]));
            }
        }
    }
    all
}
