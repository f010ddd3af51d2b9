//! Reasons why two accesses cannot race, in one form for all facts.

use std::fmt;

pub use selvedge_findings::Strength;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use crate::accesses::{AccessId, Place};
use crate::threads::ThreadId;

/// An access as one thread may execute it: the access, the instance of its method, and the thread that runs the instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Occurrence {
    /// The access.
    pub access: AccessId,
    /// The instance of its method.
    pub instance: InstanceId,
    /// The thread.
    pub thread: ThreadId,
}

/// Two occurrences that might race, and the object on which; `None` for static fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The two sides.
    pub sides: [Occurrence; 2],
    /// The common object.
    pub object: Option<ObjectId>,
}

/// Why a candidate is no race.
pub struct Refutation<'a> {
    /// The name of the refuter, as `--without NAME` and reports have it.
    pub by: &'static str,
    /// How much it is worth.
    pub strength: Strength,
    /// Whether it holds whatever threads execute the two instances, though that of others by the same refuter need not.
    pub for_all_threads: bool,
    /// Makes the sentence. Millions of candidates are refuted and a few are told, so the words are found when somebody reads them.
    sentence: Box<dyn Fn() -> String + Send + Sync + 'a>,
}

impl<'a> Refutation<'a> {
    /// A refutation, with what tells it to the reader: one sentence with names and lines, without the final stop.
    pub fn new(
        by: &'static str,
        strength: Strength,
        sentence: impl Fn() -> String + Send + Sync + 'a,
    ) -> Self {
        Self { by, strength, for_all_threads: false, sentence: Box::new(sentence) }
    }

    /// Says whether it holds whatever threads execute the two instances.
    pub fn for_all_threads(self, is_so: bool) -> Self {
        Self { for_all_threads: is_so, ..self }
    }

    /// A refutation that holds in every run.
    pub fn proof(by: &'static str, sentence: impl Fn() -> String + Send + Sync + 'a) -> Self {
        Self::new(by, Strength::Proof, sentence)
    }

    /// A refutation that rests on something that usually holds.
    pub fn heuristic(by: &'static str, sentence: impl Fn() -> String + Send + Sync + 'a) -> Self {
        Self::new(by, Strength::Heuristic, sentence)
    }

    /// One sentence for the reader, with names and lines, without the final stop.
    pub fn because(&self) -> String {
        (self.sentence)()
    }
}

impl fmt::Debug for Refutation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:?}): {}", self.by, self.strength, self.because())
    }
}

/// Objects with a place where two accesses are not proved to be safe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unproved {
    /// The place.
    pub place: Place,
    /// The objects; none for a static field.
    pub objects: Vec<ObjectId>,
    /// Why.
    pub why: Why,
}

/// Why a location is not known to be safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// No proof refutes this.
    Candidate(Candidate),
    /// A pair of accesses can happen in more ways than are tried.
    ManyWays([AccessId; 2]),
    /// There are so many pairs of this kind that not all were asked about.
    ManyPairs,
    /// Whoever touches it also touches other objects, for which it is watched.
    Watched,
}
