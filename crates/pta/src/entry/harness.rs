//! The harness of an open program as constraints: its variables are slots, and so on, one to one.
//!
//! The client's own implementations of interfaces are objects that return whatever the harness has and keep whatever they
//! are given: see [`crate::plugin::client_summary`]. All of it meets in a *cell*, from which each variable gets back what
//! fits its type: a client may cast.
//!
//! A variable of a general type (see [`super::general`]) or of a container (see [`super::containers`]) is split in two: what the
//! client *has* of that type, on which it calls methods, and what it *gives* as an argument. With
//! [`GeneralValues::Everything`] both are the same.

use selvedge_base::{FastMap, IdVec, Symbol};
use selvedge_ir::ClassName;
use selvedge_world::{Call, FlowKind, Harness, Made, MethodId, Tier, VariableId};

use super::GeneralValues;
use super::containers::{implementation, is_container, type_arguments};
use super::general::{casts_of_parameter, is_general};
use crate::heap::{Filter, Types};
use crate::plugin::RootBuilder;
use crate::procedure::Procedures;
use crate::summary::{Member, Slot, Statement, Target};

/// Classes of which a client has objects, whatever it was given.
const OWN: [&str; 3] = ["java/lang/Object", "java/lang/String", "java/lang/Integer"];

/// Calls a library as its most general client does.
pub(super) fn call_harness(builder: &mut RootBuilder<'_, '_>, harness: &Harness, general: GeneralValues) {
    let has: Slots = harness
        .variables
        .iter()
        .map(|variable| {
            ClassName::of_descriptor(variable.descriptor.as_bytes()).map(|_| builder.summary.slot())
        })
        .collect();
    let cell = builder.client_cell();
    let mut client = Client {
        builder,
        harness,
        gives: has.iter().copied().collect(),
        has,
        cell,
        general,
        variables: harness.variables.iter_ids().map(|(id, variable)| (variable.descriptor, id)).collect(),
        own: None,
    };
    if general == GeneralValues::Representatives {
        client.split_general_variables();
    }
    client.create();
    client.assign();
    harness.calls.iter().for_each(|call| client.call(call));
    client.keep();
}

type Slots = IdVec<VariableId, Option<Slot>>;

struct Client<'b, 'a, 'p> {
    builder: &'b mut RootBuilder<'a, 'p>,
    harness: &'b Harness,
    /// What the client has in each variable; `None` where that is no reference.
    has: Slots,
    /// What it passes as an argument from each variable.
    gives: Slots,
    cell: Slot,
    general: GeneralValues,
    /// The variable of each type.
    variables: FastMap<Symbol, VariableId>,
    /// What the client gives where nothing is known of what is wanted.
    own: Option<Slot>,
}

impl Client<'_, '_, '_> {
    fn class(&self, variable: VariableId) -> Option<ClassName> {
        ClassName::of_descriptor(self.harness.variables[variable].descriptor.as_bytes())
    }

    fn is_split(&self, variable: VariableId) -> bool {
        self.has[variable] != self.gives[variable]
    }

    fn copy(&mut self, into: Slot, from: Slot, class: Option<ClassName>) {
        let filter = class.map_or(Types::ANY, |class| self.builder.heap.types.filter_to(class));
        self.builder.summary.push(Statement::Copy { into, from, filter });
    }

    /// Gives the variables of general types values of the client's own, which its implementations return as well.
    fn split_general_variables(&mut self) {
        let own = self.builder.summary.slot();
        self.own = Some(own);
        for class in OWN {
            if let Some(from) = self.builder.fresh_site(ClassName::new(class)) {
                self.copy(own, from, None);
            }
        }
        let given = self.builder.client_given_cell();
        self.builder.summary.push(Statement::Store { base: given, member: Member::Captured(0), from: own });
        for variable in self.harness.variables.ids() {
            let Some(class) = self.class(variable) else { continue };
            if is_container(self.builder.program, class) {
                self.gives[variable] = Some(self.builder.summary.slot());
                continue;
            }
            if !is_general(class) {
                continue;
            }
            let slot = self.builder.summary.slot();
            self.gives[variable] = Some(slot);
            if class.is_array() {
                continue;
            }
            self.copy(slot, own, Some(class));
            let interface = self.builder.program.class_named(class);
            let interface = interface.filter(|&id| self.builder.program.classes[id].is_interface());
            if let Some(interface) = interface {
                let from = self.builder.fresh_client(interface);
                self.copy(slot, from, None);
                let base = given;
                self.builder.summary.push(Statement::Store { base, member: Member::Captured(0), from });
            }
        }
        // The client has what it gives.
        for variable in self.harness.variables.ids().filter(|&id| self.is_split(id)).collect::<Vec<_>>() {
            if let (Some(into), Some(from)) = (self.has[variable], self.gives[variable]) {
                self.copy(into, from, None);
            }
        }
        for variable in self.harness.variables.ids() {
            if let Some(class) =
                self.class(variable).filter(|&class| is_container(self.builder.program, class))
                && let (Some(into), Some(from)) = (self.gives[variable], self.container(class, &[]))
            {
                self.copy(into, from, None);
                let base = given;
                self.builder.summary.push(Statement::Store { base, member: Member::Captured(0), from });
            }
        }
    }

    /// A new container of the client's own with this type and type arguments.
    fn container(&mut self, class: ClassName, elements: &[ClassName]) -> Option<Slot> {
        let program = self.builder.program;
        let declared = program.class_named(class)?;
        match implementation(program, declared) {
            Some((made, constructor)) => {
                let object = self.builder.fresh_site(program.classes[made].name)?;
                self.builder.summary.initializes.push(made);
                let target = Target::Exact(Procedures::of_method(constructor));
                self.builder.call(target, vec![Some(object)], None);
                self.fill(object, made, elements);
                Some(object)
            }
            None if program.classes[declared].is_interface() => Some(self.builder.fresh_client(declared)),
            None => None,
        }
    }

    /// Puts what the client gives for the type arguments into a container.
    fn fill(&mut self, container: Slot, class: selvedge_world::ClassId, elements: &[ClassName]) {
        let program = self.builder.program;
        let is_map = program
            .class_named(ClassName::new("java/util/Map"))
            .is_some_and(|map| program.is_subclass(class, map));
        let (name, descriptor, count) = match is_map {
            true => ("put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;", 2),
            false => ("add", "(Ljava/lang/Object;)Z", 1),
        };
        let Some(method) = crate::names::find_method(program, class, name.into(), descriptor.into()) else {
            return;
        };
        let mut arguments = vec![Some(container)];
        arguments.extend((0..count).map(|position| match elements.get(position) {
            Some(element) => self.variables.get(&element.descriptor()).and_then(|&id| self.gives[id]),
            None => self.own,
        }));
        self.builder.call(Target::Virtual(method), arguments, None);
    }

    /// Makes objects.
    fn create(&mut self) {
        for creation in &self.harness.creations {
            let Some(into) = self.has[creation.variable] else { continue };
            let made = match &creation.made {
                Made::Object { constructor, arguments } => {
                    let class = self.builder.program.methods[*constructor].class;
                    let object = self.builder.fresh_site(self.builder.program.classes[class].name);
                    self.builder.summary.initializes.push(class);
                    let mut values = vec![object];
                    values.extend(self.arguments(*constructor, arguments, 1));
                    if object.is_some() {
                        let target = Target::Exact(Procedures::of_method(*constructor));
                        self.builder.call(target, values, None);
                    }
                    object
                }
                Made::StaticField(field) => {
                    self.builder.summary.initializes.push(self.builder.program.fields[*field].class);
                    self.builder.summary.push(Statement::LoadStatic { into, field: *field });
                    None
                }
                Made::Array { element } => self.create_array(creation.variable, *element),
                Made::String => self.builder.fresh_merged(ClassName::new("java/lang/String")),
                Made::Class => self.builder.fresh_merged(ClassName::new("java/lang/Class")),
                Made::Implementation(interface) => Some(self.builder.fresh_client(*interface)),
            };
            if let Some(from) = made {
                self.copy(into, from, None);
            }
        }
    }

    /// An array that holds what the client gives for its elements; where it gives less than it has, it is the array
    /// that it gives.
    fn create_array(&mut self, variable: VariableId, element: VariableId) -> Option<Slot> {
        let array = self.class(variable).and_then(|class| self.builder.fresh_site(class))?;
        if let Some(from) = self.gives[element] {
            self.builder.summary.push(Statement::Store { base: array, member: Member::Element, from });
        }
        if let (true, Some(into)) = (self.is_split(variable), self.gives[variable]) {
            self.copy(into, array, None);
        }
        Some(array)
    }

    /// Assigns variables to those of supertypes, and elements of arrays.
    fn assign(&mut self) {
        for flow in &self.harness.flows {
            let (Some(from), Some(into)) = (self.has[flow.from], self.has[flow.to]) else { continue };
            self.builder.summary.push(match flow.kind {
                FlowKind::Value => Statement::Copy { into, from, filter: Types::ANY },
                FlowKind::Element => Statement::Load { into, base: from, member: Member::Element },
            });
        }
    }

    /// The arguments of a call; `first` is the position of the first after the receiver.
    fn arguments(&mut self, method: MethodId, variables: &[VariableId], first: usize) -> Vec<Option<Slot>> {
        let argument = |(index, &variable): (usize, &VariableId)| {
            let given = self.gives[variable]?;
            if !self.is_split(variable) {
                return Some(given);
            }
            let has = self.has[variable]?;
            let class = self.class(variable)?;
            if !is_general(class) {
                return self.container_argument(
                    class,
                    has,
                    type_arguments(self.builder.program, method, index),
                );
            }
            // An array for each call: one that many methods fill and read would carry objects from each to all.
            if class.is_array() {
                let array = self.builder.fresh_site(class)?;
                let element = class.element_type().and_then(|ty| ty.class())?;
                let from =
                    self.variables.get(&element.descriptor()).and_then(|&id| self.gives[id]).or(self.own)?;
                self.builder.summary.push(Statement::Store { base: array, member: Member::Element, from });
                return Some(array);
            }
            let casts = casts_of_parameter(self.builder.program, method, first + index);
            if casts.is_empty() {
                return Some(given);
            }
            let argument = self.builder.summary.slot();
            self.copy(argument, given, None);
            casts.into_iter().for_each(|class| self.copy(argument, has, Some(class)));
            Some(argument)
        };
        variables.iter().enumerate().map(argument).collect()
    }

    /// A container of the client's own, and those of the library's own classes.
    fn container_argument(&mut self, class: ClassName, has: Slot, elements: Vec<ClassName>) -> Option<Slot> {
        let argument = self.builder.summary.slot();
        let own = self.container(class, &elements);
        if let Some(from) = own {
            self.copy(argument, from, None);
        }
        let filter = Filter { within: Some(class), of_application: true, ..Filter::default() };
        let filter = self.builder.heap.types.filter(filter);
        self.builder.summary.push(Statement::Copy { into: argument, from: has, filter });
        Some(argument)
    }

    fn call(&mut self, call: &Call) {
        let mut arguments = Vec::new();
        let target = match call.receiver {
            // Static methods of an interface of the JDK that a class of the library implements are none of the library's.
            None if self.is_limited_to_library(call) => return,
            None => {
                self.builder.summary.initializes.push(self.builder.program.methods[call.method].class);
                Target::Static(Procedures::of_method(call.method))
            }
            Some(receiver) => {
                let receiver = self.receiver(call, receiver);
                arguments.push(receiver);
                Target::Virtual(call.method)
            }
        };
        let first = arguments.len();
        arguments.extend(self.arguments(call.method, &call.arguments, first));
        let result = call.result.and_then(|variable| self.has[variable]);
        self.builder.call(target, arguments, result);
    }

    /// Whether a call is of a method that the JDK declares, and therefore only made on objects of the library.
    fn is_limited_to_library(&self, call: &Call) -> bool {
        let program = self.builder.program;
        let declared_by = &program.classes[program.methods[call.method].class];
        self.general == GeneralValues::Representatives && declared_by.tier == Tier::Jdk
    }

    /// What a method is called on. Methods that the JDK declares are the library's interface only where the library
    /// implements them: a client that calls `addAll` on every list it ever got mixes the contents of all of them.
    fn receiver(&mut self, call: &Call, receiver: VariableId) -> Option<Slot> {
        if !self.is_limited_to_library(call) {
            return self.has[receiver];
        }
        let from = self.has[receiver]?;
        let into = self.builder.summary.slot();
        let filter = self.builder.heap.types.filter(Filter { of_application: true, ..Filter::default() });
        self.builder.summary.push(Statement::Copy { into, from, filter });
        Some(into)
    }

    /// Everything that the client has goes to the cell, and from there to each variable that it fits.
    fn keep(&mut self) {
        let (base, member) = (self.cell, Member::Captured(0));
        let kept = self.builder.summary.slot();
        self.builder.summary.push(Statement::Load { into: kept, base, member });
        for variable in self.harness.variables.ids() {
            if let (Some(slot), Some(class)) = (self.has[variable], self.class(variable)) {
                self.builder.summary.push(Statement::Store { base, member, from: slot });
                self.copy(slot, kept, Some(class));
            }
        }
    }
}
