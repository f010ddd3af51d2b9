//! What methods of an object do to its state: to its own fields, and to what it owns.
//!
//! A race of two methods is worth telling if one of them writes what the other one reads or writes, and no other reason keeps the two
//! apart: the order of threads, a lock that is taken further inside, an object of its own for each thread.

use selvedge_base::{BitSet, FastMap};
use selvedge_facts::ownership::NodeId;
use selvedge_facts::{AccessId, AccessKind, Candidate, Occurrence, Place, ThreadId};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use super::calls::TupleId;
use super::events::{Event, What, is_own_state};
use super::races::ObjectRaces;
use crate::Facts;
use crate::refuters::Judging;

/// An access to the state of an object, as an instance makes it.
pub type Touch = (ObjectId, Place, AccessId, InstanceId);

/// More candidates than this are not tried for two events; they count as a conflict then.
const MOST_CANDIDATES: usize = 400;

/// Finds what events do, and remembers it.
pub struct States<'s, 'g, 'a> {
    facts: &'s Facts<'g, 'a>,
    races: &'s ObjectRaces,
    judging: Judging<'s>,
    known: FastMap<(ObjectId, What), Vec<Touch>>,
}

impl<'s, 'g, 'a> States<'s, 'g, 'a> {
    /// Knows nothing yet.
    pub fn new(facts: &'s Facts<'g, 'a>, races: &'s ObjectRaces, judging: Judging<'s>) -> Self {
        Self { facts, races, judging, known: FastMap::default() }
    }

    /// A conflict of two events on an object that nothing refutes: what it is about, and how it happens.
    pub fn conflict(&mut self, object: ObjectId, a: &Event, b: &Event) -> Option<Candidate> {
        for what in [a.what, b.what] {
            if !self.known.contains_key(&(object, what)) {
                let touched = self.find(object, what);
                self.known.insert((object, what), touched);
            }
        }
        let [first, second] = [a.what, b.what].map(|what| &self.known[&(object, what)]);
        let mut tried = 0;
        for &(touched, place, access, instance) in first {
            let start = second.partition_point(|&(other, at, ..)| (other, at) < (touched, place));
            let same = second[start..].iter().take_while(|&&(other, at, ..)| (other, at) == (touched, place));
            for &(_, _, other, there) in same {
                let kinds = [access, other].map(|id| self.facts.accesses.kind_on(id, touched));
                if kinds[0].max(kinds[1]) != Some(AccessKind::Write) || kinds.contains(&None) {
                    continue;
                }
                if self.judging.settled.contains([access, other]) {
                    continue;
                }
                for (t, u) in parallel(self.facts, &a.late, &b.late) {
                    let sides = [
                        Occurrence { access, instance, thread: t },
                        Occurrence { access: other, instance: there, thread: u },
                    ];
                    let candidate = Candidate { sides, object: Some(touched) };
                    tried += 1;
                    if !self.judging.is_refuted(self.facts, &candidate) || tried > MOST_CANDIDATES {
                        return Some(candidate);
                    }
                }
            }
        }
        None
    }

    /// Everything that an event does to the object and to what it owns, in order.
    fn find(&self, object: ObjectId, what: What) -> Vec<Touch> {
        let mut found = match what {
            What::Use(access, instance) => {
                vec![(object, self.facts.accesses.all[access].place, access, instance)]
            }
            What::Method(start) => self.inside(object, start),
        };
        found.sort_unstable();
        found.dedup();
        found
    }

    fn inside(&self, owner: ObjectId, start: TupleId) -> Vec<Touch> {
        let (facts, calls) = (self.facts, &self.races.calls);
        let node = NodeId::of(owner);
        let belongs = |object: ObjectId| object == owner || facts.ownership().is_inside(node, object);
        let mut seen: BitSet<TupleId> = [start].into_iter().collect();
        let mut pending = vec![start];
        let mut found = Vec::new();
        while let Some(tuple) = pending.pop() {
            let (receiver, instance) = calls.tuples[tuple];
            let accesses = facts.view.method_of(instance).map_or(&[][..], |id| facts.accesses.of_method(id));
            for &access in accesses {
                let place = facts.accesses.all[access].place;
                if is_own_state(facts, access, instance) {
                    found.extend(receiver.object().map(|object| (object, place, access, instance)));
                } else {
                    let touched = facts.accesses.may_touch(facts.view, access, instance).iter();
                    found.extend(
                        touched
                            .filter(|&object| belongs(object))
                            .map(|object| (object, place, access, instance)),
                    );
                }
            }
            for edge in calls.edges(tuple) {
                let (receiver, _) = calls.tuples[edge.to];
                let stays = edge.is_within || receiver.object().is_some_and(&belongs);
                if stays && seen.insert(edge.to) {
                    pending.push(edge.to);
                }
            }
        }
        found
    }
}

/// Threads of both sides that may run at the same time.
pub fn parallel(
    facts: &Facts<'_, '_>,
    first: &BitSet<ThreadId>,
    second: &BitSet<ThreadId>,
) -> impl Iterator<Item = (ThreadId, ThreadId)> {
    first.iter().flat_map(move |a| {
        let others = second.iter().filter(move |&b| a != b || facts.threads.all[a].many);
        others.map(move |b| (a, b))
    })
}
