//! Type-sensitive contexts (Smaragdakis, Bravenboer and Lhoták): like object sensitivity, but in place of an allocation
//! site stands the class whose code contains it. Far fewer contexts, most of the precision.

use super::{CallView, ContextId, Contexts, Element, Policy, Surroundings};
use crate::heap::ObjectData;

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

    fn heap_depth(&self) -> usize {
        self.depth - 1
    }
}
