//! Where a compare-and-set has stored something.

use selvedge_ir::{Block, Body, Inst, Op, Value};
use selvedge_models::{Kind, When};

use crate::order::waits::edges_where;
use crate::shape::Shape;

/// For a compare-and-set that would store one of some values, and is tested at once: the blocks that are entered if it did. If it fails, nobody
/// has seen the value.
pub(super) fn stored_on(body: &Body, shape: &Shape, inst: Inst, values: &[Value]) -> Option<Vec<Block>> {
    let Op::Invoke(_, called) = &body.insts[inst].op else { return None };
    let compares =
        called.name.is("compareAndSet") || called.name.as_bytes().starts_with(b"weakCompareAndSet");
    let is_atomic =
        Kind::Atomic.has(called.owner.as_bytes()) || Kind::VariableHandle.has(called.owner.as_bytes());
    let (_, others) = body.args(inst).split_last()?;
    let block = shape.block_of[inst];
    let is_last = body.blocks[block].insts.iter().rev().nth(1) == Some(inst);
    if !compares || !is_atomic || !is_last || others.iter().any(|other| values.contains(other)) {
        return None;
    }
    let edges: Vec<Block> = edges_where(body, inst, When::ResultTrue)
        .into_iter()
        .filter(|(from, _)| *from == block)
        .map(|(_, to)| to)
        .collect();
    (!edges.is_empty()).then_some(edges)
}
