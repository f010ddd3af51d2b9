//! Dense sets of ids, one bit each.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use crate::Id;

const BITS: usize = u64::BITS as usize;

/// A set of ids as a bit vector that grows as needed. Two sets are equal if they have the same members, however
/// long their vectors are.
#[derive(Clone)]
pub struct BitSet<I> {
    words: Vec<u64>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id> BitSet<I> {
    /// The empty set.
    pub const fn new() -> Self {
        Self { words: Vec::new(), ids: PhantomData }
    }

    /// The empty set, with room for the ids below `len`.
    pub fn with_room(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(BITS)], ids: PhantomData }
    }

    /// The set of all ids below `len`.
    pub fn full(len: usize) -> Self {
        let mut words = vec![u64::MAX; len.div_ceil(BITS)];
        if let Some(last) = words.last_mut()
            && !len.is_multiple_of(BITS)
        {
            *last = (1 << (len % BITS)) - 1;
        }
        Self { words, ids: PhantomData }
    }

    /// Adds an id; whether it was not there before.
    pub fn insert(&mut self, id: I) -> bool {
        let (word, bit) = (id.index() / BITS, 1 << (id.index() % BITS));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        is_new
    }

    /// Removes an id; whether it was there before.
    pub fn remove(&mut self, id: I) -> bool {
        let bit = 1 << (id.index() % BITS);
        let Some(word) = self.words.get_mut(id.index() / BITS) else { return false };
        let was_there = *word & bit != 0;
        *word &= !bit;
        was_there
    }

    /// Whether an id is in the set.
    pub fn contains(&self, id: I) -> bool {
        self.word(id.index() / BITS) & (1 << (id.index() % BITS)) != 0
    }

    /// The bits of the ids from `64 * index` on.
    pub fn word(&self, index: usize) -> u64 {
        self.words.get(index).copied().unwrap_or(0)
    }

    /// Adds the ids from `64 * index` on whose bits are set; the bits of those that were not there before.
    pub(crate) fn insert_word(&mut self, index: usize, bits: u64) -> u64 {
        if index >= self.words.len() {
            self.words.resize(index + 1, 0);
        }
        let new = bits & !self.words[index];
        self.words[index] |= bits;
        new
    }

    /// Removes the ids from `64 * index` on whose bits are set; whether any was there.
    pub(crate) fn remove_word(&mut self, index: usize, bits: u64) -> bool {
        let Some(word) = self.words.get_mut(index) else { return false };
        let was_there = *word & bits != 0;
        *word &= !bits;
        was_there
    }

    /// Adds the members of another set; whether any was not there before.
    pub fn union_with(&mut self, other: &Self) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut added = 0;
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            added |= more & !*word;
            *word |= more;
        }
        added != 0
    }

    /// Keeps only what is also in another set; whether anything was removed.
    pub fn intersect_with(&mut self, other: &Self) -> bool {
        let mut removed = 0;
        for (index, word) in self.words.iter_mut().enumerate() {
            let keep = other.word(index);
            removed |= *word & !keep;
            *word &= keep;
        }
        removed != 0
    }

    /// Removes the members of another set; whether anything was removed.
    pub fn subtract(&mut self, other: &Self) -> bool {
        let mut removed = 0;
        for (word, &less) in self.words.iter_mut().zip(&other.words) {
            removed |= *word & less;
            *word &= !less;
        }
        removed != 0
    }

    /// Whether the sets have a common member.
    pub fn intersects(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Whether every member is also in another set.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.words.iter().enumerate().all(|(index, word)| word & !other.word(index) == 0)
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// How many members there are; counts them.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = I> {
        self.words
            .iter()
            .enumerate()
            .flat_map(|(index, &word)| Bits(word).map(move |bit| I::from_index(index * BITS + bit as usize)))
    }

    /// How much memory the set takes beyond its own size.
    pub fn heap_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    fn significant(&self) -> &[u64] {
        let len = self.words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        &self.words[..len]
    }
}

/// The positions of the ones in a word, from the lowest on.
#[derive(Clone)]
pub(crate) struct Bits(pub(crate) u64);

impl Iterator for Bits {
    type Item = u32;
    #[inline]
    fn next(&mut self) -> Option<u32> {
        let bit = (self.0 != 0).then(|| self.0.trailing_zeros())?;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

impl<I: Id> Default for BitSet<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id> PartialEq for BitSet<I> {
    fn eq(&self, other: &Self) -> bool {
        self.significant() == other.significant()
    }
}

impl<I: Id> Eq for BitSet<I> {}

impl<I: Id> Hash for BitSet<I> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.significant().hash(state);
    }
}

impl<I: Id> FromIterator<I> for BitSet<I> {
    fn from_iter<S: IntoIterator<Item = I>>(ids: S) -> Self {
        let mut set = Self::new();
        set.extend(ids);
        set
    }
}

impl<I: Id> Extend<I> for BitSet<I> {
    fn extend<S: IntoIterator<Item = I>>(&mut self, ids: S) {
        for id in ids {
            self.insert(id);
        }
    }
}

impl<I: Id> fmt::Debug for BitSet<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::testing::{Node, Random};

    fn random_set(random: &mut Random) -> BTreeSet<Node> {
        let (count, range) = (random.below(30), 1 + random.below(300));
        (0..count).map(|_| Node::from_index(random.below(range))).collect()
    }

    #[test]
    fn operations_agree_with_ordered_sets() {
        let mut random = Random::new(6);
        for _ in 0..2_000 {
            let (a, b) = (random_set(&mut random), random_set(&mut random));
            let (a_bits, b_bits): (BitSet<Node>, BitSet<Node>) =
                (a.iter().copied().collect(), b.iter().copied().collect());
            assert!(a_bits.iter().eq(a.iter().copied()));
            assert_eq!((a_bits.len(), a_bits.is_empty()), (a.len(), a.is_empty()));
            assert_eq!(a_bits == b_bits, a == b);
            assert_eq!(a_bits.intersects(&b_bits), !a.is_disjoint(&b));
            assert_eq!(a_bits.is_subset(&b_bits), a.is_subset(&b));
            let check = |changed: bool, result: BitSet<Node>, expected: BTreeSet<Node>| {
                assert!(result.iter().eq(expected.iter().copied()));
                assert_eq!(changed, expected != a);
                assert_eq!(result, expected.into_iter().collect());
            };
            let mut result = a_bits.clone();
            check(result.union_with(&b_bits), result, &a | &b);
            let mut result = a_bits.clone();
            check(result.intersect_with(&b_bits), result, &a & &b);
            let mut result = a_bits.clone();
            check(result.subtract(&b_bits), result, &a - &b);
            let one = Node::from_index(random.below(400));
            let (mut bits, mut set) = (a_bits, a);
            assert_eq!(bits.contains(one), set.contains(&one));
            if random.below(2) == 0 {
                assert_eq!(bits.insert(one), set.insert(one));
            } else {
                assert_eq!(bits.remove(one), set.remove(&one));
            }
            assert!(bits.iter().eq(set));
        }
    }

    #[test]
    fn full_sets_end_where_they_should() {
        for len in [0, 1, 63, 64, 65, 128, 200] {
            let full: BitSet<Node> = BitSet::full(len);
            assert_eq!((full.len(), full.iter().count()), (len, len));
            assert!(!full.contains(Node::from_index(len)));
        }
    }
}
