//! Whether the application interrupts threads.

use selvedge_ir::{Block, Body, Inst};
use selvedge_models::{Effect, Kind};
use selvedge_world::MethodId;

use crate::view::View;

/// Whether code of the application may interrupt a thread or cancel a task.
///
/// What a handler of `InterruptedException` does, above all to interrupt the current thread again, does not count: the first interrupt
/// of a run does not come from there.
pub(crate) fn interrupts(view: &View<'_>) -> bool {
    let mut disturbing = view.application_effects().filter(|(.., effect)| **effect == Effect::Disturb {});
    disturbing.any(|(instance, call, ..)| {
        let at = view.method_of(instance).zip(view.body(instance)).zip(call.inst);
        at.is_none_or(|((method, body), inst)| !is_after_interrupt(view, method, body, inst))
    })
}

/// Whether an instruction only executes where an `InterruptedException` has been caught.
fn is_after_interrupt(view: &View<'_>, method: MethodId, body: &Body, inst: Inst) -> bool {
    let Some(shape) = view.shape(method) else { return false };
    let unwinds = body.blocks.iter().flat_map(|block| block.unwind.iter());
    let caught: Vec<Block> = unwinds
        .clone()
        .filter(|unwind| unwind.catches.is_some_and(|class| Kind::Interruption.has(class.as_bytes())))
        .map(|unwind| unwind.handler)
        .collect();
    let is_only_for_it = |handler: Block| {
        unwinds
            .clone()
            .filter(|unwind| unwind.handler == handler)
            .all(|unwind| unwind.catches.is_some_and(|class| Kind::Interruption.has(class.as_bytes())))
    };
    caught
        .into_iter()
        .any(|handler| is_only_for_it(handler) && shape.dominators.dominates(handler, shape.block_of[inst]))
}
