//! What the two halves of the tool say to each other: names of program points, instrumentation plans, events of a run,
//! recorded traces. Plain, versioned data; no analysis, no JVM.
//!
//! - [`SiteKey`] names an instruction of a class file so that the static analysis, the instrumenter and a report mean
//!   the same one; [`SiteKind`] says what it does.
//! - A [`Plan`] says which sites report at run time, and how the detector works ([`Options`]).
//! - A [`Hold`] says at which accesses a directed run holds threads, and [`HoldResults`] who met there.
//! - An [`Event`] is one step of a run that matters to detection. Its ids mean entries of [`Tables`].
//! - [`trace`] is the file format of recorded events: [`TraceWriter`](trace::TraceWriter),
//!   [`TraceReader`](trace::TraceReader). [`text`] is a form of the same for people and tests.
//!
//! **Ids.** Classes, fields, sites, stacks and threads are numbered densely, in the order in which they are defined, by
//! whoever makes the events. Objects have 64-bit numbers that are never used again, whatever the collector does.

pub mod event;
pub mod glob;
pub mod hold;
pub mod jdk;
pub mod options;
pub mod plan;
pub mod site;
pub mod tables;
pub mod text;
pub mod trace;

pub use event::{AccessKind, Action, Channel, ClassId, Event, FieldId, Location, Lock, LockRole, ObjectId};
pub use event::{HoldMode, SiteId, StackId, SyncKind, ThreadId};
pub use hold::{
    Hold, HoldAccess, HoldPair, HoldResults, HoldSite, Locked, Meeting, MeetingThread, StackLine,
};
pub use options::{Arrays, DetectorChoice, Granularity, Options};
pub use plan::{ClassPlan, LeftOut, MethodPlan, Plan, PlanError, QuietPlan, Scope, Sites};
pub use site::{SiteKey, SiteKind};
pub use tables::{Definition, FieldEntry, ObjectEntry, SiteEntry, Tables, ThreadEntry, UndefinedId};
