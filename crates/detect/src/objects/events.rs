//! What happens to objects: who enters their methods or uses their state, on which ways.
//!
//! An event stands for all ways on which the same happens to an object under the same locks, in the same threads, and over the same kind
//! of edge, whoever the sources are. There are far fewer events than pairs of a source and a target:
//!
//! - Sources that run the same method are distinguished where it matters: by their threads; by themselves where a lock of theirs is held and
//!   [counts](super::calls::caller_counts); and wherever the target is owned, for its owner's methods will be asked which of these events they lead to.
//! - Of sources that are not distinguished, one over whose edge any thread can come stands for all: whatever another one races with, it does.
//!
//! Control that has entered an object goes on through `this` to other methods of it. These are events, too: each event knows those that
//! it leads *onward* to, under the locks that are taken in between.
//!
//! Ways through a constructor of the object itself are left out.

use std::collections::BTreeMap;
use std::sync::Arc;

use selvedge_base::{BitSet, FastMap, HybridSet, IdVec, entity};
use selvedge_facts::ownership::this_slot;
use selvedge_facts::{AccessId, CallLocks, Origin, ThreadId};
use selvedge_ir::Inst;
use selvedge_models::InThread;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use super::calls::{ObjectCalls, Source, TupleId, caller_counts, is_constructor};
use super::locks::LocksetId;
use crate::Facts;

entity! {
    /// An event on an object.
    EventId "e";
    /// A set of threads.
    ThreadsId "ts";
}

/// What happens to an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum What {
    /// A method is entered.
    Method(TupleId),
    /// Its state is used from outside, by an instance.
    Use(AccessId, InstanceId),
}

/// Who can come over the edge of an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Passage {
    /// Any thread.
    Open,
    /// The thread that made the object: the edge is not re-entrant.
    Maker,
    /// The thread that the object is.
    Itself,
}

/// An event, with one way on which it may happen.
#[derive(Clone, Debug)]
pub struct Event {
    /// What happens.
    pub what: What,
    /// From where, as one of those that do the same.
    pub source: Source,
    /// By which instruction of the source.
    pub call: Option<Inst>,
    /// Under which locks.
    pub locks: LocksetId,
    /// In which threads.
    pub threads: Arc<BitSet<ThreadId>>,
    /// In which of them outside of constructors.
    pub late: Arc<BitSet<ThreadId>>,
    /// Over what kind of edge.
    pub passage: Passage,
    /// Whether a caller names the method, or it is only reached through `this`.
    pub is_direct: bool,
}

/// The events, and how they hang together.
#[derive(Default)]
pub struct Events {
    /// All of them.
    pub all: IdVec<EventId, Event>,
    /// The events on each object.
    pub on: BTreeMap<ObjectId, Vec<EventId>>,
    /// The events on owned objects that each tuple makes itself.
    pub from: FastMap<TupleId, Vec<(ObjectId, EventId)>>,
    /// To which events on the same object each leads.
    pub onward: IdVec<EventId, Vec<EventId>>,
    /// The threads of each event, and those outside of constructors.
    pub threads_of: IdVec<EventId, [ThreadsId; 2]>,
    /// All sets of threads.
    pub sets: IdVec<ThreadsId, Arc<BitSet<ThreadId>>>,
}

impl Events {
    /// Finds the events.
    pub fn new(facts: &Facts<'_, '_>, calls: &mut ObjectCalls) -> Self {
        let wanted = Wanted::new(facts);
        let mut sets = ThreadSets::default();
        let of_tuple = calls.tuples.ids();
        let of_tuple = of_tuple
            .map(|tuple| [&calls.threads[tuple], &calls.late[tuple]].map(|set| sets.id(set)))
            .collect();
        let mut collector = Collector {
            facts,
            calls,
            wanted,
            sets,
            of_tuple,
            known: FastMap::default(),
            found: Self::default(),
        };
        collector.add_starts();
        for instance in facts.view.analysis.instances.ids() {
            collector.add_instance(instance);
        }
        collector.go_on();
        collector.found.sets = collector.sets.all;
        collector.found
    }
}

/// Sets of threads, each once.
#[derive(Default)]
struct ThreadSets {
    all: IdVec<ThreadsId, Arc<BitSet<ThreadId>>>,
    ids: FastMap<Arc<BitSet<ThreadId>>, ThreadsId>,
    both: FastMap<(ThreadsId, ThreadsId), ThreadsId>,
}

impl ThreadSets {
    fn id(&mut self, set: &BitSet<ThreadId>) -> ThreadsId {
        if let Some(&id) = self.ids.get(set) {
            return id;
        }
        let set = Arc::new(set.clone());
        let id = self.all.push(Arc::clone(&set));
        self.ids.insert(set, id);
        id
    }

    fn intersection(&mut self, a: ThreadsId, b: ThreadsId) -> ThreadsId {
        if a == b {
            return a;
        }
        if let Some(&known) = self.both.get(&(a, b)) {
            return known;
        }
        let mut both = BitSet::clone(&self.all[a]);
        both.intersect_with(&self.all[b]);
        let id = self.id(&both);
        self.both.insert((a, b), id);
        id
    }
}

/// What tells events apart: the object, what happens, the locks, the threads, those outside of constructors, the edge, and whether a caller
/// names it.
type Key = (ObjectId, What, LocksetId, [ThreadsId; 2], Passage, bool);

/// What is done to an object at an instruction, whoever does it.
struct Deed<'d> {
    object: ObjectId,
    what: What,
    call: Option<Inst>,
    held: &'d CallLocks,
    /// The locks that the callee takes itself.
    own: LocksetId,
    /// All locks but those of the caller.
    locks: LocksetId,
    /// In which threads it may happen; all if it is a use.
    threads: Option<[ThreadsId; 2]>,
}

/// Tuples of an instance with the same threads.
type Alike = Vec<([ThreadsId; 2], Vec<TupleId>)>;

struct Collector<'c, 'g, 'a> {
    facts: &'c Facts<'g, 'a>,
    calls: &'c mut ObjectCalls,
    wanted: Wanted,
    sets: ThreadSets,
    of_tuple: IdVec<TupleId, [ThreadsId; 2]>,
    known: FastMap<Key, EventId>,
    found: Events,
}

impl Collector<'_, '_, '_> {
    /// What threads begin with.
    fn add_starts(&mut self) {
        for (thread, data) in self.facts.threads.all.iter_ids() {
            let alone: BitSet<ThreadId> = [thread].into_iter().collect();
            let threads = self.sets.id(&alone);
            let is_new = matches!(data.origin, Origin::Spawn { kind: InThread::New, .. });
            for &entry in &data.entries {
                let own = self.calls.locksets.set_of_callee(self.facts, entry);
                for tuple in self.calls.of_instance[entry].clone() {
                    let Some(object) = self.calls.tuples[tuple].0.object() else { continue };
                    let is_own = data.objects.is_empty() || data.objects.contains(&object);
                    if !is_own || !self.wanted.contains(object) || !self.calls.threads[tuple].contains(thread)
                    {
                        continue;
                    }
                    let is_itself = is_new && data.objects.contains(&object);
                    let passage = if is_itself { Passage::Itself } else { Passage::Open };
                    let key = (object, What::Method(tuple), own, [threads; 2], passage, true);
                    self.add(key, Source::Start(thread), None);
                }
            }
        }
    }

    /// What an instance does to objects.
    fn add_instance(&mut self, instance: InstanceId) {
        let alike = self.alike(instance);
        if alike.is_empty() {
            return;
        }
        let outgoing = std::mem::take(&mut self.calls.outgoing[instance]);
        for call in outgoing.iter().filter(|call| !is_constructor(self.facts, call.callee)) {
            let Some(entered) = &call.entered else { continue };
            let locks = self.calls.locksets.set_at(&call.held, None);
            let locks = self.calls.locksets.join(locks, call.own);
            for &to in entered {
                let Some(object) = self.calls.tuples[to].0.object() else { continue };
                if self.wanted.contains(object) {
                    let (what, threads) = (What::Method(to), Some(self.of_tuple[to]));
                    let (held, own) = (&*call.held, call.own);
                    self.do_it(&alike, &Deed { object, what, call: call.call, held, own, locks, threads });
                }
            }
        }
        self.calls.outgoing[instance] = outgoing;
        self.add_uses(instance, &alike);
    }

    fn add_uses(&mut self, instance: InstanceId, alike: &Alike) {
        let facts = self.facts;
        let Some(method) = facts.view.method_of(instance) else { return };
        for &access in facts.accesses.of_method(method) {
            if is_own_state(facts, access, instance) {
                continue;
            }
            let data = &facts.accesses.all[access];
            let Some(base) = data.base else { continue };
            let held = &facts.locks.at_call(facts.view, instance, Some(data.inst), Some(base));
            let locks = self.calls.locksets.set_at(held, None);
            let own = super::locks::Locksets::NONE;
            for object in facts.accesses.may_touch(facts.view, access, instance).iter() {
                if facts.accesses.kind_on(access, object).is_some() && self.wanted.contains(object) {
                    let (what, call) = (What::Use(access, instance), Some(data.inst));
                    self.do_it(alike, &Deed { object, what, call, held, own, locks, threads: None });
                }
            }
        }
    }

    /// The tuples of an instance that some thread executes, those with the same threads together.
    fn alike(&self, instance: InstanceId) -> Alike {
        let mut found: Alike = Vec::new();
        for &tuple in &self.calls.of_instance[instance] {
            let threads = self.of_tuple[tuple];
            if self.sets.all[threads[0]].is_empty() {
                continue;
            }
            match found.iter_mut().find(|(known, _)| *known == threads) {
                Some((_, tuples)) => tuples.push(tuple),
                None => found.push((threads, vec![tuple])),
            }
        }
        found
    }

    fn do_it(&mut self, alike: &Alike, deed: &Deed<'_>) {
        let ownership = self.facts.ownership();
        let is_owned = !ownership.is_distributed(deed.object);
        let is_locked = !deed.held.of_caller.is_empty();
        for (threads, tuples) in alike {
            let threads = match deed.threads {
                Some([all, late]) => {
                    [self.sets.intersection(threads[0], all), self.sets.intersection(threads[1], late)]
                }
                None => *threads,
            };
            if self.sets.all[threads[0]].is_empty() {
                continue;
            }
            let mut standing: Option<(TupleId, Passage)> = None;
            for &source in tuples {
                let (node, _) = self.calls.tuples[source];
                let counts = is_locked && caller_counts(ownership, node, deed.object);
                let is_alone = is_owned || counts;
                if !is_alone && standing.is_some_and(|(_, passage)| passage == Passage::Open) {
                    if is_locked {
                        continue;
                    }
                    break;
                }
                let is_open = ownership.graph.is_reentrant(node, deed.object);
                let passage = if is_open { Passage::Open } else { Passage::Maker };
                if !is_alone {
                    if is_open || standing.is_none() {
                        standing = Some((source, passage));
                    }
                    continue;
                }
                let locks = if counts {
                    let locks = self.calls.locksets.set_at(deed.held, Some(node));
                    self.calls.locksets.join(locks, deed.own)
                } else {
                    deed.locks
                };
                let key = (deed.object, deed.what, locks, threads, passage, true);
                let event = self.add(key, Source::Call(source), deed.call);
                if is_owned {
                    self.found.from.entry(source).or_default().push((deed.object, event));
                }
            }
            if let Some((source, passage)) = standing {
                let key = (deed.object, deed.what, deed.locks, threads, passage, true);
                self.add(key, Source::Call(source), deed.call);
            }
        }
    }

    /// Follows control that goes on within the object.
    fn go_on(&mut self) {
        let mut next = 0;
        while next < self.found.all.len() {
            let id = EventId::new(next as u32);
            next += 1;
            let (what, source, call) = {
                let event = &self.found.all[id];
                (event.what, event.source, event.call)
            };
            let What::Method(tuple) = what else { continue };
            let (receiver, instance) = self.calls.tuples[tuple];
            let Some(object) = receiver.object() else { continue };
            let outgoing = std::mem::take(&mut self.calls.outgoing[instance]);
            for within in outgoing.iter().filter(|call| call.entered.is_none()) {
                let Some(to) = self.calls.tuple(receiver, within.callee) else { continue };
                let event = &self.found.all[id];
                let (locks, passage) = (event.locks, event.passage);
                let threads = self.found.threads_of[id];
                let theirs = self.of_tuple[to];
                let threads =
                    [0, 1].map(|position| self.sets.intersection(threads[position], theirs[position]));
                if self.sets.all[threads[0]].is_empty() {
                    continue;
                }
                let locks = self.calls.locksets.join(locks, within.within);
                let what = What::Method(to);
                // What a caller names on such a way stands for what only comes about on it.
                let named = self.known.get(&(object, what, locks, threads, passage, true)).copied();
                let onward = named.unwrap_or_else(|| {
                    self.add((object, what, locks, threads, passage, false), source, call)
                });
                self.found.onward[id].push(onward);
            }
            self.calls.outgoing[instance] = outgoing;
        }
    }

    fn add(&mut self, key: Key, source: Source, call: Option<Inst>) -> EventId {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let (object, what, locks, threads, passage, is_direct) = key;
        self.found.threads_of.push(threads);
        let [threads, late] = threads.map(|id| Arc::clone(&self.sets.all[id]));
        let id = self.found.all.push(Event { what, source, call, locks, threads, late, passage, is_direct });
        self.found.onward.push(Vec::new());
        self.found.on.entry(object).or_default().push(id);
        self.known.insert(key, id);
        id
    }
}

/// Whether an access is by the object itself to its own fields.
pub fn is_own_state(facts: &Facts<'_, '_>, access: AccessId, instance: InstanceId) -> bool {
    let data = &facts.accesses.all[access];
    let analysis = facts.view.analysis;
    let summary = analysis.summary(analysis.instances[instance].procedure);
    let this = summary.and_then(|summary| this_slot(facts.view, instance, summary));
    let slot = data.base.zip(summary).and_then(|(base, summary)| {
        summary.slot_of_value.get(selvedge_base::Id::index(base)).copied().flatten()
    });
    this.is_some() && slot == this && data.place != selvedge_facts::Place::Container
}

/// The objects whose races are looked for: those of classes of the application, what accesses touch, and what owns such.
struct Wanted(HybridSet<ObjectId>);

impl Wanted {
    fn new(facts: &Facts<'_, '_>) -> Self {
        let mut found = HybridSet::default();
        let heap = &facts.view.analysis.heap;
        for (object, data) in heap.objects() {
            let class = heap.types.class(data.ty);
            if class.is_some_and(|class| facts.view.is_application_class(class)) {
                found.insert(object);
            }
        }
        for (access, data) in facts.accesses.all.iter_ids() {
            for &instance in facts.view.analysis.instances_of(data.method) {
                found.union_with(facts.accesses.may_touch(facts.view, access, instance));
            }
        }
        let wanted: Vec<ObjectId> = found.iter().collect();
        for owner in wanted.into_iter().flat_map(|object| facts.ownership().owners(object)) {
            found.insert(owner);
        }
        Self(found)
    }

    fn contains(&self, object: ObjectId) -> bool {
        self.0.contains(object)
    }
}
