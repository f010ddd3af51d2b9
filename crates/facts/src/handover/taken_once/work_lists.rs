//! Collections that are no channels by themselves, but that one thread at a time works on: a work list under a lock.
//!
//! **Theorem.** Let a collection be made by the application, as one of [`Kind::WorkList`] and not of a subclass; let nothing but the methods named in
//! [`PUTS`], [`TAKES`] and [`OTHERS`] be called on it, by the application itself; let no library method get it as an argument; and let every two calls
//! that change it be proved to hold a common lock or to be ordered. Then it is a channel as [`taken`](super) has it: in every run its changes come one after
//! the other, so that the collection does what it promises. Each element that is taken out has been put in by one of [`PUTS`], which happened
//! before, and is gone once it is taken out.
//!
//! Other methods give references away (`peek`, `iterator`, `toArray`) or drop elements, and nobody gets custody by them. A collection that is made
//! with the elements of another one, or a clone, is not among these.

use selvedge_base::FastMap;
use selvedge_ir::{Inst, Op};
use selvedge_models::Kind;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::MethodId;

use super::Passing;
use crate::accesses::{AccessId, AccessKind, Place};
use crate::bundle::Facts;
use crate::limits;
use crate::refutation::{Candidate, Occurrence};
use crate::view::View;

/// The methods that put in their last argument.
const PUTS: [&str; 7] = ["add", "addFirst", "addLast", "offer", "offerFirst", "offerLast", "push"];

/// The methods that take out what they return.
const TAKES: [&str; 7] = ["poll", "pollFirst", "pollLast", "pop", "remove", "removeFirst", "removeLast"];

/// The methods that do neither.
const OTHERS: [&str; 25] = [
    "<init>",
    "clear",
    "contains",
    "descendingIterator",
    "element",
    "ensureCapacity",
    "equals",
    "forEach",
    "get",
    "getFirst",
    "getLast",
    "hashCode",
    "indexOf",
    "isEmpty",
    "iterator",
    "lastIndexOf",
    "peek",
    "peekFirst",
    "peekLast",
    "removeIf",
    "removeFirstOccurrence",
    "removeLastOccurrence",
    "size",
    "toArray",
    "toString",
];

/// What is known of the collections of a program.
#[derive(Default)]
pub(super) struct Plain {
    /// The collections; `None` for those that are used in other ways.
    queues: FastMap<ObjectId, Option<Queue>>,
    pub(super) puts: Vec<Passing>,
    pub(super) takes: Vec<Passing>,
}

#[derive(Default)]
struct Queue {
    passes: Vec<(InstanceId, Inst)>,
    changes: Vec<(AccessId, InstanceId)>,
}

impl Plain {
    /// Finds them, with the calls that put something in or take something out.
    pub(super) fn find(facts: &Facts<'_, '_>) -> Self {
        let Facts { view, threads, accesses, .. } = facts;
        let mut found = Self::default();
        for (object, data) in view.analysis.heap.objects() {
            let name = view.analysis.heap.types.name(data.ty).replace('.', "/");
            if Kind::WorkList.has(name.as_bytes()) && is_made_by_application(view, object) {
                found.queues.insert(object, Some(Queue::default()));
            }
        }
        if found.queues.is_empty() {
            return found;
        }
        for instance in view.analysis.instances.ids() {
            let is_inside = view.method_of(instance).is_some_and(|method| is_of_collection(view, method));
            if !is_inside && !threads.may_execute(instance).is_empty() {
                found.note_calls(view, instance);
            }
        }
        for (access, data) in accesses.all.iter_ids().filter(|(_, data)| data.place == Place::Container) {
            for &instance in view.analysis.instances_of(data.method) {
                for object in accesses.may_touch(view, access, instance).iter() {
                    if accesses.kind_on(access, object) == Some(AccessKind::Write)
                        && let Some(Some(queue)) = found.queues.get_mut(&object)
                    {
                        queue.changes.push((access, instance));
                    }
                }
            }
        }
        found
    }

    fn note_calls(&mut self, view: &View<'_>, instance: InstanceId) {
        let own = view.is_application_instance(instance);
        for call in view.calls(instance) {
            let body = view.body(instance).zip(call.inst).filter(|_| own);
            let called = call.callees.iter().filter_map(|&callee| Some((callee, view.method_of(callee)?)));
            for (callee, method) in called.filter(|(_, method)| !view.is_application(*method)) {
                let is_static = view.program.methods[method].is_static();
                let on_collection = !is_static && is_of_collection(view, method);
                let Some((body, inst)) = body.filter(|(body, inst)| takes_arguments(&body.insts[*inst].op))
                else {
                    // Library code, or what stands for a lambda: whatever it does is more than is understood.
                    if on_collection {
                        let receivers = view.analysis.parameter_points_to(callee, 0);
                        receivers.iter().for_each(|object| self.give_up(object));
                    }
                    continue;
                };
                let arguments = body.args(inst);
                for &argument in arguments.iter().skip(usize::from(!is_static)) {
                    let passed = view.analysis.points_to(instance, argument);
                    passed.iter().for_each(|object| self.give_up(object));
                }
                let (true, Some(&channel)) = (on_collection, arguments.first()) else { continue };
                let name = view.program.methods[method].name;
                let is_one_of = |names: &[&str]| names.iter().any(|known| name.is(known));
                let receivers = || view.analysis.points_to(instance, channel).iter();
                let item = match (is_one_of(&PUTS), is_one_of(&TAKES)) {
                    (true, _) => arguments.last().copied(),
                    (_, true) => body.insts[inst].result,
                    _ => {
                        receivers().filter(|_| !is_one_of(&OTHERS)).for_each(|object| self.give_up(object));
                        continue;
                    }
                };
                for object in receivers() {
                    if let Some(Some(queue)) = self.queues.get_mut(&object) {
                        queue.passes.push((instance, inst));
                    }
                }
                let passing = item.map(|item| Passing { instance, inst, channel, item });
                if is_one_of(&PUTS) { &mut self.puts } else { &mut self.takes }.extend(passing);
            }
        }
    }

    fn give_up(&mut self, object: ObjectId) {
        if let Some(queue) = self.queues.get_mut(&object) {
            *queue = None;
        }
    }

    /// Whether the object is such a collection, and one thread at a time changes it.
    pub(super) fn is_channel(&self, facts: &Facts<'_, '_>, object: ObjectId) -> bool {
        let Some(Some(queue)) = self.queues.get(&object) else { return false };
        let is_known = |&(instance, inst): &(InstanceId, Inst)| {
            let is_same = |&(access, of): &(AccessId, InstanceId)| {
                of == instance && facts.accesses.all[access].inst == inst
            };
            queue.changes.iter().any(is_same)
        };
        if !queue.passes.iter().all(is_known) {
            return false;
        }
        let of_threads = |&(access, instance): &(AccessId, InstanceId)| {
            let threads = facts.threads.may_execute(instance).iter();
            threads.map(move |&thread| Occurrence { access, instance, thread })
        };
        let changes: Vec<Occurrence> = queue.changes.iter().flat_map(of_threads).collect();
        let is_safe = |a: Occurrence, b: Occurrence| {
            let by_one = a.thread == b.thread && !facts.threads.all[a.thread].many;
            by_one || facts.must_be_ordered(&Candidate { sides: [a, b], object: Some(object) })
        };
        changes.len() <= limits::WORK_LIST_CHANGES
            && changes.iter().enumerate().all(|(i, &a)| changes[i..].iter().all(|&b| is_safe(a, b)))
    }
}

fn takes_arguments(op: &Op) -> bool {
    matches!(op, Op::Invoke(..))
}

fn is_made_by_application(view: &View<'_>, object: ObjectId) -> bool {
    let heap = &view.analysis.heap;
    let Site::Instruction { method, inst, .. } = heap.site_of(heap.get(object).site) else { return false };
    let body = view.program.body(method).filter(|_| view.is_application(method));
    body.is_some_and(|body| matches!(body.insts[inst].op, Op::New(_)))
}

/// Whether the method is of a class of collections, or of one inside of it.
fn is_of_collection(view: &View<'_>, method: MethodId) -> bool {
    let class = view.program.classes[view.program.methods[method].class].name.to_string();
    let outermost = class.split('$').next().unwrap_or_default();
    Kind::WorkList.has(outermost) || Kind::AboveWorkList.has(outermost)
}
