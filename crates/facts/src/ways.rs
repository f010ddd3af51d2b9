//! Whether control may go from one instruction of a method to another, without passing a third.

use selvedge_base::BitSet;
use selvedge_ir::{Block, Body, Inst};

use crate::shape::Shape;

/// Whether control may go from after `from` to `to` without passing `barrier`.
pub(crate) fn may_reach(body: &Body, shape: &Shape, from: Inst, to: Inst, barrier: Option<Inst>) -> bool {
    let block_of = |inst: Inst| shape.block_of[inst];
    let blocks_between = |low: Inst, high: Inst| {
        barrier.is_some_and(|barrier| block_of(barrier) == block_of(high) && low < barrier && barrier < high)
    };
    if block_of(from) == block_of(to) && from < to && !blocks_between(from, to) {
        return true;
    }
    let is_stopped = barrier.is_some_and(|barrier| block_of(barrier) == block_of(from) && from < barrier);
    may_reach_from(body, shape, leave(body, block_of(from), is_stopped), to, barrier)
}

/// Where control goes from a block, if a barrier stops it on the way or not.
pub(crate) fn leave(body: &Body, block: Block, is_stopped: bool) -> Vec<Block> {
    match is_stopped {
        // An exception may leave the block before the barrier is reached.
        true => body.blocks[block].unwind.iter().map(|unwind| unwind.handler).collect(),
        false => body.successors(block),
    }
}

/// Whether control may go from the beginnings of some blocks to `to` without passing `barrier`.
pub(crate) fn may_reach_from(
    body: &Body,
    shape: &Shape,
    starts: Vec<Block>,
    to: Inst,
    barrier: Option<Inst>,
) -> bool {
    let block_of = |inst: Inst| shape.block_of[inst];
    let mut seen: BitSet<Block> = BitSet::new();
    let mut pending = starts;
    while let Some(block) = pending.pop() {
        if !seen.insert(block) {
            continue;
        }
        let barrier_here = barrier.filter(|&barrier| block_of(barrier) == block);
        if block == block_of(to) && barrier_here.is_none_or(|barrier| to < barrier) {
            return true;
        }
        pending.extend(leave(body, block, barrier_here.is_some()));
    }
    false
}
