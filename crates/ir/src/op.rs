//! The operations of the intermediate form.

use selvedge_base::{Symbol, entity};

use crate::body::Block;
use crate::dynamic::{CallSiteId, ConstantId};
use crate::types::{ArrayKind, ClassName, PrimitiveType};

/// What an instruction does. Its operands are the instruction's arguments, in the order given with each variant;
/// a variant that says `->` defines a value.
///
/// The operations from [`Goto`](Op::Goto) on are terminators: each block ends with exactly one, and has no other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Op {
    /// `-> value`: merges one argument per incoming edge of the block, in the order of its predecessors.
    /// Phis come first in their block.
    Phi,
    /// `-> throwable`: the exception that entered this block; first (after phis) in a block that unwind edges lead to,
    /// and nowhere else.
    Catch,

    /// `-> int`.
    Int(i32),
    /// `-> long`.
    Long(i64),
    /// `-> float`.
    Float(f32),
    /// `-> double`.
    Double(f64),
    /// `-> null`.
    Null,
    /// `-> java/lang/String`: a string literal, in modified UTF-8.
    String(Symbol),
    /// `-> java/lang/Class`: a class literal (loading it may fail, so it may throw).
    Class(ClassName),
    /// `-> value`: any other loadable constant: method handle, method type, dynamic constant.
    Constant(ConstantId),

    /// `a, b -> value`: arithmetic on two operands of the result's type (a shift's second operand is an int).
    /// Division and remainder of ints and longs may throw.
    Binary(BinaryOp),
    /// `a -> value`: arithmetic negation.
    Neg,
    /// `a -> value`: a primitive conversion.
    Convert(Conversion),
    /// `a, b -> int`: -1, 0 or 1.
    Compare(Comparison),

    /// `-> object`: an uninitialised instance of the class; the `<init>` call follows.
    New(ClassName),
    /// `length -> array`: a new array with primitive elements.
    NewPrimitiveArray(PrimitiveType),
    /// `length -> array`: a new array of references. The operand is the array's own type, `[Ljava/lang/String;`.
    NewArray(ClassName),
    /// `lengths... -> array`: arrays of arrays. The operand is the outermost array's type.
    NewMultiArray(ClassName),
    /// `array -> int`.
    ArrayLength,
    /// `array, index -> value`.
    ArrayLoad(ArrayKind),
    /// `array, index, value`.
    ArrayStore(ArrayKind),

    /// `object -> value`.
    GetField(FieldRef),
    /// `object, value`.
    PutField(FieldRef),
    /// `-> value`.
    GetStatic(FieldRef),
    /// `value`.
    PutStatic(FieldRef),

    /// `receiver?, arguments... -> value?`: a call; the result is there unless the method returns void.
    Invoke(InvokeKind, MethodRef),
    /// `arguments... -> value?`: a call through an `invokedynamic` site.
    InvokeDynamic(CallSiteId),

    /// `object -> object`: the same reference, with the static type of the cast. May throw.
    CheckCast(ClassName),
    /// `object -> int`: 1 if the object is an instance and not null.
    InstanceOf(ClassName),
    /// `object`.
    MonitorEnter,
    /// `object`.
    MonitorExit,

    /// Continues at a block.
    Goto(Block),
    /// `a, b` or, against zero or null, `a`: continues at `then` where the condition holds and else at `otherwise`.
    If {
        /// What is tested.
        condition: Condition,
        /// Where to go if it holds.
        then: Block,
        /// Where to go if it does not.
        otherwise: Block,
    },
    /// `key`: continues at the target of the key's case in [`Body::switches`](crate::Body::switches), or at its default.
    Switch(SwitchId),
    /// `value?`: returns from the method.
    Return,
    /// `throwable`: throws.
    Throw,
}

impl Op {
    /// Whether the operation ends its block.
    pub fn is_terminator(&self) -> bool {
        matches!(self, Op::Goto(_) | Op::If { .. } | Op::Switch(_) | Op::Return | Op::Throw)
    }

    /// Whether the operation may complete by throwing, by the JVM specification (asynchronous errors such as running
    /// out of memory at an allocation included, `Thread.stop` not).
    ///
    /// `zero_check` says whether a division's operands are integral; see [`Body::may_throw`](crate::Body::may_throw).
    pub fn may_throw(&self, zero_check: bool) -> bool {
        match self {
            Op::Class(_)
            | Op::Constant(_)
            | Op::New(_)
            | Op::NewPrimitiveArray(_)
            | Op::NewArray(_)
            | Op::NewMultiArray(_)
            | Op::ArrayLength
            | Op::ArrayLoad(_)
            | Op::ArrayStore(_)
            | Op::GetField(_)
            | Op::PutField(_)
            | Op::GetStatic(_)
            | Op::PutStatic(_)
            | Op::Invoke(..)
            | Op::InvokeDynamic(_)
            | Op::CheckCast(_)
            | Op::InstanceOf(_)
            | Op::MonitorEnter
            | Op::MonitorExit
            | Op::Throw
            // A synchronized method may throw IllegalMonitorStateException on return.
            | Op::Return => true,
            Op::Binary(BinaryOp::Div | BinaryOp::Rem) => zero_check,
            _ => false,
        }
    }
}

/// Arithmetic and logic on two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    /// Shift right, keeping the sign.
    Shr,
    /// Shift right, filling with zeros.
    Ushr,
    And,
    Or,
    Xor,
}

/// Primitive conversions, named as the bytecode names them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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

/// Three-way comparisons; the last letter of the floating-point ones says what NaN gives: less (-1) or greater (1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Comparison {
    Long,
    FloatL,
    FloatG,
    DoubleL,
    DoubleG,
}

/// What an [`Op::If`] tests. The first six compare two ints, or one with zero where there is one argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Condition {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
    /// Two references are the same, or one is null.
    RefEq,
    /// Two references differ, or one is not null.
    RefNe,
}

/// A field as the class file names it: before resolution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FieldRef {
    /// The class in which resolution starts.
    pub owner: ClassName,
    /// The field's name.
    pub name: Symbol,
    /// The field's type descriptor.
    pub descriptor: Symbol,
}

/// A method as the class file names it: before resolution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MethodRef {
    /// The class in which resolution starts.
    pub owner: ClassName,
    /// The method's name.
    pub name: Symbol,
    /// The method's descriptor.
    pub descriptor: Symbol,
    /// Whether the reference says that the owner is an interface.
    pub interface: bool,
}

/// How a call selects its target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InvokeKind {
    /// By the receiver's class.
    Virtual,
    /// By the receiver's class, through an interface.
    Interface,
    /// Exactly the named method: constructors, private methods, `super` calls.
    Special,
    /// Without a receiver.
    Static,
}

entity! {
    /// A table of an [`Op::Switch`] in its body.
    SwitchId "sw";
}

/// Where an [`Op::Switch`] continues.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Switch {
    /// Keys with their targets, by ascending key.
    pub cases: Vec<(i32, Block)>,
    /// The target of every other key.
    pub default: Block,
}
