//! Soundness: what runs of programs do is inside what the analysis says, with the whole JDK.
//!
//! The interpreter of the intermediate form runs the program; an observer notes every call, every allocation and every value
//! of a reference variable. Each must be in the static result: the called method among the callees of the call, the
//! object's allocation among what the variable may point to.
//!
//! Held against it is what the application's own code does. The start of the VM and parts of the library run before the
//! first line of the program, or are replaced by models, and have no counterpart.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use selvedge_interp::{ObjRef, Observer, Options, Site, ThreadId, run};
use selvedge_ir::{ClassName, Op, Value};
use selvedge_models::Models;
use selvedge_pta::context::{POLICIES, policy_named};
use selvedge_pta::heap::{Site as HeapSite, SiteId};
use selvedge_pta::{Analysis, Entries, InstanceId, Limits, Procedure, analyze};
use selvedge_testkit::{JavacOptions, Sources, compile_with, jdk_or_skip, skip};
use selvedge_world::{Input, MethodId, Program, Tier};

use crate::mini::main_of;

/// Programs of the interpreter's tests that exercise what the analysis distinguishes.
const PROGRAMS: [&str; 16] = [
    "Boxing",
    "Casts",
    "DataStructures",
    "Dispatch",
    "Enums",
    "Exceptions",
    "Finally",
    "GenericCode",
    "InnerClasses",
    "Interfaces",
    "Lambdas",
    "Maps",
    "Records",
    "ReferenceArrays",
    "StaticInit",
    "Streams",
];

fn program_or_skip() -> Option<&'static Program> {
    static PROGRAM: OnceLock<Option<Program>> = OnceLock::new();
    let load = || {
        let jdk = jdk_or_skip()?;
        if jdk.feature_version() != 17 {
            skip("the interpreter runs the library of JDK 17");
            return None;
        }
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../interp/tests/programs");
        let files: Vec<PathBuf> =
            PROGRAMS.iter().map(|name| directory.join(format!("{name}.java"))).collect();
        let classes = compile_with(&jdk, Sources::Files(&files), &JavacOptions::default()).unwrap();
        let paths = vec![classes.path().to_path_buf()];
        let options = selvedge_world::Options { paths, jdk: Some(jdk.home), ..Default::default() };
        Some(Program::load(Input::read(&options).unwrap()))
    };
    PROGRAM.get_or_init(load).as_ref()
}

fn is_application(program: &Program, method: MethodId) -> bool {
    program.classes[program.methods[method].class].tier == Tier::Application
}

/// An allocation: where, if an instruction did it, and of which class.
type Allocation = (Option<(MethodId, u32)>, ClassName);

/// What a run did.
struct Run<'p> {
    program: &'p Program,
    allocations: BTreeMap<ObjRef, Allocation>,
    /// Calls by the application.
    calls: BTreeSet<(MethodId, u32, MethodId)>,
    /// Methods of the application that ran.
    entered: BTreeSet<MethodId>,
    /// Values of the application's variables.
    values: BTreeSet<(MethodId, Value, Allocation)>,
}

impl Run<'_> {
    /// Whether generated code makes the call: string concatenation, and the boxing between a lambda's interface and its
    /// body. The analysis has their effects but not their calls.
    fn is_adapter_call(&self, site: Site, callee: MethodId) -> bool {
        let body = self.program.body(site.method).unwrap();
        let mut there = body.insts.iter().filter(|inst| inst.bci == site.bci);
        let is_dynamic = there.clone().any(|inst| matches!(inst.op, Op::InvokeDynamic(_)));
        let through_interface =
            there.any(|inst| matches!(&inst.op, Op::Invoke(_, called) if called.interface));
        let called = &self.program.methods[callee];
        let class = self.program.classes[called.class].name.to_string();
        let converts = called.name.is("valueOf") || called.name.to_string().ends_with("Value");
        is_dynamic || through_interface && class.starts_with("java/lang/") && converts
    }
}

impl Observer for Run<'_> {
    fn call(&mut self, _: ThreadId, site: Option<Site>, callee: MethodId) {
        if let Some(site) = site.filter(|site| is_application(self.program, site.method))
            && !self.is_adapter_call(site, callee)
        {
            self.calls.insert((site.method, site.bci, callee));
        }
        if is_application(self.program, callee) {
            self.entered.insert(callee);
        }
    }

    fn allocation(&mut self, _: ThreadId, site: Option<Site>, object: ObjRef, class: ClassName) {
        self.allocations.insert(object, (site.map(|site| (site.method, site.bci)), class));
    }

    fn wants_values(&self) -> bool {
        true
    }

    fn define(&mut self, _: ThreadId, method: MethodId, variable: Value, object: Option<ObjRef>) {
        if let Some(object) = object
            && is_application(self.program, method)
            && let Some(allocation) = self.allocations.get(&object)
        {
            self.values.insert((method, variable, *allocation));
        }
    }
}

fn observe<'p>(program: &'p Program, main: &str) -> Run<'p> {
    let mut observed = Run {
        program,
        allocations: BTreeMap::new(),
        calls: BTreeSet::new(),
        entered: BTreeSet::new(),
        values: BTreeSet::new(),
    };
    run(program, main, &Options::default(), &mut observed).unwrap();
    observed
}

/// A static result as a run would see it.
struct Static<'a> {
    analysis: &'a Analysis<'a>,
    calls: BTreeSet<(MethodId, u32, MethodId)>,
    /// What each variable that a run defined may hold.
    values: BTreeMap<(MethodId, Value), BTreeSet<SiteId>>,
}

impl<'a> Static<'a> {
    fn new(analysis: &'a Analysis<'a>, run: &Run<'_>) -> Self {
        let mut calls = BTreeSet::new();
        for edge in &analysis.call_edges {
            let caller = analysis.procedures.get(analysis.instances[edge.caller].procedure);
            let (Procedure::Method(method), Some(inst)) = (caller, analysis.call_inst(edge)) else {
                continue;
            };
            if is_application(analysis.program, method) {
                let bci = analysis.program.body(method).unwrap().insts[inst].bci;
                let callees = methods_behind(analysis, edge.callee);
                calls.extend(callees.into_iter().map(|callee| (method, bci, callee)));
            }
        }
        let mut values: BTreeMap<_, BTreeSet<SiteId>> = BTreeMap::new();
        for &(method, value, _) in &run.values {
            values.entry((method, value)).or_insert_with(|| {
                let instances = analysis.instances_of(method).iter();
                let objects = instances.flat_map(|&instance| analysis.may_point_to(instance, value));
                objects.map(|object| analysis.heap.get(object).site).collect()
            });
        }
        Self { analysis, calls, values }
    }

    /// Whether one of these sites stands for an allocation: it is the same instruction, or an object that stands for
    /// all of its class.
    fn covers(&self, sites: &BTreeSet<SiteId>, (at, class): &Allocation) -> bool {
        let heap = &self.analysis.heap;
        sites.iter().any(|&site| match heap.site_of(site) {
            HeapSite::Instruction { method, inst, .. } => {
                let bci = self.analysis.program.body(method).map(|body| body.insts[inst].bci);
                *at == bci.map(|bci| (method, bci))
            }
            HeapSite::ClassObject(_) => *class == ClassName::new("java/lang/Class"),
            _ => heap.types.name(heap.site_type(site)) == class.to_string(),
        })
    }

    /// Sentences about what a run did and the analysis does not know.
    fn missing(&self, run: &Run<'_>) -> Vec<String> {
        let program = self.analysis.program;
        let mut found = Vec::new();
        for &method in &run.entered {
            if !self.analysis.is_reached(method) {
                found.push(format!("{} ran", program.describe_method(method)));
            }
        }
        for &(caller, bci, callee) in run.calls.difference(&self.calls) {
            let (caller, callee) = (program.describe_method(caller), program.describe_method(callee));
            found.push(format!("{caller}@{bci} called {callee}"));
        }
        for (method, value, allocation) in &run.values {
            if !self.covers(&self.values[&(*method, *value)], allocation) {
                let at =
                    allocation.0.map(|(method, bci)| format!("{}@{bci}", program.describe_method(method)));
                found.push(format!(
                    "{value} of {} held a {} from {}",
                    program.describe_method(*method),
                    allocation.1,
                    at.as_deref().unwrap_or("the VM")
                ));
            }
        }
        found
    }
}

/// The methods that run when an instance is called: itself, or what a synthetic procedure calls in its place.
fn methods_behind(analysis: &Analysis<'_>, instance: InstanceId) -> BTreeSet<MethodId> {
    let (mut found, mut seen, mut stack) = (BTreeSet::new(), BTreeSet::new(), vec![instance]);
    while let Some(instance) = stack.pop() {
        if !seen.insert(instance) {
            continue;
        }
        match analysis.procedures.get(analysis.instances[instance].procedure) {
            Procedure::Method(method) => {
                found.insert(method);
            }
            _ => stack.extend(analysis.edges_from(instance).iter().map(|edge| edge.callee)),
        }
    }
    found
}

fn analysis_of<'p>(
    program: &'p Program,
    models: &'p Models,
    main: &str,
    policy: &'p dyn selvedge_pta::context::Policy,
    limits: Limits,
) -> Analysis<'p> {
    analyze(program, models, &Entries::of_mains(vec![main_of(program, main)]), policy, limits)
}

#[test]
fn runs_are_inside_the_result() {
    let Some(program) = program_or_skip() else { return };
    let models = Models::builtin().for_release(17);
    let (mut found, mut values, mut calls) = (Vec::new(), 0, 0);
    for main in PROGRAMS {
        let run = observe(program, main);
        values += run.values.len();
        calls += run.calls.len();
        let policy = policy_named("adaptive").unwrap();
        let analysis = analysis_of(program, &models, main, policy.as_ref(), Limits::default());
        found.extend(
            Static::new(&analysis, &run).missing(&run).into_iter().map(|text| format!("{main}: {text}")),
        );
    }
    assert!(found.is_empty(), "{} of {values} values and {calls} calls\n{}", found.len(), found.join("\n"));
    assert!(values > 1000 && calls > 500, "only {values} values and {calls} calls were seen");
}

#[test]
fn every_policy_is_sound_with_the_whole_jdk_within_a_budget() {
    let Some(program) = program_or_skip() else { return };
    let models = Models::builtin().for_release(17);
    let main = "Dispatch";
    let run = observe(program, main);
    for name in POLICIES {
        // The budget keeps the deepest policies from taking minutes; what they give up must not cost soundness.
        let limits = Limits { time: Some(Duration::from_millis(500)), ..Limits::default() };
        let policy = policy_named(name).unwrap();
        let analysis = analysis_of(program, &models, main, policy.as_ref(), limits);
        let missing = Static::new(&analysis, &run).missing(&run);
        assert!(missing.is_empty(), "{name}: {}", missing.join("\n"));
    }
}
