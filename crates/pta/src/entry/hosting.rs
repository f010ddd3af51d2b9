//! A container as constraints: it makes the [services](super::services), connects them, and calls them.
//!
//! Services with one instance are made at the start and put where others want one of their type: in constructor parameters,
//! in fields and setters with an annotation. The arguments of later calls (requests, messages) and services that are made
//! for each call belong to that call: the roots hold one abstract object for all of them, but no two threads meet on it
//! unless the program lets them. [`Hosted`] says which is which.

use selvedge_ir::{ClassName, Type};
use selvedge_models::Argument;
use selvedge_models::framework::{Instances, Overlap};
use selvedge_world::{MethodId, Tier};

use super::containers::{implementation, is_container};
use super::services::Service;
use crate::heap::Types;
use crate::plugin::RootBuilder;
use crate::procedure::Procedures;
use crate::summary::{Hosted, Member, Role, Slot, Statement, Target};

/// Calls the services as their containers do.
pub(super) fn call_services(builder: &mut RootBuilder<'_, '_>, services: &[Service]) {
    if services.is_empty() {
        return;
    }
    let shared = builder.summary.slot();
    let mut host = Host { builder, shared, hosted: Hosted { shared: vec![shared], ..Hosted::default() } };
    let objects: Vec<Option<Slot>> = services.iter().map(|service| host.make(service)).collect();
    for (service, &object) in services.iter().zip(&objects) {
        host.prepare(service, object);
    }
    for (service, &object) in services.iter().zip(&objects) {
        host.call_all(service, object);
    }
    let hosted = host.hosted;
    builder.summary.hosted = hosted;
}

struct Host<'b, 'a, 'p> {
    builder: &'b mut RootBuilder<'a, 'p>,
    /// All services of which there is one.
    shared: Slot,
    hosted: Hosted,
}

impl Host<'_, '_, '_> {
    /// The object on which a service is called.
    fn make(&mut self, service: &Service) -> Option<Slot> {
        let program = self.builder.program;
        let name = program.classes[service.class].name;
        let object = match &service.instances {
            Instances::Registered(place) => {
                let from = self.builder.argument(&Argument::Place(place.clone()))?;
                let into = self.builder.summary.slot();
                let filter = self.builder.heap.types.filter_to(name);
                self.builder.summary.push(Statement::Copy { into, from, filter });
                return Some(into);
            }
            _ => self.builder.fresh_site(name)?,
        };
        self.builder.summary.initializes.push(service.class);
        if service.instances == Instances::One {
            let (into, filter) = (self.shared, Types::ANY);
            self.builder.summary.push(Statement::Copy { into, from: object, filter });
        } else {
            self.hosted.own.push(object);
        }
        Some(object)
    }

    /// Constructs and initialises a service.
    fn prepare(&mut self, service: &Service, object: Option<Slot>) {
        let Some(object) = object else { return };
        let role = if service.instances == Instances::One { Role::Start } else { Role::Concurrent };
        for &field in &service.injected {
            if let Some(Type::Ref(class)) = self.builder.program.fields[field].ty()
                && let Some(from) = self.injected(class, role)
            {
                let member = Member::Field(field);
                self.builder.summary.push(Statement::Store { base: object, member, from });
            }
        }
        for &method in service.constructor.iter().chain(&service.starts) {
            let arguments = self.arguments(method, |host, class| host.injected(class, role));
            let is_constructor = self.builder.program.methods[method].is_constructor();
            let result = (!is_constructor && role == Role::Start).then(|| self.builder.summary.slot());
            self.call(method, object, arguments, result, role);
            if let Some(from) = result {
                // What a method of a configuration returns is a service too.
                let (into, filter) = (self.shared, Types::ANY);
                self.builder.summary.push(Statement::Copy { into, from, filter });
            }
        }
    }

    fn call_all(&mut self, service: &Service, object: Option<Slot>) {
        let (Some(object), Some(&(first, _))) = (object, service.calls.first()) else { return };
        for &(method, overlap) in &service.calls {
            let role = match overlap {
                Overlap::Always => Role::Concurrent,
                Overlap::OtherMethods => Role::Serial(method),
                Overlap::Never => Role::Serial(first),
            };
            let arguments = self.arguments(method, |host, class| {
                let slot = host.value(class, role)?;
                host.hosted.own.push(slot);
                Some(slot)
            });
            self.call(method, object, arguments, None, role);
        }
    }

    fn call(
        &mut self,
        method: MethodId,
        object: Slot,
        arguments: Vec<Option<Slot>>,
        result: Option<Slot>,
        role: Role,
    ) {
        let is_virtual = self.builder.program.methods[method].is_abstract();
        let target = match is_virtual {
            true => Target::Virtual(method),
            false => Target::Exact(Procedures::of_method(method)),
        };
        let arguments = std::iter::once(Some(object)).chain(arguments).collect();
        self.note_role(role);
        self.builder.call(target, arguments, result);
    }

    /// The next call has this role.
    fn note_role(&mut self, role: Role) {
        self.hosted.roles.push((self.builder.summary.calls.len() as u32, role));
    }

    fn arguments(
        &mut self,
        method: MethodId,
        mut make: impl FnMut(&mut Self, ClassName) -> Option<Slot>,
    ) -> Vec<Option<Slot>> {
        let types = self.builder.program.methods[method].parameter_types();
        let mut argument = |ty: Type| match ty {
            Type::Ref(class) => make(self, class),
            _ => None,
        };
        types.into_iter().map(&mut argument).collect()
    }

    /// What the container puts where something of a class is wanted: services of it, or something new.
    fn injected(&mut self, class: ClassName, role: Role) -> Option<Slot> {
        let into = self.builder.summary.slot();
        let filter = self.builder.heap.types.filter_to(class);
        self.builder.summary.push(Statement::Copy { into, from: self.shared, filter });
        if let Some(from) = self.value(class, role) {
            self.builder.summary.push(Statement::Copy { into, from, filter: Types::ANY });
        }
        Some(into)
    }

    /// A new object of a class, if the container can make one: texts, arrays, containers, and classes of the application that
    /// have a constructor without parameters. For others there is none: what is called on them is unknown.
    fn value(&mut self, class: ClassName, role: Role) -> Option<Slot> {
        if class.is_array() {
            let array = self.builder.fresh_site(class)?;
            let element = class.element_descriptor().and_then(ClassName::of_descriptor);
            if let Some(from) = element.and_then(|element| self.value(element, role)) {
                let member = Member::Element;
                self.builder.summary.push(Statement::Store { base: array, member, from });
            }
            return Some(array);
        }
        let program = self.builder.program;
        let id = program.class_named(class)?;
        let data = &program.classes[id];
        if data.tier == Tier::Jdk && !is_container(program, class) {
            let is_text = class.is("java/lang/String") || class.is("java/lang/CharSequence");
            let text = ClassName::new("java/lang/String");
            return is_text.then(|| self.builder.fresh_merged(text)).flatten();
        }
        let (made, constructor) = if is_container(program, class) {
            implementation(program, id)?
        } else if data.is_abstract() || data.is_phantom() {
            return None;
        } else {
            (id, program.declared_method(id, "<init>".into(), "()V".into())?)
        };
        let object = self.builder.fresh_site(program.classes[made].name)?;
        self.builder.summary.initializes.push(made);
        self.note_role(role);
        self.builder.call(Target::Exact(Procedures::of_method(constructor)), vec![Some(object)], None);
        Some(object)
    }
}
