//! Directed graphs, as the algorithms of this crate see them.
//!
//! An algorithm asks a [`Graph`] only for its nodes and their successors, as slices, so that walking needs neither
//! recursion nor allocation. [`Csr`] is the graph most callers build: all successor lists in one array.

use crate::{Id, IdVec};

/// A directed graph whose nodes are the ids `0..node_count`. Parallel edges and self loops are allowed.
pub trait Graph {
    /// The type of its nodes.
    type Node: Id;
    /// How many nodes there are.
    fn node_count(&self) -> usize;
    /// Where the edges of a node lead.
    fn successors(&self, node: Self::Node) -> &[Self::Node];
}

impl<G: Graph> Graph for &G {
    type Node = G::Node;
    fn node_count(&self) -> usize {
        (*self).node_count()
    }
    fn successors(&self, node: G::Node) -> &[G::Node] {
        (*self).successors(node)
    }
}

/// A fixed graph in compressed rows: the successors of node `n` are `targets[starts[n]..starts[n + 1]]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Csr<N> {
    starts: Vec<u32>,
    targets: Vec<N>,
}

impl<N: Id> Csr<N> {
    /// The graph with these edges. The successors of each node keep the order of `edges`.
    ///
    /// # Panics
    /// If an edge mentions a node that is not below `node_count`.
    pub fn from_edges(node_count: usize, edges: &[(N, N)]) -> Self {
        let mut starts = vec![0u32; node_count + 1];
        for &(from, to) in edges {
            assert!(to.index() < node_count, "an edge leads to a node of the graph");
            starts[from.index() + 1] += 1;
        }
        for node in 0..node_count {
            starts[node + 1] += starts[node];
        }
        let mut targets = vec![N::from_index(0); edges.len()];
        let mut free = starts.clone();
        for &(from, to) in edges {
            let slot = &mut free[from.index()];
            targets[*slot as usize] = to;
            *slot += 1;
        }
        Self { starts, targets }
    }

    /// The same nodes with every edge of `graph` turned around. Predecessors come in ascending order.
    pub fn reversed(graph: &impl Graph<Node = N>) -> Self {
        let node_count = graph.node_count();
        let mut starts = vec![0u32; node_count + 1];
        for from in (0..node_count).map(N::from_index) {
            for to in graph.successors(from) {
                starts[to.index() + 1] += 1;
            }
        }
        for node in 0..node_count {
            starts[node + 1] += starts[node];
        }
        let mut targets = vec![N::from_index(0); starts[node_count] as usize];
        let mut free = starts.clone();
        for from in (0..node_count).map(N::from_index) {
            for to in graph.successors(from) {
                let slot = &mut free[to.index()];
                targets[*slot as usize] = from;
                *slot += 1;
            }
        }
        Self { starts, targets }
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.targets.len()
    }
}

impl<N: Id> Graph for Csr<N> {
    type Node = N;
    fn node_count(&self) -> usize {
        self.starts.len() - 1
    }
    fn successors(&self, node: N) -> &[N] {
        &self.targets[self.starts[node.index()] as usize..self.starts[node.index() + 1] as usize]
    }
}

/// The nodes that can be reached from some roots, in reverse postorder of one depth-first walk: without cycles a node
/// comes before its successors, with them it does for all edges but the back edges.
#[derive(Clone, Debug)]
pub struct ReversePostorder<N: Id> {
    order: Vec<N>,
    position: IdVec<N, u32>,
}

const UNREACHED: u32 = u32::MAX;

impl<N: Id> ReversePostorder<N> {
    /// Walks `graph` from `roots`.
    pub fn compute(graph: &impl Graph<Node = N>, roots: &[N]) -> Self {
        let node_count = graph.node_count();
        let mut position = IdVec::filled(UNREACHED, node_count);
        let mut order = Vec::with_capacity(node_count);
        let mut stack: Vec<(N, u32)> = Vec::new();
        for &root in roots.iter().rev() {
            if position[root] != UNREACHED {
                continue;
            }
            position[root] = 0;
            stack.push((root, 0));
            while let Some((node, next)) = stack.last_mut() {
                match graph.successors(*node).get(*next as usize) {
                    Some(&successor) => {
                        *next += 1;
                        if position[successor] == UNREACHED {
                            position[successor] = 0;
                            stack.push((successor, 0));
                        }
                    }
                    None => {
                        order.push(*node);
                        stack.pop();
                    }
                }
            }
        }
        order.reverse();
        for (index, &node) in order.iter().enumerate() {
            position[node] = index as u32;
        }
        Self { order, position }
    }

    /// The reached nodes in order.
    pub fn nodes(&self) -> &[N] {
        &self.order
    }

    /// The place of a node in the order, unless it is not reached.
    pub fn position(&self, node: N) -> Option<usize> {
        Some(self.position[node]).filter(|&position| position != UNREACHED).map(|position| position as usize)
    }

    /// Whether a node is reached.
    pub fn reaches(&self, node: N) -> bool {
        self.position[node] != UNREACHED
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Node, Random, random_graph, reachable};

    #[test]
    fn rows_keep_the_order_of_edges() {
        let node = Node::new;
        let edges = [(node(1), node(2)), (node(0), node(1)), (node(1), node(0)), (node(1), node(1))];
        let graph = Csr::from_edges(3, &edges);
        assert_eq!(graph.successors(node(0)), [node(1)]);
        assert_eq!(graph.successors(node(1)), [node(2), node(0), node(1)]);
        assert_eq!(graph.successors(node(2)), []);
        let reversed = Csr::reversed(&graph);
        assert_eq!(reversed.successors(node(0)), [node(1)]);
        assert_eq!(reversed.successors(node(1)), [node(0), node(1)]);
        assert_eq!((graph.edge_count(), reversed.edge_count()), (4, 4));
    }

    #[test]
    fn reverse_postorder_reaches_what_is_reachable_and_orders_acyclic_graphs() {
        let mut random = Random::new(1);
        for _ in 0..300 {
            let graph = random_graph(&mut random, 20, 30);
            let root = Node::new(random.below(graph.node_count()) as u32);
            let order = ReversePostorder::compute(&graph, &[root]);
            let reached = reachable(&graph, root, None);
            for node in (0..graph.node_count()).map(Node::from_index) {
                assert_eq!(order.reaches(node), reached[node.index()]);
                for &successor in graph.successors(node) {
                    let (from, to) = (order.position(node), order.position(successor));
                    let on_cycle = reachable(&graph, successor, None)[node.index()];
                    assert!(from.is_none() || from < to || on_cycle, "{node} before {successor}");
                }
            }
        }
    }

    #[test]
    fn a_long_path_does_not_overflow_the_stack() {
        let edges: Vec<_> = (1..1_000_000).map(|n| (Node::new(n - 1), Node::new(n))).collect();
        let graph = Csr::from_edges(1_000_000, &edges);
        assert_eq!(ReversePostorder::compute(&graph, &[Node::new(0)]).nodes().len(), 1_000_000);
    }
}
