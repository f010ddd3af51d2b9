//! Sets of pairs of what may happen to objects: there are millions of pairs of few words.

use std::collections::BTreeMap;

use selvedge_base::{BitSet, FastMap, Id, IdVec};

use super::choosing::{Met, Word, WordId};
use super::meetings::{Meetings, WaysId};

/// The words of a cause, numbered.
#[derive(Default)]
pub(super) struct Words {
    ids: FastMap<Word, WordId>,
    pub(super) words: IdVec<WordId, Word>,
}

impl Words {
    pub(super) fn id(&mut self, word: Word) -> WordId {
        *self.ids.entry(word).or_insert_with(|| self.words.push(word))
    }
}

/// Pairs of words, in no order. The methods of a class meet in every object of it: so pairs are kept by sets.
#[derive(Default)]
pub(super) struct WordPairs {
    /// With what each stands; a pair may stand with either of its two.
    with: IdVec<WordId, BitSet<WordId>>,
}

impl WordPairs {
    fn with(&mut self, word: WordId) -> &mut BitSet<WordId> {
        while self.with.len() <= word.index() {
            self.with.push(BitSet::new());
        }
        &mut self.with[word]
    }

    pub(super) fn insert(&mut self, a: WordId, b: WordId) {
        self.with(a.min(b)).insert(a.max(b));
    }

    pub(super) fn contains(&self, a: WordId, b: WordId) -> bool {
        let has = |a: WordId, b: WordId| self.with.get(a).is_some_and(|with| with.contains(b));
        has(a, b) || has(b, a)
    }

    /// Adds what may happen at the same time in one object.
    pub(super) fn add(&mut self, meetings: &Meetings, met: &Met) {
        if let Some(pairs) = &met.owned {
            for &(a, b, _) in pairs {
                self.insert(met.ids[a], met.ids[b]);
            }
            return;
        }
        let mut by_ways: BTreeMap<WaysId, BitSet<WordId>> = BTreeMap::new();
        for (happening, &id) in met.happenings.iter().zip(&met.ids) {
            by_ways.entry(meetings.deeds[happening.first].ways).or_default().insert(id);
        }
        for (&ways, words) in &by_ways {
            let mut others = BitSet::new();
            for (_, also) in by_ways.range(ways..).filter(|&(&other, _)| meetings.ways_overlap(ways, other)) {
                others.union_with(also);
            }
            for word in words.iter() {
                self.with(word).union_with(&others);
            }
        }
    }

    /// How many pairs there are of which something holds.
    pub(super) fn count(&self, holds: impl Fn(WordId, WordId) -> bool) -> usize {
        let pairs = self.with.iter_ids().flat_map(|(a, with)| with.iter().map(move |b| (a, b)));
        let once = pairs.filter(|&(a, b)| a <= b || !self.with.get(b).is_some_and(|with| with.contains(a)));
        once.filter(|&(a, b)| holds(a, b)).count()
    }
}
