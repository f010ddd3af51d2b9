//! The order that the agent follows inside the JVM, held against the definition: random programs whose threads take
//! turns, so that it is known what happened, in which order.
//!
//! Each program has a few threads that lock monitors and locks, read and write volatile and atomic variables, fields, a map, single elements of
//! an array, and another one, or a part of it, in a loop; the main thread may use them first, before it starts the others. Before each step a thread waits for its turn by a counter outside of the heap, which the agent does not see. What
//! was done is also a trace, and the naive detectors say which locations race in it. The agent must say the same ones: by order exactly,
//! and with both detectors exactly what either definition says. By locksets alone with ownership, it may miss what a thread repeats in an
//! epoch in which the location changed hands: that races by order (`selvedge-prune`, `weaker_than`).
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use selvedge_protocol::{
    AccessKind, Action, Arrays, Event, Granularity, Location, ObjectId, Options, ThreadId, text,
};
use selvedge_runtime::naive::{self, FirstRaces};
use selvedge_runtime::shadow::Coarseness;
use selvedge_testkit::{CompiledDir, JavacOptions, Jdk, Rng, compile, jdk_or_skip};

const THREADS: usize = 3;
const STEPS: usize = 45;
const PROGRAMS: usize = 48;
const FIELDS: [&str; 5] = ["a", "b", "c", "d", "e"];
/// How many elements the arrays have.
const ELEMENTS: usize = 4;
/// How many the array has that is walked through: walks through few elements are judged otherwise than long ones.
const ROW: usize = 40;
/// The field that holds each array, by the array's number in the trace.
const ARRAYS: [(&str, &str); 2] = [("o4", "cells"), ("o5", "row")];

/// A program: what each thread does, in Java, and what happens, as a trace.
struct Program {
    /// What the main thread does before it starts the others.
    first: String,
    threads: [String; THREADS],
    trace: String,
}

impl Program {
    /// The main thread has done something, then all threads are started.
    fn new(first: &[(String, String)]) -> Program {
        let done = first.iter().flat_map(|(_, events)| events.lines()).map(|event| format!("T0: {event}\n"));
        let forks = (1..=THREADS).map(|thread| format!("T0: fork T{thread}\n"));
        let java = first.iter().map(|(java, _)| java.as_str()).collect();
        Program { first: java, threads: Default::default(), trace: done.chain(forks).collect() }
    }

    /// Adds a step of a thread. The end of a block comes before the turn is passed on.
    fn add(&mut self, step: usize, thread: usize, java: &str, events: &str) {
        writeln!(self.threads[thread], "Turns.await({step}); {java} Turns.pass({});", step + 1).unwrap();
        for event in events.lines() {
            writeln!(self.trace, "T{}: {event}", thread + 1).unwrap();
        }
    }
}

/// What a thread has taken and not yet given back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Monitor(usize),
    Lock(usize),
}

/// An access to a field, to an element, or to all elements of an array in a loop.
fn access(rng: &mut Rng, step: usize) -> (String, String) {
    let field = FIELDS[rng.below(FIELDS.len())];
    let index = rng.below(ELEMENTS);
    // Through a part of the array or all of it, held by a local variable or by the final field.
    let from = rng.below(ROW);
    let to = from + 1 + rng.below(ROW - from);
    let (from, to) = match rng.below(4) {
        0 => (0, ROW),
        1 => (from % 4, ROW - to % 4),
        _ => (from, to),
    };
    let array = if rng.below(2) == 0 { "row" } else { "o.row" };
    let all = |kind: &str| (from..to).map(|index| format!("{kind} o5[{index}]\n")).collect::<String>();
    let walk = |body: &str| {
        let body = body.replace("row", array);
        format!("{{ int[] row = o.row; for (int i = {from}; i < {to}; i++) {body} }}")
    };
    match rng.below(10) {
        0..=2 => (format!("o.{field} = {step};"), format!("write o1.{field}")),
        3..=5 => (format!("sum += o.{field};"), format!("read o1.{field}")),
        6 => (format!("o.cells[{index}] = {step};"), format!("write o4[{index}]")),
        7 => (format!("sum += o.cells[{index}];"), format!("read o4[{index}]")),
        8 => (walk("row[i] = i;"), all("write")),
        _ => (walk("sum += row[i];"), all("read")),
    }
}

fn program(rng: &mut Rng) -> Program {
    let first: Vec<(String, String)> = (0..rng.below(6)).map(|step| access(rng, step)).collect();
    let mut made = Program::new(&first);
    let mut taken: [Vec<Taken>; THREADS] = Default::default();
    let mut step = 0;
    while step < STEPS || taken.iter().any(|taken| !taken.is_empty()) {
        let thread = rng.below(THREADS);
        let is_free = |wanted| !taken.iter().flatten().any(|own| *own == wanted);
        let number = rng.below(2);
        let ends = step >= STEPS;
        let (java, event) = match rng.below(16) {
            _ if ends => match taken[thread].pop() {
                None => continue,
                Some(own) => give_back(own),
            },
            0..=5 => access(rng, step),
            6 => (format!("o.map.put({step}, o);"), "write o2.*".to_owned()),
            7 => ("sum += o.map.size();".to_owned(), "read o2.*".to_owned()),
            8 => (format!("o.var{number}.value = {step};"), format!("volatile-write o1{number}.value")),
            9 => (format!("sum += o.var{number}.value;"), format!("volatile-read o1{number}.value")),
            10 => ("o.count.incrementAndGet();".to_owned(), "volatile-update o3.value".to_owned()),
            11..=12 if taken[thread].len() < 3 && is_free(Taken::Monitor(number)) => {
                taken[thread].push(Taken::Monitor(number));
                (format!("synchronized (o.monitor{number}) {{"), format!("acquire o2{number}"))
            }
            13 if taken[thread].len() < 3 && is_free(Taken::Lock(number)) => {
                taken[thread].push(Taken::Lock(number));
                (format!("o.lock{number}.lock();"), format!("lock o3{number}"))
            }
            _ => match taken[thread].pop() {
                None => continue,
                Some(own) => give_back(own),
            },
        };
        made.add(step, thread, &java, &event);
        step += 1;
    }
    made
}

/// What a thread learns and hands on without having done anything itself in between counts for those who knew it before: chance rarely
/// makes such programs.
fn what_is_only_passed_on() -> Program {
    let steps = [
        (0, "o.a = 1;", "write o1.a"),
        (0, "synchronized (o.monitor0) {", "acquire o20"),
        (0, "}", "release o20"),
        (1, "synchronized (o.monitor0) {", "acquire o20"),
        (1, "}", "release o20"),
        (2, "o.b = 1;", "write o1.b"),
        (2, "o.var0.value = 1;", "volatile-write o10.value"),
        (0, "sum += o.var0.value;", "volatile-read o10.value"),
        (0, "o.var1.value = 1;", "volatile-write o11.value"),
        (1, "sum += o.var1.value;", "volatile-read o11.value"),
        (1, "o.b = 2;", "write o1.b"),
    ];
    let mut made = Program::new(&[]);
    for (step, (thread, java, event)) in steps.into_iter().enumerate() {
        made.add(step, thread, java, event);
    }
    made
}

fn give_back(taken: Taken) -> (String, String) {
    match taken {
        Taken::Monitor(number) => ("}".to_owned(), format!("release o2{number}")),
        Taken::Lock(number) => (format!("o.lock{number}.unlock();"), format!("unlock o3{number}")),
    }
}

/// Waits for turns by memory outside of the heap, which orders only where it is volatile; with `crowd`, many threads are started in the midst of a program; with `-Dsettles=true`,
/// each thread has used some of the locks and variables for long before the first step, which orders nothing.
const TURNS: &str = r#"
import sun.misc.Unsafe;
final class Turns {
    static final Unsafe UNSAFE;
    static final long TURN;
    static {
        try {
            var field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            UNSAFE = (Unsafe) field.get(null);
            TURN = UNSAFE.allocateMemory(64);
            for (int at = 0; at < 64; at += 4) UNSAFE.putInt(TURN + at, 0);
        } catch (ReflectiveOperationException failure) {
            throw new Error(failure);
        }
    }
    static void await(int turn) {
        while (UNSAFE.getInt(TURN) < turn) Thread.yield();
    }
    static void pass(int turn) {
        UNSAFE.putInt(TURN, turn);
    }
    static final boolean SETTLES = Boolean.getBoolean("settles");
    static void settled(int thread) {
        UNSAFE.putInt(TURN + 4 + 4 * thread, 1);
    }
    static void awaitSettled(int threads) {
        for (int thread = 0; thread < threads; thread++) {
            while (UNSAFE.getInt(TURN + 4 + 4 * thread) == 0) Thread.yield();
            UNSAFE.putInt(TURN + 4 + 4 * thread, 0);
        }
    }
    static void crowd() {
        for (int i = 0; i < 70; i++) {
            Thread one = new Thread(() -> { while (true) { try { Thread.sleep(1000); } catch (InterruptedException end) { return; } } });
            one.setDaemon(true);
            one.start();
        }
    }
}
"#;

/// The class whose object the threads of a program use.
fn class(number: usize) -> String {
    let fields = FIELDS.map(|field| format!("int {field};")).join(" ");
    format!(
        "import java.util.HashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
class V{number} {{
    {fields}
    final int[] cells = new int[{ELEMENTS}];
    final int[] row = new int[{ROW}];
    static class M{number} extends HashMap<Object, Object> {{}}
    static class Var {{ volatile int value; }}
    final HashMap<Object, Object> map = new M{number}();
    final Var var0 = new Var(), var1 = new Var();
    final AtomicInteger count = new AtomicInteger();
    final Object monitor0 = new Object();
    final V{number} monitor1 = this;
    final ReentrantLock lock0 = new ReentrantLock(), lock1 = new ReentrantLock();
    int settle(int thread) {{
        int sum = 0;
        for (int i = 0; Turns.SETTLES && i < 80; i++) {{
            if (thread == 0) {{
                synchronized (monitor0) {{ sum += i; }}
                var0.value += i;
            }} else if (thread == 1) {{
                lock0.lock();
                lock0.unlock();
                count.incrementAndGet();
            }} else {{
                synchronized (monitor1) {{ sum += i; }}
                lock1.lock();
                lock1.unlock();
                var1.value = i;
            }}
        }}
        Turns.settled(thread);
        return sum;
    }}
}}
"
    )
}

fn sources(programs: &[Program]) -> Vec<(String, String)> {
    let mut all = vec![("Turns.java".to_owned(), TURNS.to_owned())];
    let mut main = String::from("public class Main {\n");
    let mut calls = String::new();
    for (number, program) in programs.iter().enumerate() {
        all.push((format!("V{number}.java"), class(number)));
        for (thread, code) in program.threads.iter().enumerate() {
            writeln!(
                main,
                "static int run{number}_{thread}(V{number} o) {{ int sum = o.settle({thread}); {code} return sum; }}"
            )
            .unwrap();
        }
        let starts = (0..THREADS).map(|thread| format!("new Thread(() -> run{number}_{thread}(o))"));
        let starts: Vec<String> = starts.collect();
        // In the midst of one program there come to be many threads, if that is wanted.
        let crowd = if number == PROGRAMS / 2 {
            format!("if (args.length > 0) {{ Turns.await({}); Turns.crowd(); }}", STEPS / 2)
        } else {
            String::new()
        };
        writeln!(
            calls,
            "{{ Turns.pass(-1); V{number} o = new V{number}(); int sum = 0; {} Thread[] all = {{ {} }};
             for (Thread one : all) one.start(); Turns.awaitSettled({THREADS}); Turns.pass(0); {crowd} for (Thread one : all) one.join(); }}",
            program.first,
            starts.join(", ")
        )
        .unwrap();
    }
    writeln!(main, "public static void main(String[] args) throws Exception {{ {calls} }} }}").unwrap();
    all.push(("Main.java".to_owned(), main));
    all
}

/// The locations that race by a definition, as the report would name them.
fn expected(
    programs: &[Program],
    definition: fn(&[Event], &Options) -> FirstRaces,
    options: &Options,
) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for (number, program) in programs.iter().enumerate() {
        let trace = text::parse(&program.trace).unwrap();
        let holder = |object: ObjectId| {
            let held = ARRAYS.iter().find(|(array, _)| *array == format!("o{}", object.0));
            held.map(|(_, field)| format!("V{number}.{field}"))
        };
        for location in definition(&trace.events, options).into_keys() {
            all.insert(match location {
                Location::Field { field, .. } => format!("V{number}.{}", trace.tables.fields[field].name),
                Location::Element { object, .. } => holder(object).unwrap(),
                Location::Content { object: ObjectId(1) } => format!("V{number}"),
                Location::Content { object } => {
                    holder(object).unwrap_or_else(|| format!("V{number}$M{number}."))
                }
                Location::Static { .. } => unreachable!("no program has static fields"),
            });
        }
    }
    all
}

/// The locations that their second thread takes over by a read.
fn taken_over_by_reads(events: &[Event], options: &Options) -> FirstRaces {
    let coarseness = Coarseness::new(options);
    let mut owners: BTreeMap<Location, Option<ThreadId>> = BTreeMap::new();
    let mut found = FirstRaces::new();
    for (number, event) in events.iter().enumerate() {
        let Action::Access { location, kind } = event.action else { continue };
        let Some(location) = coarseness.of(location) else { continue };
        let owner = owners.entry(location).or_insert(Some(event.thread));
        if owner.is_some_and(|owner| owner != event.thread) {
            *owner = None;
            if kind == AccessKind::Read {
                found.insert(location, number);
            }
        }
    }
    found
}

/// The line of the class on which an array is made.
fn line_of(field: &str) -> usize {
    class(0).lines().position(|line| line.contains(&format!("int[] {field}"))).unwrap() + 1
}

/// The locations that race, as the agent says: those that race by order, and all. `by_object`: all fields of an object are one.
fn found(jdk: &Jdk, classes: &CompiledDir, run: &Run) -> [BTreeSet<String>; 2] {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("turns-{}.json", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(["run", "--quiet", "--exit-status", "0", "--format", "json"])
        .args(run.options)
        .arg("--output")
        .arg(&file)
        .arg("--")
        .arg(&jdk.java)
        .args(run.java)
        .args(["-XX:+UseSerialGC", "-cp"])
        .arg(classes.path())
        .arg("Main")
        .args(run.crowd.then_some("crowd"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let _ = std::fs::remove_file(&file);
    let by_object = run.options.contains(&"object");
    let name = |finding: &serde_json::Value| {
        let location = &finding["location"];
        let part = |name: &str| location[name].as_str().unwrap_or_default().to_owned();
        if finding["kind"] == "array" {
            // A variable that is used again hides which field the array was read from; not where it was made.
            let made = &finding["object"]["allocated_at"];
            let class = made["method"].as_str().unwrap_or_default().split('.').next().unwrap_or_default();
            let line = made["line"].as_u64().unwrap_or_default() as usize;
            let field = ARRAYS.iter().find(|(_, field)| line_of(field) == line);
            return format!("{class}.{}", field.map_or("?", |(_, field)| field));
        }
        match finding["kind"] == "field" && by_object {
            true => part("class"),
            false => format!("{}.{}", part("class"), part("field")),
        }
    };
    let findings = report["findings"].as_array().unwrap();
    let by_order = findings.iter().filter(|finding| finding["verdict"] == "happens-before");
    [by_order.map(name).collect(), findings.iter().map(name).collect()]
}

/// A run of all programs.
#[derive(Clone, Copy, Default)]
struct Run {
    options: &'static [&'static str],
    java: &'static [&'static str],
    /// Whether there are many threads.
    crowd: bool,
}

impl Run {
    fn of(options: &'static [&'static str]) -> Self {
        Self { options, ..Self::default() }
    }

    fn has(&self, option: &str) -> bool {
        self.options.contains(&option)
    }

    /// The same for the definitions.
    fn definition(&self) -> Options {
        Options {
            ownership: !self.has("--no-ownership"),
            granularity: if self.has("object") { Granularity::Object } else { Granularity::Field },
            arrays: if self.has("whole") { Arrays::Whole } else { Arrays::Element },
            ..Options::default()
        }
    }
}

/// Programs from one seed.
fn check(jdk: &Jdk, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut programs: Vec<Program> = (1..PROGRAMS).map(|_| program(&mut rng)).collect();
    programs.push(what_is_only_passed_on());
    let sources = sources(&programs);
    let sources: Vec<(&str, &str)> =
        sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let classes = compile(&sources, &JavacOptions::default()).unwrap();
    let races = expected(&programs, naive::happens_before, &Options::default());
    // Some race and some do not, or there is nothing to be seen here.
    let all = PROGRAMS * (FIELDS.len() + 1 + ARRAYS.len());
    assert!((all / 5..all * 4 / 5).contains(&races.len()), "{} of {all}", races.len());
    let settles = &["-Dsettles=true"];
    let runs = [
        Run::of(&["--detector", "hb"]),
        Run { crowd: true, ..Run::of(&["--detector", "hb"]) },
        Run { java: settles, ..Run::of(&["--detector", "hb"]) },
        Run { java: settles, ..Run::of(&["--detector", "hb", "--without", "biasing"]) },
        Run::of(&["--detector", "hb", "--sample=1"]),
        Run::of(&["--detector", "hb", "--granularity", "object"]),
        Run::of(&["--detector", "hb", "--arrays", "whole"]),
        Run::of(&["--detector", "both"]),
        Run::of(&["--detector", "both", "--sample=4"]),
        Run::of(&["--detector", "both", "--granularity", "object"]),
        Run::of(&["--detector", "lockset"]),
        Run::of(&["--detector", "lockset", "--no-ownership"]),
        Run::of(&["--detector", "lockset", "--granularity", "object"]),
        Run::of(&["--detector", "lockset", "--arrays", "whole"]),
    ];
    for run in runs {
        let definition = run.definition();
        let by_order = expected(&programs, naive::happens_before, &definition);
        let by_locks = expected(&programs, naive::lockset, &definition);
        let [shown_by_order, shown] = found(jdk, &classes, &run);
        let compare = |what: &str, wanted: &BTreeSet<String>, shown: &BTreeSet<String>, may_miss: usize| {
            let missed: Vec<&String> = wanted.difference(shown).collect();
            let wrong: Vec<&String> = shown.difference(wanted).collect();
            let Run { options, java, crowd } = run;
            assert!(
                missed.len() <= may_miss && wrong.is_empty(),
                "seed {seed}, {options:?} {java:?} {crowd}, {what}: missed {missed:?}, wrong {wrong:?}"
            );
        };
        // What was done between the last use of a settled lock and the first by another thread may be taken to be ordered: a few are missed, none is wrong.
        let is_settled = !run.java.is_empty() && !run.has("biasing");
        // What has faded is missed.
        let may_miss = match () {
            () if run.options.iter().any(|option| option.starts_with("--sample")) => usize::MAX,
            () if is_settled => by_order.len() / 10,
            () => 0,
        };
        if !run.has("lockset") {
            compare("by order", &by_order, &shown_by_order, may_miss);
        }
        if run.has("both") {
            compare("by either", &by_locks.union(&by_order).cloned().collect(), &shown, may_miss);
        }
        if run.has("lockset") {
            // What is repeated in the epoch in which the location changed hands may be missed, if it races by order, or a read took it over.
            let read = expected(&programs, taken_over_by_reads, &definition);
            let may_be_missed =
                |it: &String| definition.ownership && (by_order.contains(it) || read.contains(it));
            let surely = by_locks.iter().filter(|&it| !may_be_missed(it));
            let missed: Vec<&String> = surely.filter(|&it| !shown.contains(it)).collect();
            assert!(missed.is_empty(), "seed {seed}, {:?}: missed {missed:?}", run.options);
            compare("by locks", &by_locks, &shown, usize::MAX);
        }
    }
}

/// `SELVEDGE_SEEDS=20` takes so many seeds instead of one.
#[test]
fn the_agent_finds_the_races_of_the_definition() {
    let Some(jdk) = jdk_or_skip() else { return };
    let seeds = std::env::var("SELVEDGE_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(1);
    for seed in 7..7 + seeds {
        check(&jdk, seed);
    }
}
