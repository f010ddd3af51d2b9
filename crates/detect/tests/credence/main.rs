//! What is doubted is reported with low confidence, its twin is not; what is sure to meet is high.
#![allow(clippy::unwrap_used)]

#[path = "../objects/support.rs"]
#[allow(dead_code)]
mod analysed;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use selvedge_detect::check::{Analyses, Request, check};
use selvedge_detect::pairs;
use selvedge_findings::Confidence;
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits};
use selvedge_testkit::Sources;
use selvedge_world::{EntryRequest, Program};

fn program_or_skip() -> Option<&'static Program> {
    static PROGRAM: OnceLock<Option<Program>> = OnceLock::new();
    let sources = [
        ("credence/Library.java", include_str!("Library.java")),
        ("credence/Looks.java", include_str!("Looks.java")),
        ("credence/Helper.java", include_str!("Helper.java")),
        ("credence/Door.java", include_str!("Door.java")),
        ("credence/internal/Hidden.java", include_str!("Hidden.java")),
        ("credence/impl/Offered.java", include_str!("Offered.java")),
        ("credence/kept/impl/Kept.java", include_str!("Kept.java")),
        ("credence/Counters.java", include_str!("Counters.java")),
        ("credence/Pools.java", include_str!("Pools.java")),
        ("credence/Handlers.java", include_str!("Handlers.java")),
        ("credence/OpenHandler.java", include_str!("OpenHandler.java")),
        ("credence/Captures.java", include_str!("Captures.java")),
        ("credence/Workers.java", include_str!("Workers.java")),
        ("credence/Reflected.java", include_str!("Reflected.java")),
        ("credence/Built.java", include_str!("Built.java")),
        ("credence/Managed.java", include_str!("Managed.java")),
        ("credence/Once.java", include_str!("Once.java")),
        ("credence/Hands.java", include_str!("Hands.java")),
        ("credence/Rings.java", include_str!("Rings.java")),
        ("credence/Restarted.java", include_str!("Restarted.java")),
        ("credence/Ends.java", include_str!("Ends.java")),
        ("credence/Begun.java", include_str!("Begun.java")),
        ("credence/Beats.java", include_str!("Beats.java")),
    ];
    PROGRAM.get_or_init(|| analysed::load_or_skip(Sources::Texts(&sources))).as_ref()
}

/// The confidence of each field that findings are about, or that holds the object they are about.
fn confidences(program: &Program, entry: &EntryRequest) -> BTreeMap<String, BTreeSet<Confidence>> {
    let models = Models::builtin().for_release(17);
    let entries = Entries::of_program(program, &program.entry_points(entry).unwrap());
    let policy = policy_named("adaptive").unwrap();
    let request = Request {
        program,
        models: &models,
        entries: &entries,
        policy: policy.as_ref(),
        limits: Limits::default(),
        pairs: pairs::Options::default(),
        analyses: Analyses::default(),
        is_last: false,
    };
    let mut found: BTreeMap<String, BTreeSet<Confidence>> = BTreeMap::new();
    for finding in check(&request, &mut |_| {}).findings {
        let held = finding.location.held_by.iter().map(|field| field.field.clone());
        for field in finding.location.field.iter().cloned().chain(held) {
            found.entry(field).or_default().insert(finding.confidence);
        }
    }
    found
}

/// The fields with such names, of which the test is about at least so many.
fn named<'f>(
    found: &'f BTreeMap<String, BTreeSet<Confidence>>,
    prefix: &str,
    at_least: usize,
) -> Vec<(&'f String, &'f BTreeSet<Confidence>)> {
    let named: Vec<_> = found.iter().filter(|(name, _)| name.to_lowercase().starts_with(prefix)).collect();
    assert!(named.len() >= at_least, "{prefix}: {found:?}");
    named
}

#[test]
fn a_doubt_lowers_what_its_twin_keeps() {
    let Some(program) = program_or_skip() else { return };
    let found = confidences(program, &EntryRequest::Library(Vec::new()));
    for (field, confidences) in named(&found, "doubted", 10) {
        assert_eq!(confidences.iter().collect::<Vec<_>>(), [&Confidence::Low], "{field}: {found:?}");
    }
    for (field, confidences) in named(&found, "credible", 10) {
        assert!(confidences.iter().any(|&it| it > Confidence::Low), "{field}: {found:?}");
    }
}

#[test]
fn parts_of_tasks_are_doubted_and_what_tasks_share_is_not() {
    let Some(program) = program_or_skip() else { return };
    let found = confidences(program, &EntryRequest::Main("credence.Workers".to_string()));
    for (field, confidences) in named(&found, "parts", 1) {
        assert_eq!(confidences.iter().collect::<Vec<_>>(), [&Confidence::Low], "{field}: {found:?}");
    }
    for (field, confidences) in named(&found, "shared", 2) {
        assert!(confidences.iter().any(|&it| it > Confidence::Low), "{field}: {found:?}");
    }
}

#[test]
fn what_precedes_a_start_or_is_one_function_of_many_is_doubted() {
    let Some(program) = program_or_skip() else { return };
    let found = confidences(program, &EntryRequest::Main("credence.Begun".to_string()));
    for (field, confidences) in named(&found, "quiet", 2) {
        assert_eq!(confidences.iter().collect::<Vec<_>>(), [&Confidence::Low], "{field}: {found:?}");
    }
    for (field, confidences) in named(&found, "unsure", 1) {
        assert_eq!(confidences.iter().collect::<Vec<_>>(), [&Confidence::Medium], "{field}: {found:?}");
    }
    for (field, confidences) in named(&found, "loud", 2) {
        assert!(confidences.iter().any(|&it| it > Confidence::Low), "{field}: {found:?}");
    }
}

#[test]
fn lost_updates_of_two_started_threads_are_high() {
    let Some(program) = program_or_skip() else { return };
    let found = confidences(program, &EntryRequest::Main("credence.Counters".to_string()));
    for (field, confidences) in named(&found, "high", 2) {
        assert_eq!(confidences.iter().collect::<Vec<_>>(), [&Confidence::High], "{field}: {found:?}");
    }
}
