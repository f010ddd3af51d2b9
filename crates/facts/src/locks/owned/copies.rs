//! Copies, for [`ownership`](super::domain): arrays that are made for an owner, and fields of a cloned owner that are overwritten.
//!
//! - A *gift* is a new array (or a copy of one) that its maker stores into an object and uses for nothing else: only that object ever has it.
//! - A clone shares what the fields of the original hold, but for those that whoever called `clone` overwrites before it uses the
//!   clone in any other way. Methods that only hand on what `clone` returns (`Hashtable.cloneHashtable`) are looked through.

use selvedge_base::{FastSet, Id};
use selvedge_ir::{Inst, Op, Value};
use selvedge_models::Special;
use selvedge_pta::InstanceId;
use selvedge_pta::summary::Statement;
use selvedge_world::FieldId;

use super::travel::{Incoming, StoreAt, Travel, summary_of};
use crate::view::View;

/// Whether what a store stores is a new array, made by the same method for this store alone.
pub(in crate::locks) fn is_gift(view: &View<'_>, store: &StoreAt) -> bool {
    let (Some(body), Some(summary)) = (view.body(store.instance), summary_of(view, store.instance)) else {
        return false;
    };
    let slot = |value: Value| summary.slot_of_value.get(value.index()).copied().flatten();
    // The array, by all casts of it; each is used once.
    let is_used_once = |value: Value| {
        body.insts.ids().flat_map(|inst| body.args(inst)).filter(|&&used| used == value).count() == 1
    };
    let Some(stored) = body.insts.ids().find_map(|inst| match (&body.insts[inst].op, body.args(inst)) {
        (Op::PutField(_), &[_, value]) if slot(value) == Some(store.from) => Some(value),
        _ => None,
    }) else {
        return false;
    };
    let mut names = vec![stored];
    while let Some(inst) = names.last().and_then(|&name| body.defining_inst(name)) {
        match body.insts[inst].op {
            Op::CheckCast(_) => names.push(body.args(inst)[0]),
            _ => break,
        }
    }
    let is_name = |value: Value| slot(value) != Some(store.from) || names.contains(&value);
    if !body.values.ids().all(is_name) || !names.iter().all(|&name| is_used_once(name)) {
        return false;
    }
    let Some(made) = names.last().and_then(|&name| body.defining_inst(name)) else { return false };
    let copies = |&callee: &InstanceId| {
        let rules = summary_of(view, callee).into_iter().flat_map(|summary| &summary.statements);
        let copies = |rule| matches!(rule, Special::ArrayCopyOf | Special::Clone);
        rules.into_iter().any(|rule| matches!(rule, Statement::Special { rule, .. } if copies(*rule)))
    };
    let is_array = || {
        let heap = &view.analysis.heap;
        let mut objects = view.analysis.slot_points_to(store.instance, store.from).iter();
        objects.all(|object| heap.types.name(heap.get(object).ty).starts_with('['))
    };
    match body.insts[made].op {
        Op::NewArray(_) | Op::NewPrimitiveArray(_) => true,
        Op::Invoke(..) => {
            let callees = view.callees(store.instance, made);
            !callees.is_empty() && callees.iter().all(copies) && is_array()
        }
        _ => false,
    }
}

/// The fields of a copy that whoever calls `clone` overwrites before the copy is used in any other way.
pub(in crate::locks) fn overwritten_fields(
    view: &View<'_>,
    travel: &Travel,
    clone: InstanceId,
    depth: usize,
) -> FastSet<FieldId> {
    let mut found: Option<FastSet<FieldId>> = None;
    for incoming in travel.callers(clone) {
        let at_call = overwritten_after(view, travel, incoming, depth);
        found = Some(match found {
            None => at_call,
            Some(known) => known.intersection(&at_call).copied().collect(),
        });
    }
    found.unwrap_or_default()
}

fn overwritten_after(
    view: &View<'_>,
    travel: &Travel,
    incoming: &Incoming,
    depth: usize,
) -> FastSet<FieldId> {
    let mut overwritten = FastSet::default();
    let call =
        summary_of(view, incoming.caller).and_then(|caller| caller.calls.get(incoming.number as usize));
    let (Some(inst), Some(method)) = (call.and_then(|call| call.inst), view.method_of(incoming.caller))
    else {
        return overwritten;
    };
    let (Some(body), Some(shape)) = (view.program.body(method), view.shape(method)) else {
        return overwritten;
    };
    let Some(copy) = body.insts[inst].result else { return overwritten };
    // The copy, by all the casts of it.
    let mut names = vec![copy];
    let mut uses: Vec<Inst> = Vec::new();
    let mut position = 0;
    while let Some(&name) = names.get(position) {
        position += 1;
        for (inst, data) in body.insts.iter_ids().filter(|&(inst, _)| body.args(inst).contains(&name)) {
            match (data.op, data.result) {
                (Op::CheckCast(_), Some(result)) => names.push(result),
                (Op::InstanceOf(_) | Op::MonitorEnter | Op::MonitorExit, _) => {}
                _ => uses.push(inst),
            }
        }
    }
    if depth > 0 && uses.iter().all(|&inst| matches!(body.insts[inst].op, Op::Return)) {
        return overwritten_fields(view, travel, incoming.caller, depth - 1);
    }
    for &store in &uses {
        let Op::PutField(reference) = &body.insts[store].op else { continue };
        let Ok(field) = view.program.resolve_field(reference) else { continue };
        let writes = |inst: Inst| names.contains(&body.args(inst)[0]) && !names.contains(&body.args(inst)[1]);
        // What the store's block throws before the store goes to its handlers.
        let handlers = body.blocks[shape.block_of[store]].unwind.iter().map(|unwind| unwind.handler);
        let handlers: Vec<_> = handlers.collect();
        let is_after = |other: Inst| {
            let of_handler = |&handler| shape.dominators.dominates(handler, shape.block_of[other]);
            shape.dominates(store, other) && !handlers.iter().any(of_handler)
        };
        let is_harmless = |&other: &Inst| match &body.insts[other].op {
            // Writes of fields, and reads of others, do not show the field to anybody.
            Op::PutField(_) => writes(other),
            Op::GetField(read) => {
                view.program.resolve_field(read).is_ok_and(|read| read != field) || is_after(other)
            }
            _ => is_after(other),
        };
        if writes(store) && uses.iter().all(is_harmless) {
            overwritten.insert(field);
        }
    }
    overwritten
}
