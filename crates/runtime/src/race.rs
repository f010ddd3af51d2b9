//! A race as the detectors see it: two accesses, in numbers.

use selvedge_protocol::{AccessKind, Location, SiteId, StackId, ThreadId};

use crate::held::Hold;

/// How a run shows a race. A later one is stronger.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shown {
    /// The two accesses have no lock in common.
    Lockset,
    /// Nothing ordered the two accesses.
    HappensBefore,
}

/// One of the two accesses.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// By which thread; `None` only where a location has been accessed by more threads than are distinguished.
    pub thread: Option<ThreadId>,
    /// Where.
    pub site: SiteId,
    /// The callers, if they were taken.
    pub stack: StackId,
    /// Reads or writes.
    pub kind: AccessKind,
    /// The locks held, in order of their objects.
    pub locks: Vec<Hold>,
}

/// Two accesses that race.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Race {
    /// The location as the later access names it.
    pub location: Location,
    /// The later access, the one that was just made.
    pub current: Access,
    /// An earlier one.
    pub previous: Access,
    /// How it is shown.
    pub shown: Shown,
}
