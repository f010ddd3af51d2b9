//! Whether an object changes hands by a compare-and-set of its own state.
//!
//! ```java
//! Entry entry = bag.borrow();     // if (it.state.compareAndSet(FREE, TAKEN)) { return it; }
//! entry.used = now();
//! bag.giveBack(entry);            // entry.state.set(FREE)
//! ```
//!
//! A side *takes* an object if, before it accesses the object, it calls what sets the state of such objects
//! by a compare-and-set and returns the object. A side *gives back* an object if it calls what sets the state
//! of such objects afterwards. Where one side takes the object, and the other takes it or gives it back, the
//! object likely has one user at a time. What does neither (a `peek`) is not doubted.
//!
//! A heuristic: which states they are is not asked, nor whether the object that is given back is the one.

use selvedge_base::BitSet;
use selvedge_facts::{Candidate, Occurrence};
use selvedge_ir::{Body, Inst, Op, Type};
use selvedge_models::Kind;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_world::{ClassId, Program};

use super::once::precedes;
use crate::Facts;
use crate::names::Names;
use crate::paths::Through;

/// How the names of the methods begin that take an object.
const TAKING: [&str; 2] = ["compareAndSet", "weakCompareAndSet"];

/// How the names of the methods begin that take an object or give one back.
const CHANGING: [&str; 5] = ["compareAndSet", "weakCompareAndSet", "set", "lazySet", "getAndSet"];

/// Why an object has one user at a time: it changes hands by a compare-and-set.
pub(super) fn doubt(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
    object: ObjectId,
) -> Option<String> {
    let (program, heap) = (facts.view.program, &facts.view.analysis.heap);
    let class = heap.types.class(heap.get(object).ty)?;
    if !has_state(program, class) {
        return None;
    }
    let [taking, changing] = [&TAKING[..], &CHANGING[..]].map(|these| leading_to(facts, names, class, these));
    let takes = candidate.sides.map(|side| takes(facts, names, &side, object, &taking));
    let [first, second] = candidate.sides;
    let is_handed_over = takes[0] && (takes[1] || gives_back(facts, names, &second, &changing))
        || takes[1] && gives_back(facts, names, &first, &changing);
    is_handed_over.then(|| {
        "the object changes hands by a compare-and-set of its state: likely one thread at a time uses it"
            .to_string()
    })
}

/// Whether objects of a class have a state that changes by compare-and-set, by the types of its fields.
fn has_state(program: &Program, class: ClassId) -> bool {
    let mut fields = program.superclasses(class).flat_map(|class| program.classes[class].fields.iter());
    fields.any(|field| {
        let descriptor = program.fields[field].descriptor;
        let kinds = [Kind::AtomicVariable, Kind::FieldUpdater, Kind::VariableHandle];
        let class = descriptor.as_bytes().strip_prefix(b"L").and_then(|name| name.strip_suffix(b";"));
        class.is_some_and(|class| kinds.iter().any(|kind| kind.has(class)))
    })
}

/// The instances that lead, by the application's own calls, to a call that changes the state of such objects.
fn leading_to(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    class: ClassId,
    beginnings: &[&str],
) -> BitSet<InstanceId> {
    let view = facts.view;
    let mut leading = BitSet::new();
    for (method, body) in view.application_code() {
        if body.insts.ids().any(|inst| changes(view.program, body, inst, class, beginnings)) {
            for &instance in view.analysis.instances_of(method) {
                leading.union_with(&names.leading_to(instance, Through::OwnCalls));
            }
        }
    }
    leading
}

/// Whether an instruction calls one of some methods on the state of an object of a class: on an atomic
/// variable in a field of the class, or by an updater or a handle on such an object.
fn changes(program: &Program, body: &Body, inst: Inst, class: ClassId, beginnings: &[&str]) -> bool {
    let Op::Invoke(_, called) = &body.insts[inst].op else { return false };
    let name = called.name.to_string();
    if !beginnings.iter().any(|beginning| name.starts_with(beginning)) {
        return false;
    }
    let is_of_class =
        |name| program.class_named(name).is_some_and(|of: ClassId| program.is_subclass(class, of));
    let arguments = body.args(inst);
    if Kind::AtomicVariable.has(called.owner.as_bytes()) {
        let read = arguments.first().and_then(|&variable| body.defining_inst(variable));
        return matches!(read.map(|inst| &body.insts[inst].op), Some(Op::GetField(field)) if is_of_class(field.owner));
    }
    let owner = called.owner.as_bytes();
    let is_handle = Kind::FieldUpdater.has(owner) || Kind::VariableHandle.has(owner);
    is_handle
        && arguments.get(1).is_some_and(|&on| matches!(body.ty(on), Type::Ref(name) if is_of_class(name)))
}

/// Whether a side has got the object from a call that takes such objects.
fn takes(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    side: &Occurrence,
    object: ObjectId,
    taking: &BitSet<InstanceId>,
) -> bool {
    let analysis = facts.view.analysis;
    calls_on_the_way(facts, names, side).into_iter().any(|(instance, call, at)| {
        let returns = || {
            let body = facts.view.body(instance)?;
            let result = body.insts[call].result?;
            Some(analysis.points_to(instance, result).contains(object))
        };
        leads(facts, instance, call, taking) && precedes(facts, instance, call, at) && returns() == Some(true)
    })
}

/// Whether a side calls what changes the state of such objects after it has accessed one.
fn gives_back(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    side: &Occurrence,
    changing: &BitSet<InstanceId>,
) -> bool {
    calls_on_the_way(facts, names, side).into_iter().any(|(instance, call, at)| {
        leads(facts, instance, call, changing) && precedes(facts, instance, at, call)
    })
}

/// The calls of the methods on the way to a side: instance, call, and where the way goes on.
fn calls_on_the_way(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    side: &Occurrence,
) -> Vec<(InstanceId, Inst, Inst)> {
    let access = facts.accesses.all[side.access].inst;
    let steps = names.steps_to(side.thread, side.instance, Some(access));
    let calls = |(instance, at): (InstanceId, Option<Inst>)| {
        let calls = facts.view.calls(instance).filter_map(|call| call.inst);
        calls.filter_map(move |call| Some((instance, call, at?))).filter(|(_, call, at)| call != at)
    };
    steps.into_iter().flat_map(calls).collect()
}

fn leads(facts: &Facts<'_, '_>, instance: InstanceId, call: Inst, leading: &BitSet<InstanceId>) -> bool {
    let mut callees = facts.view.callees(instance, call).iter();
    callees.any(|&callee| leading.contains(callee))
}
