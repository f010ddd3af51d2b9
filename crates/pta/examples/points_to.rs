//! Runs the points-to analysis on a program and prints its sizes, time and memory.
//!
//! `cargo run --release -p selvedge-pta --example points_to -- POLICY MAIN-CLASS|library PATH...`

use std::path::PathBuf;
use std::time::Instant;

use selvedge_models::Models;
use selvedge_pta::{Entries, Limits, analyze, context::policy_named, resident_bytes};
use selvedge_world::{EntryRequest, Input, Options, Program};

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let policy =
        arguments.next().and_then(|name| policy_named(&name)).ok_or("the first argument names a policy")?;
    let main = arguments.next().ok_or("the second argument names the main class, or is `library`")?;
    let paths: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let start = Instant::now();
    let input = Input::read(&Options { paths, ..Options::default() }).map_err(|error| error.to_string())?;
    let program = Program::load(input);
    println!("loaded {} classes in {:?}", program.classes.len(), start.elapsed());
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let request = match main.as_str() {
        "library" => EntryRequest::Library(Vec::new()),
        main => EntryRequest::Main(main.to_string()),
    };
    let points = program.entry_points(&request).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let entries = Entries::of_program(&program, &points);
    let analysis = analyze(&program, &models, &entries, policy.as_ref(), Limits::default());
    let memory = resident_bytes().unwrap_or(0) >> 20;
    println!("{}: {:?}, {memory} MB resident", analysis.policy, start.elapsed());
    println!("{:#?}", analysis.statistics());
    for assumption in &analysis.assumptions {
        println!("assumed: {assumption}");
    }
    Ok(())
}
