//! Finds the classes that a container makes and calls: servlets, controllers, listeners.
//!
//! What makes a class one of them, and which of its methods are called, say the [frameworks](selvedge_models::framework) of
//! the models. Names decide, so that a framework need not be on the class path: its classes are phantoms then.

use std::sync::Arc;

use selvedge_base::{FastMap, FastSet, Symbol};
use selvedge_classfile::access;
use selvedge_ir::ClassName;
use selvedge_models::framework::{Calls, Framework, Instances, Overlap};
use selvedge_models::{Class, Models};
use selvedge_world::{Annotations, ClassId, FieldId, MethodId, Program, Tier};

/// A class that a container makes and calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Service {
    /// The class; for [registered](Instances::Registered) instances the interface through which they are called.
    pub class: ClassId,
    /// The first framework that it belongs to.
    pub framework: Arc<str>,
    /// How many instances there are.
    pub instances: Instances,
    /// The methods that are called on an instance before all others.
    pub starts: Vec<MethodId>,
    /// The methods that are called from many threads, and what may overlap with a call.
    pub calls: Vec<(MethodId, Overlap)>,
    /// The fields that the container sets.
    pub injected: Vec<FieldId>,
    /// The constructor that the container uses.
    pub constructor: Option<MethodId>,
}

/// The simple names of annotations on what the container sets or calls to prepare an instance.
const INJECTION: [&str; 7] =
    ["Autowired", "Inject", "Resource", "EJB", "Value", "Context", "PersistenceContext"];

/// How deep annotations of annotations are followed.
const META_DEPTH: usize = 3;

/// The services among the classes of the application, by ascending id.
pub fn services(program: &Program, models: &Models) -> Vec<Service> {
    let mut finder = Finder { program, models, annotations: FastMap::default() };
    let classes = program.classes.iter_ids().filter(|(_, class)| class.tier == Tier::Application);
    classes.filter_map(|(id, _)| finder.service(id)).collect()
}

struct Finder<'p> {
    program: &'p Program,
    models: &'p Models,
    annotations: FastMap<ClassId, Arc<Annotations>>,
}

/// A method that an instance of a class has, with the annotations that it or what it overrides has.
struct Candidate {
    method: MethodId,
    annotations: Vec<ClassName>,
    is_injection: bool,
}

impl<'p> Finder<'p> {
    fn annotations(&mut self, class: ClassId) -> Arc<Annotations> {
        let program = self.program;
        self.annotations.entry(class).or_insert_with(|| Arc::new(program.annotations(class))).clone()
    }

    fn service(&mut self, class: ClassId) -> Option<Service> {
        let data = &self.program.classes[class];
        if data.flags & access::ANNOTATION != 0 || data.is_enum() {
            return None;
        }
        if data.is_interface() {
            return self.registered(class);
        }
        if data.is_abstract() {
            return None;
        }
        let above = self.supertypes(class);
        let on_class = self.class_annotations(class);
        let methods = self.methods(class);
        let frameworks: Vec<&'p Framework> = self
            .models
            .frameworks()
            .iter()
            .filter(|framework| !matches!(framework.instances, Instances::Registered(_)))
            .filter(|framework| is_one(framework, &above, &on_class, &methods))
            .collect();
        let first = frameworks.first()?;
        let (starts, calls) = self.called(&frameworks, &methods);
        Some(Service {
            class,
            framework: first.name.clone(),
            instances: first.instances.clone(),
            starts,
            calls,
            injected: self.injected_fields(class),
            constructor: self.constructor(class),
        })
    }

    /// An interface by which containers call objects that the program registers.
    fn registered(&mut self, class: ClassId) -> Option<Service> {
        let name = self.program.classes[class].name;
        let ends = |suffix: &String| name.as_bytes().ends_with(suffix.as_bytes());
        let framework = self.models.frameworks().iter().find(|framework| {
            matches!(framework.instances, Instances::Registered(_))
                && framework.supertype_suffixes.iter().any(ends)
        })?;
        let interfaces = std::iter::once(class).chain(self.program.all_interfaces(class).iter().copied());
        let methods = interfaces.flat_map(|interface| self.program.classes[interface].methods.iter());
        let called = methods.filter(|&method| !self.program.methods[method].is_static());
        Some(Service {
            class,
            framework: framework.name.clone(),
            instances: framework.instances.clone(),
            starts: Vec::new(),
            calls: called
                .filter(|&method| !self.program.methods[method].is_class_initializer())
                .map(|method| (method, framework.overlap))
                .collect(),
            injected: Vec::new(),
            constructor: None,
        })
    }

    /// The class and all its superclasses and interfaces by name.
    fn supertypes(&self, class: ClassId) -> FastSet<Symbol> {
        let interfaces = self.program.all_interfaces(class).iter().copied();
        let all = self.program.superclasses(class).chain(interfaces);
        all.map(|class| self.program.classes[class].name.symbol()).collect()
    }

    /// The annotations of a class, and those of its annotations where they are part of the input.
    fn class_annotations(&mut self, class: ClassId) -> FastSet<Symbol> {
        let mut found: FastSet<Symbol> = FastSet::default();
        let mut pending = vec![(class, 0)];
        while let Some((class, depth)) = pending.pop() {
            let annotations = self.annotations(class);
            // A scope that says what holds without it says nothing.
            let counts = |texts: &[String]| texts != ["singleton"];
            for annotation in annotations.class.iter().filter(|annotation| counts(&annotation.texts)) {
                if found.insert(annotation.name.symbol())
                    && depth < META_DEPTH
                    && let Some(above) = self.program.class_named(annotation.name)
                    && !self.program.classes[above].is_phantom()
                {
                    pending.push((above, depth + 1));
                }
            }
        }
        found
    }

    /// The methods of the application that an instance has.
    fn methods(&mut self, class: ClassId) -> Vec<Candidate> {
        let program = self.program;
        let of_application = |class: &ClassId| program.classes[*class].tier == Tier::Application;
        let chain: Vec<ClassId> = program.superclasses(class).filter(of_application).collect();
        let interfaces = program.all_interfaces(class).iter().copied().filter(of_application);
        let declaring: Vec<ClassId> = chain.iter().copied().chain(interfaces).collect();
        let mut annotated: FastMap<(Symbol, Symbol), Vec<ClassName>> = FastMap::default();
        let mut injected: FastSet<MethodId> = FastSet::default();
        for class in declaring {
            for (method, uses) in &self.annotations(class).methods {
                let data = &program.methods[*method];
                let names = annotated.entry((data.name, data.descriptor)).or_default();
                names.extend(uses.iter().map(|annotation| annotation.name));
                if uses.iter().any(|annotation| INJECTION.contains(&annotation.simple_name())) {
                    injected.insert(*method);
                }
            }
        }
        let mut seen: FastSet<(Symbol, Symbol)> = FastSet::default();
        let mut found = Vec::new();
        for method in chain.iter().flat_map(|&class| program.classes[class].methods.iter()) {
            let data = &program.methods[method];
            let is_called = data.has_code() && !data.is_static() && !data.is_constructor();
            let key = (data.name, data.descriptor);
            if is_called && data.flags & access::SYNTHETIC == 0 && seen.insert(key) {
                let annotations = annotated.get(&key).cloned().unwrap_or_default();
                found.push(Candidate { method, annotations, is_injection: injected.contains(&method) });
            }
        }
        found
    }

    /// The methods that are called first, and those that are called from many threads.
    fn called(
        &self,
        frameworks: &[&Framework],
        methods: &[Candidate],
    ) -> (Vec<MethodId>, Vec<(MethodId, Overlap)>) {
        let (mut starts, mut calls) = (Vec::new(), Vec::new());
        for candidate in methods {
            let data = &self.program.methods[candidate.method];
            let has = |wanted: &[Class]| has_any(&candidate.annotations, wanted);
            let is_start = candidate.is_injection
                || frameworks.iter().any(|framework| {
                    framework.starts.contains(&data.name) || has(&framework.start_annotations)
                });
            if is_start {
                starts.push(candidate.method);
                continue;
            }
            let named = |framework: &&&Framework| {
                has(&framework.call_annotations)
                    || matches!(&framework.calls, Calls::Named(names) if names.contains(&data.name))
            };
            let is_setter = data.name.as_bytes().starts_with(b"set") && data.parameter_types().len() == 1;
            let public =
                |framework: &&&Framework| framework.calls == Calls::Public && data.is_public() && !is_setter;
            let by = frameworks.iter().find(named).or_else(|| frameworks.iter().find(public));
            match by {
                Some(framework) => calls.push((candidate.method, framework.overlap)),
                None if is_setter && data.is_public() => starts.push(candidate.method),
                None => {}
            }
        }
        (starts, calls)
    }

    fn injected_fields(&mut self, class: ClassId) -> Vec<FieldId> {
        let program = self.program;
        let chain: Vec<ClassId> = program
            .superclasses(class)
            .filter(|&class| program.classes[class].tier == Tier::Application)
            .collect();
        let mut found = Vec::new();
        for class in chain {
            for (field, uses) in &self.annotations(class).fields {
                let is_injection =
                    uses.iter().any(|annotation| INJECTION.contains(&annotation.simple_name()));
                if is_injection && !program.fields[*field].is_static() {
                    found.push(*field);
                }
            }
        }
        found
    }

    /// The constructor with an annotation, or that without parameters, or the first.
    fn constructor(&mut self, class: ClassId) -> Option<MethodId> {
        let annotations = self.annotations(class);
        let annotated = annotations.methods.iter().find(|(method, uses)| {
            self.program.methods[*method].is_constructor()
                && uses.iter().any(|annotation| INJECTION.contains(&annotation.simple_name()))
        });
        let all = || {
            let methods = self.program.classes[class].methods.iter();
            methods.filter(|&method| self.program.methods[method].is_constructor())
        };
        let plain = || all().find(|&method| self.program.methods[method].descriptor.is("()V"));
        annotated.map(|(method, _)| *method).or_else(plain).or_else(|| all().next())
    }
}

fn has_any(annotations: &[ClassName], wanted: &[Class]) -> bool {
    annotations.iter().any(|name| wanted.iter().any(|class| class.symbol() == name.symbol()))
}

fn is_one(
    framework: &Framework,
    above: &FastSet<Symbol>,
    on_class: &FastSet<Symbol>,
    methods: &[Candidate],
) -> bool {
    let holds = |set: &FastSet<Symbol>, wanted: &[Class]| wanted.iter().any(|c| set.contains(&c.symbol()));
    let by_method = || methods.iter().any(|one| has_any(&one.annotations, &framework.method_annotations));
    (holds(above, &framework.supertypes) || holds(on_class, &framework.class_annotations) || by_method())
        && (framework.with.is_empty() || holds(on_class, &framework.with))
        && !holds(on_class, &framework.without)
}
