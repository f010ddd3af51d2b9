//! `selvedge check --run` from the outside: check, plan, run and merge in one.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use selvedge_testkit::{JavacOptions, compile, jdk_or_skip};

const TALLY: &str = "
public class Tally {
    static int hits;
    static int skipped;

    static void count() { hits++; }

    static void skip() { skipped++; }

    public static void main(String[] arguments) throws Exception {
        Runnable work = () -> {
            count();
            if (arguments.length > 0) skip();
        };
        Thread one = new Thread(work);
        Thread two = new Thread(work);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(\"counted\");
    }
}
";

#[test]
fn a_run_confirms_findings_and_says_what_it_did_not_execute() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = compile(&[("Tally.java", TALLY)], &JavacOptions::default()).unwrap();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("confirmed.json");
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .arg("check")
        .arg(classes.path())
        .args(["--run", "--format", "json", "--output"])
        .arg(&file)
        .arg("--")
        .arg(&jdk.java)
        .arg("-cp")
        .arg(classes.path())
        .arg("Tally")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "counted\n", "{said}");
    let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let _ = std::fs::remove_file(&file);
    let findings = report["findings"].as_array().unwrap();
    let on = |field: &str| -> Vec<&serde_json::Value> {
        findings.iter().filter(|finding| finding["location"]["field"] == field).collect()
    };
    let verdicts: Vec<&str> = on("hits").iter().map(|finding| finding["verdict"].as_str().unwrap()).collect();
    assert!(verdicts.iter().any(|verdict| *verdict != "predicted"), "{verdicts:?}: {report:#}");
    assert!(said.contains("not executed"), "the summary counts outcomes: {said}");
    let skipped = on("skipped");
    assert!(!skipped.is_empty(), "{report:#}");
    for finding in skipped {
        assert_eq!(finding["verdict"], "predicted");
        assert_eq!(finding["confirmation"]["outcome"], "not-executed", "{finding:#}");
        assert_eq!(finding["confirmation"]["because"], "Tally.skip()", "{finding:#}");
    }
}

#[test]
fn a_run_needs_a_command() {
    for arguments in [&["check", "x.jar", "--run"][..], &["check", "x.jar", "--", "java"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_selvedge")).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
    }
}
