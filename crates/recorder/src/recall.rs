//! How much of what a run did a static call graph knows.
//!
//! The measure is recall: of the normalised edges of a recording, the part that the graph has. Edges that leave application
//! code count most. What the JDK does for the JVM (below upcalls, in the launcher) is not asked about, nor what
//! it does inside methods whose code the graph's makers replaced by models. Edges without a calling instruction ask whether the callee is
//! reached. Each missing edge gets a cause; [`Cause::UnreachedCaller`] marks those that follow from another miss.

use crate::normal::Normalised;
use crate::plumbing;
use crate::recording::{Edge, Method, MethodIndex, Recording, Site, Via};
use rustc_hash::FxHashMap;
use selvedge_base::Symbol;
use selvedge_ir::{ClassName, Op};
use selvedge_world::{ClassId, MethodId, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What a recording is held against: a call graph over a [`Program`].
pub trait Graph {
    /// Whether a method may run.
    fn is_reached(&self, method: MethodId) -> bool;
    /// Whether the call at a bytecode index of a method may run `callee`.
    fn calls(&self, caller: MethodId, bci: u32, callee: MethodId) -> bool;
    /// Whether the call at a bytecode index may run a lambda, a reflective call, a method handle or a proxy that runs `callee`.
    fn leads_to(&self, caller: MethodId, bci: u32, callee: MethodId) -> bool;
    /// Whether a model stands for a method's code, so that its calls are not in the graph.
    fn is_replaced(&self, method: MethodId) -> bool;
    /// Whether an object whose class is exactly this one may exist.
    fn is_allocated(&self, class: ClassId) -> bool;
    /// An assumption of the graph's makers on classes that the program makes while it runs, if they have one.
    fn assumption_on_made_classes(&self) -> Option<String> {
        None
    }
    /// An assumption of the graph's makers on providers of services, if it leaves out this class.
    fn assumption_on_provider(&self, class: ClassId) -> Option<String> {
        let _ = class;
        None
    }
    /// An assumption of the graph's makers that names the method: what it does beyond the graph is said not to be known.
    fn assumption_of(&self, method: MethodId) -> Option<String> {
        let _ = method;
        None
    }
}

/// Why the graph lacks an edge, as far as it can be told from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The caller's class is in no class file: the program made it while it ran.
    GeneratedCaller,
    /// The callee's class is in no class file.
    GeneratedCallee,
    /// A class file of this name has no such method: the program runs another version of the class.
    OtherVersion,
    /// The graph has the call, but its code is not reached: a consequence of another miss.
    UnreachedCaller,
    /// The call goes through reflection, which was not resolved.
    Reflection,
    /// The call goes through a method handle, which was not resolved.
    MethodHandle,
    /// The call goes through a dynamic proxy, which was not resolved.
    Proxy,
    /// The call goes through a lambda that does not reach the site.
    Lambda,
    /// No object is allocated on which the callee could run.
    UnallocatedReceiver,
    /// Objects that run the callee exist, but none reaches the call.
    LostReceiver,
    /// The call leaves no choice of callee and is still missing.
    FixedCall,
    /// The class initialiser is not triggered.
    Uninitialised,
    /// Nothing calls what native code or the JVM called.
    NotCalledBack,
}

impl Cause {
    /// The cause in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Cause::GeneratedCaller => "caller's class was made at run time",
            Cause::GeneratedCallee => "callee's class was made at run time",
            Cause::OtherVersion => "another version of the class ran",
            Cause::UnreachedCaller => "caller not reached",
            Cause::Reflection => "reflective call not resolved",
            Cause::MethodHandle => "method handle not resolved",
            Cause::Proxy => "dynamic proxy not resolved",
            Cause::Lambda => "lambda does not reach the site",
            Cause::UnallocatedReceiver => "no receiver allocated",
            Cause::LostReceiver => "receiver does not reach the site",
            Cause::FixedCall => "call with one target missing",
            Cause::Uninitialised => "class not initialised",
            Cause::NotCalledBack => "not called back",
        }
    }

    /// Whether no analysis of the class files could have the edge: code that is not in them takes part.
    pub fn is_outside_class_files(self) -> bool {
        matches!(self, Cause::GeneratedCaller | Cause::GeneratedCallee | Cause::OtherVersion)
    }
}

/// Observed and found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many the run showed.
    pub observed: usize,
    /// How many of them the graph has.
    pub found: usize,
}

impl Tally {
    fn count(&mut self, found: bool) {
        self.observed += 1;
        self.found += usize::from(found);
    }

    /// The part found, in percent; of nothing, everything is found.
    pub fn percent(self) -> f64 {
        if self.observed == 0 { 100.0 } else { 100.0 * self.found as f64 / self.observed as f64 }
    }

    /// Adds another tally.
    pub fn add(&mut self, other: Tally) {
        self.observed += other.observed;
        self.found += other.found;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A miss must never be rounded away to 100.
        let percent = (self.percent() * 100.0).floor() / 100.0;
        write!(f, "{percent:.2} % ({} of {})", self.found, self.observed)
    }
}

/// An edge that the graph lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Miss {
    /// The edge.
    pub edge: Edge,
    /// Why it is missing.
    pub cause: Cause,
    /// Whether application code calls.
    pub from_application: bool,
}

/// The answer to a recording.
#[derive(Clone, Debug, Default)]
pub struct Recall {
    /// Edges out of application code whose both ends are in class files.
    pub application_edges: Tally,
    /// All edges of the program's work whose both ends are in class files.
    pub edges: Tally,
    /// Methods of the application that ran.
    pub application_methods: Tally,
    /// All methods that ran on the program's behalf outside of models.
    pub methods: Tally,
    /// Classes of the application that were allocated.
    pub application_classes: Tally,
    /// All classes that were allocated.
    pub classes: Tally,
    /// Methods that ran on the program's behalf and that the graph does not reach.
    pub unreached: BTreeSet<MethodIndex>,
    /// What is missing, in the recording's order.
    pub misses: Vec<Miss>,
    /// Allocated classes that the graph does not allocate.
    pub missing_classes: Vec<String>,
    /// Edges that are not asked about: from an `invokedynamic` to JDK code that its bootstrap method put behind it, such as
    /// the helpers of string concatenation. How a bootstrap of the JDK does its work is the JDK's own affair.
    pub bootstrap_helpers: usize,
    /// Edges that are not asked about: made by the JDK for the JVM, or inside what models replace.
    pub not_the_programs: usize,
}

/// Asks a graph about everything a recording shows.
pub fn compare(recording: &Recording, program: &Program, graph: &dyn Graph) -> Recall {
    let names = Names::new(recording, program);
    let mut recall = Recall::default();
    let normalised = Normalised::of(recording);
    let is_replaced = |index| names.method(index).is_some_and(|method| graph.is_replaced(method));
    let ran = normalised.methods_of_the_program(recording, is_replaced);
    for &edge in &normalised.edges {
        let by_the_program = match edge.caller {
            Some(site) => ran.contains(&site.method) && !is_replaced(site.method),
            None => ran.contains(&edge.callee),
        };
        if !by_the_program {
            recall.not_the_programs += 1;
            continue;
        }
        if names.is_bootstrap_helper(edge) {
            recall.bootstrap_helpers += 1;
            continue;
        }
        let from_application = edge.caller.is_some_and(|site| recording.is_application(site.method));
        let cause = names.judge(edge, graph);
        if !cause.is_some_and(Cause::is_outside_class_files) {
            recall.edges.count(cause.is_none());
            if from_application {
                recall.application_edges.count(cause.is_none());
            }
        }
        recall.misses.extend(cause.map(|cause| Miss { edge, cause, from_application }));
    }
    names.count_methods(graph, &ran, &mut recall);
    names.count_classes(graph, &mut recall);
    recall
}

/// The recording's names looked up in the program.
struct Names<'a> {
    recording: &'a Recording,
    program: &'a Program,
    methods: FxHashMap<MethodIndex, Option<MethodId>>,
}

impl<'a> Names<'a> {
    fn new(recording: &'a Recording, program: &'a Program) -> Self {
        let indexes = (0..recording.methods.len() as u32).map(MethodIndex);
        let methods = indexes.map(|index| (index, find_method(program, recording.method(index)))).collect();
        Names { recording, program, methods }
    }

    fn method(&self, index: MethodIndex) -> Option<MethodId> {
        self.methods.get(&index).copied().flatten()
    }

    fn is_bootstrap_helper(&self, edge: Edge) -> bool {
        let is_dynamic = |site: Site| {
            let body = self.method(site.method).and_then(|method| self.program.body(method));
            let mut insts = body.into_iter().flat_map(|body| body.insts.iter());
            insts.any(|inst| Some(inst.bci) == site.bci && matches!(inst.op, Op::InvokeDynamic(_)))
        };
        edge.via == Via::MethodHandle
            && !self.recording.is_application(edge.callee)
            && edge.caller.is_some_and(is_dynamic)
    }

    /// Why a name of the recording is not in the program, where it is not.
    fn absent(&self, index: MethodIndex, generated: Cause) -> Option<Cause> {
        if self.method(index).is_some() {
            return None;
        }
        let has_class = find_class(self.program, &self.recording.method(index).class).is_some();
        Some(if has_class { Cause::OtherVersion } else { generated })
    }

    /// Why the graph lacks an edge; `None` if it has it.
    fn judge(&self, edge: Edge, graph: &dyn Graph) -> Option<Cause> {
        let absent = edge.caller.and_then(|site| self.absent(site.method, Cause::GeneratedCaller));
        if let Some(cause) = absent.or_else(|| self.absent(edge.callee, Cause::GeneratedCallee)) {
            return Some(cause);
        }
        let callee = self.method(edge.callee)?;
        let site = edge.caller.and_then(|site| Some((self.method(site.method)?, site.bci?)));
        let caller = edge.caller.and_then(|site| self.method(site.method));
        let unless_behind = |cause| match caller {
            Some(caller) if !graph.is_reached(caller) => Cause::UnreachedCaller,
            _ => cause,
        };
        match (edge.via, site) {
            (Via::Clinit, _) => (!graph.is_reached(callee)).then(|| unless_behind(Cause::Uninitialised)),
            (Via::Native | Via::Vm, _) | (_, None) => {
                (!graph.is_reached(callee)).then(|| unless_behind(Cause::NotCalledBack))
            }
            (via, Some((caller, bci))) => {
                let found = if via.is_collapsed() {
                    graph.leads_to(caller, bci, callee)
                } else {
                    graph.calls(caller, bci, callee)
                };
                (!found).then(|| match via {
                    _ if !graph.is_reached(caller) => Cause::UnreachedCaller,
                    Via::Reflection => Cause::Reflection,
                    Via::MethodHandle => Cause::MethodHandle,
                    Via::Proxy => Cause::Proxy,
                    Via::Lambda => Cause::Lambda,
                    _ => self.lost_call(callee, graph),
                })
            }
        }
    }

    fn lost_call(&self, callee: MethodId, graph: &dyn Graph) -> Cause {
        let method = &self.program.methods[callee];
        if method.is_static() || method.is_constructor() || method.is_private() {
            return Cause::FixedCall;
        }
        let can_run =
            self.program.subtypes(method.class).iter().any(|&class| {
                graph.is_allocated(class) && self.program.dispatch(class, callee) == Some(callee)
            });
        if can_run { Cause::LostReceiver } else { Cause::UnallocatedReceiver }
    }

    fn count_methods(&self, graph: &dyn Graph, ran: &BTreeSet<MethodIndex>, recall: &mut Recall) {
        for &index in ran {
            let Some(method) = self.method(index) else { continue };
            let reached = graph.is_reached(method);
            recall.methods.count(reached);
            if !reached {
                recall.unreached.insert(index);
            }
            if self.recording.is_application(index) {
                recall.application_methods.count(reached);
            }
        }
    }

    fn count_classes(&self, graph: &dyn Graph, recall: &mut Recall) {
        let allocated = self.recording.allocated.iter();
        for name in allocated.filter(|name| !plumbing::is_made_at_run_time(name)) {
            let Some(class) = find_class(self.program, name) else { continue };
            let found = graph.is_allocated(class);
            recall.classes.count(found);
            if self.recording.classes.get(name).is_some_and(|facts| !facts.loader.is_jdk()) {
                recall.application_classes.count(found);
            }
            if !found {
                recall.missing_classes.push(name.clone());
            }
        }
    }
}

pub(crate) fn find_class(program: &Program, name: &str) -> Option<ClassId> {
    let class = program.class_named(ClassName::new(name))?;
    (!program.classes[class].is_phantom()).then_some(class)
}

pub(crate) fn find_method(program: &Program, method: &Method) -> Option<MethodId> {
    let class = find_class(program, &method.class)?;
    program.declared_method(class, Symbol::new(&method.name), Symbol::new(&method.descriptor))
}

impl Recall {
    /// How many edges are missing for each cause, those out of application code first.
    pub fn causes(&self) -> BTreeMap<(bool, Cause), usize> {
        let mut counts = BTreeMap::new();
        for miss in &self.misses {
            *counts.entry((!miss.from_application, miss.cause)).or_default() += 1;
        }
        counts
    }

    /// Adds another recording's tallies, not its misses.
    pub fn add_tallies(&mut self, other: &Recall) {
        self.bootstrap_helpers += other.bootstrap_helpers;
        self.not_the_programs += other.not_the_programs;
        self.application_edges.add(other.application_edges);
        self.edges.add(other.edges);
        self.application_methods.add(other.application_methods);
        self.methods.add(other.methods);
        self.application_classes.add(other.application_classes);
        self.classes.add(other.classes);
    }
}

impl fmt::Display for Recall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  edges of the application   {}", self.application_edges)?;
        writeln!(f, "  edges with the JDK's       {}", self.edges)?;
        writeln!(f, "  methods of the application {}", self.application_methods)?;
        writeln!(f, "  methods with the JDK's     {}", self.methods)?;
        writeln!(f, "  allocated, application     {}", self.application_classes)?;
        write!(f, "  allocated with the JDK's   {}", self.classes)
    }
}
