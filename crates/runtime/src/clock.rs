//! Vector clocks: for each chain of threads, how much of it came before.
//!
//! A *chain* is a sequence of threads each of which starts after the end of the one before; see
//! [`happens_before`](crate::happens_before). Programs with few threads at a time have few chains. Low chains lie in a dense vector,
//! the others in a sparse one: of ten thousand threads that are started and know nothing of each other, each knows two.
//!
//! Where threads come and go without being joined, each starts with all that its parent knows of those before. So the bulk of the
//! sparse part is shared between clocks and never changed, and each clock has a short list of what it knows beyond that: clocks
//! with the same bulk are joined by their short lists.

use std::sync::Arc;

/// A number of a chain.
pub type Chain = u32;

/// A count of steps of one chain. It stops at its largest value: from then on steps of that chain look ordered.
pub type Time = u32;

/// Chains below this are in the dense part.
const DENSE: Chain = 64;

/// So much is known beyond the bulk before there is a new one.
const MAX_BEYOND: usize = 64;

/// Times of chains, sorted by chain.
type Times = [(Chain, Time)];

/// For each chain a time; 0 for those that nothing is known of.
#[derive(Clone, Debug, Default)]
pub struct VectorClock {
    dense: Vec<Time>,
    /// What is known of high chains, shared with other clocks.
    bulk: Option<Arc<Times>>,
    /// What is known beyond that, sorted by chain: each time is later than the bulk's.
    beyond: Vec<(Chain, Time)>,
}

fn time_of(times: &Times, chain: Chain) -> Time {
    let position = times.binary_search_by_key(&chain, |(own, _)| *own);
    position.map_or(0, |position| times[position].1)
}

/// Whether everything in `few` is known by `many`, too.
fn is_within(few: &Times, many: &Times) -> bool {
    let mut rest = many.iter();
    few.len() <= many.len()
        && few.iter().all(|(chain, time)| {
            rest.find(|(other, _)| other >= chain)
                .is_some_and(|(other, known)| other == chain && known >= time)
        })
}

/// What either knows.
fn merged(one: &Times, other: &Times) -> Vec<(Chain, Time)> {
    let mut merged = Vec::with_capacity(one.len().max(other.len()));
    let (mut own, mut their) = (one.iter().peekable(), other.iter().peekable());
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
    merged
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
        match time_of(&self.beyond, chain) {
            0 => time_of(self.bulk(), chain),
            time => time,
        }
    }

    fn bulk(&self) -> &Times {
        self.bulk.as_deref().unwrap_or_default()
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
        match self.beyond.binary_search_by_key(&chain, |(own, _)| *own) {
            Ok(position) => {
                let own = &mut self.beyond[position].1;
                *own = time.max(*own);
            }
            Err(position) => {
                if time > time_of(self.bulk(), chain) {
                    self.beyond.insert(position, (chain, time));
                }
            }
        }
        self.bound();
    }

    /// Sets the times of the first chains, of all but one, where they are later than what is known; none is negative.
    pub fn raise_first(&mut self, times: &[i32], except: Chain) {
        let known = times.iter().rposition(|&time| time > 0).map_or(0, |last| last + 1);
        let (dense, beyond) = times[..known].split_at(known.min(DENSE as usize));
        if self.dense.len() < dense.len() {
            self.dense.resize(dense.len(), 0);
        }
        let kept = self.dense.get(except as usize).copied();
        for (own, &time) in self.dense.iter_mut().zip(dense) {
            *own = (*own).max(time as Time);
        }
        if let (Some(own), Some(kept)) = (self.dense.get_mut(except as usize), kept) {
            *own = kept;
        }
        for (chain, &time) in (DENSE..).zip(beyond).filter(|(chain, time)| *chain != except && **time > 0) {
            self.raise(chain, time as Time);
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
        self.join_bulk(other);
        if is_within(&other.beyond, &self.beyond) {
            return;
        }
        match (&self.bulk, &other.bulk) {
            (Some(own), Some(theirs)) if Arc::ptr_eq(own, theirs) => {
                self.beyond = merged(&self.beyond, &other.beyond);
                self.bound();
            }
            _ => other.beyond.iter().for_each(|&(chain, time)| self.raise(chain, time)),
        }
    }

    /// Makes a new bulk if too much is known beyond it.
    fn bound(&mut self) {
        if self.beyond.len() > MAX_BEYOND {
            self.bulk = Some(merged(self.bulk(), &self.beyond).into());
            self.beyond.clear();
        }
    }

    /// Learns what is in the other's bulk.
    fn join_bulk(&mut self, other: &Self) {
        let Some(theirs) = &other.bulk else { return };
        if self.bulk.as_ref().is_some_and(|own| Arc::ptr_eq(own, theirs)) || is_within(theirs, self.bulk()) {
            return;
        }
        let next = match is_within(self.bulk(), theirs) {
            true => theirs.clone(),
            false => merged(self.bulk(), theirs).into(),
        };
        self.beyond.retain(|(chain, time)| *time > time_of(&next, *chain));
        self.bulk = Some(next);
    }

    /// How much memory it takes, in words of four bytes.
    pub fn words(&self) -> u64 {
        self.dense.len() as u64 + 2 * (self.bulk().len() + self.beyond.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use selvedge_testkit::Rng;

    use super::*;

    /// Clocks that learn from each other in any order know what maps of the same know, whatever they share.
    #[test]
    fn joins_are_maxima() {
        for (seed, chains) in [(5, 70), (6, 500), (7, 3000)] {
            let mut rng = Rng::new(seed);
            let mut clocks = vec![(VectorClock::new(), BTreeMap::<Chain, Time>::new()); 6];
            let mut shared = 0;
            for _ in 0..3000 {
                let at = rng.below(clocks.len());
                match rng.below(9) {
                    8 => {
                        let times: Vec<i32> = (0..rng.below(80)).map(|_| rng.below(9) as i32).collect();
                        let except = rng.below(90) as Chain;
                        let (own, known) = &mut clocks[at];
                        own.raise_first(&times, except);
                        for (chain, &time) in (0..).zip(&times).filter(|(chain, _)| *chain != except) {
                            let known = known.entry(chain).or_default();
                            *known = (time as Time).max(*known);
                        }
                    }
                    0 => clocks[at] = clocks[rng.below(clocks.len())].clone(),
                    1 | 2 => {
                        let (other, map) = clocks[rng.below(clocks.len())].clone();
                        let (own, known) = &mut clocks[at];
                        own.join(&other);
                        shared += usize::from(own.bulk.is_some() && own.bulk == other.bulk);
                        for (chain, time) in map {
                            let known = known.entry(chain).or_default();
                            *known = time.max(*known);
                        }
                    }
                    _ => {
                        let (chain, time) = (rng.below(chains) as Chain, rng.below(9) as Time);
                        let (own, known) = &mut clocks[at];
                        own.raise(chain, time);
                        let known = known.entry(chain).or_default();
                        *known = time.max(*known);
                    }
                }
                let (own, known) = &clocks[at];
                let chain = rng.below(chains) as Chain;
                assert_eq!(own.get(chain), known.get(&chain).copied().unwrap_or(0));
            }
            for (own, known) in &clocks {
                for chain in 0..chains as Chain {
                    assert_eq!(own.get(chain), known.get(&chain).copied().unwrap_or(0));
                }
            }
            assert!(chains < 200 || shared > 50, "{shared} joins end with a common bulk");
        }
    }
}
