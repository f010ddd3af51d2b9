//! Resolution: from the names in a class file to declarations (JVM specification 5.4.3), and which method an
//! `invokespecial` runs (6.5).
//!
//! Resolution here gives a target wherever the names lead to one, even if the JVM would then refuse it for a reason such as
//! access; [`Program::check_method_use`] and its siblings tell about that.

use std::fmt;

use selvedge_base::{FastMap, Symbol};
use selvedge_classfile::access;
use selvedge_ir::{ClassName, FieldRef, MethodRef};

use crate::names::{java_name, java_parameters};
use crate::problem::{Problem, ProblemKind};
use crate::program::{ClassId, FieldId, MethodId, Program, SelectorId, missing_class};

/// Why a name leads to no declaration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResolveError {
    /// The class is missing, or an ancestor in which the member may be.
    MissingClass(ClassName),
    /// The class and its ancestors are there, and have no such field.
    NoSuchField(FieldRef),
    /// The class and its ancestors are there, and have no such method.
    NoSuchMethod(MethodRef),
}

impl ResolveError {
    /// The problem to list for it.
    pub fn to_problem(self) -> Problem {
        let place = match self {
            ResolveError::MissingClass(name) => return missing_class(name),
            ResolveError::NoSuchField(field) => format!("{}.{}", java_name(field.owner), field.name),
            ResolveError::NoSuchMethod(method) => {
                let parameters = java_parameters(method.descriptor.as_bytes());
                format!("{}.{}{parameters}", java_name(method.owner), method.name)
            }
        };
        Problem::new(ProblemKind::Linkage, place, "is used but not declared")
    }
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_problem().fmt(f)
    }
}

impl std::error::Error for ResolveError {}

impl Program {
    /// The class of this name, for an array `java/lang/Object`. A class that is missing is listed as a problem, once;
    /// where something of the input mentions it, its phantom is the result.
    pub fn resolve_class(&self, name: ClassName) -> Result<ClassId, ResolveError> {
        if name.is_array() {
            return Ok(self.object());
        }
        match self.class_named(name) {
            Some(class) => {
                self.report_if_phantom(class);
                Ok(class)
            }
            None => {
                self.report(missing_class(name));
                Err(ResolveError::MissingClass(name))
            }
        }
    }

    /// The field a reference means: searched in the class, its superinterfaces, then its superclass in the same way.
    pub fn resolve_field(&self, field: &FieldRef) -> Result<FieldId, ResolveError> {
        let owner = self.resolve_class(field.owner)?;
        let declared = |class: ClassId| {
            self.classes[class].fields.iter().find(|&id| {
                let candidate = &self.fields[id];
                candidate.name == field.name && candidate.descriptor == field.descriptor
            })
        };
        for class in self.superclasses(owner) {
            if let Some(found) = declared(class) {
                return Ok(found);
            }
            // Direct superinterfaces first, each with its own, as the specification goes.
            if let Some(found) = self.interfaces_in_search_order(class).into_iter().find_map(declared) {
                return Ok(found);
            }
        }
        Err(self.missing_ancestor(owner).unwrap_or(ResolveError::NoSuchField(*field)))
    }

    /// The method a reference means. The owner's own kind decides whether the search is that for classes or that for
    /// interfaces.
    pub fn resolve_method(&self, method: &MethodRef) -> Result<MethodId, ResolveError> {
        let owner = self.resolve_class(method.owner)?;
        if let Some(&found) = self.signature_polymorphic.get(&(owner, method.name)) {
            return Ok(found);
        }
        let selector = self.selectors.get(&(method.name, method.descriptor)).copied();
        let found = selector.and_then(|selector| self.find_method(owner, selector));
        found.ok_or_else(|| self.missing_ancestor(owner).unwrap_or(ResolveError::NoSuchMethod(*method)))
    }

    /// The method of this name and descriptor that a class itself declares.
    pub fn declared_method(&self, class: ClassId, name: Symbol, descriptor: Symbol) -> Option<MethodId> {
        self.declared_by_selector(class, *self.selectors.get(&(name, descriptor))?)
    }

    /// The method that an `invokespecial` in a method of class `caller` runs: a constructor or private method as named, a
    /// `super` call from the caller's direct superclass on, an interface's method from that interface on.
    ///
    /// `None` if the JVM would throw because the method is abstract.
    pub fn resolve_special(
        &self,
        caller: ClassId,
        method: &MethodRef,
    ) -> Result<Option<MethodId>, ResolveError> {
        let resolved = self.resolve_method(method)?;
        let owner = self.resolve_class(method.owner)?;
        if self.methods[resolved].is_constructor() || self.methods[resolved].is_private() {
            return Ok(Some(resolved));
        }
        let is_super_call =
            !self.classes[owner].is_interface() && owner != caller && self.is_subclass(caller, owner);
        let start = match self.classes[caller].superclass {
            Some(superclass) if is_super_call => superclass,
            _ => owner,
        };
        let selector = self.methods[resolved].selector;
        let is_instance = |id: &MethodId| !self.methods[*id].is_static();
        let with_body = |id: &MethodId| !self.methods[*id].is_abstract();
        if self.classes[start].is_interface() {
            let own = self.declared_by_selector(start, selector).filter(is_instance);
            let of_object = || self.public_method_of_object(selector);
            if let Some(found) = own.or_else(of_object) {
                return Ok(Some(found).filter(with_body));
            }
        } else {
            let of_classes = self
                .superclasses(start)
                .find_map(|class| self.declared_by_selector(class, selector).filter(is_instance));
            if let Some(found) = of_classes {
                return Ok(Some(found).filter(with_body));
            }
        }
        let candidates = self.interface_candidates(start, selector);
        Ok(self.unique_with_body(&self.maximally_specific(&candidates)))
    }

    /// Whether a method takes any arguments, whatever its descriptor says: `MethodHandle.invoke`, `VarHandle.get`.
    pub fn is_signature_polymorphic(&self, method: MethodId) -> bool {
        let declared = &self.methods[method];
        self.signature_polymorphic.get(&(declared.class, declared.name)) == Some(&method)
    }

    pub(crate) fn find_signature_polymorphic(&self) -> FastMap<(ClassId, Symbol), MethodId> {
        let mut found = FastMap::default();
        for name in ["java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle"] {
            let Some(class) = self.class_named(ClassName::new(name)) else { continue };
            for id in self.classes[class].methods.iter() {
                let method = &self.methods[id];
                let native_varargs = access::NATIVE | access::VARARGS;
                let takes_objects = method.descriptor.as_bytes().starts_with(b"([Ljava/lang/Object;)");
                if method.flags & native_varargs == native_varargs && takes_objects {
                    found.insert((class, method.name), id);
                }
            }
        }
        found
    }

    fn find_method(&self, owner: ClassId, selector: SelectorId) -> Option<MethodId> {
        let own_or_inherited = if self.classes[owner].is_interface() {
            let own = self.declared_by_selector(owner, selector);
            own.or_else(|| self.public_method_of_object(selector))
        } else {
            self.superclasses(owner).find_map(|class| self.declared_by_selector(class, selector))
        };
        own_or_inherited.or_else(|| {
            let candidates = self.interface_candidates(owner, selector);
            self.unique_with_body(&self.maximally_specific(&candidates)).or(candidates.first().copied())
        })
    }

    fn public_method_of_object(&self, selector: SelectorId) -> Option<MethodId> {
        let found = self.declared_by_selector(self.object(), selector)?;
        let method = &self.methods[found];
        (method.is_public() && !method.is_static()).then_some(found)
    }

    /// The methods with this selector of all superinterfaces that are neither private nor static.
    fn interface_candidates(&self, class: ClassId, selector: SelectorId) -> Vec<MethodId> {
        let interfaces = self.all_interfaces(class).iter();
        let found = interfaces.filter_map(|&interface| self.declared_by_selector(interface, selector));
        found.filter(|&method| self.methods[method].flags & (access::PRIVATE | access::STATIC) == 0).collect()
    }

    /// All superinterfaces of one class that its superclasses do not bring, nearest first.
    fn interfaces_in_search_order(&self, class: ClassId) -> Vec<ClassId> {
        let mut order: Vec<ClassId> = Vec::new();
        let mut stack: Vec<ClassId> = self.classes[class].interfaces.iter().rev().copied().collect();
        while let Some(interface) = stack.pop() {
            if !order.contains(&interface) {
                order.push(interface);
                stack.extend(self.classes[interface].interfaces.iter().rev());
            }
        }
        order
    }

    /// The ancestor (or the class itself) that is missing, if one is; it is listed as a problem.
    fn missing_ancestor(&self, class: ClassId) -> Option<ResolveError> {
        let ancestors = self.superclasses(class).chain(self.all_interfaces(class).iter().copied());
        let missing = ancestors.into_iter().find(|&ancestor| self.classes[ancestor].is_phantom())?;
        self.report_if_phantom(missing);
        Some(ResolveError::MissingClass(self.classes[missing].name))
    }
}
