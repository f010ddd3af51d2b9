//! Instructions in a normalised form.
//!
//! One variant per thing to do, not per encoding: `iconst_2`, `bipush 2` and `sipush 2` are all `IConst(2)`, `wide`
//! disappears, branch targets are absolute. The encoding is not lost, because the encodings of one instruction differ
//! in length, which is known from the bcis; see [`Insn::write`].

use crate::descriptor::PrimitiveType;

/// The five types of values that loads, stores, arithmetic and returns distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Kind {
    Int,
    Long,
    Float,
    Double,
    Ref,
}

/// The types of array elements that array loads and stores distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum ArrayKind {
    Int,
    Long,
    Float,
    Double,
    Ref,
    /// `byte` or `boolean`.
    Byte,
    Char,
    Short,
}

/// Instructions that only move operands, in slots (a `long` or `double` is two).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum StackOp {
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
}

/// Arithmetic with two operands. Shifts and bit operations exist for `int` and `long` only; the second operand of a
/// shift is always an `int`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    UShr,
    And,
    Or,
    Xor,
}

/// Conversions between primitive types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Conversion {
    I2L,
    I2F,
    I2D,
    L2I,
    L2F,
    L2D,
    F2I,
    F2L,
    F2D,
    D2I,
    D2L,
    D2F,
    I2B,
    I2C,
    I2S,
}

/// Comparisons that push -1, 0 or 1. With a NaN, `L` gives -1 and `G` gives 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum CompareOp {
    LCmp,
    FCmpL,
    FCmpG,
    DCmpL,
    DCmpG,
}

/// Conditions of branches on `int`s, in the order of their opcodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Cond {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}

impl Cond {
    /// The condition that holds exactly when this one does not.
    pub fn negate(self) -> Cond {
        match self {
            Cond::Eq => Cond::Ne,
            Cond::Ne => Cond::Eq,
            Cond::Lt => Cond::Ge,
            Cond::Ge => Cond::Lt,
            Cond::Gt => Cond::Le,
            Cond::Le => Cond::Gt,
        }
    }
}

/// An instruction. Targets are bcis that lie inside the code, though possibly not at the start of an instruction; other
/// `u16` operands are pool indexes or local-variable slots, as the variants say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Insn<'a> {
    /// Nothing.
    Nop,
    /// Pushes `null`.
    AConstNull,
    /// Pushes an `int`: `iconst_*`, `bipush`, `sipush`.
    IConst(i32),
    /// Pushes 0 or 1.
    LConst(i64),
    /// Pushes 0, 1 or 2.
    FConst(f32),
    /// Pushes 0 or 1.
    DConst(f64),
    /// Pushes the constant at a pool index: `ldc`, `ldc_w`, `ldc2_w`.
    Ldc(u16),
    /// Pushes the local at a slot.
    Load(Kind, u16),
    /// Pops into the local at a slot. (`astore` also stores return addresses of `jsr`.)
    Store(Kind, u16),
    /// Adds a constant to the `int` at a slot.
    IInc(u16, i16),
    /// array, index -> element
    ArrayLoad(ArrayKind),
    /// array, index, element ->
    ArrayStore(ArrayKind),
    /// Moves operands.
    Stack(StackOp),
    /// Arithmetic with two operands.
    Binary(BinaryOp, Kind),
    /// Negation.
    Neg(Kind),
    /// Conversion.
    Convert(Conversion),
    /// Three-way comparison.
    Compare(CompareOp),
    /// Branches if the `int` compares so with zero.
    IfZero(Cond, u32),
    /// Branches if the two `int`s compare so.
    IfICmp(Cond, u32),
    /// Branches if the two references are equal (`true`) or differ (`false`).
    IfACmp(bool, u32),
    /// Branches if the reference is null (`true`) or is not (`false`).
    IfNull(bool, u32),
    /// Branches: `goto`, `goto_w`.
    Goto(u32),
    /// Calls a subroutine, pushing the return address: `jsr`, `jsr_w`. Up to version 50.
    Jsr(u32),
    /// Returns to the address in the local at a slot. Up to version 50.
    Ret(u16),
    /// Branches by a dense range of keys.
    TableSwitch(TableSwitch<'a>),
    /// Branches by sorted keys.
    LookupSwitch(LookupSwitch<'a>),
    /// Returns from the method, with a value or without.
    Return(Option<Kind>),
    /// -> value; pool index of a field.
    GetStatic(u16),
    /// value ->; pool index of a field.
    PutStatic(u16),
    /// object -> value; pool index of a field.
    GetField(u16),
    /// object, value ->; pool index of a field.
    PutField(u16),
    /// Pool index of a method, selected by the receiver's class.
    InvokeVirtual(u16),
    /// Pool index of a constructor, or of a method of a superclass or of this class.
    InvokeSpecial(u16),
    /// Pool index of a static method.
    InvokeStatic(u16),
    /// Pool index of an interface method, selected by the receiver's class.
    InvokeInterface(u16),
    /// Pool index of a call site.
    InvokeDynamic(u16),
    /// -> object; pool index of a class.
    New(u16),
    /// length -> array
    NewArray(PrimitiveType),
    /// length -> array; pool index of the component's class.
    ANewArray(u16),
    /// array -> length
    ArrayLength,
    /// Throws the reference.
    AThrow,
    /// Pool index of a class.
    CheckCast(u16),
    /// Pool index of a class.
    InstanceOf(u16),
    /// Enters the object's monitor.
    MonitorEnter,
    /// Leaves the object's monitor.
    MonitorExit,
    /// lengths -> array; pool index of the array's class, number of lengths (at least 1).
    MultiANewArray(u16, u8),
}

/// A `tableswitch`: keys `low..=high`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableSwitch<'a> {
    /// Where keys outside the range go.
    pub default: u32,
    /// The bci of the instruction, from which offsets count.
    pub(crate) bci: u32,
    /// The operands from the lowest key on: `low`, `high`, and one offset for each key. All were checked.
    pub(crate) table: &'a [u8],
}

/// A `lookupswitch`: strictly increasing keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LookupSwitch<'a> {
    /// Where all other keys go.
    pub default: u32,
    /// The bci of the instruction, from which offsets count.
    pub(crate) bci: u32,
    /// The key and offset pairs. All were checked.
    pub(crate) pairs: &'a [u8],
}

impl<'a> TableSwitch<'a> {
    /// The lowest key.
    pub fn low(self) -> i32 {
        i32_at(self.table, 0)
    }

    /// The highest key, at least the lowest.
    pub fn high(self) -> i32 {
        i32_at(self.table, 4)
    }

    /// `(key, target)` for each key, in increasing order.
    pub fn cases(self) -> impl ExactSizeIterator<Item = (i32, u32)> + DoubleEndedIterator + Clone + 'a {
        let low = self.low();
        self.table[8..].chunks_exact(4).enumerate().map(move |(position, offset)| {
            (low.wrapping_add(position as i32), self.bci.wrapping_add_signed(i32_at(offset, 0)))
        })
    }
}

impl<'a> LookupSwitch<'a> {
    /// `(key, target)` for each key, in increasing order.
    pub fn cases(self) -> impl ExactSizeIterator<Item = (i32, u32)> + DoubleEndedIterator + Clone + 'a {
        self.pairs
            .chunks_exact(8)
            .map(move |pair| (i32_at(pair, 0), self.bci.wrapping_add_signed(i32_at(pair, 4))))
    }
}

fn i32_at(bytes: &[u8], at: usize) -> i32 {
    i32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

impl Insn<'_> {
    /// Can control go on to the instruction behind this one? False for `goto`, returns, throws, switches, `jsr` (which
    /// comes back by `ret`) and `ret`.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self,
            Insn::Goto(_)
                | Insn::Jsr(_)
                | Insn::Ret(_)
                | Insn::TableSwitch(_)
                | Insn::LookupSwitch(_)
                | Insn::Return(_)
                | Insn::AThrow
        )
    }

    /// Calls `each` with every bci that the instruction names as a branch target, the default of a switch first.
    pub fn for_each_target(&self, mut each: impl FnMut(u32)) {
        match *self {
            Insn::IfZero(_, target) | Insn::IfICmp(_, target) => each(target),
            Insn::IfACmp(_, target) | Insn::IfNull(_, target) => each(target),
            Insn::Goto(target) | Insn::Jsr(target) => each(target),
            Insn::TableSwitch(switch) => {
                each(switch.default);
                switch.cases().for_each(|(_, target)| each(target));
            }
            Insn::LookupSwitch(switch) => {
                each(switch.default);
                switch.cases().for_each(|(_, target)| each(target));
            }
            _ => {}
        }
    }
}

const _: () = assert!(std::mem::size_of::<Insn<'_>>() <= 32);
