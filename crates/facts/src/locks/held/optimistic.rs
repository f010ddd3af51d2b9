//! Optimistic reads: what was read between the begin of an optimistic read and its validation counts as read under a shared lock,
//! if every way that goes on from the read, other than by an exception, comes to a validation of the same lock
//! (StampedUnvalidated, StampedValidatedTooEarly), and what was read is not used where the validation fails (StampedFailureKept). The
//! idiom reads again there, under a real lock.

use selvedge_base::{BitSet, FastSet};
use selvedge_ir::{Block, Body, Inst, Op, Value};
use selvedge_models::When;

use super::actions::{Action, Actions};
use super::state::Key;
use crate::order::waits::edges_where;

/// Whether what an instruction reads is validated later, on every way.
pub(crate) fn is_validated(body: &Body, actions: &Actions, block: Block, read: Inst, lock: &Key) -> bool {
    let mut seen: BitSet<Block> = BitSet::new();
    let mut pending: Vec<(Block, Option<Inst>)> = vec![(block, Some(read))];
    while let Some((block, after)) = pending.pop() {
        let rest = body.blocks[block].insts.iter().filter(|&inst| after.is_none_or(|after| inst > after));
        let mut outcome = None;
        for inst in rest {
            for action in actions.of(inst) {
                match action {
                    Action::Validate(key) if key == lock => outcome = Some(is_discarded(body, read, inst)),
                    Action::Observe(key) if key == lock => outcome = Some(false),
                    _ => {}
                }
            }
            if matches!(body.insts[inst].op, Op::Return) {
                outcome = outcome.or(Some(false));
            }
            if outcome.is_some() {
                break;
            }
        }
        match outcome {
            Some(true) => {}
            Some(false) => return false,
            None => {
                let next = body.normal_successors(block).into_iter();
                pending.extend(next.filter(|&next| seen.insert(next)).map(|next| (next, None)));
            }
        }
    }
    true
}

/// Whether what was read, and what was computed from it, is used nowhere after a validation has failed.
fn is_discarded(body: &Body, read: Inst, validation: Inst) -> bool {
    let failures = edges_where(body, validation, When::ResultFalse);
    let Some(result) = body.insts[read].result.filter(|_| !failures.is_empty()) else { return false };
    let mut derived: FastSet<Value> = [result].into_iter().collect();
    loop {
        let known = derived.len();
        for (inst, data) in body.insts.iter_ids() {
            let uses = body.args(inst).iter().any(|value| derived.contains(value));
            if uses && !matches!(data.op, Op::Phi) {
                derived.extend(data.result);
            }
        }
        if derived.len() == known {
            break;
        }
    }
    let uses = |inst: Inst| body.args(inst).iter().any(|value| derived.contains(value));
    let mut reached: BitSet<Block> = BitSet::new();
    let mut pending: Vec<(Block, Block)> = failures;
    while let Some((from, block)) = pending.pop() {
        // What comes in on this edge.
        let predecessors = &body.blocks[block].predecessors;
        for inst in body.blocks[block].insts.iter().take_while(|&inst| inst != read) {
            let is_used = match body.insts[inst].op {
                Op::Phi => predecessors
                    .iter()
                    .zip(body.args(inst))
                    .any(|(edge, value)| edge.from == from && derived.contains(value)),
                _ => uses(inst),
            };
            if is_used {
                return false;
            }
        }
        let reads_again = body.blocks[block].insts.iter().any(|inst| inst == read);
        if !reads_again && reached.insert(block) {
            pending.extend(body.normal_successors(block).into_iter().map(|next| (block, next)));
        }
    }
    true
}
