//! The static datarace set: pairs of accesses that may be to one object, by two threads, without a common lock.
//!
//! ## What it does
//! Builds a graph of methods and synchronized blocks, with calls and thread starts as edges, and keeps every pair of
//! accesses that may touch the same memory, at least one of them a write, unless one thread always makes both, both
//! always hold the same lock, or the memory is confined to one thread. Without further analysis, a run has to watch
//! these accesses.
//!
//! ## Why it matters
//! It is coarser than `pairs` and much simpler: three conditions and an escape analysis. `--stats` prints how many
//! pairs each condition removes, and so which locks and threads a program relies on. Pairs that `pairs` reports, too,
//! become findings; `--all` reports the whole set.
//!
//! ## Example
//! ```java
//! class Worker extends Thread {
//!     static final Object LOCK = new Object();
//!     static int done;
//!     private int steps;                  // thread-specific: only the worker itself accesses it
//!     Worker() { steps = 10; }            // the worker is not published yet
//!     public void run() {
//!         while (steps-- > 0) { }
//!         synchronized (LOCK) { done++; } // one lock: created once, by the class initialiser
//!     }
//!     static int done() { return done; }  // called by main: may race with the write in run
//! }
//! ```
//! Read `done` under `LOCK`, too.
//!
//! ## How (seed: "Efficient and Precise Datarace Detection for Multithreaded Object-Oriented Programs", section 5)
//! A pair is in the set if the accesses may conflict (their may points-to sets intersect), two threads may make them
//! (must points-to sets of thread roots), and they have no common lock (must points-to sets of monitors, by dataflow
//! over the graph). A reference *must* point to an object if it may point to no other one, and the object is created
//! at most once in a run.
//!
//! | file | what it computes |
//! |---|---|
//! | [`graph`] | the interthread call graph |
//! | [`must`] | which thread executes a node, and which locks it holds, in every run |
//! | [`races`] | the pairs that satisfy the three conditions |
//! | [`selvedge_facts::ThreadSpecific`] | thread-specific methods, fields and objects, and safe threads |
//!
//! **Theorem.** Given the assumptions of the points-to analysis and of the abstract threads: if two threads of a run
//! access the same location, at least one writes, they hold no common monitor, and happens-before does not order the
//! accesses, then the pair is in the set. A pair outside of the set is made by one thread, under one monitor, on a
//! thread-confined object, or is ordered by the start of a thread or the initialisation of a class. Joins do not
//! count, as in the paper: what comes after the join of the other thread is in the set, and reported with `--all` only.
//!
//! ## Limits
//! Only monitors count as locks, and only those that must be one object: here the lock of an object that is created in
//! a loop excludes nothing, although `pairs` knows that both sides lock the object that they access. Of the orders
//! between threads only starts are considered.

pub mod graph;
pub mod must;
pub mod races;

use selvedge_base::FastSet;
use selvedge_facts::{AccessId, Candidate, Place};
use selvedge_findings::{Confidence, Finding, InterthreadTable, Reason, group_by_cause};
use selvedge_pta::heap::ObjectId;

pub use graph::{CallGraph, Edge, Node, NodeId};
pub use must::{Must, MustLocks, Runner, must_thread};
pub use races::RaceSet;

use crate::Facts;
use crate::names::Names;
use crate::pairs::telling;
use crate::refuters::Judging;

/// What the user may choose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether to tell pairs, too, that other reasons keep apart.
    pub all: bool,
}

/// What the analysis found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The pairs that are told, one finding for each location.
    pub findings: Vec<Finding>,
    /// How many pairs each condition settles.
    pub table: InterthreadTable,
}

/// The graph, what must hold in it, and the pairs that may race.
pub struct Interthread {
    /// The interthread call graph.
    pub graph: CallGraph,
    /// What must hold at its nodes.
    pub must: Must,
    /// The static datarace set.
    pub set: RaceSet,
}

impl Interthread {
    /// Computes all of it.
    pub fn new(facts: &Facts<'_, '_>) -> Self {
        let graph = CallGraph::new(facts);
        let must = Must::new(&graph);
        let set = RaceSet::new(facts, &graph, &must);
        Self { graph, must, set }
    }

    fn table(&self) -> InterthreadTable {
        let Self { graph, set, .. } = self;
        let count = |counts: &dyn Fn(&Node) -> bool| graph.nodes.iter().filter(|node| counts(node)).count();
        InterthreadTable {
            methods: count(&|node| node.block.is_none()) as u64,
            blocks: count(&|node| node.block.is_some()) as u64,
            must_locks: count(&|node| node.must_lock.is_some()) as u64,
            roots: graph.roots.len() as u64,
            sites: set.reached_sites,
            conflicting: set.conflicting,
            same_thread: set.same_thread,
            common_sync: set.common_sync,
            thread_local: set.thread_local,
            thread_specific: set.thread_specific,
            racy: set.pairs.len() as u64,
            racy_sites: set.sites.len() as u64,
            told: 0,
        }
    }
}

/// Runs the analysis.
pub fn run(facts: &Facts<'_, '_>, options: &Options, judging: Judging<'_>) -> Outcome {
    let found = Interthread::new(facts);
    let survivors = found.set.pairs.iter().filter_map(|&pair| judging.settled.race(pair));
    let mut told: Vec<(Candidate, bool)> = survivors.map(|candidate| (*candidate, true)).collect();
    let table = InterthreadTable { told: told.len() as u64, ..found.table() };
    if options.all {
        let is_known = |candidate: &Candidate| judging.settled.race(accesses(candidate)).is_some();
        let others = found.set.examples.iter().filter(|candidate| !is_known(candidate));
        told.extend(others.map(|candidate| (*candidate, false)));
    }
    let objects: FastSet<ObjectId> = told.iter().filter_map(|(candidate, _)| candidate.object).collect();
    let names = Names::new(facts, &objects);
    let findings = told.iter().map(|(candidate, survives)| finding(facts, &names, candidate, *survives));
    let findings = group_by_cause(findings.collect(), |finding: &Finding| {
        let is_named = finding.location.field.is_some() || !finding.location.held_by.is_empty();
        (finding.kind, finding.location.clone(), (!is_named).then(|| finding.object.clone()))
    });
    Outcome { findings, table }
}

fn accesses(candidate: &Candidate) -> [AccessId; 2] {
    candidate.sides.map(|side| side.access)
}

fn finding(facts: &Facts<'_, '_>, names: &Names<'_, '_>, candidate: &Candidate, survives: bool) -> Finding {
    let place = facts.accesses.all[candidate.sides[0].access].place;
    let (kind, location) = names.location(place, candidate.object);
    let [first, second] = candidate.sides.map(|side| names.side(side));
    let is_bare = first.locks.is_empty() || second.locks.is_empty();
    let (rank, confidence) = match survives {
        true if is_bare => (if place == Place::Container { 55 } else { 45 }, Confidence::Medium),
        true => (25, Confidence::Low),
        false => (5, Confidence::Low),
    };
    let locking = telling::locking(&[first.clone(), second.clone()]);
    let mut finding = Finding::new("interthread", kind, location)
        .sides(first, second)
        .because(Reason::evidence("no single thread makes both accesses in every run"))
        .because(Reason::evidence(format!("no single lock is held at both in every run: {locking}")))
        .ranked(rank, confidence)
        .advise("guard both with one lock that is created once, or let one thread make all accesses");
    if let Some(object) = candidate.object {
        finding = finding.on(names.object(object));
    }
    match survives {
        true => finding,
        false => finding.because(Reason::doubt("refuted by other means than one thread or one lock")),
    }
}
