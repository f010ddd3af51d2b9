//! A policy that the user names, carried out where it tells something: in application code, containers, threads and locks.
//!
//! A context is what [`Adaptive`] chooses, with what the named policy chooses beside it (the element [`Element::Beside`]). The named policy
//! is asked for methods of the application and of containers, and for what their code allocates; inside the rest of the JDK it would
//! cost nearly everything and tell nothing about the program's data.
//!
//! Theorem: no variable points to more than under the adaptive policy. Forgetting what stands beside takes each context to
//! one that the adaptive policy chooses in the same place, so every fact of this analysis is one of that analysis.

use super::adaptive::Role;
use super::{Adaptive, CallView, ContextId, Contexts, Policy, Surroundings};
use crate::heap::{ObjectData, TypeId};
use crate::procedure::ProcedureId;

/// See the [module documentation](self).
pub struct Refined {
    adaptive: Adaptive,
    chosen: Box<dyn Policy>,
    coarser: Box<dyn Policy>,
}

impl Refined {
    /// The adaptive policy refined by `chosen`. Where that takes too much work, the analysis goes on with `coarser`.
    pub fn new(chosen: Box<dyn Policy>, coarser: Box<dyn Policy>) -> Self {
        Self { adaptive: Adaptive::default(), chosen, coarser }
    }
}

/// A call as each of two policies sees it.
fn views(contexts: &mut Contexts, call: CallView) -> (CallView, CallView) {
    let (first, second) = contexts.split(call.caller);
    (CallView { caller: first, ..call }, CallView { caller: second, ..call })
}

impl Policy for Refined {
    fn name(&self) -> String {
        self.chosen.name()
    }

    fn coarser(&self) -> Option<&dyn Policy> {
        Some(self.coarser.as_ref())
    }

    fn of_receiver(
        &self,
        contexts: &mut Contexts,
        around: &Surroundings<'_>,
        call: CallView,
        receiver: &ObjectData,
    ) -> ContextId {
        let (view, beside) = views(contexts, call);
        let (context, second) = contexts.split(receiver.context);
        let first = self.adaptive.of_receiver(contexts, around, view, &ObjectData { context, ..*receiver });
        let second = match self.adaptive.role_of_receiver(around, call, receiver) {
            Role::Other => Contexts::EMPTY,
            role => {
                // A call string says who called the application's method. What a library is called on, or calls back, is distinguished
                // by where it was made: a thread by the calls that led to its making, not by those of `start`.
                let is_within = role == Role::Application
                    && self.adaptive.role_of_procedure(around, call.procedure) == Role::Application;
                let caller = if is_within { beside.caller } else { second };
                let receiver = ObjectData { context: second, ..*receiver };
                self.chosen.of_receiver(contexts, around, CallView { caller, ..beside }, &receiver)
            }
        };
        contexts.join(first, second)
    }

    fn of_static(&self, contexts: &mut Contexts, around: &Surroundings<'_>, call: CallView) -> ContextId {
        let (view, beside) = views(contexts, call);
        let first = self.adaptive.of_static(contexts, around, view);
        let second = match self.adaptive.role_of_static(around, call) {
            Role::Other => Contexts::EMPTY,
            Role::Application | Role::Container => self.chosen.of_static(contexts, around, beside),
        };
        contexts.join(first, second)
    }

    fn of_allocation(
        &self,
        contexts: &mut Contexts,
        around: &Surroundings<'_>,
        context: ContextId,
        procedure: ProcedureId,
        ty: TypeId,
    ) -> ContextId {
        let (first, second) = contexts.split(context);
        let first = self.adaptive.of_allocation(contexts, around, first, procedure, ty);
        let second = match self.adaptive.role_of_procedure(around, procedure) {
            Role::Other => Contexts::EMPTY,
            Role::Application | Role::Container => {
                self.chosen.of_allocation(contexts, around, second, procedure, ty)
            }
        };
        contexts.join(first, second)
    }
}
