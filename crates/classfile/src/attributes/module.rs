//! The `Module` attribute of a `module-info`.

use crate::error::Result;
use crate::output::Output;
use crate::pool::ConstantPool;
use crate::pool_editor::PoolEditor;
use crate::reader::Reader;

/// A module's declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module<'a> {
    /// The name.
    pub name: &'a [u8],
    /// `OPEN`, `SYNTHETIC`, `MANDATED`.
    pub access: u16,
    /// The version it was compiled as.
    pub version: Option<&'a [u8]>,
    /// The modules it reads.
    pub requires: Vec<Requires<'a>>,
    /// Packages whose public classes others may use.
    pub exports: Vec<Qualified<'a>>,
    /// Packages that others may access by reflection.
    pub opens: Vec<Qualified<'a>>,
    /// Services it looks up.
    pub uses: Vec<&'a [u8]>,
    /// Services with the classes that implement them.
    pub provides: Vec<(&'a [u8], Vec<&'a [u8]>)>,
}

/// A module that another one reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Requires<'a> {
    /// The module read.
    pub module: &'a [u8],
    /// `TRANSITIVE`, `STATIC_PHASE`, `SYNTHETIC`, `MANDATED`.
    pub access: u16,
    /// The version it was compiled against.
    pub version: Option<&'a [u8]>,
}

/// A package exported or opened, to all or to some modules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Qualified<'a> {
    /// The package's internal name.
    pub package: &'a [u8],
    /// `SYNTHETIC`, `MANDATED`.
    pub access: u16,
    /// To which modules; to all if empty.
    pub to: Vec<&'a [u8]>,
}

impl<'a> Module<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>, pool: &ConstantPool<'a>) -> Result<Module<'a>> {
        Ok(Module {
            name: pool.module_name(reader.u16()?)?,
            access: reader.u16()?,
            version: pool.optional_utf8(reader.u16()?)?,
            requires: reader.list(6, |reader| {
                Ok(Requires {
                    module: pool.module_name(reader.u16()?)?,
                    access: reader.u16()?,
                    version: pool.optional_utf8(reader.u16()?)?,
                })
            })?,
            exports: reader.list(6, |reader| Qualified::read(reader, pool))?,
            opens: reader.list(6, |reader| Qualified::read(reader, pool))?,
            uses: reader.list(2, |reader| pool.class_name(reader.u16()?))?,
            provides: reader.list(4, |reader| {
                let service = pool.class_name(reader.u16()?)?;
                Ok((service, reader.list(2, |reader| pool.class_name(reader.u16()?))?))
            })?,
        })
    }

    pub(crate) fn write(&self, out: &mut Output, pool: &mut PoolEditor<'_>) -> Result<()> {
        const WHAT: &str = "a module's declaration";
        out.u16(pool.module(self.name)?);
        out.u16(self.access);
        out.u16(pool.optional_utf8(self.version)?);
        out.list(&self.requires, WHAT, |out, requires| {
            out.u16(pool.module(requires.module)?);
            out.u16(requires.access);
            out.u16(pool.optional_utf8(requires.version)?);
            Ok(())
        })?;
        out.list(&self.exports, WHAT, |out, exported| exported.write(out, pool))?;
        out.list(&self.opens, WHAT, |out, opened| opened.write(out, pool))?;
        let class = |out: &mut Output, pool: &mut PoolEditor<'_>, name: &[u8]| -> Result<()> {
            out.u16(pool.class(name)?);
            Ok(())
        };
        out.list(&self.uses, WHAT, |out, service| class(out, pool, service))?;
        out.list(&self.provides, WHAT, |out, (service, providers)| {
            class(out, pool, service)?;
            out.list(providers, WHAT, |out, provider| class(out, pool, provider))
        })
    }
}

impl<'a> Qualified<'a> {
    fn read(reader: &mut Reader<'a>, pool: &ConstantPool<'a>) -> Result<Qualified<'a>> {
        Ok(Qualified {
            package: pool.package_name(reader.u16()?)?,
            access: reader.u16()?,
            to: reader.list(2, |reader| pool.module_name(reader.u16()?))?,
        })
    }

    fn write(&self, out: &mut Output, pool: &mut PoolEditor<'_>) -> Result<()> {
        out.u16(pool.package(self.package)?);
        out.u16(self.access);
        out.list(&self.to, "a module's declaration", |out, module| {
            out.u16(pool.module(module)?);
            Ok(())
        })
    }
}
