//! Races by pair of sites: each is told once and counted.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use selvedge_findings::{Finding, Reason, Verdict};
use selvedge_protocol::{AccessKind, SiteId, Tables};

use crate::race::{Race, Shown};
use crate::report;

/// The two sites of a race with what they do, the lesser first.
type Key = [(SiteId, AccessKind); 2];

#[derive(Clone, Debug)]
struct Logged {
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

    /// Adds a race. Returns its finding if it is the first of its pair of sites, or the first that happens-before shows.
    /// The tables must still know the object.
    pub fn add(&mut self, race: &Race, tables: &Tables) -> Option<&Finding> {
        let mut key = [&race.current, &race.previous].map(|access| (access.site, access.kind));
        key.sort_unstable();
        let full = self.races.len() as u64 >= self.max;
        match self.races.entry(key) {
            Entry::Vacant(_) if full => {
                self.dropped += 1;
                None
            }
            Entry::Vacant(entry) => {
                let finding = report::finding(race, tables);
                Some(&entry.insert(Logged { finding, shown: race.shown, count: 1 }).finding)
            }
            Entry::Occupied(entry) => {
                let logged = entry.into_mut();
                logged.count += 1;
                if race.shown <= logged.shown {
                    return None;
                }
                // The pair that was really unordered is the better example.
                logged.finding = report::finding(race, tables);
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
        self.races
            .values()
            .map(|logged| {
                let times = match logged.count {
                    1 => "seen once in this run".to_owned(),
                    count => format!("seen {count} times in this run"),
                };
                logged.finding.clone().because(Reason::evidence(times))
            })
            .collect()
    }
}
