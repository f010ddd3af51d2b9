//! The second phase of the verifier: predecessor lists, unwind lists and handlers.

use selvedge_base::Id;

use super::Verifier;
use crate::body::{Body, Edge, EdgeKind};
use crate::cfg::{Seen, for_each_target};
use crate::op::Op;

impl Verifier<'_> {
    pub(super) fn edges(&mut self) {
        if !self.body.blocks[Body::ENTRY].predecessors.is_empty() {
            self.error(Some(Body::ENTRY), None, "the entry has no predecessors");
        }
        self.predecessors();
        self.handlers();
    }

    /// The predecessors of a block are the edges that the others have to it, each once.
    fn predecessors(&mut self) {
        let body = self.body;
        let mut incoming = vec![0u32; body.blocks.len() + 1];
        for_each_edge(body, |_, to| incoming[to + 1] += 1);
        for block in 0..body.blocks.len() {
            incoming[block + 1] += incoming[block];
        }
        let starts = incoming.clone();
        let nothing = Edge { from: Body::ENTRY, kind: EdgeKind::Normal };
        let mut edges = vec![nothing; starts[body.blocks.len()] as usize];
        for_each_edge(body, |edge, to| {
            edges[incoming[to] as usize] = edge;
            incoming[to] += 1;
        });

        let mut listed = Vec::new();
        for (block, data) in body.blocks.iter_ids() {
            // Edges were found by ascending source, normal ones first: sorted as edges are ordered.
            let real = &edges[starts[block.index()] as usize..starts[block.index() + 1] as usize];
            listed.clear();
            listed.extend_from_slice(&data.predecessors);
            listed.sort_unstable();
            if listed == real {
                continue;
            }
            let name = |edge: &Edge| match edge.kind {
                EdgeKind::Normal => format!("the edge from {}", edge.from),
                EdgeKind::Unwind => format!("the unwind edge from {}", edge.from),
            };
            for edge in real.iter().filter(|edge| listed.binary_search(edge).is_err()) {
                self.error(Some(block), None, format!("the predecessors lack {}", name(edge)));
            }
            for edge in listed.iter().filter(|edge| real.binary_search(edge).is_err()) {
                self.error(
                    Some(block),
                    None,
                    format!("the predecessors have {}, which is not there", name(edge)),
                );
            }
            for pair in listed.windows(2).filter(|pair| pair[0] == pair[1]) {
                self.error(Some(block), None, format!("the predecessors have {} twice", name(&pair[0])));
            }
        }
    }

    /// Exactly the blocks that unwind edges lead to start with a catch, and only blocks that may throw unwind.
    fn handlers(&mut self) {
        let body = self.body;
        for (block, data) in body.blocks.iter_ids() {
            let by_unwinding = data.predecessors.iter().filter(|edge| edge.kind == EdgeKind::Unwind).count();
            if by_unwinding > 0 && by_unwinding < data.predecessors.len() {
                self.error(Some(block), None, "a handler is reached by unwind edges only");
            }
            let after_phis = data.insts.iter().find(|&inst| !matches!(body.insts[inst].op, Op::Phi));
            let catches = after_phis.is_some_and(|inst| matches!(body.insts[inst].op, Op::Catch));
            if catches && by_unwinding == 0 {
                self.error(Some(block), after_phis, "there is a catch, but no unwind edge leads here");
            }
            if !catches && by_unwinding > 0 {
                self.error(Some(block), after_phis, "an unwind edge leads here, but there is no catch");
            }
            if !data.unwind.is_empty() && !data.insts.iter().any(|inst| body.may_throw(inst)) {
                self.error(Some(block), None, "nothing throws in this block, but it has an unwind list");
            }
        }
    }
}

/// Calls `found` with each edge and the index of the block it leads to, each once, by ascending edge.
fn for_each_edge(body: &Body, mut found: impl FnMut(Edge, usize)) {
    let (mut normal, mut unwinding) = (Seen::new(body), Seen::new(body));
    for (block, data) in body.blocks.iter_ids() {
        for_each_target(body, block, &mut |target| {
            if normal.first_time(block, target) {
                found(Edge { from: block, kind: EdgeKind::Normal }, target.index());
            }
        });
        for unwind in &data.unwind {
            if unwinding.first_time(block, unwind.handler) {
                found(Edge { from: block, kind: EdgeKind::Unwind }, unwind.handler.index());
            }
        }
    }
}
