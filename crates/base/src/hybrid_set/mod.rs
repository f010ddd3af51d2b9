//! Points-to sets: sets of ids that start tiny, are united millions of times, and sometimes grow large.
//!
//! Three tiers, by size alone, so that equal sets are equally represented:
//! - up to 9 members: a sorted array inside the set itself, no memory beside it;
//! - up to 64 *words* (64 consecutive ids with at least one member): a sorted vector of words;
//! - beyond: *chunks* of 4096 consecutive ids with the words in them, which find a word in near-constant time and take a
//!   new one without moving the rest.
//!
//! Ids that belong together should be numbered together: then a word holds many members.
//!
//! Everything reduces to words in ascending order. A union first collects the words that are new (mostly none: then it is
//! done without writing anything) and adds those, both to the set and, for difference propagation, to the set of what is
//! still to be propagated. Since sets never shrink, no tier ever has to step down.

mod chunks;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use smallvec::SmallVec;

use self::chunks::Chunks;
use self::words::{Lookup, Word, WordIter, merge_words, words_of_items};
use crate::Id;
use crate::bit_set::{BitSet, Bits};

/// How many members a set holds without further memory.
const INLINE: usize = 9;
/// How many words a set holds in one vector.
const MAX_WORDS: usize = 64;

/// A set of ids that can only grow; see the [module documentation](self).
#[derive(Clone)]
pub struct HybridSet<I> {
    tier: Tier,
    ids: PhantomData<fn(I)>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Tier {
    /// Sorted; unused places are zero.
    Inline {
        len: u8,
        items: [u32; INLINE],
    },
    Words {
        len: u32,
        words: Vec<Word>,
    },
    Chunks(Chunks),
}

const EMPTY: Tier = Tier::Inline { len: 0, items: [0; INLINE] };

/// The words that a union adds.
type NewWords = SmallVec<[Word; 32]>;

impl<I: Id> HybridSet<I> {
    /// The empty set.
    pub const fn new() -> Self {
        Self { tier: EMPTY, ids: PhantomData }
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        match &self.tier {
            Tier::Inline { len, .. } => usize::from(*len),
            Tier::Words { len, .. } => *len as usize,
            Tier::Chunks(chunks) => chunks.len(),
        }
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        matches!(self.tier, Tier::Inline { len: 0, .. })
    }

    /// Whether an id is in the set.
    pub fn contains(&self, id: I) -> bool {
        self.tier.contains(id.index() as u32)
    }

    /// Adds an id; whether it was not there before.
    pub fn insert(&mut self, id: I) -> bool {
        let item = id.index() as u32;
        let is_new = !self.tier.contains(item);
        if is_new {
            self.tier.add_items(&[item]);
        }
        is_new
    }

    /// Adds the members of another set; whether any was not there before.
    pub fn union_with(&mut self, other: &Self) -> bool {
        if self.is_empty() {
            self.tier.clone_from(&other.tier);
            return !other.is_empty();
        }
        self.tier.unite(&other.tier, |_| u64::MAX, None)
    }

    /// Adds the members of another set and collects in `added` those that were not there before; whether there were any.
    pub fn union_diff(&mut self, other: &Self, added: &mut Self) -> bool {
        self.tier.unite(&other.tier, |_| u64::MAX, Some(&mut added.tier))
    }

    /// As [`union_diff`](Self::union_diff), but only for members of `other` that are in `filter`.
    pub fn union_diff_filtered(&mut self, other: &Self, filter: &BitSet<I>, added: &mut Self) -> bool {
        self.tier.unite(&other.tier, |index| filter.word(index as usize), Some(&mut added.tier))
    }

    /// Whether the sets have a common member.
    pub fn intersects(&self, other: &Self) -> bool {
        let (few, many) = if self.len() < other.len() { (self, other) } else { (other, self) };
        let mut lookup = many.tier.lookup();
        few.tier.words().any(|word| word.bits & lookup.bits(word.index) != 0)
    }

    /// Whether a member is in a set of bits.
    pub fn meets(&self, bits: &BitSet<I>) -> bool {
        self.tier.words().any(|word| word.bits & bits.word(word.index as usize) != 0)
    }

    /// The members that are in a set of bits, in ascending order.
    pub fn iter_within<'s>(&'s self, bits: &'s BitSet<I>) -> impl Iterator<Item = I> + 's {
        let common = self.tier.words().map(|word| (word.index, word.bits & bits.word(word.index as usize)));
        common.flat_map(|(index, bits)| Bits(bits).map(move |bit| I::from_index((index * 64 + bit) as usize)))
    }

    /// Adds all members to a set of bits, and shows those that were not there before, in ascending order.
    pub fn add_to(&self, bits: &mut BitSet<I>, mut new: impl FnMut(I)) {
        for word in self.tier.words() {
            let added = bits.insert_word(word.index as usize, word.bits);
            Bits(added).for_each(|bit| new(I::from_index((word.index * 64 + bit) as usize)));
        }
    }

    /// Removes all members from a set of bits; whether any was there.
    pub fn remove_from(&self, bits: &mut BitSet<I>) -> bool {
        self.tier
            .words()
            .fold(false, |removed, word| bits.remove_word(word.index as usize, word.bits) | removed)
    }

    /// The common members.
    pub fn intersection(&self, other: &Self) -> Self {
        let (few, many) = if self.len() < other.len() { (self, other) } else { (other, self) };
        let mut lookup = many.tier.lookup();
        let common: NewWords = few
            .tier
            .words()
            .map(|word| Word { bits: word.bits & lookup.bits(word.index), ..word })
            .filter(|word| word.bits != 0)
            .collect();
        let mut result = Self::new();
        result.tier.add_words(&common);
        result
    }

    /// Whether every member is also in another set.
    pub fn is_subset(&self, other: &Self) -> bool {
        let mut lookup = other.tier.lookup();
        self.len() <= other.len() && self.tier.words().all(|word| word.bits & !lookup.bits(word.index) == 0)
    }

    /// The members in ascending order.
    pub fn iter(&self) -> Iter<'_, I> {
        Iter { words: self.tier.words(), current: Word::default(), ids: PhantomData }
    }

    /// How much memory the set takes beyond its own size.
    pub fn heap_bytes(&self) -> usize {
        match &self.tier {
            Tier::Inline { .. } => 0,
            Tier::Words { words, .. } => words.capacity() * size_of::<Word>(),
            Tier::Chunks(chunks) => chunks.heap_bytes(),
        }
    }
}

impl Tier {
    #[inline]
    fn contains(&self, item: u32) -> bool {
        match self {
            Tier::Inline { len, items } => items[..usize::from(*len)].contains(&item),
            _ => self.lookup().bits(item / 64) >> (item % 64) & 1 != 0,
        }
    }

    #[inline]
    fn lookup(&self) -> Lookup<'_> {
        match self {
            Tier::Inline { len, items } => Lookup::Items(&items[..usize::from(*len)]),
            Tier::Words { words, .. } => Lookup::Words(words),
            Tier::Chunks(chunks) => Lookup::Chunks(chunks.as_slice()),
        }
    }

    #[inline]
    fn words(&self) -> WordIter<'_> {
        match self {
            Tier::Inline { len, items } => WordIter::Items(&items[..usize::from(*len)]),
            Tier::Words { words, .. } => WordIter::Words(words.iter()),
            Tier::Chunks(chunks) => WordIter::Chunks(chunks.iter()),
        }
    }

    /// Adds the members of `other` that `mask` lets through, word by word, and the new ones to `added` as well.
    fn unite(&mut self, other: &Tier, mask: impl Fn(u32) -> u64, added: Option<&mut Tier>) -> bool {
        if let Tier::Inline { len, items } = other {
            return self.unite_items(&items[..usize::from(*len)], mask, added);
        }
        let mut new = NewWords::new();
        match (&*self, other) {
            (Tier::Chunks(mine), Tier::Chunks(theirs)) => mine.collect_missing(theirs, mask, &mut new),
            _ => {
                let mut lookup = self.lookup();
                for word in other.words() {
                    let bits = word.bits & !lookup.bits(word.index) & mask(word.index);
                    if bits != 0 {
                        new.push(Word { index: word.index, bits });
                    }
                }
            }
        }
        if new.is_empty() {
            return false;
        }
        self.add_words(&new);
        if let Some(added) = added {
            added.absorb(new);
        }
        true
    }

    /// Adds ascending words, some of whose members may be there.
    fn absorb(&mut self, mut new: NewWords) {
        if !matches!(self, Tier::Inline { len: 0, .. }) {
            let mut lookup = self.lookup();
            for word in &mut new {
                word.bits &= !lookup.bits(word.index);
            }
            new.retain(|word| word.bits != 0);
        }
        self.add_words(&new);
    }

    fn unite_items(&mut self, items: &[u32], mask: impl Fn(u32) -> u64, added: Option<&mut Tier>) -> bool {
        let (mut passed, mut count) = ([0; INLINE], 0);
        for &item in items {
            passed[count] = item;
            count += (mask(item / 64) >> (item % 64) & 1) as usize;
        }
        let (new, count) = self.absorb_items(&passed[..count]);
        if let Some(added) = added {
            added.absorb_items(&new[..count]);
        }
        count > 0
    }

    /// Adds ascending items, some of which may be there; which and how many were not.
    fn absorb_items(&mut self, items: &[u32]) -> ([u32; INLINE], usize) {
        let (mut new, mut count) = ([0; INLINE], 0);
        let mut lookup = self.lookup();
        for &item in items {
            new[count] = item;
            count += usize::from(!lookup.contains(item));
        }
        if count > 0 {
            self.add_items(&new[..count]);
        }
        (new, count)
    }

    /// Adds ascending items. None may be there yet.
    fn add_items(&mut self, new: &[u32]) {
        if let Tier::Inline { len, items } = self {
            let (old, total) = (usize::from(*len), usize::from(*len) + new.len());
            if total <= INLINE {
                let (mut read, mut write) = (old, total);
                for &item in new.iter().rev() {
                    while read > 0 && items[read - 1] > item {
                        (read, write) = (read - 1, write - 1);
                        items[write] = items[read];
                    }
                    write -= 1;
                    items[write] = item;
                }
                *len = total as u8;
                return;
            }
        }
        self.add_words(&words_of_items(new).collect::<NewWords>());
    }

    /// Adds ascending words. None of their members may be there yet, so that members can be counted as they come.
    fn add_words(&mut self, new: &[Word]) {
        let count: u32 = new.iter().map(|word| word.bits.count_ones()).sum();
        match self {
            Tier::Inline { len, items } => {
                let old = &items[..usize::from(*len)];
                if old.len() + count as usize <= INLINE {
                    let (mut added, mut filled) = ([0; INLINE], 0);
                    for item in new.iter().flat_map(|word| Bits(word.bits).map(|bit| word.index * 64 + bit)) {
                        added[filled] = item;
                        filled += 1;
                    }
                    return self.add_items(&added[..filled]);
                }
                let words = Vec::from_iter(words_of_items(old));
                *self = Tier::Words { len: old.len() as u32, words };
                self.add_words(new);
            }
            Tier::Words { len, words } => {
                *len += count;
                if !merge_words(words, new, MAX_WORDS) {
                    let mut chunks = Chunks::default();
                    chunks.add(words, *len);
                    chunks.add(new, 0);
                    *self = Tier::Chunks(chunks);
                }
            }
            Tier::Chunks(chunks) => chunks.add(new, count),
        }
    }
}

impl<I: Id> Default for HybridSet<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id> PartialEq for HybridSet<I> {
    fn eq(&self, other: &Self) -> bool {
        self.tier == other.tier
    }
}

impl<I: Id> Eq for HybridSet<I> {}

impl<I: Id> Hash for HybridSet<I> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.tier.hash(state);
    }
}

impl<I: Id> FromIterator<I> for HybridSet<I> {
    fn from_iter<S: IntoIterator<Item = I>>(ids: S) -> Self {
        let mut items: Vec<u32> = ids.into_iter().map(|id| id.index() as u32).collect();
        items.sort_unstable();
        items.dedup();
        let mut set = Self::new();
        set.tier.add_items(&items);
        set
    }
}

impl<I: Id> Extend<I> for HybridSet<I> {
    fn extend<S: IntoIterator<Item = I>>(&mut self, ids: S) {
        for id in ids {
            self.insert(id);
        }
    }
}

impl<'s, I: Id> IntoIterator for &'s HybridSet<I> {
    type Item = I;
    type IntoIter = Iter<'s, I>;
    fn into_iter(self) -> Iter<'s, I> {
        self.iter()
    }
}

impl<I: Id> fmt::Debug for HybridSet<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The members of a [`HybridSet`] in ascending order.
#[derive(Clone)]
pub struct Iter<'s, I> {
    words: WordIter<'s>,
    current: Word,
    ids: PhantomData<fn(I)>,
}

impl<I: Id> Iterator for Iter<'_, I> {
    type Item = I;
    #[inline]
    fn next(&mut self) -> Option<I> {
        if self.current.bits == 0 {
            self.current = self.words.next()?;
        }
        let bit = self.current.bits.trailing_zeros();
        self.current.bits &= self.current.bits - 1;
        Some(I::from_index((self.current.index * 64 + bit) as usize))
    }
}
