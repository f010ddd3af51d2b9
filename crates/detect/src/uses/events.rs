//! The events of an object's life, and where in the program each happens (von Praun and Gross, section 2.3).
//!
//! | event | what happens |
//! |---|---|
//! | `NEW` | the object is made |
//! | `GET`, `PUT` | its state is read or written (fields that are neither volatile nor final, elements, library state) |
//! | `LOAD` | its reference is read from a field, an element or a library object |
//! | `STORE`, `ESCAPE` | its reference is kept somewhere; the latter where other threads may look |
//! | `TSTART`, `TJOIN` | a thread that uses the object is started, or has been waited for |
//! | `ENTRY`, `EXIT`, `CALL` | a method begins, ends, is called |
//!
//! A class is an object, too: its state are its static fields, and it is published from the beginning. Handing an object back to
//! code outside of the application (clients of a library, library code that called back) is an `ESCAPE`.
//!
//! The events of all objects are found in one pass over the application's instances; only `TSTART` and the events after it in the table
//! depend on the thread, and belong to [graphs](super::graph).

use std::collections::{BTreeMap, BTreeSet};

use selvedge_base::{BitSet, FastMap, IdVec, Worklist};
use selvedge_facts::{AccessId, AccessKind, Origin, Place, ThreadId};
use selvedge_ir::{Body, CallSiteKind, Inst, Op, Value};
use selvedge_pta::heap::ObjectId;
use selvedge_pta::{InstanceId, Procedure};
use selvedge_world::ClassId;

use super::control::{Control, Moment};
use crate::Facts;

/// Whose life is told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subject {
    /// An abstract object.
    Object(ObjectId),
    /// The static fields of a class.
    Class(ClassId),
}

impl Subject {
    /// The object, unless it is a class.
    pub fn object(self) -> Option<ObjectId> {
        match self {
            Self::Object(object) => Some(object),
            Self::Class(_) => None,
        }
    }
}

/// What happens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    New,
    Get(AccessId),
    Put(AccessId),
    Load { shared: bool },
    Store,
    Escape,
    Start(ThreadId),
    Join(ThreadId),
    Entry,
    Exit,
    Call,
}

impl Kind {
    /// Its name in the paper.
    pub fn name(self) -> &'static str {
        match self {
            Kind::New => "NEW",
            Kind::Get(_) => "GET",
            Kind::Put(_) => "PUT",
            Kind::Load { .. } => "LOAD",
            Kind::Store => "STORE",
            Kind::Escape => "ESCAPE",
            Kind::Start(_) => "TSTART",
            Kind::Join(_) => "TJOIN",
            Kind::Entry => "ENTRY",
            Kind::Exit => "EXIT",
            Kind::Call => "CALL",
        }
    }

    /// The access, and what it does.
    pub fn access(self) -> Option<(AccessId, AccessKind)> {
        match self {
            Kind::Get(access) => Some((access, AccessKind::Read)),
            Kind::Put(access) => Some((access, AccessKind::Write)),
            _ => None,
        }
    }
}

/// An event of an instance, whichever thread executes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Local {
    /// In which instance of a method.
    pub instance: InstanceId,
    /// By which instruction.
    pub inst: Inst,
    /// What happens.
    pub kind: Kind,
}

/// What several threads use: objects that may be shared, and classes.
pub struct Shared {
    objects: BitSet<ObjectId>,
    classes: BitSet<ClassId>,
}

impl Shared {
    /// Finds what more than one thread accesses.
    pub fn new(facts: &Facts<'_, '_>) -> Self {
        let mut threads: BTreeMap<Subject, BTreeSet<ThreadId>> = BTreeMap::new();
        for (access, data) in facts.accesses.all.iter_ids() {
            for &instance in facts.view.analysis.instances_of(data.method) {
                let executing = facts.threads.may_execute(instance).iter().copied();
                let executing: Vec<_> =
                    executing.filter(|&id| facts.threads.all[id].origin != Origin::Initializers).collect();
                if let Place::Static(field) = data.place {
                    let class = facts.view.program.fields[field].class;
                    threads.entry(Subject::Class(class)).or_default().extend(&executing);
                }
                for object in facts.accesses.may_touch(facts.view, access, instance).iter() {
                    if facts.escape.may_be_shared(object) {
                        threads.entry(Subject::Object(object)).or_default().extend(&executing);
                    }
                }
            }
        }
        let mut found = Self { objects: BitSet::new(), classes: BitSet::new() };
        for (subject, threads) in threads {
            if threads.len() > 1 || threads.iter().any(|&thread| facts.threads.all[thread].many) {
                match subject {
                    Subject::Object(object) => found.objects.insert(object),
                    Subject::Class(class) => found.classes.insert(class),
                };
            }
        }
        found
    }

    fn contains(&self, subject: Subject) -> bool {
        match subject {
            Subject::Object(object) => self.objects.contains(object),
            Subject::Class(class) => self.classes.contains(class),
        }
    }
}

/// The events of everything that several threads use, and the control flow that orders them.
pub struct Events {
    /// The events of each subject, by instance.
    local: BTreeMap<Subject, Vec<Local>>,
    executing: Executing,
    /// The control flow of the instances that have events, or lead to such.
    pub(super) control: Control,
}

impl Events {
    /// Finds the events.
    pub fn new(facts: &Facts<'_, '_>) -> Self {
        let collector = Collector {
            facts,
            shared: Shared::new(facts),
            outside: returning_outside(facts),
            local: FastMap::default(),
        };
        Self { local: collector.collect(), executing: Executing::new(facts), control: Control::new(facts) }
    }

    /// The control flow that orders the events.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Whatever has events.
    pub fn subjects(&self) -> impl Iterator<Item = Subject> {
        self.local.keys().copied()
    }

    /// The events of a subject, those of one instance one after the other.
    pub fn of(&self, subject: Subject) -> &[Local] {
        self.local.get(&subject).map_or(&[], Vec::as_slice)
    }

    /// The threads that have events of a subject. Class initialisers do not conflict.
    pub fn threads(&self, subject: Subject) -> BTreeSet<ThreadId> {
        let teams = self.executing.teams_of(self.of(subject));
        teams.iter().flat_map(|&team| &self.executing.teams[team as usize]).copied().collect()
    }

    /// The events of a subject that threads have, once for all threads with the same ones.
    pub(super) fn by_thread(&self, subject: Subject, threads: &BTreeSet<ThreadId>) -> Vec<OfThreads> {
        let all = self.of(subject);
        let teams = self.executing.teams_of(all);
        let mut alike: BTreeMap<Vec<u32>, Vec<ThreadId>> = BTreeMap::new();
        for &thread in threads {
            let is_in = |team: &&u32| self.executing.teams[**team as usize].binary_search(&thread).is_ok();
            alike.entry(teams.iter().filter(is_in).copied().collect()).or_default().push(thread);
        }
        let own = |(teams, threads): (Vec<u32>, Vec<ThreadId>)| {
            let team_of = |event: &&Local| self.executing.team_of[event.instance];
            let is_own = |event: &&Local| teams.binary_search(&team_of(event)).is_ok();
            OfThreads { threads, own: all.iter().filter(is_own).copied().collect() }
        };
        alike.into_iter().map(own).collect()
    }

    /// The threads that execute an instance, in order. Class initialisers are left out.
    pub(super) fn executing(&self, instance: InstanceId) -> &[ThreadId] {
        &self.executing.teams[self.executing.team_of[instance] as usize]
    }
}

/// Threads, and the events of a subject that each of them has.
pub(super) struct OfThreads {
    pub threads: Vec<ThreadId>,
    pub own: Vec<Local>,
}

/// Which threads execute which instances: a large program has few such sets of threads. Class initialisers are left out.
struct Executing {
    teams: Vec<Vec<ThreadId>>,
    team_of: IdVec<InstanceId, u32>,
}

impl Executing {
    fn new(facts: &Facts<'_, '_>) -> Self {
        let mut teams: Vec<Vec<ThreadId>> = Vec::new();
        let mut known: FastMap<&[ThreadId], u32> = FastMap::default();
        let is_counted = |thread: &ThreadId| facts.threads.all[*thread].origin != Origin::Initializers;
        let team = |instance: InstanceId| {
            let threads = facts.threads.may_execute(instance);
            *known.entry(threads).or_insert_with(|| {
                teams.push(threads.iter().copied().filter(is_counted).collect());
                teams.len() as u32 - 1
            })
        };
        let team_of = facts.view.analysis.instances.ids().map(team).collect();
        Self { teams, team_of }
    }

    /// The teams that have events, in order.
    fn teams_of(&self, events: &[Local]) -> Vec<u32> {
        let mut is_there = vec![false; self.teams.len()];
        events.iter().for_each(|event| is_there[self.team_of[event.instance] as usize] = true);
        (0..).zip(is_there).filter(|(_, is_there)| *is_there).map(|(team, _)| team).collect()
    }
}

impl Local {
    /// When it happens, relative to others of its instruction: what the instruction does itself, then what it calls, then
    /// what the call has brought.
    pub(super) fn moment(&self, facts: &Facts<'_, '_>) -> Moment {
        let is_call = || {
            let body = facts.view.body(self.instance);
            body.is_some_and(|body| matches!(body.insts[self.inst].op, Op::Invoke(..)))
        };
        match self.kind {
            Kind::Get(access) | Kind::Put(access) if facts.accesses.all[access].by_call => {
                Moment::during(self.inst)
            }
            Kind::Load { .. } if is_call() => Moment::after(self.inst),
            _ => Moment::at(self.inst),
        }
    }
}

/// The instances whose results go to code outside of the application: what clients and library code call, and what threads run first.
fn returning_outside(facts: &Facts<'_, '_>) -> BitSet<InstanceId> {
    let mut found: BitSet<InstanceId> = BitSet::new();
    let mut work = Worklist::new();
    let mut add = |found: &mut BitSet<InstanceId>, instance: InstanceId| {
        // A lambda object hands on what the method returns that it stands for.
        let hands_on =
            matches!(facts.view.procedure_of(instance), Procedure::Lambda { .. } | Procedure::Proxy(_));
        if found.insert(instance) && hands_on {
            work.push(instance);
        }
    };
    for &entry in facts.threads.all.iter().flat_map(|thread| &thread.entries) {
        add(&mut found, entry);
    }
    for instance in facts.view.analysis.instances.ids() {
        if !facts.view.is_application_instance(instance) {
            for &callee in facts.view.calls(instance).flat_map(|call| call.callees) {
                add(&mut found, callee);
            }
        }
    }
    while let Some(instance) = work.pop() {
        for &callee in facts.view.calls(instance).flat_map(|call| call.callees) {
            let hands_on =
                matches!(facts.view.procedure_of(callee), Procedure::Lambda { .. } | Procedure::Proxy(_));
            if found.insert(callee) && hands_on {
                work.push(callee);
            }
        }
    }
    found
}

struct Collector<'f, 'g, 'a> {
    facts: &'f Facts<'g, 'a>,
    shared: Shared,
    outside: BitSet<InstanceId>,
    local: FastMap<Subject, Vec<Local>>,
}

impl Collector<'_, '_, '_> {
    fn collect(mut self) -> BTreeMap<Subject, Vec<Local>> {
        let facts = self.facts;
        for instance in facts.view.analysis.instances.ids() {
            let runs = !facts.threads.may_execute(instance).is_empty();
            if runs && facts.view.is_application_instance(instance) {
                self.add_instance(instance);
            }
        }
        self.local.into_iter().collect()
    }

    fn add_instance(&mut self, instance: InstanceId) {
        let facts = self.facts;
        let (Some(method), Some(body)) = (facts.view.method_of(instance), facts.view.body(instance)) else {
            return;
        };
        for &access in facts.accesses.of_method(method) {
            let data = &facts.accesses.all[access];
            if let Place::Static(field) = data.place {
                let class = Subject::Class(facts.view.program.fields[field].class);
                let kind = match data.kind {
                    AccessKind::Read => Kind::Get(access),
                    AccessKind::Write => Kind::Put(access),
                };
                self.add(class, Local { instance, inst: data.inst, kind });
            }
            for object in facts.accesses.may_touch(facts.view, access, instance).iter() {
                let kind = match facts.accesses.kind_on(access, object) {
                    Some(AccessKind::Read) => Kind::Get(access),
                    Some(AccessKind::Write) => Kind::Put(access),
                    None => continue,
                };
                self.add(Subject::Object(object), Local { instance, inst: data.inst, kind });
            }
        }
        for inst in body.insts.ids() {
            self.add_references(instance, body, inst);
        }
    }

    fn add(&mut self, subject: Subject, event: Local) {
        if self.shared.contains(subject) {
            self.local.entry(subject).or_default().push(event);
        }
    }

    fn add_all(&mut self, instance: InstanceId, inst: Inst, value: Value, kind: Kind) {
        for object in self.facts.view.analysis.points_to(instance, value).iter() {
            self.add(Subject::Object(object), Local { instance, inst, kind });
        }
    }

    /// What an instruction does with references.
    fn add_references(&mut self, instance: InstanceId, body: &Body, inst: Inst) {
        let facts = self.facts;
        let set = |value: Value| facts.view.analysis.points_to(instance, value);
        let args = body.args(inst);
        let result = body.insts[inst].result;
        let is_shared = |value: Value| set(value).iter().any(|host| facts.escape.may_be_shared(host));
        let keeping = |is_shared: bool| if is_shared { Kind::Escape } else { Kind::Store };
        match &body.insts[inst].op {
            Op::New(_) | Op::NewArray(_) | Op::NewPrimitiveArray(_) | Op::NewMultiArray(_) => {
                result.into_iter().for_each(|value| self.add_all(instance, inst, value, Kind::New));
            }
            Op::PutField(_) => self.add_all(instance, inst, args[1], keeping(is_shared(args[0]))),
            Op::ArrayStore(_) => self.add_all(instance, inst, args[2], keeping(is_shared(args[0]))),
            Op::PutStatic(_) | Op::Throw => self.add_all(instance, inst, args[0], Kind::Escape),
            Op::Return => {
                if let Some(&value) = args.first().filter(|_| self.outside.contains(instance)) {
                    self.add_all(instance, inst, value, Kind::Escape);
                }
            }
            Op::GetField(_) | Op::ArrayLoad(_) => {
                let kind = Kind::Load { shared: is_shared(args[0]) };
                result.into_iter().for_each(|value| self.add_all(instance, inst, value, kind));
            }
            Op::GetStatic(_) => {
                let kind = Kind::Load { shared: true };
                result.into_iter().for_each(|value| self.add_all(instance, inst, value, kind));
            }
            Op::InvokeDynamic(site) => {
                let is_lambda = matches!(body.call_sites[*site].kind, CallSiteKind::Lambda(_));
                let kind = keeping(!is_lambda || result.is_some_and(is_shared));
                args.iter().for_each(|&value| self.add_all(instance, inst, value, kind));
            }
            Op::Invoke(..) => self.add_library_call(instance, inst, args, result),
            _ => {}
        }
    }

    /// What a call of library code does with references.
    fn add_library_call(&mut self, instance: InstanceId, inst: Inst, args: &[Value], result: Option<Value>) {
        let facts = self.facts;
        let callees = facts.view.callees(instance, inst).iter().copied();
        let library: Vec<InstanceId> =
            callees.filter(|&callee| !facts.view.is_application_instance(callee)).collect();
        if library.is_empty() {
            return;
        }
        for (position, &value) in args.iter().enumerate() {
            let leaks = |&callee: &InstanceId| facts.publication.may_leak(facts.view, callee, position);
            if library.iter().any(leaks) {
                self.add_all(instance, inst, value, Kind::Escape);
            }
        }
        let kind = Kind::Load { shared: true };
        result.into_iter().for_each(|value| self.add_all(instance, inst, value, kind));
    }
}

/// Where an event reads the reference from, or keeps it: empty for static fields and library code.
pub(super) fn hosts(facts: &Facts<'_, '_>, event: &Local) -> Vec<ObjectId> {
    let Some(body) = facts.view.body(event.instance) else { return Vec::new() };
    if !matches!(event.kind, Kind::Load { .. } | Kind::Store | Kind::Escape) {
        return Vec::new();
    }
    let host = match body.insts[event.inst].op {
        Op::PutField(_) | Op::ArrayStore(_) | Op::GetField(_) | Op::ArrayLoad(_) => {
            body.args(event.inst).first().copied()
        }
        Op::InvokeDynamic(_) => body.insts[event.inst].result,
        _ => None,
    };
    host.map_or_else(Vec::new, |host| facts.view.analysis.points_to(event.instance, host).iter().collect())
}
