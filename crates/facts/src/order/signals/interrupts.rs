//! Interrupts as signals: who notices that it was interrupted comes after the interrupt (JLS 17.4.4).
//!
//! The channel is the interrupt of a thread object. To publish is to call `interrupt` on it; the thread observes it where
//! `interrupted()` or `isInterrupted()` was true, and where it has caught an `InterruptedException`, which nothing else makes the
//! library throw. (Application code that throws one itself spoils the channel of every thread.)
//!
//! **Theorem.** As for all channels, provided that only the application interrupts the thread. The library does so on behalf of who cancels
//! tasks, shuts down pools or interrupts groups: where the application asks for any of that, nothing is concluded.

use selvedge_ir::{Body, ClassName, Inst, InvokeKind, Op};
use selvedge_models::{Kind, When};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use super::{Key, SignalSources, Touch};
use crate::threads::{AbstractThread, Origin};
use crate::view::View;

/// What an instruction does to channels that are interrupts.
pub(super) fn interrupt_touches(
    sources: &SignalSources<'_, '_>,
    instance: InstanceId,
    body: &Body,
    inst: Inst,
    touches: &mut Vec<(InstanceId, Inst, Touch)>,
) {
    let view = sources.view;
    let touch = |object, publishes, when| {
        (
            instance,
            inst,
            Touch {
                key: Key::Interrupt(object),
                publishes,
                waits_for_all: false,
                when,
                is_end: false,
                also_thrown: true,
            },
        )
    };
    match &body.insts[inst].op {
        Op::Invoke(kind, called)
            if Kind::Thread.has(called.owner.as_bytes()) || called.name.is("interrupt") =>
        {
            let receivers = body.args(inst).first().filter(|_| *kind != InvokeKind::Static);
            let objects = receivers.map(|&thread| view.analysis.points_to(instance, thread));
            let objects: Vec<ObjectId> = objects.into_iter().flat_map(|set| set.iter()).collect();
            if called.name.is("interrupt") && called.descriptor.is("()V") {
                touches.extend(objects.into_iter().map(|object| touch(object, true, When::Always)));
            } else if called.name.is("isInterrupted") {
                if let [object] = objects[..] {
                    touches.push(touch(object, false, When::ResultTrue));
                }
            } else if called.name.is("interrupted") {
                touches.extend(own_thread(sources, instance).map(|own| touch(own, false, When::ResultTrue)));
            }
        }
        Op::Catch if catches_interrupts(body, inst) => {
            touches.extend(own_thread(sources, instance).map(|own| touch(own, false, When::Always)));
        }
        _ => {}
    }
}

/// The one thread object whose thread executes an instance.
fn own_thread(sources: &SignalSources<'_, '_>, instance: InstanceId) -> Option<ObjectId> {
    let heap = &sources.view.analysis.heap;
    let [thread] = sources.threads.may_execute(instance) else { return None };
    let AbstractThread { origin: Origin::Spawn { .. }, objects, .. } = &sources.threads.all[*thread] else {
        return None;
    };
    let [object] = objects[..] else { return None };
    let is_thread = heap.types.is_instance(heap.get(object).ty, ClassName::new(Kind::Thread.class()));
    is_thread.then_some(object)
}

/// Whether a handler is entered with an `InterruptedException` only.
fn catches_interrupts(body: &Body, inst: Inst) -> bool {
    let handler = body.blocks.ids().find(|&block| body.blocks[block].insts.iter().any(|it| it == inst));
    let unwinds = body.blocks.iter().flat_map(|block| block.unwind.iter());
    let mut leading = unwinds.filter(|unwind| Some(unwind.handler) == handler);
    leading.all(|unwind| unwind.catches.is_some_and(|class| Kind::Interruption.has(class.as_bytes())))
}

/// Calls on whose behalf the library interrupts threads, by the beginnings of their names.
const INTERRUPTING: [&str; 4] = ["shutdownNow", "cancel", "invokeA", "close"];

/// Whether somebody else than the code that [`interrupt_touches`] looks at may interrupt a thread, or make it look so.
pub(super) fn is_interrupted_otherwise(view: &View<'_>) -> bool {
    let interrupts = |op: &Op| match op {
        Op::Invoke(_, called) => {
            let of_library = Kind::Concurrent.has(called.owner.as_bytes());
            Kind::ThreadGroup.has(called.owner.as_bytes()) && called.name.is("interrupt")
                || of_library
                    && INTERRUPTING.iter().any(|name| called.name.as_bytes().starts_with(name.as_bytes()))
        }
        _ => false,
    };
    any_body(view, |body| body.insts.iter().any(|data| interrupts(&data.op))) || throws_interrupts(view)
}

/// Whether the application makes exceptions itself that say that a thread was interrupted.
pub(crate) fn throws_interrupts(view: &View<'_>) -> bool {
    any_body(view, |body| {
        body.insts
            .iter()
            .any(|data| matches!(data.op, Op::New(class) if Kind::Interruption.has(class.as_bytes())))
    })
}

/// Whether a condition holds for the code of some method of the application that is reached.
fn any_body(view: &View<'_>, condition: impl Fn(&Body) -> bool) -> bool {
    view.application_code().any(|(_, body)| condition(body))
}
