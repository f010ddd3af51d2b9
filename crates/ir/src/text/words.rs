//! The words of the text form, each table once for printing and parsing.

use selvedge_classfile::access;

use crate::dynamic::HandleKind;
use crate::op::{BinaryOp, Comparison, Condition, Conversion, InvokeKind};
use crate::types::{ArrayKind, PrimitiveType};

/// Things and their words.
pub(super) type Words<T> = [(T, &'static str)];

/// The word of a thing; every table has all things of its type.
pub(super) fn word<T: Copy + PartialEq>(words: &Words<T>, thing: T) -> &'static str {
    words.iter().find(|(candidate, _)| *candidate == thing).map_or("?", |(_, word)| word)
}

/// The thing of a word.
pub(super) fn thing<T: Copy>(words: &Words<T>, word: &str) -> Option<T> {
    words.iter().find(|(_, candidate)| *candidate == word).map(|(thing, _)| *thing)
}

pub(super) const BINARY: &Words<BinaryOp> = &[
    (BinaryOp::Add, "add"),
    (BinaryOp::Sub, "sub"),
    (BinaryOp::Mul, "mul"),
    (BinaryOp::Div, "div"),
    (BinaryOp::Rem, "rem"),
    (BinaryOp::Shl, "shl"),
    (BinaryOp::Shr, "shr"),
    (BinaryOp::Ushr, "ushr"),
    (BinaryOp::And, "and"),
    (BinaryOp::Or, "or"),
    (BinaryOp::Xor, "xor"),
];

pub(super) const CONVERSIONS: &Words<Conversion> = &[
    (Conversion::I2L, "i2l"),
    (Conversion::I2F, "i2f"),
    (Conversion::I2D, "i2d"),
    (Conversion::L2I, "l2i"),
    (Conversion::L2F, "l2f"),
    (Conversion::L2D, "l2d"),
    (Conversion::F2I, "f2i"),
    (Conversion::F2L, "f2l"),
    (Conversion::F2D, "f2d"),
    (Conversion::D2I, "d2i"),
    (Conversion::D2L, "d2l"),
    (Conversion::D2F, "d2f"),
    (Conversion::I2B, "i2b"),
    (Conversion::I2C, "i2c"),
    (Conversion::I2S, "i2s"),
];

pub(super) const COMPARISONS: &Words<Comparison> = &[
    (Comparison::Long, "lcmp"),
    (Comparison::FloatL, "fcmpl"),
    (Comparison::FloatG, "fcmpg"),
    (Comparison::DoubleL, "dcmpl"),
    (Comparison::DoubleG, "dcmpg"),
];

pub(super) const CONDITIONS: &Words<Condition> = &[
    (Condition::Eq, "eq"),
    (Condition::Ne, "ne"),
    (Condition::Lt, "lt"),
    (Condition::Ge, "ge"),
    (Condition::Gt, "gt"),
    (Condition::Le, "le"),
    (Condition::RefEq, "ref_eq"),
    (Condition::RefNe, "ref_ne"),
];

pub(super) const INVOKES: &Words<InvokeKind> = &[
    (InvokeKind::Virtual, "virtual"),
    (InvokeKind::Interface, "interface"),
    (InvokeKind::Special, "special"),
    (InvokeKind::Static, "static"),
];

pub(super) const PRIMITIVES: &Words<PrimitiveType> = &[
    (PrimitiveType::Boolean, "boolean"),
    (PrimitiveType::Char, "char"),
    (PrimitiveType::Float, "float"),
    (PrimitiveType::Double, "double"),
    (PrimitiveType::Byte, "byte"),
    (PrimitiveType::Short, "short"),
    (PrimitiveType::Int, "int"),
    (PrimitiveType::Long, "long"),
];

pub(super) const ARRAYS: &Words<ArrayKind> = &[
    (ArrayKind::Int, "int"),
    (ArrayKind::Long, "long"),
    (ArrayKind::Float, "float"),
    (ArrayKind::Double, "double"),
    (ArrayKind::Ref, "ref"),
    (ArrayKind::ByteOrBoolean, "byte"),
    (ArrayKind::Char, "char"),
    (ArrayKind::Short, "short"),
];

pub(super) const FIELD_HANDLES: &Words<HandleKind> = &[
    (HandleKind::GetField, "getfield"),
    (HandleKind::GetStatic, "getstatic"),
    (HandleKind::PutField, "putfield"),
    (HandleKind::PutStatic, "putstatic"),
];

pub(super) const METHOD_HANDLES: &Words<HandleKind> = &[
    (HandleKind::InvokeVirtual, "invokevirtual"),
    (HandleKind::InvokeStatic, "invokestatic"),
    (HandleKind::InvokeSpecial, "invokespecial"),
    (HandleKind::NewInvokeSpecial, "newinvokespecial"),
    (HandleKind::InvokeInterface, "invokeinterface"),
];

pub(super) const FLAGS: &Words<u16> = &[
    (access::PUBLIC, "public"),
    (access::PRIVATE, "private"),
    (access::PROTECTED, "protected"),
    (access::STATIC, "static"),
    (access::FINAL, "final"),
    (access::SYNCHRONIZED, "synchronized"),
    (access::BRIDGE, "bridge"),
    (access::VARARGS, "varargs"),
    (access::NATIVE, "native"),
    (access::ABSTRACT, "abstract"),
    (access::STRICT, "strict"),
    (access::SYNTHETIC, "synthetic"),
];

/// Marks a method reference whose owner is an interface, where the call itself does not say so.
pub(super) const OF_INTERFACE: &str = "of_interface";
/// Marks a method reference whose owner is not an interface, where the call itself would say so.
pub(super) const OF_CLASS: &str = "of_class";
