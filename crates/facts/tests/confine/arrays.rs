//! Elements that different threads touch.

use selvedge_facts::Facts;

use crate::harness::{Basis, Refuter, check};

/// With the facts about objects: what is left is about elements of shared arrays.
fn arrays<'b>(basis: &'b Basis<'b>) -> Refuter<'b> {
    let facts = Facts::new(basis);
    Box::new(move |candidate| {
        facts
            .confinement
            .refute(facts.view, candidate)
            .or_else(|| facts.publication.refute(facts.view, facts.threads, facts.accesses, candidate))
            .or_else(|| facts.arrays.refute(&facts, candidate))
            .map(|refutation| refutation.because())
    })
}

#[test]
fn slots_of_threads_are_apart() {
    check("ArraySlots", false, arrays);
}

#[test]
fn blocks_of_threads_are_apart() {
    check("ArrayBlocks", false, arrays);
}

#[test]
fn strides_and_rows_of_threads_are_apart() {
    check("ArrayStrides", false, arrays);
}
