//! Locks made from an atomic variable: `while (!busy.compareAndSet(false, true)) { }`, `busy.set(false)`.
//!
//! **Theorem.** Let an atomic variable start unset (false, zero, null), and let all code that changes it either set it by a
//! compare-and-set from unset (or a `getAndSet` whose result was unset), or unset it while it is held so. Then at most one thread
//! is between such a set and the next unset: the variable is a mutex. That only holders unset it is seen by the dataflow, as
//! for semaphores: a variable that somebody unsets who has not set it is no mutex. A variable that is never unset is held for
//! good: what it guards runs once.

use selvedge_base::{FastMap, FastSet};
use selvedge_ir::{Body, Inst, InvokeKind, Op, Value};
use selvedge_models::{Kind, When};
use selvedge_pta::heap::{ObjectId, Site};

use crate::view::View;

/// What a call does to an atomic variable that may be a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::locks) enum Step {
    /// Sets it if it was unset, which the result tells.
    Take(When),
    /// Unsets it.
    Give,
    /// Only looks at it, or sets it without taking it: then nobody can take it, which excludes nobody less.
    Look,
    /// Changes it in another way.
    Other,
}

/// Whether a value is what a variable holds that nobody has set.
pub(in crate::locks) fn is_unset(body: &Body, value: Value) -> bool {
    let made = body.defining_inst(value).map(|inst| &body.insts[inst].op);
    matches!(made, Some(Op::Int(0) | Op::Long(0) | Op::Null))
}

/// Whether a value is seen to be something else.
pub(in crate::locks) fn is_set(body: &Body, value: Value) -> bool {
    match body.defining_inst(value).map(|inst| &body.insts[inst].op) {
        Some(Op::Int(number)) => *number != 0,
        Some(Op::Long(number)) => *number != 0,
        Some(Op::String(_) | Op::New(_) | Op::Class(_)) => true,
        Some(Op::Invoke(_, called)) => called.name.is("currentThread"),
        _ => false,
    }
}

/// What a call does, if it is made on an atomic variable; with the variable.
pub(in crate::locks) fn step(body: &Body, inst: Inst) -> Option<(Value, Step)> {
    let Op::Invoke(InvokeKind::Virtual, called) = &body.insts[inst].op else { return None };
    let owner = called.owner.as_bytes();
    let (&variable, arguments) = body.args(inst).split_first().filter(|_| Kind::AtomicVariable.has(owner))?;
    let name = called.name.to_string();
    let is_unset = |value: Value| is_unset(body, value);
    let is_set = |value: Value| is_set(body, value);
    let step = match (name.as_str(), arguments) {
        ("compareAndSet" | "weakCompareAndSetVolatile", &[from, to]) if is_unset(from) && is_set(to) => {
            Step::Take(When::ResultTrue)
        }
        ("getAndSet", &[to]) if Kind::AtomicBoolean.has(owner) && is_set(to) => Step::Take(When::ResultFalse),
        ("set" | "setRelease" | "lazySet" | "getAndSet", &[to]) if is_unset(to) => Step::Give,
        ("compareAndSet", &[from, to]) if is_set(from) && is_unset(to) => Step::Give,
        ("set" | "setRelease" | "lazySet" | "getAndSet", &[to]) if is_set(to) => Step::Look,
        ("compareAndSet" | "weakCompareAndSetVolatile", &[_, to]) if is_set(to) => Step::Look,
        _ if name == "toString" || name.starts_with("get") && arguments.is_empty() => Step::Look,
        _ => Step::Other,
    };
    Some((variable, step))
}

/// The atomic variables of the application that start unset and are only set by a compare-and-set.
pub(in crate::locks) fn made_by_compare_and_set(view: &View<'_>) -> FastSet<ObjectId> {
    let mut known: FastMap<ObjectId, bool> = FastMap::default();
    for (method, body) in view.application_code() {
        for inst in body.insts.ids() {
            let Some((variable, step)) = step(body, inst) else { continue };
            for &instance in view.analysis.instances_of(method) {
                for object in view.analysis.points_to(instance, variable).iter() {
                    let is_lock = known.entry(object).or_insert(true);
                    *is_lock &= step != Step::Other;
                }
            }
        }
    }
    let locks = known.into_iter().filter(|&(object, is_lock)| is_lock && starts_unset(view, object));
    locks.map(|(object, _)| object).collect()
}

/// Whether an object is constructed by the application without a value, or with one that is unset. An atomic variable that is
/// handed to library code may be changed there, but the library has no reason to.
fn starts_unset(view: &View<'_>, object: ObjectId) -> bool {
    let heap = &view.analysis.heap;
    let Site::Instruction { method, inst, depth: 0 } = heap.site_of(heap.get(object).site) else {
        return false;
    };
    let Some(body) = view.program.body(method).filter(|_| view.is_application(method)) else { return false };
    let made = body.insts[inst].result;
    let mut constructors = body.insts.iter_ids().filter_map(|(call, data)| match &data.op {
        Op::Invoke(InvokeKind::Special, called) if called.name.is("<init>") => {
            let (&receiver, arguments) = body.args(call).split_first()?;
            (Some(receiver) == made).then_some(arguments)
        }
        _ => None,
    });
    constructors.next().is_some_and(|arguments| arguments.iter().all(|&value| is_unset(body, value)))
}
