//! What each bytecode instruction becomes.

use selvedge_classfile as jvm;
use selvedge_classfile::{Cond, Constant, Insn, Kind, StackOp};

use super::LowerError;
use super::dynamic;
use super::operands::kind_name;
use super::ssa::{Builder, Slot};
use crate::body::Block;
use crate::op::{BinaryOp, Comparison, Condition, Conversion, InvokeKind, Op, Switch};
use crate::types::{ArrayKind, ClassName, PrimitiveType, Type};

impl Builder<'_, '_, '_, '_> {
    /// Appends what the instruction becomes and has its effect on the frame.
    pub fn translate(&mut self, insn: &Insn<'_>) -> Result<(), LowerError> {
        match *insn {
            Insn::Nop => {}
            Insn::AConstNull => self.emit_value(Op::Null, &[], Type::Null),
            Insn::IConst(value) => self.emit_value(Op::Int(value), &[], Type::Int),
            Insn::LConst(value) => self.emit_value(Op::Long(value), &[], Type::Long),
            Insn::FConst(value) => self.emit_value(Op::Float(value), &[], Type::Float),
            Insn::DConst(value) => self.emit_value(Op::Double(value), &[], Type::Double),
            Insn::Ldc(index) => self.constant(index)?,

            Insn::Load(kind, slot) => {
                let value = self.read_local(kind, slot)?;
                self.push_value(value);
            }
            Insn::Store(kind, slot) => {
                let held = self.pop_slot()?;
                if held != Slot::RETURN_ADDRESS || kind != Kind::Ref {
                    self.push_slot(held);
                    self.pop(kind)?;
                }
                self.write_local(slot, held);
            }
            Insn::IInc(slot, amount) => {
                let old = self.read_local(Kind::Int, slot)?;
                let amount = self.compute(Op::Int(i32::from(amount)), &[], Type::Int);
                let new = self.compute(Op::Binary(BinaryOp::Add), &[old, amount], Type::Int);
                self.write_local_value(slot, new);
            }
            Insn::Stack(op) => self.move_operands(op)?,

            Insn::ArrayLoad(kind) => {
                let kind = array_kind(kind);
                let index = self.pop(Kind::Int)?;
                let array = self.pop(Kind::Ref)?;
                let ty = match kind.value_type() {
                    Some(ty) => ty,
                    None => self.typing.element(self.body.ty(array)),
                };
                self.emit_value(Op::ArrayLoad(kind), &[array, index], ty);
            }
            Insn::ArrayStore(kind) => {
                let kind = array_kind(kind);
                let value = self.pop(kind.value_type().map_or(Kind::Ref, super::pool::kind_of))?;
                let index = self.pop(Kind::Int)?;
                let array = self.pop(Kind::Ref)?;
                self.emit(Op::ArrayStore(kind), &[array, index, value]);
            }

            Insn::Binary(op, kind) => {
                let op = binary_op(op);
                let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Ushr);
                let right = self.pop(if is_shift { Kind::Int } else { kind })?;
                let left = self.pop(kind)?;
                self.emit_value(Op::Binary(op), &[left, right], self.type_of_kind(kind));
            }
            Insn::Neg(kind) => {
                let operand = self.pop(kind)?;
                self.emit_value(Op::Neg, &[operand], self.type_of_kind(kind));
            }
            Insn::Convert(conversion) => {
                let (conversion, from, to) = convert(conversion);
                let operand = self.pop(from)?;
                self.emit_value(Op::Convert(conversion), &[operand], to);
            }
            Insn::Compare(comparison) => {
                let (comparison, kind) = compare(comparison);
                let right = self.pop(kind)?;
                let left = self.pop(kind)?;
                self.emit_value(Op::Compare(comparison), &[left, right], Type::Int);
            }

            Insn::IfZero(condition, _) => {
                let operand = self.pop(Kind::Int)?;
                self.branch(int_condition(condition), &[operand])?;
            }
            Insn::IfICmp(condition, _) => {
                let right = self.pop(Kind::Int)?;
                let left = self.pop(Kind::Int)?;
                self.branch(int_condition(condition), &[left, right])?;
            }
            Insn::IfACmp(equal, _) => {
                let right = self.pop(Kind::Ref)?;
                let left = self.pop(Kind::Ref)?;
                self.branch(if equal { Condition::RefEq } else { Condition::RefNe }, &[left, right])?;
            }
            Insn::IfNull(null, _) => {
                let operand = self.pop(Kind::Ref)?;
                self.branch(if null { Condition::RefEq } else { Condition::RefNe }, &[operand])?;
            }
            Insn::Goto(_) | Insn::Ret(_) => {
                let target = self.target(0)?;
                self.emit(Op::Goto(target), &[]);
            }
            Insn::Jsr(_) => {
                self.push_slot(Slot::RETURN_ADDRESS);
                let target = self.target(0)?;
                self.emit(Op::Goto(target), &[]);
            }
            Insn::TableSwitch(switch) => self.switch(switch.cases().map(|(key, _)| key))?,
            Insn::LookupSwitch(switch) => self.switch(switch.cases().map(|(key, _)| key))?,
            Insn::Return(kind) => self.return_from_method(kind)?,
            Insn::AThrow => {
                let exception = self.pop(Kind::Ref)?;
                self.emit(Op::Throw, &[exception]);
            }

            Insn::GetStatic(index) => {
                let field = self.symbols.field(index).map_err(|error| self.pool_error(error))?;
                self.emit_value(Op::GetStatic(field.name), &[], field.ty);
            }
            Insn::PutStatic(index) => {
                let field = self.symbols.field(index).map_err(|error| self.pool_error(error))?;
                let value = self.pop(super::pool::kind_of(field.ty))?;
                self.emit(Op::PutStatic(field.name), &[value]);
            }
            Insn::GetField(index) => {
                let field = self.symbols.field(index).map_err(|error| self.pool_error(error))?;
                let object = self.pop(Kind::Ref)?;
                self.emit_value(Op::GetField(field.name), &[object], field.ty);
            }
            Insn::PutField(index) => {
                let field = self.symbols.field(index).map_err(|error| self.pool_error(error))?;
                let value = self.pop(super::pool::kind_of(field.ty))?;
                let object = self.pop(Kind::Ref)?;
                self.emit(Op::PutField(field.name), &[object, value]);
            }

            Insn::InvokeVirtual(index) => self.invoke(InvokeKind::Virtual, index)?,
            Insn::InvokeSpecial(index) => self.invoke(InvokeKind::Special, index)?,
            Insn::InvokeStatic(index) => self.invoke(InvokeKind::Static, index)?,
            Insn::InvokeInterface(index) => self.invoke(InvokeKind::Interface, index)?,
            Insn::InvokeDynamic(index) => {
                let site = dynamic::call_site(self.symbols, index).map_err(|error| self.pool_error(error))?;
                let shape =
                    self.symbols.shape(site.descriptor.as_bytes()).map_err(|error| self.pool_error(error))?;
                let site = self.body.call_sites.push(site);
                self.emit_call(Op::InvokeDynamic(site), false, shape)?;
            }

            Insn::New(index) => {
                let class = self.class(index)?;
                if class.is_array() {
                    return Err(self.error("`new` makes an instance of an array type"));
                }
                self.emit_value(Op::New(class), &[], Type::Ref(class));
            }
            Insn::NewArray(element) => {
                let length = self.pop(Kind::Int)?;
                let (element, array) = primitive_array(element);
                self.emit_value(Op::NewPrimitiveArray(element), &[length], Type::Ref(ClassName::new(array)));
            }
            Insn::ANewArray(index) => {
                let array = self.symbols.array_of_class(index).map_err(|error| self.pool_error(error))?;
                let length = self.pop(Kind::Int)?;
                self.emit_value(Op::NewArray(array), &[length], Type::Ref(array));
            }
            Insn::MultiANewArray(index, dimensions) => {
                self.new_multi_array(index, usize::from(dimensions))?
            }
            Insn::ArrayLength => {
                let array = self.pop(Kind::Ref)?;
                self.emit_value(Op::ArrayLength, &[array], Type::Int);
            }
            Insn::CheckCast(index) => {
                let class = self.class(index)?;
                let object = self.pop(Kind::Ref)?;
                self.emit_value(Op::CheckCast(class), &[object], Type::Ref(class));
            }
            Insn::InstanceOf(index) => {
                let class = self.class(index)?;
                let object = self.pop(Kind::Ref)?;
                self.emit_value(Op::InstanceOf(class), &[object], Type::Int);
            }
            Insn::MonitorEnter => {
                let object = self.pop(Kind::Ref)?;
                self.emit(Op::MonitorEnter, &[object]);
            }
            Insn::MonitorExit => {
                let object = self.pop(Kind::Ref)?;
                self.emit(Op::MonitorExit, &[object]);
            }
        }
        Ok(())
    }

    fn pool_error(&self, error: jvm::Error) -> LowerError {
        self.error(error.to_string())
    }

    fn class(&mut self, index: u16) -> Result<ClassName, LowerError> {
        self.symbols.class(index).map_err(|error| self.pool_error(error))
    }

    fn type_of_kind(&self, kind: Kind) -> Type {
        match kind {
            Kind::Int => Type::Int,
            Kind::Long => Type::Long,
            Kind::Float => Type::Float,
            Kind::Double => Type::Double,
            Kind::Ref => Type::Null,
        }
    }

    fn constant(&mut self, index: u16) -> Result<(), LowerError> {
        let pool = &self.symbols.class_file().pool;
        match pool.get(index).map_err(|error| self.pool_error(error))? {
            Constant::Integer(value) => self.emit_value(Op::Int(value), &[], Type::Int),
            Constant::Float(value) => self.emit_value(Op::Float(value), &[], Type::Float),
            Constant::Long(value) => self.emit_value(Op::Long(value), &[], Type::Long),
            Constant::Double(value) => self.emit_value(Op::Double(value), &[], Type::Double),
            Constant::String(_) => {
                let text = self.symbols.string(index).map_err(|error| self.pool_error(error))?;
                self.emit_value(Op::String(text), &[], Type::Ref(self.symbols.string_class));
            }
            Constant::Class(_) => {
                let class = self.class(index)?;
                self.emit_value(Op::Class(class), &[], Type::Ref(self.symbols.class_class));
            }
            Constant::MethodHandle(_) | Constant::MethodType(_) | Constant::Dynamic(_) => {
                let (constant, ty) =
                    dynamic::constant(self.symbols, index).map_err(|error| self.pool_error(error))?;
                let constant = self.body.constants.push(constant);
                self.emit_value(Op::Constant(constant), &[], ty);
            }
            _ => return Err(self.error(format!("constant {index} is not one that can be loaded"))),
        }
        Ok(())
    }

    fn move_operands(&mut self, op: StackOp) -> Result<(), LowerError> {
        // The slots that move, top first. A `long` or `double` stands for two single ones.
        match op {
            StackOp::Pop => {
                self.pop_single()?;
            }
            StackOp::Pop2 => {
                self.pop_pair()?;
            }
            StackOp::Dup => {
                let top = self.pop_single()?;
                self.push_all(&[top, top]);
            }
            StackOp::DupX1 => {
                let top = self.pop_single()?;
                let below = self.pop_single()?;
                self.push_all(&[top, below, top]);
            }
            StackOp::DupX2 => {
                let top = self.pop_single()?;
                let below = self.pop_pair()?;
                self.push_slot(top);
                self.push_pair(below);
                self.push_slot(top);
            }
            StackOp::Dup2 => {
                let top = self.pop_pair()?;
                self.push_pair(top);
                self.push_pair(top);
            }
            StackOp::Dup2X1 => {
                let top = self.pop_pair()?;
                let below = self.pop_single()?;
                self.push_pair(top);
                self.push_slot(below);
                self.push_pair(top);
            }
            StackOp::Dup2X2 => {
                let top = self.pop_pair()?;
                let below = self.pop_pair()?;
                self.push_pair(top);
                self.push_pair(below);
                self.push_pair(top);
            }
            StackOp::Swap => {
                let top = self.pop_single()?;
                let below = self.pop_single()?;
                self.push_all(&[top, below]);
            }
        }
        Ok(())
    }

    fn pop_single(&mut self) -> Result<Slot, LowerError> {
        let slot = self.pop_slot()?;
        match self.is_wide(slot) {
            false => Ok(slot),
            true => Err(self.error("the instruction would split a long or double")),
        }
    }

    /// Pops two stack positions: one `long` or `double`, or two other values (the lower one first).
    fn pop_pair(&mut self) -> Result<(Option<Slot>, Slot), LowerError> {
        let top = self.pop_slot()?;
        match self.is_wide(top) {
            true => Ok((None, top)),
            false => Ok((Some(self.pop_single()?), top)),
        }
    }

    fn push_pair(&mut self, (lower, upper): (Option<Slot>, Slot)) {
        if let Some(lower) = lower {
            self.push_slot(lower);
        }
        self.push_slot(upper);
    }

    fn push_all(&mut self, slots: &[Slot]) {
        slots.iter().for_each(|&slot| self.push_slot(slot));
    }

    fn branch(&mut self, condition: Condition, args: &[crate::body::Value]) -> Result<(), LowerError> {
        let (then, otherwise) = (self.target(0)?, self.target(1)?);
        self.emit(Op::If { condition, then, otherwise }, args);
        Ok(())
    }

    fn switch(&mut self, keys: impl Iterator<Item = i32>) -> Result<(), LowerError> {
        let key = self.pop(Kind::Int)?;
        let default = self.target(0)?;
        let targets = self.graph.targets(self.node)[1..].iter().map(|&node| Block::new(node));
        let cases = keys.zip(targets).collect();
        let switch = self.body.switches.push(Switch { cases, default });
        self.emit(Op::Switch(switch), &[key]);
        Ok(())
    }

    fn return_from_method(&mut self, kind: Option<Kind>) -> Result<(), LowerError> {
        if kind != self.returns {
            let name = |kind: Option<Kind>| kind.map_or("nothing", kind_name);
            let (found, expected) = (name(kind), name(self.returns));
            return Err(
                self.error(format!("the method returns {expected}, but the instruction returns {found}"))
            );
        }
        match kind {
            None => self.emit(Op::Return, &[]),
            Some(kind) => {
                let value = self.pop(kind)?;
                self.emit(Op::Return, &[value]);
            }
        }
        Ok(())
    }

    fn invoke(&mut self, kind: InvokeKind, index: u16) -> Result<(), LowerError> {
        let method = self.symbols.method(index).map_err(|error| self.pool_error(error))?;
        self.emit_call(Op::Invoke(kind, method.name), kind != InvokeKind::Static, method.shape)
    }

    fn new_multi_array(&mut self, index: u16, dimensions: usize) -> Result<(), LowerError> {
        let class = self.class(index)?;
        let name = class.as_bytes();
        if name.iter().take_while(|&&byte| byte == b'[').count() < dimensions {
            return Err(self.error("more lengths are given than the array type has dimensions"));
        }
        let mut lengths = smallvec::SmallVec::<[_; 8]>::new();
        for _ in 0..dimensions {
            lengths.push(self.pop(Kind::Int)?);
        }
        lengths.reverse();
        self.emit_value(Op::NewMultiArray(class), &lengths, Type::Ref(class));
        Ok(())
    }
}

fn array_kind(kind: jvm::ArrayKind) -> ArrayKind {
    match kind {
        jvm::ArrayKind::Int => ArrayKind::Int,
        jvm::ArrayKind::Long => ArrayKind::Long,
        jvm::ArrayKind::Float => ArrayKind::Float,
        jvm::ArrayKind::Double => ArrayKind::Double,
        jvm::ArrayKind::Ref => ArrayKind::Ref,
        jvm::ArrayKind::Byte => ArrayKind::ByteOrBoolean,
        jvm::ArrayKind::Char => ArrayKind::Char,
        jvm::ArrayKind::Short => ArrayKind::Short,
    }
}

fn primitive_array(element: jvm::PrimitiveType) -> (PrimitiveType, &'static str) {
    match element {
        jvm::PrimitiveType::Boolean => (PrimitiveType::Boolean, "[Z"),
        jvm::PrimitiveType::Char => (PrimitiveType::Char, "[C"),
        jvm::PrimitiveType::Float => (PrimitiveType::Float, "[F"),
        jvm::PrimitiveType::Double => (PrimitiveType::Double, "[D"),
        jvm::PrimitiveType::Byte => (PrimitiveType::Byte, "[B"),
        jvm::PrimitiveType::Short => (PrimitiveType::Short, "[S"),
        jvm::PrimitiveType::Int => (PrimitiveType::Int, "[I"),
        jvm::PrimitiveType::Long => (PrimitiveType::Long, "[J"),
    }
}

fn binary_op(op: jvm::BinaryOp) -> BinaryOp {
    match op {
        jvm::BinaryOp::Add => BinaryOp::Add,
        jvm::BinaryOp::Sub => BinaryOp::Sub,
        jvm::BinaryOp::Mul => BinaryOp::Mul,
        jvm::BinaryOp::Div => BinaryOp::Div,
        jvm::BinaryOp::Rem => BinaryOp::Rem,
        jvm::BinaryOp::Shl => BinaryOp::Shl,
        jvm::BinaryOp::Shr => BinaryOp::Shr,
        jvm::BinaryOp::UShr => BinaryOp::Ushr,
        jvm::BinaryOp::And => BinaryOp::And,
        jvm::BinaryOp::Or => BinaryOp::Or,
        jvm::BinaryOp::Xor => BinaryOp::Xor,
    }
}

/// The conversion, what it takes and what it gives.
pub(super) fn convert(conversion: jvm::Conversion) -> (Conversion, Kind, Type) {
    match conversion {
        jvm::Conversion::I2L => (Conversion::I2L, Kind::Int, Type::Long),
        jvm::Conversion::I2F => (Conversion::I2F, Kind::Int, Type::Float),
        jvm::Conversion::I2D => (Conversion::I2D, Kind::Int, Type::Double),
        jvm::Conversion::L2I => (Conversion::L2I, Kind::Long, Type::Int),
        jvm::Conversion::L2F => (Conversion::L2F, Kind::Long, Type::Float),
        jvm::Conversion::L2D => (Conversion::L2D, Kind::Long, Type::Double),
        jvm::Conversion::F2I => (Conversion::F2I, Kind::Float, Type::Int),
        jvm::Conversion::F2L => (Conversion::F2L, Kind::Float, Type::Long),
        jvm::Conversion::F2D => (Conversion::F2D, Kind::Float, Type::Double),
        jvm::Conversion::D2I => (Conversion::D2I, Kind::Double, Type::Int),
        jvm::Conversion::D2L => (Conversion::D2L, Kind::Double, Type::Long),
        jvm::Conversion::D2F => (Conversion::D2F, Kind::Double, Type::Float),
        jvm::Conversion::I2B => (Conversion::I2B, Kind::Int, Type::Int),
        jvm::Conversion::I2C => (Conversion::I2C, Kind::Int, Type::Int),
        jvm::Conversion::I2S => (Conversion::I2S, Kind::Int, Type::Int),
    }
}

pub(super) fn compare(comparison: jvm::CompareOp) -> (Comparison, Kind) {
    match comparison {
        jvm::CompareOp::LCmp => (Comparison::Long, Kind::Long),
        jvm::CompareOp::FCmpL => (Comparison::FloatL, Kind::Float),
        jvm::CompareOp::FCmpG => (Comparison::FloatG, Kind::Float),
        jvm::CompareOp::DCmpL => (Comparison::DoubleL, Kind::Double),
        jvm::CompareOp::DCmpG => (Comparison::DoubleG, Kind::Double),
    }
}

fn int_condition(condition: Cond) -> Condition {
    match condition {
        Cond::Eq => Condition::Eq,
        Cond::Ne => Condition::Ne,
        Cond::Lt => Condition::Lt,
        Cond::Ge => Condition::Ge,
        Cond::Gt => Condition::Gt,
        Cond::Le => Condition::Le,
    }
}
