//! The method behind a lambda expression: it loads the captured values and calls the implementation.

use selvedge_ir::{CallSiteKind, HandleKind, Inst, MethodHandle, Op};
use selvedge_world::{MethodId, Program};

use crate::heap::Heap;
use crate::procedure::{ProcedureId, Procedures};
use crate::summary::{Call, Member, Slot, Statement, Summary, Target};

/// The summary of the functional interface's method for the lambda expression at `inst`.
pub(crate) fn lambda_summary(
    program: &Program,
    heap: &mut Heap<'_>,
    procedure: ProcedureId,
    method: MethodId,
    inst: Inst,
) -> Summary {
    let mut summary = Summary::default();
    summary.scopes.push(None);
    let Some(body) = program.body(method) else { return summary.finish() };
    let Op::InvokeDynamic(site) = body.insts[inst].op else { return summary.finish() };
    let site = &body.call_sites[site];
    let CallSiteKind::Lambda(lambda) = &site.kind else { return summary.finish() };

    let this = summary.slot();
    summary.parameters.push(Some(this));
    let mut arguments = Vec::new();
    for (position, captured) in parameter_kinds(site.descriptor.as_bytes()).into_iter().enumerate() {
        arguments.push(captured.then(|| {
            let slot = summary.slot();
            summary.push(Statement::Load {
                into: slot,
                base: this,
                member: Member::Captured(position as u32),
            });
            slot
        }));
    }
    for reference in parameter_kinds(lambda.instantiated.as_bytes()) {
        // A parameter may be boxed or unboxed on the way: whether it holds a reference is decided by either side.
        let slot = reference.then(|| summary.slot());
        summary.parameters.push(slot);
        arguments.push(slot);
    }
    let result = summary.result_slot();
    implement(program, heap, procedure, &lambda.implementation, arguments, result, &mut summary);
    summary.finish()
}

/// Calls (or reads, or writes) what a method handle stands for.
pub(crate) fn implement(
    program: &Program,
    heap: &mut Heap<'_>,
    procedure: ProcedureId,
    handle: &MethodHandle,
    mut arguments: Vec<Option<Slot>>,
    result: Slot,
    summary: &mut Summary,
) {
    let (kind, reference) = match handle {
        MethodHandle::Method(kind, reference) => (*kind, reference),
        MethodHandle::Field(kind, reference) => {
            let Some(field) = crate::names::resolve_field(program, reference) else { return };
            match (kind, arguments.as_slice()) {
                (HandleKind::GetField, [Some(base), ..]) => {
                    summary.push(Statement::Load { into: result, base: *base, member: Member::Field(field) });
                }
                (HandleKind::PutField, [Some(base), Some(from), ..]) => {
                    summary.push(Statement::Store { base: *base, member: Member::Field(field), from: *from });
                }
                (HandleKind::GetStatic, _) => summary.push(Statement::LoadStatic { into: result, field }),
                (HandleKind::PutStatic, [Some(from), ..]) => {
                    summary.push(Statement::StoreStatic { field, from: *from });
                }
                _ => {}
            }
            return;
        }
    };
    let Some(method) = crate::names::resolve_method(program, reference) else { return };
    summary.initializes.extend(program.class_named(reference.owner));
    let exact = Procedures::of_method(method);
    let mut result = Some(result);
    let target = match kind {
        HandleKind::InvokeStatic => Target::Static(exact),
        HandleKind::InvokeSpecial => Target::Exact(exact),
        HandleKind::NewInvokeSpecial => {
            let Some(ty) = heap.types.named(reference.owner) else { return };
            let site = heap.site_of_model(procedure, 0, ty);
            let object = summary.result_slot();
            summary.push(Statement::Allocate { into: object, site });
            arguments.insert(0, Some(object));
            result = None;
            Target::Exact(exact)
        }
        _ => Target::Virtual(method),
    };
    if !matches!(target, Target::Static(_)) && arguments.first().is_none_or(Option::is_none) {
        return;
    }
    summary.push_call(Call { inst: None, target, arguments, result, scope: 0, constants: Vec::new() });
}

/// For each parameter of a descriptor whether it is a reference.
pub(crate) fn parameter_kinds(descriptor: &[u8]) -> Vec<bool> {
    let parsed = selvedge_classfile::descriptor::MethodDescriptor::parse(descriptor);
    parsed.map_or_else(|_| Vec::new(), |parsed| parsed.params().map(|ty| ty.is_reference()).collect())
}
