//! Whether control may go from one instruction of a method to another, without passing a third.

use selvedge_base::BitSet;
use selvedge_ir::{Block, Body, Inst, InvokeKind, Op};

use crate::limits;
use crate::shape::Shape;
use crate::view::View;

/// Whether control may go from after `from` to `to` without passing `barrier`; if they are the same, in a loop.
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

/// Whether a constructor may let others know its object on a way to an instruction. Every use of `this` counts but accesses to its own
/// fields and the constructors of superclasses that do not leak it either.
pub(crate) fn may_leak_this_before(view: &View<'_>, (body, shape): (&Body, &Shape), to: Inst) -> bool {
    let leaks = |inst: Inst| leaks_this(view, body, inst, limits::SUPERCLASSES);
    body.insts.ids().any(|inst| leaks(inst) && may_reach(body, shape, inst, to, None))
}

fn leaks_this(view: &View<'_>, body: &Body, inst: Inst, depth: usize) -> bool {
    let Some(&this) = body.parameters.first() else { return true };
    let arguments = body.args(inst);
    if !arguments.contains(&this) {
        return false;
    }
    match &body.insts[inst].op {
        Op::GetField(_) | Op::If { .. } | Op::InstanceOf(_) | Op::MonitorEnter | Op::MonitorExit => false,
        Op::PutField(_) => arguments[1] == this,
        Op::Invoke(InvokeKind::Special, called) if called.name.is("<init>") && arguments[0] == this => {
            let constructor = view.program.resolve_method(called).ok();
            arguments[1..].contains(&this)
                || constructor.filter(|&method| view.is_application(method)).is_some_and(|method| {
                    let above = view.program.body(method).filter(|_| depth > 0);
                    above.is_none_or(|above| {
                        above.insts.ids().any(|inst| leaks_this(view, above, inst, depth - 1))
                    })
                })
        }
        _ => true,
    }
}
