//! Stack map frames in absolute form: expanded from differences, completed, and compressed again.

use std::iter::Peekable;
use std::slice;

use crate::class::ClassFile;
use crate::code::{Code, Instructions};
use crate::edit::types::{State, Type, push_local};
use crate::error::{Error, Result};
use crate::insn::Insn;
use crate::pool_editor::PoolEditor;
use crate::stack_map::{Frame, FrameChange, VerificationType};

/// The types before any instruction, asked for in the order of the code.
pub(crate) struct Tracker<'t, 'a> {
    code: &'t Code<'a>,
    class: &'t ClassFile<'a>,
    instructions: Instructions<'a>,
    /// Original frames not yet reached.
    frames: Peekable<slice::Iter<'t, Frame>>,
    /// The locals of the original frame reached last, from which the next one differs; at first those at the entry.
    frame_locals: Vec<Type<'a>>,
    /// The state before the next instruction; none if nothing leads there.
    current: Option<State<'a>>,
    /// The next instruction's bci.
    bci: u32,
    work: Work,
}

/// How many slots may be copied for one method. The largest real methods need some millions; a file made to harm, with
/// tens of thousands of frames of tens of thousands of locals, would need billions.
const MAX_WORK: usize = 1 << 26;

/// A budget of slots to copy.
#[derive(Default)]
struct Work(usize);

impl Work {
    fn spend(&mut self, slots: usize) -> Result<()> {
        self.0 += slots;
        if self.0 > MAX_WORK { Err(Error::TooLarge { what: "the work on stack map frames" }) } else { Ok(()) }
    }
}

impl<'t, 'a> Tracker<'t, 'a> {
    pub(crate) fn new(
        entry: &State<'a>,
        frames: &'t [Frame],
        code: &'t Code<'a>,
        class: &'t ClassFile<'a>,
    ) -> Result<Tracker<'t, 'a>> {
        let mut tracker = Tracker {
            code,
            class,
            instructions: code.instructions(),
            frames: frames.iter().peekable(),
            frame_locals: entry.locals.clone(),
            current: Some(entry.clone()),
            bci: 0,
            work: Work::default(),
        };
        tracker.apply_frames()?;
        Ok(tracker)
    }

    /// The state before the instruction at `bci`, which lies not before the one asked for last.
    pub(crate) fn state_before(&mut self, bci: u32) -> Result<&State<'a>> {
        const UNREACHABLE: Error =
            Error::Malformed { what: "a frame was to be inserted into unreachable code" };
        while self.bci < bci {
            let (at, insn) = self.instructions.next().ok_or(UNREACHABLE)??;
            if let Some(state) = &mut self.current {
                // A constructor's call searches all locals and operands for the object.
                self.work.spend(if matches!(insn, Insn::InvokeSpecial(_)) { state.size() } else { 1 })?;
                state.step(at, &insn, self.code, self.class)?;
                if !insn.falls_through() {
                    self.current = None;
                }
            }
            self.bci = self.instructions.next_bci();
            self.apply_frames()?;
        }
        match &self.current {
            Some(state) if self.bci == bci => Ok(state),
            _ => Err(UNREACHABLE),
        }
    }

    /// Takes the types from the original frame at the next instruction, if there is one.
    fn apply_frames(&mut self) -> Result<()> {
        while let Some(frame) = self.frames.next_if(|frame| frame.bci <= self.bci) {
            let stack = self.apply(&frame.change)?;
            if frame.bci == self.bci {
                self.work.spend(self.frame_locals.len() + stack.len())?;
                self.current = Some(State { locals: self.frame_locals.clone(), stack });
            }
        }
        Ok(())
    }

    /// Applies a difference to the locals and returns the operands.
    fn apply(&mut self, change: &FrameChange) -> Result<Vec<Type<'a>>> {
        let pool = &self.class.pool;
        let convert = |types: &[VerificationType]| -> Result<Vec<Type<'a>>> {
            types.iter().map(|&each| Type::of_verification(each, pool)).collect()
        };
        let locals = &mut self.frame_locals;
        match change {
            FrameChange::Same => {}
            FrameChange::SameWithStackItem(item) => return convert(&[*item]),
            FrameChange::Chop(count) => {
                for _ in 0..*count {
                    // A long or double is one local in a frame, two slots in a state.
                    let half = locals.pop();
                    if half == Some(Type::Top) && locals.last().is_some_and(|local| local.takes_two_slots()) {
                        locals.pop();
                    } else if half.is_none() {
                        return Err(Error::Malformed { what: "a stack map frame removes too many locals" });
                    }
                }
            }
            FrameChange::Append(added) => {
                convert(added)?.into_iter().for_each(|local| push_local(locals, local));
            }
            FrameChange::Full { locals: all, stack } => {
                locals.clear();
                convert(all)?.into_iter().for_each(|local| push_local(locals, local));
                return convert(stack);
            }
        }
        Ok(Vec::new())
    }
}

/// Encodes absolute states as frames, each as a short difference to its predecessor.
pub(crate) struct Compressor<'a> {
    /// The locals of the frame before, as frames list them.
    previous: Vec<Type<'a>>,
    work: Work,
}

impl<'a> Compressor<'a> {
    /// Starts with the state at the method's entry, which no frame describes.
    pub(crate) fn new(entry: &State<'a>) -> Compressor<'a> {
        Compressor { previous: listed_locals(&entry.locals), work: Work::default() }
    }

    /// The frame for a state at `bci` of the new code. `moved` maps the bci of a `new` to the new code.
    pub(crate) fn frame(
        &mut self,
        bci: u32,
        state: &State<'a>,
        pool: &mut PoolEditor<'_>,
        moved: impl Fn(u16) -> Result<u16>,
    ) -> Result<Frame> {
        self.work.spend(state.size())?;
        let mut convert = |types: &[Type<'a>]| -> Result<Vec<VerificationType>> {
            types.iter().map(|&each| verification_type(each, pool, &moved)).collect()
        };
        let locals = listed_locals(&state.locals);
        let previous = std::mem::take(&mut self.previous);
        let change = match (&*state.stack, locals.len() as isize - previous.len() as isize) {
            ([], 0) if locals == previous => FrameChange::Same,
            ([item], 0) if locals == previous => FrameChange::SameWithStackItem(convert(&[*item])?[0]),
            ([], 1..=3) if locals.starts_with(&previous) => {
                FrameChange::Append(convert(&locals[previous.len()..])?)
            }
            ([], fewer @ -3..=-1) if previous.starts_with(&locals) => FrameChange::Chop(-fewer as u8),
            _ => FrameChange::Full { locals: convert(&locals)?, stack: convert(&state.stack)? },
        };
        self.previous = locals;
        Ok(Frame { bci, change })
    }

    /// As [`Compressor::frame`], but without reference to the frame before.
    pub(crate) fn full_frame(
        &mut self,
        bci: u32,
        state: &State<'a>,
        pool: &mut PoolEditor<'_>,
        moved: impl Fn(u16) -> Result<u16>,
    ) -> Result<Frame> {
        let mut convert = |types: &[Type<'a>]| -> Result<Vec<VerificationType>> {
            types.iter().map(|&each| verification_type(each, pool, &moved)).collect()
        };
        self.previous = listed_locals(&state.locals);
        let change = FrameChange::Full { locals: convert(&self.previous)?, stack: convert(&state.stack)? };
        Ok(Frame { bci, change })
    }
}

/// Locals as frames list them: one entry for a long or double, no `Top`s at the end.
fn listed_locals<'a>(slots: &[Type<'a>]) -> Vec<Type<'a>> {
    let mut listed = Vec::with_capacity(slots.len());
    let mut at = 0;
    while let Some(&local) = slots.get(at) {
        listed.push(local);
        at += if local.takes_two_slots() { 2 } else { 1 };
    }
    while listed.last() == Some(&Type::Top) {
        listed.pop();
    }
    listed
}

fn verification_type(
    of: Type<'_>,
    pool: &mut PoolEditor<'_>,
    moved: impl Fn(u16) -> Result<u16>,
) -> Result<VerificationType> {
    Ok(match of {
        Type::Top => VerificationType::Top,
        Type::Int => VerificationType::Integer,
        Type::Float => VerificationType::Float,
        Type::Long => VerificationType::Long,
        Type::Double => VerificationType::Double,
        Type::Null => VerificationType::Null,
        Type::UninitializedThis => VerificationType::UninitializedThis,
        Type::Uninitialized(bci) => VerificationType::Uninitialized(moved(bci)?),
        Type::Class(_) | Type::Array(..) => {
            let name = of.class_name().expect("classes and arrays have a name");
            VerificationType::Object(pool.class(&name)?)
        }
    })
}
