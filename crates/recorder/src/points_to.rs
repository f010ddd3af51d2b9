//! The call graph of the points-to analysis, contexts forgotten, as recordings are held against it.
//!
//! Where the analysis has a procedure for what exists only at run time (a lambda's method, a proxy's) or a model that calls
//! (`Method.invoke`, `MethodHandle.invokeExact`), a site that calls it leads to what that calls in turn, however long the
//! chain. Chains are followed between instances, so that one site's reflective targets do not count for another's.

use std::collections::BTreeSet;

use crate::plumbing;
use crate::recall::Graph;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_ir::Op;
use selvedge_pta::{Analysis, CallEdge, InstanceId, Procedure, ProcedureId};
use selvedge_world::{ClassId, MethodId, Program};

/// A call instruction: a method and a bytecode index.
type Site = (MethodId, u32);

/// Reached methods, edges and allocated classes of an analysis.
#[derive(Default)]
pub struct PointsTo {
    reached: FxHashSet<MethodId>,
    calls: FxHashSet<(Site, MethodId)>,
    leads_to: FxHashSet<(Site, MethodId)>,
    /// Reached methods whose code calls something and whose summary has none of these calls.
    replaced: FxHashSet<MethodId>,
    allocated: FxHashSet<ClassId>,
    /// A sentence for each method that an assumption names.
    assumptions: FxHashMap<MethodId, String>,
    /// The first assumption on classes that the program makes while it runs.
    made_classes: Option<String>,
    /// The providers of services that an assumption leaves out.
    left_out: BTreeSet<ClassId>,
}

impl PointsTo {
    /// Forgets the contexts of an analysis.
    pub fn new(analysis: &Analysis<'_>) -> Self {
        let mut graph = PointsTo::default();
        let mut chains = Chains { analysis, targets: FxHashMap::default() };
        for (_, instance) in analysis.instances.iter_ids() {
            if let Procedure::Method(method) = analysis.procedures.get(instance.procedure) {
                graph.reached.insert(method);
                if is_replaced(analysis, method, instance.procedure) {
                    graph.replaced.insert(method);
                }
            }
        }
        for edge in &analysis.call_edges {
            let Some(site) = site(analysis, edge) else { continue };
            if let Procedure::Method(callee) = chains.procedure(edge.callee) {
                graph.calls.insert((site, callee));
            }
            if chains.is_transparent(edge.callee) {
                let targets = chains.targets(edge.callee);
                graph.leads_to.extend(targets.iter().map(|&target| (site, target)));
            }
        }
        let types = analysis.heap.objects().map(|(_, object)| analysis.heap.types.class(object.ty));
        graph.allocated = types.flatten().collect();
        graph.assumptions = named_in_assumptions(analysis, &graph.reached);
        let on_made = |sentence: &&String| sentence.starts_with(Analysis::ON_MADE_CLASSES);
        graph.made_classes = analysis.assumptions.iter().find(on_made).cloned();
        graph.left_out = analysis.left_out.clone();
        graph
    }
}

/// The reached methods that assumptions name as where something is not known.
fn named_in_assumptions(
    analysis: &Analysis<'_>,
    reached: &FxHashSet<MethodId>,
) -> FxHashMap<MethodId, String> {
    // Who makes a class still does all that its own code says.
    let sentences: Vec<&str> = analysis
        .assumptions
        .iter()
        .map(String::as_str)
        .filter(|sentence| !sentence.starts_with(Analysis::ON_MADE_CLASSES))
        .collect();
    let describe = |method: MethodId| format!(" in {}", analysis.program.describe_method(method));
    let is_application = |method: &MethodId| {
        let class = analysis.program.methods[*method].class;
        analysis.program.classes[class].tier == selvedge_world::Tier::Application
    };
    let mut named = FxHashMap::default();
    for &method in reached.iter().filter(|method| is_application(method)) {
        let place = describe(method);
        // The name ends where the sentence goes on: with a comma or a blank.
        let names = |sentence: &&&str| {
            sentence
                .match_indices(&place)
                .any(|(at, _)| matches!(sentence[at + place.len()..].chars().next(), None | Some(',' | ' ')))
        };
        if let Some(sentence) = sentences.iter().find(names) {
            named.insert(method, (*sentence).to_owned());
        }
    }
    named
}

/// The instruction of a call edge in a method of the program.
fn site(analysis: &Analysis<'_>, edge: &CallEdge) -> Option<Site> {
    let Procedure::Method(caller) = analysis.procedures.get(analysis.instances[edge.caller].procedure) else {
        return None;
    };
    let inst = analysis.call_inst(edge)?;
    Some((caller, analysis.program.body(caller)?.insts[inst].bci))
}

/// Whether a method's summary is a model's: of the calls in its code, it has none. A method without calls needs no answer.
fn is_replaced(analysis: &Analysis<'_>, method: MethodId, procedure: ProcedureId) -> bool {
    let Some(summary) = analysis.summary(procedure) else { return false };
    let has_calls = analysis
        .program
        .body(method)
        .is_some_and(|body| body.insts.iter().any(|inst| matches!(inst.op, Op::Invoke(..))));
    has_calls && summary.calls.iter().all(|call| call.inst.is_none())
}

/// What instances that stand for run-time machinery call, through each other.
struct Chains<'a, 'p> {
    analysis: &'a Analysis<'p>,
    targets: FxHashMap<InstanceId, Vec<MethodId>>,
}

impl Chains<'_, '_> {
    fn procedure(&self, instance: InstanceId) -> Procedure {
        self.analysis.procedures.get(self.analysis.instances[instance].procedure)
    }

    fn is_transparent(&self, instance: InstanceId) -> bool {
        match self.procedure(instance) {
            Procedure::Method(method) => is_machinery(self.analysis.program, method),
            _ => true,
        }
    }

    /// The ordinary methods that a transparent instance runs.
    fn targets(&mut self, from: InstanceId) -> &[MethodId] {
        if !self.targets.contains_key(&from) {
            let mut found = Vec::new();
            let mut seen = FxHashSet::from_iter([from]);
            let mut pending = vec![from];
            while let Some(instance) = pending.pop() {
                for edge in self.analysis.edges_from(instance) {
                    if let Procedure::Method(method) = self.procedure(edge.callee) {
                        found.push(method);
                    }
                    if self.is_transparent(edge.callee) && seen.insert(edge.callee) {
                        pending.push(edge.callee);
                    }
                }
            }
            found.sort_unstable();
            found.dedup();
            self.targets.insert(from, found);
        }
        &self.targets[&from]
    }
}

/// Whether a recording looks through this method.
fn is_machinery(program: &Program, method: MethodId) -> bool {
    let data = &program.methods[method];
    let (class, name) = (program.classes[data.class].name.to_string(), data.name.to_string());
    plumbing::continues(&class, &name).is_some()
        || program.is_signature_polymorphic(method)
        || program.is_reference(method)
}

impl Graph for PointsTo {
    fn is_reached(&self, method: MethodId) -> bool {
        self.reached.contains(&method)
    }

    fn calls(&self, caller: MethodId, bci: u32, callee: MethodId) -> bool {
        self.calls.contains(&((caller, bci), callee))
    }

    fn leads_to(&self, caller: MethodId, bci: u32, callee: MethodId) -> bool {
        self.leads_to.contains(&((caller, bci), callee))
    }

    fn is_replaced(&self, method: MethodId) -> bool {
        self.replaced.contains(&method)
    }

    fn is_allocated(&self, class: ClassId) -> bool {
        self.allocated.contains(&class)
    }

    fn assumption_on_made_classes(&self) -> Option<String> {
        self.made_classes.clone()
    }

    fn assumption_on_provider(&self, class: ClassId) -> Option<String> {
        self.left_out.contains(&class).then(|| Analysis::ON_PROVIDERS.to_owned())
    }

    fn assumption_of(&self, method: MethodId) -> Option<String> {
        self.assumptions.get(&method).cloned()
    }
}
