//! The constant pool: where every entry starts, and typed lookups that check tags and indexes as they go.
//!
//! Entries are not decoded when the pool is read; a lookup reads the bytes in place. So reading a pool costs one
//! allocation, and a broken entry is an error only for who asks for it.

use crate::error::{Error, Result};

/// The tag bytes of constant pool entries.
pub mod tag {
    #![allow(missing_docs)]
    pub const UTF8: u8 = 1;
    pub const INTEGER: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const LONG: u8 = 5;
    pub const DOUBLE: u8 = 6;
    pub const CLASS: u8 = 7;
    pub const STRING: u8 = 8;
    pub const FIELD: u8 = 9;
    pub const METHOD: u8 = 10;
    pub const INTERFACE_METHOD: u8 = 11;
    pub const NAME_AND_TYPE: u8 = 12;
    pub const METHOD_HANDLE: u8 = 15;
    pub const METHOD_TYPE: u8 = 16;
    pub const DYNAMIC: u8 = 17;
    pub const INVOKE_DYNAMIC: u8 = 18;
    pub const MODULE: u8 = 19;
    pub const PACKAGE: u8 = 20;
}

/// Where the first entry of a pool is in a class file.
const START: usize = 10;

/// A class's constant pool. Indexes are those of the class file: they start at 1.
#[derive(Debug, Clone)]
pub struct ConstantPool<'a> {
    /// The class file from its start to the end of the pool.
    bytes: &'a [u8],
    /// By index: where the entry's tag is in `bytes`; 0 for index 0 and after a `long` or `double`. (No entry starts
    /// at 0, and the byte there, the first of the magic number, is no tag: lookups need no extra test for it.)
    offsets: Vec<u32>,
}

/// An entry with everything it refers to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant<'a> {
    /// Text in modified UTF-8.
    Utf8(&'a [u8]),
    /// An `int`.
    Integer(i32),
    /// A `float`.
    Float(f32),
    /// A `long`.
    Long(i64),
    /// A `double`.
    Double(f64),
    /// A class by internal name, or an array class by descriptor.
    Class(&'a [u8]),
    /// A `String` object with this content, in modified UTF-8.
    String(&'a [u8]),
    /// A field or method.
    Member(MemberRef<'a>),
    /// A name with a descriptor.
    NameAndType(NameAndType<'a>),
    /// A method handle.
    MethodHandle(MethodHandle<'a>),
    /// A method type by descriptor.
    MethodType(&'a [u8]),
    /// A value that a bootstrap method computes.
    Dynamic(DynamicRef<'a>),
    /// A call site that a bootstrap method links.
    InvokeDynamic(DynamicRef<'a>),
    /// A module by name.
    Module(&'a [u8]),
    /// A package by internal name.
    Package(&'a [u8]),
}

/// Field or method?
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemberKind {
    /// A field.
    Field,
    /// A method.
    Method,
}

/// A symbolic reference to a field or method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemberRef<'a> {
    /// Field or method.
    pub kind: MemberKind,
    /// The class that the reference names, which need not declare the member; for methods possibly an array.
    pub owner: &'a [u8],
    /// The member's name.
    pub name: &'a [u8],
    /// The member's descriptor.
    pub descriptor: &'a [u8],
    /// Is it an `InterfaceMethodref`?
    pub interface: bool,
}

/// A name with a descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NameAndType<'a> {
    /// The name.
    pub name: &'a [u8],
    /// The field or method descriptor.
    pub descriptor: &'a [u8],
}

/// A dynamically computed constant or call site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DynamicRef<'a> {
    /// Index into the class's `BootstrapMethods`.
    pub bootstrap: u16,
    /// The name handed to the bootstrap method.
    pub name: &'a [u8],
    /// The constant's field descriptor or the call site's method descriptor.
    pub descriptor: &'a [u8],
}

/// What a method handle does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum HandleKind {
    GetField = 1,
    GetStatic = 2,
    PutField = 3,
    PutStatic = 4,
    InvokeVirtual = 5,
    InvokeStatic = 6,
    InvokeSpecial = 7,
    NewInvokeSpecial = 8,
    InvokeInterface = 9,
}

impl HandleKind {
    /// The kind that the number in the class file stands for.
    pub fn from_number(number: u8) -> Option<HandleKind> {
        use HandleKind::*;
        [
            GetField,
            GetStatic,
            PutField,
            PutStatic,
            InvokeVirtual,
            InvokeStatic,
            InvokeSpecial,
            NewInvokeSpecial,
            InvokeInterface,
        ]
        .into_iter()
        .find(|&kind| kind as u8 == number)
    }
}

/// A method handle constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodHandle<'a> {
    /// What it does.
    pub kind: HandleKind,
    /// The field or method it does it to.
    pub member: MemberRef<'a>,
}

impl<'a> ConstantPool<'a> {
    /// Finds the entries of a class file's pool. Returns what follows the pool, too.
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<(ConstantPool<'a>, &'a [u8])> {
        const TRUNCATED: Error = Error::Truncated { reading: "the constant pool" };
        if u32::try_from(bytes.len()).is_err() {
            return Err(Error::TooLarge { what: "the file" });
        }
        let count = usize::from(u16_at(bytes, START - 2).ok_or(TRUNCATED)?);
        let mut at = START;
        // The shortest entry, an empty Utf8, has three bytes, so this also bounds what is allocated.
        if count == 0 || (count - 1) * 3 > bytes.len() - at {
            return Err(TRUNCATED);
        }
        let mut offsets = Vec::with_capacity(count);
        offsets.push(0);
        while offsets.len() < count {
            let tag = *bytes.get(at).ok_or(TRUNCATED)?;
            let index = offsets.len();
            offsets.push(at as u32);
            at += match tag {
                tag::UTF8 => 3 + usize::from(u16_at(bytes, at + 1).ok_or(TRUNCATED)?),
                tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => 3,
                tag::METHOD_HANDLE => 4,
                tag::INTEGER | tag::FLOAT => 5,
                tag::FIELD | tag::METHOD | tag::INTERFACE_METHOD => 5,
                tag::NAME_AND_TYPE | tag::DYNAMIC | tag::INVOKE_DYNAMIC => 5,
                tag::LONG | tag::DOUBLE => {
                    if offsets.len() == count {
                        return Err(TRUNCATED);
                    }
                    offsets.push(0);
                    9
                }
                _ => return Err(Error::BadConstantTag { index: index as u16, tag }),
            };
        }
        let (bytes, rest) = bytes.split_at_checked(at).ok_or(TRUNCATED)?;
        Ok((ConstantPool { bytes, offsets }, rest))
    }

    /// One more than the largest index; the number that the class file stores.
    pub fn count(&self) -> u16 {
        self.offsets.len() as u16
    }

    /// The indexes of all entries, in order.
    pub fn indexes(&self) -> impl Iterator<Item = u16> + '_ {
        (1..self.count()).filter(|&index| self.offsets[usize::from(index)] != 0)
    }

    /// All entries as in the file, without the count before them.
    pub(crate) fn raw(&self) -> &'a [u8] {
        &self.bytes[START..]
    }

    /// The bytes of an entry, tag included. The index must be one of [`ConstantPool::indexes`].
    pub(crate) fn raw_entry(&self, index: u16) -> &'a [u8] {
        let start = self.offsets[usize::from(index)] as usize;
        let rest = &self.offsets[usize::from(index) + 1..];
        let end = rest.iter().find(|&&offset| offset != 0).map_or(self.bytes.len(), |&next| next as usize);
        &self.bytes[start..end]
    }

    /// The bytes from an entry's tag on, to the end of the pool; at least the tag.
    #[inline]
    pub(crate) fn entry_onwards(&self, index: u16) -> Result<&'a [u8]> {
        match self.offsets.get(usize::from(index)) {
            Some(&offset) if offset != 0 => Ok(&self.bytes[offset as usize..]),
            _ => Err(Error::NoSuchConstant { index }),
        }
    }

    /// The entry's tag and the bytes from its content on.
    #[inline]
    fn entry(&self, index: u16) -> Result<(u8, &'a [u8])> {
        match self.entry_onwards(index)?.split_first() {
            Some((&tag, content)) => Ok((tag, content)),
            None => Err(Error::NoSuchConstant { index }),
        }
    }

    /// The `N` bytes of content of an entry with the given tag.
    #[inline]
    fn content<const N: usize>(&self, index: u16, tag: u8, expected: &'static str) -> Result<&'a [u8; N]> {
        match self.entry(index)? {
            (found, content) if found == tag => {
                content.first_chunk().ok_or(Error::Truncated { reading: "the constant pool" })
            }
            _ => Err(Error::WrongConstant { index, expected }),
        }
    }

    /// The tag of the entry, one of [`tag`].
    pub fn tag(&self, index: u16) -> Result<u8> {
        Ok(self.entry(index)?.0)
    }

    /// The whole entry with what it refers to.
    pub fn get(&self, index: u16) -> Result<Constant<'a>> {
        let (tag, _) = self.entry(index)?;
        Ok(match tag {
            tag::UTF8 => Constant::Utf8(self.utf8(index)?),
            tag::INTEGER => Constant::Integer(self.integer(index)?),
            tag::FLOAT => Constant::Float(f32::from_be_bytes(*self.content(index, tag::FLOAT, "a Float")?)),
            tag::LONG => Constant::Long(self.long(index)?),
            tag::DOUBLE => Constant::Double(self.double(index)?),
            tag::CLASS => Constant::Class(self.class_name(index)?),
            tag::STRING => Constant::String(self.string(index)?),
            tag::FIELD | tag::METHOD | tag::INTERFACE_METHOD => Constant::Member(self.member_ref(index)?),
            tag::NAME_AND_TYPE => Constant::NameAndType(self.name_and_type(index)?),
            tag::METHOD_HANDLE => Constant::MethodHandle(self.method_handle(index)?),
            tag::METHOD_TYPE => Constant::MethodType(self.method_type(index)?),
            tag::DYNAMIC => Constant::Dynamic(self.dynamic(index)?),
            tag::INVOKE_DYNAMIC => Constant::InvokeDynamic(self.dynamic(index)?),
            tag::MODULE => Constant::Module(self.module_name(index)?),
            tag::PACKAGE => Constant::Package(self.package_name(index)?),
            _ => return Err(Error::BadConstantTag { index, tag }),
        })
    }

    /// A `Utf8` entry.
    #[inline]
    pub fn utf8(&self, index: u16) -> Result<&'a [u8]> {
        match self.entry(index)? {
            (tag::UTF8, [high, low, text @ ..]) => text
                .get(..usize::from(u16::from_be_bytes([*high, *low])))
                .ok_or(Error::Truncated { reading: "the constant pool" }),
            _ => Err(Error::WrongConstant { index, expected: "a Utf8" }),
        }
    }

    /// A `Utf8` entry, or nothing if the index is 0.
    pub fn optional_utf8(&self, index: u16) -> Result<Option<&'a [u8]>> {
        if index == 0 { Ok(None) } else { self.utf8(index).map(Some) }
    }

    /// The text behind an entry that consists of one index.
    #[inline]
    fn text(&self, index: u16, tag: u8, expected: &'static str) -> Result<&'a [u8]> {
        self.utf8(u16::from_be_bytes(*self.content(index, tag, expected)?))
    }

    /// The name in a `Class` entry: internal, or a descriptor if it is an array.
    #[inline]
    pub fn class_name(&self, index: u16) -> Result<&'a [u8]> {
        self.text(index, tag::CLASS, "a Class")
    }

    /// The name in a `Class` entry, or nothing if the index is 0.
    pub fn optional_class_name(&self, index: u16) -> Result<Option<&'a [u8]>> {
        if index == 0 { Ok(None) } else { self.class_name(index).map(Some) }
    }

    /// The content of a `String` entry, in modified UTF-8.
    pub fn string(&self, index: u16) -> Result<&'a [u8]> {
        self.text(index, tag::STRING, "a String")
    }

    /// The descriptor in a `MethodType` entry.
    pub fn method_type(&self, index: u16) -> Result<&'a [u8]> {
        self.text(index, tag::METHOD_TYPE, "a MethodType")
    }

    /// The name in a `Module` entry.
    pub fn module_name(&self, index: u16) -> Result<&'a [u8]> {
        self.text(index, tag::MODULE, "a Module")
    }

    /// The internal name in a `Package` entry.
    pub fn package_name(&self, index: u16) -> Result<&'a [u8]> {
        self.text(index, tag::PACKAGE, "a Package")
    }

    /// An `Integer` entry.
    pub fn integer(&self, index: u16) -> Result<i32> {
        Ok(i32::from_be_bytes(*self.content(index, tag::INTEGER, "an Integer")?))
    }

    /// A `Long` entry.
    pub fn long(&self, index: u16) -> Result<i64> {
        Ok(i64::from_be_bytes(*self.content(index, tag::LONG, "a Long")?))
    }

    /// A `Float` entry.
    pub fn float(&self, index: u16) -> Result<f32> {
        Ok(f32::from_be_bytes(*self.content(index, tag::FLOAT, "a Float")?))
    }

    /// A `Double` entry.
    pub fn double(&self, index: u16) -> Result<f64> {
        Ok(f64::from_be_bytes(*self.content(index, tag::DOUBLE, "a Double")?))
    }

    /// A `NameAndType` entry.
    pub fn name_and_type(&self, index: u16) -> Result<NameAndType<'a>> {
        let &[n1, n2, d1, d2] = self.content(index, tag::NAME_AND_TYPE, "a NameAndType")?;
        Ok(NameAndType {
            name: self.utf8(u16::from_be_bytes([n1, n2]))?,
            descriptor: self.utf8(u16::from_be_bytes([d1, d2]))?,
        })
    }

    /// A `Fieldref`, `Methodref` or `InterfaceMethodref` entry.
    pub fn member_ref(&self, index: u16) -> Result<MemberRef<'a>> {
        const EXPECTED: &str = "a field or method reference";
        let tag = self.tag(index)?;
        if !matches!(tag, tag::FIELD | tag::METHOD | tag::INTERFACE_METHOD) {
            return Err(Error::WrongConstant { index, expected: EXPECTED });
        }
        let &[o1, o2, n1, n2] = self.content(index, tag, EXPECTED)?;
        let NameAndType { name, descriptor } = self.name_and_type(u16::from_be_bytes([n1, n2]))?;
        Ok(MemberRef {
            kind: if tag == tag::FIELD { MemberKind::Field } else { MemberKind::Method },
            owner: self.class_name(u16::from_be_bytes([o1, o2]))?,
            name,
            descriptor,
            interface: tag == tag::INTERFACE_METHOD,
        })
    }

    /// A `Fieldref` entry.
    pub fn field_ref(&self, index: u16) -> Result<MemberRef<'a>> {
        match self.member_ref(index)? {
            member if member.kind == MemberKind::Field => Ok(member),
            _ => Err(Error::WrongConstant { index, expected: "a field reference" }),
        }
    }

    /// A `Methodref` or `InterfaceMethodref` entry.
    pub fn method_ref(&self, index: u16) -> Result<MemberRef<'a>> {
        match self.member_ref(index)? {
            member if member.kind == MemberKind::Method => Ok(member),
            _ => Err(Error::WrongConstant { index, expected: "a method reference" }),
        }
    }

    /// A `Dynamic` or `InvokeDynamic` entry.
    pub fn dynamic(&self, index: u16) -> Result<DynamicRef<'a>> {
        const EXPECTED: &str = "a dynamic constant or call site";
        let tag = self.tag(index)?;
        if !matches!(tag, tag::DYNAMIC | tag::INVOKE_DYNAMIC) {
            return Err(Error::WrongConstant { index, expected: EXPECTED });
        }
        let &[b1, b2, n1, n2] = self.content(index, tag, EXPECTED)?;
        let NameAndType { name, descriptor } = self.name_and_type(u16::from_be_bytes([n1, n2]))?;
        Ok(DynamicRef { bootstrap: u16::from_be_bytes([b1, b2]), name, descriptor })
    }

    /// A `MethodHandle` entry.
    pub fn method_handle(&self, index: u16) -> Result<MethodHandle<'a>> {
        const EXPECTED: &str = "a method handle";
        let &[kind, r1, r2] = self.content(index, tag::METHOD_HANDLE, EXPECTED)?;
        let kind = HandleKind::from_number(kind).ok_or(Error::WrongConstant { index, expected: EXPECTED })?;
        Ok(MethodHandle { kind, member: self.member_ref(u16::from_be_bytes([r1, r2]))? })
    }
}

#[inline]
fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}
