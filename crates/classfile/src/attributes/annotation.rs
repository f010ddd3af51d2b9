//! Annotations on declarations: types, elements and their values.

use crate::descriptor::PrimitiveType;
use crate::error::{Error, Result};
use crate::output::Output;
use crate::pool::ConstantPool;
use crate::pool_editor::PoolEditor;
use crate::reader::Reader;

/// An annotation with the elements that were given (those left to their defaults are not stored).
#[derive(Debug, Clone, PartialEq)]
pub struct Annotation<'a> {
    /// Descriptor of the annotation's interface, as `Ljava/lang/Deprecated;`.
    pub type_descriptor: &'a [u8],
    /// `(name, value)` of the elements.
    pub elements: Vec<(&'a [u8], ElementValue<'a>)>,
}

/// The value of an annotation's element.
#[derive(Debug, Clone, PartialEq)]
pub enum ElementValue<'a> {
    /// A `boolean`, `byte`, `char`, `short` or `int`, as the type says.
    Int(PrimitiveType, i32),
    /// A `long`.
    Long(i64),
    /// A `float`.
    Float(f32),
    /// A `double`.
    Double(f64),
    /// A `String` in modified UTF-8.
    String(&'a [u8]),
    /// An enum constant.
    Enum {
        /// Descriptor of the enum.
        type_descriptor: &'a [u8],
        /// Name of the constant.
        name: &'a [u8],
    },
    /// A class literal by descriptor; `V` for `void`.
    Class(&'a [u8]),
    /// A nested annotation.
    Annotation(Annotation<'a>),
    /// An array.
    Array(Vec<ElementValue<'a>>),
}

/// Values nest: arrays hold annotations, which hold arrays. The language limits the depth by the number of annotation
/// types written, a hostile file by nothing; deeper than this is refused so that reading cannot exhaust the stack.
const MAX_DEPTH: u32 = 100;

impl<'a> Annotation<'a> {
    /// The value of the element of this name, if given.
    pub fn element(&self, name: &[u8]) -> Option<&ElementValue<'a>> {
        self.elements.iter().find(|(given, _)| *given == name).map(|(_, value)| value)
    }

    pub(crate) fn read(reader: &mut Reader<'a>, pool: &ConstantPool<'a>) -> Result<Annotation<'a>> {
        Self::read_nested(reader, pool, MAX_DEPTH)
    }

    fn read_nested(reader: &mut Reader<'a>, pool: &ConstantPool<'a>, depth: u32) -> Result<Annotation<'a>> {
        let type_descriptor = pool.utf8(reader.u16()?)?;
        let elements = reader.list(5, |reader| {
            let name = pool.utf8(reader.u16()?)?;
            Ok((name, ElementValue::read_nested(reader, pool, depth)?))
        })?;
        Ok(Annotation { type_descriptor, elements })
    }

    pub(crate) fn write(&self, out: &mut Output, pool: &mut PoolEditor<'_>) -> Result<()> {
        out.u16(pool.utf8(self.type_descriptor)?);
        out.list(&self.elements, "an annotation", |out, (name, value)| {
            out.u16(pool.utf8(name)?);
            value.write(out, pool)
        })
    }
}

impl<'a> ElementValue<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>, pool: &ConstantPool<'a>) -> Result<ElementValue<'a>> {
        Self::read_nested(reader, pool, MAX_DEPTH)
    }

    fn read_nested(reader: &mut Reader<'a>, pool: &ConstantPool<'a>, depth: u32) -> Result<ElementValue<'a>> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(Error::Malformed { what: "annotations are nested too deeply" });
        };
        let tag = reader.u8()?;
        Ok(match tag {
            b'B' | b'C' | b'I' | b'S' | b'Z' => {
                let primitive =
                    PrimitiveType::from_letter(tag).expect("these are letters of primitive types");
                ElementValue::Int(primitive, pool.integer(reader.u16()?)?)
            }
            b'J' => ElementValue::Long(pool.long(reader.u16()?)?),
            b'F' => ElementValue::Float(pool.float(reader.u16()?)?),
            b'D' => ElementValue::Double(pool.double(reader.u16()?)?),
            b's' => ElementValue::String(pool.utf8(reader.u16()?)?),
            b'e' => ElementValue::Enum {
                type_descriptor: pool.utf8(reader.u16()?)?,
                name: pool.utf8(reader.u16()?)?,
            },
            b'c' => ElementValue::Class(pool.utf8(reader.u16()?)?),
            b'@' => ElementValue::Annotation(Annotation::read_nested(reader, pool, depth)?),
            b'[' => ElementValue::Array(reader.list(3, |reader| Self::read_nested(reader, pool, depth))?),
            _ => return Err(Error::Malformed { what: "an annotation's element has an unknown tag" }),
        })
    }

    pub(crate) fn write(&self, out: &mut Output, pool: &mut PoolEditor<'_>) -> Result<()> {
        let (tag, index) = match self {
            ElementValue::Int(primitive, value) => (primitive.letter(), pool.integer(*value)?),
            ElementValue::Long(value) => (b'J', pool.long(*value)?),
            ElementValue::Float(value) => (b'F', pool.float(*value)?),
            ElementValue::Double(value) => (b'D', pool.double(*value)?),
            ElementValue::String(text) => (b's', pool.utf8(text)?),
            ElementValue::Class(descriptor) => (b'c', pool.utf8(descriptor)?),
            ElementValue::Enum { type_descriptor, name } => {
                out.u8(b'e');
                out.u16(pool.utf8(type_descriptor)?);
                out.u16(pool.utf8(name)?);
                return Ok(());
            }
            ElementValue::Annotation(annotation) => {
                out.u8(b'@');
                return annotation.write(out, pool);
            }
            ElementValue::Array(values) => {
                out.u8(b'[');
                return out.list(values, "an array in an annotation", |out, value| value.write(out, pool));
            }
        };
        out.u8(tag);
        out.u16(index);
        Ok(())
    }
}
