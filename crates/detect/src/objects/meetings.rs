//! Which events meet, asked of very many pairs of events: what does not depend on the single event is found once.
//!
//! Events on one object are *alike* if the same happens, in the same threads outside of constructors, and as directly. Races between
//! alike events lead to the same races inside the object and to the same words of a report, so the first of them stands for all.
//!
//! Whether two events may overlap depends on the *way* on which they happen alone: threads, locks and passage. There are few ways.
//!
//! Many methods of an owner lead to the same events inside its boundary: each such set is kept once, and two of them are held
//! against each other once.

use std::sync::Arc;

use selvedge_base::{BitSet, FastMap, Id, IdVec, entity};
use selvedge_facts::ThreadId;
use selvedge_pta::heap::ObjectId;

use super::calls::TupleId;
use super::events::{EventId, Events, Passage, ThreadsId, What};
use super::locks::{LocksetId, Locksets};
use crate::Facts;

entity! {
    /// Events of an object that are alike.
    AlikeId "al";
    /// On which way events happen.
    WayId "w";
    /// The events inside the boundary of an owner to which a method leads.
    InsideId "in";
}

/// What is known of events and of pairs of them.
#[derive(Default)]
pub struct Meetings {
    /// What is alike, over all objects, by what happens.
    happening: FastMap<(ObjectId, What), Vec<(AlikeId, u32)>>,
    /// What each event is alike to, numbered within the object, and the first such number of its object.
    alike: IdVec<EventId, (AlikeId, u32)>,
    /// For what is alike, over all objects: with what of the same object it is known to race as the earlier event.
    racing: Vec<BitSet<AlikeId>>,
    way_of: IdVec<EventId, WayId>,
    ways: IdVec<WayId, (ThreadsId, LocksetId, Passage)>,
    threads: IdVec<ThreadsId, Arc<BitSet<ThreadId>>>,
    /// The pairs of ways that were compared, and those that may overlap.
    compared: IdVec<WayId, BitSet<WayId>>,
    overlapping: IdVec<WayId, BitSet<WayId>>,
}

impl Meetings {
    /// Sorts the events.
    pub fn new(found: &Events) -> Self {
        let Events { all, on, threads_of, sets, .. } = found;
        let mut happening: FastMap<(ObjectId, What), Vec<(AlikeId, u32)>> = FastMap::default();
        let mut ids: FastMap<(ThreadsId, LocksetId, Passage), WayId> = FastMap::default();
        let mut ways = IdVec::new();
        let mut alike = IdVec::filled((AlikeId::new(0), 0), all.len());
        let mut way_of = IdVec::filled(WayId::new(0), all.len());
        let mut classes = 0;
        for (&object, events) in on {
            let mut known: FastMap<(What, ThreadsId, bool), AlikeId> = FastMap::default();
            for &id in events {
                let event = &all[id];
                let [threads, late] = threads_of[id];
                let next = AlikeId::new(known.len() as u32);
                let found = *known.entry((event.what, late, event.is_direct)).or_insert(next);
                alike[id] = (found, classes);
                if found == next {
                    happening.entry((object, event.what)).or_default().push((found, classes));
                }
                let way = (threads, event.locks, event.passage);
                way_of[id] = *ids.entry(way).or_insert_with(|| ways.push(way));
            }
            classes += known.len() as u32;
        }
        Self {
            happening,
            alike,
            racing: vec![BitSet::new(); classes as usize],
            way_of,
            compared: IdVec::filled(BitSet::new(), ways.len()),
            overlapping: IdVec::filled(BitSet::new(), ways.len()),
            ways,
            threads: sets.clone(),
        }
    }

    /// Whether something happens to an object, other than in its construction.
    pub fn may_happen(&self, object: ObjectId, what: What) -> bool {
        self.happening.contains_key(&(object, what))
    }

    /// Whether a race is known of two things that happen to an object.
    pub fn may_race(&self, object: ObjectId, a: What, b: What) -> bool {
        let [a, b] = [a, b].map(|what| self.happening.get(&(object, what)).map_or(&[][..], Vec::as_slice));
        let races = |(first, base): (AlikeId, u32), (second, _): (AlikeId, u32)| {
            self.racing[base as usize + first.index()].contains(second)
        };
        a.iter().any(|&a| b.iter().any(|&b| races(a, b) || races(b, a)))
    }

    /// Whether a race of two events of an object, the smaller first, is known, or one between events that are alike.
    pub fn is_known(&self, [a, b]: [EventId; 2]) -> bool {
        let (first, base) = self.alike[a];
        self.racing[base as usize + first.index()].contains(self.alike[b].0)
    }

    /// Notes a race of two events of an object, the smaller first.
    pub fn note(&mut self, [a, b]: [EventId; 2]) {
        let (first, base) = self.alike[a];
        self.racing[base as usize + first.index()].insert(self.alike[b].0);
    }

    /// Whether two events may happen at the same time.
    pub fn may_overlap(&mut self, facts: &Facts<'_, '_>, locksets: &Locksets, events: [EventId; 2]) -> bool {
        let [a, b] = events.map(|event| self.way_of[event]);
        if self.compared[a].insert(b) && self.compare(facts, locksets, a, b) {
            self.overlapping[a].insert(b);
        }
        self.overlapping[a].contains(b)
    }

    fn compare(&self, facts: &Facts<'_, '_>, locksets: &Locksets, a: WayId, b: WayId) -> bool {
        let [(first, held, passage), (second, others, other)] = [a, b].map(|way| self.ways[way]);
        if passage == other && passage != Passage::Open {
            return false;
        }
        let is_many = |thread: ThreadId| facts.threads.all[thread].many;
        let [first, second] = [first, second].map(|set| &self.threads[set]);
        let parallel = first.iter().any(|a| second.iter().any(|b| a != b || is_many(a)));
        parallel && locksets.common(held, others).is_none()
    }
}

/// Events with their objects, in order.
pub type Inside = Vec<(ObjectId, EventId)>;

/// To which events methods of owners lead inside their boundaries, as far as it was asked.
#[derive(Default)]
pub struct Insides {
    /// Each set of events once.
    pub all: IdVec<InsideId, Inside>,
    ids: FastMap<Inside, InsideId>,
    of_method: FastMap<(ObjectId, TupleId), InsideId>,
}

impl Insides {
    /// The set of a method of an owner, which is found if it is not known.
    pub fn of(&mut self, method: (ObjectId, TupleId), find: impl FnOnce() -> Inside) -> InsideId {
        if let Some(&known) = self.of_method.get(&method) {
            return known;
        }
        let found = find();
        let id = match self.ids.get(&found) {
            Some(&id) => id,
            None => {
                let id = self.all.push(found.clone());
                self.ids.insert(found, id);
                id
            }
        };
        self.of_method.insert(method, id);
        id
    }
}
