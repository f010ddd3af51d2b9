//! Objects that two threads may be inside at the same time.
//!
//! ## What it does
//! Finds objects in whose methods two threads may be at once, without a lock or an owner that keeps them apart. An object *owns* another if
//! all references to that lead through it; a lock on the owner protects all that it owns, and a race on the owner is what
//! exposes it. Objects that nobody owns are *distributed*.
//!
//! ## Why it matters
//! A race on a field is a symptom. The object race says which object is used by several threads without protection, which methods meet in it,
//! who owns it, and which owner would have had to lock. It also shows what accesses to fields hide: calls on containers and library
//! objects that are told at the line of the application, with the chain of owners.
//!
//! ## Example
//! ```java
//! class Warehouse {
//!     private final List<Item> items = new ArrayList<>();      // owned: nobody else has it
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
//! | [`calls`] | control that passes from object to object |
//! | [`locks`] | locks that are held where it does |
//! | [`events`] | what happens to objects: entrances into methods, uses of their state |
//! | [`meetings`] | which events may overlap, for very many pairs of events |
//! | [`races`] | pairs of methods that may meet in an object, from distributed objects down |
//! | [`state`] | which of them harm each other |
//! | [`choosing`] | which of these are told, and which are one finding |
//! | [`report`] | findings |
//! | [`refute`] | the same as a refuter of pairs |
//!
//! ## Limits
//! Methods that only read, or whose accesses other reasons keep apart (order, inner locks, objects of one thread), are told with `--all` only.
//! An object under construction counts as confined to its thread. Of the many pairs of methods that meet in the objects of a class
//! some are told, so that most methods are named, and the rest is counted.

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
