//! Locks of owners: which objects belong to one object of a class, and what code holds of the owner while it works on them.

pub(super) mod copies;
pub(super) mod domain;
pub(super) mod domain_locks;
pub(super) mod travel;
