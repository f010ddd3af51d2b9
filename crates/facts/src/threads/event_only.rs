//! Calls that only an event thread makes: `if (isEventDispatchThread()) update(); else ...`.
//!
//! **Theorem.** A call that control reaches only by the branch on which a test has said that the calling
//! thread is an event thread is made by an event thread. So no other thread makes it, and walks of other
//! threads leave it out. The hypotheses, each with a program of the corpus in which only this one fails:
//!
//! 1. Every way to the call takes that branch (EventTestForgotten).
//! 2. The thread that is walked is no event thread (EventTestBeside): it is `main`, a thread object of
//!    another class, or a worker of a `SwingWorker`, whose pool never runs a task in the thread that hands
//!    it over.

use selvedge_base::FastSet;
use selvedge_ir::{Block, Body};
use selvedge_models::{Effect, InThread, Kind, When};
use selvedge_pta::InstanceId;
use selvedge_world::MethodId;

use super::{AbstractThread, Origin};
use crate::order::event_thread::is_event_thread;
use crate::order::waits::edges_where;
use crate::view::View;

/// The callers and callees of which every call is such a one.
pub(super) fn event_only(view: &View<'_>) -> FastSet<(InstanceId, InstanceId)> {
    let tests: FastSet<MethodId> = view.analysis.instances.ids().filter_map(|id| test_of(view, id)).collect();
    let mut found = FastSet::default();
    if tests.is_empty() {
        return found;
    }
    for caller in view.analysis.instances.ids() {
        let is_test = |callee: &InstanceId| view.method_of(*callee).is_some_and(|it| tests.contains(&it));
        if !view.calls(caller).any(|call| call.callees.iter().any(is_test)) {
            continue;
        }
        let Some((method, body)) = view.method_of(caller).zip(view.body(caller)) else { continue };
        let Some(shape) = view.shape(method) else { continue };
        let guarded = guarded(view, caller, body);
        let is_guarded = |block: Block| guarded.iter().any(|&guard| shape.dominators.dominates(guard, block));
        let mut others: FastSet<InstanceId> = FastSet::default();
        for call in view.calls(caller) {
            let inside = call.inst.is_some_and(|inst| is_guarded(shape.block_of[inst]));
            for &callee in call.callees {
                if inside {
                    found.insert((caller, callee));
                } else {
                    others.insert(callee);
                }
            }
        }
        others.into_iter().for_each(|callee| {
            found.remove(&(caller, callee));
        });
    }
    found
}

/// The method of an instance, if it asks whether the calling thread is an event thread.
fn test_of(view: &View<'_>, instance: InstanceId) -> Option<MethodId> {
    let method = view.method_of(instance)?;
    let mut effects = view.rows(method).iter().flat_map(|row| row.effects.iter());
    effects.any(|effect| matches!(effect, Effect::InEventThread { .. })).then_some(method)
}

/// The blocks that are entered only where a test has said so.
fn guarded(view: &View<'_>, instance: InstanceId, body: &Body) -> Vec<Block> {
    let says_so = |effect: &&Effect| matches!(effect, Effect::InEventThread { when: When::ResultTrue });
    let calls = view.calls(instance).filter_map(|call| call.inst);
    let tests = calls.filter(|&inst| view.must_effects(instance, inst).iter().any(says_so));
    let edges = tests.flat_map(|test| edges_where(body, test, When::ResultTrue));
    edges.map(|(_, to)| to).filter(|&to| body.blocks[to].predecessors.len() == 1).collect()
}

/// Whether a thread is known to be no event thread.
pub(super) fn is_other(view: &View<'_>, thread: &AbstractThread) -> bool {
    match thread.origin {
        Origin::Main(_) => true,
        Origin::Spawn { kind: InThread::New, .. } => {
            !thread.objects.is_empty() && !thread.objects.iter().any(|&object| is_event_thread(view, object))
        }
        Origin::Spawn { kind: InThread::Pool, instance, .. } => {
            let class = view.method_of(instance).map(|method| view.program.methods[method].class);
            class.is_some_and(|class| Kind::OwnTask.has(view.program.classes[class].name.as_bytes()))
        }
        _ => false,
    }
}
