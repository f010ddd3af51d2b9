//! No contexts: every method is analysed once, every allocation site is one object.

use super::{CallView, ContextId, Contexts, Policy, Surroundings};
use crate::heap::ObjectData;

/// See the [module documentation](self).
pub struct Insensitive;

impl Policy for Insensitive {
    fn name(&self) -> String {
        "insensitive".into()
    }

    fn of_receiver(&self, _: &mut Contexts, _: &Surroundings<'_>, _: CallView, _: &ObjectData) -> ContextId {
        Contexts::EMPTY
    }

    fn of_static(&self, _: &mut Contexts, _: &Surroundings<'_>, _: CallView) -> ContextId {
        Contexts::EMPTY
    }
}
