//! Which accesses may take part in a race that a run shows.
//!
//! An access survives if it may touch a location with a pair of accesses that no proof refutes (an [`Unproved`]). So a location that may race is watched whole: who touched it first, which ownership rests on, is the
//! same as if everything were watched, and a race that is reported has both its sides.
//!
//! An access that survives for the sake of one object also reports what it does to others, of which other accesses may be left
//! out. All pairs of accesses to those are proved safe, so happens-before reports nothing on them; and locksets nothing that they would not
//! report if everything were watched: with fewer accesses to a location its first thread owns it no shorter, and fewer
//! accesses come after that.

use selvedge_base::{FastMap, FastSet, HybridSet};
use selvedge_facts::{AccessId, Facts, Place, Unproved};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

/// The accesses that may take part in a race.
pub struct Survivors {
    kept: FastSet<AccessId>,
    /// The objects of each place that are not proved safe; none for static fields.
    objects: FastMap<Place, HybridSet<ObjectId>>,
}

impl Survivors {
    /// Finds them, given what is not proved safe.
    pub fn new(facts: &Facts<'_, '_>, unproved: &[Unproved]) -> Self {
        let mut objects: FastMap<Place, HybridSet<ObjectId>> = FastMap::default();
        for unproved in unproved {
            let known = objects.entry(unproved.place).or_default();
            unproved.objects.iter().for_each(|&object| {
                known.insert(object);
            });
        }
        let mut survivors = Self { kept: FastSet::default(), objects };
        let survives = |(access, data): &(AccessId, &selvedge_facts::Access)| {
            let instances = facts.view.analysis.instances_of(data.method);
            survivors.objects.contains_key(&data.place)
                && (data.base.is_none()
                    || instances.iter().any(|&instance| survivors.may_race_in(facts, *access, instance)))
        };
        let kept = facts.accesses.all.iter_ids().filter(survives).map(|(access, _)| access).collect();
        survivors.kept = kept;
        survivors
    }

    /// Whether the access may take part in a race, or is to a location that has one, when an instance of its method makes it.
    pub fn may_race_in(&self, facts: &Facts<'_, '_>, access: AccessId, instance: InstanceId) -> bool {
        let data = &facts.accesses.all[access];
        let Some(unproved) = self.objects.get(&data.place) else { return false };
        data.base.is_none() || facts.accesses.may_touch(facts.view, access, instance).intersects(unproved)
    }

    /// Whether there is an object whose location at this place is not proved safe.
    pub fn has_racy_objects(&self, place: Place) -> bool {
        self.objects.contains_key(&place)
    }

    /// Whether the access may take part in a race, or is to a location that has one.
    pub fn contains(&self, access: AccessId) -> bool {
        self.kept.contains(&access)
    }
}
