//! Prints how much of a program is confined to threads, and how long it takes to find out.
//!
//! `cargo run --release -p selvedge-facts --example confinement -- MAIN-CLASS|library PATH...`

mod loaded;

use std::time::Instant;

use selvedge_facts::{Accesses, Confinement, Escape, Executions, Occurrence, Publication, Threads, View};

use loaded::Loaded;

fn main() -> Result<(), String> {
    let loaded = Loaded::from_arguments()?;
    let analysis = loaded.analyze();
    let start = Instant::now();
    let view = View::new(&analysis, &loaded.models, &loaded.entries);
    let mut threads = Threads::new(&view);
    let _ = Executions::new(&view, &mut threads);
    let accesses = Accesses::new(&view);
    println!("facts {:?}, {} accesses", start.elapsed(), accesses.all.len());
    let start = Instant::now();
    let escape = Escape::new(&view, &threads);
    println!(
        "escape {:?}: {} of {} may be shared",
        start.elapsed(),
        escape.shared_count(),
        analysis.heap.len()
    );
    let start = Instant::now();
    let sharing = Confinement::new(&view, &threads, &accesses);
    let objects = || analysis.heap.objects().map(|(object, _)| object);
    let specific =
        objects().filter(|&object| escape.may_be_shared(object) && sharing.must_be_specific(object));
    let confined =
        objects().filter(|&object| escape.may_be_shared(object) && sharing.must_be_confined(object));
    println!(
        "sharing {:?}: {} more are specific, {} more confined",
        start.elapsed(),
        specific.count(),
        confined.count()
    );
    let start = Instant::now();
    let publication = Publication::new(&view, &threads, &escape, &accesses);
    let (mut fresh, mut all) = (0, 0);
    for (access, data) in accesses.all.iter_ids() {
        for &instance in analysis.instances_of(data.method).iter().take(4) {
            for &thread in threads.may_execute(instance).iter().take(2) {
                let side = Occurrence { access, instance, thread };
                for object in accesses.may_touch(&view, access, instance).iter().take(4) {
                    all += 1;
                    let is_fresh = publication.must_be_unpublished(&view, &threads, &accesses, &side, object);
                    fresh += usize::from(is_fresh);
                }
            }
        }
    }
    println!(
        "publication {:?}: {fresh} of {all} sampled accesses are to unpublished objects",
        start.elapsed()
    );
    Ok(())
}
