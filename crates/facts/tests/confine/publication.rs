//! What happens to an object before others can know it.

use selvedge_facts::{Escape, Publication};

use crate::harness::{Basis, Refuter, check};

fn publication<'b>(basis: &'b Basis<'b>) -> Refuter<'b> {
    let escape = Escape::new(&basis.view, &basis.threads);
    let publication = Publication::new(&basis.view, &basis.threads, &escape, &basis.accesses);
    Box::new(move |candidate| {
        let refutation = publication.refute(&basis.view, &basis.threads, &basis.accesses, candidate);
        refutation.map(|refutation| refutation.because())
    })
}

#[test]
fn what_is_done_before_publication_does_not_race() {
    check("Publishing", false, publication);
}
