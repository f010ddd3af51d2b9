//! Words of 64 consecutive ids: iterating over those of a set, looking them up, merging them.

use super::chunks::{Chunk, ChunkWords};

/// The members among the ids from `64 * index` on, as bits; not all zero in a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Word {
    pub(super) index: u32,
    pub(super) bits: u64,
}

/// The words of ascending items.
pub(super) fn words_of_items(items: &[u32]) -> WordIter<'_> {
    WordIter::Items(items)
}

/// The words of a set, ascending.
#[derive(Clone)]
pub(super) enum WordIter<'s> {
    Items(&'s [u32]),
    Words(std::slice::Iter<'s, Word>),
    Chunks(ChunkWords<'s>),
}

impl Iterator for WordIter<'_> {
    type Item = Word;
    #[inline]
    fn next(&mut self) -> Option<Word> {
        match self {
            WordIter::Items(items) => {
                let index = items.first()? / 64;
                let mut bits = 0;
                while let Some((&item, rest)) = items.split_first()
                    && item / 64 == index
                {
                    bits |= 1 << (item % 64);
                    *items = rest;
                }
                Some(Word { index, bits })
            }
            WordIter::Words(words) => words.next().copied(),
            WordIter::Chunks(words) => words.next(),
        }
    }
}

/// Finds words of a set in one sweep: each is asked for with a higher index than the one before.
pub(super) enum Lookup<'s> {
    /// All items of a small set.
    Items(&'s [u32]),
    /// The words that were not passed yet.
    Words(&'s [Word]),
    /// The chunks that were not passed yet.
    Chunks(&'s [Chunk]),
}

impl Lookup<'_> {
    /// The bits of the word with this index; indexes must not descend from call to call.
    #[inline]
    pub(super) fn bits(&mut self, index: u32) -> u64 {
        match self {
            Lookup::Items(items) => {
                let in_word = items.iter().filter(|&&item| item / 64 == index);
                in_word.fold(0, |bits, item| bits | 1 << (item % 64))
            }
            Lookup::Words(words) => {
                *words = &words[first_from(words, |word| word.index < index)..];
                words.first().filter(|word| word.index == index).map_or(0, |word| word.bits)
            }
            Lookup::Chunks(chunks) => {
                *chunks = &chunks[first_from(chunks, |chunk| chunk.index < index / 64)..];
                chunks
                    .first()
                    .filter(|chunk| chunk.index == index / 64)
                    .map_or(0, |chunk| chunk.bits(index % 64))
            }
        }
    }

    /// Whether an item is there; items must not descend from call to call.
    #[inline]
    pub(super) fn contains(&mut self, item: u32) -> bool {
        match self {
            Lookup::Items(items) => items.contains(&item),
            _ => self.bits(item / 64) >> (item % 64) & 1 != 0,
        }
    }
}

/// The place of the first element that is not `before`; all before it are. Quick if that is near the start.
#[inline]
pub(super) fn first_from<T>(sorted: &[T], before: impl Fn(&T) -> bool) -> usize {
    let mut reach = 1;
    while reach <= sorted.len() && before(&sorted[reach - 1]) {
        reach *= 2;
    }
    let known = reach / 2;
    known + sorted[known..sorted.len().min(reach)].partition_point(before)
}

/// Merges `new` into `words`, both ascending, unless that would make more than `max` words: then `words` may already
/// have new bits, but no new words, and the result is false.
pub(super) fn merge_words(words: &mut Vec<Word>, new: &[Word], max: usize) -> bool {
    let (mut place, mut missing) = (0, 0);
    for word in new {
        place += first_from(&words[place..], |old| old.index < word.index);
        match words.get_mut(place) {
            Some(old) if old.index == word.index => old.bits |= word.bits,
            _ => missing += 1,
        }
    }
    let old_len = words.len();
    if old_len + missing > max {
        return false;
    }
    words.resize(old_len + missing, Word::default());
    let (mut read, mut write) = (old_len, old_len + missing);
    for word in new.iter().rev() {
        if read == write {
            break;
        }
        while read > 0 && words[read - 1].index > word.index {
            (read, write) = (read - 1, write - 1);
            words[write] = words[read];
        }
        if read == 0 || words[read - 1].index != word.index {
            write -= 1;
            words[write] = *word;
        }
    }
    true
}
