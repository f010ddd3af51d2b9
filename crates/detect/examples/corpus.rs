//! Holds the detectors against the marks of the corpus and prints what differs.
//!
//! `cargo run --release -p selvedge-detect --example corpus [-- NAME...]`: programs whose path contains a name; `-v` before the names
//! prints the findings too, `-t` how long each program takes by itself that takes longer than [`SLOW`].

#[path = "../tests/support/mod.rs"]
mod support;

use selvedge_testkit::{check_expectations, find_jdk};

/// How many closed programs are analysed at a time.
const TOGETHER: usize = 12;

/// What is told of with `-t`, in milliseconds.
const SLOW: u64 = 2000;

fn main() {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let mut flag =
        |flag: &str| names.first().is_some_and(|name| name == flag).then(|| names.remove(0)).is_some();
    let (verbose, timed) = (flag("-v"), flag("-t"));
    let Some(jdk) = find_jdk() else { return eprintln!("there is no JDK") };
    let wanted = |program: &selvedge_testkit::CorpusProgram| {
        names.is_empty() || names.iter().any(|name| program.file.contains(name.as_str()))
    };
    let checked = match support::check_corpus(&jdk, if verbose || timed { 1 } else { TOGETHER }, wanted) {
        Ok(checked) => checked,
        Err(failure) => return eprintln!("{failure}"),
    };
    let mut wrong = 0;
    for one in &checked {
        if let Err(complaints) = check_expectations(&one.reported(), &one.program.marks) {
            wrong += 1;
            println!("{complaints}");
        }
        if verbose {
            for finding in &one.report.findings {
                println!("  {} {:?} rank {}", finding.location, finding.confidence, finding.rank);
                for side in &finding.sides {
                    println!("    {:?} {} in {}", side.action, side.at.place(), side.thread.entry);
                }
            }
            for safe in one.report.safe.iter().flatten() {
                for because in &safe.because {
                    println!(
                        "  safe {}: {} x{} {:?}",
                        safe.location, because.refuter, because.count, because.examples
                    );
                }
            }
            println!("  {:?}", one.report.stats.stages);
        }
    }
    if timed {
        let taken =
            |one: &support::Checked| -> u64 { one.report.stats.phases.iter().map(|phase| phase.ms).sum() };
        let mut times: Vec<(u64, &str)> =
            checked.iter().map(|one| (taken(one), one.program.file.as_str())).collect();
        times.sort_by(|a, b| b.cmp(a));
        let slow = times.iter().take_while(|(ms, _)| *ms > SLOW);
        slow.for_each(|(ms, file)| println!("{ms:6} ms {file}"));
        let median = times.get(times.len() / 2).map_or(0, |(ms, _)| *ms);
        println!("half of the programs take less than {median} ms each");
    }
    print!("{}", support::table(&checked));
    println!("{} programs, {wrong} with differences", checked.len());
}
