//! Facts about a program that detectors reason with, each computed in one file from the points-to result.
//!
//! | file | relation |
//! |---|---|
//! | [`bundle`] | all of them, as refuters and detectors are given them |
//! | [`refutation`] | the form in which facts say why two accesses cannot race |
//! | [`refuters`] | the reasons why a pair is safe, in the order in which they are tried |
//! | [`limits`] | the constants that bound the work |
//!
//! What the refuters rest on:
//!
//! | file | relation |
//! |---|---|
//! | [`view`] | the call graph as detectors see it, with the library effects of each call |
//! | [`shape`] | blocks and loops of a method, computed once |
//! | [`accesses`] | which instructions read or write which kind of place |
//! | [`threads`] | which abstract threads there are, what each may execute |
//! | [`executions`] | what runs at most once, which abstract objects stand for one object |
//! | [`ownership`] | which objects can only be reached through which others |
//! | [`benign`] | what kind of race a pair is, for ranking |
//!
//! The eight families of refuters:
//!
//! | folder | what it reasons about |
//! |---|---|
//! | [`escape`] | which objects more than one thread may get hold of |
//! | [`publication`] | what is done before an object is published |
//! | [`confinement`] | which objects one thread only touches |
//! | [`locks`] | which locks are held at each access, and whether two accesses hold a common one |
//! | [`order`] | which accesses cannot happen in parallel |
//! | [`handover`] | which objects go from hand to hand |
//! | [`arrays`] | which array elements different threads touch |
//! | [`assertions`] | what people say |
//!
//! Names say `may_` or `must_`: a *may* fact holds if any run shows it (too many are listed), a *must* fact holds in every run
//! (too few are listed). A refutation may rest on the absence of a may fact and on the presence of a must fact only.

pub mod accesses;
pub mod arrays;
pub mod assertions;
pub mod benign;
pub mod bundle;
pub mod confinement;
mod describe;
pub mod escape;
pub mod executions;
pub mod handover;
mod heap_graph;
mod limits;
pub mod locks;
mod memo;
pub mod order;
pub mod ownership;
pub mod publication;
pub mod refutation;
pub mod refuters;
pub mod shape;
pub mod threads;
pub mod view;
mod ways;

pub use accesses::{Access, AccessId, AccessKind, Accesses, Place, Within};
pub use arrays::Arrays;
pub use benign::{Benign, Pattern, PatternKind};
pub use bundle::{Facts, Ground};
pub use confinement::Confinement;
pub use confinement::thread_specific::{ThreadMethods, ThreadSpecific};
pub use escape::Escape;
pub use executions::Executions;
pub use handover::taken_once::TakenOnce;
pub use locks::{CallLocks, GlobalLock, HeldLock, LockPath, Locking, Locks, Mode, Monitor};
pub use order::Order;
pub use ownership::{NodeId, ObjectGraph, Ownership};
pub use publication::ready_flag::ReadyFlag;
pub use publication::{Holder, InThreads, Publication};
pub use refutation::{Candidate, Occurrence, Refutation, Strength, Unproved, Why};
pub use shape::Shape;
pub use threads::{AbstractThread, Origin, ThreadId, Threads};
pub use view::{CallAt, View};
