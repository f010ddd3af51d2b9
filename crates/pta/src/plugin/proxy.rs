//! The methods of dynamic proxies: each hands its call to the invocation handler.
//!
//! A proxy object keeps its handler as [`Member::Captured`] 0; see the `proxy.new-instance` rule.

use selvedge_ir::{ClassName, FieldRef, MethodRef};
use selvedge_world::{MethodId, Program};

use super::lambda::parameter_kinds;
use crate::heap::{Heap, Site, Types};
use crate::procedure::ProcedureId;
use crate::summary::{Call, Member, Slot, Statement, Summary, Target};

/// The summary of an interface method as a proxy implements it: `handler.invoke(this, method, arguments)`.
pub(crate) fn proxy_summary(
    program: &Program,
    heap: &mut Heap<'_>,
    procedure: ProcedureId,
    method: MethodId,
) -> Summary {
    let mut summary = Summary::default();
    summary.scopes.push(None);
    let this = summary.slot();
    summary.parameters.push(Some(this));
    let arguments = summary.slot();
    if let Some(ty) = heap.types.named(ClassName::new("[Ljava/lang/Object;")) {
        let site = heap.site_of_model(procedure, 0, ty);
        summary.push(Statement::Allocate { into: arguments, site });
    }
    for reference in parameter_kinds(program.methods[method].descriptor.as_bytes()) {
        let slot = reference.then(|| summary.slot());
        summary.parameters.push(slot);
        if let Some(from) = slot {
            summary.push(Statement::Store { base: arguments, member: Member::Element, from });
        }
    }
    let called = summary.slot();
    if let Some(ty) = heap.types.named(ClassName::new("java/lang/reflect/Method")) {
        let site = heap.site(Site::MethodHandle(method, ty), ty);
        summary.push(Statement::Allocate { into: called, site });
    }
    describe_method(program, heap, &mut summary, called);
    let handler = summary.slot();
    summary.push(Statement::Load { into: handler, base: this, member: Member::Captured(0) });
    let invoke = MethodRef {
        owner: ClassName::new("java/lang/reflect/InvocationHandler"),
        name: "invoke".into(),
        descriptor: "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;"
            .into(),
        interface: true,
    };
    let result = summary.result_slot();
    let returned = program.methods[method].return_type().and_then(|ty| ty.class());
    let result_filter = returned.map_or(Types::ANY, |class| heap.types.filter_to(class));
    if let Some(invoke) = crate::names::resolve_method(program, &invoke) {
        summary.push_call(Call {
            inst: None,
            target: Target::Virtual(invoke),
            arguments: vec![Some(handler), Some(this), Some(called), Some(arguments)],
            result: Some(result),
            result_filter,
            scope: 0,
            constants: Vec::new(),
        });
    }
    summary.finish()
}

/// What the code behind `Method` reads of the method that is passed on: its name and class.
fn describe_method(program: &Program, heap: &mut Heap<'_>, summary: &mut Summary, method: Slot) {
    let owner = ClassName::new("java/lang/reflect/Method");
    for (name, class) in
        [("name", "java/lang/String"), ("clazz", "java/lang/Class"), ("returnType", "java/lang/Class")]
    {
        let descriptor = format!("L{class};");
        let field = FieldRef { owner, name: name.into(), descriptor: descriptor.as_str().into() };
        let field = crate::names::resolve_field(program, &field);
        if let (Some(field), Some(ty)) = (field, heap.types.named(ClassName::new(class))) {
            let (from, site) = (summary.slot(), heap.site(Site::Merged(ty), ty));
            summary.push(Statement::Allocate { into: from, site });
            summary.push(Statement::Store { base: method, member: Member::Field(field), from });
        }
    }
}
