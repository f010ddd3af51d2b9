//! The first phase of the verifier: ids exist, values and definitions agree, blocks are well-formed ranges.

use selvedge_base::Id;

use super::Verifier;
use crate::body::{Block, Inst, ValueDef};
use crate::op::Op;

impl Verifier<'_> {
    pub(super) fn structure(&mut self) {
        self.values();
        self.block_ranges();
        self.references();
        if self.errors.is_empty() {
            self.placement();
        }
    }

    /// Each value is the parameter or the result that it says it is.
    fn values(&mut self) {
        let body = self.body;
        for (value, data) in body.values.iter_ids() {
            match data.def {
                ValueDef::Parameter(position) => {
                    if body.parameters.get(position as usize) != Some(&value) {
                        self.error(None, None, format!("{value} is not parameter {position} as it says"));
                    }
                }
                ValueDef::Inst(inst) => {
                    if body.insts.get(inst).and_then(|inst| inst.result) != Some(value) {
                        self.error(
                            None,
                            Some(inst),
                            format!("{value} is not the result of {inst} as it says"),
                        );
                    }
                }
            }
        }
        for (position, &value) in body.parameters.iter().enumerate() {
            let def = body.values.get(value).map(|data| data.def);
            if def != Some(ValueDef::Parameter(position as u32)) {
                self.error(None, None, format!("parameter {position} is {value}, which says otherwise"));
            }
        }
        for (inst, data) in body.insts.iter_ids() {
            let Some(value) = data.result else { continue };
            if body.values.get(value).map(|data| data.def) != Some(ValueDef::Inst(inst)) {
                self.error(None, Some(inst), format!("the result is {value}, which says otherwise"));
            }
        }
    }

    /// The blocks' instructions follow each other without gaps and are all there are.
    fn block_ranges(&mut self) {
        let body = self.body;
        if body.blocks.is_empty() {
            self.error(None, None, "a body has at least one block");
        }
        let mut next = Inst::new(0);
        for (block, data) in body.blocks.iter_ids() {
            let (Some(first), Some(last)) = (data.insts.first(), data.insts.last()) else {
                self.error(Some(block), None, "the block has no instructions");
                continue;
            };
            if first != next {
                self.error(Some(block), None, format!("the block starts at {first} instead of {next}"));
            }
            if last.index() >= body.insts.len() {
                self.error(Some(block), None, format!("the block's last instruction {last} does not exist"));
                return;
            }
            next = Inst::from_index(last.index() + 1);
        }
        if next.index() < body.insts.len() {
            self.error(None, Some(next), "no block has this instruction");
        }
    }

    /// Every id that an instruction or a block mentions exists.
    fn references(&mut self) {
        let body = self.body;
        let exists = |block: &Block| block.index() < body.blocks.len();
        for (inst, data) in body.insts.iter_ids() {
            let end = u64::from(data.args.start) + u64::from(data.args.len);
            if end > body.lists.len() as u64 {
                self.error(None, Some(inst), "the argument list lies outside of the body's lists");
            } else if let Some(arg) = body.args(inst).iter().find(|arg| arg.index() >= body.values.len()) {
                self.error(None, Some(inst), format!("the argument {arg} does not exist"));
            }
            let missing = match data.op {
                Op::Goto(target) => Some(target).filter(|target| !exists(target)).map(|id| id.to_string()),
                Op::If { then, otherwise, .. } => {
                    [then, otherwise].iter().find(|target| !exists(target)).map(ToString::to_string)
                }
                Op::Switch(id) if body.switches.get(id).is_none() => Some(id.to_string()),
                Op::InvokeDynamic(id) if body.call_sites.get(id).is_none() => Some(id.to_string()),
                Op::Constant(id) if body.constants.get(id).is_none() => Some(id.to_string()),
                _ => None,
            };
            if let Some(missing) = missing {
                self.error(None, Some(inst), format!("{missing} does not exist"));
            }
        }
        for (id, switch) in body.switches.iter_ids() {
            let mut targets = switch.cases.iter().map(|(_, target)| target).chain([&switch.default]);
            if let Some(target) = targets.find(|target| !exists(target)) {
                self.error(None, None, format!("a case of {id} leads to {target}, which does not exist"));
            }
            if !switch.cases.is_sorted_by(|(a, _), (b, _)| a < b) {
                self.error(None, None, format!("the keys of {id} are not ascending"));
            }
        }
        for (block, data) in body.blocks.iter_ids() {
            let handlers = data.unwind.iter().map(|unwind| &unwind.handler);
            let mut mentioned = handlers.chain(data.predecessors.iter().map(|edge| &edge.from));
            if let Some(other) = mentioned.find(|other| !exists(other)) {
                self.error(Some(block), None, format!("{other} does not exist"));
            }
        }
        if !body.lines.is_sorted_by(|(a, _), (b, _)| a < b) {
            self.error(None, None, "the bytecode indexes of the line table are not ascending");
        }
    }

    /// Phis come first in a block, then perhaps a catch, and the only terminator is last.
    fn placement(&mut self) {
        let body = self.body;
        for (block, data) in body.blocks.iter_ids() {
            let last = data.insts.last();
            let mut phis_over = false;
            for inst in data.insts.iter() {
                let op = &body.insts[inst].op;
                match op {
                    Op::Phi if phis_over => {
                        self.error(Some(block), Some(inst), "a phi comes first in its block")
                    }
                    Op::Catch if phis_over => {
                        self.error(
                            Some(block),
                            Some(inst),
                            "a catch comes right after the phis of its block",
                        );
                    }
                    _ => {}
                }
                phis_over |= !matches!(op, Op::Phi);
                if op.is_terminator() && Some(inst) != last {
                    self.error(Some(block), Some(inst), "a terminator comes last in its block");
                }
                if !op.is_terminator() && Some(inst) == last {
                    self.error(Some(block), Some(inst), "a block ends with a terminator");
                }
            }
        }
    }
}
