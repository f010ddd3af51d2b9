//! Facts about a program that detectors reason with, each computed in one file from the points-to result.
//!
//! | file | relation |
//! |---|---|
//! | [`bundle`] | all of them, as refuters and detectors are given them |
//! | [`refuters`] | the reasons why a pair is safe, in the order in which they are tried |
//! | [`view`] | the call graph as detectors see it, with the library effects of each call |
//! | [`shape`] | blocks and loops of a method, computed once |
//! | [`thread_specific`] | what only a thread object's constructor and the thread itself touch |
//! | [`threads`] | which abstract threads there are, what each may execute |
//! | [`escape`] | which objects more than one thread may get hold of |
//! | [`executions`] | what runs at most once, which abstract objects stand for one object |
//! | [`order`] | which accesses cannot happen in parallel |
//! | [`streams`] | which callbacks of streams may run in other threads |
//! | [`refutation`] | the form in which facts say why two accesses cannot race |
//! | [`locks`] | which locks are held at each access, and whether two accesses hold a common one |
//! | [`arrays`] | which array elements different threads touch |
//! | [`benign`] | what kind of race a pair is, for ranking |
//! | [`publication`] | which accesses are to objects that are not yet published |
//! | [`sharing`] | which threads touch an object, which objects belong to one thread of many |
//! | [`excluded`] | which objects an access cannot mean, by a comparison on the way |
//! | [`flags`] | what is set up before a volatile flag says so |
//! | [`taken`] | which objects go from hand to hand, through queues and as tasks |
//! | `handover` | which values go to exactly one owner |
//! | [`joined`] | which accesses come after a join of the thread that owns the object |
//! | [`finalizers`] | finalisers own what they finalise |
//! | [`hosting`] | containers prepare their services before they call them |
//! | [`ownership`] | which objects can only be reached through which others |
//! | [`accesses`] | which instructions read or write which kind of place |
//!
//! Names say `may_` or `must_`: a *may* fact holds if any run shows it (too many are listed), a *must* fact holds in every run
//! (too few are listed). A refutation may rest on the absence of a may fact and on the presence of a must fact only.

pub mod accesses;
pub mod arrays;
pub mod benign;
pub mod bundle;
pub mod escape;
pub mod excluded;
pub mod executions;
pub mod finalizers;
pub mod flags;
mod handover;
mod heap_graph;
pub mod hosting;
pub mod joined;
pub mod locks;
mod memo;
pub mod order;
pub mod ownership;
pub mod publication;
pub mod refutation;
pub mod refuters;
pub mod shape;
pub mod sharing;
pub mod streams;
pub mod taken;
pub mod thread_specific;
pub mod threads;
pub mod view;
mod ways;
mod words;

pub use accesses::{Access, AccessId, AccessKind, Accesses, Place, Within};
pub use arrays::Arrays;
pub use benign::{Benign, Pattern, PatternKind};
pub use bundle::{Facts, Ground};
pub use escape::Escape;
pub use executions::Executions;
pub use flags::Flags;
pub use locks::{CallLocks, GlobalLock, HeldLock, LockPath, Locking, Locks, Mode, Monitor};
pub use order::Order;
pub use ownership::{NodeId, ObjectGraph, Ownership};
pub use publication::{Holder, InThreads, Publication};
pub use refutation::{Candidate, Occurrence, Refutation, Strength, Unproved, Why};
pub use shape::Shape;
pub use sharing::Sharing;
pub use taken::Taken;
pub use thread_specific::{ThreadMethods, ThreadSpecific};
pub use threads::{AbstractThread, Origin, ThreadId, Threads};
pub use view::{CallAt, View};
