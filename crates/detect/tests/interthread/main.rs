//! The static datarace set on programs of the paper's shapes, pair by pair. (`crates/prune/tests/replay.rs` holds it against runs of the corpus.)
#![allow(clippy::unwrap_used)]

#[path = "../objects/support.rs"]
#[allow(dead_code)]
mod analysed;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

use selvedge_detect::check::{Analyses, Request, check};
use selvedge_detect::interthread::{self, Interthread};
use selvedge_detect::{Facts, pairs};
use selvedge_facts::AccessId;
use selvedge_findings::{Confidence, Finding};
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits};
use selvedge_testkit::Sources;
use selvedge_world::{EntryRequest, Program};

fn source(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interthread/programs");
    std::fs::read_to_string(folder.join(format!("{name}.java"))).unwrap()
}

/// Programs that differ from `ThreeThreads` in some places: their names, what stands there, and what instead of it.
const VARIANTS: [(&str, &[(&str, &str)]); 7] = [
    ("ThreeThreads", &[]),
    ("CommonBlock", &[("Object q = new Object();", "Object q = p;")]),
    ("CommonMethod", &[("Object q = new Object();", "Object q = shop;")]),
    (
        "MadeTwice",
        &[
            ("Object p = new Object();", "Object p = make();"),
            ("Object q = new Object();", "Object q = p == null ? p : make();"),
            ("static class Cell", "static Object make() { return new Object(); }\n static class Cell"),
        ],
    ),
    ("CallerLocks", &[("shop.bar(cell, lock);", "synchronized (shop) { shop.bar(cell, lock); }")]),
    (
        "SomeCallersLock",
        &[("shop.bar(cell, lock);", "synchronized (shop) { shop.bar(cell, lock); } shop.bar(cell, lock);")],
    ),
    (
        "ManyOfOneSite",
        &[("t2.start();", "t2.start(); for (int i = 0; i < 2; i++) { new Second(shop, x, q).start(); }")],
    ),
];

/// The text of a program.
fn text_of(name: &str) -> String {
    let Some((_, changes)) = VARIANTS.iter().find(|(variant, _)| *variant == name) else {
        return source(name);
    };
    let mut text = source("ThreeThreads").replace("ThreeThreads", name);
    for (from, to) in *changes {
        assert_eq!(text.matches(from).count(), 1, "{name}: {from}");
        text = text.replace(from, to);
    }
    text
}

/// All programs, with the whole JDK.
fn program_or_skip() -> Option<&'static Program> {
    static PROGRAM: OnceLock<Option<Program>> = OnceLock::new();
    let load = || {
        let names = VARIANTS.iter().map(|(name, _)| *name).chain(["OwnThings"]);
        let texts: Vec<(String, String)> =
            names.map(|name| (format!("{name}.java"), text_of(name))).collect();
        let sources: Vec<(&str, &str)> =
            texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        analysed::load_or_skip(Sources::Texts(&sources))
    };
    PROGRAM.get_or_init(load).as_ref()
}

/// The pairs of the set between lines that have a label, each as its labels in order.
fn pairs_of(text: &str, facts: &Facts<'_, '_>) -> BTreeSet<String> {
    let lines: Vec<&str> = text.lines().collect();
    let label = |access: AccessId| {
        let access = &facts.accesses.all[access];
        let line = facts.view.line(access.method, access.inst)? as usize;
        Some(lines.get(line - 1)?.split_once("// @")?.1.trim().to_string())
    };
    let found = Interthread::new(facts);
    let named = found.set.pairs.iter().filter_map(|pair| {
        let mut labels = [label(pair[0])?, label(pair[1])?];
        labels.sort();
        Some(labels.join(" "))
    });
    named.collect()
}

fn expect(name: &str, expected: &[&str]) {
    let Some(program) = program_or_skip() else { return };
    let found = analysed::with_facts(program, name, |facts| pairs_of(&text_of(name), facts));
    let expected: BTreeSet<String> = expected.iter().map(ToString::to_string).collect();
    assert_eq!(found, expected);
}

/// What main does before the starts and after the joins counts: the set knows neither order.
const BY_MAIN: [&str; 5] = ["T01 T11", "T01 T14", "T01 T21", "T06 T11", "T06 T21"];

fn expect_beside_main(name: &str, expected: &[&str]) {
    expect(name, &[&BY_MAIN, expected].concat());
}

#[test]
fn three_threads_under_different_locks() {
    expect_beside_main("ThreeThreads", &["T11 T21", "T14 T21"]);
}

#[test]
fn a_common_lock_of_blocks_keeps_apart_what_is_in_them() {
    expect_beside_main("CommonBlock", &["T11 T21"]);
}

#[test]
fn a_common_lock_of_a_method_keeps_apart_all_that_is_in_it() {
    expect_beside_main("CommonMethod", &[]);
}

#[test]
fn a_lock_that_is_made_several_times_is_no_lock() {
    expect_beside_main("MadeTwice", &["T11 T21", "T14 T21"]);
}

#[test]
fn a_lock_counts_that_all_callers_hold() {
    expect_beside_main("CallerLocks", &[]);
    expect_beside_main("SomeCallersLock", &["T11 T21", "T14 T21"]);
}

#[test]
fn two_threads_of_one_allocation_are_not_one() {
    // Under `q`, which is one object.
    expect_beside_main("ManyOfOneSite", &["T11 T21", "T14 T21"]);
}

#[test]
fn what_is_thread_specific_does_not_race_and_what_only_looks_so_does() {
    let expected = [
        "asked-get asked-use",
        "asked-init asked-use",
        "called-use called-use",
        "child-use parent-use",
        "found-init found-use",
        "given-other given-use",
        "leaked-init leaked-use",
        "self-init self-use",
    ];
    expect("OwnThings", &expected);
}

#[test]
fn findings_are_those_of_the_set_that_pairs_tells_and_all_with_all() {
    let Some(program) = program_or_skip() else { return };
    let told = |all: bool| {
        let models = Models::builtin().for_release(17);
        let points = program.entry_points(&EntryRequest::Main("ThreeThreads".to_string())).unwrap();
        let entries = Entries::of_program(program, &points);
        let policy = policy_named("adaptive").unwrap();
        let analyses =
            Analyses { pairs: false, interthread: Some(interthread::Options { all }), ..Analyses::default() };
        let request = Request {
            program,
            models: &models,
            entries: &entries,
            policy: policy.as_ref(),
            limits: Limits::default(),
            pairs: pairs::Options::default(),
            analyses,
            is_last: false,
        };
        check(&request, &mut |_| {})
    };
    let lines = |finding: &Finding| -> BTreeSet<u32> {
        let others = finding.pairs.iter().flat_map(|pair| &pair.sides);
        finding.sides.iter().chain(others).filter_map(|side| side.at.line).collect()
    };
    let (some, all) = (told(false), told(true));
    let [finding] = some.findings.as_slice() else { panic!("{:?}", some.findings) };
    assert_eq!(
        (finding.analysis.as_str(), finding.location.to_string().as_str()),
        ("interthread", "ThreeThreads$Cell.f")
    );
    assert_eq!(finding.confidence, Confidence::Low, "both sides hold locks: {finding:?}");
    let [every] = all.findings.as_slice() else { panic!("{:?}", all.findings) };
    assert!(lines(finding).is_subset(&lines(every)) && lines(finding) != lines(every));
    let table = all.stats.interthread.unwrap();
    assert_eq!((table.racy, table.told), (7, 2));
    let settled = [table.same_thread, table.common_sync, table.thread_local, table.thread_specific];
    assert_eq!(table.conflicting, settled.iter().sum::<u64>() + table.racy);
    assert!(table.blocks >= 2 && table.must_locks >= 3 && table.roots >= 3, "{table:?}");
}
