//! Tests of the points-to analysis: against the reference solver, of policies against each other, of expected results, and
//! against runs of the program.

#![allow(clippy::unwrap_used)]

mod agreement;
mod clients;
mod containment;
mod expected;
mod mini;
mod observed;
mod random;
