//! What methods of an object do to its state: to its own fields, and to what it owns.
//!
//! A race of two methods is worth telling if one of them writes what the other one reads or writes, and no other reason keeps the two
//! apart: the order of threads, a lock that is taken further inside, an object of its own for each thread.

use selvedge_base::{BitSet, FastMap, FastSet};
use selvedge_facts::ownership::NodeId;
use selvedge_facts::{AccessId, AccessKind, Candidate, Occurrence, Place, ThreadId};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use super::calls::TupleId;
use super::choosing::Happening;
use super::events::{What, is_own_state};
use super::races::ObjectRaces;
use crate::Facts;
use crate::refuters::Judging;

/// An access to the state of an object, as an instance makes it.
pub type Touch = (ObjectId, Place, AccessId, InstanceId);

/// More candidates than this are not tried for two that meet; they count as a conflict then, which is told as uncertain.
const MOST_CANDIDATES: usize = 400;

/// So much is done for all that meet in one object: trying a candidate counts as much as looking at [`TRYING`] that were tried before. Beyond
/// that, what meets counts as a conflict that was not tried.
const MOST_WORK: usize = 64_000;

/// See [`MOST_WORK`].
const TRYING: usize = 16;

/// What two that meet do to each other.
#[derive(Clone, Copy, Debug)]
pub struct Conflict {
    /// How it happens.
    pub candidate: Candidate,
    /// Whether every candidate before it was refuted and this one is not; otherwise there were too many to be tried.
    pub is_tried: bool,
}

/// What a happening touches: everything, in order, each with whether it writes; and what it writes once more.
struct Touched {
    all: Vec<(Touch, bool)>,
    writes: Vec<(Touch, bool)>,
}

/// Finds what happens in one object, and remembers it.
pub struct States<'s, 'g, 'a> {
    facts: &'s Facts<'g, 'a>,
    races: &'s ObjectRaces,
    judging: Judging<'s>,
    object: ObjectId,
    /// What each happening touches.
    touched: FastMap<usize, Touched>,
    /// The candidates that are refuted.
    refuted: FastSet<(ObjectId, [Occurrence; 2])>,
    /// What was done so far; see [`MOST_WORK`].
    work: usize,
}

impl<'s, 'g, 'a> States<'s, 'g, 'a> {
    /// Knows nothing yet.
    pub fn new(
        facts: &'s Facts<'g, 'a>,
        races: &'s ObjectRaces,
        judging: Judging<'s>,
        object: ObjectId,
    ) -> Self {
        let (touched, refuted) = (FastMap::default(), FastSet::default());
        Self { facts, races, judging, object, touched, refuted, work: 0 }
    }

    /// A conflict of two happenings, given with their numbers, that nothing refutes: what it is about, and how it happens.
    pub fn conflict(&mut self, a: (usize, &Happening), b: (usize, &Happening)) -> Option<Conflict> {
        for (number, happening) in [a, b] {
            if !self.touched.contains_key(&number) {
                let touched = self.find(&happening.whats);
                self.touched.insert(number, touched);
            }
        }
        let [first, second] = [a, b].map(|(number, _)| &self.touched[&number]);
        let [late, later] = [a, b].map(|(_, happening)| self.races.meetings.threads(happening.late));
        let (facts, judging) = (self.facts, self.judging);
        let mut tried = 0;
        for &((touched, place, access, instance), writes) in &first.all {
            let second = if writes { &second.all } else { &second.writes };
            let start = second.partition_point(|&((other, at, ..), _)| (other, at) < (touched, place));
            let same =
                second[start..].iter().take_while(|&&((other, at, ..), _)| (other, at) == (touched, place));
            for &((_, _, other, there), _) in same {
                if judging.settled.contains([access, other]) {
                    continue;
                }
                for (t, u) in parallel(facts, late, later) {
                    let sides = [
                        Occurrence { access, instance, thread: t },
                        Occurrence { access: other, instance: there, thread: u },
                    ];
                    let candidate = Candidate { sides, object: Some(touched) };
                    self.work += 1;
                    if self.work > MOST_WORK {
                        return Some(Conflict { candidate, is_tried: false });
                    }
                    if self.refuted.contains(&(touched, sides)) {
                        continue;
                    }
                    if !judging.is_refuted(facts, &candidate) {
                        return Some(Conflict { candidate, is_tried: true });
                    }
                    tried += 1;
                    self.work += TRYING;
                    self.refuted.insert((touched, sides));
                    if tried > MOST_CANDIDATES {
                        return Some(Conflict { candidate, is_tried: false });
                    }
                }
            }
        }
        None
    }

    /// Everything that is done to the object and to what it owns, in order.
    fn find(&self, whats: &[What]) -> Touched {
        let mut found = Vec::new();
        let mut starts = Vec::new();
        for &what in whats {
            match what {
                What::Use(access, instance) => {
                    found.push((self.object, self.facts.accesses.all[access].place, access, instance));
                }
                What::Method(start) => starts.push(start),
            }
        }
        self.inside(starts, &mut found);
        found.sort_unstable();
        found.dedup();
        let with_kind = |touch: Touch| {
            let kind = self.facts.accesses.kind_on(touch.2, touch.0)?;
            Some((touch, kind == AccessKind::Write))
        };
        let all: Vec<(Touch, bool)> = found.into_iter().filter_map(with_kind).collect();
        let writes = all.iter().copied().filter(|(_, writes)| *writes).collect();
        Touched { all, writes }
    }

    /// What methods do inside the object, and inside what it owns.
    fn inside(&self, starts: Vec<TupleId>, found: &mut Vec<Touch>) {
        let (facts, calls, owner) = (self.facts, &self.races.calls, self.object);
        let node = NodeId::of(owner);
        let belongs = |object: ObjectId| object == owner || facts.ownership().is_inside(node, object);
        let mut seen: FastSet<TupleId> = starts.iter().copied().collect();
        let mut pending = starts;
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
            let inside = calls.edges_inside(facts.ownership(), tuple, node).into_iter();
            pending.extend(inside.filter(|&to| seen.insert(to)));
        }
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
