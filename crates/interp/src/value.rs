//! Values of the running program.

use std::fmt;
use std::num::NonZeroU32;

/// A reference to an object of the [`Heap`](crate::Heap). Objects never move and are never freed, so references are
/// identities: two are equal if and only if they are the same object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjRef(NonZeroU32);

impl ObjRef {
    pub(crate) fn from_index(index: usize) -> Option<Self> {
        u32::try_from(index + 1).ok().and_then(NonZeroU32::new).map(Self)
    }

    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The object's number: objects are numbered in the order of their allocation, from 1.
    pub fn number(self) -> u32 {
        self.0.get()
    }
}

impl fmt::Debug for ObjRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.0)
    }
}

/// A value: `boolean`, `byte`, `char` and `short` are ints, as everywhere in the JVM.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Value {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    /// A reference; `None` is `null`.
    Ref(Option<ObjRef>),
}

impl Value {
    /// The `null` reference.
    pub const NULL: Value = Value::Ref(None);

    /// An int of 1 or 0.
    pub fn bool(value: bool) -> Self {
        Value::Int(value.into())
    }

    /// What a field or element with this type descriptor holds before anything is assigned to it.
    pub fn default_of(descriptor: &[u8]) -> Self {
        match descriptor.first() {
            Some(b'J') => Value::Long(0),
            Some(b'F') => Value::Float(0.0),
            Some(b'D') => Value::Double(0.0),
            Some(b'L' | b'[') => Value::NULL,
            _ => Value::Int(0),
        }
    }

    // The accessors below are total: the verifier excludes the other kinds, and zero stands for what cannot be.

    pub(crate) fn int(self) -> i32 {
        if let Value::Int(value) = self { value } else { 0 }
    }

    pub(crate) fn long(self) -> i64 {
        match self {
            Value::Long(value) => value,
            Value::Int(value) => value.into(),
            _ => 0,
        }
    }

    pub(crate) fn float(self) -> f32 {
        if let Value::Float(value) = self { value } else { 0.0 }
    }

    pub(crate) fn double(self) -> f64 {
        if let Value::Double(value) = self { value } else { 0.0 }
    }

    pub(crate) fn reference(self) -> Option<ObjRef> {
        if let Value::Ref(value) = self { value } else { None }
    }

    /// The value as a field or element with this type descriptor keeps it: ints are cut to the field's width.
    pub(crate) fn narrowed(self, descriptor: &[u8]) -> Self {
        match (descriptor.first(), self) {
            (Some(b'Z'), Value::Int(value)) => Value::Int(value & 1),
            (Some(b'B'), Value::Int(value)) => Value::Int((value as i8).into()),
            (Some(b'C'), Value::Int(value)) => Value::Int((value as u16).into()),
            (Some(b'S'), Value::Int(value)) => Value::Int((value as i16).into()),
            _ => self,
        }
    }
}

impl From<ObjRef> for Value {
    fn from(object: ObjRef) -> Self {
        Value::Ref(Some(object))
    }
}
