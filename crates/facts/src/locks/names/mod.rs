//! Names for locks that mean one object in every run: terms, the fields and arrays that they lead through, views and wrappers.

pub(super) mod stable;
pub(super) mod stripes;
pub(super) mod terms;
pub(super) mod unique_owner;
pub(super) mod views;
pub(super) mod wrappers;
