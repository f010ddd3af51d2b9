//! A stackless typed SSA form of JVM methods: lowering from bytecode, text form, verifier.
//!
//! A [`Body`] is one method's code. It names everything it mentions (classes, fields, methods) symbolically, exactly as
//! the class file does; resolving names to declarations is the business of the `world` crate. Lowering a method is
//! therefore a pure function of its class file and of a [`TypeOracle`] that answers subclass questions for typing.

mod body;
pub mod cfg;
mod dynamic;
mod equality;
mod executed;
mod lower;
mod op;
pub mod text;
mod types;
mod typing;
pub mod value_numbering;
mod verify;

pub use body::{
    Block, BlockData, Body, Edge, EdgeKind, Inst, InstData, Unwind, Value, ValueData, ValueDef, ValueList,
};
pub use cfg::{Availability, Cfg};
pub use dynamic::{
    Bootstrap, CallSite, CallSiteId, CallSiteKind, Constant, ConstantId, HandleKind, Lambda, MethodHandle,
};
pub use executed::{Marked, executed_before};
pub use lower::{LowerError, Lowerer, lower};
pub use op::{
    BinaryOp, Comparison, Condition, Conversion, FieldRef, InvokeKind, MethodRef, Op, Switch, SwitchId,
};
pub use types::{ArrayKind, ClassName, NoHierarchy, PrimitiveType, Type, TypeOracle};
pub use typing::Typing;
pub use value_numbering::ValueNumbering;
pub use verify::{MAX_ERRORS, VerifyError, verify, verify_method};
