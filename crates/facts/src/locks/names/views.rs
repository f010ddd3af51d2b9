//! Views of locks: the two halves of a read-write lock, and conditions, stand for the lock that they are views of.
//!
//! Where a view is made and locked in one expression, value numbers tell whose view it is. This file is about views that
//! are kept: in fields beside the lock or instead of it, and as abstract objects.

use selvedge_base::{FastMap, FastSet};
use selvedge_ir::{Inst, Op, Value};
use selvedge_models::Effect;
use selvedge_pta::heap::ObjectId;
use selvedge_world::{FieldId, MethodId};

use super::terms::{Code, Root, Step};
use crate::locks::held::state::Role;
use crate::view::View;

/// Which locks views are views of.
#[derive(Default)]
pub(crate) struct Views {
    /// Stable fields that hold the same lock as another stable field of the same object (or another static one), or a view of it.
    pub(crate) aliases: FastMap<FieldId, FieldId>,
    /// For each abstract object that may be a view the locks it may be a view of.
    pub(crate) owners: FastMap<ObjectId, Vec<ObjectId>>,
}

impl Views {
    pub(crate) fn new(view: &View<'_>, code: &Code) -> Self {
        Self { aliases: find_aliases(view, code), owners: find_owners(view) }
    }
}

/// Looks at each constructor and class initialiser that stores a view to a stable field.
fn find_aliases(view: &View<'_>, code: &Code) -> FastMap<FieldId, FieldId> {
    let mut stored: FastMap<MethodId, Vec<(FieldId, Value, bool)>> = FastMap::default();
    let mut writers: FastMap<FieldId, usize> = FastMap::default();
    let mut with_views: FastSet<MethodId> = FastSet::default();
    for (field, writes) in code.stable.all_writes() {
        if !code.stable.is_stable(view, field) {
            continue;
        }
        writers.insert(field, writes.len());
        for &(method, inst) in writes {
            let (Some(body), Some(numbering)) = (view.program.body(method), code.numbering(view, method))
            else {
                continue;
            };
            let Some(&value) = body.args(inst).last() else { continue };
            let mut value = numbering.number(value);
            let mut is_view = false;
            while let Some(lock) = body.defining_inst(value).and_then(|inst| code.viewed(view, method, inst))
            {
                (value, is_view) = (numbering.number(lock), true);
            }
            if is_view {
                with_views.insert(method);
            }
            stored.entry(method).or_default().push((field, value, is_view));
        }
    }
    let mut aliases = FastMap::default();
    for method in with_views {
        let stores = &stored[&method];
        for &(field, lock, _) in stores.iter().filter(|&&(field, _, is_view)| is_view && writers[&field] == 1)
        {
            // The lock was read from a field of the same object, or stored to one, or has only views.
            let term = code.lock_term(view, method, lock, Role::Monitor);
            let read_from = match (term.root, &term.path[..]) {
                (Root::Parameter(0), &[Step::Field(other)]) => Some(other),
                (Root::Static(other), []) => Some(other),
                _ => None,
            };
            let same = stores.iter().filter(|&&(other, value, _)| value == lock && writers[&other] == 1);
            let stored_to = same.map(|&(other, _, is_view)| (is_view, other)).min().map(|(_, other)| other);
            if let Some(other) = read_from.or(stored_to).filter(|&other| other != field) {
                aliases.insert(field, other);
            }
        }
    }
    aliases
}

/// Looks at each call that makes a view.
fn find_owners(view: &View<'_>) -> FastMap<ObjectId, Vec<ObjectId>> {
    let mut owners: FastMap<ObjectId, Vec<ObjectId>> = FastMap::default();
    let makes = |method: MethodId| {
        let effects = view.rows(method).iter().flat_map(|row| row.effects.iter());
        effects.filter_map(|effect| match effect {
            Effect::LockView { view, of } => Some((view, of)),
            _ => None,
        })
    };
    let makers: FastSet<MethodId> = view
        .analysis
        .instances
        .iter()
        .filter_map(|instance| view.analysis.procedures.method(instance.procedure))
        .filter(|&method| makes(method).next().is_some())
        .collect();
    if makers.is_empty() {
        return owners;
    }
    for instance in view.analysis.instances.ids() {
        for call in view.calls(instance) {
            let methods = call.callees.iter().filter_map(|&callee| view.method_of(callee));
            for method in methods.filter(|method| makers.contains(method)) {
                for (made, of) in makes(method) {
                    let locks = view.objects_at(instance, call.number, method, of);
                    for made in view.objects_at(instance, call.number, method, made) {
                        owners.entry(made).or_default().extend(locks.iter().copied());
                    }
                }
            }
        }
    }
    for locks in owners.values_mut() {
        locks.sort_unstable();
        locks.dedup();
    }
    owners
}

impl Code {
    /// The lock of which the result of a call is a view, whatever the call reaches.
    pub(crate) fn viewed(&self, view: &View<'_>, method: MethodId, call: Inst) -> Option<Value> {
        let body = view.program.body(method)?;
        if !matches!(body.insts[call].op, Op::Invoke(..)) {
            return None;
        }
        let (must, _) = self.effects(view, method, call);
        must.into_iter().find_map(|effect| match effect {
            Effect::LockView { view: made, of } => {
                let result = view.operand(body, call, made);
                let of = view.operand(body, call, of);
                of.filter(|_| result.is_some() && result == body.insts[call].result)
            }
            _ => None,
        })
    }
}
