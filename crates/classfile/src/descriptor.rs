//! Field and method descriptors, checked once and then read without allocation or failure.

use crate::error::{Error, Result};

/// The eight primitive types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PrimitiveType {
    /// `boolean`, `Z`.
    Boolean,
    /// `char`, `C`.
    Char,
    /// `float`, `F`.
    Float,
    /// `double`, `D`.
    Double,
    /// `byte`, `B`.
    Byte,
    /// `short`, `S`.
    Short,
    /// `int`, `I`.
    Int,
    /// `long`, `J`.
    Long,
}

impl PrimitiveType {
    /// In the order of `newarray`'s operand, which starts at 4.
    const ALL: [PrimitiveType; 8] = [
        PrimitiveType::Boolean,
        PrimitiveType::Char,
        PrimitiveType::Float,
        PrimitiveType::Double,
        PrimitiveType::Byte,
        PrimitiveType::Short,
        PrimitiveType::Int,
        PrimitiveType::Long,
    ];

    /// The type that a descriptor's letter stands for.
    pub fn from_letter(letter: u8) -> Option<PrimitiveType> {
        Self::ALL.into_iter().find(|primitive| primitive.letter() == letter)
    }

    /// The descriptor of this type, which is one letter.
    pub fn letter(self) -> u8 {
        b"ZCFDBSIJ"[self as usize]
    }

    /// The type's name in Java.
    pub fn name(self) -> &'static str {
        ["boolean", "char", "float", "double", "byte", "short", "int", "long"][self as usize]
    }

    /// The element type that the operand of `newarray` stands for.
    pub fn from_newarray_operand(operand: u8) -> Option<PrimitiveType> {
        Self::ALL.get(usize::from(operand).checked_sub(4)?).copied()
    }

    /// The operand of `newarray` for this element type.
    pub fn newarray_operand(self) -> u8 {
        self as u8 + 4
    }

    /// How many local-variable or stack slots a value takes.
    pub fn slots(self) -> u16 {
        if matches!(self, PrimitiveType::Long | PrimitiveType::Double) { 2 } else { 1 }
    }
}

/// The type of a field, parameter or value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldType<'a> {
    /// A primitive type.
    Primitive(PrimitiveType),
    /// A class or interface by its internal name (`java/lang/Object`).
    Class(&'a [u8]),
    /// An array.
    Array(ArrayType<'a>),
}

/// An array type: one to 255 dimensions of an element that is no array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArrayType<'a> {
    /// The whole descriptor, `[` included.
    descriptor: &'a [u8],
    dims: u8,
}

impl<'a> ArrayType<'a> {
    /// The number of dimensions, at least 1.
    pub fn dims(self) -> u8 {
        self.dims
    }

    /// The innermost type, never an array.
    pub fn element(self) -> FieldType<'a> {
        split_checked(&self.descriptor[usize::from(self.dims)..]).0
    }

    /// The type of what is stored in the array: one dimension less.
    pub fn component(self) -> FieldType<'a> {
        match self.dims {
            1 => self.element(),
            dims => FieldType::Array(ArrayType { descriptor: &self.descriptor[1..], dims: dims - 1 }),
        }
    }

    /// The array's descriptor, which is also its name in `Class` constants.
    pub fn descriptor(self) -> &'a [u8] {
        self.descriptor
    }
}

impl<'a> FieldType<'a> {
    /// Reads a whole field descriptor.
    pub fn parse(descriptor: &'a [u8]) -> Result<FieldType<'a>> {
        match split(descriptor)? {
            (field_type, []) => Ok(field_type),
            _ => Err(Error::BadDescriptor),
        }
    }

    /// Reads the name in a `Class` constant: an internal name, or the descriptor of an array.
    pub fn parse_class_name(name: &'a [u8]) -> Result<FieldType<'a>> {
        if name.first() == Some(&b'[') { Self::parse(name) } else { Ok(FieldType::Class(name)) }
    }

    /// How many local-variable or stack slots a value takes.
    pub fn slots(self) -> u16 {
        match self {
            FieldType::Primitive(primitive) => primitive.slots(),
            FieldType::Class(_) | FieldType::Array(_) => 1,
        }
    }

    /// Is it a class, interface or array?
    pub fn is_reference(self) -> bool {
        !matches!(self, FieldType::Primitive(_))
    }
}

/// A method's parameter types and result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodDescriptor<'a> {
    /// What stands between the parentheses.
    params: &'a [u8],
    /// What stands after them.
    result: &'a [u8],
    param_slots: u8,
    param_count: u8,
}

impl<'a> MethodDescriptor<'a> {
    /// Reads and checks a whole method descriptor. Parameters take at most 255 slots, as the JVM demands.
    pub fn parse(descriptor: &'a [u8]) -> Result<MethodDescriptor<'a>> {
        let after_parenthesis = descriptor.strip_prefix(b"(").ok_or(Error::BadDescriptor)?;
        let mut rest = after_parenthesis;
        let (mut slots, mut count) = (0u8, 0u8);
        loop {
            if let Some(result) = rest.strip_prefix(b")") {
                if result != b"V" {
                    FieldType::parse(result)?;
                }
                let params = &after_parenthesis[..after_parenthesis.len() - rest.len()];
                return Ok(MethodDescriptor { params, result, param_slots: slots, param_count: count });
            }
            let (param, after) = split(rest)?;
            slots = slots.checked_add(param.slots() as u8).ok_or(Error::BadDescriptor)?;
            count += 1;
            rest = after;
        }
    }

    /// The parameters in order, without the receiver.
    pub fn params(self) -> Params<'a> {
        Params { rest: self.params }
    }

    /// How many parameters there are, without the receiver.
    pub fn param_count(self) -> usize {
        usize::from(self.param_count)
    }

    /// How many slots the parameters take, without the receiver.
    pub fn param_slots(self) -> u16 {
        u16::from(self.param_slots)
    }

    /// The type of the result, `None` for `void`.
    pub fn return_type(self) -> Option<FieldType<'a>> {
        (self.result != b"V").then(|| split_checked(self.result).0)
    }
}

/// Iterates over a method's parameter types.
#[derive(Debug, Clone)]
pub struct Params<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Params<'a> {
    type Item = FieldType<'a>;

    fn next(&mut self) -> Option<FieldType<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (param, rest) = split_checked(self.rest);
        self.rest = rest;
        Some(param)
    }
}

/// Splits a descriptor that was checked before.
fn split_checked(descriptor: &[u8]) -> (FieldType<'_>, &[u8]) {
    split(descriptor).expect("descriptors are checked when their wrappers are made")
}

/// Splits one field descriptor off the front.
fn split(descriptor: &[u8]) -> Result<(FieldType<'_>, &[u8])> {
    match *descriptor {
        [b'L', ref rest @ ..] => {
            let end = rest.iter().position(|&byte| matches!(byte, b';' | b'[' | b'.'));
            match end {
                Some(end) if end > 0 && rest[end] == b';' => {
                    Ok((FieldType::Class(&rest[..end]), &rest[end + 1..]))
                }
                _ => Err(Error::BadDescriptor),
            }
        }
        [b'[', ..] => {
            let dims = descriptor.iter().take_while(|&&byte| byte == b'[').count();
            let narrow = u8::try_from(dims).map_err(|_| Error::BadDescriptor)?;
            let (_, rest) = split(&descriptor[dims..])?;
            let whole = &descriptor[..descriptor.len() - rest.len()];
            Ok((FieldType::Array(ArrayType { descriptor: whole, dims: narrow }), rest))
        }
        [letter, ref rest @ ..] => match PrimitiveType::from_letter(letter) {
            Some(primitive) => Ok((FieldType::Primitive(primitive), rest)),
            None => Err(Error::BadDescriptor),
        },
        [] => Err(Error::BadDescriptor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_types() {
        assert_eq!(FieldType::parse(b"I"), Ok(FieldType::Primitive(PrimitiveType::Int)));
        assert_eq!(FieldType::parse(b"La/B;"), Ok(FieldType::Class(b"a/B")));
        let Ok(FieldType::Array(array)) = FieldType::parse(b"[[J") else { panic!("an array") };
        assert_eq!(array.dims(), 2);
        assert_eq!(array.element(), FieldType::Primitive(PrimitiveType::Long));
        assert_eq!(array.component(), FieldType::parse(b"[J").unwrap());
        assert_eq!(FieldType::parse_class_name(b"[La/B;"), FieldType::parse(b"[La/B;"));
        assert_eq!(FieldType::parse_class_name(b"a/B"), Ok(FieldType::Class(b"a/B")));
    }

    #[test]
    fn method_descriptors() {
        let descriptor = MethodDescriptor::parse(b"(IJ[Lx/Y;D)La;").unwrap();
        assert_eq!((descriptor.param_count(), descriptor.param_slots()), (4, 6));
        let slots: Vec<u16> = descriptor.params().map(FieldType::slots).collect();
        assert_eq!(slots, [1, 2, 1, 2]);
        assert_eq!(descriptor.return_type(), Some(FieldType::Class(b"a")));
        assert_eq!(MethodDescriptor::parse(b"()V").unwrap().return_type(), None);
    }

    #[test]
    fn what_is_malformed_is_refused() {
        for bad in [&b""[..], b"V", b"L;", b"La", b"La.b;", b"L[a;", b"[", b"[V", b"II", b"X"] {
            assert_eq!(FieldType::parse(bad), Err(Error::BadDescriptor), "{bad:?}");
        }
        for bad in [&b""[..], b"()", b"(V)V", b"(I", b"I)V", b"()VV", b"(L)V", b"()[V"] {
            assert_eq!(MethodDescriptor::parse(bad), Err(Error::BadDescriptor), "{bad:?}");
        }
        assert!(FieldType::parse(&[&[b'['; 255][..], b"I"].concat()).is_ok());
        assert!(FieldType::parse(&[&[b'['; 256][..], b"I"].concat()).is_err());
        assert!(MethodDescriptor::parse(&[b"(", &[b'I'; 255][..], b")V"].concat()).is_ok());
        assert!(MethodDescriptor::parse(&[b"(", &[b'J'; 128][..], b")V"].concat()).is_err());
    }

    #[test]
    fn newarray_operands_and_letters_round_trip() {
        for primitive in PrimitiveType::ALL {
            assert_eq!(PrimitiveType::from_letter(primitive.letter()), Some(primitive));
            assert_eq!(PrimitiveType::from_newarray_operand(primitive.newarray_operand()), Some(primitive));
        }
        assert_eq!(PrimitiveType::from_newarray_operand(3), None);
        assert_eq!(PrimitiveType::from_newarray_operand(12), None);
    }
}
