//! Which threads start which, and how the end of a thread is observed.
//!
//! The *spawn graph* has the abstract threads as nodes and an edge from every thread that may execute the start of another one
//! to that one. If a thread that exists once dominates another thread in it, every thread of that kind descends from
//! that one thread: what the one does before the start happens before all that its descendants do.
//!
//! The end of a thread is observed through *channels*: the thread object itself, a future, the executor. A channel is known by the
//! value that holds it at the call that starts the thread, and by the objects it may be.

use selvedge_base::{BitSet, Csr, Dominators, FastMap, FastSet, IdVec};
use selvedge_ir::{ClassName, Inst, InvokeKind, Op, Value};
use selvedge_models::{Effect, Kind, Place, Root};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use crate::threads::{Origin, ThreadId, Threads};
use crate::view::View;

/// By what the end of a thread, or what its start waits for, is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Channel {
    /// The value that holds it at the call that starts the thread.
    pub value: Option<Value>,
    /// The objects that it may be.
    pub objects: Vec<ObjectId>,
    /// Whether it is what the method is called on: an executor, or the thread.
    pub is_receiver: bool,
}

/// A thread that a call of an instance starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Spawn {
    /// The instruction of the call, where the code has one.
    pub inst: Option<Inst>,
    /// What it starts.
    pub thread: ThreadId,
}

/// See the [module documentation](self).
pub(crate) struct Spawns {
    /// The threads that may start each thread.
    pub parents: IdVec<ThreadId, Vec<ThreadId>>,
    /// Each thread with everything that may descend from it.
    pub below: IdVec<ThreadId, BitSet<ThreadId>>,
    /// What each instance starts itself.
    by_instance: FastMap<InstanceId, Vec<Spawn>>,
    /// Where the end of each thread is published, and nothing else: nobody but the thread completes the future.
    pub ends: IdVec<ThreadId, Vec<Channel>>,
    /// Where the end of each thread may be published, among other things.
    pub may_end: IdVec<ThreadId, Vec<Channel>>,
    /// What the start of each thread waits for.
    pub waits: IdVec<ThreadId, Vec<Channel>>,
    /// The threads that have ended when a thread starts: stages that it depends on.
    pub stages_before: IdVec<ThreadId, Vec<ThreadId>>,
    /// The objects that the method which starts each thread may be called on.
    pub receivers: IdVec<ThreadId, Vec<ObjectId>>,
    dominators: Dominators<ThreadId>,
    /// The futures that the application may complete by other means than the end of their task.
    pub completed: FastSet<ObjectId>,
}

impl Spawns {
    pub(crate) fn new(view: &View<'_>, threads: &Threads) -> Self {
        let mut parents: IdVec<ThreadId, Vec<ThreadId>> = IdVec::new();
        let mut by_instance: FastMap<InstanceId, Vec<Spawn>> = FastMap::default();
        let (mut ends, mut may_end) = (IdVec::new(), IdVec::new());
        let (mut waits, mut receivers) = (IdVec::new(), IdVec::new());
        let completed = completed(view);
        let mut roots = Vec::new();
        let mut edges = Vec::new();
        for (thread, data) in threads.all.iter_ids() {
            let (mut above, mut channels) = (Vec::new(), (Vec::new(), Vec::new()));
            let mut called_on = Vec::new();
            if let Origin::Spawn { instance, inst, call, .. } = data.origin {
                above = threads.may_execute(instance).to_vec();
                by_instance.entry(instance).or_default().push(Spawn { inst, thread });
                called_on = receivers_of(view, instance, inst);
                channels = channels_of(view, instance, call, inst, &data.objects);
            }
            // A start that nobody is known to execute is assumed to be anybody's.
            if above.is_empty() {
                roots.push(thread);
            }
            edges.extend(above.iter().map(|&parent| (parent, thread)));
            parents.push(above);
            receivers.push(called_on);
            may_end.push(channels.0.clone());
            channels.0.retain(|end| !end.objects.iter().any(|object| completed.contains(object)));
            ends.push(channels.0);
            waits.push(channels.1);
        }
        let graph = Csr::from_edges(threads.all.len(), &edges);
        let dominators = Dominators::compute(&graph, &roots);
        let below = closure(&graph, threads);
        let stages_before = IdVec::new();
        let mut spawns = Self {
            parents,
            below,
            by_instance,
            ends,
            may_end,
            waits,
            receivers,
            stages_before,
            dominators,
            completed,
        };
        spawns.find_stages(view, threads);
        spawns
    }

    /// Which threads have ended when another one starts.
    fn find_stages(&mut self, view: &View<'_>, threads: &Threads) {
        let is_one = |thread: ThreadId| !threads.all[thread].many && !threads.all[thread].repeats;
        for later in threads.all.ids() {
            let mut before = Vec::new();
            if is_one(later) && !self.waits[later].is_empty() {
                let others = threads.all.ids().filter(|&earlier| earlier != later && is_one(earlier));
                before.extend(others.filter(|&earlier| self.starts_after(view, threads, later, earlier)));
            }
            self.stages_before.push(before);
        }
    }

    /// The barrier whose action a thread is: it runs where all have arrived at the barrier and none has left.
    pub(crate) fn barrier_of(&self, view: &View<'_>, thread: ThreadId) -> Option<ObjectId> {
        let ([start], [end]) = (self.waits[thread].as_slice(), self.ends[thread].as_slice()) else {
            return None;
        };
        let [barrier] = start.objects[..] else { return None };
        let heap = &view.analysis.heap;
        let class = ClassName::new(Kind::CyclicBarrier.class());
        let is_barrier = heap.types.is_instance(heap.get(barrier).ty, class);
        (is_barrier && end.objects == [barrier]).then_some(barrier)
    }

    /// What an instance starts itself, not through calls.
    pub(crate) fn of(&self, instance: InstanceId) -> &[Spawn] {
        self.by_instance.get(&instance).map_or(&[], Vec::as_slice)
    }

    /// The instances that start threads themselves.
    pub(crate) fn starters(&self) -> impl Iterator<Item = (InstanceId, &[Spawn])> {
        self.by_instance.iter().map(|(&instance, spawns)| (instance, spawns.as_slice()))
    }

    /// Whether every thread of kind `below` descends from one of kind `above`, or is one.
    pub(crate) fn dominates(&self, above: ThreadId, below: ThreadId) -> bool {
        self.dominators.dominates(above, below)
    }

    /// Whether `later` waits to start until `earlier` has ended: it depends on the very future that tells its end, or on one that
    /// does. Both must be started by the same instance, which knows the futures by value.
    fn starts_after(&self, view: &View<'_>, threads: &Threads, later: ThreadId, earlier: ThreadId) -> bool {
        let Origin::Spawn { instance, .. } = threads.all[earlier].origin else { return false };
        let Some(body) = view.body(instance) else { return false };
        let numbering = selvedge_ir::ValueNumbering::new(body);
        let mut pending = vec![later];
        let mut seen = Vec::new();
        while let Some(thread) = pending.pop() {
            if !matches!(threads.all[thread].origin, Origin::Spawn { instance: same, .. } if same == instance)
            {
                continue;
            }
            for value in self.waits[thread].iter().filter_map(|channel| channel.value) {
                for other in threads.all.ids().filter(|other| !threads.all[*other].many) {
                    let same_instance = matches!(threads.all[other].origin, Origin::Spawn { instance: same, .. } if same == instance);
                    let tells = |end: &Channel| {
                        !end.is_receiver && end.value.is_some_and(|end| numbering.same(end, value))
                    };
                    if same_instance && self.ends[other].iter().any(tells) && !seen.contains(&other) {
                        if other == earlier {
                            return true;
                        }
                        seen.push(other);
                        pending.push(other);
                    }
                }
            }
        }
        false
    }

    /// The nearest thread that satisfies the condition and from which all threads of both kinds descend; it may be
    /// one of the two.
    pub(crate) fn common(
        &self,
        a: ThreadId,
        b: ThreadId,
        condition: impl Fn(ThreadId) -> bool,
    ) -> Option<ThreadId> {
        let mut candidate = Some(a);
        while let Some(thread) = candidate {
            if self.dominators.dominates(thread, b) && condition(thread) {
                return Some(thread);
            }
            candidate = self.dominators.immediate(thread);
        }
        None
    }
}

fn closure(graph: &Csr<ThreadId>, threads: &Threads) -> IdVec<ThreadId, BitSet<ThreadId>> {
    use selvedge_base::Graph;
    let reach = |start| {
        let mut seen = BitSet::new();
        seen.insert(start);
        let mut pending = vec![start];
        while let Some(thread) = pending.pop() {
            for &next in graph.successors(thread) {
                if seen.insert(next) {
                    pending.push(next);
                }
            }
        }
        seen
    };
    threads.all.ids().map(reach).collect()
}

/// Where the ends of what a call starts on these objects are published, and what the starts wait for.
fn channels_of(
    view: &View<'_>,
    instance: InstanceId,
    call: u32,
    inst: Option<Inst>,
    objects: &[ObjectId],
) -> (Vec<Channel>, Vec<Channel>) {
    let Some(at) = view.calls(instance).find(|at| at.number == call) else { return Default::default() };
    let (mut ends, mut waits): (Option<Vec<Channel>>, Option<Vec<Channel>>) = (None, None);
    for method in view.spawning_methods(&at) {
        let channel = |place: &Place| Channel {
            value: inst.and_then(|inst| view.operand(view.body(instance)?, inst, place)),
            objects: view.objects_at(instance, call, method, place),
            is_receiver: place.root == Root::This && place.steps.is_empty(),
        };
        for effect in view.spawning_effects(method) {
            let Effect::Callback { on: Some(on), before, after, .. } = effect else { continue };
            let receivers = view.objects_at(instance, call, method, on);
            if !objects.iter().any(|object| receivers.contains(object)) {
                continue;
            }
            // Several methods or effects may start the thread: only what all of them say is certain.
            merge(&mut ends, before.iter().map(channel).collect());
            merge(&mut waits, after.iter().map(channel).collect());
        }
    }
    (ends.unwrap_or_default(), waits.unwrap_or_default())
}

/// The objects that a call may be made on.
fn receivers_of(view: &View<'_>, instance: InstanceId, inst: Option<Inst>) -> Vec<ObjectId> {
    let Some((body, inst)) = view.body(instance).zip(inst) else { return Vec::new() };
    let is_static = matches!(body.insts[inst].op, Op::Invoke(InvokeKind::Static, _));
    let receiver = body.args(inst).first().filter(|_| !is_static);
    receiver.map_or_else(Vec::new, |&value| view.analysis.points_to(instance, value).iter().collect())
}

/// See [`Spawns::completed`].
fn completed(view: &View<'_>) -> FastSet<ObjectId> {
    let mut found = FastSet::default();
    for (instance, call, method, effect) in view.application_effects() {
        if let Effect::Complete { future } = effect {
            found.extend(view.objects_at(instance, call.number, method, future));
        }
    }
    found
}

fn merge(known: &mut Option<Vec<Channel>>, more: Vec<Channel>) {
    match known {
        None => *known = Some(more),
        Some(known) => known.retain(|channel| more.contains(channel)),
    }
}
