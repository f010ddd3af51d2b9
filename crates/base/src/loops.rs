//! Natural loops and how they nest.
//!
//! A back edge leads to a node that dominates its source: the loop's header. The loop consists of the header and of all
//! nodes that reach such an edge without passing the header; back edges to the same header make one loop. Two loops are
//! disjoint or nested. A cycle that can be entered at several nodes has an edge that leads back in depth-first order
//! and yet not to a dominator: it is *irreducible*, belongs to no loop by itself, and is listed apart.

use crate::dominators::Dominators;
use crate::graph::{Csr, Graph, ReversePostorder};
use crate::{Id, IdVec, entity};

entity! {
    /// A natural loop.
    LoopId "loop";
}

/// A natural loop.
#[derive(Clone, Debug)]
pub struct Loop<N> {
    /// The node through which it is entered.
    pub header: N,
    /// The closest loop around it.
    pub parent: Option<LoopId>,
    /// How many loops are around its nodes, itself included.
    pub depth: u32,
    /// The sources of its back edges, in ascending order.
    pub latches: Vec<N>,
}

/// The natural loops of a graph; see the [module documentation](self).
#[derive(Clone, Debug)]
pub struct Loops<N: Id> {
    /// Outer loops come before the loops inside them.
    loops: IdVec<LoopId, Loop<N>>,
    innermost: IdVec<N, Option<LoopId>>,
    irreducible: Vec<(N, N)>,
}

impl<N: Id> Loops<N> {
    /// The loops among the nodes that can be reached from `root`; `dominators` are those from the same root.
    pub fn compute(graph: &impl Graph<Node = N>, root: N, dominators: &Dominators<N>) -> Self {
        let order = ReversePostorder::compute(graph, &[root]);
        let predecessors = Csr::reversed(graph);
        let mut found = Self {
            loops: IdVec::new(),
            innermost: IdVec::filled(None, graph.node_count()),
            irreducible: Vec::new(),
        };
        // Outer headers dominate inner ones, so preorder numbers them first, and backwards the inner loops are filled
        // first; a node keeps the first loop it is found in.
        for &header in dominators.preorder() {
            let from_inside = predecessors.successors(header).iter().copied();
            let mut latches: Vec<N> =
                from_inside.filter(|&from| dominators.dominates(header, from)).collect();
            latches.dedup();
            if !latches.is_empty() {
                found.loops.push(Loop { header, parent: None, depth: 0, latches });
            }
        }
        for id in found.loops.ids().rev() {
            found.fill(id, &predecessors, dominators);
        }
        for id in found.loops.ids() {
            let outer_depth = found.loops[id].parent.map_or(0, |parent| found.loops[parent].depth);
            found.loops[id].depth = outer_depth + 1;
        }
        for &from in order.nodes() {
            for &to in graph.successors(from) {
                if order.position(to) <= order.position(from) && !dominators.dominates(to, from) {
                    found.irreducible.push((from, to));
                }
            }
        }
        found.irreducible.sort_unstable();
        found.irreducible.dedup();
        found
    }

    /// Walks back from the latches. Inner loops are filled already and are passed through by their headers.
    fn fill(&mut self, id: LoopId, predecessors: &Csr<N>, dominators: &Dominators<N>) {
        let header = self.loops[id].header;
        let mut pending = self.loops[id].latches.clone();
        while let Some(node) = pending.pop() {
            match self.innermost[node] {
                None => {
                    self.innermost[node] = Some(id);
                    if node != header {
                        let reached = |from: &&N| dominators.is_reached(**from);
                        pending.extend(predecessors.successors(node).iter().filter(reached));
                    }
                }
                Some(inner) => {
                    let outermost = self.outermost_so_far(inner);
                    if outermost != id {
                        self.loops[outermost].parent = Some(id);
                        let inner_header = self.loops[outermost].header;
                        let entering = predecessors.successors(inner_header).iter();
                        pending.extend(entering.filter(|&&from| {
                            dominators.is_reached(from) && !dominators.dominates(inner_header, from)
                        }));
                    }
                }
            }
        }
        self.innermost[header].get_or_insert(id);
    }

    fn outermost_so_far(&self, mut id: LoopId) -> LoopId {
        while let Some(parent) = self.loops[id].parent {
            id = parent;
        }
        id
    }

    /// All loops, outer ones before those inside them.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (LoopId, &Loop<N>)> + ExactSizeIterator {
        self.loops.iter_ids()
    }

    /// How many loops there are.
    pub fn len(&self) -> usize {
        self.loops.len()
    }

    /// Whether there are no loops.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// A loop.
    pub fn get(&self, id: LoopId) -> &Loop<N> {
        &self.loops[id]
    }

    /// The innermost loop around a node.
    pub fn innermost(&self, node: N) -> Option<LoopId> {
        self.innermost[node]
    }

    /// How many loops are around a node.
    pub fn depth(&self, node: N) -> u32 {
        self.innermost[node].map_or(0, |id| self.loops[id].depth)
    }

    /// Whether a node is in a loop or in one inside it.
    pub fn contains(&self, id: LoopId, node: N) -> bool {
        let mut around = self.innermost[node];
        while let Some(inner) = around.filter(|&inner| inner != id) {
            around = self.loops[inner].parent;
        }
        around.is_some()
    }

    /// The edges that lead back, in depth-first order from the root, but not to a dominator, in ascending order.
    pub fn irreducible_edges(&self) -> &[(N, N)] {
        &self.irreducible
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Components;
    use crate::testing::{Node, Random, random_graph, reachable};

    #[test]
    fn random_graphs_agree_with_the_definition() {
        let mut random = Random::new(9);
        let (mut nested, mut irreducible) = (0, 0);
        for round in 0..2_000 {
            let graph = random_graph(&mut random, 4 + round % 9, 22);
            let root = Node::new(0);
            let dominators = Dominators::compute(&graph, &[root]);
            let loops = Loops::compute(&graph, root, &dominators);
            let nodes: Vec<Node> = (0..graph.node_count()).map(Node::from_index).collect();
            let backwards = Csr::reversed(&graph);
            let mut headers = 0;
            for &header in &nodes {
                let latches: Vec<Node> = nodes
                    .iter()
                    .copied()
                    .filter(|&from| {
                        graph.successors(from).contains(&header) && dominators.dominates(header, from)
                    })
                    .collect();
                let id = loops.iter().find(|(_, found)| found.header == header).map(|(id, _)| id);
                assert_eq!(id.is_some(), !latches.is_empty());
                let Some(id) = id else { continue };
                headers += 1;
                assert_eq!(loops.get(id).latches, latches);
                let mut members = vec![false; nodes.len()];
                members[header.index()] = true;
                for latch in latches {
                    for (index, back) in reachable(&backwards, latch, Some(header)).into_iter().enumerate() {
                        members[index] |= back && dominators.is_reached(Node::from_index(index));
                    }
                }
                for &node in &nodes {
                    assert_eq!(
                        loops.contains(id, node),
                        members[node.index()],
                        "{node} in {header}, {graph:?}"
                    );
                }
                nested += u32::from(loops.get(id).depth > 1);
            }
            assert_eq!(headers, loops.len());
            for &node in &nodes {
                let around = loops.iter().filter(|&(id, _)| loops.contains(id, node)).count();
                assert_eq!(loops.depth(node) as usize, around);
            }
            // Reducible: without the back edges no cycle is left.
            let forward: Vec<(Node, Node)> = nodes
                .iter()
                .filter(|&&from| dominators.is_reached(from))
                .flat_map(|&from| graph.successors(from).iter().map(move |&to| (from, to)))
                .filter(|&(from, to)| !dominators.dominates(to, from))
                .collect();
            let rest = Csr::from_edges(nodes.len(), &forward);
            let components = Components::compute(&rest);
            let is_reducible = components.ids().all(|id| !components.is_cyclic(&rest, id));
            assert_eq!(loops.irreducible_edges().is_empty(), is_reducible, "{graph:?}");
            irreducible += u32::from(!is_reducible);
        }
        assert!(nested > 100 && irreducible > 100, "{nested} {irreducible}");
    }
}
