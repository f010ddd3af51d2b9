//! What is left of the constraint graph when the solver has come to rest: the set of each node, and the edges.
//!
//! Most nodes hold what many others hold as well, though no cycle makes them one. Equal sets are kept once, and every node
//! knows its set without a way over representatives.

use std::hash::BuildHasher;

use rayon::prelude::*;
use selvedge_base::{FastMap, HybridSet, Id, IdVec, entity};
use smallvec::SmallVec;

use super::graph::{ConstraintGraph, Edge, NodeId};
use crate::heap::ObjectId;

entity! {
    /// A set that nodes hold.
    SetId "set";
}

/// See the [module documentation](self).
pub(crate) struct FrozenGraph {
    /// The sets that nodes hold, each once.
    sets: IdVec<SetId, HybridSet<ObjectId>>,
    set_of: IdVec<NodeId, SetId>,
    representatives: IdVec<NodeId, NodeId>,
    /// The next of the nodes with the same representative, around in a ring.
    next_member: Vec<u32>,
    edges: IdVec<NodeId, Vec<Edge>>,
    /// How many edges there are, how many nodes were collapsed into others, and what the solver did.
    pub edge_count: usize,
    pub collapsed: usize,
    pub work: u64,
}

impl FrozenGraph {
    pub fn new(graph: ConstraintGraph) -> Self {
        let (edge_count, collapsed, work) = (graph.edge_count(), graph.collapsed_count(), graph.work());
        let representatives: IdVec<NodeId, NodeId> =
            (0..graph.node_count()).map(|node| graph.representative(NodeId::from_index(node))).collect();
        let ConstraintGraph { sets: held, edges, next_member, .. } = graph;
        let mut sets: IdVec<SetId, HybridSet<ObjectId>> = IdVec::new();
        let mut known: FastMap<u64, SmallVec<[SetId; 1]>> = FastMap::default();
        let hasher = known.hasher();
        let hashes: Vec<u64> = held.as_slice().par_iter().map(|set| hasher.hash_one(set)).collect();
        let mut own: IdVec<NodeId, SetId> = IdVec::with_capacity(held.len());
        for (set, hash) in held.into_vec().into_iter().zip(hashes) {
            let alike = known.entry(hash).or_default();
            let id = alike.iter().copied().find(|&id| sets[id] == set).unwrap_or_else(|| {
                alike.push(sets.next_id());
                sets.push(set)
            });
            own.push(id);
        }
        let set_of = representatives.iter().map(|&representative| own[representative]).collect();
        Self { sets, set_of, representatives, next_member, edges, edge_count, collapsed, work }
    }

    pub fn node_count(&self) -> usize {
        self.set_of.len()
    }

    /// The representative of a node.
    pub fn representative(&self, node: NodeId) -> NodeId {
        self.representatives[node]
    }

    /// The nodes that stand for themselves.
    pub fn representatives(&self) -> impl Iterator<Item = NodeId> {
        self.representatives.ids().filter(|&node| self.representatives[node] == node)
    }

    /// The set of a node.
    pub fn set(&self, node: NodeId) -> &HybridSet<ObjectId> {
        &self.sets[self.set_of[node]]
    }

    /// The edges that leave a representative; those that were added when their ends were no representatives included.
    pub fn edges(&self, representative: NodeId) -> &[Edge] {
        &self.edges[representative]
    }

    /// The nodes that a representative stands for, itself first.
    pub fn members(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        ring(&self.next_member, node)
    }
}

/// The nodes of a ring, from one of them on.
pub(super) fn ring(next_member: &[u32], node: NodeId) -> impl Iterator<Item = NodeId> {
    let start = node.number();
    let mut next = Some(start);
    std::iter::from_fn(move || {
        let current = next?;
        let following = next_member[current as usize];
        next = (following != start).then_some(following);
        Some(NodeId::new(current))
    })
}
