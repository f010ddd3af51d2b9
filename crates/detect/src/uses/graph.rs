//! The use graph of an object: the [events](super::events) of its life, ordered as the program orders them (von Praun and Gross, section
//! 2.3).
//!
//! Edges: the control flow of each thread, the flow of the reference from a `STORE` or `ESCAPE` to the `LOAD`s from the same hosts, and from
//! `TSTART` to the start of a thread and from its end to `TJOIN`.
//!
//! The graph of a thread is put together from graphs of methods: those that have events of the object, and those that lead to such. A method
//! in one context appears once in each thread, and all calls lead to it: order is only weakened by that. Its control flow
//! is reduced to the events.
//!
//! Graphs are what is shown. Objects are judged by their [lives](super::life), which ask one question of the control flow without
//! building it; [`UseGraph::before_escape`] answers the same question by the graph, as a reference.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_base::{BitSet, FastMap, IdVec, entity};
use selvedge_facts::{Origin, ThreadId};
use selvedge_ir::{Block, Body, Inst, Op};
use selvedge_models::Effect;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use super::control::Moment;
use super::events::{Events, Kind, Subject, hosts};
use crate::Facts;

entity! {
    /// An event.
    UseId "g";
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
    /// Whose life it is.
    pub subject: Subject,
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

    /// The graph without the structure of methods: events that are neither calls nor beginnings and ends, except those of threads,
    /// linked where ways through the others lead from one to the next.
    pub fn reduced(&self, facts: &Facts<'_, '_>) -> Self {
        let stays = |event: &Use| match event.kind {
            Kind::Call => false,
            Kind::Entry | Kind::Exit => facts.threads.all[event.thread].entries.contains(&event.instance),
            _ => true,
        };
        let mut next: FastMap<UseId, Vec<UseId>> = FastMap::default();
        for &(from, to, _) in self.edges.iter().filter(|(.., flow)| *flow == Flow::Control) {
            next.entry(from).or_default().push(to);
        }
        let mut reduced = Self { subject: self.subject, uses: IdVec::new(), edges: Vec::new() };
        let mut numbers: FastMap<UseId, UseId> = FastMap::default();
        for (id, event) in self.uses.iter_ids().filter(|(_, event)| stays(event)) {
            numbers.insert(id, reduced.uses.push(event.clone()));
        }
        for id in self.uses.ids().filter(|id| numbers.contains_key(id)) {
            let mut seen: BitSet<UseId> = BitSet::new();
            let mut pending = vec![id];
            while let Some(at) = pending.pop() {
                for &to in next.get(&at).into_iter().flatten().filter(|&&to| seen.insert(to)) {
                    match numbers.get(&to) {
                        Some(&to) => reduced.edges.push((numbers[&id], to, Flow::Control)),
                        None => pending.push(to),
                    }
                }
            }
        }
        for &(from, to, flow) in self.edges.iter().filter(|(.., flow)| *flow != Flow::Control) {
            if let (Some(&from), Some(&to)) = (numbers.get(&from), numbers.get(&to)) {
                reduced.edges.push((from, to, flow));
            }
        }
        reduced.edges.sort_unstable();
        reduced
    }

    /// The accesses that are made before the object has escaped.
    pub fn before_escape(&self) -> BitSet<UseId> {
        let of_kind = |is_it: fn(Kind) -> bool| {
            self.uses.iter_ids().filter(move |(_, event)| is_it(event.kind)).map(|(id, _)| id)
        };
        let escaped = self.after(of_kind(|kind| matches!(kind, Kind::Escape | Kind::Load { shared: true })));
        let mut made = self.after(of_kind(|kind| kind == Kind::New));
        made.subtract(&escaped);
        made
    }
}

impl Events {
    /// The graph of a subject.
    pub fn graph(&self, facts: &Facts<'_, '_>, subject: Subject) -> UseGraph {
        let graph = UseGraph { subject, uses: IdVec::new(), edges: Vec::new() };
        let mut assembly = Assembly { events: self, facts, graph, ends: FastMap::default() };
        let using = self.threads(subject);
        for &thread in &using {
            assembly.add_thread(thread, &using);
        }
        assembly.relate(&using);
        assembly.graph.edges.sort_unstable();
        assembly.graph.edges.dedup();
        assembly.graph
    }

    /// The instances of a thread that have events of a subject, start or wait for threads that use it, or lead to such.
    fn relevant(
        &self,
        facts: &Facts<'_, '_>,
        subject: Subject,
        thread: ThreadId,
        using: &BTreeSet<ThreadId>,
    ) -> BTreeSet<InstanceId> {
        let reached = &facts.threads.reached[thread];
        let own = self.of(subject).iter().map(|event| event.instance);
        let starting = using.iter().filter_map(|&other| match facts.threads.all[other].origin {
            Origin::Spawn { instance, .. } => Some(instance),
            _ => None,
        });
        let mut found = self.control.leading_to(own.chain(starting));
        found.intersect_with(reached);
        found.iter().collect()
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
        let relevant = self.events.relevant(self.facts, self.graph.subject, thread, using);
        for &instance in &relevant {
            let entry = self.event(Kind::Entry, thread, instance, None);
            let exit = self.event(Kind::Exit, thread, instance, None);
            self.ends.insert((thread, instance), (entry, exit));
        }
        for &instance in &relevant {
            self.add_method(thread, instance, using);
        }
        let again = self.events.control.again[thread].iter();
        let again: Vec<_> = again.filter_map(|entry| self.ends.get(&(thread, entry)).copied()).collect();
        for &(_, exit) in &again {
            again.iter().for_each(|&(entry, _)| self.edge(exit, entry));
        }
    }

    /// The events of an instance in its control flow.
    fn add_method(&mut self, thread: ThreadId, instance: InstanceId, using: &BTreeSet<ThreadId>) {
        let (facts, view) = (self.facts, self.facts.view);
        let (entry, exit) = self.ends[&(thread, instance)];
        // Everything that an instruction does, by moment: each as the first and the last node of it.
        let mut at: BTreeMap<(Inst, Moment), Vec<(UseId, UseId)>> = BTreeMap::new();
        let events = self.events.of(self.graph.subject);
        let first = events.partition_point(|event| event.instance < instance);
        for event in events[first..].iter().take_while(|event| event.instance == instance) {
            let id = self.event(event.kind, thread, instance, Some(event.inst));
            self.graph.uses[id].hosts = hosts(facts, event);
            at.entry((event.inst, event.moment(facts))).or_default().push((id, id));
        }
        for &other in using {
            if let Origin::Spawn { instance: starter, inst: Some(inst), .. } = facts.threads.all[other].origin
                && starter == instance
            {
                let id = self.event(Kind::Start(other), thread, instance, Some(inst));
                at.entry((inst, Moment::during(inst))).or_default().push((id, id));
            }
        }
        let mut called: BTreeMap<Option<Inst>, Vec<(UseId, UseId)>> = BTreeMap::new();
        for call in view.calls(instance) {
            for &callee in call.callees {
                if facts.threads.is_call(view, instance, callee)
                    && let Some(&ends) = self.ends.get(&(thread, callee))
                {
                    called.entry(call.inst).or_default().push(ends);
                }
            }
            if let Some(inst) = call.inst {
                for other in self.joined(instance, inst, using) {
                    let id = self.event(Kind::Join(other), thread, instance, call.inst);
                    at.entry((inst, Moment::after(inst))).or_default().push((id, id));
                }
            }
        }
        let mut anytime = None;
        for (inst, called) in called {
            let before = self.event(Kind::Call, thread, instance, inst);
            let after = self.event(Kind::Call, thread, instance, inst);
            self.edge(before, after);
            for (start, end) in called {
                self.edge(before, start);
                self.edge(end, after);
            }
            match inst.filter(|_| view.body(instance).is_some()) {
                Some(inst) => at.entry((inst, Moment::during(inst))).or_default().push((before, after)),
                None => {
                    self.edge(entry, before);
                    self.edge(after, entry);
                    anytime = Some(before);
                }
            }
        }
        self.edge(entry, exit);
        for &(_, last) in at.values().flatten() {
            self.edge(last, exit);
            if let Some(anytime) = anytime {
                self.edge(last, anytime);
            }
        }
        if let Some(body) = view.body(instance) {
            self.connect(body, &at, entry);
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
    fn connect(&mut self, body: &Body, at: &BTreeMap<(Inst, Moment), Vec<(UseId, UseId)>>, entry: UseId) {
        let mut chains: IdVec<Block, Vec<(UseId, UseId)>> = IdVec::filled(Vec::new(), body.blocks.len());
        let mut targets: IdVec<Block, Vec<Block>> = IdVec::filled(Vec::new(), body.blocks.len());
        for (block, data) in body.blocks.iter_ids() {
            data.predecessors.iter().for_each(|edge| targets[edge.from].push(block));
            for inst in data.insts.iter() {
                let moments = at.range((inst, Moment::at(inst))..=(inst, Moment::after(inst)));
                chains[block].extend(moments.flat_map(|(_, nodes)| nodes));
            }
        }
        // Where control comes next from the beginning of some blocks.
        let next = |blocks: &[Block]| -> Vec<UseId> {
            let mut seen: BitSet<Block> = BitSet::new();
            let mut found = Vec::new();
            let mut pending: Vec<Block> = blocks.to_vec();
            while let Some(block) = pending.pop() {
                if seen.insert(block) {
                    match chains[block].first() {
                        Some(&(first, _)) => {
                            found.push(first);
                            pending.extend(body.blocks[block].unwind.iter().map(|unwind| unwind.handler));
                        }
                        None => pending.extend(&targets[block]),
                    }
                }
            }
            found
        };
        let mut links: Vec<(UseId, UseId)> = Vec::new();
        links.extend(next(&[Body::ENTRY]).into_iter().map(|to| (entry, to)));
        for (block, chain) in chains.iter_ids() {
            links.extend(chain.windows(2).map(|pair| (pair[0].1, pair[1].0)));
            let Some((&(_, last), earlier)) = chain.split_last() else { continue };
            links.extend(next(&targets[block]).into_iter().map(|to| (last, to)));
            let handlers: Vec<Block> =
                body.blocks[block].unwind.iter().map(|unwind| unwind.handler).collect();
            let caught = next(&handlers);
            links.extend(earlier.iter().flat_map(|&(_, last)| caught.iter().map(move |&to| (last, to))));
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
        let uses = self.graph.uses.iter_ids();
        let loads: Vec<_> = uses.filter(|(_, event)| matches!(event.kind, Kind::Load { .. })).collect();
        for (id, event) in self.graph.uses.iter_ids() {
            match event.kind {
                Kind::Start(other) if using.contains(&other) => {
                    more.extend(ends_of(other).map(|(entry, _)| (id, entry, Flow::Thread)));
                }
                Kind::Join(other) => more.extend(ends_of(other).map(|(_, exit)| (exit, id, Flow::Thread))),
                Kind::Store | Kind::Escape => {
                    for &(load, other) in &loads {
                        let same_host = other.hosts.iter().any(|host| event.hosts.contains(host))
                            || (event.hosts.is_empty() && other.hosts.is_empty());
                        let elsewhere = (other.thread, other.instance) != (event.thread, event.instance);
                        if same_host && elsewhere {
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
