//! Accesses through handles: `VarHandle.get` and `set`, `Field.get` and `set`.
//!
//! A handle names a field; a plain access through it is an access of that field like any other. The stronger modes of a
//! `VarHandle` do not race with each other and give none. Handles of array elements are not followed.

use selvedge_ir::Inst;
use selvedge_models::{AtomicKind, Effect, Order, Special};
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::{FieldId, MethodId};

use super::{AccessKind, Place, TouchingCalls, methods_called};
use crate::view::View;

/// The fields that a call accesses through a handle.
pub(super) fn accesses(view: &View<'_>, method: MethodId, inst: Inst, calls: &mut TouchingCalls) {
    let Some(body) = view.program.body(method) else { return };
    for &instance in view.analysis.instances_of(method) {
        let callees = view.callees(instance, inst);
        let kinds = methods_called(view, callees)
            .into_iter()
            .flat_map(|callee| view.rows(callee).iter().flat_map(|row| row.effects.iter()));
        let Some(kind) = kinds.filter_map(kind_of).max() else { continue };
        let (Some(&handle), target) = (body.args(inst).first(), body.args(inst).get(1)) else { continue };
        for field in fields_behind(view, view.analysis.points_to(instance, handle).iter()) {
            let data = &view.program.fields[field];
            if data.is_final() || data.is_volatile() {
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
}

fn kind_of(effect: &Effect) -> Option<AccessKind> {
    match effect {
        Effect::Atomic { kind: AtomicKind::Read, order: Order::Plain, .. } => Some(AccessKind::Read),
        Effect::Atomic { order: Order::Plain, .. } => Some(AccessKind::Write),
        Effect::Special { name: Special::FieldGet } => Some(AccessKind::Read),
        Effect::Special { name: Special::FieldSet } => Some(AccessKind::Write),
        _ => None,
    }
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
