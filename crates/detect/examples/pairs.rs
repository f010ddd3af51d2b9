//! Runs the pair analysis on a program and prints stages, times and findings, one line each.
//!
//! `cargo run --release -p selvedge-detect --example pairs -- MAIN-CLASS|library PATH...`

use std::path::PathBuf;

use selvedge_detect::check::{Request, check};
use selvedge_detect::pairs;
use selvedge_models::Models;
use selvedge_pta::{Entries, Limits, context::policy_named};
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
    let request = Request {
        program: &program,
        models: &models,
        entries: &entries,
        policy: policy.as_ref(),
        limits: Limits::default(),
        pairs: pairs::Options { safe: true, ..pairs::Options::default() },
    };
    let report = check(&request, &mut |_| {});
    for finding in &report.findings {
        let places: Vec<String> = finding.sides.iter().map(|side| side.at.place()).collect();
        println!(
            "{:3} {} {}: {} ({} pairs)",
            finding.rank,
            finding.confidence.name(),
            finding.location,
            places.join(" / "),
            finding.pair_count()
        );
    }
    println!("{:?}\n{:?}\n{:?}", report.stats.stages, report.stats.refuters, report.stats.phases);
    println!("{} findings, {} safe", report.findings.len(), report.safe.iter().flatten().count());
    Ok(())
}
