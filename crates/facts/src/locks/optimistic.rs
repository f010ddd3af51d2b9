//! Optimistic reads: what was read between the begin of an optimistic read and its validation counts as read under a shared lock,
//! if every way that goes on from the read, other than by an exception, comes to a validation of the same lock whose
//! result is looked at. The idiom reads again under a real lock where the validation fails.

use selvedge_base::BitSet;
use selvedge_ir::{Block, Body, Inst, Op};

use super::actions::{Action, Actions};
use super::state::Key;

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
                    Action::Validate(key) if key == lock => outcome = Some(is_used(body, inst)),
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

/// Whether the result of an instruction is used at all.
fn is_used(body: &Body, inst: Inst) -> bool {
    let Some(result) = body.insts[inst].result else { return false };
    body.insts.ids().any(|user| body.args(user).contains(&result))
}
