//! The crates' direction: who may depend on whom, as in ARCHITECTURE.md, held against `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Each crate with the crates it may name as dependencies; what those may use in turn is allowed as well.
/// Development dependencies are free, but see [`DEVELOPMENT_ONLY`].
const MAY_USE: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("classfile", &["base"]),
    ("protocol", &["base", "classfile"]),
    ("findings", &["base", "classfile", "protocol"]),
    ("models", &["base", "classfile", "protocol", "findings"]),
    ("report", &["findings"]),
    ("ir", &["base", "classfile"]),
    ("world", &["ir"]),
    ("pta", &["world", "models"]),
    ("facts", &["pta"]),
    ("detect", &["facts", "findings"]),
    ("prune", &["facts", "protocol"]),
    ("hooks", &[]),
    ("instrument", &["classfile", "protocol", "models", "ir", "hooks"]),
    ("runtime", &["protocol", "findings"]),
    ("jvm", &[]),
    ("agent", &["instrument", "runtime", "jvm"]),
    ("lsp", &["report"]),
    ("embed", &[]),
    ("cli", &["report", "lsp", "detect", "prune", "instrument", "runtime", "agent", "embed"]),
    ("interp", &["ir", "world"]),
    ("recorder", &["pta", "testkit", "jvm"]),
    ("testkit", &[]),
];

/// Crates that serve development only: none but these may name them outside its development dependencies.
const DEVELOPMENT_ONLY: &[&str] = &["interp", "recorder", "testkit"];

const PREFIX: &str = "selvedge-";

/// All crates that `name` may use, directly or through others.
fn allowed(name: &str) -> BTreeSet<&'static str> {
    let direct: BTreeMap<&str, &[&'static str]> = MAY_USE.iter().copied().collect();
    let mut closed = BTreeSet::new();
    let mut pending: Vec<&'static str> = direct.get(name).map_or_else(Vec::new, |list| list.to_vec());
    while let Some(next) = pending.pop() {
        if closed.insert(next) {
            pending.extend(direct[next]);
        }
    }
    closed
}

/// What is wrong with one dependency, if anything.
fn complaint(user: &str, used: &str, kind: Option<&str>) -> Option<String> {
    if !MAY_USE.iter().any(|(name, _)| *name == user) {
        return Some(format!("{user} is not in the list of crates: give it a place in the order"));
    }
    if kind == Some("dev") {
        return None;
    }
    if DEVELOPMENT_ONLY.contains(&used) && !DEVELOPMENT_ONLY.contains(&user) {
        return Some(format!("{user} uses {used}, which is for tests only"));
    }
    (!allowed(user).contains(used))
        .then(|| format!("{user} uses {used}, against the direction of the crates"))
}

#[test]
fn dependencies_follow_the_order() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path"])
        .arg(selvedge_testkit::repository_root().join("Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();

    let mut complaints = Vec::new();
    let mut seen = 0;
    for package in metadata["packages"].as_array().unwrap() {
        let user =
            package["name"].as_str().unwrap().strip_prefix(PREFIX).expect("crates are called selvedge-*");
        for dependency in package["dependencies"].as_array().unwrap() {
            let Some(used) = dependency["name"].as_str().unwrap().strip_prefix(PREFIX) else { continue };
            seen += 1;
            complaints.extend(complaint(user, used, dependency["kind"].as_str()));
        }
    }
    assert!(seen > 5, "only {seen} dependencies between crates seen: is this the right workspace?");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_rules_bite() {
    assert_eq!(complaint("world", "ir", None), None);
    assert_eq!(complaint("world", "base", None), None);
    assert_eq!(complaint("classfile", "testkit", Some("dev")), None);
    assert!(complaint("ir", "world", None).unwrap().contains("against the direction"));
    assert!(complaint("agent", "pta", None).unwrap().contains("against the direction"));
    assert!(complaint("prune", "detect", None).unwrap().contains("against the direction"));
    assert!(complaint("world", "testkit", None).unwrap().contains("tests only"));
    assert_eq!(complaint("recorder", "testkit", None), None);
    assert!(complaint("recorder", "cli", None).unwrap().contains("against the direction"));
    assert!(complaint("classfile", "base", Some("build")).is_none());
    assert!(complaint("novel", "base", None).unwrap().contains("not in the list"));
}

#[test]
fn the_order_has_no_cycle() {
    for (name, _) in MAY_USE {
        assert!(!allowed(name).contains(name), "{name} may use itself");
    }
}
