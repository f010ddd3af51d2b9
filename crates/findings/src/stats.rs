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
