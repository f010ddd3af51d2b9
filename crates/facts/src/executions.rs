//! What runs at most once, and which abstract objects stand for at most one object.
//!
//! An instance runs at most once in the whole run if exactly one call in the program reaches it, that call is in no loop, and
//! its caller runs at most once; the entry of a thread counts as one call for each start of the thread. A thread is
//! single if the call that starts it executes at most once, or if it is a `java.lang.Thread` that stands for one object:
//! a thread object can be started only once. A thread that only itself starts is many (BulkOperationsOfMap).
//!
//! An abstract object is *single* if its allocation is in no loop and just one instance that runs at most once
//! allocates it. For single objects may-alias is must-alias: this is where must facts come from.

use rayon::prelude::*;
use selvedge_base::{BitSet, Csr, FastMap, Graph, IdVec};
use selvedge_ir::Inst;
use selvedge_models::InThread;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::MethodId;

use crate::threads::{AbstractThread, Origin, ThreadId, Threads};
use crate::view::View;

/// How often something may run: the order is the lattice's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Count {
    Never,
    Once,
    Many,
}

impl Count {
    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Count::Never, count) | (count, Count::Never) => count,
            _ => Count::Many,
        }
    }

    fn times(self, repeats: bool) -> Self {
        if repeats && self != Count::Never { Count::Many } else { self }
    }
}

/// See the [module documentation](self).
pub struct Executions {
    counts: IdVec<InstanceId, Count>,
    single: BitSet<ObjectId>,
}

impl Executions {
    /// Counts executions, and sets which threads are many.
    pub fn new(view: &View<'_>, threads: &mut Threads) -> Self {
        let mut counter = Counter::new(view, threads);
        counter.solve();
        let starts: IdVec<ThreadId, Count> =
            threads.all.ids().map(|thread| counter.starts_of(thread)).collect();
        let mut executions = Self { counts: counter.counts, single: BitSet::new() };
        executions.find_single_objects(view);
        for (thread, count) in starts.iter_ids() {
            let data = &mut threads.all[thread];
            data.many = *count == Count::Many && !executions.is_one_thread(data)
                || data.origin == Origin::Initializers;
        }
        executions
    }

    /// Whether an instance runs at most once in the whole run, whatever the thread.
    pub fn at_most_once(&self, instance: InstanceId) -> bool {
        self.counts[instance] <= Count::Once
    }

    /// Whether an instruction of an instance executes at most once in the whole run.
    pub fn inst_at_most_once(&self, view: &View<'_>, instance: InstanceId, inst: Inst) -> bool {
        let repeats =
            || view.method_of(instance).and_then(|method| Some(view.shape(method)?.may_repeat(inst)));
        self.at_most_once(instance) && !repeats().unwrap_or(true)
    }

    /// Whether an abstract object stands for at most one object in every run.
    pub fn is_single(&self, object: ObjectId) -> bool {
        self.single.contains(object)
    }

    fn find_single_objects(&mut self, view: &View<'_>) {
        for (object, data) in view.analysis.heap.objects() {
            let is_single = match view.analysis.heap.site_of(data.site) {
                Site::ClassObject(_) => true,
                Site::Instruction { method, inst, depth: 0 } => {
                    let Some(result) = view.program.body(method).and_then(|body| body.insts[inst].result)
                    else {
                        continue;
                    };
                    let makers = view.analysis.instances_of(method).iter();
                    let mut makers =
                        makers.filter(|&&maker| view.analysis.points_to(maker, result).contains(object));
                    match (makers.next(), makers.next()) {
                        (Some(&maker), None) => self.inst_at_most_once(view, maker, inst),
                        _ => false,
                    }
                }
                _ => false,
            };
            if is_single {
                self.single.insert(object);
            }
        }
    }

    /// Whether a thread is the one of a single thread object, which can only be started once, or stands for calls that
    /// are made one after the other.
    fn is_one_thread(&self, thread: &AbstractThread) -> bool {
        if matches!(thread.origin, Origin::Container(Some(_))) {
            return true;
        }
        let is_new = matches!(thread.origin, Origin::Spawn { kind: InThread::New, .. });
        is_new && matches!(thread.objects.as_slice(), [object] if self.is_single(*object))
    }
}

/// Counts by fixpoint over the call graph.
struct Counter<'a, 'v> {
    view: &'a View<'v>,
    threads: &'a Threads,
    counts: IdVec<InstanceId, Count>,
    /// For each instance the callers whose calls of it may not repeat within a run of the caller, one for each call, and those whose
    /// calls may.
    once: Csr<InstanceId>,
    often: Csr<InstanceId>,
    /// For each instance those whose counts depend on its count.
    callees: Csr<InstanceId>,
    /// For each instance the threads that start with it.
    starts: FastMap<InstanceId, Vec<ThreadId>>,
    /// Threads that only themselves start, as far as the calls tell that are followed: tasks that fork tasks of their kind, the first of
    /// which was run by the call that made it.
    self_started: BitSet<ThreadId>,
}

impl<'a, 'v> Counter<'a, 'v> {
    fn new(view: &'a View<'v>, threads: &'a Threads) -> Self {
        let mut executed = BitSet::new();
        threads.reached.iter().for_each(|reached| {
            executed.union_with(reached);
        });
        make_shapes(view, &executed);
        let (mut once, mut often, mut callees) = (Vec::new(), Vec::new(), Vec::new());
        for caller in executed.iter() {
            let shape = view.method_of(caller).map(|method| view.shape(method));
            for call in view.calls(caller) {
                let repeats = match (call.inst, shape) {
                    (Some(inst), Some(shape)) => shape.is_none_or(|shape| shape.may_repeat(inst)),
                    _ => false,
                };
                let edges = if repeats { &mut often } else { &mut once };
                for &callee in call.callees {
                    if threads.is_call(view, caller, callee) {
                        edges.push((callee, caller));
                        callees.push((caller, callee));
                    }
                }
            }
        }
        let mut starts: FastMap<InstanceId, Vec<ThreadId>> = FastMap::default();
        for (thread, data) in threads.all.iter_ids() {
            data.entries.iter().for_each(|&entry| starts.entry(entry).or_default().push(thread));
            // What a spawning instance's count means for the entries of the threads that it spawns.
            if let Origin::Spawn { instance, .. } = data.origin {
                callees.extend(data.entries.iter().map(|&entry| (instance, entry)));
            }
        }
        let instances = view.analysis.instances.len();
        let graph = |edges: &[(InstanceId, InstanceId)]| Csr::from_edges(instances, edges);
        Self {
            view,
            threads,
            counts: IdVec::filled(Count::Never, instances),
            once: graph(&once),
            often: graph(&often),
            callees: graph(&callees),
            starts,
            self_started: BitSet::new(),
        }
    }

    fn solve(&mut self) {
        let mut all: Vec<InstanceId> = self.counts.ids().collect();
        all.reverse();
        self.solve_from(all);
        let never = |thread: &ThreadId| self.starts_of(*thread) == Count::Never;
        self.self_started = self.threads.all.ids().filter(never).collect();
        let entries = self.self_started.iter().flat_map(|thread| &self.threads.all[thread].entries);
        self.solve_from(entries.copied().collect());
    }

    fn solve_from(&mut self, mut pending: Vec<InstanceId>) {
        while let Some(instance) = pending.pop() {
            let count = self.count(instance);
            if count != self.counts[instance] {
                self.counts[instance] = count;
                pending.extend(self.callees.successors(instance).iter().copied());
            }
        }
    }

    fn count(&self, instance: InstanceId) -> Count {
        let mut total = Count::Never;
        for &thread in self.starts.get(&instance).into_iter().flatten() {
            total = total.plus(self.starts_of(thread).times(self.threads.all[thread].repeats));
        }
        for (callers, repeats) in [(&self.once, false), (&self.often, true)] {
            for &caller in callers.successors(instance) {
                total = total.plus(self.counts[caller].times(repeats));
                if total == Count::Many {
                    return total;
                }
            }
        }
        total
    }

    fn starts_of(&self, thread: ThreadId) -> Count {
        if self.self_started.contains(thread) {
            return Count::Many;
        }
        match self.threads.all[thread].origin {
            Origin::Main(_) | Origin::Initializers | Origin::ContainerStart | Origin::Vm(_) => Count::Once,
            Origin::Client | Origin::Container(_) => Count::Many,
            Origin::Spawn { instance, inst, .. } => {
                let shape = self.view.method_of(instance).and_then(|method| self.view.shape(method));
                let repeats = match (shape, inst) {
                    (Some(shape), Some(inst)) => shape.may_repeat(inst),
                    _ => true,
                };
                self.counts[instance].times(repeats || self.threads.all[thread].several)
            }
        }
    }
}

/// Makes the shapes of all executed methods, in parallel; the view keeps them.
fn make_shapes(view: &View<'_>, executed: &BitSet<InstanceId>) {
    let mut methods: Vec<MethodId> =
        executed.iter().filter_map(|instance| view.method_of(instance)).collect();
    methods.sort_unstable();
    methods.dedup();
    methods.par_iter().for_each(|&method| {
        view.shape(method);
    });
}
