//! Which object races are told, and which of them are one finding.
//!
//! A race is worth telling if its two sides [harm](super::state) each other. What one lock would mend is one finding: all objects of a class of
//! the application, or all that the same fields hold, or else that are made at the same place; and of these, those that belong to owners of the same class.
//!
//! The methods of a class meet in about as many pairs as the square of them, in every object of the class. So of each cause the first
//! [`MOST_TOLD`] pairs that harm each other are told, then up to [`MOST_NAMING`] that name a method or a use for the first time. The
//! rest is counted. Whether an object is racy at all is found out for each.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use selvedge_base::{FastMap, FastSet};
use selvedge_facts::{AccessId, Candidate, ThreadId};
use selvedge_pta::heap::{ObjectId, SiteId, TypeId};
use selvedge_world::{FieldId, MethodId};

use super::events::{Event, What};
use super::races::{ObjectRaces, Race};
use super::report::Options;
use super::state::{States, parallel};
use crate::Facts;
use crate::refuters::Judging;

/// So many pairs of a cause are told, and beyond them only what has not been named.
const MOST_TOLD: usize = 20;

/// So many are told at all.
const MOST_NAMING: usize = 60;

/// What one lock would mend.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Cause {
    /// The class of the objects.
    class: TypeId,
    /// What else they have in common.
    kin: Kin,
    /// The class of the nearest owner of the application.
    owner: Option<TypeId>,
}

/// What objects of one cause have in common, beside the class.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Kin {
    /// Nothing: it is a class of the application.
    Class,
    /// The fields that hold them.
    Held(Vec<FieldId>),
    /// Where they are made.
    Made(SiteId),
}

/// What happens to an object, whatever the context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Word {
    Method(MethodId),
    Use(AccessId),
}

/// A race that is worth telling.
pub struct Told {
    /// The race.
    pub race: Race,
    /// Its number.
    pub number: usize,
    /// What the two do to each other; `None` if nothing, and all races are asked for.
    pub conflict: Option<Candidate>,
    /// The threads in which they do.
    pub threads: (ThreadId, ThreadId),
}

/// The races of one cause that are worth telling, one for each pair of methods.
pub struct Chosen {
    /// The races, in the order in which they were found.
    pub told: Vec<Told>,
    /// How many further pairs of methods and uses may meet.
    pub untold: usize,
    /// The objects in which two sides harm each other.
    pub racy: BTreeSet<ObjectId>,
}

/// The races that are worth telling, by cause.
pub fn choose(
    facts: &Facts<'_, '_>,
    races: &ObjectRaces,
    options: &Options,
    judging: Judging<'_>,
) -> Vec<Chosen> {
    let mut by_object: BTreeMap<ObjectId, Vec<usize>> = BTreeMap::new();
    for (number, race) in races.races.iter().enumerate() {
        if facts.escape.may_be_shared(race.object) {
            by_object.entry(race.object).or_default().push(number);
        }
    }
    let objects: FastSet<ObjectId> = by_object.keys().copied().collect();
    let holders = facts.view.analysis.holders_of(&objects);
    let mut by_cause: BTreeMap<Cause, Vec<(ObjectId, Vec<usize>)>> = BTreeMap::new();
    for (object, numbers) in by_object {
        let held_by = holders.get(&object).map_or(&[][..], Vec::as_slice);
        by_cause.entry(cause(facts, object, held_by)).or_default().push((object, numbers));
    }
    let by_cause: Vec<Vec<(ObjectId, Vec<usize>)>> = by_cause.into_values().collect();
    let choosing = Choosing { facts, races, options, judging };
    by_cause.into_par_iter().with_max_len(1).map(|objects| choosing.choose_of_cause(&objects)).collect()
}

fn cause(facts: &Facts<'_, '_>, object: ObjectId, held_by: &[FieldId]) -> Cause {
    let heap = &facts.view.analysis.heap;
    let is_own = |object: &ObjectId| {
        let class = heap.types.class(heap.get(*object).ty);
        class.is_some_and(|class| facts.view.is_application_class(class))
    };
    let data = heap.get(object);
    let kin = match held_by {
        _ if is_own(&object) => Kin::Class,
        [] => Kin::Made(data.site),
        fields => Kin::Held(fields.to_vec()),
    };
    let owner = facts.ownership().owners(object).find(is_own);
    Cause { class: data.ty, kin, owner: owner.map(|owner| heap.get(owner).ty) }
}

struct Choosing<'c, 'g, 'a> {
    facts: &'c Facts<'g, 'a>,
    races: &'c ObjectRaces,
    options: &'c Options,
    judging: Judging<'c>,
}

impl Choosing<'_, '_, '_> {
    fn choose_of_cause(&self, objects: &[(ObjectId, Vec<usize>)]) -> Chosen {
        let (facts, races) = (self.facts, self.races);
        let mut states = States::new(facts, races, self.judging);
        let mut known: FastMap<(Word, Word), usize> = FastMap::default();
        let mut named: FastSet<Word> = FastSet::default();
        let mut untold: FastSet<(Word, Word)> = FastSet::default();
        let mut conflicts = 0;
        let mut chosen = Chosen { told: Vec::new(), untold: 0, racy: BTreeSet::new() };
        for (object, numbers) in objects {
            let mut is_racy = false;
            for &number in numbers {
                let race = races.races[number];
                let [a, b] = race.events.map(|event| &races.events[event]);
                let (Some(x), Some(y)) = (self.word(a), self.word(b)) else { continue };
                let key = (x.min(y), x.max(y));
                let before = known.get(&key).copied();
                let is_told = before.is_some_and(|at| chosen.told[at].conflict.is_some());
                let is_named = named.contains(&x) && named.contains(&y);
                let is_enough = conflicts >= MOST_NAMING || conflicts >= MOST_TOLD && is_named;
                if !is_told && is_enough {
                    untold.insert(key);
                }
                if is_racy && (is_told || is_enough) {
                    continue;
                }
                let Some(threads) = parallel(facts, &a.late, &b.late).next() else { continue };
                let conflict = states.conflict(*object, a, b);
                is_racy |= conflict.is_some();
                if is_told || is_enough {
                    continue;
                }
                let threads =
                    conflict.map_or(threads, |found| (found.sides[0].thread, found.sides[1].thread));
                let told = Told { race, number, conflict, threads };
                if conflict.is_some() {
                    conflicts += 1;
                    named.extend([x, y]);
                }
                match before {
                    Some(at) if told.conflict.is_some() => chosen.told[at] = told,
                    None if told.conflict.is_some() || self.options.all => {
                        known.insert(key, chosen.told.len());
                        chosen.told.push(told);
                    }
                    _ => {}
                }
            }
            if is_racy {
                chosen.racy.insert(*object);
            }
        }
        chosen.untold = untold.iter().filter(|key| !known.contains_key(key)).count();
        chosen
    }

    /// What an event is called; `None` for what a caller cannot name.
    fn word(&self, event: &Event) -> Option<Word> {
        match event.what {
            What::Use(access, _) => Some(Word::Use(access)),
            What::Method(tuple) => {
                let method = self.facts.view.method_of(self.races.calls.tuples[tuple].1)?;
                (event.is_direct && self.facts.view.is_application(method)).then_some(Word::Method(method))
            }
        }
    }
}
