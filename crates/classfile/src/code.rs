//! The `Code` attribute: a method's instructions, exception handlers and debug tables.

use crate::class::{Attribute, find};
use crate::decode::decode;
use crate::error::{Error, Result};
use crate::insn::Insn;
use crate::output::Output;
use crate::pool::ConstantPool;
use crate::pool_editor::PoolEditor;
use crate::reader::Reader;
use crate::stack_map::{self, Frame};

/// A method's body. Positions in it, called `bci` (bytecode index), are offsets into `bytes`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code<'a> {
    /// The deepest operand stack, in slots.
    pub max_stack: u16,
    /// The number of local-variable slots, parameters included.
    pub max_locals: u16,
    /// The instructions: 1 to 65,535 bytes.
    pub bytes: &'a [u8],
    /// Exception handlers, in the order in which the JVM tries them.
    pub handlers: Vec<Handler<'a>>,
    /// The code's own attributes.
    pub attributes: Vec<Attribute<'a>>,
}

/// An exception handler. `start < end <= code length` and `handler < code length` hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handler<'a> {
    /// First bci protected.
    pub start: u32,
    /// First bci no longer protected.
    pub end: u32,
    /// Where the handler's code begins.
    pub handler: u32,
    /// The class of exceptions caught, or everything (as for `finally`).
    pub catch_type: Option<&'a [u8]>,
    /// The pool index of `catch_type`, 0 for everything.
    pub catch_index: u16,
}

/// In which part of the code a source variable lives in which slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalVariable<'a> {
    /// First bci at which the variable has a value.
    pub start: u32,
    /// First bci at which it no longer has one.
    pub end: u32,
    /// The name in the source.
    pub name: &'a [u8],
    /// The variable's type: a descriptor in `LocalVariableTable`, a generic signature in `LocalVariableTypeTable`.
    pub descriptor: &'a [u8],
    /// The first slot.
    pub slot: u16,
}

impl<'a> Code<'a> {
    /// Reads the attribute. `narrow` chooses the layout used before version 45.3.
    pub(crate) fn read(info: &'a [u8], pool: &ConstantPool<'a>, narrow: bool) -> Result<Code<'a>> {
        let mut reader = Reader::new(info, "a Code attribute");
        let (max_stack, max_locals, length);
        if narrow {
            (max_stack, max_locals) = (reader.u8()?.into(), reader.u8()?.into());
            length = reader.u16()?.into();
        } else {
            (max_stack, max_locals) = (reader.u16()?, reader.u16()?);
            length = reader.u32()?;
        }
        if length == 0 || length > 0xffff {
            return Err(Error::Malformed { what: "a method's code is empty or longer than 65,535 bytes" });
        }
        let bytes = reader.bytes(length as usize)?;
        let handlers = reader.list(8, |reader| {
            let (start, end) = (u32::from(reader.u16()?), u32::from(reader.u16()?));
            let handler = u32::from(reader.u16()?);
            let catch_index = reader.u16()?;
            if start >= end || end > length || handler >= length {
                return Err(Error::Malformed { what: "an exception handler lies outside its code" });
            }
            let catch_type = pool.optional_class_name(catch_index)?;
            Ok(Handler { start, end, handler, catch_type, catch_index })
        })?;
        let attributes = Attribute::read_list(&mut reader, pool)?;
        reader.finish()?;
        Ok(Code { max_stack, max_locals, bytes, handlers, attributes })
    }

    /// Writes the attribute's content, in the layout used since version 45.3.
    pub(crate) fn write(&self, out: &mut Output) -> Result<()> {
        out.u16(self.max_stack);
        out.u16(self.max_locals);
        out.u32(u32::try_from(self.bytes.len()).map_err(|_| Error::TooLarge { what: "a method's code" })?);
        out.slice(self.bytes);
        out.list(&self.handlers, "an exception table", |out, handler| handler.write(out))?;
        Attribute::write_list(&self.attributes, out)
    }

    /// The instructions in order, with their bcis. Ends after the first error.
    pub fn instructions(&self) -> Instructions<'a> {
        Instructions { code: self.bytes, bci: 0 }
    }

    /// The instruction at `bci` and the bci after it. Whether an instruction starts there is not checked: bytes in the
    /// middle of an instruction are decoded, too.
    pub fn decode_at(&self, bci: u32) -> Result<(Insn<'a>, u32)> {
        decode(self.bytes, bci)
    }

    /// The code's first attribute of this name.
    pub fn attribute(&self, name: &[u8]) -> Option<&'a [u8]> {
        find(&self.attributes, name)
    }

    /// `(first bci, line)` from all `LineNumberTable` attributes, in the order of the file, which need not be sorted.
    pub fn line_table(&self) -> Result<Vec<(u32, u16)>> {
        let mut lines = Vec::new();
        for attribute in self.attributes.iter().filter(|attribute| attribute.name == b"LineNumberTable") {
            let mut reader = Reader::new(attribute.info, "LineNumberTable");
            for _ in 0..reader.count(4)? {
                let (bci, line) = (u32::from(reader.u16()?), reader.u16()?);
                if bci as usize >= self.bytes.len() {
                    return Err(Error::Malformed { what: "a line number lies outside its code" });
                }
                lines.push((bci, line));
            }
            reader.finish()?;
        }
        Ok(lines)
    }

    /// The variables from all `LocalVariableTable` attributes, in the order of the file.
    pub fn local_variables(&self, pool: &ConstantPool<'a>) -> Result<Vec<LocalVariable<'a>>> {
        self.variables(pool, b"LocalVariableTable")
    }

    /// The variables of generic type from all `LocalVariableTypeTable` attributes, in the order of the file.
    pub fn local_variable_types(&self, pool: &ConstantPool<'a>) -> Result<Vec<LocalVariable<'a>>> {
        self.variables(pool, b"LocalVariableTypeTable")
    }

    fn variables(&self, pool: &ConstantPool<'a>, name: &[u8]) -> Result<Vec<LocalVariable<'a>>> {
        let mut variables = Vec::new();
        for attribute in self.attributes.iter().filter(|attribute| attribute.name == name) {
            let mut reader = Reader::new(attribute.info, "a local-variable table");
            for _ in 0..reader.count(10)? {
                let variable = LocalVariable::read(&mut reader, pool)?;
                if variable.end as usize > self.bytes.len() {
                    return Err(Error::Malformed { what: "a local variable lies outside its code" });
                }
                variables.push(variable);
            }
            reader.finish()?;
        }
        Ok(variables)
    }

    /// The frames of the `StackMapTable` in order; none if there is no table (before version 50, or no branches).
    pub fn stack_map(&self) -> Result<Vec<Frame>> {
        match self.attribute(b"StackMapTable") {
            Some(info) => stack_map::read(info, self.bytes.len()),
            None => Ok(Vec::new()),
        }
    }
}

impl Handler<'_> {
    pub(crate) fn write(&self, out: &mut Output) -> Result<()> {
        out.bci(self.start)?;
        out.bci(self.end)?;
        out.bci(self.handler)?;
        out.u16(self.catch_index);
        Ok(())
    }
}

impl<'a> LocalVariable<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>, pool: &ConstantPool<'a>) -> Result<LocalVariable<'a>> {
        let start = u32::from(reader.u16()?);
        Ok(LocalVariable {
            start,
            end: start + u32::from(reader.u16()?),
            name: pool.utf8(reader.u16()?)?,
            descriptor: pool.utf8(reader.u16()?)?,
            slot: reader.u16()?,
        })
    }

    pub(crate) fn write(&self, out: &mut Output, pool: &mut PoolEditor<'_>) -> Result<()> {
        out.bci(self.start)?;
        out.bci(self.end.wrapping_sub(self.start))?;
        out.u16(pool.utf8(self.name)?);
        out.u16(pool.utf8(self.descriptor)?);
        out.u16(self.slot);
        Ok(())
    }
}

/// Iterates over instructions; see [`Code::instructions`].
#[derive(Debug, Clone)]
pub struct Instructions<'a> {
    code: &'a [u8],
    bci: u32,
}

impl Instructions<'_> {
    /// The bci of the next instruction, or the end of the code.
    pub(crate) fn next_bci(&self) -> u32 {
        self.bci
    }
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<(u32, Insn<'a>)>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let bci = self.bci;
        if bci as usize >= self.code.len() {
            return None;
        }
        match decode(self.code, bci) {
            Ok((insn, next)) => {
                self.bci = next;
                Some(Ok((bci, insn)))
            }
            Err(error) => {
                self.code = &[];
                Some(Err(error))
            }
        }
    }
}
