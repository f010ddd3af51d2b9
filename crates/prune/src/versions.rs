//! Versions of methods: a method that works on safe and on conflicting objects has a quiet body for the calls that bring safe ones
//! (von Praun and Gross, "Static Conflict Analysis for Multi-Threaded Object-Oriented Programs", section 4.1).
//!
//! Without versions an access reports as soon as it is not proved safe in one instance (one context) of its method. Let `needs(i)` be
//! the accesses of a method that are not proved safe in its instance `i`. Of a method whose instances need different things, the
//! *quiet version* reports the accesses that all instances need; the instances that need nothing else are *quiet*. A call is
//! quiet, in one of the two bodies of the method that makes it, if from every instance that may execute that body it reaches
//! methods with versions in quiet instances only: all instances may execute the watched body, the quiet ones the quiet body.
//!
//! **Theorem.** Under the assumptions of the points-to analysis, what a quiet version does not report is proved safe. For an
//! activation enters the quiet version only by a quiet call (below). By induction the calling activation is described by
//! an instance that may execute the body that the call is in; so the one called is described by an instance that the call reaches
//! from there, and that is a quiet one, which needs no more than the quiet version reports.
//!
//! At run time, a quiet call leaves a token for whoever is called, and every other call that may reach a method with versions, a
//! *watched* one, clears it (see `versions` of `instrument`). So no method finds the token of another call as long as only rewritten code
//! calls it. That is why methods have no versions that the library may call, or reflection, or the code of lambda expressions;
//! constructors and class initialisers have none for simplicity, as they mostly work on what is not yet shared.
//!
//! Versions cost something at calls and entries, and code. So a method has one only if enough is left out in it, which is a guess
//! about cost and about nothing else.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_base::{Csr, FastMap, FastSet, ReversePostorder};
use selvedge_facts::{AccessId, Facts, View};
use selvedge_ir::{Body, Cfg, Inst, Op};
use selvedge_protocol::jdk::is_jdk;
use selvedge_pta::{InstanceId, Procedure};
use selvedge_world::MethodId;

use crate::survivors::Survivors;

/// Methods whose code takes more bytes than this have one version: twice as much would be too much for the JIT compilers.
const MAX_CODE: u32 = 1200;

/// What must be saved: accesses, those in loops taken several times.
const MIN_SAVED: usize = 4;

/// How many times an access in a loop is taken.
const IN_LOOP: usize = 8;

/// The quiet version of a method.
#[derive(Debug)]
pub struct Quiet {
    /// The accesses that every instance needs.
    pub needed: FastSet<AccessId>,
    /// The instances that need nothing else.
    pub instances: FastSet<InstanceId>,
}

/// The quiet versions of all methods that have one.
#[derive(Debug, Default)]
pub struct Versions {
    quiet: FastMap<MethodId, Quiet>,
}

/// The calls of a body that may reach a method with versions.
#[derive(Debug, Default)]
pub struct Calls {
    /// The quiet ones, by bytecode index, each with the methods whose quiet versions it may enter.
    pub quiet: BTreeMap<u32, Vec<MethodId>>,
    /// The watched ones.
    pub watched: BTreeSet<u32>,
}

/// The bodies of a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// The watched one, or the only one.
    Watched,
    /// The quiet one.
    Quiet,
}

impl Versions {
    /// Finds the methods that may have versions.
    pub fn new(facts: &Facts<'_, '_>, survivors: &Survivors) -> Self {
        let view = facts.view;
        let called_from_elsewhere = called_from_elsewhere(view);
        let mut quiet: FastMap<MethodId, Quiet> = FastMap::default();
        for (method, body) in view.application_code() {
            if called_from_elsewhere.contains(&method) || !may_have_versions(view, method, body) {
                continue;
            }
            quiet.extend(quiet_version(facts, survivors, method).map(|quiet| (method, quiet)));
        }
        Self { quiet }
    }

    /// The quiet version of a method.
    pub fn of(&self, method: MethodId) -> Option<&Quiet> {
        self.quiet.get(&method)
    }

    /// How many methods have versions.
    pub fn len(&self) -> usize {
        self.quiet.len()
    }

    /// Whether no method has versions.
    pub fn is_empty(&self) -> bool {
        self.quiet.is_empty()
    }

    /// Takes back the versions of some methods.
    pub fn retain(&mut self, mut is_kept: impl FnMut(MethodId, &Quiet) -> bool) {
        self.quiet.retain(|&method, quiet| is_kept(method, quiet));
    }

    /// Takes back the versions that no call enters.
    pub fn retain_entered(&mut self, view: &View<'_>) {
        let mut roots: Vec<MethodId> = Vec::new();
        let mut edges: Vec<(MethodId, MethodId)> = Vec::new();
        for (method, body) in view.application_code() {
            roots.extend(self.calls(view, method, body, Version::Watched).quiet.into_values().flatten());
            if self.of(method).is_some() {
                let called = self.calls(view, method, body, Version::Quiet).quiet.into_values().flatten();
                edges.extend(called.map(|callee| (method, callee)));
            }
        }
        let graph = Csr::from_edges(view.program.methods.len(), &edges);
        let entered = ReversePostorder::compute(&graph, &roots);
        self.retain(|method, _| entered.reaches(method));
    }

    /// The calls of a body that may reach a method with versions.
    pub fn calls(&self, view: &View<'_>, method: MethodId, body: &Body, version: Version) -> Calls {
        let mut calls = Calls::default();
        let may_execute = |instance: &InstanceId| {
            version == Version::Watched
                || self.of(method).is_some_and(|quiet| quiet.instances.contains(instance))
        };
        for &instance in view.analysis.instances_of(method).iter().filter(|it| may_execute(it)) {
            for call in view.calls(instance) {
                let Some(bci) = call.inst.map(|inst| body.insts[inst].bci) else { continue };
                for &callee in call.callees {
                    let Some(reached) = view.method_of(callee) else { continue };
                    let Some(quiet) = self.of(reached) else { continue };
                    if quiet.instances.contains(&callee) {
                        calls.quiet.entry(bci).or_default().push(reached);
                    } else {
                        calls.watched.insert(bci);
                    }
                }
            }
        }
        calls.quiet.retain(|bci, _| !calls.watched.contains(bci));
        calls
    }
}

/// Whether so much is saved that versions of a method pay, if these accesses need no report in the quiet one.
pub fn is_worth_it(body: &Body, left_out: impl Iterator<Item = Inst>) -> bool {
    let cfg = Cfg::new(body);
    let loops = cfg.loops(&cfg.dominators());
    let left_out: FastSet<Inst> = left_out.collect();
    let mut saved = 0;
    for (block, data) in body.blocks.iter_ids() {
        let each = if loops.innermost(block).is_some() { IN_LOOP } else { 1 };
        saved += each * data.insts.iter().filter(|inst| left_out.contains(inst)).count();
    }
    saved >= MIN_SAVED
}

fn may_have_versions(view: &View<'_>, method: MethodId, body: &Body) -> bool {
    let data = &view.program.methods[method];
    let length = body.insts.iter().map(|inst| inst.bci).max().unwrap_or(0);
    let is_rewritten = !is_jdk(&view.program.classes[data.class].name.to_string());
    !data.is_constructor() && !data.is_class_initializer() && length <= MAX_CODE && is_rewritten
}

fn quiet_version(facts: &Facts<'_, '_>, survivors: &Survivors, method: MethodId) -> Option<Quiet> {
    let watched: Vec<AccessId> = facts.accesses.of_method(method).to_vec();
    let watched: Vec<AccessId> = watched.into_iter().filter(|it| survivors.contains(*it)).collect();
    let instances = facts.view.analysis.instances_of(method);
    if watched.is_empty() || instances.len() < 2 {
        return None;
    }
    let needs = |access: AccessId, instance: InstanceId| survivors.may_race_in(facts, access, instance);
    let (needed, by_some): (Vec<AccessId>, Vec<AccessId>) =
        watched.iter().partition(|&&access| instances.iter().all(|&instance| needs(access, instance)));
    let needs_no_more = |instance: &InstanceId| !by_some.iter().any(|&access| needs(access, *instance));
    let quiet: FastSet<InstanceId> = instances.iter().copied().filter(needs_no_more).collect();
    let is_of_use = !by_some.is_empty() && !quiet.is_empty();
    is_of_use.then(|| Quiet { needed: needed.into_iter().collect(), instances: quiet })
}

/// The methods that something may call that is no instruction of code that is rewritten at run time.
fn called_from_elsewhere(view: &View<'_>) -> FastSet<MethodId> {
    let mut found = FastSet::default();
    for instance in view.analysis.instances.ids() {
        let caller = match view.procedure_of(instance) {
            Procedure::Method(method) if view.is_application(method) => Some(method),
            _ => None,
        };
        let caller = caller.filter(|&method| {
            let class = view.program.methods[method].class;
            !is_jdk(&view.program.classes[class].name.to_string())
        });
        let body = caller.and_then(|method| view.program.body(method));
        for call in view.calls(instance) {
            let named = match (body, call.inst) {
                (Some(body), Some(inst)) => match &body.insts[inst].op {
                    Op::Invoke(_, named) => Some(named),
                    _ => None,
                },
                _ => None,
            };
            for callee in call.callees.iter().filter_map(|&callee| view.method_of(callee)) {
                let data = &view.program.methods[callee];
                // What a call of the library calls back has another name than the method that is called.
                if !named.is_some_and(|it| it.name == data.name && it.descriptor == data.descriptor) {
                    found.insert(callee);
                }
            }
        }
    }
    found
}
