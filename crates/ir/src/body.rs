//! The code of a method as a control-flow graph of SSA instructions.
//!
//! # Shape
//! Blocks hold contiguous ranges of instructions, phis first, one terminator last. [`Body::ENTRY`] is the first block; it
//! has no predecessors. Only reachable blocks exist, in reverse postorder of their first discovery, so that a value is
//! defined in a lower-numbered block than its uses, except along back edges into phis.
//!
//! # Exceptions
//! An exception leaves a block by its *unwind* list: handlers in the order of the exception table, each with the class it
//! catches and the block that starts with [`Op::Catch`]. All instructions of a block that may throw see the same
//! local variables: inside a protected range, lowering starts a new block between an assignment of a variable and the
//! next instruction that may throw. Therefore
//! one edge per block and handler is enough, and a phi in the handler takes for that edge the value a variable has *on
//! entry* to the throwing block. Blocks in which nothing may throw have no unwind list.
//! Values defined in the throwing block itself are never arguments of the handler's phis for that edge, except values
//! that were already available on entry (its phis).
//!
//! # Origins
//! Every instruction keeps the bytecode index it came from (phis: of their block's start) and, through
//! [`Body::line`], its source line. Subroutines (`jsr`/`ret`) are inlined, so one index may occur several times.

use selvedge_base::{IdRange, IdVec, entity};

use crate::dynamic::{CallSite, CallSiteId, Constant, ConstantId};
use crate::op::{BinaryOp, Op, Switch, SwitchId};
use crate::types::{ClassName, Type};

entity! {
    /// A basic block.
    Block "b";
    /// An instruction.
    Inst "i";
    /// An SSA value.
    Value "v";
}

/// A method's code.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The parameters in order, the receiver of an instance method first.
    pub parameters: Vec<Value>,
    /// Type and definition of each value.
    pub values: IdVec<Value, ValueData>,
    /// The blocks, [`Body::ENTRY`] first.
    pub blocks: IdVec<Block, BlockData>,
    /// The instructions, block by block.
    pub insts: IdVec<Inst, InstData>,
    /// Storage of all argument lists.
    pub lists: Vec<Value>,
    /// The tables of the switches.
    pub switches: IdVec<SwitchId, Switch>,
    /// The `invokedynamic` sites.
    pub call_sites: IdVec<CallSiteId, CallSite>,
    /// Constants that do not fit into an instruction.
    pub constants: IdVec<ConstantId, Constant>,
    /// Source lines: from each bytecode index on, by ascending index.
    pub lines: Vec<(u32, u32)>,
}

/// Type and origin of a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValueData {
    /// The inferred type.
    pub ty: Type,
    /// Where it is defined.
    pub def: ValueDef,
}

/// Where a value is defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDef {
    /// The parameter with this position in [`Body::parameters`].
    Parameter(u32),
    /// The result of this instruction.
    Inst(Inst),
}

/// An instruction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InstData {
    /// What it does.
    pub op: Op,
    /// What it works on; see [`Body::args`].
    pub args: ValueList,
    /// The value it defines.
    pub result: Option<Value>,
    /// The bytecode index it comes from.
    pub bci: u32,
}

/// A list of values stored in [`Body::lists`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ValueList {
    /// Position of the first.
    pub start: u32,
    /// How many.
    pub len: u32,
}

/// A basic block.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BlockData {
    /// Its instructions: phis, then the rest, a terminator last.
    pub insts: IdRange<Inst>,
    /// Where exceptions of its instructions go, tried in order; empty if none may throw or none is caught.
    pub unwind: Vec<Unwind>,
    /// The edges that lead here, each once, in a fixed order to which phi arguments correspond.
    pub predecessors: Vec<Edge>,
}

/// An entry of a block's unwind list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unwind {
    /// The class that is caught; `None` catches everything.
    pub catches: Option<ClassName>,
    /// The handler.
    pub handler: Block,
}

/// An edge into a block. There is at most one of each kind between two blocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// Where it comes from.
    pub from: Block,
    /// Why it is taken.
    pub kind: EdgeKind,
}

/// Why an edge is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeKind {
    /// By the block's terminator.
    Normal,
    /// By an exception thrown in the block.
    Unwind,
}

impl Body {
    /// The block where execution starts.
    pub const ENTRY: Block = Block::new(0);

    /// The arguments of an instruction.
    pub fn args(&self, inst: Inst) -> &[Value] {
        self.list(self.insts[inst].args)
    }

    /// The values of a list.
    pub fn list(&self, list: ValueList) -> &[Value] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    /// Stores a list of values.
    pub fn push_list(&mut self, values: &[Value]) -> ValueList {
        let list = ValueList { start: self.lists.len() as u32, len: values.len() as u32 };
        self.lists.extend_from_slice(values);
        list
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self.values[value].ty
    }

    /// The instruction that defines a value, unless it is a parameter.
    pub fn defining_inst(&self, value: Value) -> Option<Inst> {
        match self.values[value].def {
            ValueDef::Inst(inst) => Some(inst),
            ValueDef::Parameter(_) => None,
        }
    }

    /// The last instruction of a block.
    ///
    /// # Panics
    /// If the block is empty, which the verifier excludes.
    pub fn terminator(&self, block: Block) -> Inst {
        self.blocks[block].insts.last().expect("a block ends with a terminator")
    }

    /// The phis of a block.
    pub fn phis(&self, block: Block) -> impl Iterator<Item = Inst> {
        self.blocks[block].insts.iter().take_while(|&inst| matches!(self.insts[inst].op, Op::Phi))
    }

    /// Where a block's terminator may continue, each target once, in order of first mention.
    pub fn normal_successors(&self, block: Block) -> Vec<Block> {
        let mut targets = Vec::new();
        let mut add = |block| {
            if !targets.contains(&block) {
                targets.push(block);
            }
        };
        match self.insts[self.terminator(block)].op {
            Op::Goto(target) => add(target),
            Op::If { then, otherwise, .. } => {
                add(then);
                add(otherwise);
            }
            Op::Switch(id) => {
                let switch = &self.switches[id];
                let mut seen = selvedge_base::FastSet::default();
                let all = switch.cases.iter().map(|&(_, target)| target).chain([switch.default]);
                targets.extend(all.filter(|&target| seen.insert(target)));
            }
            _ => {}
        }
        targets
    }

    /// All blocks that may come next: [`normal_successors`](Self::normal_successors), then handlers, each once.
    pub fn successors(&self, block: Block) -> Vec<Block> {
        let mut targets = self.normal_successors(block);
        for unwind in &self.blocks[block].unwind {
            if !targets.contains(&unwind.handler) {
                targets.push(unwind.handler);
            }
        }
        targets
    }

    /// Whether an instruction may complete by throwing.
    pub fn may_throw(&self, inst: Inst) -> bool {
        let data = &self.insts[inst];
        let zero_check = match data.op {
            Op::Binary(BinaryOp::Div | BinaryOp::Rem) => {
                matches!(data.result.map(|value| self.ty(value)), Some(Type::Int | Type::Long))
            }
            _ => false,
        };
        data.op.may_throw(zero_check)
    }

    /// The source line of a bytecode index, where the class file tells.
    pub fn line(&self, bci: u32) -> Option<u32> {
        let after = self.lines.partition_point(|&(start, _)| start <= bci);
        after.checked_sub(1).map(|index| self.lines[index].1)
    }
}
