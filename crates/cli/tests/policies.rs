//! A policy that the user names is carried out, is never worse than the default, and says so where a limit made it coarser.
#![allow(clippy::unwrap_used)]

use std::process::Command;

use selvedge_testkit::{JavacOptions, compile, jdk_or_skip};

/// Every thread has an object of its own, which `pass` hands through: only the call tells them apart.
const PASSED: [(&str, &str); 1] = [(
    "Passed.java",
    "public class Passed implements Runnable {
    int counter;
    public void run() { counter++; }
    static Passed pass(Passed it, int n) { if (n > 3) System.out.println(n); return it; }
    public static void main(String[] arguments) {
        new Thread(pass(new Passed(), 1)).start();
        new Thread(pass(new Passed(), 2)).start();
    }
}
",
)];

/// The thesis's separate objects (A.6.2).
const SEPARATE: [(&str, &str); 1] =
    [("papers/SimpleRaceSeparate.java", include_str!("../../../corpus/papers/SimpleRaceSeparate.java"))];

fn check(sources: &[(&str, &str)], arguments: &[&str]) -> String {
    let classes = compile(sources, &JavacOptions::default()).unwrap().path().to_path_buf();
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    let output = command.arg("check").arg(classes).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_named_policy_is_carried_out() {
    if jdk_or_skip().is_none() {
        return;
    }
    for policy in ["1-call", "1-object", "3-object"] {
        let text = check(&SEPARATE, &["--policy", policy]);
        assert!(text.contains("no races found"), "{policy}: {text}");
        assert!(!text.contains("Less precise"), "{policy}: {text}");
    }
    assert!(check(&PASSED, &[]).contains("1 race in 1 field"));
    assert!(check(&PASSED, &["--policy", "1-call"]).contains("no races found"));
}

#[test]
fn what_a_limit_made_coarser_is_in_the_summary() {
    if jdk_or_skip().is_none() {
        return;
    }
    let text = check(&SEPARATE, &["--policy", "2-object", "--max-work", "0"]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("Less precise: the budget for work was reached: contexts are those of the policy adaptive, not of 2-object."), "{text}");
}

#[test]
fn methods_without_code_are_listed_by_name() {
    if jdk_or_skip().is_none() {
        return;
    }
    let source = "public class Sensor {
    static native int read();
    static native int never();
    public static void main(String[] arguments) { System.out.println(read()); }
}
";
    let text = check(&[("Sensor.java", source)], &["--stats"]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("return new objects: Sensor.read"), "{text}");
    assert!(!text.contains("Sensor.never"), "{text}");
    // What is missing when the class that calls it is checked.
    let classes = compile(
        &[
            ("p/Caller.java", "package p; public class Caller { public static void main(String[] a) { q.Gone.call(3, a); } }"),
            ("q/Gone.java", "package q; public class Gone { public static void call(int i, String[] a) { } }"),
        ],
        &JavacOptions::default(),
    )
    .unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    let output =
        command.args(["check", "--stats"]).arg(classes.path().join("p/Caller.class")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains(
            "missing methods read and write no memory, and return null: q.Gone.call(int, java.lang.String[])"
        ),
        "{text}"
    );
}
