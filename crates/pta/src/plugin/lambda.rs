//! The method behind a lambda expression: it loads the captured values and calls the implementation.

use selvedge_classfile::descriptor::{FieldType, MethodDescriptor, PrimitiveType};
use selvedge_ir::{CallSiteKind, ClassName, HandleKind, Inst, Lambda, MethodHandle, Op};
use selvedge_world::{MethodId, Program};

use crate::heap::{Heap, SiteId, Types};
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
    let (parameters, returned) = instantiated_types(lambda);
    for class in parameters {
        let slot = class.map(|_| summary.slot());
        summary.parameters.push(slot);
        arguments.push(slot.zip(class).map(|(from, class)| cast(heap, &mut summary, from, class)));
    }
    let into = summary.result_slot();
    let adapted = adapt(heap, procedure, lambda, &mut summary, arguments);
    let filter = returned.map_or(Types::ANY, |class| heap.types.filter_to(class));
    let result = if filter == Types::ANY { into } else { summary.slot() };
    if result != into {
        summary.push(Statement::Copy { into, from: result, filter });
    }
    implement(program, heap, procedure, &lambda.implementation, adapted, result, &mut summary);
    summary.finish()
}

/// The types to which the object behind the expression casts what it is given, `None` for primitive ones, and the type
/// to which it casts what it returns: those of the method that the expression's context asks for, generic parameters
/// replaced.
fn instantiated_types(lambda: &Lambda) -> (Vec<Option<ClassName>>, Option<ClassName>) {
    let class = |ty: FieldType<'_>| match ty {
        FieldType::Class(name) => Some(ClassName::new(name)),
        FieldType::Array(array) => Some(ClassName::new(array.descriptor())),
        FieldType::Primitive(_) => None,
    };
    match MethodDescriptor::parse(lambda.instantiated.as_bytes()) {
        Ok(descriptor) => {
            (descriptor.params().map(class).collect(), descriptor.return_type().and_then(class))
        }
        Err(_) => (Vec::new(), None),
    }
}

/// The slot that holds what of a slot's objects passes a cast.
fn cast(heap: &mut Heap<'_>, summary: &mut Summary, from: Slot, class: ClassName) -> Slot {
    let filter = heap.types.filter_to(class);
    if filter == Types::ANY {
        return from;
    }
    let into = summary.slot();
    summary.push(Statement::Copy { into, from, filter });
    into
}

/// What the adapter between the interface's method and the implementation boxes: a primitive argument where the
/// implementation takes an object, and a primitive result where the interface returns one.
fn adapt(
    heap: &mut Heap<'_>,
    procedure: ProcedureId,
    lambda: &Lambda,
    summary: &mut Summary,
    mut arguments: Vec<Option<Slot>>,
) -> Vec<Option<Slot>> {
    let MethodHandle::Method(kind, reference) = &lambda.implementation else { return arguments };
    let (Ok(given), Ok(wanted)) = (
        MethodDescriptor::parse(lambda.instantiated.as_bytes()),
        MethodDescriptor::parse(reference.descriptor.as_bytes()),
    ) else {
        return arguments;
    };
    let has_receiver = !matches!(kind, HandleKind::InvokeStatic | HandleKind::NewInvokeSpecial);
    let wanted_references = has_receiver.then_some(true).into_iter().chain(wanted.params().map(is_reference));
    let captured = arguments.len() - given.param_count();
    let given_types = std::iter::repeat_n(None, captured).chain(given.params().map(Some));
    for ((argument, wanted), given) in arguments.iter_mut().zip(wanted_references).zip(given_types) {
        if let (None, true, Some(given)) = (*argument, wanted, given)
            && let Some(site) = box_site(heap, procedure, given)
        {
            let slot = summary.slot();
            summary.push(Statement::Allocate { into: slot, site });
            *argument = Some(slot);
        }
    }
    if given.return_type().is_some_and(is_reference)
        && let Some(site) = wanted.return_type().and_then(|ty| box_site(heap, procedure, ty))
    {
        let into = summary.result_slot();
        summary.push(Statement::Allocate { into, site });
    }
    arguments
}

fn is_reference(ty: FieldType<'_>) -> bool {
    ty.is_reference()
}

/// The site of the objects that a primitive type is boxed into.
fn box_site(heap: &mut Heap<'_>, procedure: ProcedureId, ty: FieldType<'_>) -> Option<SiteId> {
    let ty = heap.types.named(ClassName::new(box_class(ty)?))?;
    Some(heap.site_of_model(procedure, 0, ty))
}

/// The class that a primitive type is boxed into.
pub(crate) fn box_class(ty: FieldType<'_>) -> Option<&'static str> {
    let FieldType::Primitive(primitive) = ty else { return None };
    Some(match primitive {
        PrimitiveType::Boolean => "java/lang/Boolean",
        PrimitiveType::Byte => "java/lang/Byte",
        PrimitiveType::Char => "java/lang/Character",
        PrimitiveType::Short => "java/lang/Short",
        PrimitiveType::Int => "java/lang/Integer",
        PrimitiveType::Long => "java/lang/Long",
        PrimitiveType::Float => "java/lang/Float",
        PrimitiveType::Double => "java/lang/Double",
    })
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
    summary.push_call(Call {
        inst: None,
        target,
        arguments,
        result,
        result_filter: Types::ANY,
        scope: 0,
        constants: Vec::new(),
    });
}

/// For each parameter of a descriptor whether it is a reference.
pub(crate) fn parameter_kinds(descriptor: &[u8]) -> Vec<bool> {
    let parsed = MethodDescriptor::parse(descriptor);
    parsed.map_or_else(|_| Vec::new(), |parsed| parsed.params().map(|ty| ty.is_reference()).collect())
}
