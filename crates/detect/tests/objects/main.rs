//! Object races by dominance: the paper's example and its variants, and the theorems against runs.

#![allow(clippy::unwrap_used)]

mod example;
mod random;
mod support;
mod theorems;
