//! Object races in the words of a report.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use selvedge_base::{FastMap, FastSet};
use selvedge_facts::{AccessId, AccessKind, Candidate, Place, ThreadId};
use selvedge_findings::{Action, Confidence, Finding, Kind, ObjectTable, Reason, Side, group_by_cause};
use selvedge_ir::Inst;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_world::MethodId;

use super::calls::Source;
use super::races::{Event, ObjectRaces, Race, What};
use super::state::{States, parallel};
use crate::Facts;
use crate::names::Names;
use crate::refuters::Judging;

/// What the user may choose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether to tell races that do no harm too: of methods that only read, or whose accesses other reasons keep apart.
    pub all: bool,
}

/// What the analysis found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The findings, one for each object.
    pub findings: Vec<Finding>,
    /// How many objects are distributed or owned, race-free or racy.
    pub table: ObjectTable,
}

/// What happens to an object, whatever the context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Word {
    Method(MethodId),
    Use(AccessId),
}

/// A race that is worth telling.
struct Told {
    race: Race,
    /// Its number.
    number: usize,
    /// What the two do to each other; `None` if nothing, and all races are asked for.
    conflict: Option<Candidate>,
    threads: (ThreadId, ThreadId),
}

/// Tells the races.
pub fn run(facts: &Facts<'_, '_>, races: &ObjectRaces, options: &Options, judging: Judging<'_>) -> Outcome {
    let told = choose(facts, races, options, judging);
    let mut objects: FastSet<ObjectId> = told.iter().map(|told| told.race.object).collect();
    let racy: BTreeSet<ObjectId> =
        told.iter().filter(|told| told.conflict.is_some()).map(|told| told.race.object).collect();
    for object in told.iter().map(|told| told.race.object) {
        objects.extend(facts.ownership().owners(object));
    }
    let teller = Teller { facts, races, names: Names::new(facts, &objects) };
    let findings = told.iter().map(|told| teller.finding(told)).collect();
    let findings =
        group_by_cause(findings, |finding: &Finding| (finding.location.clone(), finding.object.clone()));
    Outcome { findings, table: table(facts, races, &racy) }
}

/// The races that are worth telling, one for each object and pair of methods, in the order in which they were found.
fn choose(facts: &Facts<'_, '_>, races: &ObjectRaces, options: &Options, judging: Judging<'_>) -> Vec<Told> {
    let mut by_object: BTreeMap<ObjectId, Vec<usize>> = BTreeMap::new();
    for (number, race) in races.races.iter().enumerate() {
        if facts.escape.may_be_shared(race.object) {
            by_object.entry(race.object).or_default().push(number);
        }
    }
    let by_object: Vec<Vec<usize>> = by_object.into_values().collect();
    let mut told: Vec<(usize, Told)> = by_object
        .into_par_iter()
        .flat_map_iter(|numbers| choose_on_object(facts, races, options, judging, &numbers))
        .collect();
    told.sort_by_key(|(number, _)| *number);
    told.into_iter().map(|(_, told)| told).collect()
}

/// The races on one object that are worth telling, each with the number of the first of the same methods.
fn choose_on_object(
    facts: &Facts<'_, '_>,
    races: &ObjectRaces,
    options: &Options,
    judging: Judging<'_>,
    numbers: &[usize],
) -> Vec<(usize, Told)> {
    let mut states = States::new(facts, races, judging);
    let mut known: FastMap<(Word, Word), usize> = FastMap::default();
    let mut told: Vec<(usize, Told)> = Vec::new();
    for &number in numbers {
        let race = races.races[number];
        let [a, b] = race.events.map(|event| &races.events[event]);
        let (Some(x), Some(y)) = (word(facts, races, a), word(facts, races, b)) else { continue };
        let key = (x.min(y), x.max(y));
        let before = known.get(&key).copied();
        if before.is_some_and(|at| told[at].1.conflict.is_some()) {
            continue;
        }
        let Some(threads) = parallel(facts, &a.late, &b.late).next() else { continue };
        let conflict = states.conflict(race.object, a, b);
        let threads = conflict.map_or(threads, |found| (found.sides[0].thread, found.sides[1].thread));
        match before {
            Some(at) if conflict.is_some() => told[at].1 = Told { race, number, conflict, threads },
            None if conflict.is_some() || options.all => {
                known.insert(key, told.len());
                told.push((number, Told { race, number, conflict, threads }));
            }
            _ => {}
        }
    }
    told
}

/// What an event is called; `None` for what a caller cannot name.
fn word(facts: &Facts<'_, '_>, races: &ObjectRaces, event: &Event) -> Option<Word> {
    match event.what {
        What::Use(access, _) => Some(Word::Use(access)),
        What::Method(tuple) => {
            let method = facts.view.method_of(races.calls.tuples[tuple].1)?;
            (event.is_direct && facts.view.is_application(method)).then_some(Word::Method(method))
        }
    }
}

/// The objects that more than one thread may know and that something happens to.
fn table(facts: &Facts<'_, '_>, races: &ObjectRaces, racy: &BTreeSet<ObjectId>) -> ObjectTable {
    let mut table = ObjectTable::default();
    let is_late = |event: &super::EventId| !races.events[*event].late.is_empty();
    for (&object, events) in &races.on {
        if !facts.escape.may_be_shared(object) || !events.iter().any(is_late) {
            continue;
        }
        let count = match (facts.ownership().is_distributed(object), racy.contains(&object)) {
            (true, false) => &mut table.distributed_race_free,
            (true, true) => &mut table.distributed_racy,
            (false, false) => &mut table.owned_race_free,
            (false, true) => &mut table.owned_racy,
        };
        *count += 1;
    }
    table
}

struct Teller<'t, 'g, 'a> {
    facts: &'t Facts<'g, 'a>,
    races: &'t ObjectRaces,
    names: Names<'t, 'a>,
}

impl Teller<'_, '_, '_> {
    fn finding(&self, told: &Told) -> Finding {
        let Told { race, conflict, threads, .. } = told;
        let [a, b] = race.events.map(|event| &self.races.events[event]);
        let object = race.object;
        let mut finding = Finding::new("objects", Kind::Object, self.names.object_location(Some(object)))
            .on(self.names.object(object))
            .sides(self.side(a, threads.0), self.side(b, threads.1));
        let (x, y) = (self.call(a), self.call(b));
        let both = if x == y {
            format!("two threads may be in {x}")
        } else {
            format!("one thread may be in {x}, another in {y}")
        };
        finding = finding.because(Reason::evidence(format!("{both} of one object at the same time")));
        if let Some(candidate) = conflict {
            finding = finding.because(Reason::evidence(self.conflict(object, candidate)));
        }
        let chain = self.chain(object);
        let owned = !chain.is_empty();
        finding = finding.because(Reason::evidence(self.cause(told, &chain)));
        let is_container = matches!((a.what, b.what), (What::Use(u, _), What::Use(v, _))
            if [u, v].iter().all(|&id| self.facts.accesses.all[id].place == Place::Container));
        let mut rank: i32 = 50;
        rank += if is_container { 10 } else { 0 };
        rank -= if owned { 10 } else { 0 };
        rank += if self.facts.executions.is_single(object) { 10 } else { 0 };
        let mut confidence = Confidence::Medium;
        if conflict.is_none() {
            (rank, confidence) = (5, Confidence::Low);
            finding =
                finding.because(Reason::doubt("neither changes what the other one uses, as far as is known"));
        }
        finding.ranked(rank.clamp(0, 100) as u8, confidence).advise(self.advice(&chain, is_container))
    }

    /// One side: the call that enters the object, or the access.
    fn side(&self, event: &Event, thread: ThreadId) -> Side {
        let action = match event.what {
            What::Use(access, _) => {
                let data = &self.facts.accesses.all[access];
                match (data.place, data.kind) {
                    (Place::Container, _) => Action::Call,
                    (_, AccessKind::Read) => Action::Read,
                    (_, AccessKind::Write) => Action::Write,
                }
            }
            What::Method(_) => Action::Call,
        };
        let (instance, inst): (InstanceId, Option<Inst>) = match (event.source, event.what) {
            (Source::Call(tuple), _) => (self.races.calls.tuples[tuple].1, event.call),
            (Source::Start(_), What::Method(tuple)) => (self.races.calls.tuples[tuple].1, None),
            (Source::Start(_), What::Use(_, instance)) => (instance, event.call),
        };
        self.names.side_at(action, thread, instance, inst).calling(self.called(event))
    }

    /// The method that an event calls, without parameters, if it stands in the code as a call.
    fn called(&self, event: &Event) -> Option<String> {
        let name = match (event.source, event.what) {
            (Source::Call(_), What::Method(tuple)) => {
                self.names.method(self.facts.view.method_of(self.races.calls.tuples[tuple].1)?)
            }
            (Source::Call(_), What::Use(access, _)) => {
                let data = &self.facts.accesses.all[access];
                let is_own = data.place == Place::Container && self.facts.view.is_application(data.method);
                is_own.then(|| self.names.called(data.method, data.inst)).flatten()?
            }
            (Source::Start(_), _) => return None,
        };
        Some(name.split_once('(').map_or(name.as_str(), |(name, _)| name).to_owned())
    }

    /// What an event calls, for readers.
    fn call(&self, event: &Event) -> String {
        match event.what {
            What::Method(tuple) => match self.facts.view.method_of(self.races.calls.tuples[tuple].1) {
                Some(method) => self.names.method(method),
                None => "a lambda expression".to_string(),
            },
            What::Use(access, _) => {
                let data = &self.facts.accesses.all[access];
                let called = self.names.called(data.method, data.inst);
                let word = if data.kind == AccessKind::Read { "a read" } else { "a write" };
                match data.place {
                    Place::Container => called.unwrap_or_else(|| "a call".to_string()),
                    Place::Field(field) => {
                        let field = self.names.field(field);
                        format!("{word} of {}.{}", field.class, field.field)
                    }
                    _ => format!("{word} of an element"),
                }
            }
        }
    }

    /// What the two sides do to each other.
    fn conflict(&self, object: ObjectId, candidate: &Candidate) -> String {
        let [a, b] = candidate.sides.map(|side| {
            let access = &self.facts.accesses.all[side.access];
            self.names.frame(access.method, Some(access.inst)).place()
        });
        let place = self.facts.accesses.all[candidate.sides[0].access].place;
        let what = match place {
            Place::Field(field) | Place::Static(field) => {
                let field = self.names.field(field);
                format!("{}.{}", field.class, field.field)
            }
            Place::Element => "elements of an array".to_string(),
            Place::Container => "a container".to_string(),
        };
        let whose = if candidate.object == Some(object) { "" } else { " that it owns" };
        format!("both come to {what}{whose}, at {a} and {b}")
    }

    /// The owners of an object, the nearest first.
    fn chain(&self, object: ObjectId) -> Vec<String> {
        let describe = |owner: ObjectId| {
            let info = self.names.object(owner);
            match info.allocated_at {
                Some(at) => format!("{} ({})", info.class, at.place()),
                None => info.class,
            }
        };
        self.facts.ownership().owners(object).map(describe).collect()
    }

    /// Why nothing keeps the two apart.
    fn cause(&self, told: &Told, chain: &[String]) -> String {
        let above = self.races.cause(told.number);
        match above {
            None => "no other object owns it, and no lock is held on both ways to it".to_string(),
            Some(race) => {
                let [a, b] = race.events.map(|event| self.call(&self.races.events[event]));
                format!(
                    "it belongs to {}, of which {a} and {b} may run at the same time: nothing locks the owner on both ways",
                    chain.join(", which belongs to ")
                )
            }
        }
    }

    fn advice(&self, chain: &[String], is_container: bool) -> String {
        match chain.first() {
            Some(owner) => format!("hold one lock of the owner {owner} on all ways to it"),
            None if is_container => {
                "guard all uses with one lock, or use a class from java.util.concurrent instead".to_string()
            }
            None => "make the methods synchronized, or let all callers hold one lock".to_string(),
        }
    }
}
