//! Memory places as `Unsafe` and variable handles name them: a field, a static field or an array element.
//!
//! Offsets for `Unsafe` are made up so that the library's own arithmetic on them works: a field's is its slot, a static
//! field's is its slot above [`STATIC_OFFSET`] with the class's mirror as the base, an array element's is
//! [`ARRAY_BASE`] plus its index times the true size of an element. Arrays of numbers can also be read and written at odd
//! offsets and widths, byte by byte, low byte first.

use crate::class::{ClassKind, RtClassId};
use crate::heap::Payload;
use crate::machine::{Exec, Machine, Raise};
use crate::observer::Place;
use crate::value::{ObjRef, Value};

/// The offset of an array's first element.
pub(crate) const ARRAY_BASE: i64 = 16;
/// Offsets of static fields start here.
pub(crate) const STATIC_OFFSET: i64 = 1 << 32;

/// A place with a type of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Location {
    Field {
        object: ObjRef,
        slot: usize,
    },
    Static {
        class: RtClassId,
        slot: usize,
    },
    Element {
        array: ObjRef,
        index: usize,
    },
    /// Bytes of an array of numbers, from this byte on.
    Bytes {
        array: ObjRef,
        start: usize,
        width: usize,
    },
}

/// The size of an element, in bytes.
pub(crate) fn element_size(payload: &Payload) -> usize {
    match payload {
        Payload::Bytes(_) => 1,
        Payload::Chars(_) | Payload::Shorts(_) => 2,
        Payload::Ints(_) | Payload::Floats(_) | Payload::Refs(_) => 4,
        Payload::Longs(_) | Payload::Doubles(_) | Payload::Fields(_) => 8,
    }
}

/// The width of a primitive type, in bytes.
fn width_of(letter: u8) -> usize {
    match letter {
        b'Z' | b'B' => 1,
        b'C' | b'S' => 2,
        b'J' | b'D' => 8,
        _ => 4,
    }
}

fn is_kind(payload: &Payload, letter: u8) -> bool {
    matches!(
        (payload, letter),
        (Payload::Bytes(_), b'Z' | b'B')
            | (Payload::Chars(_), b'C')
            | (Payload::Shorts(_), b'S')
            | (Payload::Ints(_), b'I')
            | (Payload::Longs(_), b'J')
            | (Payload::Floats(_), b'F')
            | (Payload::Doubles(_), b'D')
            | (Payload::Refs(_), b'L')
    )
}

fn bits(value: Value) -> u64 {
    match value {
        Value::Int(value) => value as u32 as u64,
        Value::Long(value) => value as u64,
        Value::Float(value) => value.to_bits().into(),
        Value::Double(value) => value.to_bits(),
        Value::Ref(_) => 0,
    }
}

fn from_bits(bits: u64, letter: u8) -> Value {
    match letter {
        b'Z' => Value::Int((bits & 1) as i32),
        b'B' => Value::Int((bits as i8).into()),
        b'C' => Value::Int((bits as u16).into()),
        b'S' => Value::Int((bits as i16).into()),
        b'J' => Value::Long(bits as i64),
        b'F' => Value::Float(f32::from_bits(bits as u32)),
        b'D' => Value::Double(f64::from_bits(bits)),
        _ => Value::Int(bits as i32),
    }
}

impl Machine<'_> {
    /// The place that `Unsafe` means by a base and an offset, for an access of the type with this letter.
    pub fn unsafe_location(&self, base: Value, offset: i64, letter: u8) -> Exec<Location> {
        let Some(object) = base.reference() else {
            return Err(Raise::fatal("memory outside of the heap is not modelled"));
        };
        let data = self.heap.get(object);
        if let Payload::Fields(_) = data.payload {
            return Ok(match data.mirrored {
                Some(class) if offset >= STATIC_OFFSET => {
                    Location::Static { class, slot: (offset - STATIC_OFFSET) as usize }
                }
                _ => Location::Field { object, slot: offset as usize },
            });
        }
        let start = (offset - ARRAY_BASE) as usize;
        let size = element_size(&data.payload);
        if is_kind(&data.payload, letter) && start.is_multiple_of(size) {
            return Ok(Location::Element { array: object, index: start / size });
        }
        Ok(Location::Bytes { array: object, start, width: width_of(letter) })
    }

    /// Reads a place as the type with this letter.
    pub fn read_location(&mut self, location: Location, letter: u8, is_volatile: bool) -> Exec<Value> {
        let value = self.peek(location, letter)?;
        self.observe_location(location, value, false, is_volatile);
        Ok(value)
    }

    fn peek(&self, location: Location, letter: u8) -> Exec<Value> {
        let outside = || Raise::fatal("an access by offset is outside of its object");
        match location {
            Location::Field { object, slot } => self.heap.get(object).payload.get(slot).ok_or_else(outside),
            Location::Static { class, slot } => {
                self.classes[class].statics.get(slot).copied().ok_or_else(outside)
            }
            Location::Element { array, index } => self.heap.get(array).payload.get(index).ok_or_else(outside),
            Location::Bytes { array, start, width } => {
                let payload = &self.heap.get(array).payload;
                let size = element_size(payload);
                let mut result = 0u64;
                for offset in 0..width {
                    let at = start + offset;
                    let element = bits(payload.get(at / size).ok_or_else(outside)?);
                    result |= (element >> (8 * (at % size)) & 0xff) << (8 * offset);
                }
                Ok(from_bits(result, letter))
            }
        }
    }

    /// Writes a place as the type with this letter.
    pub fn write_location(
        &mut self,
        location: Location,
        value: Value,
        letter: u8,
        is_volatile: bool,
    ) -> Exec<()> {
        let outside = || Raise::fatal("an access by offset is outside of its object");
        let value = value.narrowed(&[letter]);
        self.observe_location(location, value, true, is_volatile);
        match location {
            Location::Field { object, slot } => {
                let stored = self.heap.get_mut(object).payload.set(slot, value);
                stored.then_some(()).ok_or_else(outside)
            }
            Location::Static { class, slot } => {
                let place = self.classes[class].statics.get_mut(slot).ok_or_else(outside)?;
                *place = value;
                Ok(())
            }
            Location::Element { array, index } => {
                let stored = self.heap.get_mut(array).payload.set(index, value);
                stored.then_some(()).ok_or_else(outside)
            }
            Location::Bytes { array, start, width } => {
                let payload = &mut self.heap.get_mut(array).payload;
                let size = element_size(payload);
                for offset in 0..width {
                    let at = start + offset;
                    let element = payload.get(at / size).ok_or_else(outside)?;
                    let shift = 8 * (at % size);
                    let byte = bits(value) >> (8 * offset) & 0xff;
                    let new = bits(element) & !(0xff << shift) | byte << shift;
                    let new = match element {
                        Value::Long(_) => Value::Long(new as i64),
                        Value::Float(_) => Value::Float(f32::from_bits(new as u32)),
                        Value::Double(_) => Value::Double(f64::from_bits(new)),
                        _ => Value::Int(new as i32),
                    };
                    payload.set(at / size, new);
                }
                Ok(())
            }
        }
    }

    /// Tells the observer about an access to a place.
    fn observe_location(&mut self, location: Location, value: Value, is_write: bool, is_volatile: bool) {
        if !self.observes_accesses {
            return;
        }
        let place = match location {
            Location::Field { object, slot } => {
                let declared = self.declared(self.class_of(object));
                let field = self.field_in_slot(declared, slot, false);
                field.map(|field| Place::Field(object, field))
            }
            Location::Static { class, slot } => {
                let ClassKind::Declared(declared) = self.classes[class].kind else { return };
                self.field_in_slot(declared, slot, true).map(Place::Static)
            }
            Location::Element { array, index } => Some(Place::Element(array, index as u32)),
            Location::Bytes { array, start, .. } => {
                let size = element_size(&self.heap.get(array).payload);
                Some(Place::Element(array, (start / size) as u32))
            }
        };
        if let Some(place) = place {
            self.observe(place, value, is_write, is_volatile);
        }
    }

    fn field_in_slot(
        &self,
        class: selvedge_world::ClassId,
        slot: usize,
        is_static: bool,
    ) -> Option<selvedge_world::FieldId> {
        let program = self.program;
        let classes = program.superclasses(class).take(if is_static { 1 } else { usize::MAX });
        let mut fields = classes.flat_map(|class| program.classes[class].fields.iter());
        fields.find(|&field| {
            program.fields[field].is_static() == is_static && self.field_slots[field] as usize == slot
        })
    }
}
