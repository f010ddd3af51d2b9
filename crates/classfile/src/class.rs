//! The outermost structure of a class file.

use crate::code::Code;
use crate::error::{Error, Result};
use crate::output::Output;
use crate::pool::ConstantPool;
use crate::reader::Reader;

/// A class, interface or module, as views of its file's bytes.
#[derive(Debug, Clone)]
pub struct ClassFile<'a> {
    /// Minor version: 0, with 65535 for preview features, or anything before version 56.
    pub minor: u16,
    /// Major version: 45 for JDK 1.1, 52 for 8, and so on by one for each release.
    pub major: u16,
    /// The constant pool.
    pub pool: ConstantPool<'a>,
    /// Flags, see [`crate::access`].
    pub access: u16,
    /// Internal name; `module-info` for modules.
    pub this_class: &'a [u8],
    /// Internal name of the superclass: absent only for `java/lang/Object` and modules.
    pub super_class: Option<&'a [u8]>,
    /// Internal names of the direct superinterfaces.
    pub interfaces: Vec<&'a [u8]>,
    /// Declared fields, in order.
    pub fields: Vec<Member<'a>>,
    /// Declared methods, in order.
    pub methods: Vec<Member<'a>>,
    /// The class's own attributes.
    pub attributes: Vec<Attribute<'a>>,
    /// The pool indexes of the names, for writing.
    pub(crate) this_index: u16,
    pub(crate) super_index: u16,
    /// The pool indexes of the superinterfaces, two bytes each.
    pub(crate) interface_indexes: &'a [u8],
}

/// A field or method.
#[derive(Debug, Clone)]
pub struct Member<'a> {
    /// Flags, see [`crate::access`].
    pub access: u16,
    /// The name.
    pub name: &'a [u8],
    /// The descriptor.
    pub descriptor: &'a [u8],
    /// The member's attributes.
    pub attributes: Vec<Attribute<'a>>,
    /// Everything from the flags to the last attribute, as in the file.
    pub(crate) raw: &'a [u8],
    /// Is the class older than version 45.3, when `Code` had narrower fields?
    pub(crate) narrow_code: bool,
}

/// A named piece of data attached to a class, field, method, code or record component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute<'a> {
    /// The name, which says how to read `info`.
    pub name: &'a [u8],
    /// The content.
    pub info: &'a [u8],
    /// The name's constant pool index.
    pub name_index: u16,
}

/// How to link a dynamic constant or call site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BootstrapMethod {
    /// Pool index of the method handle to call.
    pub handle: u16,
    /// Pool indexes of the static arguments, which are loadable constants.
    pub args: Vec<u16>,
}

impl<'a> ClassFile<'a> {
    /// Reads a class file in one pass. Method bodies and the insides of attributes are decoded when asked for; that
    /// they lie inside the file is checked here.
    ///
    /// Versions above the newest known are accepted, as their structure has not changed since version 45.
    pub fn parse(bytes: &'a [u8]) -> Result<ClassFile<'a>> {
        let mut header = Reader::new(bytes, "the class file's header");
        if bytes.first_chunk() != Some(&[0xca, 0xfe, 0xba, 0xbe]) {
            return Err(Error::NotAClassFile);
        }
        header.u32()?;
        let minor = header.u16()?;
        let major = header.u16()?;
        if major < 45 {
            return Err(Error::UnsupportedVersion { major });
        }
        let (pool, structure) = ConstantPool::parse(bytes)?;
        let mut reader = Reader::new(structure, "the class's structure");
        let access = reader.u16()?;
        let this_index = reader.u16()?;
        let this_class = pool.class_name(this_index)?;
        let super_index = reader.u16()?;
        let super_class = pool.optional_class_name(super_index)?;
        let from_interfaces = reader.rest();
        let interfaces = reader.list(2, |reader| pool.class_name(reader.u16()?))?;
        let interface_indexes = &from_interfaces[2..][..2 * interfaces.len()];
        let narrow_code = has_narrow_code(major, minor);
        let fields = reader.list(8, |reader| Member::read(reader, &pool, narrow_code))?;
        let methods = reader.list(8, |reader| Member::read(reader, &pool, narrow_code))?;
        let attributes = Attribute::read_list(&mut reader, &pool)?;
        reader.finish()?;
        Ok(ClassFile {
            minor,
            major,
            pool,
            access,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            attributes,
            this_index,
            super_index,
            interface_indexes,
        })
    }

    /// Is `Code` laid out as before version 45.3?
    pub(crate) fn has_narrow_code(&self) -> bool {
        has_narrow_code(self.major, self.minor)
    }

    /// The content of the class's first attribute of this name.
    pub fn attribute(&self, name: &[u8]) -> Option<&'a [u8]> {
        find(&self.attributes, name)
    }

    /// The table that dynamic constants and call sites index; empty if the class has none.
    pub fn bootstrap_methods(&self) -> Result<Vec<BootstrapMethod>> {
        let Some(info) = self.attribute(b"BootstrapMethods") else { return Ok(Vec::new()) };
        let mut reader = Reader::new(info, "BootstrapMethods");
        let methods = reader.list(4, BootstrapMethod::read)?;
        reader.finish()?;
        Ok(methods)
    }
}

impl BootstrapMethod {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<BootstrapMethod> {
        Ok(BootstrapMethod { handle: reader.u16()?, args: reader.list(2, Reader::u16)? })
    }

    pub(crate) fn write(&self, out: &mut Output) -> Result<()> {
        out.u16(self.handle);
        out.list(&self.args, "a bootstrap method", |out, &arg| {
            out.u16(arg);
            Ok(())
        })
    }
}

impl<'a> Member<'a> {
    fn read(reader: &mut Reader<'a>, pool: &ConstantPool<'a>, narrow_code: bool) -> Result<Member<'a>> {
        let start = reader.rest();
        let access = reader.u16()?;
        let name = pool.utf8(reader.u16()?)?;
        let descriptor = pool.utf8(reader.u16()?)?;
        let attributes = Attribute::read_list(reader, pool)?;
        let raw = &start[..start.len() - reader.remaining()];
        Ok(Member { access, name, descriptor, attributes, raw, narrow_code })
    }

    /// The content of the member's first attribute of this name.
    pub fn attribute(&self, name: &[u8]) -> Option<&'a [u8]> {
        find(&self.attributes, name)
    }

    /// The method's body; nothing for fields, abstract and native methods.
    pub fn code(&self, pool: &ConstantPool<'a>) -> Result<Option<Code<'a>>> {
        match self.attribute(b"Code") {
            Some(info) => Code::read(info, pool, self.narrow_code).map(Some),
            None => Ok(None),
        }
    }
}

impl<'a> Attribute<'a> {
    pub(crate) fn read_list(reader: &mut Reader<'a>, pool: &ConstantPool<'a>) -> Result<Vec<Attribute<'a>>> {
        reader.list(6, |reader| {
            let name_index = reader.u16()?;
            let name = pool.utf8(name_index)?;
            let length = reader.u32()? as usize;
            Ok(Attribute { name, info: reader.bytes(length)?, name_index })
        })
    }
}

fn has_narrow_code(major: u16, minor: u16) -> bool {
    major == 45 && minor < 3
}

pub(crate) fn find<'a>(attributes: &[Attribute<'a>], name: &[u8]) -> Option<&'a [u8]> {
    attributes.iter().find(|attribute| attribute.name == name).map(|attribute| attribute.info)
}
