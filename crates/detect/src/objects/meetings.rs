//! Which events meet, for very many pairs of events: what does not depend on the single event is computed once.
//!
//! Events on one object are one *deed* if the same happens, in the same threads outside of constructors, and as directly. Races between
//! the events of two deeds lead to the same races inside the object and to the same words of a report.
//!
//! Whether two events may overlap depends on the *way* on which they happen alone: threads, locks and passage. There are few ways, and few
//! sets of ways on which deeds happen. So that two deeds of a distributed object race is not kept for each two of them, of which large
//! programs have some hundred millions, but for the sets of their ways.
//!
//! Many methods of an owner lead to the same events inside its boundary: each such set is kept once, and two of them are held
//! against each other once.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use selvedge_base::{BitSet, FastMap, FastSet, Id, IdVec, entity};
use selvedge_facts::ThreadId;
use selvedge_pta::heap::ObjectId;

use super::calls::TupleId;
use super::events::{EventId, Events, Passage, ThreadsId, What};
use super::locks::{LocksetId, Locksets};
use crate::Facts;

entity! {
    /// What happens to an object.
    DeedId "d";
    /// On which way events happen.
    WayId "w";
    /// The ways on which a deed happens.
    WaysId "ws";
    /// The events inside the boundary of an owner to which a method leads.
    InsideId "in";
}

/// Events of an object that differ in their ways only.
#[derive(Clone, Copy, Debug)]
pub struct Deed {
    /// To whom.
    pub object: ObjectId,
    /// What happens.
    pub what: What,
    /// In which threads, outside of constructors.
    pub late: ThreadsId,
    /// Whether a caller names the method, or it is only reached through `this`.
    pub is_direct: bool,
    /// On which ways.
    pub ways: WaysId,
}

/// What is known of deeds and of pairs of them.
#[derive(Default)]
pub struct Meetings {
    /// The deeds, those of an object one after the other, in the order of what happens.
    pub deeds: IdVec<DeedId, Deed>,
    on: BTreeMap<ObjectId, Range<u32>>,
    deed_of: IdVec<EventId, DeedId>,
    /// The events of the deeds, one deed after the other, and where those of each begin.
    events: Vec<EventId>,
    first_event: Vec<u32>,
    way_of: IdVec<EventId, WayId>,
    ways: IdVec<WayId, (ThreadsId, LocksetId, Passage)>,
    sets: IdVec<WaysId, Vec<WayId>>,
    threads: IdVec<ThreadsId, Arc<BitSet<ThreadId>>>,
    /// The pairs of ways that were compared, and those that may overlap.
    compared: IdVec<WayId, BitSet<WayId>>,
    overlapping: IdVec<WayId, BitSet<WayId>>,
    /// The sets of ways that were compared, and those that may overlap.
    sets_compared: IdVec<WaysId, BitSet<WaysId>>,
    sets_overlapping: IdVec<WaysId, BitSet<WaysId>>,
    /// The races of owned objects, the smaller deed first.
    owned: FastSet<(DeedId, DeedId)>,
}

impl Meetings {
    /// Sorts the events.
    pub fn new(found: &Events) -> Self {
        let Events { all, on, threads_of, sets: threads, .. } = found;
        let mut made = Self {
            threads: threads.clone(),
            deed_of: IdVec::filled(DeedId::new(0), all.len()),
            way_of: IdVec::filled(WayId::new(0), all.len()),
            events: Vec::with_capacity(all.len()),
            ..Self::default()
        };
        let mut way_ids: FastMap<(ThreadsId, LocksetId, Passage), WayId> = FastMap::default();
        let mut set_ids: FastMap<Vec<WayId>, WaysId> = FastMap::default();
        for (&object, events) in on {
            let key = |id: EventId| {
                let event = &all[id];
                (event.what, threads_of[id][1], event.is_direct)
            };
            let mut sorted = events.clone();
            sorted.sort_unstable_by_key(|&id| (key(id), id));
            let first = made.deeds.len() as u32;
            for alike in sorted.chunk_by(|&a, &b| key(a) == key(b)) {
                let mut ways: Vec<WayId> = Vec::new();
                for &id in alike {
                    let way = (threads_of[id][0], all[id].locks, all[id].passage);
                    made.way_of[id] = *way_ids.entry(way).or_insert_with(|| made.ways.push(way));
                    ways.push(made.way_of[id]);
                }
                ways.sort_unstable();
                ways.dedup();
                let ways = match set_ids.get(&ways) {
                    Some(&known) => known,
                    None => {
                        let id = made.sets.push(ways.clone());
                        set_ids.insert(ways, id);
                        id
                    }
                };
                let (what, late, is_direct) = key(alike[0]);
                made.first_event.push(made.events.len() as u32);
                made.events.extend_from_slice(alike);
                let deed = made.deeds.push(Deed { object, what, late, is_direct, ways });
                alike.iter().for_each(|&id| made.deed_of[id] = deed);
            }
            made.on.insert(object, first..made.deeds.len() as u32);
        }
        made.first_event.push(made.events.len() as u32);
        made.compared = IdVec::filled(BitSet::new(), made.ways.len());
        made.overlapping = made.compared.clone();
        made.sets_compared = IdVec::filled(BitSet::new(), made.sets.len());
        made.sets_overlapping = made.sets_compared.clone();
        made
    }

    /// The objects to which something happens.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> {
        self.on.keys().copied()
    }

    /// What happens to an object.
    pub fn on(&self, object: ObjectId) -> impl DoubleEndedIterator<Item = DeedId> + Clone + use<> {
        self.on.get(&object).cloned().unwrap_or_default().map(DeedId::new)
    }

    /// The threads of a set.
    pub fn threads(&self, set: ThreadsId) -> &BitSet<ThreadId> {
        &self.threads[set]
    }

    /// The deeds that are the same.
    fn of(&self, object: ObjectId, what: What) -> impl Iterator<Item = DeedId> + Clone {
        let Range { start, end } = self.on.get(&object).cloned().unwrap_or_default();
        let deeds = &self.deeds.as_slice()[start as usize..end as usize];
        let first = start + deeds.partition_point(|deed| deed.what < what) as u32;
        (first..end).map(DeedId::new).take_while(move |&id| self.deeds[id].what == what)
    }

    /// Whether something happens to an object, other than in its construction.
    pub fn may_happen(&self, object: ObjectId, what: What) -> bool {
        self.of(object, what).next().is_some()
    }

    /// Whether a race is known of two things that happen to an object.
    pub fn may_race(&self, is_distributed: bool, object: ObjectId, a: What, b: What) -> bool {
        let second = self.of(object, b);
        self.of(object, a).any(|a| second.clone().any(|b| self.is_race(is_distributed, a, b)))
    }

    /// Whether two deeds of an object race.
    pub fn is_race(&self, is_distributed: bool, a: DeedId, b: DeedId) -> bool {
        match is_distributed {
            true => self.ways_overlap(self.deeds[a].ways, self.deeds[b].ways),
            false => self.owned.contains(&(a.min(b), a.max(b))),
        }
    }

    /// Whether what happens on these ways may happen at the same time, if both were [met](Self::meet) on an object.
    pub fn ways_overlap(&self, a: WaysId, b: WaysId) -> bool {
        self.sets_overlapping[a.min(b)].contains(a.max(b))
    }

    /// Finds out which deeds of a distributed object may overlap.
    pub fn meet(&mut self, facts: &Facts<'_, '_>, locksets: &Locksets, object: ObjectId) {
        let mut ways: Vec<WaysId> = self.on(object).map(|deed| self.deeds[deed].ways).collect();
        ways.sort_unstable();
        ways.dedup();
        for (position, &a) in ways.iter().enumerate() {
            for &b in &ways[position..] {
                if self.sets_compared[a].insert(b) {
                    let [first, second] = [a, b].map(|set| self.sets[set].clone());
                    let mut pairs = first.iter().flat_map(|&a| second.iter().map(move |&b| (a, b)));
                    if pairs.any(|(a, b)| self.may_overlap(facts, locksets, a, b)) {
                        self.sets_overlapping[a].insert(b);
                    }
                }
            }
        }
    }

    /// Notes a race of two events of an owned object, if there is one, and none of the same deeds before.
    pub fn note(&mut self, facts: &Facts<'_, '_>, locksets: &Locksets, [a, b]: [EventId; 2]) -> bool {
        let [first, second] = [a, b].map(|event| self.deed_of[event]);
        let deeds = (first.min(second), first.max(second));
        let is_new =
            !self.owned.contains(&deeds) && self.may_overlap(facts, locksets, self.way_of[a], self.way_of[b]);
        is_new && self.owned.insert(deeds)
    }

    /// Events of two deeds of a distributed object that may overlap: the first that are known to.
    pub fn witness(&self, a: DeedId, b: DeedId) -> Option<[EventId; 2]> {
        let events = |deed: DeedId| {
            let [start, end] = [deed.index(), deed.index() + 1].map(|at| self.first_event[at] as usize);
            self.events[start..end].iter().copied()
        };
        let may_overlap = |a: EventId, b: EventId| {
            let [a, b] = [self.way_of[a], self.way_of[b]];
            self.overlapping[a.min(b)].contains(a.max(b))
        };
        events(a).find_map(|a| events(b).find(|&b| may_overlap(a, b)).map(|b| [a, b]))
    }

    /// What an event is one of.
    pub fn deed_of(&self, event: EventId) -> DeedId {
        self.deed_of[event]
    }

    fn may_overlap(&mut self, facts: &Facts<'_, '_>, locksets: &Locksets, a: WayId, b: WayId) -> bool {
        let (a, b) = (a.min(b), a.max(b));
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
