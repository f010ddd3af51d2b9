//! Program points by name, and what they do.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An instruction of a class file, by names that survive loading, rewriting and analysis.
///
/// The index is that of the *original* bytecode: the instrumenter keeps it when it moves code, so that a plan made from
/// the jar, the events of the run and the report agree.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct SiteKey {
    /// The class's internal name, `p/C$D`.
    pub class: String,
    /// The method's name.
    pub method: String,
    /// The method's descriptor.
    pub descriptor: String,
    /// The index of the instruction in the method's original code.
    pub index: u32,
}

impl SiteKey {
    /// A site by its four parts.
    pub fn new(
        class: impl Into<String>,
        method: impl Into<String>,
        descriptor: impl Into<String>,
        index: u32,
    ) -> Self {
        Self { class: class.into(), method: method.into(), descriptor: descriptor.into(), index }
    }
}

impl fmt::Display for SiteKey {
    /// `p/C.m(I)V@12`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}{}@{}", self.class, self.method, self.descriptor, self.index)
    }
}

macro_rules! site_kinds {
    ($($(#[$meta:meta])* $name:ident = $code:literal $word:literal;)*) => {
        /// What a site does. The number is that of the trace format: kinds are added, never renumbered.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[repr(u8)]
        pub enum SiteKind { $($(#[$meta])* $name = $code,)* }

        impl SiteKind {
            /// All kinds, by number.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The kind with this number.
            pub fn from_code(code: u8) -> Option<Self> {
                match code { $($code => Some(Self::$name),)* _ => None }
            }

            /// The word for it, in plans and in the text form.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }
        }
    };
}

site_kinds! {
    /// Not known, or none of the others.
    #[default]
    Other = 0 "other";
    /// `getfield` of a plain field.
    FieldGet = 1 "field-get";
    /// `putfield` of a plain field.
    FieldPut = 2 "field-put";
    /// `getstatic` of a plain field.
    StaticGet = 3 "static-get";
    /// `putstatic` of a plain field.
    StaticPut = 4 "static-put";
    /// `iaload` and its like.
    ArrayLoad = 5 "array-load";
    /// `iastore` and its like.
    ArrayStore = 6 "array-store";
    /// `getfield` or `getstatic` of a volatile field.
    VolatileGet = 7 "volatile-get";
    /// `putfield` or `putstatic` of a volatile field.
    VolatilePut = 8 "volatile-put";
    /// `monitorenter`.
    MonitorEnter = 9 "monitor-enter";
    /// `monitorexit`.
    MonitorExit = 10 "monitor-exit";
    /// Entry of a synchronized method.
    SynchronizedEnter = 11 "synchronized-enter";
    /// Exit of a synchronized method, normal or not.
    SynchronizedExit = 12 "synchronized-exit";
    /// A call that takes a lock.
    Acquire = 13 "acquire";
    /// A call that gives a lock back.
    Release = 14 "release";
    /// A call that starts a thread or hands over a task.
    Fork = 15 "fork";
    /// A call that waits for the end of a thread or task.
    Join = 16 "join";
    /// A call that publishes on a channel.
    Publish = 17 "publish";
    /// A call that subscribes to a channel.
    Subscribe = 18 "subscribe";
    /// A call that reads an atomic variable.
    AtomicRead = 19 "atomic-read";
    /// A call that writes an atomic variable.
    AtomicWrite = 20 "atomic-write";
    /// A call that reads and writes an atomic variable in one step.
    AtomicUpdate = 21 "atomic-update";
    /// A call that reads the content of an unsynchronised library object.
    ContainerRead = 22 "container-read";
    /// A call that changes the content of an unsynchronised library object.
    ContainerWrite = 23 "container-write";
    /// `new`, `newarray` and their like.
    Allocation = 24 "allocation";
    /// Any other call: a frame of a stack.
    Call = 25 "call";
}

impl SiteKind {
    /// Whether the site is a plain access, one that can race.
    pub fn is_access(self) -> bool {
        use SiteKind::*;
        matches!(
            self,
            FieldGet
                | FieldPut
                | StaticGet
                | StaticPut
                | ArrayLoad
                | ArrayStore
                | ContainerRead
                | ContainerWrite
        )
    }

    /// Whether the site is an access that writes.
    pub fn is_write(self) -> bool {
        use SiteKind::*;
        matches!(self, FieldPut | StaticPut | ArrayStore | ContainerWrite)
    }
}
