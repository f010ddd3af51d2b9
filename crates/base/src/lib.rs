//! Typed ids, arenas, sets, symbols and graph algorithms: what every other crate of Selvedge stands on.
//!
//! Nothing in here knows about Java. Each data structure lives in a file of its own and exists once in the
//! project; an analysis that needs a worklist, a bit set or a dominator tree takes the one from here.

pub mod bit_set;
pub mod dominators;
pub mod fixpoint;
pub mod graph;
pub mod hybrid_set;
pub mod id;
pub mod loops;
pub mod scc;
pub mod symbol;
#[cfg(test)]
mod testing;
pub mod union_find;
pub mod worklist;

pub use bit_set::BitSet;
pub use dominators::Dominators;
pub use fixpoint::{Dataflow, Lattice, solve, solve_backward};
pub use graph::{Csr, Graph, ReversePostorder};
pub use hybrid_set::{HybridSet, Iter as HybridSetIter};
pub use id::{Id, IdRange, IdVec};
pub use loops::{Loop, LoopId, Loops};
pub use scc::{Component, Components};
pub use symbol::Symbol;
pub use union_find::UnionFind;
pub use worklist::{PriorityWorklist, Worklist};

/// A hash map with a fast, non-cryptographic, deterministic hash.
///
/// Its iteration order is arbitrary: never let it reach any output.
pub type FastMap<K, V> = rustc_hash::FxHashMap<K, V>;

/// A hash set with a fast, non-cryptographic, deterministic hash. See [`FastMap`] about iteration order.
pub type FastSet<K> = rustc_hash::FxHashSet<K>;
