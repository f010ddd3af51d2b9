//! Type-sensitive contexts (Smaragdakis, Bravenboer and Lhoták): like object sensitivity, but in place of an allocation
//! site stands the class whose code contains it. Far fewer contexts, most of the precision.

use super::{CallView, ContextId, Contexts, Element, Policy, Surroundings};
use crate::heap::{ObjectData, TypeId};
use crate::procedure::ProcedureId;

/// See the [module documentation](self).
pub struct TypeSensitive {
    /// The greatest length of a context.
    pub depth: usize,
}

impl Policy for TypeSensitive {
    fn name(&self) -> String {
        format!("{}-type", self.depth)
    }

    fn of_receiver(
        &self,
        contexts: &mut Contexts,
        around: &Surroundings<'_>,
        _: CallView,
        receiver: &ObjectData,
    ) -> ContextId {
        let allocator = around.heap.allocating_type(receiver);
        contexts.push(Element::Type(allocator), receiver.context, self.depth)
    }

    fn of_static(&self, _: &mut Contexts, _: &Surroundings<'_>, call: CallView) -> ContextId {
        call.caller
    }

    fn of_allocation(
        &self,
        contexts: &mut Contexts,
        _: &Surroundings<'_>,
        context: ContextId,
        _: ProcedureId,
        _: TypeId,
    ) -> ContextId {
        contexts.truncate(context, self.depth - 1)
    }
}
