//! What an instance does to what is alive on its entry, on the way to each of its calls.
//!
//! The calls of an instance have few different states before them. They are grouped by these once, however often and for however
//! many threads what flows through the instance is asked.

use selvedge_base::{BitSet, FastMap};
use selvedge_pta::InstanceId;

use super::context::OrderContext;
use super::local::Local;
use crate::threads::ThreadId;

/// Some calls with the same state before them.
pub(super) struct Passage {
    /// What has surely ended of what was alive on entry.
    ended: BitSet<ThreadId>,
    /// What was started since and may be alive.
    started: BitSet<ThreadId>,
    /// Whom the calls reach in the same thread, each once.
    pub callees: Vec<InstanceId>,
    /// The threads that each of the calls starts, of calls that start some.
    pub starts: Vec<Vec<ThreadId>>,
}

impl Passage {
    /// What may be alive before the calls.
    pub fn alive(&self, on_entry: &BitSet<ThreadId>) -> BitSet<ThreadId> {
        let mut alive = on_entry.clone();
        alive.subtract(&self.ended);
        alive.union_with(&self.started);
        alive
    }
}

/// The passages of instances, as far as was asked.
#[derive(Default)]
pub(super) struct Passages(FastMap<InstanceId, Vec<Passage>>);

impl Passages {
    pub fn of(
        &mut self,
        context: &OrderContext<'_, '_>,
        instance: InstanceId,
        local: &Local<'_>,
    ) -> &[Passage] {
        self.0.entry(instance).or_insert_with(|| find(context, instance, local))
    }
}

fn find(context: &OrderContext<'_, '_>, instance: InstanceId, local: &Local<'_>) -> Vec<Passage> {
    let mut found: Vec<Passage> = Vec::new();
    local.for_each_call(context, &mut |inst, state, starts| {
        let started = state.started(context.spawns);
        let is_same = |passage: &Passage| passage.ended == state.ended && passage.started == started;
        let position = found.iter().position(is_same).unwrap_or_else(|| {
            let ended = state.ended.clone();
            found.push(Passage { ended, started, callees: Vec::new(), starts: Vec::new() });
            found.len() - 1
        });
        let passage = &mut found[position];
        let callees = context.view.callees(instance, inst).iter().copied();
        passage
            .callees
            .extend(callees.filter(|&callee| context.threads.is_call(context.view, instance, callee)));
        if !starts.is_empty() {
            passage.starts.push(starts.iter().map(|(thread, _)| *thread).collect());
        }
    });
    for passage in &mut found {
        passage.callees.sort_unstable();
        passage.callees.dedup();
    }
    found
}
