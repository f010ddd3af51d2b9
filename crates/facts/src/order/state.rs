//! What holds at a point of a method about the threads that it has started, and what a call of the method does to its caller.

use selvedge_base::BitSet;
use selvedge_ir::Value;

use super::context::OrderContext;
use super::spawns::Spawns;
use crate::threads::ThreadId;

/// By what a method knows a thread that it started.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Handle {
    /// The value with this number: the thread, its future.
    Value(Value),
    /// One of the elements of the array or collection with this number.
    Element(Value),
}

/// What holds at a point.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct State {
    /// Started since the entry, maybe not ended, no handle known.
    pub older: BitSet<ThreadId>,
    /// Started since the entry by a handle that still holds it; sorted.
    pub recent: Vec<(ThreadId, Handle)>,
    /// Surely ended if they were alive on entry.
    pub ended: BitSet<ThreadId>,
    /// The parameters that were surely waited for, as bits.
    pub waited: u64,
}

impl State {
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let mut changed = self.older.union_with(&other.older);
        for item in &other.recent {
            if let Err(position) = self.recent.binary_search(item) {
                self.recent.insert(position, *item);
                changed = true;
            }
        }
        changed |= self.ended.intersect_with(&other.ended);
        let waited = self.waited & other.waited;
        changed |= waited != self.waited;
        self.waited = waited;
        changed
    }

    /// The threads that may be alive, given those that may be on entry.
    pub(super) fn alive(&self, spawns: &Spawns, on_entry: &BitSet<ThreadId>) -> BitSet<ThreadId> {
        let mut alive = on_entry.clone();
        alive.subtract(&self.ended);
        alive.union_with(&self.started(spawns));
        alive
    }

    /// The threads that were started since the entry and may be alive.
    pub(super) fn started(&self, spawns: &Spawns) -> BitSet<ThreadId> {
        let mut started = self.older.clone();
        self.recent.iter().for_each(|&(thread, _)| {
            started.union_with(&spawns.below[thread]);
        });
        started
    }

    fn has(&self, thread: ThreadId) -> bool {
        self.older.contains(thread) || self.recent.iter().any(|&(recent, _)| recent == thread)
    }

    pub(super) fn start(&mut self, context: &OrderContext<'_, '_>, thread: ThreadId, handle: Option<Handle>) {
        let all = &context.spawns.below[thread];
        let Some(handle) = handle else {
            self.older.union_with(all);
            return;
        };
        // What a complete thread starts has ended when it has.
        if !context.facts.complete.contains(thread) {
            let mut below = all.clone();
            below.remove(thread);
            self.older.union_with(&below);
        }
        match self.recent.binary_search(&(thread, handle)) {
            // The same value a second time: the elements of one collection add up, one value holds but the last.
            Ok(_) if matches!(handle, Handle::Element(_)) => {}
            Ok(_) => {
                self.older.union_with(all);
            }
            Err(position) => self.recent.insert(position, (thread, handle)),
        }
    }

    /// The handle no longer holds what it held.
    pub(super) fn forget(&mut self, spawns: &Spawns, number: Value) {
        let State { recent, older, .. } = self;
        recent.retain(|&(thread, handle)| {
            let (Handle::Value(of) | Handle::Element(of)) = handle;
            if of == number {
                older.union_with(&spawns.below[thread]);
            }
            of != number
        });
    }

    /// What the value holds is from now on kept in the collection.
    pub(super) fn keep(&mut self, value: Value, collection: Value) {
        for item in &mut self.recent {
            if item.1 == Handle::Value(value) {
                item.1 = Handle::Element(collection);
            }
        }
        self.recent.sort_unstable();
        self.recent.dedup();
    }

    pub(super) fn end_handle(&mut self, context: &OrderContext<'_, '_>, handle: Handle) {
        let ended: Vec<ThreadId> =
            self.recent.iter().filter(|(_, known)| *known == handle).map(|(thread, _)| *thread).collect();
        self.recent.retain(|(_, known)| *known != handle);
        for thread in ended {
            if !self.has(thread) {
                self.older.subtract(&context.facts.ended_with[thread]);
            }
            // A stage that has ended started when those before it had.
            let before = &context.spawns.stages_before[thread];
            for &other in before.iter().chain(&context.facts.ended_within[thread]) {
                self.end_all(context, other);
            }
        }
    }

    pub(super) fn end_all(&mut self, context: &OrderContext<'_, '_>, thread: ThreadId) {
        self.recent.retain(|&(recent, _)| recent != thread);
        self.older.remove(thread);
        self.ended.insert(thread);
        self.older.subtract(&context.facts.ended_with[thread]);
        self.ended.union_with(&context.facts.ended_with[thread]);
    }
}

/// What a call of an instance does, seen by its caller.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Effects {
    /// It may have started these, and they may still run.
    pub started: BitSet<ThreadId>,
    /// It may have started these, and its result holds them.
    pub returned: BitSet<ThreadId>,
    /// These have surely ended.
    pub ended: BitSet<ThreadId>,
    /// The arguments that were surely waited for.
    pub waited: u64,
}

impl Effects {
    /// One or the other happens.
    pub(super) fn meet(&mut self, other: &Self) {
        self.started.union_with(&other.started);
        self.returned.union_with(&other.returned);
        self.ended.intersect_with(&other.ended);
        self.waited &= other.waited;
    }
}
