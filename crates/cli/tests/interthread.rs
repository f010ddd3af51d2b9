//! `selvedge check --analysis interthread` and `selvedge inspect --what interthread` from the outside.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::{Command, Output};

use selvedge_testkit::{JavacOptions, check_golden, compile, jdk_or_skip};

const TILL: [(&str, &str); 1] = [(
    "till/Main.java",
    "package till;

class Till {
    int sum;
    int sales;
    void add(int price, Object lock) {
        synchronized (lock) { sum += price; }
        sales++;
    }
}

class Clerk extends Thread {
    private final Till till;
    private final Object lock;
    private int left;

    Clerk(Till till, Object lock, int left) {
        this.till = till;
        this.lock = lock;
        this.left = left;
    }

    @Override public void run() {
        while (left > 0) {
            left--;
            till.add(left, lock);
        }
    }
}

public class Main {
    public static void main(String[] arguments) throws Exception {
        Till till = new Till();
        Object lock = new Object();
        Clerk clerk = new Clerk(till, lock, 5);
        clerk.start();
        till.add(1, lock);
        clerk.join();
    }
}
",
)];

fn selvedge(command: &str, arguments: &[&str]) -> Output {
    let classes = compile(&TILL, &JavacOptions::default()).unwrap().path().to_path_buf();
    Command::new(env!("CARGO_BIN_EXE_selvedge")).arg(command).arg(classes).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn the_graph_tells_threads_locks_and_what_is_thread_specific() {
    let Some(_) = jdk_or_skip() else { return };
    let shown = text(&selvedge("inspect", &["--what", "interthread"]));
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/interthread.txt");
    check_golden(golden, &shown);
}

#[test]
fn the_graph_is_a_picture() {
    let Some(_) = jdk_or_skip() else { return };
    let dot = text(&selvedge("inspect", &["--what", "interthread", "--format", "dot"]));
    assert!(dot.starts_with("digraph interthread {"), "{dot}");
    assert!(dot.contains("style=bold") && dot.contains("style=dashed") && dot.contains("color=red"), "{dot}");
    let page = text(&selvedge("inspect", &["--what", "interthread", "--format", "html"]));
    assert!(page.contains("<svg") && page.contains("Interthread call graph"), "{page}");
}

#[test]
fn what_neither_a_thread_nor_a_lock_keeps_apart_is_told() {
    let Some(_) = jdk_or_skip() else { return };
    let output = selvedge("check", &["--analysis", "interthread", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0]["analysis"], "interthread");
    assert_eq!(
        (&findings[0]["location"]["class"], &findings[0]["location"]["field"]),
        (&"till.Till".into(), &"sales".into())
    );
    let table = &report["stats"]["interthread"];
    assert!(
        table["common_sync"].as_u64() > Some(0) && table["thread_specific"].as_u64() > Some(0),
        "{table}"
    );
    let shown = text(&selvedge("check", &["--analysis", "interthread", "--stats"]));
    assert!(shown.contains("static datarace set") && shown.contains("thread-specific"), "{shown}");
}
