//! `@GuardedBy` is held against the code, whether or not a race follows.
#![allow(clippy::unwrap_used)]

use std::process::Command;

use selvedge_testkit::{JavacOptions, compile, jdk_or_skip};

const GUARDED_BY: &str = "package own;
import java.lang.annotation.*;
@Retention(RetentionPolicy.CLASS) @interface GuardedBy { String value(); }
";

/// Whoever comes here holds `this` as well, so nothing races, and the lock that is declared is not always held.
const COUNTER: &str = "package own;
class Counter {
    private final Object lock = new Object();
    @GuardedBy(\"lock\") private int total;

    synchronized void add() { synchronized (lock) { total++; } }
    synchronized int total() { GUARD return total; }

    public static void main(String[] arguments) throws Exception {
        Counter counter = new Counter();
        Thread worker = new Thread(counter::add);
        worker.start();
        System.out.println(counter.total());
    }
}
";

fn findings(guard: &str) -> Vec<serde_json::Value> {
    let counter = COUNTER.replace("GUARD", guard);
    let sources = [("own/GuardedBy.java", GUARDED_BY), ("own/Counter.java", &counter)];
    let classes = compile(&sources, &JavacOptions::default()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    let output =
        command.arg("check").arg(classes.path()).args(["--main", "own.Counter", "--format", "json"]).output();
    let report: serde_json::Value = serde_json::from_slice(&output.unwrap().stdout).unwrap();
    report["findings"].as_array().unwrap().clone()
}

#[test]
fn a_guard_that_is_not_held_is_told_without_a_race() {
    let Some(_) = jdk_or_skip() else { return };
    let broken = findings("");
    assert_eq!(broken.len(), 1, "{broken:#?}");
    assert_eq!(broken[0]["location"]["field"], "total");
    assert_eq!(broken[0]["confidence"], "low");
    let reasons = broken[0]["reasons"].to_string();
    assert!(reasons.contains("not held at Counter.java:7"), "{reasons}");
    assert!(reasons.contains("no race follows"), "{reasons}");
    assert_eq!(findings("synchronized (lock) { return total; } } int unused() {").len(), 0);
}
