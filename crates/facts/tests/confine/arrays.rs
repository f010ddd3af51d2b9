//! Elements that different threads touch.

use selvedge_facts::{ArrayFacts, Arrays, Escape, Publication, Sharing};

use crate::harness::{Basis, Refuter, check};

/// With the facts about objects: what is left is about elements of shared arrays.
fn arrays<'b>(basis: &'b Basis<'b>) -> Refuter<'b> {
    let Basis { view, threads, executions, accesses } = basis;
    let escape = Escape::new(view, threads);
    let publication = Publication::new(view, threads, &escape);
    let sharing = Sharing::new(view, threads, accesses);
    let arrays = Arrays::new(view, threads);
    Box::new(move |candidate| {
        let facts = ArrayFacts { view, threads, executions, accesses, sharing: &sharing };
        sharing
            .refute(view, candidate)
            .or_else(|| publication.refute(view, threads, accesses, candidate))
            .or_else(|| arrays.refute(&facts, candidate))
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
