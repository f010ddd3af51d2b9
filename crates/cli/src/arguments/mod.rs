//! The command line, one file for each command. Each option is defined here, once: `--help`, the manual pages, the completions,
//! what `selvedge.toml` may say and its reference are made from these definitions.

mod analysis;
mod baseline;
mod check;
mod confirm;
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
pub use check::{CacheArguments, CheckArguments, FailOn, Stage};
pub use confirm::{ConfirmArguments, TryArguments};
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
/// Selvedge reads class files, so it works for Java, Kotlin, Scala and Groovy. Start with `selvedge check app.jar`.
#[derive(Parser)]
#[command(
    name = "selvedge",
    version,
    max_term_width = 110,
    after_help = "\
Examples:
  selvedge check app.jar
      Report the races of a program.
  selvedge check pool.jar --library --format html --output races.html
      Report the races of a library, as a page to read and search.
  selvedge help check
      List all options of a command, with examples.

Exit status: 0 success, 1 findings, 2 an error, with a sentence on standard error; run has statuses of its own."
)]
pub struct Arguments {
    /// Settings file; by default selvedge.toml in the working directory, if there is one
    #[arg(long, global = true, help_heading = "Settings", value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Ignore selvedge.toml
    #[arg(long, global = true, help_heading = "Settings")]
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
    /// Run a program and report the races of this run
    #[command(after_help = run::HELP)]
    Run(Box<RunArguments>),
    /// Make predicted races happen, and report what they break
    #[command(after_help = confirm::HELP)]
    Confirm(Box<ConfirmArguments>),
    /// Explain why a finding is reported, or why a field is safe
    #[command(after_help = explain::HELP)]
    Explain(Box<ExplainArguments>),
    /// Show earlier reports, merged, in any format
    #[command(after_help = report::HELP)]
    Report(ReportArguments),
    /// Accept the current findings, so that later checks report only new ones
    #[command(after_help = baseline::HELP)]
    Baseline(BaselineArguments),
    /// Find the races in the recorded trace of a run
    #[command(after_help = replay::HELP)]
    Replay(Box<ReplayArguments>),
    /// Show what the analysis sees: methods, class hierarchy, calls, points-to sets, threads, locks
    #[command(after_help = inspect::HELP)]
    Inspect(Box<InspectArguments>),
    /// List what is known about library methods, and check it against real classes
    #[command(after_help = models::HELP)]
    Models(ModelsArguments),
    /// Print the most general client of a library, which stands for its unknown callers, as Java
    #[command(after_help = harness::HELP)]
    Harness(HarnessArguments),
    /// Serve an editor: findings at the lines of the sources, as a language server
    ///
    /// The server speaks the Language Server Protocol over standard input and output; editors start it. It finds the compiled classes of a
    /// Maven or Gradle project or of a plain folder, checks them whenever they change, and publishes the findings.
    #[command(after_help = tools::LSP_HELP)]
    Lsp,
    /// Print the JSON schema of reports, or of selvedge.toml
    #[command(after_help = tools::SCHEMA_HELP)]
    Schema(SchemaArguments),
    /// Print a completion script for a shell
    #[command(after_help = tools::COMPLETIONS_HELP)]
    Completions(CompletionsArguments),
    /// Print a manual page, or write all of them
    #[command(after_help = tools::MAN_HELP)]
    Man(ManArguments),
}
