//! Instructions put into a method's code.
//!
//! Between two instructions is a *gap*, and what is inserted into it falls into three zones:
//!
//! ```text
//!     instruction a
//!       After     inserted after `a`: belongs to `a`, runs when `a` falls through
//!     ---- here tables (exception ranges, lines, variables) that name `b` begin or end
//!       Fall      inserted before `b`, skipped by jumps to `b`
//!     ---- here jumps to `b` arrive, and here the frame of `b` is
//!       Run       inserted before `b`, run by jumps to `b`, too
//!     instruction b
//! ```
//!
//! So what is inserted before `b` is protected by the same exception handlers as `b`, and what is inserted after `a` by
//! those of `a`. What control cannot reach (zones After and Fall behind a `goto`, `return` or the like) is left out,
//! as the verifier does not accept dead code without a frame.

use crate::access;
use crate::class::{ClassFile, Member};
use crate::code::Code;
use crate::descriptor::MethodDescriptor;
use crate::edit::layout::{Layout, Piece};
use crate::edit::tables;
use crate::edit::types::{State, Type};
use crate::error::{Error, Result};
use crate::insn::Insn;
use crate::pool_editor::PoolEditor;

/// Do jumps to an instruction run what is inserted before it?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jumps {
    /// Every way to the instruction leads through the inserted code.
    Run,
    /// Only falling through from the instruction before it (or, for the first, entering the method) does. Jumps and
    /// exceptions go past.
    Skip,
}

/// A place in the new code that inserted branches can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label(pub(crate) u32);

/// Where in a gap something is inserted; the order is that of the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Zone {
    After,
    Fall,
    Run,
}

/// Something inserted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Item {
    Insn(Insn<'static>),
    /// A branch whose target is a label's number.
    Branch(Insn<'static>),
    Label(Label),
    /// A frame, by its position in [`CodeEditor::frames`].
    Frame(usize),
}

/// A frame of inserted code.
#[derive(Debug)]
pub(crate) enum FrameSpec<'a> {
    /// The types before the original instruction behind the gap, with these operands on top.
    Here { gap: u32, pushed: Vec<Type<'a>> },
    /// These types. Locals are listed by slot.
    Exact(State<'a>),
}

/// Items inserted at one place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockStart {
    /// The instruction behind the gap, or the end of the code.
    pub(crate) gap: u32,
    pub(crate) zone: Zone,
    /// The first item; the block ends where the next one made starts.
    pub(crate) first: usize,
}

/// Changes to a method's code. Positions are bcis of the original code throughout.
#[derive(Debug)]
pub struct CodeEditor<'e, 'a> {
    pub(crate) class: &'e ClassFile<'a>,
    pub(crate) method: &'e Member<'a>,
    pub(crate) code: &'e Code<'a>,
    /// In the order of their making.
    pub(crate) blocks: Vec<BlockStart>,
    /// The items of all blocks, in the order of their making.
    pub(crate) items: Vec<Item>,
    pub(crate) frames: Vec<FrameSpec<'a>>,
    /// For each label: the original instruction it stands before, if it does.
    pub(crate) labels: Vec<Option<u32>>,
    pub(crate) extra_stack: u16,
    pub(crate) extra_locals: u16,
    /// Locals that every frame is to list: slot and type, in increasing order of slots.
    pub(crate) declared: Vec<(u16, Type<'a>)>,
    /// Calls that take the place of others: bci of the original, pool index of a static method.
    pub(crate) replaced_calls: Vec<(u32, u16)>,
    /// Handlers of everything added behind the others: protected from, protected to (original bcis), handler.
    pub(crate) new_handlers: Vec<(u32, u32, Label)>,
    /// Entries of the exception table that lead to a label instead.
    pub(crate) redirected: Vec<(usize, Label)>,
    /// The first mistake made by the caller, reported at the end.
    problem: Option<Error>,
}

impl<'e, 'a> CodeEditor<'e, 'a> {
    /// Starts with the code of a method of a class as it is.
    pub fn new(class: &'e ClassFile<'a>, method: &'e Member<'a>, code: &'e Code<'a>) -> CodeEditor<'e, 'a> {
        CodeEditor {
            class,
            method,
            code,
            blocks: Vec::new(),
            items: Vec::new(),
            frames: Vec::new(),
            labels: Vec::new(),
            extra_stack: 0,
            extra_locals: 0,
            declared: Vec::new(),
            replaced_calls: Vec::new(),
            new_handlers: Vec::new(),
            redirected: Vec::new(),
            problem: None,
        }
    }

    /// The content of the `Code` attribute of a method that does not exist yet. `build` gets an editor of empty code,
    /// whose locals are the parameters, and whose stack has the slots that `build` reserves; everything goes to the
    /// [entry](CodeEditor::at_entry).
    pub fn assemble(
        class: &ClassFile<'a>,
        access: u16,
        name: &'a [u8],
        descriptor: &'a [u8],
        pool: &mut PoolEditor<'_>,
        build: impl FnOnce(&mut CodeEditor<'_, 'a>),
    ) -> Result<Vec<u8>> {
        let receiver = if access & access::STATIC == 0 { 1 } else { 0 };
        let max_locals = MethodDescriptor::parse(descriptor)?.param_slots() + receiver;
        let method = Member {
            access,
            name,
            descriptor,
            attributes: Vec::new(),
            raw: &[],
            narrow_code: class.has_narrow_code(),
        };
        let code =
            Code { max_stack: 0, max_locals, bytes: &[], handlers: Vec::new(), attributes: Vec::new() };
        let mut editor = CodeEditor::new(class, &method, &code);
        build(&mut editor);
        editor.finish(pool)
    }

    /// Was nothing inserted or declared so far?
    pub fn is_unchanged(&self) -> bool {
        self.blocks.is_empty()
            && self.replaced_calls.is_empty()
            && self.extra_stack == 0
            && self.extra_locals == 0
    }

    /// Inserts before the instruction at `bci`, behind what was inserted there in the same way earlier.
    pub fn before(&mut self, bci: u32, jumps: Jumps) -> Block<'_, 'e, 'a> {
        self.block(bci, if jumps == Jumps::Run { Zone::Run } else { Zone::Fall })
    }

    /// Inserts after the instruction at `bci`, for when it is left by falling through.
    pub fn after(&mut self, bci: u32) -> Block<'_, 'e, 'a> {
        let gap = match self.code.decode_at(bci) {
            Ok((_, next)) => next,
            Err(error) => {
                self.problem.get_or_insert(error);
                bci
            }
        };
        self.block(gap, Zone::After)
    }

    /// Inserts at the method's entry: run once, even if the code jumps back to its first instruction, and outside of
    /// all exception handlers.
    pub fn at_entry(&mut self) -> Block<'_, 'e, 'a> {
        self.block(0, Zone::After)
    }

    fn block(&mut self, gap: u32, zone: Zone) -> Block<'_, 'e, 'a> {
        self.blocks.push(BlockStart { gap, zone, first: self.items.len() });
        Block { editor: self, gap }
    }

    /// A label to be placed in a block by [`Block::label`].
    pub fn new_label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    /// A label where original jumps to `bci` arrive.
    pub fn label_at(&mut self, bci: u32) -> Label {
        self.labels.push(Some(bci));
        Label(self.labels.len() as u32 - 1)
    }

    /// Makes sure that inserted code has this many more stack slots than the original code used.
    pub fn reserve_stack(&mut self, slots: u16) {
        self.extra_stack = self.extra_stack.max(slots);
    }

    /// New local-variable slots, behind all others. Their values do not survive any place that has a frame; see
    /// [`CodeEditor::declare_local`].
    pub fn new_local(&mut self, slots: u16) -> u16 {
        let slot = self.code.max_locals.checked_add(self.extra_locals);
        let end = slot.and_then(|slot| slot.checked_add(slots));
        match (slot, end) {
            (Some(slot), Some(_)) => {
                self.extra_locals += slots;
                slot
            }
            _ => {
                self.problem.get_or_insert(Error::TooLarge { what: "the number of local variables" });
                0
            }
        }
    }

    /// A new local variable that has this type in every frame of the method, so that its value can be used anywhere.
    /// The caller must set it [at the entry](CodeEditor::at_entry).
    pub fn declare_local(&mut self, of: Type<'a>) -> u16 {
        let slot = self.new_local(if of.takes_two_slots() { 2 } else { 1 });
        self.declared.push((slot, of));
        slot
    }

    /// Calls a static method, by its index in the new pool, instead of the method that the `invokevirtual` or `invokestatic` at
    /// `bci` calls. It must take the same operands, the receiver first, and return the same.
    pub fn replace_call(&mut self, bci: u32, method: u16) {
        match self.code.decode_at(bci) {
            Ok((Insn::InvokeVirtual(_) | Insn::InvokeStatic(_), _)) => {
                self.replaced_calls.push((bci, method))
            }
            _ => {
                self.problem.get_or_insert(Error::Malformed { what: "there is no call to be replaced" });
            }
        }
    }

    /// Lets exceptions of every class that leave the original instructions from `start` on, before `end`, go on at a label,
    /// unless a handler of the original code catches them.
    pub fn add_handler(&mut self, start: u32, end: u32, handler: Label) {
        self.new_handlers.push((start, end, handler));
    }

    /// Lets the exceptions of an entry of the exception table, by its position, go on at a label. What they protect stays.
    pub fn redirect_handler(&mut self, entry: usize, handler: Label) {
        if entry >= self.code.handlers.len() {
            self.problem.get_or_insert(Error::Malformed { what: "there is no handler to be redirected" });
        }
        self.redirected.push((entry, handler));
    }

    /// The content of the new `Code` attribute. `pool` is that of the class and grows if new frames need classes.
    pub fn finish(self, pool: &mut PoolEditor<'_>) -> Result<Vec<u8>> {
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        let items = self.items.len();
        // Blocks with the end of each, sorted into the order of the code; those of one zone stay in order.
        let ends = self.blocks.iter().skip(1).map(|block| block.first).chain([items]);
        let mut blocks: Vec<(BlockStart, usize)> = self.blocks.iter().copied().zip(ends).collect();
        blocks.sort_by_key(|(block, _)| (block.gap, block.zone));
        let (pieces, starts) = self.pieces(&blocks)?;
        let layout = Layout::compute(pieces, starts, &self, pool)?;
        tables::write_code(&self, &layout, pool)
    }

    /// The sequence of original instructions and inserted items that the new code consists of. Also, by original bci,
    /// whether an instruction starts there (or the code ends).
    fn pieces(&self, blocks: &[(BlockStart, usize)]) -> Result<(Vec<Piece<'a>>, Vec<bool>)> {
        let mut pieces = Vec::with_capacity(2 * self.items.len() + 8);
        let mut blocks = blocks.iter().peekable();
        let length = self.code.bytes.len() as u32;
        let mut starts = vec![false; self.code.bytes.len() + 1];
        let mut reachable = true;
        let mut bci = 0;
        // Original instructions without targets, not yet made a piece.
        let mut plain_from = 0;
        loop {
            starts[bci as usize] = true;
            if blocks.peek().is_some_and(|(block, _)| block.gap <= bci) {
                push_plain(&mut pieces, plain_from, bci);
                plain_from = bci;
                let mut zone = Zone::After;
                let mut in_zone = |pieces: &mut Vec<Piece<'a>>, wanted: Zone| {
                    while zone < wanted {
                        pieces.push(match zone {
                            Zone::After => Piece::Boundary(bci),
                            _ => Piece::Target(bci),
                        });
                        zone = if zone == Zone::After { Zone::Fall } else { Zone::Run };
                    }
                };
                while let Some(&(block, end)) = blocks.next_if(|(block, _)| block.gap <= bci) {
                    if block.gap != bci {
                        return Err(Error::Malformed {
                            what: "code was to be inserted in the middle of an instruction",
                        });
                    }
                    in_zone(&mut pieces, block.zone);
                    if reachable || block.zone == Zone::Run {
                        pieces.extend((block.first..end).map(Piece::Item));
                    }
                }
                in_zone(&mut pieces, Zone::Run);
            }
            if bci == length {
                push_plain(&mut pieces, plain_from, bci);
                break;
            }
            let (insn, next) = self.code.decode_at(bci)?;
            // A subroutine returns behind its `jsr`.
            reachable = insn.falls_through() || matches!(insn, Insn::Jsr(_));
            let special = match insn {
                Insn::TableSwitch(_) | Insn::LookupSwitch(_) => Some(Piece::Switch { bci, insn, next }),
                _ if insn.branch_target().is_some() => {
                    let wide = matches!(insn, Insn::Goto(_) | Insn::Jsr(_)) && next - bci == 5;
                    Some(Piece::Branch { bci, insn, next, wide })
                }
                _ => None,
            };
            if let Some(special) = special {
                push_plain(&mut pieces, plain_from, bci);
                pieces.push(special);
                plain_from = next;
            }
            bci = next;
        }
        if blocks.peek().is_some() {
            return Err(Error::Malformed { what: "code was to be inserted behind the end of a method" });
        }
        Ok((pieces, starts))
    }

    /// The types at the method's entry.
    pub(crate) fn entry_state(&self) -> Result<State<'a>> {
        let is_static = self.method.access & access::STATIC != 0;
        State::at_entry(self.class, is_static, self.method.name, self.method.descriptor)
    }

    /// Does this class need stack map frames at all?
    pub(crate) fn needs_frames(&self) -> bool {
        self.class.major >= 50
    }
}

fn push_plain(pieces: &mut Vec<Piece<'_>>, from: u32, to: u32) {
    if from < to {
        pieces.push(Piece::Plain { from, to });
    }
}

/// A sequence of inserted instructions in the making.
#[derive(Debug)]
pub struct Block<'b, 'e, 'a> {
    editor: &'b mut CodeEditor<'e, 'a>,
    gap: u32,
}

impl<'a> Block<'_, '_, 'a> {
    /// Appends an instruction that is no branch.
    pub fn insn(&mut self, insn: Insn<'static>) -> &mut Self {
        let mut branches = false;
        insn.for_each_target(|_| branches = true);
        if branches {
            self.editor
                .problem
                .get_or_insert(Error::Malformed { what: "a branch was to be inserted without a label" });
        }
        self.editor.items.push(Item::Insn(insn));
        self
    }

    /// Appends several instructions that are no branches.
    pub fn insns(&mut self, insns: impl IntoIterator<Item = Insn<'static>>) -> &mut Self {
        for insn in insns {
            self.insn(insn);
        }
        self
    }

    /// Appends a branch to a label: `branch(Insn::Goto, end)`, `branch(|to| Insn::IfNull(true, to), end)`.
    pub fn branch(&mut self, to_target: impl FnOnce(u32) -> Insn<'static>, label: Label) -> &mut Self {
        self.editor.items.push(Item::Branch(to_target(label.0)));
        self
    }

    /// Places a label here.
    pub fn label(&mut self, label: Label) -> &mut Self {
        self.editor.items.push(Item::Label(label));
        self
    }

    /// States that here, at a place that is jumped to, locals and operands are as before the original instruction
    /// that follows, except for these operands on top. (Nothing happens in classes too old for frames.)
    pub fn frame(&mut self, pushed: &[Type<'a>]) -> &mut Self {
        self.frame_spec(FrameSpec::Here { gap: self.gap, pushed: pushed.to_vec() })
    }

    /// States the types of all locals, by slot, and of all operands here.
    pub fn exact_frame(&mut self, locals: &[Type<'a>], stack: &[Type<'a>]) -> &mut Self {
        self.frame_spec(FrameSpec::Exact(State { locals: locals.to_vec(), stack: stack.to_vec() }))
    }

    fn frame_spec(&mut self, spec: FrameSpec<'a>) -> &mut Self {
        self.editor.items.push(Item::Frame(self.editor.frames.len()));
        self.editor.frames.push(spec);
        self
    }
}
