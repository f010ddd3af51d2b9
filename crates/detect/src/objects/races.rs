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
//! `k` itself, since threads start in objects without an owner. So both threads are inside methods of `k` at the same time, and by
//! induction over the depth of ownership that race was found.

use std::collections::BTreeMap;

use selvedge_base::{BitSet, FastMap, FastSet, IdVec};
use selvedge_facts::ownership::NodeId;
use selvedge_pta::heap::ObjectId;

use super::calls::{ObjectCalls, TupleId};
use super::events::{Event, EventId, Events, What};
use super::meetings::{DeedId, InsideId, Insides, Meetings, WaysId};
use crate::Facts;

/// Two events that may happen to one object at the same time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Race {
    /// The object.
    pub object: ObjectId,
    /// The events.
    pub events: [EventId; 2],
}

/// See the [module documentation](self).
pub struct ObjectRaces {
    /// The call graph.
    pub calls: ObjectCalls,
    /// The events.
    pub events: IdVec<EventId, Event>,
    /// What is known of pairs of events: the races of distributed objects.
    pub meetings: Meetings,
    /// The races on owned objects, in the order in which they were found, owners before what they own, each with the race on the owner that leads
    /// to it. Of those between events of the same [deeds](super::meetings) only the first.
    pub owned: Vec<(Race, Race)>,
    from: FastMap<TupleId, Vec<(ObjectId, EventId)>>,
    onward: IdVec<EventId, Vec<EventId>>,
}

impl ObjectRaces {
    /// Finds all races.
    pub fn new(facts: &Facts<'_, '_>) -> Self {
        let mut calls = ObjectCalls::new(facts);
        let found = Events::new(facts, &mut calls);
        let meetings = Meetings::new(&found);
        let Events { all: events, from, onward, .. } = found;
        let mut races = Self { calls, events, meetings, owned: Vec::new(), from, onward };
        let is_distributed = |object: &ObjectId| facts.ownership().is_distributed(*object);
        let distributed: Vec<ObjectId> = races.meetings.objects().filter(is_distributed).collect();
        for &object in &distributed {
            races.meetings.meet(facts, &races.calls.locksets, object);
        }
        races.descend(facts, &distributed);
        (races.from, races.onward) = (FastMap::default(), IdVec::new());
        races
    }

    /// Whether two things that happen to an object may happen at the same time.
    pub fn may_race(&self, facts: &Facts<'_, '_>, object: ObjectId, a: What, b: What) -> bool {
        self.meetings.may_race(facts.ownership().is_distributed(object), object, a, b)
    }

    /// Whether something happens to an object, other than in its construction.
    pub fn may_happen(&self, object: ObjectId, what: What) -> bool {
        self.meetings.may_happen(object, what)
    }

    /// Pairs of deeds of an object that race, each once.
    pub fn on(&self, facts: &Facts<'_, '_>, object: ObjectId) -> impl Iterator<Item = (DeedId, DeedId)> {
        let is_distributed = facts.ownership().is_distributed(object);
        self.meetings.on(object).flat_map(move |a| {
            let others = self.meetings.on(object).filter(move |&b| a <= b);
            others.filter(move |&b| self.meetings.is_race(is_distributed, a, b)).map(move |b| (a, b))
        })
    }

    /// Looks inside the boundary of every object that races.
    fn descend(&mut self, facts: &Facts<'_, '_>, distributed: &[ObjectId]) {
        let mut descent = Descent::default();
        for &object in distributed {
            if facts.ownership().boundary(NodeId::of(object)).is_empty() {
                continue;
            }
            // Methods that lead to the same events on the same ways do so together.
            let mut alike: BTreeMap<(InsideId, WaysId), DeedId> = BTreeMap::new();
            for id in self.meetings.on(object) {
                let deed = self.meetings.deeds[id];
                if let Some(inside) = descent.inside(self, facts, object, deed.what) {
                    alike.entry((inside, deed.ways)).or_insert(id);
                }
            }
            let alike: Vec<((InsideId, WaysId), DeedId)> = alike.into_iter().collect();
            for (position, &((m, ways), first)) in alike.iter().enumerate() {
                for &((n, others), second) in &alike[position..] {
                    if self.meetings.ways_overlap(ways, others)
                        && descent.is_new(m, n)
                        && let Some(events) = self.meetings.witness(first, second)
                    {
                        self.enter(facts, &descent.insides, [m, n], Race { object, events });
                    }
                }
            }
        }
        let mut next = 0;
        while let Some(&(race, _)) = self.owned.get(next) {
            next += 1;
            if facts.ownership().boundary(NodeId::of(race.object)).is_empty() {
                continue;
            }
            let [m, n] = race.events.map(|event| {
                let what = self.events[event].what;
                descent.inside(self, facts, race.object, what)
            });
            if let (Some(m), Some(n)) = (m, n)
                && descent.is_new(m, n)
            {
                self.enter(facts, &descent.insides, [m, n], race);
            }
        }
    }

    /// Holds the events of two methods of an owner against each other.
    fn enter(&mut self, facts: &Facts<'_, '_>, insides: &Insides, [m, n]: [InsideId; 2], cause: Race) {
        let second = &insides.all[n];
        for &(object, a) in &insides.all[m] {
            let start = second.partition_point(|&(other, _)| other < object);
            for &(_, b) in second[start..].iter().take_while(|&&(other, _)| other == object) {
                let events = [a.min(b), a.max(b)];
                if self.meetings.note(facts, &self.calls.locksets, events) {
                    self.owned.push((Race { object, events }, cause));
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
            for edge in self.calls.edges(tuple) {
                let (receiver, _) = self.calls.tuples[edge.to];
                // What control enters through `this` has entrances, and so races, of its own.
                let is_own_start = receiver == node && !edge.is_within;
                if is_inside(receiver) && !is_own_start && seen.insert(edge.to) {
                    pending.push(edge.to);
                }
            }
        }
        let mut seen: BitSet<EventId> = found.iter().map(|&(_, event)| event).collect();
        let mut next = 0;
        while let Some(&(object, event)) = found.get(next) {
            next += 1;
            let onward = self.onward[event].iter().copied().filter(|&event| seen.insert(event));
            found.extend(onward.map(|event| (object, event)));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// How far the way down has come.
#[derive(Default)]
struct Descent {
    insides: Insides,
    done: FastSet<(InsideId, InsideId)>,
}

impl Descent {
    /// To what a method leads inside its object; nothing if it is no method.
    fn inside(
        &mut self,
        races: &ObjectRaces,
        facts: &Facts<'_, '_>,
        object: ObjectId,
        what: What,
    ) -> Option<InsideId> {
        let What::Method(tuple) = what else { return None };
        Some(self.insides.of((object, tuple), || races.reach(facts, object, tuple)))
    }

    fn is_new(&mut self, m: InsideId, n: InsideId) -> bool {
        self.done.insert((m.min(n), m.max(n)))
    }
}
