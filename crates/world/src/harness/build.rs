//! Making a harness from the classes of a library's interface.

use std::collections::BTreeSet;

use selvedge_base::{FastMap, FastSet, IdVec, Symbol};
use selvedge_classfile::{ClassFile, FieldType, MethodDescriptor, access};
use selvedge_ir::ClassName;

use super::{Call, Creation, Flow, FlowKind, Harness, Made, Variable, VariableId};
use crate::client::{ClientView, is_java_identifier};
use crate::input::Tier;
use crate::program::{ClassId, Method, MethodId, Program};
use crate::types::{Element, TypeId, TypeTable};

/// What a client takes where it needs one of these types of the JDK.
const USUAL: [(&str, &str); 23] = [
    ("java/lang/CharSequence", "java/lang/String"),
    ("java/lang/Comparable", "java/lang/String"),
    ("java/lang/Iterable", "java/util/ArrayList"),
    ("java/lang/Number", "java/lang/Integer"),
    ("java/util/AbstractCollection", "java/util/ArrayList"),
    ("java/util/AbstractList", "java/util/ArrayList"),
    ("java/util/AbstractMap", "java/util/HashMap"),
    ("java/util/Collection", "java/util/ArrayList"),
    ("java/util/List", "java/util/ArrayList"),
    ("java/util/Set", "java/util/HashSet"),
    ("java/util/SortedSet", "java/util/TreeSet"),
    ("java/util/NavigableSet", "java/util/TreeSet"),
    ("java/util/Map", "java/util/HashMap"),
    ("java/util/SortedMap", "java/util/TreeMap"),
    ("java/util/NavigableMap", "java/util/TreeMap"),
    ("java/util/Queue", "java/util/ArrayDeque"),
    ("java/util/Deque", "java/util/ArrayDeque"),
    ("java/util/concurrent/BlockingQueue", "java/util/concurrent/LinkedBlockingQueue"),
    ("java/util/concurrent/ConcurrentMap", "java/util/concurrent/ConcurrentHashMap"),
    ("java/io/InputStream", "java/io/ByteArrayInputStream"),
    ("java/io/OutputStream", "java/io/ByteArrayOutputStream"),
    ("java/io/Reader", "java/io/StringReader"),
    ("java/io/Writer", "java/io/StringWriter"),
];

/// The class of which a client makes an object where it needs this type of the JDK.
pub fn usual_class(name: ClassName) -> Option<ClassName> {
    USUAL.iter().find(|(wanted, _)| name.is(wanted)).map(|(_, usual)| ClassName::new(usual))
}

impl Harness {
    /// The most general client of these classes and interfaces.
    ///
    /// What a Java client cannot name is left out: members that are not public, classes of which it cannot write the
    /// name, methods that take such classes.
    pub fn new(program: &Program, interface: &[ClassId]) -> Self {
        let mut builder = Builder {
            program,
            client: ClientView::new(program),
            types: TypeTable::new(program),
            harness: Harness { interface: interface.to_vec(), ..Harness::default() },
            by_descriptor: FastMap::default(),
            known: IdVec::new(),
            created: FastSet::default(),
        };
        for class in builder.exposed_types() {
            builder.add_calls(class);
        }
        for &class in interface {
            builder.add_creations(class);
        }
        builder.fill_variables();
        builder.add_flows();
        builder.harness
    }
}

struct Builder<'p> {
    program: &'p Program,
    client: ClientView<'p>,
    types: TypeTable<'p>,
    harness: Harness,
    by_descriptor: FastMap<Symbol, VariableId>,
    known: IdVec<VariableId, Known>,
    /// The classes outside the interface of which objects are created.
    created: FastSet<ClassId>,
}

/// What is known of a variable while the harness is built.
struct Known {
    /// Its type; `None` if that is primitive.
    ty: Option<TypeId>,
    /// The variables of supertypes, to which its value flows.
    above: Vec<VariableId>,
    /// Results of calls on it.
    results: Vec<VariableId>,
    /// Whether it is known to get a value other than null: something is created for it, or a call that
    /// returns one can be made. (A method may still return null always.)
    has_value: bool,
}

impl<'p> Builder<'p> {
    /// The classes of the interface and their supertypes, whose methods a client can call on their objects.
    fn exposed_types(&mut self) -> Vec<ClassId> {
        let program = self.program;
        let mut exposed = BTreeSet::new();
        for &class in &self.harness.interface {
            exposed.insert(class);
            exposed.extend(program.superclasses(class).chain(program.all_interfaces(class).iter().copied()));
        }
        let throwable = program.class_named(ClassName::new("java/lang/Throwable"));
        let worth_calling = |&class: &ClassId| {
            let declared = &program.classes[class];
            let name = declared.name;
            let of_all =
                ["java/lang/Object", "java/lang/Enum", "java/lang/Record"].iter().any(|base| name.is(base));
            let exception = throwable.is_some_and(|throwable| program.is_subclass(class, throwable));
            let exception_of_jdk = exception && declared.tier == Tier::Jdk;
            !of_all && !exception_of_jdk
        };
        exposed
            .into_iter()
            .filter(worth_calling)
            .filter(|&class| self.client.class(class).is_some())
            .collect()
    }

    /// Calls of the public methods that a class declares, or inherits from classes that the client cannot name.
    fn add_calls(&mut self, named: ClassId) {
        let program = self.program;
        let Some(file) = program.class_file(named) else { return };
        for (method, member) in program.classes[named].methods.iter().zip(&file.methods) {
            self.add_call(named, method, &file, member);
        }
        // A bridge that the compiler added to make an inherited method accessible is not a method of the class.
        let own = program.classes[named].methods.iter().map(|method| &program.methods[method]);
        let own = own.filter(|method| method.flags & access::SYNTHETIC == 0);
        let mut seen: FastSet<_> = own.map(|method| method.selector).collect();
        let ancestors: Vec<ClassId> = program
            .superclasses(named)
            .skip(1)
            .chain(program.all_interfaces(named).iter().copied())
            .collect();
        for ancestor in ancestors {
            let hidden = self.client.class(ancestor).is_none();
            let Some(file) = program.class_file(ancestor) else { continue };
            // Of a generic class, the types that its parameters stand for here would have to be known.
            let generic = file.signature().ok().flatten().is_some_and(|text| text.starts_with(b"<"));
            for (method, member) in program.classes[ancestor].methods.iter().zip(&file.methods) {
                let is_new = seen.insert(program.methods[method].selector);
                if is_new && hidden && !generic && !program.methods[method].is_static() {
                    self.add_call(named, method, &file, member);
                }
            }
        }
    }

    fn add_call(
        &mut self,
        named: ClassId,
        id: MethodId,
        file: &ClassFile<'_>,
        member: &selvedge_classfile::Member<'_>,
    ) {
        let method = self.program.methods[id];
        if method.is_constructor() || !self.is_callable(&method, file, member) || is_for_tests(file, member) {
            return;
        }
        let Some((arguments, result)) = self.variables_of(&method) else { return };
        let receiver = (!method.is_static()).then(|| self.variable_of_class(named));
        if let (Some(receiver), Some(result)) = (receiver, result) {
            self.known[receiver].results.push(result);
        }
        self.harness.calls.push(Call { method: id, named, receiver, arguments, result });
    }

    /// Whether a client can name a method and compile a call of it.
    fn is_callable(
        &self,
        method: &Method,
        file: &ClassFile<'_>,
        member: &selvedge_classfile::Member<'_>,
    ) -> bool {
        let is_public = method.is_public() && method.flags & access::SYNTHETIC == 0;
        let nameable = method.is_constructor() || method.name.as_str().is_some_and(is_java_identifier);
        is_public
            && nameable
            // The compiler looks at every method of the name, and at what it throws.
            && file.methods.iter().filter(|other| other.name == member.name).all(|other| self.is_complete(other, file))
    }

    /// Whether every class that a method's declaration mentions is there.
    fn is_complete(&self, member: &selvedge_classfile::Member<'_>, file: &ClassFile<'_>) -> bool {
        let is_there = |name: &[u8]| {
            let class = self.program.class_named(ClassName::new(name));
            class.is_some_and(|class| !self.program.classes[class].is_phantom())
        };
        let type_is_there = |ty: FieldType<'_>| match ty {
            FieldType::Primitive(_) => true,
            FieldType::Class(name) => is_there(name),
            FieldType::Array(array) => match array.element() {
                FieldType::Class(name) => is_there(name),
                _ => true,
            },
        };
        let Ok(descriptor) = MethodDescriptor::parse(member.descriptor) else { return false };
        let exceptions = member.exceptions(&file.pool).ok().flatten().unwrap_or_default();
        descriptor.params().chain(descriptor.return_type()).all(type_is_there)
            && exceptions.into_iter().all(is_there)
    }

    /// The variables of a method's parameters and result; `None` if the client cannot name a parameter's type.
    fn variables_of(&mut self, method: &Method) -> Option<(Vec<VariableId>, Option<VariableId>)> {
        let descriptor = MethodDescriptor::parse(method.descriptor.as_bytes()).ok()?;
        let nameable: Vec<FieldType<'_>> =
            descriptor.params().map(|ty| self.client.type_name(ty).map(|_| ty)).collect::<Option<_>>()?;
        let arguments = nameable.into_iter().map(|ty| self.variable(ty)).collect();
        let result = descriptor.return_type().filter(|&ty| self.client.type_name(ty).is_some());
        Some((arguments, result.map(|ty| self.variable(ty))))
    }

    /// Objects of a class, by each public constructor, and what its public static fields hold.
    fn add_creations(&mut self, class: ClassId) {
        let program = self.program;
        if self.client.class(class).is_none() {
            return;
        }
        self.create_objects(class);
        for field in program.classes[class].fields.iter() {
            let declared = &program.fields[field];
            let public_static = access::PUBLIC | access::STATIC;
            let is_usable = declared.flags & (public_static | access::SYNTHETIC) == public_static
                && declared.name.as_str().is_some_and(is_java_identifier);
            let Ok(ty) = FieldType::parse(declared.descriptor.as_bytes()) else { continue };
            if is_usable && ty.is_reference() && self.client.type_name(ty).is_some() {
                let variable = self.variable(ty);
                self.create(variable, Made::StaticField(field));
            }
        }
    }

    /// Objects of a class, by each public constructor.
    fn create_objects(&mut self, class: ClassId) {
        let declared = &self.program.classes[class];
        if self.client.class(class).is_none() || declared.is_abstract() || declared.is_enum() {
            return;
        }
        for constructor in self.usable_constructors(class) {
            let Some((arguments, _)) = self.variables_of(&self.program.methods[constructor]) else {
                continue;
            };
            self.create_in_class(class, Made::Object { constructor, arguments });
        }
    }

    fn usable_constructors(&self, class: ClassId) -> Vec<MethodId> {
        let Some(file) = self.program.class_file(class) else { return Vec::new() };
        let methods = self.program.classes[class].methods.iter().zip(&file.methods);
        methods
            .filter(|&(id, member)| {
                let method = &self.program.methods[id];
                method.is_constructor() && self.is_callable(method, &file, member)
            })
            .map(|(id, _)| id)
            .collect()
    }

    fn create(&mut self, variable: VariableId, made: Made) {
        self.harness.creations.push(Creation { variable, made });
        self.mark_valued(variable);
    }

    /// Notes that a variable has a value, and with it those to which it flows and the results of calls on them.
    fn mark_valued(&mut self, variable: VariableId) {
        let mut stack = vec![variable];
        while let Some(variable) = stack.pop() {
            let known = &mut self.known[variable];
            if !std::mem::replace(&mut known.has_value, true) {
                stack.extend(known.above.iter().chain(&known.results));
                let element = known.ty.and_then(|ty| self.types.element(ty));
                if let Some(Element::Reference(element)) = element {
                    let descriptor = self.types.name(element).descriptor();
                    stack.extend(self.by_descriptor.get(&descriptor));
                }
            }
        }
    }

    fn create_in_class(&mut self, class: ClassId, made: Made) {
        let variable = self.variable_of_class(class);
        self.create(variable, made);
    }

    /// Gives a value to the variables that have none so far. New variables may come up on the way.
    fn fill_variables(&mut self) {
        let of_static_calls = self.harness.calls.iter().filter(|call| call.receiver.is_none());
        let results: Vec<VariableId> = of_static_calls.filter_map(|call| call.result).collect();
        results.into_iter().for_each(|result| self.mark_valued(result));
        let mut next = 0;
        while next < self.harness.variables.len() {
            let variable = VariableId::new(next as u32);
            next += 1;
            let descriptor = self.harness.variables[variable].descriptor;
            match FieldType::parse(descriptor.as_bytes()) {
                Ok(FieldType::Array(array)) => {
                    let element = self.variable(array.component());
                    // Pushed as it is: such an array brings its elements no new value.
                    self.harness.creations.push(Creation { variable, made: Made::Array { element } });
                }
                // A client has strings of its own, whatever the library returns.
                Ok(FieldType::Class(b"java/lang/String")) => self.create(variable, Made::String),
                Ok(FieldType::Class(name)) => {
                    if let Some(class) = self.program.class_named(ClassName::new(name)) {
                        self.create_subtypes(class);
                        self.fill_class(variable, class);
                    }
                }
                _ => {}
            }
        }
        let is_unfilled = |&variable: &VariableId| {
            let known = &self.known[variable];
            !known.has_value && known.ty.is_some_and(|ty| self.types.element(ty).is_none())
        };
        self.harness.unfilled = self.harness.variables.ids().filter(is_unfilled).collect();
    }

    /// Objects of the concrete classes of the application that fit a type of the application, by each public constructor.
    fn create_subtypes(&mut self, class: ClassId) {
        let program = self.program;
        if program.classes[class].tier != Tier::Application {
            return;
        }
        for &subtype in program.subtypes(class) {
            let is_listed = self.harness.interface.binary_search(&subtype).is_ok();
            if !is_listed
                && program.classes[subtype].tier == Tier::Application
                && self.created.insert(subtype)
            {
                self.create_objects(subtype);
            }
        }
    }

    /// A value of the client's own: for a type without one, and beside the library's own classes for its interfaces.
    fn fill_class(&mut self, variable: VariableId, class: ClassId) {
        let program = self.program;
        let declared = &program.classes[class];
        let needs_value = !self.known[variable].has_value;
        if needs_value && declared.name.is("java/lang/Class") {
            return self.create(variable, Made::Class);
        }
        if needs_value
            && let Some(usual) = usual_class(declared.name).and_then(|usual| program.class_named(usual))
        {
            // Its own turn to be filled comes, if it is new; it flows here as to any supertype.
            self.variable_of_class(usual);
        } else if needs_value && let Some(constructor) = self.simplest_constructor(class) {
            let Some((arguments, _)) = self.variables_of(&program.methods[constructor]) else { return };
            self.create(variable, Made::Object { constructor, arguments });
        } else if declared.is_interface()
            && (needs_value || declared.tier == Tier::Application)
            && self.client.class(class).is_some_and(|class| !class.is_sealed)
        {
            self.create(variable, Made::Implementation(class));
        }
    }

    /// The constructor of a class from outside the interface that needs the fewest arguments, all of them numbers, arrays
    /// of numbers or strings.
    fn simplest_constructor(&mut self, class: ClassId) -> Option<MethodId> {
        let declared = &self.program.classes[class];
        if declared.is_abstract()
            || declared.is_enum()
            || self.harness.interface.binary_search(&class).is_ok()
        {
            return None;
        }
        let simple = |ty: FieldType<'_>| match ty {
            FieldType::Primitive(_) => true,
            FieldType::Class(name) => name == b"java/lang/String",
            FieldType::Array(array) => matches!(array.element(), FieldType::Primitive(_)),
        };
        let parameters =
            |id: MethodId| MethodDescriptor::parse(self.program.methods[id].descriptor.as_bytes()).ok();
        let constructors = self.usable_constructors(class).into_iter();
        let simple =
            constructors.filter(|&id| parameters(id).is_some_and(|parsed| parsed.params().all(simple)));
        simple.min_by_key(|&id| (parameters(id).map(|parsed| parsed.param_count()), id))
    }

    fn variable(&mut self, ty: FieldType<'_>) -> VariableId {
        let descriptor = match ty {
            FieldType::Primitive(primitive) => Symbol::new([primitive.letter()]),
            FieldType::Class(name) => ClassName::new(name).descriptor(),
            FieldType::Array(array) => Symbol::new(array.descriptor()),
        };
        self.variable_of(descriptor)
    }

    fn variable_of_class(&mut self, class: ClassId) -> VariableId {
        self.variable_of(self.program.classes[class].name.descriptor())
    }

    fn variable_of(&mut self, descriptor: Symbol) -> VariableId {
        if let Some(&variable) = self.by_descriptor.get(&descriptor) {
            return variable;
        }
        let ty = ClassName::of_descriptor(descriptor.as_bytes()).and_then(|name| self.types.named(name));
        let variable = self.harness.variables.push(Variable { descriptor });
        self.by_descriptor.insert(descriptor, variable);
        let mut above = Vec::new();
        let mut has_value = false;
        if let Some(ty) = ty {
            for id in self.known.ids() {
                let other = &mut self.known[id];
                let Some(other_ty) = other.ty else { continue };
                if self.types.is_subtype(ty, other_ty) {
                    above.push(id);
                } else if self.types.is_subtype(other_ty, ty) {
                    other.above.push(variable);
                    has_value |= other.has_value;
                }
            }
        }
        self.known.push(Known { ty, above, results: Vec::new(), has_value: false });
        if has_value {
            self.mark_valued(variable);
        }
        variable
    }

    /// From each variable to those of its nearest supertypes, and from arrays to the variables of their elements.
    fn add_flows(&mut self) {
        for (from, known) in self.known.iter_ids() {
            let nearest = known.above.iter().filter(|&&to| {
                let is_between = |&&other: &&VariableId| other != to && self.known[other].above.contains(&to);
                !known.above.iter().any(|other| is_between(&other))
            });
            self.harness.flows.extend(nearest.map(|&to| Flow { from, to, kind: FlowKind::Value }));
        }
        for creation in &self.harness.creations {
            if let Made::Array { element } = creation.made
                && self.known[element].ty.is_some()
            {
                let (from, to) = (creation.variable, element);
                self.harness.flows.push(Flow { from, to, kind: FlowKind::Element });
            }
        }
    }
}

/// Whether a method is public for tests only, by an annotation of this name in whatever package.
fn is_for_tests(file: &ClassFile<'_>, member: &selvedge_classfile::Member<'_>) -> bool {
    let annotations = member.annotations(&file.pool).unwrap_or_default();
    annotations.iter().any(|one| one.type_descriptor.ends_with(b"/VisibleForTesting;"))
}
