//! Holds the detectors against the marks of the corpus and prints what differs.
//!
//! `cargo run --release -p selvedge-detect --example corpus [-- NAME...]`: programs whose path contains a name; `-v` before the names
//! prints the findings too.

#[path = "../tests/support/mod.rs"]
mod support;

use selvedge_testkit::{check_expectations, find_jdk};

/// How many closed programs are analysed at a time.
const TOGETHER: usize = 12;

fn main() {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let verbose = names.first().is_some_and(|name| name == "-v");
    if verbose {
        names.remove(0);
    }
    let Some(jdk) = find_jdk() else { return eprintln!("there is no JDK") };
    let wanted = |program: &selvedge_testkit::CorpusProgram| {
        names.is_empty() || names.iter().any(|name| program.file.contains(name.as_str()))
    };
    let checked = match support::check_corpus(&jdk, if verbose { 1 } else { TOGETHER }, wanted) {
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
    print!("{}", support::table(&checked));
    println!("{} programs, {wrong} with differences", checked.len());
}
