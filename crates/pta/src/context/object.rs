//! Object-sensitive contexts (seed 003, section 2; Milanova, Rountev and Ryder): a method is analysed once for each
//! abstract receiver, which is a string of at most `depth` allocation sites.
//!
//! Static methods inherit the context of their caller.

use super::{CallView, ContextId, Contexts, Element, Policy, Surroundings};
use crate::heap::ObjectData;

/// See the [module documentation](self).
pub struct ObjectSensitive {
    /// The greatest length of an object's string of allocation sites.
    pub depth: usize,
}

impl Policy for ObjectSensitive {
    fn name(&self) -> String {
        format!("{}-object", self.depth)
    }

    fn of_receiver(
        &self,
        contexts: &mut Contexts,
        _: &Surroundings<'_>,
        _: CallView,
        receiver: &ObjectData,
    ) -> ContextId {
        contexts.push(Element::Site(receiver.site), receiver.context, self.depth)
    }

    fn heap_depth(&self) -> usize {
        self.depth - 1
    }
}
