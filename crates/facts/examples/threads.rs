//! Prints the abstract threads and accesses of a program.
//!
//! `cargo run --release -p selvedge-facts --example threads -- MAIN-CLASS|library PATH...`

mod loaded;

use std::time::Instant;

use selvedge_facts::{Accesses, Executions, Threads, View};

use loaded::Loaded;

fn main() -> Result<(), String> {
    let loaded = Loaded::from_arguments()?;
    let analysis = loaded.analyze();
    let start = Instant::now();
    let view = View::new(&analysis, &loaded.models, &loaded.entries);
    let mut threads = Threads::new(&view);
    let executions = Executions::new(&view, &mut threads);
    let accesses = Accesses::new(&view);
    println!("facts {:?}, {} accesses", start.elapsed(), accesses.all.len());
    let describe = analysis.describe();
    for (id, thread) in threads.all.iter_ids() {
        let many = if thread.many { " many" } else { "" };
        println!("{id}{many} {:?} reaches {}", thread.origin, threads.reached[id].len());
        thread.entries.iter().take(8).for_each(|&entry| println!("    {}", describe.instance(entry)));
        for &object in thread.objects.iter().take(8) {
            let single = if executions.is_single(object) { " (single)" } else { "" };
            println!("    on {}{single}", describe.object(object));
        }
    }
    Ok(())
}
