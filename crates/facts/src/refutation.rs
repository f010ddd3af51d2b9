//! Reasons why two accesses cannot race, in one form for all facts.

use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use crate::accesses::AccessId;
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

/// How much a refutation is worth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strength {
    /// It rests on something that usually holds, but need not.
    Heuristic,
    /// It holds in every run, given the listed assumptions of the points-to analysis.
    Proof,
}

/// Why a candidate is no race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The name of the refuter, as `--without NAME` and reports have it.
    pub by: &'static str,
    /// How much it is worth.
    pub strength: Strength,
    /// One sentence for the reader, with names and lines, without the final stop.
    pub because: String,
}
