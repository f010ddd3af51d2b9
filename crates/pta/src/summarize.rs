//! From the intermediate form of a method to its [`Summary`].
//!
//! SSA values become slots, in the library those that something reads; control flow is forgotten except for handlers and for what tests say of values (see
//! [`crate::refine`]). Values that can only be null get no slot. Names
//! are resolved here, once per method; what does not resolve would throw at run time and yields no constraint.

use selvedge_base::{FastMap, Id};
use selvedge_ir::{
    Block, Body, CallSiteKind, ClassName, Constant, FieldRef, HandleKind, Inst, InvokeKind, Lambda,
    MethodHandle, MethodRef, Op, PrimitiveType, Type, Unwind, Value,
};
use selvedge_world::{FieldId, MethodId, Program, Tier};

use crate::heap::{Filter, FilterId, Heap, RuntimeType, Site, SiteId, TypeId, Types};
use crate::names::{class_with_java_name, resolve_field, resolve_method};
use crate::procedure::{Procedure, Procedures};
use crate::refine::Refinements;
use crate::summary::{ArgumentConstant, Call, Member, Slot, Statement, Summary, Target};

/// The summary of a method with code, to be compacted and finished.
pub(crate) fn summarize(
    program: &Program,
    heap: &mut Heap<'_>,
    procedures: &mut Procedures,
    method: MethodId,
    body: &Body,
) -> Summary {
    let mut summary = Summary::default();
    summary.slot_of_value = vec![None; body.values.len()];
    // The application's own values can be asked for.
    let keeps_all = crate::context::is_application(program, program.methods[method].class);
    let used = used_values(body);
    for value in body.values.ids().filter(|value| keeps_all || used[value.index()]) {
        if matches!(body.ty(value), Type::Ref(_)) {
            summary.slot_of_value[value.index()] = Some(summary.slot());
        }
    }
    summary.parameters = body.parameters.iter().map(|value| summary.slot_of_value[value.index()]).collect();
    summary.scopes.push(None);
    let mut builder = Summarizer {
        program,
        heap,
        procedures,
        method,
        body,
        summary,
        scopes: FastMap::default(),
        refinements: Refinements::default(),
        block: Body::ENTRY,
    };
    builder.refine();
    builder.run();
    builder.summary.returns_this = !program.methods[method].is_static() && returns_first_parameter(body);
    builder.summary
}

/// For each value whether anything reads it. The results of most calls of `put` and `append` are read by nothing.
fn used_values(body: &Body) -> Vec<bool> {
    let mut used = vec![false; body.values.len()];
    body.parameters.iter().for_each(|value| used[value.index()] = true);
    for inst in body.insts.ids() {
        body.args(inst).iter().for_each(|value| used[value.index()] = true);
    }
    used
}

/// Whether every value that a body returns is its first parameter.
fn returns_first_parameter(body: &Body) -> bool {
    let mut returned = body.insts.ids().filter(|&inst| matches!(body.insts[inst].op, Op::Return)).peekable();
    returned.peek().is_some() && returned.all(|inst| body.args(inst).first() == body.parameters.first())
}

struct Summarizer<'a, 'p> {
    program: &'a Program,
    heap: &'a mut Heap<'p>,
    procedures: &'a mut Procedures,
    method: MethodId,
    body: &'a Body,
    summary: Summary,
    /// The scope of each list of handlers.
    scopes: FastMap<Vec<(Option<ClassName>, Block)>, u32>,
    refinements: Refinements,
    block: Block,
}

impl Summarizer<'_, '_> {
    /// Makes the slots of values that tests narrow.
    fn refine(&mut self) {
        let (refinements, regions) = Refinements::of(self.body);
        self.refinements = refinements;
        for region in regions {
            let from = self.slot_in(region.value, region.entry);
            let filter = self.heap.types.filter_to(region.class);
            if let Some(from) = from {
                let into = self.summary.slot();
                self.copy(Some(into), Some(from), filter);
                self.refinements.add(region, into);
            }
        }
    }

    fn run(&mut self) {
        for block in self.body.blocks.ids() {
            self.block = block;
            for inst in self.body.blocks[block].insts.iter() {
                self.instruction(inst);
            }
        }
    }

    /// The slot of a value as the current block sees it.
    fn slot(&self, value: Value) -> Option<Slot> {
        self.slot_in(value, self.block)
    }

    fn slot_in(&self, value: Value, block: Block) -> Option<Slot> {
        self.refinements.slot(value, block).or(self.summary.slot_of_value[value.index()])
    }

    fn result(&self, inst: Inst) -> Option<Slot> {
        self.body.insts[inst].result.and_then(|value| self.slot(value))
    }

    fn argument(&self, inst: Inst, position: usize) -> Option<Slot> {
        self.body.args(inst).get(position).and_then(|&value| self.slot(value))
    }

    fn instruction(&mut self, inst: Inst) {
        let result = self.result(inst);
        match self.body.insts[inst].op {
            Op::Phi => {
                // What a phi takes, it takes at the end of the block it comes from.
                for (edge, &value) in
                    self.body.blocks[self.block].predecessors.iter().zip(self.body.args(inst))
                {
                    self.copy(result, self.slot_in(value, edge.from), Types::ANY);
                }
            }
            Op::CheckCast(class) => {
                let filter = self.heap.types.filter_to(class);
                self.copy(result, self.argument(inst, 0), filter);
            }
            Op::Catch => self.catch(result),
            Op::String(text) => self.allocate_constant(result, Constant::String(text)),
            Op::Class(class) => self.allocate_constant(result, Constant::Class(class)),
            Op::Constant(id) => self.allocate_constant(result, self.body.constants[id].clone()),
            Op::New(class) => {
                self.initialize(class);
                self.allocate(inst, result, class);
            }
            Op::NewPrimitiveArray(element) => self.allocate(inst, result, primitive_array(element)),
            Op::NewArray(class) => self.allocate_array(inst, result, class),
            Op::NewMultiArray(class) => self.allocate_multi(inst, result, class),
            Op::ArrayLoad(_) => self.load(result, self.argument(inst, 0), Member::Element),
            Op::ArrayStore(_) => self.store(self.argument(inst, 0), Member::Element, self.argument(inst, 2)),
            Op::GetField(field) => {
                if let Some(field) = self.field(field) {
                    self.load(result, self.argument(inst, 0), Member::Field(field));
                }
            }
            Op::PutField(field) => {
                if let Some(field) = self.field(field) {
                    self.store(self.argument(inst, 0), Member::Field(field), self.argument(inst, 1));
                }
            }
            Op::GetStatic(field) => {
                self.initialize(field.owner);
                if let (Some(into), Some(field)) = (result, self.field(field)) {
                    self.initialize(self.program.classes[self.program.fields[field].class].name);
                    self.summary.push(Statement::LoadStatic { into, field });
                }
            }
            Op::PutStatic(field) => {
                self.initialize(field.owner);
                if let (Some(from), Some(field)) = (self.argument(inst, 0), self.field(field)) {
                    self.initialize(self.program.classes[self.program.fields[field].class].name);
                    self.summary.push(Statement::StoreStatic { field, from });
                }
            }
            Op::Invoke(kind, method) => self.invoke(inst, kind, method),
            Op::InvokeDynamic(site) => self.invoke_dynamic(inst, site),
            Op::Return => {
                if let Some(from) = self.argument(inst, 0) {
                    let into = self.summary.result_slot();
                    self.copy(Some(into), Some(from), Types::ANY);
                }
            }
            Op::Throw => {
                if let Some(from) = self.argument(inst, 0) {
                    let scope = self.scope();
                    self.summary.push(Statement::Throw { from, scope });
                }
            }
            _ => {}
        }
    }

    fn copy(&mut self, into: Option<Slot>, from: Option<Slot>, filter: FilterId) {
        if let (Some(into), Some(from)) = (into, from)
            && into != from
        {
            self.summary.push(Statement::Copy { into, from, filter });
        }
    }

    fn load(&mut self, into: Option<Slot>, base: Option<Slot>, member: Member) {
        if let (Some(into), Some(base)) = (into, base) {
            self.summary.push(Statement::Load { into, base, member });
        }
    }

    fn store(&mut self, base: Option<Slot>, member: Member, from: Option<Slot>) {
        if let (Some(base), Some(from)) = (base, from) {
            self.summary.push(Statement::Store { base, member, from });
        }
    }

    fn field(&self, field: FieldRef) -> Option<FieldId> {
        resolve_field(self.program, &field)
    }

    fn initialize(&mut self, class: ClassName) {
        if let Some(class) = self.program.class_named(class) {
            self.summary.initializes.push(class);
        }
    }

    fn allocate(&mut self, inst: Inst, into: Option<Slot>, class: ClassName) {
        if let (Some(into), Some(ty)) = (into, self.heap.types.named(class)) {
            let site = self.heap.site_of_allocation(self.method, inst, 0, ty);
            self.summary.push(Statement::Allocate { into, site });
        }
    }

    fn allocate_array(&mut self, inst: Inst, into: Option<Slot>, class: ClassName) {
        self.allocate(inst, into, class);
        let length = self.body.args(inst).first().and_then(|&length| self.body.defining_inst(length));
        if length.is_some_and(|length| matches!(self.body.insts[length].op, Op::Int(0)))
            && let Some(ty) = self.heap.types.named(class)
        {
            let site = self.heap.site_of_allocation(self.method, inst, 0, ty);
            if matches!(self.heap.site_of(site), Site::Instruction { .. }) {
                self.heap.set_empty_array(site);
            }
        }
    }

    /// An array of arrays: one object for each dimension that is allocated, each an element of the one around it.
    fn allocate_multi(&mut self, inst: Inst, into: Option<Slot>, class: ClassName) {
        let Some(mut outer) = into else { return };
        self.allocate(inst, into, class);
        let mut class = class;
        for depth in 1..self.body.args(inst).len() {
            let Some(Type::Ref(element)) = class.element_type() else { return };
            let Some(ty) = self.heap.types.named(element) else { return };
            let site = self.heap.site_of_allocation(self.method, inst, depth as u8, ty);
            let inner = self.summary.slot();
            self.summary.push(Statement::Allocate { into: inner, site });
            self.summary.push(Statement::Store { base: outer, member: Member::Element, from: inner });
            (class, outer) = (element, inner);
        }
    }

    fn allocate_constant(&mut self, into: Option<Slot>, constant: Constant) {
        if let (Some(into), Some(site)) =
            (into, constant_site(self.program, self.heap, self.method, &constant))
        {
            self.summary.push(Statement::Allocate { into, site });
        }
    }

    /// The scope of the current block.
    fn scope(&mut self) -> u32 {
        let unwind = &self.body.blocks[self.block].unwind;
        if unwind.is_empty() {
            return 0;
        }
        let key: Vec<_> = unwind.iter().map(|unwind| (unwind.catches, unwind.handler)).collect();
        if let Some(&scope) = self.scopes.get(&key) {
            return scope;
        }
        let scope = self.summary.scopes.len() as u32;
        self.scopes.insert(key, scope);
        let everything = unwind.iter().any(catches_everything);
        let without = unwind.iter().filter_map(|unwind| unwind.catches).collect();
        let left = (!everything).then(|| self.heap.types.filter(Filter { without, ..Filter::default() }));
        self.summary.scopes.push(left);
        scope
    }

    /// The exceptions that reach the current block, from every scope that has it as a handler.
    fn catch(&mut self, into: Option<Slot>) {
        let Some(into) = into else { return };
        let handler = self.block;
        let mut seen = Vec::new();
        for edge in &self.body.blocks[handler].predecessors {
            let unwind = &self.body.blocks[edge.from].unwind;
            self.block = edge.from;
            let scope = self.scope();
            if seen.contains(&scope) {
                continue;
            }
            seen.push(scope);
            for (position, entry) in unwind.iter().enumerate().filter(|(_, entry)| entry.handler == handler) {
                let without = unwind[..position].iter().filter_map(|earlier| earlier.catches).collect();
                let within = entry.catches;
                let filter = self.heap.types.filter(Filter { within, without, of_application: false });
                self.summary.push(Statement::Catch { into, scope, filter });
            }
        }
        self.block = handler;
    }

    fn invoke(&mut self, inst: Inst, kind: InvokeKind, reference: MethodRef) {
        let Some(resolved) = resolve_method(self.program, &reference) else { return };
        let target = match kind {
            InvokeKind::Static => {
                self.initialize(reference.owner);
                self.summary.initializes.push(self.program.methods[resolved].class);
                Target::Static(Procedures::of_method(resolved))
            }
            InvokeKind::Special => {
                let caller = self.program.methods[self.method].class;
                let Ok(Some(selected)) = self.program.resolve_special(caller, &reference) else { return };
                Target::Exact(Procedures::of_method(selected))
            }
            InvokeKind::Virtual | InvokeKind::Interface => Target::Virtual(resolved),
        };
        if self.is_copied(resolved) {
            self.call_for_a_copy(inst, target);
        } else {
            self.call(inst, target);
        }
    }

    /// Whether a call is of `Collection.toArray()` by code of the JDK.
    fn is_copied(&self, method: MethodId) -> bool {
        let data = &self.program.methods[method];
        data.name.is("toArray")
            && data.descriptor.is("()[Ljava/lang/Object;")
            && self.program.classes[self.program.methods[self.method].class].tier == Tier::Jdk
    }

    /// `toArray()` returns an array that nothing else refers to: each caller gets one of its own, not one that it shares with
    /// everyone who asks the same collection. `new ArrayList<>(collection)` keeps it.
    fn call_for_a_copy(&mut self, inst: Inst, target: Target) {
        let Some(into) = self.result(inst) else { return self.call(inst, target) };
        let class = ClassName::object().array_of();
        let (returned, element) = (self.summary.slot(), self.summary.slot());
        self.call(inst, target);
        if let Some(call) = self.summary.calls.last_mut() {
            call.result = Some(returned);
        }
        self.allocate(inst, Some(into), class);
        self.load(Some(element), Some(returned), Member::Element);
        self.store(Some(into), Member::Element, Some(element));
    }

    fn call(&mut self, inst: Inst, target: Target) {
        let arguments = self.body.args(inst);
        let constants: Vec<_> = arguments.iter().map(|&value| self.constant(value)).collect();
        let call = Call {
            inst: Some(inst),
            target,
            arguments: arguments.iter().map(|&value| self.slot(value)).collect(),
            result: self.result(inst),
            result_filter: self.result_filter(inst, target),
            scope: self.scope(),
            constants: if constants.iter().any(Option::is_some) { constants } else { Vec::new() },
        };
        self.summary.push_call(call);
    }

    /// A signature-polymorphic method returns whatever the call's descriptor says, without a cast in the code.
    fn result_filter(&mut self, inst: Inst, target: Target) -> FilterId {
        let Target::Virtual(method) = target else { return Types::ANY };
        let class = self.body.insts[inst].result.and_then(|value| self.body.ty(value).class());
        match class {
            Some(class) if self.program.is_signature_polymorphic(method) => self.heap.types.filter_to(class),
            _ => Types::ANY,
        }
    }

    fn constant(&self, value: Value) -> Option<ArgumentConstant> {
        match self.body.insts[self.body.defining_inst(value)?].op {
            Op::String(text) => Some(ArgumentConstant::String(text)),
            Op::Class(class) => Some(ArgumentConstant::Class(class)),
            Op::GetStatic(field) => self.field(field).map(ArgumentConstant::Static),
            _ => None,
        }
    }

    fn invoke_dynamic(&mut self, inst: Inst, site: selvedge_ir::CallSiteId) {
        match &self.body.call_sites[site].kind {
            CallSiteKind::Lambda(lambda) => self.lambda(inst, lambda),
            CallSiteKind::Concat { .. } => self.concat(inst),
            CallSiteKind::RecordMethod { getters, .. } => self.record_method(inst, getters),
            CallSiteKind::PatternSwitch { .. } => {}
            CallSiteKind::Other => self.call(inst, Target::Unknown(site)),
        }
    }

    /// Makes the lambda object and keeps the captured values in it.
    fn lambda(&mut self, inst: Inst, lambda: &Lambda) {
        let Some(into) = self.result(inst) else { return };
        let procedure = self.procedures.intern(Procedure::Lambda { method: self.method, inst });
        let interfaces = std::iter::once(lambda.interface).chain(lambda.markers.iter().copied()).collect();
        let ty = self.heap.types.intern(RuntimeType::Lambda { procedure, interfaces });
        let site = self.heap.site(Site::Instruction { method: self.method, inst, depth: 0 }, ty);
        self.summary.push(Statement::Allocate { into, site });
        for position in 0..self.body.args(inst).len() {
            self.store(Some(into), Member::Captured(position as u32), self.argument(inst, position));
        }
        if let MethodHandle::Method(HandleKind::InvokeStatic | HandleKind::NewInvokeSpecial, method) =
            lambda.implementation
        {
            self.initialize(method.owner);
        }
    }

    /// A string of the arguments' texts: calls `toString` on each.
    fn concat(&mut self, inst: Inst) {
        if let Some(into) = self.result(inst) {
            let string = ClassName::new("java/lang/String");
            if let Some(ty) = self.heap.types.named(string) {
                let site = self.heap.site(Site::Merged(ty), ty);
                self.summary.push(Statement::Allocate { into, site });
            }
        }
        for &value in self.body.args(inst) {
            self.call_object_method(inst, value, "toString", "()Ljava/lang/String;");
        }
    }

    /// `equals`, `hashCode` and `toString` of a record call the same on its components.
    fn record_method(&mut self, inst: Inst, getters: &[MethodHandle]) {
        for getter in getters {
            let MethodHandle::Field(_, field) = getter else { continue };
            let (Some(field_id), Some(base)) = (self.field(*field), self.argument(inst, 0)) else { continue };
            if ClassName::of_descriptor(field.descriptor.as_bytes()).is_none() {
                continue;
            }
            let component = self.summary.slot();
            self.summary.push(Statement::Load { into: component, base, member: Member::Field(field_id) });
            for (name, descriptor) in [
                ("equals", "(Ljava/lang/Object;)Z"),
                ("hashCode", "()I"),
                ("toString", "()Ljava/lang/String;"),
            ] {
                self.call_slot_method(inst, component, name, descriptor);
            }
        }
        if let (Some(into), Some(ty)) =
            (self.result(inst), self.heap.types.named(ClassName::new("java/lang/String")))
        {
            let site = self.heap.site(Site::Merged(ty), ty);
            self.summary.push(Statement::Allocate { into, site });
        }
    }

    fn call_object_method(&mut self, inst: Inst, receiver: Value, name: &str, descriptor: &str) {
        if let Some(slot) = self.slot(receiver) {
            self.call_slot_method(inst, slot, name, descriptor);
        }
    }

    fn call_slot_method(&mut self, inst: Inst, receiver: Slot, name: &str, descriptor: &str) {
        let Some(method) = resolve_method(self.program, &object_method(name, descriptor)) else { return };
        let arguments = match descriptor.as_bytes() {
            [b'(', b')', ..] => vec![Some(receiver)],
            _ => vec![Some(receiver), Some(receiver)],
        };
        let scope = self.scope();
        self.summary.push_call(Call {
            inst: Some(inst),
            target: Target::Virtual(method),
            arguments,
            result: None,
            result_filter: Types::ANY,
            scope,
            constants: Vec::new(),
        });
    }
}

fn catches_everything(unwind: &Unwind) -> bool {
    unwind.catches.is_none_or(|class| class.is("java/lang/Throwable"))
}

/// A method of `java/lang/Object`.
pub(crate) fn object_method(name: &str, descriptor: &str) -> MethodRef {
    MethodRef {
        owner: ClassName::object(),
        name: name.into(),
        descriptor: descriptor.into(),
        interface: false,
    }
}

fn primitive_array(element: PrimitiveType) -> ClassName {
    ClassName::new(match element {
        PrimitiveType::Boolean => "[Z",
        PrimitiveType::Char => "[C",
        PrimitiveType::Float => "[F",
        PrimitiveType::Double => "[D",
        PrimitiveType::Byte => "[B",
        PrimitiveType::Short => "[S",
        PrimitiveType::Int => "[I",
        PrimitiveType::Long => "[J",
    })
}

/// The object that a constant is. Only strings that name a class and class objects that the application mentions are
/// distinguished; see [`crate::heap`].
pub(crate) fn constant_site(
    program: &Program,
    heap: &mut Heap<'_>,
    method: MethodId,
    constant: &Constant,
) -> Option<SiteId> {
    let merged = |heap: &mut Heap<'_>, class: &str| -> Option<SiteId> {
        let ty: TypeId = heap.types.named(ClassName::new(class))?;
        Some(heap.site(Site::Merged(ty), ty))
    };
    match constant {
        Constant::String(text) => {
            let ty = heap.types.named(ClassName::new("java/lang/String"))?;
            // The JDK's own tables of class names (module descriptors, providers) would make everything reachable.
            let in_jdk = program.classes[program.methods[method].class].tier == Tier::Jdk;
            let names_class = !in_jdk && class_with_java_name(program, *text).is_some();
            Some(heap.site(if names_class { Site::Literal(*text) } else { Site::Merged(ty) }, ty))
        }
        Constant::Class(class) => {
            let ty = heap.types.named(ClassName::new("java/lang/Class"))?;
            let apart = program
                .class_named(*class)
                .is_some_and(|class| crate::context::is_application(program, class))
                || crate::context::is_application(program, program.methods[method].class);
            Some(heap.site(if apart { Site::ClassObject(*class) } else { Site::Merged(ty) }, ty))
        }
        Constant::MethodType(_) => merged(heap, "java/lang/invoke/MethodType"),
        Constant::MethodHandle(_) => merged(heap, "java/lang/invoke/MethodHandle"),
        Constant::Dynamic { descriptor, .. } => {
            let class = ClassName::of_descriptor(descriptor.as_bytes())?;
            let ty = heap.types.named(class)?;
            Some(heap.site(Site::Merged(ty), ty))
        }
        Constant::Int(_) | Constant::Long(_) | Constant::Float(_) | Constant::Double(_) => None,
    }
}
