//! A method's code twice, one copy behind the other: for methods with two bodies, of which the entry chooses one.
//!
//! ```text
//!     first copy, at the same bcis as the original
//!   entry:
//!     nop ...          at least one, so that the second copy is aligned as the first: switches have padding
//!   second:
//!     second copy, at `second` + the original bci
//! ```
//!
//! Nothing leads to the second copy yet: whoever makes it jumps to `entry`, where locals and operands are as at the entry of the
//! method. Handlers, lines, variables and frames hold for both copies. Only code with frames is doubled (since version 50): it
//! has no subroutines.

use crate::class::{Attribute, ClassFile, Member};
use crate::code::{Code, Handler};
use crate::edit::code::CodeEditor;
use crate::edit::frames::Compressor;
use crate::edit::types::State;
use crate::error::{Error, Result};
use crate::opcode::NOP;
use crate::output::Output;
use crate::pool_editor::PoolEditor;
use crate::reader::Reader;
use crate::stack_map::{self, Frame, FrameChange, VerificationType};

/// Doubled code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doubled {
    /// The content of the `Code` attribute.
    pub content: Vec<u8>,
    /// Where the second copy is entered.
    pub entry: u32,
    /// Where the second copy begins.
    pub second: u32,
}

impl Doubled {
    /// Doubles the code of a method of a class.
    pub fn new<'a>(
        class: &ClassFile<'a>,
        method: &Member<'a>,
        code: &Code<'a>,
        pool: &mut PoolEditor<'_>,
    ) -> Result<Doubled> {
        if class.major < 50 {
            return Err(Error::Malformed { what: "code without frames is not doubled" });
        }
        let length = code.bytes.len();
        let second = (length / 4 + 1) * 4;
        let (entry, second) = (length as u32, second as u32);
        let mut bytes = code.bytes.to_vec();
        bytes.resize(second as usize, NOP);
        bytes.extend_from_slice(code.bytes);
        if bytes.len() > 0xffff {
            return Err(Error::TooLarge { what: "a method's code" });
        }
        let mut out = Output::default();
        out.u16(code.max_stack);
        out.u16(code.max_locals);
        out.u32(bytes.len() as u32);
        out.slice(&bytes);
        let moved = code.handlers.iter().map(|handler| Handler {
            start: handler.start + second,
            end: handler.end + second,
            handler: handler.handler + second,
            ..*handler
        });
        let handlers: Vec<Handler<'_>> = code.handlers.iter().copied().chain(moved).collect();
        out.list(&handlers, "an exception table", |out, handler| handler.write(out))?;
        let state = CodeEditor::new(class, method, code).entry_state()?;
        let frames = doubled_frames(code.stack_map()?, &state, entry, second, pool)?;
        let mut attributes: Vec<(u16, Vec<u8>)> =
            vec![(pool.utf8(b"StackMapTable")?, encode_frames(&frames)?)];
        for attribute in code.attributes.iter().filter(|attribute| attribute.name != b"StackMapTable") {
            attributes.push((attribute.name_index, doubled_table(attribute, second)?));
        }
        out.list(&attributes, "a list of attributes", |out, (name_index, info)| {
            out.attribute(*name_index, |out| {
                out.slice(info);
                Ok(())
            })
        })?;
        Ok(Doubled { content: out.bytes, entry, second })
    }
}

fn encode_frames(frames: &[Frame]) -> Result<Vec<u8>> {
    let mut out = Output::default();
    stack_map::write(frames, &mut out)?;
    Ok(out.bytes)
}

/// The frames, that of the method's entry, and the frames again. The first ones differ from the entry in both copies.
fn doubled_frames(
    original: Vec<Frame>,
    state: &State<'_>,
    entry: u32,
    second: u32,
    pool: &mut PoolEditor<'_>,
) -> Result<Vec<Frame>> {
    let mut frames = original.clone();
    let no_object_is_new =
        |_: u16| Err(Error::Malformed { what: "a method is entered with an object that has no constructor" });
    let nothing = State { locals: Vec::new(), stack: Vec::new() };
    let at_entry = Compressor::new(&nothing).full_frame(entry, state, pool, no_object_is_new)?;
    frames.push(at_entry);
    let move_type = |each: &mut VerificationType| {
        if let VerificationType::Uninitialized(bci) = each {
            *bci = bci.wrapping_add(second as u16);
        }
    };
    for mut frame in original {
        frame.bci += second;
        match &mut frame.change {
            FrameChange::Same | FrameChange::Chop(_) => {}
            FrameChange::SameWithStackItem(item) => move_type(item),
            FrameChange::Append(added) => added.iter_mut().for_each(move_type),
            FrameChange::Full { locals, stack } => locals.iter_mut().chain(stack).for_each(move_type),
        }
        frames.push(frame);
    }
    Ok(frames)
}

/// The content of a table for both copies. What is not known to be a table stays as it is, and is about the first copy.
fn doubled_table(attribute: &Attribute<'_>, second: u32) -> Result<Vec<u8>> {
    let rest = match attribute.name {
        b"LineNumberTable" => 2,
        b"LocalVariableTable" | b"LocalVariableTypeTable" => 8,
        _ => return Ok(attribute.info.to_vec()),
    };
    let mut reader = Reader::new(attribute.info, "a table of code positions");
    let count = reader.count(2 + rest)?;
    let mut rows: Vec<(u32, &[u8])> = Vec::with_capacity(2 * count);
    for _ in 0..count {
        rows.push((reader.u16()?.into(), reader.bytes(rest)?));
    }
    reader.finish()?;
    let moved: Vec<(u32, &[u8])> = rows.iter().map(|&(bci, rest)| (bci + second, rest)).collect();
    rows.extend(moved);
    let mut out = Output::default();
    out.list(&rows, "a table of code positions", |out, (bci, rest)| {
        out.bci(*bci)?;
        out.slice(rest);
        Ok(())
    })?;
    Ok(out.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::ClassEditor;
    use crate::opcode::*;
    use crate::testing::class_with_code;

    /// The bytes, entry and second copy of doubled code, and its frames as positions.
    fn doubled(code: &[u8]) -> (Vec<u8>, u32, u32, Vec<u32>) {
        let bytes = class_with_code(52, 0, code);
        let class = ClassFile::parse(&bytes).unwrap();
        let original = class.methods[0].code(&class.pool).unwrap().unwrap();
        let mut editor = ClassEditor::new(&class);
        let made = Doubled::new(&class, &class.methods[0], &original, editor.pool()).unwrap();
        editor.replace_code(0, made.content).unwrap();
        let written = editor.write().unwrap();
        let class = ClassFile::parse(&written).unwrap();
        let code = class.methods[0].code(&class.pool).unwrap().unwrap();
        let frames = code.stack_map().unwrap().iter().map(|frame| frame.bci).collect();
        (code.bytes.to_vec(), made.entry, made.second, frames)
    }

    #[test]
    fn copies_are_aligned_alike_and_apart() {
        let short = doubled(&[RETURN]);
        assert_eq!(short, (vec![RETURN, NOP, NOP, NOP, RETURN], 1, 4, vec![1]));
        let four = doubled(&[NOP, NOP, NOP, RETURN]);
        let nops = [NOP; 4];
        let code = [&[NOP, NOP, NOP, RETURN][..], &nops, &[NOP, NOP, NOP, RETURN]].concat();
        assert_eq!(four, (code, 4, 8, vec![4]), "there is always a place for the frame of the entry");
    }

    #[test]
    fn old_code_is_not_doubled() {
        let bytes = class_with_code(49, 0, &[RETURN]);
        let class = ClassFile::parse(&bytes).unwrap();
        let code = class.methods[0].code(&class.pool).unwrap().unwrap();
        let mut editor = ClassEditor::new(&class);
        assert!(Doubled::new(&class, &class.methods[0], &code, editor.pool()).is_err());
    }

    #[test]
    fn too_long_is_an_error() {
        let mut code = vec![NOP; 40_000];
        code.push(RETURN);
        let bytes = class_with_code(52, 0, &code);
        let class = ClassFile::parse(&bytes).unwrap();
        let code = class.methods[0].code(&class.pool).unwrap().unwrap();
        let mut editor = ClassEditor::new(&class);
        assert!(Doubled::new(&class, &class.methods[0], &code, editor.pool()).is_err());
    }
}
