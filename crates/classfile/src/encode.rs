//! From [`Insn`] to bytes.
//!
//! An instruction may have several encodings (`iload_1`, `iload 1`, `wide iload 1`). They differ in size, so a size
//! chooses among them, and an instruction written at the size it was read with gives the same bytes.

use crate::error::{Error, Result};
use crate::insn::{BinaryOp, Insn, Kind};
use crate::opcode::*;
use crate::output::Output;
use crate::pool_editor::PoolEditor;

impl Insn<'_> {
    /// Appends the instruction's bytes as they stand at `bci`. `size` chooses among its encodings; without it the
    /// shortest is taken. Constants are those of `pool`.
    pub fn write(
        &self,
        bci: u32,
        size: Option<u32>,
        pool: &PoolEditor<'_>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        let mut out = Output { bytes: std::mem::take(bytes) };
        let result = self.encode(bci, size, pool, &mut out);
        *bytes = out.bytes;
        result
    }

    /// See [`Insn::write`].
    pub(crate) fn encode(
        &self,
        bci: u32,
        size: Option<u32>,
        pool: &PoolEditor<'_>,
        out: &mut Output,
    ) -> Result<()> {
        let start = out.bytes.len();
        let fits = |wanted: u32| size.is_none_or(|size| size == wanted);
        match *self {
            Insn::Nop => out.u8(NOP),
            Insn::AConstNull => out.u8(ACONST_NULL),
            Insn::IConst(value) => encode_int(value, &fits, out)?,
            Insn::LConst(value @ 0..=1) => out.u8(LCONST_0 + value as u8),
            Insn::LConst(_) => return Err(UNENCODABLE),
            // Compared by bits, as there is no instruction for the negative zero.
            Insn::FConst(value) => match [0f32, 1.0, 2.0].iter().position(|c| c.to_bits() == value.to_bits())
            {
                Some(which) => out.u8(FCONST_0 + which as u8),
                None => return Err(UNENCODABLE),
            },
            Insn::DConst(value) => match [0f64, 1.0].iter().position(|c| c.to_bits() == value.to_bits()) {
                Some(which) => out.u8(DCONST_0 + which as u8),
                None => return Err(UNENCODABLE),
            },
            Insn::Ldc(index) => {
                if pool.takes_two_slots(index)? {
                    op_u16(out, LDC2_W, index);
                } else if index < 256 && fits(2) {
                    out.u8(LDC);
                    out.u8(index as u8);
                } else {
                    op_u16(out, LDC_W, index);
                }
            }
            Insn::Load(kind, slot) => encode_local(ILOAD, ILOAD_0, kind, slot, &fits, out),
            Insn::Store(kind, slot) => encode_local(ISTORE, ISTORE_0, kind, slot, &fits, out),
            Insn::IInc(slot, amount) => match (u8::try_from(slot), i8::try_from(amount)) {
                (Ok(slot), Ok(amount)) if fits(3) => out.slice(&[IINC, slot, amount as u8]),
                _ => {
                    out.u8(WIDE);
                    op_u16(out, IINC, slot);
                    out.u16(amount as u16);
                }
            },
            Insn::ArrayLoad(kind) => out.u8(IALOAD + kind as u8),
            Insn::ArrayStore(kind) => out.u8(IASTORE + kind as u8),
            Insn::Stack(op) => out.u8(POP + op as u8),
            Insn::Binary(op, kind) => out.u8(binary_opcode(op, kind)?),
            Insn::Neg(Kind::Ref) => return Err(UNENCODABLE),
            Insn::Neg(kind) => out.u8(INEG + kind as u8),
            Insn::Convert(conversion) => out.u8(I2L + conversion as u8),
            Insn::Compare(op) => out.u8(LCMP + op as u8),
            Insn::IfZero(..) | Insn::IfICmp(..) | Insn::IfACmp(..) | Insn::IfNull(..) => {
                self.encode_branch(bci, false, out)?;
            }
            Insn::Goto(_) | Insn::Jsr(_) => {
                // Without a given size, the short form is tried first.
                let wide = match size {
                    Some(size) => size == 5,
                    None => !self.reaches(bci),
                };
                self.encode_branch(bci, wide, out)?;
            }
            Insn::Ret(slot) => match u8::try_from(slot) {
                Ok(slot) if fits(2) => out.slice(&[RET, slot]),
                _ => {
                    out.u8(WIDE);
                    op_u16(out, RET, slot);
                }
            },
            Insn::TableSwitch(_) | Insn::LookupSwitch(_) => self.encode_switch(bci, |target| target, out),
            Insn::Return(Some(kind)) => out.u8(IRETURN + kind as u8),
            Insn::Return(None) => out.u8(RETURN),
            Insn::GetStatic(index) => op_u16(out, GETSTATIC, index),
            Insn::PutStatic(index) => op_u16(out, PUTSTATIC, index),
            Insn::GetField(index) => op_u16(out, GETFIELD, index),
            Insn::PutField(index) => op_u16(out, PUTFIELD, index),
            Insn::InvokeVirtual(index) => op_u16(out, INVOKEVIRTUAL, index),
            Insn::InvokeSpecial(index) => op_u16(out, INVOKESPECIAL, index),
            Insn::InvokeStatic(index) => op_u16(out, INVOKESTATIC, index),
            Insn::InvokeInterface(index) => {
                let slots = pool.interface_argument_slots(index)?;
                op_u16(out, INVOKEINTERFACE, index);
                out.slice(&[slots, 0]);
            }
            Insn::InvokeDynamic(index) => {
                op_u16(out, INVOKEDYNAMIC, index);
                out.u16(0);
            }
            Insn::New(index) => op_u16(out, NEW, index),
            Insn::NewArray(element) => out.slice(&[NEWARRAY, element.newarray_operand()]),
            Insn::ANewArray(index) => op_u16(out, ANEWARRAY, index),
            Insn::ArrayLength => out.u8(ARRAYLENGTH),
            Insn::AThrow => out.u8(ATHROW),
            Insn::CheckCast(index) => op_u16(out, CHECKCAST, index),
            Insn::InstanceOf(index) => op_u16(out, INSTANCEOF, index),
            Insn::MonitorEnter => out.u8(MONITORENTER),
            Insn::MonitorExit => out.u8(MONITOREXIT),
            Insn::MultiANewArray(index, lengths) => {
                op_u16(out, MULTIANEWARRAY, index);
                out.u8(lengths);
            }
        }
        match size {
            Some(size) if size as usize != out.bytes.len() - start => Err(UNENCODABLE),
            _ => Ok(()),
        }
    }

    /// Appends a switch at `bci` whose targets are mapped to those of the new code; nothing if it is no switch.
    pub(crate) fn encode_switch(&self, bci: u32, map: impl Fn(u32) -> u32, out: &mut Output) {
        let offset = |target: u32| map(target).wrapping_sub(bci);
        // Operands are aligned to four bytes from the start of the code.
        let begin = |opcode: u8, default: u32, out: &mut Output| {
            out.u8(opcode);
            (0..3 - bci % 4).for_each(|_| out.u8(0));
            out.u32(offset(default));
        };
        match *self {
            Insn::TableSwitch(switch) => {
                begin(TABLESWITCH, switch.default, out);
                out.u32(switch.low() as u32);
                out.u32(switch.high() as u32);
                switch.cases().for_each(|(_, target)| out.u32(offset(target)));
            }
            Insn::LookupSwitch(switch) => {
                begin(LOOKUPSWITCH, switch.default, out);
                out.u32(switch.cases().len() as u32);
                for (key, target) in switch.cases() {
                    out.u32(key as u32);
                    out.u32(offset(target));
                }
            }
            _ => {}
        }
    }

    /// The size of a switch at `bci`; 0 if it is no switch.
    pub(crate) fn switch_size(&self, bci: u32) -> u32 {
        let operands = match *self {
            Insn::TableSwitch(switch) => 12 + 4 * switch.cases().len(),
            Insn::LookupSwitch(switch) => 8 + 8 * switch.cases().len(),
            _ => return 0,
        };
        4 - bci % 4 + operands as u32
    }

    /// The target of a branch that is not a switch.
    pub(crate) fn branch_target(&self) -> Option<u32> {
        match *self {
            Insn::IfZero(_, target) | Insn::IfICmp(_, target) => Some(target),
            Insn::IfACmp(_, target) | Insn::IfNull(_, target) => Some(target),
            Insn::Goto(target) | Insn::Jsr(target) => Some(target),
            _ => None,
        }
    }

    /// The same branch to another target; anything else as it is.
    pub(crate) fn with_target(self, target: u32) -> Self {
        match self {
            Insn::IfZero(cond, _) => Insn::IfZero(cond, target),
            Insn::IfICmp(cond, _) => Insn::IfICmp(cond, target),
            Insn::IfACmp(equal, _) => Insn::IfACmp(equal, target),
            Insn::IfNull(null, _) => Insn::IfNull(null, target),
            Insn::Goto(_) => Insn::Goto(target),
            Insn::Jsr(_) => Insn::Jsr(target),
            other => other,
        }
    }

    /// Does a branch of this instruction at `bci` fit 16 bits?
    fn reaches(&self, bci: u32) -> bool {
        self.branch_target().is_some_and(|target| short_offset(bci, target).is_some())
    }

    /// The opcode of a branch in its short form and, for conditional branches, that of the opposite condition.
    fn branch_opcodes(&self) -> Option<(u8, Option<u8>)> {
        Some(match *self {
            Insn::IfZero(cond, _) => (IFEQ + cond as u8, Some(IFEQ + cond.negate() as u8)),
            Insn::IfICmp(cond, _) => (IF_ICMPEQ + cond as u8, Some(IF_ICMPEQ + cond.negate() as u8)),
            Insn::IfACmp(true, _) => (IF_ACMPEQ, Some(IF_ACMPNE)),
            Insn::IfACmp(false, _) => (IF_ACMPNE, Some(IF_ACMPEQ)),
            Insn::IfNull(true, _) => (IFNULL, Some(IFNONNULL)),
            Insn::IfNull(false, _) => (IFNONNULL, Some(IFNULL)),
            Insn::Goto(_) => (GOTO, None),
            Insn::Jsr(_) => (JSR, None),
            _ => return None,
        })
    }

    /// The size of a branch: 3, or wide 5 if unconditional and 8 if not (the opposite branch around a `goto_w`).
    pub(crate) fn branch_size(&self, wide: bool) -> u32 {
        match (wide, self) {
            (false, _) => 3,
            (true, Insn::Goto(_) | Insn::Jsr(_)) => 5,
            (true, _) => 8,
        }
    }

    /// Appends a branch that is not a switch, in its short or its wide form.
    pub(crate) fn encode_branch(&self, bci: u32, wide: bool, out: &mut Output) -> Result<()> {
        let (Some(target), Some((opcode, opposite))) = (self.branch_target(), self.branch_opcodes()) else {
            return Err(UNENCODABLE);
        };
        if !wide {
            let offset = short_offset(bci, target).ok_or(Error::TooLarge { what: "a branch" })?;
            op_u16(out, opcode, offset as u16);
            return Ok(());
        }
        let goto_at = match opposite {
            Some(opposite) => {
                op_u16(out, opposite, 8);
                out.u8(GOTO_W);
                bci + 3
            }
            None => {
                out.u8(if opcode == JSR { JSR_W } else { GOTO_W });
                bci
            }
        };
        out.u32(target.wrapping_sub(goto_at));
        Ok(())
    }
}

const UNENCODABLE: Error = Error::Malformed { what: "an instruction has no encoding" };

/// The distance from `bci` to `target` if it fits 16 bits.
pub(crate) fn short_offset(bci: u32, target: u32) -> Option<i16> {
    i16::try_from(i64::from(target) - i64::from(bci)).ok()
}

fn op_u16(out: &mut Output, opcode: u8, operand: u16) {
    out.u8(opcode);
    out.u16(operand);
}

fn encode_int(value: i32, fits: &impl Fn(u32) -> bool, out: &mut Output) -> Result<()> {
    match (i8::try_from(value), i16::try_from(value)) {
        _ if (-1..=5).contains(&value) && fits(1) => out.u8((i32::from(ICONST_0) + value) as u8),
        (Ok(byte), _) if fits(2) => out.slice(&[BIPUSH, byte as u8]),
        (_, Ok(short)) => op_u16(out, SIPUSH, short as u16),
        _ => return Err(UNENCODABLE),
    }
    Ok(())
}

fn encode_local(
    plain: u8,
    with_slot: u8,
    kind: Kind,
    slot: u16,
    fits: &impl Fn(u32) -> bool,
    out: &mut Output,
) {
    if slot < 4 && fits(1) {
        out.u8(with_slot + 4 * kind as u8 + slot as u8);
    } else if slot < 256 && fits(2) {
        out.slice(&[plain + kind as u8, slot as u8]);
    } else {
        out.u8(WIDE);
        op_u16(out, plain + kind as u8, slot);
    }
}

fn binary_opcode(op: BinaryOp, kind: Kind) -> Result<u8> {
    let (op, kind) = (op as u8, kind as u8);
    let shift = BinaryOp::Shl as u8;
    match op.checked_sub(shift) {
        None if kind < 4 => Ok(IADD + 4 * op + kind),
        Some(bitwise) if kind < 2 => Ok(ISHL + 2 * bitwise + kind),
        _ => Err(UNENCODABLE),
    }
}
