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
//! 1. from a static field, from the machine's memory, from a parameter that is not its own task object, by reflection;
//! 2. as its task, if the task may be started twice, or if workers make the task themselves (then the starter and the started
//!    both hold it);
//! 3. by a load from an object that is given up, or from one into which the members of such an object were copied (a list that grows
//!    moves its elements to another array: nobody gets hold of them by that);
//! 4. from a task into which somebody who is no worker put it, unless it was handed over exclusively
//!    (see the file `handover.rs`).
//!
//! What is left is *specific*. `Thread.currentThread()` gives each thread its own object, and the values of `ThreadLocal`
//! variables are in a map that only the thread itself reads: loads of these are no way to another thread's objects. The threads
//! that locks and queues of the library note as waiting or owning are taken to be woken up and compared, nothing else.
//!
//! **Theorem.** In no run do two workers access a member of the same specific object. By induction over the run:
//! each reference of a worker to a specific object comes from its own allocation, its own task, or a member of a specific
//! object that it holds, into which only itself, or an exclusive hand-over, has put it.
//!
//! Two sets are kept: *specific* objects with the spawned threads as workers, where main and clients prepare tasks; and *confined*
//! objects with all threads as workers. A pair with a side in `main` is refuted only by the second.

use selvedge_base::{BitSet, FastMap, FastSet, HybridSet};
use selvedge_ir::{Inst, Op, Value};
use selvedge_models::{InThread, Special};
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_pta::summary::{Member, Slot, Statement};
use selvedge_pta::{InstanceId, Procedure, RULE_CALL};
use selvedge_world::{FieldId, MethodId, Tier};

use crate::accesses::Accesses;
use crate::handover::{Handover, all_of, makers};
use crate::heap_graph::HeapGraph;
use crate::refutation::{Candidate, Refutation, Strength};
use crate::threads::{AbstractThread, Origin, ThreadId, Threads};
use crate::view::View;
use crate::words;

/// See the [module documentation](self).
pub struct Sharing {
    /// The objects that each thread may touch by an access.
    touched: Vec<BitSet<ObjectId>>,
    many: Vec<bool>,
    workers: BitSet<ThreadId>,
    specific: BitSet<ObjectId>,
    confined: BitSet<ObjectId>,
    /// The confined objects that `ThreadLocal` variables hold.
    in_variables: BitSet<ObjectId>,
}

impl Sharing {
    /// The refuter for objects that only one thread touches.
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

    /// Whether the candidate's object belongs to one thread.
    pub fn refute(&self, view: &View<'_>, candidate: &Candidate) -> Option<Refutation> {
        let object = candidate.object?;
        let name = || words::object(view, object);
        let proof = |by, because| Some(Refutation { by, strength: Strength::Proof, because });
        let [a, b] = candidate.sides;
        if let [thread] = self.may_be_touched_by(object)[..]
            && !self.many[thread.number() as usize]
            && a.thread == thread
            && b.thread == thread
        {
            return proof(Self::ONE_THREAD, format!("only one thread touches {}", name()));
        }
        if self.confined.contains(object) {
            if self.in_variables.contains(object) {
                let because =
                    format!("{} is the value of a ThreadLocal variable and kept nowhere else", name());
                return proof(Self::THREAD_LOCAL_VARIABLE, because);
            }
            let because =
                format!("each thread only gets at the objects like {} that it makes itself", name());
            return proof(Self::THREAD_SPECIFIC, because);
        }
        if self.specific.contains(object)
            && self.workers.contains(a.thread)
            && self.workers.contains(b.thread)
        {
            let because =
                format!("each of these threads has its own object: {} goes to one thread only", name());
            return proof(Self::THREAD_SPECIFIC, because);
        }
        None
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
    let mut given_up: Vec<ObjectId> = Vec::new();
    for (id, thread) in threads.all.iter_ids() {
        if workers.contains(id) {
            given_up.extend(repeated_tasks(view, thread, &working, &mut handover));
        }
    }
    for instance in giving.iter() {
        shared_gifts(view, instance, &search, &tree, &mut handover, &mut given_up);
    }
    given_up.into_iter().for_each(|object| search.give_up(object));
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
    let thread_class = selvedge_ir::ClassName::new("java/lang/Thread");
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
fn runs_once(view: &View<'_>, instance: InstanceId, inst: Option<Inst>) -> bool {
    let Some(inst) = inst else { return false };
    let mut methods = view.callees(instance, inst).iter().filter_map(|&callee| view.method_of(callee));
    methods.all(|method| {
        let class = view.program.classes[view.program.methods[method].class].name.to_string();
        class.starts_with("java/util/concurrent/") || class.starts_with("java/util/Timer")
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
    given_up: &mut Vec<ObjectId>,
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
                    given_up.extend(gifts);
                } else if !stores.iter().all(|&(inst, value)| handover.is_exclusive(instance, inst, value)) {
                    given_up.extend(gifts.into_iter().filter(|&gift| {
                        !stores
                            .iter()
                            .all(|&(inst, value)| handover.is_exclusive_for(instance, inst, value, gift))
                    }));
                }
            }
            Statement::StoreAll { base, from } => {
                for holder in at(base).iter().filter(|&object| owned(object)) {
                    let loaded = search.loaded_from(holder).into_iter();
                    given_up.extend(loaded.filter(|&object| at(from).contains(object)));
                }
            }
            Statement::Special { rule: Special::Clone | Special::ArrayCopyOf, .. } => {
                let copies = summary.result.into_iter().flat_map(|slot| at(slot).iter());
                copies.for_each(|copy| given_up.extend(search.loaded_from(copy)));
            }
            Statement::Special { rule, .. } if stores_parameters(rule) => {
                let slots = || summary.parameters.iter().copied().flatten();
                let objects: FastSet<ObjectId> = slots().flat_map(|slot| at(slot).iter()).collect();
                for &holder in objects.iter().filter(|&&object| owned(object)) {
                    let loaded = search.loaded_from(holder).into_iter();
                    given_up.extend(loaded.filter(|object| objects.contains(object)));
                }
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

/// In a list of members that are loaded: all of them.
const EVERY_MEMBER: Member = Member::Captured(u32::MAX);

/// Finds what workers may get from elsewhere.
struct Search<'a, 'v> {
    view: &'a View<'v>,
    working: &'a BitSet<InstanceId>,
    /// The members that workers load, by object.
    loaded: FastMap<ObjectId, Vec<Member>>,
    held: FastMap<ObjectId, Vec<&'a HybridSet<ObjectId>>>,
    /// Where the members of an object are copied to, without anybody getting hold of them on the way.
    copies: FastMap<ObjectId, Vec<ObjectId>>,
    /// Whether the application asks the library for the threads that there are.
    lists_threads: bool,
    given_up: BitSet<ObjectId>,
    pending: Vec<ObjectId>,
}

impl<'a, 'v> Search<'a, 'v> {
    fn new(view: &'a View<'v>, working: &'a BitSet<InstanceId>) -> Self {
        let mut held: FastMap<ObjectId, Vec<&HybridSet<ObjectId>>> = FastMap::default();
        for (object, member, set) in view.analysis.members() {
            if !leads_to_own_thread(view, member) {
                held.entry(object).or_default().push(set);
            }
        }
        Self {
            view,
            working,
            loaded: FastMap::default(),
            held,
            copies: FastMap::default(),
            lists_threads: working.iter().any(|instance| lists_threads(view, instance)),
            given_up: BitSet::new(),
            pending: Vec::new(),
        }
    }

    fn give_up(&mut self, object: ObjectId) {
        if self.given_up.insert(object) {
            self.pending.push(object);
        }
    }

    fn is_candidate(&self, object: ObjectId) -> bool {
        !self.given_up.contains(object)
    }

    /// Whether workers load a member of an object.
    fn is_loaded(&self, object: ObjectId, member: Member) -> bool {
        if !self.lists_threads && is_list_of_threads(self.view, object) {
            return false;
        }
        self.loaded
            .get(&object)
            .is_some_and(|loaded| loaded.contains(&member) || loaded.contains(&EVERY_MEMBER))
    }

    fn remaining(&self) -> BitSet<ObjectId> {
        let mut remaining = BitSet::new();
        for (object, _) in self.view.analysis.heap.objects() {
            if self.is_candidate(object) {
                remaining.insert(object);
            }
        }
        remaining
    }

    /// Conditions 1 and 3 without the closure: everything that does not depend on what else is given up.
    fn give_up_what_is_known(&mut self, threads: &Threads, workers: &BitSet<ThreadId>) {
        let analysis = self.view.analysis;
        for (object, data) in analysis.heap.objects() {
            let made_by_code = match analysis.heap.site_of(data.site) {
                Site::Instruction { .. } | Site::Part { .. } => true,
                // A constructor reference: `Buffer::new`.
                Site::Synthetic { procedure, .. } => {
                    matches!(analysis.procedures.get(procedure), Procedure::Lambda { .. })
                }
                _ => false,
            };
            if !made_by_code {
                self.give_up(object);
            }
        }
        for (_, thread) in threads.all.iter_ids().filter(|(id, _)| workers.contains(*id)) {
            let owns_task = matches!(thread.origin, Origin::Spawn { .. });
            for &entry in &thread.entries {
                self.give_up_parameters(entry, usize::from(owns_task));
            }
        }
        let mut loads: FastSet<(*const HybridSet<ObjectId>, Member)> = FastSet::default();
        let mut whole: FastSet<*const HybridSet<ObjectId>> = FastSet::default();
        for instance in self.working.iter() {
            self.look_at(instance, &mut loads, &mut whole);
        }
        for members in self.loaded.values_mut() {
            members.sort_unstable();
            members.dedup();
        }
        self.follow_copies();
    }

    /// What is loaded from a copy counts as loaded from what it is a copy of.
    fn follow_copies(&mut self) {
        let mut origins: FastMap<ObjectId, Vec<ObjectId>> = FastMap::default();
        for (&origin, copies) in &mut self.copies {
            copies.sort_unstable();
            copies.dedup();
            copies.iter().for_each(|&copy| origins.entry(copy).or_default().push(origin));
        }
        let mut pending: Vec<ObjectId> =
            origins.keys().copied().filter(|copy| self.loaded.contains_key(copy)).collect();
        while let Some(copy) = pending.pop() {
            let members = self.loaded.get(&copy).cloned().unwrap_or_default();
            for &origin in origins.get(&copy).into_iter().flatten() {
                let known = self.loaded.entry(origin).or_default();
                let before = known.len();
                known.extend(&members);
                known.sort_unstable();
                known.dedup();
                if known.len() > before {
                    pending.push(origin);
                }
            }
        }
    }

    fn give_up_parameters(&mut self, instance: InstanceId, first: usize) {
        let analysis = self.view.analysis;
        let count = analysis
            .summary(analysis.instances[instance].procedure)
            .map_or(0, |summary| summary.parameters.len());
        for position in first..count {
            analysis.parameter_points_to(instance, position).iter().for_each(|object| self.give_up(object));
        }
    }

    /// What one instance of a worker gets, and which members it loads.
    fn look_at(
        &mut self,
        instance: InstanceId,
        loads: &mut FastSet<(*const HybridSet<ObjectId>, Member)>,
        whole: &mut FastSet<*const HybridSet<ObjectId>>,
    ) {
        let (view, analysis) = (self.view, self.view.analysis);
        if view.method_of(instance).is_some_and(|method| gives_own_thread(view, method)) {
            return;
        }
        for call in view.calls(instance).filter(|call| call.number == RULE_CALL) {
            call.callees.iter().for_each(|&callee| self.give_up_parameters(callee, 0));
        }
        let Some(summary) = analysis.summary(analysis.instances[instance].procedure) else { return };
        for statement in &summary.statements {
            match *statement {
                Statement::Load { base, member, .. } => {
                    let set = analysis.slot_points_to(instance, base);
                    if !leads_to_own_thread(view, member) && loads.insert((std::ptr::from_ref(set), member)) {
                        set.iter().for_each(|object| self.loaded.entry(object).or_default().push(member));
                    }
                }
                Statement::LoadAll { base, .. } => {
                    let set = analysis.slot_points_to(instance, base);
                    if whole.insert(std::ptr::from_ref(set)) {
                        set.iter().for_each(|object| self.load_all(object));
                    }
                }
                Statement::LoadStatic { field, .. } if !leads_nowhere(view, field) => {
                    analysis.static_field(field).for_each(|object| self.give_up(object));
                }
                Statement::Special { rule, .. } if moves_members(rule) => {
                    let slots = summary.parameters.iter().copied().flatten();
                    let to = match rule {
                        Special::ArrayCopy => summary.parameters.get(2).copied().flatten(),
                        _ => summary.result,
                    };
                    let of = |slot| analysis.slot_points_to(instance, slot);
                    for from in slots.filter(|&from| Some(from) != to).flat_map(|from| of(from).iter()) {
                        let copies = to.into_iter().flat_map(|to| of(to).iter());
                        self.copies.entry(from).or_default().extend(copies);
                    }
                }
                Statement::Special { rule, .. } if copies_members(rule) => {
                    for slot in summary.parameters.iter().copied().flatten() {
                        let set = analysis.slot_points_to(instance, slot);
                        if whole.insert(std::ptr::from_ref(set)) {
                            set.iter().for_each(|object| self.load_all(object));
                            set.iter().for_each(|object| self.give_up_behind_handle(object));
                        }
                    }
                }
                Statement::Special { .. } => {
                    let result = summary.result.map(|slot| analysis.slot_points_to(instance, slot));
                    result.into_iter().flat_map(|set| set.iter()).for_each(|object| self.give_up(object));
                }
                _ => {}
            }
        }
    }

    /// An object whose members are loaded by a rule, any of them.
    fn load_all(&mut self, object: ObjectId) {
        self.loaded.entry(object).or_default().push(EVERY_MEMBER);
    }

    /// What a static field holds that an object is a handle on.
    fn give_up_behind_handle(&mut self, object: ObjectId) {
        let analysis = self.view.analysis;
        if let Site::FieldHandle(field, _) = analysis.heap.site_of(analysis.heap.get(object).site) {
            analysis.static_field(field).for_each(|object| self.give_up(object));
        }
    }

    /// What workers may load from an object.
    fn loaded_from(&self, object: ObjectId) -> Vec<ObjectId> {
        let mut found = Vec::new();
        if !self.lists_threads && is_list_of_threads(self.view, object) {
            return found;
        }
        for &member in self.loaded.get(&object).into_iter().flatten() {
            if member == EVERY_MEMBER {
                found.extend(self.held.get(&object).into_iter().flatten().flat_map(|set| set.iter()));
            } else {
                found.extend(self.view.analysis.member(object, member));
            }
        }
        found
    }

    fn close(&mut self) {
        while let Some(object) = self.pending.pop() {
            let found = self.loaded_from(object);
            found.into_iter().for_each(|object| self.give_up(object));
        }
    }
}

/// Rules that copy members from one object to another, and do nothing else with them.
fn moves_members(rule: Special) -> bool {
    matches!(rule, Special::Clone | Special::ArrayCopy | Special::ArrayCopyOf)
}

/// Rules that read members of the objects that they are given; other rules may get objects from anywhere.
fn copies_members(rule: Special) -> bool {
    matches!(
        rule,
        Special::UnsafeGet | Special::UnsafeExchange | Special::VarHandleRead | Special::VarHandleExchange
    )
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

/// Whether a method gives its caller the caller's own thread, or only compares threads (a group's list of its members).
fn gives_own_thread(view: &View<'_>, method: MethodId) -> bool {
    let data = &view.program.methods[method];
    let class = view.program.classes[data.class].name;
    let lists = ["add", "addUnstarted", "remove", "threadTerminated", "threadStartFailed"];
    class.is("java/lang/Thread") && data.name.is("currentThread")
        || class.is("java/lang/ThreadGroup") && lists.iter().any(|name| data.name.is(name))
}

/// Whether a member is the map of a thread's own `ThreadLocal` values, which no other thread reads.
fn is_thread_local_map(view: &View<'_>, member: Member) -> bool {
    let Member::Field(field) = member else { return false };
    let data = &view.program.fields[field];
    data.name.is("threadLocals") && view.program.classes[data.class].name.is("java/lang/Thread")
}

/// Whether loading a member gives no thread the objects of another; see [`leads_nowhere`].
fn leads_to_own_thread(view: &View<'_>, member: Member) -> bool {
    matches!(member, Member::Field(field) if leads_nowhere(view, field)) || is_thread_local_map(view, member)
}

/// Whether what a field of the library holds is only compared or woken up: threads that wait or own a lock, and the links between
/// references that the collector has cleared.
fn leads_nowhere(view: &View<'_>, field: FieldId) -> bool {
    let data = &view.program.fields[field];
    let class = &view.program.classes[data.class];
    let notes_thread = data.descriptor.is("Ljava/lang/Thread;");
    let links = data.descriptor.is("Ljava/lang/ref/Reference;");
    class.tier == Tier::Jdk && (notes_thread || links)
}

/// Whether an object is an array in which the library keeps threads: the members of a group.
fn is_list_of_threads(view: &View<'_>, object: ObjectId) -> bool {
    let heap = &view.analysis.heap;
    let data = heap.get(object);
    let by_library = match heap.site_of(data.site) {
        Site::Instruction { method, .. } => {
            view.program.classes[view.program.methods[method].class].tier == Tier::Jdk
        }
        _ => true,
    };
    by_library && heap.types.name(data.ty) == "[Ljava/lang/Thread;"
}

/// Whether an instance of the application asks for all threads.
fn lists_threads(view: &View<'_>, instance: InstanceId) -> bool {
    let asks = |callee: InstanceId| {
        view.method_of(callee).is_some_and(|method| {
            let data = &view.program.methods[method];
            let class = view.program.classes[data.class].name;
            (class.is("java/lang/Thread") || class.is("java/lang/ThreadGroup"))
                && (data.name.is("enumerate") || data.name.is("getAllStackTraces"))
        })
    };
    view.is_application_instance(instance)
        && view.calls(instance).any(|call| call.callees.iter().any(|&callee| asks(callee)))
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
