//! The later stages: common objects, sharing, locks, and the other refuters.
//!
//! Objects that are touched by the same entries are judged together: in a large program thousands of objects flow everywhere
//! together, and what is refuted for one of them without looking at the object is refuted for all.
//!
//! Likewise for threads: a side that comes before its object is published does so whatever thread the other side is in. One
//! choice of threads with such a side stands for all.
//!
//! [`Limits`] keep large programs within reach. What they pass over is *unexamined* ([`Passed`]): the report lists it by location, it is
//! never safe, and where only proofs count it is a race. After so many racy pairs on the same objects further ones add nothing
//! new; a pair is tried in so many ways; and pairs of one group are looked at so many times, but those of each class of objects
//! at least [`Limits::looks_of_class`] times, so that one busy class does not hide another. What only the analyses of whole
//! objects refute counts as racy for these limits, so that the same pairs are looked at with them and without.

use std::collections::BTreeMap;
use std::sync::Arc;

use selvedge_base::{FastMap, FastSet};
use selvedge_facts::refuters::{Refuter, Stage as Filter};
use selvedge_facts::{
    AccessId, AccessKind, Candidate, Escape, Occurrence, Place, Publication, Refutation, Strength, ThreadId,
};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, TypeId};

use super::groups::{Entry, Group};
use super::{Options, PairResult};
use crate::Facts;
use crate::refuters::{OF_WHOLE_OBJECTS, refute, switched_on};

#[cfg(test)]
mod tests;
mod unproved;

/// Judges the pairs of one group.
pub(super) struct Judge<'j, 'g, 'f> {
    facts: &'j Facts<'j, 'f>,
    options: &'j Options,
    group: &'g Group,
    refuters: Vec<&'static Refuter>,
    checks_sharing: bool,
    /// Whether it counts that objects were not yet published.
    checks_publication: bool,
    /// The threads in which an access in an instance comes before its object is published, as far as was asked.
    early: FastMap<(AccessId, InstanceId, ObjectId), Arc<[ThreadId]>>,
    /// What is known of each pair so far.
    pairs: BTreeMap<[AccessId; 2], State<'j>>,
    /// In how many ways each pair has been tried.
    ways: FastMap<[AccessId; 2], usize>,
    /// The pairs that were not tried in all ways, each with an object of a way that was left out.
    cut: BTreeMap<[AccessId; 2], Option<ObjectId>>,
    /// What refuted the pair on its last way, after the stages: likely what refutes it on the next one.
    last: Option<&'static Refuter>,
    /// Whether something was refuted by an analysis of whole objects only, since this was cleared.
    is_by_whole: bool,
    /// The pairs that it was on some objects: for the limits they are as good as racy.
    by_whole: FastSet<[AccessId; 2]>,
    /// How often a pair was looked at, in all and on the objects of each class.
    looks: usize,
    looks_of: FastMap<Option<TypeId>, usize>,
    /// What was passed over.
    passed: Vec<Passed>,
}

/// Pairs of accesses that were not examined, or not in all ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passed {
    /// One of the objects; none for a static field.
    pub object: Option<ObjectId>,
    /// How many pairs.
    pub pairs: u64,
    /// Which limit was reached.
    pub limit: Limit,
}

/// A limit that was reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Limit {
    /// Of racy pairs on the same objects.
    Racy(usize),
    /// Of pairs that are looked at.
    Looks(usize),
    /// Of ways in which a pair is tried.
    Ways(usize),
    /// Somebody asked to stop.
    Stopped,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Racy(limit) => write!(f, "{limit} racy pairs on the same objects"),
            Self::Looks(limit) => write!(f, "{limit} pairs"),
            Self::Ways(limit) => write!(f, "{limit} ways of a pair"),
            Self::Stopped => f.write_str("the whole check"),
        }
    }
}

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many racy pairs on the same objects are looked for.
    pub racy: usize,
    /// How often pairs of one field, or of all elements or containers, are looked at, each time on other objects.
    pub looks: usize,
    /// How often pairs on the objects of one class are looked at, even if the others have used up the looks.
    pub looks_of_class: usize,
    /// In how many ways (instances, threads, objects) a pair is tried.
    pub ways: usize,
    /// Whether ways are left out for which another one stands; that loses nothing.
    pub shortcuts: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { racy: 60, looks: 50_000, looks_of_class: 2_000, ways: 400, shortcuts: true }
    }
}

/// The number of ways of a pair that was taken for racy because there are more than are tried.
const TOO_MANY: usize = usize::MAX;

/// How many pairs of a group came how far.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Counts {
    pub aliasing: u64,
    pub escaping: u64,
    pub unlocked: u64,
    /// Pairs that refuters removed after the stages, by the refuter's name.
    pub refuted: BTreeMap<&'static str, u64>,
    pub passed: Vec<Passed>,
}

impl Counts {
    /// What is known of a group that was not judged.
    pub fn stopped(pairs: u64) -> Self {
        let passed = Passed { object: None, pairs, limit: Limit::Stopped };
        Self { passed: Vec::from_iter((pairs > 0).then_some(passed)), ..Self::default() }
    }
}

/// How far a pair has come, and what stopped it.
struct State<'j> {
    stage: Stage,
    verdict: PairResult<'j>,
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

/// On what of a candidate, beside its accesses, a judgement rests.
struct RestsOn {
    object: bool,
    threads: bool,
}

/// What has refuted nothing on two entries and an object, and does not depend on the threads that execute them.
#[derive(Default)]
struct Silent {
    /// Whether the object may be shared.
    sharing: bool,
    refuters: Vec<&'static str>,
}

/// The entries that touch an object, each with what it does to it.
type Touch = Vec<(u32, AccessKind)>;

/// An access to an object: its entries, and the most that it does.
struct Site {
    access: AccessId,
    entries: Touch,
    kind: AccessKind,
}

/// The accesses of a touch.
fn sites_of(group: &Group, touch: &Touch) -> Vec<Site> {
    let mut by_access: BTreeMap<AccessId, Touch> = BTreeMap::new();
    for &(entry, kind) in touch {
        by_access.entry(group.entries[entry as usize].access).or_default().push((entry, kind));
    }
    let strongest = |entries: &Touch| entries.iter().map(|(_, kind)| *kind).max().unwrap_or(AccessKind::Read);
    let site = |(access, entries)| Site { access, kind: strongest(&entries), entries };
    by_access.into_iter().map(site).collect()
}

/// Each two accesses of which one writes. Near ones first, so that where not all are looked at every access has its turn.
fn conflicting(sites: &[Site]) -> impl Iterator<Item = (&Site, &Site)> {
    let pairs = (0..sites.len()).flat_map(move |distance| sites.iter().zip(&sites[distance..]));
    pairs.filter(|(first, second)| first.kind.max(second.kind) == AccessKind::Write)
}

/// Two accesses, the entries of each that touch the same objects, and these objects.
struct Pair<'p> {
    accesses: [AccessId; 2],
    entries: [&'p [(u32, AccessKind)]; 2],
    objects: &'p [Option<ObjectId>],
}

impl<'p> Pair<'p> {
    /// Each two entries of which one writes.
    fn ends<'g>(&self, group: &'g Group) -> impl Iterator<Item = [&'g Entry; 2]> + use<'g, 'p> {
        let [first, second] = self.entries;
        first.iter().flat_map(move |&(a, kind)| {
            let others = second.iter().filter(move |(_, other)| kind.max(*other) == AccessKind::Write);
            others.map(move |&(b, _)| [a, b].map(|entry| &group.entries[entry as usize]))
        })
    }
}

impl<'j, 'g, 'f> Judge<'j, 'g, 'f> {
    pub fn new(facts: &'j Facts<'j, 'f>, options: &'j Options, group: &'g Group) -> Self {
        let refuters = switched_on(options).collect();
        let checks_sharing = options.is_on(Escape::BY);
        let checks_publication = options.is_on(Publication::BY);
        Self {
            facts,
            options,
            group,
            refuters,
            checks_sharing,
            checks_publication,
            early: FastMap::default(),
            pairs: BTreeMap::new(),
            ways: FastMap::default(),
            cut: BTreeMap::new(),
            last: None,
            is_by_whole: false,
            by_whole: FastSet::default(),
            looks: 0,
            looks_of: FastMap::default(),
            passed: Vec::new(),
        }
    }

    pub fn judge(mut self) -> (Counts, Vec<PairResult<'j>>) {
        match self.group.place {
            Place::Static(_) => {
                let touch = self.all_entries();
                self.judge_touch(&touch, &[None]);
            }
            _ => {
                for (touch, objects) in self.objects_by_touch() {
                    let objects: Vec<Option<ObjectId>> = objects.into_iter().map(Some).collect();
                    self.judge_touch(&touch, &objects);
                }
            }
        }
        let limit = self.options.limits.ways;
        for (pair, object) in std::mem::take(&mut self.cut) {
            // A pair that no way has got anywhere with so far has no state.
            let state = self.pairs.get_mut(&pair);
            if state.as_ref().is_some_and(|state| state.stage == Stage::Racy) {
                continue;
            }
            self.passed.push(Passed { object, pairs: 1, limit: Limit::Ways(limit) });
            if let Some(state) = state {
                state.verdict = PairResult::Unexamined(*state.verdict.candidate());
            }
        }
        let mut counts = Counts { passed: self.passed, ..Counts::default() };
        for state in self.pairs.values() {
            counts.aliasing += 1;
            counts.escaping += u64::from(state.stage >= Stage::Escaping);
            counts.unlocked += u64::from(state.stage >= Stage::Unlocked);
            if let (Stage::Unlocked, PairResult::Refuted(refutation, _)) = (state.stage, &state.verdict) {
                *counts.refuted.entry(refutation.by).or_default() += 1;
            }
        }
        (counts, self.pairs.into_values().map(|state| state.verdict).collect())
    }

    /// All entries of a static field.
    fn all_entries(&self) -> Touch {
        let kind_of = |entry: &Entry| self.facts.accesses.all[entry.access].kind;
        (0..).zip(self.group.entries.iter().map(kind_of)).collect()
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
        let sites = sites_of(self.group, touch);
        let writes = sites.iter().filter(|site| site.kind == AccessKind::Write).count() as u64;
        let mut left = writes * (writes + 1) / 2 + writes * (sites.len() as u64 - writes);
        let mut racy = 0;
        for (first, second) in conflicting(&sites) {
            let pair = Pair {
                accesses: [first.access, second.access],
                entries: [&first.entries, &second.entries],
                objects,
            };
            match self.limit_reached(racy, objects) {
                None => racy += usize::from(self.judge_pair(&pair)),
                Some(_) if self.options.proofs_only => self.assume_race(&pair),
                Some(limit) => {
                    let object = objects.first().copied().flatten();
                    self.passed.push(Passed { object, pairs: left, limit });
                    return;
                }
            }
            left -= 1;
        }
    }

    /// The limit that was reached, if one was: after so many racy pairs on the objects, and so many looks.
    fn limit_reached(&mut self, racy: usize, objects: &[Option<ObjectId>]) -> Option<Limit> {
        let Limits { racy: most_racy, looks, looks_of_class, .. } = self.options.limits;
        if self.options.control.skips_judging() {
            return Some(Limit::Stopped);
        }
        if racy >= most_racy {
            return Some(Limit::Racy(most_racy));
        }
        let heap = &self.facts.view.analysis.heap;
        let class = objects.first().copied().flatten().map(|object| heap.get(object).ty);
        let of_class = self.looks_of.entry(class).or_default();
        *of_class += 1;
        (self.looks >= looks && *of_class > looks_of_class.min(looks)).then_some(Limit::Looks(looks))
    }

    /// Judges a pair; whether it races, or would but for the analyses of whole objects.
    fn judge_pair(&mut self, pair: &Pair<'_>) -> bool {
        if self.pairs.get(&pair.accesses).is_some_and(|state| state.stage == Stage::Racy) {
            return true;
        }
        self.looks += usize::from(!self.by_whole.contains(&pair.accesses));
        let mut ways = self.ways.get(&pair.accesses).copied().unwrap_or(0);
        self.is_by_whole = false;
        let judged = self.try_ways(pair, &mut ways);
        self.ways.insert(pair.accesses, ways);
        if self.is_by_whole {
            self.by_whole.insert(pair.accesses);
        }
        judged || self.by_whole.contains(&pair.accesses)
    }

    fn try_ways(&mut self, pair: &Pair<'_>, ways: &mut usize) -> bool {
        self.last = None;
        for &object in pair.objects {
            let mut depends_on_object = false;
            for ends in pair.ends(self.group) {
                if *ways > self.options.limits.ways {
                    if self.options.proofs_only {
                        self.assume_race(pair);
                        *ways = TOO_MANY;
                    } else {
                        self.cut.entry(pair.accesses).or_insert(object);
                    }
                    return self.options.proofs_only;
                }
                *ways += ends[0].threads.len() * ends[1].threads.len();
                if self.judge_entries(pair.accesses, ends, object, &mut depends_on_object) {
                    return true;
                }
            }
            if !depends_on_object && self.options.limits.shortcuts {
                return false;
            }
        }
        false
    }

    /// Takes a pair for racy without looking.
    fn assume_race(&mut self, pair: &Pair<'_>) {
        let many = |thread: ThreadId| self.facts.threads.all[thread].many;
        for [first, second] in pair.ends(self.group) {
            for (&a, &b) in first.threads.iter().flat_map(|a| second.threads.iter().map(move |b| (a, b))) {
                if a != b || many(a) {
                    let sides = [
                        Occurrence { access: first.access, instance: first.instance, thread: a },
                        Occurrence { access: second.access, instance: second.instance, thread: b },
                    ];
                    let object = pair.objects.first().copied().flatten();
                    let verdict = PairResult::Racy(Candidate { sides, object });
                    self.pairs.insert(pair.accesses, State { stage: Stage::Racy, verdict });
                    return;
                }
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
        let early = [first, second].map(|entry| self.threads_before_publication(entry, object));
        let is_late = |thread: &&ThreadId| early[1].binary_search(thread).is_err();
        let late: Vec<ThreadId> = second.threads.iter().filter(is_late).copied().collect();
        let mut is_early_told = false;
        let mut silent = Silent::default();
        for &a in &first.threads {
            let is_early = early[0].binary_search(&a).is_ok();
            let skips_early = is_early_told && self.options.limits.shortcuts;
            let others = match (skips_early, is_early) {
                (true, true) => continue,
                (true, false) => &late,
                (false, _) => &second.threads,
            };
            for &b in others {
                if a == b && !self.facts.threads.all[a].many {
                    continue;
                }
                if is_early || late.binary_search(&b).is_err() {
                    *depends_on_object = true;
                    if std::mem::replace(&mut is_early_told, true) && self.options.limits.shortcuts {
                        continue;
                    }
                }
                let sides = [
                    Occurrence { access: first.access, instance: first.instance, thread: a },
                    Occurrence { access: second.access, instance: second.instance, thread: b },
                ];
                let candidate = Candidate { sides, object };
                let (stage, refutation, rests_on) = self.try_refuters(&candidate, &mut silent);
                *depends_on_object |= rests_on.object;
                let verdict = match refutation {
                    None => PairResult::Racy(candidate),
                    Some(refutation) => PairResult::Refuted(refutation, candidate),
                };
                let known = self.pairs.get(&accesses).map(|state| state.stage);
                if known.is_none_or(|known| known < stage) {
                    self.pairs.insert(accesses, State { stage, verdict });
                }
                if stage == Stage::Racy || !rests_on.threads {
                    return stage == Stage::Racy;
                }
            }
        }
        false
    }

    /// The threads in which an entry comes before the object is published, in order.
    fn threads_before_publication(&mut self, entry: &Entry, object: Option<ObjectId>) -> Arc<[ThreadId]> {
        let facts = self.facts;
        let Some(object) = object.filter(|&object| {
            let is_proof = || facts.publication.plain_holders(object).is_empty();
            self.checks_publication && (!self.options.proofs_only || is_proof())
        }) else {
            return Arc::default();
        };
        let key = (entry.access, entry.instance, object);
        if let Some(known) = self.early.get(&key) {
            return known.clone();
        }
        let at = (entry.access, entry.instance);
        let selvedge_facts::Facts { view, threads, accesses, publication, .. } = &**facts;
        let early = publication.must_be_unpublished_in(view, threads, accesses, at, object);
        let early: Arc<[ThreadId]> =
            entry.threads.iter().copied().filter(|&thread| early.contains(thread)).collect();
        self.early.insert(key, early.clone());
        early
    }

    /// How far a candidate comes, what stops it, and what that rests on. Of the first way of a pair the answer is that of the first refuter that
    /// applies; for the others it only matters that there is one. Refuters that are `silent` are not asked again.
    fn try_refuters(
        &mut self,
        candidate: &Candidate,
        silent: &mut Silent,
    ) -> (Stage, Option<Refutation<'j>>, RestsOn) {
        if self.checks_sharing
            && !std::mem::replace(&mut silent.sharing, true)
            && let Some(refutation) = self.facts.escape.refute(self.facts.view, candidate)
        {
            return (Stage::Aliasing, Some(refutation), RestsOn { object: true, threads: false });
        }
        let is_last = |refuter: &&'static Refuter| self.last.is_some_and(|last| last.name == refuter.name);
        let (stages, others) =
            self.refuters.split_at(self.refuters.partition_point(|refuter| refuter.stage < Filter::After));
        let others = self.last.iter().chain(others.iter().filter(|refuter| !is_last(refuter)));
        for &refuter in stages.iter().chain(others) {
            if silent.refuters.contains(&refuter.name) {
                continue;
            }
            let refutation = refute(self.facts, self.options, refuter, candidate);
            let counts = |it: &Refutation<'_>| !self.options.proofs_only || it.strength == Strength::Proof;
            if let Some(refutation) = refutation.filter(counts) {
                let is_after = refuter.stage == Filter::After;
                let stage = if is_after { Stage::Unlocked } else { Stage::Escaping };
                let threads = refuter.depends_on_threads && !refutation.for_all_threads;
                let rests_on = RestsOn { object: refuter.depends_on_object, threads };
                if is_after {
                    self.last = Some(refuter);
                }
                self.is_by_whole |= OF_WHOLE_OBJECTS.contains(&refuter.name);
                return (stage, Some(refutation), rests_on);
            }
            if !refuter.depends_on_threads {
                silent.refuters.push(refuter.name);
            }
        }
        (Stage::Racy, None, RestsOn { object: false, threads: true })
    }
}
