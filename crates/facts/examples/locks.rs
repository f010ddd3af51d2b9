//! Prints the locks that are held at each access of a program, in every instance of its method.
//!
//! `cargo run --release -p selvedge-facts --example locks -- MAIN-CLASS|library PATH...`

use std::path::PathBuf;
use std::time::Instant;

use selvedge_facts::{Accesses, Executions, Locks, Threads, View};
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
                let by = program.describe_method(lock.taken_in);
                let line = lock.line.unwrap_or(0);
                println!("    {} {:?}, taken by {by}:{line}", lock.name, lock.mode);
            }
        }
    }
    println!("asked {:?}: {occurrences} occurrences, {locked} under a lock", start.elapsed());
    Ok(())
}
