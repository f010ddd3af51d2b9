//! What a call starts: the abstract threads of one call instruction of one instance.
//!
//! Tasks whose code is the same instances are run by one abstract thread. In a library whose threads and tasks are made in many
//! contexts one call may start the same method on dozens of them, each an instance of its own, and as often in each context of the
//! call; every such thread is walked, and compared with every other. So a call that would start more than [`limits::THREADS_BY_INSTANCE`] threads starts
//! one for each method instead, and one for all where there are more than [`limits::THREADS_BY_METHOD`] methods.
//!
//! That is sound: an abstract thread stands for any thread that its call starts on one of its objects, and all that is asked of one
//! is asked of its entries and objects together. Whether one execution of the call may start several of them is kept: where a row
//! runs the elements of a collection, or two rows of one method run what falls to the same thread.

use selvedge_base::{FastMap, FastSet};
use selvedge_ir::ClassName;
use selvedge_models::{Effect, InThread, Kind, Step};
use selvedge_pta::heap::ObjectId;
use selvedge_pta::{InstanceId, ProcedureId};
use selvedge_world::MethodId;

use super::{AbstractThread, Origin};
use crate::limits;
use crate::view::{CallAt, View};

/// A task that a call starts.
struct Started {
    kind: InThread,
    object: ObjectId,
    entries: Vec<InstanceId>,
    repeats: bool,
    /// The method and the number of its effect that start it.
    by: (MethodId, usize),
    /// Whether the effect may start several tasks at once.
    several: bool,
}

/// The threads that a call starts. `endings` is what the JVM calls on a thread that ends.
pub(super) fn by_call(
    view: &View<'_>,
    endings: &[InstanceId],
    instance: InstanceId,
    call: &CallAt<'_>,
) -> Vec<AbstractThread> {
    let mut tasks = starts_threads(view, instance, call);
    for task in tasks.iter_mut().filter(|task| task.kind == InThread::New) {
        let ends =
            |&&ending: &&InstanceId| view.analysis.parameter_points_to(ending, 0).contains(task.object);
        task.entries.extend(endings.iter().filter(ends).copied());
    }
    let origin = |kind: InThread| Origin::Spawn { instance, call: call.number, inst: call.inst, kind };
    let mut threads = together(&tasks, &origin, |task| task.entries.clone());
    if threads.len() > limits::THREADS_BY_INSTANCE {
        let method = |task: &Started| view.analysis.instances[task.entries[0]].procedure;
        threads = together::<ProcedureId>(&tasks, &origin, method);
    }
    if threads.len() > limits::THREADS_BY_METHOD {
        threads = together(&tasks, &origin, |_| ());
    }
    threads
}

/// One thread for the tasks of each key and kind, in the order of their first tasks.
fn together<K: std::hash::Hash + Eq>(
    tasks: &[Started],
    origin: &dyn Fn(InThread) -> Origin,
    key: impl Fn(&Started) -> K,
) -> Vec<AbstractThread> {
    let mut known: FastMap<(InThread, K), usize> = FastMap::default();
    let mut threads: Vec<AbstractThread> = Vec::new();
    let mut starters: Vec<Vec<(MethodId, usize)>> = Vec::new();
    for task in tasks {
        let position = *known.entry((task.kind, key(task))).or_insert_with(|| {
            let origin = origin(task.kind);
            let (entries, objects) = (Vec::new(), Vec::new());
            let (repeats, several) = (task.repeats, task.several);
            let (many, is_worker) = (true, false);
            threads.push(AbstractThread { origin, entries, objects, many, repeats, several, is_worker });
            starters.push(Vec::new());
            threads.len() - 1
        });
        let (thread, starters) = (&mut threads[position], &mut starters[position]);
        thread.entries.extend(&task.entries);
        thread.objects.push(task.object);
        thread.repeats |= task.repeats;
        let is_beside = |&(method, effect): &(MethodId, usize)| method == task.by.0 && effect != task.by.1;
        thread.several |= task.several || starters.iter().any(is_beside);
        if !starters.contains(&task.by) {
            starters.push(task.by);
        }
    }
    for thread in &mut threads {
        let mut seen: FastSet<InstanceId> = FastSet::default();
        thread.entries.retain(|&entry| seen.insert(entry));
        thread.objects.sort_unstable();
        thread.objects.dedup();
    }
    threads
}

/// A thread that the library starts below a call whose row says what runs, as the worker that it is; `None` if it is no thread object,
/// or if the row is that of the start itself.
pub(super) fn as_worker(view: &View<'_>, started: AbstractThread) -> Option<AbstractThread> {
    let Origin::Spawn { instance, kind: InThread::New, .. } = started.origin else { return None };
    let rows = view.method_of(instance).map_or(&[][..], |method| view.rows(method));
    if rows.iter().flat_map(|row| row.effects.iter()).any(|effect| matches!(effect, Effect::Fork { .. })) {
        return None;
    }
    let heap = &view.analysis.heap;
    let is_thread = |&object: &ObjectId| {
        heap.types.is_instance(heap.get(object).ty, ClassName::new(Kind::Thread.class()))
    };
    started.objects.iter().all(is_thread).then_some(AbstractThread { is_worker: true, ..started })
}

/// Whether a thread object is a worker of the fork/join pool, of the library's own class. Everything that it runs was forked or
/// submitted by a call with a row, and counts as started there.
fn is_pool_worker(view: &View<'_>, object: ObjectId) -> bool {
    let worker = ClassName::new(Kind::ForkJoinWorker.class());
    let types = &view.analysis.heap.types;
    let ty = view.analysis.heap.get(object).ty;
    let is_of_application = types.class(ty).is_some_and(|class| view.is_application_class(class));
    types.is_instance(ty, worker) && !is_of_application
}

/// What a call starts, by the rows of the library methods that it may reach.
fn starts_threads(view: &View<'_>, instance: InstanceId, call: &CallAt<'_>) -> Vec<Started> {
    let mut found = Vec::new();
    for method in view.spawning_methods(call) {
        for (number, effect) in view.spawning_effects(method).enumerate() {
            let Effect::Callback { on: Some(on), method: run, thread, .. } = effect else { continue };
            let several = on.steps.iter().any(|step| matches!(step, Step::Elements | Step::EveryField));
            for object in view.objects_at(instance, call.number, method, on) {
                if is_pool_worker(view, object) {
                    continue;
                }
                let Some(procedure) = view.analysis.implementation(object, run.name, run.descriptor) else {
                    continue;
                };
                let entries: Vec<InstanceId> = view.analysis.instances_on(procedure, object).collect();
                if !entries.is_empty() {
                    let (kind, by, repeats) = (*thread, (method, number), may_repeat(view, method));
                    found.push(Started { kind, object, entries, repeats, by, several });
                }
            }
        }
    }
    found
}

/// Whether what a library method runs in another thread may run several times for one call.
fn may_repeat(view: &View<'_>, method: MethodId) -> bool {
    let data = &view.program.methods[method];
    let descriptor = data.descriptor.to_string();
    let has_period = descriptor.ends_with("JJ)V") || descriptor.ends_with("Date;J)V");
    let is_periodic_timer = data.name.is("schedule") && has_period;
    let names = ["scheduleAtFixedRate", "scheduleWithFixedDelay", "subscribe", "<init>", "register"];
    let is_of = |kind: Kind| kind.has(view.program.classes[data.class].name.as_bytes());
    names.iter().any(|name| data.name.is(name))
        || (is_periodic_timer && is_of(Kind::Timer))
        || (data.name.is("handle") && is_of(Kind::Signal))
}
