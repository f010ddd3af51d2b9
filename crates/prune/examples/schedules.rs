//! Safe programs under many schedules: happens-before reports nothing.
//!
//! Every program of the corpus that is said to have no race is run in the interpreter under so many seeded schedules, and what it does
//! is judged by happens-before. Prints how much was run and what was reported; the exit status is 1 if anything was.
//!
//!     cargo run --release -p selvedge-prune --example schedules -- 100 [NAME]
#![allow(clippy::unwrap_used)]

#[allow(dead_code)]
#[path = "../tests/observed/mod.rs"]
mod observed;

use std::process::ExitCode;

use rayon::prelude::*;
use selvedge_protocol::{DetectorChoice, Options};
use selvedge_testkit::{Analysed, compile_corpus, corpus, jdk_or_skip};
use selvedge_world::{Input, Program};

use observed::{OPTIMISTIC, Tokens, access_sites, racy, record};

/// What became of one program.
#[derive(Default)]
struct Tally {
    schedules: usize,
    events: usize,
    reports: Vec<String>,
    /// Why it cannot be run.
    failure: Option<String>,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let seeds: u64 = arguments.next().map_or(Ok(100), |number| number.parse()).unwrap();
    let part = arguments.next().unwrap_or_default();
    let Some(jdk) = jdk_or_skip() else { return ExitCode::SUCCESS };
    let compiled = compile_corpus(&jdk).unwrap();
    let paths = vec![compiled.path().to_path_buf()];
    let input = selvedge_world::Options { paths, jdk: Some(jdk.home.clone()), ..Default::default() };
    let program = Program::load(Input::read(&input).unwrap());
    let sites = access_sites(&program);
    let is_run = |main: &String| !main.contains(OPTIMISTIC) && main.contains(&part);
    let safe: Vec<String> = corpus()
        .unwrap()
        .into_iter()
        .filter(|one| !one.is_racy())
        .filter_map(|one| if let Analysed::Main(main) = one.analysed { Some(main) } else { None })
        .filter(is_run)
        .collect();
    let options = Options { detector: DetectorChoice::HappensBefore, ..Options::default() };
    let judge = |main: &String| {
        let mut tally = Tally::default();
        for seed in 0..seeds {
            match record(&program, &sites, &Tokens::default(), main, seed) {
                Ok(run) => {
                    let events = run.events;
                    tally.schedules += 1;
                    tally.events += events.len();
                    let racy = racy(events.iter(), &options);
                    tally.reports.extend(racy.iter().map(|it| format!("{main}, seed {seed}: {it:?}")));
                }
                Err(failure) => {
                    tally.failure = Some(failure);
                    break;
                }
            }
        }
        tally
    };
    let tallies: Vec<Tally> = safe.par_iter().map(judge).collect();
    for tally in &tallies {
        tally.failure.iter().for_each(|failure| println!("not run: {failure}"));
        tally.reports.iter().for_each(|report| println!("reported: {report}"));
    }
    let sum = |of: fn(&Tally) -> usize| tallies.iter().map(of).sum::<usize>();
    let (run, reports) = (sum(|it| usize::from(it.failure.is_none())), sum(|it| it.reports.len()));
    println!(
        "{run} of {} safe programs, {} schedules, {} events, {reports} reports",
        tallies.len(),
        sum(|it| it.schedules),
        sum(|it| it.events),
    );
    ExitCode::from(u8::from(reports > 0))
}
