//! Annotations on uses of types, each with the place of the type it belongs to.

use crate::attributes::annotation::Annotation;
use crate::error::{Error, Result};
use crate::output::Output;
use crate::pool::ConstantPool;
use crate::pool_editor::PoolEditor;
use crate::reader::Reader;

/// An annotation on a use of a type.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeAnnotation<'a> {
    /// The kind of place, as numbered by the specification (table 4.7.20-A).
    pub target_type: u8,
    /// The place.
    pub target: TypeTarget,
    /// Which part of the type there: steps of (kind, type argument), from the outermost type inwards.
    pub path: Vec<(u8, u8)>,
    /// The annotation.
    pub annotation: Annotation<'a>,
}

/// Where an annotated type is used, as far as `target_type` alone does not say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeTarget {
    /// `target_type` says it all: a field's type, a method's result, a receiver.
    Whole,
    /// The declaration of the type parameter of this index.
    TypeParameter(u8),
    /// The superinterface of this index; 65535 is the superclass.
    Supertype(u16),
    /// A bound of a type parameter: both indexes.
    TypeParameterBound(u8, u8),
    /// The parameter of this index.
    FormalParameter(u8),
    /// The exception of this index in the `throws` clause.
    Throws(u16),
    /// A local variable or resource, by where it has which slot.
    LocalVariable(Vec<VariableRange>),
    /// The exception handler of this index.
    Catch(u16),
    /// The instruction at this bci.
    Instruction(u16),
    /// A cast's intersection part or a call's type argument: the instruction's bci and the index.
    TypeArgument(u16, u8),
}

/// A part of the code in which a local variable has a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariableRange {
    /// First bci.
    pub start: u16,
    /// Number of bytes of code.
    pub length: u16,
    /// The slot.
    pub slot: u16,
}

impl<'a> TypeAnnotation<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>, pool: &ConstantPool<'a>) -> Result<TypeAnnotation<'a>> {
        let target_type = reader.u8()?;
        let target = match target_type {
            0x00 | 0x01 => TypeTarget::TypeParameter(reader.u8()?),
            0x10 => TypeTarget::Supertype(reader.u16()?),
            0x11 | 0x12 => TypeTarget::TypeParameterBound(reader.u8()?, reader.u8()?),
            0x13..=0x15 => TypeTarget::Whole,
            0x16 => TypeTarget::FormalParameter(reader.u8()?),
            0x17 => TypeTarget::Throws(reader.u16()?),
            0x40 | 0x41 => TypeTarget::LocalVariable(reader.list(6, |reader| {
                Ok(VariableRange { start: reader.u16()?, length: reader.u16()?, slot: reader.u16()? })
            })?),
            0x42 => TypeTarget::Catch(reader.u16()?),
            0x43..=0x46 => TypeTarget::Instruction(reader.u16()?),
            0x47..=0x4b => TypeTarget::TypeArgument(reader.u16()?, reader.u8()?),
            _ => return Err(Error::Malformed { what: "a type annotation has an unknown target" }),
        };
        let path = reader.short_list(2, |reader| Ok((reader.u8()?, reader.u8()?)))?;
        Ok(TypeAnnotation { target_type, target, path, annotation: Annotation::read(reader, pool)? })
    }

    pub(crate) fn write(&self, out: &mut Output, pool: &mut PoolEditor<'_>) -> Result<()> {
        out.u8(self.target_type);
        match &self.target {
            TypeTarget::Whole => {}
            &TypeTarget::TypeParameter(index) | &TypeTarget::FormalParameter(index) => out.u8(index),
            &TypeTarget::Supertype(index) | &TypeTarget::Throws(index) => out.u16(index),
            &TypeTarget::Catch(index) | &TypeTarget::Instruction(index) => out.u16(index),
            &TypeTarget::TypeParameterBound(parameter, bound) => {
                out.u8(parameter);
                out.u8(bound);
            }
            TypeTarget::LocalVariable(ranges) => {
                out.list(ranges, "a type annotation", |out, range| {
                    out.u16(range.start);
                    out.u16(range.length);
                    out.u16(range.slot);
                    Ok(())
                })?;
            }
            &TypeTarget::TypeArgument(bci, index) => {
                out.u16(bci);
                out.u8(index);
            }
        }
        out.short_list(&self.path, "a type annotation's path", |out, &(kind, argument)| {
            out.u8(kind);
            out.u8(argument);
            Ok(())
        })?;
        self.annotation.write(out, pool)
    }
}
