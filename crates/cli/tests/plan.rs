//! `selvedge check --plan` from the outside.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use selvedge_protocol::plan::Reporting;
use selvedge_protocol::{Plan, Sites};
use selvedge_testkit::{JavacOptions, compile, jdk_or_skip};

const COUNTER: &str = "
public class Counter extends Thread {
    static int shared;
    int own;

    public void run() {
        own = 1;
        shared++;
        shared = shared + own;
    }

    public static void main(String[] arguments) {
        new Counter().start();
        new Counter().start();
    }

    static void unused() { shared = 7; }
}
";

#[test]
fn a_plan_lists_what_a_run_has_to_watch() {
    if jdk_or_skip().is_none() {
        return;
    }
    let classes = compile(&[("Counter.java", COUNTER)], &JavacOptions::default()).unwrap();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("counter.plan");
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .arg("check")
        .arg(classes.path())
        .args(["--quiet", "--plan"])
        .arg(&path)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("of 6 accesses 2 are watched: 2 cannot race, 2 are redundant"), "{said}");
    let plan = Plan::from_json(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert!(matches!(plan.sites, Sites::Listed(_)));
    let Reporting::Listed(run) = plan.method("Counter", "run()V") else { panic!("{plan:?}") };
    assert_eq!(run.report.len(), 2, "the first read and the first write of the shared field: {run:?}");
    assert_eq!(plan.method("Counter", "main([Ljava/lang/String;)V"), Reporting::None);
    assert_eq!(plan.method("Counter", "unused()V"), Reporting::All, "what is not reached is watched");
}

/// A run shows two accesses of the counter; the plan knows the others that may race with them.
#[test]
fn a_race_of_a_run_names_its_static_partners() {
    let Some(jdk) = jdk_or_skip() else { return };
    let source = "
public class Pair extends Thread {
    static int shared;
    static volatile int turn;

    public void run() {
        while (turn == 0) { }
        shared = 1;
        turn = 2;
    }

    static void never(int n) {
        if (n > 5) shared = n;
    }

    public static void main(String[] arguments) throws Exception {
        new Pair().start();
        turn = 1;
        shared = 2;
        while (turn == 1) { }
        never(arguments.length);
    }
}
";
    let classes = compile(&[("Pair.java", source)], &JavacOptions::default()).unwrap();
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [plan, report] = ["pair.plan", "pair.json"].map(|name| directory.join(name));
    let selvedge = || Command::new(env!("CARGO_BIN_EXE_selvedge"));
    // What happens-before orders is of no interest here.
    let _ = selvedge()
        .arg("check")
        .arg(classes.path())
        .args(["--quiet", "--without", "order", "--plan"])
        .arg(&plan)
        .output()
        .unwrap();
    let output = selvedge()
        .args(["run", "--quiet", "--format", "json", "--plan"])
        .arg(&plan)
        .arg("--output")
        .arg(&report)
        .arg("--")
        .arg(&jdk.java)
        .arg("-cp")
        .arg(classes.path())
        .arg("Pair")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(66), "{}", String::from_utf8_lossy(&output.stderr));
    let report = std::fs::read_to_string(&report).unwrap();
    assert!(
        report.contains("these may race with them, too: the write at Pair.java:13 in Pair.never"),
        "{report}"
    );
}
