//! All object races (Milanova and Huang, section 4.3, Figure 7), for any number of abstract threads.
//!
//! An *event* on an object is an entrance into one of its methods, or a use of its fields, elements or state from outside. Two events on
//! one object race if two threads may make them, no common lock excludes it, and not both come over edges that only one thread can use.
//! First the events on distributed objects are held against each other. Then, for each race `<k, m, m'>`, the events on what `k` owns that
//! `m` and `m'` lead to inside its boundary, until nothing is new.
//!
//! **Theorem 4.** If in some run a thread calls a method (or uses a field, element or state) of an object while another thread is inside
//! one of its methods, then a race of their abstract object with these two methods is found; what happens to an object, or to what it
//! owns, while its own constructor runs is left out.
//!
//! *Why.* Whoever uses an object `j` that `k` owns got there through frames that run on behalf of `k` or of what `k` owns: the
//! frame that calls on `j` refers to it, so by Theorem 1 it belongs to the same `k`, and the first of these frames was entered on
//! `k` itself, since threads start in objects that nobody owns. So both threads are inside methods of `k` at the same time, and by
//! induction over the depth of ownership that race was found.

use std::collections::BTreeMap;

use selvedge_base::{BitSet, FastMap, FastSet, HybridSet, IdVec, entity};
use selvedge_facts::ownership::{NodeId, this_slot};
use selvedge_facts::{AccessId, Origin, ThreadId};
use selvedge_ir::Inst;
use selvedge_models::InThread;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use super::calls::{ObjectCalls, Source, TupleId};
use super::locks::LocksetId;
use super::meetings::{InsideId, Insides, Meetings};
use crate::Facts;

entity! {
    /// An event on an object.
    EventId "e";
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
    /// From where.
    pub source: Source,
    /// By which instruction of the source.
    pub call: Option<Inst>,
    /// Under which locks.
    pub locks: LocksetId,
    /// In which threads.
    pub threads: BitSet<ThreadId>,
    /// In which of them outside of constructors.
    pub late: BitSet<ThreadId>,
    /// Over what kind of edge.
    pub passage: Passage,
    /// Whether a caller names the method, or it is only reached through `this`.
    pub is_direct: bool,
}

/// Two events that may happen to one object at the same time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Race {
    /// The object.
    pub object: ObjectId,
    /// The events, the smaller first.
    pub events: [EventId; 2],
}

/// Events that differ in nothing but their source are one.
type Known = FastMap<(ObjectId, What, LocksetId, [BitSet<ThreadId>; 2], Passage, bool), EventId>;

/// See the [module documentation](self).
pub struct ObjectRaces {
    /// The call graph.
    pub calls: ObjectCalls,
    /// The events.
    pub events: IdVec<EventId, Event>,
    /// The events on each object.
    pub on: BTreeMap<ObjectId, Vec<EventId>>,
    /// The races, in the order in which they were found: owners before what they own. Of those between events that are
    /// [alike](super::meetings) only the first.
    pub races: Vec<Race>,
    /// For each race the number of the race on the owner that leads to it; `None` for distributed objects.
    causes: Vec<Option<u32>>,
    /// What is known of pairs of events.
    meetings: Meetings,
    from: FastMap<TupleId, Vec<(ObjectId, EventId)>>,
}

impl ObjectRaces {
    /// Finds all races.
    pub fn new(facts: &Facts<'_, '_>) -> Self {
        let mut races = Self {
            calls: ObjectCalls::new(facts),
            events: IdVec::new(),
            on: BTreeMap::new(),
            races: Vec::new(),
            causes: Vec::new(),
            meetings: Meetings::default(),
            from: FastMap::default(),
        };
        races.add_events(facts);
        races.meetings = Meetings::new(&races.events, &races.on);
        races.find_distributed(facts);
        races.descend(facts);
        races
    }

    /// Whether two things that happen to an object may happen at the same time.
    pub fn may_race(&self, object: ObjectId, a: What, b: What) -> bool {
        self.meetings.may_race(object, a, b)
    }

    /// Whether something happens to an object, other than in its construction.
    pub fn may_happen(&self, object: ObjectId, what: What) -> bool {
        self.meetings.may_happen(object, what)
    }

    /// The race on the owner that leads to the race with this number; `None` for distributed objects.
    pub fn cause(&self, number: usize) -> Option<Race> {
        self.causes[number].map(|cause| self.races[cause as usize])
    }

    fn add_events(&mut self, facts: &Facts<'_, '_>) {
        let wanted = Wanted::new(facts);
        let mut known = Known::default();
        for tuple in self.calls.tuples.ids() {
            let (receiver, instance) = self.calls.tuples[tuple];
            if let Some(object) = receiver.object().filter(|&object| wanted.contains(object)) {
                let entrances: Vec<_> = self.calls.entrances[tuple].iter().map(|(&s, &e)| (s, e)).collect();
                for (source, entrance) in entrances {
                    if entrance.is_construction {
                        continue;
                    }
                    let [threads, late] = self.calls.threads_of(source, tuple);
                    let event = Event {
                        what: What::Method(tuple),
                        source,
                        call: entrance.call,
                        locks: entrance.locks,
                        threads,
                        late,
                        passage: self.passage(facts, source, object),
                        is_direct: entrance.is_direct,
                    };
                    self.add_event(&mut known, object, event);
                }
            }
            self.add_uses(facts, &wanted, &mut known, tuple, receiver, instance);
        }
    }

    fn add_uses(
        &mut self,
        facts: &Facts<'_, '_>,
        wanted: &Wanted,
        known: &mut Known,
        tuple: TupleId,
        receiver: NodeId,
        instance: InstanceId,
    ) {
        let Some(method) = facts.view.method_of(instance) else { return };
        for &access in facts.accesses.of_method(method) {
            if is_own_state(facts, access, instance) {
                continue;
            }
            let data = &facts.accesses.all[access];
            let Some(base) = data.base else { continue };
            let locks = facts.locks.at_call(facts.view, instance, Some(data.inst), Some(base));
            for object in facts.accesses.may_touch(facts.view, access, instance).iter() {
                if facts.accesses.kind_on(access, object).is_none() || !wanted.contains(object) {
                    continue;
                }
                let source = Source::Call(tuple);
                let event = Event {
                    what: What::Use(access, instance),
                    source,
                    call: Some(data.inst),
                    locks: self.calls.locksets.set_at(facts.ownership(), &locks, receiver, object),
                    threads: self.calls.threads[tuple].clone(),
                    late: self.calls.late[tuple].clone(),
                    passage: self.passage(facts, source, object),
                    is_direct: true,
                };
                self.add_event(known, object, event);
            }
        }
    }

    fn add_event(&mut self, known: &mut Known, object: ObjectId, event: Event) {
        let source = event.source;
        let threads = [event.threads.clone(), event.late.clone()];
        let key = (object, event.what, event.locks, threads, event.passage, event.is_direct);
        let id = match known.get(&key) {
            Some(&id) => id,
            None => {
                let id = self.events.push(event);
                known.insert(key, id);
                self.on.entry(object).or_default().push(id);
                id
            }
        };
        if let Source::Call(tuple) = source {
            self.from.entry(tuple).or_default().push((object, id));
        }
    }

    /// Over what kind of edge a source reaches an object.
    fn passage(&self, facts: &Facts<'_, '_>, source: Source, object: ObjectId) -> Passage {
        match source {
            Source::Call(caller) => {
                let (from, _) = self.calls.tuples[caller];
                match facts.ownership().graph.is_reentrant(from, object) {
                    true => Passage::Open,
                    false => Passage::Maker,
                }
            }
            Source::Start(thread) => {
                let data = &facts.threads.all[thread];
                let is_new = matches!(data.origin, Origin::Spawn { kind: InThread::New, .. });
                if is_new && data.objects.contains(&object) { Passage::Itself } else { Passage::Open }
            }
        }
    }

    fn find_distributed(&mut self, facts: &Facts<'_, '_>) {
        let objects: Vec<ObjectId> =
            self.on.keys().copied().filter(|&object| facts.ownership().is_distributed(object)).collect();
        for object in objects {
            let events = self.on[&object].clone();
            for (position, &a) in events.iter().enumerate() {
                for &b in &events[position..] {
                    self.try_race(facts, object, [a, b], None);
                }
            }
        }
    }

    /// Notes a race if there is one, and none before that says the same.
    fn try_race(
        &mut self,
        facts: &Facts<'_, '_>,
        object: ObjectId,
        [a, b]: [EventId; 2],
        cause: Option<u32>,
    ) {
        let events = [a.min(b), a.max(b)];
        if !self.meetings.is_known(events) && self.meetings.may_overlap(facts, &self.calls.locksets, events) {
            self.meetings.note(events);
            self.races.push(Race { object, events });
            self.causes.push(cause);
        }
    }

    /// Looks inside the boundary of every object that races.
    fn descend(&mut self, facts: &Facts<'_, '_>) {
        let mut insides = Insides::default();
        let mut done: FastSet<(InsideId, InsideId)> = FastSet::default();
        let mut next: u32 = 0;
        while let Some(&race) = self.races.get(next as usize) {
            let cause = next;
            next += 1;
            let node = NodeId::of(race.object);
            if facts.ownership().boundary(node).is_empty() {
                continue;
            }
            let [What::Method(m), What::Method(n)] = race.events.map(|event| self.events[event].what) else {
                continue;
            };
            let [m, n] = [m, n]
                .map(|tuple| insides.of((race.object, tuple), || self.reach(facts, race.object, tuple)));
            if !done.insert((m.min(n), m.max(n))) {
                continue;
            }
            let second = &insides.all[n];
            for &(object, a) in insides.all[m].iter() {
                let start = second.partition_point(|&(other, _)| other < object);
                for &(_, b) in second[start..].iter().take_while(|&&(other, _)| other == object) {
                    self.try_race(facts, object, [a, b], Some(cause));
                }
            }
        }
    }

    /// The events to which a method of `owner` leads inside its boundary, on what it owns directly.
    fn reach(&self, facts: &Facts<'_, '_>, owner: ObjectId, start: TupleId) -> Vec<(ObjectId, EventId)> {
        let node = NodeId::of(owner);
        let is_inside = |receiver: NodeId| {
            receiver == node
                || receiver.object().is_some_and(|object| facts.ownership().is_inside(node, object))
        };
        let mut seen: BitSet<TupleId> = [start].into_iter().collect();
        let mut pending = vec![start];
        let mut found: Vec<(ObjectId, EventId)> = Vec::new();
        while let Some(tuple) = pending.pop() {
            let events = self.from.get(&tuple).into_iter().flatten();
            found.extend(events.filter(|(object, _)| facts.ownership().owner(*object) == node));
            for edge in &self.calls.edges[tuple] {
                let (receiver, _) = self.calls.tuples[edge.to];
                // What control enters through `this` has entrances, and so races, of its own.
                let is_own_start = receiver == node && !edge.is_within;
                if is_inside(receiver) && !is_own_start && seen.insert(edge.to) {
                    pending.push(edge.to);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
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
