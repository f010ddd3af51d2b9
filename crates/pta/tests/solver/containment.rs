//! With contexts forgotten, a finer policy finds nothing that a coarser one does not.

use std::collections::BTreeMap;

use selvedge_pta::Facts;
use selvedge_pta::context::POLICIES;
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
