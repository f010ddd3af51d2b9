//! Objects whose uses conflict in some phase of their lives.
//!
//! ## What it does
//! For each object that several threads use it builds the graph of its [uses](graph), ordered as the program orders them, and
//! [judges](verdict) it: its accesses are before its escape, ordered by the starts and ends of threads, only read, protected by
//! a lock, or in conflict.
//!
//! ## Why it matters
//! Many objects are shared, few of them at the same time. An object that is filled, then handed to threads, then collected after they have
//! ended is safe in each phase for another reason.
//!
//! ## Example
//! ```java
//! Result result = new Result();
//! result.parts = split();            // nobody else knows it
//! Thread worker = new Worker(result);
//! worker.start();
//! synchronized (result) { result.done++; }     // the worker does the same
//! worker.join();
//! print(result.done);                // the worker has ended
//! ```
//!
//! ## Limits
//! (Seed: "Static Conflict Analysis for Multi-Threaded Object-Oriented Programs".) The heap is that of the points-to analysis. A method in
//! one context appears once in the graph of a thread, so what is called both before and after an escape counts as after.

pub mod graph;
pub mod refute;
pub mod verdict;

use std::collections::{BTreeMap, BTreeSet};

use selvedge_base::{BitSet, FastSet};
use selvedge_facts::{Origin, Place};
use selvedge_findings::{Confidence, Finding, Reason, UseTable, group_by_cause};
use selvedge_pta::heap::ObjectId;

pub use graph::{Events, Flow, Kind, Use, UseGraph, UseId};
pub use verdict::{ConflictType, Verdict, before_escape, judge};

use crate::Facts;
use crate::names::Names;

/// What the analysis found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The conflicts, one for each object.
    pub findings: Vec<Finding>,
    /// How many objects there are of each kind.
    pub table: UseTable,
}

/// The objects that may be shared and that more than one thread accesses.
pub fn shared_objects(facts: &Facts<'_, '_>) -> BitSet<ObjectId> {
    let mut threads: BTreeMap<ObjectId, BTreeSet<selvedge_facts::ThreadId>> = BTreeMap::new();
    for (access, data) in facts.accesses.all.iter_ids() {
        for &instance in facts.view.analysis.instances_of(data.method) {
            let executing = facts.threads.may_execute(instance).iter().copied();
            let executing: Vec<_> =
                executing.filter(|&id| facts.threads.all[id].origin != Origin::Initializers).collect();
            for object in facts.accesses.may_touch(facts.view, access, instance).iter() {
                if facts.escape.may_be_shared(object) {
                    threads.entry(object).or_default().extend(&executing);
                }
            }
        }
    }
    let is_many = |threads: &BTreeSet<selvedge_facts::ThreadId>| {
        threads.len() > 1 || threads.iter().any(|&thread| facts.threads.all[thread].many)
    };
    threads.into_iter().filter(|(_, threads)| is_many(threads)).map(|(object, _)| object).collect()
}

/// Runs the analysis.
pub fn run(facts: &Facts<'_, '_>) -> Outcome {
    let shared = shared_objects(facts);
    let events = Events::new(facts, &shared);
    let mut table = UseTable::default();
    let mut conflicts = Vec::new();
    let (mut sites, mut racy_sites) = (BTreeSet::new(), BTreeSet::new());
    for object in events.objects() {
        let graph = events.graph(facts, object);
        table.events += graph.uses.len() as u64;
        table.edges += graph.edges.len() as u64;
        let touched: BTreeSet<_> =
            verdict::accesses(&graph).into_iter().map(|(_, side, _)| side.access).collect();
        if touched.is_empty() {
            continue;
        }
        sites.extend(touched.iter().copied());
        let verdict = judge(facts, &graph);
        let count = match verdict {
            Verdict::Local => &mut table.local,
            Verdict::Ordered => &mut table.ordered,
            Verdict::ReadOnly => &mut table.read_only,
            Verdict::LockProtected => &mut table.lock_protected,
            Verdict::MixProtected => &mut table.mix_protected,
            Verdict::Conflicting(..) => &mut table.conflicting,
        };
        *count += 1;
        if let Verdict::Conflicting(kind, candidate) = verdict {
            racy_sites.extend(touched);
            conflicts.push((object, kind, candidate));
        }
    }
    (table.sites, table.conflicting_sites) = (sites.len() as u64, racy_sites.len() as u64);
    let objects: FastSet<ObjectId> = conflicts.iter().map(|(object, ..)| *object).collect();
    let names = Names::new(facts, &objects);
    let mut findings = Vec::new();
    for (object, kind, candidate) in conflicts {
        let place = facts.accesses.all[candidate.sides[0].access].place;
        let (finding_kind, location) = names.location(place, Some(object));
        let [first, second] = candidate.sides.map(|side| names.side(side));
        let (rank, confidence) = match kind {
            ConflictType::WritesLocked => (40, Confidence::Medium),
            ConflictType::ThreadLocal => (15, Confidence::Low),
            ConflictType::LikelyLock => (20, Confidence::Low),
            ConflictType::Unlocked => (50, Confidence::Medium),
        };
        let rank = if place == Place::Container { rank + 10 } else { rank };
        let finding = Finding::new("uses", finding_kind, location)
            .on(names.object(object))
            .sides(first, second)
            .because(Reason::evidence("in no phase of the object's life are these two kept apart"))
            .because(Reason::evidence(kind.describe()))
            .ranked(rank, confidence)
            .advise("guard both with one lock, or order them by the start and the end of threads");
        findings.push(finding);
    }
    let findings = group_by_cause(findings, |finding: &Finding| {
        (finding.kind, finding.location.clone(), finding.object.clone())
    });
    Outcome { findings, table }
}
