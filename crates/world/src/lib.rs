//! From jars, directories and a JDK to a program: hierarchy, resolution, entry points, harness.
//!
//! [`Input`] is what was read: class files with where they come from. Bad input never stops the analysis of the rest;
//! it is listed as [`Problem`]s.

mod input;
mod problem;

pub use input::{Bytes, ClassSource, Container, ContainerId, Input, Jdk, Limits, Options, Tier};
pub use problem::{InputError, Problem, ProblemKind};
