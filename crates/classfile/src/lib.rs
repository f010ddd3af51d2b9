//! JVM class files: lossless reading, decoding and writing.
//!
//! Reading borrows: [`ClassFile::parse`] makes one pass over the bytes, and everything it hands out (names,
//! attributes, code) is a slice of them. Names stay bytes in *modified UTF-8* ([`mutf8`]), because real classes
//! contain names that are no Unicode text. Nothing that comes from a file can make this crate panic: whatever is
//! wrong with the input is an [`Error`].
//!
//! | module         | what it knows                                                                       |
//! |----------------|-------------------------------------------------------------------------------------|
//! | [`class`]      | the outermost structure: version, pool, fields, methods, attributes                 |
//! | [`pool`]       | the constant pool and its typed lookups                                             |
//! | [`code`]       | the `Code` attribute: handlers, line and local-variable tables                      |
//! | [`insn`]       | instructions in a normalised form, decoded from bytes                               |
//! | [`stack_map`]  | `StackMapTable` frames                                                              |
//! | [`attributes`] | the insides of all other attributes                                                |
//! | [`descriptor`] | field and method descriptors                                                        |
//! | [`access`]     | access flags                                                                        |
//! | [`edit`]       | classes changed and written                                                         |
//! | [`walk`]       | the bare walk over a class, as a yardstick for speed and a robustness check         |

pub mod access;
pub mod attributes;
pub mod class;
pub mod code;
mod decode;
pub mod descriptor;
pub mod edit;
mod encode;
mod error;
pub mod insn;
pub mod mutf8;
pub mod opcode;
mod output;
pub mod pool;
pub mod pool_editor;
mod reader;
pub mod stack_map;
#[cfg(test)]
mod testing;
pub mod walk;

pub use class::{Attribute, BootstrapMethod, ClassFile, Member};
pub use code::{Code, Handler, LocalVariable};
pub use descriptor::{ArrayType, FieldType, MethodDescriptor, PrimitiveType};
pub use error::{Error, Result};
pub use insn::{
    ArrayKind, BinaryOp, CompareOp, Cond, Conversion, Insn, Kind, LookupSwitch, StackOp, TableSwitch,
};
pub use pool::{
    Constant, ConstantPool, DynamicRef, HandleKind, MemberKind, MemberRef, MethodHandle, NameAndType,
};
pub use pool_editor::PoolEditor;
pub use stack_map::{Frame, FrameChange, VerificationType};
