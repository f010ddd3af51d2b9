//! Prints what is known about the order of the conflicting accesses of a program.
//!
//! `cargo run --release -p selvedge-facts --example order -- MAIN-CLASS|library PATH...`

mod loaded;

use std::collections::BTreeMap;
use std::time::Instant;

use selvedge_facts::{
    AccessKind, Accesses, Candidate, Executions, Locks, Occurrence, Order, Place, Threads, View,
};

use loaded::Loaded;

fn main() -> Result<(), String> {
    let loaded = Loaded::from_arguments()?;
    let analysis = loaded.analyze();
    let start = Instant::now();
    let view = View::new(&analysis, &loaded.models, &loaded.entries);
    let mut threads = Threads::new(&view);
    let executions = Executions::new(&view, &mut threads);
    let accesses = Accesses::new(&view);
    println!("facts {:?}, {} threads, {} accesses", start.elapsed(), threads.all.len(), accesses.all.len());
    let start = Instant::now();
    let locks = Locks::new(&view, &threads, &executions, &accesses);
    let order = Order::new(&view, &threads, &executions, &accesses, &locks);
    println!("order {:?}", start.elapsed());
    let start = Instant::now();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut by_place: BTreeMap<String, Vec<(selvedge_facts::AccessId, AccessKind)>> = BTreeMap::new();
    for (access, data) in accesses.all.iter_ids() {
        if let Place::Field(field) | Place::Static(field) = data.place {
            by_place.entry(analysis.program.describe_field(field)).or_default().push((access, data.kind));
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
                            let line = format!("{key}: {}", reason.because());
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
