//! What a thread has lately accessed, so that most accesses need not be looked at (section 4 of the paper).
//!
//! Two caches a thread, for reads and for writes, direct mapped by location. **Invariant:** an entry for a location means
//! that this thread has made an access of that kind to it whose locks were a subset of those held now, and that was
//! judged; so a further one is redundant. Nobody but the thread itself uses its cache: no lock is needed.
//!
//! The invariant is kept by evicting, when a lock is given back, every entry that was made while it was held. Entries are
//! chained by *level*: the number of holds at the time. Since an entry made under the hold at position `i` of the order of
//! acquisition has a level above `i`, a release at position `i` clears all levels above `i`. For nested locks that is the
//! paper's list per lock; for locks given back in another order (java.util.concurrent allows it) it may evict more
//! than needed, never less. Chains are doubly linked, so that an entry that makes room for another leaves its chain.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;
use selvedge_protocol::{AccessKind, Location};

/// Entries of one cache.
const ENTRIES: usize = 256;

/// Deeper than this nothing is cached.
const MAX_LEVEL: usize = 64;

/// The end of a chain.
const NONE: u16 = u16::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry {
    location: Location,
    level: u16,
    previous: u16,
    next: u16,
}

/// One cache: for reads or for writes.
#[derive(Clone, Debug)]
struct Cache {
    entries: Box<[Option<Entry>]>,
    /// The first entry of each level's chain.
    chains: Vec<u16>,
}

impl Cache {
    fn new() -> Self {
        Self { entries: vec![None; ENTRIES].into_boxed_slice(), chains: vec![NONE] }
    }

    fn slot(location: Location) -> usize {
        (FxBuildHasher.hash_one(location) >> (64 - 8)) as usize % ENTRIES
    }

    fn contains(&self, location: Location) -> bool {
        self.entries[Self::slot(location)].is_some_and(|entry| entry.location == location)
    }

    fn insert(&mut self, location: Location, level: usize) {
        let slot = Self::slot(location);
        self.remove(slot);
        if level >= MAX_LEVEL {
            return;
        }
        if level >= self.chains.len() {
            self.chains.resize(level + 1, NONE);
        }
        let next = std::mem::replace(&mut self.chains[level], slot as u16);
        if let Some(Some(next)) = self.entries.get_mut(usize::from(next)) {
            next.previous = slot as u16;
        }
        self.entries[slot] = Some(Entry { location, level: level as u16, previous: NONE, next });
    }

    /// Takes the entry out of its slot and its chain.
    fn remove(&mut self, slot: usize) {
        let Some(entry) = self.entries[slot].take() else { return };
        match self.entries.get_mut(usize::from(entry.previous)) {
            Some(Some(previous)) => previous.next = entry.next,
            _ => self.chains[usize::from(entry.level)] = entry.next,
        }
        if let Some(Some(next)) = self.entries.get_mut(usize::from(entry.next)) {
            next.previous = entry.previous;
        }
    }

    fn evict(&mut self, location: Location) {
        if self.contains(location) {
            self.remove(Self::slot(location));
        }
    }

    fn evict_above(&mut self, level: usize) {
        for chain in self.chains.iter_mut().skip(level + 1) {
            let mut slot = std::mem::replace(chain, NONE);
            while let Some(Some(entry)) = self.entries.get(usize::from(slot)).copied() {
                self.entries[usize::from(slot)] = None;
                slot = entry.next;
            }
        }
    }
}

/// The two caches of a thread.
#[derive(Clone, Debug)]
pub struct ThreadCache {
    reads: Cache,
    writes: Cache,
}

impl Default for ThreadCache {
    fn default() -> Self {
        Self { reads: Cache::new(), writes: Cache::new() }
    }
}

impl ThreadCache {
    /// Empty caches.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the access is redundant. A write makes later reads redundant too, as it is weaker than they are.
    #[inline]
    pub fn contains(&self, location: Location, kind: AccessKind) -> bool {
        self.writes.contains(location) || (kind == AccessKind::Read && self.reads.contains(location))
    }

    /// The access was judged; `holds` is how many holds the thread has.
    pub fn insert(&mut self, location: Location, kind: AccessKind, holds: usize) {
        match kind {
            AccessKind::Read => self.reads.insert(location, holds),
            AccessKind::Write => self.writes.insert(location, holds),
        }
    }

    /// The hold at this position of the order of acquisition was given back.
    pub fn released(&mut self, position: usize) {
        self.reads.evict_above(position);
        self.writes.evict_above(position);
    }

    /// The location became shared.
    pub fn evict(&mut self, location: Location) {
        self.reads.evict(location);
        self.writes.evict(location);
    }
}

#[cfg(test)]
mod tests {
    use selvedge_protocol::ObjectId;
    use selvedge_testkit::Rng;

    use super::*;

    fn location(number: usize) -> Location {
        Location::Element { object: ObjectId(1), index: number as u32 }
    }

    /// Against a list of what was inserted and not evicted: the cache never says more.
    #[test]
    fn nothing_is_found_that_was_evicted() {
        let mut rng = Rng::new(11);
        let mut hits = 0;
        for _ in 0..50 {
            let mut cache = ThreadCache::new();
            let mut known: Vec<(Location, AccessKind, usize)> = Vec::new();
            let mut holds = 0;
            for _ in 0..2000 {
                let at = location(rng.below(400));
                let kind = if rng.one_in(2) { AccessKind::Read } else { AccessKind::Write };
                match rng.below(10) {
                    0 if holds < 5 => holds += 1,
                    1 if holds > 0 => {
                        let position = rng.below(holds);
                        cache.released(position);
                        known.retain(|(_, _, level)| *level <= position);
                        holds -= 1;
                    }
                    2 => {
                        cache.evict(at);
                        known.retain(|(location, _, _)| *location != at);
                    }
                    _ => {
                        if cache.contains(at, kind) {
                            hits += 1;
                            let weaker = |own: AccessKind| own == kind || own == AccessKind::Write;
                            assert!(known.iter().any(|(location, own, _)| *location == at && weaker(*own)));
                        } else {
                            cache.insert(at, kind, holds);
                            known.push((at, kind, holds));
                        }
                    }
                }
            }
        }
        assert!(hits > 1000, "only {hits} hits");
    }

    #[test]
    fn what_was_inserted_is_found() {
        let mut cache = ThreadCache::new();
        cache.insert(location(1), AccessKind::Read, 0);
        cache.insert(location(2), AccessKind::Write, 1);
        assert!(cache.contains(location(1), AccessKind::Read));
        assert!(!cache.contains(location(1), AccessKind::Write));
        assert!(cache.contains(location(2), AccessKind::Read));
        cache.released(0);
        assert!(cache.contains(location(1), AccessKind::Read));
        assert!(!cache.contains(location(2), AccessKind::Write));
    }

    #[test]
    fn the_deepest_nesting_is_not_cached() {
        let mut cache = ThreadCache::new();
        cache.insert(location(1), AccessKind::Read, MAX_LEVEL + 3);
        assert!(!cache.contains(location(1), AccessKind::Read));
    }
}
