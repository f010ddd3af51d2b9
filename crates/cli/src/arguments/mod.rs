//! The command line, one file for each command. Each option is defined here, once: `--help`, the manual pages, the completions,
//! what `selvedge.toml` may say and its reference are made from these definitions.

mod analysis;
mod baseline;
mod check;
mod explain;
mod harness;
mod input;
mod inspect;
mod models;
mod replay;
mod report;
mod run;
mod tools;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

pub use analysis::{AnalysisArguments, DetectionArguments, Effort, HeapArgument, LocksArgument};
pub use baseline::BaselineArguments;
pub use check::{CheckArguments, FailOn, Stage};
pub use explain::ExplainArguments;
pub use harness::HarnessArguments;
pub use input::InputArguments;
pub use inspect::{Format, InspectArguments, What};
pub use models::{ModelsArguments, ModelsCheckArguments, ModelsCommand, ModelsListArguments};
pub use replay::ReplayArguments;
pub use report::{ReportArguments, ShowArguments, View};
pub use run::RunArguments;
pub use tools::{CompletionsArguments, ManArguments, SchemaArguments, SchemaOf};

/// Finds data races and object races in JVM programs.
///
/// Selvedge reads class files, so Java, Kotlin, Scala and Groovy are alike to it. `selvedge check app.jar` is where to start.
#[derive(Parser)]
#[command(
    name = "selvedge",
    version,
    max_term_width = 110,
    after_help = "\
Examples:
  selvedge check app.jar
      The races of a program.
  selvedge check pool.jar --library --format html --output races.html
      The races of a library, as a page to read and search.
  selvedge help check
      Everything about a command, with examples.

Exit status: 0 all went well, 1 there are findings or a check failed, 2 the command could not do its work (one sentence on
standard error says why)."
)]
pub struct Arguments {
    /// Take settings from this file; if not given, from selvedge.toml in the working directory, if there is one
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Take settings from no file
    #[arg(long, global = true)]
    pub no_config: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Find the races that a program may have, without running it
    #[command(after_help = check::HELP)]
    Check(Box<CheckArguments>),
    /// Run a program and find the races that this run shows
    #[command(after_help = run::HELP)]
    Run(Box<RunArguments>),
    /// Why a finding is reported, or why a field is safe
    #[command(after_help = explain::HELP)]
    Explain(Box<ExplainArguments>),
    /// Show a report that was written before, in whatever format
    #[command(after_help = report::HELP)]
    Report(ReportArguments),
    /// Accept today's findings, so that later checks report only new ones
    #[command(after_help = baseline::HELP)]
    Baseline(BaselineArguments),
    /// Find the races in a trace that a run recorded
    #[command(after_help = replay::HELP)]
    Replay(Box<ReplayArguments>),
    /// Look inside a program: its methods, class hierarchy, calls, points-to sets, threads and locks
    #[command(after_help = inspect::HELP)]
    Inspect(Box<InspectArguments>),
    /// What is known about library methods: list it, and check it against real classes
    #[command(after_help = models::HELP)]
    Models(ModelsArguments),
    /// Print, as Java, the most general client of a library: what stands for its missing callers
    #[command(after_help = harness::HELP)]
    Harness(HarnessArguments),
    /// Print the JSON schema of reports, or of selvedge.toml
    #[command(after_help = tools::SCHEMA_HELP)]
    Schema(SchemaArguments),
    /// Print a script that lets a shell complete commands, options and their values
    #[command(after_help = tools::COMPLETIONS_HELP)]
    Completions(CompletionsArguments),
    /// Print a manual page, or write all of them
    #[command(after_help = tools::MAN_HELP)]
    Man(ManArguments),
}
