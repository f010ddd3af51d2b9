//! Tests of the facts about confinement: escape, thread-specific objects, publication, array elements, benign patterns.
//!
//! The programs are in `programs/`. A line whose comment is `// pair` has an access that is in a pair which the refuter of
//! the program's test leaves; every other line has none.

#![allow(clippy::unwrap_used)]

mod arrays;
mod benign;
mod escape;
mod harness;
mod publication;
mod sharing;
mod theorems;
