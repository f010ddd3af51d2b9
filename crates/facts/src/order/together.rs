//! Pairs of threads that may be alive at the same time, as rows of bits: what starts among many others is paired with all of
//! them at once.

use selvedge_base::{BitSet, FastMap};

use crate::threads::ThreadId;

/// Pairs of threads; which of the two comes first does not matter.
#[derive(Default)]
pub(super) struct Together {
    /// Others of the pairs of each thread. A pair is in the row of one of its two threads at least.
    rows: FastMap<ThreadId, BitSet<ThreadId>>,
}

impl Together {
    /// Each of some threads with each of others.
    pub(super) fn add_all(&mut self, some: &BitSet<ThreadId>, others: &BitSet<ThreadId>) {
        if !others.is_empty() {
            some.iter().for_each(|thread| self.add(thread, others));
        }
    }

    /// Every two of some threads, and each with others of its own kind; but `once` not with its own kind.
    pub(super) fn add_among(&mut self, some: &BitSet<ThreadId>, once: ThreadId) {
        let mut rest = some.clone();
        rest.remove(once);
        self.add(once, &rest);
        self.add_all(&rest, &rest);
    }

    fn add(&mut self, thread: ThreadId, others: &BitSet<ThreadId>) {
        if !others.is_empty() {
            self.rows.entry(thread).or_default().union_with(others);
        }
    }

    /// Whether two threads are a pair.
    pub(super) fn contains(&self, a: ThreadId, b: ThreadId) -> bool {
        let has = |a, b| self.rows.get(&a).is_some_and(|row| row.contains(b));
        has(a, b) || has(b, a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_have_no_order() {
        let id = ThreadId::new;
        let mut pairs = Together::default();
        pairs.add_all(&[id(1), id(2)].into_iter().collect(), &[id(2), id(70)].into_iter().collect());
        pairs.add_among(&[id(3), id(4), id(5)].into_iter().collect(), id(4));
        let expected = [(1, 2), (1, 70), (2, 2), (2, 70), (3, 3), (3, 4), (3, 5), (4, 5), (5, 5)];
        for a in 0..80 {
            for b in a..80 {
                let is_pair = expected.contains(&(a, b));
                assert_eq!((pairs.contains(id(a), id(b)), pairs.contains(id(b), id(a))), (is_pair, is_pair));
            }
        }
    }
}
