//! The coarsest call graph: every method runs, every class is allocated, a call reaches what the class hierarchy allows.
//!
//! No sound graph can miss an edge that this one lacks, so what is missing here is wrong in the recording, in its
//! normalisation, or in the reading of class files: it is the check of the measure itself.

use crate::recall::Graph;
use selvedge_ir::{InvokeKind, MethodRef, Op};
use selvedge_world::{ClassId, MethodId, Program};

/// Calls as the class hierarchy allows them.
pub struct ClassHierarchy<'p> {
    program: &'p Program,
}

impl<'p> ClassHierarchy<'p> {
    /// The graph of a program.
    pub fn new(program: &'p Program) -> Self {
        ClassHierarchy { program }
    }

    /// The calls at a bytecode index: several where a subroutine was copied.
    fn calls_at(&self, method: MethodId, bci: u32) -> impl Iterator<Item = &'p Op> {
        let insts = self.program.body(method).into_iter().flat_map(|body| body.insts.iter());
        insts
            .filter(move |inst| inst.bci == bci)
            .map(|inst| &inst.op)
            .filter(|op| matches!(op, Op::Invoke(..) | Op::InvokeDynamic(_)))
    }

    fn may_call(&self, caller: MethodId, kind: InvokeKind, named: &MethodRef, callee: MethodId) -> bool {
        let Ok(resolved) = self.program.resolve_method(named) else { return false };
        match kind {
            InvokeKind::Static => resolved == callee,
            InvokeKind::Special => {
                let class = self.program.methods[caller].class;
                self.program.resolve_special(class, named).is_ok_and(|found| found == Some(callee))
            }
            _ => {
                let owner = self.program.methods[resolved].class;
                let receivers = self.program.subtypes(self.program.methods[callee].class);
                resolved == callee
                    || receivers.iter().any(|&receiver| {
                        self.program.is_subclass(receiver, owner)
                            && self.program.dispatch(receiver, resolved) == Some(callee)
                    })
            }
        }
    }
}

impl Graph for ClassHierarchy<'_> {
    fn is_reached(&self, _method: MethodId) -> bool {
        true
    }

    fn calls(&self, caller: MethodId, bci: u32, callee: MethodId) -> bool {
        self.calls_at(caller, bci).any(|op| match op {
            Op::Invoke(kind, named) => self.may_call(caller, *kind, named, callee),
            _ => false,
        })
    }

    fn leads_to(&self, caller: MethodId, bci: u32, _callee: MethodId) -> bool {
        self.calls_at(caller, bci).next().is_some()
    }

    fn is_replaced(&self, _method: MethodId) -> bool {
        false
    }

    fn is_allocated(&self, _class: ClassId) -> bool {
        true
    }
}
