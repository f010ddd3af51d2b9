//! How detectors query the [refuters](selvedge_facts::refuters), and the answers that detectors compute themselves.

use selvedge_facts::assertions::asserted;
use selvedge_facts::refuters::{GUARDED_OWNER, NOT_THREAD_SAFE, PHASE, REFUTERS, Refuter, Rule, Stage};
use selvedge_facts::{Candidate, Escape, Locking, Refutation};

use crate::Facts;
use crate::objects::refute as objects;
use crate::pairs::{Options, Settled};
use crate::raced::Raced;
use crate::uses::refute as phase;

/// The refuters that analyses of whole objects add.
pub const OF_WHOLE_OBJECTS: [&str; 2] = [GUARDED_OWNER, PHASE];

/// How the analyses of whole objects ask whether two accesses may race.
#[derive(Clone, Copy)]
pub struct Judging<'j> {
    /// How pairs are judged.
    pub options: &'j Options,
    /// What became of the pairs.
    pub settled: &'j Settled,
    /// The locations that they concern.
    pub raced: &'j Raced,
}

impl Judging<'_> {
    /// Whether some refuter excludes a candidate.
    pub fn is_refuted(&self, facts: &Facts<'_, '_>, candidate: &Candidate) -> bool {
        let is_asked = |refuter: &&Refuter| refuter.name == Escape::BY || self.options.is_on(refuter.name);
        let mut asked = REFUTERS.iter().filter(is_asked);
        self.settled.contains(candidate.sides.map(|side| side.access))
            || asked.any(|refuter| refute(facts, self.options, refuter, candidate).is_some())
    }
}

/// Those of the refuters after the stage `escaping` that are switched on.
pub fn switched_on(options: &Options) -> impl Iterator<Item = &'static Refuter> {
    let is_asked = |refuter: &&Refuter| refuter.stage != Stage::Escaping && options.is_on(refuter.name);
    REFUTERS.iter().filter(is_asked)
}

/// Tries a refuter.
pub fn refute<'r>(
    facts: &'r Facts<'_, '_>,
    options: &'r Options,
    refuter: &Refuter,
    candidate: &Candidate,
) -> Option<Refutation<'r>> {
    match (refuter.rule, refuter.name) {
        (Rule::Facts(refute), _) => {
            let locking = if options.likely_locks { Locking::Likely } else { Locking::Sound };
            refute(facts, locking, candidate)
        }
        (Rule::Detector, GUARDED_OWNER) => {
            options.guarded_owners.then(|| objects::refute(facts, candidate)).flatten()
        }
        (Rule::Detector, PHASE) => options.phases.then(|| phase::refute(facts, candidate)).flatten(),
        (Rule::Detector, NOT_THREAD_SAFE) => facts.declarations.refute(facts, candidate),
        (Rule::Detector, asserted::BY) => options.assertions.refute(facts, candidate),
        (Rule::Detector, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_of_a_detector_is_here() {
        let known = [GUARDED_OWNER, PHASE, NOT_THREAD_SAFE, asserted::BY];
        let of_detectors = REFUTERS.iter().filter(|refuter| matches!(refuter.rule, Rule::Detector));
        assert_eq!(of_detectors.map(|refuter| refuter.name).collect::<Vec<_>>(), known);
    }
}
