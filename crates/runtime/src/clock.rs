//! Vector clocks: for each chain of threads, how much of it came before.
//!
//! A *chain* is a sequence of threads each of which starts after the end of the one before; see
//! [`happens_before`](crate::happens_before). Programs with few threads at a time have few chains. Low chains lie in a dense vector,
//! the others in a sparse one: of ten thousand threads that are started and know nothing of each other, each knows two.

/// A number of a chain.
pub type Chain = u32;

/// A count of steps of one chain. It stops at its largest value: from then on steps of that chain look ordered.
pub type Time = u32;

/// Chains below this are in the dense part.
const DENSE: Chain = 64;

/// For each chain a time; 0 for those that nothing is known of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VectorClock {
    dense: Vec<Time>,
    /// Sorted by chain.
    sparse: Vec<(Chain, Time)>,
}

impl VectorClock {
    /// Nothing came before.
    pub fn new() -> Self {
        Self::default()
    }

    /// How much of the chain came before.
    #[inline]
    pub fn get(&self, chain: Chain) -> Time {
        if chain < DENSE {
            return self.dense.get(chain as usize).copied().unwrap_or(0);
        }
        let position = self.sparse.binary_search_by_key(&chain, |(own, _)| *own);
        position.map_or(0, |position| self.sparse[position].1)
    }

    /// Sets the time of a chain, if it is later than what is known.
    pub fn raise(&mut self, chain: Chain, time: Time) {
        if chain < DENSE {
            if self.dense.len() <= chain as usize {
                self.dense.resize(chain as usize + 1, 0);
            }
            let own = &mut self.dense[chain as usize];
            *own = time.max(*own);
            return;
        }
        match self.sparse.binary_search_by_key(&chain, |(own, _)| *own) {
            Ok(position) => {
                let own = &mut self.sparse[position].1;
                *own = time.max(*own);
            }
            Err(position) => self.sparse.insert(position, (chain, time)),
        }
    }

    /// What came before either.
    pub fn join(&mut self, other: &Self) {
        if self.dense.len() < other.dense.len() {
            self.dense.resize(other.dense.len(), 0);
        }
        for (own, other) in self.dense.iter_mut().zip(&other.dense) {
            *own = (*own).max(*other);
        }
        if other.sparse.is_empty() {
            return;
        }
        if self.sparse.is_empty() {
            self.sparse.clone_from(&other.sparse);
            return;
        }
        let mut merged = Vec::with_capacity(self.sparse.len().max(other.sparse.len()));
        let (mut own, mut their) = (self.sparse.iter().peekable(), other.sparse.iter().peekable());
        loop {
            let next = match (own.peek(), their.peek()) {
                (None, None) => break,
                (Some(_), None) => own.next().copied(),
                (None, Some(_)) => their.next().copied(),
                (Some(a), Some(b)) if a.0 < b.0 => own.next().copied(),
                (Some(a), Some(b)) if a.0 > b.0 => their.next().copied(),
                (Some(a), Some(b)) => {
                    let both = (a.0, a.1.max(b.1));
                    own.next();
                    their.next();
                    Some(both)
                }
            };
            merged.extend(next);
        }
        self.sparse = merged;
    }

    /// How much memory it takes, in words of four bytes.
    pub fn words(&self) -> u64 {
        self.dense.len() as u64 + 2 * self.sparse.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use selvedge_testkit::Rng;

    use super::*;

    #[test]
    fn joins_are_maxima() {
        let mut rng = Rng::new(5);
        for _ in 0..300 {
            let make = |rng: &mut Rng| {
                let (mut clock, mut map) = (VectorClock::new(), BTreeMap::new());
                for _ in 0..rng.below(8) {
                    let chain = [0, 3, 63, 64, 65, 900, 70][rng.below(7)];
                    let time = rng.below(9) as u32;
                    clock.raise(chain, time);
                    let own: &mut u32 = map.entry(chain).or_default();
                    *own = time.max(*own);
                }
                (clock, map)
            };
            let ((mut clock, mut map), (other, their)) = (make(&mut rng), make(&mut rng));
            clock.join(&other);
            for (chain, time) in their {
                let own = map.entry(chain).or_default();
                *own = time.max(*own);
            }
            for chain in 0..1000 {
                assert_eq!(clock.get(chain), map.get(&chain).copied().unwrap_or(0));
            }
        }
    }
}
