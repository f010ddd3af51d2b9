//! Hand-over: objects that one thread has at a time.

pub mod fresh;
pub mod other_object;
pub mod taken_once;
