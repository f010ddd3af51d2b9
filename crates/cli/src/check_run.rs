//! `selvedge check --run`: a run that watches what the check could not prove safe, and what it says of the findings.
//!
//! A finding that the run shows has the run's verdict from then on; nothing is lowered by a run. Of the others the report says
//! whether the run executed the methods of both sides: if it did not, it can say nothing of them.

use std::collections::BTreeSet;
use std::ffi::OsString;

use anyhow::Result;
use selvedge_findings::{Confirmation, Finding, Outcome, Report, Verdict, merge};
use selvedge_protocol::Plan;
use selvedge_runtime::session::Settings;

use crate::output;
use crate::run::{Observed, observe};

/// Runs the command by the plan, and adds what it shows to the report. Also whether the run was observed at all.
pub fn run(report: Report, plan: Plan, command: &[OsString]) -> Result<(Report, bool)> {
    let settings = Settings { plan, quiet: true, note_executed: true, ..Settings::default() };
    let Observed { report: shown, status, executed, nothing, incomplete, .. } =
        observe(&settings, command, false)?;
    if !status.success() {
        output::say(&format!("selvedge: the program {}\n", output::ended(status)));
    }
    for what in nothing.iter().chain(&incomplete) {
        output::say(&format!("selvedge: {what}\n"));
    }
    let mut merged = merge(report, shown);
    for finding in &mut merged.findings {
        let (outcome, because) = outcome_of(finding, &executed);
        finding.confirmation =
            Some(Confirmation { outcome, because: Some(because), ..Confirmation::default() });
    }
    Ok((merged, nothing.is_none()))
}

/// What the run says of a finding, and why.
fn outcome_of(finding: &Finding, executed: &BTreeSet<String>) -> (Outcome, String) {
    match finding.verdict {
        Verdict::Predicted => {}
        Verdict::Lockset => {
            return (
                Outcome::NotMet,
                "the run ordered the two accesses, which have no common lock".to_owned(),
            );
        }
        Verdict::HappensBefore | Verdict::Confirmed => {
            return (
                Outcome::Confirmed,
                "the run made both accesses, and happens-before does not order them".to_owned(),
            );
        }
    }
    let mut missing: Vec<&str> = finding
        .sides
        .iter()
        .map(|side| side.at.method.as_str())
        .filter(|name| !executed.contains(*name))
        .collect();
    missing.dedup();
    match missing[..] {
        [] => {
            let because = "the run executed the methods of both sides and did not show the race";
            (Outcome::NotMet, because.to_owned())
        }
        _ => (Outcome::NotExecuted, missing.join(" and ")),
    }
}

#[cfg(test)]
mod tests {
    use selvedge_findings::{Action, Frame, Kind, Location, Side};

    use super::*;

    #[test]
    fn what_was_not_executed_says_so() {
        let side = |method: &str| Side::new(Action::Write, Frame::new(method));
        let finding = Finding::new("pairs", Kind::Field, Location::field("p.C", "f"))
            .sides(side("p.C.a()"), side("p.C.b()"));
        let executed =
            |names: &[&str]| -> BTreeSet<String> { names.iter().map(|name| (*name).to_owned()).collect() };
        let of = |finding: &Finding, names: &[&str]| outcome_of(finding, &executed(names));
        assert_eq!(of(&finding, &["p.C.a()"]), (Outcome::NotExecuted, "p.C.b()".to_owned()));
        assert_eq!(of(&finding, &[]), (Outcome::NotExecuted, "p.C.a() and p.C.b()".to_owned()));
        assert_eq!(of(&finding, &["p.C.a()", "p.C.b()"]).0, Outcome::NotMet);
        let shown = finding.known_by(Verdict::HappensBefore);
        assert_eq!(of(&shown, &[]).0, Outcome::Confirmed);
    }
}
