//! `selvedge run` from the outside: programs of the corpus under the agent, and what the command itself promises.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use selvedge_testkit::{Analysed, CompiledDir, CorpusProgram, Expected, JavacOptions, Jdk};
use selvedge_testkit::{compile, compile_corpus, corpus, jdk_or_skip};

/// A new file name in the build's directory for temporary files.
fn scratch(suffix: &str) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("run-{}-{number}{suffix}", std::process::id()))
}

fn run(options: &[&str], jdk: &Jdk, classes: &Path, main: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.arg("run").args(options).arg("--").arg(&jdk.java);
    command
        .args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"])
        .arg(classes)
        .arg(main)
        .args(arguments);
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The lines that the findings of a run name, and the findings themselves.
fn report_of(
    options: &[&str],
    jdk: &Jdk,
    classes: &Path,
    main: &str,
) -> (Output, Vec<u64>, serde_json::Value) {
    let file = scratch(".json");
    let mut all =
        vec!["--quiet", "--exit-status", "0", "--format", "json", "--output", file.to_str().unwrap()];
    all.extend(options);
    let output = run(&all, jdk, classes, main, &[]);
    let report = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    let _ = std::fs::remove_file(&file);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let sides = findings.iter().flat_map(|finding| finding["sides"].as_array().unwrap());
    let mut lines: Vec<u64> = sides.filter_map(|side| side["line"].as_u64()).collect();
    lines.sort_unstable();
    lines.dedup();
    (output, lines, report)
}

fn program(name: &str) -> CorpusProgram {
    let all = corpus().unwrap();
    all.into_iter().find(|program| program.name == name).unwrap_or_else(|| panic!("no {name} in the corpus"))
}

fn main_class(program: &CorpusProgram) -> String {
    match &program.analysed {
        Analysed::Main(class) => class.clone(),
        _ => panic!("{} has no main", program.name),
    }
}

fn plain(jdk: &Jdk, classes: &Path, main: &str) -> Output {
    let mut java = Command::new(&jdk.java);
    java.args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"]).arg(classes).arg(main);
    java.output().unwrap()
}

/// How often a racy program is run at the most until it shows a race: the schedule may order what nothing else does.
const ATTEMPTS: usize = 4;

/// Runs programs by order of events: they end as they end without the agent, and what is reported is marked. Safe
/// programs also print the same; what a racy one prints is for the schedule to say.
fn check_by_order(names: &[&str], must_report: bool) {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = compile_corpus(&jdk).unwrap();
    for name in names {
        let program = program(name);
        let main = main_class(&program);
        let mut shown = false;
        for _ in 0..ATTEMPTS {
            let (output, lines, report) = report_of(&["--detector", "hb"], &jdk, classes.path(), &main);
            let expected = plain(&jdk, classes.path(), &main);
            if !must_report {
                assert_eq!(text(&output.stdout), text(&expected.stdout), "{name}: {}", text(&output.stderr));
            }
            assert_eq!(output.status.code(), expected.status.code(), "{name}");
            assert_eq!(report["problems"], serde_json::json!([]), "{name}");
            let racy: Vec<u64> = program
                .marks
                .iter()
                .filter(|mark| matches!(mark.kind, Expected::Race | Expected::Missed))
                .map(|mark| u64::from(mark.line))
                .collect();
            let unexpected: Vec<&u64> = lines.iter().filter(|line| !racy.contains(line)).collect();
            assert!(unexpected.is_empty(), "{name}: lines {unexpected:?} are reported and do not race");
            shown |= !lines.is_empty();
            if shown || !must_report {
                break;
            }
        }
        assert!(!must_report || shown, "{name}: nothing is reported in {ATTEMPTS} runs");
    }
}

#[test]
fn safe_programs_are_quiet() {
    check_by_order(
        &[
            "InstanceCounterLocked",
            "ArrayHistogramSafe",
            "SharedReadsOnly",
            "StaticSequenceSafe",
            "StampedValidated",
            "AtomicCounter",
            "AtomicReferencePublish",
            "FieldUpdater",
            "BlockPartition",
            "WaitNotify",
            "ConcurrentMapHandOver",
            "RegistrySubclassLocked",
        ],
        false,
    );
}

#[test]
fn racy_programs_are_reported() {
    check_by_order(
        &[
            "InstanceCounter",
            "InheritedField",
            "StaticSequence",
            "JoinMissing",
            "GetterWithoutLock",
            "RegistrySubclass",
        ],
        true,
    );
}

fn racy() -> CompiledDir {
    let source = "public class Racy {
        static int hits;
        public static void main(String[] arguments) throws Exception {
            Thread other = new Thread(() -> hits++, \"other\");
            other.start();
            hits++;
            other.join();
            System.out.println(\"args \" + String.join(\",\", arguments));
            System.exit(arguments.length);
        }
    }";
    compile(&[("Racy.java", source)], &JavacOptions::default()).unwrap()
}

#[test]
fn the_program_keeps_its_streams_arguments_and_status() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = racy();
    let output = run(&["--exit-status", "0"], &jdk, classes.path(), "Racy", &["one", "two three", "-x"]);
    assert_eq!(text(&output.stdout), "args one,two three,-x\n");
    assert_eq!(output.status.code(), Some(3));
    let errors = text(&output.stderr);
    for part in
        ["race on static Racy.hits", "by thread \"main\"", "by thread \"other\"", "Racy.java:6", "no locks"]
    {
        assert!(errors.contains(part), "{part} is not in\n{errors}");
    }
}

#[test]
fn the_status_can_tell_of_races() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = racy();
    let status = |options: &[&str]| run(options, &jdk, classes.path(), "Racy", &["x"]).status.code();
    assert_eq!(status(&["--quiet"]), Some(66));
    assert_eq!(status(&["--quiet", "--exit-status", "7"]), Some(7));
    assert_eq!(status(&["--quiet", "--exit-status", "0"]), Some(1));
    assert_eq!(status(&["--quiet", "--fail-on", "none"]), Some(1));
    // Nothing is watched then, which is no result.
    assert_eq!(status(&["--quiet", "--exclude", "Racy"]), Some(2));
    let halted = run(&["--halt-on-race"], &jdk, classes.path(), "Racy", &[]);
    assert_eq!((halted.status.code(), text(&halted.stdout).as_str()), (Some(66), ""));
}

#[test]
fn every_machine_of_a_command_is_observed() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = racy();
    let file = scratch(".json");
    let java = format!("{} -cp {} Racy", jdk.java.display(), classes.path().display());
    let script = format!("{java}; {java} again");
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(["run", "--format", "json", "--output"])
        .arg(&file)
        .args(["--", "sh", "-c", &script])
        .output()
        .unwrap();
    assert_eq!(text(&output.stdout), "args \nargs again\n", "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let _ = std::fs::remove_file(&file);
    // Both have shown the same races, which are reported once.
    let findings = report["findings"].as_array().unwrap();
    assert!((1..=3).contains(&findings.len()), "{findings:#?}");
    assert!(findings.iter().all(|finding| finding["location"]["field"] == "hits"));
}

#[test]
fn a_recorded_run_can_be_replayed() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = racy();
    let trace = scratch(".trace");
    let output = run(&["--quiet", "--record", trace.to_str().unwrap()], &jdk, classes.path(), "Racy", &[]);
    assert_eq!(output.status.code(), Some(66), "{}", text(&output.stderr));
    let replayed = Command::new(env!("CARGO_BIN_EXE_selvedge")).arg("replay").arg(&trace).output().unwrap();
    let _ = std::fs::remove_file(&trace);
    assert!(text(&replayed.stdout).contains("hits"), "{}{}", text(&replayed.stdout), text(&replayed.stderr));
}

#[test]
fn what_cannot_be_started_is_said() {
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge")).args(["run", "--", "no-such-command"]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no-such-command cannot be started"), "{}", text(&output.stderr));
}

/// With objects as locations, two fields of one object are one; threads that touch one each race.
#[test]
fn an_object_can_be_one_location() {
    let Some(jdk) = jdk_or_skip() else { return };
    // They take turns by memory that orders nothing: both are alive when they write, but not at the same moment.
    let source = "public class Pair {
        static sun.misc.Unsafe unsafe;
        static long here;
        int left;
        int right;
        static void pass(int turn) { unsafe.putInt(here, turn); }
        static void await(int turn) { while (unsafe.getInt(here) != turn) Thread.yield(); }
        public static void main(String[] arguments) throws Exception {
            java.lang.reflect.Field field = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\");
            field.setAccessible(true);
            unsafe = (sun.misc.Unsafe) field.get(null);
            here = unsafe.allocateMemory(4);
            pass(0);
            Pair pair = new Pair();
            Thread[] threads = {
                new Thread(() -> { pair.left = 1; pass(1); await(2); }),
                new Thread(() -> { await(1); pair.right = 2; pass(2); })
            };
            for (Thread thread : threads) thread.start();
            for (Thread thread : threads) thread.join();
        }
    }";
    let classes = compile(&[("Pair.java", source)], &JavacOptions::default()).unwrap();
    for (detector, granularity, races) in [("hb", "object", 1), ("both", "object", 1), ("both", "field", 0)] {
        let options = ["--detector", detector, "--granularity", granularity];
        let (_, _, report) = report_of(&options, &jdk, classes.path(), "Pair");
        let found = report["findings"].as_array().unwrap().len();
        assert_eq!(found, races, "{detector} by {granularity}: {report}");
    }
}

/// The earlier access of a race is told with the locks that it was made under, though locks that are taken end no epoch; however many there are.
#[test]
fn the_locks_of_the_earlier_access_are_told() {
    let Some(jdk) = jdk_or_skip() else { return };
    let depth = 6;
    let fields: String = (0..=depth).map(|level| format!("int f{level}; ")).collect();
    let locks: String = (0..depth)
        .map(|level| format!("static class L{level} {{}} static final L{level} l{level} = new L{level}(); "))
        .collect();
    let nested = (0..depth).rev().fold(format!("o.f{depth} = 1;"), |inner, level| {
        format!("o.f{level} = 1; synchronized (l{level}) {{ {inner} }}")
    });
    let reads: String = (0..=depth).map(|level| format!("sum += o.f{level}; ")).collect();
    let source = format!(
        "import java.lang.reflect.Field;
public class Nested {{
    {fields} {locks}
    static sun.misc.Unsafe unsafe;
    static long turn;
    public static void main(String[] arguments) throws Exception {{
        Field field = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\");
        field.setAccessible(true);
        unsafe = (sun.misc.Unsafe) field.get(null);
        turn = unsafe.allocateMemory(4);
        unsafe.putInt(turn, 0);
        Nested o = new Nested();
        Thread first = new Thread(() -> {{ {nested} unsafe.putInt(turn, 1); }});
        Thread second = new Thread(() -> {{
            int sum = 0;
            while (unsafe.getInt(turn) == 0) Thread.yield();
            {reads}
            System.out.println(sum);
        }});
        first.start();
        second.start();
        first.join();
        second.join();
    }}
}}"
    );
    let classes = compile(&[("Nested.java", &source)], &JavacOptions::default()).unwrap();
    let (output, _, report) = report_of(&["--detector", "hb"], &jdk, classes.path(), "Nested");
    assert_eq!(text(&output.stdout), format!("{}\n", depth + 1));
    for level in 0..=depth {
        let findings = report["findings"].as_array().unwrap();
        let of_field = |finding: &&serde_json::Value| finding["location"]["field"] == format!("f{level}");
        let finding = findings.iter().find(of_field).unwrap_or_else(|| panic!("no race of f{level}"));
        let sides = finding["sides"].as_array().unwrap();
        let write =
            sides.iter().find(|side| side["action"] == "write").unwrap_or_else(|| panic!("{finding}"));
        let held: Vec<String> = (0..depth)
            .map(|lock| format!("Nested$L{lock}"))
            .filter(|lock| write["locks"].to_string().contains(&format!("{lock}#")))
            .collect();
        let expected: Vec<String> = (0..level).map(|lock| format!("Nested$L{lock}")).collect();
        assert_eq!(held, expected, "f{level}: {write}");
    }
}

/// A constructor passes its object on and then writes a volatile field of it. Whoever reads that is after what came before the write, not after what the
/// maker does later, though the write ends no epoch.
#[test]
fn what_the_maker_does_after_its_object_is_read_is_not_ordered() {
    let Some(jdk) = jdk_or_skip() else { return };
    let source = "import java.lang.reflect.Field;
public class Maker {
    static sun.misc.Unsafe unsafe;
    static long turn;
    int before, after;
    Held held;
    static class Held {
        volatile int value;
        Held(Maker maker) {
            synchronized (maker) { maker.held = this; }
            maker.before = 1;
            value = 1;
        }
    }
    static void await(int number) { while (unsafe.getInt(turn) < number) Thread.yield(); }
    static void pass(int number) { unsafe.putInt(turn, number); }
    public static void main(String[] arguments) throws Exception {
        Field field = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\");
        field.setAccessible(true);
        unsafe = (sun.misc.Unsafe) field.get(null);
        turn = unsafe.allocateMemory(4);
        pass(0);
        Maker o = new Maker();
        Thread first = new Thread(() -> { new Held(o); pass(1); await(2); o.after = 1; pass(3); });
        Thread second = new Thread(() -> {
            await(1);
            Held held;
            synchronized (o) { held = o.held; }
            int sum = held.value;
            pass(2);
            await(3);
            System.out.println(sum + o.before + o.after);
        });
        first.start();
        second.start();
        first.join();
        second.join();
    }
}";
    let classes = compile(&[("Maker.java", source)], &JavacOptions::default()).unwrap();
    let (output, _, report) = report_of(&["--detector", "hb"], &jdk, classes.path(), "Maker");
    assert_eq!(text(&output.stdout), "3\n", "{}", text(&output.stderr));
    let findings = report["findings"].as_array().unwrap();
    let racy: Vec<&str> =
        findings.iter().filter_map(|finding| finding["location"]["field"].as_str()).collect();
    assert_eq!(racy, ["after"]);
}

/// Two threads that race three times: at `early` before anything else, at `hot` after it was judged often on other objects, and at `late`, which
/// was never executed before. Nothing orders the two but that main waits for a while.
fn fading() -> CompiledDir {
    let source = r#"
        import java.util.concurrent.CountDownLatch;
        public class Fading {
            static Box shared = new Box();
            static final CountDownLatch started = new CountDownLatch(1);
            public static void main(String[] arguments) throws Exception {
                Thread other = new Thread(() -> {
                    shared.early();
                    started.countDown();
                    for (int i = 0; i < 40; i++) pause(50);
                    shared.hot(3);
                    shared.late();
                });
                other.start();
                shared.early();
                started.await();
                int sum = 0;
                for (int i = 0; i < 5000; i++) {
                    sum += new Box().hot(2);
                    if (i % 100 == 99) pause(10);
                }
                shared.hot(3);
                shared.late();
                other.join();
                System.out.println(sum + " " + shared.hot);
            }
            static void pause(int milliseconds) {
                try { Thread.sleep(milliseconds); } catch (InterruptedException e) { throw new AssertionError(e); }
            }
        }
        class Box {
            int early; int hot; int late;
            void early() { early++; }
            int hot(int by) {
                if (by < 0) throw new IllegalStateException();
                hot += by;
                return hot;
            }
            void late() { late++; }
        }
    "#;
    compile(&[("Fading.java", source)], &JavacOptions::default()).unwrap()
}

#[test]
fn accesses_that_were_judged_often_fade() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = fading();
    let fields = |options: &[&str]| -> (std::collections::BTreeSet<String>, serde_json::Value) {
        let (output, _, report) = report_of(options, &jdk, classes.path(), "Fading");
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), "10000 6\n");
        let findings = report["findings"].as_array().unwrap().iter();
        let by_order = findings.filter(|finding| finding["verdict"] == "happens-before");
        let found = by_order.map(|finding| finding["location"]["field"].as_str().unwrap().to_owned());
        (found.collect(), report["assumptions"].clone())
    };
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(fields(&[]), (names(&["early", "hot", "late"]), serde_json::json!([])));
    let (found, assumptions) = fields(&["--sample=64"]);
    assert_eq!(found, names(&["early", "late"]));
    let sentence = assumptions[0].as_str().unwrap();
    assert!(sentence.contains("accesses in the code were no longer watched after 64"), "{sentence}");
}

/// What a loop does is told when it is left, but a loop that waits for a flag may never be left.
#[test]
fn a_loop_that_waits_for_ever_is_reported() {
    let Some(jdk) = jdk_or_skip() else { return };
    let source = "
public class Waiting {
    boolean stop;
    int rounds;

    void work() {
        while (!stop) {
            rounds++;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Waiting it = new Waiting();
        Thread worker = new Thread(it::work);
        worker.setDaemon(true);
        worker.start();
        while (it.rounds == 0) Thread.sleep(1);
        it.stop = false;
        System.exit(0);
    }
}
";
    let classes = compile(&[("Waiting.java", source)], &JavacOptions::default()).unwrap();
    for detector in ["hb", "lockset"] {
        let options = ["--detector", detector, "--no-ownership"];
        let (_, lines, report) = report_of(&options, &jdk, classes.path(), "Waiting");
        assert!(lines.contains(&7) && lines.contains(&18), "{detector}: {report}");
    }
}

/// The program stands still at the race as long as the file is there that the message names.
#[test]
fn a_program_stops_at_a_race_until_it_is_told_to_go_on() {
    use std::io::{BufRead, BufReader};
    let Some(jdk) = jdk_or_skip() else { return };
    let source = "
public class Stops {
    static int shared;

    public static void main(String[] arguments) throws Exception {
        Thread other = new Thread(() -> shared = 1);
        other.start();
        shared = 2;
        other.join();
        System.out.println(\"done\");
    }
}
";
    let classes = compile(&[("Stops.java", source)], &JavacOptions::default()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.args(["run", "--stop-on-race", "--"]).arg(&jdk.java).arg("-cp").arg(classes.path()).arg("Stops");
    let pipe = std::process::Stdio::piped;
    let mut child = command.stdout(pipe()).stderr(pipe()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let message = said.find(|line| line.contains("the program is stopped at this race")).unwrap();
    let file = message.split(" it goes on when ").nth(1).unwrap().strip_suffix(" is removed").unwrap();
    assert_eq!(child.try_wait().unwrap(), None, "the program is stopped");
    std::fs::remove_file(file).unwrap();
    let rest: Vec<String> = said.collect();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(66), "done\n"), "{rest:?}");
}
