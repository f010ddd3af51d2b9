//! The oracle's own test: Java programs, interpreted, print what `java` prints.

#![allow(clippy::unwrap_used)]

mod corpus;
mod numbering;
mod observing;
mod opcodes;
mod subroutines;

use corpus::corpus_or_skip;
use rayon::prelude::*;

/// How many schedules each program with threads runs under: 20, or what `SELVEDGE_SEEDS` says.
fn seeds() -> u64 {
    std::env::var("SELVEDGE_SEEDS").map_or(20, |seeds| seeds.parse().unwrap())
}

fn assert_none(failures: &[String], of: usize) {
    assert!(
        failures.is_empty(),
        "{} of {of} runs differ from java:\n{}",
        failures.len(),
        failures.join("\n\n")
    );
}

#[test]
fn programs_print_what_java_prints() {
    let Some(corpus) = corpus_or_skip() else { return };
    let names: Vec<&String> = corpus.all().collect();
    assert!(names.len() >= 60, "only {} programs", names.len());
    let failures: Vec<String> = names.par_iter().filter_map(|name| corpus.mismatch(name, 0)).collect();
    assert_none(&failures, names.len());
}

#[test]
fn programs_with_threads_print_the_same_under_every_schedule() {
    let Some(corpus) = corpus_or_skip() else { return };
    let runs: Vec<(&String, u64)> =
        corpus.threaded.iter().flat_map(|name| (1..=seeds()).map(move |seed| (name, seed))).collect();
    let failures: Vec<String> =
        runs.par_iter().filter_map(|(name, seed)| corpus.mismatch(name, *seed)).collect();
    assert_none(&failures, runs.len());
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let Some(corpus) = corpus_or_skip() else { return };
    for name in ["RacyCounter", "ExecutorPools"] {
        let first = corpus.interpret(name, 7).unwrap();
        assert_eq!(first, corpus.interpret(name, 7).unwrap());
        let others: Vec<_> = (8..12).map(|seed| corpus.interpret(name, seed).unwrap()).collect();
        assert!(
            others.iter().any(|other| other.instructions != first.instructions),
            "seeds make no difference"
        );
    }
}
