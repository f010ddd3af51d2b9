//! The shape of a method: the block of each instruction, dominators and loops.

use selvedge_base::{Dominators, Id, IdVec, Loops};
use selvedge_ir::{Block, Body, Cfg, Inst};

/// See the [module documentation](self).
#[derive(Debug)]
pub struct Shape {
    /// The block of each instruction.
    pub block_of: IdVec<Inst, Block>,
    /// The dominator tree of the blocks, unwind edges included.
    pub dominators: Dominators<Block>,
    /// The loops.
    pub loops: Loops<Block>,
}

impl Shape {
    /// The shape of a body.
    pub fn new(body: &Body) -> Self {
        let mut block_of: IdVec<Inst, Block> = body.insts.ids().map(|_| Body::ENTRY).collect();
        for (block, data) in body.blocks.iter_ids() {
            for inst in data.insts.iter() {
                block_of[inst] = block;
            }
        }
        let cfg = Cfg::new(body);
        let dominators = cfg.dominators();
        let loops = cfg.loops(&dominators);
        Self { block_of, dominators, loops }
    }

    /// Whether an instruction may execute more than once in one execution of the method.
    ///
    /// Irreducible control flow has cycles that are no loops; where there is any, every instruction may.
    pub fn may_repeat(&self, inst: Inst) -> bool {
        self.loops.innermost(self.block_of[inst]).is_some() || !self.loops.irreducible_edges().is_empty()
    }

    /// Whether `first` executes before `second` whenever `second` executes.
    ///
    /// It has completed normally as well, unless an exception of `first` itself leads to `second`.
    pub fn dominates(&self, first: Inst, second: Inst) -> bool {
        let (a, b) = (self.block_of[first], self.block_of[second]);
        if a == b { first.index() < second.index() } else { self.dominators.dominates(a, b) }
    }
}
