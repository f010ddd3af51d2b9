//! Walks over the call graph: what a thread may execute, with the cuts of the [module above](super).
//!
//! Every thread is walked, and most of them walk the same library code. So what a walk asks of an instance is worked out once
//! for all of them ([`WalkGraph`]), and a walk can be gone on with when a thread gets further entries ([`Walk`]).

use std::cell::LazyCell;

use selvedge_base::{BitSet, Csr, FastSet, Graph, IdVec};
use selvedge_pta::InstanceId;

use super::event_only::{event_only, is_other};
use super::{ThreadId, Threads, is_dispatcher, is_lambda, runs_elsewhere};
use crate::heap_graph::HeapGraph;
use crate::view::View;

/// Whether thread starts count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// They do.
    Plain,
    /// They do not: a call further up has said what is started. Only threads of the library's own begin here, for what they do beside it.
    Told,
}

/// What walks ask of an instance.
#[derive(Clone, Copy, Default)]
struct Kind {
    is_application: bool,
    is_dispatcher: bool,
    is_spawning: bool,
    is_lambda: bool,
    /// What it calls runs in another thread.
    runs_elsewhere: bool,
    /// One of its calls may reach a library method that runs code in another thread.
    may_start: bool,
}

/// The call graph as walks see it.
pub(super) struct WalkGraph {
    kinds: IdVec<InstanceId, Kind>,
    /// The callees of each instance, each once, in the order of the calls.
    callees: Csr<InstanceId>,
    /// The calls that only event threads make.
    event_only: FastSet<(InstanceId, InstanceId)>,
}

impl WalkGraph {
    pub(super) fn new(view: &View<'_>) -> Self {
        let instances = &view.analysis.instances;
        let mut kinds: IdVec<InstanceId, Kind> = instances
            .ids()
            .map(|instance| Kind {
                is_application: view.is_application_instance(instance),
                is_dispatcher: is_dispatcher(view, instance),
                is_spawning: view.is_spawning(instance),
                is_lambda: is_lambda(view, instance),
                runs_elsewhere: runs_elsewhere(view, instance),
                may_start: false,
            })
            .collect();
        let mut edges: Vec<(InstanceId, InstanceId)> = Vec::with_capacity(view.analysis.call_edges.len());
        let mut last_caller: IdVec<InstanceId, Option<InstanceId>> = IdVec::filled(None, instances.len());
        for caller in instances.ids() {
            for &callee in view.calls(caller).flat_map(|call| call.callees) {
                if last_caller[callee].replace(caller) != Some(caller) {
                    edges.push((caller, callee));
                    kinds[caller].may_start |= kinds[callee].is_spawning;
                }
            }
        }
        Self { kinds, callees: Csr::from_edges(instances.len(), &edges), event_only: event_only(view) }
    }
}

/// How far the walk of a thread has come.
pub(super) struct Walk {
    /// The instances that were entered in each mode.
    seen: [BitSet<InstanceId>; 2],
    /// Lambdas of the application that library code calls, and that nobody was seen to pass to it.
    parked: Vec<(InstanceId, Mode)>,
    /// How many entries of the thread it has begun at.
    begun: usize,
}

impl Walk {
    pub(super) fn new(instances: usize) -> Self {
        let seen = [BitSet::with_room(instances), BitSet::with_room(instances)];
        Self { seen, parked: Vec::new(), begun: 0 }
    }

    /// Every instance that was entered.
    pub(super) fn reached(&self) -> BitSet<InstanceId> {
        let [plain, told] = &self.seen;
        let mut reached = plain.clone();
        reached.union_with(told);
        reached
    }

    /// Whether an instance was entered.
    pub(super) fn has_reached(&self, instance: InstanceId) -> bool {
        self.seen.iter().any(|set| set.contains(instance))
    }
}

impl Threads {
    /// Goes on from the entries of a thread at which its walk has not begun. Every instance on the way that may start threads is shown
    /// to `visit`, with whether thread starts in it count.
    pub(super) fn walk(
        &self,
        view: &View<'_>,
        (heap, ways): (&HeapGraph<'_>, &WalkGraph),
        thread: ThreadId,
        walk: &mut Walk,
        visit: &mut dyn FnMut(InstanceId, Mode),
    ) {
        let Walk { seen, parked, begun } = walk;
        let mut pending: Vec<(InstanceId, Mode)> = Vec::new();
        let entries = &self.all[thread].entries;
        for &entry in &entries[*begun..] {
            if seen[Mode::Plain as usize].insert(entry) {
                pending.push((entry, Mode::Plain));
            }
        }
        *begun = entries.len();
        let is_stream = self.is_stream_thread(view, thread);
        let is_worker = self.all[thread].is_worker;
        let is_other = !ways.event_only.is_empty() && is_other(view, &self.all[thread]);
        let held = LazyCell::new(|| self.held_by_thread(view, heap, thread));
        loop {
            let Some((instance, mode)) = pending.pop() else {
                let is_passed_here = |&mut (callee, _): &mut (InstanceId, Mode)| {
                    let has_seen = |passer: &InstanceId| seen.iter().any(|set| set.contains(*passer));
                    self.passers.get(&callee).is_some_and(|passers| passers.iter().any(has_seen))
                };
                pending.extend(parked.extract_if(.., is_passed_here));
                pending.retain(|&(callee, mode)| seen[mode as usize].insert(callee));
                if pending.is_empty() {
                    break;
                }
                continue;
            };
            let kind = ways.kinds[instance];
            if kind.may_start {
                visit(instance, mode);
            }
            if kind.runs_elsewhere {
                continue;
            }
            for &callee in ways.callees.successors(instance) {
                let dispatches = kind.is_dispatcher || is_worker && !kind.is_application;
                if dispatches && self.entries.contains(callee) {
                    continue;
                }
                if is_other && ways.event_only.contains(&(instance, callee)) {
                    continue;
                }
                let called = ways.kinds[callee];
                let mode = match called {
                    Kind { is_application: true, .. } => Mode::Plain,
                    Kind { is_spawning: true, .. } => Mode::Told,
                    _ => mode,
                };
                if seen[mode as usize].contains(callee) {
                    continue;
                }
                if !kind.is_application && called.is_lambda {
                    let in_parallel = is_stream && self.may_run_in_stream(view, callee);
                    let receivers = view.analysis.parameter_points_to(callee, 0);
                    let is_registered = receivers.iter().any(|object| self.registered.contains(object));
                    let is_held = || {
                        let held = held.as_ref();
                        held.is_some_and(|held| receivers.iter().any(|object| held.contains(object)))
                    };
                    if !in_parallel && !is_registered && !is_held() {
                        parked.push((callee, mode));
                        continue;
                    }
                }
                seen[mode as usize].insert(callee);
                pending.push((callee, mode));
            }
        }
    }
}
