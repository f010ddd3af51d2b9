//! Tests on real classes: those of the installed JDK and of the libraries installed with it.

#![allow(clippy::unwrap_used)]

mod features;
mod hostile;
mod jdk;
mod rewrite;
mod round_trip;
mod semantics;
mod support;
