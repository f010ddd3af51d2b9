//! Dominator trees.
//!
//! Node `a` dominates `b` if every path from a root to `b` passes `a`. The tree of immediate dominators is found by the
//! semi-NCA algorithm (Georgiadis and Tarjan's simplification of Lengauer-Tarjan): semidominators with path compression,
//! then each immediate dominator as the nearest ancestor not above the semidominator. Everything is iterative.
//!
//! The tree is laid out in preorder, every subtree an interval, so [`Dominators::dominates`] is two comparisons.
//! Post-dominators are the dominators of the reversed graph with the exits as roots; nodes from which no exit can be
//! reached are then unreached, as any node is that no root leads to: such nodes neither dominate nor are dominated.

use crate::graph::{Csr, Graph};
use crate::{Id, IdVec};

const NONE: u32 = u32::MAX;

/// The dominator forest of a graph; see the [module documentation](self).
#[derive(Clone, Debug)]
pub struct Dominators<N: Id> {
    /// Reached nodes in preorder of the tree.
    preorder: Vec<N>,
    /// Each node's interval in `preorder`: its own place and one past its last descendant. Unreached: `(NONE, 0)`.
    intervals: IdVec<N, (u32, u32)>,
    /// Place in `preorder` of each place's immediate dominator, `NONE` for nodes that have none.
    parents: Vec<u32>,
}

/// The depth-first walk from a virtual root, number 0, that has an edge to each root.
struct Walk<N: Id> {
    /// The node with each number from 1 on, at one less.
    nodes: Vec<N>,
    numbers: IdVec<N, u32>,
    /// The number of each number's parent in the walk.
    parents: Vec<u32>,
}

impl<N: Id> Walk<N> {
    fn new(graph: &impl Graph<Node = N>, roots: &[N]) -> Self {
        let node_count = graph.node_count();
        let mut walk = Self {
            nodes: Vec::with_capacity(node_count),
            numbers: IdVec::filled(NONE, node_count),
            parents: Vec::with_capacity(node_count + 1),
        };
        walk.parents.push(0);
        let mut stack: Vec<(N, u32)> = Vec::new();
        for &root in roots {
            if walk.numbers[root] != NONE {
                continue;
            }
            walk.visit(root, 0);
            stack.push((root, 0));
            while let Some((node, next)) = stack.last_mut() {
                let Some(&successor) = graph.successors(*node).get(*next as usize) else {
                    stack.pop();
                    continue;
                };
                *next += 1;
                if walk.numbers[successor] == NONE {
                    walk.visit(successor, walk.numbers[*node]);
                    stack.push((successor, 0));
                }
            }
        }
        walk
    }

    fn visit(&mut self, node: N, parent: u32) {
        self.nodes.push(node);
        self.numbers[node] = self.nodes.len() as u32;
        self.parents.push(parent);
    }

    /// The numbers of each number's predecessors in the graph, the virtual root's edges left out.
    fn predecessors(&self, graph: &impl Graph<Node = N>) -> (Vec<u32>, Vec<u32>) {
        let count = self.parents.len();
        let mut starts = vec![0u32; count + 1];
        for &node in &self.nodes {
            for &successor in graph.successors(node) {
                starts[self.numbers[successor] as usize + 1] += 1;
            }
        }
        for number in 0..count {
            starts[number + 1] += starts[number];
        }
        let mut sources = vec![0u32; starts[count] as usize];
        let mut free = starts.clone();
        for (index, &node) in self.nodes.iter().enumerate() {
            for &successor in graph.successors(node) {
                let slot = &mut free[self.numbers[successor] as usize];
                sources[*slot as usize] = index as u32 + 1;
                *slot += 1;
            }
        }
        (starts, sources)
    }

    /// The number of each number's immediate dominator; roots are dominated by the virtual root 0.
    fn immediate_dominators(&self, graph: &impl Graph<Node = N>, roots: &[N]) -> Vec<u32> {
        let count = self.parents.len();
        let (starts, sources) = self.predecessors(graph);
        let mut is_root = vec![false; count];
        for &root in roots {
            is_root[self.numbers[root] as usize] = true;
        }
        let mut forest = Forest {
            ancestors: self.parents.clone(),
            labels: (0..count as u32).collect(),
            semis: (0..count as u32).collect(),
            path: Vec::new(),
        };
        for number in (1..count).rev() {
            let linked_from = number as u32 + 1;
            let mut semi = if is_root[number] { 0 } else { self.parents[number] };
            for &source in &sources[starts[number] as usize..starts[number + 1] as usize] {
                semi = semi.min(forest.lowest_semi(source, linked_from));
            }
            forest.semis[number] = semi;
        }
        let mut dominators = self.parents.clone();
        for number in 1..count {
            let mut dominator = dominators[number];
            while dominator > forest.semis[number] {
                dominator = dominators[dominator as usize];
            }
            dominators[number] = dominator;
        }
        dominators
    }
}

/// The linked part of the walk's tree, with compressed paths.
struct Forest {
    ancestors: Vec<u32>,
    /// The number with the lowest semidominator on the compressed path up from each number.
    labels: Vec<u32>,
    semis: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    /// The lowest semidominator of `number` and its ancestors that are not below `linked_from`.
    fn lowest_semi(&mut self, number: u32, linked_from: u32) -> u32 {
        if number < linked_from {
            return number;
        }
        let mut top = number;
        while self.ancestors[top as usize] >= linked_from {
            self.path.push(top);
            top = self.ancestors[top as usize];
        }
        while let Some(below) = self.path.pop() {
            let (label, above) = (self.labels[below as usize], self.labels[top as usize]);
            if self.semis[above as usize] < self.semis[label as usize] {
                self.labels[below as usize] = above;
            }
            self.ancestors[below as usize] = self.ancestors[top as usize];
            top = below;
        }
        self.semis[self.labels[number as usize] as usize]
    }
}

impl<N: Id> Dominators<N> {
    /// The dominators of the nodes that can be reached from `roots`.
    pub fn compute(graph: &impl Graph<Node = N>, roots: &[N]) -> Self {
        let walk = Walk::new(graph, roots);
        let dominators = walk.immediate_dominators(graph, roots);
        let count = dominators.len();

        // An immediate dominator's number is always the lower one, so one pass down sums up the subtrees and one pass
        // up hands out their intervals. Places count without the virtual root.
        let mut sizes = vec![1u32; count];
        for number in (1..count).rev() {
            sizes[dominators[number] as usize] += sizes[number];
        }
        let mut places = vec![0u32; count];
        let mut next_child = vec![0u32; count];
        let mut preorder = walk.nodes.clone();
        let mut intervals = IdVec::filled((NONE, 0), graph.node_count());
        let mut parents = vec![NONE; count - 1];
        for number in 1..count {
            let dominator = dominators[number] as usize;
            let place = next_child[dominator];
            next_child[dominator] += sizes[number];
            next_child[number] = place + 1;
            places[number] = place;
            let node = walk.nodes[number - 1];
            preorder[place as usize] = node;
            intervals[node] = (place, place + sizes[number]);
            if dominator != 0 {
                parents[place as usize] = places[dominator];
            }
        }
        Self { preorder, intervals, parents }
    }

    /// The post-dominators of a graph: its nodes' dominators on the way back from `exits`.
    pub fn compute_post(graph: &impl Graph<Node = N>, exits: &[N]) -> Self {
        Self::compute(&Csr::reversed(graph), exits)
    }

    /// Whether a root leads to the node.
    pub fn is_reached(&self, node: N) -> bool {
        self.intervals[node].0 != NONE
    }

    /// The closest other node that dominates this one, if there is any.
    pub fn immediate(&self, node: N) -> Option<N> {
        let place = self.intervals[node].0;
        let parent = *self.parents.get(place as usize)?;
        (parent != NONE).then(|| self.preorder[parent as usize])
    }

    /// Whether every path from a root to `below` passes `above`. A reached node dominates itself.
    pub fn dominates(&self, above: N, below: N) -> bool {
        let (start, end) = self.intervals[above];
        let place = self.intervals[below].0;
        start <= place && place < end
    }

    /// Whether `above` is another node than `below` and dominates it.
    pub fn strictly_dominates(&self, above: N, below: N) -> bool {
        above != below && self.dominates(above, below)
    }

    /// The reached nodes, each after its dominators, subtree by subtree.
    pub fn preorder(&self) -> &[N] {
        &self.preorder
    }

    /// The nodes whose immediate dominator is this one.
    pub fn children(&self, node: N) -> impl Iterator<Item = N> {
        let (start, end) = self.intervals[node];
        let mut place = start.saturating_add(1);
        std::iter::from_fn(move || {
            let child = (place < end).then(|| self.preorder[place as usize])?;
            place = self.intervals[child].1;
            Some(child)
        })
    }

    /// The dominance frontier of every node: the nodes with a predecessor it dominates that it does not strictly
    /// dominate themselves. Frontiers are sorted.
    pub fn frontiers(&self, graph: &impl Graph<Node = N>) -> Csr<N> {
        let mut edges = Vec::new();
        for &from in &self.preorder {
            for &to in graph.successors(from) {
                let mut runner = Some(from);
                while let Some(node) = runner.filter(|&node| !self.strictly_dominates(node, to)) {
                    edges.push((node, to));
                    runner = self.immediate(node);
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        Csr::from_edges(graph.node_count(), &edges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Node, Random, random_graph, reachable};

    /// Dominance by its definition: without `above`, `below` is out of reach.
    fn check_against_definition(graph: &Csr<Node>, root: Node) {
        let dominators = Dominators::compute(graph, &[root]);
        let reached = reachable(graph, root, None);
        let nodes: Vec<Node> = (0..graph.node_count()).map(Node::from_index).collect();
        for &above in &nodes {
            let without = reachable(graph, root, Some(above));
            for &below in &nodes {
                let expected = reached[below.index()] && reached[above.index()] && !without[below.index()];
                assert_eq!(dominators.dominates(above, below), expected, "{above} {below} {graph:?}");
            }
        }
        for &node in &nodes {
            assert_eq!(dominators.is_reached(node), reached[node.index()]);
            let strict: Vec<Node> =
                nodes.iter().copied().filter(|&above| dominators.strictly_dominates(above, node)).collect();
            match dominators.immediate(node) {
                None => assert!(strict.is_empty()),
                Some(immediate) => {
                    assert!(strict.iter().all(|&above| dominators.dominates(above, immediate)));
                    assert!(dominators.children(immediate).any(|child| child == node));
                }
            }
            for child in dominators.children(node) {
                assert_eq!(dominators.immediate(child), Some(node));
            }
        }
    }

    #[test]
    fn random_graphs_agree_with_the_definition() {
        let mut random = Random::new(2);
        for round in 0..1_500 {
            let graph = random_graph(&mut random, 3 + round % 14, 40);
            let root = Node::from_index(random.below(graph.node_count()));
            check_against_definition(&graph, root);
        }
    }

    #[test]
    fn frontiers_agree_with_the_definition() {
        let mut random = Random::new(3);
        for _ in 0..500 {
            let graph = random_graph(&mut random, 10, 25);
            let dominators = Dominators::compute(&graph, &[Node::new(0)]);
            let frontiers = dominators.frontiers(&graph);
            let reversed = Csr::reversed(&graph);
            for node in (0..graph.node_count()).map(Node::from_index) {
                let expected: Vec<Node> = (0..graph.node_count())
                    .map(Node::from_index)
                    .filter(|&join| {
                        reversed.successors(join).iter().any(|&from| dominators.dominates(node, from))
                            && !dominators.strictly_dominates(node, join)
                    })
                    .collect();
                assert_eq!(frontiers.successors(node), expected);
            }
        }
    }

    #[test]
    fn several_roots_dominate_only_what_the_others_do_not_reach() {
        let node = Node::new;
        // 0 -> 2 <- 1, 0 -> 3, 2 -> 4
        let edges = [(node(0), node(2)), (node(1), node(2)), (node(0), node(3)), (node(2), node(4))];
        let graph = Csr::from_edges(5, &edges);
        let dominators = Dominators::compute(&graph, &[node(0), node(1)]);
        assert_eq!(dominators.immediate(node(2)), None);
        assert_eq!(dominators.immediate(node(3)), Some(node(0)));
        assert_eq!(dominators.immediate(node(4)), Some(node(2)));
        let post = Dominators::compute_post(&graph, &[node(3), node(4)]);
        assert_eq!((post.immediate(node(0)), post.immediate(node(1))), (None, Some(node(2))));
    }

    /// A root that can be reached from another one has no dominator.
    #[test]
    fn roots_are_dominated_by_nothing_else() {
        let node = Node::new;
        let graph = Csr::from_edges(3, &[(node(0), node(1)), (node(1), node(2))]);
        let dominators = Dominators::compute(&graph, &[node(0), node(1)]);
        assert_eq!(dominators.immediate(node(1)), None);
        assert_eq!(dominators.immediate(node(2)), Some(node(1)));
    }

    #[test]
    fn a_long_path_does_not_overflow_the_stack() {
        let count = 1_000_000;
        let mut edges: Vec<_> = (1..count).map(|n| (Node::new(n - 1), Node::new(n))).collect();
        edges.push((Node::new(count - 1), Node::new(1)));
        let graph = Csr::from_edges(count as usize, &edges);
        let dominators = Dominators::compute(&graph, &[Node::new(0)]);
        assert!(dominators.dominates(Node::new(1), Node::new(count - 1)));
    }
}
