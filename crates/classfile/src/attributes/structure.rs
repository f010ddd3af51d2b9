//! Attributes that relate a class to other classes and describe its members.

use crate::class::Attribute;
use crate::error::Result;
use crate::output::Output;
use crate::pool::{ConstantPool, NameAndType};
use crate::pool_editor::PoolEditor;
use crate::reader::Reader;

/// A row of `InnerClasses`: there is one for every nested class that the pool names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InnerClass<'a> {
    /// The nested class.
    pub inner: &'a [u8],
    /// The class of which it is a member; absent for local and anonymous classes.
    pub outer: Option<&'a [u8]>,
    /// Its name in the source; absent for anonymous classes.
    pub name: Option<&'a [u8]>,
    /// Its flags in the source, which include `PRIVATE`, `PROTECTED` and `STATIC`.
    pub access: u16,
}

impl<'a> InnerClass<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>, pool: &ConstantPool<'a>) -> Result<InnerClass<'a>> {
        Ok(InnerClass {
            inner: pool.class_name(reader.u16()?)?,
            outer: pool.optional_class_name(reader.u16()?)?,
            name: pool.optional_utf8(reader.u16()?)?,
            access: reader.u16()?,
        })
    }

    pub(crate) fn write(&self, out: &mut Output, pool: &mut PoolEditor<'_>) -> Result<()> {
        out.u16(pool.class(self.inner)?);
        out.u16(pool.optional_class(self.outer)?);
        out.u16(pool.optional_utf8(self.name)?);
        out.u16(self.access);
        Ok(())
    }
}

/// Where a local or anonymous class stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnclosingMethod<'a> {
    /// The innermost enclosing class.
    pub class: &'a [u8],
    /// The enclosing method; absent in initialisers.
    pub method: Option<NameAndType<'a>>,
}

impl<'a> EnclosingMethod<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>, pool: &ConstantPool<'a>) -> Result<EnclosingMethod<'a>> {
        let class = pool.class_name(reader.u16()?)?;
        let method = match reader.u16()? {
            0 => None,
            index => Some(pool.name_and_type(index)?),
        };
        Ok(EnclosingMethod { class, method })
    }

    pub(crate) fn write(&self, out: &mut Output, pool: &mut PoolEditor<'_>) -> Result<()> {
        out.u16(pool.class(self.class)?);
        out.u16(match self.method {
            Some(method) => pool.name_and_type(method.name, method.descriptor)?,
            None => 0,
        });
        Ok(())
    }
}

/// A component of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordComponent<'a> {
    /// The name, which is also that of its field and accessor.
    pub name: &'a [u8],
    /// The type.
    pub descriptor: &'a [u8],
    /// Signature and annotations.
    pub attributes: Vec<Attribute<'a>>,
}

impl<'a> RecordComponent<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>, pool: &ConstantPool<'a>) -> Result<RecordComponent<'a>> {
        Ok(RecordComponent {
            name: pool.utf8(reader.u16()?)?,
            descriptor: pool.utf8(reader.u16()?)?,
            attributes: Attribute::read_list(reader, pool)?,
        })
    }

    pub(crate) fn write(&self, out: &mut Output, pool: &mut PoolEditor<'_>) -> Result<()> {
        out.u16(pool.utf8(self.name)?);
        out.u16(pool.utf8(self.descriptor)?);
        Attribute::write_list(&self.attributes, out)
    }
}

/// A row of `MethodParameters`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodParameter<'a> {
    /// The name; absent for some parameters that no source declares.
    pub name: Option<&'a [u8]>,
    /// `FINAL`, `SYNTHETIC`, `MANDATED`.
    pub access: u16,
}

impl<'a> MethodParameter<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>, pool: &ConstantPool<'a>) -> Result<MethodParameter<'a>> {
        Ok(MethodParameter { name: pool.optional_utf8(reader.u16()?)?, access: reader.u16()? })
    }

    pub(crate) fn write(&self, out: &mut Output, pool: &mut PoolEditor<'_>) -> Result<()> {
        out.u16(pool.optional_utf8(self.name)?);
        out.u16(self.access);
        Ok(())
    }
}
