//! Prints the size of a program's object graph and how much of the application's objects is owned.
//!
//! `cargo run --release -p selvedge-facts --example ownership -- MAIN-CLASS|library PATH...`

mod loaded;

use std::time::Instant;

use selvedge_facts::{Executions, Ownership, Threads, View};
use selvedge_pta::heap::Site;

use loaded::Loaded;

fn main() -> Result<(), String> {
    let loaded = Loaded::from_arguments()?;
    let analysis = loaded.analyze();
    let start = Instant::now();
    let view = View::new(&analysis, &loaded.models, &loaded.entries);
    let mut threads = Threads::new(&view);
    let executions = Executions::new(&view, &mut threads);
    println!("facts {:?}", start.elapsed());
    let start = Instant::now();
    let ownership = Ownership::new(&view, &threads, &executions);
    println!(
        "ownership {:?}: {} nodes, {} edges",
        start.elapsed(),
        ownership.graph.len(),
        ownership.graph.edge_count()
    );
    let of_application =
        |site: Site| matches!(site, Site::Instruction { method, .. } if view.is_application(method));
    let made =
        || analysis.heap.objects().filter(|(_, data)| of_application(analysis.heap.site_of(data.site)));
    let owned = made().filter(|&(object, _)| !ownership.is_distributed(object)).count();
    println!("{owned} of {} objects that the application makes are owned", made().count());
    let mut pairs = 0usize;
    for instance in analysis.instances.ids() {
        pairs += ownership.graph.on_behalf_of(instance).len();
    }
    println!("{pairs} tuples of instances and receivers");
    Ok(())
}
