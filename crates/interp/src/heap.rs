//! The heap: an arena of objects and arrays that only grows.

use crate::class::RtClassId;
use crate::value::{ObjRef, Value};

/// What an object consists of.
#[derive(Clone, Debug)]
pub(crate) enum Payload {
    /// The fields of an instance, by slot; for a lambda object, what it captured.
    Fields(Box<[Value]>),
    /// `byte[]` and `boolean[]`.
    Bytes(Box<[i8]>),
    Chars(Box<[u16]>),
    Shorts(Box<[i16]>),
    Ints(Box<[i32]>),
    Longs(Box<[i64]>),
    Floats(Box<[f32]>),
    Doubles(Box<[f64]>),
    Refs(Box<[Option<ObjRef>]>),
}

/// An object or array.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub class: RtClassId,
    /// For an instance of `java.lang.Class`: the class it stands for.
    pub mirrored: Option<RtClassId>,
    pub payload: Payload,
}

/// All objects.
#[derive(Debug, Default)]
pub struct Heap {
    objects: Vec<Object>,
    /// Cells in use, roughly: what the limit counts.
    pub(crate) cells: usize,
}

impl Payload {
    /// An array of `length` default elements with this descriptor.
    pub fn array(element: &[u8], length: usize) -> Self {
        match element.first() {
            Some(b'B' | b'Z') => Payload::Bytes(vec![0; length].into()),
            Some(b'C') => Payload::Chars(vec![0; length].into()),
            Some(b'S') => Payload::Shorts(vec![0; length].into()),
            Some(b'I') => Payload::Ints(vec![0; length].into()),
            Some(b'J') => Payload::Longs(vec![0; length].into()),
            Some(b'F') => Payload::Floats(vec![0.0; length].into()),
            Some(b'D') => Payload::Doubles(vec![0.0; length].into()),
            _ => Payload::Refs(vec![None; length].into()),
        }
    }

    /// How many elements an array has; `None` for an instance.
    pub fn length(&self) -> Option<usize> {
        Some(match self {
            Payload::Fields(_) => return None,
            Payload::Bytes(items) => items.len(),
            Payload::Chars(items) => items.len(),
            Payload::Shorts(items) => items.len(),
            Payload::Ints(items) => items.len(),
            Payload::Longs(items) => items.len(),
            Payload::Floats(items) => items.len(),
            Payload::Doubles(items) => items.len(),
            Payload::Refs(items) => items.len(),
        })
    }

    /// The element (or field) at an index.
    pub fn get(&self, index: usize) -> Option<Value> {
        Some(match self {
            Payload::Fields(items) => *items.get(index)?,
            Payload::Bytes(items) => Value::Int((*items.get(index)?).into()),
            Payload::Chars(items) => Value::Int((*items.get(index)?).into()),
            Payload::Shorts(items) => Value::Int((*items.get(index)?).into()),
            Payload::Ints(items) => Value::Int(*items.get(index)?),
            Payload::Longs(items) => Value::Long(*items.get(index)?),
            Payload::Floats(items) => Value::Float(*items.get(index)?),
            Payload::Doubles(items) => Value::Double(*items.get(index)?),
            Payload::Refs(items) => Value::Ref(*items.get(index)?),
        })
    }

    /// Stores into the element (or field) at an index, cutting ints to the element's width; false if out of bounds.
    pub fn set(&mut self, index: usize, value: Value) -> bool {
        fn put<T>(items: &mut [T], index: usize, value: T) -> bool {
            items.get_mut(index).map(|item| *item = value).is_some()
        }
        match self {
            Payload::Fields(items) => put(items, index, value),
            Payload::Bytes(items) => put(items, index, value.int() as i8),
            Payload::Chars(items) => put(items, index, value.int() as u16),
            Payload::Shorts(items) => put(items, index, value.int() as i16),
            Payload::Ints(items) => put(items, index, value.int()),
            Payload::Longs(items) => put(items, index, value.long()),
            Payload::Floats(items) => put(items, index, value.float()),
            Payload::Doubles(items) => put(items, index, value.double()),
            Payload::Refs(items) => put(items, index, value.reference()),
        }
    }

    /// `System.arraycopy` between arrays of one kind whose bounds were checked; false if the kinds differ.
    pub fn copy_from(&mut self, from: &Payload, source: usize, target: usize, count: usize) -> bool {
        macro_rules! copy {
            ($($kind:ident)*) => {
                match (self, from) {
                    $((Payload::$kind(to), Payload::$kind(from)) => {
                        to[target..target + count].copy_from_slice(&from[source..source + count]);
                        true
                    })*
                    _ => false,
                }
            };
        }
        copy!(Bytes Chars Shorts Ints Longs Floats Doubles Refs)
    }

    /// `System.arraycopy` within one array whose bounds were checked.
    pub fn copy_within(&mut self, source: usize, target: usize, count: usize) {
        macro_rules! copy {
            ($($kind:ident)*) => {
                match self {
                    $(Payload::$kind(items) => items.copy_within(source..source + count, target),)*
                }
            };
        }
        copy!(Fields Bytes Chars Shorts Ints Longs Floats Doubles Refs)
    }

    fn cells(&self) -> usize {
        2 + match self {
            Payload::Fields(fields) => fields.len(),
            other => other.length().unwrap_or(0) / 2,
        }
    }
}

impl Heap {
    /// How many objects were allocated.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    pub(crate) fn allocate(&mut self, class: RtClassId, payload: Payload) -> ObjRef {
        self.cells += payload.cells();
        self.objects.push(Object { class, mirrored: None, payload });
        ObjRef::from_index(self.objects.len() - 1).expect("the limit on cells is below 2^32")
    }

    pub(crate) fn get(&self, object: ObjRef) -> &Object {
        &self.objects[object.index()]
    }

    pub(crate) fn get_mut(&mut self, object: ObjRef) -> &mut Object {
        &mut self.objects[object.index()]
    }

    /// Two different objects, to copy from the one into the other.
    pub(crate) fn pair(&mut self, from: ObjRef, to: ObjRef) -> Option<(&Object, &mut Object)> {
        let [from, to] = self.objects.get_disjoint_mut([from.index(), to.index()]).ok()?;
        Some((from, to))
    }
}
