//! `selvedge check --run`: a run that watches what the check could not prove safe, and what it says of the findings.
//!
//! A finding that the run shows has the run's verdict from then on; nothing is lowered by a run. Of the others the report says
//! whether the run executed the methods of both sides: if it did not, it can say nothing of them.

use std::collections::BTreeSet;
use std::ffi::OsString;

use anyhow::Result;
use selvedge_findings::{Finding, Reason, Report, Verdict, merge};
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
        output::say(&format!("selvedge: the run ended with {status}\n"));
    }
    for what in nothing.iter().chain(&incomplete) {
        output::say(&format!("selvedge: {what}\n"));
    }
    let mut merged = merge(report, shown);
    for finding in &mut merged.findings {
        if let Some(text) = said_of(finding, &executed) {
            finding.reasons.push(Reason::evidence(text));
        }
    }
    Ok((merged, nothing.is_none()))
}

/// What a run that does not show a finding says of it.
fn said_of(finding: &Finding, executed: &BTreeSet<String>) -> Option<String> {
    if finding.verdict != Verdict::Predicted {
        return None;
    }
    let mut missing: Vec<&str> = finding
        .sides
        .iter()
        .map(|side| side.at.method.as_str())
        .filter(|name| !executed.contains(*name))
        .collect();
    missing.dedup();
    Some(match missing[..] {
        [] => "the run executed the methods of both sides and did not show the race".to_owned(),
        [one] => format!("not executed by the run: {one}"),
        _ => format!("not executed by the run: {}", missing.join(" and ")),
    })
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
        assert_eq!(said_of(&finding, &executed(&["p.C.a()"])).unwrap(), "not executed by the run: p.C.b()");
        assert!(said_of(&finding, &executed(&[])).unwrap().contains("p.C.a() and p.C.b()"));
        assert!(said_of(&finding, &executed(&["p.C.a()", "p.C.b()"])).unwrap().contains("did not show"));
        let shown = finding.known_by(Verdict::HappensBefore);
        assert_eq!(said_of(&shown, &executed(&[])), None);
    }
}
