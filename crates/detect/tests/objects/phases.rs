//! Use graphs: the example of von Praun and Gross (Figures 1 and 3) and its four variants.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_detect::uses::{ConflictType, Events, Explorer, Life, Subject, UseClass, judge, protections};
use selvedge_testkit::{Sources, corpus_dir};
use selvedge_world::Program;

use crate::support::{load_or_skip, with_facts};

const PROGRAMS: [&str; 6] = [
    "UsesPhases",
    "UsesLockDropped",
    "UsesJoinRemoved",
    "UsesStartMovedUp",
    "UsesTwoThreads",
    "UsesOwnLocks",
];

fn program_or_skip() -> Option<Program> {
    let read =
        |name: &str| std::fs::read_to_string(corpus_dir().join(format!("papers/{name}.java"))).unwrap();
    let texts: Vec<(String, String)> =
        PROGRAMS.iter().map(|name| (format!("papers/{name}.java"), read(name))).collect();
    let sources: Vec<(&str, &str)> =
        texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    load_or_skip(Sources::Texts(&sources))
}

/// What is said of the one object of class `Shared`.
struct Told {
    verdict: UseClass,
    /// The names of the events in its graph.
    events: BTreeSet<&'static str>,
    /// What protects the accesses of each line.
    lines: BTreeMap<u32, BTreeSet<&'static str>>,
}

fn judged(program: &Program, name: &str) -> Told {
    with_facts(program, &format!("papers.{name}"), |facts| {
        let events = Events::new(facts);
        let heap = &facts.view.analysis.heap;
        let is_it = |subject: &Subject| {
            subject.object().is_some_and(|object| heap.types.name(heap.get(object).ty).ends_with("$Shared"))
        };
        let subjects: Vec<_> = events.subjects().filter(is_it).collect();
        let [subject] = subjects[..] else { panic!("{name} has one shared object, not {}", subjects.len()) };
        let life = Life::new(facts, &events, &mut Explorer::new(events.control()), subject);
        let graph = events.graph(facts, subject);
        let mut lines: BTreeMap<u32, BTreeSet<&'static str>> = BTreeMap::new();
        for (lived, by) in protections(facts, &life) {
            let access = &facts.accesses.all[lived.side.access];
            let line = facts.view.line(access.method, access.inst).unwrap();
            lines.entry(line).or_default().extend(by.into_iter().map(|by| by.describe()));
        }
        let events = graph.uses.iter().map(|event| event.kind.name()).collect();
        Told { verdict: judge(facts, &life).verdict, events, lines }
    })
}

#[test]
fn every_phase_of_the_example_is_safe_for_its_own_reason_and_every_variant_is_not() {
    let Some(program) = program_or_skip() else { return };
    let told = judged(&program, "UsesPhases");
    assert_eq!(told.verdict, UseClass::LockProtected);
    for name in ["NEW", "GET", "PUT", "LOAD", "ESCAPE", "TSTART", "TJOIN", "ENTRY", "EXIT", "CALL"] {
        assert!(told.events.contains(name), "{name} is not in {:?}", told.events);
    }
    let text = std::fs::read_to_string(corpus_dir().join("papers/UsesPhases.java")).unwrap();
    let marked = |mark: &str| -> Vec<BTreeSet<&str>> {
        let lines = text.lines().zip(1..).filter(|(line, _)| line.contains(&format!("NORACE: {mark}")));
        lines.map(|(_, line)| told.lines[&line].clone()).collect()
    };
    assert_eq!(marked("in the constructor"), [BTreeSet::from(["before its escape"])]);
    assert_eq!(marked("not escaped yet"), [BTreeSet::from(["before its escape"])]);
    assert_eq!(marked("escaped, but no other thread yet"), [BTreeSet::from(["ordered"])]);
    assert_eq!(
        marked("guarded by LOCK"),
        [BTreeSet::from(["locked"]), BTreeSet::from(["locked", "ordered"])]
    );
    assert_eq!(marked("after the join"), [BTreeSet::from(["ordered"])]);
    for variant in &PROGRAMS[1..] {
        let told = judged(&program, variant);
        assert!(matches!(told.verdict, UseClass::Conflicting(..)), "{variant}: {:?}", told.verdict);
    }
}

/// An object that main shares with the only other thread is no object of each thread's own, though no two spawned threads meet on it.
#[test]
fn an_object_of_main_and_one_thread_is_not_taken_for_one_of_each() {
    let Some(program) = program_or_skip() else { return };
    let told = judged(&program, "UsesJoinRemoved");
    let UseClass::Conflicting(kind, ..) = told.verdict else { panic!("{:?}", told.verdict) };
    assert_ne!(kind, ConflictType::ThreadLocal);
}

/// A write that several threads make is compared with itself: a lock that each of them makes is none.
#[test]
fn a_lock_of_its_own_in_each_thread_locks_no_write() {
    let Some(program) = program_or_skip() else { return };
    let told = judged(&program, "UsesOwnLocks");
    let UseClass::Conflicting(kind, ..) = told.verdict else { panic!("{:?}", told.verdict) };
    assert_eq!(kind, ConflictType::Unlocked);
}
