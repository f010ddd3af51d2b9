//! Disjoint sets of ids: union by size, paths halved on the way.

use crate::{Id, IdVec};

/// A partition of the ids `0..len` into sets, each with one representative.
#[derive(Clone, Debug)]
pub struct UnionFind<I: Id> {
    parents: IdVec<I, I>,
    /// The size of each representative's set.
    sizes: IdVec<I, u32>,
}

impl<I: Id> UnionFind<I> {
    /// Every id below `len` in a set of its own.
    pub fn new(len: usize) -> Self {
        Self { parents: (0..len).map(I::from_index).collect(), sizes: IdVec::filled(1, len) }
    }

    /// How many ids there are.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether there are no ids.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// Adds the next id, in a set of its own.
    pub fn push(&mut self) -> I {
        self.sizes.push(1);
        self.parents.push(self.parents.next_id())
    }

    /// The representative of the id's set.
    pub fn find(&mut self, mut id: I) -> I {
        while self.parents[id] != id {
            let grandparent = self.parents[self.parents[id]];
            self.parents[id] = grandparent;
            id = grandparent;
        }
        id
    }

    /// The representative of the id's set, without shortening the way to it.
    pub fn find_shared(&self, mut id: I) -> I {
        while self.parents[id] != id {
            id = self.parents[id];
        }
        id
    }

    /// Whether two ids are in the same set.
    pub fn same(&mut self, a: I, b: I) -> bool {
        self.find(a) == self.find(b)
    }

    /// How many ids are in the id's set.
    pub fn set_size(&mut self, id: I) -> usize {
        let representative = self.find(id);
        self.sizes[representative] as usize
    }

    /// Merges the sets of two ids. Of two different sets the larger one (the first, if they are of one size) keeps its
    /// representative; `Some((kept, absorbed))` are the two representatives.
    pub fn union(&mut self, a: I, b: I) -> Option<(I, I)> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return None;
        }
        let (kept, absorbed) = if self.sizes[a] < self.sizes[b] { (b, a) } else { (a, b) };
        self.parents[absorbed] = kept;
        self.sizes[kept] += self.sizes[absorbed];
        Some((kept, absorbed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Node, Random};

    #[test]
    fn random_unions_agree_with_relabelling() {
        let mut random = Random::new(5);
        for _ in 0..50 {
            let count = 1 + random.below(60);
            let mut sets: UnionFind<Node> = UnionFind::new(count);
            let mut labels: Vec<usize> = (0..count).collect();
            for _ in 0..random.below(2 * count) {
                let (a, b) = (random.below(count), random.below(count));
                let merged = sets.union(Node::from_index(a), Node::from_index(b));
                assert_eq!(merged.is_some(), labels[a] != labels[b]);
                let (from, to) = (labels[a], labels[b]);
                labels.iter_mut().filter(|label| **label == from).for_each(|label| *label = to);
            }
            for a in 0..count {
                let size = labels.iter().filter(|&&label| label == labels[a]).count();
                assert_eq!(sets.set_size(Node::from_index(a)), size);
                for b in 0..count {
                    let (a_node, b_node) = (Node::from_index(a), Node::from_index(b));
                    assert_eq!(sets.same(a_node, b_node), labels[a] == labels[b]);
                    assert_eq!(sets.find(a_node), sets.find_shared(a_node));
                }
            }
            assert_eq!(sets.push(), Node::from_index(count));
        }
    }
}
