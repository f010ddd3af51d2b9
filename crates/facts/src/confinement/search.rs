//! What threads may get hold of that is not theirs: the search behind the [parent module](super).

use selvedge_base::{BitSet, FastSet, HybridSet};
use selvedge_models::{Kind, Special};
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_pta::summary::{Member, Statement};
use selvedge_pta::{InstanceId, Procedure, RULE_CALL};
use selvedge_world::{FieldId, MethodId, Tier};

use super::loads::Loads;
use crate::threads::{Origin, ThreadId, Threads};
use crate::view::View;

/// Finds what workers may get from elsewhere.
pub(super) struct Search<'a, 'v> {
    view: &'a View<'v>,
    working: &'a BitSet<InstanceId>,
    /// What workers load.
    loads: Loads<'a>,
    /// Whether the application asks the library for the threads that there are.
    lists_threads: bool,
    given_up: BitSet<ObjectId>,
    /// The sets all of which are given up.
    given_up_whole: FastSet<*const HybridSet<ObjectId>>,
    pending: Vec<ObjectId>,
}

impl<'a, 'v> Search<'a, 'v> {
    pub fn new(view: &'a View<'v>, working: &'a BitSet<InstanceId>) -> Self {
        let members = view.analysis.members().filter(|&(_, member, _)| !leads_to_own_thread(view, member));
        Self {
            view,
            working,
            loads: Loads::new(members),
            lists_threads: working.iter().any(|instance| lists_threads(view, instance)),
            given_up: BitSet::new(),
            given_up_whole: FastSet::default(),
            pending: Vec::new(),
        }
    }

    pub fn give_up(&mut self, object: ObjectId) {
        if self.given_up.insert(object) {
            self.pending.push(object);
        }
    }

    pub fn is_candidate(&self, object: ObjectId) -> bool {
        !self.given_up.contains(object)
    }

    /// Whether workers load a member of an object.
    pub fn is_loaded(&self, object: ObjectId, member: Member) -> bool {
        if !self.lists_threads && is_list_of_threads(self.view, object) {
            return false;
        }
        self.loads.contains(object, member)
    }

    pub fn remaining(&self) -> BitSet<ObjectId> {
        let mut remaining = BitSet::new();
        for (object, _) in self.view.analysis.heap.objects() {
            if self.is_candidate(object) {
                remaining.insert(object);
            }
        }
        remaining
    }

    /// Conditions 1 and 3 without the closure: everything that does not depend on what else is given up.
    pub fn give_up_what_is_known(&mut self, threads: &Threads, workers: &BitSet<ThreadId>) {
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
        self.give_up_queued_references();
        for (_, thread) in threads.all.iter_ids().filter(|(id, _)| workers.contains(*id)) {
            let owns_task = matches!(thread.origin, Origin::Spawn { .. });
            for &entry in &thread.entries {
                self.give_up_parameters(entry, usize::from(owns_task));
            }
        }
        self.working.iter().for_each(|instance| self.look_at(instance));
        self.loads.follow_copies();
    }

    /// Whoever polls a reference queue gets the references that were made with it. Those that were made with none have the one that static
    /// fields of the library hold.
    fn give_up_queued_references(&mut self) {
        let (view, analysis) = (self.view, self.view.analysis);
        let is_queue = |field: FieldId| {
            view.program.fields[field].descriptor.is("Ljava/lang/ref/ReferenceQueue;")
                && view.program.classes[view.program.fields[field].class].tier == Tier::Jdk
        };
        let statics = analysis.static_fields().filter(|(field, _)| is_queue(*field));
        let none: BitSet<ObjectId> = statics.flat_map(|(_, held)| held.iter()).collect();
        for (holder, member, queues) in analysis.members() {
            let is_of_reference = matches!(member, Member::Field(field) if is_queue(field));
            if is_of_reference && queues.iter().any(|queue| !none.contains(queue)) {
                self.give_up(holder);
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
    fn look_at(&mut self, instance: InstanceId) {
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
                Statement::Load { base, member, .. } if !leads_to_own_thread(view, member) => {
                    self.loads.add(analysis.slot_points_to(instance, base), member);
                }
                Statement::LoadAll { base, .. } => {
                    self.loads.add_whole(analysis.slot_points_to(instance, base));
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
                    if let Some(to) = to {
                        slots
                            .filter(|&from| from != to)
                            .for_each(|from| self.loads.add_copy(of(from), of(to)));
                    }
                }
                Statement::Special { rule, .. } if copies_members(rule) => {
                    for slot in summary.parameters.iter().copied().flatten() {
                        let set = analysis.slot_points_to(instance, slot);
                        if self.loads.add_whole(set) {
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

    /// What a static field holds that an object is a handle on.
    fn give_up_behind_handle(&mut self, object: ObjectId) {
        let analysis = self.view.analysis;
        if let Site::FieldHandle(field, _) = analysis.heap.site_of(analysis.heap.get(object).site) {
            analysis.static_field(field).for_each(|object| self.give_up(object));
        }
    }

    /// What workers may load from an object: what each of its members holds.
    pub fn loaded_from(&self, object: ObjectId) -> impl Iterator<Item = &'a HybridSet<ObjectId>> {
        let is_hidden = !self.lists_threads && is_list_of_threads(self.view, object);
        self.loads.members(object).filter(move |_| !is_hidden).map(|(_, set)| set)
    }

    pub fn close(&mut self) {
        while let Some(object) = self.pending.pop() {
            let loaded: Vec<&HybridSet<ObjectId>> = self.loaded_from(object).collect();
            for set in loaded {
                // Many members share a set.
                if self.given_up_whole.insert(std::ptr::from_ref(set)) {
                    set.iter().for_each(|object| self.give_up(object));
                }
            }
        }
    }
}

/// Objects that are found in many ways, most of them in sets that many members share.
#[derive(Default)]
pub(super) struct Found {
    pub objects: BitSet<ObjectId>,
    whole: FastSet<*const HybridSet<ObjectId>>,
}

impl Found {
    pub fn add_all(&mut self, set: &HybridSet<ObjectId>) {
        if self.whole.insert(std::ptr::from_ref(set)) {
            self.objects.extend(set.iter());
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

/// Whether a method gives its caller the caller's own thread, or only compares threads (a group's list of its members).
fn gives_own_thread(view: &View<'_>, method: MethodId) -> bool {
    let data = &view.program.methods[method];
    let class = view.program.classes[data.class].name;
    let lists = ["add", "addUnstarted", "remove", "threadTerminated", "threadStartFailed"];
    Kind::Thread.has(class.as_bytes()) && data.name.is("currentThread")
        || Kind::ThreadGroup.has(class.as_bytes()) && lists.iter().any(|name| data.name.is(name))
}

/// Whether a member is the map of a thread's own `ThreadLocal` values, which no other thread reads.
pub(super) fn is_thread_local_map(view: &View<'_>, member: Member) -> bool {
    let Member::Field(field) = member else { return false };
    let data = &view.program.fields[field];
    data.name.is("threadLocals") && Kind::Thread.has(view.program.classes[data.class].name.as_bytes())
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
            (Kind::Thread.has(class.as_bytes()) || Kind::ThreadGroup.has(class.as_bytes()))
                && (data.name.is("enumerate") || data.name.is("getAllStackTraces"))
        })
    };
    view.is_application_instance(instance)
        && view.calls(instance).any(|call| call.callees.iter().any(|&callee| asks(callee)))
}
