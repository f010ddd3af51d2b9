//! Finds what the analysis says about the fields of a program.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use selvedge_facts::{
    Access, AccessId, AccessKind, Accesses, Candidate, Executions, Locks, Occurrence, Order, Place, Strength,
    Threads, View,
};
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits, analyze};
use selvedge_testkit::{JavacOptions, Sources, compile_with, jdk_or_skip};
use selvedge_world::{EntryRequest, Input, Program};

/// What is known about all conflicting accesses to a field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Found {
    /// Some may happen in parallel.
    Parallel,
    /// All are refuted, some by heuristics.
    Likely,
    /// All are proved to be ordered.
    Proved,
}

/// The programs, compiled together and loaded once with the JDK; `None` where there is no JDK.
pub fn program_or_skip() -> Option<&'static Program> {
    static PROGRAM: OnceLock<Option<Program>> = OnceLock::new();
    let load = || {
        let jdk = jdk_or_skip()?;
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/order/programs");
        let classes = compile_with(&jdk, Sources::Dir(&directory), &JavacOptions::default()).unwrap();
        let paths = vec![classes.path().to_path_buf()];
        let options = selvedge_world::Options { paths, jdk: Some(jdk.home), ..Default::default() };
        Some(Program::load(Input::read(&options).unwrap()))
    };
    PROGRAM.get_or_init(load).as_ref()
}

/// Runs something with the facts about a program.
pub fn with_facts<R>(
    program: &Program,
    main: &str,
    run: impl FnOnce(&View<'_>, &Threads, &Accesses, &Order<'_, '_>) -> R,
) -> R {
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let points = program.entry_points(&EntryRequest::Main(main.to_string())).unwrap();
    let entries = Entries::of_program(program, &points);
    let policy = policy_named("adaptive").unwrap();
    let analysis = analyze(program, &models, &entries, policy.as_ref(), Limits::default());
    let view = View::new(&analysis, &models, &entries);
    let mut threads = Threads::new(&view);
    let executions = Executions::new(&view, &mut threads);
    let accesses = Accesses::new(&view);
    let locks = Locks::new(&view, &threads, &executions, &accesses);
    let order = Order::new(&view, &threads, &executions, &accesses, &locks);
    run(&view, &threads, &accesses, &order)
}

/// Every occurrence of an access.
pub fn occurrences(view: &View<'_>, threads: &Threads, access: AccessId, data: &Access) -> Vec<Occurrence> {
    let mut found = Vec::new();
    for &instance in view.analysis.instances_of(data.method) {
        for &thread in threads.may_execute(instance) {
            found.push(Occurrence { access, instance, thread });
        }
    }
    found
}

/// The candidates that two accesses give, whether or not anything protects them.
pub fn candidates(
    view: &View<'_>,
    threads: &Threads,
    accesses: &Accesses,
    pair: [AccessId; 2],
) -> Vec<Candidate> {
    let mut found = Vec::new();
    let [first, second] = pair.map(|access| occurrences(view, threads, access, &accesses.all[access]));
    for &a in &first {
        for &b in &second {
            let objects = [a, b].map(|side| accesses.may_touch(view, side.access, side.instance));
            if accesses.all[a.access].base.is_none() {
                found.push(Candidate { sides: [a, b], object: None });
            }
            for object in objects[0].intersection(objects[1]).iter() {
                found.push(Candidate { sides: [a, b], object: Some(object) });
            }
        }
    }
    found
}

/// What is found about each field of the application that is accessed, constructors left out.
pub fn find(main: &str) -> Vec<(String, Found)> {
    let Some(program) = program_or_skip() else { return Vec::new() };
    with_facts(program, main, |view, threads, accesses, order| {
        let mut found: BTreeMap<String, Found> = BTreeMap::new();
        for (a, first) in accesses.all.iter_ids() {
            let (Place::Field(field) | Place::Static(field)) = first.place else { continue };
            for (b, second) in accesses.all.iter_ids().filter(|(b, _)| a <= *b) {
                let writes = first.kind == AccessKind::Write || second.kind == AccessKind::Write;
                let in_constructor =
                    [first, second].iter().any(|side| program.methods[side.method].is_constructor());
                if first.place != second.place || !writes || in_constructor {
                    continue;
                }
                let name = program.fields[field].name.to_string();
                for candidate in candidates(view, threads, accesses, [a, b]) {
                    let verdict = match order.refute(&candidate) {
                        None => Found::Parallel,
                        Some(reason) if reason.strength == Strength::Heuristic => Found::Likely,
                        Some(_) => Found::Proved,
                    };
                    let known = found.entry(name.clone()).or_insert(Found::Proved);
                    *known = verdict.min(*known);
                }
            }
        }
        found.into_iter().collect()
    })
}

/// Holds what is found about a program against the names of its fields. `exceptions` are fields with what is found about
/// them today instead.
pub fn check(main: &str, exceptions: &[(&str, Found)]) {
    if program_or_skip().is_none() {
        return;
    }
    let found = find(main);
    let mut wrong = Vec::new();
    let mut held = 0;
    for (name, verdict) in found {
        let by_name = match &name {
            name if name.starts_with("safe") => Found::Proved,
            name if name.starts_with("likely") => Found::Likely,
            name if name.starts_with("racy") => Found::Parallel,
            _ => continue,
        };
        held += 1;
        let exception = exceptions.iter().find(|(field, _)| *field == name);
        let expected = exception.map_or(by_name, |(_, verdict)| *verdict);
        if verdict != expected {
            wrong.push(format!("{name}: {verdict:?} instead of {expected:?}"));
        }
    }
    assert!(wrong.is_empty() && held > 0, "{main}: {}", wrong.join(", "));
}
