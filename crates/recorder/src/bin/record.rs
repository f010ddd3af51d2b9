//! `record [NAME...]`: runs the named workloads (all of them if none is named) under the agent and leaves
//! `target/recordings/NAME.edges`.
//!
//! A workload that fails is reported and the others still run; the exit status is then 1.

use selvedge_recorder::run::record;
use selvedge_recorder::{Summary, Workload, workloads};
use selvedge_testkit::{Failure, Jdk, find_jdk};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    match record_all(&names) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(2)
        }
    }
}

/// Records the named workloads and returns how many failed.
fn record_all(names: &[String]) -> Result<usize, Failure> {
    let jdk =
        find_jdk().ok_or_else(|| Failure::new("no JDK found: set JAVA_HOME or put java on the PATH"))?;
    let mut chosen = workloads()?;
    if let Some(unknown) = names.iter().find(|name| chosen.iter().all(|workload| workload.name != **name)) {
        let known: Vec<String> = chosen.into_iter().map(|workload| workload.name).collect();
        return Err(Failure::new(format!("no workload is called {unknown}; there are {}", known.join(", "))));
    }
    chosen.retain(|workload| names.is_empty() || names.contains(&workload.name));
    let mut failed = 0;
    for workload in &chosen {
        let started = Instant::now();
        match record_one(&jdk, workload) {
            Ok(summary) => {
                println!("{}: {summary} [{:.1} s]", workload.name, started.elapsed().as_secs_f64());
            }
            Err(failure) => {
                failed += 1;
                eprintln!("{}: {failure}", workload.name);
            }
        }
    }
    Ok(failed)
}

fn record_one(jdk: &Jdk, workload: &Workload) -> Result<Summary, Failure> {
    let options = workload.run_options(jdk)?;
    let (run, recording) = record(jdk, &workload.main_class, &options, &workload.recording_path())?;
    if run.exit_code != Some(workload.exit) {
        return Err(Failure::new(format!(
            "exit status {:?}, not {}\n{}{}",
            run.exit_code, workload.exit, run.stdout, run.stderr
        )));
    }
    if !recording.problems.is_empty() {
        return Err(Failure::new(format!("incomplete recording: {}", recording.problems.join("; "))));
    }
    let file = workload.class_path_file();
    std::fs::write(&file, format!("{:?}\n", options.classpath))
        .map_err(Failure::io(format!("write {}", file.display())))?;
    Ok(Summary::of(&recording))
}
