//! Runs of programs in the interpreter as events for the detectors: every access, lock and thread that it shows.

use std::collections::BTreeSet;

use selvedge_base::{FastMap, FastSet};
use selvedge_interp::{self as interp, Observer, run};
use selvedge_ir::{ClassName, Op};
use selvedge_protocol::{
    AccessKind, Action, Channel, ClassId, Event, FieldId, HoldMode, Location, Lock, LockRole, ObjectId,
    Options, Plan, SyncKind, ThreadId,
};
use selvedge_runtime::Engine;
use selvedge_world::{MethodId, Program, Tier};

mod versions;

use versions::Activations;
pub use versions::Tokens;

/// Programs that read without order and then check that nothing was written meanwhile: events do not say so.
pub const OPTIMISTIC: &str = "Stamped";

/// An event, and for an access which one it is.
pub type Recorded = (Event, Option<Made>);

/// An access of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Made {
    /// The instruction.
    pub site: interp::Site,
    /// Whether the quiet version of the method makes it.
    pub quiet: bool,
}

/// A run.
pub struct Run {
    pub events: Vec<Recorded>,
    /// The methods whose quiet version was entered.
    pub entered: FastSet<MethodId>,
}

/// Makes events of what it sees.
pub struct Recorder<'p> {
    program: &'p Program,
    /// Instructions of the application that access memory.
    sites: &'p FastSet<interp::Site>,
    activations: Activations<'p>,
    objects: FastMap<interp::ObjRef, u64>,
    events: Vec<Recorded>,
}

/// One run of a program under the schedule of a seed.
pub fn record(
    program: &Program,
    sites: &FastSet<interp::Site>,
    tokens: &Tokens,
    main: &str,
    seed: u64,
) -> Result<Run, String> {
    let mut recorder = Recorder {
        program,
        sites,
        activations: Activations::new(tokens),
        objects: FastMap::default(),
        events: Vec::new(),
    };
    let limits = interp::Options { seed, max_instructions: 30_000_000, ..interp::Options::default() };
    match run(program, main, &limits, &mut recorder) {
        Ok(_) => Ok(Run { events: recorder.events, entered: recorder.activations.entered }),
        Err(failure) => Err(format!("{main}: {}", failure.message.lines().next().unwrap_or_default())),
    }
}

impl Recorder<'_> {
    fn object(&mut self, object: interp::ObjRef) -> ObjectId {
        let next = self.objects.len() as u64 + 1;
        ObjectId(*self.objects.entry(object).or_insert(next))
    }

    fn push(&mut self, thread: interp::ThreadId, action: Action, site: Option<interp::Site>) {
        let made = site.map(|site| Made { site, quiet: self.activations.is_quiet(thread, site.method) });
        self.events.push((Event::new(ThreadId::new(thread.number()), action), made));
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

    fn call(&mut self, thread: interp::ThreadId, site: Option<interp::Site>, callee: MethodId) {
        self.activations.call(thread, site, callee);
        let class = self.program.methods[callee].class;
        if self.program.classes[class].tier == Tier::Application {
            self.uses_class(thread, class);
        }
    }

    fn leave(&mut self, thread: interp::ThreadId, _: MethodId) {
        self.activations.leave(thread);
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
pub fn access_sites(program: &Program) -> FastSet<interp::Site> {
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

/// Whether an event is told in a run with a plan.
pub fn reports(program: &Program, plan: &Plan, (_, made): &Recorded) -> bool {
    let Some(Made { site, quiet }) = made else { return true };
    let method = &program.methods[site.method];
    let class = program.classes[method.class].name.to_string();
    let name = format!("{}{}", method.name, method.descriptor);
    match plan.listed(&class, &name).and_then(|listed| listed.quiet.as_ref()) {
        Some(version) if *quiet => version.report.contains(&site.bci),
        _ => plan.reports(&class, &name, site.bci),
    }
}

/// The locations that a detector reports.
pub fn racy<'e>(events: impl Iterator<Item = &'e Recorded>, options: &Options) -> BTreeSet<Location> {
    let mut engine = Engine::new(options);
    events.filter_map(|(event, _)| engine.event(event)).map(|race| race.location).collect()
}
