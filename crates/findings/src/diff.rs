//! Two reports on versions of one program, compared by fingerprint.

use std::collections::BTreeSet;

use crate::finding::Finding;
use crate::report::Report;

/// What changed from one report to another, each list in the order of its report.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diff {
    /// Findings of the new report with a pair that the old one does not have.
    pub new: Vec<Finding>,
    /// Findings of the old report of which the new one has no pair.
    pub fixed: Vec<Finding>,
    /// Findings of the new report all of whose pairs the old one has.
    pub unchanged: Vec<Finding>,
}

/// Compares two finished reports.
pub fn diff(old: &Report, new: &Report) -> Diff {
    let keys = |report: &Report| -> BTreeSet<String> {
        report.findings.iter().flat_map(Finding::keys).map(str::to_owned).collect()
    };
    let (before, after) = (keys(old), keys(new));
    let (unchanged, added) =
        new.findings.iter().cloned().partition(|finding| finding.keys().all(|key| before.contains(key)));
    let fixed = old
        .findings
        .iter()
        .filter(|finding| !finding.keys().any(|key| after.contains(key)))
        .cloned()
        .collect();
    Diff { new: added, fixed, unchanged }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Frame, Kind, Location, Side};

    #[test]
    fn findings_are_new_fixed_or_unchanged() {
        let report = |fields: &[(&str, u32)]| {
            let finding = |&(field, line): &(&str, u32)| {
                let side = |action| Side::new(action, Frame::new("p.C.m()").at("C.java", line));
                Finding::new("pairs", Kind::Field, Location::field("p.C", field))
                    .sides(side(Action::Write), side(Action::Read))
            };
            let mut report = Report { findings: fields.iter().map(finding).collect(), ..Report::default() };
            report.finish();
            report
        };
        let diff = diff(&report(&[("a", 1), ("b", 2)]), &report(&[("b", 12), ("c", 3)]));
        let fields = |list: &[Finding]| -> Vec<String> {
            list.iter().filter_map(|finding| finding.location.field.clone()).collect()
        };
        assert_eq!(fields(&diff.new), ["c"]);
        assert_eq!(fields(&diff.fixed), ["a"]);
        assert_eq!(fields(&diff.unchanged), ["b"]);
    }
}
