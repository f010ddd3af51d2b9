//! Abstract threads: where threads start, what each may execute, and whether there can be many.
//!
//! A thread starts where the program starts, where unknown callers call a library, and at each call that runs code in another
//! thread. What such a call runs is said by rows of the models (`callback` with a thread of its own), at the
//! call where the application hands over the task, not deep in the library where a worker takes it from a queue:
//! there all tasks of all callers meet. So two cuts are made in the call graph of the points-to analysis:
//!
//! - Below a call with such a row, further thread starts in library code are the library's own business: a pool that
//!   starts a worker. Such a *worker* runs none of the tasks that rows start, but all that is beside them: the hooks of a pool of the
//!   application's own (PoolHooks), what a thread factory wraps around the pool's work (FactoryWrapsWorker).
//! - A dispatcher never *calls* code that is the start of another thread: a worker that runs a task, a `join` that
//!   helps with other tasks. The task counts as run by its own abstract thread. Dispatchers are the classes of
//!   [`Kind::Dispatcher`], without those of [`Kind::OwnTask`], and in libraries outside the JDK executors, threads and
//!   tasks ([`Kind::Worker`]), with the classes nested in them. All other code calls what it is given in the thread that it
//!   runs in: `Thread.run`, `FutureTask.run`, `forEach`, a policy that runs rejected tasks (RunnableStartedTwoWays,
//!   FunctionOfTwoThreads, RejectedRunByCaller), a helper of another library (test `a_library_may_run_a_task_in_the_thread_that_passes_it`).
//!
//! Threads that the library starts without such a row stay, with the cuts, if they reach code of the application.
//!
//! Lambda objects get a cut of their own, since the library uses streams, optionals and the like for itself everywhere, and the call
//! graph does not distinguish these uses: library code calls a lambda of the application only in threads whose application code
//! passes it to the library, in the threads of a stream that may be parallel, in threads of the library whose thread object leads to
//! it, except those that the JDK starts for its own upkeep ([`Kind::Upkeep`]), and in all if a static field of the library holds it itself. (A heuristic: a stream that one thread makes and another
//! one runs is not seen.)
//!
//! A handler of uncaught exceptions runs in the thread that it is called for, as its last act.
//!
//! The relation: `reached[t]` holds every instance that thread `t` *may* execute itself (not what threads it starts execute).
//! All class initialisers together are one abstract thread ([`Origin::Initializers`]), which stands for all threads that may run them.

mod event_only;
mod spawn;
#[cfg(test)]
mod tests;
mod walk;

use rayon::prelude::*;
use selvedge_base::{BitSet, FastMap, FastSet, Id, IdVec, entity};
use selvedge_ir::{ClassName, Inst};
use selvedge_models::{Effect, InThread, Kind, Root, RootThread};
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::Role;
use selvedge_pta::{InstanceId, Procedure};
use selvedge_world::{ClassId, FieldId, MethodId, Tier};

use crate::heap_graph::HeapGraph;
use crate::order::stream_order::may_be_parallel_callbacks;
use crate::view::View;
use walk::{Mode, Walk, WalkGraph};

entity! {
    /// An abstract thread.
    ThreadId "t";
}

/// Where a thread comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// The JVM starts it with a `main` method.
    Main(MethodId),
    /// Unknown callers of a library: any number of threads.
    Client,
    /// A container that prepares the services it hosts, before it calls them.
    ContainerStart,
    /// A container that calls the services it hosts: any number of threads, or, for calls that are made one after the other,
    /// one, with a method of theirs.
    Container(Option<MethodId>),
    /// A thread of the JVM: finalisers, shutdown.
    Vm(MethodId),
    /// The initialisers of all classes that are initialised, whichever threads run them.
    Initializers,
    /// A call that runs code in another thread.
    Spawn {
        /// The instance that makes the call.
        instance: InstanceId,
        /// The number of the call there.
        call: u32,
        /// The instruction of the call, where the code has one.
        inst: Option<Inst>,
        /// What kind of thread runs the code.
        kind: InThread,
    },
}

/// An abstract thread.
#[derive(Clone, Debug)]
pub struct AbstractThread {
    /// Where it comes from.
    pub origin: Origin,
    /// What it runs first.
    pub entries: Vec<InstanceId>,
    /// The objects whose method it runs: threads, tasks, lambda objects. Empty unless it is spawned.
    pub objects: Vec<ObjectId>,
    /// Whether there may be several at the same time. Set by [`Executions`](crate::Executions); `true` until then for
    /// everything but `main`, class initialisers and containers that start.
    pub many: bool,
    /// Whether one execution of the call that starts it may start several.
    pub several: bool,
    /// Whether it may run again after it has run, one run after the other: a periodic task.
    pub repeats: bool,
    /// Whether the library starts it to run what others hand over: that is run by threads of its own, and this one does the rest.
    pub is_worker: bool,
}

/// See the [module documentation](self).
pub struct Threads {
    /// The threads.
    pub all: IdVec<ThreadId, AbstractThread>,
    /// The instances that each thread may execute.
    pub reached: IdVec<ThreadId, BitSet<InstanceId>>,
    /// The threads that may execute each instance, and where those of an instance begin.
    by_instance: Vec<ThreadId>,
    starts: IdVec<InstanceId, u32>,
    /// What starts a thread, or wraps a task, and is not to be entered from dispatchers.
    entries: BitSet<InstanceId>,
    /// What is passed to streams that may be parallel.
    parallel_callbacks: BitSet<ObjectId>,
    /// What static fields of the library hold themselves: whoever runs library code may call it (the default handler of uncaught exceptions).
    registered: BitSet<ObjectId>,
    /// Who passes each lambda of the application to the library.
    passers: FastMap<InstanceId, Vec<InstanceId>>,
    /// What a thread runs when it ends, by the thread object.
    endings: Vec<InstanceId>,
}

impl Threads {
    /// Finds the threads.
    pub fn new(view: &View<'_>) -> Self {
        let mut threads = Self {
            all: IdVec::new(),
            reached: IdVec::new(),
            by_instance: Vec::new(),
            starts: IdVec::new(),
            entries: wrappers(view),
            parallel_callbacks: may_be_parallel_callbacks(view),
            registered: registered(view),
            passers: passers(view),
            endings: Vec::new(),
        };
        let (heap, ways) = rayon::join(|| HeapGraph::new(view.analysis), || WalkGraph::new(view));
        threads.add_roots(view);
        let walks = threads.find_spawned(view, (&heap, &ways));
        threads.settle(view, (&heap, &ways), walks);
        threads
    }

    /// The threads that may execute an instance.
    pub fn may_execute(&self, instance: InstanceId) -> &[ThreadId] {
        let start =
            |index: usize| self.starts.get(InstanceId::from_index(index)).map(|&start| start as usize);
        let (first, end) = (start(instance.index()), start(instance.index() + 1));
        first.zip(end).map_or(&[], |(first, end)| &self.by_instance[first..end])
    }

    /// Whether an edge from `caller` to `callee` is followed as a call within a thread.
    pub fn is_call(&self, view: &View<'_>, caller: InstanceId, callee: InstanceId) -> bool {
        (!self.entries.contains(callee) || !is_dispatcher(view, caller)) && !runs_elsewhere(view, caller)
    }

    fn add_roots(&mut self, view: &View<'_>) {
        let Some(roots) = view.roots() else { return };
        let mut clients = Vec::new();
        let mut hosted: Vec<(Origin, Vec<InstanceId>)> = Vec::new();
        let mut of_the_machine: Vec<(Origin, Vec<InstanceId>)> = Vec::new();
        for call in view.calls(roots) {
            if let Some(origin) = container_call(view, roots, call.number) {
                match hosted.iter_mut().find(|(known, _)| *known == origin) {
                    Some((_, entries)) => entries.extend(call.callees),
                    None => hosted.push((origin, call.callees.to_vec())),
                }
                continue;
            }
            for &callee in call.callees {
                match view.method_of(callee).map(|method| (method, vm_thread(view, method))) {
                    Some((_, Some(RootThread::Startup))) => {}
                    Some((_, Some(RootThread::Ending))) => self.endings.push(callee),
                    Some((method, Some(_))) => {
                        of_the_machine.push((Origin::Vm(method), vec![callee]));
                    }
                    Some((method, None)) if is_main(view, method) => {
                        self.add(Origin::Main(method), vec![callee]);
                    }
                    _ => clients.push(callee),
                }
            }
        }
        if !clients.is_empty() {
            hosted.push((Origin::Client, clients));
        }
        // Threads of the JVM come last: where others do the same, a report tells of those.
        for (origin, mut entries) in hosted.into_iter().chain(of_the_machine) {
            entries.sort_unstable();
            entries.dedup();
            self.add(origin, entries);
        }
    }

    fn add(&mut self, origin: Origin, entries: Vec<InstanceId>) -> ThreadId {
        let many = !matches!(origin, Origin::Main(_) | Origin::ContainerStart);
        let repeats = matches!(origin, Origin::Vm(_) | Origin::Container(_));
        let (several, is_worker) = (false, false);
        self.all.push(AbstractThread {
            origin,
            entries,
            objects: Vec::new(),
            many,
            repeats,
            several,
            is_worker,
        })
    }

    /// Walks thread after thread until no new ones appear.
    fn find_spawned(
        &mut self,
        view: &View<'_>,
        graphs: (&HeapGraph<'_>, &WalkGraph),
    ) -> FastMap<ThreadId, EarlyWalk> {
        // What an instance starts does not depend on who executes it, so it is asked once.
        let mut told: BitSet<InstanceId> = BitSet::new();
        let mut told_workers: BitSet<InstanceId> = BitSet::new();
        let mut walks: FastMap<ThreadId, EarlyWalk> = FastMap::default();
        // Every entry of `self.entries`, in the order in which they came.
        let mut cuts: Vec<InstanceId> = Vec::new();
        let initializing = self.add(Origin::Initializers, Vec::new());
        let mut executed: BitSet<InstanceId> = BitSet::new();
        let mut initializers: BitSet<InstanceId> = BitSet::new();
        let mut explored: FastSet<ThreadId> = FastSet::from_iter([initializing]);
        // The initialisers come last: every other thread adds to them.
        let next = |all: &IdVec<ThreadId, AbstractThread>, explored: &FastSet<ThreadId>| {
            let mut pending = all.ids().filter(|thread| !explored.contains(thread));
            let first = pending.next()?;
            if first == initializing { pending.next().or(Some(first)) } else { Some(first) }
        };
        while let Some(thread) = next(&self.all, &explored) {
            explored.insert(thread);
            let mut spawned: Vec<AbstractThread> = Vec::new();
            let early = walks.entry(thread).or_insert_with(|| EarlyWalk {
                walk: Walk::new(view.analysis.instances.len()),
                cuts: cuts.len(),
                misses_cuts: false,
            });
            self.walk(view, graphs, thread, &mut early.walk, &mut |instance, mode| {
                let is_new = match mode {
                    Mode::Plain => told.insert(instance),
                    Mode::Told => !told.contains(instance) && told_workers.insert(instance),
                };
                if is_new {
                    let calls = view.calls(instance);
                    let started = calls.flat_map(|call| spawn::by_call(view, &self.endings, instance, &call));
                    match mode {
                        Mode::Plain => spawned.extend(started),
                        Mode::Told => {
                            spawned.extend(started.filter_map(|thread| spawn::as_worker(view, thread)))
                        }
                    }
                }
            });
            let reached = early.walk.reached();
            for started in spawned {
                cuts.extend(started.entries.iter().filter(|&&entry| self.entries.insert(entry)));
                self.all.push(started);
            }
            for instance in reached.iter().filter(|&instance| executed.insert(instance)) {
                for initializer in view.initializers(instance) {
                    if initializers.insert(initializer) {
                        self.all[initializing].entries.push(initializer);
                        explored.remove(&initializing);
                    }
                }
            }
        }
        for early in walks.values_mut() {
            early.misses_cuts = cuts[early.cuts..].iter().any(|&entry| early.walk.has_reached(entry));
        }
        walks
    }

    /// With all starts known: what each thread reaches, without the threads of the library that reach nothing of the
    /// application.
    fn settle(
        &mut self,
        view: &View<'_>,
        graphs: (&HeapGraph<'_>, &WalkGraph),
        walks: FastMap<ThreadId, EarlyWalk>,
    ) {
        let settled = walks.iter().filter(|(_, early)| !early.misses_cuts);
        let settled: FastMap<ThreadId, &Walk> = settled.map(|(&id, early)| (id, &early.walk)).collect();
        let ids: Vec<ThreadId> = self.all.ids().collect();
        let reach = |id: &ThreadId| {
            if let Some(walk) = settled.get(id) {
                return walk.reached();
            }
            let mut walk = Walk::new(view.analysis.instances.len());
            self.walk(view, graphs, *id, &mut walk, &mut |_, _| {});
            walk.reached()
        };
        let reached: Vec<BitSet<InstanceId>> = ids.par_iter().map(reach).collect();
        for (thread, reached) in std::mem::take(&mut self.all).into_vec().into_iter().zip(reached) {
            if reached.iter().any(|instance| view.is_application_instance(instance)) {
                self.all.push(thread);
                self.reached.push(reached);
            }
        }
        for instance in view.analysis.instances.ids() {
            self.starts.push(self.by_instance.len() as u32);
            let reaching = self.reached.iter_ids().filter(|(_, reached)| reached.contains(instance));
            self.by_instance.extend(reaching.map(|(thread, _)| thread));
        }
        self.starts.push(self.by_instance.len() as u32);
    }
}

/// A walk that was made before all starts of threads were known.
///
/// It is the one that would be made with all of them known if it entered nothing that is cut off now: a cut takes away only calls
/// that lead into what is cut off.
struct EarlyWalk {
    walk: Walk,
    /// How many cuts were known when it began.
    cuts: usize,
    /// Whether it entered what was cut off later.
    misses_cuts: bool,
}

impl Threads {
    /// What the thread object or task of a thread leads to.
    fn held_by_thread(
        &self,
        view: &View<'_>,
        heap: &HeapGraph<'_>,
        thread: ThreadId,
    ) -> Option<BitSet<ObjectId>> {
        if !matches!(self.all[thread].origin, Origin::Spawn { .. }) || self.is_upkeep(view, thread) {
            return None;
        }
        if self.is_stream_thread(view, thread) {
            return None;
        }
        let mut reach = heap.walk();
        self.all[thread].objects.iter().for_each(|&object| reach.add_one(object));
        Some(reach.close_by_hub())
    }

    /// Whether a thread is one that the JDK starts for its own upkeep ([`Kind::Upkeep`]), or that no method starts.
    pub fn is_upkeep(&self, view: &View<'_>, thread: ThreadId) -> bool {
        let Origin::Spawn { instance, .. } = self.all[thread].origin else { return false };
        let Some(method) = view.method_of(instance) else { return true };
        let starter = view.program.classes[view.program.methods[method].class].name.symbol();
        let innocuous = ClassName::new(Kind::UpkeepThread.class());
        let types = &view.analysis.heap.types;
        let is_innocuous =
            |&object: &ObjectId| types.is_instance(view.analysis.heap.get(object).ty, innocuous);
        Kind::Upkeep.has(starter.as_bytes()) || self.all[thread].objects.iter().all(is_innocuous)
    }

    /// Whether a thread is one that the library starts for a stream, or another operation on many elements.
    pub(crate) fn is_stream_thread(&self, view: &View<'_>, thread: ThreadId) -> bool {
        self.is_started_by(view, thread, Kind::BulkOperation)
    }

    /// Whether a method of a class of a kind starts a thread.
    pub(crate) fn is_started_by(&self, view: &View<'_>, thread: ThreadId, kind: Kind) -> bool {
        let Origin::Spawn { instance, .. } = self.all[thread].origin else { return false };
        view.method_of(instance).is_some_and(|method| {
            let class = view.program.methods[method].class;
            kind.has(view.program.classes[class].name.as_bytes())
        })
    }

    /// Whether a function may run in a thread of a stream: it was passed to a stream that may be parallel.
    fn may_run_in_stream(&self, view: &View<'_>, function: InstanceId) -> bool {
        let receivers = view.analysis.parameter_points_to(function, 0);
        receivers.iter().any(|object| self.parallel_callbacks.contains(object))
    }
}

/// Whether an instance is library code that runs what it was handed by others: see [`Kind::Dispatcher`].
fn is_dispatcher(view: &View<'_>, instance: InstanceId) -> bool {
    let (Procedure::Method(method) | Procedure::Lambda { method, .. }) = view.procedure_of(instance) else {
        return true;
    };
    let id = view.program.methods[method].class;
    let class = &view.program.classes[id];
    match class.tier {
        Tier::Application => false,
        Tier::Library => is_worker(view, id) || is_worker(view, class.nest_host),
        Tier::Jdk => Kind::Dispatcher.has(class.name.as_bytes()) && !Kind::OwnTask.has(class.name.as_bytes()),
    }
}

/// See [`Kind::Worker`].
fn is_worker(view: &View<'_>, class: ClassId) -> bool {
    let workers = Kind::Worker.classes().filter_map(|name| view.program.class_named(ClassName::new(name)));
    workers.into_iter().any(|worker| view.program.is_subclass(class, worker))
}

/// The code of the objects that wrap tasks on their way to a worker: methods whose rows run what their own object holds. The
/// tasks are started where they are handed over.
fn wrappers(view: &View<'_>) -> BitSet<InstanceId> {
    let runs_held = |effect: &Effect| match effect {
        Effect::Callback { on: Some(on), thread: InThread::Same, .. } => {
            on.root == Root::This && !on.steps.is_empty()
        }
        _ => false,
    };
    let is_wrapper = |&instance: &InstanceId| {
        let rows = view.method_of(instance).map_or(&[][..], |method| view.rows(method));
        rows.iter().flat_map(|row| row.effects.iter()).any(runs_held)
    };
    view.analysis.instances.ids().filter(is_wrapper).collect()
}

/// Whether an instance is a lambda expression of the application.
fn is_lambda(view: &View<'_>, instance: InstanceId) -> bool {
    view.is_application_instance(instance) && matches!(view.procedure_of(instance), Procedure::Lambda { .. })
}

/// See [`Threads::registered`].
fn registered(view: &View<'_>) -> BitSet<ObjectId> {
    let of_library =
        |field: FieldId| view.program.classes[view.program.fields[field].class].tier == Tier::Jdk;
    let fields = view.analysis.static_fields().filter(|(field, _)| of_library(*field));
    fields.flat_map(|(_, held)| held.iter()).collect()
}

/// For each lambda of the application the instances of the application that may pass it to library code.
fn passers(view: &View<'_>) -> FastMap<InstanceId, Vec<InstanceId>> {
    let mut lambdas: FastMap<ObjectId, Vec<InstanceId>> = FastMap::default();
    for lambda in view.analysis.instances.ids().filter(|&id| is_lambda(view, id)) {
        for object in view.analysis.parameter_points_to(lambda, 0).iter() {
            lambdas.entry(object).or_default().push(lambda);
        }
    }
    let mut found: FastMap<InstanceId, Vec<InstanceId>> = FastMap::default();
    for instance in view.analysis.instances.ids().filter(|&id| view.is_application_instance(id)) {
        let summary = view.analysis.summary(view.analysis.instances[instance].procedure);
        for call in view.calls(instance) {
            if call.callees.iter().all(|&callee| view.is_application_instance(callee)) {
                continue;
            }
            let arguments = summary.and_then(|summary| summary.calls.get(call.number as usize));
            for slot in arguments.into_iter().flat_map(|call| call.arguments.iter().copied().flatten()) {
                for object in view.analysis.slot_points_to(instance, slot).iter() {
                    for &lambda in lambdas.get(&object).into_iter().flatten() {
                        found.entry(lambda).or_default().push(instance);
                    }
                }
            }
        }
    }
    for passers in found.values_mut() {
        passers.sort_unstable();
        passers.dedup();
    }
    found
}

/// Where a call of a container is made from; `None` for all other calls.
fn container_call(view: &View<'_>, roots: InstanceId, call: u32) -> Option<Origin> {
    let summary = view.analysis.summary(view.analysis.instances[roots].procedure)?;
    Some(match summary.hosted.role(call)? {
        Role::Start => Origin::ContainerStart,
        Role::Concurrent => Origin::Container(None),
        Role::Serial(method) => Origin::Container(Some(method)),
    })
}

/// What the JVM's own calls are made from; `None` for all other methods.
fn vm_thread(view: &View<'_>, method: MethodId) -> Option<RootThread> {
    let data = &view.program.methods[method];
    let class = view.program.classes[data.class].name.symbol();
    let is_this = |root: &&selvedge_models::VmRoot| {
        root.class.symbol() == class && root.name == data.name && root.descriptor == data.descriptor
    };
    view.models.roots().iter().find(is_this).map(|root| root.thread)
}

fn is_main(view: &View<'_>, method: MethodId) -> bool {
    view.program.methods[method].name.is("main") && !view.has_clients()
}

/// Whether what an instance calls runs in another thread: it is native code whose row says so.
fn runs_elsewhere(view: &View<'_>, instance: InstanceId) -> bool {
    view.is_spawning(instance)
        && view.method_of(instance).is_some_and(|method| view.program.methods[method].is_native())
}
