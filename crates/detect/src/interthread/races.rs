//! The static datarace set: every pair of accesses that IsMayRace.
//!
//! Accesses to one kind of place are put into *classes* by what the conditions look at: kind, thread, locks, objects. Each two
//! classes are compared once, whatever the number of accesses in them.
//!
//! An access of a class initialiser to a static field of its own class is in no pair: other threads wait until the class is initialised. The
//! initialisers' other accesses count like those of any thread.

use std::collections::BTreeMap;

use rayon::prelude::*;
use selvedge_base::{BitSet, FastMap, HybridSet, Lattice};
use selvedge_facts::{AccessId, AccessKind, Candidate, Occurrence, Place};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use super::graph::CallGraph;
use super::must::{Must, MustLocks, Runner, must_thread};
use crate::Facts;
use crate::pairs::by_place;

/// How many pairs of a location are kept as examples.
pub const EXAMPLES: usize = 20;

/// How many contexts of an access are tried for an example.
const TRIED: usize = 16;

/// See the [module documentation](self).
#[derive(Default)]
pub struct RaceSet {
    /// The pairs that may race, in order; the lower access comes first.
    pub pairs: Vec<[AccessId; 2]>,
    /// The accesses in some pair.
    pub sites: BitSet<AccessId>,
    /// Some pairs of each location, and how they may happen.
    pub examples: Vec<Candidate>,
    /// Accesses that threads reach.
    pub reached_sites: u64,
    /// Pairs that may conflict (AccMayConflict).
    pub conflicting: u64,
    /// Of these, pairs that one thread always makes (MustSameThread).
    pub same_thread: u64,
    /// Of the rest, pairs that always hold a common lock (MustCommonSync).
    pub common_sync: u64,
    /// Of the rest, pairs on objects that never leave their thread.
    pub thread_local: u64,
    /// Of the rest, pairs on thread-specific fields and objects.
    pub thread_specific: u64,
}

impl RaceSet {
    /// Finds the pairs.
    pub fn new(facts: &Facts<'_, '_>, graph: &CallGraph, must: &Must) -> Self {
        let groups = by_place(facts);
        let found: Vec<Self> = groups
            .par_iter()
            .with_max_len(1)
            .map(|(place, accesses)| {
                let classes = Classes::new(facts, graph, must, *place, accesses);
                classes.compare(facts)
            })
            .collect();
        let mut all = Self::default();
        for one in found {
            all.pairs.extend(one.pairs);
            all.sites.union_with(&one.sites);
            all.examples.extend(one.examples);
            all.reached_sites += one.reached_sites;
            all.conflicting += one.conflicting;
            all.same_thread += one.same_thread;
            all.common_sync += one.common_sync;
            all.thread_local += one.thread_local;
            all.thread_specific += one.thread_specific;
        }
        all.pairs.sort_unstable();
        all
    }

    /// Whether two accesses may race.
    pub fn contains(&self, accesses: [AccessId; 2]) -> bool {
        let [a, b] = accesses;
        self.pairs.binary_search(&[a.min(b), a.max(b)]).is_ok()
    }
}

/// How far a pair comes; the order is that in which the conditions are asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    SameThread,
    CommonSync,
    ThreadLocal,
    ThreadSpecific,
    Racy(Option<ObjectId>),
}

/// What the conditions look at.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Labels {
    kind: AccessKind,
    thread: Option<Runner>,
    locks: MustLocks,
    /// Whether only threads that others start make it.
    is_by_workers: bool,
}

/// Accesses that are alike.
struct Class {
    labels: Labels,
    /// The objects that they may touch; none for static fields.
    objects: HybridSet<ObjectId>,
    accesses: Vec<(AccessId, Vec<InstanceId>)>,
}

/// The accesses to one kind of place.
struct Classes {
    place: Place,
    all: Vec<Class>,
    /// The classes that each access is in, as it is made in different contexts.
    of_access: BTreeMap<AccessId, Vec<usize>>,
}

impl Classes {
    fn new(
        facts: &Facts<'_, '_>,
        graph: &CallGraph,
        must: &Must,
        place: Place,
        accesses: &[AccessId],
    ) -> Self {
        let mut classes = Self { place, all: Vec::new(), of_access: BTreeMap::new() };
        let mut known: FastMap<(Labels, Vec<ObjectId>), usize> = FastMap::default();
        for &access in accesses.iter().filter(|&&access| !initializes_own_class(facts, access)) {
            let mut found: FastMap<Labels, usize> = FastMap::default();
            let mut events: Vec<(Labels, HybridSet<ObjectId>, Vec<InstanceId>)> = Vec::new();
            for &instance in facts.view.analysis.instances_of(facts.accesses.all[access].method) {
                for (labels, objects) in events_of(facts, graph, must, access, instance) {
                    let position = *found.entry(labels.clone()).or_insert_with(|| {
                        events.push((labels, HybridSet::default(), Vec::new()));
                        events.len() - 1
                    });
                    events[position].1.union_with(&objects);
                    events[position].2.push(instance);
                }
            }
            for (labels, objects, instances) in events {
                let key = (labels, objects.iter().collect::<Vec<ObjectId>>());
                let position = *known.entry(key).or_insert_with_key(|(labels, _)| {
                    classes.all.push(Class { labels: labels.clone(), objects, accesses: Vec::new() });
                    classes.all.len() - 1
                });
                classes.all[position].accesses.push((access, instances));
                classes.of_access.entry(access).or_default().push(position);
            }
        }
        classes
    }

    fn compare(&self, facts: &Facts<'_, '_>) -> RaceSet {
        let mut found = RaceSet { reached_sites: self.of_access.len() as u64, ..RaceSet::default() };
        let mut compared: FastMap<[usize; 2], Option<Outcome>> = FastMap::default();
        let mut examples: BTreeMap<Option<ObjectId>, usize> = BTreeMap::new();
        for (&access, own) in &self.of_access {
            let mut row: BTreeMap<AccessId, (Outcome, [usize; 2])> = BTreeMap::new();
            for (&first, second) in
                own.iter().flat_map(|first| (0..self.all.len()).map(move |it| (first, it)))
            {
                let key = [first.min(second), first.max(second)];
                let outcome = *compared.entry(key).or_insert_with(|| self.outcome(facts, key));
                let Some(outcome) = outcome else { continue };
                let others = self.all[second].accesses.iter().map(|(other, _)| *other);
                for other in others.filter(|&other| other >= access) {
                    let known = row.entry(other).or_insert((outcome, [first, second]));
                    if known.0 < outcome {
                        *known = (outcome, [first, second]);
                    }
                }
            }
            for (other, (outcome, classes)) in row {
                found.conflicting += 1;
                match outcome {
                    Outcome::SameThread => found.same_thread += 1,
                    Outcome::CommonSync => found.common_sync += 1,
                    Outcome::ThreadLocal => found.thread_local += 1,
                    Outcome::ThreadSpecific => found.thread_specific += 1,
                    Outcome::Racy(object) => {
                        found.pairs.push([access, other]);
                        found.sites.insert(access);
                        found.sites.insert(other);
                        let is_field = matches!(self.place, Place::Field(_) | Place::Static(_));
                        let count = examples.entry(object.filter(|_| !is_field)).or_default();
                        if *count < EXAMPLES
                            && let Some(example) = self.example(facts, [access, other], classes, object)
                        {
                            *count += 1;
                            found.examples.push(example);
                        }
                    }
                }
            }
        }
        found
    }

    /// How far pairs of two classes come; `None` if they do not conflict.
    fn outcome(&self, facts: &Facts<'_, '_>, [first, second]: [usize; 2]) -> Option<Outcome> {
        let [a, b] = [&self.all[first], &self.all[second]];
        let is_static = matches!(self.place, Place::Static(_));
        if a.labels.kind.max(b.labels.kind) == AccessKind::Read
            || !is_static && !a.objects.intersects(&b.objects)
        {
            return None;
        }
        if a.labels.thread.is_some() && a.labels.thread == b.labels.thread {
            return Some(Outcome::SameThread);
        }
        if a.labels.locks.have_common(&b.labels.locks) {
            return Some(Outcome::CommonSync);
        }
        if is_static {
            return Some(Outcome::Racy(None));
        }
        let are_workers = a.labels.is_by_workers && b.labels.is_by_workers;
        let common = a.objects.intersection(&b.objects);
        let mut furthest = None;
        for object in common.iter() {
            let outcome = self.outcome_on(facts, object, are_workers);
            if matches!(outcome, Outcome::Racy(_)) {
                return Some(outcome);
            }
            furthest = furthest.max(Some(outcome));
        }
        furthest
    }

    fn outcome_on(&self, facts: &Facts<'_, '_>, object: ObjectId, are_workers: bool) -> Outcome {
        if !facts.escape.may_be_shared(object) {
            return Outcome::ThreadLocal;
        }
        let is_specific = facts.confinement.must_be_confined(object)
            || are_workers && facts.confinement.must_be_specific(object)
            || facts.thread_specific().orders(self.place, object);
        if is_specific { Outcome::ThreadSpecific } else { Outcome::Racy(Some(object)) }
    }

    /// A way in which two accesses may happen in two threads.
    fn example(
        &self,
        facts: &Facts<'_, '_>,
        accesses: [AccessId; 2],
        classes: [usize; 2],
        object: Option<ObjectId>,
    ) -> Option<Candidate> {
        let occurrences = |side: usize| {
            let access = accesses[side];
            let class = &self.all[classes[side]].accesses;
            let found = class.binary_search_by_key(&access, |(access, _)| *access);
            let instances = found.map_or(&[][..], |position| &class[position].1);
            let touches = move |instance: &&InstanceId| {
                let touched = facts.accesses.may_touch(facts.view, access, **instance);
                object.is_none_or(|object| touched.contains(object))
            };
            instances.iter().filter(touches).take(TRIED).flat_map(move |&instance| {
                let threads = facts.threads.may_execute(instance).iter();
                threads.map(move |&thread| Occurrence { access, instance, thread })
            })
        };
        let is_parallel = |[a, b]: &[Occurrence; 2]| a.thread != b.thread || facts.threads.all[a.thread].many;
        let sides = occurrences(0).flat_map(|first| occurrences(1).map(move |second| [first, second]));
        sides.into_iter().find(is_parallel).map(|sides| Candidate { sides, object })
    }
}

/// Whether an access is one of a class initialiser to a static field of its class.
fn initializes_own_class(facts: &Facts<'_, '_>, access: AccessId) -> bool {
    let access = &facts.accesses.all[access];
    let program = facts.view.program;
    let method = &program.methods[access.method];
    matches!(access.place, Place::Static(field) if program.fields[field].class == method.class)
        && method.is_class_initializer()
}

/// What the conditions look at for an access in an instance, and the objects that it may touch; a call may do different things to
/// different objects.
fn events_of(
    facts: &Facts<'_, '_>,
    graph: &CallGraph,
    must: &Must,
    access: AccessId,
    instance: InstanceId,
) -> Vec<(Labels, HybridSet<ObjectId>)> {
    let threads = facts.threads.may_execute(instance);
    let data = &facts.accesses.all[access];
    let held = graph.node_at(facts, instance, data.inst).and_then(|node| must.sync(node));
    let Some(mut locks) = held.cloned().filter(|_| !threads.is_empty()) else { return Vec::new() };
    let inside = locks_within(facts, graph, must, access, instance);
    inside.objects().iter().for_each(|&lock| locks.insert(lock));
    let labels = |kind: AccessKind| Labels {
        kind,
        thread: must_thread(facts, instance),
        locks: locks.clone(),
        is_by_workers: threads.iter().all(|&thread| facts.confinement.is_worker(thread)),
    };
    let touched = facts.accesses.may_touch(facts.view, access, instance);
    if matches!(data.place, Place::Static(_)) || !data.by_call {
        return vec![(labels(data.kind), touched.clone())];
    }
    let of_kind = |kind: AccessKind| {
        let mut objects = HybridSet::default();
        for object in touched.iter().filter(|&object| facts.accesses.kind_on(access, object) == Some(kind)) {
            objects.insert(object);
        }
        (labels(kind), objects)
    };
    let events = [AccessKind::Read, AccessKind::Write].map(of_kind);
    events.into_iter().filter(|(_, objects)| !objects.is_empty()).collect()
}

/// The locks that library code holds wherever it makes an access for a call of the application.
fn locks_within(
    facts: &Facts<'_, '_>,
    graph: &CallGraph,
    must: &Must,
    access: AccessId,
    instance: InstanceId,
) -> MustLocks {
    let mut common: Option<MustLocks> = None;
    for within in facts.accesses.within(access, instance) {
        let node = graph.node_at(facts, within.instance, within.inst).or(graph.method(within.instance));
        let Some(held) = node.and_then(|node| must.sync(node)) else { return MustLocks::default() };
        match &mut common {
            Some(common) => {
                held.join_into(common);
            }
            None => common = Some(held.clone()),
        }
    }
    common.unwrap_or_default()
}
