//! Strongly connected components, by Tarjan's algorithm with an explicit stack: a path of a million nodes is fine.

use crate::graph::{Csr, Graph};
use crate::{Id, IdRange, IdVec, entity};

entity! {
    /// A strongly connected component of a graph.
    Component "scc";
}

/// The strongly connected components of a graph. They are numbered in reverse topological order: an edge between two
/// components leads from the higher number to the lower.
#[derive(Clone, Debug)]
pub struct Components<N: Id> {
    component_of: IdVec<N, Component>,
    /// All nodes, component by component.
    members: IdVec<Slot, N>,
    slots: IdVec<Component, IdRange<Slot>>,
}

entity! {
    /// A place in [`Components::members`].
    Slot "s";
}

const UNVISITED: u32 = u32::MAX;
/// Above every visiting number: what the low-link of a node in a finished component is compared as.
const FINISHED: u32 = u32::MAX - 1;

impl<N: Id> Components<N> {
    /// The components of all nodes of `graph`.
    pub fn compute(graph: &impl Graph<Node = N>) -> Self {
        let node_count = graph.node_count();
        let unknown = Component::new(0);
        let mut found = Self {
            component_of: IdVec::filled(unknown, node_count),
            members: IdVec::with_capacity(node_count),
            slots: IdVec::new(),
        };
        // The lowest visiting number known to be reachable from a node within its component.
        let mut low: IdVec<N, u32> = IdVec::filled(UNVISITED, node_count);
        let mut next_number = 0u32;
        let mut open: Vec<N> = Vec::new();
        let mut path: Vec<Visit<N>> = Vec::new();
        for root in (0..node_count).map(N::from_index) {
            if low[root] != UNVISITED {
                continue;
            }
            low[root] = next_number;
            path.push(Visit { node: root, number: next_number, next: 0 });
            next_number += 1;
            while let Some(visit) = path.last_mut() {
                let node = visit.node;
                if let Some(&successor) = graph.successors(node).get(visit.next as usize) {
                    visit.next += 1;
                    match low[successor] {
                        UNVISITED => {
                            low[successor] = next_number;
                            path.push(Visit { node: successor, number: next_number, next: 0 });
                            next_number += 1;
                        }
                        number => low[node] = low[node].min(number),
                    }
                    continue;
                }
                let number = visit.number;
                path.pop();
                if low[node] == number {
                    found.close(node, &mut open, &mut low);
                } else {
                    open.push(node);
                }
                if let Some(parent) = path.last() {
                    low[parent.node] = low[parent.node].min(low[node]);
                }
            }
        }
        found
    }

    /// Makes a component of `head` and of the nodes on `open` that were visited after it.
    fn close(&mut self, head: N, open: &mut Vec<N>, low: &mut IdVec<N, u32>) {
        let component = self.slots.next_id();
        let first = self.members.next_id();
        let head_number = low[head];
        self.members.push(head);
        low[head] = FINISHED;
        // A node waits on `open` only while its low-link is at least that of the head of its component.
        while let Some(&node) = open.last() {
            if low[node] < head_number {
                break;
            }
            open.pop();
            low[node] = FINISHED;
            self.component_of[node] = component;
            self.members.push(node);
        }
        self.component_of[head] = component;
        self.slots.push(IdRange::new(first, self.members.next_id()));
    }

    /// How many components there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether the graph has no nodes.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The components in order: each after all that it leads to.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = Component> + ExactSizeIterator + use<N> {
        self.slots.ids()
    }

    /// The component of a node.
    pub fn of(&self, node: N) -> Component {
        self.component_of[node]
    }

    /// The nodes of a component.
    pub fn members(&self, component: Component) -> &[N] {
        self.members.slice(self.slots[component])
    }

    /// Whether a component has a cycle: several nodes, or one with an edge to itself.
    pub fn is_cyclic(&self, graph: &impl Graph<Node = N>, component: Component) -> bool {
        match self.members(component) {
            [only] => graph.successors(*only).contains(only),
            _ => true,
        }
    }

    /// The acyclic graph of the components, without parallel edges; successors in ascending order.
    pub fn condensation(&self, graph: &impl Graph<Node = N>) -> Csr<Component> {
        let mut edges = Vec::new();
        for from in self.ids() {
            let start = edges.len();
            for &member in self.members(from) {
                let targets = graph.successors(member).iter().map(|&successor| (from, self.of(successor)));
                edges.extend(targets.filter(|&(from, to)| from != to));
            }
            edges[start..].sort_unstable();
        }
        edges.dedup();
        Csr::from_edges(self.len(), &edges)
    }
}

/// A node on the current path of the walk.
struct Visit<N> {
    node: N,
    number: u32,
    /// Which of its edges is followed next.
    next: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Node, Random, random_graph, reachable};

    #[test]
    fn random_graphs_agree_with_mutual_reachability() {
        let mut random = Random::new(4);
        for round in 0..1_000 {
            let graph = random_graph(&mut random, 2 + round % 20, 30);
            let components = Components::compute(&graph);
            let nodes: Vec<Node> = (0..graph.node_count()).map(Node::from_index).collect();
            let reach: Vec<Vec<bool>> = nodes.iter().map(|&node| reachable(&graph, node, None)).collect();
            for &a in &nodes {
                for &b in &nodes {
                    let mutual = reach[a.index()][b.index()] && reach[b.index()][a.index()];
                    assert_eq!(components.of(a) == components.of(b), mutual, "{a} {b} {graph:?}");
                }
                assert!(components.members(components.of(a)).contains(&a));
                for &successor in graph.successors(a) {
                    assert!(components.of(a) >= components.of(successor));
                }
                let on_cycle = graph.successors(a).iter().any(|next| reach[next.index()][a.index()]);
                assert_eq!(components.is_cyclic(&graph, components.of(a)), on_cycle);
            }
            let members: usize = components.ids().map(|id| components.members(id).len()).sum();
            assert_eq!(members, nodes.len());
            let condensation = components.condensation(&graph);
            for from in components.ids() {
                let expected: std::collections::BTreeSet<Component> = components
                    .members(from)
                    .iter()
                    .flat_map(|&node| graph.successors(node))
                    .map(|&successor| components.of(successor))
                    .filter(|&to| to != from)
                    .collect();
                assert!(condensation.successors(from).iter().eq(&expected));
            }
        }
    }

    #[test]
    fn a_long_path_does_not_overflow_the_stack() {
        let count = 1_000_000;
        let path: Vec<_> = (1..count).map(|n| (Node::new(n - 1), Node::new(n))).collect();
        assert_eq!(Components::compute(&Csr::from_edges(count as usize, &path)).len(), count as usize);
        let mut cycle = path;
        cycle.push((Node::new(count - 1), Node::new(0)));
        assert_eq!(Components::compute(&Csr::from_edges(count as usize, &cycle)).len(), 1);
    }
}
