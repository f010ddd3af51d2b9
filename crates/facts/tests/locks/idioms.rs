//! Idioms of locking: what the marks in the programs say, in both modes.

use std::collections::BTreeMap;

use selvedge_facts::{Locking, Strength};

use crate::support::{Facts, analyzed, program_or_skip, source};

/// The lines with labels, and the expected results.
fn marks(source: &str) -> (BTreeMap<&str, u32>, Vec<[&str; 3]>) {
    let mut labels = BTreeMap::new();
    let mut expected = Vec::new();
    for (index, line) in source.lines().enumerate() {
        if let Some((_, label)) = line.split_once("//@ ") {
            assert!(labels.insert(label.trim(), index as u32 + 1).is_none(), "{label} twice");
        }
        if let Some((_, words)) = line.split_once("//: ") {
            let words: Vec<&str> = words.split_whitespace().collect();
            expected.push(words.try_into().unwrap());
        }
    }
    (labels, expected)
}

fn check(name: &str) {
    let Some(program) = program_or_skip() else { return };
    let source = source(name);
    let (labels, expected) = marks(&source);
    assert!(expected.len() > 10);
    let ask = |facts: &Facts<'_>| (facts.judge(Locking::Sound), facts.judge(Locking::Likely));
    let (sound, likely) = analyzed(program, name, ask);
    let mut wrong = Vec::new();
    for [a, b, result] in expected {
        let (a_line, b_line) = (labels[a], labels[b]);
        let key = (a_line.min(b_line), a_line.max(b_line));
        let (in_sound, in_likely) = match result {
            "proof" => (Some(Strength::Proof), Some(Strength::Proof)),
            "likely" => (None, Some(Strength::Heuristic)),
            "none" => (None, None),
            other => panic!("{other} is no result"),
        };
        let found = (sound.get(&key).copied(), likely.get(&key).copied());
        if found != (Some(in_sound), Some(in_likely)) {
            wrong.push(format!("{a} {b} (lines {key:?}) should be {result}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn monitors() {
    check("Monitors");
}

#[test]
fn explicit_locks() {
    check("Explicit");
}

#[test]
fn layers_of_owners() {
    check("Layers");
}
