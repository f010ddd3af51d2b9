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
    assert!(said.contains("of 6 accesses 2 report at run time: 2 cannot race, 2 say nothing new"), "{said}");
    let plan = Plan::from_json(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert!(matches!(plan.sites, Sites::Listed(_)));
    let Reporting::Listed(run) = plan.method("Counter", "run()V") else { panic!("{plan:?}") };
    assert_eq!(run.report.len(), 2, "the first read and the first write of the shared field: {run:?}");
    assert_eq!(plan.method("Counter", "main([Ljava/lang/String;)V"), Reporting::None);
    assert_eq!(plan.method("Counter", "unused()V"), Reporting::All, "what is not reached is watched");
}
