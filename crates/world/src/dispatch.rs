//! Selection: which method runs when a resolved method is called on an object of some class (JVM specification 5.4.6).
//!
//! The table of a class is made when the first call on it is asked about, from that of its superclass, and then
//! kept. It answers for methods that any class may override (public, protected, of interfaces). Private methods select
//! themselves; package-private ones, which only classes of the package override, take a walk (5.4.5).

use std::sync::OnceLock;

use selvedge_base::IdVec;
use selvedge_classfile::access;

use crate::names::package;
use crate::program::{ClassId, Method, MethodId, Program, SelectorId};

/// The tables made so far.
#[derive(Debug)]
pub(crate) struct DispatchTables(IdVec<ClassId, OnceLock<Box<Table>>>);

impl DispatchTables {
    pub(crate) fn new(classes: usize) -> Self {
        let mut tables = IdVec::new();
        tables.resize_with(classes, OnceLock::new);
        Self(tables)
    }
}

/// What each selector runs on an object of one class. Both parts are sorted by selector.
#[derive(Debug, Default)]
struct Table {
    /// Methods of the class and its superclasses: the lowest of each selector.
    of_classes: Vec<(SelectorId, MethodId)>,
    /// Methods of superinterfaces: the one maximally specific method with a body, or `None` where there is not
    /// exactly one. They count only where `of_classes` has nothing.
    of_interfaces: Vec<(SelectorId, Option<MethodId>)>,
}

impl Program {
    /// The method that runs when `resolved` is called on an object whose class is `receiver`. `None` where the JVM would
    /// throw: the method is abstract there, or two superinterfaces give one.
    ///
    /// `resolved` must be an instance method, no constructor. For an array, `receiver` is `java/lang/Object`.
    pub fn dispatch(&self, receiver: ClassId, resolved: MethodId) -> Option<MethodId> {
        let method = &self.methods[resolved];
        if method.flags & access::PRIVATE != 0 {
            return self.with_body(resolved);
        }
        let is_package_private = method.flags & (access::PUBLIC | access::PROTECTED) == 0;
        if is_package_private && !self.classes[method.class].is_interface() {
            return self.with_body(self.select_package_private(receiver, resolved));
        }
        let table = self.table(receiver);
        if let Ok(index) = table.of_classes.binary_search_by_key(&method.selector, |entry| entry.0) {
            return self.with_body(table.of_classes[index].1);
        }
        let index = table.of_interfaces.binary_search_by_key(&method.selector, |entry| entry.0).ok()?;
        table.of_interfaces[index].1
    }

    fn with_body(&self, method: MethodId) -> Option<MethodId> {
        (!self.methods[method].is_abstract()).then_some(method)
    }

    /// Goes from the method's class down to the receiver's, keeping the methods that override it so far.
    fn select_package_private(&self, receiver: ClassId, resolved: MethodId) -> MethodId {
        let Method { class: declaring, selector, .. } = self.methods[resolved];
        let mut path: Vec<ClassId> =
            self.superclasses(receiver).take_while(|&class| class != declaring).collect();
        path.reverse();
        let package_of = |class: ClassId| package(self.classes[class].name);
        let mut packages = vec![package_of(declaring)];
        let mut open_to_all = false;
        let mut selected = resolved;
        for class in path {
            let Some(method) = self.declared_by_selector(class, selector) else { continue };
            let flags = self.methods[method].flags;
            if flags & (access::PRIVATE | access::STATIC) != 0 {
                continue;
            }
            let own_package = package_of(class);
            if open_to_all || packages.contains(&own_package) {
                selected = method;
                packages.push(own_package);
                open_to_all |= flags & (access::PUBLIC | access::PROTECTED) != 0;
            }
        }
        selected
    }

    fn table(&self, class: ClassId) -> &Table {
        let tables = &self.dispatch_tables.0;
        if let Some(table) = tables[class].get() {
            return table;
        }
        // From the topmost class without a table down: no recursion, however deep the hierarchy.
        // Another thread may be doing the same: then nothing is missing any more.
        let missing: Vec<ClassId> =
            self.superclasses(class).take_while(|&class| tables[class].get().is_none()).collect();
        for &class in missing.iter().rev() {
            tables[class].get_or_init(|| self.make_table(class));
        }
        tables[class].get_or_init(|| self.make_table(class))
    }

    fn make_table(&self, class: ClassId) -> Box<Table> {
        let superclass = self.classes[class].superclass;
        let inherited = superclass.and_then(|superclass| self.dispatch_tables.0[superclass].get());
        let overridable = |&method: &MethodId| {
            let method = &self.methods[method];
            method.flags & (access::STATIC | access::PRIVATE) == 0 && !method.is_constructor()
        };
        let own = self.declared_in_selector_order(class).iter().copied().filter(overridable);
        let own: Vec<_> = own.map(|method| (self.methods[method].selector, method)).collect();
        let of_classes = match inherited {
            Some(inherited) => merge(&inherited.of_classes, &own),
            None => own,
        };
        let interfaces = self.all_interfaces(class);
        let of_interfaces = match (inherited, superclass) {
            (Some(inherited), Some(superclass)) if self.all_interfaces(superclass) == interfaces => {
                inherited.of_interfaces.clone()
            }
            _ => self.interface_methods(interfaces),
        };
        Box::new(Table { of_classes, of_interfaces })
    }

    /// For each selector that some of the interfaces declare, what a class that implements them all inherits.
    fn interface_methods(&self, interfaces: &[ClassId]) -> Vec<(SelectorId, Option<MethodId>)> {
        let mut candidates: Vec<(SelectorId, MethodId)> = Vec::new();
        for &interface in interfaces {
            for &method in self.declared_in_selector_order(interface) {
                if self.methods[method].flags & (access::STATIC | access::PRIVATE) == 0 {
                    candidates.push((self.methods[method].selector, method));
                }
            }
        }
        candidates.sort_unstable();
        let groups = candidates.chunk_by(|a, b| a.0 == b.0);
        groups
            .map(|group| {
                let methods: Vec<MethodId> = group.iter().map(|&(_, method)| method).collect();
                (group[0].0, self.unique_with_body(&self.maximally_specific(&methods)))
            })
            .collect()
    }

    /// Of interface methods with one selector, those that no other's interface extends.
    pub(crate) fn maximally_specific(&self, methods: &[MethodId]) -> Vec<MethodId> {
        let interface = |method: MethodId| self.methods[method].class;
        let is_overridden = |method: MethodId| {
            let is_below = |&other: &MethodId| {
                interface(other) != interface(method) && self.is_subclass(interface(other), interface(method))
            };
            methods.iter().any(is_below)
        };
        methods.iter().copied().filter(|&method| !is_overridden(method)).collect()
    }

    /// The one method that is not abstract, if there is exactly one.
    pub(crate) fn unique_with_body(&self, methods: &[MethodId]) -> Option<MethodId> {
        let mut with_body = methods.iter().copied().filter(|&method| !self.methods[method].is_abstract());
        let first = with_body.next();
        if with_body.next().is_some() { None } else { first }
    }

    /// The methods a class declares, by ascending selector.
    pub(crate) fn declared_in_selector_order(&self, class: ClassId) -> &[MethodId] {
        let range = self.classes[class].methods;
        match range.first() {
            Some(first) => &self.by_selector[first.number() as usize..first.number() as usize + range.len()],
            None => &[],
        }
    }

    /// The method with this selector that a class itself declares.
    pub(crate) fn declared_by_selector(&self, class: ClassId, selector: SelectorId) -> Option<MethodId> {
        let methods = self.declared_in_selector_order(class);
        let index = methods.partition_point(|&method| self.methods[method].selector < selector);
        methods.get(index).copied().filter(|&method| self.methods[method].selector == selector)
    }
}

/// Merges two sorted lists; where both have a selector, that of `own` counts.
fn merge(
    inherited: &[(SelectorId, MethodId)],
    own: &[(SelectorId, MethodId)],
) -> Vec<(SelectorId, MethodId)> {
    let mut merged = Vec::with_capacity(inherited.len() + own.len());
    let (mut inherited, mut own) = (inherited.iter().peekable(), own.iter().peekable());
    while let (Some(above), Some(below)) = (inherited.peek(), own.peek()) {
        if above.0 < below.0 {
            merged.extend(inherited.next());
        } else {
            if above.0 == below.0 {
                inherited.next();
            }
            merged.extend(own.next());
        }
    }
    merged.extend(inherited);
    merged.extend(own);
    merged
}
