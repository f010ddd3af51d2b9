//! Two locks that are a choice between others: taken in an order by rank, so that no deadlock arises.
//!
//! ```java
//! Account first = from.id < to.id ? from : to;
//! Account second = first == from ? to : from;
//! synchronized (first) { synchronized (second) { from.balance--; to.balance++; } }
//! ```
//!
//! **Theorem.** Let two locks that are held be the phis `p` and `q`, and let the value `x` be computed before both, in the same loop as
//! both, or be a parameter. If on every edge into the block of `q` either `q` is `x`, or `p` is `x`, then the lock `x` is held. That `p` is
//! `x` on an edge is known if `p` is a phi of the same block with that argument there, or if the edge comes after a
//! comparison of `p` with `x` that found them the same, or after one with `p`'s only other argument that found them different.
//! (`x` cannot have been computed anew since: whoever comes to the access passes through `q` after `x`.) The same holds of the locks to
//! which the same stable fields lead from `p`, `q` and `x`: `first.lock`, `second.lock`, `from.lock`.

use selvedge_ir::{Block, Body, Condition, EdgeKind, Inst, Op, Value, ValueDef, ValueNumbering};

use crate::limits;
use crate::shape::Shape;

/// The values that are surely locked if both of these are.
pub(in crate::locks) fn chosen_by_both(
    body: &Body,
    shape: &Shape,
    numbering: &ValueNumbering,
    both: [Value; 2],
) -> Vec<Value> {
    let choices = Choices { body, shape, numbering };
    let [first, second] = both;
    let mut found = choices.chosen(first, second);
    for value in choices.chosen(second, first) {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

struct Choices<'a> {
    body: &'a Body,
    shape: &'a Shape,
    numbering: &'a ValueNumbering,
}

impl Choices<'_> {
    /// What is locked by `other` wherever the phi `phi` does not lock it.
    fn chosen(&self, other: Value, phi: Value) -> Vec<Value> {
        let (Some(at), Some(beside)) = (self.phi(phi), self.phi(other)) else { return Vec::new() };
        let block = self.shape.block_of[at];
        let edges = &self.body.blocks[block].predecessors;
        if edges.iter().any(|edge| edge.kind != EdgeKind::Normal) {
            return Vec::new();
        }
        let arguments = self.body.args(at);
        let mut found: Vec<Value> = arguments.iter().map(|&value| self.numbering.number(value)).collect();
        found.sort_unstable();
        found.dedup();
        found.retain(|&value| {
            self.is_steady(value, [at, beside])
                && edges.iter().zip(arguments).enumerate().all(|(position, (edge, &argument))| {
                    self.numbering.number(argument) == value
                        || self.is_at(beside, block, position, value)
                        || self.is_known(beside, other, edge.from, block, value)
                })
        });
        found
    }

    fn phi(&self, value: Value) -> Option<Inst> {
        self.body.defining_inst(value).filter(|&inst| matches!(self.body.insts[inst].op, Op::Phi))
    }

    /// Whether a value is computed before both phis, and in the same loop.
    fn is_steady(&self, value: Value, phis: [Inst; 2]) -> bool {
        let ValueDef::Inst(made) = self.body.values[value].def else { return true };
        let (of, loops) = (self.shape.block_of[made], &self.shape.loops);
        phis.into_iter().all(|phi| {
            let block = self.shape.block_of[phi];
            of != block
                && self.shape.dominators.dominates(of, block)
                && loops.innermost(of) == loops.innermost(block)
        })
    }

    /// Whether a phi of the same block has the value on the same edge.
    fn is_at(&self, phi: Inst, block: Block, position: usize, value: Value) -> bool {
        self.shape.block_of[phi] == block && self.numbering.number(self.body.args(phi)[position]) == value
    }

    /// Whether a comparison tells, on the edge from a block to another, that a phi is the value.
    fn is_known(&self, phi: Inst, result: Value, from: Block, to: Block, value: Value) -> bool {
        let (mut from, mut to) = (from, to);
        for _ in 0..limits::CHOICE_BLOCKS {
            if let Some(is_same) = self.compared(result, value, from, to) {
                return is_same;
            }
            let others: Vec<Value> =
                self.body.args(phi).iter().map(|&it| self.numbering.number(it)).collect();
            if let [a, b] = others[..]
                && let Some(other) = (a == value).then_some(b).or((b == value).then_some(a))
                && self.compared(result, other, from, to) == Some(false)
            {
                return true;
            }
            let [edge] = self.body.blocks[from].predecessors[..] else { return false };
            if edge.kind != EdgeKind::Normal {
                return false;
            }
            (from, to) = (edge.from, from);
        }
        false
    }

    /// Whether two values are the same on the edge, if the block ends with a comparison of them.
    fn compared(&self, a: Value, b: Value, from: Block, to: Block) -> Option<bool> {
        let last = self.body.terminator(from);
        let Op::If { condition, then, otherwise } = self.body.insts[last].op else { return None };
        let &[left, right] = self.body.args(last) else { return None };
        let compared = [left, right].map(|value| self.numbering.number(value));
        if then == otherwise || (compared != [a, b] && compared != [b, a]) {
            return None;
        }
        match condition {
            Condition::RefEq => Some(to == then),
            Condition::RefNe => Some(to == otherwise),
            _ => None,
        }
    }
}
