//! From a loaded program to a report: points-to analysis, facts, detectors, in this order.

use std::collections::BTreeSet;
use std::time::Instant;

use selvedge_base::FastSet;
use selvedge_facts::{Origin, Place, ThreadId, View};
use selvedge_findings::{Coverage, Phase, Problem, RefuterCount, Report, Stats};
use selvedge_models::Models;
use selvedge_pta::context::Policy;
use selvedge_pta::{Analysis, Entries, InstanceId, Limits, Objects, analyze, peak_resident_bytes, unify};
use selvedge_world::{FieldId, MethodId, ProblemKind, Program, Tier, java_name, package};

use crate::names::Names;
use crate::raced::Raced;
use crate::refuters::Judging;
use crate::{Facts, Ground};
use crate::{interthread, metrics, objects, pairs, unseen, uses};

/// What to check, and how.
pub struct Request<'a> {
    /// The program.
    pub program: &'a Program,
    /// What is known of library methods.
    pub models: &'a Models,
    /// Who calls the program.
    pub entries: &'a Entries,
    /// How contexts are distinguished.
    pub policy: &'a dyn Policy,
    /// What may be spent.
    pub limits: Limits,
    /// How pairs are judged.
    pub pairs: pairs::Options,
    /// Which analyses to make.
    pub analyses: Analyses,
    /// Whether the process ends when the report is made: then nothing is freed before, which takes its time, too.
    pub is_last: bool,
}

/// The analyses to make.
#[derive(Clone, Debug)]
pub struct Analyses {
    /// Pairs of accesses.
    pub pairs: bool,
    /// Object races, if asked for.
    pub objects: Option<objects::Options>,
    /// Uses of objects, if asked for.
    pub uses: Option<uses::Options>,
    /// The static datarace set, if asked for.
    pub interthread: Option<interthread::Options>,
    /// How the heap is found that all of them rest on.
    pub heap: Heap,
}

/// How the heap is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Heap {
    /// By inclusion, in contexts.
    #[default]
    Inclusion,
    /// By unification, without contexts: nearly linear.
    Unification,
}

impl Default for Analyses {
    fn default() -> Self {
        Self { pairs: true, objects: None, uses: None, interthread: None, heap: Heap::Inclusion }
    }
}

/// Measures the phases of the work, and announces each to whoever shows progress.
struct Clock<'a> {
    phases: Vec<Phase>,
    announce: &'a mut dyn FnMut(&str),
}

impl Clock<'_> {
    fn time<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        (self.announce)(name);
        let start = Instant::now();
        let result = work();
        let ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.phases.push(Phase { name: name.to_string(), ms });
        result
    }
}

/// Checks a program. `announce` is told the name of each phase when it begins.
pub fn check(request: &Request<'_>, announce: &mut dyn FnMut(&str)) -> Report {
    check_and(request, announce, |_| ()).0
}

/// Checks a program, and lets `also` look at the facts before they are gone.
pub fn check_and<T>(
    request: &Request<'_>,
    announce: &mut dyn FnMut(&str),
    also: impl FnOnce(&Facts<'_, '_>) -> T,
) -> (Report, T) {
    let mut clock = Clock { phases: Vec::new(), announce };
    let analysis = clock.time("points-to", || match request.analyses.heap {
        Heap::Inclusion => {
            analyze(request.program, request.models, request.entries, request.policy, request.limits)
        }
        Heap::Unification => unify(request.program, request.models, request.entries, Objects::ByType),
    });
    let ground = clock.time("threads", || Ground::new(View::new(&analysis, request.models, request.entries)));
    let facts = clock.time("facts", || Facts::new(&ground));
    let control = request.pairs.control.clone();
    let mut analyses = Vec::new();
    let mut outcome = pairs::Outcome::default();
    let (mut ownership, mut use_table, mut interthread_table) = (None, None, None);
    let judging = pairs::Options {
        guarded_owners: request.analyses.objects.is_some(),
        phases: request.analyses.uses.is_some(),
        ..request.pairs.clone()
    };
    // What refutes pairs, too, is worked out before, so that each analysis is charged its own time.
    if request.analyses.objects.is_some() {
        clock.time("owners", || facts.ownership());
        clock.time("object races", || facts.object_races());
    }
    if request.analyses.uses.is_some() {
        clock.time("events", || facts.phases());
    }
    if request.analyses.pairs {
        analyses.push("pairs".to_string());
        outcome = clock.time("pairs", || pairs::run(&facts, &judging));
    } else {
        outcome.settled = clock.time("pairs", || pairs::Settled::new(&facts, &judging));
    }
    let settled = std::mem::take(&mut outcome.settled);
    let raced = Raced::of(&outcome.findings);
    let judging = Judging { options: &judging, settled: &settled, raced: &raced };
    if let Some(options) = request.analyses.objects.as_ref().filter(|_| !control.skips_judging()) {
        analyses.push("objects".to_string());
        let found = clock.time("objects", || objects::run(&facts, facts.object_races(), options, judging));
        outcome.findings.extend(found.findings);
        ownership = Some(found.table);
    }
    if let Some(options) = request.analyses.uses.as_ref().filter(|_| !control.skips_judging()) {
        analyses.push("uses".to_string());
        let found = clock.time("uses", || uses::run(&facts, options, judging));
        outcome.findings.extend(found.findings);
        use_table = Some(found.table);
    }
    if let Some(options) = request.analyses.interthread.as_ref().filter(|_| !control.skips_judging()) {
        analyses.push("interthread".to_string());
        let found = clock.time("interthread", || interthread::run(&facts, options, judging));
        outcome.findings.extend(found.findings);
        interthread_table = Some(found.table);
    }
    let looked_at = also(&facts);
    let mut stats = statistics(&analysis);
    stats.stages = outcome.stages;
    stats.application = Some(metrics::application(&facts));
    (stats.ownership, stats.uses, stats.interthread) = (ownership, use_table, interthread_table);
    let count = |(&name, &removed): (&&'static str, &u64)| RefuterCount { name: name.to_string(), removed };
    stats.refuters = outcome.refuted.iter().map(count).collect();
    stats.phases = clock.phases;
    let mut report = Report {
        findings: outcome.findings,
        safe: request.pairs.safe.then_some(outcome.safe),
        coverage: Some(coverage(request, &facts)),
        stats,
        unexamined: outcome.unexamined,
        assumptions: assumptions(facts.view),
        problems: problems(request.program),
        ..Report::default()
    };
    report.input.analyses = analyses;
    report.finish();
    if request.is_last {
        std::mem::forget((facts, settled));
        std::mem::forget(ground);
        std::mem::forget(analysis);
    }
    (report, looked_at)
}

/// How much of the application was analysed. The border is for whoever drew it to say.
fn coverage(request: &Request<'_>, facts: &Facts<'_, '_>) -> Coverage {
    let (program, view) = (request.program, facts.view);
    let of_application = |class| program.classes[class].tier == Tier::Application;
    let has_code = |method: &MethodId| program.methods[*method].has_code();
    let own = program.methods.iter_ids().filter(|(_, method)| of_application(method.class)).map(|(id, _)| id);
    let own: Vec<MethodId> = own.filter(has_code).collect();
    let is_executed = |&&instance: &&InstanceId| !facts.threads.may_execute(instance).is_empty();
    let mut threads: BTreeSet<ThreadId> = BTreeSet::new();
    let mut reached: BTreeSet<MethodId> = BTreeSet::new();
    for &method in &own {
        for &instance in view.analysis.instances_of(method).iter().filter(is_executed) {
            reached.insert(method);
            threads.extend(facts.threads.may_execute(instance));
        }
    }
    let unknown_starts = unknown_starts(facts, &reached);
    let fields: BTreeSet<FieldId> = facts
        .accesses
        .all
        .iter()
        .filter(|access| reached.contains(&access.method))
        .filter_map(|access| match access.place {
            Place::Field(field) | Place::Static(field) => Some(field),
            Place::Element | Place::Container => None,
        })
        .filter(|&field| of_application(program.fields[field].class))
        .collect();
    threads.retain(|&thread| facts.threads.all[thread].origin != Origin::Initializers);
    let packages: BTreeSet<&[u8]> = program
        .classes
        .iter()
        .filter(|class| class.tier == Tier::Application)
        .map(|class| package(class.name))
        .collect();
    // Whoever keeps everything in the package without a name shares it with everybody.
    let is_own = |name: &str| {
        let internal = name.replace('.', "/");
        internal.rsplit_once('/').is_some_and(|(package, _)| packages.contains(package.as_bytes()))
    };
    let missing = program.problems().into_iter().filter(|problem| problem.kind == ProblemKind::MissingClass);
    let mut missing_classes: Vec<String> =
        missing.map(|problem| problem.place).filter(|name| is_own(name)).collect();
    missing_classes.sort();
    missing_classes.truncate(Coverage::MOST_NAMED);
    let name_of = |&main: &MethodId| java_name(program.classes[program.methods[main].class].name);
    Coverage {
        application_methods: own.len() as u64,
        reached: reached.len() as u64,
        fields: fields.len() as u64,
        threads: threads.len() as u64,
        mains: request.entries.mains.iter().map(name_of).collect(),
        border: Vec::new(),
        missing_classes,
        unknown_starts,
        reduced: reduced(view.analysis),
    }
}

/// Where a call would start a thread or hand a task over, and in no context anything is known of the object that is called.
fn unknown_starts(facts: &Facts<'_, '_>, reached: &BTreeSet<MethodId>) -> Vec<String> {
    let names = Names::new(facts, &FastSet::default());
    let mut places = BTreeSet::new();
    for &method in reached {
        let instances = facts.view.analysis.instances_of(method);
        let executed = instances.iter().filter(|&&instance| !facts.threads.may_execute(instance).is_empty());
        let mut unknown = executed.map(|&instance| facts.view.unknown_starts(instance));
        let Some(first) = unknown.next() else { continue };
        let in_all =
            unknown.fold(first, |all, other| all.into_iter().filter(|inst| other.contains(inst)).collect());
        places.extend(in_all.into_iter().map(|inst| names.frame(method, Some(inst)).place()));
    }
    places.into_iter().take(Coverage::MOST_NAMED).collect()
}

fn statistics(analysis: &Analysis<'_>) -> Stats {
    let sizes = analysis.statistics();
    Stats {
        methods: sizes.methods as u64,
        classes: analysis.program.classes.len() as u64,
        contexts: sizes.contexts as u64,
        objects: sizes.objects as u64,
        peak_rss_bytes: peak_resident_bytes().unwrap_or(0),
        ..Stats::default()
    }
}

/// What the abstract threads rest on; see [`selvedge_facts::threads`].
const LAMBDAS: &str = "library code calls a lambda only in threads whose code passes it to the library, in parallel streams, and in threads whose \
                       thread object leads to it";

/// What was given up to stay within the limits.
fn reduced(analysis: &Analysis<'_>) -> Vec<String> {
    analysis.degradations.iter().map(ToString::to_string).collect()
}

fn assumptions(view: &View<'_>) -> Vec<String> {
    let analysis = view.analysis;
    let mut sentences: Vec<String> = analysis.assumptions.clone();
    sentences.extend(reduced(analysis));
    sentences.push(LAMBDAS.to_string());
    sentences.extend(unseen::assumptions(view));
    sentences.sort_unstable();
    sentences
}

fn problems(program: &Program) -> Vec<Problem> {
    let mut problems: Vec<Problem> = program
        .problems()
        .into_iter()
        .map(|problem| Problem {
            kind: problem.kind.to_string(),
            place: problem.place.clone(),
            message: problem.message.clone(),
        })
        .collect();
    problems.sort_unstable();
    problems
}
