//! Holds the order of accesses alone against the race corpus: which racy lines it would hide, which safe lines it leaves.
//!
//! `cargo run -p selvedge-facts --example order_corpus -- TOPIC...`
//!
//! A racy line is hidden if every conflicting pair of accesses with a side on it is refuted: `PROVED` is an error of the analysis,
//! `likely` the price of a heuristic. A safe line that is left may be refuted by other facts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use selvedge_facts::{
    AccessKind, Accesses, Candidate, Executions, Locks, Occurrence, Order, Strength, Threads, View,
};
use selvedge_models::Models;
use selvedge_pta::{Entries, Limits, analyze, context::policy_named};
use selvedge_testkit::{Analysed, Expected, compile_corpus, corpus, jdk_or_skip};
use selvedge_world::{EntryRequest, Input, Options, Program};

fn main() -> Result<(), String> {
    let topics: Vec<String> = std::env::args().skip(1).collect();
    let jdk = jdk_or_skip().ok_or("no JDK")?;
    let classes = compile_corpus(&jdk).map_err(|error| error.to_string())?;
    let paths: Vec<PathBuf> = vec![classes.path().to_path_buf()];
    let input = Input::read(&Options { paths, ..Options::default() }).map_err(|error| error.to_string())?;
    let program = Program::load(input);
    for example in corpus().map_err(|error| error.to_string())? {
        let wanted = |topic: &String| *topic == example.topic || *topic == example.name;
        let Analysed::Main(main) = &example.analysed else { continue };
        if !topics.iter().any(wanted) {
            continue;
        }
        let lines = lines_of(&program, main)?;
        for mark in &example.marks {
            let found = lines.get(&mark.line);
            let is_race = matches!(mark.kind, Expected::Race | Expected::Missed);
            match (is_race, found) {
                (true, Some((Some(Strength::Proof), by))) => {
                    println!("{}:{} PROVED by {by}", example.file, mark.line)
                }
                (true, Some((Some(Strength::Heuristic), by))) => {
                    println!("{}:{} likely by {by}", example.file, mark.line);
                }
                (false, Some((None, _))) => println!("{}:{} left", example.file, mark.line),
                (false, Some((Some(strength), by))) => {
                    println!("{}:{} safe {strength:?} by {by}", example.file, mark.line);
                }
                _ => {}
            }
        }
    }
    Ok(())
}

type Lines = BTreeMap<u32, (Option<Strength>, &'static str)>;

/// For each line the weakest verdict about a conflicting pair with a side there.
fn lines_of(program: &Program, main: &str) -> Result<Lines, String> {
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let request = EntryRequest::Main(main.to_string());
    let points = program.entry_points(&request).map_err(|error| error.to_string())?;
    let entries = Entries::of_program(program, &points);
    let policy = policy_named("adaptive").ok_or("there is no adaptive policy")?;
    let analysis = analyze(program, &models, &entries, policy.as_ref(), Limits::default());
    let view = View::new(&analysis, &models, &entries);
    let mut threads = Threads::new(&view);
    let executions = Executions::new(&view, &mut threads);
    let accesses = Accesses::new(&view);
    let locks = Locks::new(&view, &threads, &executions, &accesses);
    let order = Order::new(&view, &threads, &executions, &accesses, &locks);
    let mut lines = Lines::new();
    for (a, first) in accesses.all.iter_ids() {
        for (b, second) in accesses.all.iter_ids().filter(|(b, _)| a <= *b) {
            let writes = first.kind == AccessKind::Write || second.kind == AccessKind::Write;
            let constructs = [first, second].iter().any(|side| program.methods[side.method].is_constructor());
            if first.place != second.place || !writes || constructs {
                continue;
            }
            for candidate in candidates(&view, &threads, &accesses, a, b) {
                let verdict = order.refute(&candidate);
                let verdict = verdict.map_or((None, ""), |reason| (Some(reason.strength), reason.by));
                for side in [first, second] {
                    let Some(line) = view.line(side.method, side.inst) else { continue };
                    let known = lines.entry(line).or_insert(verdict);
                    if verdict.0 < known.0 {
                        *known = verdict;
                    }
                }
            }
        }
    }
    Ok(lines)
}

fn candidates(
    view: &View<'_>,
    threads: &Threads,
    accesses: &Accesses,
    a: selvedge_facts::AccessId,
    b: selvedge_facts::AccessId,
) -> Vec<Candidate> {
    let occurrences = |access: selvedge_facts::AccessId| -> Vec<Occurrence> {
        let instances = view.analysis.instances_of(accesses.all[access].method).iter();
        let pairs = instances.flat_map(|&instance| {
            threads.may_execute(instance).iter().map(move |&thread| Occurrence { access, instance, thread })
        });
        pairs.collect()
    };
    let mut found = Vec::new();
    for first in occurrences(a) {
        for second in occurrences(b) {
            let sides = [first, second];
            if accesses.all[a].base.is_none() {
                found.push(Candidate { sides, object: None });
            }
            let objects = sides.map(|side| accesses.may_touch(view, side.access, side.instance));
            let common = objects[0].intersection(objects[1]);
            found.extend(common.iter().map(|object| Candidate { sides, object: Some(object) }));
        }
    }
    found
}
