//! Which objects more than one thread may get hold of: the escape relation of Chord (section 4 of the paper).
//!
//! An object may be shared if it is reachable, through fields, elements and captured values, from
//!
//! - an argument of a call that starts a thread, the task included, or a parameter of what the thread runs first;
//! - the result of such a call, or what the thread's first method returns: a future takes it to another thread;
//! - a static field, the class objects, or the JVM's own memory;
//! - in an open program, anything that the clients hold: what they make, pass in and get back;
//! - the services of which a container has one instance, not what it makes for each call.
//!
//! **Theorem.** If two threads of a run access a field or element of one object, its abstract object may be shared. A thread
//! gets a reference to an object of another thread only by what it was started with, by what it left to whoever waits for
//! it, or by memory that both know, and all these are roots or reachable from roots; the relation does not look at time,
//! so an object that becomes shared is shared from the beginning.
//!
//! The hypotheses, each with a program of the corpus in which only this one fails: the object cannot be reached
//!
//! 1. from what a thread is started with (BufferGivenToTasks), or from what it leaves to others (ResultsIntoSharedList);
//! 2. from a static field (FactoryCaches) or an object that others know (RegistryKeepsReference);
//! 3. from the JVM's memory (SignalHandler).
//!
//! Beyond the paper: results of tasks, and callbacks with arguments (the elements that a parallel stream hands to a
//! lambda).

use selvedge_base::{BitSet, HybridSet};
use selvedge_models::Kind;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_pta::summary::Slot;
use selvedge_pta::{Analysis, InstanceId};

use crate::describe;
use crate::heap_graph::HeapGraph;
use crate::limits;
use crate::refutation::{Candidate, Refutation};
use crate::threads::{Origin, Threads};
use crate::view::View;

/// See the [module documentation](self).
pub struct Escape {
    shared: BitSet<ObjectId>,
    /// What static fields of the application hold, themselves or in containers.
    global: BitSet<ObjectId>,
}

impl Escape {
    /// The name of the refuter.
    pub const BY: &'static str = "thread-local";

    /// Finds what may be shared.
    pub fn new(view: &View<'_>, threads: &Threads) -> Self {
        let heap = HeapGraph::new(view.analysis);
        let mut reach = heap.walk();
        roots(view, threads, &mut |set| reach.add(set));
        let mut global = heap.walk_up_to(limits::HELD_BY_ONE);
        for (field, set) in view.analysis.static_fields() {
            if view.is_application_class(view.program.fields[field].class) {
                global.add(set);
            }
        }
        let is_container = |object: ObjectId| {
            let name = view.analysis.heap.types.name(view.analysis.heap.get(object).ty);
            Kind::Utility.has(name.as_bytes()) || name.starts_with('[')
        };
        Self { shared: reach.close(), global: global.close_through(is_container) }
    }

    /// Whether static fields of the application may hold an object, themselves or in containers of the library: whoever uses the
    /// application shares it. Fields and containers that may hold very many objects are left out, so this is no proof of
    /// anything; it is for ranking.
    pub fn may_be_global(&self, object: ObjectId) -> bool {
        self.global.contains(object)
    }

    /// Whether more than one thread may get hold of an object of this kind.
    pub fn may_be_shared(&self, object: ObjectId) -> bool {
        self.shared.contains(object)
    }

    /// How many abstract objects may be shared.
    pub fn shared_count(&self) -> usize {
        self.shared.len()
    }

    /// Whether the candidate's object stays with the thread that makes it.
    pub fn refute<'a>(&self, view: &'a View<'_>, candidate: &Candidate) -> Option<Refutation<'a>> {
        let object = candidate.object.filter(|&object| !self.may_be_shared(object))?;
        Some(Refutation::proof(Self::BY, move || {
            let what = describe::object(view, object);
            format!("no static field and no object passed to a new thread leads to {what}")
        }))
    }
}

/// Shows every set of objects from which sharing starts.
fn roots<'v>(view: &'v View<'_>, threads: &Threads, add: &mut dyn FnMut(&'v HybridSet<ObjectId>)) {
    let analysis = view.analysis;
    analysis.static_fields().for_each(|(_, set)| add(set));
    for (object, _, set) in analysis.members() {
        if is_global(analysis, object) {
            add(set);
        }
    }
    started_with(view, threads, add);
}

/// Shows every set of objects that threads are started with, or that unknown callers pass and get.
pub(crate) fn started_with<'v>(
    view: &'v View<'_>,
    threads: &Threads,
    add: &mut dyn FnMut(&'v HybridSet<ObjectId>),
) {
    let analysis = view.analysis;
    for thread in threads.all.iter() {
        match thread.origin {
            Origin::Main(_) | Origin::Initializers | Origin::ContainerStart | Origin::Container(_) => {
                continue;
            }
            Origin::Client | Origin::Vm(_) => {}
            Origin::Spawn { instance, call, .. } => call_slots(view, instance, call, add),
        }
        for &entry in &thread.entries {
            let summary = analysis.summary(analysis.instances[entry].procedure);
            let slots = summary
                .into_iter()
                .flat_map(|summary| summary.parameters.iter().copied().flatten().chain(summary.result));
            slots.for_each(|slot| add(analysis.slot_points_to(entry, slot)));
        }
    }
    let summary = |roots| analysis.summary(analysis.instances[roots].procedure);
    if let Some((roots, summary)) = view.roots().and_then(|roots| Some((roots, summary(roots)?))) {
        let hosted = &summary.hosted;
        let mut shared = hosted.shared.clone();
        if view.has_clients() {
            shared.extend((0..summary.slots).map(Slot::new).filter(|slot| !hosted.own.contains(slot)));
        }
        shared.into_iter().for_each(|slot| add(analysis.slot_points_to(roots, slot)));
    }
}

/// The arguments and the result of a call.
fn call_slots<'v>(
    view: &'v View<'_>,
    instance: InstanceId,
    call: u32,
    add: &mut dyn FnMut(&'v HybridSet<ObjectId>),
) {
    let summary = view.analysis.summary(view.analysis.instances[instance].procedure);
    let Some(call) = summary.and_then(|summary| summary.calls.get(call as usize)) else { return };
    let slots = call.arguments.iter().copied().flatten().chain(call.result);
    slots.for_each(|slot| add(view.analysis.slot_points_to(instance, slot)));
}

/// Whether an object is memory that every thread knows without being told.
pub(crate) fn is_global(analysis: &Analysis<'_>, object: ObjectId) -> bool {
    let site = analysis.heap.site_of(analysis.heap.get(object).site);
    matches!(
        site,
        Site::VmCell(_)
            | Site::ClassObject(_)
            | Site::ElementClass(_)
            | Site::Literal(_)
            | Site::FieldHandle(..)
            | Site::MethodHandle(..)
            | Site::MethodNamed(..)
            | Site::Adapted { .. }
    )
}
