//! Which locations a run has to watch: those with a pair of accesses that no proof refutes.
//!
//! **Theorem.** Two accesses to the same location that a run leaves unordered, one of them a write, are to an object, or a static
//! field, of an [`Unproved`] of the location's place, given the assumptions of the points-to analysis. For the objects
//! of a group are taken by who touches them, and such a set of objects is passed over only after every pair of its accesses, in every
//! two instances and threads, was refuted by a proof.
//!
//! That is asked for locations and not for pairs, since a location is watched whole or not at all: after the first pair that is not
//! refuted nothing more is asked about the objects; where all who touch them are watched already, for the sake of other
//! objects, nothing is asked at all; and what [`Limits`](super::Limits) leave unasked is watched. Large sets of accesses come first,
//! so that the parts of those that are watched need no look, unless [`Options::every_object`](super::Options::every_object) asks which
//! objects these are: with what is left of the limits, so that nothing else is watched for it.

use std::cmp::Reverse;

use selvedge_base::FastSet;
use selvedge_facts::{AccessId, Place, Unproved, Why};
use selvedge_pta::heap::ObjectId;

use super::{Judge, Pair, PairResult, TOO_MANY, Touch, conflicting, sites_of};

impl Judge<'_, '_, '_> {
    /// The locations of the group that are not proved safe.
    pub fn unproved(mut self) -> Vec<Unproved> {
        let mut classes = match self.group.place {
            Place::Static(_) => vec![(self.all_entries(), Vec::new())],
            _ => self.objects_by_touch(),
        };
        classes.sort_by_key(|(touch, _)| Reverse(touch.len()));
        let mut watched: FastSet<AccessId> = FastSet::default();
        let (mut found, mut left) = (Vec::new(), Vec::new());
        for (touch, objects) in classes {
            if objects.first().is_some_and(|&object| !self.may_be_shared(object)) {
                continue;
            }
            let accesses: Vec<AccessId> =
                touch.iter().map(|(entry, _)| self.group.entries[*entry as usize].access).collect();
            if accesses.iter().all(|access| watched.contains(access)) {
                left.push((touch, objects));
            } else if let Some(why) = self.first_unproved(&touch, &objects) {
                watched.extend(accesses);
                found.push(Unproved { place: self.group.place, objects, why });
            }
        }
        for (touch, objects) in left {
            let why = match self.options.every_object {
                true => self.first_unproved(&touch, &objects),
                false => Some(Why::Watched),
            };
            found.extend(why.map(|why| Unproved { place: self.group.place, objects, why }));
        }
        found
    }

    /// Looks for a pair of accesses to the objects that is not proved safe.
    fn first_unproved(&mut self, touch: &Touch, objects: &[ObjectId]) -> Option<Why> {
        let objects: Vec<Option<ObjectId>> = match objects {
            [] => vec![None],
            objects => objects.iter().copied().map(Some).collect(),
        };
        let sites = sites_of(self.group, touch);
        for (first, second) in conflicting(&sites) {
            if self.looks >= self.options.limits.looks {
                return Some(Why::ManyPairs);
            }
            self.looks += 1;
            self.pairs.clear();
            let accesses = [first.access, second.access];
            let pair = Pair { accesses, entries: [&first.entries, &second.entries], objects: &objects };
            let mut ways = 0;
            if self.try_ways(&pair, &mut ways) {
                let is_tried = ways != TOO_MANY;
                let racy = self.pairs.remove(&accesses).map(|state| state.verdict);
                return Some(match racy {
                    Some(PairResult::Racy(candidate)) if is_tried => Why::Candidate(candidate),
                    _ => Why::ManyWays(accesses),
                });
            }
        }
        None
    }
}
