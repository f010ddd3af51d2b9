//! Call-site contexts (call strings): a method is analysed once for each of the last `depth` calls that led to it.
//!
//! Objects get the last `depth - 1` of them as heap context.

use super::{CallView, ContextId, Contexts, Element, Policy, Surroundings};
use crate::heap::ObjectData;

/// See the [module documentation](self).
pub struct CallSiteSensitive {
    /// The length of the call strings.
    pub depth: usize,
}

impl Policy for CallSiteSensitive {
    fn name(&self) -> String {
        format!("{}-call", self.depth)
    }

    fn of_receiver(
        &self,
        contexts: &mut Contexts,
        around: &Surroundings<'_>,
        call: CallView,
        _: &ObjectData,
    ) -> ContextId {
        self.of_static(contexts, around, call)
    }

    fn of_static(&self, contexts: &mut Contexts, _: &Surroundings<'_>, call: CallView) -> ContextId {
        contexts.push(Element::Call(call.procedure, call.number), call.caller, self.depth)
    }

    fn heap_depth(&self) -> usize {
        self.depth - 1
    }
}
