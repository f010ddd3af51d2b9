//! Reports on the same classes, put together: a run may raise a verdict, never lower one.

use rustc_hash::FxHashMap;

use crate::finding::{Action, Confidence, Finding, Reason, Side, Verdict};
use crate::place::Location;
use crate::report::Report;

/// What a run showed, added to what was predicted, or to what another run showed. A predicted finding that the run shows takes the stronger verdict, the
/// higher rank and the surer confidence, and a reason that says so; what only the run found is added; what the run did
/// not show stays as it was. The result is finished.
pub fn merge(predicted: Report, run: Report) -> Report {
    let mut merged = predicted;
    let sites = Sites::of(&merged.findings);
    for shown in run.findings {
        match sites.find(&shown) {
            Some(index) => raise(&mut merged.findings[index], shown),
            None => merged.findings.push(shown),
        }
    }
    merged.partial = merged.partial.or(run.partial);
    append_new(&mut merged.assumptions, run.assumptions);
    append_new(&mut merged.problems, run.problems);
    merged.stats.phases.extend(run.stats.phases);
    merged.stats.peak_rss_bytes = merged.stats.peak_rss_bytes.max(run.stats.peak_rss_bytes);
    for (reason, count) in run.stats.suppressed {
        *merged.stats.suppressed.entry(reason).or_default() += count;
    }
    merged.finish();
    merged
}

fn append_new<T: PartialEq>(list: &mut Vec<T>, more: Vec<T>) {
    for item in more {
        if !list.contains(&item) {
            list.push(item);
        }
    }
}

fn raise(finding: &mut Finding, shown: Finding) {
    let is_of_another_run = finding.analysis == shown.analysis;
    let outcome = |it: &Finding| it.confirmation.as_ref().map(|confirmation| confirmation.outcome);
    if outcome(&shown) > outcome(finding) {
        finding.confirmation = shown.confirmation.clone();
    }
    if is_of_another_run && finding.verdict >= shown.verdict {
        return;
    }
    let places = format!("{} and {}", shown.sides[0].at.place(), shown.sides[1].at.place());
    let (text, confidence) = match shown.verdict {
        Verdict::Predicted => return,
        Verdict::Lockset => {
            (format!("a run made both accesses, at {places}, with no common lock"), Confidence::Medium)
        }
        Verdict::Confirmed => {
            (format!("two threads were at the accesses at {places} at the same time"), Confidence::High)
        }
        Verdict::HappensBefore => {
            (format!("a run made both accesses, at {places}, and nothing ordered them"), Confidence::High)
        }
    };
    finding.verdict = finding.verdict.max(shown.verdict);
    finding.confidence = finding.confidence.max(confidence);
    finding.rank = finding.rank.max(shown.rank);
    let reason = Reason::evidence(text);
    if !finding.reasons.contains(&reason) {
        finding.reasons.insert(0, reason);
    }
}

/// A side as a run can recognise it: method and position, with or without what it does.
type Site = (String, Option<u32>, Option<Action>);

/// Which finding holds a pair of sites on a location (class and field). A pair is entered twice: with its actions, and
/// without, for a run that sees the write of `count++` where the prediction speaks of its read.
struct Sites(FxHashMap<(String, Option<String>, [Site; 2]), usize>);

impl Sites {
    fn of(findings: &[Finding]) -> Self {
        let mut sites = Self(FxHashMap::default());
        for exact in [true, false] {
            for (index, finding) in findings.iter().enumerate() {
                let further = finding.pairs.iter().map(|pair| (&pair.location, &pair.sides));
                for (location, sides) in std::iter::once((&finding.location, &finding.sides)).chain(further) {
                    sites.0.entry(key(location, sides, exact)).or_insert(index);
                }
            }
        }
        sites
    }

    fn find(&self, shown: &Finding) -> Option<usize> {
        let look = |exact| self.0.get(&key(&shown.location, &shown.sides, exact)).copied();
        look(true).or_else(|| look(false))
    }
}

fn key(location: &Location, sides: &[Side; 2], exact: bool) -> (String, Option<String>, [Site; 2]) {
    let mut sites = [&sides[0], &sides[1]].map(|side| {
        let position = side.at.line.or(side.at.bytecode_index);
        (side.at.method.clone(), position, exact.then_some(side.action))
    });
    sites.sort();
    (location.class.clone(), location.field.clone(), sites)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, Kind};

    fn finding(analysis: &str, lines: [u32; 2], actions: [Action; 2]) -> Finding {
        let side = |i: usize| Side::new(actions[i], Frame::new("p.C.m()").at("C.java", lines[i]));
        Finding::new(analysis, Kind::Field, Location::field("p.C", "f")).sides(side(0), side(1))
    }

    fn report(findings: Vec<Finding>) -> Report {
        let mut report = Report { findings, ..Report::default() };
        report.finish();
        report
    }

    #[test]
    fn a_run_raises_what_it_shows_and_leaves_the_rest() {
        use Action::{Read, Write};
        let predicted = report(vec![
            finding("pairs", [1, 2], [Write, Read]).ranked(40, Confidence::Low),
            finding("pairs", [1, 3], [Write, Read])
                .ranked(30, Confidence::High)
                .known_by(Verdict::HappensBefore),
        ]);
        let run = report(vec![
            finding("run", [2, 1], [Read, Write])
                .ranked(20, Confidence::High)
                .known_by(Verdict::HappensBefore),
            finding("run", [3, 1], [Write, Write]).ranked(90, Confidence::Low).known_by(Verdict::Lockset),
            finding("run", [8, 9], [Write, Write]).ranked(80, Confidence::Medium).known_by(Verdict::Lockset),
        ]);
        let keys: Vec<_> = predicted.findings.iter().map(|finding| finding.key.clone()).collect();
        let merged = merge(predicted, run);
        let summary: Vec<_> = merged
            .findings
            .iter()
            .map(|f| (f.analysis.as_str(), f.rank, f.verdict, f.confidence, f.reasons.len()))
            .collect();
        assert_eq!(
            summary,
            [
                ("pairs", 90, Verdict::HappensBefore, Confidence::High, 1),
                ("pairs", 40, Verdict::HappensBefore, Confidence::High, 1),
                ("run", 80, Verdict::Lockset, Confidence::Medium, 0),
            ]
        );
        assert_eq!([&merged.findings[0].key, &merged.findings[1].key], [&keys[0], &keys[1]]);
    }

    #[test]
    fn further_pairs_are_recognised_too() {
        use Action::{Read, Write};
        let mut lead = finding("pairs", [1, 2], [Write, Read]);
        lead.pairs = finding("pairs", [1, 5], [Write, Read]).into_pairs().collect();
        let run = report(vec![finding("run", [5, 1], [Read, Write]).known_by(Verdict::Lockset)]);
        let merged = merge(report(vec![lead]), run);
        assert_eq!(merged.findings.len(), 1);
        assert_eq!(merged.findings[0].verdict, Verdict::Lockset);
    }

    #[test]
    fn two_runs_show_a_race_once() {
        use Action::Write;
        let run = || report(vec![finding("run", [1, 2], [Write, Write]).known_by(Verdict::HappensBefore)]);
        let merged = merge(run(), run());
        assert_eq!(merged.findings, run().findings);
    }
}
