//! Which object races are reported, and which of them are one finding.
//!
//! A race is worth telling if its two sides [harm](super::state) each other. What one lock would mend is one finding: all objects of a class of
//! the application, or all that the same fields hold, or else that are made at the same place; and of these, those that belong to owners of the same class.
//!
//! The methods of a class meet in about as many pairs as the square of them, in every object of the class. So of each cause the first
//! [`MOST_TOLD`] conflicting pairs are reported, then up to [`MOST_NAMING`] that name a method or a use for the first time. The
//! rest is counted. Whether an object is racy at all is found out for each.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use selvedge_base::{FastMap, FastSet, entity};
use selvedge_facts::{AccessId, ThreadId};
use selvedge_pta::heap::{ObjectId, SiteId, TypeId};
use selvedge_world::{FieldId, MethodId};

use super::events::{ThreadsId, What};
use super::meetings::{DeedId, WaysId};
use super::races::{ObjectRaces, Race};
use super::report::Options;
use super::sentences::{WordPairs, Words};
use super::state::{Conflict, States, parallel};
use crate::Facts;
use crate::refuters::Judging;

entity! {
    /// A word of a cause.
    WordId "wd";
}

/// So many pairs of a cause are told, and beyond them only what has not been named.
const MOST_TOLD: usize = 6;

/// So many are told at all.
const MOST_NAMING: usize = 16;

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
pub(super) enum Word {
    Method(MethodId),
    Use(AccessId),
}

/// The same that happens to an object, in whatever contexts.
pub struct Happening {
    word: Word,
    /// In which threads, outside of constructors.
    pub late: ThreadsId,
    /// What happens, in each context.
    pub whats: Vec<What>,
    /// One deed of it.
    pub(super) first: DeedId,
}

/// What happens to an object, and what of it may happen at the same time.
pub(super) struct Met {
    pub(super) happenings: Vec<Happening>,
    /// The numbers of their words.
    pub(super) ids: Vec<WordId>,
    /// The races, if they are of single deeds, with the race on the owner; else those whose ways overlap race.
    pub(super) owned: Option<Vec<(usize, usize, usize)>>,
}

/// A race that is worth telling.
pub struct Told {
    /// The race.
    pub race: Race,
    /// The race on the owner that leads to it; `None` for distributed objects.
    pub cause: Option<Race>,
    /// What the two do to each other; `None` if nothing, and all races are asked for.
    pub conflict: Option<Conflict>,
    /// The threads in which they do.
    pub threads: (ThreadId, ThreadId),
}

/// The races of one cause that are worth telling, one for each pair of methods.
#[derive(Default)]
pub struct Chosen {
    /// The races, in the order in which they were found.
    pub told: Vec<Told>,
    /// How many further pairs of methods and uses may meet.
    pub untold: usize,
    /// How many other causes come down to the same two accesses.
    pub same: usize,
    /// The objects in which two sides conflict.
    pub racy: BTreeSet<ObjectId>,
}

/// The races that are worth telling, by cause.
pub fn choose(
    facts: &Facts<'_, '_>,
    races: &ObjectRaces,
    options: &Options,
    judging: Judging<'_>,
) -> Vec<Chosen> {
    let mut owned: BTreeMap<ObjectId, Vec<usize>> = BTreeMap::new();
    for (number, (race, _)) in races.owned.iter().enumerate() {
        owned.entry(race.object).or_default().push(number);
    }
    let is_wanted = |object: &ObjectId| {
        let may_race = facts.ownership().is_distributed(*object) || owned.contains_key(object);
        may_race && facts.escape.may_be_shared(*object)
    };
    let objects: FastSet<ObjectId> = races.meetings.objects().filter(is_wanted).collect();
    let holders = facts.view.analysis.holders_of(&objects);
    let mut by_cause: BTreeMap<Cause, Vec<ObjectId>> = BTreeMap::new();
    for object in races.meetings.objects().filter(|object| objects.contains(object)) {
        let held_by = holders.get(&object).map_or(&[][..], Vec::as_slice);
        by_cause.entry(cause(facts, object, held_by)).or_default().push(object);
    }
    let by_cause: Vec<Vec<ObjectId>> = by_cause.into_values().collect();
    let choosing = Choosing { facts, races, owned, options, judging };
    let chosen: Vec<Chosen> =
        by_cause.into_par_iter().with_max_len(1).map(|objects| choosing.choose_of_cause(&objects)).collect();
    merge_same(facts, chosen)
}

/// Arrays and objects of the library that come down to the same two accesses are one finding, wherever they are made and whatever holds
/// them: what mends the accesses mends all.
fn merge_same(facts: &Facts<'_, '_>, chosen: Vec<Chosen>) -> Vec<Chosen> {
    let heap = &facts.view.analysis.heap;
    let mut known: FastMap<(TypeId, [AccessId; 2]), usize> = FastMap::default();
    let mut merged: Vec<Chosen> = Vec::new();
    for one in chosen {
        let key = one.told.first().and_then(|told| {
            let ty = heap.get(told.race.object).ty;
            let class = heap.types.class(ty);
            let is_own = class.is_some_and(|class| facts.view.is_application_class(class));
            let [a, b] = told.conflict.filter(|_| !is_own)?.candidate.sides.map(|side| side.access);
            Some((ty, [a.min(b), a.max(b)]))
        });
        match key.map(|key| *known.entry(key).or_insert(merged.len())) {
            Some(at) if at < merged.len() => {
                merged[at].same += 1;
                merged[at].racy.extend(one.racy);
            }
            _ => merged.push(one),
        }
    }
    merged
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
    /// The numbers of the races of owned objects.
    owned: BTreeMap<ObjectId, Vec<usize>>,
    options: &'c Options,
    judging: Judging<'c>,
}

/// What is known of a cause so far.
#[derive(Default)]
struct Known {
    chosen: Chosen,
    /// Where the pairs are that are told.
    at: FastMap<(Word, Word), usize>,
    named: FastSet<Word>,
    words: Words,
    /// The pairs that do no harm in some object.
    harmless: WordPairs,
    /// What may happen at the same time in those objects that were looked at after enough was told.
    together: WordPairs,
    conflicts: usize,
}

impl Known {
    /// Whether a pair of these words would be told no more.
    fn is_enough(&self, a: Word, b: Word) -> bool {
        let is_named = || self.named.contains(&a) && self.named.contains(&b);
        self.conflicts >= MOST_NAMING || self.conflicts >= MOST_TOLD && is_named()
    }

    /// How many pairs may meet that are neither told nor found to do no harm.
    fn untold(&self) -> usize {
        self.together.count(|x, y| {
            let [a, b] = [x, y].map(|id| self.words.words[id]);
            let key = (a.min(b), a.max(b));
            !self.harmless.contains(x, y) && self.is_enough(a, b) && !self.at.contains_key(&key)
        })
    }
}

impl Choosing<'_, '_, '_> {
    fn choose_of_cause(&self, objects: &[ObjectId]) -> Chosen {
        let mut known = Known::default();
        for &object in objects {
            let mut met = self.met(object);
            met.ids = met.happenings.iter().map(|happening| known.words.id(happening.word)).collect();
            let mut states = States::new(self.facts, self.races, self.judging, object);
            let mut is_racy = false;
            match &met.owned {
                Some(pairs) => {
                    for &(a, b, number) in pairs {
                        let (race, cause) = self.races.owned[number];
                        let witness = || Some((race, Some(cause)));
                        self.try_pair(&mut known, &mut states, &met, (a, b), &mut is_racy, witness);
                    }
                }
                None => self.try_all(&mut known, &mut states, &met, object, &mut is_racy),
            }
            if known.conflicts >= MOST_TOLD {
                known.together.add(&self.races.meetings, &met);
            }
            if is_racy {
                known.chosen.racy.insert(object);
            }
        }
        known.chosen.untold = known.untold();
        known.chosen
    }

    /// Tries the pairs of a distributed object that may happen at the same time, but for those that would only be counted.
    fn try_all(
        &self,
        known: &mut Known,
        states: &mut States<'_, '_, '_>,
        met: &Met,
        object: ObjectId,
        is_racy: &mut bool,
    ) {
        let meetings = &self.races.meetings;
        let ways = |at: usize| meetings.deeds[met.happenings[at].first].ways;
        let all: Vec<usize> = (0..met.happenings.len()).collect();
        let mut unnamed = all.clone();
        for a in 0..all.len() {
            let first = &met.happenings[a];
            let is_over = *is_racy && known.conflicts >= MOST_TOLD && known.named.contains(&first.word);
            if is_over {
                unnamed.retain(|&b| b >= a && !known.named.contains(&met.happenings[b].word));
            }
            for &b in if is_over { &unnamed } else { &all[a..] } {
                if *is_racy && known.conflicts >= MOST_NAMING {
                    return;
                }
                if meetings.ways_overlap(ways(a), ways(b)) {
                    let witness = || {
                        let events = meetings.witness(first.first, met.happenings[b].first)?;
                        Some((Race { object, events }, None))
                    };
                    self.try_pair(known, states, met, (a, b), is_racy, witness);
                }
            }
        }
    }

    /// What happens to an object that can be told.
    fn met(&self, object: ObjectId) -> Met {
        let meetings = &self.races.meetings;
        let mut happenings: Vec<Happening> = Vec::new();
        if let Some(numbers) = self.owned.get(&object) {
            let mut ids: FastMap<DeedId, Option<usize>> = FastMap::default();
            let mut id = |deed: DeedId| {
                *ids.entry(deed).or_insert_with(|| {
                    let happening = self.happening(deed)?;
                    happenings.push(happening);
                    Some(happenings.len() - 1)
                })
            };
            let pairs = numbers.iter().filter_map(|&number| {
                let [a, b] = self.races.owned[number].0.events.map(|event| id(meetings.deed_of(event)));
                Some((a?, b?, number))
            });
            let owned = Some(pairs.collect());
            return Met { happenings, ids: Vec::new(), owned };
        }
        let mut ids: FastMap<(Word, ThreadsId, WaysId), usize> = FastMap::default();
        for deed in meetings.on(object) {
            let Some(happening) = self.happening(deed) else { continue };
            let key = (happening.word, happening.late, meetings.deeds[deed].ways);
            match ids.get(&key) {
                Some(&at) => happenings[at].whats.extend(happening.whats),
                None => {
                    ids.insert(key, happenings.len());
                    happenings.push(happening);
                }
            }
        }
        Met { happenings, ids: Vec::new(), owned: None }
    }

    /// A deed as it is told; `None` for what a caller cannot name.
    fn happening(&self, id: DeedId) -> Option<Happening> {
        let deed = &self.races.meetings.deeds[id];
        let word = match deed.what {
            What::Use(access, _) => Word::Use(access),
            What::Method(tuple) => {
                let method = self.facts.view.method_of(self.races.calls.tuples[tuple].1)?;
                let is_named = deed.is_direct && self.facts.view.is_application(method);
                Word::Method(is_named.then_some(method)?)
            }
        };
        Some(Happening { word, late: deed.late, whats: vec![deed.what], first: id })
    }

    /// Looks at two that may happen at the same time.
    fn try_pair(
        &self,
        known: &mut Known,
        states: &mut States<'_, '_, '_>,
        met: &Met,
        (a, b): (usize, usize),
        is_racy: &mut bool,
        witness: impl FnOnce() -> Option<(Race, Option<Race>)>,
    ) {
        let [first, second] = [a, b].map(|at| &met.happenings[at]);
        let (x, y) = (first.word, second.word);
        let key = (x.min(y), x.max(y));
        let before = known.at.get(&key).copied();
        let is_told = before.is_some_and(|at| known.chosen.told[at].conflict.is_some());
        let is_enough = known.is_enough(x, y);
        if *is_racy && (is_told || is_enough) {
            return;
        }
        let meetings = &self.races.meetings;
        let [late, later] = [first, second].map(|it| meetings.threads(it.late));
        let Some(threads) = parallel(self.facts, late, later).next() else { return };
        let conflict = states.conflict((a, first), (b, second));
        *is_racy |= conflict.is_some();
        if conflict.is_none() {
            known.harmless.insert(met.ids[a], met.ids[b]);
        }
        // What is excluded in every way that was tried says nothing that pairs do not say.
        let is_worth = conflict.is_some_and(|found| found.is_tried);
        if is_told || is_enough || !is_worth && (before.is_some() || !self.options.all) {
            return;
        }
        let Some((race, cause)) = witness() else { return };
        let threads = conflict.map_or(threads, |found| {
            let [one, other] = found.candidate.sides;
            (one.thread, other.thread)
        });
        let told = Told { race, cause, conflict, threads };
        if conflict.is_some() {
            known.conflicts += 1;
            known.named.extend([x, y]);
        }
        match before {
            Some(at) => known.chosen.told[at] = told,
            None => {
                known.at.insert(key, known.chosen.told.len());
                known.chosen.told.push(told);
            }
        }
    }
}
