//! The heap as a graph: what each abstract object may hold, and what is reachable from some of them.
//!
//! Where many walks are made through one heap, most of them come to the same large knot of objects that reach each other. So
//! what is reachable from one object that holds much, the *hub*, is worked out once; a walk that comes to the hub takes all of
//! that over ([`Reach::close_by_hub`]).

use std::cmp::Reverse;
use std::sync::OnceLock;

use selvedge_base::{BitSet, FastMap, FastSet, HybridSet, IdVec, entity};
use selvedge_pta::Analysis;
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::Member;

entity! {
    /// A set that members hold.
    SetId "set";
}

/// What each object holds in its fields, elements and captured values.
pub(crate) struct HeapGraph<'a> {
    /// Which sets the members of each object hold.
    held: IdVec<ObjectId, Vec<SetId>>,
    /// These sets, each once.
    sets: IdVec<SetId, &'a HybridSet<ObjectId>>,
    hub: OnceLock<Hub>,
}

/// What is reachable from one object that holds much.
struct Hub {
    object: ObjectId,
    walked: BitSet<SetId>,
    reached: BitSet<ObjectId>,
}

impl<'a> HeapGraph<'a> {
    pub(crate) fn new(analysis: &'a Analysis<'_>) -> Self {
        Self::through(analysis, |_, _| true)
    }

    /// The graph in which only some members of some objects lead on.
    pub(crate) fn through(analysis: &'a Analysis<'_>, leads: impl Fn(ObjectId, Member) -> bool) -> Self {
        let mut held: IdVec<ObjectId, Vec<SetId>> = IdVec::filled(Vec::new(), analysis.heap.len());
        let mut sets: IdVec<SetId, &'a HybridSet<ObjectId>> = IdVec::new();
        let mut known: FastMap<*const HybridSet<ObjectId>, SetId> = FastMap::default();
        for (object, member, set) in analysis.members() {
            if !set.is_empty() && leads(object, member) {
                held[object].push(*known.entry(std::ptr::from_ref(set)).or_insert_with(|| sets.push(set)));
            }
        }
        Self { held, sets, hub: OnceLock::new() }
    }

    /// A walk that starts from nothing yet.
    pub(crate) fn walk<'g>(&'g self) -> Reach<'g, 'a> {
        self.walk_up_to(usize::MAX)
    }

    /// A walk that leaves out sets of more objects than this.
    pub(crate) fn walk_up_to<'g>(&'g self, largest: usize) -> Reach<'g, 'a> {
        Reach {
            graph: self,
            largest,
            added: FastSet::default(),
            walked: BitSet::new(),
            reached: BitSet::new(),
            pending: Vec::new(),
        }
    }

    /// The first of the objects that hold the most.
    fn hub(&self) -> &Hub {
        self.hub.get_or_init(|| {
            let holds = |sets: &[SetId]| sets.iter().map(|&set| self.sets[set].len()).sum::<usize>();
            let most = self.held.iter_ids().max_by_key(|(id, sets)| (holds(sets), Reverse(*id)));
            let object = most.map_or(ObjectId::new(0), |(object, _)| object);
            let mut reach = self.walk();
            reach.add_one(object);
            reach.walk_on(|_| true);
            Hub { object, walked: reach.walked, reached: reach.reached }
        })
    }
}

/// A walk through the heap. Sets that several members share are walked once.
pub(crate) struct Reach<'g, 'a> {
    graph: &'g HeapGraph<'a>,
    largest: usize,
    /// The sets to start from.
    added: FastSet<*const HybridSet<ObjectId>>,
    walked: BitSet<SetId>,
    reached: BitSet<ObjectId>,
    pending: Vec<ObjectId>,
}

impl<'a> Reach<'_, 'a> {
    /// Adds objects to start from.
    pub(crate) fn add(&mut self, set: &'a HybridSet<ObjectId>) {
        if self.added.insert(std::ptr::from_ref(set)) {
            self.enter(set);
        }
    }

    fn enter(&mut self, set: &HybridSet<ObjectId>) {
        if set.len() <= self.largest {
            let pending = &mut self.pending;
            set.add_to(&mut self.reached, |object| pending.push(object));
        }
    }

    /// Adds an object to start from.
    pub(crate) fn add_one(&mut self, object: ObjectId) {
        if self.reached.insert(object) {
            self.pending.push(object);
        }
    }

    /// Everything that is reachable from what was added, the starting objects included.
    pub(crate) fn close(self) -> BitSet<ObjectId> {
        self.close_through(|_| true)
    }

    /// The same for a walk that leaves out no sets, where many are made through one heap.
    pub(crate) fn close_by_hub(mut self) -> BitSet<ObjectId> {
        debug_assert_eq!(self.largest, usize::MAX, "the hub's walk leaves out nothing");
        let hub = self.graph.hub();
        while let Some(object) = self.pending.pop() {
            if self.reached.contains(hub.object) {
                self.reached.union_with(&hub.reached);
                self.walked.union_with(&hub.walked);
                self.pending.push(object);
                self.pending.retain(|&object| !hub.reached.contains(object));
                return self.close();
            }
            self.leave(object);
        }
        self.reached
    }

    /// Everything that is reachable from what was added by ways whose inner objects are as `passes` says.
    pub(crate) fn close_through(mut self, passes: impl Fn(ObjectId) -> bool) -> BitSet<ObjectId> {
        self.walk_on(passes);
        self.reached
    }

    fn walk_on(&mut self, passes: impl Fn(ObjectId) -> bool) {
        while let Some(object) = self.pending.pop() {
            if passes(object) {
                self.leave(object);
            }
        }
    }

    /// Goes on to what an object holds.
    fn leave(&mut self, object: ObjectId) {
        let graph = self.graph;
        for &set in &graph.held[object] {
            if self.walked.insert(set) {
                self.enter(graph.sets[set]);
            }
        }
    }
}
