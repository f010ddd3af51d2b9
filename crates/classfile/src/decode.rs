//! From bytes to [`Insn`].

use crate::descriptor::PrimitiveType;
use crate::error::{Error, Result};
use crate::insn::{
    ArrayKind, BinaryOp, CompareOp, Cond, Conversion, Insn, Kind, LookupSwitch, StackOp, TableSwitch,
};
use crate::opcode::*;

// Tables in the order of opcodes, so that a family is decoded by subtracting its first opcode.
pub(crate) const KINDS: [Kind; 5] = [Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Ref];
pub(crate) const ARRAY_KINDS: [ArrayKind; 8] = [
    ArrayKind::Int,
    ArrayKind::Long,
    ArrayKind::Float,
    ArrayKind::Double,
    ArrayKind::Ref,
    ArrayKind::Byte,
    ArrayKind::Char,
    ArrayKind::Short,
];
const STACK_OPS: [StackOp; 9] = [
    StackOp::Pop,
    StackOp::Pop2,
    StackOp::Dup,
    StackOp::DupX1,
    StackOp::DupX2,
    StackOp::Dup2,
    StackOp::Dup2X1,
    StackOp::Dup2X2,
    StackOp::Swap,
];
/// Operators with four kinds of operands each, then those with two.
const ARITHMETIC: [BinaryOp; 5] = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div, BinaryOp::Rem];
const BITWISE: [BinaryOp; 6] =
    [BinaryOp::Shl, BinaryOp::Shr, BinaryOp::UShr, BinaryOp::And, BinaryOp::Or, BinaryOp::Xor];
const CONVERSIONS: [Conversion; 15] = [
    Conversion::I2L,
    Conversion::I2F,
    Conversion::I2D,
    Conversion::L2I,
    Conversion::L2F,
    Conversion::L2D,
    Conversion::F2I,
    Conversion::F2L,
    Conversion::F2D,
    Conversion::D2I,
    Conversion::D2L,
    Conversion::D2F,
    Conversion::I2B,
    Conversion::I2C,
    Conversion::I2S,
];
const COMPARES: [CompareOp; 5] =
    [CompareOp::LCmp, CompareOp::FCmpL, CompareOp::FCmpG, CompareOp::DCmpL, CompareOp::DCmpG];
const CONDS: [Cond; 6] = [Cond::Eq, Cond::Ne, Cond::Lt, Cond::Ge, Cond::Gt, Cond::Le];

/// Opcodes that are decoded alike. A table from opcodes to families makes decoding one lookup and one jump; a `match`
/// over ranges of opcodes would be compiled to a chain of comparisons.
#[derive(Clone, Copy)]
enum Family {
    Nop,
    AConstNull,
    IConst,
    LConst,
    FConst,
    DConst,
    BiPush,
    SiPush,
    Ldc,
    LdcWide,
    Load,
    LoadSlot,
    ArrayLoad,
    Store,
    StoreSlot,
    ArrayStore,
    Stack,
    Arithmetic,
    Neg,
    Bitwise,
    IInc,
    Convert,
    Compare,
    IfZero,
    IfICmp,
    IfACmp,
    Goto,
    Jsr,
    Ret,
    TableSwitch,
    LookupSwitch,
    ReturnValue,
    Return,
    GetStatic,
    PutStatic,
    GetField,
    PutField,
    InvokeVirtual,
    InvokeSpecial,
    InvokeStatic,
    InvokeInterface,
    InvokeDynamic,
    New,
    NewArray,
    ANewArray,
    ArrayLength,
    AThrow,
    CheckCast,
    InstanceOf,
    MonitorEnter,
    MonitorExit,
    Wide,
    MultiANewArray,
    IfNull,
    GotoWide,
    JsrWide,
    Unknown,
}

const fn family(opcode: u8) -> Family {
    match opcode {
        NOP => Family::Nop,
        ACONST_NULL => Family::AConstNull,
        ICONST_M1..=ICONST_5 => Family::IConst,
        LCONST_0..=LCONST_1 => Family::LConst,
        FCONST_0..=FCONST_2 => Family::FConst,
        DCONST_0..=DCONST_1 => Family::DConst,
        BIPUSH => Family::BiPush,
        SIPUSH => Family::SiPush,
        LDC => Family::Ldc,
        LDC_W | LDC2_W => Family::LdcWide,
        ILOAD..=ALOAD => Family::Load,
        ILOAD_0..=ALOAD_3 => Family::LoadSlot,
        IALOAD..=SALOAD => Family::ArrayLoad,
        ISTORE..=ASTORE => Family::Store,
        ISTORE_0..=ASTORE_3 => Family::StoreSlot,
        IASTORE..=SASTORE => Family::ArrayStore,
        POP..=SWAP => Family::Stack,
        IADD..=DREM => Family::Arithmetic,
        INEG..=DNEG => Family::Neg,
        ISHL..=LXOR => Family::Bitwise,
        IINC => Family::IInc,
        I2L..=I2S => Family::Convert,
        LCMP..=DCMPG => Family::Compare,
        IFEQ..=IFLE => Family::IfZero,
        IF_ICMPEQ..=IF_ICMPLE => Family::IfICmp,
        IF_ACMPEQ..=IF_ACMPNE => Family::IfACmp,
        GOTO => Family::Goto,
        JSR => Family::Jsr,
        RET => Family::Ret,
        TABLESWITCH => Family::TableSwitch,
        LOOKUPSWITCH => Family::LookupSwitch,
        IRETURN..=ARETURN => Family::ReturnValue,
        RETURN => Family::Return,
        GETSTATIC => Family::GetStatic,
        PUTSTATIC => Family::PutStatic,
        GETFIELD => Family::GetField,
        PUTFIELD => Family::PutField,
        INVOKEVIRTUAL => Family::InvokeVirtual,
        INVOKESPECIAL => Family::InvokeSpecial,
        INVOKESTATIC => Family::InvokeStatic,
        INVOKEINTERFACE => Family::InvokeInterface,
        INVOKEDYNAMIC => Family::InvokeDynamic,
        NEW => Family::New,
        NEWARRAY => Family::NewArray,
        ANEWARRAY => Family::ANewArray,
        ARRAYLENGTH => Family::ArrayLength,
        ATHROW => Family::AThrow,
        CHECKCAST => Family::CheckCast,
        INSTANCEOF => Family::InstanceOf,
        MONITORENTER => Family::MonitorEnter,
        MONITOREXIT => Family::MonitorExit,
        WIDE => Family::Wide,
        MULTIANEWARRAY => Family::MultiANewArray,
        IFNULL..=IFNONNULL => Family::IfNull,
        GOTO_W => Family::GotoWide,
        JSR_W => Family::JsrWide,
        _ => Family::Unknown,
    }
}

/// By opcode.
static FAMILIES: [Family; 256] = {
    let mut families = [Family::Unknown; 256];
    let mut opcode = 0;
    while opcode < 256 {
        families[opcode] = family(opcode as u8);
        opcode += 1;
    }
    families
};

/// The instruction at `bci` of `code`, and the bci after it.
#[inline]
pub(crate) fn decode<'a>(code: &'a [u8], bci: u32) -> Result<(Insn<'a>, u32)> {
    let Some((&opcode, rest)) = code.get(bci as usize..).and_then(<[u8]>::split_first) else {
        return Err(Error::TruncatedCode { bci });
    };
    let at = Site { code, bci, rest };
    // How far the opcode is into its family, whose first opcode is given.
    let from = |first: u8| usize::from(opcode.wrapping_sub(first));
    let sized = |insn: Insn<'a>, size: u32| Ok((insn, bci + size));
    match FAMILIES[usize::from(opcode)] {
        Family::Nop => sized(Insn::Nop, 1),
        Family::AConstNull => sized(Insn::AConstNull, 1),
        Family::IConst => sized(Insn::IConst(i32::from(opcode) - i32::from(ICONST_0)), 1),
        Family::LConst => sized(Insn::LConst(from(LCONST_0) as i64), 1),
        Family::FConst => sized(Insn::FConst(from(FCONST_0) as f32), 1),
        Family::DConst => sized(Insn::DConst(from(DCONST_0) as f64), 1),
        Family::BiPush => sized(Insn::IConst(i32::from(at.u8(0)? as i8)), 2),
        Family::SiPush => sized(Insn::IConst(i32::from(at.u16(0)? as i16)), 3),
        Family::Ldc => sized(Insn::Ldc(u16::from(at.u8(0)?)), 2),
        Family::LdcWide => sized(Insn::Ldc(at.u16(0)?), 3),
        Family::Load => sized(Insn::Load(KINDS[from(ILOAD)], u16::from(at.u8(0)?)), 2),
        Family::LoadSlot => {
            let which = from(ILOAD_0);
            sized(Insn::Load(KINDS[which / 4], which as u16 % 4), 1)
        }
        Family::ArrayLoad => sized(Insn::ArrayLoad(ARRAY_KINDS[from(IALOAD)]), 1),
        Family::Store => sized(Insn::Store(KINDS[from(ISTORE)], u16::from(at.u8(0)?)), 2),
        Family::StoreSlot => {
            let which = from(ISTORE_0);
            sized(Insn::Store(KINDS[which / 4], which as u16 % 4), 1)
        }
        Family::ArrayStore => sized(Insn::ArrayStore(ARRAY_KINDS[from(IASTORE)]), 1),
        Family::Stack => sized(Insn::Stack(STACK_OPS[from(POP)]), 1),
        Family::Arithmetic => {
            let which = from(IADD);
            sized(Insn::Binary(ARITHMETIC[which / 4], KINDS[which % 4]), 1)
        }
        Family::Neg => sized(Insn::Neg(KINDS[from(INEG)]), 1),
        Family::Bitwise => {
            let which = from(ISHL);
            sized(Insn::Binary(BITWISE[which / 2], KINDS[which % 2]), 1)
        }
        Family::IInc => sized(Insn::IInc(u16::from(at.u8(0)?), i16::from(at.u8(1)? as i8)), 3),
        Family::Convert => sized(Insn::Convert(CONVERSIONS[from(I2L)]), 1),
        Family::Compare => sized(Insn::Compare(COMPARES[from(LCMP)]), 1),
        Family::IfZero => sized(Insn::IfZero(CONDS[from(IFEQ)], at.target16()?), 3),
        Family::IfICmp => sized(Insn::IfICmp(CONDS[from(IF_ICMPEQ)], at.target16()?), 3),
        Family::IfACmp => sized(Insn::IfACmp(opcode == IF_ACMPEQ, at.target16()?), 3),
        Family::Goto => sized(Insn::Goto(at.target16()?), 3),
        Family::Jsr => sized(Insn::Jsr(at.target16()?), 3),
        Family::Ret => sized(Insn::Ret(u16::from(at.u8(0)?)), 2),
        Family::TableSwitch => at.table_switch(),
        Family::LookupSwitch => at.lookup_switch(),
        Family::ReturnValue => sized(Insn::Return(Some(KINDS[from(IRETURN)])), 1),
        Family::Return => sized(Insn::Return(None), 1),
        Family::GetStatic => sized(Insn::GetStatic(at.u16(0)?), 3),
        Family::PutStatic => sized(Insn::PutStatic(at.u16(0)?), 3),
        Family::GetField => sized(Insn::GetField(at.u16(0)?), 3),
        Family::PutField => sized(Insn::PutField(at.u16(0)?), 3),
        Family::InvokeVirtual => sized(Insn::InvokeVirtual(at.u16(0)?), 3),
        Family::InvokeSpecial => sized(Insn::InvokeSpecial(at.u16(0)?), 3),
        Family::InvokeStatic => sized(Insn::InvokeStatic(at.u16(0)?), 3),
        // What follows the index, a count that the descriptor implies and zeros, carries no information.
        Family::InvokeInterface => sized(Insn::InvokeInterface(at.u16(0)?), at.checked_size(5)?),
        Family::InvokeDynamic => sized(Insn::InvokeDynamic(at.u16(0)?), at.checked_size(5)?),
        Family::New => sized(Insn::New(at.u16(0)?), 3),
        Family::NewArray => match PrimitiveType::from_newarray_operand(at.u8(0)?) {
            Some(element) => sized(Insn::NewArray(element), 2),
            None => Err(Error::BadOperand { bci }),
        },
        Family::ANewArray => sized(Insn::ANewArray(at.u16(0)?), 3),
        Family::ArrayLength => sized(Insn::ArrayLength, 1),
        Family::AThrow => sized(Insn::AThrow, 1),
        Family::CheckCast => sized(Insn::CheckCast(at.u16(0)?), 3),
        Family::InstanceOf => sized(Insn::InstanceOf(at.u16(0)?), 3),
        Family::MonitorEnter => sized(Insn::MonitorEnter, 1),
        Family::MonitorExit => sized(Insn::MonitorExit, 1),
        Family::Wide => at.wide(),
        Family::MultiANewArray => match at.u8(2)? {
            0 => Err(Error::BadOperand { bci }),
            lengths => sized(Insn::MultiANewArray(at.u16(0)?, lengths), 4),
        },
        Family::IfNull => sized(Insn::IfNull(opcode == IFNULL, at.target16()?), 3),
        Family::GotoWide => sized(Insn::Goto(at.target(at.i32(0)?)?), 5),
        Family::JsrWide => sized(Insn::Jsr(at.target(at.i32(0)?)?), 5),
        Family::Unknown => Err(Error::BadOpcode { bci, opcode }),
    }
}

/// An instruction being decoded: the code, where in it, and what follows the opcode.
#[derive(Clone, Copy)]
struct Site<'a> {
    code: &'a [u8],
    bci: u32,
    rest: &'a [u8],
}

impl<'a> Site<'a> {
    #[cold]
    fn truncated(self) -> Error {
        Error::TruncatedCode { bci: self.bci }
    }

    #[inline]
    fn u8(self, at: usize) -> Result<u8> {
        self.rest.get(at).copied().ok_or_else(|| self.truncated())
    }

    #[inline]
    fn u16(self, at: usize) -> Result<u16> {
        match self.rest.get(at..at + 2) {
            Some(&[high, low]) => Ok(u16::from_be_bytes([high, low])),
            _ => Err(self.truncated()),
        }
    }

    #[inline]
    fn i32(self, at: usize) -> Result<i32> {
        match self.rest.get(at..at + 4) {
            Some(&[a, b, c, d]) => Ok(i32::from_be_bytes([a, b, c, d])),
            _ => Err(self.truncated()),
        }
    }

    /// The given size, if the code holds an instruction of it here.
    #[inline]
    fn checked_size(self, size: u32) -> Result<u32> {
        if self.rest.len() < size as usize - 1 { Err(self.truncated()) } else { Ok(size) }
    }

    /// The absolute target of a branch by `offset`.
    #[inline]
    fn target(self, offset: i32) -> Result<u32> {
        let target = i64::from(self.bci) + i64::from(offset);
        if target < 0 || target >= self.code.len() as i64 {
            return Err(Error::BadBranch { bci: self.bci });
        }
        Ok(target as u32)
    }

    #[inline]
    fn target16(self) -> Result<u32> {
        self.target(i32::from(self.u16(0)? as i16))
    }

    fn wide(self) -> Result<(Insn<'a>, u32)> {
        let (opcode, slot) = (self.u8(0)?, self.u16(1)?);
        let (insn, size) = match opcode {
            ILOAD..=ALOAD => (Insn::Load(KINDS[usize::from(opcode - ILOAD)], slot), 4),
            ISTORE..=ASTORE => (Insn::Store(KINDS[usize::from(opcode - ISTORE)], slot), 4),
            RET => (Insn::Ret(slot), 4),
            IINC => (Insn::IInc(slot, self.u16(3)? as i16), 6),
            _ => return Err(Error::BadOperand { bci: self.bci }),
        };
        Ok((insn, self.bci + size))
    }

    /// How many padding bytes follow the opcode so that switch operands are aligned.
    fn padding(self) -> usize {
        (3 - self.bci % 4) as usize
    }

    fn table_switch(self) -> Result<(Insn<'a>, u32)> {
        let at = self.padding();
        let default = self.target(self.i32(at)?)?;
        let (low, high) = (self.i32(at + 4)?, self.i32(at + 8)?);
        let count = i64::from(high) - i64::from(low) + 1;
        if count < 1 {
            return Err(Error::BadOperand { bci: self.bci });
        }
        let table = self.rest.get(at + 4..).unwrap_or_default();
        // Compared in i64, where a claimed count of 2^32 cannot overflow.
        if count * 4 + 8 > table.len() as i64 {
            return Err(self.truncated());
        }
        let table = &table[..8 + 4 * count as usize];
        for offset in table[8..].chunks_exact(4) {
            self.target(i32::from_be_bytes([offset[0], offset[1], offset[2], offset[3]]))?;
        }
        let switch = TableSwitch { default, bci: self.bci, table };
        Ok((Insn::TableSwitch(switch), self.bci + (1 + at + 4 + table.len()) as u32))
    }

    fn lookup_switch(self) -> Result<(Insn<'a>, u32)> {
        let at = self.padding();
        let default = self.target(self.i32(at)?)?;
        let count = self.i32(at + 4)?;
        if count < 0 {
            return Err(Error::BadOperand { bci: self.bci });
        }
        let pairs = self.rest.get(at + 8..).unwrap_or_default();
        if i64::from(count) * 8 > pairs.len() as i64 {
            return Err(self.truncated());
        }
        let pairs = &pairs[..8 * count as usize];
        let mut previous = None;
        for pair in pairs.chunks_exact(8) {
            let key = i32::from_be_bytes([pair[0], pair[1], pair[2], pair[3]]);
            self.target(i32::from_be_bytes([pair[4], pair[5], pair[6], pair[7]]))?;
            if previous.is_some_and(|previous| previous >= key) {
                return Err(Error::BadOperand { bci: self.bci });
            }
            previous = Some(key);
        }
        let switch = LookupSwitch { default, bci: self.bci, pairs };
        Ok((Insn::LookupSwitch(switch), self.bci + (1 + at + 8 + pairs.len()) as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All instructions of `code` with their bcis.
    fn decode_all(code: &[u8]) -> Vec<(u32, Insn<'_>)> {
        let mut bci = 0;
        let mut all = Vec::new();
        while (bci as usize) < code.len() {
            let (insn, next) = decode(code, bci).unwrap();
            all.push((bci, insn));
            bci = next;
        }
        all
    }

    #[test]
    fn encodings_of_one_instruction_are_one() {
        let code = [ICONST_2, BIPUSH, 2, SIPUSH, 0, 2, ILOAD_1, ILOAD, 1, WIDE, ILOAD, 0, 1];
        let insns: Vec<Insn<'_>> = decode_all(&code).into_iter().map(|(_, insn)| insn).collect();
        assert_eq!(insns[..3], [Insn::IConst(2); 3]);
        assert_eq!(insns[3..], [Insn::Load(Kind::Int, 1); 3]);
        assert_eq!(decode(&[WIDE, IINC, 1, 0, 0xff, 0xfe], 0), Ok((Insn::IInc(256, -2), 6)));
        assert_eq!(decode(&[IINC, 3, 0xff], 0), Ok((Insn::IInc(3, -1), 3)));
        assert_eq!(decode(&[BIPUSH, 0x80], 0), Ok((Insn::IConst(-128), 2)));
    }

    #[test]
    fn every_opcode_decodes_to_its_mnemonic_family() {
        for opcode in 0..=u8::MAX {
            // Zeros as operands are valid except where an instruction demands more.
            let mut code = [0; 24];
            code[0] = opcode;
            match opcode {
                NEWARRAY => code[1] = 4,
                MULTIANEWARRAY => code[3] = 1,
                WIDE => code[1] = ALOAD,
                _ => {}
            }
            assert_eq!(decode(&code, 0).is_ok(), mnemonic(opcode).is_some(), "{opcode}");
        }
    }

    #[test]
    fn branches_are_absolute_and_checked() {
        let code = [NOP, GOTO, 0xff, 0xff, GOTO_W, 0, 0, 0, 5, RETURN];
        assert_eq!(
            decode_all(&code),
            [(0, Insn::Nop), (1, Insn::Goto(0)), (4, Insn::Goto(9)), (9, Insn::Return(None))]
        );
        assert_eq!(decode(&[GOTO, 0, 3], 0), Err(Error::BadBranch { bci: 0 }));
        assert_eq!(decode(&[GOTO, 0xff, 0xff], 0), Err(Error::BadBranch { bci: 0 }));
        assert_eq!(decode(&[GOTO, 0], 0), Err(Error::TruncatedCode { bci: 0 }));
    }

    #[test]
    fn switches() {
        // At bci 1, so two bytes of padding.
        let mut code = vec![ICONST_0, TABLESWITCH, 0, 0];
        for word in [20, -1, 0, 21, 20] {
            code.extend(i32::to_be_bytes(word));
        }
        let from = code.len() as u32 - 21;
        assert_eq!(from, 3);
        code.extend([NOP; 8]);
        let (Insn::TableSwitch(switch), next) = decode(&code, 1).unwrap() else { panic!("a tableswitch") };
        assert_eq!((switch.default, switch.low(), switch.high(), next), (21, -1, 0, 24));
        assert_eq!(switch.cases().collect::<Vec<_>>(), [(-1, 22), (0, 21)]);

        let mut code = vec![LOOKUPSWITCH, 0, 0, 0];
        for word in [0, 2, -5, 0, 7, 28] {
            code.extend(i32::to_be_bytes(word));
        }
        code.push(RETURN);
        let (Insn::LookupSwitch(switch), next) = decode(&code, 0).unwrap() else { panic!("a lookupswitch") };
        assert_eq!(next, 28);
        assert_eq!(switch.cases().collect::<Vec<_>>(), [(-5, 0), (7, 28)]);
        // Keys must increase.
        code[12..16].copy_from_slice(&7i32.to_be_bytes());
        assert_eq!(decode(&code, 0), Err(Error::BadOperand { bci: 0 }));
        // A count that the code cannot hold.
        code[8..12].copy_from_slice(&i32::MAX.to_be_bytes());
        assert_eq!(decode(&code, 0), Err(Error::TruncatedCode { bci: 0 }));
        code[8..12].copy_from_slice(&(-1i32).to_be_bytes());
        assert_eq!(decode(&code, 0), Err(Error::BadOperand { bci: 0 }));
    }
}
