//! Use graphs: the example of von Praun and Gross (Figures 1 and 3) and its four variants.

use std::collections::BTreeSet;

use selvedge_detect::uses::{ConflictType, Events, Kind, Verdict, before_escape, judge, shared_objects};
use selvedge_testkit::{Sources, corpus_dir};
use selvedge_world::Program;

use crate::support::{load_or_skip, with_facts};

const PROGRAMS: [&str; 5] =
    ["UsesPhases", "UsesLockDropped", "UsesJoinRemoved", "UsesStartMovedUp", "UsesTwoThreads"];

fn program_or_skip() -> Option<Program> {
    let read =
        |name: &str| std::fs::read_to_string(corpus_dir().join(format!("papers/{name}.java"))).unwrap();
    let texts: Vec<(String, String)> =
        PROGRAMS.iter().map(|name| (format!("papers/{name}.java"), read(name))).collect();
    let sources: Vec<(&str, &str)> =
        texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    load_or_skip(Sources::Texts(&sources))
}

/// The verdict on the one object of class `Shared`, the names of the events in its graph, and the lines of accesses before its escape.
fn judged(program: &Program, name: &str) -> (Verdict, BTreeSet<&'static str>, BTreeSet<u32>) {
    with_facts(program, &format!("papers.{name}"), |facts| {
        let shared = shared_objects(facts);
        let events = Events::new(facts, &shared);
        let heap = &facts.view.analysis.heap;
        let is_it = |object: &_| heap.types.name(heap.get(*object).ty).ends_with("$Shared");
        let objects: Vec<_> = events.objects().filter(is_it).collect();
        let [object] = objects[..] else { panic!("{name} has one shared object, not {}", objects.len()) };
        let graph = events.graph(facts, object);
        let names = graph.uses.iter().map(|event| event.kind.name()).collect();
        let early = before_escape(&graph);
        let lines = early.iter().filter(|&id| matches!(graph.uses[id].kind, Kind::Get(_) | Kind::Put(_)));
        let line = |id| {
            let event = &graph.uses[id];
            facts.view.line(facts.view.method_of(event.instance)?, event.inst?)
        };
        (judge(facts, &graph), names, lines.filter_map(line).collect())
    })
}

#[test]
fn every_phase_of_the_example_is_safe_and_every_variant_is_not() {
    let Some(program) = program_or_skip() else { return };
    let (verdict, names, early) = judged(&program, "UsesPhases");
    assert_eq!(verdict, Verdict::LockProtected);
    for name in ["NEW", "GET", "PUT", "LOAD", "ESCAPE", "TSTART", "TJOIN", "ENTRY", "EXIT", "CALL"] {
        assert!(names.contains(name), "{name} is not in {names:?}");
    }
    let text = std::fs::read_to_string(corpus_dir().join("papers/UsesPhases.java")).unwrap();
    let line_of = |mark: &str| text.lines().position(|line| line.contains(mark)).unwrap() as u32 + 1;
    assert_eq!(early, BTreeSet::from([line_of("in the constructor"), line_of("not escaped yet")]));
    for variant in &PROGRAMS[1..] {
        let (verdict, ..) = judged(&program, variant);
        assert!(matches!(verdict, Verdict::Conflicting(..)), "{variant}: {verdict:?}");
    }
}

/// An object that main shares with the only other thread is no object of each thread's own, though no two spawned threads meet on it.
#[test]
fn an_object_of_main_and_one_thread_is_not_taken_for_one_of_each() {
    let Some(program) = program_or_skip() else { return };
    let (verdict, ..) = judged(&program, "UsesJoinRemoved");
    let Verdict::Conflicting(kind, ..) = verdict else { panic!("{verdict:?}") };
    assert_ne!(kind, ConflictType::ThreadLocal);
}
