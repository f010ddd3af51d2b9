//! Static partners: with which accesses the analysis pairs an access that raced in a run by its plan.
//!
//! A run shows two accesses. A plan also knows which others may race with each of them, by the analysis: whoever mends the race looks at
//! these, too ("Efficient and Precise Datarace Detection", section 2.6). Accesses are matched by method, line and what is accessed.

use std::collections::BTreeSet;

use selvedge_findings::{Kind, Location, Reason, Report, Side, short_method};
use selvedge_protocol::plan::Partners;

use crate::audit::name_of;

/// How many partners of an access are named.
const MOST_NAMED: usize = 5;

/// The partners of all accesses that are in some finding of a check.
pub fn of(report: &Report) -> Partners {
    let mut partners = Partners::new();
    for finding in report.findings.iter().filter(|finding| finding.analysis == "pairs") {
        let further = finding.pairs.iter().map(|pair| (pair.kind, &pair.location, &pair.sides));
        for (kind, location, sides) in
            std::iter::once((finding.kind, &finding.location, &finding.sides)).chain(further)
        {
            for (side, other) in [(&sides[0], &sides[1]), (&sides[1], &sides[0])] {
                let of_method = partners.entry(side.at.method.clone()).or_default();
                of_method.entry(name_of(kind, location, &side.at)).or_default().insert(describe(other));
            }
        }
    }
    partners
}

/// Says in the findings of a run which further accesses may race with theirs.
pub fn tell(partners: &Partners, report: &mut Report) {
    for finding in &mut report.findings {
        let known: BTreeSet<String> = finding.sides.iter().map(describe).collect();
        let mut told: BTreeSet<String> = BTreeSet::new();
        for side in &finding.sides {
            let of_side = partners_of(partners, finding.kind, &finding.location, side);
            told.extend(of_side.filter(|partner| !known.contains(*partner)).cloned());
        }
        if told.is_empty() {
            continue;
        }
        let more = match told.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let named: Vec<String> = told.into_iter().take(MOST_NAMED).collect();
        let text = format!("by the analysis, these may race with them, too: {}{more}", named.join(", "));
        finding.reasons.push(Reason::evidence(text));
    }
}

fn partners_of<'p>(
    partners: &'p Partners,
    kind: Kind,
    location: &Location,
    side: &Side,
) -> impl Iterator<Item = &'p String> {
    let of_method = partners.get(&side.at.method);
    of_method.and_then(|accesses| accesses.get(&name_of(kind, location, &side.at))).into_iter().flatten()
}

/// `the write at C.java:12 in C.m`
fn describe(side: &Side) -> String {
    format!("the {} at {} in {}", side.action.name(), side.at.place(), short_method(&side.at.method))
}

#[cfg(test)]
mod tests {
    use selvedge_findings::{Action, Finding, Frame, Pair};

    use super::*;

    fn side(line: u32) -> Side {
        Side::new(Action::Write, Frame::new("p.C.m(int)").at("C.java", line))
    }

    fn report(analysis: &str, lines: [u32; 2]) -> Report {
        let finding = Finding::new(analysis, Kind::Field, Location::field("p.C", "f"));
        Report { findings: vec![finding.sides(side(lines[0]), side(lines[1]))], ..Report::default() }
    }

    #[test]
    fn a_race_of_a_run_names_what_else_may_race_with_it() {
        let mut check = report("pairs", [12, 30]);
        check.findings[0].pairs.extend([14, 30].map(|line| Pair {
            location: Location::field("p.C", "f"),
            sides: [side(30), side(line)],
            ..Pair::default()
        }));
        let partners = of(&check);
        let reasons = |mut run: Report| {
            tell(&partners, &mut run);
            run.findings.remove(0).reasons
        };
        let told = reasons(report("run", [30, 12]));
        assert_eq!(
            told[0].text,
            "by the analysis, these may race with them, too: the write at C.java:14 in C.m"
        );
        // Another field, and a pair of which everything is said.
        let mut other = report("run", [30, 12]);
        other.findings[0].location = Location::field("p.C", "g");
        assert!(reasons(other).is_empty());
        assert_eq!(reasons(report("run", [99, 98])), []);
    }
}
