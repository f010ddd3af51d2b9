//! Results that were worked out by hand, the same numbering in every run, and budgets.

use std::collections::BTreeSet;

use selvedge_pta::context::{POLICIES, policy_named};
use selvedge_pta::{Degradation, Entries, Facts, Limits, analyze};

use crate::containment::beyond;
use crate::mini::Corpus;

/// The types of what a static field may point to, by their simple names.
fn types(facts: &Facts, field: &str) -> BTreeSet<String> {
    let objects = facts.holds.get(field).into_iter().flatten();
    let name = |object: &String| {
        let ty = object.split(' ').next().unwrap_or_default();
        ty.rsplit(['.', '$', '/']).next().unwrap_or(ty).to_owned()
    };
    objects.map(name).collect()
}

fn set(names: &str) -> BTreeSet<String> {
    names.split_whitespace().map(str::to_owned).collect()
}

/// Which policies keep the two contents apart in each method of `Boxes`, and why. Those with a number do so wherever the adaptive one does.
const TELLING_APART: [(&str, &[&str]); 6] = [
    // One receiver each, so its site suffices.
    ("direct", &["adaptive"]),
    // The inner box is one site: it needs the outer box as heap context. It is a part of the outer box.
    ("nested", &["adaptive"]),
    // Made by a static method: only the call of it tells.
    ("made", &["adaptive"]),
    ("passed", &["1-call", "2-call", "3-call"]),
    // Map, key set, iterator: one context shared by all the parts of a container.
    ("mapped", &["adaptive"]),
    // The array is allocated by the list. All lists begin with the same empty array: it holds nothing.
    ("listed", &["adaptive"]),
];

#[test]
fn contexts_tell_boxes_apart_as_worked_out_by_hand() {
    let Some(corpus) = Corpus::written() else { return };
    for policy in POLICIES {
        let facts = corpus.projected("Boxes", policy);
        for (method, by) in TELLING_APART {
            let apart = by.contains(&policy) || (by.contains(&"adaptive") && policy != "insensitive");
            let expected = if apart { ["Apple", "Pear"] } else { ["Apple Pear"; 2] };
            for (which, expected) in ["First", "Second"].into_iter().zip(expected) {
                let found = types(&facts, &format!("Boxes.{method}{which}"));
                assert_eq!(found, set(expected), "{policy}: {method}{which}");
            }
        }
    }
}

/// What the static fields of the programs hold in the end, whatever the policy.
const SINKS: [(&str, &str, &str); 14] = [
    ("Dispatching", "Dispatching.result", "Mark Dot"),
    ("Initialisers", "Initialisers.log", "Object; ByCall Integer Super Object"),
    ("FieldsAndStatics", "FieldsAndStatics$Upper.shared", "Upper"),
    ("FieldsAndStatics", "FieldsAndStatics$Lazy.INSTANCE", "Lazy"),
    ("Initialisers", "Initialisers$Partner.seen", "Circular"),
    ("Casting", "Casting.sink", "L Both R"),
    ("Testing", "Testing.whenA", "A B"),
    ("Testing", "Testing.whenB", "B"),
    ("Testing", "Testing.whenB2", "B"),
    // Where the test does not hold, nothing is said.
    ("Testing", "Testing.whenNotA", "A B C"),
    ("Testing", "Testing.whenC", "C"),
    ("Testing", "Testing.inLoop", "C"),
    ("Plugging", "Plugging.made", "First Second"),
    ("Plugging", "Plugging.called", "FirstMade SecondMade"),
];

#[test]
fn static_fields_hold_what_was_worked_out_by_hand() {
    let Some(corpus) = Corpus::written() else { return };
    for policy in POLICIES {
        for (main, field, expected) in SINKS {
            let facts = corpus.projected(main, policy);
            assert_eq!(types(&facts, field), set(expected), "{policy}: {field}");
        }
    }
}

#[test]
fn two_runs_number_everything_alike() {
    let Some(corpus) = Corpus::written() else { return };
    for main in &corpus.mains {
        for policy in ["2-object", "2-call", "adaptive"] {
            let numbering = || {
                corpus.analyzed(main, policy, Limits::default(), |analysis| {
                    let describe = analysis.describe();
                    let objects: Vec<_> =
                        analysis.heap.objects().map(|(id, _)| describe.object(id)).collect();
                    let instances: Vec<_> =
                        analysis.instances.iter_ids().map(|(id, _)| describe.instance(id)).collect();
                    (objects, instances, analysis.call_edges.clone(), analysis.facts())
                })
            };
            assert!(numbering() == numbering(), "{main} under {policy}");
        }
    }
}

#[test]
fn a_budget_costs_precision_and_says_so() {
    let Some(corpus) = Corpus::written() else { return };
    // All programs at once: a small one is done before the budget is looked at.
    let mains = corpus.mains.iter().map(|main| corpus.main(main)).collect();
    let entries = Entries { mains, ..Entries::default() };
    let run = |policy: &str, contexts_per_procedure| {
        let (limits, policy) =
            (Limits { contexts_per_procedure, ..Limits::default() }, policy_named(policy).unwrap());
        let analysis = analyze(&corpus.program, &corpus.models, &entries, policy.as_ref(), limits);
        (analysis.facts_without_contexts(), analysis.statistics().instances, analysis.degradations)
    };
    let (coarse, ..) = run("insensitive", None);
    for policy in ["2-call", "3-call", "3-object"] {
        let (fine, many, silent) = run(policy, None);
        assert!(silent.is_empty(), "{policy}: {silent:?}");
        let (limited, fewer, degradations) = run(policy, Some(2));
        assert!(!degradations.is_empty() && fewer < many, "{policy}: {fewer} of {many}");
        let extra = beyond(&limited, &coarse);
        assert!(extra.is_empty(), "{policy} within its budget has {}", extra.join("\n"));
        assert!(!beyond(&limited, &fine).is_empty(), "{policy} gave up nothing");
    }
}

#[test]
fn too_much_work_leads_to_fewer_contexts_and_objects() {
    let Some(corpus) = Corpus::written() else { return };
    let mains = corpus.mains.iter().map(|main| corpus.main(main)).collect();
    let entries = Entries { mains, ..Entries::default() };
    for policy in ["2-call", "3-object", "adaptive"] {
        let chosen = policy_named(policy).unwrap();
        let run = |work| {
            let limits = Limits { work, ..Limits::NONE };
            let analysis = analyze(&corpus.program, &corpus.models, &entries, chosen.as_ref(), limits);
            (analysis.facts_without_contexts(), analysis.statistics(), analysis.degradations)
        };
        let (fine, sizes, silent) = run(None);
        assert!(silent.is_empty(), "{policy}: {silent:?}");
        let mut given_up = Vec::new();
        for tenths in 0..10 {
            let work = sizes.work * tenths / 10;
            let (limited, fewer, degradations) = run(Some(work));
            // Work is looked at now and then: a limit that is passed only at the end is not noticed.
            if degradations.is_empty() {
                assert!(limited == fine, "{policy} with {work}");
                continue;
            }
            let is_coarser =
                |it: &Degradation| matches!(it, Degradation::Policy { asked, .. } if asked == policy);
            let coarser = degradations.iter().filter(|it| is_coarser(it)).count();
            assert_eq!(coarser, usize::from(policy != "adaptive"), "{policy} with {work}: {degradations:?}");
            assert!(degradations.len() <= 1 + coarser, "{policy} with {work}: {degradations:?}");
            assert!(
                fewer.objects <= sizes.objects && fewer.instances < sizes.instances,
                "{fewer:?} {sizes:?}"
            );
            // Objects have other names when they are merged; methods keep theirs.
            let lost: Vec<_> = fine.calls.difference(&limited.calls).collect();
            assert!(lost.is_empty(), "{policy} with {work} loses {lost:?}");
            given_up.extend(degradations.into_iter().map(|it| (work, it)));
        }
        // Without any work nothing is distinguished.
        assert_eq!(given_up.first(), Some(&(0, Degradation::Everything)), "{policy}");
        if policy != "adaptive" {
            let used = |it: &Degradation| match it {
                Degradation::Policy { used, .. } => Some(used.clone()),
                _ => None,
            };
            let used: Vec<String> = given_up.iter().filter_map(|(_, it)| used(it)).collect();
            assert_eq!(used.first().map(String::as_str), Some("adaptive"), "{policy}: {used:?}");
            continue;
        }
        // Somewhere on the way to what it takes contexts alone are given up: those of containers last.
        let contexts = [Degradation::AllContexts, Degradation::AllButContainers];
        assert!(given_up.iter().any(|(_, it)| contexts.contains(it)), "{policy}: {given_up:?}");
        let some = given_up.iter().find(|(_, it)| matches!(it, Degradation::Contexts(_)));
        let work = some.map(|&(work, _)| work);
        assert!(work.is_some(), "{policy}: {given_up:?}");
        assert!(run(work).0 == run(work).0, "{policy} with {work:?} has two results");
    }
}
