//! The locations of reported pairs: what another analysis reports of them should say what it adds.

use selvedge_base::FastSet;
use selvedge_facts::Candidate;
use selvedge_findings::{Finding, Location, ObjectInfo};

use crate::Facts;
use crate::names::Names;

/// The locations of findings, those without a name with their objects.
#[derive(Debug, Default)]
pub struct Raced(FastSet<(Location, Option<ObjectInfo>)>);

impl Raced {
    /// What findings are about.
    pub fn of(findings: &[Finding]) -> Self {
        let further = findings.iter().flat_map(|finding| &finding.pairs);
        let further = further.map(|pair| (&pair.location, &pair.object));
        let all = findings.iter().map(|finding| (&finding.location, &finding.object)).chain(further);
        Self(all.map(|(location, object)| key(location.clone(), object.clone())).collect())
    }

    /// Whether no pair is told.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a pair is told of what a candidate is about.
    pub fn contains(&self, facts: &Facts<'_, '_>, names: &Names<'_, '_>, candidate: &Candidate) -> bool {
        let place = facts.accesses.all[candidate.sides[0].access].place;
        let location = names.location(place, candidate.object).1;
        self.0.contains(&key(location, candidate.object.map(|object| names.object(object))))
    }
}

fn key(location: Location, object: Option<ObjectInfo>) -> (Location, Option<ObjectInfo>) {
    let is_named = location.field.is_some() || !location.held_by.is_empty();
    (location, object.filter(|_| !is_named))
}
