//! What translating an instruction works with: the operand stack, the local variables, and the end of the block.
//!
//! Everything popped or read is checked to be there and of the right kind.

use selvedge_classfile::Kind;

use super::LowerError;
use super::pool::{Shape, kind_of};
use super::ssa::{Builder, Slot};
use crate::body::{Block, InstData, Value, ValueData, ValueDef, ValueList};
use crate::op::Op;
use crate::types::Type;

impl Builder<'_, '_, '_, '_> {
    /// An error at the current instruction.
    pub fn error(&self, reason: impl Into<String>) -> LowerError {
        LowerError::at(self.bci, reason)
    }

    /// The block to which the current node's terminator leads by its `position`-th target.
    pub fn target(&self, position: usize) -> Result<Block, LowerError> {
        match self.graph.targets(self.node).get(position) {
            Some(&node) => Ok(Block::new(node)),
            None => Err(self.error("the instruction's target was not found")),
        }
    }

    /// Appends an instruction that defines no value.
    pub fn emit(&mut self, op: Op, args: &[Value]) {
        let args = self.body.push_list(args);
        self.body.insts.push(InstData { op, args, result: None, bci: self.bci });
    }

    /// Appends an instruction and pushes the value it defines.
    pub fn emit_value(&mut self, op: Op, args: &[Value], ty: Type) {
        let args = self.body.push_list(args);
        let value = self.define(op, args, ty);
        self.buffers.stack.push(Slot::of(value));
    }

    /// Appends an instruction that defines a value.
    pub fn define(&mut self, op: Op, args: ValueList, ty: Type) -> Value {
        let inst = self.body.insts.next_id();
        let value = self.body.values.push(ValueData { ty, def: ValueDef::Inst(inst) });
        self.body.insts.push(InstData { op, args, result: Some(value), bci: self.bci });
        value
    }

    /// Appends a call that pops its arguments and pushes its result.
    pub fn emit_call(&mut self, op: Op, receiver: bool, shape: Shape) -> Result<(), LowerError> {
        let params = self.symbols.params(shape);
        let count = params.len() + usize::from(receiver);
        let stack = &mut self.buffers.stack;
        let Some(bottom) = stack.len().checked_sub(count) else {
            return Err(self.error("the stack is empty"));
        };
        let start = self.body.lists.len() as u32;
        let expected = receiver.then_some(&Kind::Ref).into_iter().chain(params);
        for (slot, &kind) in stack[bottom..].iter().zip(expected) {
            match slot.value() {
                Some(value) if kind_of(self.body.ty(value)) == kind => self.body.lists.push(value),
                _ => {
                    let reason = format!("an argument of the call is not {}", kind_name(kind));
                    return Err(self.error(reason));
                }
            }
        }
        stack.truncate(bottom);
        let args = ValueList { start, len: count as u32 };
        match shape.result {
            Some(ty) => {
                let value = self.define(op, args, ty);
                self.buffers.stack.push(Slot::of(value));
            }
            None => {
                self.body.insts.push(InstData { op, args, result: None, bci: self.bci });
            }
        }
        Ok(())
    }

    /// Pops whatever is on top of the stack.
    pub fn pop_slot(&mut self) -> Result<Slot, LowerError> {
        match self.buffers.stack.pop() {
            Some(slot) => Ok(slot),
            None => Err(self.error("the stack is empty")),
        }
    }

    /// Pushes what was popped.
    pub fn push_slot(&mut self, slot: Slot) {
        self.buffers.stack.push(slot);
    }

    /// Pops a value of a kind.
    pub fn pop(&mut self, kind: Kind) -> Result<Value, LowerError> {
        let slot = self.pop_slot()?;
        match slot.value() {
            Some(value) if kind_of(self.body.ty(value)) == kind => Ok(value),
            Some(value) => {
                let found = kind_name(kind_of(self.body.ty(value)));
                Err(self
                    .error(format!("the instruction takes {}, but the stack holds {found}", kind_name(kind))))
            }
            None => {
                Err(self
                    .error(format!("the instruction takes {}, but gets a return address", kind_name(kind))))
            }
        }
    }

    /// Whether what a slot holds counts double on the stack and in local variables.
    pub fn is_wide(&self, slot: Slot) -> bool {
        matches!(self.kind_of_slot(slot), Some(Kind::Long | Kind::Double))
    }

    /// The value of a local variable.
    pub fn read_local(&self, kind: Kind, slot: u16) -> Result<Value, LowerError> {
        let held = self.buffers.locals[usize::from(slot)];
        let reason = match held.value() {
            Some(value) if kind_of(self.body.ty(value)) == kind => return Ok(value),
            Some(value) => {
                let found = kind_name(kind_of(self.body.ty(value)));
                format!("local variable {slot} is read as {}, but holds {found}", kind_name(kind))
            }
            None if held == Slot::RETURN_ADDRESS => {
                format!("local variable {slot} is read as {}, but holds a return address", kind_name(kind))
            }
            None => format!("local variable {slot} is read, but has no value"),
        };
        Err(self.error(reason))
    }

    /// Assigns a local variable. A `long` or `double` covers the next slot too, and whatever covers this slot ends.
    pub fn write_local(&mut self, slot: u16, held: Slot) {
        let slot = usize::from(slot);
        if let Some(before) = slot.checked_sub(1)
            && self.is_wide(self.buffers.locals[before])
        {
            self.buffers.locals[before] = Slot::UNDEFINED;
        }
        self.buffers.locals[slot] = held;
        if self.is_wide(held) {
            self.buffers.locals[slot + 1] = Slot::UNDEFINED;
        }
    }

    /// Assigns a local variable with a value.
    pub fn write_local_value(&mut self, slot: u16, value: Value) {
        self.write_local(slot, Slot::of(value));
    }

    /// Pushes a value.
    pub fn push_value(&mut self, value: Value) {
        self.push_slot(Slot::of(value));
    }

    /// Appends an instruction and returns the value it defines, without pushing it.
    pub fn compute(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        let args = self.body.push_list(args);
        self.define(op, args, ty)
    }
}

/// A kind in a sentence.
pub(super) fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "an int",
        Kind::Long => "a long",
        Kind::Float => "a float",
        Kind::Double => "a double",
        Kind::Ref => "a reference",
    }
}
