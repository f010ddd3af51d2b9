//! Races by pair of sites: each is reported once and counted.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use selvedge_findings::{FieldRef, Finding, Frame, Reason, Verdict};
use selvedge_protocol::{AccessKind, SiteId, StackId, Tables};

use crate::race::{Race, Shown};
use crate::report;

/// Where callers are from that were taken at another access of the same line.
pub const CALLERS_OF_ANOTHER: &str = "the callers of the earlier access are those of another access at the same line, which another thread may have made";

/// The two sites of a race with what they do, the lesser first.
type Key = [(SiteId, AccessKind); 2];

fn key(race: &Race) -> Key {
    let mut key = [&race.current, &race.previous].map(|access| (access.site, access.kind));
    key.sort_unstable();
    key
}

/// What whoever feeds the detectors knows of a race beyond the race itself.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// The test that ran, as findings name methods.
    pub test: Option<String>,
    /// The fields that may hold the array or container.
    pub held_by: Vec<FieldRef>,
    /// Where the callers of the earlier access are from, if they were not taken at that access.
    pub callers_taken: Option<&'static str>,
}

#[derive(Clone, Debug)]
struct Logged {
    /// The site of the earlier access, if its callers are not known.
    without_callers: Option<SiteId>,
    finding: Finding,
    shown: Shown,
    count: u64,
}

/// The races of a run, by pair of sites.
#[derive(Clone, Debug)]
pub struct RaceLog {
    races: BTreeMap<Key, Logged>,
    max: u64,
    /// Races of pairs of sites that were not kept.
    dropped: u64,
}

impl RaceLog {
    /// A log that keeps at most so many pairs of sites.
    pub fn new(max: u64) -> Self {
        Self { races: BTreeMap::new(), max, dropped: 0 }
    }

    /// Counts the race if its pair of sites is known, and shown as well as by it; whether it is. Whoever has to do work for
    /// the report of a race, such as taking a stack, asks this first.
    pub fn again(&mut self, race: &Race) -> bool {
        let known = self.races.get_mut(&key(race)).filter(|logged| race.shown <= logged.shown);
        let is_known = known.is_some();
        if let Some(logged) = known {
            logged.count += 1;
        }
        is_known
    }

    /// Adds a race. Returns its finding if it is the first of its pair of sites, or the first that happens-before shows.
    /// The tables must still know the object.
    pub fn add(&mut self, race: &Race, tables: &Tables, known: Circumstances) -> Option<&Finding> {
        let without_callers = (race.previous.stack == StackId::NONE).then_some(race.previous.site);
        let finding = || {
            let ran = known.test.map(|test| format!("the test {test} ran"));
            let taken = known.callers_taken.map(str::to_owned);
            let reasons = ran.into_iter().chain(taken).map(Reason::evidence);
            let mut finding = reasons.fold(report::finding(race, tables), Finding::because);
            finding.location.held_by = known.held_by;
            finding
        };
        let full = self.races.len() as u64 >= self.max;
        match self.races.entry(key(race)) {
            Entry::Vacant(_) if full => {
                self.dropped += 1;
                None
            }
            Entry::Vacant(entry) => {
                let finding = finding();
                Some(&entry.insert(Logged { without_callers, finding, shown: race.shown, count: 1 }).finding)
            }
            Entry::Occupied(entry) => {
                let logged = entry.into_mut();
                logged.count += 1;
                if race.shown <= logged.shown {
                    return None;
                }
                // The pair that was really unordered is the better example.
                logged.finding = finding();
                logged.without_callers = without_callers;
                logged.shown = race.shown;
                Some(&logged.finding)
            }
        }
    }

    /// How many pairs of sites race.
    pub fn len(&self) -> usize {
        self.races.len()
    }

    /// Whether nothing races.
    pub fn is_empty(&self) -> bool {
        self.races.is_empty()
    }

    /// How many races were shown, counting repeated ones.
    pub fn total(&self) -> u64 {
        self.dropped + self.races.values().map(|logged| logged.count).sum::<u64>()
    }

    /// How many pairs of sites have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.races.values().filter(|logged| logged.finding.verdict == verdict).count()
    }

    /// What the log could not keep, as a sentence without a full stop.
    pub fn degradation(&self) -> Option<String> {
        (self.dropped > 0).then(|| {
            format!("{} races are not shown: there are more than {} pairs of sites", self.dropped, self.max)
        })
    }

    /// The findings, each with how often it was seen; in order of sites.
    pub fn findings(&self) -> Vec<Finding> {
        self.findings_with(|_| None)
    }

    /// As [`RaceLog::findings`]. Where the callers of an earlier access are not known, those that `callers` has for its site stand for
    /// them, oldest first, and the finding says so.
    pub fn findings_with(&self, callers: impl Fn(SiteId) -> Option<Vec<Frame>>) -> Vec<Finding> {
        self.races
            .values()
            .map(|logged| {
                let times = match logged.count {
                    1 => "seen once in this run".to_owned(),
                    count => format!("seen {count} times in this run"),
                };
                let mut finding = logged.finding.clone().because(Reason::evidence(times));
                // Of a trace without stacks nothing is said.
                let has_callers = !finding.sides[0].path.is_empty();
                if let Some(site) = logged.without_callers.filter(|_| has_callers) {
                    let found = callers(site);
                    finding = finding.because(Reason::evidence(match found {
                        Some(_) => CALLERS_OF_ANOTHER,
                        None => "the callers of the earlier access were not recorded",
                    }));
                    if let Some(path) = found {
                        finding.sides[1].path = path;
                    }
                }
                finding
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use selvedge_protocol::{Options, text};

    use super::*;
    use crate::Engine;

    /// One pair of sites, raced for on four objects: at first ordered by a lock on another object, then not at all.
    const TRACE: &str = "
        object o1: p.C @p.M.make:1
        main: fork T
        main: write o1.f @A.a:1; main: acquire L; main: release L
        T: acquire L; T: release L; T: write o1.f @B.b:2; main: write o1.f @A.a:1
        main: write o2.f @A.a:1; T: write o2.f @B.b:2
        main: write o3.f @A.a:1; T: write o3.f @B.b:2";

    #[test]
    fn a_pair_of_sites_is_told_once_and_once_more_when_it_is_shown_better() {
        let trace = text::parse(TRACE).unwrap();
        let mut engine = Engine::new(&Options::default());
        let mut log = RaceLog::new(10);
        let mut told = Vec::new();
        for event in &trace.events {
            if let Some(race) = engine.event(event)
                && !log.again(&race)
            {
                told.extend(
                    log.add(&race, &trace.tables, Circumstances::default()).map(|finding| finding.verdict),
                );
            }
        }
        assert_eq!(told, [Verdict::HappensBefore]);
        assert_eq!((log.len(), log.total()), (1, 3));
        let findings = log.findings();
        assert_eq!(findings[0].reasons.last().unwrap().text, "seen 3 times in this run");
        assert_eq!(findings[0].sides[0].at.place(), "A.java:1");
        assert_eq!(findings[0].object.as_ref().unwrap().allocated_at.as_ref().unwrap().place(), "M.java:1");

        let lockset_first =
            text::parse(&TRACE.replace("main: fork T", "main: read o1.f; main: fork T; T: read o1.f"));
        let trace = lockset_first.unwrap();
        let mut engine = Engine::new(&Options::default());
        let mut log = RaceLog::new(10);
        let races: Vec<Race> = trace.events.iter().filter_map(|event| engine.event(event)).collect();
        let told: Vec<Verdict> = races
            .iter()
            .filter_map(|race| {
                log.add(race, &trace.tables, Circumstances::default()).map(|finding| finding.verdict)
            })
            .collect();
        assert!(told.len() >= 2, "{told:?}");
        assert_eq!(log.count(Verdict::Lockset) + log.count(Verdict::HappensBefore), log.len());
    }

    #[test]
    fn a_full_log_counts_what_it_does_not_keep() {
        let trace =
            text::parse("main: fork T; T: write o.f @A.a:1; main: write o.f @B.b:2; T: read o.f @A.c:3")
                .unwrap();
        let mut engine = Engine::new(&Options::default());
        let mut log = RaceLog::new(1);
        for race in trace.events.iter().filter_map(|event| engine.event(event)) {
            log.add(&race, &trace.tables, Circumstances::default());
        }
        assert_eq!((log.len(), log.total()), (1, 2));
        assert_eq!(log.degradation().unwrap(), "1 races are not shown: there are more than 1 pairs of sites");
    }
}
