//! Accesses through handles: `VarHandle.get` and `set`, `Field.get` and `set`.
//!
//! A handle names a field; a plain access through it is an access of that field like any other. The stronger modes of a
//! `VarHandle` do not race with each other, but they do with plain accesses: they give accesses, marked as atomic, for fields
//! that are also accessed plainly, and for array elements: a handle of elements is applied to the array and the index.

use selvedge_base::FastSet;
use selvedge_ir::{Body, Inst, Op};
use selvedge_models::{AtomicKind, Effect, Kind, Order, Special};
use selvedge_pta::handle_fits;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::{FieldId, MethodId};

use super::inner::element_kind;
use super::{AccessKind, Place, TouchingCalls, methods_called};
use crate::view::View;
use crate::ways::may_leak_this_before;

/// The fields that a call accesses through a handle; whether it does so atomically.
pub(super) fn accesses(
    view: &View<'_>,
    plain: &FastSet<FieldId>,
    method: MethodId,
    inst: Inst,
    calls: &mut TouchingCalls,
) -> bool {
    let mut all_atomic = true;
    let Some(body) = view.program.body(method) else { return false };
    for &instance in view.analysis.instances_of(method) {
        let callees = view.callees(instance, inst);
        let kinds = methods_called(view, callees)
            .into_iter()
            .flat_map(|callee| view.rows(callee).iter().flat_map(|row| row.effects.iter()));
        let Some((kind, is_plain)) = kinds.filter_map(kind_of).max() else { continue };
        all_atomic &= !is_plain;
        let (Some(&handle), target) = (body.args(inst).first(), body.args(inst).get(1)) else { continue };
        if let Some(&array) = target.filter(|_| is_applied_to_array(body, inst)) {
            for object in view.analysis.points_to(instance, array).iter() {
                let element = element_kind(view, object);
                if element.is_some() {
                    calls.add((Place::Element, element, Some(array)), instance, [(object, kind)], None);
                }
            }
        }
        for field in fields_behind(view, view.analysis.points_to(instance, handle).iter()) {
            let data = &view.program.fields[field];
            let fits = match &body.insts[inst].op {
                Op::Invoke(_, called) if Kind::VariableHandle.has(called.owner.as_bytes()) => {
                    handle_fits(view.program, field, called.descriptor.as_bytes())
                }
                _ => true,
            };
            if !fits || data.is_final() || data.is_volatile() || !is_plain && !plain.contains(&field) {
                continue;
            }
            if data.is_static() {
                calls.add((Place::Static(field), None, None), instance, [], None);
                calls.raise(kind);
            } else if let Some(&target) = target {
                let holders = view.analysis.points_to(instance, target).iter();
                let holders: Vec<_> = holders.map(|object| (object, kind)).collect();
                calls.add((Place::Field(field), None, Some(target)), instance, holders, None);
            }
        }
    }
    all_atomic
}

/// Whether a call of a method whose descriptor is that of its arguments has an array as its first one.
fn is_applied_to_array(body: &Body, inst: Inst) -> bool {
    matches!(&body.insts[inst].op, Op::Invoke(_, called) if called.descriptor.as_bytes().starts_with(b"(["))
}

/// What an effect does to a field, and whether it does so plainly.
fn kind_of(effect: &Effect) -> Option<(AccessKind, bool)> {
    match effect {
        Effect::Atomic { kind, order, .. } => {
            let kind = if *kind == AtomicKind::Read { AccessKind::Read } else { AccessKind::Write };
            Some((kind, *order == Order::Plain))
        }
        Effect::Special { name: Special::FieldGet } => Some((AccessKind::Read, true)),
        Effect::Special { name: Special::FieldSet } => Some((AccessKind::Write, true)),
        _ => None,
    }
}

/// The fields that the application accesses plainly, other than to initialise its objects and classes.
pub(super) fn plain_fields(view: &View<'_>) -> FastSet<FieldId> {
    let mut found = FastSet::default();
    for (method, body) in view.application_code() {
        let data = &view.program.methods[method];
        for (inst, op) in body.insts.iter_ids().map(|(inst, data)| (inst, &data.op)) {
            let (Op::GetField(reference)
            | Op::GetStatic(reference)
            | Op::PutField(reference)
            | Op::PutStatic(reference)) = op
            else {
                continue;
            };
            let is_own = body.args(inst).first() == body.parameters.first();
            if !(data.is_class_initializer() || data.is_constructor() && is_own) {
                found.extend(view.program.resolve_field(reference).ok());
            }
        }
    }
    found
}

/// The final fields that a constructor writes when others may know its object already. In an open program none: its clients get an
/// object when the constructor has returned, and who else has got it is not distinguished from them.
pub(super) fn late_finals(view: &View<'_>) -> FastSet<FieldId> {
    let mut found = FastSet::default();
    if view.has_clients() {
        return found;
    }
    for (method, body) in view.application_code().filter(|(id, _)| view.program.methods[*id].is_constructor())
    {
        let Some(shape) = view.shape(method) else { continue };
        for (inst, data) in body.insts.iter_ids() {
            let Op::PutField(reference) = &data.op else { continue };
            let Ok(field) = view.program.resolve_field(reference) else { continue };
            if view.program.fields[field].is_final()
                && !found.contains(&field)
                && may_leak_this_before(view, (body, shape), inst)
            {
                found.insert(field);
            }
        }
    }
    found
}

/// The fields that some objects are handles of, each once.
pub(crate) fn fields_behind(view: &View<'_>, handles: impl Iterator<Item = ObjectId>) -> Vec<FieldId> {
    let heap = &view.analysis.heap;
    let field = |object| match heap.site_of(heap.get(object).site) {
        Site::FieldHandle(field, _) => Some(field),
        _ => None,
    };
    let mut fields: Vec<FieldId> = handles.filter_map(field).collect();
    fields.sort_unstable();
    fields.dedup();
    fields
}
