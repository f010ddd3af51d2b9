//! Which accesses may take part in a race that a run shows.
//!
//! An access survives if it is in a pair that no proof refutes (see [`pairs::not_proved_safe`]), or if it may touch an
//! object that an access of such a pair may touch, at the same kind of place. So a location is watched whole or not at all: who
//! touched it first, which ownership rests on, is the same as if everything were watched, and a race that is reported has
//! both its sides.

use selvedge_base::{FastMap, FastSet, HybridSet};
use selvedge_detect::{Facts, pairs};
use selvedge_facts::{AccessId, Place};
use selvedge_pta::heap::ObjectId;

/// The accesses that may take part in a race.
pub struct Survivors {
    kept: FastSet<AccessId>,
}

impl Survivors {
    /// Finds them.
    pub fn new(facts: &Facts<'_, '_>) -> Self {
        let unproved = pairs::not_proved_safe(facts, &pairs::Options::default());
        let racy: FastSet<AccessId> = unproved.into_iter().flatten().collect();
        let mut objects: FastMap<Place, HybridSet<ObjectId>> = FastMap::default();
        for &access in &racy {
            let touched = objects.entry(facts.accesses.all[access].place).or_default();
            for_each_touched(facts, access, |object| {
                touched.insert(object);
                false
            });
        }
        let mut kept = racy;
        for (access, data) in facts.accesses.all.iter_ids() {
            let Some(touched) = objects.get(&data.place) else { continue };
            if data.base.is_none() || for_each_touched(facts, access, |object| touched.contains(object)) {
                kept.insert(access);
            }
        }
        Self { kept }
    }

    /// Whether the access may take part in a race, or is to a location that has one.
    pub fn contains(&self, access: AccessId) -> bool {
        self.kept.contains(&access)
    }
}

/// Asks `stop` about the objects that the access may touch until it says so; whether it did.
fn for_each_touched(facts: &Facts<'_, '_>, access: AccessId, mut stop: impl FnMut(ObjectId) -> bool) -> bool {
    let instances = facts.view.analysis.instances_of(facts.accesses.all[access].method);
    instances
        .iter()
        .any(|&instance| facts.accesses.may_touch(facts.view, access, instance).iter().any(&mut stop))
}
