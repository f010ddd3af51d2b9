//! The order that the agent follows inside the JVM, held against the definition: random programs whose threads take
//! turns, so that it is known what happened, in which order.
//!
//! Each program has a few threads that lock monitors and locks, read and write volatile and atomic variables, fields and a map. Before
//! each step a thread waits for its turn by a counter outside of the heap, which the agent does not see. What
//! was done is also a trace, and the naive detector says which locations race in it. The agent must say the same ones.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use selvedge_protocol::{Location, Options, text};
use selvedge_runtime::naive;
use selvedge_testkit::{CompiledDir, JavacOptions, Jdk, Rng, compile, jdk_or_skip};

const THREADS: usize = 3;
const STEPS: usize = 45;
const PROGRAMS: usize = 48;
const FIELDS: [&str; 5] = ["a", "b", "c", "d", "e"];

/// A program: what each thread does, in Java, and what happens, as a trace.
struct Program {
    threads: [String; THREADS],
    trace: String,
}

impl Program {
    /// All threads are started, and nothing else has happened.
    fn new() -> Program {
        let trace = (1..=THREADS).map(|thread| format!("T0: fork T{thread}\n")).collect();
        Program { threads: Default::default(), trace }
    }

    /// Adds a step of a thread. The end of a block comes before the turn is passed on.
    fn add(&mut self, step: usize, thread: usize, java: &str, event: &str) {
        writeln!(self.threads[thread], "Turns.await({step}); {java} Turns.pass({});", step + 1).unwrap();
        writeln!(self.trace, "T{}: {event}", thread + 1).unwrap();
    }
}

/// What a thread has taken and not yet given back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Monitor(usize),
    Lock(usize),
}

fn program(rng: &mut Rng) -> Program {
    let mut made = Program::new();
    let mut taken: [Vec<Taken>; THREADS] = Default::default();
    let mut step = 0;
    while step < STEPS || taken.iter().any(|taken| !taken.is_empty()) {
        let thread = rng.below(THREADS);
        let is_free = |wanted| !taken.iter().flatten().any(|own| *own == wanted);
        let number = rng.below(2);
        let field = FIELDS[rng.below(FIELDS.len())];
        let ends = step >= STEPS;
        let (java, event) = match rng.below(16) {
            _ if ends => match taken[thread].pop() {
                None => continue,
                Some(own) => give_back(own),
            },
            0..=2 => (format!("o.{field} = {step};"), format!("write o1.{field}")),
            3..=5 => (format!("sum += o.{field};"), format!("read o1.{field}")),
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
    let mut made = Program::new();
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

/// Waits for turns by memory outside of the heap; with `crowd`, many threads are started in the midst of a program; with `-Dsettles=true`,
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
            TURN = UNSAFE.allocateMemory(8);
            UNSAFE.putLong(TURN, 0);
        } catch (ReflectiveOperationException failure) {
            throw new Error(failure);
        }
    }
    static void await(int turn) {
        while (UNSAFE.getIntVolatile(null, TURN) < turn) Thread.yield();
    }
    static void pass(int turn) {
        UNSAFE.putIntVolatile(null, TURN, turn);
    }
    static final boolean SETTLES = Boolean.getBoolean("settles");
    static void settled() {
        UNSAFE.getAndAddInt(null, TURN + 4, 1);
    }
    static void awaitSettled(int threads) {
        while (UNSAFE.getIntVolatile(null, TURN + 4) < threads) Thread.yield();
        UNSAFE.putIntVolatile(null, TURN + 4, 0);
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

fn sources(programs: &[Program]) -> Vec<(String, String)> {
    let mut all = vec![("Turns.java".to_owned(), TURNS.to_owned())];
    let mut main = String::from("public class Main {\n");
    let mut calls = String::new();
    for (number, program) in programs.iter().enumerate() {
        let fields = FIELDS.map(|field| format!("int {field};")).join(" ");
        let class = format!(
            "import java.util.HashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
class V{number} {{
    {fields}
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
        Turns.settled();
        return sum;
    }}
}}
"
        );
        all.push((format!("V{number}.java"), class));
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
            "{{ Turns.pass(-1); V{number} o = new V{number}(); Thread[] all = {{ {} }};
             for (Thread one : all) one.start(); Turns.awaitSettled({THREADS}); Turns.pass(0); {crowd} for (Thread one : all) one.join(); }}",
            starts.join(", ")
        )
        .unwrap();
    }
    writeln!(main, "public static void main(String[] args) throws Exception {{ {calls} }} }}").unwrap();
    all.push(("Main.java".to_owned(), main));
    all
}

/// The locations that race by the definition, as the report would name them.
fn expected(programs: &[Program]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for (number, program) in programs.iter().enumerate() {
        let trace = text::parse(&program.trace).unwrap();
        for location in naive::happens_before(&trace.events, &Options::default()).into_keys() {
            all.insert(match location {
                Location::Field { field, .. } => format!("V{number}.{}", trace.tables.fields[field].name),
                _ => format!("V{number}$M{number}."),
            });
        }
    }
    all
}

/// The locations that race by order, as the agent says.
fn found(jdk: &Jdk, classes: &CompiledDir, options: &[&str], java: &[&str], crowd: bool) -> BTreeSet<String> {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("turns-{}.json", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(["run", "--quiet", "--exit-status", "0", "--format", "json"])
        .args(options)
        .arg("--output")
        .arg(&file)
        .arg("--")
        .arg(&jdk.java)
        .args(java)
        .args(["-XX:+UseSerialGC", "-cp"])
        .arg(classes.path())
        .arg("Main")
        .args(crowd.then_some("crowd"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let _ = std::fs::remove_file(&file);
    let findings = report["findings"].as_array().unwrap();
    let by_order = findings.iter().filter(|finding| finding["verdict"] == "happens-before");
    let name = |finding: &serde_json::Value| {
        let location = &finding["location"];
        let part = |name: &str| location[name].as_str().unwrap_or_default().to_owned();
        format!("{}.{}", part("class"), part("field"))
    };
    by_order.map(name).collect()
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
    let expected = expected(&programs);
    // Some race and some do not, or there is nothing to be seen here.
    let all = PROGRAMS * (FIELDS.len() + 1);
    assert!((all / 5..all * 4 / 5).contains(&expected.len()), "{} of {all}", expected.len());
    let settles = "-Dsettles=true";
    let runs: [(&[&str], &[&str], bool); 7] = [
        (&["--detector", "hb"], &[], false),
        (&["--detector", "both"], &[], false),
        (&["--detector", "hb"], &[], true),
        (&["--detector", "hb"], &[settles], false),
        (&["--detector", "hb", "--without", "settling"], &[settles], false),
        (&["--detector", "hb", "--sample=1"], &[], false),
        (&["--detector", "both", "--sample=4"], &[], false),
    ];
    for (options, java, crowd) in runs {
        let found = found(jdk, &classes, options, java, crowd);
        let missed: Vec<&String> = expected.difference(&found).collect();
        let wrong: Vec<&String> = found.difference(&expected).collect();
        // What was done between the last use of a settled lock and the first by another thread may be taken to be ordered: a few are missed, none is wrong.
        let is_settled = !java.is_empty() && !options.contains(&"settling");
        // What has faded is missed.
        let fades = options.iter().any(|option| option.starts_with("--sample"));
        let may_miss = match () {
            () if fades => expected.len(),
            () if is_settled => expected.len() / 10,
            () => 0,
        };
        assert!(
            missed.len() <= may_miss && wrong.is_empty(),
            "seed {seed}, {options:?} {java:?} {crowd}: missed {missed:?}, wrong {wrong:?}"
        );
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
