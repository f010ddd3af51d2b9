//! What calls and accesses do to channels: which publish, which observe, and for which results.
//!
//! Beside volatile fields and the library's own channels two more kinds of variables are channels:
//!
//! - a field that a `VarHandle` or an updater accesses in a mode that orders;
//! - a plain field that is only accessed under one lock ([`is_guarded`](super::Signals)): who sees under the lock what another
//!   thread wrote under it comes after all that this thread did before the write.

use selvedge_base::FastSet;
use selvedge_ir::{Body, ClassName, Inst, Op, Value};
use selvedge_models::{After, AtomicKind, Effect, Kind, LockMode, Order as MemoryOrder, When};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::FieldId;

use super::guarded::Guarded;
use super::interrupts::interrupt_touches;
use super::{Key, SignalSources, Touch};
use crate::accesses::fields_behind;
use crate::threads::{Origin, ThreadId};
use crate::view::View;

/// The constructor call of an object that an instruction makes, without the object itself.
fn constructor_arguments<'a>(view: &View<'a>, object: ObjectId) -> Option<(&'a Body, &'a [Value])> {
    let heap = &view.analysis.heap;
    let Site::Instruction { method, inst, .. } = heap.site_of(heap.get(object).site) else { return None };
    let body = view.program.body(method)?;
    let made = body.insts[inst].result?;
    body.insts.iter_ids().find_map(|(inst, data)| {
        let is_constructor = matches!(&data.op, Op::Invoke(_, reference) if reference.name.is("<init>"));
        let (receiver, arguments) = body.args(inst).split_first()?;
        (is_constructor && *receiver == made).then_some((body, arguments))
    })
}

/// The constant number that an object is constructed with, as first argument.
pub(super) fn constructed_with(view: &View<'_>, object: ObjectId) -> Option<i64> {
    let (body, arguments) = constructor_arguments(view, object)?;
    match body.insts[body.defining_inst(*arguments.first()?)?].op {
        Op::Int(count) => Some(i64::from(count)),
        _ => None,
    }
}

/// Whether a new object shows what a signal would show: then to see it tells nothing. A variable that starts with a value, a
/// queue that is filled from the start, permits or a count that need nobody.
fn is_set_from_start(view: &View<'_>, object: ObjectId, effect: &Effect) -> bool {
    if is_semaphore(view, object) {
        return constructed_with(view, object) != Some(0);
    }
    match effect {
        Effect::Atomic { .. } => constructor_arguments(view, object)
            .is_none_or(|(body, arguments)| !arguments.iter().all(|&value| is_initial(body, value))),
        Effect::Subscribe { item: Some(_), .. } => constructor_arguments(view, object)
            .is_none_or(|(body, arguments)| arguments.iter().any(|&value| body.ty(value).is_reference())),
        _ => constructed_with(view, object).is_some_and(|count| count <= 0),
    }
}

/// Whether an object is made with a number that is not known: a count that may be zero.
pub(super) fn is_made_with_unknown(view: &View<'_>, object: ObjectId) -> bool {
    let argument = constructor_arguments(view, object).and_then(|(body, arguments)| {
        let first = *arguments.first()?;
        (!body.ty(first).is_reference()).then_some(())
    });
    argument.is_some() && constructed_with(view, object).is_none()
}

/// Whether an object holds permits: where it has some from the start, to get one tells nothing.
fn is_semaphore(view: &View<'_>, object: ObjectId) -> bool {
    let heap = &view.analysis.heap;
    heap.types.is_instance(heap.get(object).ty, ClassName::new(Kind::Semaphore.class()))
}

/// What is written in a way that orders nothing, and so is no channel.
#[derive(Default)]
pub(super) struct Spoiled {
    pub(super) fields: FastSet<FieldId>,
    pub(super) objects: FastSet<ObjectId>,
}

/// What an instance does to channels, instruction by instruction. Fields and variables that are written in a way that orders nothing are
/// spoiled as channels.
pub(super) fn find_touches(
    sources: &SignalSources<'_, '_>,
    guarded: &Guarded,
    instance: InstanceId,
    touches: &mut Vec<(InstanceId, Inst, Touch)>,
    spoiled: &mut Spoiled,
) {
    let view = sources.view;
    let Some(body) = view.body(instance) else { return };
    for (inst, data) in body.insts.iter_ids() {
        match &data.op {
            Op::GetField(reference)
            | Op::GetStatic(reference)
            | Op::PutField(reference)
            | Op::PutStatic(reference) => {
                let Ok(field) = view.program.resolve_field(reference) else { continue };
                if view.program.fields[field].is_volatile() || guarded.contains(field) {
                    field_touches(view, instance, body, inst, field, touches);
                } else if is_write(body, inst) && !writes_initial(body, inst) {
                    spoiled.fields.insert(field);
                }
            }
            Op::Invoke(..) => {
                call_touches(view, instance, body, inst, touches, spoiled);
                joins(sources, instance, body, inst, touches);
                interrupt_touches(sources, instance, body, inst, touches);
            }
            Op::Catch => interrupt_touches(sources, instance, body, inst, touches),
            _ => {}
        }
    }
}

/// Whether a value is zero, false or null: what a variable holds from the start, so that to see it tells nothing.
fn is_initial(body: &Body, value: Value) -> bool {
    body.defining_inst(value)
        .is_some_and(|inst| matches!(body.insts[inst].op, Op::Int(0) | Op::Long(0) | Op::Null))
}

fn is_write(body: &Body, inst: Inst) -> bool {
    matches!(body.insts[inst].op, Op::PutField(_) | Op::PutStatic(_))
}

/// Whether the last operand of an instruction is what a variable holds from the start.
pub(super) fn writes_initial(body: &Body, inst: Inst) -> bool {
    body.args(inst).last().is_some_and(|&value| is_initial(body, value))
}

/// The variables that a field means, for an instruction with this operand as their object.
fn keys_of(view: &View<'_>, instance: InstanceId, field: FieldId, holder: Option<Value>) -> Vec<Key> {
    match holder {
        _ if view.program.fields[field].is_static() => vec![Key::Static(field)],
        Some(holder) => {
            let objects = view.analysis.points_to(instance, holder);
            objects.iter().map(|object| Key::Field(object, field)).collect()
        }
        None => Vec::new(),
    }
}

fn field_touches(
    view: &View<'_>,
    instance: InstanceId,
    body: &Body,
    inst: Inst,
    field: FieldId,
    touches: &mut Vec<(InstanceId, Inst, Touch)>,
) {
    let publishes = is_write(body, inst);
    if publishes && writes_initial(body, inst) {
        return;
    }
    let keys = keys_of(view, instance, field, body.args(inst).first().copied());
    let is_reference = view.program.fields[field].ty().is_some_and(|ty| ty.is_reference());
    let when = if is_reference { When::ResultNonNull } else { When::ResultNonzero };
    if publishes || keys.len() == 1 {
        let touch =
            |key| Touch { key, publishes, waits_for_all: false, when, is_end: false, also_thrown: true };
        touches.extend(keys.into_iter().map(|key| (instance, inst, touch(key))));
    }
}

/// Waits for the ends of threads: a direct `join`, or a call of a method that surely waits for its argument.
fn joins(
    sources: &SignalSources<'_, '_>,
    instance: InstanceId,
    body: &Body,
    inst: Inst,
    touches: &mut Vec<(InstanceId, Inst, Touch)>,
) {
    let SignalSources { view, threads, alive, .. } = *sources;
    let mut waited: Vec<Value> = Vec::new();
    let callees = view.callees(instance, inst);
    let of_application = |&callee: &InstanceId| view.is_application_instance(callee);
    if !callees.is_empty() && callees.iter().all(of_application) {
        let bits = callees.iter().map(|callee| alive.effects.get(callee).map_or(0, |effects| effects.waited));
        let bits = bits.fold(u64::MAX, |all, bits| all & bits);
        let arguments = body.args(inst).iter().enumerate().take(64);
        waited.extend(arguments.filter(|(position, _)| bits & (1 << position) != 0).map(|(_, &value)| value));
    } else if view.has_rows(instance, inst) {
        for effect in view.must_effects(instance, inst) {
            if let Effect::Join { thread, when: When::Always } = effect {
                waited.extend(view.operand(body, inst, thread));
            }
        }
    }
    for value in waited {
        let mut objects = view.analysis.points_to(instance, value).iter();
        let (Some(object), None) = (objects.next(), objects.next()) else { continue };
        let is_started = |&waiter: &ThreadId| is_started_before(sources, object, waiter);
        if threads.may_execute(instance).iter().all(is_started) {
            let (key, when) = (Key::Object(object), When::Always);
            let (waits_for_all, also_thrown) = (false, true);
            let touch = Touch { key, publishes: false, waits_for_all, when, is_end: true, also_thrown };
            touches.push((instance, inst, touch));
        }
    }
}

/// Whether a thread object is started before another thread is: by the same method, earlier. To join what has not been started
/// waits for nothing.
fn is_started_before(sources: &SignalSources<'_, '_>, object: ObjectId, waiter: ThreadId) -> bool {
    let SignalSources { view, threads, executions, .. } = *sources;
    let mut started = threads.all.iter().filter(|thread| thread.objects.contains(&object));
    let (Some(thread), None) = (started.next(), started.next()) else { return false };
    let (
        Origin::Spawn { instance, inst: Some(first), .. },
        Origin::Spawn { instance: other, inst: Some(second), .. },
    ) = (thread.origin, threads.all[waiter].origin)
    else {
        return false;
    };
    let shape = view.method_of(instance).and_then(|method| view.shape(method));
    instance == other
        && executions.at_most_once(instance)
        && shape.is_some_and(|shape| shape.dominates(first, second) && !shape.may_repeat(second))
}

/// Whether a call interrupts a thread: a channel of its own, apart from the thread's end.
fn is_interrupt(body: &Body, inst: Inst) -> bool {
    matches!(&body.insts[inst].op, Op::Invoke(_, called) if called.name.is("interrupt") && called.descriptor.is("()V"))
}

/// Whether a call that is given the number of the round to wait for (`Phaser.awaitAdvance`) waits for the present one: the number comes from
/// the object itself. For any other round it need not wait at all.
fn waits_for_present_round(view: &View<'_>, instance: InstanceId, body: &Body, inst: Inst) -> bool {
    let Op::Invoke(_, called) = &body.insts[inst].op else { return true };
    if !called.descriptor.as_bytes().starts_with(b"(I") {
        return true;
    }
    let &[waited, round, ..] = body.args(inst) else { return true };
    let asked = body.defining_inst(round).filter(
        |&asked| matches!(&body.insts[asked].op, Op::Invoke(_, other) if other.owner == called.owner),
    );
    let objects =
        |value: Value| -> Vec<ObjectId> { view.analysis.points_to(instance, value).iter().collect() };
    asked.and_then(|asked| body.args(asked).first()).is_some_and(|&of| {
        let waited = objects(waited);
        waited.len() == 1 && waited == objects(of)
    })
}

/// Whether a call that acquires permits takes one at least: who asks for none gets none, and waits for nobody.
fn takes_permits(body: &Body, inst: Inst) -> bool {
    let Op::Invoke(_, called) = &body.insts[inst].op else { return false };
    if !called.descriptor.as_bytes().starts_with(b"(I") {
        return true;
    }
    let count = body.args(inst).get(1).and_then(|&count| body.defining_inst(count));
    count.is_some_and(|count| matches!(body.insts[count].op, Op::Int(1..)))
}

fn call_touches(
    view: &View<'_>,
    instance: InstanceId,
    body: &Body,
    inst: Inst,
    touches: &mut Vec<(InstanceId, Inst, Touch)>,
    spoiled: &mut Spoiled,
) {
    if !view.has_rows(instance, inst) {
        return;
    }
    let fields = match body.args(inst).first() {
        Some(&handle) => fields_behind(view, view.analysis.points_to(instance, handle).iter()),
        None => Vec::new(),
    };
    let keys = |place| -> Vec<Key> {
        if !fields.is_empty() {
            let holder = body.args(inst).get(1).copied();
            return fields.iter().flat_map(|&field| keys_of(view, instance, field, holder)).collect();
        }
        let value = view.operand(body, inst, place);
        let objects = value.map(|value| view.analysis.points_to(instance, value));
        objects.into_iter().flat_map(|objects| objects.iter()).map(Key::Object).collect()
    };
    let is_ordering = |order: &MemoryOrder| !matches!(order, MemoryOrder::Opaque | MemoryOrder::Plain);
    for effect in view.may_effects(instance, inst) {
        let place = match effect {
            Effect::Publish { channel, .. } if !is_interrupt(body, inst) => channel,
            Effect::PutAll { into } => into,
            Effect::Release { lock, mode: LockMode::Counted, .. } => lock,
            Effect::Atomic { place, kind: AtomicKind::Write | AtomicKind::Update, order }
                if !writes_initial(body, inst) =>
            {
                if !is_ordering(order) || *order == MemoryOrder::Acquire {
                    spoiled.fields.extend(&fields);
                    spoiled.objects.extend(keys(place).into_iter().filter_map(|key| match key {
                        Key::Object(object) => Some(object),
                        _ => None,
                    }));
                }
                place
            }
            _ => continue,
        };
        for key in keys(place) {
            let when = When::Always;
            let (waits_for_all, is_end, also_thrown) = (false, false, true);
            let touch = Touch { key, publishes: true, waits_for_all, when, is_end, also_thrown };
            touches.push((instance, inst, touch));
        }
    }
    let waits = |effect: &&Effect| matches!(effect, Effect::Subscribe { after: After::All, .. });
    let is_several = |effect: &&Effect| effect.places().iter().any(|place| !place.steps.is_empty());
    let waited: Vec<&Effect> = view.must_effects(instance, inst).into_iter().filter(waits).collect();
    let also_thrown = waited.len() <= 1 && !waited.iter().any(is_several);
    for effect in view.must_effects(instance, inst) {
        let (place, when, waits_for_all) = match effect {
            // After "some" publication without an object may well be after none: a count that is read.
            Effect::Subscribe { channel, when, after, item }
                if (*after == After::All || item.is_some())
                    && waits_for_present_round(view, instance, body, inst) =>
            {
                (channel, *when, *after == After::All)
            }
            Effect::Acquire { lock, mode: LockMode::Counted, when, .. } if takes_permits(body, inst) => {
                (lock, *when, false)
            }
            Effect::Atomic { place, kind: AtomicKind::Read, order } if is_ordering(order) => {
                let result = body.insts[inst].result.map(|value| body.ty(value).is_reference());
                let when = if result == Some(true) { When::ResultNonNull } else { When::ResultNonzero };
                (place, when, false)
            }
            _ => continue,
        };
        let keys = keys(place);
        let [key] = keys.as_slice() else { continue };
        let is_set = matches!(key, Key::Object(object) if is_set_from_start(view, *object, effect));
        if !is_set {
            let (key, is_end) = (*key, false);
            let touch = Touch { key, publishes: false, waits_for_all, when, is_end, also_thrown };
            touches.push((instance, inst, touch));
        }
    }
}
