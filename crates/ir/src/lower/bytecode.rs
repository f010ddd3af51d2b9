//! A method's instructions, decoded once and cut into segments.
//!
//! A *segment* is a run of instructions that control enters only at its first and leaves only at its last; it becomes
//! one block (or several, where `jsr` calls duplicate it). Cuts are made
//!
//! - before every branch target, after every instruction that branches or does not fall through;
//! - at both ends of every protected range and at every handler, so that a segment lies inside or outside of a range;
//! - inside protected ranges before an instruction that may throw, if a local variable was assigned since the last
//!   cut. So all instructions of a segment that may throw see the variables as they were on entry, which is what
//!   [`Body`](crate::Body) asks for. (Cutting after every assignment would do too, with more blocks.)

use selvedge_classfile::{BinaryOp, Code, ConstantPool, Insn, Kind, pool::tag};

use super::LowerError;
use super::pool::Symbols;
use crate::types::ClassName;

/// No instruction starts at this bytecode index.
const NONE: u32 = u32::MAX;

const LEADER: u8 = 1;
const MAY_THROW: u8 = 2;
const ASSIGNS: u8 = 4;

/// A method's instructions and segments. One value serves many methods: buffers are reused.
#[derive(Default)]
pub(super) struct Bytecode<'a> {
    /// Every instruction with its bytecode index, in order.
    pub insns: Vec<(u32, Insn<'a>)>,
    /// In code order.
    pub segments: Vec<Segment>,
    /// The exception table.
    pub handlers: Vec<Handler>,
    /// One more than the highest local-variable slot that any instruction mentions.
    pub local_slots: usize,
    /// Whether `jsr` or `ret` occurs.
    pub has_subroutines: bool,
    flags: Vec<u8>,
    /// By bytecode index: the instruction that starts there.
    insn_at: Vec<u32>,
    /// By instruction that starts a segment: the segment.
    segment_of: Vec<u32>,
    /// By instruction: how many protected ranges start minus how many end.
    nesting: Vec<i32>,
}

/// A run of instructions; see the [module documentation](self).
#[derive(Clone, Copy)]
pub(super) struct Segment {
    /// First instruction.
    pub first: u32,
    /// One after the last instruction.
    pub end: u32,
    /// Whether it contains instructions that may throw and lies in a protected range.
    pub unwinds: bool,
}

/// An entry of the exception table.
#[derive(Clone, Copy)]
pub(super) struct Handler {
    /// First protected instruction.
    pub first: u32,
    /// One after the last protected instruction.
    pub end: u32,
    /// The segment where the handler starts.
    pub segment: u32,
    /// What it catches; `None` for everything.
    pub catches: Option<ClassName>,
    /// Whether it catches everything, by name or not: later entries for the same instruction are dead.
    pub catches_everything: bool,
}

impl<'a> Bytecode<'a> {
    /// Decodes `code` and finds its segments.
    pub fn read(&mut self, code: &Code<'a>, symbols: &mut Symbols<'_, 'a>) -> Result<(), LowerError> {
        self.decode(code, &symbols.class_file().pool)?;
        self.mark_branches()?;
        if !code.handlers.is_empty() {
            self.mark_protected_ranges(code)?;
        }
        self.cut();
        self.read_handlers(code, symbols)
    }

    /// The bytecode index of an instruction.
    pub fn bci(&self, insn: u32) -> u32 {
        self.insns[insn as usize].0
    }

    /// The segment that starts at a branch target.
    pub fn segment_at(&self, bci: u32) -> u32 {
        self.segment_of[self.insn_at[bci as usize] as usize]
    }

    fn decode(&mut self, code: &Code<'a>, pool: &ConstantPool<'a>) -> Result<(), LowerError> {
        self.insns.clear();
        self.flags.clear();
        self.insn_at.clear();
        self.insn_at.resize(code.bytes.len(), NONE);
        self.has_subroutines = false;
        let mut slots = 0;
        for insn in code.instructions() {
            let (bci, insn) = insn?;
            let mut flags = if may_throw(&insn, pool) { MAY_THROW } else { 0 };
            let touched = match insn {
                Insn::Load(kind, slot) => usize::from(slot) + slots_of(kind),
                Insn::Store(kind, slot) => {
                    flags |= ASSIGNS;
                    usize::from(slot) + slots_of(kind)
                }
                Insn::IInc(slot, _) => {
                    flags |= ASSIGNS;
                    usize::from(slot) + 1
                }
                Insn::Ret(slot) => {
                    self.has_subroutines = true;
                    usize::from(slot) + 1
                }
                Insn::Jsr(_) => {
                    self.has_subroutines = true;
                    0
                }
                _ => 0,
            };
            if touched > usize::from(code.max_locals) {
                let reason =
                    format!("the instruction uses a local variable beyond the {} declared", code.max_locals);
                return Err(LowerError::at(bci, reason));
            }
            slots = slots.max(touched);
            self.insn_at[bci as usize] = self.insns.len() as u32;
            self.insns.push((bci, insn));
            self.flags.push(flags);
        }
        self.local_slots = slots;
        match self.flags.first_mut() {
            Some(first) => *first |= LEADER,
            None => return Err(LowerError::at(0, "the method's code is empty")),
        }
        Ok(())
    }

    fn mark_branches(&mut self) -> Result<(), LowerError> {
        for (index, (bci, insn)) in self.insns.iter().enumerate() {
            let (mut branches, mut astray) = (!insn.falls_through(), None);
            insn.for_each_target(|target| {
                branches = true;
                match self.insn_at[target as usize] {
                    NONE => astray = Some(target),
                    target => self.flags[target as usize] |= LEADER,
                }
            });
            if let Some(target) = astray {
                let reason = format!("the branch to {target} does not lead to the start of an instruction");
                return Err(LowerError::at(*bci, reason));
            }
            if branches && let Some(next) = self.flags.get_mut(index + 1) {
                *next |= LEADER;
            }
        }
        Ok(())
    }

    /// The instruction at a boundary of the exception table.
    fn boundary(&self, bci: u32) -> Result<u32, LowerError> {
        match self.insn_at.get(bci as usize) {
            Some(&NONE) => {
                Err(LowerError::at(bci, "an exception handler's boundary is not the start of an instruction"))
            }
            Some(&insn) => Ok(insn),
            None => Ok(self.insns.len() as u32),
        }
    }

    fn mark_protected_ranges(&mut self, code: &Code<'a>) -> Result<(), LowerError> {
        self.nesting.clear();
        self.nesting.resize(self.insns.len() + 1, 0);
        for handler in &code.handlers {
            let (first, end) = (self.boundary(handler.start)?, self.boundary(handler.end)?);
            self.nesting[first as usize] += 1;
            self.nesting[end as usize] -= 1;
            for leader in [first, end, self.boundary(handler.handler)?] {
                if let Some(flags) = self.flags.get_mut(leader as usize) {
                    *flags |= LEADER;
                }
            }
        }
        let (mut depth, mut assigned) = (0, false);
        for (flags, change) in self.flags.iter_mut().zip(&self.nesting) {
            depth += change;
            if depth == 0 {
                *flags &= !MAY_THROW;
            }
            if *flags & MAY_THROW != 0 && assigned {
                *flags |= LEADER;
            }
            if *flags & LEADER != 0 {
                assigned = false;
            }
            assigned |= *flags & ASSIGNS != 0;
        }
        Ok(())
    }

    fn cut(&mut self) {
        self.segments.clear();
        self.segment_of.clear();
        self.segment_of.resize(self.insns.len(), NONE);
        for (index, &flags) in self.flags.iter().enumerate() {
            if flags & LEADER != 0 {
                self.segment_of[index] = self.segments.len() as u32;
                self.segments.push(Segment { first: index as u32, end: index as u32, unwinds: false });
            }
            if let Some(segment) = self.segments.last_mut() {
                segment.end += 1;
                segment.unwinds |= flags & MAY_THROW != 0;
            }
        }
    }

    fn read_handlers(&mut self, code: &Code<'a>, symbols: &mut Symbols<'_, 'a>) -> Result<(), LowerError> {
        self.handlers.clear();
        for handler in &code.handlers {
            let catches = match handler.catch_index {
                0 => None,
                index => Some(symbols.class(index)?),
            };
            self.handlers.push(Handler {
                first: self.boundary(handler.start)?,
                end: self.boundary(handler.end)?,
                segment: self.segment_at(handler.handler),
                catches,
                catches_everything: catches.is_none_or(|class| class.is("java/lang/Throwable")),
            });
        }
        if self.handlers.is_empty() {
            self.segments.iter_mut().for_each(|segment| segment.unwinds = false);
        }
        Ok(())
    }
}

/// How many local-variable slots a value of this kind takes.
pub(super) fn slots_of(kind: Kind) -> usize {
    if matches!(kind, Kind::Long | Kind::Double) { 2 } else { 1 }
}

/// Whether the operation that the instruction becomes may throw: agrees with [`Op::may_throw`](crate::Op::may_throw).
fn may_throw(insn: &Insn<'_>, pool: &ConstantPool<'_>) -> bool {
    match *insn {
        Insn::Ldc(index) => {
            matches!(pool.tag(index), Ok(tag::CLASS | tag::METHOD_HANDLE | tag::METHOD_TYPE | tag::DYNAMIC))
        }
        Insn::Binary(op, kind) => {
            matches!(op, BinaryOp::Div | BinaryOp::Rem) && matches!(kind, Kind::Int | Kind::Long)
        }
        Insn::Nop
        | Insn::AConstNull
        | Insn::IConst(_)
        | Insn::LConst(_)
        | Insn::FConst(_)
        | Insn::DConst(_)
        | Insn::Load(..)
        | Insn::Store(..)
        | Insn::IInc(..)
        | Insn::Stack(_)
        | Insn::Neg(_)
        | Insn::Convert(_)
        | Insn::Compare(_)
        | Insn::IfZero(..)
        | Insn::IfICmp(..)
        | Insn::IfACmp(..)
        | Insn::IfNull(..)
        | Insn::Goto(_)
        | Insn::Jsr(_)
        | Insn::Ret(_)
        | Insn::TableSwitch(_)
        | Insn::LookupSwitch(_) => false,
        Insn::ArrayLoad(_)
        | Insn::ArrayStore(_)
        | Insn::Return(_)
        | Insn::GetStatic(_)
        | Insn::PutStatic(_)
        | Insn::GetField(_)
        | Insn::PutField(_)
        | Insn::InvokeVirtual(_)
        | Insn::InvokeSpecial(_)
        | Insn::InvokeStatic(_)
        | Insn::InvokeInterface(_)
        | Insn::InvokeDynamic(_)
        | Insn::New(_)
        | Insn::NewArray(_)
        | Insn::ANewArray(_)
        | Insn::ArrayLength
        | Insn::AThrow
        | Insn::CheckCast(_)
        | Insn::InstanceOf(_)
        | Insn::MonitorEnter
        | Insn::MonitorExit
        | Insn::MultiANewArray(..) => true,
    }
}
