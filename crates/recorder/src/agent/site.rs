//! What the instruction at a bytecode index calls, from a method's code and its class's constant pool.

/// A class's constant pool, entries found by index.
#[derive(Debug)]
pub struct ConstantPool {
    bytes: Vec<u8>,
    /// Where each entry's tag is; 0 for slots without one (no entry starts there but the first, which is slot 1).
    offsets: Vec<Option<usize>>,
}

/// What a call instruction names.
#[derive(Debug, PartialEq, Eq)]
pub struct Named<'a> {
    /// The class in the instruction; empty for `invokedynamic`.
    pub class: &'a str,
    /// The method's name.
    pub name: &'a str,
    /// The method's descriptor.
    pub descriptor: &'a str,
}

impl Named<'_> {
    /// Whether the instruction enters a method-handle form.
    pub fn enters_handle(&self) -> bool {
        let polymorphic = match self.class {
            "java/lang/invoke/MethodHandle" => matches!(self.name, "invoke" | "invokeExact"),
            // The access modes are the only methods of these names.
            "java/lang/invoke/VarHandle" => ["get", "set", "compareAnd", "weakCompareAnd"]
                .iter()
                .any(|prefix| self.name.starts_with(prefix)),
            _ => false,
        };
        self.class.is_empty() || polymorphic
    }

    /// Whether the instruction, in a method-handle form, calls whatever the handle is of.
    pub fn leaves_handle(&self) -> bool {
        self.class == "java/lang/invoke/MethodHandle"
            && (self.name.starts_with("linkTo") || self.name == "invokeBasic")
    }
}

impl ConstantPool {
    /// Finds the entries; `None` if the bytes are not `slots - 1` entries of known kinds.
    pub fn parse(slots: u16, bytes: Vec<u8>) -> Option<ConstantPool> {
        let mut offsets = vec![None; usize::from(slots)];
        let (mut slot, mut at) = (1, 0);
        while slot < offsets.len() {
            offsets[slot] = Some(at);
            let (size, width) = match *bytes.get(at)? {
                1 => (3 + usize::from(two_bytes(&bytes, at + 1)?), 1),
                3 | 4 | 9 | 10 | 11 | 12 | 17 | 18 => (5, 1),
                5 | 6 => (9, 2),
                7 | 8 | 16 | 19 | 20 => (3, 1),
                15 => (4, 1),
                _ => return None,
            };
            slot += width;
            at += size;
        }
        (at <= bytes.len()).then_some(ConstantPool { bytes, offsets })
    }

    /// The method named by the call instruction at `bci`, or `None` if the instruction is no call.
    pub fn called_at(&self, code: &[u8], bci: usize) -> Option<Named<'_>> {
        const INVOKEVIRTUAL: u8 = 182;
        const INVOKEDYNAMIC: u8 = 186;
        if !(INVOKEVIRTUAL..=INVOKEDYNAMIC).contains(code.get(bci)?) {
            return None;
        }
        let reference = self.entry(two_bytes(code, bci + 1)?)?;
        let class = match self.bytes.get(reference)? {
            10 | 11 => {
                let class = self.entry(two_bytes(&self.bytes, reference + 1)?)?;
                self.utf8(two_bytes(&self.bytes, class + 1)?)?
            }
            18 => "",
            _ => return None,
        };
        let name_and_type = self.entry(two_bytes(&self.bytes, reference + 3)?)?;
        Some(Named {
            class,
            name: self.utf8(two_bytes(&self.bytes, name_and_type + 1)?)?,
            descriptor: self.utf8(two_bytes(&self.bytes, name_and_type + 3)?)?,
        })
    }

    fn entry(&self, index: u16) -> Option<usize> {
        *self.offsets.get(usize::from(index))?
    }

    fn utf8(&self, index: u16) -> Option<&str> {
        let at = self.entry(index)?;
        let length = usize::from(two_bytes(&self.bytes, at + 1)?);
        std::str::from_utf8(self.bytes.get(at + 3..at + 3 + length)?).ok()
    }
}

fn two_bytes(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pool with a long constant (two slots), a method reference and an `invokedynamic` entry.
    fn pool() -> ConstantPool {
        let mut bytes = vec![5, 0, 0, 0, 0, 0, 0, 0, 1];
        for text in ["p/A", "run", "()V"] {
            bytes.extend([1, 0, text.len() as u8]);
            bytes.extend(text.bytes());
        }
        bytes.extend([7, 0, 3, 12, 0, 4, 0, 5, 10, 0, 6, 0, 7, 18, 0, 0, 0, 7]);
        ConstantPool::parse(10, bytes).unwrap()
    }

    #[test]
    fn calls_are_named_and_other_instructions_are_not() {
        let pool = pool();
        let code = [0, 182, 0, 8, 186, 0, 9, 0, 0, 177];
        assert_eq!(pool.called_at(&code, 0), None);
        let call = pool.called_at(&code, 1).unwrap();
        assert_eq!(call, Named { class: "p/A", name: "run", descriptor: "()V" });
        assert!(!call.enters_handle());
        assert!(pool.called_at(&code, 4).unwrap().enters_handle());
        assert_eq!(pool.called_at(&code, 99), None);
    }

    #[test]
    fn broken_pools_and_indexes_are_refused() {
        assert!(ConstantPool::parse(3, vec![1, 0, 9, b'x']).is_none());
        assert!(ConstantPool::parse(2, vec![99]).is_none());
        assert_eq!(pool().called_at(&[182, 0, 3], 0), None);
        assert_eq!(pool().called_at(&[182, 0, 77], 0), None);
        assert_eq!(pool().called_at(&[182, 0], 0), None);
    }

    #[test]
    fn handle_entries_are_the_signature_polymorphic_methods() {
        let named = |class, name| Named { class, name, descriptor: "()V" };
        assert!(named("java/lang/invoke/MethodHandle", "invokeExact").enters_handle());
        assert!(named("java/lang/invoke/VarHandle", "compareAndSet").enters_handle());
        assert!(!named("java/lang/invoke/MethodHandle", "bindTo").enters_handle());
        assert!(named("java/lang/invoke/MethodHandle", "linkToStatic").leaves_handle());
        assert!(!named("java/lang/invoke/MethodHandle", "invokeExact").leaves_handle());
        assert!(!named("java/lang/invoke/VarHandle", "acquireFence").enters_handle());
    }
}
