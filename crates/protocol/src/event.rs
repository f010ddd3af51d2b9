//! Events: the steps of a run that matter to detection.
//!
//! An [`Event`] is small and plain ([`Copy`]); whatever it names is a number with an entry in [`Tables`](crate::Tables).
//! Events of one thread are in program order. Events of different threads are in an order that the run allows: a release
//! comes before the acquisition that it admits, a publication before what subscribes to it, a fork before the thread's first
//! event, a thread's last event before whatever joins it. Nothing more is asked of whoever orders them.

use std::fmt;

selvedge_base::entity! {
    /// A class as loaded: two loaders make two classes of one name.
    ClassId "c";
    /// A field of a loaded class.
    FieldId "f";
    /// A program point.
    SiteId "s";
    /// A stack: the sites of its frames.
    StackId "k";
    /// A thread. Numbers are not used again within a run.
    ThreadId "t";
}

impl SiteId {
    /// The site that stands for an unknown one: number 0 of every table.
    pub const UNKNOWN: Self = Self::new(0);
}

impl StackId {
    /// No stack was taken: number 0 of every table.
    pub const NONE: Self = Self::new(0);
}

/// An object, by a number that is never used again (never an address).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u64);

impl ObjectId {
    /// No object.
    pub const NONE: Self = Self(0);
}

impl fmt::Display for ObjectId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "o{}", self.0)
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// One step of one thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// The thread.
    pub thread: ThreadId,
    /// The instruction; [`SiteId::UNKNOWN`] where there is none.
    pub site: SiteId,
    /// The stack, without the site itself; [`StackId::NONE`] where none was taken.
    pub stack: StackId,
    /// What it does.
    pub action: Action,
}

impl Event {
    /// A step at an unknown site, with no stack.
    pub fn new(thread: ThreadId, action: Action) -> Self {
        Self { thread, site: SiteId::UNKNOWN, stack: StackId::NONE, action }
    }

    /// The same step at this site.
    pub fn at(self, site: SiteId) -> Self {
        Self { site, ..self }
    }

    /// The same step with this stack.
    pub fn called_from(self, stack: StackId) -> Self {
        Self { stack, ..self }
    }
}

/// A plain memory location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Location {
    /// A field of an object.
    Field {
        /// The object.
        object: ObjectId,
        /// Its field.
        field: FieldId,
    },
    /// A static field.
    Static {
        /// The field.
        field: FieldId,
    },
    /// An element of an array.
    Element {
        /// The array.
        object: ObjectId,
        /// The index.
        index: u32,
    },
    /// The content of an unsynchronised library object (a `HashMap`), or an object as a whole.
    Content {
        /// The object.
        object: ObjectId,
    },
}

impl Location {
    /// The object that the location is part of; `None` for statics.
    pub fn object(self) -> Option<ObjectId> {
        match self {
            Self::Field { object, .. } | Self::Element { object, .. } | Self::Content { object } => {
                Some(object)
            }
            Self::Static { .. } => None,
        }
    }
}

/// What an access does to its location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// Reads it.
    Read,
    /// Writes it.
    Write,
}

/// What a step on a volatile or atomic variable does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SyncKind {
    /// Reads it: what was written before is seen.
    Read,
    /// Writes it: whoever reads later comes after.
    Write,
    /// Both in one step.
    Update,
}

/// An object in one of its roles as a lock: its monitor and the `ReentrantLock` that it is are two locks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lock {
    /// The object; for a static synchronized method the object of the class.
    pub object: ObjectId,
    /// Which of its locks.
    pub role: LockRole,
}

/// Which lock of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LockRole {
    /// The monitor that `synchronized` takes.
    Monitor,
    /// The lock of java.util.concurrent that the object is (or is a view of: give the lock behind the view).
    Explicit,
}

/// How a lock is held.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HoldMode {
    /// Against everyone. A semaphore that has one permit is held so.
    Exclusive,
    /// Together with others in shared mode.
    Shared,
}

/// Through what threads hand over: what is published on a channel comes before what subscribes to the same channel later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Channel {
    /// An object (latch, barrier, future, queue). With an `item` other than [`ObjectId::NONE`], only the hand-over of
    /// that very item.
    Object {
        /// The object.
        object: ObjectId,
        /// What is handed over, or none.
        item: ObjectId,
    },
    /// The interruption of the thread that this object is.
    Interrupt {
        /// The thread object.
        object: ObjectId,
    },
    /// The permit of the thread that this object is (`LockSupport`).
    Permit {
        /// The thread object.
        object: ObjectId,
    },
    /// The initialisation of a class: its end publishes, whoever finds the class initialised subscribes.
    Class {
        /// The class.
        class: ClassId,
    },
}

/// What a step does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// A plain access, one that can race. Volatile and final fields give none.
    Access {
        /// What is accessed.
        location: Location,
        /// How.
        kind: AccessKind,
    },
    /// A step on a volatile or atomic variable; it never races. The location is the variable's.
    Sync {
        /// The variable.
        location: Location,
        /// What is done.
        kind: SyncKind,
    },
    /// A lock is held from here on.
    Acquire {
        /// The lock.
        lock: Lock,
        /// How.
        mode: HoldMode,
        /// How often the thread holds it in this mode now: 1 for the first, more where it held it before.
        depth: u32,
    },
    /// A lock is given back, once. Also by `Object.wait`, which then acquires it again at the same depth.
    Release {
        /// The lock.
        lock: Lock,
        /// How it was held.
        mode: HoldMode,
        /// How often the thread holds it in this mode still: 0 after the last.
        depth: u32,
    },
    /// The thread starts another.
    Fork {
        /// The other.
        child: ThreadId,
    },
    /// The thread has seen the end of another.
    Join {
        /// The other.
        child: ThreadId,
    },
    /// The thread has nothing more to do: its last event.
    End,
    /// Hands over.
    Publish {
        /// Through what.
        channel: Channel,
    },
    /// Receives.
    Subscribe {
        /// Through what.
        channel: Channel,
    },
    /// The object is gone: no event names it again. The thread is any one (the collector has no number).
    Freed {
        /// The object.
        object: ObjectId,
    },
}
