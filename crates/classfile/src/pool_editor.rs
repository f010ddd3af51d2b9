//! A constant pool that can grow: existing entries keep their indexes, new ones are appended, equal ones are shared.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use crate::descriptor::MethodDescriptor;
use crate::error::{Error, Result};
use crate::output::Output;
use crate::pool::{Constant, ConstantPool, DynamicRef, MemberKind, MemberRef, MethodHandle, tag};

/// A pool to which constants are added.
///
/// An entry is identified by its bytes: since parts are looked up before wholes, equal constants have equal bytes,
/// unless the original pool holds an entry twice (then the first is used, and the others stay as they are).
#[derive(Debug)]
pub struct PoolEditor<'a> {
    original: ConstantPool<'a>,
    /// The entries appended, as they will be written.
    appended: Output,
    /// Where in `appended` they are, by index from the original count on; a `long` or `double` has two slots with the
    /// same offset.
    offsets: Vec<u32>,
    /// Where an entry with given bytes is. Filled on first use: many classes are edited without a new constant.
    indexes: FxHashMap<Cow<'a, [u8]>, u16>,
}

impl<'a> PoolEditor<'a> {
    /// Starts with an existing pool.
    pub fn new(pool: &ConstantPool<'a>) -> PoolEditor<'a> {
        PoolEditor {
            original: pool.clone(),
            appended: Output::default(),
            offsets: Vec::new(),
            indexes: FxHashMap::default(),
        }
    }

    /// The pool before any addition. Its indexes remain valid.
    pub fn original(&self) -> &ConstantPool<'a> {
        &self.original
    }

    /// One more than the largest index.
    pub fn count(&self) -> u16 {
        // `intern` keeps the sum in range.
        self.original.count() + self.offsets.len() as u16
    }

    /// Writes the pool with its count.
    pub(crate) fn write(&self, out: &mut Output) {
        out.u16(self.count());
        out.slice(self.original.raw());
        out.slice(&self.appended.bytes);
    }

    /// The index of the entry with these bytes, tag included.
    fn intern(&mut self, entry: &[u8]) -> Result<u16> {
        if self.indexes.is_empty() {
            self.indexes.reserve(usize::from(self.original.count()) + 16);
            for index in self.original.indexes() {
                self.indexes.entry(Cow::Borrowed(self.original.raw_entry(index))).or_insert(index);
            }
        }
        if let Some(&index) = self.indexes.get(entry) {
            return Ok(index);
        }
        let slots = if matches!(entry[0], tag::LONG | tag::DOUBLE) { 2 } else { 1 };
        let index = self.count();
        index.checked_add(slots).ok_or(Error::TooLarge { what: "the constant pool" })?;
        self.offsets.extend((0..slots).map(|_| self.appended.bytes.len() as u32));
        self.appended.slice(entry);
        self.indexes.insert(Cow::Owned(entry.to_vec()), index);
        Ok(index)
    }

    /// The bytes from an entry's tag on.
    fn entry(&self, index: u16) -> Result<&[u8]> {
        let appended = index.checked_sub(self.original.count());
        let bytes = match appended {
            None => self.original.entry_onwards(index)?,
            Some(position) => match self.offsets.get(usize::from(position)) {
                Some(&offset) => &self.appended.bytes[offset as usize..],
                None => return Err(Error::NoSuchConstant { index }),
            },
        };
        Ok(bytes)
    }

    /// The index stored in an entry, `at` bytes behind its tag, which must be one of `tags`.
    fn link(&self, index: u16, tags: &[u8], at: usize) -> Result<u16> {
        match self.entry(index)? {
            [tag, content @ ..] if tags.contains(tag) => match content.get(at..at + 2) {
                Some(&[high, low]) => Ok(u16::from_be_bytes([high, low])),
                _ => Err(Error::Truncated { reading: "the constant pool" }),
            },
            _ => Err(Error::WrongConstant { index, expected: "what its use demands" }),
        }
    }

    /// The descriptor behind the `NameAndType` of a member, dynamic constant or call site.
    fn descriptor(&self, index: u16, tags: &[u8]) -> Result<&[u8]> {
        let name_and_type = self.link(index, tags, 2)?;
        let text = self.link(name_and_type, &[tag::NAME_AND_TYPE], 2)?;
        let length = usize::from(self.link(text, &[tag::UTF8], 0)?);
        self.entry(text)?.get(3..3 + length).ok_or(Error::Truncated { reading: "the constant pool" })
    }

    /// Does the constant take two slots on the stack, so that only `ldc2_w` loads it?
    pub(crate) fn takes_two_slots(&self, index: u16) -> Result<bool> {
        Ok(match self.entry(index)?[0] {
            tag::LONG | tag::DOUBLE => true,
            tag::DYNAMIC => matches!(self.descriptor(index, &[tag::DYNAMIC])?, b"J" | b"D"),
            _ => false,
        })
    }

    /// The slots of a method's arguments, receiver included: the redundant operand of `invokeinterface`.
    pub(crate) fn interface_argument_slots(&self, index: u16) -> Result<u8> {
        let descriptor = self.descriptor(index, &[tag::INTERFACE_METHOD])?;
        u8::try_from(MethodDescriptor::parse(descriptor)?.param_slots() + 1).map_err(|_| Error::BadDescriptor)
    }

    fn intern_pair(&mut self, tag: u8, first: u16, second: u16) -> Result<u16> {
        let ([a, b], [c, d]) = (first.to_be_bytes(), second.to_be_bytes());
        self.intern(&[tag, a, b, c, d])
    }

    fn intern_text(&mut self, tag: u8, text: &[u8]) -> Result<u16> {
        let [high, low] = self.utf8(text)?.to_be_bytes();
        self.intern(&[tag, high, low])
    }

    /// A `Utf8` of at most 65,535 bytes of modified UTF-8.
    pub fn utf8(&mut self, text: &[u8]) -> Result<u16> {
        let length = u16::try_from(text.len()).map_err(|_| Error::TooLarge { what: "a string constant" })?;
        let mut entry = Vec::with_capacity(3 + text.len());
        entry.push(tag::UTF8);
        entry.extend(length.to_be_bytes());
        entry.extend_from_slice(text);
        self.intern(&entry)
    }

    /// A `Utf8`, or 0 for nothing.
    pub(crate) fn optional_utf8(&mut self, text: Option<&[u8]>) -> Result<u16> {
        text.map_or(Ok(0), |text| self.utf8(text))
    }

    /// A `Class`: an internal name, or the descriptor of an array.
    pub fn class(&mut self, name: &[u8]) -> Result<u16> {
        self.intern_text(tag::CLASS, name)
    }

    /// A `Class`, or 0 for nothing.
    pub(crate) fn optional_class(&mut self, name: Option<&[u8]>) -> Result<u16> {
        name.map_or(Ok(0), |name| self.class(name))
    }

    /// A `String` with content in modified UTF-8.
    pub fn string(&mut self, content: &[u8]) -> Result<u16> {
        self.intern_text(tag::STRING, content)
    }

    /// An `Integer`.
    pub fn integer(&mut self, value: i32) -> Result<u16> {
        self.number(tag::INTEGER, &value.to_be_bytes())
    }

    /// A `Long`.
    pub fn long(&mut self, value: i64) -> Result<u16> {
        self.number(tag::LONG, &value.to_be_bytes())
    }

    /// A `Float`.
    pub fn float(&mut self, value: f32) -> Result<u16> {
        self.number(tag::FLOAT, &value.to_be_bytes())
    }

    /// A `Double`.
    pub fn double(&mut self, value: f64) -> Result<u16> {
        self.number(tag::DOUBLE, &value.to_be_bytes())
    }

    fn number(&mut self, tag: u8, bytes: &[u8]) -> Result<u16> {
        self.intern(&[&[tag], bytes].concat())
    }

    /// A `NameAndType`.
    pub fn name_and_type(&mut self, name: &[u8], descriptor: &[u8]) -> Result<u16> {
        let (name, descriptor) = (self.utf8(name)?, self.utf8(descriptor)?);
        self.intern_pair(tag::NAME_AND_TYPE, name, descriptor)
    }

    /// A `Fieldref`, `Methodref` or `InterfaceMethodref`.
    pub fn member(&mut self, member: MemberRef<'_>) -> Result<u16> {
        let tag = match (member.kind, member.interface) {
            (MemberKind::Field, _) => tag::FIELD,
            (MemberKind::Method, false) => tag::METHOD,
            (MemberKind::Method, true) => tag::INTERFACE_METHOD,
        };
        let owner = self.class(member.owner)?;
        let name_and_type = self.name_and_type(member.name, member.descriptor)?;
        self.intern_pair(tag, owner, name_and_type)
    }

    /// A `Fieldref`.
    pub fn field(&mut self, owner: &[u8], name: &[u8], descriptor: &[u8]) -> Result<u16> {
        self.member(MemberRef { kind: MemberKind::Field, owner, name, descriptor, interface: false })
    }

    /// A `Methodref` to a method of a class.
    pub fn method(&mut self, owner: &[u8], name: &[u8], descriptor: &[u8]) -> Result<u16> {
        self.member(MemberRef { kind: MemberKind::Method, owner, name, descriptor, interface: false })
    }

    /// An `InterfaceMethodref`.
    pub fn interface_method(&mut self, owner: &[u8], name: &[u8], descriptor: &[u8]) -> Result<u16> {
        self.member(MemberRef { kind: MemberKind::Method, owner, name, descriptor, interface: true })
    }

    /// A `MethodType`.
    pub fn method_type(&mut self, descriptor: &[u8]) -> Result<u16> {
        self.intern_text(tag::METHOD_TYPE, descriptor)
    }

    /// A `MethodHandle`.
    pub fn method_handle(&mut self, handle: MethodHandle<'_>) -> Result<u16> {
        let [high, low] = self.member(handle.member)?.to_be_bytes();
        self.intern(&[tag::METHOD_HANDLE, handle.kind as u8, high, low])
    }

    /// A `Dynamic`.
    pub fn dynamic(&mut self, dynamic: DynamicRef<'_>) -> Result<u16> {
        let name_and_type = self.name_and_type(dynamic.name, dynamic.descriptor)?;
        self.intern_pair(tag::DYNAMIC, dynamic.bootstrap, name_and_type)
    }

    /// An `InvokeDynamic`.
    pub fn invoke_dynamic(&mut self, dynamic: DynamicRef<'_>) -> Result<u16> {
        let name_and_type = self.name_and_type(dynamic.name, dynamic.descriptor)?;
        self.intern_pair(tag::INVOKE_DYNAMIC, dynamic.bootstrap, name_and_type)
    }

    /// A `Module`.
    pub fn module(&mut self, name: &[u8]) -> Result<u16> {
        self.intern_text(tag::MODULE, name)
    }

    /// A `Package` by internal name.
    pub fn package(&mut self, name: &[u8]) -> Result<u16> {
        self.intern_text(tag::PACKAGE, name)
    }

    /// Any constant.
    pub fn constant(&mut self, constant: Constant<'_>) -> Result<u16> {
        match constant {
            Constant::Utf8(text) => self.utf8(text),
            Constant::Integer(value) => self.integer(value),
            Constant::Float(value) => self.float(value),
            Constant::Long(value) => self.long(value),
            Constant::Double(value) => self.double(value),
            Constant::Class(name) => self.class(name),
            Constant::String(content) => self.string(content),
            Constant::Member(member) => self.member(member),
            Constant::NameAndType(pair) => self.name_and_type(pair.name, pair.descriptor),
            Constant::MethodHandle(handle) => self.method_handle(handle),
            Constant::MethodType(descriptor) => self.method_type(descriptor),
            Constant::Dynamic(dynamic) => self.dynamic(dynamic),
            Constant::InvokeDynamic(dynamic) => self.invoke_dynamic(dynamic),
            Constant::Module(name) => self.module(name),
            Constant::Package(name) => self.package(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::ClassFile;
    use crate::edit::ClassEditor;
    use crate::opcode::RETURN;
    use crate::testing::class_with_code;

    #[test]
    fn existing_constants_are_found_and_new_ones_shared() {
        let bytes = class_with_code(52, 0, &[RETURN]);
        let class = ClassFile::parse(&bytes).unwrap();
        let mut editor = ClassEditor::new(&class);
        let pool = editor.pool();
        assert_eq!(pool.class(b"A"), Ok(2));
        assert_eq!(pool.long(42), Ok(8));
        assert_eq!(pool.method(b"A", b"m", b"()V"), Ok(10));
        let first_new = pool.count();
        assert_eq!(pool.double(42.0), Ok(first_new));
        // A double takes two indexes.
        assert_eq!(pool.string(b"A"), Ok(first_new + 2));
        assert_eq!(pool.double(42.0), Ok(first_new));
        let field = pool.field(b"B", b"f", b"I").unwrap();
        assert_eq!(pool.field(b"B", b"f", b"I"), Ok(field));
        assert!(pool.takes_two_slots(first_new).unwrap() && !pool.takes_two_slots(field).unwrap());

        let written = editor.write().unwrap();
        let reread = ClassFile::parse(&written).unwrap();
        assert_eq!(reread.pool.get(first_new), Ok(Constant::Double(42.0)));
        assert_eq!(reread.pool.string(first_new + 2), Ok(&b"A"[..]));
        assert_eq!(reread.pool.field_ref(field).unwrap().owner, b"B");
    }

    #[test]
    fn a_full_pool_is_an_error() {
        let bytes = class_with_code(52, 0, &[RETURN]);
        let class = ClassFile::parse(&bytes).unwrap();
        let mut pool = PoolEditor::new(&class.pool);
        let failed = (0..70_000).find_map(|number| pool.integer(number).err());
        assert_eq!(failed, Some(Error::TooLarge { what: "the constant pool" }));
        assert_eq!(pool.count(), u16::MAX);
        assert_eq!(pool.utf8(&[b'a'; 65_536]), Err(Error::TooLarge { what: "a string constant" }));
    }
}
