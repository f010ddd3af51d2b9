//! Java strings: making, reading, interning.
//!
//! A `java.lang.String` holds bytes: one per char if all are below 256 (coder 0), else two, low byte first (coder 1).

use selvedge_base::Symbol;
use selvedge_classfile::mutf8;

use crate::heap::Payload;
use crate::machine::{Exec, Machine, Raise};
use crate::value::{ObjRef, Value};

impl Machine<'_> {
    /// A new string of these UTF-16 units.
    pub fn new_string_utf16(&mut self, units: &[u16]) -> Exec<ObjRef> {
        let latin = units.iter().all(|&unit| unit < 256);
        let bytes: Vec<i8> = if latin {
            units.iter().map(|&unit| unit as u8 as i8).collect()
        } else {
            units.iter().flat_map(|unit| unit.to_le_bytes()).map(|byte| byte as i8).collect()
        };
        let byte_array = self.load_str("[B")?;
        let string = self.load_str("java/lang/String")?;
        let value = self.allocate(byte_array, Payload::Bytes(bytes.into()))?;
        let object = self.new_instance(string)?;
        let (value_slot, coder_slot) = (self.known.string_value, self.known.string_coder);
        let payload = &mut self.heap.get_mut(object).payload;
        payload.set(value_slot, value.into());
        payload.set(coder_slot, Value::Int((!latin).into()));
        Ok(object)
    }

    pub fn new_string(&mut self, text: &str) -> Exec<ObjRef> {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.new_string_utf16(&units)
    }

    /// The UTF-16 units of a string.
    pub fn string_units(&self, string: ObjRef) -> Vec<u16> {
        let payload = &self.heap.get(string).payload;
        let value = payload.get(self.known.string_value).and_then(Value::reference);
        let coder = payload.get(self.known.string_coder).map_or(0, Value::int);
        let Some(Payload::Bytes(bytes)) = value.map(|value| &self.heap.get(value).payload) else {
            return Vec::new();
        };
        if coder == 0 {
            return bytes.iter().map(|&byte| (byte as u8).into()).collect();
        }
        bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0] as u8, pair[1] as u8])).collect()
    }

    pub fn string_text(&self, string: ObjRef) -> String {
        String::from_utf16_lossy(&self.string_units(string))
    }

    /// The one interned string of this content.
    pub fn intern(&mut self, units: Vec<u16>, candidate: Option<ObjRef>) -> Exec<ObjRef> {
        if let Some(&known) = self.interned.get(&units) {
            return Ok(known);
        }
        let object = match candidate {
            Some(object) => object,
            None => self.new_string_utf16(&units)?,
        };
        self.interned.insert(units, object);
        Ok(object)
    }

    /// The interned string of a literal, which is in modified UTF-8.
    pub fn intern_symbol(&mut self, text: Symbol) -> Exec<ObjRef> {
        if let Some(&literal) = self.literals.get(&text) {
            return Ok(literal);
        }
        let units = mutf8::decode_utf16(text.as_bytes())
            .map_err(|error| Raise::fatal(format!("a string constant is malformed: {error}")))?;
        let literal = self.intern(units, None)?;
        self.literals.insert(text, literal);
        Ok(literal)
    }

    pub fn intern_str(&mut self, text: &str) -> Exec<ObjRef> {
        self.intern(text.encode_utf16().collect(), None)
    }
}
