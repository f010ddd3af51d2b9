//! Prints the abstract threads and accesses of a program.
//!
//! `cargo run --release -p selvedge-facts --example threads -- MAIN-CLASS|library PATH...`

use std::path::PathBuf;
use std::time::Instant;

use selvedge_facts::{Accesses, Executions, Threads, View};
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
    println!("points-to {:?}", start.elapsed());
    let start = Instant::now();
    let view = View::new(&analysis, &models, &entries);
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
