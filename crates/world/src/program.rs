//! The program: every class of the input and of the JDK, with its members, frozen.
//!
//! All classes are there as declarations from the start; a method's body is brought into the intermediate form when it is
//! first asked for. Ids are dense and depend on the input alone: the application's classes first, then the
//! libraries', then the JDK's, each group by name, then the phantoms. A *phantom* stands for a class that is mentioned but
//! missing: it extends `java/lang/Object`, has no members, and is listed as a problem when something depends on it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use selvedge_base::{FastMap, IdRange, IdVec, Symbol, entity};
use selvedge_classfile::{ClassFile, FieldType, MethodDescriptor, access};
use selvedge_ir::{ClassName, Type, TypeOracle};

use crate::bodies::Bodies;
use crate::dispatch::DispatchTables;
use crate::hierarchy::Hierarchy;
use crate::input::{Bytes, Container, ContainerId, Input, Tier};
use crate::names::{java_name, java_parameters};
use crate::problem::{Problem, ProblemKind};
use crate::references::References;

entity! {
    /// A class or interface of a [`Program`]. (Arrays are types, not classes: see [`TypeTable`](crate::TypeTable).)
    ClassId "c";
    /// A declared method.
    MethodId "m";
    /// A declared field.
    FieldId "f";
    /// A method's name and descriptor together.
    SelectorId "s";
}

/// A class or interface.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name.
    pub name: ClassName,
    /// The direct superclass; for an interface `java/lang/Object`, for that class itself `None`.
    pub superclass: Option<ClassId>,
    /// The direct superinterfaces, in the order of the class file.
    pub interfaces: Box<[ClassId]>,
    /// The class whose private members it may use and that may use its: its nest host, often itself.
    pub nest_host: ClassId,
    /// Access flags of the class file.
    pub flags: u16,
    /// How it counts.
    pub tier: Tier,
    /// Where it comes from; `None` for a phantom.
    pub container: Option<ContainerId>,
    /// The declared methods, in the order of the class file.
    pub methods: IdRange<MethodId>,
    /// The declared fields, in the order of the class file.
    pub fields: IdRange<FieldId>,
    pub(crate) bytes: Option<Bytes>,
}

impl Class {
    /// Whether it stands for a class that is missing.
    pub fn is_phantom(&self) -> bool {
        self.container.is_none()
    }

    /// Whether it is an interface.
    pub fn is_interface(&self) -> bool {
        self.flags & access::INTERFACE != 0
    }

    /// Whether it has no instances of its own: abstract classes and interfaces.
    pub fn is_abstract(&self) -> bool {
        self.flags & access::ABSTRACT != 0
    }

    /// Whether it has no subclasses.
    pub fn is_final(&self) -> bool {
        self.flags & access::FINAL != 0
    }

    /// Whether it is declared public.
    pub fn is_public(&self) -> bool {
        self.flags & access::PUBLIC != 0
    }

    /// Whether it is an enum (not the class of a constant with a body).
    pub fn is_enum(&self) -> bool {
        self.flags & access::ENUM != 0
    }
}

/// A declared method.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// The class that declares it.
    pub class: ClassId,
    /// Its name.
    pub name: Symbol,
    /// Its descriptor.
    pub descriptor: Symbol,
    /// Name and descriptor as one number.
    pub selector: SelectorId,
    /// Access flags.
    pub flags: u16,
}

impl Method {
    /// Whether it has no receiver.
    pub fn is_static(&self) -> bool {
        self.flags & access::STATIC != 0
    }

    /// Whether it has no body because subclasses give one.
    pub fn is_abstract(&self) -> bool {
        self.flags & access::ABSTRACT != 0
    }

    /// Whether it has no body because it is written in another language.
    pub fn is_native(&self) -> bool {
        self.flags & access::NATIVE != 0
    }

    /// Whether it has a body.
    pub fn has_code(&self) -> bool {
        self.flags & (access::ABSTRACT | access::NATIVE) == 0
    }

    /// Whether it locks its receiver (or class) while it runs.
    pub fn is_synchronized(&self) -> bool {
        self.flags & access::SYNCHRONIZED != 0
    }

    /// Whether it is private.
    pub fn is_private(&self) -> bool {
        self.flags & access::PRIVATE != 0
    }

    /// Whether it is public.
    pub fn is_public(&self) -> bool {
        self.flags & access::PUBLIC != 0
    }

    /// Whether it is a constructor.
    pub fn is_constructor(&self) -> bool {
        self.name.is("<init>")
    }

    /// Whether it is the class initialiser.
    pub fn is_class_initializer(&self) -> bool {
        self.name.is("<clinit>")
    }

    /// The types of its parameters as SSA values, the receiver not included.
    pub fn parameter_types(&self) -> Vec<Type> {
        let parsed = MethodDescriptor::parse(self.descriptor.as_bytes());
        parsed.into_iter().flat_map(MethodDescriptor::params).map(type_of).collect()
    }

    /// The type of its result; `None` for `void`.
    pub fn return_type(&self) -> Option<Type> {
        MethodDescriptor::parse(self.descriptor.as_bytes()).ok()?.return_type().map(type_of)
    }
}

/// A declared field.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The class that declares it.
    pub class: ClassId,
    /// Its name.
    pub name: Symbol,
    /// Its type descriptor.
    pub descriptor: Symbol,
    /// Access flags.
    pub flags: u16,
}

impl Field {
    /// Whether it belongs to the class and not to its instances.
    pub fn is_static(&self) -> bool {
        self.flags & access::STATIC != 0
    }

    /// Whether it is assigned only by initialisers.
    pub fn is_final(&self) -> bool {
        self.flags & access::FINAL != 0
    }

    /// Whether accesses to it order other accesses.
    pub fn is_volatile(&self) -> bool {
        self.flags & access::VOLATILE != 0
    }

    /// The type of its values.
    pub fn ty(&self) -> Option<Type> {
        Type::of_descriptor(self.descriptor.as_bytes())
    }
}

pub(crate) fn type_of(ty: FieldType<'_>) -> Type {
    use selvedge_classfile::PrimitiveType::{Double, Float, Long};
    match ty {
        FieldType::Primitive(Long) => Type::Long,
        FieldType::Primitive(Float) => Type::Float,
        FieldType::Primitive(Double) => Type::Double,
        FieldType::Primitive(_) => Type::Int,
        FieldType::Class(name) => Type::Ref(ClassName::new(name)),
        FieldType::Array(array) => Type::Ref(ClassName::new(array.descriptor())),
    }
}

/// A whole program; see the [module documentation](self).
#[derive(Debug)]
pub struct Program {
    /// All classes.
    pub classes: IdVec<ClassId, Class>,
    /// All methods, class by class.
    pub methods: IdVec<MethodId, Method>,
    /// All fields, class by class.
    pub fields: IdVec<FieldId, Field>,
    /// Where the classes come from.
    pub containers: IdVec<ContainerId, Container>,
    /// The Maven groups of what the archives of the application are made of.
    pub groups: Vec<String>,
    /// The feature release of the JDK.
    pub jdk_version: u16,
    pub(crate) by_name: FastMap<ClassName, ClassId>,
    pub(crate) selectors: FastMap<(Symbol, Symbol), SelectorId>,
    /// The methods of each class (the same ranges as `methods`) by ascending selector.
    pub(crate) by_selector: Vec<MethodId>,
    pub(crate) hierarchy: Hierarchy,
    pub(crate) dispatch_tables: DispatchTables,
    pub(crate) bodies: Bodies,
    pub(crate) references: References,
    /// The methods of `MethodHandle` and `VarHandle` that take any arguments, by class and name.
    pub(crate) signature_polymorphic: FastMap<(ClassId, Symbol), MethodId>,
    object: ClassId,
    found: Vec<Problem>,
    in_resources: Vec<ClassId>,
    later: Mutex<BTreeSet<Problem>>,
    /// The source files of classes that were asked for.
    source_files: Mutex<FastMap<ClassId, Option<Symbol>>>,
    /// Phantoms that were listed as missing, so that asking again costs nothing.
    listed: IdVec<ClassId, AtomicBool>,
}

/// What [`load`](crate::load) puts together.
pub(crate) struct Parts {
    pub classes: IdVec<ClassId, Class>,
    pub methods: IdVec<MethodId, Method>,
    pub fields: IdVec<FieldId, Field>,
    pub containers: IdVec<ContainerId, Container>,
    pub groups: Vec<String>,
    pub jdk_version: u16,
    pub by_name: FastMap<ClassName, ClassId>,
    pub selectors: FastMap<(Symbol, Symbol), SelectorId>,
    pub by_selector: Vec<MethodId>,
    pub hierarchy: Hierarchy,
    pub object: ClassId,
    pub problems: Vec<Problem>,
    pub in_resources: Vec<ClassId>,
    pub references: References,
}

impl Program {
    /// Loads everything that was read.
    pub fn load(input: Input) -> Self {
        let parts = crate::load::load(input);
        let mut listed = IdVec::new();
        listed.resize_with(parts.classes.len(), AtomicBool::default);
        let mut program = Self {
            listed,
            dispatch_tables: DispatchTables::new(parts.classes.len()),
            bodies: Bodies::new(parts.methods.len()),
            classes: parts.classes,
            methods: parts.methods,
            fields: parts.fields,
            containers: parts.containers,
            groups: parts.groups,
            jdk_version: parts.jdk_version,
            by_name: parts.by_name,
            selectors: parts.selectors,
            by_selector: parts.by_selector,
            hierarchy: parts.hierarchy,
            signature_polymorphic: FastMap::default(),
            object: parts.object,
            found: parts.problems,
            in_resources: parts.in_resources,
            references: parts.references,
            later: Mutex::default(),
            source_files: Mutex::default(),
        };
        program.signature_polymorphic = program.find_signature_polymorphic();
        program
    }

    /// The class of this name, phantoms included; `None` for arrays and for names that nothing mentions.
    pub fn class_named(&self, name: ClassName) -> Option<ClassId> {
        self.by_name.get(&name).copied()
    }

    /// The classes of the application that its resources name (service files, properties, XML), by ascending id.
    pub fn classes_in_resources(&self) -> &[ClassId] {
        &self.in_resources
    }

    /// `java/lang/Object`.
    pub fn object(&self) -> ClassId {
        self.object
    }

    /// The class file of a class, to read what declarations do not hold: attributes, annotations, inner classes.
    /// `None` for phantoms. This parses the file anew.
    pub fn class_file(&self, class: ClassId) -> Option<ClassFile<'_>> {
        ClassFile::parse(self.classes[class].bytes.as_deref()?).ok()
    }

    /// The name of the source file a class was compiled from.
    pub fn source_file(&self, class: ClassId) -> Option<Symbol> {
        let known = || self.source_files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&file) = known().get(&class) {
            return file;
        }
        let file = self.class_file(class).and_then(|file| file.source_file().ok()?.map(Symbol::new));
        known().insert(class, file);
        file
    }

    /// Everything that was wrong so far, in a fixed order: what loading found, then what came up since.
    pub fn problems(&self) -> Vec<Problem> {
        let mut later = self.later.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for problem in &self.found {
            later.remove(problem);
        }
        self.found.iter().cloned().chain(later).collect()
    }

    /// Adds a problem that came up; the same one counts once.
    pub fn report(&self, problem: Problem) {
        self.later.lock().unwrap_or_else(PoisonError::into_inner).insert(problem);
    }

    /// A method for people: `p.C.run(int, java.lang.String)`.
    pub fn describe_method(&self, method: MethodId) -> String {
        let Method { class, name, descriptor, .. } = self.methods[method];
        format!("{}.{name}{}", java_name(self.classes[class].name), java_parameters(descriptor.as_bytes()))
    }

    /// A field for people: `p.C.count`.
    pub fn describe_field(&self, field: FieldId) -> String {
        let Field { class, name, .. } = self.fields[field];
        format!("{}.{name}", java_name(self.classes[class].name))
    }

    /// Whether `class` is `ancestor` or has it among its superclasses and superinterfaces.
    pub fn is_subclass(&self, class: ClassId, ancestor: ClassId) -> bool {
        self.hierarchy.is_subclass(class, ancestor)
    }

    /// The class and everything that extends or implements it, directly or not: a class before its subclasses.
    pub fn subtypes(&self, class: ClassId) -> &[ClassId] {
        self.hierarchy.subtypes(class)
    }

    /// All superinterfaces, direct or not, by ascending id; the class itself is not among them.
    pub fn all_interfaces(&self, class: ClassId) -> &[ClassId] {
        self.hierarchy.interfaces(class)
    }

    /// The class and its superclasses, up to `java/lang/Object`.
    pub fn superclasses(&self, class: ClassId) -> impl Iterator<Item = ClassId> {
        std::iter::successors(Some(class), |&class| self.classes[class].superclass)
    }

    /// Lists a phantom as missing; anything else is fine.
    pub(crate) fn report_if_phantom(&self, class: ClassId) {
        if self.classes[class].is_phantom() && !self.listed[class].swap(true, Ordering::Relaxed) {
            self.report(missing_class(self.classes[class].name));
        }
    }
}

/// The problem of a class that is not there.
pub(crate) fn missing_class(name: ClassName) -> Problem {
    Problem::new(ProblemKind::MissingClass, java_name(name), "is not in the input, its class path or the JDK")
}

impl TypeOracle for Program {
    fn is_interface(&self, class: ClassName) -> bool {
        self.class_named(class).is_some_and(|class| self.classes[class].is_interface())
    }

    fn superclass(&self, class: ClassName) -> Option<ClassName> {
        let superclass = self.classes[self.class_named(class)?].superclass?;
        Some(self.classes[superclass].name)
    }
}
