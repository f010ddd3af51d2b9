//! Prints the locks that are held at each access of a program, in every instance of its method.
//!
//! `cargo run --release -p selvedge-facts --example locks -- MAIN-CLASS|library PATH...`

mod loaded;

use std::time::Instant;

use selvedge_facts::{Accesses, Executions, Locks, Threads, View};

use loaded::Loaded;

fn main() -> Result<(), String> {
    let loaded = Loaded::from_arguments()?;
    let analysis = loaded.analyze();
    let start = Instant::now();
    let view = View::new(&analysis, &loaded.models, &loaded.entries);
    let mut threads = Threads::new(&view);
    let executions = Executions::new(&view, &mut threads);
    let accesses = Accesses::new(&view);
    println!("threads and accesses {:?}, {} accesses", start.elapsed(), accesses.all.len());
    let start = Instant::now();
    let locks = Locks::new(&view, &threads, &executions, &accesses);
    println!("locks {:?}", start.elapsed());
    let start = Instant::now();
    let (mut occurrences, mut locked) = (0, 0);
    let describe = analysis.describe();
    for (id, access) in accesses.all.iter_ids() {
        for &instance in analysis.instances_of(access.method) {
            if threads.may_execute(instance).is_empty() {
                continue;
            }
            let held = locks.must_hold(&view, id, instance);
            occurrences += 1;
            locked += usize::from(!held.is_empty());
            if held.is_empty() {
                continue;
            }
            let line = view.line(access.method, access.inst).unwrap_or(0);
            println!("{}:{line} {:?} {:?}", describe.instance(instance), access.kind, access.place);
            for lock in held {
                let by = analysis.program.describe_method(lock.taken_in);
                let line = lock.line.unwrap_or(0);
                println!("    {} {:?}, taken by {by}:{line}", lock.name, lock.mode);
            }
        }
    }
    println!("asked {:?}: {occurrences} occurrences, {locked} under a lock", start.elapsed());
    Ok(())
}
