//! Pruning changes nothing but cost: runs of the corpus, judged with all their events and with those of the plan.
//!
//! The interpreter runs the programs under seeded schedules and shows every access, lock and thread. From what it shows a
//! full trace is made, and from that the trace of a run with the plan: without the accesses at sites that do not report.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use rayon::prelude::*;
use selvedge_base::{FastMap, FastSet};
use selvedge_detect::{Facts, Ground};
use selvedge_facts::View;
use selvedge_interp::{self as interp, Observer, run};
use selvedge_ir::{ClassName, Op};
use selvedge_models::Models;
use selvedge_protocol::{
    AccessKind, Action, Channel, ClassId, DetectorChoice, Event, FieldId, HoldMode, Location, Lock, LockRole,
    ObjectId, Options, Plan, SyncKind, ThreadId,
};
use selvedge_prune::{Counts, Pruned, plan};
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits, analyze};
use selvedge_runtime::Engine;
use selvedge_testkit::{Analysed, compile_corpus, corpus, jdk_or_skip, skip};
use selvedge_world::{EntryRequest, Input, MethodId, Program, Tier};

/// The folders of the corpus whose programs are run.
const TOPICS: [&str; 4] = ["locks", "threads", "arrays", "papers"];

/// How many programs are analysed together.
const TOGETHER: usize = 10;

const SEEDS: [u64; 1] = [1];

/// Programs that read without order and then check that nothing was written meanwhile: events do not say so.
const OPTIMISTIC: &str = "Stamped";

/// An event, and the instruction of an access.
type Recorded = (Event, Option<interp::Site>);

/// Makes events of what it sees.
struct Recorder<'p> {
    program: &'p Program,
    /// Instructions of the application that access memory.
    sites: &'p FastSet<interp::Site>,
    objects: FastMap<interp::ObjRef, u64>,
    events: Vec<Recorded>,
}

impl Recorder<'_> {
    fn object(&mut self, object: interp::ObjRef) -> ObjectId {
        let next = self.objects.len() as u64 + 1;
        ObjectId(*self.objects.entry(object).or_insert(next))
    }

    fn push(&mut self, thread: interp::ThreadId, action: Action, site: Option<interp::Site>) {
        self.events.push((Event::new(ThreadId::new(thread.number()), action), site));
    }

    fn monitor(&mut self, object: interp::ObjRef) -> Lock {
        Lock { object: self.object(object), role: LockRole::Monitor }
    }

    /// The thread uses a class: its initialisation came before.
    fn uses_class(&mut self, thread: interp::ThreadId, class: selvedge_world::ClassId) {
        let channel = Channel::Class { class: ClassId::new(class.number()) };
        self.push(thread, Action::Subscribe { channel }, None);
    }
}

impl Observer for Recorder<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn access(&mut self, access: &interp::Access) {
        let location = match access.place {
            interp::Place::Field(object, field) => {
                Location::Field { object: self.object(object), field: FieldId::new(field.number()) }
            }
            interp::Place::Static(field) => Location::Static { field: FieldId::new(field.number()) },
            interp::Place::Element(array, index) => Location::Element { object: self.object(array), index },
        };
        if access.is_volatile {
            let kind = if access.is_write { SyncKind::Write } else { SyncKind::Read };
            return self.push(access.thread, Action::Sync { location, kind }, None);
        }
        let Some(site) = access.site.filter(|site| self.sites.contains(site)) else { return };
        if let interp::Place::Static(field) = access.place {
            self.uses_class(access.thread, self.program.fields[field].class);
        }
        let field = match access.place {
            interp::Place::Field(_, field) | interp::Place::Static(field) => Some(field),
            interp::Place::Element(..) => None,
        };
        if field.is_some_and(|field| self.program.fields[field].is_final()) {
            return;
        }
        let kind = if access.is_write { AccessKind::Write } else { AccessKind::Read };
        self.push(access.thread, Action::Access { location, kind }, Some(site));
    }

    fn call(&mut self, thread: interp::ThreadId, _: Option<interp::Site>, callee: MethodId) {
        let class = self.program.methods[callee].class;
        if self.program.classes[class].tier == Tier::Application {
            self.uses_class(thread, class);
        }
    }

    fn monitor_enter(
        &mut self,
        t: interp::ThreadId,
        _: Option<interp::Site>,
        object: interp::ObjRef,
        depth: u32,
    ) {
        let lock = self.monitor(object);
        self.push(t, Action::Acquire { lock, mode: HoldMode::Exclusive, depth }, None);
    }

    fn monitor_exit(
        &mut self,
        t: interp::ThreadId,
        _: Option<interp::Site>,
        object: interp::ObjRef,
        depth: u32,
    ) {
        let lock = self.monitor(object);
        self.push(t, Action::Release { lock, mode: HoldMode::Exclusive, depth }, None);
    }

    fn thread_start(
        &mut self,
        parent: interp::ThreadId,
        _: Option<interp::Site>,
        child: interp::ThreadId,
        _: interp::ObjRef,
    ) {
        self.push(parent, Action::Fork { child: ThreadId::new(child.number()) }, None);
    }

    fn thread_end(&mut self, thread: interp::ThreadId) {
        self.push(thread, Action::End, None);
    }

    fn thread_join(&mut self, thread: interp::ThreadId, _: Option<interp::Site>, other: interp::ThreadId) {
        self.push(thread, Action::Join { child: ThreadId::new(other.number()) }, None);
    }

    fn class_initialized(&mut self, thread: interp::ThreadId, class: ClassName) {
        if let Some(class) = self.program.class_named(class) {
            let channel = Channel::Class { class: ClassId::new(class.number()) };
            self.push(thread, Action::Publish { channel }, None);
        }
    }
}

/// The instructions of the application that the instrumenter would look at.
fn access_sites(program: &Program) -> FastSet<interp::Site> {
    let mut sites = FastSet::default();
    for (method, data) in program.methods.iter_ids() {
        if program.classes[data.class].tier != Tier::Application {
            continue;
        }
        let Some(body) = program.body(method) else { continue };
        for inst in body.insts.iter() {
            use Op::{ArrayLoad, ArrayStore, GetField, GetStatic, PutField, PutStatic};
            if matches!(
                inst.op,
                GetField(_) | PutField(_) | GetStatic(_) | PutStatic(_) | ArrayLoad(_) | ArrayStore(_)
            ) {
                sites.insert(interp::Site { method, bci: inst.bci });
            }
        }
    }
    sites
}

/// The locations that a detector reports.
fn racy<'e>(events: impl Iterator<Item = &'e Recorded>, options: &Options) -> BTreeSet<Location> {
    let mut engine = Engine::new(options);
    events.filter_map(|(event, _)| engine.event(event)).map(|race| race.location).collect()
}

fn reports(program: &Program, plan: &Plan, (_, site): &Recorded) -> bool {
    let Some(site) = site else { return true };
    let method = &program.methods[site.method];
    let class = program.classes[method.class].name.to_string();
    plan.reports(&class, &format!("{}{}", method.name, method.descriptor), site.bci)
}

/// The plans with all reasons, and with the weaker-than relation alone.
fn plans(program: &Program, models: &Models, mains: &[String]) -> [Pruned; 2] {
    let mut entries = Entries::of_mains(Vec::new());
    for main in mains {
        let points = program.entry_points(&EntryRequest::Main(main.clone())).unwrap();
        entries.mains.extend(Entries::of_program(program, &points).mains);
    }
    let policy = policy_named("adaptive").unwrap();
    let analysis = analyze(program, models, &entries, policy.as_ref(), Limits::default());
    let ground = Ground::new(View::new(&analysis, models, &entries));
    let facts = Facts::new(&ground);
    let all = selvedge_prune::Options::default();
    [plan(&facts, &all), plan(&facts, &selvedge_prune::Options { races: false, ..all })]
}

/// What was judged.
#[derive(Default, Debug)]
struct Tally {
    runs: usize,
    failed: Vec<String>,
    complaints: Vec<String>,
    accesses: usize,
    kept: usize,
    racy: usize,
    counts: Counts,
}

#[test]
fn a_plan_changes_no_verdict() {
    let Some(jdk) = jdk_or_skip() else { return };
    if jdk.feature_version() != 17 {
        return skip("the interpreter runs the library of JDK 17");
    }
    let compiled = compile_corpus(&jdk).unwrap();
    let paths = vec![compiled.path().to_path_buf()];
    let input = selvedge_world::Options { paths, jdk: Some(jdk.home.clone()), ..Default::default() };
    let program = Program::load(Input::read(&input).unwrap());
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let mains: Vec<String> = corpus()
        .unwrap()
        .into_iter()
        .filter(|one| TOPICS.contains(&one.topic.as_str()) && !one.name.contains(OPTIMISTIC))
        .filter_map(|one| if let Analysed::Main(main) = one.analysed { Some(main) } else { None })
        .collect();
    let sites = access_sites(&program);
    let batches: Vec<&[String]> = mains.chunks(TOGETHER).collect();
    let tallies: Vec<Tally> =
        batches.into_par_iter().map(|batch| judge_batch(&program, &models, &sites, batch)).collect();
    let mut all = Tally::default();
    for tally in tallies {
        all.runs += tally.runs;
        all.failed.extend(tally.failed);
        all.complaints.extend(tally.complaints);
        all.accesses += tally.accesses;
        all.kept += tally.kept;
        all.racy += tally.racy;
        all.counts.accesses += tally.counts.accesses;
        all.counts.safe += tally.counts.safe;
        all.counts.redundant += tally.counts.redundant;
        all.counts.first_iteration += tally.counts.first_iteration;
    }
    println!("{all:?}");
    assert!(all.complaints.is_empty(), "{}", all.complaints.join("\n"));
    assert!(all.runs > 30 && all.racy > 10, "too little was run: {all:?}");
    assert!(all.failed.len() * 10 < all.runs, "too many programs cannot be run: {all:?}");
    assert!(all.kept * 4 < all.accesses * 3, "the plan leaves out too little: {all:?}");
    assert!(all.counts.redundant > 0 && all.counts.first_iteration > 0, "{all:?}");
}

fn judge_batch(program: &Program, models: &Models, sites: &FastSet<interp::Site>, mains: &[String]) -> Tally {
    let [pruned, thinned] = plans(program, models, mains);
    let mut tally = Tally { counts: pruned.counts, ..Tally::default() };
    let lockset =
        Options { detector: DetectorChoice::Lockset, ownership: false, cache: false, ..Options::default() };
    let hb = Options { detector: DetectorChoice::HappensBefore, ..Options::default() };
    for main in mains {
        for seed in SEEDS {
            let mut recorder = Recorder { program, sites, objects: FastMap::default(), events: Vec::new() };
            let limits = interp::Options { seed, max_instructions: 30_000_000, ..interp::Options::default() };
            if let Err(failure) = run(program, main, &limits, &mut recorder) {
                tally.failed.push(format!("{main}: {}", failure.message.lines().next().unwrap_or_default()));
                continue;
            }
            let events = recorder.events;
            let of = |plan: &Plan| -> Vec<&Recorded> {
                events.iter().filter(|event| reports(program, plan, event)).collect()
            };
            let (planned, without_redundant) = (of(&pruned.plan), of(&thinned.plan));
            let full = racy(events.iter(), &hb);
            let mut hold = |holds: bool, what: &str| {
                if !holds {
                    tally.complaints.push(format!("{main}, seed {seed}: {what}"));
                }
            };
            hold(full == racy(planned.iter().copied(), &hb), "other races by happens-before");
            hold(
                racy(events.iter(), &lockset) == racy(without_redundant.iter().copied(), &lockset),
                "other races by locksets without redundant accesses",
            );
            hold(
                full.is_subset(&racy(planned.iter().copied(), &lockset)),
                "a race by happens-before that locksets do not show",
            );
            tally.runs += 1;
            tally.racy += full.len();
            tally.accesses += events.iter().filter(|(_, site)| site.is_some()).count();
            tally.kept += planned.iter().filter(|(_, site)| site.is_some()).count();
        }
    }
    tally
}
