//! The fixpoint engine: monotone dataflow over any graph.
//!
//! A [`Dataflow`] says how a fact changes across a node and along an edge; [`solve`] finds the least facts on entry to
//! every node that satisfy all of it, by a worklist in reverse postorder. A node that no root leads to has no fact at
//! all, so a lattice needs no bottom element for "unreached". Termination is the lattice's duty: joining must reach an
//! end after finitely many steps.

use std::borrow::Cow;

use crate::graph::{Csr, Graph, ReversePostorder};
use crate::worklist::PriorityWorklist;
use crate::{Id, IdVec};

/// A fact with a join.
pub trait Lattice: Clone {
    /// Raises `target` to the least fact above itself and `self`; whether that changed it.
    fn join_into(&self, target: &mut Self) -> bool;
}

/// How facts flow through the nodes of a graph. All functions must be monotone.
pub trait Dataflow<N: Id> {
    /// What is known at a point.
    type Fact: Lattice;

    /// Turns what holds before a node into what holds after it.
    fn transfer(&mut self, node: N, fact: &mut Self::Fact);

    /// What flows along an edge: what holds `after` its source, unless the analysis knows better. `before` is what
    /// holds before the source, for edges taken from the midst of it. `None` means that the edge is not taken.
    fn along<'f>(
        &mut self,
        _from: N,
        _to: N,
        _before: &'f Self::Fact,
        after: &'f Self::Fact,
    ) -> Option<Cow<'f, Self::Fact>> {
        Some(Cow::Borrowed(after))
    }
}

/// The least solution of `flow` over `graph` that holds `roots`: for each node what holds before it, `None` if the
/// node is not reached.
pub fn solve<N: Id, F: Dataflow<N>>(
    graph: &impl Graph<Node = N>,
    roots: impl IntoIterator<Item = (N, F::Fact)>,
    flow: &mut F,
) -> IdVec<N, Option<F::Fact>> {
    let mut facts: IdVec<N, Option<F::Fact>> = (0..graph.node_count()).map(|_| None).collect();
    let mut starts = Vec::new();
    for (root, fact) in roots {
        starts.push(root);
        join(&fact, &mut facts[root]);
    }
    let order = ReversePostorder::compute(graph, &starts);
    let mut work = PriorityWorklist::new(order.nodes());
    for root in starts {
        work.push(root);
    }
    while let Some(node) = work.pop() {
        let Some(before) = facts[node].take() else { continue };
        let mut after = before.clone();
        flow.transfer(node, &mut after);
        // What flows back along an edge to the node itself waits until the node's fact is in place again.
        let mut to_itself = None;
        for &successor in graph.successors(node) {
            let Some(fact) = flow.along(node, successor, &before, &after) else { continue };
            let target = if successor == node { &mut to_itself } else { &mut facts[successor] };
            if join(fact.as_ref(), target) && successor != node {
                work.push(successor);
            }
        }
        facts[node] = Some(before);
        if to_itself.is_some_and(|fact| join(&fact, &mut facts[node])) {
            work.push(node);
        }
    }
    facts
}

/// As [`solve`], against the edges: the facts are what holds *after* each node, `transfer` turns it into what holds
/// before, and `roots` are typically the exits. `along` is called with the edge as it is walked, from a node to a
/// predecessor.
pub fn solve_backward<N: Id, F: Dataflow<N>>(
    graph: &impl Graph<Node = N>,
    roots: impl IntoIterator<Item = (N, F::Fact)>,
    flow: &mut F,
) -> IdVec<N, Option<F::Fact>> {
    solve(&Csr::reversed(graph), roots, flow)
}

fn join<F: Lattice>(fact: &F, target: &mut Option<F>) -> bool {
    match target {
        Some(target) => fact.join_into(target),
        None => {
            *target = Some(fact.clone());
            true
        }
    }
}

impl<I: Id> Lattice for crate::BitSet<I> {
    fn join_into(&self, target: &mut Self) -> bool {
        target.union_with(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BitSet;
    use crate::testing::{Node, Random, random_graph, reachable};

    /// Collects the nodes passed; edges into `blocked` are not taken, edges from it carry what was before it.
    struct Passed {
        blocked: Node,
        early: Node,
    }

    impl Dataflow<Node> for Passed {
        type Fact = BitSet<Node>;
        fn transfer(&mut self, node: Node, fact: &mut BitSet<Node>) {
            fact.insert(node);
        }
        fn along<'f>(
            &mut self,
            from: Node,
            to: Node,
            before: &'f BitSet<Node>,
            after: &'f BitSet<Node>,
        ) -> Option<Cow<'f, BitSet<Node>>> {
            let fact = if from == self.early { before } else { after };
            (to != self.blocked).then_some(Cow::Borrowed(fact))
        }
    }

    #[test]
    fn passed_nodes_are_those_between() {
        let mut random = Random::new(8);
        for _ in 0..500 {
            let graph = random_graph(&mut random, 15, 30);
            let count = graph.node_count();
            let node = |random: &mut Random| Node::from_index(random.below(count));
            let (root, blocked, early) = (node(&mut random), node(&mut random), node(&mut random));
            let facts = solve(&graph, [(root, BitSet::new())], &mut Passed { blocked, early });
            // Without the edges into the blocked node (the root may still be it).
            let nodes: Vec<Node> = (0..count).map(Node::from_index).collect();
            let edges: Vec<(Node, Node)> = nodes
                .iter()
                .flat_map(|&from| graph.successors(from).iter().map(move |&to| (from, to)))
                .filter(|&(_, to)| to != blocked)
                .collect();
            let open = Csr::from_edges(count, &edges);
            let reached = reachable(&open, root, None);
            for &node in &nodes {
                assert_eq!(facts[node].is_some(), reached[node.index()]);
                let Some(passed) = &facts[node] else { continue };
                for &other in &nodes {
                    let between = other != early
                        && reached[other.index()]
                        && open
                            .successors(other)
                            .iter()
                            .any(|&next| reachable(&open, next, None)[node.index()]);
                    assert_eq!(passed.contains(other), between, "{other} on the way from {root} to {node}");
                }
            }
        }
    }

    #[test]
    fn backward_flow_walks_against_the_edges() {
        let node = Node::new;
        let graph = Csr::from_edges(3, &[(node(0), node(1)), (node(1), node(2))]);
        let mut flow = Passed { blocked: node(9), early: node(9) };
        let facts = solve_backward(&graph, [(node(2), BitSet::new())], &mut flow);
        assert_eq!(facts[node(0)], Some([node(1), node(2)].into_iter().collect()));
    }
}
