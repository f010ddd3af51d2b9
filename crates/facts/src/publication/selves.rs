//! Fields in which an object keeps a reference to itself.
//!
//! `Throwable` says `cause = this` for "no cause yet", and the head of a list links to itself. Such a store shows the object to nobody who
//! does not know it already: it is no leak, as long as what is loaded from the field is not passed on either. So a load of such a field
//! counts as a use of the object itself: it leaks unless its result is only compared.

use selvedge_base::FastSet;
use selvedge_ir::{Body, FieldRef, Inst, Op};
use selvedge_world::FieldId;

use crate::view::View;

/// The fields to which reached code stores the object that has the field.
pub(super) struct Selves(FastSet<FieldId>);

impl Selves {
    pub(super) fn new(view: &View<'_>) -> Self {
        let mut fields = FastSet::default();
        for (method, _) in view.program.methods.iter_ids() {
            if !view.analysis.is_reached(method) {
                continue;
            }
            let Some(body) = view.program.body(method) else { continue };
            for (inst, data) in body.insts.iter_ids() {
                if let Op::PutField(reference) = &data.op
                    && is_store_of_self(body, inst)
                    && let Ok(field) = view.program.resolve_field(reference)
                {
                    fields.insert(field);
                }
            }
        }
        Self(fields)
    }

    /// Whether what a load gives may be the object that it is loaded from, and is used for more than a comparison.
    pub(super) fn may_leak(&self, view: &View<'_>, body: &Body, load: Inst, reference: &FieldRef) -> bool {
        let is_only_compared = || {
            body.insts[load].result.is_none_or(|result| {
                let mut users = body.insts.iter_ids().filter(|&(user, _)| body.args(user).contains(&result));
                users.all(|(_, data)| matches!(data.op, Op::If { .. }))
            })
        };
        let holds_itself =
            || view.program.resolve_field(reference).is_ok_and(|field| self.0.contains(&field));
        holds_itself() && !is_only_compared()
    }
}

/// Whether a store puts an object into one of its own fields.
pub(super) fn is_store_of_self(body: &Body, store: Inst) -> bool {
    matches!(body.args(store), [base, value] if base == value)
}
