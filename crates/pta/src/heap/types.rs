//! The run-time types of abstract objects, and filters over them.
//!
//! Beside classes and arrays there are the types that only exist at run time: the class behind a lambda expression and
//! the classes of dynamic proxies. A [`Filter`] is what a cast, a catch clause or an array store lets through; which
//! types pass is worked out once per filter and type.

use selvedge_base::{FastMap, Id, IdVec, entity};
use selvedge_classfile::access;
use selvedge_ir::{ClassName, Type};
use selvedge_world::{ClassId, Program};

use crate::procedure::ProcedureId;

entity! {
    /// A run-time type.
    TypeId "ty";
    /// A filter over run-time types.
    FilterId "flt";
}

/// A run-time type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RuntimeType {
    /// A class of the program.
    Class(ClassId),
    /// An array type, by its name.
    Array(ClassName),
    /// The class behind a lambda expression.
    Lambda {
        /// What the functional interface's method runs; also tells the expressions apart.
        procedure: ProcedureId,
        /// The interfaces that it implements, the functional one first.
        interfaces: Vec<ClassName>,
    },
    /// The class of a dynamic proxy.
    Proxy(ProxyInterfaces),
    /// A class of the client of an open program that implements this interface.
    Client(ClassId),
}

/// The interfaces that a dynamic proxy implements, as far as they are known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProxyInterfaces {
    /// This one. A proxy of several interfaces is several objects.
    One(ClassName),
    /// Some annotation, as reflection returns them.
    Annotation,
    /// Any.
    Any,
}

/// What passes: instances of `within` that are not instances of any of `without`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Filter {
    /// `None` lets every type through.
    pub within: Option<ClassName>,
    /// What earlier handlers of the same block catch.
    pub without: Vec<ClassName>,
    /// Whether only objects of the application's own types pass: its classes, lambdas and proxies.
    pub of_application: bool,
}

/// Interned types and filters.
pub struct Types<'p> {
    program: &'p Program,
    types: IdVec<TypeId, RuntimeType>,
    ids: FastMap<RuntimeType, TypeId>,
    filters: IdVec<FilterId, FilterTable>,
    filter_ids: FastMap<Filter, FilterId>,
    /// What arrays of each type let into their elements, as far as it was asked.
    element_filters: Vec<Option<FilterId>>,
}

/// A filter with what is known of it: for each type a two-bit answer (0 unknown, 1 no, 2 yes).
struct FilterTable {
    filter: Filter,
    answers: Vec<u8>,
}

impl<'p> Types<'p> {
    /// The filter that lets everything through.
    pub const ANY: FilterId = FilterId::new(0);
    /// The filter that lets arrays of references through.
    pub const REFERENCE_ARRAYS: FilterId = FilterId::new(1);

    pub(crate) fn new(program: &'p Program) -> Self {
        let mut types = Self {
            program,
            types: IdVec::new(),
            ids: FastMap::default(),
            filters: IdVec::new(),
            filter_ids: FastMap::default(),
            element_filters: Vec::new(),
        };
        types.filter(Filter::default());
        types.filter_to(ClassName::new("[Ljava/lang/Object;"));
        types
    }

    /// The id of a type.
    pub fn intern(&mut self, ty: RuntimeType) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// The id of a type that was interned before.
    pub fn known(&self, ty: RuntimeType) -> Option<TypeId> {
        self.ids.get(&ty).copied()
    }

    /// The type of a class or array by its name; `None` where the class is not known.
    pub fn named(&mut self, name: ClassName) -> Option<TypeId> {
        if name.is_array() {
            return Some(self.intern(RuntimeType::Array(name)));
        }
        let class = self.program.class_named(name)?;
        Some(self.intern(RuntimeType::Class(class)))
    }

    /// The type behind an id.
    pub fn get(&self, id: TypeId) -> &RuntimeType {
        &self.types[id]
    }

    /// The class of a type that has one.
    pub fn class(&self, id: TypeId) -> Option<ClassId> {
        match self.types[id] {
            RuntimeType::Class(class) => Some(class),
            _ => None,
        }
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// How a type is called in output.
    pub fn name(&self, id: TypeId) -> String {
        match &self.types[id] {
            RuntimeType::Class(class) => self.program.classes[*class].name.to_string(),
            RuntimeType::Array(name) => name.to_string(),
            RuntimeType::Lambda { interfaces, .. } => {
                format!("lambda {}", interfaces.first().map_or(String::new(), ToString::to_string))
            }
            RuntimeType::Proxy(ProxyInterfaces::One(interface)) => format!("proxy {interface}"),
            RuntimeType::Proxy(ProxyInterfaces::Annotation) => "proxy of an annotation".to_string(),
            RuntimeType::Proxy(ProxyInterfaces::Any) => "proxy".to_string(),
            RuntimeType::Client(interface) => format!("client's {}", self.program.classes[*interface].name),
        }
    }

    /// The id of a filter. A filter for `java/lang/Object` alone is [`Types::ANY`].
    pub fn filter(&mut self, mut filter: Filter) -> FilterId {
        if filter.within.is_some_and(|class| class.is("java/lang/Object")) {
            filter.within = None;
        }
        if let Some(&id) = self.filter_ids.get(&filter) {
            return id;
        }
        let id = self.filters.push(FilterTable { filter: filter.clone(), answers: Vec::new() });
        self.filter_ids.insert(filter, id);
        id
    }

    /// The filter of a cast to `class`.
    pub fn filter_to(&mut self, class: ClassName) -> FilterId {
        self.filter(Filter { within: Some(class), ..Filter::default() })
    }

    /// Whether objects of this type pass the filter.
    pub fn passes(&mut self, filter: FilterId, ty: TypeId) -> bool {
        if filter == Self::ANY {
            return true;
        }
        if let Some(&answer @ 1..) = self.filters[filter].answers.get(ty.index()) {
            return answer == 2;
        }
        let passes = self.lets_through(filter, ty);
        let answers = &mut self.filters[filter].answers;
        if answers.len() <= ty.index() {
            answers.resize(ty.index() + 1, 0);
        }
        answers[ty.index()] = if passes { 2 } else { 1 };
        passes
    }

    /// The same, worked out anew.
    pub fn lets_through(&self, filter: FilterId, ty: TypeId) -> bool {
        let wanted = &self.filters[filter].filter;
        let is_in = |class: &ClassName| self.is_instance(ty, *class);
        let is_own = || match self.types[ty] {
            RuntimeType::Class(class) => crate::context::is_application(self.program, class),
            RuntimeType::Lambda { .. } | RuntimeType::Proxy(_) => true,
            RuntimeType::Array(_) | RuntimeType::Client(_) => false,
        };
        wanted.within.as_ref().is_none_or(is_in)
            && !wanted.without.iter().any(is_in)
            && (!wanted.of_application || is_own())
    }

    /// Whether objects of this type have elements that are references.
    pub fn holds_references(&self, ty: TypeId) -> bool {
        match &self.types[ty] {
            RuntimeType::Array(name) => name.element_type().is_some_and(Type::is_reference),
            _ => false,
        }
    }

    /// What an array of this type lets into its elements.
    pub fn element_filter(&mut self, ty: TypeId) -> FilterId {
        if let Some(&Some(known)) = self.element_filters.get(ty.index()) {
            return known;
        }
        let element = match &self.types[ty] {
            RuntimeType::Array(name) => name.element_type(),
            _ => None,
        };
        let filter = match element {
            Some(Type::Ref(element)) => self.filter_to(element),
            _ => Self::ANY,
        };
        if self.element_filters.len() <= ty.index() {
            self.element_filters.resize(ty.index() + 1, None);
        }
        self.element_filters[ty.index()] = Some(filter);
        filter
    }

    /// Whether an object of this type is an instance of the class, interface or array type.
    pub fn is_instance(&self, ty: TypeId, class: ClassName) -> bool {
        if class.is("java/lang/Object") {
            return true;
        }
        match &self.types[ty] {
            RuntimeType::Class(sub) => {
                !class.is_array()
                    && self
                        .program
                        .class_named(class)
                        .is_some_and(|class| self.program.is_subclass(*sub, class))
            }
            RuntimeType::Client(interface) => {
                self.is_subtype_name(self.program.classes[*interface].name, class)
            }
            // The commonest question, answered without looking at the name of the array.
            RuntimeType::Array(_) if !class.is_array() => is_above_arrays(class),
            RuntimeType::Array(array) => self.is_subtype_name(*array, class),
            RuntimeType::Lambda { interfaces, .. } => {
                interfaces.iter().any(|&interface| self.is_subtype_name(interface, class))
            }
            RuntimeType::Proxy(_) if class.is("java/lang/reflect/Proxy") => true,
            RuntimeType::Proxy(ProxyInterfaces::One(interface)) => self.is_subtype_name(*interface, class),
            RuntimeType::Proxy(kind) => self.program.class_named(class).is_some_and(|id| {
                let data = &self.program.classes[id];
                let is_annotation =
                    data.flags & access::ANNOTATION != 0 || class.is("java/lang/annotation/Annotation");
                data.is_interface() && (*kind == ProxyInterfaces::Any || is_annotation)
            }),
        }
    }

    /// Subtyping of named types, arrays by their elements (JVMS 4.10.1.2).
    fn is_subtype_name(&self, sub: ClassName, class: ClassName) -> bool {
        if sub == class || class.is("java/lang/Object") {
            return true;
        }
        match (sub.element_descriptor(), class.element_descriptor()) {
            (Some(sub), Some(class)) => {
                match (ClassName::of_descriptor(sub), ClassName::of_descriptor(class)) {
                    (Some(sub), Some(class)) => self.is_subtype_name(sub, class),
                    _ => false,
                }
            }
            (Some(_), None) => is_above_arrays(class),
            (None, Some(_)) => false,
            (None, None) => match (self.program.class_named(sub), self.program.class_named(class)) {
                (Some(sub), Some(class)) => self.program.is_subclass(sub, class),
                _ => false,
            },
        }
    }
}

/// Whether arrays are instances of a class or interface other than `Object`.
fn is_above_arrays(class: ClassName) -> bool {
    class.is("java/lang/Cloneable") || class.is("java/io/Serializable")
}
