//! The heap as a graph: what each abstract object may hold, and what is reachable from some of them.

use selvedge_base::{BitSet, FastMap, FastSet, HybridSet};
use selvedge_pta::Analysis;
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::Member;

/// What each object holds in its fields, elements and captured values.
pub(crate) struct HeapGraph<'a> {
    held: FastMap<ObjectId, Vec<&'a HybridSet<ObjectId>>>,
}

impl<'a> HeapGraph<'a> {
    pub(crate) fn new(analysis: &'a Analysis<'_>) -> Self {
        Self::through(analysis, |_, _| true)
    }

    /// The graph in which only some members of some objects lead on.
    pub(crate) fn through(analysis: &'a Analysis<'_>, leads: impl Fn(ObjectId, Member) -> bool) -> Self {
        let mut held: FastMap<ObjectId, Vec<&HybridSet<ObjectId>>> = FastMap::default();
        for (object, member, set) in analysis.members() {
            if leads(object, member) {
                held.entry(object).or_default().push(set);
            }
        }
        Self { held }
    }

    /// A walk that starts from nothing yet.
    pub(crate) fn walk<'g>(&'g self) -> Reach<'g, 'a> {
        self.walk_up_to(usize::MAX)
    }

    /// A walk that leaves out sets of more objects than this.
    pub(crate) fn walk_up_to<'g>(&'g self, largest: usize) -> Reach<'g, 'a> {
        let (walked, reached) = (FastSet::default(), BitSet::new());
        Reach { graph: self, largest, walked, reached, pending: Vec::new() }
    }
}

/// A walk through the heap. Sets that several members share are walked once.
pub(crate) struct Reach<'g, 'a> {
    graph: &'g HeapGraph<'a>,
    largest: usize,
    walked: FastSet<*const HybridSet<ObjectId>>,
    reached: BitSet<ObjectId>,
    pending: Vec<ObjectId>,
}

impl<'a> Reach<'_, 'a> {
    /// Adds objects to start from.
    pub(crate) fn add(&mut self, set: &'a HybridSet<ObjectId>) {
        if set.len() <= self.largest && self.walked.insert(std::ptr::from_ref(set)) {
            set.iter().for_each(|object| self.add_one(object));
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

    /// Everything that is reachable from what was added by ways whose inner objects are as `passes` says.
    pub(crate) fn close_through(mut self, passes: impl Fn(ObjectId) -> bool) -> BitSet<ObjectId> {
        let graph = self.graph;
        while let Some(object) = self.pending.pop() {
            if !passes(object) {
                continue;
            }
            for &set in graph.held.get(&object).into_iter().flatten() {
                self.add(set);
            }
        }
        self.reached
    }
}
