//! `selvedge confirm`, and what `check --confirm` shares with it.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::ShowArguments;

pub const HELP: &str = "\
The program runs several times, with its standard output and error captured. Threads are held before the \
accesses of a finding until two of them are at both accesses of the same location at the same time: then the race is \
confirmed, whatever schedule an ordinary run has. The program then continues in either order, and what it does \
differently is reported as the harm.

Examples:
  selvedge check app.jar --format json --output races.json
  selvedge confirm races.json -- java -jar app.jar
      Try the findings of medium and high confidence, and report which of them happened.
  selvedge confirm races.json --finding 3f1c -- java -jar app.jar
      Try one finding, by the beginning of its key.
  selvedge confirm races.json --confirm-time 600 -- mvn -q test
      Use the tests of a project as the program; the test that ran is named.
  selvedge run --output suspects.json --format json --detector both -- java -jar app.jar
  selvedge confirm suspects.json -- java -jar app.jar
      Try what a run only suspects.

Exit status: 0 no findings (see --fail-on), 1 findings, 2 nothing could be tried.";

/// Arguments of `selvedge confirm`.
#[derive(Args)]
pub struct ConfirmArguments {
    /// Report in JSON, written by check or run
    #[arg(value_name = "REPORT")]
    pub report: PathBuf,
    /// Try only this finding, by its key or the beginning of it; repeatable
    #[arg(long, help_heading = "Run", value_name = "KEY")]
    pub finding: Vec<String>,
    /// How it is tried.
    #[command(flatten)]
    pub tries: TryArguments,
    /// How findings are shown.
    #[command(flatten)]
    pub show: ShowArguments,
    /// java and its arguments, or anything that starts a JVM
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// How findings are tried.
#[derive(Args)]
pub struct TryArguments {
    /// Time for all runs of --confirm together, in seconds; a run that lasts longer is stopped
    #[arg(long, help_heading = "Run", value_name = "SECONDS", default_value_t = 60)]
    pub confirm_time: u64,
    /// Seed for the random hold times, so that a confirmation can be repeated
    #[arg(long, help_heading = "Run", value_name = "NUMBER", default_value_t = 1)]
    pub seed: u32,
    /// File that the program reads as its standard input in every run; by default it is empty
    #[arg(long, help_heading = "Run", value_name = "FILE")]
    pub input: Option<PathBuf>,
}
