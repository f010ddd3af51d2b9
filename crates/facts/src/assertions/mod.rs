//! Assertions: what people say of memory, and the analysis cannot see.
//!
//! What classes declare by annotations (`not-thread-safe`) is read by the detectors, which also check it.

pub mod asserted;
