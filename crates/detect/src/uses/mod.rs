//! Objects with conflicting accesses in some phase of their lives.
//!
//! ## What it does
//! For each object that several threads use it builds the graph of its [uses](graph), in program order, and gives each
//! access a [verdict](verdict): before the object escapes, ordered by the starts and ends of threads, only read,
//! protected by a lock, or in conflict.
//!
//! ## Why it matters
//! Many objects are shared, few of them at the same time. An object that is filled, then handed to threads, then
//! collected after the threads have finished is safe in each phase for another reason.
//!
//! ## Example
//! ```java
//! Result result = new Result();
//! result.parts = split();            // not published yet
//! Thread worker = new Worker(result);
//! worker.start();
//! synchronized (result) { result.done++; }     // the worker does the same
//! worker.join();
//! print(result.done);                // the worker has finished
//! ```
//!
//! ## How (seed: "Static Conflict Analysis for Multi-Threaded Object-Oriented Programs")
//! | file | what it computes |
//! |---|---|
//! | [`events`] | what happens to each object, and where |
//! | [`control`] | control flow within a thread |
//! | [`life`] | which accesses come before the object's escape |
//! | [`verdict`] | how the others are protected, or that they conflict |
//! | [`graph`] | the use graph, to be shown |
//! | [`refute`] | the same as a refuter of pairs |
//!
//! ## Limits
//! The heap is that of the points-to analysis. A method in one context is one node of a thread's graph, so a method
//! that is called both before and after an escape counts as after. Conflicts that other refuters exclude (each thread
//! has its own object, the elements differ, ...) are counted, but reported with `--all` only. An object with events all
//! over a large program is not analysed to the end: it counts as escaped, and as in conflict.

pub mod control;
pub mod events;
pub mod graph;
pub mod life;
pub mod refute;
pub mod verdict;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use selvedge_base::FastSet;
use selvedge_facts::{AccessId, AccessKind, Candidate, Place};
use selvedge_findings::{Confidence, Finding, Reason, UseTable, group_by_cause};
use selvedge_pta::heap::{ObjectId, SiteId};

pub use control::{Counts, Explorer};
pub use events::{Events, Kind, Local, Subject};
pub use graph::{Flow, Use, UseGraph, UseId};
pub use life::{Life, Lived};
pub use verdict::{ConflictType, Protection, UseClass, UseSummary, judge, protections};

use crate::Facts;
use crate::names::Names;
use crate::refuters::Judging;

/// What the user may choose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether to tell conflicts, too, that other reasons exclude.
    pub all: bool,
}

/// What the analysis found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The conflicts, one for each object.
    pub findings: Vec<Finding>,
    /// How many objects there are of each kind.
    pub table: UseTable,
}

/// What is known of an object or a class.
struct Judged {
    subject: Subject,
    events: usize,
    /// Its access sites.
    sites: BTreeSet<AccessId>,
    is_written: bool,
    /// Its access sites that would be in conflict if only locks counted.
    without_order: BTreeSet<AccessId>,
    counts: Counts,
    reused: u64,
    judgement: UseSummary,
    /// Two accesses in conflict that no other reason excludes, if there are.
    surviving: Option<Candidate>,
}

/// Runs the analysis.
pub fn run(facts: &Facts<'_, '_>, options: &Options, judging: Judging<'_>) -> Outcome {
    let events = facts.phases().events();
    let subjects: Vec<Subject> = events.subjects().collect();
    let judged: Vec<Judged> = subjects
        .par_iter()
        .map_init(
            || Explorer::new(&events.control),
            |explorer, &subject| judge_one(facts, judging, explorer, subject),
        )
        .filter(|judged| !judged.sites.is_empty())
        .collect();
    let told: Vec<(&Judged, ConflictType, Candidate)> = judged
        .iter()
        .filter_map(|judged| match judged.judgement.verdict {
            UseClass::Conflicting(kind, candidate) => match judged.surviving {
                Some(candidate) => Some((judged, kind, candidate)),
                None => options.all.then_some((judged, kind, candidate)),
            },
            _ => None,
        })
        .collect();
    let objects: FastSet<ObjectId> = told.iter().filter_map(|(judged, ..)| judged.subject.object()).collect();
    let names = Names::new(facts, &objects);
    let findings = told
        .iter()
        .map(|(judged, kind, candidate)| finding(facts, &names, judging, judged, *kind, candidate));
    let findings = group_by_cause(findings.collect(), |finding: &Finding| {
        // What the same fields hold is mended by one lock for these fields, wherever it was made.
        let is_named = finding.location.field.is_some() || !finding.location.held_by.is_empty();
        (finding.kind, finding.location.clone(), finding.object.clone().filter(|_| !is_named))
    });
    Outcome { findings, table: table(facts, &judged) }
}

fn judge_one(
    facts: &Facts<'_, '_>,
    judging: Judging<'_>,
    explorer: &mut Explorer,
    subject: Subject,
) -> Judged {
    let life = Life::new(facts, facts.phases().events(), explorer, subject);
    let mut judgement = judge(facts, &life);
    // Of many objects at once these would take much memory.
    let conflicts = std::mem::take(&mut judgement.conflicts);
    Judged {
        subject,
        events: life.events,
        sites: life
            .accesses
            .chunk_by(|a, b| a.side.access == b.side.access)
            .map(|of_access| of_access[0].side.access)
            .collect(),
        is_written: life.accesses.iter().any(|lived| lived.kind == AccessKind::Write),
        without_order: verdict::without_order(facts, &life, &judgement),
        counts: life.counts,
        reused: life.reused,
        surviving: conflicts.iter().find(|candidate| !judging.is_refuted(facts, candidate)).copied(),
        judgement,
    }
}

fn finding(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    judging: Judging<'_>,
    judged: &Judged,
    kind: ConflictType,
    candidate: &Candidate,
) -> Finding {
    let object = judged.subject.object();
    let place = facts.accesses.all[candidate.sides[0].access].place;
    let (finding_kind, location) = names.location(place, object);
    let [first, second] = candidate.sides.map(|side| names.side(side));
    let (rank, confidence) = match kind {
        ConflictType::WritesLocked => (40, Confidence::Medium),
        ConflictType::ThreadLocal => (15, Confidence::Low),
        ConflictType::LikelyLock => (20, Confidence::Low),
        ConflictType::Unlocked => (50, Confidence::Medium),
    };
    let (rank, confidence) = match judged.surviving {
        Some(_) if place == Place::Container => (rank + 10, confidence),
        Some(_) => (rank, confidence),
        None => (5, Confidence::Low),
    };
    let mut finding = Finding::new("uses", finding_kind, location)
        .sides(first, second)
        .because(Reason::evidence("no phase of the object's life orders or excludes these two accesses"))
        .because(Reason::evidence(kind.describe()))
        .ranked(rank, confidence)
        .advise("guard both with one lock, or order them by the start and the end of threads");
    if let Some(object) = object {
        finding = finding.on(names.object(object));
    }
    if judging.raced.contains(facts, names, candidate) {
        finding.rank = finding.rank.saturating_sub(20);
        let added = "the accesses are also reported as a pair: this finding adds that no phase orders or excludes them";
        finding = finding.because(Reason::evidence(added));
    }
    match judged.surviving {
        Some(_) => finding,
        None => finding.because(Reason::doubt("refuted by other means than the order of its uses")),
    }
}

/// What is counted of a set of objects and classes in the paper's Table 3.
#[derive(Default)]
struct Extent {
    subjects: u64,
    allocations: BTreeSet<SiteId>,
    accesses: BTreeSet<AccessId>,
}

impl Extent {
    fn add<'a>(
        &mut self,
        facts: &Facts<'_, '_>,
        subject: Subject,
        accesses: impl IntoIterator<Item = &'a AccessId>,
    ) {
        let heap = &facts.view.analysis.heap;
        self.subjects += 1;
        self.allocations.extend(subject.object().map(|object| heap.get(object).site));
        self.accesses.extend(accesses);
    }

    /// Objects and classes, allocation sites, access sites.
    fn counts(&self) -> [u64; 3] {
        [self.subjects, self.allocations.len() as u64, self.accesses.len() as u64]
    }
}

/// What may be known to several threads, is written, and is accessed by whomever.
fn global(facts: &Facts<'_, '_>) -> Extent {
    let mut all: BTreeMap<Subject, (bool, BTreeSet<AccessId>)> = BTreeMap::new();
    for (access, data) in facts.accesses.all.iter_ids() {
        let mut add = |subject, kind| {
            let (is_written, accesses) = all.entry(subject).or_default();
            *is_written |= kind == AccessKind::Write;
            accesses.insert(access);
        };
        if let Place::Static(field) = data.place {
            add(Subject::Class(facts.view.program.fields[field].class), data.kind);
        }
        for &instance in facts.view.analysis.instances_of(data.method) {
            let touched = facts.accesses.may_touch(facts.view, access, instance).iter();
            for object in touched.filter(|&object| facts.escape.may_be_shared(object)) {
                if let Some(kind) = facts.accesses.kind_on(access, object) {
                    add(Subject::Object(object), kind);
                }
            }
        }
    }
    let mut extent = Extent::default();
    for (subject, (_, accesses)) in all.iter().filter(|(_, (is_written, _))| *is_written) {
        extent.add(facts, *subject, accesses);
    }
    extent
}

/// The counts of the paper's Tables 1 to 3.
fn table(facts: &Facts<'_, '_>, all: &[Judged]) -> UseTable {
    let mut table = UseTable::default();
    let mut sizes: Vec<u64> = all.iter().map(|judged| judged.events as u64).collect();
    sizes.sort_unstable();
    table.events = sizes.iter().sum();
    table.median_events = sizes.get(sizes.len() / 2).copied().unwrap_or(0);
    table.most_events = sizes.last().copied().unwrap_or(0);
    let mut sites: BTreeSet<AccessId> = BTreeSet::new();
    let [mut shared, mut without_order, mut racy, mut surviving]: [Extent; 4] = Default::default();
    let mut of_fields: BTreeMap<(Option<ObjectId>, Place), u64> = BTreeMap::new();
    for judged in all {
        let UseSummary { verdict, places, accesses, .. } = &judged.judgement;
        sites.extend(&judged.sites);
        table.classes += u64::from(judged.subject.object().is_none());
        if judged.is_written && *verdict != UseClass::Local {
            shared.add(facts, judged.subject, &judged.sites);
        }
        table.followed += judged.counts.followed;
        table.without_effect += judged.counts.without_effect;
        table.reused += judged.reused;
        if !judged.without_order.is_empty() {
            without_order.add(facts, judged.subject, &judged.without_order);
        }
        *match verdict {
            UseClass::Local => &mut table.local,
            UseClass::Ordered => &mut table.ordered,
            UseClass::ReadOnly => &mut table.read_only,
            UseClass::LockProtected => &mut table.lock_protected,
            UseClass::MixProtected => &mut table.mix_protected,
            UseClass::Conflicting(..) => &mut table.conflicting,
        } += 1;
        let UseClass::Conflicting(kind, _) = verdict else { continue };
        *match kind {
            ConflictType::WritesLocked => &mut table.writes_locked,
            ConflictType::ThreadLocal => &mut table.thread_local,
            ConflictType::LikelyLock => &mut table.likely_lock,
            ConflictType::Unlocked => &mut table.unlocked,
        } += 1;
        racy.add(facts, judged.subject, accesses);
        for &place in places {
            let of_place = judged.sites.iter().filter(|&&access| facts.accesses.all[access].place == place);
            *of_fields.entry((judged.subject.object(), place)).or_default() += of_place.count() as u64;
        }
        if judged.surviving.is_some() {
            surviving.add(facts, judged.subject, accesses);
        }
    }
    table.sites = sites.len() as u64;
    table.conflicting_fields = of_fields.len() as u64;
    table.sites_of_fields = of_fields.values().sum();
    table.most_sites_of_field = of_fields.values().copied().max().unwrap_or(0);
    [table.global, table.global_allocations, table.global_sites] = global(facts).counts();
    [table.shared, table.shared_allocations, table.shared_sites] = shared.counts();
    [table.without_order, table.without_order_allocations, table.without_order_sites] =
        without_order.counts();
    [_, table.conflicting_allocations, table.conflicting_sites] = racy.counts();
    [table.told, table.told_allocations, table.told_sites] = surviving.counts();
    table
}
