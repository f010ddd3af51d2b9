//! The constraint graph: nodes that hold points-to sets, and subset edges between them.
//!
//! # Invariants
//! - `sets[n]` is what node `n` is known to hold; `pending[n]`, a subset of it, is what its edges and waiting statements have not
//!   seen yet. A node with a non-empty `pending` is queued for a visit (difference propagation).
//! - Nodes are visited in *waves* (Pereira and Berlin, CGO 2009): each in the order of the edges as far as these do not go
//!   around, so that a node is mostly visited after those whose objects flow into it; what flows back waits for the next.
//! - Nodes on a cycle of unfiltered edges hold the same set and are collapsed into one representative; all other
//!   tables are then only used at representatives. `next_member` links the collapsed nodes in a ring.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;
use selvedge_base::{Components, Csr, HybridSet, Id, IdVec, entity};

use super::frozen::ring;
use crate::heap::{FilterId, Heap, ObjectId, Types};

entity! {
    /// A node of the constraint graph.
    NodeId "n";
}

/// Up to this many objects a filter is asked object by object, beyond for all objects that pass it.
const FEW: usize = 16;

/// The rank of nodes that are newer than the last ranking: they wait until the others have come to rest.
const UNRANKED: u32 = u32::MAX;

/// What flows from a node goes to another, as far as the filter lets it through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    pub to: NodeId,
    pub filter: FilterId,
}

#[derive(Default)]
pub(crate) struct ConstraintGraph {
    pub(super) sets: IdVec<NodeId, HybridSet<ObjectId>>,
    pending: IdVec<NodeId, HybridSet<ObjectId>>,
    pub(super) edges: IdVec<NodeId, Vec<Edge>>,
    parents: Vec<u32>,
    pub(super) next_member: Vec<u32>,
    /// The nodes to visit in this wave and in the next.
    wave: BinaryHeap<Reverse<(u32, u32)>>,
    next_wave: Vec<Reverse<(u32, u32)>>,
    /// The node that the current wave visits.
    position: (u32, u32),
    queued: Vec<bool>,
    /// In which order nodes are visited; see [`rank`](Self::rank).
    ranks: Vec<u32>,
    edge_count: usize,
    edges_at_last_collapse: usize,
    collapsed: usize,
    /// What was done so far: one for each set that was sent along an edge, and one for each object in it that was new.
    work: u64,
}

impl ConstraintGraph {
    /// A graph without edges, of nodes that hold what their parents hold.
    pub fn of_classes(parents: Vec<u32>, sets: IdVec<NodeId, HybridSet<ObjectId>>) -> Self {
        let mut graph = Self::default();
        graph.add_nodes(sets.len() as u32);
        graph.collapsed = parents.iter().zip(0..).filter(|&(&parent, node)| parent != node).count();
        (graph.parents, graph.sets) = (parents, sets);
        graph
    }

    /// `count` new nodes; the first is returned, the others follow it.
    pub fn add_nodes(&mut self, count: u32) -> NodeId {
        let first = self.sets.next_id();
        let len = self.sets.len() + count as usize;
        self.sets.resize_with(len, HybridSet::default);
        self.pending.resize_with(len, HybridSet::default);
        self.edges.resize_with(len, Vec::new);
        self.parents.extend(self.parents.len() as u32..len as u32);
        self.next_member.extend(self.next_member.len() as u32..len as u32);
        self.queued.resize(len, false);
        self.ranks.resize(len, UNRANKED);
        first
    }

    pub fn node_count(&self) -> usize {
        self.sets.len()
    }

    pub fn edge_count(&self) -> usize {
        self.edge_count
    }

    /// What was done so far, in units that are the same on every machine.
    pub fn work(&self) -> u64 {
        self.work
    }

    pub fn collapsed_count(&self) -> usize {
        self.collapsed
    }

    /// The representative of a node.
    pub fn find(&mut self, node: NodeId) -> NodeId {
        let mut node = node.number();
        while self.parents[node as usize] != node {
            let grandparent = self.parents[self.parents[node as usize] as usize];
            self.parents[node as usize] = grandparent;
            node = grandparent;
        }
        NodeId::new(node)
    }

    /// The representative of a node, without shortening the way to it.
    pub fn representative(&self, node: NodeId) -> NodeId {
        representative(&self.parents, node)
    }

    /// The set of a node.
    pub fn set(&self, node: NodeId) -> &HybridSet<ObjectId> {
        &self.sets[self.representative(node)]
    }

    fn enqueue(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.queued[node.index()], true) {
            let place = (self.ranks[node.index()], node.number());
            if place > self.position {
                self.wave.push(Reverse(place));
            } else {
                self.next_wave.push(Reverse(place));
            }
        }
    }

    /// Puts one object into a node.
    pub fn add_object(&mut self, node: NodeId, object: ObjectId) {
        let node = self.find(node);
        if self.sets[node].insert(object) {
            self.pending[node].insert(object);
            self.enqueue(node);
        }
    }

    /// Puts objects into a node.
    pub fn add_objects(&mut self, node: NodeId, objects: &[ObjectId]) {
        if let [object] = objects {
            return self.add_object(node, *object);
        }
        let node = self.find(node);
        let set: HybridSet<ObjectId> = objects.iter().copied().collect();
        if self.sets[node].union_diff(&set, &mut self.pending[node]) {
            self.enqueue(node);
        }
    }

    /// Puts the objects of a set that pass a filter into a node.
    pub fn add_set(&mut self, heap: &mut Heap<'_>, to: NodeId, set: &HybridSet<ObjectId>, filter: FilterId) {
        let to = self.find(to);
        let changed = if filter == Types::ANY {
            self.sets[to].union_diff(set, &mut self.pending[to])
        } else if set.len() > FEW {
            self.sets[to].union_diff_filtered(set, heap.passing(filter), &mut self.pending[to])
        } else {
            let mut changed = false;
            for object in set.iter() {
                let ty = heap.get(object).ty;
                if heap.types.passes(filter, ty) && self.sets[to].insert(object) {
                    self.pending[to].insert(object);
                    changed = true;
                }
            }
            changed
        };
        self.work += 1;
        if changed {
            self.enqueue(to);
        }
    }

    /// Adds an edge, and sends along it what its source already holds.
    pub fn add_edge(&mut self, heap: &mut Heap<'_>, from: NodeId, to: NodeId, filter: FilterId) {
        let (from, to) = (self.find(from), self.find(to));
        if from == to {
            return;
        }
        self.edges[from].push(Edge { to, filter });
        self.edge_count += 1;
        if !self.sets[from].is_empty() {
            let set = std::mem::take(&mut self.sets[from]);
            self.add_set(heap, to, &set, filter);
            self.sets[from] = set;
        }
    }

    /// Takes the next node that has something new, with what is new.
    pub fn pop(&mut self) -> Option<(NodeId, HybridSet<ObjectId>)> {
        loop {
            let Some(Reverse(place)) = self.wave.pop() else {
                if self.next_wave.is_empty() {
                    return None;
                }
                self.wave = std::mem::take(&mut self.next_wave).into();
                continue;
            };
            self.position = place;
            let node = NodeId::new(place.1);
            self.queued[node.index()] = false;
            if self.parents[node.index()] == node.number() && !self.pending[node].is_empty() {
                self.work += self.pending[node].len() as u64;
                return Some((node, std::mem::take(&mut self.pending[node])));
            }
        }
    }

    /// Sends what is new at a node along its edges.
    pub fn propagate(&mut self, heap: &mut Heap<'_>, node: NodeId, new: &HybridSet<ObjectId>) {
        let edges = std::mem::take(&mut self.edges[node]);
        for edge in &edges {
            self.add_set(heap, edge.to, new, edge.filter);
        }
        self.edges[node] = edges;
    }

    /// The nodes that a representative stands for, itself first.
    pub fn members(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        ring(&self.next_member, node)
    }

    /// Whether so many edges came since the last collapse that looking for cycles again is worth it.
    pub fn wants_collapse(&self) -> bool {
        self.edge_count > self.edges_at_last_collapse + self.edges_at_last_collapse / 4 + 10_000
    }

    /// Collapses all cycles of unfiltered edges and drops edges that became loops or doubles.
    pub fn collapse_cycles(&mut self) {
        self.edges_at_last_collapse = self.edge_count;
        let mut list = Vec::with_capacity(self.edge_count);
        let mut filtered = Vec::new();
        for from in self.edges.ids() {
            if self.parents[from.index()] != from.number() {
                continue;
            }
            let mut edges = std::mem::take(&mut self.edges[from]);
            for edge in &mut edges {
                edge.to = self.find(edge.to);
                if edge.filter == Types::ANY {
                    list.push((from, edge.to));
                } else {
                    filtered.push((from, edge.to));
                }
            }
            self.edges[from] = edges;
        }
        let nodes = self.sets.len();
        let all: Vec<(NodeId, NodeId)> = list.iter().chain(&filtered).copied().collect();
        let components_of = |edges: &[_]| Components::compute(&Csr::from_edges(nodes, edges));
        let (components, all) = rayon::join(|| components_of(&list), || components_of(&all));
        for component in components.ids() {
            let members = components.members(component);
            if members.len() > 1 {
                self.merge(members);
            }
        }
        self.rank(&components, &all);
        self.drop_useless_edges();
    }

    /// Ranks the nodes so that along most edges the rank rises: a node is visited when all that flows into it has arrived,
    /// as far as edges do not go around. Where filtered edges do, the unfiltered ones decide.
    fn rank(&mut self, unfiltered: &Components<NodeId>, all: &Components<NodeId>) {
        // Components are numbered against the direction of the edges.
        let mut rank = 0;
        let mut around: Vec<NodeId> = Vec::new();
        for component in all.ids().rev() {
            around.clear();
            around.extend(all.members(component));
            around.sort_unstable_by_key(|&node| Reverse((unfiltered.of(node), node)));
            for node in &around {
                self.ranks[node.index()] = rank;
                rank += 1;
            }
        }
        let queued = std::mem::take(&mut self.wave).into_iter().chain(std::mem::take(&mut self.next_wave));
        let ranks = &self.ranks;
        self.wave = queued.map(|Reverse((_, node))| Reverse((ranks[node as usize], node))).collect();
        self.position = (0, 0);
    }

    fn merge(&mut self, component: &[NodeId]) {
        let target = component.iter().copied().min().expect("a component has nodes");
        // What every member's edges and statements have seen need not be shown to them again.
        let mut seen_by_all = self.seen(target);
        for &node in component.iter().filter(|&&node| node != target) {
            if !seen_by_all.is_empty() {
                seen_by_all = seen_by_all.intersection(&self.seen(node));
            }
            self.parents[node.index()] = target.number();
            self.next_member.swap(target.index(), node.index());
            let mut edges = std::mem::take(&mut self.edges[node]);
            self.edges[target].append(&mut edges);
            let set = std::mem::take(&mut self.sets[node]);
            self.pending[node] = HybridSet::default();
            self.sets[target].union_with(&set);
            self.collapsed += 1;
        }
        self.pending[target] = difference(&self.sets[target], &seen_by_all);
        if !self.pending[target].is_empty() {
            self.enqueue(target);
        }
    }

    /// What a node holds and has already sent on.
    fn seen(&self, node: NodeId) -> HybridSet<ObjectId> {
        difference(&self.sets[node], &self.pending[node])
    }

    fn drop_useless_edges(&mut self) {
        let parents = &self.parents;
        let lists = self.edges.as_mut_slice().par_iter_mut().enumerate().with_min_len(4096);
        let count = lists.map(|(from, edges)| {
            for edge in edges.iter_mut() {
                edge.to = representative(parents, edge.to);
            }
            edges.sort_unstable_by_key(|edge| (edge.to, edge.filter));
            edges.dedup();
            edges.retain(|edge| edge.to.index() != from);
            edges.len()
        });
        self.edge_count = count.sum();
        self.edges_at_last_collapse = self.edge_count;
    }
}

fn representative(parents: &[u32], node: NodeId) -> NodeId {
    let mut node = node.number();
    while parents[node as usize] != node {
        node = parents[node as usize];
    }
    NodeId::new(node)
}

/// What is in one set and not in another.
fn difference(set: &HybridSet<ObjectId>, without: &HybridSet<ObjectId>) -> HybridSet<ObjectId> {
    if without.is_empty() {
        return set.clone();
    }
    let mut rest = HybridSet::default();
    for object in set.iter().filter(|&object| !without.contains(object)) {
        rest.insert(object);
    }
    rest
}
