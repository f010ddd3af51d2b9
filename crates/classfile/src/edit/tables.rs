//! The new `Code` attribute: instructions, then all tables with their positions moved.

use crate::attributes::{Decoded, TypeTarget};
use crate::class::Attribute;
use crate::code::Handler;
use crate::edit::code::{CodeEditor, FrameSpec, Item};
use crate::edit::frames::{Compressor, Tracker};
use crate::edit::layout::{Layout, Piece};
use crate::edit::types::{State, Type};
use crate::error::{Error, Result};
use crate::insn::Insn;
use crate::output::Output;
use crate::pool_editor::PoolEditor;
use crate::reader::Reader;
use crate::stack_map::{self, Frame, FrameChange, VerificationType};

/// Writes the content of the `Code` attribute.
pub(crate) fn write_code<'a>(
    editor: &CodeEditor<'_, 'a>,
    layout: &Layout<'a>,
    pool: &mut PoolEditor<'_>,
) -> Result<Vec<u8>> {
    let code = editor.code;
    let mut out = Output::default();
    let max_stack = code.max_stack.checked_add(editor.extra_stack);
    let max_locals = code.max_locals.checked_add(editor.extra_locals);
    let (Some(max_stack), Some(max_locals)) = (max_stack, max_locals) else {
        return Err(Error::TooLarge { what: "a method's stack or number of locals" });
    };
    let narrow = editor.method.narrow_code;
    write_limits(max_stack, max_locals, narrow, &mut out)?;
    let start = out.bytes.len();
    layout.write(editor, pool, &mut out)?;
    let length = (out.bytes.len() - start) as u32;
    // At most 65,535, as `Layout::write` has checked: two bytes suffice in both forms.
    out.bytes[start - 2..start].copy_from_slice(&(length as u16).to_be_bytes());

    let mut handlers = Vec::with_capacity(code.handlers.len() + editor.new_handlers.len());
    for (position, handler) in code.handlers.iter().enumerate() {
        layout.check_start(handler.start)?;
        layout.check_start(handler.end)?;
        let redirected = editor.redirected.iter().find(|(entry, _)| *entry == position);
        handlers.push(Handler {
            start: layout.boundary(handler.start),
            end: layout.boundary(handler.end),
            handler: match redirected {
                Some(&(_, label)) => layout.placed(label)?,
                None => layout.target(handler.handler)?,
            },
            ..*handler
        });
    }
    for &(start, end, label) in &editor.new_handlers {
        layout.check_start(start)?;
        layout.check_start(end)?;
        handlers.push(Handler {
            start: layout.boundary(start),
            end: layout.boundary(end),
            handler: layout.placed(label)?,
            catch_type: None,
            catch_index: 0,
        });
    }
    out.list(&handlers, "an exception table", |out, handler| handler.write(out))?;

    let frames = new_frames(editor, layout, pool)?;
    let mut attributes: Vec<(u16, Vec<u8>)> = Vec::with_capacity(code.attributes.len() + 1);
    let mut frames_written = false;
    for attribute in &code.attributes {
        if attribute.name == b"StackMapTable" {
            if !std::mem::replace(&mut frames_written, true) {
                attributes.push((attribute.name_index, encode_frames(&frames)?));
            }
        } else if let Some(info) = moved_table(attribute, editor, layout, pool)? {
            attributes.push((attribute.name_index, info));
        }
    }
    if !frames_written && !frames.is_empty() {
        attributes.push((pool.utf8(b"StackMapTable")?, encode_frames(&frames)?));
    }
    out.list(&attributes, "a list of attributes", |out, (name_index, info)| {
        out.attribute(*name_index, |out| {
            out.slice(info);
            Ok(())
        })
    })?;
    Ok(out.bytes)
}

/// Writes what precedes the instructions, with a length of zero. Before version 45.3 all of it was narrower.
fn write_limits(max_stack: u16, max_locals: u16, narrow: bool, out: &mut Output) -> Result<()> {
    if narrow {
        for limit in [max_stack, max_locals] {
            out.u8(u8::try_from(limit).map_err(|_| Error::TooLarge { what: "a method's stack or locals" })?);
        }
        out.u16(0);
    } else {
        out.u16(max_stack);
        out.u16(max_locals);
        out.u32(0);
    }
    Ok(())
}

fn encode_frames(frames: &[Frame]) -> Result<Vec<u8>> {
    let mut out = Output::default();
    stack_map::write(frames, &mut out)?;
    Ok(out.bytes)
}

/// The new content of a table that holds positions. `None` for attributes of unknown meaning: positions in them would
/// be wrong, so they are left out.
fn moved_table<'a>(
    attribute: &Attribute<'a>,
    editor: &CodeEditor<'_, 'a>,
    layout: &Layout<'a>,
    pool: &mut PoolEditor<'_>,
) -> Result<Option<Vec<u8>>> {
    let mut reader = Reader::new(attribute.info, "a table of code positions");
    let mut out = Output::default();
    match attribute.name {
        b"LineNumberTable" => {
            let count = reader.count(4)?;
            out.count(count, "LineNumberTable")?;
            for _ in 0..count {
                out.bci(layout.boundary(reader.u16()?.into()))?;
                out.slice(reader.bytes(2)?);
            }
        }
        b"LocalVariableTable" | b"LocalVariableTypeTable" => {
            let count = reader.count(10)?;
            out.count(count, "a local-variable table")?;
            for _ in 0..count {
                let (start, length) = moved_range(reader.u16()?, reader.u16()?, layout)?;
                out.u16(start);
                out.u16(length);
                out.slice(reader.bytes(6)?);
            }
        }
        b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
            let mut decoded = attribute.decode(&editor.class.pool)?;
            if let Decoded::TypeAnnotations(annotations) = &mut decoded {
                for annotation in annotations {
                    move_type_target(&mut annotation.target, layout)?;
                }
            }
            decoded.write_to(&mut out, pool)?;
            return Ok(Some(out.bytes));
        }
        _ => return Ok(None),
    }
    reader.finish()?;
    Ok(Some(out.bytes))
}

fn moved_range(start: u16, length: u16, layout: &Layout<'_>) -> Result<(u16, u16)> {
    let end = u32::from(start) + u32::from(length);
    let (start, end) = (layout.boundary(start.into()), layout.boundary(end));
    Ok((narrow_bci(start)?, narrow_bci(end.saturating_sub(start))?))
}

fn narrow_bci(bci: u32) -> Result<u16> {
    u16::try_from(bci).map_err(|_| Error::TooLarge { what: "a method's code" })
}

fn move_type_target(target: &mut TypeTarget, layout: &Layout<'_>) -> Result<()> {
    match target {
        TypeTarget::LocalVariable(ranges) => {
            for range in ranges {
                (range.start, range.length) = moved_range(range.start, range.length, layout)?;
            }
        }
        TypeTarget::Instruction(bci) | TypeTarget::TypeArgument(bci, _) => {
            *bci = narrow_bci(layout.insn((*bci).into()))?;
        }
        _ => {}
    }
    Ok(())
}

/// The frames of the new code. Frames can be moved as they are, as differences, unless there are new ones among them
/// or all are to have more locals.
fn new_frames<'a>(
    editor: &CodeEditor<'_, 'a>,
    layout: &Layout<'a>,
    pool: &mut PoolEditor<'_>,
) -> Result<Vec<Frame>> {
    let original = editor.code.stack_map()?;
    // The JVM gives code of its archive without frames, and does not verify it; and version 50 may do without.
    let has_none = original.is_empty() && !editor.code.handlers.is_empty();
    if !editor.needs_frames() || has_none {
        return moved_frames(original, layout);
    }
    let inserted = inserted_frames(editor, layout);
    if inserted.is_empty() && editor.declared.is_empty() {
        return moved_frames(original, layout);
    }
    let mut all = Vec::with_capacity(original.len() + inserted.len());
    for frame in &original {
        all.push(NewFrame { at: layout.target(frame.bci)?, state: Wanted::Before(frame.bci, &[]) });
    }
    all.extend(inserted);
    // Original frames come first among those at one place, and win.
    all.sort_by_key(|frame| frame.at);
    all.dedup_by_key(|frame| frame.at);
    let entry = editor.entry_state()?;
    let mut tracker = Tracker::new(&entry, &original, editor.code, editor.class)?;
    let mut compressor = Compressor::new(&entry);
    let mut frames = Vec::with_capacity(all.len());
    for frame in &all {
        let mut state = match frame.state {
            Wanted::Exact(state) => state.clone(),
            Wanted::Before(bci, pushed) => {
                let mut state = tracker.state_before(bci)?.clone();
                state.stack.extend_from_slice(pushed);
                state
            }
        };
        editor.declared.iter().for_each(|&(slot, of)| state.set_local(slot, of));
        frames.push(compressor.frame(frame.at, &state, pool, |bci| moved_new(bci, layout))?);
    }
    Ok(frames)
}

/// A frame of the new code, at a new bci.
struct NewFrame<'s, 'a> {
    at: u32,
    state: Wanted<'s, 'a>,
}

/// The types that a frame is to state.
enum Wanted<'s, 'a> {
    /// These.
    Exact(&'s State<'a>),
    /// Those before an original instruction, with some operands on top.
    Before(u32, &'s [Type<'a>]),
}

/// The frames asked for by inserted code, and those behind conditional branches that were widened.
fn inserted_frames<'s, 'a>(editor: &'s CodeEditor<'_, 'a>, layout: &Layout<'a>) -> Vec<NewFrame<'s, 'a>> {
    let mut frames = Vec::new();
    for piece in &layout.pieces {
        match *piece {
            Piece::Item(item) => {
                if let Item::Frame(frame) = editor.items[item] {
                    let state = match &editor.frames[frame] {
                        FrameSpec::Exact(state) => Wanted::Exact(state),
                        FrameSpec::Here { gap, pushed } => Wanted::Before(*gap, pushed),
                    };
                    frames.push(NewFrame { at: layout.item(item), state });
                }
            }
            Piece::Branch { bci, insn, next, wide: true }
                if !matches!(insn, Insn::Goto(_) | Insn::Jsr(_)) =>
            {
                let at = layout.insn(bci) + insn.branch_size(true);
                frames.push(NewFrame { at, state: Wanted::Before(next, &[]) });
            }
            _ => {}
        }
    }
    frames
}

/// The original frames at their new places.
fn moved_frames(mut frames: Vec<Frame>, layout: &Layout<'_>) -> Result<Vec<Frame>> {
    let move_type = |each: &mut VerificationType| -> Result<()> {
        if let VerificationType::Uninitialized(bci) = each {
            *bci = moved_new(*bci, layout)?;
        }
        Ok(())
    };
    for frame in &mut frames {
        frame.bci = layout.target(frame.bci)?;
        match &mut frame.change {
            FrameChange::Same | FrameChange::Chop(_) => {}
            FrameChange::SameWithStackItem(item) => move_type(item)?,
            FrameChange::Append(added) => added.iter_mut().try_for_each(move_type)?,
            FrameChange::Full { locals, stack } => locals.iter_mut().chain(stack).try_for_each(move_type)?,
        }
    }
    Ok(frames)
}

/// The new bci of a `new` instruction.
fn moved_new(bci: u16, layout: &Layout<'_>) -> Result<u16> {
    layout.check_start(bci.into())?;
    narrow_bci(layout.insn(bci.into()))
}
