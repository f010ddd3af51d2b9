//! What is left to do: queues in which an element waits at most once.

use std::collections::VecDeque;

use crate::bit_set::BitSet;
use crate::{Id, IdVec};

/// A queue of ids, first in, first out, each at most once at a time.
#[derive(Clone, Debug, Default)]
pub struct Worklist<I: Id> {
    queue: VecDeque<I>,
    waiting: BitSet<I>,
}

impl<I: Id> Worklist<I> {
    /// Nothing to do.
    pub fn new() -> Self {
        Self { queue: VecDeque::new(), waiting: BitSet::new() }
    }

    /// Queues an id unless it is waiting already; whether it was not.
    pub fn push(&mut self, id: I) -> bool {
        let is_new = self.waiting.insert(id);
        if is_new {
            self.queue.push_back(id);
        }
        is_new
    }

    /// Takes the id that has waited longest.
    pub fn pop(&mut self) -> Option<I> {
        let id = self.queue.pop_front()?;
        self.waiting.remove(id);
        Some(id)
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// How many ids are waiting.
    pub fn len(&self) -> usize {
        self.queue.len()
    }
}

impl<I: Id> Extend<I> for Worklist<I> {
    fn extend<S: IntoIterator<Item = I>>(&mut self, ids: S) {
        for id in ids {
            self.push(id);
        }
    }
}

/// A queue of ids with fixed priorities `0..n`, the lowest first, each at most once at a time.
///
/// The waiting priorities are the ones of a bit vector, with a bit vector over it that tells which of its words are not
/// zero, and so on up to a single word: queueing and taking cost a few steps, whatever the number of ids.
#[derive(Clone, Debug)]
pub struct PriorityWorklist<I: Id> {
    by_priority: Vec<I>,
    priorities: IdVec<I, u32>,
    /// The priorities, then summary after summary; the last has one word.
    levels: Vec<Vec<u64>>,
}

const NO_PRIORITY: u32 = u32::MAX;

impl<I: Id> PriorityWorklist<I> {
    /// Nothing to do. The ids that can be queued are those of `order`, in order of their priorities.
    pub fn new(order: &[I]) -> Self {
        let ids = order.iter().map(|id| id.index() + 1).max().unwrap_or(0);
        let mut priorities = IdVec::filled(NO_PRIORITY, ids);
        for (priority, &id) in order.iter().enumerate() {
            priorities[id] = priority as u32;
        }
        let mut levels = vec![vec![0; order.len().div_ceil(64).max(1)]];
        while let Some(level) = levels.last().filter(|level| level.len() > 1) {
            let words = level.len().div_ceil(64);
            levels.push(vec![0; words]);
        }
        Self { by_priority: order.to_vec(), priorities, levels }
    }

    /// Queues an id unless it is waiting already; whether it was not. Ids without a priority are never queued.
    pub fn push(&mut self, id: I) -> bool {
        let Some(&priority) = self.priorities.get(id).filter(|&&priority| priority != NO_PRIORITY) else {
            return false;
        };
        let mut index = priority as usize;
        for (height, level) in self.levels.iter_mut().enumerate() {
            let (word, bit) = (&mut level[index / 64], 1 << (index % 64));
            let (was_empty, was_set) = (*word == 0, *word & bit != 0);
            *word |= bit;
            if was_set && height == 0 {
                return false;
            }
            if !was_empty {
                break;
            }
            index /= 64;
        }
        true
    }

    /// Takes the waiting id with the lowest priority number.
    pub fn pop(&mut self) -> Option<I> {
        let mut index = 0;
        for level in self.levels.iter().rev() {
            let word = level[index];
            if word == 0 {
                return None;
            }
            index = index * 64 + word.trailing_zeros() as usize;
        }
        let priority = index;
        for level in &mut self.levels {
            let word = &mut level[index / 64];
            *word &= !(1 << (index % 64));
            if *word != 0 {
                break;
            }
            index /= 64;
        }
        Some(self.by_priority[priority])
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.levels.last().is_none_or(|top| top[0] == 0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::testing::{Node, Random};

    #[test]
    fn the_queue_is_fair_and_without_doubles() {
        let mut list = Worklist::new();
        list.extend([Node::new(3), Node::new(1), Node::new(3)]);
        assert_eq!((list.len(), list.pop()), (2, Some(Node::new(3))));
        assert!(list.push(Node::new(3)) && !list.push(Node::new(1)));
        assert_eq!([list.pop(), list.pop(), list.pop()], [Some(Node::new(1)), Some(Node::new(3)), None]);
        assert!(list.is_empty());
    }

    #[test]
    fn priorities_agree_with_an_ordered_set() {
        let mut random = Random::new(7);
        for count in [0, 1, 5, 64, 65, 4_096, 5_000, 300_000] {
            let order: Vec<Node> = (0..count).rev().map(Node::from_index).collect();
            let mut list = PriorityWorklist::new(&order);
            let mut expected = BTreeSet::new();
            for _ in 0..3_000 {
                if count > 0 && random.below(3) > 0 {
                    let node = Node::from_index(random.below(count));
                    assert_eq!(list.push(node), expected.insert(count - 1 - node.index()));
                } else {
                    let lowest = expected.pop_first().map(|priority| order[priority]);
                    assert_eq!(list.pop(), lowest);
                }
                assert_eq!(list.is_empty(), expected.is_empty());
            }
            assert!(!list.push(Node::from_index(count)), "an id without a priority");
        }
    }
}
