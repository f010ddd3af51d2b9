//! The fast solver computes exactly what the reference solver computes, under every policy.

use selvedge_pta::context::{POLICIES, policy_named};
use selvedge_pta::{Entries, Limits, analyze, naive};
use selvedge_testkit::{jdk_or_skip, library_jar_or_skip};
use selvedge_world::EntryRequest;

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

/// Real code, as a library that anyone may call. What it uses of the JDK is there as far as the small library has it. Three levels of
/// call sites make too many contexts in the largest.
#[test]
fn the_solvers_agree_on_small_real_jars() {
    let Some(jdk) = jdk_or_skip() else { return };
    for (name, left_out) in [("commons-pool", "3-call"), ("disruptor", ""), ("tomcat10-juli", "")] {
        let Some(jar) = library_jar_or_skip(name) else { continue };
        let Corpus { program, models, .. } = Corpus::of_path(&jdk, &jar, Vec::new());
        let points = program.entry_points(&EntryRequest::Library(Vec::new())).unwrap();
        let entries = Entries { vm: false, ..Entries::of_program(&program, &points) };
        for name_of_policy in POLICIES.into_iter().filter(|policy| *policy != left_out) {
            let policy = policy_named(name_of_policy).unwrap();
            let naive = naive::solve(&program, &models, &entries, policy.as_ref());
            let fast = analyze(&program, &models, &entries, policy.as_ref(), Limits::default()).facts();
            assert!(fast.holds.len() > 100, "{name}, {name_of_policy}: nothing to compare");
            assert_eq!(fast.differences(&naive), Vec::<String>::new(), "{name}, {name_of_policy}");
        }
    }
}
