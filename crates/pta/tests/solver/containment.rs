//! With contexts forgotten, a finer policy finds nothing that a coarser one does not.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_pta::context::POLICIES;
use selvedge_pta::{Facts, Objects};
use selvedge_testkit::jdk_or_skip;

use crate::mini::Corpus;
use crate::random;

/// Finer and coarser policies.
fn pairs() -> Vec<(String, String)> {
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let mut pairs: Vec<_> = POLICIES.iter().map(|policy| pair(policy, "insensitive")).collect();
    for kind in ["call", "object", "type"] {
        for depth in 1..3 {
            pairs.push((format!("{}-{kind}", depth + 1), format!("{depth}-{kind}")));
        }
    }
    pairs.extend((1..4).map(|depth| (format!("{depth}-object"), format!("{depth}-type"))));
    let named = POLICIES.iter().filter(|policy| policy.contains('-'));
    pairs.extend(named.map(|policy| pair(policy, "adaptive")));
    pairs
}

/// What `inner` has and `outer` has not.
pub fn beyond(inner: &Facts, outer: &Facts) -> Vec<String> {
    let mut found = Vec::new();
    for (holder, objects) in &inner.holds {
        let allowed = outer.holds.get(holder);
        let extra = objects.iter().filter(|object| allowed.is_none_or(|allowed| !allowed.contains(*object)));
        found.extend(extra.map(|object| format!("{object} in {holder}")));
    }
    found.extend(inner.calls.difference(&outer.calls).map(|call| format!("the call {call}")));
    found
}

/// How many facts there are.
fn size(facts: &Facts) -> usize {
    facts.holds.values().map(std::collections::BTreeSet::len).sum::<usize>() + facts.calls.len()
}

/// Sentences about facts that only a finer policy has, and how often a finer policy had fewer.
fn check(corpus: &Corpus) -> (Vec<String>, usize) {
    let (mut found, mut finer) = (Vec::new(), 0);
    for main in &corpus.mains {
        let results: BTreeMap<&str, Facts> =
            POLICIES.iter().map(|policy| (*policy, corpus.projected(main, policy))).collect();
        for (inner, outer) in pairs() {
            let (inside, outside) = (&results[inner.as_str()], &results[outer.as_str()]);
            finer += usize::from(size(inside) < size(outside));
            let extra = beyond(inside, outside).into_iter().take(3);
            found.extend(extra.map(|text| format!("{main}: {inner} but not {outer} has {text}")));
        }
    }
    (found, finer)
}

#[test]
fn finer_policies_are_inside_coarser_ones() {
    let Some(corpus) = Corpus::written() else { return };
    let (found, finer) = check(corpus);
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(finer > 0, "no policy tells anything apart");
}

#[test]
fn finer_policies_are_inside_coarser_ones_on_random_programs() {
    let Some(jdk) = jdk_or_skip() else { return };
    let (found, finer) = check(&random::corpus(&jdk, 60));
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(finer > 0, "no policy tells anything apart");
}

/// Sentences about what the solver without contexts finds and unification does not, and how often the latter finds more. Where types
/// stand for objects, those that the library makes have no counterpart.
fn check_unified(corpus: &Corpus, objects: Objects) -> (Vec<String>, usize) {
    let (mut found, mut coarser) = (Vec::new(), 0);
    for main in &corpus.mains {
        let (mut inside, outside) = (corpus.projected(main, "insensitive"), corpus.unified(main, objects));
        if objects == Objects::ByType {
            let known: BTreeSet<&String> = outside.holds.values().flatten().collect();
            inside.holds.values_mut().for_each(|held| held.retain(|object| known.contains(object)));
            inside.holds.retain(|holder, held| !held.is_empty() && outside.holds.contains_key(holder));
        }
        coarser += usize::from(size(&inside) < size(&outside));
        found.extend(beyond(&inside, &outside).into_iter().take(3).map(|text| format!("{main}: {text}")));
    }
    (found, coarser)
}

#[test]
fn unification_finds_what_the_solver_without_contexts_finds() {
    let Some(corpus) = Corpus::written() else { return };
    for objects in [Objects::BySite, Objects::ByType] {
        let (found, coarser) = check_unified(corpus, objects);
        assert!(found.is_empty(), "{}", found.join("\n"));
        assert!(coarser > 0, "unification is coarser somewhere");
    }
}

#[test]
fn unification_finds_what_the_solver_without_contexts_finds_in_random_programs() {
    let Some(jdk) = jdk_or_skip() else { return };
    let corpus = random::corpus(&jdk, 60);
    for objects in [Objects::BySite, Objects::ByType] {
        let (found, coarser) = check_unified(&corpus, objects);
        assert!(found.is_empty(), "{}", found.join("\n"));
        assert!(coarser > 0, "unification is coarser somewhere");
    }
}
