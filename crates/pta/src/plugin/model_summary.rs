//! From rows of the `models` crate to summaries.
//!
//! A place becomes a chain of loads from a slot, and a store at its end where something goes to it.

use selvedge_ir::{ClassName, FieldRef, MethodRef};
use selvedge_models::{Argument, Effect, Per, Place, Root, Row, Special, Step, VmRoot};
use selvedge_world::{ClassId, FieldId, MethodId, Program};

use super::lambda::parameter_kinds;
use crate::heap::{Heap, RuntimeType, Site, Types};
use crate::procedure::{ProcedureId, Procedures};
use crate::summary::{Call, Member, Slot, Statement, Summary, Target};

/// How many arguments a signature-polymorphic call may have: none of the platform's own comes near.
const POLYMORPHIC_ARGUMENTS: usize = 24;

/// The summary of a method whose rows are all that it does.
pub(crate) fn of_rows(program: &Program, heap: &mut Heap<'_>, method: MethodId, rows: &[&Row]) -> Summary {
    let mut builder = Builder::new(program, heap, Procedures::of_method(method));
    builder.parameters(method);
    let effects = rows.iter().flat_map(|row| row.effects.iter());
    effects.for_each(|effect| builder.effect(effect));
    if rows.is_empty() {
        selvedge_models::assumed_of_native(program.methods[method].descriptor)
            .iter()
            .for_each(|effect| builder.effect(effect));
    }
    builder.summary.finish()
}

/// The summary of a method with code, extended by what rows say beside it: callbacks are in the code.
pub(crate) fn beside_code(
    program: &Program,
    heap: &mut Heap<'_>,
    method: MethodId,
    rows: &[&Row],
    summary: Summary,
) -> Summary {
    let mut builder =
        Builder { program, heap, procedure: Procedures::of_method(method), summary, allocations: 0 };
    for effect in rows.iter().flat_map(|row| row.effects.iter()) {
        if !matches!(effect, Effect::Callback { .. }) {
            builder.effect(effect);
        }
    }
    builder.summary.finish()
}

/// Builds a summary from effects.
pub(crate) struct Builder<'a, 'p> {
    pub program: &'a Program,
    pub heap: &'a mut Heap<'p>,
    procedure: ProcedureId,
    pub summary: Summary,
    allocations: u32,
}

impl<'a, 'p> Builder<'a, 'p> {
    pub fn new(program: &'a Program, heap: &'a mut Heap<'p>, procedure: ProcedureId) -> Self {
        let mut summary = Summary::default();
        summary.scopes.push(None);
        Self { program, heap, procedure, summary, allocations: 0 }
    }

    fn parameters(&mut self, method: MethodId) {
        let data = &self.program.methods[method];
        if !data.is_static() {
            let this = self.summary.slot();
            self.summary.parameters.push(Some(this));
        }
        if self.program.is_signature_polymorphic(method) {
            for _ in 0..POLYMORPHIC_ARGUMENTS {
                let slot = self.summary.slot();
                self.summary.parameters.push(Some(slot));
            }
        } else {
            for reference in parameter_kinds(data.descriptor.as_bytes()) {
                let slot = reference.then(|| self.summary.slot());
                self.summary.parameters.push(slot);
            }
        }
        self.summary.result_slot();
        self.summary.spare = Some(self.summary.slot());
    }

    fn is_static(&self) -> bool {
        let index = selvedge_base::Id::index(self.procedure);
        let method = <MethodId as selvedge_base::Id>::from_index(index);
        self.program.methods.get(method).is_none_or(|method| method.is_static())
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Flow { from, to } => {
                if let Some(from) = self.read(from) {
                    self.write(to, from);
                }
            }
            Effect::Fresh { class, into, per, elements } => {
                if let Some(object) = self.fresh(ClassName::from_symbol(class.symbol()), *per) {
                    self.write(into, object);
                    let element = elements
                        .and_then(|element| self.fresh(ClassName::from_symbol(element.symbol()), *per));
                    if let Some(from) = element {
                        self.summary.push(Statement::Store { base: object, member: Member::Element, from });
                    }
                }
            }
            Effect::Callback { on, method, args, result, .. } => {
                self.callback(on.as_ref(), method, args, result.as_ref());
            }
            Effect::Throw { from } => {
                if let Some(from) = self.read(from) {
                    self.summary.push(Statement::Throw { from, scope: 0 });
                }
            }
            Effect::Special { name } => self.special(*name),
            // What concerns locks, order and data accesses moves no references.
            _ => {}
        }
    }

    fn fresh(&mut self, class: ClassName, per: Per) -> Option<Slot> {
        let ty = self.heap.types.named(class)?;
        let site = match per {
            Per::Class => self.heap.site(Site::Merged(ty), ty),
            Per::Site => {
                self.allocations += 1;
                self.heap.site_of_model(self.procedure, self.allocations - 1, ty)
            }
        };
        let into = self.summary.slot();
        self.summary.push(Statement::Allocate { into, site });
        Some(into)
    }

    /// A slot with a new object of the class, one for this place.
    pub fn fresh_site(&mut self, class: ClassName) -> Option<Slot> {
        self.fresh(class, Per::Site)
    }

    /// A slot with the one object that stands for all of the class.
    pub fn fresh_merged(&mut self, class: ClassName) -> Option<Slot> {
        self.fresh(class, Per::Class)
    }

    /// A slot with an object of the client's own that implements an interface.
    pub fn fresh_client(&mut self, interface: ClassId) -> Slot {
        let ty = self.heap.types.intern(RuntimeType::Client(interface));
        self.allocations += 1;
        let site = self.heap.site_of_model(self.procedure, self.allocations - 1, ty);
        let into = self.summary.slot();
        self.summary.push(Statement::Allocate { into, site });
        into
    }

    /// A slot with the object that stands for all that the client of an open program keeps.
    pub fn client_cell(&mut self) -> Slot {
        self.cell("client")
    }

    /// A slot with the object that holds what the client of an open program gives where nearly everything fits.
    pub fn client_given_cell(&mut self) -> Slot {
        self.cell("client-gives")
    }

    fn cell(&mut self, name: &str) -> Slot {
        let into = self.summary.slot();
        if let Some(ty) = self.heap.types.named(ClassName::object()) {
            let site = self.heap.site(Site::VmCell(name.into()), ty);
            self.summary.push(Statement::Allocate { into, site });
        }
        into
    }

    /// Adds a call.
    pub fn call(&mut self, target: Target, arguments: Vec<Option<Slot>>, result: Option<Slot>) {
        self.summary.push_call(Call {
            inst: None,
            target,
            arguments,
            result,
            result_filter: Types::ANY,
            scope: 0,
            constants: Vec::new(),
        });
    }

    /// Calls a method as the VM does.
    pub fn vm_root(&mut self, root: &VmRoot) {
        let owner = ClassName::from_symbol(root.class.symbol());
        let Some(method) = self.find_method(owner, root.name, root.descriptor) else { return };
        let mut arguments = Vec::new();
        let mut target = Target::Static(Procedures::of_method(method));
        if let Some(receiver) = &root.receiver {
            let Some(receiver) = self.argument(receiver) else { return };
            arguments.push(Some(receiver));
            target = match self.program.methods[method].is_constructor() {
                true => Target::Exact(Procedures::of_method(method)),
                false => Target::Virtual(method),
            };
        }
        for argument in &root.args {
            let slot = self.argument(argument);
            arguments.push(slot);
        }
        self.summary.initializes.extend(self.program.class_named(owner));
        self.summary.push_call(Call {
            inst: None,
            target,
            arguments,
            result: None,
            result_filter: Types::ANY,
            scope: 0,
            constants: Vec::new(),
        });
    }

    /// The slot of an argument that a callback or VM root is given.
    pub fn argument(&mut self, argument: &Argument) -> Option<Slot> {
        match argument {
            Argument::Nothing => None,
            Argument::New(class) => self.fresh(ClassName::from_symbol(class.symbol()), Per::Class),
            Argument::Place(place) => self.read(place),
        }
    }

    fn callback(
        &mut self,
        on: Option<&Place>,
        method: &selvedge_models::MethodRef,
        args: &[Argument],
        result: Option<&Place>,
    ) {
        let mut arguments = Vec::new();
        if let Some(on) = on {
            let Some(receiver) = self.read(on) else { return };
            arguments.push(Some(receiver));
        }
        arguments.extend(args.iter().map(|argument| self.argument(argument)).collect::<Vec<_>>());
        let target = match method.class {
            None => Target::Named(method.name, method.descriptor),
            Some(class) => {
                let owner = ClassName::from_symbol(class.symbol());
                let Some(found) = self.find_method(owner, method.name, method.descriptor) else { return };
                self.summary.initializes.extend(self.program.class_named(owner));
                let exact = Procedures::of_method(found);
                if on.is_some() { Target::Exact(exact) } else { Target::Static(exact) }
            }
        };
        let returned = result.map(|_| self.summary.slot());
        self.call(target, arguments, returned);
        if let (Some(place), Some(from)) = (result, returned) {
            self.write(place, from);
        }
    }

    pub fn find_method(
        &self,
        owner: ClassName,
        name: selvedge_base::Symbol,
        descriptor: selvedge_base::Symbol,
    ) -> Option<MethodId> {
        let class = self.program.class_named(owner)?;
        let interface = self.program.classes[class].is_interface();
        crate::names::resolve_method(self.program, &MethodRef { owner, name, descriptor, interface })
    }

    fn special(&mut self, special: Special) {
        if special == Special::ArrayCopy {
            let (source, target) = (Place::arg(0), Place::arg(2));
            if let (Some(base), Some(into)) = (self.read(&source), self.read(&target)) {
                let element = self.summary.slot();
                self.summary.push(Statement::Load { into: element, base, member: Member::Element });
                self.summary.push(Statement::Store { base: into, member: Member::Element, from: element });
            }
            return;
        }
        if special == Special::Proxy {
            // The interfaces decide what the proxy is.
            if let Some(base) = self.read(&Place::arg(1)) {
                let watch = self.summary.slot();
                self.summary.push(Statement::Load { into: watch, base, member: Member::Element });
                self.summary.push(Statement::Special { watch, rule: special });
            }
            return;
        }
        if special == Special::MethodHandleAdapt {
            // Everything that goes in, elements of arrays too.
            let watch = self.summary.slot();
            for from in self.summary.parameters.clone().into_iter().flatten() {
                self.summary.push(Statement::Copy { into: watch, from, filter: Types::ANY });
                self.summary.push(Statement::Load { into: watch, base: from, member: Member::Element });
            }
            self.summary.push(Statement::Special { watch, rule: special });
            return;
        }
        if matches!(special, Special::Invoke | Special::InvokeDefault | Special::ConstructorNewInstance) {
            self.wrap_exceptions();
        }
        if matches!(special, Special::Serialize | Special::Deserialize) && self.summary.spare.is_none() {
            self.summary.spare = Some(self.summary.slot());
        }
        if let Some(watch) = self.watched(special) {
            self.summary.push(Statement::Special { watch, rule: special });
        }
    }

    /// What a method that is called reflectively throws is the cause of an `InvocationTargetException`.
    fn wrap_exceptions(&mut self) {
        let class = ClassName::new("java/lang/reflect/InvocationTargetException");
        let Some(base) = self.fresh_merged(class) else { return };
        let from = self.summary.slot();
        let throwable = ClassName::new("java/lang/Throwable");
        let filter = self.heap.types.filter_to(throwable);
        self.summary.push(Statement::Catch { into: from, scope: 0, filter });
        for (owner, name) in [(class, "target"), (throwable, "cause")] {
            let descriptor = "Ljava/lang/Throwable;".into();
            let field = FieldRef { owner, name: name.into(), descriptor };
            if let Some(field) = crate::names::resolve_field(self.program, &field) {
                self.summary.push(Statement::Store { base, member: Member::Field(field), from });
            }
        }
    }

    /// The slot whose objects a rule is about.
    fn watched(&self, special: Special) -> Option<Slot> {
        let first = |position: usize| self.summary.parameters.get(position).copied().flatten();
        let receiver = usize::from(!self.is_static());
        match special {
            // The object whose field is accessed, not the `Unsafe` it is accessed with.
            Special::UnsafeGet
            | Special::UnsafePut
            | Special::UnsafeCompareAndSet
            | Special::UnsafeExchange
            | Special::UnsafeAllocate => first(receiver),
            // What is written, or has hooks; not the stream or the description of its class.
            Special::Serialize
            | Special::SerializationHook
            | Special::SerializationGetFields
            | Special::SerializationSetFields => first(receiver),
            // The class, method or object whose handle is wanted, not the `Lookup`.
            Special::MethodHandleFind | Special::VarHandleFind => first(receiver),
            // The method, not the proxy.
            Special::InvokeDefault => first(receiver + 1),
            // The class of the copy, where it is given.
            Special::ArrayCopyOf => first(receiver + 2).or_else(|| first(receiver)),
            _ => first(0).or_else(|| first(1)),
        }
    }

    /// A slot that holds what is at a place.
    fn read(&mut self, place: &Place) -> Option<Slot> {
        let mut slot = self.root(place.root)?;
        for &step in &place.steps {
            slot = self.step(slot, step)?;
        }
        Some(slot)
    }

    fn root(&mut self, root: Root) -> Option<Slot> {
        let receiver = usize::from(!self.is_static());
        match root {
            Root::This => self.summary.parameters.first().copied().flatten(),
            Root::Arg(number) => {
                self.summary.parameters.get(receiver + usize::from(number)).copied().flatten()
            }
            Root::Result => Some(self.summary.result_slot()),
            Root::Static { class, field } => {
                let field = self.field(class, field)?;
                let into = self.summary.slot();
                self.summary.initializes.push(self.program.fields[field].class);
                self.summary.push(Statement::LoadStatic { into, field });
                Some(into)
            }
            Root::Vm(name) => {
                let cell = self.vm_cell(name)?;
                let into = self.summary.slot();
                self.summary.push(Statement::Load { into, base: cell, member: Member::Captured(0) });
                Some(into)
            }
        }
    }

    /// A cell of the VM's own memory: an object that nothing else refers to.
    fn vm_cell(&mut self, name: selvedge_base::Symbol) -> Option<Slot> {
        let ty = self.heap.types.named(ClassName::object())?;
        let (site, into) = (self.heap.site(Site::VmCell(name), ty), self.summary.slot());
        self.summary.push(Statement::Allocate { into, site });
        Some(into)
    }

    fn step(&mut self, base: Slot, step: Step) -> Option<Slot> {
        let into = self.summary.slot();
        self.summary.push(match step {
            Step::EveryField => Statement::LoadAll { into, base },
            _ => Statement::Load { into, base, member: self.member(step)? },
        });
        Some(into)
    }

    /// The member that a step leads to, where it is one.
    fn member(&self, step: Step) -> Option<Member> {
        match step {
            Step::Elements => Some(Member::Element),
            Step::Field { class, field } => self.field(class, field).map(Member::Field),
            Step::EveryField => None,
        }
    }

    fn field(&self, class: selvedge_models::Class, field: selvedge_base::Symbol) -> Option<FieldId> {
        let owner = ClassName::from_symbol(class.symbol());
        let class = self.program.class_named(owner)?;
        let declared = self.program.superclasses(class).find_map(|class| {
            self.program.classes[class].fields.iter().find(|&id| self.program.fields[id].name == field)
        })?;
        let data = &self.program.fields[declared];
        crate::names::resolve_field(
            self.program,
            &FieldRef { owner, name: data.name, descriptor: data.descriptor },
        )
    }

    /// Sends what a slot holds to a place.
    fn write(&mut self, place: &Place, from: Slot) {
        let Some((&last, steps)) = place.steps.split_last() else {
            match place.root {
                Root::Static { class, field } => {
                    if let Some(field) = self.field(class, field) {
                        self.summary.push(Statement::StoreStatic { field, from });
                    }
                }
                Root::Vm(name) => {
                    if let Some(base) = self.vm_cell(name) {
                        self.summary.push(Statement::Store { base, member: Member::Captured(0), from });
                    }
                }
                Root::This | Root::Arg(_) | Root::Result => {
                    if let Some(into) = self.root(place.root) {
                        let filter = Types::ANY;
                        self.summary.push(Statement::Copy { into, from, filter });
                    }
                }
            }
            return;
        };
        let holder = Place { root: place.root, steps: steps.to_vec() };
        if let Some(base) = self.read(&holder) {
            match (last, self.member(last)) {
                (Step::EveryField, _) => self.summary.push(Statement::StoreAll { base, from }),
                (_, Some(member)) => self.summary.push(Statement::Store { base, member, from }),
                (_, None) => {}
            }
        }
    }
}
