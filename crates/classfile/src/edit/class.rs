//! Changes to a class, written with everything else copied.

use crate::class::{Attribute, ClassFile};
use crate::error::{Error, Result};
use crate::output::Output;
use crate::pool_editor::PoolEditor;

/// An attribute to be added.
#[derive(Debug, Clone, Copy)]
pub struct NewAttribute<'n> {
    /// The name.
    pub name: &'n [u8],
    /// The content; indexes in it are those of the editor's pool.
    pub info: &'n [u8],
}

/// Changes to a class.
#[derive(Debug)]
pub struct ClassEditor<'e, 'a> {
    class: &'e ClassFile<'a>,
    pool: PoolEditor<'a>,
    access: u16,
    /// Pool indexes of interfaces added.
    new_interfaces: Vec<u16>,
    /// Fields added, as they will be written.
    new_fields: Output,
    new_field_count: usize,
    /// Methods added, as they will be written.
    new_methods: Output,
    new_method_count: usize,
    /// Flags changed, by position among the fields.
    field_access: Vec<Option<u16>>,
    /// By position among the methods.
    methods: Vec<MethodChange>,
    /// Attributes of the class added, as they will be written.
    new_attributes: Output,
    new_attribute_count: usize,
}

#[derive(Debug, Clone, Default)]
struct MethodChange {
    access: Option<u16>,
    /// New content of the `Code` attribute.
    code: Option<Vec<u8>>,
}

impl<'e, 'a> ClassEditor<'e, 'a> {
    /// Starts with a class as it is.
    pub fn new(class: &'e ClassFile<'a>) -> ClassEditor<'e, 'a> {
        ClassEditor {
            class,
            pool: PoolEditor::new(&class.pool),
            access: class.access,
            new_interfaces: Vec::new(),
            new_fields: Output::default(),
            new_field_count: 0,
            new_methods: Output::default(),
            new_method_count: 0,
            field_access: vec![None; class.fields.len()],
            methods: vec![MethodChange::default(); class.methods.len()],
            new_attributes: Output::default(),
            new_attribute_count: 0,
        }
    }

    /// The class's constants, to which new ones can be added.
    pub fn pool(&mut self) -> &mut PoolEditor<'a> {
        &mut self.pool
    }

    /// Changes the class's flags.
    pub fn set_access(&mut self, access: u16) {
        self.access = access;
    }

    /// Changes the flags of the field at this position.
    pub fn set_field_access(&mut self, position: usize, access: u16) -> Result<()> {
        *self.field_access.get_mut(position).ok_or(NO_SUCH_MEMBER)? = Some(access);
        Ok(())
    }

    /// Changes the flags of the method at this position.
    pub fn set_method_access(&mut self, position: usize, access: u16) -> Result<()> {
        self.methods.get_mut(position).ok_or(NO_SUCH_MEMBER)?.access = Some(access);
        Ok(())
    }

    /// Gives the method at this position new code: the content of a `Code` attribute, as made by
    /// [`CodeEditor::finish`](super::CodeEditor::finish). The method must have code already.
    pub fn replace_code(&mut self, position: usize, code: Vec<u8>) -> Result<()> {
        let method = self.class.methods.get(position).ok_or(NO_SUCH_MEMBER)?;
        if method.attribute(b"Code").is_none() {
            return Err(Error::Malformed { what: "code was to be replaced in a method that has none" });
        }
        self.methods[position].code = Some(code);
        Ok(())
    }

    /// Adds an interface that the class implements.
    pub fn add_interface(&mut self, name: &[u8]) -> Result<()> {
        let index = self.pool.class(name)?;
        self.new_interfaces.push(index);
        Ok(())
    }

    /// Adds a field behind the others.
    pub fn add_field(
        &mut self,
        access: u16,
        name: &[u8],
        descriptor: &[u8],
        attributes: &[NewAttribute<'_>],
    ) -> Result<()> {
        write_member(access, name, descriptor, attributes, &mut self.pool, &mut self.new_fields)?;
        self.new_field_count += 1;
        Ok(())
    }

    /// Adds a method behind the others; its code, if any, is an attribute.
    pub fn add_method(
        &mut self,
        access: u16,
        name: &[u8],
        descriptor: &[u8],
        attributes: &[NewAttribute<'_>],
    ) -> Result<()> {
        write_member(access, name, descriptor, attributes, &mut self.pool, &mut self.new_methods)?;
        self.new_method_count += 1;
        Ok(())
    }

    /// Adds an attribute to the class, behind the others.
    pub fn add_attribute(&mut self, attribute: NewAttribute<'_>) -> Result<()> {
        write_attribute(attribute, &mut self.pool, &mut self.new_attributes)?;
        self.new_attribute_count += 1;
        Ok(())
    }

    /// The new class file.
    pub fn write(&self) -> Result<Vec<u8>> {
        let class = self.class;
        let mut out = Output::default();
        out.u32(0xcafe_babe);
        out.u16(class.minor);
        out.u16(class.major);
        self.pool.write(&mut out);
        out.u16(self.access);
        out.u16(class.this_index);
        out.u16(class.super_index);
        out.count(class.interface_indexes.len() / 2 + self.new_interfaces.len(), "the list of interfaces")?;
        out.slice(class.interface_indexes);
        self.new_interfaces.iter().for_each(|&index| out.u16(index));

        out.count(class.fields.len() + self.new_field_count, "the list of fields")?;
        for (field, access) in class.fields.iter().zip(&self.field_access) {
            out.u16(access.unwrap_or(field.access));
            out.slice(&field.raw[2..]);
        }
        out.slice(&self.new_fields.bytes);

        out.count(class.methods.len() + self.new_method_count, "the list of methods")?;
        for (method, change) in class.methods.iter().zip(&self.methods) {
            out.u16(change.access.unwrap_or(method.access));
            let Some(code) = &change.code else {
                out.slice(&method.raw[2..]);
                continue;
            };
            out.slice(&method.raw[2..6]);
            let mut code = Some(code);
            out.list(&method.attributes, "a list of attributes", |out, attribute| {
                let info = match attribute.name {
                    b"Code" => code.take().map_or(attribute.info, |code| &code[..]),
                    _ => attribute.info,
                };
                copy_attribute(attribute.name_index, info, out)
            })?;
        }
        out.slice(&self.new_methods.bytes);

        out.count(class.attributes.len() + self.new_attribute_count, "the list of attributes")?;
        for Attribute { name_index, info, .. } in &class.attributes {
            copy_attribute(*name_index, info, &mut out)?;
        }
        out.slice(&self.new_attributes.bytes);
        Ok(out.bytes)
    }
}

const NO_SUCH_MEMBER: Error = Error::Malformed { what: "there is no field or method at this position" };

fn copy_attribute(name_index: u16, info: &[u8], out: &mut Output) -> Result<()> {
    out.attribute(name_index, |out| {
        out.slice(info);
        Ok(())
    })
}

fn write_attribute(attribute: NewAttribute<'_>, pool: &mut PoolEditor<'_>, out: &mut Output) -> Result<()> {
    copy_attribute(pool.utf8(attribute.name)?, attribute.info, out)
}

fn write_member(
    access: u16,
    name: &[u8],
    descriptor: &[u8],
    attributes: &[NewAttribute<'_>],
    pool: &mut PoolEditor<'_>,
    out: &mut Output,
) -> Result<()> {
    let (name, descriptor) = (pool.utf8(name)?, pool.utf8(descriptor)?);
    out.u16(access);
    out.u16(name);
    out.u16(descriptor);
    out.list(attributes, "a list of attributes", |out, attribute| write_attribute(*attribute, pool, out))
}
