//! Ownership: which objects can only be reached through which others (Milanova and Huang, "Static Object Race Detection",
//! sections 2 and 3).
//!
//! The *boundary* of an abstract object `i` is a set S of abstract objects such that every object of S belongs to exactly one object of
//! `i`: the one from which its creation descends. The paper leaves the construction to a companion paper; ours starts from
//! what `i` strictly dominates in the [object graph](graph), and takes away, until nothing changes,
//!
//! - what crosses the border of `i` ([`ObjectGraph::exchanged`]), unless `i` stands for one object at most: it could go from one object of
//!   `i` to another;
//! - what is referred to by something that was taken away.
//!
//! **Theorem 1.** Let `o(k)`, for an object `k` of S, be the first object of `i` among its creator, the creator of that, and so on. In
//! every run, every path from the root to `k` goes through `o(k)`.
//!
//! *Why.* Every edge into S starts in S or `i`: dominated nodes have only dominated predecessors, and with a node everything that it refers
//! to was taken away. So `o(k)` exists, and it is enough that whoever refers to `k` is `o(k)` or belongs to it. That holds for the
//! creator. References travel only by calls between objects (field accesses of others are such calls). A call from `c` on `h` that
//! carries `k` has `c` or `h` referring to `k` before, and both after, and `c` refers to `h`. If `h` is in S, then `c` belongs where
//! `h` does. If `h` is of `i`, then `k` crossed its border, and is not in S, or `i` is one object.
//!
//! **Theorem 2.** The *owner* of `j` is the lowest `i` in the dominator tree whose boundary holds `j`, else the root. Whatever refers to an
//! object of `j` lies in the boundary of `i` or is `i`: the minimal boundary of every edge into `j` is that of its owner.

mod graph;

pub use graph::{NodeId, ObjectGraph, has_receiver, this_slot};

use selvedge_base::{BitSet, Csr, Dominators, Graph, IdVec};
use selvedge_pta::heap::ObjectId;

use crate::executions::Executions;
use crate::threads::Threads;
use crate::view::View;

/// See the [module documentation](self).
pub struct Ownership {
    /// The object graph.
    pub graph: ObjectGraph,
    owners: IdVec<ObjectId, NodeId>,
    /// What each node owns, directly or through others, for those that own something.
    boundaries: IdVec<NodeId, Vec<ObjectId>>,
}

impl Ownership {
    /// Finds the owners.
    pub fn new(view: &View<'_>, threads: &Threads, executions: &Executions) -> Self {
        let graph = ObjectGraph::new(view, threads);
        // What the root refers to is dominated by nothing else, and whatever a way through another edge to it leads to, a way with fewer
        // nodes leads to as well: such edges say nothing, and they are nearly all.
        let known: &BitSet<ObjectId> = &graph.successors(NodeId::ROOT).iter().collect();
        let edges = graph.nodes().flat_map(|node| {
            let counts = move |object: &ObjectId| node == NodeId::ROOT || !known.contains(*object);
            graph.successors(node).iter().filter(counts).map(move |object| (node, NodeId::of(object)))
        });
        let edges: Vec<(NodeId, NodeId)> = edges.collect();
        let shape = Csr::from_edges(graph.len(), &edges);
        drop(edges);
        let dominators = Dominators::compute(&shape, &[NodeId::ROOT]);
        let mut owners: IdVec<ObjectId, NodeId> = IdVec::filled(NodeId::ROOT, view.analysis.heap.len());
        let mut boundaries: IdVec<NodeId, Vec<ObjectId>> = IdVec::filled(Vec::new(), graph.len());
        // In preorder, so that the lowest owner is set last.
        for &node in dominators.preorder() {
            let Some(object) = node.object() else { continue };
            let mut inside = subtree(&dominators, node);
            if inside.is_empty() {
                continue;
            }
            if !executions.is_single(object) {
                take_away(&graph, &shape, node, &mut inside);
            }
            let inside: Vec<ObjectId> = inside.iter().filter_map(NodeId::object).collect();
            inside.iter().for_each(|&owned| owners[owned] = node);
            boundaries[node] = inside;
        }
        Self { graph, owners, boundaries }
    }

    /// The object that owns an object; the root if none does.
    pub fn owner(&self, object: ObjectId) -> NodeId {
        self.owners[object]
    }

    /// The owners of an object, the nearest first, without the root.
    pub fn owners(&self, object: ObjectId) -> impl Iterator<Item = ObjectId> {
        std::iter::successors(self.owner(object).object(), |&owner| self.owner(owner).object())
    }

    /// Whether nothing but the root owns an object.
    pub fn is_distributed(&self, object: ObjectId) -> bool {
        self.owner(object) == NodeId::ROOT
    }

    /// Everything in the boundary of a node, in order, without the node.
    pub fn boundary(&self, node: NodeId) -> &[ObjectId] {
        &self.boundaries[node]
    }

    /// Whether an object lies in the boundary of a node. The root's holds everything.
    pub fn is_inside(&self, node: NodeId, object: ObjectId) -> bool {
        node == NodeId::ROOT || self.boundaries[node].binary_search(&object).is_ok()
    }
}

/// What a node strictly dominates.
fn subtree(dominators: &Dominators<NodeId>, node: NodeId) -> BitSet<NodeId> {
    let mut found = BitSet::new();
    let mut pending: Vec<NodeId> = dominators.children(node).collect();
    while let Some(next) = pending.pop() {
        found.insert(next);
        pending.extend(dominators.children(next));
    }
    found
}

/// Removes what crosses the border of a node, and what that refers to.
fn take_away(graph: &ObjectGraph, shape: &Csr<NodeId>, node: NodeId, inside: &mut BitSet<NodeId>) {
    let crossing = graph.exchanged(node).iter().map(NodeId::of);
    let mut pending: Vec<NodeId> = crossing.filter(|&crossing| inside.remove(crossing)).collect();
    while let Some(gone) = pending.pop() {
        pending.extend(shape.successors(gone).iter().filter(|&&next| inside.remove(next)));
    }
}
