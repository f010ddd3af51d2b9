//! Every means of the platform to hand data over, and its twins without order, under `selvedge run --detector hb` on every JVM.
//!
//! The programs are in `handovers/`: cases that one driver runs in one JVM, safe and racy ones apart. A safe case is free of races in every
//! schedule, so nothing may be reported. In a racy one two accesses are unordered in every schedule; as synchronisation that has nothing to do
//! with them may order them by chance, a case that shows nothing is run again.
//!
//! `scripts/handovers` runs more: `SELVEDGE_HANDOVERS_LOOPS` is the number of hand-overs of a case, `SELVEDGE_HANDOVERS_ROUNDS` how often all
//! is run, `SELVEDGE_HANDOVERS_CASES` which safe cases: these, or with a minus sign before each name all others.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use selvedge_testkit::{CompiledDir, JavacOptions, Launcher, compile, jvms_or_skip};

const SOURCES: [(&str, &str); 30] = [
    ("Suite.java", include_str!("handovers/Suite.java")),
    ("Queues.java", include_str!("handovers/Queues.java")),
    ("Synchronizers.java", include_str!("handovers/Synchronizers.java")),
    ("Locks.java", include_str!("handovers/Locks.java")),
    ("Atomics.java", include_str!("handovers/Atomics.java")),
    ("Handles.java", include_str!("handovers/Handles.java")),
    ("Maps.java", include_str!("handovers/Maps.java")),
    ("Tasks.java", include_str!("handovers/Tasks.java")),
    ("Futures.java", include_str!("handovers/Futures.java")),
    ("Threads.java", include_str!("handovers/Threads.java")),
    ("RacyQueues.java", include_str!("handovers/RacyQueues.java")),
    ("RacyLocks.java", include_str!("handovers/RacyLocks.java")),
    ("RacyVariables.java", include_str!("handovers/RacyVariables.java")),
    ("RacyTasks.java", include_str!("handovers/RacyTasks.java")),
    ("RacyContainers.java", include_str!("handovers/RacyContainers.java")),
    ("RacyThreads.java", include_str!("handovers/RacyThreads.java")),
    ("Platform.java", include_str!("handovers/Platform.java")),
    ("RacyPlatform.java", include_str!("handovers/RacyPlatform.java")),
    ("Homemade.java", include_str!("handovers/Homemade.java")),
    ("RacyHomemade.java", include_str!("handovers/RacyHomemade.java")),
    ("Outcomes.java", include_str!("handovers/Outcomes.java")),
    ("RacyOutcomes.java", include_str!("handovers/RacyOutcomes.java")),
    ("Modern.java", include_str!("handovers/Modern.java")),
    ("RacyModern.java", include_str!("handovers/RacyModern.java")),
    ("Callbacks.java", include_str!("handovers/Callbacks.java")),
    ("RacyCallbacks.java", include_str!("handovers/RacyCallbacks.java")),
    ("Indirect.java", include_str!("handovers/Indirect.java")),
    ("RacyIndirect.java", include_str!("handovers/RacyIndirect.java")),
    ("Beginnings.java", include_str!("handovers/Beginnings.java")),
    ("RacyBeginnings.java", include_str!("handovers/RacyBeginnings.java")),
];

/// How often a racy case is run at the most until it shows its race.
const ATTEMPTS: usize = 3;

/// What one run of the driver has shown.
struct Shown {
    /// The cases that were run, with the field on which a racy one races: `[]` is an element, `*` a container.
    done: Vec<(String, String)>,
    /// The findings by kind of location, as above, with every name that may be a case's.
    found: BTreeMap<String, BTreeSet<String>>,
    findings: usize,
    /// The findings in words.
    text: String,
}

fn setting(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn suite() -> CompiledDir {
    compile(&SOURCES, &JavacOptions { release: Some(17), ..JavacOptions::default() }).unwrap()
}

fn run(jvm: &Launcher, classes: &Path, kind: &str, loops: usize, cases: &[String]) -> Shown {
    let name = format!("handovers-{kind}-{}-{}.json", jvm.feature_version, std::process::id());
    let file: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(["run", "--detector", "hb", "--exit-status", "0", "--quiet", "--format", "json", "--output"])
        .arg(&file)
        .arg("--")
        .arg(&jvm.java)
        .args(["-XX:+UseSerialGC", "-Xmx1g", "-cp"])
        .arg(classes)
        .args(["Suite", kind, &loops.to_string()])
        .args(cases)
        .output()
        .unwrap();
    let at = format!("JDK {}, {kind}", jvm.feature_version);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{at}: {said}");
    let report = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("{at}: no report: {said}"));
    let _ = std::fs::remove_file(&file);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    // Some cases define a class again and again.
    let expected = "several class loaders have it";
    let mut problems = report["problems"].as_array().unwrap().iter();
    assert!(
        problems.all(|problem| problem["message"].as_str().unwrap().contains(expected)),
        "{at}: {}",
        report["problems"]
    );
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let done = printed.lines().filter_map(|line| line.strip_prefix("done ")).map(|line| {
        let (case, field) = line.split_once(' ').unwrap_or((line, ""));
        (case.to_owned(), field.to_owned())
    });
    let mut shown = Shown { done: done.collect(), found: BTreeMap::new(), findings: 0, text: String::new() };
    for finding in report["findings"].as_array().unwrap() {
        shown.add(finding);
    }
    shown
}

impl Shown {
    fn add(&mut self, finding: &serde_json::Value) {
        let location = &finding["location"];
        let class = location["class"].as_str().unwrap_or_default();
        let field = match location["field"].as_str() {
            Some(field) => field,
            None if class.ends_with("[]") => "[]",
            None => "*",
        };
        self.findings += 1;
        self.text.push_str(&format!("{class} {field}:"));
        let names = self.found.entry(field.to_owned()).or_default();
        for side in finding["sides"].as_array().unwrap() {
            let thread = side["thread"]["name"].as_str().unwrap_or_default();
            self.text.push_str(&format!(" {} line {} in {thread};", side["method"], side["line"]));
            names.insert(thread.split('-').next().unwrap_or_default().to_owned());
            let frames = side["path"].as_array().into_iter().flatten().chain([side]);
            for method in frames.filter_map(|frame| frame["method"].as_str()) {
                names.insert(case_of(method).to_owned());
            }
        }
        self.text.push('\n');
    }

    fn shows(&self, case: &str, field: &str) -> bool {
        self.found.get(field).is_some_and(|names| names.contains(case))
    }
}

/// The name that a method or a lambda of it has in the source: `p.C.lambda$name$3(int)` and `p.C.name(int)` are both `name`.
fn case_of(method: &str) -> &str {
    let name = method.split('(').next().unwrap_or_default();
    let name = name.rsplit('.').next().unwrap_or_default();
    let name = name.strip_prefix("lambda$").unwrap_or(name);
    name.split('$').next().unwrap_or_default()
}

/// Nothing is reported for programs that hand over correctly.
#[test]
fn safe_hand_overs_are_quiet() {
    let loops = setting("SELVEDGE_HANDOVERS_LOOPS", 1000);
    let cases = std::env::var("SELVEDGE_HANDOVERS_CASES").unwrap_or_default();
    let cases: Vec<String> = cases.split_whitespace().map(str::to_owned).collect();
    let classes = suite();
    for jvm in jvms_or_skip() {
        for round in 0..setting("SELVEDGE_HANDOVERS_ROUNDS", 1) {
            let start = Instant::now();
            let shown = run(&jvm, classes.path(), "safe", loops, &cases);
            println!(
                "JDK {}, round {round}: {} safe programs, {loops} loops, {} findings, {:.0?}",
                jvm.feature_version,
                shown.done.len(),
                shown.findings,
                start.elapsed()
            );
            assert!(shown.done.len() >= 80 || !cases.is_empty(), "only {} programs", shown.done.len());
            assert_eq!(shown.findings, 0, "JDK {}: {}", jvm.feature_version, shown.text);
        }
    }
}

/// Each race is found in one of a few runs; if all is run five times or more, in four of five runs.
#[test]
fn racy_twins_are_found() {
    let rounds = setting("SELVEDGE_HANDOVERS_ROUNDS", 1);
    let classes = suite();
    for jvm in jvms_or_skip() {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for round in 0..rounds {
            let shown = run(&jvm, classes.path(), "racy", 100, &[]);
            assert!(shown.done.len() >= 60, "only {} programs", shown.done.len());
            for (case, field) in &shown.done {
                *seen.entry(case.clone()).or_default() += usize::from(shown.shows(case, field));
            }
            let missed: Vec<&String> = shown
                .done
                .iter()
                .filter(|(case, field)| !shown.shows(case, field))
                .map(|(case, _)| case)
                .collect();
            println!(
                "JDK {}, round {round}: {} racy programs, missed {missed:?}",
                jvm.feature_version,
                shown.done.len()
            );
        }
        let rarely = |count: usize| if rounds < 5 { count == 0 } else { count * 5 < rounds * 4 };
        let mut missed: Vec<String> =
            seen.into_iter().filter(|(_, count)| rarely(*count)).map(|(case, _)| case).collect();
        for _ in 1..if rounds < 5 { ATTEMPTS } else { 1 } {
            if missed.is_empty() {
                break;
            }
            let again = run(&jvm, classes.path(), "racy", 100, &missed);
            let still = again.done.iter().filter(|(case, field)| !again.shows(case, field));
            missed = still.map(|(case, _)| case.clone()).collect();
        }
        assert!(missed.is_empty(), "JDK {}: missed {missed:?}", jvm.feature_version);
    }
}

/// The findings of cases of `Phases`, in words.
fn phases(jvm: &Launcher, classes: &Path, detector: &str, cases: &[&str]) -> Vec<String> {
    let name = format!("phases-{detector}-{}-{}.json", jvm.feature_version, std::process::id());
    let file: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args([
            "run",
            "--detector",
            detector,
            "--exit-status",
            "0",
            "--quiet",
            "--format",
            "json",
            "--output",
        ])
        .arg(&file)
        .arg("--")
        .arg(&jvm.java)
        .arg("-cp")
        .arg(classes)
        .arg("Phases")
        .args(cases)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let _ = std::fs::remove_file(&file);
    let findings = report["findings"].as_array().unwrap().iter();
    findings.map(|finding| format!("{} {}", finding["location"], finding["sides"])).collect()
}

/// By locksets, phases that are repeated are not reported, whatever separates them; what is not separated is.
#[test]
fn phases_are_handed_over_for_locksets() {
    let sources = [("Phases.java", include_str!("handovers/Phases.java"))];
    let classes = compile(&sources, &JavacOptions { release: Some(17), ..JavacOptions::default() }).unwrap();
    let safe = [
        "startAndJoin",
        "barrier",
        "phaser",
        "latches",
        "executor",
        "invokeAll",
        "termination",
        "queue",
        "semaphores",
        "exchanger",
        "forkJoin",
        "completableFuture",
    ];
    for jvm in jvms_or_skip() {
        for detector in ["lockset", "both"] {
            let found = phases(&jvm, classes.path(), detector, &safe);
            assert!(found.is_empty(), "JDK {}, {detector}: {}", jvm.feature_version, found.join("\n"));
        }
        for case in ["racyStartAndJoin", "racyBarrier", "racyExecutor", "racyQueue", "racyLock"] {
            let is_found =
                (0..2 * ATTEMPTS).any(|_| !phases(&jvm, classes.path(), "lockset", &[case]).is_empty());
            assert!(is_found, "JDK {}: missed {case}", jvm.feature_version);
        }
    }
}

#[test]
fn lambdas_have_the_name_of_their_method() {
    assert_eq!(case_of("Maps.lambda$otherKey$3(java.util.Map,int)"), "otherKey");
    assert_eq!(case_of("Maps.otherKey(int)"), "otherKey");
    assert_eq!(case_of("RacyTasks$1.onNext(Suite$Box)"), "onNext");
}

/// Fields, elements and memory outside of the heap that `sun.misc.Unsafe` reaches hand over, as its access modes say.
#[test]
fn unsafe_hands_over() {
    // Unsafe is in no API that --release knows; the JDK that compiles is the oldest.
    let sources = [("ByUnsafe.java", include_str!("handovers/ByUnsafe.java"))];
    let classes = compile(&sources, &JavacOptions::default()).unwrap();
    for jvm in jvms_or_skip() {
        for (case, races) in [("safe", vec![]), ("racy", vec!["lateField", "lateElement", "lateMemory"])] {
            let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
                .args(["run", "--exit-status", "0", "--"])
                .arg(&jvm.java)
                .arg("-cp")
                .arg(classes.path())
                .args(["ByUnsafe", case])
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(
                String::from_utf8_lossy(&output.stdout),
                "done\n",
                "JDK {}: {said}",
                jvm.feature_version
            );
            assert_eq!(said.matches("race on").count(), races.len(), "JDK {}: {said}", jvm.feature_version);
            for field in races {
                assert!(said.contains(field), "JDK {}, {field}: {said}", jvm.feature_version);
            }
        }
    }
}

/// A hook of the end of the JVM comes after all threads that it has waited for, and not after daemons.
#[test]
fn hooks_of_the_end_come_after_threads_that_ended() {
    let program = "public class Hook {
    static int served;
    static int daemons;
    public static void main(String[] arguments) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println(served + daemons)));
        for (int i = 0; i < 50; i++) {
            Thread before = new Thread(() -> { });
            before.start();
            before.join();
        }
        Thread daemon = new Thread(() -> { daemons = 2; while (true) Thread.onSpinWait(); });
        daemon.setDaemon(true);
        daemon.start();
        new Thread(() -> {
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
                return;
            }
            served = 1;
        }).start();
    }
}";
    let options = JavacOptions { release: Some(17), ..JavacOptions::default() };
    let classes = compile(&[("Hook.java", program)], &options).unwrap();
    for jvm in jvms_or_skip() {
        let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
            .args(["run", "--exit-status", "0", "--"])
            .arg(&jvm.java)
            .arg("-cp")
            .arg(classes.path())
            .arg("Hook")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("race on static Hook.daemons"), "JDK {}: {said}", jvm.feature_version);
        assert!(!said.contains("Hook.served"), "JDK {}: {said}", jvm.feature_version);
    }
}
