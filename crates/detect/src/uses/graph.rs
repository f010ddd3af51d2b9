//! The use graph of an object: the events of its life, ordered as the program orders them (von Praun and Gross, section 2.3).
//!
//! | event | what happens |
//! |---|---|
//! | `NEW` | the object is made |
//! | `GET`, `PUT` | its state is read or written (fields that are neither volatile nor final, elements, library state) |
//! | `LOAD` | its reference is read from a field, an element or a library object |
//! | `STORE`, `ESCAPE` | its reference is kept somewhere; the latter where other threads may look |
//! | `TSTART`, `TJOIN` | a thread that uses the object is started, or has been waited for |
//! | `ENTRY`, `EXIT`, `CALL` | a method begins, ends, is called |
//!
//! Edges: the control flow of each thread, the flow of the reference from a `STORE` or `ESCAPE` to the `LOAD`s from the same hosts, and from
//! `TSTART` to the start of a thread and from its end to `TJOIN`.
//!
//! The graph of a thread is put together from graphs of methods: those that have events of the object, and those that lead to such. A method
//! in one context appears once in each thread, and all calls lead to it: order is only weakened by that. Its control flow
//! is reduced to the events.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_base::{BitSet, FastMap, IdVec, Worklist, entity};
use selvedge_facts::{AccessId, AccessKind, Origin, ThreadId};
use selvedge_ir::{Block, Body, CallSiteKind, Inst, Op, Value};
use selvedge_models::Effect;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use crate::Facts;

entity! {
    /// An event.
    UseId "g";
}

/// What happens.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    New,
    Get(AccessId),
    Put(AccessId),
    Load { shared: bool },
    Store,
    Escape,
    Start(ThreadId),
    Join(ThreadId),
    Entry,
    Exit,
    Call,
}

impl Kind {
    /// Its name in the paper.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::New => "NEW",
            Kind::Get(_) => "GET",
            Kind::Put(_) => "PUT",
            Kind::Load { .. } => "LOAD",
            Kind::Store => "STORE",
            Kind::Escape => "ESCAPE",
            Kind::Start(_) => "TSTART",
            Kind::Join(_) => "TJOIN",
            Kind::Entry => "ENTRY",
            Kind::Exit => "EXIT",
            Kind::Call => "CALL",
        }
    }
}

/// An event of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// What happens.
    pub kind: Kind,
    /// In which thread.
    pub thread: ThreadId,
    /// In which instance of a method.
    pub instance: InstanceId,
    /// By which instruction.
    pub inst: Option<Inst>,
    /// From where the reference is read, or where it is kept.
    pub hosts: Vec<ObjectId>,
}

/// Why one event comes before another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Flow {
    /// Control flow of a thread.
    Control,
    /// The reference was stored before it was loaded.
    Reference,
    /// A thread runs after its start, and before whoever waits for its end goes on.
    Thread,
}

/// See the [module documentation](self).
pub struct UseGraph {
    /// The object.
    pub object: ObjectId,
    /// The events.
    pub uses: IdVec<UseId, Use>,
    /// What comes before what.
    pub edges: Vec<(UseId, UseId, Flow)>,
}

impl UseGraph {
    /// Everything that control may come to, in its own thread, after one of these events.
    pub fn after(&self, starts: impl IntoIterator<Item = UseId>) -> BitSet<UseId> {
        let mut next: FastMap<UseId, Vec<UseId>> = FastMap::default();
        for &(from, to, flow) in &self.edges {
            if flow == Flow::Control {
                next.entry(from).or_default().push(to);
            }
        }
        let mut seen: BitSet<UseId> = BitSet::new();
        let mut pending: Vec<UseId> = starts.into_iter().collect();
        while let Some(at) = pending.pop() {
            pending.extend(next.get(&at).into_iter().flatten().copied().filter(|&to| seen.insert(to)));
        }
        seen
    }
}

/// An event of an instance, whichever thread executes it.
type Local = (Inst, Kind, Vec<ObjectId>);

/// What use graphs are made from: the events of each object in each instance of the application, found once for all objects.
pub struct Events {
    local: FastMap<(ObjectId, InstanceId), Vec<Local>>,
    instances: BTreeMap<ObjectId, BTreeSet<InstanceId>>,
    callers: FastMap<InstanceId, Vec<InstanceId>>,
}

impl Events {
    /// Finds the events of the objects in a set.
    pub fn new(facts: &Facts<'_, '_>, wanted: &BitSet<ObjectId>) -> Self {
        let mut events =
            Self { local: FastMap::default(), instances: BTreeMap::new(), callers: FastMap::default() };
        for instance in facts.view.analysis.instances.ids() {
            if facts.threads.may_execute(instance).is_empty() {
                continue;
            }
            for &callee in facts.view.calls(instance).flat_map(|call| call.callees) {
                if facts.threads.is_call(facts.view, instance, callee) {
                    events.callers.entry(callee).or_default().push(instance);
                }
            }
            if facts.view.is_application_instance(instance) {
                events.add_instance(facts, wanted, instance);
            }
        }
        events
    }

    /// The objects that have events.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> {
        self.instances.keys().copied()
    }

    fn add_instance(&mut self, facts: &Facts<'_, '_>, wanted: &BitSet<ObjectId>, instance: InstanceId) {
        let (Some(method), Some(body)) = (facts.view.method_of(instance), facts.view.body(instance)) else {
            return;
        };
        for &access in facts.accesses.of_method(method) {
            let inst = facts.accesses.all[access].inst;
            for object in facts.accesses.may_touch(facts.view, access, instance).iter() {
                let kind = match facts.accesses.kind_on(access, object) {
                    Some(AccessKind::Read) => Kind::Get(access),
                    Some(AccessKind::Write) => Kind::Put(access),
                    None => continue,
                };
                self.add(wanted, object, instance, (inst, kind, Vec::new()));
            }
        }
        for inst in body.insts.ids() {
            self.add_references(facts, wanted, instance, body, inst);
        }
    }

    fn add(&mut self, wanted: &BitSet<ObjectId>, object: ObjectId, instance: InstanceId, event: Local) {
        if wanted.contains(object) {
            self.local.entry((object, instance)).or_default().push(event);
            self.instances.entry(object).or_default().insert(instance);
        }
    }

    /// What an instruction does with references.
    fn add_references(
        &mut self,
        facts: &Facts<'_, '_>,
        wanted: &BitSet<ObjectId>,
        instance: InstanceId,
        body: &Body,
        inst: Inst,
    ) {
        let analysis = facts.view.analysis;
        let set = |value: Value| analysis.points_to(instance, value);
        let args = body.args(inst);
        let result = body.insts[inst].result;
        let is_shared = |hosts: &[ObjectId]| hosts.iter().any(|&host| facts.escape.may_be_shared(host));
        let keep = |events: &mut Self, value: Value, hosts: Vec<ObjectId>, shared: bool| {
            let kind = if shared { Kind::Escape } else { Kind::Store };
            for object in set(value).iter() {
                events.add(wanted, object, instance, (inst, kind.clone(), hosts.clone()));
            }
        };
        let hosts_of = |value: Value| -> Vec<ObjectId> { set(value).iter().collect() };
        match &body.insts[inst].op {
            Op::New(_) | Op::NewArray(_) | Op::NewPrimitiveArray(_) | Op::NewMultiArray(_) => {
                for object in result.into_iter().flat_map(|value| set(value).iter()) {
                    self.add(wanted, object, instance, (inst, Kind::New, Vec::new()));
                }
            }
            Op::PutField(_) => {
                let hosts = hosts_of(args[0]);
                let shared = is_shared(&hosts);
                keep(self, args[1], hosts, shared);
            }
            Op::ArrayStore(_) => {
                let hosts = hosts_of(args[0]);
                let shared = is_shared(&hosts);
                keep(self, args[2], hosts, shared);
            }
            Op::PutStatic(_) => keep(self, args[0], Vec::new(), true),
            Op::Throw => keep(self, args[0], Vec::new(), true),
            Op::GetField(_) | Op::ArrayLoad(_) => {
                let hosts = hosts_of(args[0]);
                let shared = is_shared(&hosts);
                for object in result.into_iter().flat_map(|value| set(value).iter()) {
                    self.add(wanted, object, instance, (inst, Kind::Load { shared }, hosts.clone()));
                }
            }
            Op::GetStatic(_) => {
                for object in result.into_iter().flat_map(|value| set(value).iter()) {
                    self.add(wanted, object, instance, (inst, Kind::Load { shared: true }, Vec::new()));
                }
            }
            Op::InvokeDynamic(site) => {
                let hosts = result.map_or_else(Vec::new, hosts_of);
                let is_lambda = matches!(body.call_sites[*site].kind, CallSiteKind::Lambda(_));
                let shared = !is_lambda || is_shared(&hosts);
                for &value in args {
                    keep(self, value, hosts.clone(), shared);
                }
            }
            Op::Invoke(..) => {
                let library: Vec<InstanceId> = facts
                    .view
                    .callees(instance, inst)
                    .iter()
                    .copied()
                    .filter(|&callee| !facts.view.is_application_instance(callee))
                    .collect();
                if library.is_empty() {
                    return;
                }
                for (position, &value) in args.iter().enumerate() {
                    let leaks =
                        |&callee: &InstanceId| facts.publication.may_leak(facts.view, callee, position);
                    if library.iter().any(leaks) {
                        keep(self, value, Vec::new(), true);
                    }
                }
                for object in result.into_iter().flat_map(|value| set(value).iter()) {
                    self.add(wanted, object, instance, (inst, Kind::Load { shared: true }, Vec::new()));
                }
            }
            _ => {}
        }
    }

    /// The graph of an object.
    pub fn graph(&self, facts: &Facts<'_, '_>, object: ObjectId) -> UseGraph {
        let graph = UseGraph { object, uses: IdVec::new(), edges: Vec::new() };
        let mut assembly = Assembly { events: self, facts, graph, ends: FastMap::default() };
        let mut using: BTreeSet<ThreadId> = BTreeSet::new();
        for instance in self.instances.get(&object).into_iter().flatten() {
            using.extend(facts.threads.may_execute(*instance));
        }
        using.retain(|&thread| facts.threads.all[thread].origin != Origin::Initializers);
        for &thread in &using {
            assembly.add_thread(thread, &using);
        }
        assembly.relate(&using);
        assembly.graph.edges.sort_unstable();
        assembly.graph.edges.dedup();
        assembly.graph
    }

    /// The instances of a thread that have events of an object, start or wait for threads that use it, or lead to such.
    fn relevant(
        &self,
        facts: &Facts<'_, '_>,
        object: ObjectId,
        thread: ThreadId,
        using: &BTreeSet<ThreadId>,
    ) -> BTreeSet<InstanceId> {
        let reached = &facts.threads.reached[thread];
        let mut found: BTreeSet<InstanceId> = BTreeSet::new();
        let mut work = Worklist::new();
        let own = self.instances.get(&object).into_iter().flatten().copied();
        let starting = using.iter().filter_map(|&other| match facts.threads.all[other].origin {
            Origin::Spawn { instance, .. } => Some(instance),
            _ => None,
        });
        for instance in own.chain(starting).filter(|&instance| reached.contains(instance)) {
            if found.insert(instance) {
                work.push(instance);
            }
        }
        while let Some(instance) = work.pop() {
            for &caller in self.callers.get(&instance).into_iter().flatten() {
                if reached.contains(caller) && found.insert(caller) {
                    work.push(caller);
                }
            }
        }
        found
    }
}

/// Puts a graph together.
struct Assembly<'e, 'g, 'a> {
    events: &'e Events,
    facts: &'e Facts<'g, 'a>,
    graph: UseGraph,
    /// Entry and exit of each instance in each thread.
    ends: FastMap<(ThreadId, InstanceId), (UseId, UseId)>,
}

impl Assembly<'_, '_, '_> {
    fn event(&mut self, kind: Kind, thread: ThreadId, instance: InstanceId, inst: Option<Inst>) -> UseId {
        self.graph.uses.push(Use { kind, thread, instance, inst, hosts: Vec::new() })
    }

    fn edge(&mut self, from: UseId, to: UseId) {
        self.graph.edges.push((from, to, Flow::Control));
    }

    fn add_thread(&mut self, thread: ThreadId, using: &BTreeSet<ThreadId>) {
        let relevant = self.events.relevant(self.facts, self.graph.object, thread, using);
        for &instance in &relevant {
            let entry = self.event(Kind::Entry, thread, instance, None);
            let exit = self.event(Kind::Exit, thread, instance, None);
            self.ends.insert((thread, instance), (entry, exit));
        }
        for &instance in &relevant {
            self.add_method(thread, instance, using);
        }
    }

    /// The events of an instance by instruction, each as the first and the last node of it.
    fn add_method(&mut self, thread: ThreadId, instance: InstanceId, using: &BTreeSet<ThreadId>) {
        let (entry, exit) = self.ends[&(thread, instance)];
        let mut at: BTreeMap<Inst, Vec<(UseId, UseId)>> = BTreeMap::new();
        for (inst, kind, hosts) in
            self.events.local.get(&(self.graph.object, instance)).into_iter().flatten().cloned()
        {
            let id = self.event(kind, thread, instance, Some(inst));
            self.graph.uses[id].hosts = hosts;
            at.entry(inst).or_default().push((id, id));
        }
        for &other in using {
            if let Origin::Spawn { instance: starter, inst: Some(inst), .. } =
                self.facts.threads.all[other].origin
                && starter == instance
            {
                let id = self.event(Kind::Start(other), thread, instance, Some(inst));
                at.entry(inst).or_default().push((id, id));
            }
        }
        let calls: Vec<_> = self.facts.view.calls(instance).collect();
        for call in calls {
            let mut called = Vec::new();
            for &callee in call.callees {
                if self.facts.threads.is_call(self.facts.view, instance, callee)
                    && let Some(&ends) = self.ends.get(&(thread, callee))
                {
                    called.push(ends);
                }
            }
            if let Some(inst) = call.inst {
                for other in self.joined(instance, inst, using) {
                    let id = self.event(Kind::Join(other), thread, instance, call.inst);
                    at.entry(inst).or_default().push((id, id));
                }
            }
            if called.is_empty() {
                continue;
            }
            let before = self.event(Kind::Call, thread, instance, call.inst);
            let after = self.event(Kind::Call, thread, instance, call.inst);
            self.edge(before, after);
            for (start, end) in called {
                self.edge(before, start);
                self.edge(end, after);
            }
            match call.inst {
                Some(inst) => at.entry(inst).or_default().push((before, after)),
                None => {
                    self.edge(entry, before);
                    self.edge(after, exit);
                }
            }
        }
        match self.facts.view.body(instance) {
            Some(body) => self.connect(body, &at, entry, exit),
            None => self.edge(entry, exit),
        }
    }

    /// The threads that a call has waited for when it returns.
    fn joined(&self, instance: InstanceId, inst: Inst, using: &BTreeSet<ThreadId>) -> Vec<ThreadId> {
        let view = self.facts.view;
        let Some(body) = view.body(instance) else { return Vec::new() };
        if !matches!(body.insts[inst].op, Op::Invoke(..)) {
            return Vec::new();
        }
        let mut objects: Vec<ObjectId> = Vec::new();
        for effect in view.must_effects(instance, inst) {
            if let Effect::Join { thread, .. } = effect
                && let Some(value) = view.operand(body, inst, thread)
            {
                objects.extend(view.analysis.points_to(instance, value).iter());
            }
        }
        let ends = |other: &&ThreadId| {
            let data = &self.facts.threads.all[**other];
            !data.many && data.objects.iter().any(|object| objects.contains(object))
        };
        using.iter().filter(ends).copied().collect()
    }

    /// Links the events of a method as its control flow has them. Exceptions leave a block anywhere.
    fn connect(&mut self, body: &Body, at: &BTreeMap<Inst, Vec<(UseId, UseId)>>, entry: UseId, exit: UseId) {
        let chains: IdVec<Block, Vec<(UseId, UseId)>> = body
            .blocks
            .iter()
            .map(|block| block.insts.iter().filter_map(|inst| at.get(&inst)).flatten().copied().collect())
            .collect();
        let mut targets: IdVec<Block, Vec<Block>> = IdVec::filled(Vec::new(), body.blocks.len());
        for (block, data) in body.blocks.iter_ids() {
            data.predecessors.iter().for_each(|edge| targets[edge.from].push(block));
        }
        // Where control comes next from the beginning of some blocks; nothing if it leaves the method first.
        let next = |blocks: &[Block]| -> (Vec<UseId>, bool) {
            let mut seen: BitSet<Block> = BitSet::new();
            let (mut found, mut leaves) = (Vec::new(), false);
            let mut pending: Vec<Block> = blocks.to_vec();
            while let Some(block) = pending.pop() {
                if !seen.insert(block) {
                    continue;
                }
                match chains[block].first() {
                    Some(&(first, _)) => {
                        found.push(first);
                        pending.extend(body.blocks[block].unwind.iter().map(|unwind| unwind.handler));
                    }
                    None => {
                        leaves |= targets[block].is_empty();
                        pending.extend(&targets[block]);
                    }
                }
            }
            (found, leaves)
        };
        let mut links: Vec<(UseId, UseId)> = Vec::new();
        let mut link = |from: UseId, (found, leaves): (Vec<UseId>, bool)| {
            links.extend(found.into_iter().map(|to| (from, to)));
            if leaves {
                links.push((from, exit));
            }
        };
        link(entry, next(&[Body::ENTRY]));
        for (block, chain) in chains.iter_ids() {
            let handlers: Vec<Block> =
                body.blocks[block].unwind.iter().map(|unwind| unwind.handler).collect();
            for (position, &(_, last)) in chain.iter().enumerate() {
                match chain.get(position + 1) {
                    Some(&(first, _)) => {
                        link(last, (vec![first], false));
                        link(last, next(&handlers));
                    }
                    None => link(
                        last,
                        match targets[block].is_empty() {
                            true => (Vec::new(), true),
                            false => next(&targets[block]),
                        },
                    ),
                }
            }
        }
        links.into_iter().for_each(|(from, to)| self.edge(from, to));
    }

    /// Adds the edges between threads, and those of the reference.
    fn relate(&mut self, using: &BTreeSet<ThreadId>) {
        let mut more: Vec<(UseId, UseId, Flow)> = Vec::new();
        let (all, ends) = (&self.facts.threads.all, &self.ends);
        let ends_of = |thread: ThreadId| {
            let entries = all[thread].entries.iter();
            entries.filter_map(move |&entry| ends.get(&(thread, entry)).copied())
        };
        for (id, event) in self.graph.uses.iter_ids() {
            match event.kind {
                Kind::Start(other) if using.contains(&other) => {
                    more.extend(ends_of(other).map(|(entry, _)| (id, entry, Flow::Thread)));
                }
                Kind::Join(other) => more.extend(ends_of(other).map(|(_, exit)| (exit, id, Flow::Thread))),
                Kind::Store | Kind::Escape => {
                    for (load, other) in self.graph.uses.iter_ids() {
                        let same_host = other.hosts.iter().any(|host| event.hosts.contains(host))
                            || (event.hosts.is_empty() && other.hosts.is_empty());
                        let elsewhere = (other.thread, other.instance) != (event.thread, event.instance);
                        if matches!(other.kind, Kind::Load { .. }) && same_host && elsewhere {
                            more.push((id, load, Flow::Reference));
                        }
                    }
                }
                _ => {}
            }
        }
        self.graph.edges.extend(more);
    }
}
