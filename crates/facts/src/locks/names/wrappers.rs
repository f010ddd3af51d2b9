//! The wrappers of `Collections.synchronizedList` and its relatives: which lock guards the collection inside.
//!
//! A wrapper locks its `mutex` around each call that it passes on: itself, or, for views of a synchronized map or list, the
//! wrapper that the view belongs to. Whoever iterates must lock the wrapper by hand.
//!
//! **Theorem.** Let an allocation make a collection that is used for nothing but to be handed to one of those factories, once.
//! Then each such collection has one wrapper, whose mutex is one lock: it is the `mutex` that wrappers lock when they reach
//! the collection, and it is the wrapper on which a call was made that returned the collection's iterator or view. The wrapper is what
//! the factory has made: what wraps a view locks the mutex of that (SynchronizedMapKeysOwnLock).

use selvedge_ir::{Body, ClassName, Inst, InvokeKind, Op, Value};
use selvedge_models::Kind;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, Site};

use super::terms::{Step, Term};
use crate::view::View;

/// Calls whose result is an iterator or a view of what they are called on.
const VIEWS: [&str; 12] = [
    "descendingIterator",
    "descendingMap",
    "entrySet",
    "headMap",
    "iterator",
    "keySet",
    "listIterator",
    "spliterator",
    "subList",
    "subMap",
    "tailMap",
    "values",
];

/// Whether a lock is the mutex of a wrapper, by its name in the library's code.
pub(in crate::locks) fn is_mutex(view: &View<'_>, lock: &Term) -> bool {
    let Some(Step::Field(field)) = lock.path.last() else { return false };
    let data = &view.program.fields[*field];
    data.name.is("mutex") && is_wrapper(view.program.classes[data.class].name)
}

fn is_wrapper(class: ClassName) -> bool {
    Kind::SynchronizedWrapper.has(class.as_bytes())
}

/// Whether an object is handed to one wrapper, and nobody else knows it; see the [module documentation](self).
pub(in crate::locks) fn is_wrapped_once(view: &View<'_>, object: ObjectId) -> bool {
    let heap = &view.analysis.heap;
    let Site::Instruction { method, inst, depth: 0 } = heap.site_of(heap.get(object).site) else {
        return false;
    };
    let (Some(body), Some(shape)) = (view.program.body(method), view.shape(method)) else { return false };
    let Some(made) = body.insts[inst].result else { return false };
    let mut wraps = 0;
    for (user, data) in body.insts.iter_ids() {
        if !body.args(user).contains(&made) {
            continue;
        }
        let Op::Invoke(kind, called) = &data.op else { return false };
        let constructs = *kind == InvokeKind::Special
            && called.name.is("<init>")
            && body.args(user).iter().filter(|&&value| value == made).count() == 1;
        let is_factory = *kind == InvokeKind::Static
            && Kind::WrapperFactory.has(called.owner.as_bytes())
            && called.name.as_bytes().starts_with(b"synchronized");
        let once_each =
            shape.loops.innermost(shape.block_of[user]) == shape.loops.innermost(shape.block_of[inst]);
        if is_factory && once_each {
            wraps += 1;
        } else if !constructs {
            return false;
        }
    }
    wraps == 1
}

/// The values on which the calls were made that led from a wrapper to what an access touches: iterators, views, the wrapper.
pub(in crate::locks) fn wrappers_behind(
    view: &View<'_>,
    instance: InstanceId,
    body: &Body,
    at: Inst,
) -> Vec<Value> {
    let mut found = Vec::new();
    let receiver = |inst: Inst| match &body.insts[inst].op {
        Op::Invoke(InvokeKind::Virtual | InvokeKind::Interface, _) => body.args(inst).first().copied(),
        _ => None,
    };
    let mut next = receiver(at);
    while let Some(value) = next {
        let objects = view.analysis.points_to(instance, value);
        let heap = &view.analysis.heap;
        // The wrappers of views are made by the wrapper, and lock its mutex, not themselves (SynchronizedMapKeysOwnLock).
        let is_made_by_factory = |object: ObjectId| match heap.site_of(heap.get(object).site) {
            Site::Instruction { method, .. } => {
                let class = view.program.methods[method].class;
                Kind::WrapperFactory.has(view.program.classes[class].name.as_bytes())
            }
            _ => false,
        };
        let wraps = |object: ObjectId| {
            let class = heap.types.class(heap.get(object).ty);
            class.is_some_and(|class| is_wrapper(view.program.classes[class].name))
                && is_made_by_factory(object)
        };
        if !objects.is_empty() && objects.iter().all(wraps) {
            found.push(value);
        }
        let made = body.defining_inst(value).filter(|&made| match &body.insts[made].op {
            Op::Invoke(_, called) => VIEWS.iter().any(|name| called.name.is(name)),
            Op::CheckCast(_) => true,
            _ => false,
        });
        next = made.and_then(|made| match body.insts[made].op {
            Op::CheckCast(_) => body.args(made).first().copied(),
            _ => receiver(made),
        });
    }
    found
}
