//! Pairs of accesses that may race.
//!
//! ## What it does
//! Takes every two accesses to the same field, the same static field, or elements or containers of the same object, at
//! least one of them a write, and removes pairs by stages. What is left is reported with both call paths.
//!
//! ## Why it matters
//! Two threads that access the same memory without order may see half-finished updates, lose updates, or never see a
//! change at all; tests seldom show it.
//!
//! ## Example
//! ```java
//! class Counter {
//!     private int count;
//!     synchronized void inc() { count++; }
//!     int get() { return count; }        // reads without the lock
//! }
//! ```
//! Make `get` synchronized, or `count` an `AtomicInteger`.
//!
//! ## Stages (after "Effective Static Race Detection for Java", sections 3 and 4)
//! 1. *original*: same field, or both array elements, or both container calls; one writes.
//! 2. *reachable*: two threads that may run at the same time reach them. Two kinds of accesses are left out (see
//!    [`Options::include_initializers`]): those of class initialisers to what belongs to their class, and those of a
//!    constructor to the new object before it is published. The latter come back where the object is published by a
//!    race (`construction`).
//! 3. *aliasing*: some instance of each accesses a common abstract object.
//! 4. *escaping*: that object may be shared between threads.
//! 5. *unlocked*: no common lock is held.
//!
//! After the stages come the other [`refuters`](crate::refuters). Each count is a number of pairs of instructions; a
//! pair is in a stage if some instances, threads and object bring it there.
//!
//! ## Limits
//! What reflection and native code do is known only as far as the assumptions of the points-to analysis say.

mod construction;
mod evidence;
mod groups;
mod judge;
mod plain;
pub(crate) mod telling;
mod watch;
mod ways;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use selvedge_base::{FastMap, FastSet};
use selvedge_facts::{AccessId, Candidate, Locks, Place, Publication, Refutation};
use selvedge_findings::{
    Because, Finding, Kind, Location, ObjectInfo, Reason, Safe, Side, Stages, Strength, Surroundings,
    Unexamined, group_by_cause,
};
use selvedge_pta::heap::ObjectId;

use crate::control::{Control, Stage};
use crate::names::Names;
use crate::ranking::{self, Judgement, LeftToCallers};
use crate::surroundings::Neighbours;
use crate::{Facts, credence};
use construction::RacyFields;
use evidence::Guarded;
pub(crate) use groups::{by_place, constructs};
use judge::Passed;
use judge::{Counts, Judge};
pub use judge::{Limit, Limits};
use plain::PlainClasses;
use selvedge_facts::assertions::asserted::Assertions;
pub use selvedge_facts::{Unproved, Why};
pub use watch::{Fate, Removal, STAGES, Watch};

/// What the user may choose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether accesses of constructors to their own object and of class initialisers count.
    pub include_initializers: bool,
    /// The names of refuters that are switched off.
    pub without: BTreeSet<String>,
    /// Whether locks count as the same that points-to sets only suggest to be (the paper's mode), not only those that must be.
    pub likely_locks: bool,
    /// Whether to say of each location without a race why it has none.
    pub safe: bool,
    /// Whether only proofs refute: what a heuristic says does not count.
    pub proofs_only: bool,
    /// Whether [`not_proved_safe`] also asks about objects that are watched anyway, since whoever touches them touches others that
    /// are not proved safe.
    pub every_object: bool,
    /// Whether object races refute pairs: it costs what the analysis of objects costs.
    pub guarded_owners: bool,
    /// Whether phases of objects refute pairs: it costs what the analysis of uses costs.
    pub phases: bool,
    /// What the user asserts.
    pub assertions: Assertions,
    /// How much is looked at.
    pub limits: Limits,
    /// Who may ask to stop, and is told how far the work is.
    pub control: Control,
}

impl Options {
    /// What [`not_proved_safe`] is asked with by those who will ask in which instances an access may race: that costs more.
    pub fn every_object() -> Self {
        Self { every_object: true, ..Self::default() }
    }

    /// Whether a refuter is not switched off.
    pub fn is_on(&self, refuter: &str) -> bool {
        !self.without.contains(refuter)
    }
}

/// What the analysis found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The findings, grouped by cause.
    pub findings: Vec<Finding>,
    /// How many pairs each stage kept.
    pub stages: Stages,
    /// How many pairs each refuter removed after the stages, by name.
    pub refuted: BTreeMap<&'static str, u64>,
    /// The locations without a race, if asked for.
    pub safe: Vec<Safe>,
    /// The pairs that a limit has left unexamined, by location.
    pub unexamined: Vec<Unexamined>,
    passed: Vec<(Place, Passed)>,
    /// The pairs of accesses of which every way is refuted.
    pub settled: Settled,
}

/// What became of pairs of accesses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settled {
    /// Those that do not race, whichever objects they touch and whichever threads make them.
    safe: FastSet<[AccessId; 2]>,
    /// Those that survived, and how they may happen.
    racy: FastMap<[AccessId; 2], Candidate>,
}

impl Settled {
    /// Judges all pairs for this.
    pub fn new(facts: &Facts<'_, '_>, options: &Options) -> Self {
        Self::of(&judge_all(facts, options).1)
    }

    fn of(verdicts: &[(Place, PairResult<'_>)]) -> Self {
        let pairs = |is_racy: bool| {
            let of_kind = verdicts.iter().filter(move |(_, it)| match it {
                PairResult::Racy(_) => is_racy,
                PairResult::Refuted(..) => !is_racy,
                PairResult::Unexamined(_) => false,
            });
            of_kind.map(|(_, it)| (in_order(it.candidate().sides.map(|side| side.access)), it.candidate()))
        };
        let mut settled = Self { safe: pairs(false).map(|(pair, _)| pair).collect(), ..Self::default() };
        for (pair, candidate) in pairs(true) {
            settled.safe.remove(&pair);
            settled.racy.entry(pair).or_insert(*candidate);
        }
        settled
    }

    /// Whether two accesses do not race.
    pub fn contains(&self, accesses: [AccessId; 2]) -> bool {
        self.safe.contains(&in_order(accesses))
    }

    /// How two accesses may race, if they survived.
    pub fn race(&self, accesses: [AccessId; 2]) -> Option<&Candidate> {
        self.racy.get(&in_order(accesses))
    }

    /// The pairs of which every way is refuted, in no particular order.
    pub fn safe(&self) -> impl Iterator<Item = [AccessId; 2]> {
        self.safe.iter().copied()
    }

    /// The pairs that survived, in no particular order.
    pub fn races(&self) -> impl Iterator<Item = [AccessId; 2]> {
        self.racy.keys().copied()
    }
}

fn in_order([a, b]: [AccessId; 2]) -> [AccessId; 2] {
    [a.min(b), a.max(b)]
}

impl Outcome {
    fn add(&mut self, place: Place, counts: Counts) {
        self.passed.extend(counts.passed.into_iter().map(|passed| (place, passed)));
        self.stages.aliasing += counts.aliasing;
        self.stages.escaping += counts.escaping;
        self.stages.unlocked += counts.unlocked;
        for (by, removed) in counts.refuted {
            *self.refuted.entry(by).or_default() += removed;
        }
    }
}

/// What became of a pair that touches a common object.
#[derive(Debug)]
pub(crate) enum PairResult<'r> {
    /// It survived; this is how it may happen.
    Racy(Candidate),
    /// All ways in which it might happen are refuted; the last refutation that was needed, and how it would have happened.
    Refuted(Refutation<'r>, Candidate),
    /// It can happen in more ways than are tried; this is one of them.
    Unexamined(Candidate),
}

/// Judges all pairs.
fn judge_all<'r>(facts: &'r Facts<'_, '_>, options: &'r Options) -> (Outcome, Vec<(Place, PairResult<'r>)>) {
    let mut outcome = Outcome::default();
    let mut verdicts: Vec<(Place, PairResult<'r>)> = Vec::new();
    let groups = groups::of_accesses(facts, options);
    let control = &options.control;
    control.begin(groups.len());
    let judge = |group: &groups::Group| {
        if control.skips_judging() {
            return (Counts::stopped(group.reachable), Vec::new());
        }
        let judged = Judge::new(facts, options, group).judge();
        control.step();
        judged
    };
    // What is worked out when first asked for does not depend on who asks first, so groups are judged in any order.
    let judged: Vec<(Counts, Vec<PairResult<'r>>)> = groups.par_iter().with_max_len(1).map(judge).collect();
    for (group, (counts, judged)) in groups.iter().zip(judged) {
        outcome.stages.original += group.original;
        outcome.stages.reachable += group.reachable;
        outcome.add(group.place, counts);
        verdicts.extend(judged.into_iter().map(|verdict| (group.place, verdict)));
    }
    let racy = RacyFields::new(facts, &verdicts);
    revive_unsafely_published(facts, &racy, &mut outcome, &mut verdicts);
    let published = groups.par_iter().filter(|_| !control.skips_judging()).flat_map_iter(|group| {
        let found = construction::unsafely_published(facts, options, &racy, group);
        found.into_iter().map(|candidate| (group.place, PairResult::Racy(candidate)))
    });
    verdicts.par_extend(published);
    (outcome, verdicts)
}

/// Tells what became of every pair. It judges them all again.
pub fn tell_fates(facts: &Facts<'_, '_>, options: &Options, watch: &mut Watch<'_>) {
    let (_, verdicts) = judge_all(facts, options);
    let names = Names::new(facts, &FastSet::default());
    watch::tell(facts, options, &names, &verdicts, watch);
}

/// Runs the analysis.
pub fn run(facts: &Facts<'_, '_>, options: &Options) -> Outcome {
    let (mut outcome, verdicts) = judge_all(facts, options);
    outcome.settled = Settled::of(&verdicts);
    let mut objects: FastSet<_> =
        verdicts.iter().filter_map(|(_, verdict)| verdict.candidate().object).collect();
    objects.extend(outcome.passed.iter().filter_map(|(_, passed)| passed.object));
    let names = Names::new(facts, &objects);
    let raced = verdicts.iter().filter_map(|(_, verdict)| match verdict {
        PairResult::Racy(candidate) => candidate.object,
        PairResult::Refuted(..) | PairResult::Unexamined(_) => None,
    });
    let neighbours = Neighbours::new(facts, &names, &raced.collect());
    let guarded = Guarded::new(facts, &verdicts);
    let mut pictures = Pictures::default();
    let mut plain = PlainClasses::default();
    let mut safety = Safety::default();
    let mut findings = Vec::new();
    let mut by_cause: FastMap<Cause, Vec<Candidate>> = FastMap::default();
    let mut broken = Vec::new();
    let told: Vec<Option<(Finding, Option<LeftToCallers>)>> = verdicts
        .par_iter()
        .map(|(place, verdict)| match verdict {
            PairResult::Racy(_) if options.control.skips_reporting() => None,
            PairResult::Racy(candidate) => {
                let judgement =
                    ranking::judge(facts, &names, candidate, guarded.is_somewhere(facts, *place, candidate));
                Some(race(facts, &names, *place, candidate, judgement))
            }
            PairResult::Refuted(..) | PairResult::Unexamined(_) => None,
        })
        .collect();
    for ((place, verdict), told) in verdicts.iter().zip(told) {
        match verdict {
            PairResult::Racy(candidate) => {
                let Some((mut finding, left_to_callers)) = told else {
                    let passed = Passed { object: candidate.object, pairs: 1, limit: Limit::Stopped };
                    outcome.passed.push((*place, passed));
                    continue;
                };
                plain.look_at(&finding, left_to_callers);
                finding.surroundings = pictures.take(&neighbours, *place, candidate);
                by_cause.entry(cause(&finding)).or_default().push(*candidate);
                findings.push(finding);
            }
            PairResult::Refuted(refutation, candidate) => {
                broken.extend(broken_declaration(facts, &names, *place, candidate, refutation));
                if options.safe {
                    safety.add(names.location(*place, candidate.object).1, refutation);
                }
            }
            PairResult::Unexamined(_) => {}
        }
    }
    let racy: BTreeSet<Location> = findings.iter().map(|finding| finding.location.clone()).collect();
    findings.extend(broken.into_iter().filter(|finding| !racy.contains(&finding.location)));
    outcome.unexamined = unexamined(&names, &outcome.passed);
    let unexamined = outcome.unexamined.iter().map(|it| &it.location);
    outcome.safe = safety.without(&findings, unexamined.collect());
    outcome.findings = group_by_cause(findings, cause);
    outcome.findings.par_iter_mut().filter(|_| !options.control.skips_reporting()).for_each(|finding| {
        if let Some(pairs) = by_cause.get(&cause(finding)) {
            ways::add(facts, &names, finding, pairs);
        }
    });
    outcome.findings = plain.put_together(outcome.findings);
    options.control.keep(&outcome.findings);
    options.control.enter(Stage::Judged);
    outcome
}

/// What one change would mend.
type Cause = (Kind, Location, Option<Option<ObjectInfo>>);

fn cause(finding: &Finding) -> Cause {
    // What the same fields hold is mended by one lock for these fields, wherever it was made.
    let is_named = finding.location.field.is_some() || !finding.location.held_by.is_empty();
    (finding.kind, finding.location.clone(), (!is_named).then(|| finding.object.clone()))
}

/// The locations at which some pair of accesses is not refuted by a proof, initialisation included: what a run would have to
/// watch. For every other location it holds, given the assumptions of the points-to analysis, that no run makes two accesses to it
/// unordered.
pub fn not_proved_safe(facts: &Facts<'_, '_>, options: &Options) -> Vec<Unproved> {
    let options = Options { include_initializers: true, proofs_only: true, ..options.clone() };
    let groups = groups::of_accesses(facts, &options);
    let unproved = |group: &groups::Group| Judge::new(facts, &options, group).unproved();
    let found: Vec<Vec<Unproved>> = groups.par_iter().with_max_len(1).map(unproved).collect();
    found.into_iter().flatten().collect()
}

/// That an object was not yet published when it was written only helps if the reference is published in order. Where the field
/// that holds the reference races itself, so does what was written to the object before.
fn revive_unsafely_published(
    facts: &Facts<'_, '_>,
    racy: &RacyFields,
    outcome: &mut Outcome,
    verdicts: &mut [(Place, PairResult<'_>)],
) {
    for (place, verdict) in verdicts {
        let PairResult::Refuted(refutation, candidate) = verdict else { continue };
        // Whoever gets the reference after the construction sees what was written to final fields (JLS 17.5).
        if matches!(*place, Place::Field(field) if facts.view.program.fields[field].is_final()) {
            continue;
        }
        let rests_on_order = [Publication::BY, Locks::LATER, selvedge_facts::refuters::PHASE]
            .contains(&refutation.by)
            && refutation.strength == Strength::Heuristic;
        let is_published_by_race =
            |object: ObjectId| racy.may_publish(facts.publication.plain_holders(object), object);
        if rests_on_order
            && candidate.object.is_some_and(is_published_by_race)
            && racy.may_lead_to_either(facts, candidate)
        {
            if let Some(count) = outcome.refuted.get_mut(refutation.by) {
                *count -= 1;
            }
            *verdict = PairResult::Racy(*candidate);
        }
    }
}

/// The places that have their picture: a group of findings needs one.
#[derive(Default)]
struct Pictures(FastSet<(Place, Option<ObjectId>)>);

impl Pictures {
    fn take(
        &mut self,
        neighbours: &Neighbours<'_, '_, '_>,
        place: Place,
        candidate: &Candidate,
    ) -> Option<Surroundings> {
        let of_object = matches!(place, Place::Element | Place::Container);
        if !self.0.insert((place, candidate.object.filter(|_| of_object))) {
            return None;
        }
        match (place, candidate.object) {
            (Place::Static(field), _) => Some(neighbours.around_static(field)),
            (_, Some(object)) => Some(neighbours.around(object)),
            (_, None) => None,
        }
    }
}

/// Who refuted the pairs of each location.
#[derive(Default)]
struct Safety(BTreeMap<Location, BTreeMap<(&'static str, Strength), Because>>);

/// How many sentences of a refuter are kept for a location.
const EXAMPLES: usize = 3;

impl Safety {
    fn add(&mut self, location: Location, refutation: &Refutation<'_>) {
        let strength = refutation.strength;
        let by_refuter = self.0.entry(location).or_default();
        let because = by_refuter.entry((refutation.by, strength)).or_insert_with(|| Because {
            refuter: refutation.by.to_string(),
            strength,
            ..Because::default()
        });
        because.count += 1;
        if because.examples.len() < EXAMPLES {
            let sentence = refutation.because();
            if !because.examples.contains(&sentence) {
                because.examples.push(sentence);
            }
        }
    }

    /// The locations that no finding is about, and of which no pair is unexamined.
    fn without<'l>(self, findings: &'l [Finding], mut others: BTreeSet<&'l Location>) -> Vec<Safe> {
        others.extend(findings.iter().map(|finding| &finding.location));
        let safe = self.0.into_iter().filter(|(location, _)| !others.contains(location));
        safe.map(|(location, because)| Safe { location, because: because.into_values().collect() }).collect()
    }
}

/// What was passed over, by location and limit.
fn unexamined(names: &Names<'_, '_>, passed: &[(Place, Passed)]) -> Vec<Unexamined> {
    let mut found: BTreeMap<(Location, Limit), u64> = BTreeMap::new();
    for (place, passed) in passed {
        let location = names.location(*place, passed.object).1;
        *found.entry((location, passed.limit)).or_default() += passed.pairs;
    }
    let listed = |((location, limit), pairs): ((Location, Limit), u64)| Unexamined {
        location,
        pairs,
        limit: limit.to_string(),
    };
    found.into_iter().map(listed).collect()
}

impl PairResult<'_> {
    fn candidate(&self) -> &Candidate {
        match self {
            PairResult::Racy(candidate)
            | PairResult::Refuted(_, candidate)
            | PairResult::Unexamined(candidate) => candidate,
        }
    }
}

/// A pair that survived, in the words of a report, and why it is left to callers, if it is.
fn race(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    place: Place,
    candidate: &Candidate,
    mut judgement: Judgement,
) -> (Finding, Option<LeftToCallers>) {
    let [first, second] = candidate.sides;
    let sides = [names.side(first), names.side(second)];
    facts.declarations.speak(facts, candidate, &sides, &mut judgement);
    judgement.reasons.push(Reason::evidence(telling::together(facts, candidate)));
    judgement.reasons.push(Reason::evidence(telling::locking(&sides)));
    if telling::is_started_by_main(facts, candidate, &sides) {
        judgement.by_a_program_of_its_own();
    }
    credence::weigh(facts, names, candidate, &sides, &mut judgement);
    // What speaks for it before what speaks against it.
    judgement.reasons.sort_by_key(|reason| reason.kind);
    judgement.advice = telling::advice(&sides, judgement.advice);
    credence::settle(&mut judgement);
    let left_to_callers = judgement.left_to_callers;
    (finding(names, place, candidate, sides, judgement), left_to_callers)
}

/// A pair that cannot race, but does not keep to what its field declares.
fn broken_declaration(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    place: Place,
    candidate: &Candidate,
    refutation: &Refutation<'_>,
) -> Option<Finding> {
    if !facts.declarations.speaks_of_locks(place) {
        return None;
    }
    let [first, second] = candidate.sides;
    let sides = [names.side(first), names.side(second)];
    let judgement = facts.declarations.broken(place, &sides, refutation)?;
    Some(finding(names, place, candidate, sides, judgement))
}

fn finding(
    names: &Names<'_, '_>,
    place: Place,
    candidate: &Candidate,
    [first, second]: [Side; 2],
    judgement: Judgement,
) -> Finding {
    let (kind, location) = names.location(place, candidate.object);
    let mut finding = Finding::new("pairs", kind, location);
    if let Some(object) = candidate.object {
        finding = finding.on(names.object(object));
    }
    finding = finding.sides(first, second);
    for reason in judgement.reasons {
        finding = finding.because(reason);
    }
    finding.ranked(judgement.rank, judgement.confidence).advise(judgement.advice)
}
