//! The call graph C over tuples of a receiver and a method (Milanova and Huang, section 2.2).
//!
//! A tuple `i.m` stands for the activations of `m` that run on behalf of an object of `i`; see [`selvedge_facts::ownership`] on whose
//! behalf code runs. A call either stays *within* the object (through `this`, or of static code), or enters another one.
//!
//! Which objects a call enters does not depend on whom its code runs for, so it is kept once for all receivers: programs have
//! very many tuples, and most of those of a method differ in nothing else. Threads are handed on the same way.
//!
//! While a constructor runs, its object is assumed to be known to its thread alone. What constructors do to other objects counts; but
//! reports leave out what only constructors do, and so every tuple knows which threads reach it otherwise.
//! [`ObjectCalls::is_under_construction`] says where the assumption is made.
//!
//! Left out is what no thread reaches, class initialisers, and library code from which control never comes to the application. Calls
//! on library objects appear where the application makes them, as uses.

use std::collections::BTreeMap;
use std::sync::Arc;

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

/// A call of an instance, whomever it runs for.
pub struct Outgoing {
    /// By which instruction.
    pub call: Option<Inst>,
    /// What is called.
    pub callee: InstanceId,
    /// What is entered; `None` where control stays with the same object.
    pub entered: Option<Vec<TupleId>>,
    /// The locks that are held there.
    pub held: Arc<CallLocks>,
    /// The locks that the callee takes itself.
    pub own: LocksetId,
    /// All of them, as seen from the object that control stays with.
    pub within: LocksetId,
}

/// A call from a tuple.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Who is called.
    pub to: TupleId,
    /// Whether control stays on behalf of the same object.
    pub is_within: bool,
}

/// See the [module documentation](self).
pub struct ObjectCalls {
    /// The receiver and the instance of each tuple.
    pub tuples: IdVec<TupleId, (NodeId, InstanceId)>,
    ids: FastMap<(NodeId, InstanceId), TupleId>,
    /// The tuples of each instance.
    pub of_instance: IdVec<InstanceId, Vec<TupleId>>,
    /// What each instance calls.
    pub outgoing: IdVec<InstanceId, Vec<Outgoing>>,
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
        let count = facts.view.analysis.instances.len();
        let calls = Self {
            tuples: IdVec::new(),
            ids: FastMap::default(),
            of_instance: (0..count).map(|_| Vec::new()).collect(),
            outgoing: (0..count).map(|_| Vec::new()).collect(),
            threads: IdVec::new(),
            late: IdVec::new(),
            constructing: BitSet::new(),
            locksets: Locksets::default(),
        };
        let mut executing: IdVec<InstanceId, BitSet<ThreadId>> = IdVec::filled(BitSet::new(), count);
        for (thread, reached) in facts.threads.reached.iter_ids() {
            reached.iter().for_each(|instance| {
                executing[instance].insert(thread);
            });
        }
        let mut builder = Builder {
            facts,
            calls,
            relevant: leads_to_application(facts),
            executing,
            work: Worklist::new(),
            visited: BitSet::new(),
            entered: BitSet::new(),
            gathered: IdVec::filled([BitSet::new(), BitSet::new()], count),
        };
        builder.add_starts();
        while let Some(tuple) = builder.work.pop() {
            builder.visit(tuple);
        }
        let mut calls = builder.calls;
        calls.find_construction(facts);
        calls
    }

    /// The tuple of a receiver and an instance, if control may get there.
    pub fn tuple(&self, receiver: NodeId, instance: InstanceId) -> Option<TupleId> {
        self.ids.get(&(receiver, instance)).copied()
    }

    /// The calls from a tuple.
    pub fn edges(&self, tuple: TupleId) -> impl Iterator<Item = Edge> {
        let (receiver, instance) = self.tuples[tuple];
        self.outgoing[instance].iter().flat_map(move |outgoing| {
            let entered = outgoing.entered.iter().flatten().map(|&to| Edge { to, is_within: false });
            let within =
                if outgoing.entered.is_none() { self.tuple(receiver, outgoing.callee) } else { None };
            entered.chain(within.map(|to| Edge { to, is_within: true }))
        })
    }

    /// The calls from a tuple that stay with an object, or with what it owns.
    pub fn edges_inside(&self, ownership: &Ownership, tuple: TupleId, owner: NodeId) -> Vec<TupleId> {
        let (receiver, instance) = self.tuples[tuple];
        let owns_some = !ownership.boundary(owner).is_empty();
        let mut found = Vec::new();
        for outgoing in &self.outgoing[instance] {
            match &outgoing.entered {
                None => found.extend(self.tuple(receiver, outgoing.callee)),
                Some(entered) if owns_some => found.extend(entered.iter().copied().filter(|&to| {
                    let receiver = self.tuples[to].0;
                    receiver == owner
                        || receiver.object().is_some_and(|object| ownership.is_inside(owner, object))
                })),
                // Calls enter very many objects.
                Some(entered) => {
                    let own = self.tuple(owner, outgoing.callee);
                    found.extend(own.filter(|own| entered.contains(own)));
                }
            }
        }
        found
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
                for edge in self.edges(tuple) {
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
}

impl Locksets {
    /// What the callee itself locks on entry.
    pub fn set_of_callee(&mut self, facts: &Facts<'_, '_>, callee: InstanceId) -> LocksetId {
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

    /// The locks that are held where an object is entered or used, `at` says which are held there; those of the caller only if it
    /// is given, and [counts](caller_counts).
    pub fn set_at(&mut self, at: &CallLocks, caller: Option<NodeId>) -> LocksetId {
        let sources = caller.into_iter().flat_map(|source| {
            at.of_caller.iter().map(move |(path, mode)| (Element::Source(source, path.clone()), *mode))
        });
        let elements = (at.global.iter().map(|(lock, mode)| (Element::Global(lock.clone()), *mode)))
            .chain(at.of_receiver.iter().map(|(path, mode)| (Element::Target(path.clone()), *mode)))
            .chain(sources);
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

/// Whether the locks of a source count where it comes to a target: the target can have but one source of this kind. That is not known where
/// the source does not refer to the target, and library code comes to it for the source.
pub fn caller_counts(ownership: &Ownership, source: NodeId, target: ObjectId) -> bool {
    source != NodeId::ROOT
        && (ownership.graph.is_edge(source, target) && !ownership.graph.is_flow(source, target)
            || ownership.is_inside(source, target))
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
    /// The threads that may execute each instance.
    executing: IdVec<InstanceId, BitSet<ThreadId>>,
    work: Worklist<TupleId>,
    visited: BitSet<TupleId>,
    /// The instances whose calls are known.
    entered: BitSet<InstanceId>,
    /// The threads of all tuples of an instance, and those outside of constructors, as far as its calls have them.
    gathered: IdVec<InstanceId, [BitSet<ThreadId>; 2]>,
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
        self.calls.of_instance[instance].push(id);
        self.calls.threads.push(BitSet::new());
        self.calls.late.push(BitSet::new());
        id
    }

    /// Finds the calls of a tuple when it is new, and passes its threads on.
    fn visit(&mut self, tuple: TupleId) {
        let (receiver, instance) = self.calls.tuples[tuple];
        let is_first = self.entered.insert(instance);
        if is_first {
            self.calls.outgoing[instance] = self.outgoing(instance);
        }
        let outgoing = std::mem::take(&mut self.calls.outgoing[instance]);
        if self.visited.insert(tuple) {
            for within in outgoing.iter().filter(|call| call.entered.is_none()) {
                if self.may_stay(receiver, within.callee) {
                    self.tuple(receiver, within.callee);
                }
            }
        }
        let own = [self.calls.threads[tuple].clone(), self.calls.late[tuple].clone()];
        for within in outgoing.iter().filter(|call| call.entered.is_none()) {
            if let Some(to) = self.calls.tuple(receiver, within.callee) {
                let passed = self.passed(&own, within.callee);
                self.pass(&passed, to);
            }
        }
        let mut all = std::mem::take(&mut self.gathered[instance]);
        let is_more = all[0].union_with(&own[0]);
        if all[1].union_with(&own[1]) || is_more || is_first {
            for call in &outgoing {
                let passed = self.passed(&all, call.callee);
                call.entered.iter().flatten().for_each(|&to| self.pass(&passed, to));
            }
        }
        self.gathered[instance] = all;
        self.calls.outgoing[instance] = outgoing;
    }

    /// Of some threads, and those of them outside of constructors, which execute a callee.
    fn passed(&self, [threads, late]: &[BitSet<ThreadId>; 2], callee: InstanceId) -> [BitSet<ThreadId>; 2] {
        let executing = &self.executing[callee];
        let mut passed = [threads.clone(), late.clone()];
        passed[0].intersect_with(executing);
        match is_constructor(self.facts, callee) {
            true => passed[1].clear(),
            false => {
                passed[1].intersect_with(executing);
            }
        }
        passed
    }

    fn pass(&mut self, [threads, late]: &[BitSet<ThreadId>; 2], to: TupleId) {
        let is_more = self.calls.threads[to].union_with(threads);
        if self.calls.late[to].union_with(late) || is_more {
            self.work.push(to);
        }
    }

    /// Whether a callee may run on behalf of this receiver.
    fn may_stay(&self, receiver: NodeId, callee: InstanceId) -> bool {
        let theirs = self.facts.view.analysis.parameter_points_to(callee, 0);
        !has_receiver(self.facts.view, callee)
            || receiver.object().is_some_and(|object| theirs.contains(object))
    }

    /// The calls of an instance.
    fn outgoing(&mut self, instance: InstanceId) -> Vec<Outgoing> {
        let facts = self.facts;
        let calls: Vec<CallAt<'_>> = facts.view.calls(instance).collect();
        let mut found = Vec::new();
        for call in calls {
            let counting = call.callees.iter().copied();
            let callees: Vec<InstanceId> = counting
                .filter(|&callee| {
                    self.relevant.contains(callee) && facts.threads.is_call(facts.view, instance, callee)
                })
                .collect();
            if !callees.is_empty() {
                self.add_call(instance, &call, &callees, &mut found);
            }
        }
        found
    }

    fn add_call(
        &mut self,
        instance: InstanceId,
        call: &CallAt<'_>,
        callees: &[InstanceId],
        found: &mut Vec<Outgoing>,
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
        let held = Arc::new(self.locks_at(instance, call));
        let within = self.calls.locksets.set_within(&held);
        for &callee in callees {
            let own = self.calls.locksets.set_of_callee(facts, callee);
            let stays = !has_receiver(facts.view, callee) || (receiving.is_some() && receiving == this);
            let entered = (!stays).then(|| {
                let theirs = analysis.parameter_points_to(callee, 0);
                let passed = receiving.map(|slot| analysis.slot_points_to(instance, slot));
                let objects = theirs.iter().filter(|&object| passed.is_none_or(|set| set.contains(object)));
                objects.map(|object| self.tuple(NodeId::of(object), callee)).collect()
            });
            let within = self.calls.locksets.join(within, own);
            let held = Arc::clone(&held);
            found.push(Outgoing { call: call.inst, callee, entered, held, own, within });
        }
    }

    fn locks_at(&self, instance: InstanceId, call: &CallAt<'_>) -> CallLocks {
        let view = self.facts.view;
        let receiver: Option<Value> =
            call.inst.and_then(|inst| view.body(instance)?.args(inst).first().copied());
        self.facts.locks.at_call(view, instance, call.inst, receiver)
    }
}
