//! Cached answers that do not depend on the order of the queries.
//!
//! Questions are asked by many threads at once and in any order, and some lead back to themselves. An answer that was worked
//! out while another was taken for granted may be wrong for the next who asks. So the tables here are for questions whose
//! answer is a function of the question alone:
//!
//! - [`ReachesOrCircles`]: whether steps lead from a key to a bad one, or round in a circle. That is a property of the graph of steps.
//! - [`Reaches`]: the same, but a circle alone is not bad.
//! - [`Bounded`]: for what something can be shown with proofs of a given depth at most. Each proof rests on shallower ones, so no question
//!   leads back to itself, and what can be shown within a depth can be shown within any greater one.

use std::hash::Hash;
use std::sync::{PoisonError, RwLock};

use selvedge_base::{FastMap, FastSet};

/// A table that many threads read and add to.
pub(crate) struct Table<K, V>(RwLock<FastMap<K, V>>);

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<K: Hash + Eq, V: Clone> Table<K, V> {
    pub(crate) fn get(&self, key: &K) -> Option<V> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// What is asked of the value of a key, if there is one.
    fn with<T>(&self, key: &K, ask: impl FnOnce(&V) -> T) -> Option<T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(key).map(ask)
    }

    pub(crate) fn insert(&self, key: K, value: V) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(key, value);
    }

    /// The value of a key, which is made if there is none. Two threads that ask at once may both make it; both get
    /// the one that is kept.
    pub(crate) fn get_or_insert(&self, key: K, make: impl FnOnce() -> V) -> V {
        self.get(&key).unwrap_or_else(|| {
            let made = make();
            let mut table = self.0.write().unwrap_or_else(PoisonError::into_inner);
            table.entry(key).or_insert(made).clone()
        })
    }

    fn extend(&self, entries: impl Iterator<Item = (K, V)>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).extend(entries);
    }

    fn update(&self, key: K, change: impl FnOnce(&mut V))
    where
        V: Default,
    {
        change(self.0.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
    }
}

/// Where a key leads.
pub(crate) enum Step<K> {
    /// It is bad itself.
    Bad,
    /// To these keys, and it is bad if one of them is.
    To(Vec<K>),
}

/// Whether steps lead from each key to a bad one or into a circle, as far as was asked.
pub(crate) struct ReachesOrCircles<K>(Table<K, bool>);

impl<K> Default for ReachesOrCircles<K> {
    fn default() -> Self {
        Self(Table::default())
    }
}

impl<K: Copy + Hash + Eq> ReachesOrCircles<K> {
    /// Whether the steps from a key lead to a bad one or into a circle. The steps from a key must always be the same.
    pub(crate) fn lead_to_bad(&self, key: K, steps: impl Fn(K) -> Step<K>) -> bool {
        if let Some(known) = self.0.get(&key) {
            return known;
        }
        // The way from the key to where the search is, with what is still to be looked at from each.
        let mut way: Vec<(K, Vec<K>)> = Vec::new();
        let mut on_way: FastSet<K> = FastSet::default();
        let mut next = Some(key);
        loop {
            if let Some(entered) = next.take() {
                let is_circle = !on_way.insert(entered);
                match steps(entered) {
                    Step::To(keys) if !is_circle => way.push((entered, keys)),
                    _ => {
                        // From all that are on the way one comes here.
                        self.0.extend(
                            way.iter().map(|(on_way, _)| *on_way).chain([entered]).map(|key| (key, true)),
                        );
                        return true;
                    }
                }
            }
            let Some((here, pending)) = way.last_mut() else { return false };
            let here = *here;
            match pending.pop() {
                Some(key) => match self.0.get(&key) {
                    Some(false) => {}
                    Some(true) => {
                        self.0.extend(way.iter().map(|(on_way, _)| (*on_way, true)));
                        return true;
                    }
                    None => next = Some(key),
                },
                None => {
                    way.pop();
                    on_way.remove(&here);
                    self.0.insert(here, false);
                }
            }
        }
    }
}

/// Whether steps lead from each key to a bad one, as far as was asked.
pub(crate) struct Reaches<K>(Table<K, bool>);

impl<K> Default for Reaches<K> {
    fn default() -> Self {
        Self(Table::default())
    }
}

impl<K: Copy + Hash + Eq> Reaches<K> {
    /// Whether the steps from a key lead to a bad one. The steps from a key must always be the same.
    pub(crate) fn reach_bad(&self, key: K, steps: impl Fn(K) -> Step<K>) -> bool {
        if let Some(known) = self.0.get(&key) {
            return known;
        }
        let mut seen: FastSet<K> = FastSet::from_iter([key]);
        // The way from the key to where the search is, with what is still to be looked at from each.
        let mut way: Vec<(K, Vec<K>)> = Vec::new();
        let mut next = Some(key);
        loop {
            if let Some(entered) = next.take() {
                match steps(entered) {
                    Step::To(keys) => way.push((entered, keys)),
                    Step::Bad => {
                        self.0
                            .extend(way.iter().map(|(key, _)| *key).chain([entered]).map(|key| (key, true)));
                        return true;
                    }
                }
            }
            let Some((_, pending)) = way.last_mut() else { break };
            match pending.pop() {
                Some(key) => match self.0.get(&key) {
                    Some(false) => {}
                    Some(true) => {
                        self.0.extend(way.iter().map(|(key, _)| (*key, true)));
                        return true;
                    }
                    None if seen.insert(key) => next = Some(key),
                    None => {}
                },
                None => {
                    way.pop();
                }
            }
        }
        self.0.extend(seen.into_iter().map(|key| (key, false)));
        false
    }
}

/// For what each key can be shown within each depth, as far as was asked.
pub(crate) struct Bounded<K, V>(Table<K, Vec<(usize, V)>>);

impl<K, V> Default for Bounded<K, V> {
    fn default() -> Self {
        Self(Table::default())
    }
}

impl<K: Copy + Hash + Eq, V: Clone + PartialEq> Bounded<K, V> {
    /// For what a key can be shown within a depth; `show` finds out, and may only ask for what can be shown within lesser depths. What is
    /// shown grows with the depth, from nothing to everything.
    pub(crate) fn shown(
        &self,
        key: K,
        depth: usize,
        (nothing, everything): (&V, &V),
        show: impl FnOnce() -> V,
    ) -> V {
        let known = self.0.with(&key, |known| {
            let of = |(at, shown): &(usize, V)| {
                *at == depth || *at < depth && shown == everything || *at > depth && shown == nothing
            };
            known.iter().find(|it| of(it)).map(|(_, shown)| shown.clone())
        });
        if let Some(known) = known.flatten() {
            return known;
        }
        let shown = show();
        self.0.update(key, |known| known.push((depth, shown.clone())));
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 → 1 → 2 → 1, 3 → 4, 5 → 6 (bad), 7 → 4 and 5.
    fn step(key: u32) -> Step<u32> {
        match key {
            0 => Step::To(vec![1]),
            1 => Step::To(vec![2]),
            2 => Step::To(vec![1]),
            3 => Step::To(vec![4]),
            5 => Step::To(vec![6]),
            6 => Step::Bad,
            7 => Step::To(vec![4, 5]),
            _ => Step::To(vec![]),
        }
    }

    #[test]
    fn ways_do_not_depend_on_who_asks_first() {
        let bad = [true, true, true, false, false, true, true, true];
        for first in 0..8 {
            let ways = ReachesOrCircles::default();
            ways.lead_to_bad(first, step);
            for (key, &bad) in (0..).zip(&bad) {
                assert_eq!(ways.lead_to_bad(key, step), bad, "of {key} after {first}");
            }
        }
    }

    #[test]
    fn circles_are_no_reason_to_reach_a_bad_one() {
        let bad = [false, false, false, false, false, true, true, true];
        for first in 0..8 {
            let reaches = Reaches::default();
            reaches.reach_bad(first, step);
            for (key, &bad) in (0..).zip(&bad) {
                assert_eq!(reaches.reach_bad(key, step), bad, "of {key} after {first}");
            }
        }
    }

    #[test]
    fn bounds_keep_the_least_depth() {
        let bounded: Bounded<u32, bool> = Bounded::default();
        let within = |depth: usize, show: &dyn Fn() -> bool| bounded.shown(0, depth, (&false, &true), show);
        let unknown = || unreachable!("known");
        assert!(!within(2, &|| false));
        assert!(within(5, &|| true));
        assert!(!within(1, &unknown));
        assert!(within(6, &unknown));
        assert!(within(3, &|| true));
        assert!(within(4, &unknown));
    }
}
