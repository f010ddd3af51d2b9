//! The `selvedge` command: parses the command line, runs one command, turns errors into one sentence and a status.

mod analysis;
mod arguments;
mod baseline;
mod check;
mod detector_arguments;
mod explain;
mod harness;
mod inspect;
mod models;
mod output;
mod replay;
mod run;
mod selection;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match &arguments.command {
        Command::Check(arguments) => check::run(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Baseline(arguments) => baseline::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Inspect(arguments) => inspect::run(arguments).map(|()| ExitCode::SUCCESS),
        Command::Models(arguments) => models::run(arguments),
        Command::Harness(arguments) => harness::run(arguments).map(|()| ExitCode::SUCCESS),
    };
    match result {
        Ok(status) => status,
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("selvedge: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
