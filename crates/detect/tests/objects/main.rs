//! Object races by dominance and use graphs: the papers' examples and their variants, and the theorems against runs.

#![allow(clippy::unwrap_used)]

mod example;
mod lives;
mod naive;
mod phases;
mod random;
mod refuting;
mod support;
mod theorems;
