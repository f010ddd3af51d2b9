//! The page of rules: each kind of finding has a section, whose first example shows it and whose second does not.
#![allow(clippy::unwrap_used)]

use std::process::Command;

use selvedge_findings::Kind;
use selvedge_testkit::{JavacOptions, compile, jdk_or_skip, repository_root};

/// The Java code blocks of a section.
fn examples(section: &str) -> Vec<&str> {
    section.split("```java\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect()
}

/// The kinds of the findings that a check of one source file has.
fn findings(source: &str, kind: Kind) -> Vec<String> {
    let name = source.split_whitespace().nth(1).unwrap();
    let classes = compile(&[(&format!("{name}.java"), source)], &JavacOptions::default()).unwrap();
    let mut check = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    check.args(["check", "--no-config", "--format", "json"]).arg(classes.path());
    if kind == Kind::Object {
        check.args(["--analysis", "objects"]);
    }
    let output = check.output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let kinds = report["findings"].as_array().unwrap().iter();
    kinds.map(|finding| finding["kind"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_examples_of_the_rules_show_them() {
    let Some(_) = jdk_or_skip() else { return };
    let page = std::fs::read_to_string(repository_root().join("docs/rules.md")).unwrap();
    let mut sections = page.split("\n## ").skip(1);
    for kind in Kind::ALL {
        let section = sections.next().unwrap();
        assert!(section.starts_with(&format!("race/{}\n", kind.name())), "{section}");
        let [racy, fixed] = examples(section)[..] else { panic!("two examples: {section}") };
        let found = findings(racy, kind);
        assert!(found.iter().any(|found| found == kind.name()), "{}: {found:?}", kind.name());
        assert_eq!(findings(fixed, kind), Vec::<String>::new(), "the fixed example of {}", kind.name());
    }
    assert!(sections.next().is_none());
}
