//! Mutexes that are no locks of the library: claimed fields, spin locks, semaphores of one permit, entries of a map that computes.

pub(super) mod claims;
pub(super) mod computing;
pub(super) mod semaphores;
pub(super) mod spin;
