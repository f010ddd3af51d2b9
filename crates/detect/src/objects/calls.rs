//! The call graph C over tuples of a receiver and a method (Milanova and Huang, section 2.2).
//!
//! A tuple `i.m` stands for the activations of `m` that run on behalf of an object of `i`; see [`selvedge_facts::ownership`] on whose
//! behalf code runs. An *entrance* of `k.n` from `i.m` stands for control that passes from an object of `i` to one of `k`, and is now in
//! `k.n`: either `i.m` called `k.n`, or it called another method of `k` that went on to `k.n` through `this`. So
//! entrances always lie between two objects, never inside one, even where `i` is `k`.
//!
//! Each entrance carries the [locks](super::locks) that are held on every way.
//!
//! While a constructor runs, its object is taken to be known to its thread alone: entrances *of construction* make no events. What
//! constructors do to other objects counts; but reports leave out what only constructors do, and so every tuple knows which threads
//! reach it otherwise. [`ObjectCalls::is_under_construction`] says where the assumption is made.
//!
//! Left out is what no thread reaches, class initialisers, and library code from which control never comes to the application. Calls
//! on library objects appear where the application makes them, as uses.

use std::collections::BTreeMap;

use selvedge_base::{BitSet, FastMap, IdVec, Worklist, entity};
use selvedge_facts::ownership::{NodeId, has_receiver, this_slot};
use selvedge_facts::{CallAt, CallLocks, GlobalLock, LockPath, Mode, Origin, Ownership, ThreadId};
use selvedge_ir::{Inst, Value};
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::Target;
use selvedge_pta::{InstanceId, RULE_CALL};

use super::locks::{Element, Lockset, LocksetId, Locksets};
use crate::Facts;

entity! {
    /// A receiver with an instance of a method.
    TupleId "u";
}

/// Where control comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// A thread starts here.
    Start(ThreadId),
    /// Another object's method calls.
    Call(TupleId),
}

/// How control comes to a tuple from a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entrance {
    /// The locks that are held on every such way.
    pub locks: LocksetId,
    /// A call by which the source enters the object; `None` where no instruction does.
    pub call: Option<Inst>,
    /// Whether the source calls this very method, and not only another that goes on to it through `this`.
    pub is_direct: bool,
    /// Whether all these ways lead through a constructor of the object.
    pub is_construction: bool,
}

/// A call from a tuple.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Who is called.
    pub to: TupleId,
    /// By which instruction.
    pub call: Option<Inst>,
    /// Whether control stays on behalf of the same object.
    pub is_within: bool,
    locks: LocksetId,
}

/// See the [module documentation](self).
pub struct ObjectCalls {
    /// The receiver and the instance of each tuple.
    pub tuples: IdVec<TupleId, (NodeId, InstanceId)>,
    ids: FastMap<(NodeId, InstanceId), TupleId>,
    /// What each tuple calls.
    pub edges: IdVec<TupleId, Vec<Edge>>,
    /// How control comes to each tuple.
    pub entrances: IdVec<TupleId, BTreeMap<Source, Entrance>>,
    /// The threads that may execute each tuple.
    pub threads: IdVec<TupleId, BitSet<ThreadId>>,
    /// The threads that may execute each tuple outside of constructors.
    pub late: IdVec<TupleId, BitSet<ThreadId>>,
    /// What may run on behalf of an object, or of what it owns, while its constructor runs.
    constructing: BitSet<TupleId>,
    /// The locksets of entrances and uses.
    pub locksets: Locksets,
}

impl ObjectCalls {
    /// Builds the graph.
    pub fn new(facts: &Facts<'_, '_>) -> Self {
        let calls = Self {
            tuples: IdVec::new(),
            ids: FastMap::default(),
            edges: IdVec::new(),
            entrances: IdVec::new(),
            threads: IdVec::new(),
            late: IdVec::new(),
            constructing: BitSet::new(),
            locksets: Locksets::default(),
        };
        let relevant = leads_to_application(facts);
        let mut builder = Builder {
            facts,
            calls,
            relevant,
            work: Worklist::new(),
            visited: BitSet::new(),
            sites: FastMap::default(),
        };
        builder.add_starts();
        while let Some(tuple) = builder.work.pop() {
            builder.visit(tuple);
        }
        let mut calls = builder.calls;
        calls.enter(facts);
        calls.find_construction(facts);
        calls
    }

    /// The tuple of a receiver and an instance, if control may get there.
    pub fn tuple(&self, receiver: NodeId, instance: InstanceId) -> Option<TupleId> {
        self.ids.get(&(receiver, instance)).copied()
    }

    /// How many entrances there are.
    pub fn entrance_count(&self) -> usize {
        self.entrances.iter().map(BTreeMap::len).sum()
    }

    /// The threads that may use an entrance, and those that do so outside of constructors.
    pub fn threads_of(&self, source: Source, tuple: TupleId) -> [BitSet<ThreadId>; 2] {
        [&self.threads, &self.late].map(|threads| match source {
            Source::Start(thread) => [thread].into_iter().collect(),
            Source::Call(caller) => {
                let mut both = threads[caller].clone();
                both.intersect_with(&threads[tuple]);
                both
            }
        })
    }

    /// Whether a tuple may run while a constructor of its receiver, or of an owner of its receiver, does.
    pub fn is_under_construction(&self, tuple: TupleId) -> bool {
        self.constructing.contains(tuple)
    }

    fn find_construction(&mut self, facts: &Facts<'_, '_>) {
        let mut constructors: BTreeMap<NodeId, Vec<TupleId>> = BTreeMap::new();
        for (tuple, &(receiver, instance)) in self.tuples.iter_ids() {
            if is_constructor(facts, instance) {
                constructors.entry(receiver).or_default().push(tuple);
            }
        }
        for (node, mut pending) in constructors {
            let mut seen: BitSet<TupleId> = pending.iter().copied().collect();
            while let Some(tuple) = pending.pop() {
                for edge in &self.edges[tuple] {
                    let receiver = self.tuples[edge.to].0;
                    let is_inside = receiver == node
                        || receiver.object().is_some_and(|object| facts.ownership().is_inside(node, object));
                    if is_inside && seen.insert(edge.to) {
                        pending.push(edge.to);
                    }
                }
            }
            self.constructing.union_with(&seen);
        }
    }

    /// Finds the entrances: calls between objects make them, calls within an object pass them on.
    fn enter(&mut self, facts: &Facts<'_, '_>) {
        let mut work = Worklist::new();
        let entries: IdVec<ThreadId, BitSet<InstanceId>> =
            facts.threads.all.iter().map(|thread| thread.entries.iter().copied().collect()).collect();
        for tuple in self.tuples.ids() {
            let (receiver, instance) = self.tuples[tuple];
            let own = self.locksets.set_of_callee(facts, instance);
            for thread in self.threads[tuple].iter().filter(|&thread| entries[thread].contains(instance)) {
                let starts = &facts.threads.all[thread];
                let is_own = receiver
                    .object()
                    .is_none_or(|object| starts.objects.is_empty() || starts.objects.contains(&object));
                if is_own {
                    let entrance =
                        Entrance { locks: own, call: None, is_direct: true, is_construction: false };
                    self.entrances[tuple].insert(Source::Start(thread), entrance);
                    work.push(tuple);
                }
            }
        }
        for tuple in self.tuples.ids() {
            for edge in self.edges[tuple].clone() {
                if !edge.is_within {
                    let is_construction = is_constructor(facts, self.tuples[edge.to].1);
                    let entrance =
                        Entrance { locks: edge.locks, call: edge.call, is_direct: true, is_construction };
                    self.add_entrance(edge.to, Source::Call(tuple), entrance);
                    work.push(edge.to);
                }
            }
        }
        while let Some(tuple) = work.pop() {
            let within: Vec<Edge> = self.edges[tuple].iter().filter(|edge| edge.is_within).copied().collect();
            if within.is_empty() {
                continue;
            }
            let known: Vec<(Source, Entrance)> =
                self.entrances[tuple].iter().map(|(&source, &entrance)| (source, entrance)).collect();
            for edge in within {
                for &(source, entrance) in &known {
                    let locks = self.locksets.join(entrance.locks, edge.locks);
                    let passed = Entrance { locks, is_direct: false, ..entrance };
                    if self.add_entrance(edge.to, source, passed) {
                        work.push(edge.to);
                    }
                }
            }
        }
    }

    /// Whether that changed anything.
    fn add_entrance(&mut self, tuple: TupleId, source: Source, new: Entrance) -> bool {
        let Some(known) = self.entrances[tuple].get_mut(&source) else {
            self.entrances[tuple].insert(source, new);
            return true;
        };
        let locks = self.locksets.meet(known.locks, new.locks);
        let is_construction = known.is_construction && new.is_construction;
        let changed = (locks, is_construction) != (known.locks, known.is_construction);
        (known.locks, known.is_construction) = (locks, is_construction);
        known.is_direct |= new.is_direct;
        changed
    }
}

impl Locksets {
    /// What the callee itself locks on entry.
    fn set_of_callee(&mut self, facts: &Facts<'_, '_>, callee: InstanceId) -> LocksetId {
        let Some(method) = facts.view.method_of(callee) else { return Self::NONE };
        let data = &facts.view.program.methods[method];
        if !data.is_synchronized() {
            return Self::NONE;
        }
        let element = match data.is_static() {
            true => Element::Global(GlobalLock::class(facts.view.program.classes[data.class].name)),
            false => Element::Target(LockPath::monitor()),
        };
        let element = self.element(element);
        self.set(vec![(element, Mode::Exclusive)])
    }

    /// The locks that are held where an object is entered or used: `at` says which are held there, `target` what is used.
    pub fn set_at(
        &mut self,
        ownership: &Ownership,
        at: &CallLocks,
        source: NodeId,
        target: ObjectId,
    ) -> LocksetId {
        let counts = !ownership.graph.is_flow(source, target) || ownership.is_inside(source, target);
        let sources = at.of_caller.iter().filter(|_| counts && source != NodeId::ROOT);
        let elements = (at.global.iter().map(|(lock, mode)| (Element::Global(lock.clone()), *mode)))
            .chain(at.of_receiver.iter().map(|(path, mode)| (Element::Target(path.clone()), *mode)))
            .chain(sources.map(|(path, mode)| (Element::Source(source, path.clone()), *mode)));
        let elements: Vec<(Element, Mode)> = elements.collect();
        let locks: Lockset =
            elements.into_iter().map(|(element, mode)| (self.element(element), mode)).collect();
        self.set(locks)
    }

    /// The locks that are held where control goes on within an object.
    fn set_within(&mut self, at: &CallLocks) -> LocksetId {
        let elements = (at.global.iter().map(|(lock, mode)| (Element::Global(lock.clone()), *mode)))
            .chain(at.of_caller.iter().map(|(path, mode)| (Element::Target(path.clone()), *mode)));
        let elements: Vec<(Element, Mode)> = elements.collect();
        let locks: Lockset =
            elements.into_iter().map(|(element, mode)| (self.element(element), mode)).collect();
        self.set(locks)
    }
}

/// Whether an instance is one of a constructor.
pub fn is_constructor(facts: &Facts<'_, '_>, instance: InstanceId) -> bool {
    facts.view.method_of(instance).is_some_and(|method| facts.view.program.methods[method].is_constructor())
}

/// The instances of the application that threads execute, and those that may call some, directly or not.
pub fn leads_to_application(facts: &Facts<'_, '_>) -> BitSet<InstanceId> {
    let mut callers: FastMap<InstanceId, Vec<InstanceId>> = FastMap::default();
    let mut found: BitSet<InstanceId> = BitSet::new();
    let mut work = Worklist::new();
    for instance in facts.view.analysis.instances.ids() {
        if facts.threads.may_execute(instance).is_empty() {
            continue;
        }
        if facts.view.is_application_instance(instance) {
            found.insert(instance);
            work.push(instance);
        }
        for &callee in facts.view.calls(instance).flat_map(|call| call.callees) {
            if facts.threads.is_call(facts.view, instance, callee) {
                callers.entry(callee).or_default().push(instance);
            }
        }
    }
    while let Some(instance) = work.pop() {
        for &caller in callers.get(&instance).into_iter().flatten() {
            if found.insert(caller) {
                work.push(caller);
            }
        }
    }
    found
}

struct Builder<'b, 'g, 'a> {
    facts: &'b Facts<'g, 'a>,
    calls: ObjectCalls,
    relevant: BitSet<InstanceId>,
    work: Worklist<TupleId>,
    visited: BitSet<TupleId>,
    /// The locks at each call.
    sites: FastMap<(InstanceId, u32), CallLocks>,
}

impl Builder<'_, '_, '_> {
    fn add_starts(&mut self) {
        for (thread, data) in self.facts.threads.all.iter_ids() {
            if data.origin == Origin::Initializers {
                continue;
            }
            for &entry in &data.entries {
                let receivers: Vec<NodeId> =
                    self.facts.ownership().graph.on_behalf_of(entry).iter().collect();
                for receiver in receivers {
                    let is_own = receiver
                        .object()
                        .is_none_or(|object| data.objects.is_empty() || data.objects.contains(&object));
                    if is_own && self.relevant.contains(entry) {
                        let tuple = self.tuple(receiver, entry);
                        let is_new = self.calls.threads[tuple].insert(thread);
                        if self.calls.late[tuple].insert(thread) || is_new {
                            self.work.push(tuple);
                        }
                    }
                }
            }
        }
    }

    fn tuple(&mut self, receiver: NodeId, instance: InstanceId) -> TupleId {
        if let Some(&id) = self.calls.ids.get(&(receiver, instance)) {
            return id;
        }
        let id = self.calls.tuples.push((receiver, instance));
        self.calls.ids.insert((receiver, instance), id);
        self.calls.edges.push(Vec::new());
        self.calls.entrances.push(BTreeMap::new());
        self.calls.threads.push(BitSet::new());
        self.calls.late.push(BitSet::new());
        id
    }

    /// Finds the calls of a tuple when it is new, and passes its threads on.
    fn visit(&mut self, tuple: TupleId) {
        if self.visited.insert(tuple) {
            self.add_edges(tuple);
        }
        let (threads, late) = (self.calls.threads[tuple].clone(), self.calls.late[tuple].clone());
        for number in 0..self.calls.edges[tuple].len() {
            let to = self.calls.edges[tuple][number].to;
            let (_, callee) = self.calls.tuples[to];
            let is_late = !is_constructor(self.facts, callee);
            let mut changed = false;
            for thread in threads.iter().filter(|&thread| self.facts.threads.reached[thread].contains(callee))
            {
                changed |= self.calls.threads[to].insert(thread);
                changed |= is_late && late.contains(thread) && self.calls.late[to].insert(thread);
            }
            if changed {
                self.work.push(to);
            }
        }
    }

    fn add_edges(&mut self, tuple: TupleId) {
        let facts = self.facts;
        let (receiver, instance) = self.calls.tuples[tuple];
        let calls: Vec<CallAt<'_>> = facts.view.calls(instance).collect();
        for call in calls {
            let counting = call.callees.iter().copied();
            let callees: Vec<InstanceId> = counting
                .filter(|&callee| {
                    self.relevant.contains(callee) && facts.threads.is_call(facts.view, instance, callee)
                })
                .collect();
            if !callees.is_empty() {
                self.add_call(tuple, receiver, instance, &call, &callees);
            }
        }
    }

    fn add_call(
        &mut self,
        tuple: TupleId,
        receiver: NodeId,
        instance: InstanceId,
        call: &CallAt<'_>,
        callees: &[InstanceId],
    ) {
        let facts = self.facts;
        let analysis = facts.view.analysis;
        let summary = analysis.summary(analysis.instances[instance].procedure);
        let this = summary.and_then(|summary| this_slot(facts.view, instance, summary));
        let data = summary.and_then(|summary| summary.calls.get(call.number as usize));
        let data = data.filter(|_| call.number != RULE_CALL);
        let receiving = data.and_then(|data| match data.target {
            Target::Static(_) | Target::Unknown(_) => None,
            _ => data.arguments.first().copied().flatten(),
        });
        let locks = self.locks_at(instance, call);
        for &callee in callees {
            let own = self.calls.locksets.set_of_callee(facts, callee);
            let theirs = analysis.parameter_points_to(callee, 0);
            if !has_receiver(facts.view, callee) || (receiving.is_some() && receiving == this) {
                let is_possible = !has_receiver(facts.view, callee)
                    || receiver.object().is_some_and(|object| theirs.contains(object));
                if is_possible {
                    let within = self.calls.locksets.set_within(&locks);
                    let locks = self.calls.locksets.join(within, own);
                    let to = self.tuple(receiver, callee);
                    let edge = Edge { to, call: call.inst, is_within: true, locks };
                    self.calls.edges[tuple].push(edge);
                }
                continue;
            }
            let passed = receiving.map(|slot| analysis.slot_points_to(instance, slot));
            for object in theirs.iter().filter(|&object| passed.is_none_or(|set| set.contains(object))) {
                let held = self.calls.locksets.set_at(facts.ownership(), &locks, receiver, object);
                let locks = self.calls.locksets.join(held, own);
                let to = self.tuple(NodeId::of(object), callee);
                self.calls.edges[tuple].push(Edge { to, call: call.inst, is_within: false, locks });
            }
        }
    }

    fn locks_at(&mut self, instance: InstanceId, call: &CallAt<'_>) -> CallLocks {
        if let Some(known) = self.sites.get(&(instance, call.number)) {
            return known.clone();
        }
        let view = self.facts.view;
        let receiver: Option<Value> =
            call.inst.and_then(|inst| view.body(instance)?.args(inst).first().copied());
        let locks = self.facts.locks.at_call(view, instance, call.inst, receiver);
        self.sites.insert((instance, call.number), locks.clone());
        locks
    }
}
