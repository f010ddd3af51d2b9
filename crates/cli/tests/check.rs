//! `selvedge check`, `explain` and `baseline` from the outside, on the example program.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

use selvedge_testkit::{CompiledDir, JavacOptions, compile, jdk_or_skip, repository_root};

fn selvedge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selvedge")).args(arguments).output().unwrap()
}

fn bank() -> CompiledDir {
    let read =
        |name: &str| std::fs::read_to_string(repository_root().join("examples/bank").join(name)).unwrap();
    let (account, main) = (read("Account.java"), read("Main.java"));
    compile(&[("bank/Account.java", &account), ("bank/Main.java", &main)], &JavacOptions::default()).unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A report without what differs from run to run.
fn without_measurements(path: &Path) -> serde_json::Value {
    let mut report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    report["stats"]["phases"] = serde_json::Value::Null;
    report["stats"]["peak_rss_bytes"] = serde_json::Value::Null;
    report
}

#[test]
fn the_race_of_the_example_is_found_explained_and_accepted() {
    let Some(_) = jdk_or_skip() else { return };
    let bank = bank();
    let path = bank.path().to_str().unwrap();
    let folder = std::env::temp_dir().join(format!("selvedge-check-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_string();

    let output = selvedge(&["check", path, "--safe", "--format", "json", "--output", &file("races.json")]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let report = without_measurements(Path::new(&file("races.json")));
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(findings[0]["location"]["field"], "deposits");
    assert_eq!(findings[0]["confidence"], "high");

    selvedge(&["check", path, "--safe", "--no-cache", "--format", "json", "--output", &file("again.json")]);
    assert_eq!(
        report,
        without_measurements(Path::new(&file("again.json"))),
        "the same input, the same report"
    );

    let output = selvedge(&["explain", "Account.balance", "--report", &file("races.json")]);
    let explanation = text(&output.stdout);
    assert!(explanation.contains("common-lock") || explanation.contains("lock"), "{explanation}");
    assert!(explanation.contains("balance"), "{explanation}");

    let key = findings[0]["key"].as_str().unwrap();
    let output = selvedge(&["explain", key, "--report", &file("races.json")]);
    assert!(text(&output.stdout).contains("deposits"), "{}", text(&output.stdout));

    let output = selvedge(&["baseline", &file("races.json"), "--output", &file("accepted.json")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let output = selvedge(&["check", path, "--baseline", &file("accepted.json")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));

    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_cannot_be_done_is_one_sentence() {
    let Some(_) = jdk_or_skip() else { return };
    let bank = bank();
    let path = bank.path().to_str().unwrap();
    let complaint = |arguments: &[&str]| {
        let output = selvedge(arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
        text(&output.stderr)
    };
    assert!(complaint(&["check", path, "--without", "magic"]).contains("there is no refuter magic"));
    assert!(complaint(&["check", path, "--analysis", "magic"]).contains("there is no analysis magic"));
    assert!(complaint(&["check", path, "--baseline", "/nowhere"]).contains("cannot read /nowhere"));
    assert!(complaint(&["explain", "a.b", "--report", path]).contains("cannot read"));
    assert!(complaint(&["check", "/nowhere.jar"]).contains("/nowhere.jar"));
}

#[test]
fn a_library_may_run_a_task_in_the_thread_that_passes_it() {
    let Some(_) = jdk_or_skip() else { return };
    let retry =
        "package lib; public class Retry { public static void twice(Runnable r) { r.run(); r.run(); } }";
    let main = "package app; public class Main {
        static class Task implements Runnable { int count; public void run() { count++; } }
        public static void main(String[] args) throws Exception {
            Task task = new Task();
            Thread thread = new Thread(task);
            thread.start();
            lib.Retry.twice(task);
            thread.join();
            System.out.println(task.count);
        } }";
    let compiled =
        compile(&[("lib/Retry.java", retry), ("app/Main.java", main)], &JavacOptions::default()).unwrap();
    let path = compiled.path().to_str().unwrap();
    let output = selvedge(&["check", path, "--app", "app", "--main", "app.Main", "--min-confidence", "low"]);
    assert_eq!(output.status.code(), Some(1), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(text(&output.stdout).contains("Task.count"), "{}", text(&output.stdout));
}
