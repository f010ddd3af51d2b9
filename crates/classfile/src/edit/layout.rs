//! Where everything goes in the new code.
//!
//! Sizes depend on positions: a switch has padding, and a branch that does not reach its target becomes longer. So
//! positions are computed, branches that do not reach are widened, and this repeats until nothing changes. A widened
//! branch stays wide, so it ends. Whether the code fits 65,535 bytes is decided when it is written.

use crate::edit::code::{CodeEditor, Item, Label};
use crate::encode::short_offset;
use crate::error::{Error, Result};
use crate::insn::Insn;
use crate::opcode::INVOKESTATIC;
use crate::output::Output;
use crate::pool_editor::PoolEditor;

/// A part of the new code.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece<'a> {
    /// Original instructions that are copied.
    Plain { from: u32, to: u32 },
    /// An original branch. If it is conditional and wide, it is written as its opposite around a `goto_w`.
    Branch { bci: u32, insn: Insn<'a>, next: u32, wide: bool },
    /// An original switch.
    Switch { bci: u32, insn: Insn<'a>, next: u32 },
    /// An inserted item. Wide branches among these are noted in [`Layout::wide_items`].
    Item(usize),
    /// Where tables that name this original bci begin or end. Without it: where the instruction is.
    Boundary(u32),
    /// Where jumps to this original bci arrive. Without it: where the instruction is.
    Target(u32),
}

/// The positions of everything in the new code.
#[derive(Debug)]
pub(crate) struct Layout<'a> {
    pub(crate) pieces: Vec<Piece<'a>>,
    /// By original bci, the code's length included: the new bci of the instruction. In the middle of an instruction:
    /// the same distance from its start, or its end if that is beyond it.
    insns: Vec<u32>,
    /// For original bcis behind gaps with insertions, in order: `(original, boundary, target)` in new bcis.
    gaps: Vec<(u32, u32, u32)>,
    /// By original bci: does an instruction start there?
    starts: Vec<bool>,
    /// By label: its new bci.
    labels: Vec<u32>,
    /// By item: its new bci; its size in bytes.
    items: Vec<(u32, u32)>,
    /// By item: is it a branch in its wide form?
    wide_items: Vec<bool>,
    /// The length of the new code.
    length: u32,
}

const UNPLACED: u32 = u32::MAX;

impl<'a> Layout<'a> {
    pub(crate) fn compute(
        pieces: Vec<Piece<'a>>,
        starts: Vec<bool>,
        editor: &CodeEditor<'_, 'a>,
        pool: &PoolEditor<'_>,
    ) -> Result<Layout<'a>> {
        let mut layout = Layout {
            pieces,
            insns: vec![UNPLACED; starts.len()],
            gaps: Vec::new(),
            starts,
            labels: vec![UNPLACED; editor.labels.len()],
            items: item_sizes(editor, pool)?,
            wide_items: vec![false; editor.items.len()],
            length: 0,
        };
        loop {
            layout.place(editor)?;
            if !layout.widen(editor)? {
                return Ok(layout);
            }
        }
    }

    /// Gives every piece its position, with the present sizes.
    fn place(&mut self, editor: &CodeEditor<'_, 'a>) -> Result<()> {
        let mut at = 0;
        self.gaps.clear();
        self.labels.fill(UNPLACED);
        for piece in &self.pieces {
            // The original instruction's extent, and its new size.
            let (bci, next, size) = match *piece {
                Piece::Plain { from, to } => {
                    for bci in from..to {
                        self.insns[bci as usize] = at + (bci - from);
                    }
                    at += to - from;
                    continue;
                }
                Piece::Branch { bci, insn, next, wide } => (bci, next, insn.branch_size(wide)),
                Piece::Switch { bci, insn, next } => (bci, next, insn.switch_size(at)),
                Piece::Item(item) => {
                    self.items[item].0 = at;
                    at += self.items[item].1;
                    if let Item::Label(Label(label)) = editor.items[item] {
                        let label = &mut self.labels[label as usize];
                        if *label != UNPLACED {
                            return Err(Error::Malformed { what: "a label was placed twice" });
                        }
                        *label = at;
                    }
                    continue;
                }
                Piece::Boundary(bci) => {
                    self.gaps.push((bci, at, at));
                    continue;
                }
                Piece::Target(bci) => {
                    if let Some(gap) = self.gaps.last_mut()
                        && gap.0 == bci
                    {
                        gap.2 = at;
                    }
                    continue;
                }
            };
            for inside in bci..next {
                self.insns[inside as usize] = at + (inside - bci).min(size);
            }
            at += size;
        }
        self.length = at;
        if let Some(end) = self.insns.last_mut() {
            *end = at;
        }
        for (label, original) in editor.labels.iter().enumerate() {
            if let Some(bci) = *original {
                self.labels[label] = self.target(bci)?;
            }
        }
        Ok(())
    }

    /// Widens the branches that do not reach their targets. Were there any?
    fn widen(&mut self, editor: &CodeEditor<'_, 'a>) -> Result<bool> {
        let mut widened = false;
        let mut pieces = std::mem::take(&mut self.pieces);
        for piece in &mut pieces {
            match piece {
                Piece::Branch { bci, insn, wide, .. } if !*wide => {
                    let target = self.target(insn.branch_target().unwrap_or_default())?;
                    if short_offset(self.insn(*bci), target).is_none() {
                        *wide = true;
                        widened = true;
                    }
                }
                Piece::Item(item) if !self.wide_items[*item] => {
                    let Item::Branch(insn) = editor.items[*item] else { continue };
                    let (at, _) = self.items[*item];
                    if short_offset(at, self.label(insn)?).is_none() {
                        if matches!(insn, Insn::Goto(_) | Insn::Jsr(_)) || !editor.needs_frames() {
                            self.wide_items[*item] = true;
                            self.items[*item].1 = insn.branch_size(true);
                            widened = true;
                        } else {
                            // Widening makes a new branch target, whose frame only the inserter could tell.
                            return Err(Error::TooLarge { what: "the distance of an inserted branch" });
                        }
                    }
                }
                _ => {}
            }
        }
        self.pieces = pieces;
        Ok(widened)
    }

    /// The new position of the label that an inserted branch names.
    fn label(&self, branch: Insn<'_>) -> Result<u32> {
        let label = branch.branch_target().and_then(|label| self.labels.get(label as usize));
        match label {
            Some(&at) if at != UNPLACED => Ok(at),
            _ => Err(Error::Malformed { what: "an inserted branch leads to no label" }),
        }
    }

    /// The new position of a label.
    pub(crate) fn placed(&self, label: Label) -> Result<u32> {
        match self.labels.get(label.0 as usize) {
            Some(&at) if at != UNPLACED => Ok(at),
            _ => Err(Error::Malformed { what: "a handler leads to no label" }),
        }
    }

    /// The new bci of the instruction at an original one, or of the code's end.
    pub(crate) fn insn(&self, bci: u32) -> u32 {
        self.insns.get(bci as usize).copied().unwrap_or(self.length)
    }

    fn gap(&self, bci: u32) -> Option<(u32, u32, u32)> {
        self.gaps.binary_search_by_key(&bci, |gap| gap.0).ok().map(|found| self.gaps[found])
    }

    /// Where tables that name an original bci now begin or end.
    pub(crate) fn boundary(&self, bci: u32) -> u32 {
        self.gap(bci).map_or_else(|| self.insn(bci), |(_, boundary, _)| boundary)
    }

    /// Where jumps to an original bci now arrive. An error if no instruction starts there.
    pub(crate) fn target(&self, bci: u32) -> Result<u32> {
        self.check_start(bci)?;
        Ok(self.gap(bci).map_or_else(|| self.insn(bci), |(_, _, target)| target))
    }

    /// An error if no instruction starts at the original bci.
    pub(crate) fn check_start(&self, bci: u32) -> Result<()> {
        match self.starts.get(bci as usize) {
            Some(true) => Ok(()),
            _ => Err(Error::Malformed { what: "a position lies in the middle of an instruction" }),
        }
    }

    /// The new bci of an inserted item.
    pub(crate) fn item(&self, item: usize) -> u32 {
        self.items[item].0
    }

    /// Writes the instructions.
    pub(crate) fn write(
        &self,
        editor: &CodeEditor<'_, 'a>,
        pool: &PoolEditor<'_>,
        out: &mut Output,
    ) -> Result<()> {
        if self.length == 0 || self.length > 0xffff {
            return Err(Error::TooLarge { what: "a method's code" });
        }
        let start = out.bytes.len();
        for piece in &self.pieces {
            let at = (out.bytes.len() - start) as u32;
            match *piece {
                Piece::Plain { from, to } => {
                    out.slice(&editor.code.bytes[from as usize..to as usize]);
                    for &(bci, method) in &editor.replaced_calls {
                        if (from..to).contains(&bci) {
                            let at = start + (at + bci - from) as usize;
                            out.bytes[at] = INVOKESTATIC;
                            out.bytes[at + 1..at + 3].copy_from_slice(&method.to_be_bytes());
                        }
                    }
                }
                Piece::Branch { insn, wide, .. } => {
                    let target = self.target(insn.branch_target().unwrap_or_default())?;
                    insn.with_target(target).encode_branch(at, wide, out)?;
                }
                Piece::Switch { bci, insn, .. } => {
                    let mut aimed_well = Ok(());
                    insn.for_each_target(|target| aimed_well = aimed_well.and(self.check_start(target)));
                    aimed_well?;
                    insn.encode_switch(at, |target| self.target(target).unwrap_or_default(), out);
                    self.keep_padding(bci, at, editor, start, out);
                }
                Piece::Item(item) => match editor.items[item] {
                    Item::Insn(insn) => insn.encode(at, None, pool, out)?,
                    Item::Branch(insn) => {
                        let target = self.label(insn)?;
                        insn.with_target(target).encode_branch(at, self.wide_items[item], out)?;
                    }
                    Item::Label(_) | Item::Frame(_) => {}
                },
                Piece::Boundary(_) | Piece::Target(_) => {}
            }
        }
        Ok(())
    }

    /// Padding is zero by rule, but a switch that keeps its alignment keeps whatever bytes it had.
    fn keep_padding(&self, bci: u32, at: u32, editor: &CodeEditor<'_, 'a>, start: usize, out: &mut Output) {
        if bci % 4 == at % 4 {
            let count = (3 - bci % 4) as usize;
            let (old, new) = (bci as usize + 1, start + at as usize + 1);
            out.bytes[new..new + count].copy_from_slice(&editor.code.bytes[old..old + count]);
        }
    }
}

/// The position (not known yet) and size of every item.
fn item_sizes(editor: &CodeEditor<'_, '_>, pool: &PoolEditor<'_>) -> Result<Vec<(u32, u32)>> {
    let mut scratch = Output::default();
    editor
        .items
        .iter()
        .map(|item| {
            let size = match item {
                Item::Insn(insn) => {
                    scratch.bytes.clear();
                    insn.encode(0, None, pool, &mut scratch)?;
                    scratch.bytes.len() as u32
                }
                Item::Branch(insn) => insn.branch_size(false),
                Item::Label(_) | Item::Frame(_) => 0,
            };
            Ok((UNPLACED, size))
        })
        .collect()
}
