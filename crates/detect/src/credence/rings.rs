//! Whether the elements of a ring are handed over by a counter.
//!
//! ```java
//! elements[(int) (tail % elements.length)] = value;   // tail is volatile
//! tail++;
//! ...
//! if (head < tail) { return elements[(int) (head % elements.length)]; }
//! ```
//!
//! Both sides compute the index by a remainder or a mask. The writer advances a volatile counter after it has
//! stored the element, and the reader has read the same counter before it loads one. A reader that looks at
//! no counter, and two writers, are not doubted.
//!
//! A heuristic: that the reader compares the counter, and that slots are used again only when nobody reads
//! them any more, is not asked.

use selvedge_facts::{AccessKind, Candidate, Occurrence, Place};
use selvedge_ir::{BinaryOp, Body, Inst, Op, Value};
use selvedge_pta::InstanceId;
use selvedge_world::FieldId;

use super::objects::index_of;
use super::once::precedes;
use crate::Facts;
use crate::names::Names;

/// Why a reader comes after the write of an element: a volatile counter says which elements there are.
pub(super) fn doubt(facts: &Facts<'_, '_>, names: &Names<'_, '_>, candidate: &Candidate) -> Option<String> {
    let access = |side: &Occurrence| &facts.accesses.all[side.access];
    let (writer, reader) = match &candidate.sides {
        [writer, reader] | [reader, writer]
            if access(writer).kind == AccessKind::Write && access(reader).kind == AccessKind::Read =>
        {
            (writer, reader)
        }
        _ => return None,
    };
    if access(writer).place != Place::Element || !candidate.sides.iter().all(|side| goes_round(facts, side)) {
        return None;
    }
    let (instance, stored) = (writer.instance, access(writer).inst);
    let body = facts.view.body(instance)?;
    let advanced = body.insts.ids().find_map(|inst| {
        let Op::PutField(field) = &body.insts[inst].op else { return None };
        let field = facts.view.program.resolve_field(field).ok()?;
        let is_counter = is_counter(facts, field) && precedes(facts, instance, stored, inst);
        (is_counter && has_read(facts, names, reader, field)).then_some(field)
    })?;
    let field = &facts.view.program.fields[advanced].name;
    Some(format!("the volatile counter {field} says which elements there are: the reader looks at it first"))
}

/// Whether the index of an access is a remainder, or has a mask.
fn goes_round(facts: &Facts<'_, '_>, side: &Occurrence) -> bool {
    let access = &facts.accesses.all[side.access];
    let Some(body) = facts.view.program.body(access.method) else { return false };
    let computed = |mut value: Value| loop {
        let inst = body.defining_inst(value)?;
        match body.insts[inst].op {
            Op::Convert(_) => value = *body.args(inst).first()?,
            op => return Some(op),
        }
    };
    let made = index_of(body, access).and_then(computed);
    matches!(made, Some(Op::Binary(BinaryOp::Rem | BinaryOp::And)))
}

fn is_counter(facts: &Facts<'_, '_>, field: FieldId) -> bool {
    let field = &facts.view.program.fields[field];
    field.is_volatile() && matches!(field.descriptor.as_bytes(), b"I" | b"J")
}

/// Whether a side has read a field on the way, itself or by a method that it calls.
fn has_read(facts: &Facts<'_, '_>, names: &Names<'_, '_>, side: &Occurrence, field: FieldId) -> bool {
    let program = facts.view.program;
    let reads = |body: &Body, inst: Inst| matches!(&body.insts[inst].op, Op::GetField(read) if program.resolve_field(read) == Ok(field));
    let callee_reads = |callee: &InstanceId| {
        facts.view.body(*callee).is_some_and(|body| body.insts.ids().any(|inst| reads(body, inst)))
    };
    let access = facts.accesses.all[side.access].inst;
    names.steps_to(side.thread, side.instance, Some(access)).into_iter().any(|(instance, at)| {
        let Some((body, at)) = facts.view.body(instance).zip(at) else { return false };
        body.insts.ids().filter(|&inst| inst != at).any(|inst| {
            let is_read = reads(body, inst) || facts.view.callees(instance, inst).iter().any(callee_reads);
            is_read && precedes(facts, instance, inst, at)
        })
    })
}
