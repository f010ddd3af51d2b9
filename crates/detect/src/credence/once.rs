//! Whether a side reads what is set once, in a critical section that its own thread has been through.
//!
//! ```java
//! synchronized (this) { if (table == null) { table = fill(); } }
//! return table.get(key);
//! ```
//!
//! Each write of the field outside constructors holds a lock and follows a test, of the field itself or of
//! one that the same method writes. A reader that has passed the section finds the value set, and set before
//! it took the lock. If it tests the field first and goes around the section (double-checked locking), or if
//! a method sets the field without a test, nothing is doubted.
//!
//! A heuristic: that the sections hold one lock is not asked, nor whether the test is about the value that is
//! written.

use selvedge_facts::{AccessId, AccessKind, Candidate, Occurrence, Place};
use selvedge_ir::{Body, Inst, Op};
use selvedge_pta::InstanceId;
use selvedge_world::MethodId;

use crate::Facts;
use crate::names::Names;
use crate::pairs::constructs;

/// Why a reader comes after the write: it has been through the section that sets the field once.
pub(super) fn doubt(facts: &Facts<'_, '_>, names: &Names<'_, '_>, candidate: &Candidate) -> Option<String> {
    let place = facts.accesses.all[candidate.sides[0].access].place;
    if !matches!(place, Place::Field(_) | Place::Static(_)) {
        return None;
    }
    let kind = |side: &Occurrence| facts.accesses.all[side.access].kind;
    let reader = match &candidate.sides {
        [writer, reader] | [reader, writer]
            if kind(writer) == AccessKind::Write && kind(reader) == AccessKind::Read =>
        {
            reader
        }
        _ => return None,
    };
    let is_write = |access: &AccessId| {
        let data = &facts.accesses.all[*access];
        data.place == place && data.kind == AccessKind::Write && !constructs(facts, *access)
    };
    let writes: Vec<AccessId> = facts.accesses.all.ids().filter(is_write).collect();
    if !writes.iter().all(|&write| is_set_once(facts, write)) {
        return None;
    }
    let setters: Vec<MethodId> = writes.iter().map(|&write| facts.accesses.all[write].method).collect();
    let access = facts.accesses.all[reader.access].inst;
    let steps = names.steps_to(reader.thread, reader.instance, Some(access));
    steps
        .into_iter()
        .any(|(instance, inst)| {
            inst.is_some_and(|inst| {
                is_after_call(facts, instance, inst, &setters)
                    || is_after_section(facts, instance, inst, &writes)
            })
        })
        .then(|| {
            let setter = names.method(setters[0]);
            format!("the reader has been through the critical section of {setter} that sets the field once")
        })
}

/// Whether a write holds a lock wherever it is executed, and follows a test.
fn is_set_once(facts: &Facts<'_, '_>, write: AccessId) -> bool {
    let (view, access) = (facts.view, &facts.accesses.all[write]);
    let Some((body, shape)) = view.program.body(access.method).zip(view.shape(access.method)) else {
        return false;
    };
    let at = shape.block_of[access.inst];
    let is_tested = body.insts.iter_ids().any(|(inst, data)| {
        let block = shape.block_of[inst];
        matches!(data.op, Op::If { .. })
            && block != at
            && shape.dominators.dominates(block, at)
            && body.args(inst).iter().any(|&tested| {
                body.defining_inst(tested).is_some_and(|made| is_of_setter(body, &body.insts[made].op))
            })
    });
    let instances = view.analysis.instances_of(access.method);
    let holds = |&instance: &InstanceId| !facts.locks.must_hold(view, write, instance).is_empty();
    is_tested && !instances.is_empty() && instances.iter().all(holds)
}

/// Whether an operation reads a field that the same method writes.
fn is_of_setter(body: &Body, read: &Op) -> bool {
    body.insts.iter().any(|data| match (read, &data.op) {
        (Op::GetField(read), Op::PutField(written)) | (Op::GetStatic(read), Op::PutStatic(written)) => {
            read == written
        }
        _ => false,
    })
}

/// Whether a call of one of some methods precedes an instruction on every way to it.
fn is_after_call(facts: &Facts<'_, '_>, instance: InstanceId, inst: Inst, called: &[MethodId]) -> bool {
    let is_called =
        |&callee: &InstanceId| facts.view.method_of(callee).is_some_and(|method| called.contains(&method));
    facts.view.calls(instance).any(|call| {
        call.callees.iter().any(is_called)
            && call.inst.is_some_and(|call| call != inst && precedes(facts, instance, call, inst))
    })
}

/// Whether the section around one of some writes begins before an instruction of the same method on every way
/// to it.
fn is_after_section(facts: &Facts<'_, '_>, instance: InstanceId, inst: Inst, writes: &[AccessId]) -> bool {
    let method = facts.view.method_of(instance);
    writes.iter().filter(|&&write| Some(facts.accesses.all[write].method) == method).any(|&write| {
        let held = facts.locks.must_hold(facts.view, write, instance);
        let mut taken = held.iter().filter(|lock| Some(lock.taken_in) == method);
        taken.any(|lock| lock.taken_at.is_some_and(|taken| precedes(facts, instance, taken, inst)))
    })
}

/// Whether one instruction of a method is executed before another on every way to that.
pub(super) fn precedes(facts: &Facts<'_, '_>, instance: InstanceId, first: Inst, second: Inst) -> bool {
    let Some(shape) = facts.view.method_of(instance).and_then(|method| facts.view.shape(method)) else {
        return false;
    };
    let [above, below] = [first, second].map(|inst| shape.block_of[inst]);
    if above == below { first < second } else { shape.dominators.dominates(above, below) }
}
