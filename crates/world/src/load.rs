//! From class files to the declarations of a [`Program`](crate::Program).
//!
//! Class files are parsed in parallel, each into its declarations. What follows is sequential and in an order that the
//! input alone decides: dropping duplicates (the first on the path wins), numbering, linking superclasses, adding
//! phantoms.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use selvedge_base::{FastMap, FastSet, IdRange, IdVec, Symbol};
use selvedge_classfile::{ClassFile, FieldType, MethodDescriptor, access, pool::tag};
use selvedge_ir::ClassName;

use crate::hierarchy::Hierarchy;
use crate::input::{ClassSource, Container, ContainerId, Input, Tier};
use crate::names::java_name;
use crate::problem::{Problem, ProblemKind};
use crate::program::{Class, ClassId, Field, Method, MethodId, Parts, SelectorId, missing_class};
use crate::references::{Reference, References};

/// What one class file declares.
struct Declaration {
    source: ClassSource,
    name: ClassName,
    superclass: Option<ClassName>,
    interfaces: Vec<ClassName>,
    nest_host: Option<ClassName>,
    flags: u16,
    fields: Vec<Member>,
    methods: Vec<Member>,
    /// Classes its constant pool names; empty for the JDK, which is assumed to be complete.
    mentioned: Vec<ClassName>,
    /// Method references of a class of the application.
    references: Vec<Reference>,
}

#[derive(Clone, Copy)]
struct Member {
    name: Symbol,
    descriptor: Symbol,
    flags: u16,
}

pub(crate) fn load(input: Input) -> Parts {
    let Input { containers, classes: sources, mut problems, resource_names, groups, jdk } = input;
    let parsed: Vec<Result<Declaration, Problem>> = sources
        .into_par_iter()
        .with_min_len(32)
        .map(|source| {
            let container = &containers[source.container];
            declare(source, container)
                .map_err(|(place, message)| Problem::new(ProblemKind::MalformedClass, place, message))
        })
        .collect();
    let mut declarations = Vec::with_capacity(parsed.len());
    for declaration in parsed {
        match declaration {
            Ok(declaration) => declarations.push(declaration),
            Err(problem) => problems.push(problem),
        }
    }
    drop_duplicates(&mut declarations, &containers, &mut problems);
    declarations.par_sort_unstable_by(|a, b| {
        let key = |declaration: &Declaration| {
            (containers[declaration.source.container].tier, declaration.name.as_bytes())
        };
        key(a).cmp(&key(b))
    });

    let mut by_name: FastMap<ClassName, ClassId> = FastMap::default();
    by_name.reserve(declarations.len());
    for (index, declaration) in declarations.iter().enumerate() {
        by_name.insert(declaration.name, ClassId::new(index as u32));
    }
    declare_references(&mut declarations, &containers);
    let phantoms = find_phantoms(&declarations, &by_name, &mut problems);
    for (index, &(name, _)) in phantoms.iter().enumerate() {
        by_name.insert(name, ClassId::new((declarations.len() + index) as u32));
    }
    let object = by_name[&ClassName::object()];

    let (mut members, mut references) = (Members::default(), References::default());
    // About every other method has a name and descriptor of its own.
    members.selectors.reserve(declarations.iter().map(|class| class.methods.len()).sum::<usize>() / 2);
    let mut classes: IdVec<ClassId, Class> = IdVec::with_capacity(by_name.len());
    for declaration in declarations {
        let id = classes.next_id();
        let (methods, fields) = members.add(id, &declaration);
        references.add(methods, &declaration.references);
        let named = |name: &ClassName| by_name[name];
        classes.push(Class {
            name: declaration.name,
            superclass: declaration.superclass.as_ref().map(named),
            interfaces: declaration.interfaces.iter().map(named).collect(),
            nest_host: declaration.nest_host.and_then(|host| by_name.get(&host).copied()).unwrap_or(id),
            flags: declaration.flags,
            tier: containers[declaration.source.container].tier,
            container: Some(declaration.source.container),
            methods,
            fields,
            bytes: Some(declaration.source.bytes),
        });
    }
    for (name, is_interface) in phantoms {
        let interface_flags = access::INTERFACE | access::ABSTRACT;
        classes.push(Class {
            name,
            superclass: (!name.is("java/lang/Object")).then_some(object),
            interfaces: Box::default(),
            nest_host: classes.next_id(),
            flags: access::PUBLIC | if is_interface { interface_flags } else { 0 },
            tier: Tier::Library,
            container: None,
            methods: IdRange::empty(),
            fields: IdRange::empty(),
            bytes: None,
        });
    }
    check_nests(&mut classes);
    let hierarchy = Hierarchy::compute(&mut classes, object, &mut problems);
    let Members { methods, fields, selectors, by_selector } = members;
    let jdk_version = jdk.version;
    let in_resources = classes_in_resources(&resource_names, &by_name, &classes);
    Parts {
        classes,
        methods,
        fields,
        containers,
        groups,
        jdk_version,
        by_name,
        selectors,
        by_selector,
        hierarchy,
        object,
        problems,
        in_resources,
        references,
    }
}

/// Adds methods for the method references whose target no class of the application declares.
fn declare_references(declarations: &mut [Declaration], containers: &IdVec<ContainerId, Container>) {
    let mut declared: FastSet<(ClassName, Symbol, Symbol)> = FastSet::default();
    let application = |class: &&Declaration| containers[class.source.container].tier == Tier::Application;
    for class in declarations.iter().filter(application) {
        declared.extend(class.methods.iter().map(|method| (class.name, method.name, method.descriptor)));
    }
    for class in declarations.iter_mut().filter(|class| !class.references.is_empty()) {
        class.references.retain(|reference| !declared.contains(&reference.target()));
        let mut names: FastSet<Symbol> = class.methods.iter().map(|method| method.name).collect();
        for reference in &class.references {
            let host = class.methods[reference.host].name;
            let (name, descriptor, flags) = reference.declare(host, &mut names);
            class.methods.push(Member { name, descriptor, flags });
        }
    }
}

/// The classes of the application that resources name, by ascending id.
fn classes_in_resources(
    names: &[String],
    by_name: &FastMap<ClassName, ClassId>,
    classes: &IdVec<ClassId, Class>,
) -> Vec<ClassId> {
    let named = names.iter().filter_map(|name| by_name.get(&ClassName::new(name.replace('.', "/"))).copied());
    let mut found: Vec<ClassId> = named
        .filter(|&class| classes[class].tier == Tier::Application && !classes[class].is_phantom())
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// A nest host outside the package does not count.
fn check_nests(classes: &mut IdVec<ClassId, Class>) {
    for id in classes.ids() {
        let host = classes[id].nest_host;
        let package = |id: ClassId| crate::names::package(classes[id].name);
        if host != id && package(host) != package(id) {
            classes[id].nest_host = id;
        }
    }
}

/// The arenas of members as they grow.
#[derive(Default)]
struct Members {
    methods: IdVec<MethodId, Method>,
    fields: IdVec<crate::program::FieldId, Field>,
    selectors: FastMap<(Symbol, Symbol), SelectorId>,
    by_selector: Vec<MethodId>,
}

impl Members {
    fn add(
        &mut self,
        class: ClassId,
        declaration: &Declaration,
    ) -> (IdRange<MethodId>, IdRange<crate::program::FieldId>) {
        let (first_method, first_field) = (self.methods.next_id(), self.fields.next_id());
        for &Member { name, descriptor, flags } in &declaration.methods {
            let next = SelectorId::new(self.selectors.len() as u32);
            let selector = *self.selectors.entry((name, descriptor)).or_insert(next);
            let method = self.methods.push(Method { class, name, descriptor, selector, flags });
            self.by_selector.push(method);
        }
        for &Member { name, descriptor, flags } in &declaration.fields {
            self.fields.push(Field { class, name, descriptor, flags });
        }
        let methods = IdRange::new(first_method, self.methods.next_id());
        let start = self.by_selector.len() - methods.len();
        // Stable, so that of two methods with one selector the first is found.
        self.by_selector[start..].sort_by_key(|&method| self.methods[method].selector);
        (methods, IdRange::new(first_field, self.fields.next_id()))
    }
}

/// Reads the declarations of a class file; the error is a place and what is wrong there.
fn declare(source: ClassSource, container: &Container) -> Result<Declaration, (String, String)> {
    let place = || match &*source.path {
        "" => container.location.clone(),
        path => format!("{}!/{path}", container.location),
    };
    let malformed = |message: String| (place(), format!("is not a usable class file: {message}"));
    let file = ClassFile::parse(&source.bytes).map_err(|error| malformed(error.to_string()))?;
    if matches!(file.this_class.first(), None | Some(b'[')) {
        return Err(malformed("its name is not that of a class".to_owned()));
    }
    if !source.path.is_empty() && !is_path_of(source.path.as_bytes(), file.this_class) {
        let name = java_name(ClassName::new(file.this_class));
        return Err((place(), format!("holds the class {name}, which the JVM would not look for there")));
    }
    for (member, is_method) in
        file.fields.iter().map(|field| (field, false)).chain(file.methods.iter().map(|method| (method, true)))
    {
        let descriptor_is_good = if is_method {
            MethodDescriptor::parse(member.descriptor).is_ok()
        } else {
            FieldType::parse(member.descriptor).is_ok()
        };
        if !descriptor_is_good {
            let name = String::from_utf8_lossy(member.name);
            return Err(malformed(format!("the descriptor of {name} is malformed")));
        }
    }
    let member = |member: &selvedge_classfile::Member<'_>| Member {
        name: Symbol::new(member.name),
        descriptor: Symbol::new(member.descriptor),
        flags: member.access,
    };
    let mentioned = if container.tier == Tier::Jdk { Vec::new() } else { mentioned_classes(&file) };
    let references = if container.tier == Tier::Application { Reference::all_in(&file) } else { Vec::new() };
    let nest_host = file.nest_host().ok().flatten().map(ClassName::new);
    Ok(Declaration {
        name: ClassName::new(file.this_class),
        superclass: file.super_class.map(ClassName::new),
        interfaces: file.interfaces.iter().map(ClassName::new).collect(),
        nest_host,
        flags: file.access,
        fields: file.fields.iter().map(member).collect(),
        methods: file.methods.iter().map(member).collect(),
        mentioned,
        references,
        source,
    })
}

/// Whether a class of this name belongs at this path, below whatever directory the tree of packages starts in.
fn is_path_of(path: &[u8], name: &[u8]) -> bool {
    let Some(stem) = path.strip_suffix(b".class") else { return false };
    // Names that are not UTF-8 are replaced in paths and cannot be compared.
    let replaced = stem.windows(3).any(|bytes| bytes == "\u{FFFD}".as_bytes());
    let Some(before) = stem.strip_suffix(name) else { return replaced };
    before.is_empty() || before.ends_with(b"/")
}

fn mentioned_classes(file: &ClassFile<'_>) -> Vec<ClassName> {
    let pool = &file.pool;
    let classes = pool.indexes().filter(|&index| pool.tag(index) == Ok(tag::CLASS));
    let names = classes.filter_map(|index| pool.class_name(index).ok());
    let elements = names.filter_map(|name| match FieldType::parse_class_name(name).ok()? {
        FieldType::Class(name) => Some(name),
        FieldType::Array(array) => match array.element() {
            FieldType::Class(name) => Some(name),
            _ => None,
        },
        FieldType::Primitive(_) => None,
    });
    elements.filter(|name| !name.is_empty()).map(ClassName::new).collect()
}

/// Keeps the first class of each name; one problem for each two containers that have classes in common.
fn drop_duplicates(
    declarations: &mut Vec<Declaration>,
    containers: &IdVec<ContainerId, Container>,
    problems: &mut Vec<Problem>,
) {
    let mut first: FastMap<ClassName, ContainerId> = FastMap::default();
    first.reserve(declarations.len());
    let mut common: BTreeMap<(ContainerId, ContainerId), Vec<ClassName>> = BTreeMap::new();
    declarations.retain(|declaration| {
        let container = declaration.source.container;
        match first.get(&declaration.name) {
            None => {
                first.insert(declaration.name, container);
                true
            }
            Some(&used) => {
                common.entry((container, used)).or_default().push(declaration.name);
                false
            }
        }
    });
    for ((container, used), mut names) in common {
        names.sort_unstable();
        let (count, shown) = (names.len(), names.len().min(3));
        let shown: Vec<String> = names[..shown].iter().map(|&name| java_name(name)).collect();
        let more =
            if count > shown.len() { format!(" and {} more", count - shown.len()) } else { String::new() };
        let shown = shown.join(", ");
        let message = if container == used {
            format!("holds these classes twice, of which the first is used: {shown}{more}")
        } else {
            let used = &containers[used].location;
            format!("holds classes that {used} has as well, from where they are used: {shown}{more}")
        };
        let place = containers[container].location.clone();
        problems.push(Problem::new(ProblemKind::DuplicateClass, place, message));
    }
}

/// The classes that are missing, by name, and whether each is used as an interface. Those that some class extends or
/// implements are problems right away; others when something asks for them.
fn find_phantoms(
    declarations: &[Declaration],
    by_name: &FastMap<ClassName, ClassId>,
    problems: &mut Vec<Problem>,
) -> Vec<(ClassName, bool)> {
    let mut phantoms: FastSet<ClassName> = FastSet::default();
    let mut ancestors: BTreeSet<ClassName> = BTreeSet::new();
    let mut interfaces: FastSet<ClassName> = FastSet::default();
    if !by_name.contains_key(&ClassName::object()) {
        ancestors.insert(ClassName::object());
    }
    for declaration in declarations {
        for &name in declaration.superclass.iter().chain(&declaration.interfaces) {
            if !by_name.contains_key(&name) {
                ancestors.insert(name);
            }
        }
        interfaces.extend(declaration.interfaces.iter().filter(|&name| !by_name.contains_key(name)));
        phantoms.extend(declaration.mentioned.iter().filter(|&name| !by_name.contains_key(name)));
    }
    problems.extend(ancestors.iter().map(|&name| missing_class(name)));
    phantoms.extend(ancestors);
    let mut phantoms: Vec<ClassName> = phantoms.into_iter().collect();
    phantoms.sort_unstable();
    phantoms.into_iter().map(|name| (name, interfaces.contains(&name))).collect()
}
