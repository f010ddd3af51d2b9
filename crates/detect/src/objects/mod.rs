//! Objects in whose methods two threads may be at the same time.
//!
//! ## What it does
//! Finds objects that two threads may enter at the same time, without a lock or an owner that excludes it. An object
//! *owns* another if all references to that object lead through it; a lock of the owner protects all that it owns, and
//! a race on the owner exposes all that it owns. Objects without an owner are *distributed*.
//!
//! ## Why it matters
//! A race on a field is a symptom. The object race says which object several threads use without protection, which
//! methods meet in it, who owns it, and which owner should have locked. It also shows what accesses to fields hide:
//! calls on containers and library objects, at the line of the application and with the chain of owners.
//!
//! ## Example
//! ```java
//! class Warehouse {
//!     private final List<Item> items = new ArrayList<>();      // owned by the warehouse
//!     synchronized int size() { return items.size(); }
//!     void put(Item item) { items.add(item); }                 // meets size, and itself, in the list
//! }
//! ```
//! Make `put` synchronized.
//!
//! ## How (seed: "Static Object Race Detection")
//! | file | what it computes |
//! |---|---|
//! | [`selvedge_facts::ownership`] | the object graph, boundaries and owners |
//! | [`calls`] | calls from object to object |
//! | [`locks`] | locks that are held at these calls |
//! | [`events`] | what happens to objects: entries into methods, uses of their state |
//! | [`meetings`] | which events may overlap, for very many pairs of events |
//! | [`races`] | pairs of methods that may meet in an object, from distributed objects down |
//! | [`state`] | which of them conflict |
//! | [`choosing`] | which of these are reported, and which are one finding |
//! | [`report`] | findings |
//! | [`refute`] | the same as a refuter of pairs |
//!
//! ## Limits
//! Methods that only read, or whose accesses other refuters order or exclude (order, inner locks, thread-confined
//! objects), are reported with `--all` only. An object under construction counts as confined to its thread. Of the many
//! pairs of methods that meet in the objects of a class enough are reported to name most methods; the rest is counted.

pub mod calls;
pub mod choosing;
pub mod events;
pub mod locks;
pub mod meetings;
pub mod races;
pub mod refute;
pub mod report;
mod sentences;
pub mod state;

pub use calls::{ObjectCalls, Source, TupleId};
pub use events::{Event, EventId, Passage, What, is_own_state};
pub use races::{ObjectRaces, Race};
pub use report::{Options, Outcome, run};
