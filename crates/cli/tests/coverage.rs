//! What a check looked at: which programs, which part of the input, how much of it, and what is left out of the list.
#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

use selvedge_testkit::{CompiledDir, JavacOptions, compile, jdk_or_skip};
use serde_json::Value;

fn selvedge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selvedge")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn compiled(files: &[(&str, &str)]) -> CompiledDir {
    compile(files, &JavacOptions::default()).unwrap()
}

/// The JSON of a check.
fn report(folder: &CompiledDir, options: &[&str]) -> Value {
    let mut arguments = vec!["check", folder.path().to_str().unwrap(), "--format", "json"];
    arguments.extend(options);
    serde_json::from_str(&text(&selvedge(&arguments).stdout)).unwrap()
}

/// The fields that a report has findings of.
fn racy_fields(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().unwrap().iter();
    findings.filter_map(|finding| finding["location"]["field"].as_str().map(str::to_owned)).collect()
}

const STATE: &str = "package p; public class State { public static int count; public static int shared; }";

/// Two programs that write the same static field, and one of them also from a thread of its own.
const SERVER: &str = "package p; public class Server { public static void main(String[] a) {
    State.count++;
    new Thread(() -> State.shared++).start();
    State.shared++;
} }";
const TOOL: &str = "package p; public class Tool { public static void main(String[] a) {
    new Thread(() -> State.count++).start();
} }";

#[test]
fn two_main_methods_are_two_processes() {
    let Some(_) = jdk_or_skip() else { return };
    let folder = compiled(&[("p/State.java", STATE), ("p/Server.java", SERVER), ("p/Tool.java", TOOL)]);
    let found = report(&folder, &[]);
    assert_eq!(racy_fields(&found), ["shared"]);
    assert_eq!(found["coverage"]["mains"], serde_json::json!(["p.Server", "p.Tool"]));
    let output = text(&selvedge(&["check", folder.path().to_str().unwrap()]).stdout);
    assert!(
        output.contains("2 main methods, each a process of its own: p.Server, p.Tool; --main CLASS chooses")
    );
    // By itself the tool has no race, and what was looked at stands beside that.
    let output = text(&selvedge(&["check", folder.path().to_str().unwrap(), "--main", "p.Tool"]).stdout);
    assert!(
        output.contains("no races found; analysed 2 of 7 methods and 1 field of the application, 2 threads"),
        "{output}"
    );
}

const APPLICATION: &str = "package com.acme.app; public class Main { static int own;
public static void main(String[] a) {
    Runnable work = () -> { own++; com.acme.shaded.lib.Counter.count++; org.other.Counter.count++; };
    new Thread(work).start();
    new Thread(work).start();
} }";
const MOVED: &str = "package com.acme.shaded.lib; public class Counter { public static int count; }";
const OTHER: &str = "package org.other; public class Counter { public static int count; }";

#[test]
fn libraries_in_the_input_are_libraries() {
    let Some(_) = jdk_or_skip() else { return };
    let folder = compiled(&[
        ("com/acme/app/Main.java", APPLICATION),
        ("com/acme/shaded/lib/Counter.java", MOVED),
        ("org/other/Counter.java", OTHER),
    ]);
    let found = report(&folder, &[]);
    assert_eq!(found["coverage"]["border"], serde_json::json!(["com.acme", "org.other"]));
    let named = report(&folder, &["--app", "com.acme.app"]);
    assert_eq!(named["coverage"]["border"], serde_json::json!(["com.acme.app"]));
    assert!(racy_fields(&named).contains(&"own".to_owned()));
    let output = selvedge(&["check", folder.path().to_str().unwrap(), "--app", "com.acme.ap"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("there is no class in the package com.acme.ap in the given paths"));
}

#[test]
fn a_check_without_the_application_is_none() {
    let Some(_) = jdk_or_skip() else { return };
    let helper = "package p; public class Helper { void help() { } }";
    let main =
        "package p; public class Main { public static void main(String[] a) { new Helper().help(); } }";
    let folder = compiled(&[("p/Main.java", main), ("p/Helper.java", helper)]);
    let copy = std::env::temp_dir().join(format!("selvedge-coverage-{}", std::process::id()));
    std::fs::create_dir_all(copy.join("p")).unwrap();
    std::fs::copy(folder.path().join("p/Main.class"), copy.join("p/Main.class")).unwrap();
    let output = selvedge(&["check", copy.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("the class p.Helper of the application itself is missing"), "{said}");
    std::fs::remove_dir_all(&copy).unwrap();
}

#[test]
fn the_list_ends_where_it_is_told_to() {
    let Some(_) = jdk_or_skip() else { return };
    let classes: Vec<(String, String)> = ["A", "B", "C"]
        .iter()
        .map(|name| {
            let source = format!(
                "package p; public class {name} {{ public static int n; public static void up() {{ n++; }} }}"
            );
            (format!("p/{name}.java"), source)
        })
        .collect();
    let files: Vec<(&str, &str)> =
        classes.iter().map(|(path, source)| (path.as_str(), source.as_str())).collect();
    let folder = compiled(&files);
    let path = folder.path().to_str().unwrap();
    let likely = selvedge(&["check", path, "--library"]);
    assert_eq!(likely.status.code(), Some(1));
    let likely = text(&likely.stdout);
    assert_eq!(likely.matches("\n  key ").count(), 0, "{likely}");
    assert!(
        likely.contains("3 findings of low confidence are not listed: --min-confidence low lists them"),
        "{likely}"
    );
    let last = likely.lines().last().unwrap();
    assert!(last.starts_with("no likely races, 3 of low confidence in 3 fields"), "{likely}");
    let listed = ["check", path, "--library", "--min-confidence", "low"];
    let all = text(&selvedge(&listed).stdout);
    assert_eq!(all.matches("\n  key ").count(), 3, "{all}");
    let two = text(&selvedge(&[&listed[..], &["--top", "2"]].concat()).stdout);
    assert_eq!(two.matches("\n  key ").count(), 2, "{two}");
    assert!(
        two.contains("... and 1 more finding in 1 class: --top N takes N classes, --top all every one"),
        "{two}"
    );
    let first = two.lines().next().unwrap();
    assert!(first.starts_with("no likely races, 3 of low confidence in 3 fields"), "{two}");
    assert_eq!(two.lines().last().unwrap().split(';').next(), first.split(';').next(), "{two}");
}

#[test]
fn a_main_method_that_reaches_hardly_anything_makes_a_library() {
    let Some(_) = jdk_or_skip() else { return };
    let methods: String = (0..120).map(|number| format!("    public void m{number}() {{ }}\n")).collect();
    let source = format!(
        "package p;\npublic class Version {{\n    private static int calls;\n    public static void main(String[] a) {{ }}\n    \
         public static void count() {{ calls++; }}\n{methods}}}"
    );
    let folder = compiled(&[("p/Version.java", &source)]);
    assert_eq!(racy_fields(&report(&folder, &[])), ["calls"]);
    let output = selvedge(&["check", folder.path().to_str().unwrap()]);
    let said = text(&output.stderr);
    let expected =
        "p.Version reaches 1 of 123 methods, so the input is analysed as a library; --main p.Version";
    assert!(said.contains(expected), "{said}");
    assert_eq!(racy_fields(&report(&folder, &["--main", "p.Version"])), [""; 0]);
}

#[test]
fn threads_that_nobody_is_known_to_start_are_told() {
    let Some(_) = jdk_or_skip() else { return };
    let source = "package p; import java.util.concurrent.*; public class Main { static int n;
public static void main(String[] a) throws Exception {
    ExecutorService known = Executors.newCachedThreadPool();
    known.execute(() -> System.out.println(a.length));
    Executor unknown = (Executor) Class.forName(a[0]).getMethod(a[1]).invoke(null);
    unknown.execute(() -> n++);
    n++;
} }";
    let folder = compiled(&[("p/Main.java", source)]);
    let found = report(&folder, &[]);
    assert_eq!(found["coverage"]["unknown_starts"], serde_json::json!(["Main.java:6"]));
    let output = text(&selvedge(&["check", folder.path().to_str().unwrap()]).stdout);
    assert!(
        output.contains("A thread may be missing: the object that would start it is not known"),
        "{output}"
    );
}
