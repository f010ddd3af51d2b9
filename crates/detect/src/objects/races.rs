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

use selvedge_base::{BitSet, FastMap, FastSet, IdVec};
use selvedge_facts::ownership::NodeId;
use selvedge_pta::heap::ObjectId;

use super::calls::{ObjectCalls, TupleId};
use super::events::{Event, EventId, Events, What};
use super::meetings::{InsideId, Insides, Meetings};
use crate::Facts;

/// Two events that may happen to one object at the same time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Race {
    /// The object.
    pub object: ObjectId,
    /// The events, the smaller first.
    pub events: [EventId; 2],
}

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
    onward: IdVec<EventId, Vec<EventId>>,
}

impl ObjectRaces {
    /// Finds all races.
    pub fn new(facts: &Facts<'_, '_>) -> Self {
        let mut calls = ObjectCalls::new(facts);
        let found = Events::new(facts, &mut calls);
        let meetings = Meetings::new(&found);
        let Events { all: events, on, from, onward, .. } = found;
        let mut races =
            Self { calls, events, on, races: Vec::new(), causes: Vec::new(), meetings, from, onward };
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
