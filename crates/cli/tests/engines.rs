//! Test engines: their own classes are not watched, and a race names the test that ran.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use selvedge_testkit::{JavacOptions, compile, jvms_or_skip};

/// An engine of the name of a real one. It calls test methods by reflection, and has a race of its own.
const ENGINE: &str = "package org.junit.runner;
public class Core {
    static int started;
    public static void main(String[] arguments) throws Exception {
        Class<?> type = Class.forName(arguments[0]);
        Object test = type.getDeclaredConstructor().newInstance();
        Thread own = new Thread(() -> started++);
        own.start();
        started++;
        own.join();
        for (var method : type.getMethods()) {
            if (method.getName().startsWith(\"test\")) method.invoke(test);
        }
    }
}";

const TEST: &str = "package p;
public class CounterTest {
    static class Counter {
        int hits;
        void hit() { hits++; }
    }
    public void testAlone() { new Counter().hit(); }
    public void testTogether() throws Exception {
        Counter counter = new Counter();
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            threads[i] = new Thread(counter::hit, \"worker\");
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
    }
}";

#[test]
fn a_race_names_the_test_and_the_engine_is_not_watched() {
    let options = JavacOptions { release: Some(17), ..JavacOptions::default() };
    let sources = [("org/junit/runner/Core.java", ENGINE), ("p/CounterTest.java", TEST)];
    let classes = compile(&sources, &options).unwrap();
    for launcher in jvms_or_skip() {
        let release = launcher.feature_version;
        let report = |options: &[&str]| -> String {
            let file = format!("engines-{release}-{}.json", std::process::id());
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
            let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
                .args(["run", "--quiet", "--format", "json", "--output"])
                .arg(&file)
                .args(options)
                .arg("--")
                .arg(&launcher.java)
                .arg("-cp")
                .arg(classes.path())
                .args(["org.junit.runner.Core", "p.CounterTest"])
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(66), "{}", String::from_utf8_lossy(&output.stderr));
            let text = std::fs::read_to_string(&file).unwrap();
            let _ = std::fs::remove_file(&file);
            text
        };
        let usual = report(&[]);
        assert!(usual.contains("the test p.CounterTest.testTogether() ran"), "JDK {release}: {usual}");
        assert!(!usual.contains("\"field\": \"started\""), "JDK {release}: {usual}");
        let all = report(&["--include", "**"]);
        assert!(all.contains("\"field\": \"started\""), "JDK {release}: {all}");
    }
}
