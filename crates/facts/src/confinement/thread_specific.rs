//! What only the constructor of a thread object and the thread itself touch: thread-specific methods, fields and objects.
//!
//! Choi et al. (section 5.4): a thread often keeps things in fields of its own `Thread` object that its constructor has prepared. They
//! are visible to the creator of the thread, so they are not local to it, and yet only the thread uses them once it runs.
//! [`Confinement`](crate::Confinement) distinguishes workers from each other; here it is the creator of a thread and the thread.
//!
//! - A *thread-specific method* is a constructor of a thread object, a `run` that the start of the thread alone calls, or an
//!   instance method that only thread-specific methods call, on their own `this`.
//! - A *thread-specific field* is only accessed through the `this` of thread-specific methods.
//! - A thread object is *safe* if no constructor may leak it (a start by the constructor is such a leak), and if whoever makes it starts it:
//!   one thread does all of it, or the value that is started was made in the same activation.
//! - An object is *thread-specific* if it is not known outside: *outside* is what runs other than below thread-specific methods of safe
//!   threads, what static fields and the JVM hold, and what can be reached from there, but not through thread-specific fields of safe threads.
//!   A thread object that is made below thread-specific methods of another one gets its arguments from there, so that its
//!   constructor counts as outside.
//!
//! **Theorem.** In every run all accesses to a thread-specific field of a safe thread object, and to a thread-specific object, are ordered: they are
//! made by the one thread that constructs the thread object, before it is started, or by that thread itself. For while a constructor
//! runs that leaks nothing, nobody else can call `start`; a thread object is started at most once; and each activation of
//! a thread-specific method, with all that it calls, works for one thread object: it gets references from its own allocations, from thread-specific
//! fields of its `this`, and from objects that it got so, and every other source is outside. That makers start what they make is needed for the order:
//! a thread object that passes through a racy field may be started by somebody who has not seen what its constructor wrote.
//!
//! A thread-specific method is the thread's *own* if no constructor calls it, nor what calls it.
//!
//! **Theorem.** In every run two accesses through the `this` of own methods to one object are made by one thread, whoever knows the object and
//! wherever it was made: own methods run below a `run` on the same `this`, which only the start of `this` calls, and that happens once.
//!
//! The hypotheses, each with a program of the corpus in which only this one fails:
//!
//! 1. No constructor leaks the thread object, by starting it or otherwise (StartedInConstructor).
//! 2. Only the thread uses its fields (ThreadFieldsAskedByOthers).
//!
//! Fields that reflection reaches by name are what the points-to analysis says of it.

use selvedge_base::{BitSet, FastMap, FastSet, Worklist};
use selvedge_ir::{ClassName, Inst, Op};
use selvedge_models::{InThread, Kind};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_pta::summary::{Member, Slot};
use selvedge_world::FieldId;

use crate::accesses::{Accesses, Place};
use crate::confinement::Confinement;
use crate::describe;
use crate::escape::is_global;
use crate::handover::fresh::makers;
use crate::heap_graph::HeapGraph;
use crate::publication::Publication;
use crate::refutation::{Candidate, Occurrence, Refutation};
use crate::threads::{Origin, Threads};
use crate::view::View;

/// The thread-specific methods, see the [module documentation](self).
#[derive(Default)]
pub struct ThreadMethods {
    specific: BitSet<InstanceId>,
    own: BitSet<InstanceId>,
    callers: Callers,
}

impl ThreadMethods {
    /// Finds them.
    pub fn new(view: &View<'_>, threads: &Threads) -> Self {
        let candidates = methods_of_threads(view, threads);
        if candidates.is_empty() {
            return Self::default();
        }
        let callers = callers_of(view, &candidates);
        let specific = specific_methods(view, threads, candidates, &callers);
        let mut own = specific.clone();
        let mut constructing: Worklist<InstanceId> = Worklist::new();
        constructing.extend(specific.iter().filter(|&instance| is_constructor(view, instance)));
        while let Some(instance) = constructing.pop() {
            if own.remove(instance) {
                let called = view.calls(instance).flat_map(|call| call.callees);
                constructing.extend(called.copied().filter(|&callee| own.contains(callee)));
            }
        }
        Self { specific, own, callers }
    }

    /// Whether both sides access the thread object that runs them.
    pub fn refute<'a>(
        &self,
        view: &'a View<'_>,
        accesses: &Accesses,
        candidate: &Candidate,
    ) -> Option<Refutation<'a>> {
        let object = candidate.object?;
        let is_own = |side: &Occurrence| {
            let access = &accesses.all[side.access];
            let body = view.program.body(access.method).filter(|_| self.own.contains(side.instance));
            body.is_some_and(|body| access.base.is_some() && access.base == body.parameters.first().copied())
        };
        candidate.sides.iter().all(is_own).then(|| {
            Refutation::proof(Confinement::THREAD_SPECIFIC, move || {
                format!(
                    "{} is the thread that accesses it, and a thread is started once",
                    describe::object(view, object)
                )
            })
        })
    }
}

/// See the [module documentation](self).
#[derive(Default)]
pub struct ThreadSpecific {
    methods: BitSet<InstanceId>,
    fields: FastSet<FieldId>,
    safe: BitSet<ObjectId>,
    unsafe_threads: BitSet<ObjectId>,
    objects: BitSet<ObjectId>,
}

/// Who calls an instance, and where.
type Callers = FastMap<InstanceId, Vec<(InstanceId, Option<Inst>)>>;

impl ThreadSpecific {
    /// Finds what is thread-specific.
    pub fn new(
        view: &View<'_>,
        threads: &Threads,
        accesses: &Accesses,
        publication: &Publication,
        methods: &ThreadMethods,
    ) -> Self {
        let mut found = Self::default();
        if methods.specific.is_empty() {
            return found;
        }
        found.methods = methods.specific.clone();
        found.fields = specific_fields(view, accesses, &found.methods);
        found.find_safe_threads(view, threads, publication);
        found.find_objects(view, threads, &methods.callers);
        found
    }

    /// Whether an instance of a method is thread-specific.
    pub fn is_specific_method(&self, instance: InstanceId) -> bool {
        self.methods.contains(instance)
    }

    /// Whether a field is thread-specific.
    pub fn is_specific_field(&self, field: FieldId) -> bool {
        self.fields.contains(&field)
    }

    /// Whether an object is a thread whose constructors leak nothing.
    pub fn is_safe_thread(&self, object: ObjectId) -> bool {
        self.safe.contains(object)
    }

    /// Whether an object is a thread that a constructor may leak.
    pub fn is_unsafe_thread(&self, object: ObjectId) -> bool {
        self.unsafe_threads.contains(object)
    }

    /// Whether all accesses to an object are ordered because it is thread-specific.
    pub fn must_be_specific(&self, object: ObjectId) -> bool {
        self.objects.contains(object)
    }

    /// Whether all accesses to a place of an object are ordered because one of them is thread-specific.
    pub fn orders(&self, place: Place, object: ObjectId) -> bool {
        let is_own_field = |field| self.is_specific_field(field) && self.is_safe_thread(object);
        self.must_be_specific(object) || matches!(place, Place::Field(field) if is_own_field(field))
    }

    /// Constructors of the application are known; a thread without any has no methods of its own either.
    fn find_safe_threads(&mut self, view: &View<'_>, threads: &Threads, publication: &Publication) {
        for instance in self.methods.iter().filter(|&instance| is_constructor(view, instance)) {
            let leaks = publication.may_leak(view, instance, 0);
            for object in view.analysis.parameter_points_to(instance, 0).iter() {
                if leaks || !is_started_by_maker(view, threads, object) {
                    self.unsafe_threads.insert(object);
                } else {
                    self.safe.insert(object);
                }
            }
        }
        self.safe.subtract(&self.unsafe_threads);
    }

    fn find_objects(&mut self, view: &View<'_>, threads: &Threads, callers: &Callers) {
        if self.safe.is_empty() {
            return;
        }
        let outside = self.code_outside(view, threads, callers);
        let leads = |object: ObjectId, member: Member| !matches!(member, Member::Field(field) if self.fields.contains(&field) && self.safe.contains(object));
        let analysis = view.analysis;
        let heap = HeapGraph::through(analysis, leads);
        let mut known = heap.walk();
        analysis.static_fields().for_each(|(_, set)| known.add(set));
        for (object, data) in analysis.heap.objects() {
            let is_made_by_code =
                matches!(analysis.heap.site_of(data.site), Site::Instruction { .. } | Site::Part { .. });
            if !is_made_by_code || is_global(analysis, object) {
                known.add_one(object);
            }
        }
        for instance in outside.iter() {
            let summary = analysis.summary(analysis.instances[instance].procedure);
            for slot in (0..summary.map_or(0, |summary| summary.slots)).map(Slot::new) {
                known.add(analysis.slot_points_to(instance, slot));
            }
        }
        let known = known.close();
        for (object, _) in analysis.heap.objects().filter(|(object, _)| !known.contains(*object)) {
            self.objects.insert(object);
        }
    }

    /// What threads may execute other than below thread-specific methods of safe threads.
    fn code_outside(&self, view: &View<'_>, threads: &Threads, callers: &Callers) -> BitSet<InstanceId> {
        let is_safe = |&instance: &InstanceId| {
            view.analysis.parameter_points_to(instance, 0).iter().all(|object| self.safe.contains(object))
        };
        let inside: BitSet<InstanceId> = self.methods.iter().filter(is_safe).collect();
        let mut outside: BitSet<InstanceId> = BitSet::new();
        let mut work: Worklist<InstanceId> = Worklist::new();
        for thread in threads.all.iter() {
            work.extend(thread.entries.iter().copied().filter(|&entry| !inside.contains(entry)));
        }
        work.extend(self.methods.iter().filter(|&instance| !inside.contains(instance)));
        loop {
            while let Some(instance) = work.pop() {
                if !outside.insert(instance) {
                    continue;
                }
                for &callee in view.calls(instance).flat_map(|call| call.callees) {
                    if !inside.contains(callee) && threads.is_call(view, instance, callee) {
                        work.push(callee);
                    }
                }
            }
            let is_made_inside = |&instance: &InstanceId| {
                let makers = callers.get(&instance).into_iter().flatten();
                let mut makers = makers.filter(|&&(maker, at)| !passes_this(view, maker, at));
                is_constructor(view, instance)
                    && makers
                        .any(|&(maker, _)| !outside.contains(maker) && !threads.may_execute(maker).is_empty())
            };
            work.extend(inside.iter().filter(|it| !outside.contains(*it)).filter(is_made_inside));
            if work.is_empty() {
                return outside;
            }
        }
    }
}

/// Whether the thread that makes an object is the one that starts it.
fn is_started_by_maker(view: &View<'_>, threads: &Threads, object: ObjectId) -> bool {
    let Some((site, makers)) = makers(view, object) else { return false };
    let makers: Vec<InstanceId> = makers.collect();
    let starts = threads.all.iter().filter(|thread| thread.objects.contains(&object));
    let starts: Vec<(InstanceId, Option<Inst>)> = starts
        .filter_map(|thread| match thread.origin {
            Origin::Spawn { instance, inst, .. } => Some((instance, inst)),
            _ => None,
        })
        .collect();
    let is_made_there = |&(instance, start): &(InstanceId, Option<Inst>)| {
        let Some((start, body)) = start.zip(view.body(instance)) else { return false };
        makers.contains(&instance) && body.args(start).first().copied() == body.insts[site].result
    };
    if starts.iter().all(is_made_there) {
        return true;
    }
    let involved = makers.iter().copied().chain(starts.iter().map(|&(starter, _)| starter));
    let mut involved = involved.flat_map(|instance| threads.may_execute(instance)).copied();
    let Some(first) = involved.next() else { return false };
    let is_one = !threads.all[first].many && threads.all[first].origin != Origin::Initializers;
    is_one && involved.all(|other| other == first)
}

fn is_constructor(view: &View<'_>, instance: InstanceId) -> bool {
    view.method_of(instance).is_some_and(|method| view.program.methods[method].is_constructor())
}

/// The instance methods of the application that only ever run on thread objects.
fn methods_of_threads(view: &View<'_>, threads: &Threads) -> BitSet<InstanceId> {
    let heap = &view.analysis.heap;
    let thread = ClassName::new(Kind::Thread.class());
    let is_thread = |object: ObjectId| heap.types.is_instance(heap.get(object).ty, thread);
    let mut found = BitSet::new();
    for instance in view.analysis.instances.ids().filter(|&it| view.is_application_instance(it)) {
        let Some(method) = view.method_of(instance).filter(|&it| !view.program.methods[it].is_static())
        else {
            continue;
        };
        let receivers = view.analysis.parameter_points_to(instance, 0);
        if view.program.body(method).is_some()
            && !threads.may_execute(instance).is_empty()
            && !receivers.is_empty()
            && receivers.iter().all(is_thread)
        {
            found.insert(instance);
        }
    }
    found
}

fn callers_of(view: &View<'_>, callees: &BitSet<InstanceId>) -> Callers {
    let mut callers = Callers::default();
    for caller in view.analysis.instances.ids() {
        for call in view.calls(caller) {
            for &callee in call.callees.iter().filter(|&&callee| callees.contains(callee)) {
                callers.entry(callee).or_default().push((caller, call.inst));
            }
        }
    }
    callers
}

/// Whether an instance method calls with its own `this` as receiver.
fn passes_this(view: &View<'_>, caller: InstanceId, call: Option<Inst>) -> bool {
    let Some((method, call)) = view.method_of(caller).zip(call) else { return false };
    let Some(body) = view.program.body(method) else { return false };
    let passes = body.args(call).first().is_some_and(|it| body.parameters.first() == Some(it));
    passes && matches!(body.insts[call].op, Op::Invoke(..)) && !view.program.methods[method].is_static()
}

/// The greatest set that fits the definition: everything is taken away that does not fit, and what it calls.
fn specific_methods(
    view: &View<'_>,
    threads: &Threads,
    mut methods: BitSet<InstanceId>,
    callers: &Callers,
) -> BitSet<InstanceId> {
    let mut started: BitSet<InstanceId> = BitSet::new();
    let mut refused: Worklist<InstanceId> = Worklist::new();
    for thread in threads.all.iter() {
        let is_start = matches!(thread.origin, Origin::Spawn { kind: InThread::New, .. });
        for &entry in thread.entries.iter().filter(|&&entry| methods.contains(entry)) {
            if is_start {
                started.insert(entry);
            } else {
                refused.push(entry);
            }
        }
    }
    let mut callees: FastMap<InstanceId, Vec<InstanceId>> = FastMap::default();
    for instance in methods.iter().filter(|&instance| !is_constructor(view, instance)) {
        for &(caller, at) in callers.get(&instance).into_iter().flatten() {
            let is_by_start = started.contains(instance) && view.is_spawning(caller);
            if is_by_start {
                continue;
            }
            if methods.contains(caller) && passes_this(view, caller, at) {
                callees.entry(caller).or_default().push(instance);
            } else {
                refused.push(instance);
            }
        }
    }
    while let Some(instance) = refused.pop() {
        if methods.remove(instance) {
            refused.extend(callees.get(&instance).into_iter().flatten().copied());
        }
    }
    methods
}

/// The fields that the code of the application accesses only through the `this` of such methods.
fn specific_fields(view: &View<'_>, accesses: &Accesses, methods: &BitSet<InstanceId>) -> FastSet<FieldId> {
    let mut own: FastSet<FieldId> = FastSet::default();
    let mut others: FastSet<FieldId> = FastSet::default();
    for (method, body) in view.application_code() {
        let is_specific = view.analysis.instances_of(method).iter().all(|&it| methods.contains(it));
        for (inst, data) in body.insts.iter_ids() {
            let (Op::GetField(reference) | Op::PutField(reference)) = &data.op else { continue };
            let Ok(field) = view.program.resolve_field(reference) else { continue };
            let is_own = is_specific && body.args(inst).first() == body.parameters.first();
            if is_own { &mut own } else { &mut others }.insert(field);
        }
    }
    others.extend(accesses.all.iter().filter(|access| access.by_call).filter_map(
        |access| match access.place {
            Place::Field(field) => Some(field),
            _ => None,
        },
    ));
    own.retain(|field| !others.contains(field));
    own
}
