//! Which local variables may still be read, for each node on entry.
//!
//! A variable that is not live needs no phi, so the result prunes the SSA form. Exceptions leave a node with the
//! variables of its entry (see [`super::bytecode`]), so what a handler reads is live on entry to every node that unwinds
//! to it, whatever that node assigns. A `ret` counts as no use: return addresses never become values.

use selvedge_classfile::Insn;

use super::bytecode::{Bytecode, slots_of};
use super::graph::{Graph, NodeKind};

/// Sets of local-variable slots. One value serves many methods: buffers are reused.
#[derive(Default)]
pub(super) struct Liveness {
    /// Words of 64 slots in each set.
    words: usize,
    /// By segment: slots read before they are assigned.
    reads: Vec<u64>,
    /// By segment: slots assigned.
    assigns: Vec<u64>,
    /// By node: slots live on entry.
    live: Vec<u64>,
    set: Vec<u64>,
}

impl Liveness {
    /// Computes the live slots of every node, out of `slots` slots in all.
    pub fn compute(&mut self, code: &Bytecode<'_>, graph: &Graph, slots: usize) {
        self.words = slots.div_ceil(64);
        self.summarise_segments(code);
        let words = self.words;
        self.live.clear();
        self.live.resize(graph.nodes.len() * words, 0);
        let mut changed = words > 0;
        while changed {
            changed = false;
            for node in (0..graph.nodes.len()).rev() {
                changed |= self.update(graph, node);
            }
        }
    }

    /// The live slots of a node, ascending.
    pub fn live(&self, node: u32) -> impl Iterator<Item = usize> {
        let start = node as usize * self.words;
        self.live[start..start + self.words].iter().enumerate().flat_map(|(word, &bits)| {
            std::iter::successors((bits != 0).then_some(bits), |bits| {
                Some(bits & (bits - 1)).filter(|&rest| rest != 0)
            })
            .map(move |bits| word * 64 + bits.trailing_zeros() as usize)
        })
    }

    fn summarise_segments(&mut self, code: &Bytecode<'_>) {
        for sets in [&mut self.reads, &mut self.assigns] {
            sets.clear();
            sets.resize(code.segments.len() * self.words, 0);
        }
        for (number, segment) in code.segments.iter().enumerate() {
            let row = number * self.words;
            let reads = &mut self.reads[row..row + self.words];
            let assigns = &mut self.assigns[row..row + self.words];
            let bit = |slot: usize| (slot / 64, 1u64 << (slot % 64));
            let mut read = |slot: u16, assigns: &[u64]| {
                let (word, bit) = bit(usize::from(slot));
                reads[word] |= bit & !assigns[word];
            };
            for (_, insn) in &code.insns[segment.first as usize..segment.end as usize] {
                match *insn {
                    Insn::Load(_, slot) => read(slot, assigns),
                    Insn::IInc(slot, _) => {
                        read(slot, assigns);
                        let (word, bit) = bit(usize::from(slot));
                        assigns[word] |= bit;
                    }
                    Insn::Store(kind, slot) => {
                        for slot in usize::from(slot)..usize::from(slot) + slots_of(kind) {
                            let (word, bit) = bit(slot);
                            assigns[word] |= bit;
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn update(&mut self, graph: &Graph, node: usize) -> bool {
        let words = self.words;
        let row = |node: usize| node * words..(node + 1) * words;
        let executes = match graph.nodes[node].kind {
            NodeKind::Code | NodeKind::Handler => Some(graph.nodes[node].segment as usize),
            NodeKind::Landing | NodeKind::Entry => None,
        };
        self.set.clear();
        self.set.resize(words, 0);
        for &next in graph.successors(node as u32) {
            let next = next as usize;
            let live = &self.live[row(next)];
            let kills = executes.filter(|_| !graph.nodes[next].kind.takes_exception());
            match kills {
                None => self.set.iter_mut().zip(live).for_each(|(set, live)| *set |= live),
                Some(segment) => {
                    let assigns = &self.assigns[row(segment)];
                    let surviving = live.iter().zip(assigns).map(|(live, assigns)| live & !assigns);
                    self.set.iter_mut().zip(surviving).for_each(|(set, live)| *set |= live);
                }
            }
        }
        if let Some(segment) = executes {
            self.set.iter_mut().zip(&self.reads[row(segment)]).for_each(|(set, reads)| *set |= reads);
        }
        let changed = self.live[row(node)] != self.set[..];
        self.live[row(node)].copy_from_slice(&self.set);
        changed
    }
}
