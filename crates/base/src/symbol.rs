//! Interned names.
//!
//! Every name of a program (classes, members, descriptors, string constants) is a [`Symbol`]: four bytes, compared
//! and hashed in one instruction. Names are bytes and not `str`: class files hold modified UTF-8, in which real
//! programs put unpaired surrogates.
//!
//! The table is one for the process and only grows. Interning may happen from many threads at once, so the number
//! behind a symbol depends on the schedule; therefore nothing can see it: symbols *order by their text*, which keeps
//! whatever is sorted by them the same in every run.
//!
//! Layout: the texts live in buckets of doubling size, so that reading one takes no lock; the map from text to symbol
//! is split into shards, each behind its own lock.

use std::cmp::Ordering;
use std::fmt;
use std::hash::Hasher;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

const SHARDS: usize = 64;
const FIRST_BUCKET_BITS: u32 = 12;
const BUCKETS: usize = 33 - FIRST_BUCKET_BITS as usize;

/// An interned byte string; see the [module documentation](self).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symbol(u32);

type Bucket = Box<[OnceLock<&'static [u8]>]>;

struct Table {
    shards: [Mutex<HashTable<u32>>; SHARDS],
    buckets: [OnceLock<Bucket>; BUCKETS],
    next: AtomicU32,
}

static TABLE: Table = Table {
    shards: [const { Mutex::new(HashTable::new()) }; SHARDS],
    buckets: [const { OnceLock::new() }; BUCKETS],
    next: AtomicU32::new(0),
};

/// Bucket and offset of a symbol's text: bucket 0 holds the first 2^12, bucket n the next 2^(11+n).
fn place(number: u32) -> (usize, usize) {
    let top = (number >> FIRST_BUCKET_BITS).checked_ilog2().map_or(0, |bits| bits + 1);
    let start = if top == 0 { 0 } else { 1u32 << (FIRST_BUCKET_BITS + top - 1) };
    (top as usize, (number - start) as usize)
}

fn bucket_len(bucket: usize) -> usize {
    1 << (FIRST_BUCKET_BITS as usize + bucket.saturating_sub(1))
}

fn hash(text: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text);
    hasher.finish()
}

impl Table {
    fn text(&self, number: u32) -> &'static [u8] {
        let (bucket, offset) = place(number);
        let text = self.buckets[bucket].get().and_then(|texts| texts[offset].get());
        text.expect("a symbol exists only after its text was stored")
    }

    fn intern(&self, text: &[u8]) -> Symbol {
        let hash = hash(text);
        // Neither the hash's top bits, by which the shard's table tells entries apart at first glance, nor its lowest,
        // by which it places them.
        let shard = &self.shards[(hash >> 20) as usize % SHARDS];
        let mut map = shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = map.find(hash, |&number| self.text(number) == text) {
            return Symbol(number);
        }
        let number = self.next.fetch_add(1, Relaxed);
        let (bucket, offset) = place(number);
        let texts = self.buckets[bucket]
            .get_or_init(|| std::iter::repeat_with(OnceLock::new).take(bucket_len(bucket)).collect());
        texts[offset].get_or_init(|| Box::leak(Box::from(text)));
        map.insert_unique(hash, number, |&number| self::hash(self.text(number)));
        Symbol(number)
    }
}

impl Symbol {
    /// The symbol of a text, given as modified UTF-8 (plain ASCII is the same in both).
    pub fn new(text: impl AsRef<[u8]>) -> Symbol {
        TABLE.intern(text.as_ref())
    }

    /// The text, as modified UTF-8.
    pub fn as_bytes(self) -> &'static [u8] {
        TABLE.text(self.0)
    }

    /// The text where it is valid UTF-8, which holds for every name but those with NUL or unpaired surrogates.
    pub fn as_str(self) -> Option<&'static str> {
        std::str::from_utf8(self.as_bytes()).ok()
    }

    /// Whether the text is `text`.
    pub fn is(self, text: &str) -> bool {
        self.as_bytes() == text.as_bytes()
    }
}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By text, never by number: see the [module documentation](self).
impl Ord for Symbol {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.0 == other.0 { Ordering::Equal } else { self.as_bytes().cmp(other.as_bytes()) }
    }
}

/// Bytes that are not UTF-8 print as replacement characters.
impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(self.as_bytes()))
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.as_bytes().escape_ascii())
    }
}

impl From<&str> for Symbol {
    fn from(text: &str) -> Self {
        Symbol::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_one_symbol_from_any_thread() {
        let texts: Vec<String> = (0..20_000).map(|n| format!("symbol test {}", n % 10_000)).collect();
        let from_threads: Vec<Vec<Symbol>> = std::thread::scope(|scope| {
            let intern = || texts.iter().map(Symbol::new).collect();
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(intern)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(from_threads.iter().all(|symbols| *symbols == from_threads[0]));
        for (symbol, text) in from_threads[0].iter().zip(&texts) {
            assert!(symbol.is(text));
        }
    }

    #[test]
    fn symbols_order_by_text() {
        let (z, a) = (Symbol::new("symbol z"), Symbol::new("symbol a"));
        assert!(a < z);
        assert_eq!(a.cmp(&a), Ordering::Equal);
    }

    #[test]
    fn places_are_dense_and_disjoint() {
        let mut expected = (0, 0);
        for number in 0..100_000 {
            assert_eq!(place(number), expected);
            expected.1 += 1;
            if expected.1 == bucket_len(expected.0) {
                expected = (expected.0 + 1, 0);
            }
        }
        let (bucket, offset) = place(u32::MAX);
        assert!(bucket < BUCKETS && offset < bucket_len(bucket));
    }
}
