//! What the analyses of threads that are alive know while they work: the facts found so far, and what calls do by them.

use std::sync::OnceLock;

use selvedge_base::{BitSet, FastMap, FastSet, IdVec};
use selvedge_ir::Inst;
use selvedge_models::{After, Effect, Kind};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_world::MethodId;

use super::Assume;
use super::asked::Asked;
use super::collections::shrinking;
use super::spawns::{Channel, Spawns};
use super::state::Effects;
use super::waits::{Wait, shut_down, waits_of};
use crate::executions::Executions;
use crate::threads::{Origin, ThreadId, Threads};
use crate::view::{CallAt, View};

/// What is known about instances, for callers.
#[derive(Default)]
pub(crate) struct AliveFacts {
    /// Every thread that an instance may start, itself or through calls in its own thread, with descendants.
    pub may_start: FastMap<InstanceId, BitSet<ThreadId>>,
    /// The instances that start or wait for threads, themselves or through calls.
    pub active: BitSet<InstanceId>,
    /// What each active instance does; absent if it does not return.
    pub effects: FastMap<InstanceId, Effects>,
    pub thrown: FastMap<InstanceId, BitSet<ThreadId>>,
    /// Threads that start others of their own kind, or have such descendants, and have waited for all that they started when they
    /// end. By induction over who started whom, all descendants of such a thread have ended when it has.
    pub complete: BitSet<ThreadId>,
    /// What has surely ended when a thread has: descendants that it waited for.
    pub ended_with: IdVec<ThreadId, BitSet<ThreadId>>,
    /// The threads, of which there is one each, that each thread has waited for when it ends, though it did not start them.
    pub ended_within: IdVec<ThreadId, Vec<ThreadId>>,
    /// Whether the application interrupts threads or cancels tasks: then calls that wait may throw early.
    pub interrupts: bool,
    /// Whether nobody interrupts, and this is relied upon: what catches interrupts is never reached.
    pub is_undisturbed: bool,
    /// Threads that are all kept in the collection that is this one object.
    pub collected: FastMap<ThreadId, ObjectId>,
    pub waiting_methods: FastSet<MethodId>,
    asked: OnceLock<Asked>,
    shrinking: OnceLock<BitSet<ObjectId>>,
    shut_down: OnceLock<BitSet<ObjectId>>,
    nothing: BitSet<ThreadId>,
}

/// All that the analysis of a method needs.
#[derive(Clone, Copy)]
pub(crate) struct OrderContext<'c, 'a> {
    pub view: &'c View<'a>,
    pub threads: &'c Threads,
    pub executions: &'c Executions,
    pub spawns: &'c Spawns,
    pub facts: &'c AliveFacts,
    pub assume: Assume,
}

impl<'c> OrderContext<'c, '_> {
    /// What library code may ask the application about.
    pub(crate) fn asked(&self) -> &'c Asked {
        self.facts.asked.get_or_init(|| Asked::new(self.view, self.spawns))
    }

    /// Collections from which somebody may take elements away.
    pub(crate) fn shrinking(&self) -> &'c BitSet<ObjectId> {
        self.facts.shrinking.get_or_init(|| shrinking(self.view))
    }

    pub(crate) fn is_active(&self, instance: InstanceId) -> bool {
        self.facts.active.contains(instance)
    }

    pub(crate) fn thrown_by(&self, callee: InstanceId) -> &BitSet<ThreadId> {
        self.facts.thrown.get(&callee).unwrap_or(&self.facts.nothing)
    }

    /// What a call waits for.
    pub(crate) fn waits(&self, instance: InstanceId, call: &CallAt<'_>) -> Vec<Wait> {
        let Some(inst) = call.inst else { return Vec::new() };
        let may_wait = |&callee: &InstanceId| {
            self.view.method_of(callee).is_some_and(|method| self.facts.waiting_methods.contains(&method))
        };
        if call.callees.iter().any(may_wait) {
            waits_of(self.view, instance, inst, self.assume, |executor| {
                self.facts.shut_down.get_or_init(|| shut_down(self.view)).contains(executor)
            })
        } else {
            Vec::new()
        }
    }

    /// Whether a call is a bulk operation: the tasks that the library starts for it have ended when it returns.
    pub(crate) fn is_structured(&self, instance: InstanceId, inst: Inst) -> bool {
        let callees = self.view.callees(instance, inst);
        !callees.is_empty() && callees.iter().all(|&callee| self.is_bulk(callee))
    }

    fn is_bulk(&self, instance: InstanceId) -> bool {
        let Some(method) = self.view.method_of(instance) else { return false };
        let data = &self.view.program.methods[method];
        let class = self.view.program.classes[data.class].name;
        let collects = data.descriptor.is("(Ljava/util/Collection;)Ljava/util/List;");
        let invokes = data.name.is("invokeAll")
            && Kind::Concurrent.has(class.as_bytes())
            && (collects || Kind::ForkJoinTask.has(class.as_bytes()));
        Kind::Stream.has(class.as_bytes())
            || (Kind::ArrayHelper.has(class.as_bytes()) && data.name.as_bytes().starts_with(b"parallel"))
            || invokes
    }

    /// Those of some threads that may be alive when a bulk operation returns that may have started them: all but
    /// the tasks that the library starts for such operations, and what these have waited for. What functions of
    /// the application start goes on (StreamStartsThreads, InvokeAllTaskStarts).
    pub(crate) fn outlive(&self, started: &BitSet<ThreadId>) -> BitSet<ThreadId> {
        let is_task = |&thread: &ThreadId| {
            let is_of_library = |instance| {
                self.is_bulk(instance) || self.threads.is_started_by(self.view, thread, Kind::BulkOperation)
            };
            let returns_early = self.threads.is_started_by(self.view, thread, Kind::EarlyResult);
            match self.threads.all[thread].origin {
                Origin::Spawn { instance, .. } => !returns_early && is_of_library(instance),
                _ => false,
            }
        };
        let mut left = started.clone();
        for task in started.iter().filter(is_task) {
            left.remove(task);
            left.subtract(&self.facts.ended_with[task]);
        }
        left
    }

    /// Whether a channel tells the end of all tasks of an executor, rather than of one.
    pub(crate) fn is_executor(&self, channel: &Channel) -> bool {
        let Some(executor) =
            self.view.program.class_named(selvedge_ir::ClassName::new(Kind::Executor.class()))
        else {
            return false;
        };
        channel.objects.iter().any(|&object| {
            let heap = &self.view.analysis.heap;
            let name = self.view.program.classes[executor].name;
            heap.types.is_instance(heap.get(object).ty, name)
        })
    }

    /// The threads that have all ended after a wait, by the object that it must have waited for.
    pub(crate) fn ended_by(&self, instance: InstanceId, wait: &Wait) -> Vec<ThreadId> {
        let [object] = wait.objects.as_slice() else { return Vec::new() };
        if !self.executions.is_single(*object) {
            return Vec::new();
        }
        let waiters = self.threads.may_execute(instance);
        let tells = |channel: &Channel| channel.objects == [*object];
        let ends = |&thread: &ThreadId| {
            let by_waiter = || match (waiters, self.spawns.parents[thread].as_slice()) {
                ([waiter], [parent]) => waiter == parent && is_one(self.threads, *waiter),
                _ => false,
            };
            let is_told = if wait.of_elements {
                self.facts.collected.get(&thread) == Some(object)
            } else {
                self.spawns.ends[thread].iter().any(tells)
            };
            is_told && (!wait.needs_start || by_waiter())
        };
        self.threads.all.ids().filter(ends).collect()
    }
}

/// Whether a thread exists, and runs, at most once.
pub(crate) fn is_one(threads: &Threads, thread: ThreadId) -> bool {
    let data = &threads.all[thread];
    !data.many && !data.repeats && matches!(data.origin, Origin::Main(_) | Origin::Spawn { .. })
}

/// The library methods that may wait for something, by their rows.
pub(super) fn waiting_methods(view: &View<'_>) -> FastSet<MethodId> {
    let mut found = FastSet::default();
    for instance in view.analysis.instances.iter() {
        let Some(method) = view.analysis.procedures.method(instance.procedure) else { continue };
        let waits = |effect: &Effect| {
            matches!(effect, Effect::Join { .. } | Effect::Subscribe { after: After::All, item: None, .. })
        };
        if view.rows(method).iter().any(|row| row.effects.iter().any(waits)) {
            found.insert(method);
        }
    }
    found
}
