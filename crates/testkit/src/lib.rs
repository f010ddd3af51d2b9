//! Test support, used only by tests: nothing that ships depends on this crate.
//!
//! - [`jdk_or_skip`] finds a JDK, [`jvms_or_skip`] every JVM to run programs on, [`library_jars_or_skip`] the jars of real
//!   programs.
//! - [`compile`] runs javac behind a cache, [`run_main`] runs the result, [`jar`] packs it.
//! - [`expectations`](parse_expectations) reads the `//~ RACE` marks of the Java corpus and [`check_expectations`]
//!   holds reports against them; [`corpus()`] reads the corpus and [`compile_corpus`] compiles it.
//! - [`check_golden`] compares text with a file of the repository; `SELVEDGE_BLESS=1` rewrites the file.
//! - [`class_builder`] writes class files that no compiler would.
//! - [`concurrent`] writes small random programs in the vocabulary of `java.util.concurrent`.
//! - [`mutants`] takes one synchronisation operation of a Java program away, or changes it.
//! - [`javap`] runs and reads the JDK's disassembler, the independent reader of class files.
//! - [`Rng`] and [`mutate()`] make damaged input from a seed, the same on every machine; [`survive()`] feeds it to a reader.
//!
//! Functions that can fail return [`Failure`], whose `Debug` form is the plain message, so that `unwrap()` in a test
//! shows a compiler's complaint as the compiler wrote it.

pub mod class_builder;
pub mod concurrent;
mod corpus;
mod expect;
mod failure;
mod files;
mod golden;
mod hash;
pub mod jar;
mod javac;
pub mod javap;
mod jdk;
mod jvms;
mod library;
pub mod mutants;
mod mutate;
mod rng;
mod run;
mod survive;

pub use corpus::{Analysed, CorpusProgram, compile_corpus, corpus, corpus_dir};
pub use expect::{Expectation, Expected, Tally, check_expectations, parse_expectations, tally};
pub use failure::Failure;
pub use files::{cache_dir, files_below, repository_root, target_dir};
pub use golden::{check_golden, compare_golden, diff};
pub use javac::{CompiledDir, JavacOptions, Sources, compile, compile_with};
pub use jdk::{Jdk, find_jdk, jdk_or_skip};
pub use jvms::{Launcher, jvms_or_skip};
pub use library::{library_jar_or_skip, library_jars_or_skip, listed_jar_names, skip};
pub use mutate::{Mutant, Step, mutate};
pub use rng::Rng;
pub use run::{JavaRun, RunOptions, run_main, run_with_timeout};
pub use survive::{CountingAllocator, Input, Limits, Survived, mutants_of, survive};
