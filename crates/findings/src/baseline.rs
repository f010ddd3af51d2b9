//! Baselines: findings that are accepted as they are, so that later runs report only new ones.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::finding::{Finding, Side};
use crate::report::Report;

/// The value of [`Baseline::schema`].
pub const BASELINE_SCHEMA: &str = "selvedge-baseline/1";

/// A set of accepted pairs, by key. Its file is meant to be kept under version control beside the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Baseline {
    /// What the file is: [`BASELINE_SCHEMA`].
    pub schema: String,
    /// The accepted pairs, sorted by key, each key once.
    pub accepted: Vec<Accepted>,
}

/// One accepted pair of accesses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Accepted {
    /// Its fingerprint.
    pub key: String,
    /// What it is, for the person who reads the file; nothing depends on it.
    #[serde(default)]
    pub what: String,
}

impl Default for Baseline {
    fn default() -> Self {
        Self { schema: BASELINE_SCHEMA.to_owned(), accepted: Vec::new() }
    }
}

impl Baseline {
    /// Accepts every pair of a finished report.
    pub fn of(report: &Report) -> Self {
        let mut baseline = Self::default();
        baseline.accept(report);
        baseline
    }

    /// Accepts every pair of a finished report, beside what is accepted already. Returns how many are new to it.
    pub fn accept(&mut self, report: &Report) -> usize {
        let mut by_key: BTreeMap<String, String> =
            self.accepted.drain(..).map(|accepted| (accepted.key, accepted.what)).collect();
        let before = by_key.len();
        for finding in &report.findings {
            by_key.insert(finding.key.clone(), describe(&finding.location.to_string(), &finding.sides));
            for pair in &finding.pairs {
                by_key.insert(pair.key.clone(), describe(&pair.location.to_string(), &pair.sides));
            }
        }
        let added = by_key.len() - before;
        self.accepted = by_key.into_iter().map(|(key, what)| Accepted { key, what }).collect();
        added
    }

    /// Takes out of the report every finding all of whose pairs are accepted, and counts it there as suppressed by
    /// `baseline`. A finding with a pair that is not accepted stays as a whole. Returns how many were taken out.
    pub fn apply(&self, report: &mut Report) -> usize {
        let accepted: BTreeSet<&str> = self.accepted.iter().map(|accepted| accepted.key.as_str()).collect();
        report.suppress("baseline", |finding| {
            finding.keys().all(|key| accepted.contains(key)).then(|| "accepted in the baseline".to_owned())
        })
    }

    /// The accepted pairs that the report, to which no baseline was applied, no longer has: mended, or gone.
    pub fn outdated(&self, report: &Report) -> Vec<&Accepted> {
        let present: BTreeSet<&str> = report.findings.iter().flat_map(Finding::keys).collect();
        self.accepted.iter().filter(|accepted| !present.contains(accepted.key.as_str())).collect()
    }
}

fn describe(location: &str, sides: &[Side; 2]) -> String {
    let [first, second] =
        [&sides[0], &sides[1]].map(|side| format!("{} in {}", side.action.name(), side.at.method));
    format!("{location}: {first}, {second}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Frame, Kind, Location};

    fn finding(field: &str) -> Finding {
        let side = |action| Side::new(action, Frame::new("p.C.m()").at("C.java", 3));
        Finding::new("pairs", Kind::Field, Location::field("p.C", field))
            .sides(side(Action::Write), side(Action::Read))
    }

    fn report(findings: Vec<Finding>) -> Report {
        let mut report = Report { findings, ..Report::default() };
        report.finish();
        report
    }

    #[test]
    fn only_what_is_new_stays() {
        let baseline = Baseline::of(&report(vec![finding("a"), finding("b")]));
        assert!(baseline.accepted[0].key < baseline.accepted[1].key);
        let mut later = report(vec![finding("b"), finding("c")]);
        assert_eq!(baseline.outdated(&later).len(), 1);
        assert!(baseline.outdated(&later)[0].what.starts_with("p.C.a: write in p.C.m()"));
        assert_eq!(baseline.apply(&mut later), 1);
        assert_eq!(later.findings.len(), 1);
        assert_eq!(later.findings[0].location.to_string(), "p.C.c");
        assert_eq!(later.views.by_field.len(), 1);
        assert_eq!(later.stats.suppressed["baseline"], 1);
    }

    #[test]
    fn a_new_pair_of_an_accepted_cause_is_reported() {
        let mut baseline = Baseline::of(&report(vec![finding("a")]));
        let grown = || {
            let mut grown = finding("a");
            grown.pairs = finding("b").into_pairs().collect();
            report(vec![grown])
        };
        let mut later = grown();
        baseline.apply(&mut later);
        assert_eq!(later.findings.len(), 1);
        assert_eq!(baseline.accept(&later), 1);
        let mut later = grown();
        baseline.apply(&mut later);
        assert!(later.findings.is_empty());
    }
}
