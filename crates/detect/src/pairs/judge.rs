//! The later stages: common objects, sharing, locks, and the other refuters.
//!
//! Objects that are touched by the same entries are judged together: in a large program thousands of objects flow everywhere
//! together, and what is refuted for one of them without looking at the object is refuted for all.

use std::collections::BTreeMap;

use selvedge_base::FastMap;
use selvedge_facts::{AccessId, AccessKind, Candidate, Occurrence, Place, Refutation, Strength};
use selvedge_pta::heap::ObjectId;

use super::groups::{Entry, Group};
use super::{Options, Outcome, Verdict};
use crate::Facts;
use crate::refuters::{REFUTERS, Refuter, SHARING};

/// Judges the pairs of one group.
pub(super) struct Judge<'j, 'f> {
    facts: &'j Facts<'j, 'f>,
    options: &'j Options,
    group: &'j Group,
    refuters: Vec<&'static Refuter>,
    checks_sharing: bool,
    /// What is known of each pair so far.
    pairs: BTreeMap<[AccessId; 2], State>,
}

/// How far a pair has come, and what stopped it.
struct State {
    stage: Stage,
    verdict: Verdict,
}

/// Where a pair is on its way; the order is that of the pipeline.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    /// On a common object.
    Aliasing,
    /// The object may be shared.
    Escaping,
    /// No common lock.
    Unlocked,
    /// No refuter applies.
    Racy,
}

/// The entries that touch an object, each with what it does to it.
type Touch = Vec<(u32, AccessKind)>;

impl<'j, 'f> Judge<'j, 'f> {
    pub fn new(facts: &'j Facts<'j, 'f>, options: &'j Options, group: &'j Group) -> Self {
        let refuters = REFUTERS.iter().filter(|refuter| !options.without.contains(refuter.name)).collect();
        let checks_sharing = !options.without.contains(SHARING);
        Self { facts, options, group, refuters, checks_sharing, pairs: BTreeMap::new() }
    }

    pub fn judge(mut self, outcome: &mut Outcome) -> Vec<Verdict> {
        match self.group.place {
            Place::Static(_) => {
                let touch: Touch =
                    (0..self.group.entries.len()).map(|entry| (entry as u32, self.kind_of(entry))).collect();
                self.judge_touch(&touch, &[None]);
            }
            _ => {
                for (touch, objects) in self.objects_by_touch() {
                    let objects: Vec<Option<ObjectId>> = objects.into_iter().map(Some).collect();
                    self.judge_touch(&touch, &objects);
                }
            }
        }
        for state in self.pairs.values() {
            outcome.stages.aliasing += 1;
            outcome.stages.escaping += u64::from(state.stage >= Stage::Escaping);
            outcome.stages.unlocked += u64::from(state.stage >= Stage::Unlocked);
            if let (Stage::Unlocked, Verdict::Refuted(refutation, _)) = (state.stage, &state.verdict) {
                *outcome.refuted.entry(refutation.by).or_default() += 1;
            }
        }
        self.pairs.into_values().map(|state| state.verdict).collect()
    }

    fn kind_of(&self, entry: usize) -> AccessKind {
        self.facts.accesses.all[self.group.entries[entry].access].kind
    }

    /// The objects of the group by who touches them, in the order of the first object. Those that nobody writes to are left
    /// out.
    fn objects_by_touch(&self) -> Vec<(Touch, Vec<ObjectId>)> {
        let mut touches: BTreeMap<ObjectId, Touch> = BTreeMap::new();
        for (position, entry) in self.group.entries.iter().enumerate() {
            let touched = self.facts.accesses.may_touch(self.facts.view, entry.access, entry.instance);
            for object in touched.iter() {
                let kind = self.facts.accesses.kind_on(entry.access, object);
                if let Some(kind) = kind {
                    touches.entry(object).or_default().push((position as u32, kind));
                }
            }
        }
        let mut groups: FastMap<(Touch, bool), usize> = FastMap::default();
        let mut found: Vec<(Touch, Vec<ObjectId>)> = Vec::new();
        for (object, touch) in touches {
            if !touch.iter().any(|(_, kind)| *kind == AccessKind::Write) {
                continue;
            }
            let shared = self.may_be_shared(object);
            let position = *groups.entry((touch.clone(), shared)).or_insert_with(|| {
                found.push((touch, Vec::new()));
                found.len() - 1
            });
            found[position].1.push(object);
        }
        found
    }

    fn may_be_shared(&self, object: ObjectId) -> bool {
        !self.checks_sharing || self.facts.escape.may_be_shared(object)
    }

    fn judge_touch(&mut self, touch: &Touch, objects: &[Option<ObjectId>]) {
        let mut by_access: BTreeMap<AccessId, Vec<(u32, AccessKind)>> = BTreeMap::new();
        for &(entry, kind) in touch {
            by_access.entry(self.group.entries[entry as usize].access).or_default().push((entry, kind));
        }
        let sites: Vec<(AccessId, Vec<(u32, AccessKind)>)> = by_access.into_iter().collect();
        for (position, (first, first_entries)) in sites.iter().enumerate() {
            for (second, second_entries) in &sites[position..] {
                let kind = |entries: &[(u32, AccessKind)]| entries.iter().map(|(_, kind)| *kind).max();
                if kind(first_entries).max(kind(second_entries)) == Some(AccessKind::Write) {
                    self.judge_pair([*first, *second], [first_entries, second_entries], objects);
                }
            }
        }
    }

    fn judge_pair(
        &mut self,
        accesses: [AccessId; 2],
        entries: [&[(u32, AccessKind)]; 2],
        objects: &[Option<ObjectId>],
    ) {
        if self.pairs.get(&accesses).is_some_and(|state| state.stage == Stage::Racy) {
            return;
        }
        for &object in objects {
            let mut depends_on_object = false;
            for &(first, first_kind) in entries[0] {
                for &(second, second_kind) in entries[1] {
                    if first_kind.max(second_kind) != AccessKind::Write {
                        continue;
                    }
                    let ends = [first, second].map(|entry| &self.group.entries[entry as usize]);
                    if self.judge_entries(accesses, ends, object, &mut depends_on_object) {
                        return;
                    }
                }
            }
            if !depends_on_object {
                return;
            }
        }
    }

    /// Judges two entries on an object, whichever threads execute them; whether they race.
    fn judge_entries(
        &mut self,
        accesses: [AccessId; 2],
        [first, second]: [&Entry; 2],
        object: Option<ObjectId>,
        depends_on_object: &mut bool,
    ) -> bool {
        for &a in &first.threads {
            for &b in &second.threads {
                if a == b && !self.facts.threads.all[a].many {
                    continue;
                }
                let sides = [
                    Occurrence { access: first.access, instance: first.instance, thread: a },
                    Occurrence { access: second.access, instance: second.instance, thread: b },
                ];
                let candidate = Candidate { sides, object };
                let (stage, refutation, by_object) = self.try_refuters(&candidate);
                *depends_on_object |= by_object;
                let verdict = match refutation {
                    None => Verdict::Racy(candidate),
                    Some(refutation) => Verdict::Refuted(refutation, candidate),
                };
                let known = self.pairs.get(&accesses).map(|state| state.stage);
                if known.is_none_or(|known| known < stage) {
                    self.pairs.insert(accesses, State { stage, verdict });
                }
                if stage == Stage::Racy {
                    return true;
                }
            }
        }
        false
    }

    /// How far a candidate comes, what stops it, and whether that depends on the object.
    fn try_refuters(&self, candidate: &Candidate) -> (Stage, Option<Refutation>, bool) {
        if self.checks_sharing
            && let Some(refutation) = self.facts.escape.refute(self.facts.view, candidate)
        {
            return (Stage::Aliasing, Some(refutation), true);
        }
        for refuter in &self.refuters {
            let refutation = (refuter.refute)(self.facts, self.options, candidate);
            let counts = |it: &Refutation| !self.options.proofs_only || it.strength == Strength::Proof;
            if let Some(refutation) = refutation.filter(counts) {
                let stage = if refuter.is_lock_stage { Stage::Escaping } else { Stage::Unlocked };
                return (stage, Some(refutation), refuter.depends_on_object);
            }
        }
        (Stage::Racy, None, false)
    }
}
