//! What class initialisers do, and what that is ordered with.
//!
//! All initialisers are one abstract thread ([`Origin::Initializers`]), which stands for many: whichever thread first uses a class runs its
//! initialiser (JLS 12.4.2), and the others wait until it is done. Of each instance that this thread may execute, the *classes* are known in
//! whose initialisation it runs.
//!
//! **Theorem.** Let one side run in the initialisation of class `C` only. The other side is ordered with it
//!
//! 1. if it runs in the initialisation of `C`, too: one thread does that (InitializersTouchThird);
//! 2. if the place is a static field of `C`: whoever uses it has waited for the initialisation (InitializerTouchesOther);
//! 3. if the initialisation makes the object, and static fields of `C`, and objects of which the same holds, are all that ever holds it: whoever
//!    has the reference has read such a field (InitializerRegistersOutside), and nothing that a thread is started with leads to it;
//! 4. if its thread is started by the initialiser of `C` alone, by instructions from which no way leads to the access (InitializerStartsThread);
//! 5. if it is ordered with every instruction that may begin the initialisation, by the thread that executes it or by start and join
//!    (InitializerAfterStart).

use std::sync::OnceLock;

use selvedge_base::{BitSet, FastMap, FastSet, HybridSet};
use selvedge_ir::{Body, Inst, InvokeKind, Op};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_world::{ClassId, Tier};

use super::Order;
use super::context::is_one;
use crate::accesses::Place;
use crate::escape::started_with;
use crate::handover::fresh::makers;
use crate::limits;
use crate::refutation::{Candidate, Occurrence};
use crate::threads::{AbstractThread, Origin, ThreadId, Threads};
use crate::view::View;
use crate::ways::may_reach;

/// In the initialisation of which classes an instance runs; `None` for too many.
type Classes = Option<Vec<ClassId>>;

/// See the [module documentation](self).
pub(super) struct Initialization {
    thread: Option<ThreadId>,
    known: OnceLock<Known>,
}

struct Known {
    classes: FastMap<InstanceId, Classes>,
    /// The instances that may begin the initialisation of each class of the application.
    begun_by: FastMap<ClassId, Vec<InstanceId>>,
    /// The objects that the initialisation of a class makes, and that only its static fields lead to.
    made: FastMap<ObjectId, ClassId>,
}

impl Initialization {
    pub(super) fn new(threads: &Threads) -> Self {
        let mut initializing = threads.all.iter_ids().filter(|(_, data)| data.origin == Origin::Initializers);
        Self { thread: initializing.next().map(|(id, _)| id), known: OnceLock::new() }
    }

    /// Whether a side runs in the initialisation of a class.
    pub(super) fn is_by_initializer(&self, side: &Occurrence) -> bool {
        self.thread == Some(side.thread)
    }

    /// Whether a candidate of which a side runs in the initialisation of a class is refuted.
    pub(super) fn refutes(&self, order: &Order<'_, '_>, candidate: &Candidate) -> bool {
        let known = self.known.get_or_init(|| Known::new(order.view, order.threads, self.thread));
        let [a, b] = candidate.sides;
        let class = |side: &Occurrence| known.only_class(side.instance);
        if [a, b].iter().all(|side| self.is_by_initializer(side))
            && class(&a).is_some()
            && class(&a) == class(&b)
        {
            return true;
        }
        let sides = [(a, b), (b, a)];
        sides.into_iter().filter(|(side, _)| self.is_by_initializer(side)).any(|(side, other)| {
            let own = class(&side).is_some_and(|class| {
                let of_class = match order.accesses.all[side.access].place {
                    Place::Static(field) => order.view.program.fields[field].class == class,
                    _ => false,
                };
                of_class || candidate.object.is_some_and(|object| known.made.get(&object) == Some(&class))
            });
            let is_started_later = || starts(order, &side, &other).is_some_and(|later| later);
            own || !self.is_by_initializer(&other)
                && (is_started_later() || known.begins_in_order(order, &side, &other))
        })
    }
}

impl Known {
    fn new(view: &View<'_>, threads: &Threads, thread: Option<ThreadId>) -> Self {
        let nothing = BitSet::new();
        let reached = thread.map_or(&nothing, |thread| &threads.reached[thread]);
        let entries = thread.map_or(&[][..], |thread| threads.all[thread].entries.as_slice());
        let classes = classes(view, threads, reached, entries);
        let made = made(view, threads, &classes);
        Self { made, begun_by: begun_by(view, threads), classes }
    }

    /// The only class in whose initialisation an instance runs, where initialisers execute it.
    fn only_class(&self, instance: InstanceId) -> Option<ClassId> {
        match self.classes.get(&instance)?.as_deref() {
            Some(&[class]) => Some(class),
            _ => None,
        }
    }

    /// Whether whatever may begin the initialisation that a side runs in is ordered with the other side.
    fn begins_in_order(&self, order: &Order<'_, '_>, side: &Occurrence, other: &Occurrence) -> bool {
        let Some(Some(classes)) = self.classes.get(&side.instance) else { return false };
        let mut pending = classes.clone();
        let mut seen: FastSet<ClassId> = pending.iter().copied().collect();
        while let Some(class) = pending.pop() {
            let Some(begun_by) = self.begun_by.get(&class) else { return false };
            for &instance in begun_by {
                if Some(instance) == order.view.roots() && order.view.has_clients() {
                    return false;
                }
                for &thread in order.threads.may_execute(instance) {
                    if order.threads.all[thread].origin == Origin::Initializers {
                        let Some(Some(outer)) = self.classes.get(&instance) else { return false };
                        pending.extend(outer.iter().copied().filter(|&class| seen.insert(class)));
                    } else if !is_ordered(order, (thread, instance, class), other) {
                        return false;
                    }
                }
            }
        }
        true
    }
}

/// Whether the initialiser that makes an access starts the thread of the other side after it; `None` if it does not start it itself.
pub(super) fn starts(order: &Order<'_, '_>, side: &Occurrence, other: &Occurrence) -> Option<bool> {
    let Origin::Spawn { instance, inst: Some(start), .. } = order.threads.all[other.thread].origin else {
        return None;
    };
    let access = &order.accesses.all[side.access];
    let body = order.view.body(instance).filter(|_| instance == side.instance)?;
    let shape = order.view.shape(access.method)?;
    Some(!may_reach(body, shape, start, access.inst, None))
}

/// Whether the instructions of an instance that may begin the initialisation of a class, in a thread, are ordered with an access.
fn is_ordered(
    order: &Order<'_, '_>,
    (thread, instance, class): (ThreadId, InstanceId, ClassId),
    other: &Occurrence,
) -> bool {
    let Order { view, threads, spawns, proved, .. } = order;
    // The JVM initialises the class of `main` before anything else runs.
    let is_begun_by = |(main, data): (ThreadId, &AbstractThread)| match data.origin {
        Origin::Main(method) => {
            let mut classes = view.program.superclasses(view.program.methods[method].class);
            let is_first = spawns.dominates(main, thread) && spawns.dominates(main, other.thread);
            is_first && classes.any(|begun| begun == class)
        }
        _ => false,
    };
    if thread == other.thread && !threads.all[thread].many || threads.all.iter_ids().any(is_begun_by) {
        return true;
    }
    let Some(ancestor) = spawns.common(thread, other.thread, |thread| is_one(threads, thread)) else {
        return false;
    };
    if ancestor == thread {
        let beginning = view.body(instance).map_or_else(Vec::new, |body| beginning(view, body, class));
        let may_be_alive =
            |&inst: &Inst| proved.may_be_alive(&order.context(), (thread, instance, inst), other.thread);
        !beginning.is_empty() && !beginning.iter().any(may_be_alive)
    } else if ancestor == other.thread {
        !order.may_be_beside(proved, *other, thread)
    } else {
        !proved.may_be_together(ancestor, thread, other.thread)
    }
}

/// The instructions of a method that may begin the initialisation of a class.
fn beginning(view: &View<'_>, body: &Body, class: ClassId) -> Vec<Inst> {
    let program = view.program;
    let begins = |op: &Op| {
        let used = match op {
            Op::New(name) => program.class_named(*name),
            Op::GetStatic(field) | Op::PutStatic(field) => {
                program.resolve_field(field).ok().map(|field| program.fields[field].class)
            }
            Op::Invoke(InvokeKind::Static, called) => program.class_named(called.owner),
            _ => None,
        };
        used.is_some_and(|used| program.superclasses(used).any(|above| above == class))
    };
    body.insts.iter_ids().filter(|(_, data)| begins(&data.op)).map(|(inst, _)| inst).collect()
}

/// For each instance that initialisers execute the classes in whose initialisation it runs.
fn classes(
    view: &View<'_>,
    threads: &Threads,
    reached: &BitSet<InstanceId>,
    entries: &[InstanceId],
) -> FastMap<InstanceId, Classes> {
    let mut found: FastMap<InstanceId, Classes> = FastMap::default();
    let mut pending: Vec<InstanceId> = Vec::new();
    for &entry in entries {
        let class = view.method_of(entry).map(|method| vec![view.program.methods[method].class]);
        found.insert(entry, class);
        pending.push(entry);
    }
    let entries: FastSet<InstanceId> = entries.iter().copied().collect();
    while let Some(caller) = pending.pop() {
        let of_caller = found[&caller].clone();
        let callees = view.calls(caller).flat_map(|call| call.callees).copied();
        for callee in callees.filter(|callee| reached.contains(*callee) && !entries.contains(callee)) {
            if !threads.is_call(view, caller, callee) {
                continue;
            }
            let known = found.entry(callee).or_insert_with(|| Some(Vec::new()));
            let before = known.clone();
            *known = match (known.take(), &of_caller) {
                (Some(mut known), Some(more)) => {
                    known.extend(more);
                    known.sort_unstable();
                    known.dedup();
                    (known.len() <= limits::INITIALIZED_CLASSES).then_some(known)
                }
                _ => None,
            };
            if *known != before {
                pending.push(callee);
            }
        }
    }
    found
}

/// For each class of the application the instances that may begin its initialisation.
fn begun_by(view: &View<'_>, threads: &Threads) -> FastMap<ClassId, Vec<InstanceId>> {
    let mut executed: BitSet<InstanceId> = view.roots().into_iter().collect();
    threads.reached.iter().for_each(|reached| {
        executed.union_with(reached);
    });
    let mut found: FastMap<ClassId, Vec<InstanceId>> = FastMap::default();
    for instance in executed.iter() {
        for initializer in view.initializers(instance) {
            let Some(method) = view.method_of(initializer) else { continue };
            let class = view.program.methods[method].class;
            // A class that is being initialised may use itself.
            if view.program.classes[class].tier == Tier::Application && instance != initializer {
                found.entry(class).or_default().push(instance);
            }
        }
    }
    found
}

/// The objects that the initialisation of a class makes, and that only its static fields lead to: what is left when everything is taken away
/// that something else holds.
fn made(
    view: &View<'_>,
    threads: &Threads,
    classes: &FastMap<InstanceId, Classes>,
) -> FastMap<ObjectId, ClassId> {
    let analysis = view.analysis;
    let made_in = |object: ObjectId| {
        let (_, mut makers) = makers(view, object)?;
        let first = makers.next()?;
        let class = |maker: InstanceId| match threads.may_execute(maker) {
            [thread] if threads.all[*thread].origin == Origin::Initializers => {
                match classes.get(&maker)?.as_deref() {
                    Some(&[class]) => Some(class),
                    _ => None,
                }
            }
            _ => None,
        };
        let only = class(first)?;
        makers.all(|maker| class(maker) == Some(only)).then_some(only)
    };
    let objects = analysis.heap.objects().map(|(object, _)| object);
    let mut made: FastMap<ObjectId, ClassId> =
        objects.filter_map(|object| Some((object, made_in(object)?))).collect();
    let mut removed: Vec<ObjectId> = Vec::new();
    let mut keep =
        |made: &mut FastMap<ObjectId, ClassId>, set: &HybridSet<ObjectId>, class: Option<ClassId>| {
            for object in set.iter() {
                if made.get(&object).is_some_and(|&of| Some(of) != class) {
                    made.remove(&object);
                    removed.push(object);
                }
            }
        };
    for (field, set) in analysis.static_fields() {
        keep(&mut made, set, Some(view.program.fields[field].class));
    }
    started_with(view, threads, &mut |set| keep(&mut made, set, None));
    let mut held: FastMap<ObjectId, Vec<&HybridSet<ObjectId>>> = FastMap::default();
    for (holder, _, set) in analysis.members() {
        let class = made.get(&holder).copied();
        keep(&mut made, set, class);
        if class.is_some() {
            held.entry(holder).or_default().push(set);
        }
    }
    while let Some(holder) = removed.pop() {
        for set in held.get(&holder).into_iter().flatten() {
            for object in set.iter() {
                if made.remove(&object).is_some() {
                    removed.push(object);
                }
            }
        }
    }
    made
}
