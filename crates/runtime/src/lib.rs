//! From a stream of events to races. No JVM in it: events come from an agent, a recorded trace or a test.
//!
//! Two definitions of a race, one file each:
//! - [`lockset`]: same location, different threads, one writes, no lock in common, and neither thread has seen the end of
//!   the other. Shows races that another schedule of the same run would have; may report what only a hand-over
//!   orders (a barrier, a queue).
//! - [`happens_before`]: nothing in this run orders the two accesses. No false report; a race that this schedule hid
//!   is missed.
//!
//! An [`Engine`] runs one or both over a stream and says each [`Race`] as it comes; a [`RaceLog`] counts them by pair of
//! sites and turns them into findings. The parts that make it cheap are [`trie`] (weaker-than), [`cache`] and
//! [`ownership`]; [`shadow`] keeps what is known of locations, bounded and freed with their objects.
//! [`pairs`] enumerates all racing pairs of a location off-line; [`naive`] holds the definitions as they are written, for the
//! tests.
//!
//! ```
//! use selvedge_protocol::{Options, text};
//! use selvedge_runtime::Engine;
//!
//! let trace = text::parse("T1: fork T2; T1: write o.f @A.m:3; T2: write o.f @B.run:7").unwrap();
//! let mut engine = Engine::new(&Options::default());
//! let races: Vec<_> = trace.events.iter().filter_map(|event| engine.event(event)).collect();
//! assert_eq!(races.len(), 1);
//! ```

pub mod cache;
pub mod clock;
pub mod engine;
pub mod happens_before;
pub mod held;
pub mod lockset;
pub mod log;
pub mod naive;
pub mod ownership;
pub mod pairs;
pub mod race;
pub mod ranges;
pub mod report;
pub mod session;
pub mod shadow;
pub mod trie;

pub use engine::{Detector, Engine};
pub use held::{Held, HeldTable, Hold};
pub use log::{Circumstances, RaceLog};
pub use race::{Access, Race, Shown};
