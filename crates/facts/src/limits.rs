//! The constants that bound the work, all in one place.
//!
//! A bound decides how far an analysis looks, never what is true: past a bound the analysis knows less, so that a refuter says nothing. Refuters whose
//! answer would be wrong past a bound are none: what is passed over is unexamined.

// Facts.
/// How many calls deep the library is looked into.
pub(crate) const LIBRARY_CALLS: usize = 5;
/// How many instances of library code that lead to an access are looked at below one call.
pub(crate) const LIBRARY_INSTANCES: usize = 60;
/// How many references away from an argument an object may be.
pub(crate) const REFERENCES_FROM_ARGUMENT: usize = 2;
/// How many constructors of superclasses are looked into.
pub(crate) const SUPERCLASSES: usize = 6;
/// How many threads a call starts that are distinguished by the instances they run.
pub(crate) const THREADS_BY_INSTANCE: usize = 8;
/// How many threads a call starts that are distinguished by the methods they run.
pub(crate) const THREADS_BY_METHOD: usize = 64;

// Escape.
/// A static field or container that may hold more objects than this says nothing of a single one of them.
pub(crate) const HELD_BY_ONE: usize = 100;

// Publication.
/// How many calls a parameter is followed through.
pub(crate) const PARAMETER_CALLS: usize = 12;
/// How many calls are followed that return what they are passed.
pub(crate) const RETURNING_CALLS: usize = 4;
/// How many collections are distinguished that something is a part of.
pub(crate) const COLLECTIONS_OF_A_PART: usize = 4;
/// How many calls are followed.
pub(crate) const FLAG_CALLS: usize = 3;
/// Programs with more flags than this have others in mind.
pub(crate) const FLAGS: usize = 400;

// Hand-over.
/// How many calls an argument is followed through.
pub(crate) const FRESH_CALLS: usize = 8;
/// How many calls a value is followed through.
pub(crate) const CUSTODY_CALLS: usize = 8;
/// Collections that are changed in more ways (calls, by threads) than this are left alone.
pub(crate) const WORK_LIST_CHANGES: usize = 60;

// Arrays.
/// How many calls and definitions are followed.
pub(crate) const INDEX_STEPS: usize = 24;

// Order.
/// How often what ends with a thread is found anew: as deep as threads that join threads are nested.
pub(crate) const NESTED_JOINS: usize = 4;
/// How often threads that may leave others running are dropped from those that are complete; after that none is assumed to be.
pub(crate) const INCOMPLETE_THREADS: usize = 8;
/// Of how many classes an instance may run in the initialisation and still be distinguished.
pub(crate) const INITIALIZED_CLASSES: usize = 4;
/// Fields with more accesses than this are not looked at: conditions have few.
pub(crate) const CONDITION_ACCESSES: usize = 16;
/// Nor are methods with more instances than this.
pub(crate) const CONDITION_INSTANCES: usize = 12;
/// How many fields are followed from the joined value.
pub(crate) const JOINED_FIELDS: usize = 3;

// Locks.
/// Wrappers of wrappers are followed to this depth.
pub(crate) const LOCK_WRAPPERS: usize = 4;
/// How many blocks are looked at on the way up from an edge to a comparison.
pub(crate) const CHOICE_BLOCKS: usize = 4;
/// More holds than this are not counted.
pub(crate) const HOLDS: u8 = 100;
/// How many calls on the same receiver are followed.
pub(crate) const CONSTRUCTOR_CALLS: usize = 4;
/// The longest chain of steps that is followed.
pub(crate) const TERM_STEPS: usize = 4;
/// Methods with more instructions than this are no getters.
pub(crate) const GETTER_INSTRUCTIONS: usize = 12;
/// Getters of getters are followed to this depth.
pub(crate) const GETTER_CALLS: u8 = 2;
/// Regions with more instances than this are not examined.
pub(crate) const DOMAIN_INSTANCES: usize = 40_000;
/// How many methods that only hand on the result of `clone` are looked through.
pub(crate) const CLONE_WRAPPERS: usize = 3;
/// How many objects are looked at for classes that may own an object.
pub(crate) const OWNER_CANDIDATES: usize = 100;
/// How many elements of points-to sets are looked at for one class, at most and at least. In between, the classes whose objects are locked
/// share [`DOMAIN_WORK_FOR_ALL`]: large programs have hundreds of them. A class that would need more is assumed to own nothing. What
/// one class may use does not depend on what others have used, so that the answers do not depend on who asks first.
pub(crate) const DOMAIN_WORK_MOST: u64 = 100_000_000;
pub(crate) const DOMAIN_WORK_LEAST: u64 = 2_000_000;
pub(crate) const DOMAIN_WORK_FOR_ALL: u64 = 600_000_000;
