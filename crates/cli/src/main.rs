//! The `selvedge` command: parses the command line, runs one command, turns errors into one sentence and a status.

mod analysis;
mod arguments;
mod audit;
mod baseline;
mod cache;
mod check;
mod check_run;
mod config;
mod confirm;
mod detector_arguments;
mod dump;
mod explain;
mod guard;
mod harness;
mod hints;
mod inspect;
mod kept;
mod lsp;
mod memory;
mod models;
mod output;
mod partners;
mod private;
mod progress;
mod replay;
mod report;
mod run;
mod selection;
mod show;
mod sources;
mod suppress;
mod tools;
mod watch;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use anyhow::Result;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches};

use arguments::{Arguments, Command};
use config::Config;
use guard::Guard;
use progress::Progress;

#[global_allocator]
static ALLOCATOR: memory::Allocator = memory::Allocator;

fn main() -> ExitCode {
    let status = run_command(&std::env::args_os().collect::<Vec<_>>());
    sources::clean_up();
    match status {
        Ok(status) => status,
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::say(&format!("selvedge: {error:#}\n"));
            ExitCode::from(2)
        }
    }
}

fn run_command(line: &[OsString]) -> Result<ExitCode> {
    let (arguments, config) = parse(line)?;
    match &arguments.command {
        Command::Check(arguments) if arguments.watch => watch::run(arguments, &config),
        Command::Check(arguments) => check::run(arguments, &config),
        Command::Run(arguments) => run::run(arguments),
        Command::Confirm(arguments) => confirm::run(arguments, &config),
        Command::Explain(arguments) => explain::run(arguments, &config),
        Command::Report(arguments) => report::run(arguments, &config),
        Command::Baseline(arguments) => baseline::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Inspect(arguments) => {
            let guard = Guard::new(&arguments.analysis, Progress::none());
            guard.over(check::refuse_part, || inspect::run(arguments)).map(|()| ExitCode::SUCCESS)
        }
        Command::Models(arguments) => models::run(arguments),
        Command::Lsp => lsp::run().map(|()| ExitCode::SUCCESS),
        Command::Harness(arguments) => harness::run(arguments).map(|()| ExitCode::SUCCESS),
        Command::Schema(arguments) => tools::schema(arguments).map(|()| ExitCode::SUCCESS),
        Command::Completions(arguments) => tools::completions(arguments).map(|()| ExitCode::SUCCESS),
        Command::Man(arguments) => tools::man(arguments).map(|()| ExitCode::SUCCESS),
    }
}

/// Reads the command line, and the configuration file where one is heeded: its settings hold where the command line is silent.
fn parse(line: &[OsString]) -> Result<(Arguments, Config)> {
    let definition = Arguments::command();
    let matches = definition.clone().try_get_matches_from(line).unwrap_or_else(|error| refuse(&error, line));
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let heeds = matches.subcommand_name().is_some_and(config::keys::is_heeded_by);
    if !heeds {
        return Ok((arguments, Config::default()));
    }
    let config = Config::find(arguments.config.as_deref(), arguments.no_config)?;
    if config.settings.is_empty() {
        return Ok((arguments, config));
    }
    let line = config::merge::with_settings(&config, &definition, &matches, line);
    let matches = definition.try_get_matches_from(line).unwrap_or_else(|error| error.exit());
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    Ok((arguments, config))
}

/// Prints what is wrong with the command line, or the help that it asks for, and ends.
fn refuse(error: &clap::Error, line: &[OsString]) -> ! {
    let refused = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    if let Some(mended) = hints::missing_dashes(line, refused).filter(|_| error.use_stderr()) {
        output::say(&format!("selvedge: `--` is missing before the command to run: {mended}\n"));
        std::process::exit(2);
    }
    error.exit()
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
