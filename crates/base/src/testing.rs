//! Seeded random graphs and naive reachability for the unit tests of this crate.

use crate::{Csr, Graph, Id, entity};

entity! {
    /// A node of a test graph.
    Node "n";
}

/// A small deterministic generator (SplitMix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// A graph with up to `max_nodes` nodes (at least one) and up to `max_edges` edges, loops and doubles included.
pub fn random_graph(random: &mut Random, max_nodes: usize, max_edges: usize) -> Csr<Node> {
    let nodes = 1 + random.below(max_nodes);
    let edges: Vec<_> = (0..random.below(max_edges + 1))
        .map(|_| (Node::from_index(random.below(nodes)), Node::from_index(random.below(nodes))))
        .collect();
    Csr::from_edges(nodes, &edges)
}

/// Which nodes can be reached from `root` without passing through `without`.
pub fn reachable(graph: &Csr<Node>, root: Node, without: Option<Node>) -> Vec<bool> {
    let mut reached = vec![false; graph.node_count()];
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        if Some(node) != without && !std::mem::replace(&mut reached[node.index()], true) {
            pending.extend(graph.successors(node));
        }
    }
    reached
}
