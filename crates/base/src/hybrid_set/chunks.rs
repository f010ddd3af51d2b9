//! The tier of large sets: chunks of 4096 consecutive ids, each with its nonzero words packed together.

use smallvec::SmallVec;

use super::words::{Word, first_from};
use crate::bit_set::Bits;

/// A set as a sorted vector of chunks.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Chunks {
    /// How many members there are.
    len: u32,
    chunks: Vec<Chunk>,
}

/// The members among the ids from `4096 * index` on.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Chunk {
    pub(super) index: u32,
    /// Which of its 64 words are not zero.
    present: u64,
    /// Those words, ascending.
    words: Vec<u64>,
}

impl Chunks {
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    pub(super) fn as_slice(&self) -> &[Chunk] {
        &self.chunks
    }

    pub(super) fn iter(&self) -> ChunkWords<'_> {
        ChunkWords { chunks: self.chunks.iter(), first_index: 0, present: Bits(0), words: [].iter() }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let words: usize = self.chunks.iter().map(|chunk| chunk.words.capacity()).sum();
        self.chunks.capacity() * size_of::<Chunk>() + words * size_of::<u64>()
    }

    /// Adds ascending words with `count` new members.
    pub(super) fn add(&mut self, new: &[Word], count: u32) {
        self.len += count;
        self.make_chunks(new);
        let mut place = 0;
        for run in new.chunk_by(|a, b| a.index / 64 == b.index / 64) {
            let index = run[0].index / 64;
            place += first_from(&self.chunks[place..], |chunk| chunk.index < index);
            self.chunks[place].add(run);
        }
    }

    /// Inserts empty chunks for words that have none.
    fn make_chunks(&mut self, new: &[Word]) {
        let mut missing: SmallVec<[u32; 16]> = SmallVec::new();
        let mut place = 0;
        for run in new.chunk_by(|a, b| a.index / 64 == b.index / 64) {
            let index = run[0].index / 64;
            place += first_from(&self.chunks[place..], |chunk| chunk.index < index);
            if self.chunks.get(place).is_none_or(|chunk| chunk.index != index) {
                missing.push(index);
            }
        }
        let mut read = self.chunks.len();
        let mut write = read + missing.len();
        self.chunks.resize_with(write, Chunk::default);
        for &index in missing.iter().rev() {
            while read > 0 && self.chunks[read - 1].index > index {
                (read, write) = (read - 1, write - 1);
                self.chunks.swap(read, write);
            }
            write -= 1;
            self.chunks[write].index = index;
        }
    }

    /// Collects the words that `other` has, `mask` lets through, and this set lacks.
    pub(super) fn collect_missing(
        &self,
        other: &Self,
        mask: impl Fn(u32) -> u64,
        missing: &mut impl Extend<Word>,
    ) {
        let mut place = 0;
        for theirs in &other.chunks {
            place += first_from(&self.chunks[place..], |chunk| chunk.index < theirs.index);
            let mine = self.chunks.get(place).filter(|mine| mine.index == theirs.index);
            let word = |bit: u32, bits: u64| {
                let index = theirs.index * 64 + bit;
                let bits = bits & mask(index);
                (bits != 0).then_some(Word { index, bits })
            };
            let bits = Bits(theirs.present).zip(&theirs.words);
            match mine {
                None => missing.extend(bits.filter_map(|(bit, &bits)| word(bit, bits))),
                Some(mine) if mine.present == theirs.present => {
                    let pairs = bits.zip(&mine.words).filter(|((_, theirs), mine)| *theirs & !*mine != 0);
                    missing.extend(pairs.filter_map(|((bit, theirs), mine)| word(bit, theirs & !mine)));
                }
                Some(mine) => {
                    missing.extend(bits.filter_map(|(bit, &bits)| word(bit, bits & !mine.bits(bit))));
                }
            }
        }
    }
}

impl Chunk {
    /// The bits of the word with this index in the chunk.
    pub(super) fn bits(&self, word: u32) -> u64 {
        if self.present >> word & 1 == 0 { 0 } else { self.words[self.rank(word)] }
    }

    /// How many present words come before this one.
    fn rank(&self, word: u32) -> usize {
        (self.present & ((1 << word) - 1)).count_ones() as usize
    }

    /// Adds ascending words that belong to this chunk.
    fn add(&mut self, new: &[Word]) {
        let incoming = new.iter().fold(0, |mask, word| mask | 1u64 << (word.index % 64));
        let missing = incoming & !self.present;
        if missing == 0 {
            for word in new {
                let place = self.rank(word.index % 64);
                self.words[place] |= word.bits;
            }
            return;
        }
        // From the last word down, so that every old word moves at most once.
        let mut read = self.words.len();
        let mut write = read + missing.count_ones() as usize;
        self.words.resize(write, 0);
        let mut new = new.iter().rev().peekable();
        let mut present = self.present | incoming;
        while present != 0 && new.peek().is_some() {
            let bit = 63 - present.leading_zeros();
            present &= !(1 << bit);
            let mut bits = 0;
            if self.present >> bit & 1 != 0 {
                read -= 1;
                bits = self.words[read];
            }
            if let Some(word) = new.next_if(|word| word.index % 64 == bit) {
                bits |= word.bits;
            }
            write -= 1;
            self.words[write] = bits;
        }
        self.present |= incoming;
    }
}

/// The words of [`Chunks`] in ascending order.
#[derive(Clone)]
pub(super) struct ChunkWords<'s> {
    chunks: std::slice::Iter<'s, Chunk>,
    /// The index of the current chunk's first word.
    first_index: u32,
    /// What is left of the current chunk.
    present: Bits,
    words: std::slice::Iter<'s, u64>,
}

impl Iterator for ChunkWords<'_> {
    type Item = Word;
    #[inline]
    fn next(&mut self) -> Option<Word> {
        loop {
            if let (Some(bit), Some(&bits)) = (self.present.next(), self.words.next()) {
                return Some(Word { index: self.first_index + bit, bits });
            }
            let chunk = self.chunks.next()?;
            self.first_index = chunk.index * 64;
            self.present = Bits(chunk.present);
            self.words = chunk.words.iter();
        }
    }
}
