//! All call paths of a finding, all objects it may be about, and what `--stats` counts.
#![allow(clippy::unwrap_used)]

use std::process::Command;

use serde_json::Value;

use selvedge_testkit::{JavacOptions, compile, jdk_or_skip};

const JDBF: (&str, &str) = ("papers/JdbfShape.java", include_str!("../../../corpus/papers/JdbfShape.java"));
const PHASES: (&str, &str) =
    ("papers/UsesOwnLocks.java", include_str!("../../../corpus/papers/UsesOwnLocks.java"));

fn run(command: &str, sources: &[(&str, &str)], arguments: &[&str]) -> String {
    let classes = compile(sources, &JavacOptions::default()).unwrap().path().to_path_buf();
    let mut selvedge = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    let output = selvedge.arg(command).args(arguments).arg(classes).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn finding_on(report: &str, field: &str) -> Value {
    let report: Value = serde_json::from_str(report).unwrap();
    let findings = report["findings"].as_array().unwrap();
    findings.iter().find(|finding| finding["location"]["field"] == field).unwrap().clone()
}

/// The connection pool of "Effective Static Race Detection for Java", section 1.2: `insert` and `delete` both lead to the pair of accesses.
#[test]
fn all_call_paths_are_one_graph() {
    if jdk_or_skip().is_none() {
        return;
    }
    let library = "--library=papers.JdbfShape$Database";
    let finding = finding_on(&run("check", &[JDBF], &[library, "--format", "json"]), "used");
    let paths = &finding["call_paths"];
    let methods = paths["methods"].as_array().unwrap();
    let short = |index: &Value| {
        let method = methods[index.as_u64().unwrap() as usize]["method"].as_str().unwrap();
        method.split_once('(').unwrap().0.rsplit_once('.').unwrap().1.to_owned()
    };
    let calls = paths["calls"].as_array().unwrap();
    let mut calls: Vec<String> =
        calls.iter().map(|call| format!("{} {}", short(&call["from"]), short(&call["to"]))).collect();
    calls.sort();
    let wanted = ["delete getConnection", "delete release", "insert getConnection", "insert release"];
    assert_eq!(calls, wanted);
    let starts = methods.iter().filter(|method| method["is_start"] == true).count();
    let accesses = methods.iter().filter(|method| method["is_access"] == true).count();
    assert_eq!((starts, accesses), (2, 2), "{paths}");
    assert_eq!(paths["leading"], serde_json::json!([2, 2]));
    let text = words(&run("check", &[JDBF], &[library, "--min-confidence", "low"]));
    assert!(text.contains("paths 2 call paths lead to the first access, 2 to the second;"), "{text}");
}

/// A graph that leaves methods out says how many paths there are at the least.
#[test]
fn paths_that_are_left_out_are_not_counted_as_none() {
    if jdk_or_skip().is_none() {
        return;
    }
    let callers: String = (0..80).map(|number| format!("public void m{number}() {{ touch(); }} ")).collect();
    let source = format!("public class Many {{ int x; private void touch() {{ x++; }} {callers} }}");
    let sources = [("Many.java", source.as_str())];
    let finding = finding_on(&run("check", &sources, &["--library", "--format", "json"]), "x");
    assert!(finding["call_paths"]["left_out"].as_u64() > Some(0), "{finding}");
    let text = words(&run("check", &sources, &["--library", "--min-confidence", "low"]));
    assert!(
        text.contains("paths at least 63 call paths lead to the first access, at least 63 to the second"),
        "{text}"
    );
}

#[test]
fn findings_of_several_objects_name_all() {
    if jdk_or_skip().is_none() {
        return;
    }
    let source = "public class Two implements Runnable {
    static class Cell { int value; }
    static Cell shared;
    public void run() { shared.value++; }
    public static void main(String[] arguments) {
        shared = arguments.length > 0
            ? new Cell()
            : new Cell();
        new Thread(new Two()).start();
        new Thread(new Two()).start();
    }
}
";
    let report = run("check", &[("Two.java", source)], &["--format", "json"]);
    let finding = finding_on(&report, "value");
    let lines: Vec<&Value> =
        finding["objects"].as_array().unwrap().iter().map(|object| &object["allocated_at"]["line"]).collect();
    assert_eq!(lines, [7, 8], "{finding}");
    let report: Value = serde_json::from_str(&report).unwrap();
    let views = report["views"]["by_object"].as_array().unwrap();
    assert_eq!((views.len(), views[0]["others"].as_array().map(Vec::len)), (1, Some(1)), "{views:?}");
    let text =
        words(&run("check", &[("Two.java", source)], &["--view", "objects", "--min-confidence", "low"]));
    assert!(text.contains("created at Two.java:7 in Two.main, or Two$Cell created at Two.java:8"), "{text}");
}

#[test]
fn the_size_of_an_application_is_counted() {
    if jdk_or_skip().is_none() {
        return;
    }
    let source = "public class Size {
    static Object made;
    int field;
    static native Size find();
    static void unused() { made = null; }
    public static void main(String[] arguments) {
        made = arguments;
        System.out.println(Missing.find().field);
    }
}
";
    let missing = ("Missing.java", "public class Missing { static Size find() { return null; } }");
    let report = run("check", &[("Size.java", source), missing], &["--main", "Size", "--format", "json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    let table = &report["stats"]["application"];
    let count = |name: &str| table[name].as_u64().unwrap();
    // The constructors, `unused`, `main` and `Missing.find` have code; `main` and `find` are reached.
    assert_eq!([count("classes"), count("methods"), count("reached_methods")], [2, 5, 2], "{table}");
    assert!(0 < count("reached_statements") && count("reached_statements") < count("statements"), "{table}");
    // Nobody makes what `find` returns.
    assert_eq!([count("reads"), count("writes"), count("unknown")], [1, 1, 1], "{table}");
    let text = words(&run("check", &[("Size.java", source), missing], &["--main", "Size", "--stats"]));
    assert!(text.contains("methods 5, 2 reached (40 %)"), "{text}");
}

#[test]
fn uses_are_counted_as_in_the_paper() {
    if jdk_or_skip().is_none() {
        return;
    }
    let arguments = ["--analysis", "uses", "--format", "json"];
    let report: Value = serde_json::from_str(&run("check", &[PHASES], &arguments)).unwrap();
    let table = &report["stats"]["uses"];
    let count = |name: &str| table[name].as_u64().unwrap();
    // Each way of looking at it tells no more than the one before.
    let objects = ["global", "shared", "without_order", "conflicting", "told"].map(count);
    assert!(objects.is_sorted_by(|a, b| a >= b) && objects[4] > 0, "{table}");
    let sites = ["global_sites", "shared_sites", "without_order_sites", "conflicting_sites"].map(count);
    assert!(sites.is_sorted_by(|a, b| a >= b) && sites[3] > 0, "{table}");
    assert!(count("conflicting_allocations") <= count("shared_allocations"), "{table}");
    assert!(count("most_sites_of_field") > 0, "{table}");
    let text = words(&run("check", &[PHASES], &["--analysis", "uses", "--stats"]));
    assert!(text.contains("by locks alone") && text.contains("calls without effect"), "{text}");
}
