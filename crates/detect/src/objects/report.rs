//! Object races in the words of a report.

use std::collections::BTreeSet;

use rayon::prelude::*;
use selvedge_base::FastSet;
use selvedge_facts::{AccessKind, Candidate, Place, ThreadId};
use selvedge_findings::{Action, Confidence, Finding, Kind, Lock, ObjectTable, Reason, Side, group_by_cause};
use selvedge_ir::Inst;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_world::java_name;

use super::calls::Source;
use super::choosing::{Chosen, Told, choose};
use super::events::{Event, What};
use super::races::ObjectRaces;
use super::state::Conflict;
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
    /// The findings, one for each cause.
    pub findings: Vec<Finding>,
    /// How many objects are distributed or owned, race-free or racy.
    pub table: ObjectTable,
}

/// Tells the races.
pub fn run(facts: &Facts<'_, '_>, races: &ObjectRaces, options: &Options, judging: Judging<'_>) -> Outcome {
    let chosen = choose(facts, races, options, judging);
    let racy: BTreeSet<ObjectId> = chosen.iter().flat_map(|chosen| &chosen.racy).copied().collect();
    let mut objects: FastSet<ObjectId> = FastSet::default();
    for told in chosen.iter().flat_map(|chosen| &chosen.told) {
        objects.insert(told.race.object);
        objects.extend(told.conflict.and_then(|found| found.candidate.object));
        objects.extend(facts.ownership().owners(told.race.object));
    }
    let teller = Teller { facts, races, judging, names: Names::new(facts, &objects) };
    let findings = chosen.par_iter().filter_map(|chosen| teller.findings(chosen)).collect();
    Outcome { findings, table: table(facts, races, &racy) }
}

/// The objects that more than one thread may know and that something happens to.
fn table(facts: &Facts<'_, '_>, races: &ObjectRaces, racy: &BTreeSet<ObjectId>) -> ObjectTable {
    let mut table = ObjectTable::default();
    let is_late = |deed| !races.meetings.threads(races.meetings.deeds[deed].late).is_empty();
    for object in races.meetings.objects() {
        if !facts.escape.may_be_shared(object) || !races.meetings.on(object).any(is_late) {
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
    judging: Judging<'t>,
    names: Names<'t, 'a>,
}

impl Teller<'_, '_, '_> {
    /// The races of one cause as one finding.
    fn findings(&self, chosen: &Chosen) -> Option<Finding> {
        let findings = chosen.told.iter().map(|told| self.finding(told)).collect();
        let finding = group_by_cause(findings, |_| ()).pop()?;
        let mut finding = finding;
        if chosen.untold > 0 {
            let (number, are) = if chosen.untold == 1 {
                ("one".to_string(), "pair of methods may meet there, and is")
            } else {
                (chosen.untold.to_string(), "pairs of methods may meet there, and are")
            };
            finding = finding.because(Reason::evidence(format!("{number} further {are} not listed")));
        }
        if chosen.same > 0 {
            let text = format!(
                "the same two accesses reach objects of this class from {} other places",
                chosen.same
            );
            finding = finding.because(Reason::evidence(text));
        }
        Some(finding)
    }

    fn finding(&self, told: &Told) -> Finding {
        let Told { race, conflict, threads, .. } = told;
        let [a, b] = race.events.map(|event| &self.races.events[event]);
        let object = race.object;
        let mut finding = Finding::new("objects", Kind::Object, self.names.object_location(Some(object)))
            .on(self.names.object(object))
            .sides(self.side(a, threads.0), self.side(b, threads.1));
        let (x, y) = (self.call(a), self.call(b));
        let [at, there] = [a, b].map(|event| match event.what {
            What::Method(_) => "in",
            What::Use(..) => "at",
        });
        let both = if x == y {
            format!("two threads may be {at} {x}")
        } else {
            format!("one thread may be {at} {x}, another {there} {y}")
        };
        finding = finding.because(Reason::evidence(format!("{both} of one object at the same time")));
        if let Some(found) = conflict {
            finding = finding.because(Reason::evidence(self.conflict(object, &found.candidate)));
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
        let is_told =
            |found: &Conflict| self.judging.raced.contains(self.facts, &self.names, &found.candidate);
        if conflict.as_ref().is_some_and(is_told) {
            rank -= 20;
            let added = if owned { "the owner that lacks a lock" } else { "the calls that lead to them" };
            let text = format!("the accesses are also reported as a pair: this finding adds {added}");
            finding = finding.because(Reason::evidence(text));
        }
        let mut confidence = Confidence::Medium;
        if conflict.is_some_and(|found| !found.is_tried) {
            (rank, confidence) = (10, Confidence::Low);
            let text =
                "the conflicts between them that were tried are excluded, but there are too many to try all";
            finding = finding.because(Reason::doubt(text));
        }
        if conflict.is_none() {
            (rank, confidence) = (5, Confidence::Low);
            finding = finding.because(Reason::doubt("neither is known to write what the other one uses"));
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
        // Where only library code leads to the call, the method that it enters is all there is to tell.
        let (instance, inst) = match event.what {
            What::Method(tuple) if !self.names.is_told(thread, instance) => {
                (self.races.calls.tuples[tuple].1, None)
            }
            _ => (instance, inst),
        };
        let mut side = self.names.side_at(action, thread, instance, inst).calling(self.called(event));
        let holds = |lock: &Lock, side: &Side| side.locks.iter().any(|held| held.name == lock.name);
        let entered = self.entered(event).filter(|lock| !holds(lock, &side));
        side.locks.extend(entered);
        side
    }

    /// The lock that the method takes which an event enters.
    fn entered(&self, event: &Event) -> Option<Lock> {
        let What::Method(tuple) = event.what else { return None };
        let program = self.facts.view.program;
        let method = &program.methods[self.facts.view.method_of(self.races.calls.tuples[tuple].1)?];
        let is_own = method.is_synchronized() && !method.is_static();
        is_own.then(|| Lock::new(format!("this ({})", java_name(program.classes[method.class].name))))
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
        format!("both reach {what}{whose}, at {a} and {b}")
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
        match told.cause {
            None => "no other object owns it, and no lock is held on both paths to it".to_string(),
            Some(race) => {
                let [a, b] = race.events.map(|event| self.call(&self.races.events[event]));
                format!(
                    "it belongs to {}, whose {a} and {b} may run at the same time: no lock of the owner is held on both paths",
                    chain.join(", which belongs to ")
                )
            }
        }
    }

    fn advice(&self, chain: &[String], is_container: bool) -> String {
        match chain.first() {
            Some(owner) => format!("hold one lock of the owner {owner} on all paths to it"),
            None if is_container => {
                "guard all uses with one lock, or use a class from java.util.concurrent instead".to_string()
            }
            None => "make the methods synchronized, or let all callers hold one lock".to_string(),
        }
    }
}
