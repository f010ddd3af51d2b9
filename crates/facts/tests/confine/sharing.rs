//! Objects that belong to one thread of many.

use selvedge_facts::Confinement;

use crate::harness::{Basis, Refuter, check};

fn sharing<'b>(basis: &'b Basis<'b>) -> Refuter<'b> {
    let sharing = Confinement::new(&basis.view, &basis.threads, &basis.accesses);
    Box::new(move |candidate| sharing.refute(&basis.view, candidate).map(|refutation| refutation.because()))
}

#[test]
fn fields_of_worker_threads_are_specific() {
    check("SpecificWorkers", false, sharing);
}

#[test]
fn tasks_that_are_handed_over_once_are_specific() {
    check("SpecificTasks", false, sharing);
}

/// What is refuted for tasks is that nobody else has them, and a pool's workers do (`taken-once` knows that they have each once).
#[test]
fn tasks_of_pools_are_in_the_hands_of_workers() {
    check("SpecificPool", false, sharing);
}

#[test]
fn values_of_thread_local_variables_are_confined() {
    check("LocalVariables", true, sharing);
}
