//! The methods of objects that the client of an open program implements itself (see the harness in the `world` crate).
//!
//! Nothing is known of them, so they keep whatever they are given and return whatever the client has that fits; where
//! nearly everything fits, what the client gives in such places (see [`GeneralValues`]).

use selvedge_ir::Type;
use selvedge_world::{MethodId, Program};

use super::model_summary::Builder;
use crate::entry::{GeneralValues, is_container, is_general};
use crate::heap::Heap;
use crate::procedure::ProcedureId;
use crate::summary::{Member, Statement, Summary};

/// The summary of an interface method as the client implements it.
pub(crate) fn client_summary(
    program: &Program,
    heap: &mut Heap<'_>,
    procedure: ProcedureId,
    method: MethodId,
    general: GeneralValues,
) -> Summary {
    let mut builder = Builder::new(program, heap, procedure);
    let cell = builder.client_cell();
    let this = builder.summary.slot();
    builder.summary.parameters.push(Some(this));
    for reference in super::lambda::parameter_kinds(program.methods[method].descriptor.as_bytes()) {
        let slot = reference.then(|| builder.summary.slot());
        builder.summary.parameters.push(slot);
        if let Some(from) = slot {
            builder.summary.push(Statement::Store { base: cell, member: Member::Captured(0), from });
        }
    }
    if let Some(Type::Ref(class)) = program.methods[method].return_type() {
        let is_limited =
            general == GeneralValues::Representatives && (is_general(class) || is_container(program, class));
        let base = if is_limited { builder.client_given_cell() } else { cell };
        let kept = builder.summary.slot();
        builder.summary.push(Statement::Load { into: kept, base, member: Member::Captured(0) });
        let into = builder.summary.result_slot();
        let filter = builder.heap.types.filter_to(class);
        builder.summary.push(Statement::Copy { into, from: kept, filter });
    }
    builder.summary.finish()
}
