//! One cause, one finding: pairs that one change would mend are put together under the one most worth reading.

use std::cmp::Reverse;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::finding::Finding;
use crate::fingerprint::fingerprint;

/// Two methods against each other are easier to believe than a method against itself: they lead though their rank is lower by this.
const BETWEEN_METHODS: u8 = 2;

/// Groups findings for which `cause` gives the same value. The surest of a group leads, and among these the highest ranked, with some favour for pairs between
/// two methods (among equals: by location, then by fingerprint, so that edits elsewhere do not change the lead); the others become
/// its further pairs. The group takes the highest rank, the strongest verdict and confidence in it, and the lead's reasons and advice;
/// the lead's picture of the heap, or else the first that a member has; the objects of all. Groups come in the
/// order of their first member.
pub fn group_by_cause<C: Hash + Eq>(
    findings: Vec<Finding>,
    mut cause: impl FnMut(&Finding) -> C,
) -> Vec<Finding> {
    let mut index: FxHashMap<C, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<Finding>> = Vec::new();
    for finding in findings {
        let group = *index.entry(cause(&finding)).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(finding);
    }
    groups.into_iter().filter_map(lead).collect()
}

fn lead(mut group: Vec<Finding>) -> Option<Finding> {
    group.sort_by_cached_key(|finding| {
        let [first, second] = &finding.sides;
        let favour = if first.at.method == second.at.method { 0 } else { BETWEEN_METHODS };
        let rank = Reverse(finding.rank.saturating_add(favour));
        (
            Reverse(finding.confidence),
            rank,
            finding.location.clone(),
            fingerprint(finding),
            finding.sides.clone(),
        )
    });
    let mut members = group.into_iter();
    let mut lead = members.next()?;
    for member in members {
        lead.rank = lead.rank.max(member.rank);
        lead.verdict = lead.verdict.max(member.verdict);
        lead.confidence = lead.confidence.max(member.confidence);
        lead.surroundings = lead.surroundings.or_else(|| member.surroundings.clone());
        lead.objects.extend(member.objects.iter().cloned());
        lead.pairs.extend(member.into_pairs());
    }
    lead.objects.sort_unstable();
    lead.objects.dedup();
    Some(lead)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Confidence, Frame, Kind, Location, Side, Verdict};

    #[test]
    fn the_highest_ranked_leads_and_takes_the_strongest_verdict() {
        let finding = |field: &str, rank, line| {
            let side = |action| Side::new(action, Frame::new("p.C.m()").at("C.java", line));
            Finding::new("pairs", Kind::Field, Location::field("p.C", field))
                .sides(side(Action::Write), side(Action::Read))
                .ranked(rank, Confidence::Low)
        };
        let findings = vec![
            finding("a", 10, 1),
            finding("b", 50, 2),
            finding("a", 60, 3),
            finding("a", 20, 4).known_by(Verdict::Lockset),
        ];
        let groups = group_by_cause(findings, |finding| finding.location.clone());
        assert_eq!(groups.len(), 2);
        assert_eq!((groups[0].rank, groups[0].pair_count()), (60, 3));
        assert_eq!(groups[0].verdict, Verdict::Lockset);
        let lines: Vec<_> = groups[0].pairs.iter().map(|pair| pair.sides[0].at.line).collect();
        assert_eq!(lines, [Some(4), Some(1)]);
        assert_eq!(groups[1].location.to_string(), "p.C.b");
    }

    #[test]
    fn two_methods_lead() {
        let finding = |second: &str| {
            let side = |method: &str| Side::new(Action::Write, Frame::new(method).at("C.java", 1));
            let rank = if second == "p.C.a()" { 11 } else { 10 };
            Finding::new("pairs", Kind::Field, Location::field("p.C", "f"))
                .sides(side("p.C.a()"), side(second))
                .ranked(rank, Confidence::Low)
        };
        let names = ["p.C.a()", "p.C.b()", "p.C.c()"];
        for turn in 0..names.len() {
            let findings = (0..names.len()).map(|index| finding(names[(index + turn) % names.len()]));
            let groups = group_by_cause(findings.collect(), |finding| finding.location.clone());
            assert_ne!(groups[0].sides[1].at.method, names[0]);
            assert_eq!((groups[0].rank, groups[0].pair_count()), (11, 3));
        }
    }
}
