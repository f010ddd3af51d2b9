//! The naive versions of two shortcuts, held against the fast ones on the small programs and on random ones.
//!
//! - *Owners.* [`selvedge_facts::Ownership`] leaves out edges to what the root knows, and finds dominators by a tree. Here the boundary of
//!   every object is found by its definition: what is not reached without the object, less what crosses its border, less what something
//!   outside refers to, until nothing changes.
//! - *Object races.* `objects/events.rs` lets one source stand for others, and `objects/meetings.rs` compares ways instead of events. Here
//!   every source makes events of its own, every two events on an object are compared, and every race on an owner is followed by itself.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_base::BitSet;
use selvedge_detect::Facts;
use selvedge_detect::objects::calls::{caller_counts, is_constructor};
use selvedge_detect::objects::locks::{LocksetId, Locksets};
use selvedge_detect::objects::{ObjectCalls, ObjectRaces, Passage, TupleId, What, is_own_state};
use selvedge_facts::{NodeId, Origin, ThreadId};
use selvedge_models::InThread;
use selvedge_pta::heap::ObjectId;
use selvedge_testkit::Sources;

use crate::random::{batch, seeds};
use crate::support::{load_or_skip, program_or_skip, with_facts};

/// Random programs that are analysed together.
const TOGETHER: u64 = 8;

/// The small programs.
const PROGRAMS: [&str; 7] = [
    "Warehouses",
    "WarehousesOpenCompany",
    "WarehousesSharedManager",
    "WarehousesLeakingStock",
    "AccountUnlocked",
    "OwnerGuardsParts",
    "OwnerLeaksParts",
];

/// Compares owners and boundaries, and returns how many objects are owned.
fn compare_owners(facts: &Facts<'_, '_>) -> usize {
    let ownership = facts.ownership();
    let graph = &ownership.graph;
    let successors: Vec<Vec<NodeId>> =
        graph.nodes().map(|node| graph.successors(node).iter().map(NodeId::of).collect()).collect();
    let index = |node: NodeId| selvedge_base::Id::index(node);
    let reached_without = |left_out: Option<NodeId>| {
        let mut seen: BitSet<NodeId> = [NodeId::ROOT].into_iter().collect();
        let mut pending = vec![NodeId::ROOT];
        while let Some(node) = pending.pop() {
            let next = successors[index(node)].iter().copied();
            pending.extend(next.filter(|&next| Some(next) != left_out && seen.insert(next)));
        }
        seen
    };
    let all = reached_without(None);
    let mut predecessors: Vec<Vec<NodeId>> = vec![Vec::new(); successors.len()];
    for node in all.iter() {
        successors[index(node)].iter().for_each(|&to| predecessors[index(to)].push(node));
    }
    let of_root: BitSet<NodeId> = successors[0].iter().copied().collect();
    let mut boundaries: BTreeMap<NodeId, BTreeSet<NodeId>> = BTreeMap::new();
    for node in all.iter().filter(|&node| node != NodeId::ROOT) {
        let Some(object) = node.object() else { continue };
        // The first on the way to what it dominates is dominated, too, so the root does not know it.
        if successors[index(node)].iter().all(|&to| to == node || of_root.contains(to)) {
            assert!(ownership.boundary(node).is_empty(), "{node:?}");
            continue;
        }
        let without = reached_without(Some(node));
        let mut inside: BTreeSet<NodeId> =
            all.iter().filter(|&other| other != node && !without.contains(other)).collect();
        if !facts.executions.is_single(object) {
            let crossing = graph.exchanged(node);
            inside.retain(|inner| !inner.object().is_some_and(|inner| crossing.contains(inner)));
            loop {
                let stays = |inner: &NodeId| {
                    predecessors[index(*inner)].iter().all(|from| *from == node || inside.contains(from))
                };
                let kept: BTreeSet<NodeId> = inside.iter().copied().filter(stays).collect();
                if kept.len() == inside.len() {
                    break;
                }
                inside = kept;
            }
        }
        let said: BTreeSet<NodeId> =
            ownership.boundary(node).iter().map(|&object| NodeId::of(object)).collect();
        assert_eq!(said, inside, "the boundary of {node:?}");
        if !inside.is_empty() {
            boundaries.insert(node, inside);
        }
    }
    let mut owned = 0;
    for node in all.iter() {
        let Some(object) = node.object() else { continue };
        // The owner is the one among them that all others hold.
        let above: Vec<NodeId> =
            boundaries.iter().filter(|(_, inside)| inside.contains(&node)).map(|(&above, _)| above).collect();
        let is_lowest =
            |&&low: &&NodeId| above.iter().all(|&high| high == low || !boundaries[&low].contains(&high));
        let lowest: Vec<NodeId> = above.iter().filter(is_lowest).copied().collect();
        match ownership.owner(object) {
            NodeId::ROOT => assert!(above.is_empty(), "{object:?} has the owners {above:?}"),
            owner => {
                assert!(lowest.contains(&owner), "{object:?} of {owner:?} has the owners {lowest:?}");
                owned += 1;
            }
        }
    }
    owned
}

/// An event of one source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Naive {
    object: ObjectId,
    what: What,
    locks: LocksetId,
    threads: Vec<ThreadId>,
    passage: Passage,
    source: Option<TupleId>,
}

struct Everything<'f, 'g, 'a> {
    facts: &'f Facts<'g, 'a>,
    calls: ObjectCalls,
    events: BTreeSet<Naive>,
}

impl Everything<'_, '_, '_> {
    fn threads(&self, a: TupleId, b: Option<TupleId>) -> Vec<ThreadId> {
        let of = &self.calls.threads;
        of[a].iter().filter(|&thread| b.is_none_or(|b| of[b].contains(thread))).collect()
    }

    fn find(&mut self) {
        let facts = self.facts;
        for (thread, data) in facts.threads.all.iter_ids() {
            let is_new = matches!(data.origin, Origin::Spawn { kind: InThread::New, .. });
            for &entry in &data.entries {
                let locks = self.calls.locksets.set_of_callee(facts, entry);
                for &tuple in &self.calls.of_instance[entry] {
                    let Some(object) = self.calls.tuples[tuple].0.object() else { continue };
                    let is_own = data.objects.is_empty() || data.objects.contains(&object);
                    if is_own && self.calls.threads[tuple].contains(thread) {
                        let is_itself = is_new && data.objects.contains(&object);
                        let passage = if is_itself { Passage::Itself } else { Passage::Open };
                        let (what, threads) = (What::Method(tuple), vec![thread]);
                        self.events.insert(Naive { object, what, locks, threads, passage, source: None });
                    }
                }
            }
        }
        for instance in facts.view.analysis.instances.ids() {
            for source in self.calls.of_instance[instance].clone() {
                self.add_calls(source, instance);
                self.add_uses(source, instance);
            }
        }
        self.go_on();
    }

    fn add_calls(&mut self, source: TupleId, instance: selvedge_pta::InstanceId) {
        let (facts, node) = (self.facts, self.calls.tuples[source].0);
        let outgoing = std::mem::take(&mut self.calls.outgoing[instance]);
        for call in outgoing.iter().filter(|call| !is_constructor(facts, call.callee)) {
            for &to in call.entered.iter().flatten() {
                let Some(object) = self.calls.tuples[to].0.object() else { continue };
                let counting = caller_counts(facts.ownership(), node, object).then_some(node);
                let locks = self.calls.locksets.set_at(&call.held, counting);
                let locks = self.calls.locksets.join(locks, call.own);
                self.add(source, object, What::Method(to), locks, self.threads(source, Some(to)));
            }
        }
        self.calls.outgoing[instance] = outgoing;
    }

    fn add_uses(&mut self, source: TupleId, instance: selvedge_pta::InstanceId) {
        let (facts, node) = (self.facts, self.calls.tuples[source].0);
        let Some(method) = facts.view.method_of(instance) else { return };
        for &access in facts.accesses.of_method(method) {
            let data = &facts.accesses.all[access];
            let Some(base) = data.base.filter(|_| !is_own_state(facts, access, instance)) else { continue };
            let held = facts.locks.at_call(facts.view, instance, Some(data.inst), Some(base));
            for object in facts.accesses.may_touch(facts.view, access, instance).iter() {
                if facts.accesses.kind_on(access, object).is_some() {
                    let counting = caller_counts(facts.ownership(), node, object).then_some(node);
                    let locks = self.calls.locksets.set_at(&held, counting);
                    let what = What::Use(access, instance);
                    self.add(source, object, what, locks, self.threads(source, None));
                }
            }
        }
    }

    fn add(
        &mut self,
        source: TupleId,
        object: ObjectId,
        what: What,
        locks: LocksetId,
        threads: Vec<ThreadId>,
    ) {
        if !threads.is_empty() {
            let is_open = self.facts.ownership().graph.is_reentrant(self.calls.tuples[source].0, object);
            let passage = if is_open { Passage::Open } else { Passage::Maker };
            self.events.insert(Naive { object, what, locks, threads, passage, source: Some(source) });
        }
    }

    /// Control that goes on within the object.
    fn go_on(&mut self) {
        let mut pending: Vec<Naive> = self.events.iter().cloned().collect();
        while let Some(event) = pending.pop() {
            let What::Method(tuple) = event.what else { continue };
            let (receiver, instance) = self.calls.tuples[tuple];
            let outgoing = std::mem::take(&mut self.calls.outgoing[instance]);
            for within in outgoing.iter().filter(|call| call.entered.is_none()) {
                let Some(to) = self.calls.tuple(receiver, within.callee) else { continue };
                let mut next = event.clone();
                next.what = What::Method(to);
                next.locks = self.calls.locksets.join(event.locks, within.within);
                next.threads.retain(|&thread| self.calls.threads[to].contains(thread));
                if !next.threads.is_empty() && self.events.insert(next.clone()) {
                    pending.push(next);
                }
            }
            self.calls.outgoing[instance] = outgoing;
        }
    }

    fn may_overlap(&self, locksets: &Locksets, a: &Naive, b: &Naive) -> bool {
        let is_many = |thread: ThreadId| self.facts.threads.all[thread].many;
        let mut pairs = a.threads.iter().flat_map(|&a| b.threads.iter().map(move |&b| (a, b)));
        (a.passage != b.passage || a.passage == Passage::Open)
            && pairs.any(|(a, b)| a != b || is_many(a))
            && locksets.common(a.locks, b.locks).is_none()
    }

    /// All races, as what happens to which object.
    fn races(&self) -> BTreeSet<(ObjectId, What, What)> {
        let ownership = self.facts.ownership();
        let mut on: BTreeMap<ObjectId, Vec<&Naive>> = BTreeMap::new();
        for event in &self.events {
            on.entry(event.object).or_default().push(event);
        }
        let mut found: BTreeSet<(ObjectId, What, What)> = BTreeSet::new();
        let mut pending: Vec<(ObjectId, What, What)> = Vec::new();
        for (&object, events) in on.iter().filter(|(object, _)| ownership.is_distributed(**object)) {
            self.compare(object, events, events, &mut found, &mut pending);
        }
        let mut inside: BTreeMap<(ObjectId, TupleId), Vec<&Naive>> = BTreeMap::new();
        while let Some((owner, a, b)) = pending.pop() {
            let (What::Method(m), What::Method(n)) = (a, b) else { continue };
            let owned: Vec<ObjectId> =
                on.keys().copied().filter(|&it| ownership.owner(it) == NodeId::of(owner)).collect();
            if owned.is_empty() {
                continue;
            }
            for tuple in [m, n] {
                inside.entry((owner, tuple)).or_insert_with(|| {
                    let reached = self.reached(owner, tuple);
                    let is_reached = |event: &&&Naive| event.source.is_some_and(|it| reached.contains(it));
                    owned.iter().flat_map(|object| on[object].iter().filter(is_reached)).copied().collect()
                });
            }
            for object in owned {
                let [first, second] = [m, n].map(|tuple| -> Vec<&Naive> {
                    inside[&(owner, tuple)].iter().filter(|event| event.object == object).copied().collect()
                });
                self.compare(object, &first, &second, &mut found, &mut pending);
            }
        }
        found
    }

    fn compare(
        &self,
        object: ObjectId,
        first: &[&Naive],
        second: &[&Naive],
        found: &mut BTreeSet<(ObjectId, What, What)>,
        pending: &mut Vec<(ObjectId, What, What)>,
    ) {
        for a in first {
            for b in second {
                let race = (object, a.what.min(b.what), a.what.max(b.what));
                if !found.contains(&race) && self.may_overlap(&self.calls.locksets, a, b) {
                    found.insert(race);
                    pending.push(race);
                }
            }
        }
    }

    /// The tuples of an owner, and of what it owns, to which a method of it leads without entering it anew.
    fn reached(&self, owner: ObjectId, start: TupleId) -> BitSet<TupleId> {
        let node = NodeId::of(owner);
        let mut seen: BitSet<TupleId> = [start].into_iter().collect();
        let mut pending = vec![start];
        while let Some(tuple) = pending.pop() {
            for edge in self.calls.edges(tuple) {
                let receiver = self.calls.tuples[edge.to].0;
                let is_own = receiver == node && edge.is_within;
                let is_owned =
                    receiver.object().is_some_and(|object| self.facts.ownership().is_inside(node, object));
                if (is_own || is_owned) && seen.insert(edge.to) {
                    pending.push(edge.to);
                }
            }
        }
        seen
    }
}

/// Compares the races, and returns how many there are.
fn compare_races(facts: &Facts<'_, '_>) -> usize {
    let mut naive = Everything { facts, calls: ObjectCalls::new(facts), events: BTreeSet::new() };
    naive.find();
    let expected = naive.races();
    let races = ObjectRaces::new(facts);
    let mut found: BTreeSet<(ObjectId, What, What)> = BTreeSet::new();
    for object in races.meetings.objects() {
        for (a, b) in races.on(facts, object) {
            let [a, b] = [a, b].map(|deed| races.meetings.deeds[deed].what);
            assert!(races.may_race(facts, object, a, b) && races.may_race(facts, object, b, a));
            found.insert((object, a.min(b), a.max(b)));
        }
    }
    // What is neither of the application nor accessed nor an owner of such is not looked at.
    let wanted: BTreeSet<ObjectId> = races.meetings.objects().collect();
    let expected: BTreeSet<_> = expected.into_iter().filter(|(object, ..)| wanted.contains(object)).collect();
    let missing: Vec<_> = expected.difference(&found).take(5).collect();
    let beyond: Vec<_> = found.difference(&expected).take(5).collect();
    assert!(missing.is_empty() && beyond.is_empty(), "missing: {missing:?}, too many: {beyond:?}");
    found.len()
}

#[test]
fn small_programs_have_the_owners_and_races_of_the_definitions() {
    let Some(program) = program_or_skip() else { return };
    for name in PROGRAMS {
        let races = with_facts(program, name, compare_races);
        println!("{name}: {races} races");
    }
    assert!(with_facts(program, PROGRAMS[0], compare_owners) > 0);
}

#[test]
fn random_programs_have_the_owners_and_races_of_the_definitions() {
    let seeds = seeds(16);
    let (mut owned, mut races) = (0, 0);
    for first in seeds.clone().step_by(TOGETHER as usize) {
        let sources = batch(first..(first + TOGETHER).min(seeds.end));
        let texts: Vec<(&str, &str)> =
            sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let Some(program) = load_or_skip(Sources::Texts(&texts)) else { return };
        with_facts(&program, "Batch", |facts| {
            owned += compare_owners(facts);
            races += compare_races(facts);
        });
    }
    println!("{} programs: {owned} owned objects, {races} races", seeds.end - seeds.start);
    assert!(owned > 100 && races > 100, "{owned} owned objects and {races} races are too few");
}
