//! The fast solver computes exactly what the reference solver computes, under every policy.

use selvedge_pta::context::POLICIES;
use selvedge_testkit::jdk_or_skip;

use crate::mini::Corpus;
use crate::random;

/// Sentences about where the solvers disagree.
fn disagreements(corpus: &Corpus) -> Vec<String> {
    let mut found = Vec::new();
    for main in &corpus.mains {
        for policy in POLICIES {
            let (fast, naive) = (corpus.fast(main, policy), corpus.naive(main, policy));
            let differences = fast.differences(&naive);
            found.extend(differences.into_iter().take(3).map(|text| format!("{main}, {policy}: {text}")));
        }
    }
    found
}

#[test]
fn the_solvers_agree_on_the_written_programs() {
    let Some(corpus) = Corpus::written() else { return };
    assert!(corpus.mains.len() >= 12, "{:?}", corpus.mains);
    let found = disagreements(corpus);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_solvers_agree_on_random_programs() {
    let Some(jdk) = jdk_or_skip() else { return };
    let corpus = random::corpus(&jdk, 60);
    let found = disagreements(&corpus);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
