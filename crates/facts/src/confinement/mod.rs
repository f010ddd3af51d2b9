//! Which threads may touch an object, and which objects belong to one thread of many: thread-specific objects.
//!
//! Many threads may run the same code on the same abstract objects, and yet each on its own: a worker that counts in a field
//! of its own `Thread` object, a task with a buffer that its constructor made. Choi et al. (section 5.4) call such
//! objects thread-specific and recognise them by the shape of the class. Here they are what remains when everything is
//! taken away that a thread can get from elsewhere.
//!
//! # What a thread can get hold of
//! Let the *workers* be some of the threads. A worker gets a reference by allocation, from its parameters, from a static field,
//! or by loading a member of an object that it holds already. An object is given up if a worker may get it
//!
//! 1. from a static field, from the JVM's memory, from a parameter that is not its own task object, by reflection;
//! 2. as its task, if the task may be started twice, or if workers make the task themselves (then the starter and the started
//!    both hold it);
//! 3. by a load from an object that is given up, or from one into which the members of such an object were copied (a list that grows
//!    moves its elements to another array: nobody gets hold of them by that);
//! 4. from a task into which somebody who is no worker put it, unless it was handed over exclusively
//!    (see the file `handover.rs`).
//!
//! What is left is *specific*. `Thread.currentThread()` gives each thread its own object, and the values of `ThreadLocal`
//! variables are in a map that only the thread itself reads: loads of these are no way to another thread's objects. The threads
//! that locks and queues of the library note as waiting or owning are assumed to be woken up and compared, nothing else.
//!
//! **Theorem.** In no run do two workers access a member of the same specific object. By induction over the run:
//! each reference of a worker to a specific object comes from its own allocation, its own task, or a member of a specific
//! object that it holds, into which only itself, or an exclusive hand-over, has put it.
//!
//! The hypotheses are the four points above, each with a program of the corpus in which only this one fails:
//!
//! 1. (ThreadLocalShared)
//! 2. (CallableSubmittedTwice, SessionStartedTwice)
//! 3. (ThreadLocalBufferLeaks)
//! 4. (BufferGivenToTasks)
//!
//! Two sets are kept: *specific* objects with the spawned threads as workers, where main and clients prepare tasks; and *confined*
//! objects with all threads as workers. A pair with a side in `main` is refuted only by the second.

pub mod finalised;
mod loads;
mod search;
pub mod thread_specific;

use selvedge_base::{BitSet, FastSet, HybridSet};
use selvedge_ir::{Inst, Op, Value};
use selvedge_models::{InThread, Kind, Special};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::{Slot, Statement};

use search::{Found, Search, is_thread_local_map};

use crate::accesses::Accesses;
use crate::describe;
use crate::handover::fresh::{Handover, all_of, makers};
use crate::heap_graph::HeapGraph;
use crate::refutation::{Candidate, Refutation};
use crate::threads::{AbstractThread, Origin, ThreadId, Threads};
use crate::view::View;

/// See the [module documentation](self).
pub struct Confinement {
    /// The objects that each thread may touch by an access.
    touched: Vec<BitSet<ObjectId>>,
    many: Vec<bool>,
    workers: BitSet<ThreadId>,
    specific: BitSet<ObjectId>,
    confined: BitSet<ObjectId>,
    /// The confined objects that `ThreadLocal` variables hold.
    in_variables: BitSet<ObjectId>,
}

impl Confinement {
    /// The refuter for objects that only one thread accesses.
    pub const ONE_THREAD: &'static str = "one-thread";
    /// The refuter for objects that belong to one thread of many.
    pub const THREAD_SPECIFIC: &'static str = "thread-specific";
    /// The refuter for values of `ThreadLocal` variables.
    pub const THREAD_LOCAL_VARIABLE: &'static str = "thread-local-variable";

    /// Finds out which objects belong to one thread. `threads` must know which of them are many.
    pub fn new(view: &View<'_>, threads: &Threads, accesses: &Accesses) -> Self {
        let is_worker =
            |thread: &AbstractThread| matches!(thread.origin, Origin::Spawn { .. } | Origin::Vm(_));
        let mut workers: BitSet<ThreadId> = BitSet::new();
        let mut everybody: BitSet<ThreadId> = BitSet::new();
        for (id, thread) in threads.all.iter_ids() {
            everybody.insert(id);
            if is_worker(thread) {
                workers.insert(id);
            }
        }
        let confined = specific(view, threads, &everybody);
        let in_variables = variable_values(view, &confined);
        Self {
            touched: touched(view, threads, accesses),
            many: threads.all.iter().map(|thread| thread.many).collect(),
            specific: specific(view, threads, &workers),
            workers,
            confined,
            in_variables,
        }
    }

    /// The threads that may touch an object by an access.
    pub fn may_be_touched_by(&self, object: ObjectId) -> Vec<ThreadId> {
        let touching = self.touched.iter().enumerate().filter(|(_, objects)| objects.contains(object));
        touching.map(|(index, _)| ThreadId::new(index as u32)).collect()
    }

    /// Whether a thread is one that others start.
    pub fn is_worker(&self, thread: ThreadId) -> bool {
        self.workers.contains(thread)
    }

    /// Whether no two spawned threads ever access the same object of this kind.
    pub fn must_be_specific(&self, object: ObjectId) -> bool {
        self.specific.contains(object)
    }

    /// Whether no two threads at all ever access the same object of this kind.
    pub fn must_be_confined(&self, object: ObjectId) -> bool {
        self.confined.contains(object)
    }

    /// Whether the candidate's object belongs to one thread, by whichever refuter.
    pub fn refute<'a>(&self, view: &'a View<'_>, candidate: &Candidate) -> Option<Refutation<'a>> {
        self.one_thread(view, candidate)
            .or_else(|| self.thread_local_variable(view, candidate))
            .or_else(|| self.thread_specific(view, candidate))
    }

    /// Whether only one thread accesses the object.
    pub fn one_thread<'a>(&self, view: &'a View<'_>, candidate: &Candidate) -> Option<Refutation<'a>> {
        let object = candidate.object?;
        let [a, b] = candidate.sides;
        let is_one = a.thread == b.thread && !self.many[a.thread.number() as usize];
        (is_one && self.may_be_touched_by(object) == [a.thread]).then(|| {
            Refutation::proof(Self::ONE_THREAD, move || {
                format!("only one thread accesses {}", describe::object(view, object))
            })
        })
    }

    /// Whether the object is the value of a `ThreadLocal` variable.
    pub fn thread_local_variable<'a>(
        &self,
        view: &'a View<'_>,
        candidate: &Candidate,
    ) -> Option<Refutation<'a>> {
        let object = candidate.object?;
        (self.confined.contains(object) && self.in_variables.contains(object)).then(|| {
            Refutation::proof(Self::THREAD_LOCAL_VARIABLE, move || {
                let name = describe::object(view, object);
                format!("{name} is the value of a ThreadLocal variable and kept nowhere else")
            })
        })
    }

    /// Whether each thread has its own object.
    pub fn thread_specific<'a>(&self, view: &'a View<'_>, candidate: &Candidate) -> Option<Refutation<'a>> {
        let object = candidate.object?;
        let name = move || describe::object(view, object);
        let [a, b] = candidate.sides;
        if self.confined.contains(object) && !self.in_variables.contains(object) {
            return Some(Refutation::proof(Self::THREAD_SPECIFIC, move || {
                format!("each thread accesses only those objects like {} that it creates itself", name())
            }));
        }
        let is_own = self.specific.contains(object)
            && self.workers.contains(a.thread)
            && self.workers.contains(b.thread);
        is_own.then(|| {
            Refutation::proof(Self::THREAD_SPECIFIC, move || {
                format!("each of these threads has its own object: {} is passed to one thread only", name())
            })
        })
    }
}

fn touched(view: &View<'_>, threads: &Threads, accesses: &Accesses) -> Vec<BitSet<ObjectId>> {
    let mut touched: Vec<BitSet<ObjectId>> = threads.all.iter().map(|_| BitSet::new()).collect();
    let mut seen: FastSet<(*const HybridSet<ObjectId>, ThreadId)> = FastSet::default();
    for (access, data) in accesses.all.iter_ids() {
        for &instance in view.analysis.instances_of(data.method) {
            let set = accesses.may_touch(view, access, instance);
            for &thread in threads.may_execute(instance) {
                if seen.insert((std::ptr::from_ref(set), thread)) {
                    set.iter().for_each(|object| {
                        touched[thread.number() as usize].insert(object);
                    });
                }
            }
        }
    }
    touched
}

/// The objects that no two of the workers ever access; see the [module documentation](self).
fn specific(view: &View<'_>, threads: &Threads, workers: &BitSet<ThreadId>) -> BitSet<ObjectId> {
    let of = |wanted: bool| {
        let chosen = threads.reached.iter_ids().filter(move |(id, _)| workers.contains(*id) == wanted);
        all_of(chosen.map(|(_, reached)| reached))
    };
    let (working, giving): (BitSet<InstanceId>, BitSet<InstanceId>) = (of(true), of(false));
    let mut search = Search::new(view, &working);
    search.give_up_what_is_known(threads, workers);
    search.close();

    // What others put into tasks.
    let heap = HeapGraph::new(view.analysis);
    let mut reach = heap.walk();
    for thread in threads.all.iter() {
        thread.objects.iter().for_each(|&object| reach.add_one(object));
    }
    let tree = reach.close();
    let mut handover = Handover::new(view, threads, &giving, &tree);
    let mut given_up = Found::default();
    for (id, thread) in threads.all.iter_ids() {
        if workers.contains(id) {
            given_up.objects.extend(repeated_tasks(view, thread, &working, &mut handover));
        }
    }
    for instance in giving.iter() {
        shared_gifts(view, instance, &search, &tree, &mut handover, &mut given_up);
    }
    given_up.objects.iter().for_each(|object| search.give_up(object));
    search.close();
    search.remaining()
}

/// The tasks of a thread that may not be its own: started more than once, or also held by another worker.
fn repeated_tasks(
    view: &View<'_>,
    thread: &AbstractThread,
    working: &BitSet<InstanceId>,
    handover: &mut Handover<'_, '_>,
) -> Vec<ObjectId> {
    let Origin::Spawn { instance, inst, kind, .. } = thread.origin else { return Vec::new() };
    let mut tasks: Vec<ObjectId> = Vec::new();
    for &entry in &thread.entries {
        tasks.extend(view.analysis.parameter_points_to(entry, 0).iter());
    }
    tasks.sort_unstable();
    tasks.dedup();
    let thread_class = selvedge_ir::ClassName::new(Kind::Thread.class());
    let heap = &view.analysis.heap;
    tasks.retain(|&task| {
        let Some((_, mut makers)) = makers(view, task) else { return true };
        let made_by_others = makers.all(|maker| !working.contains(maker));
        let is_thread = heap.types.is_instance(heap.get(task).ty, thread_class);
        let starts_once = kind == InThread::New && is_thread
            || (kind == InThread::New || kind == InThread::Pool && runs_once(view, instance, inst))
                && inst.is_some_and(|inst| is_handed_once(view, instance, inst, task, handover));
        !(made_by_others && starts_once)
    });
    tasks
}

/// Whether a call that gives a task to a pool makes it run once, or again only after it has ended. A parallel stream runs one
/// lambda object in many threads at a time.
pub(crate) fn runs_once(view: &View<'_>, instance: InstanceId, inst: Option<Inst>) -> bool {
    let Some(inst) = inst else { return false };
    let mut methods = view.callees(instance, inst).iter().filter_map(|&callee| view.method_of(callee));
    methods.all(|method| {
        let class = view.program.classes[view.program.methods[method].class].name.to_string();
        Kind::TaskRunner.has(class.as_bytes())
    })
}

fn is_handed_once(
    view: &View<'_>,
    instance: InstanceId,
    inst: Inst,
    task: ObjectId,
    handover: &mut Handover<'_, '_>,
) -> bool {
    let Some(body) = view.body(instance) else { return false };
    let mut holding: Vec<Value> = body.args(inst).to_vec();
    holding.retain(|&value| view.analysis.points_to(instance, value).contains(task));
    !holding.is_empty()
        && holding.into_iter().all(|value| handover.is_exclusive_for(instance, inst, value, task))
}

/// The objects that an instance stores into tasks, or what tasks own, and that are not exclusive there.
fn shared_gifts(
    view: &View<'_>,
    instance: InstanceId,
    search: &Search<'_, '_>,
    tree: &BitSet<ObjectId>,
    handover: &mut Handover<'_, '_>,
    given_up: &mut Found,
) {
    let analysis = view.analysis;
    let Some(summary) = analysis.summary(analysis.instances[instance].procedure) else { return };
    let owned = |object: ObjectId| tree.contains(object) && search.is_candidate(object);
    let at = |slot: Slot| analysis.slot_points_to(instance, slot);
    for statement in &summary.statements {
        match *statement {
            Statement::Store { base, member, from } => {
                let gifts: Vec<ObjectId> =
                    at(from).iter().filter(|&object| search.is_candidate(object)).collect();
                let read = |object: ObjectId| owned(object) && search.is_loaded(object, member);
                if gifts.is_empty() || !at(base).iter().any(read) {
                    continue;
                }
                let stores = stores_between(view, instance, &summary.slot_of_value, base, from);
                if stores.is_empty() {
                    given_up.objects.extend(gifts);
                } else if !stores.iter().all(|&(inst, value)| handover.is_exclusive(instance, inst, value)) {
                    given_up.objects.extend(gifts.into_iter().filter(|&gift| {
                        !stores
                            .iter()
                            .all(|&(inst, value)| handover.is_exclusive_for(instance, inst, value, gift))
                    }));
                }
            }
            Statement::StoreAll { base, from } => {
                let mut loaded = Found::default();
                for holder in at(base).iter().filter(|&object| owned(object)) {
                    search.loaded_from(holder).for_each(|set| loaded.add_all(set));
                }
                given_up.objects.extend(at(from).iter().filter(|&object| loaded.objects.contains(object)));
            }
            Statement::Special { rule: Special::Clone | Special::ArrayCopyOf, .. } => {
                let copies = summary.result.into_iter().flat_map(|slot| at(slot).iter());
                copies.for_each(|copy| search.loaded_from(copy).for_each(|set| given_up.add_all(set)));
            }
            Statement::Special { rule, .. } if stores_parameters(rule) => {
                let slots = || summary.parameters.iter().copied().flatten();
                let objects: FastSet<ObjectId> = slots().flat_map(|slot| at(slot).iter()).collect();
                let mut loaded = Found::default();
                for &holder in objects.iter().filter(|&&object| owned(object)) {
                    search.loaded_from(holder).for_each(|set| loaded.add_all(set));
                }
                given_up
                    .objects
                    .extend(objects.iter().copied().filter(|&object| loaded.objects.contains(object)));
            }
            _ => {}
        }
    }
}

/// The instructions that a store of a summary stands for, with the value stored.
fn stores_between(
    view: &View<'_>,
    instance: InstanceId,
    slots: &[Option<Slot>],
    base: Slot,
    from: Slot,
) -> Vec<(Inst, Value)> {
    let Some(body) = view.body(instance) else { return Vec::new() };
    let slot = |value: Value| slots.get(value.number() as usize).copied().flatten();
    let mut found = Vec::new();
    for (inst, data) in body.insts.iter_ids() {
        let arguments = body.args(inst);
        let (holder, values) = match data.op {
            Op::PutField(_) => (Some(arguments[0]), &arguments[1..]),
            Op::ArrayStore(_) => (Some(arguments[0]), &arguments[2..]),
            Op::InvokeDynamic(_) => (data.result, arguments),
            _ => continue,
        };
        if holder.and_then(slot) == Some(base) {
            found.extend(
                values.iter().filter(|&&value| slot(value) == Some(from)).map(|&value| (inst, value)),
            );
        }
    }
    found
}

/// Rules that store a parameter into a member of another parameter.
fn stores_parameters(rule: Special) -> bool {
    matches!(
        rule,
        Special::UnsafePut
            | Special::UnsafeCompareAndSet
            | Special::UnsafeExchange
            | Special::VarHandleWrite
            | Special::VarHandleCompareAndSet
            | Special::VarHandleExchange
            | Special::FieldSet
    )
}

/// Those of some objects that `ThreadLocal` variables hold, directly or inside others.
fn variable_values(view: &View<'_>, among: &BitSet<ObjectId>) -> BitSet<ObjectId> {
    let analysis = view.analysis;
    let heap = HeapGraph::new(analysis);
    let mut reach = heap.walk();
    for (_, member, set) in analysis.members() {
        if is_thread_local_map(view, member) {
            reach.add(set);
        }
    }
    let mut values = reach.close();
    values.intersect_with(among);
    values
}
