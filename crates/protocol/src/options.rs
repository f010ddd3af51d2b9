//! How the run-time detector works. One definition: the command line, the plan file and the agent use this.

use serde::{Deserialize, Serialize};

/// Which detectors judge the events.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DetectorChoice {
    /// Lockset: races that this or another schedule of the run shows.
    Lockset,
    /// Happens-before: races that this schedule shows; no false report.
    #[serde(rename = "hb")]
    HappensBefore,
    /// Lockset, and what happens-before also shows is marked.
    #[default]
    Both,
}

/// What one location is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Granularity {
    /// A field of an object.
    #[default]
    Field,
    /// An object with all its fields. Statics stay apart.
    Object,
}

/// What counts as one location in an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrays {
    /// The array as a whole.
    Whole,
    /// Each element.
    #[default]
    Element,
    /// Accesses to arrays are not looked at.
    Off,
}

/// How the detector works.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Options {
    /// Which detectors.
    pub detector: DetectorChoice,
    /// What one location is.
    pub granularity: Granularity,
    /// What counts as one location in an array.
    pub arrays: Arrays,
    /// Whether the first thread owns a location until a second one touches it (lockset only).
    pub ownership: bool,
    /// Whether a lock that one thread alone has used for long is taken to stay that thread's (not with locksets alone).
    pub settling: bool,
    /// After so many judgements an access is no longer watched (sampling); 0 if all are watched to the end.
    pub fade_after: u32,
    /// Whether each thread remembers what it has reported, so that repeated accesses cost little (lockset only).
    pub cache: bool,
    /// Whether an event that a weaker one makes redundant is dropped (lockset only; off for measurements).
    pub weaker_than: bool,
    /// Whether an access need not tell if another one of the method has told the same before (off for measurements).
    pub dominators: bool,
    /// Whether what a loop does is told once, when it is left (off for measurements).
    pub peeling: bool,
    /// Whether methods have the versions that a plan lists (off for measurements).
    pub versions: bool,
    /// At most this many locations are watched at a time; more are counted and said in the report.
    pub max_locations: u64,
    /// At most this many words of clocks are kept by the happens-before detector; beyond, it stops and says so.
    pub max_clock_words: u64,
    /// At most this many races are kept; more are counted.
    pub max_races: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            detector: DetectorChoice::default(),
            granularity: Granularity::default(),
            arrays: Arrays::default(),
            ownership: true,
            settling: true,
            fade_after: 0,
            cache: true,
            weaker_than: true,
            dominators: true,
            peeling: true,
            versions: true,
            max_locations: 20_000_000,
            max_clock_words: 250_000_000,
            max_races: 10_000,
        }
    }
}
