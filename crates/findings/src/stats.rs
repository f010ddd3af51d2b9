//! What the analysis counted and how long it took.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How many pairs were left after each stage, each a subset of the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Stages {
    /// Same field or both array elements, at least one write.
    pub original: u64,
    /// Both reachable, from threads that may run in parallel.
    pub reachable: u64,
    /// On a common object.
    pub aliasing: u64,
    /// On an object that may be shared.
    pub escaping: u64,
    /// Under no common lock.
    pub unlocked: u64,
}

impl Stages {
    /// The stages in order, with their names.
    pub fn named(&self) -> [(&'static str, u64); 5] {
        [
            ("original", self.original),
            ("reachable", self.reachable),
            ("aliasing", self.aliasing),
            ("escaping", self.escaping),
            ("unlocked", self.unlocked),
        ]
    }
}

/// A refuter beyond the stages, and how many pairs it removed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct RefuterCount {
    /// Its name.
    pub name: String,
    /// How many pairs it removed.
    pub removed: u64,
}

/// How large the application is, and how much of it was reached. A statement is an instruction of the bytecode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ApplicationTable {
    /// Classes and interfaces.
    pub classes: u64,
    /// Methods that have code.
    pub methods: u64,
    /// Those that some call reaches.
    pub reached_methods: u64,
    /// Statements of all methods.
    pub statements: u64,
    /// Statements of reached methods.
    pub reached_statements: u64,
    /// Places in reached methods that read a field, an element or a container of the library.
    pub reads: u64,
    /// Places in reached methods that write one, or read and write it.
    pub writes: u64,
    /// How many of these are to an object of which nothing is known, in every context: what makes it was not analysed.
    pub unknown: u64,
}

/// How many objects that several threads may know are owned by others, and how many of them race.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ObjectTable {
    /// Owned by nobody, and without a race.
    pub distributed_race_free: u64,
    /// Owned by nobody, with a race.
    pub distributed_racy: u64,
    /// Owned by another object, and without a race.
    pub owned_race_free: u64,
    /// Owned by another object, with a race.
    pub owned_racy: u64,
}

/// How many objects that several threads use are protected in which way, and how large their use graphs are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct UseTable {
    /// Used by one thread only.
    pub local: u64,
    /// Used before they escape, or in an order that the program sets.
    pub ordered: u64,
    /// Only read beside others.
    pub read_only: u64,
    /// Protected by a lock.
    pub lock_protected: u64,
    /// Protected field by field.
    pub mix_protected: u64,
    /// In conflict.
    pub conflicting: u64,
    /// Of those in conflict: all writes hold a common lock.
    #[serde(default)]
    pub writes_locked: u64,
    /// Of those in conflict: each thread likely has one of its own.
    #[serde(default)]
    pub thread_local: u64,
    /// Of those in conflict: a lock that is likely one protects them.
    #[serde(default)]
    pub likely_lock: u64,
    /// Of those in conflict: no common lock.
    #[serde(default)]
    pub unlocked: u64,
    /// Of those in conflict: no other reason keeps the accesses apart, so that they are told.
    #[serde(default)]
    pub told: u64,
    /// How many of all are classes, with static fields as their state.
    #[serde(default)]
    pub classes: u64,
    /// How many of all are written, and accessed by several threads: what plain sharing would tell.
    #[serde(default)]
    pub shared: u64,
    /// How many may be known to several threads, whoever accesses them: what an escape analysis would tell.
    #[serde(default)]
    pub global: u64,
    /// Allocation sites of these.
    #[serde(default)]
    pub global_allocations: u64,
    /// Access sites of these.
    #[serde(default)]
    pub global_sites: u64,
    /// How many would be in conflict if only locks counted, not the order of accesses.
    #[serde(default)]
    pub without_order: u64,
    /// Allocation sites of these.
    #[serde(default)]
    pub without_order_allocations: u64,
    /// Access sites of these.
    #[serde(default)]
    pub without_order_sites: u64,
    /// Allocation sites of what plain sharing would tell.
    #[serde(default)]
    pub shared_allocations: u64,
    /// Allocation sites of what is in conflict.
    #[serde(default)]
    pub conflicting_allocations: u64,
    /// Allocation sites of what is told.
    #[serde(default)]
    pub told_allocations: u64,
    /// Access sites of each field in conflict, added up.
    #[serde(default)]
    pub sites_of_fields: u64,
    /// Access sites of the field in conflict that has most.
    #[serde(default)]
    pub most_sites_of_field: u64,
    /// Access sites of all.
    pub sites: u64,
    /// Access sites of what plain sharing would tell.
    #[serde(default)]
    pub shared_sites: u64,
    /// Access sites in conflict.
    pub conflicting_sites: u64,
    /// Access sites in conflict of what is told.
    #[serde(default)]
    pub told_sites: u64,
    /// Fields of objects in conflict, each as often as there are objects.
    #[serde(default)]
    pub conflicting_fields: u64,
    /// Events in all use graphs.
    pub events: u64,
    /// Events in the graph in the middle, by size.
    #[serde(default)]
    pub median_events: u64,
    /// Events in the largest graph.
    #[serde(default)]
    pub most_events: u64,
    /// Methods in contexts that were followed to find what comes after an event, each as often as it was followed.
    #[serde(default)]
    pub followed: u64,
    /// Calls that were not followed, because they lead to no event of the object.
    #[serde(default)]
    pub without_effect: u64,
    /// Threads whose result is that of another thread, which reaches the same methods.
    #[serde(default)]
    pub reused: u64,
}

/// The interthread call graph, and how many pairs of accesses each condition of the static datarace set leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct InterthreadTable {
    /// Methods of the graph, each once for each context.
    pub methods: u64,
    /// Synchronized blocks, each once for each context.
    pub blocks: u64,
    /// Synchronized methods and blocks whose lock must be one object.
    pub must_locks: u64,
    /// Thread roots.
    pub roots: u64,
    /// Access sites that threads reach.
    pub sites: u64,
    /// Pairs that may conflict.
    pub conflicting: u64,
    /// Of these, pairs that one thread always makes.
    pub same_thread: u64,
    /// Of the rest, pairs that always hold a common lock.
    pub common_sync: u64,
    /// Of the rest, pairs on objects that never leave their thread.
    pub thread_local: u64,
    /// Of the rest, pairs on thread-specific fields and objects.
    pub thread_specific: u64,
    /// What is left: the static datarace set.
    pub racy: u64,
    /// Access sites in some pair of the set.
    pub racy_sites: u64,
    /// Pairs of the set that no other reason keeps apart, so that they are told.
    pub told: u64,
}

/// One step of the work and its time.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// Milliseconds.
    pub ms: u64,
}

/// Counts and times of one analysis.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Stats {
    /// Pairs after each stage.
    pub stages: Stages,
    /// Further refuters in the order in which they were applied.
    #[serde(default)]
    pub refuters: Vec<RefuterCount>,
    /// Methods reached.
    pub methods: u64,
    /// Classes read.
    pub classes: u64,
    /// Contexts of methods.
    pub contexts: u64,
    /// Abstract objects.
    pub objects: u64,
    /// Times, in the order of the work.
    pub phases: Vec<Phase>,
    /// The most memory that the process held; 0 where it is not known.
    pub peak_rss_bytes: u64,
    /// The size of the application; nothing for runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<ApplicationTable>,
    /// Objects by owners and races, if object races were looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ownership: Option<ObjectTable>,
    /// Objects by how their uses are protected, if that was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uses: Option<UseTable>,
    /// The static datarace set, if it was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interthread: Option<InterthreadTable>,
    /// Findings not reported, by what leaves them out: `baseline`, `configuration`,
    /// `annotation` (in class files), `source` (in sources), `scope`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub suppressed: BTreeMap<String, u64>,
}

impl Stats {
    /// Without what differs from run to run on the same input (times and memory), for comparisons byte by byte.
    pub fn without_measurements(self) -> Self {
        Self { phases: Vec::new(), peak_rss_bytes: 0, ..self }
    }
}
