//! What became of every pair, for those who want to see the pipeline at work: how far it came, and what removed it.

use selvedge_base::FastMap;
use selvedge_facts::refuters::{Stage, named};
use selvedge_facts::{AccessId, AccessKind, Place, ThreadId};
use selvedge_findings::{Action, Frame, Kind, Location, Strength};

use super::groups::{by_place, counts, executes, may_overlap};
use super::{Options, PairResult};
use crate::Facts;
use crate::names::Names;

/// The stages of the pipeline, in order; a pair that comes to the last one is reported.
pub const STAGES: [&str; 6] = ["original", "reachable", "aliasing", "escaping", "unlocked", "racy"];

/// What became of one pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fate {
    /// The last stage that it is in, as a position in [`STAGES`].
    pub stage: usize,
    /// What removed it then; `None` for a race.
    pub removed_by: Option<Removal>,
    /// What kind of memory it is about.
    pub kind: Kind,
    /// Which memory; for arrays and containers without the fields that hold them.
    pub location: Location,
    /// What each side does, and where.
    pub sides: [(Action, Frame); 2],
}

/// What removed a pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Removal {
    /// A refuter, or the stage that it did not come to.
    pub name: String,
    /// How far it can be trusted.
    pub strength: Strength,
    /// Why, as a sentence.
    pub because: String,
}

/// Is told the fate of pairs.
pub type Watch<'w> = dyn FnMut(Fate) + 'w;

/// Tells the fate of every pair that is at least in a stage, place by place.
pub(super) fn tell(
    facts: &Facts<'_, '_>,
    options: &Options,
    names: &Names<'_, '_>,
    verdicts: &[(Place, PairResult<'_>)],
    watch: &mut Watch<'_>,
) {
    let pair = |verdict: &PairResult<'_>| {
        let mut accesses = verdict.candidate().sides.map(|side| side.access);
        accesses.sort_unstable();
        accesses
    };
    let judged: FastMap<[AccessId; 2], &PairResult<'_>> =
        verdicts.iter().map(|(_, verdict)| (pair(verdict), verdict)).collect();
    for (place, accesses) in by_place(facts) {
        let kind = |id: AccessId| facts.accesses.all[id].kind;
        if !accesses.iter().any(|&id| kind(id) == AccessKind::Write) {
            continue;
        }
        let threads: Vec<Vec<ThreadId>> =
            accesses.iter().map(|&access| threads_of(facts, options, access)).collect();
        for (index, &first) in accesses.iter().enumerate() {
            for (other, &second) in accesses.iter().enumerate().skip(index) {
                if kind(first).max(kind(second)) != AccessKind::Write {
                    continue;
                }
                let verdict = judged.get(&[first.min(second), first.max(second)]);
                let overlap = || may_overlap(facts, &threads[index], &threads[other]);
                watch(fate(names, facts, place, [first, second], verdict.copied(), overlap));
            }
        }
    }
}

/// The threads that may execute an access, if it counts.
fn threads_of(facts: &Facts<'_, '_>, options: &Options, access: AccessId) -> Vec<ThreadId> {
    if !counts(facts, options, access) {
        return Vec::new();
    }
    let instances = facts.view.analysis.instances_of(facts.accesses.all[access].method);
    let mut threads: Vec<ThreadId> = instances
        .iter()
        .flat_map(|&instance| facts.threads.may_execute(instance).iter().copied())
        .filter(|&thread| executes(facts, options, thread, access))
        .collect();
    threads.sort_unstable();
    threads.dedup();
    threads
}

fn fate(
    names: &Names<'_, '_>,
    facts: &Facts<'_, '_>,
    place: Place,
    pair: [AccessId; 2],
    verdict: Option<&PairResult<'_>>,
    overlap: impl FnOnce() -> bool,
) -> Fate {
    let by_stage = |name: &str, because: &str| Removal {
        name: name.to_owned(),
        strength: Strength::Proof,
        because: because.to_owned(),
    };
    let (stage, removed_by) = match verdict {
        Some(PairResult::Racy(_)) => (5, None),
        Some(PairResult::Refuted(refutation, _)) => {
            let stage = match named(refutation.by).next().map(|refuter| refuter.stage) {
                Some(Stage::Escaping) => 2,
                Some(Stage::Unlocked) => 3,
                _ => 4,
            };
            let strength = refutation.strength;
            let because = refutation.because();
            (stage, Some(Removal { name: refutation.by.to_owned(), strength, because }))
        }
        Some(PairResult::Unexamined(_)) => {
            let because = "it can happen in more ways than are tried".to_owned();
            let removal = Removal { name: "unexamined".to_owned(), strength: Strength::Heuristic, because };
            (4, Some(removal))
        }
        None if overlap() => (1, Some(by_stage("aliasing", "no object is common to both"))),
        None => (0, Some(by_stage("reachable", "no two threads reach them at the same time"))),
    };
    let object = verdict.and_then(|verdict| verdict.candidate().object);
    let (kind, location) = names.location(place, object);
    let side = |access: AccessId| {
        let access = &facts.accesses.all[access];
        (names.action(access), names.frame(access.method, Some(access.inst)))
    };
    Fate { stage, removed_by, kind, location, sides: pair.map(side) }
}
