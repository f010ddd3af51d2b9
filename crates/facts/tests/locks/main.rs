//! Tests of the locks that are held in every run: idioms with expected results, and claims held against runs of programs.

#![allow(clippy::unwrap_used)]

mod idioms;
mod observed;
mod support;
