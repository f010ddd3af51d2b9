//! The stages of the paper's running example, number by number.

mod support;

use selvedge_findings::Stages;
use selvedge_testkit::jdk_or_skip;

#[test]
fn the_running_example_goes_through_the_stages_as_in_the_paper() {
    let Some(jdk) = jdk_or_skip() else { return };
    let checked = support::check_corpus(&jdk, 1, |program| program.name == "ChordRunningExample").unwrap();
    let [example] = checked.as_slice() else { panic!("there is one such program") };
    let expected = Stages { original: 5, reachable: 2, aliasing: 2, escaping: 2, unlocked: 1 };
    assert_eq!(example.report.stats.stages, expected);
    assert_eq!(example.report.findings.len(), 1);
    assert!(!support::table(&checked).is_empty() && !example.reported().is_empty());
}
