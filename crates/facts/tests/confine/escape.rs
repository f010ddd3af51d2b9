//! Escape: what no other thread can reach.

use selvedge_facts::Escape;

use crate::harness::{Basis, Refuter, check};

fn escape<'b>(basis: &'b Basis<'b>) -> Refuter<'b> {
    let escape = Escape::new(&basis.view, &basis.threads);
    Box::new(move |candidate| escape.refute(&basis.view, candidate).map(|refutation| refutation.because()))
}

#[test]
fn private_objects_of_threads_stay_with_them() {
    check("Escaping", false, escape);
}

#[test]
fn results_of_tasks_are_shared() {
    check("TaskResults", false, escape);
}

#[test]
fn clients_share_what_they_get() {
    check("OpenEscape", true, escape);
}
