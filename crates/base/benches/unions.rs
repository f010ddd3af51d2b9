//! The speed of points-to sets on a synthetic solve: `cargo bench -p selvedge-base`.
//!
//! A random graph stands in for a program's flow of references: mostly inside of methods, sometimes through busy nodes; most
//! sets stay tiny, some take in many objects. Differences are propagated until nothing is new.

use std::time::Instant;

use selvedge_base::{BitSet, HybridSet, Id, IdVec, PriorityWorklist, entity};

entity! {
    /// A variable.
    Node "n";
    /// An object.
    Object "o";
}

const NODES: usize = 300_000;
const OBJECTS: usize = 60_000;
const EDGES: usize = 1_200_000;
/// Nodes of one method.
const METHOD: usize = 100;
/// Every so many nodes there is one through which much flows.
const BUSY: usize = 300;
const TYPES: usize = 200;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 32) as usize * bound) >> 32
    }
}

fn main() {
    let mut random = Random(42);
    let mut successors: IdVec<Node, Vec<Node>> = IdVec::filled(Vec::new(), NODES);
    for edge in 0..EDGES {
        // Flow is mostly forward inside of a method, sometimes into a busy node (a container's element) or out of one.
        let from = random.below(NODES);
        let in_method = from - from % METHOD + random.below(METHOD);
        let busy = from + random.below(NODES - from);
        let (from, to) = match random.below(100) {
            0..5 => (from, busy - busy % BUSY),
            5..12 => (from - from % BUSY, in_method.max(from)),
            _ => (from.min(in_method), from.max(in_method)),
        };
        // A cycle here and there, as if cycles were collapsed now and then.
        let (from, to) = if edge.is_multiple_of(200) { (to, from) } else { (from, to) };
        successors[Node::from_index(from)].push(Node::from_index(to));
    }
    // Objects of one type are allocated in some places, not everywhere. What comes out of a busy node is cast.
    let of_type = |ty: usize| (0..OBJECTS).filter(move |n| n / 40 % TYPES == ty).map(Object::from_index);
    let filters: Vec<BitSet<Object>> = (0..TYPES).map(|ty| of_type(ty).collect()).collect();
    let is_busy = |node: Node| node.index().is_multiple_of(BUSY);

    let mut sets: IdVec<Node, HybridSet<Object>> = IdVec::filled(HybridSet::new(), NODES);
    let mut pending: IdVec<Node, HybridSet<Object>> = IdVec::filled(HybridSet::new(), NODES);
    let mut work = PriorityWorklist::new(&Vec::from_iter((0..NODES).map(Node::from_index)));
    for object in 0..OBJECTS {
        // Objects are numbered where they are allocated.
        let node = Node::from_index(object * (NODES / OBJECTS));
        sets[node].insert(Object::from_index(object));
        pending[node].insert(Object::from_index(object));
        work.push(node);
    }
    let (start, mut unions, mut changes) = (Instant::now(), 0u64, 0u64);
    while let Some(node) = work.pop() {
        let difference = std::mem::take(&mut pending[node]);
        for &to in &successors[node] {
            unions += 1;
            let changed = if is_busy(node) {
                sets[to].union_diff_filtered(&difference, &filters[to.index() % TYPES], &mut pending[to])
            } else {
                sets[to].union_diff(&difference, &mut pending[to])
            };
            if changed {
                changes += 1;
                work.push(to);
            }
        }
    }
    let elapsed = start.elapsed();
    let members: usize = sets.iter().map(HybridSet::len).sum();
    let bytes: usize = sets.iter().map(HybridSet::heap_bytes).sum();
    println!(
        "{unions} unions, {changes} with something new, {:.0} ns each; {members} members in {} MB",
        elapsed.as_nanos() as f64 / unions as f64,
        (bytes + NODES * size_of::<HybridSet<Object>>()) >> 20,
    );
}
