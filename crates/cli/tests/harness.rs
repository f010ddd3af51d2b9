//! `selvedge harness` from the outside.
#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

use selvedge_testkit::{JavacOptions, compile, jdk_or_skip};

fn harness(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selvedge")).arg("harness").args(arguments).output().unwrap()
}

#[test]
fn prints_java_that_compiles() {
    let Some(_) = jdk_or_skip() else { return };
    let counter = "package p; public class Counter { private int n; public int next(Step step) { return n += step.size(); } }";
    let step = "package p; public interface Step { int size(); }";
    let classes =
        compile(&[("p/Counter.java", counter), ("p/Step.java", step)], &JavacOptions::default()).unwrap();
    let path = classes.path().to_str().unwrap();
    let output = harness(&[path]);
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
    let text = String::from_utf8(output.stdout).unwrap();
    for step in [
        "    static p.Counter counter2;",
        "counter2 = new p.Counter();",
        "step0 = (p.Step) implement(p.Step.class);",
        "int1 = counter2.next(step0);",
        "int1 = step0.size();",
    ] {
        assert!(text.contains(step), "{step} is not in\n{text}");
    }
    let options = JavacOptions { classpath: vec![classes.path().to_path_buf()], ..JavacOptions::default() };
    compile(&[("SelvedgeHarness.java", &text)], &options).unwrap();

    let output = harness(&[path, "--library=p.Step"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("step1.size()") && !text.contains("Counter"), "{text}");
}

#[test]
fn what_is_not_there_is_one_sentence() {
    let Some(_) = jdk_or_skip() else { return };
    let classes =
        compile(&[("C.java", "class C { public void f() { } }")], &JavacOptions::default()).unwrap();
    let path = classes.path().to_str().unwrap();
    let complaint = |arguments: &[&str]| {
        let output = harness(arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(
        complaint(&[path]),
        "selvedge: there is nothing public in the given paths that a client could call\n"
    );
    assert_eq!(
        complaint(&[path, "--library=p.D"]),
        "selvedge: there is no class p.D in the given paths, their class path or the JDK\n"
    );
}
