//! Prints what is known about the order of the conflicting accesses of a program.
//!
//! `cargo run --release -p selvedge-facts --example order -- MAIN-CLASS|library PATH...`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use selvedge_facts::{AccessKind, Accesses, Candidate, Executions, Occurrence, Order, Place, Threads, View};
use selvedge_models::Models;
use selvedge_pta::{Entries, Limits, analyze, context::policy_named};
use selvedge_world::{EntryRequest, Input, Options, Program};

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let main = arguments.next().ok_or("the first argument names the main class, or is `library`")?;
    let paths: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let input = Input::read(&Options { paths, ..Options::default() }).map_err(|error| error.to_string())?;
    let program = Program::load(input);
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let request = match main.as_str() {
        "library" => EntryRequest::Library(Vec::new()),
        main => EntryRequest::Main(main.to_string()),
    };
    let points = program.entry_points(&request).map_err(|error| error.to_string())?;
    let entries = Entries::of_program(&program, &points);
    let policy = policy_named("adaptive").ok_or("there is no adaptive policy")?;
    let start = Instant::now();
    let analysis = analyze(&program, &models, &entries, policy.as_ref(), Limits::default());
    println!("points-to {:?}, {} instances", start.elapsed(), analysis.instances.len());
    let start = Instant::now();
    let view = View::new(&analysis, &models, &entries);
    let mut threads = Threads::new(&view);
    let executions = Executions::new(&view, &mut threads);
    let accesses = Accesses::new(&view);
    println!("facts {:?}, {} threads, {} accesses", start.elapsed(), threads.all.len(), accesses.all.len());
    let start = Instant::now();
    let order = Order::new(&view, &threads, &executions, &accesses);
    println!("order {:?}", start.elapsed());
    let start = Instant::now();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut by_place: BTreeMap<String, Vec<(selvedge_facts::AccessId, AccessKind)>> = BTreeMap::new();
    for (access, data) in accesses.all.iter_ids() {
        if let Place::Field(field) | Place::Static(field) = data.place {
            by_place.entry(program.describe_field(field)).or_default().push((access, data.kind));
        }
    }
    for (place, sides) in by_place {
        let mut lines: BTreeMap<String, usize> = BTreeMap::new();
        for (position, &(a, first)) in sides.iter().enumerate() {
            for &(b, second) in &sides[position..] {
                if first == AccessKind::Read && second == AccessKind::Read {
                    continue;
                }
                for candidate in candidates(&view, &threads, &accesses, a, b) {
                    let (key, line) = match order.refute(&candidate) {
                        Some(reason) => {
                            let key = format!("{} ({:?})", reason.by, reason.strength);
                            let line = format!("{key}: {}", reason.because);
                            (key, line)
                        }
                        None => ("parallel".to_string(), "parallel".to_string()),
                    };
                    *counts.entry(key).or_default() += 1;
                    *lines.entry(line).or_default() += 1;
                }
            }
        }
        if std::env::var_os("VERBOSE").is_some() {
            println!("{place}");
            lines.iter().for_each(|(line, count)| println!("    {count:>5} {line}"));
        }
    }
    println!("asked {:?}", start.elapsed());
    counts.iter().for_each(|(key, count)| println!("{count:>9} {key}"));
    Ok(())
}

/// The candidates of two accesses by threads; objects are not looked at.
fn candidates(
    view: &View<'_>,
    threads: &Threads,
    accesses: &Accesses,
    a: selvedge_facts::AccessId,
    b: selvedge_facts::AccessId,
) -> Vec<Candidate> {
    let occurrences = |access: selvedge_facts::AccessId| {
        let instances = view.analysis.instances_of(accesses.all[access].method).iter();
        let pairs = instances.flat_map(|&instance| {
            threads.may_execute(instance).iter().map(move |&thread| Occurrence { access, instance, thread })
        });
        pairs.take(20).collect::<Vec<_>>()
    };
    let (first, second) = (occurrences(a), occurrences(b));
    let pairs =
        first.iter().flat_map(|&a| second.iter().map(move |&b| Candidate { sides: [a, b], object: None }));
    pairs.collect()
}
