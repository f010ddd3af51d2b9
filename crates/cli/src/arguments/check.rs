//! `selvedge check`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use selvedge_findings::Confidence;

use super::{AnalysisArguments, DetectionArguments, InputArguments, ShowArguments};
use crate::detector_arguments::Part;

pub const HELP: &str = "\
Examples:
  selvedge check app.jar
      Check a program; the main class is read from the manifest, or found.
  selvedge check pool.jar --library
      Check a library: any thread may call any public method.
  selvedge check target/classes --classpath 'lib/*' --sources src/main/java
      Check compiled classes with their libraries, and show source lines in the report.
  selvedge check app.jar --format html --output races.html
      Write a page to read and search. Other formats: json, sarif (code scanning), github (annotations).
  selvedge check app.jar --baseline accepted.json
      Report only findings that the baseline does not accept (see selvedge baseline).
  selvedge check java.base --library=java.util.Vector
      Check a class of the JDK.
  selvedge check app.jar --run -- java -jar app.jar
      Check, then run, watching only accesses that may race: findings that the run shows are confirmed.
  selvedge check app.jar --confirm -- java -jar app.jar
      Check, then make the predicted races happen: see selvedge help confirm.
  selvedge check app.jar --dump escaping
      List the pairs of accesses that remain after a stage, and what removed each later.
  selvedge check
      Check what selvedge.toml in the working directory names.

Exit status: 0 no findings (see --fail-on), 1 findings, 2 the check could not be carried out.";

/// Arguments of `selvedge check`.
#[derive(Args)]
pub struct CheckArguments {
    /// The program.
    #[command(flatten)]
    pub input: InputArguments,
    /// How call graph and points-to sets are found.
    #[command(flatten)]
    pub analysis: AnalysisArguments,
    /// How pairs are judged.
    #[command(flatten)]
    pub detection: DetectionArguments,
    /// How findings are shown.
    #[command(flatten)]
    pub show: ShowArguments,
    /// Where results are kept.
    #[command(flatten)]
    pub cache: CacheArguments,
    /// Also list the safe fields, and why each is safe
    #[arg(long, help_heading = "Report")]
    pub safe: bool,
    /// Write a plan for selvedge run to this file: the accesses that may race and have to be watched
    #[arg(long, help_heading = "Run", value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// Leave a reason for not watching an access out of the plan, to measure what it is worth
    #[arg(long, value_enum, value_name = "PART", hide = true)]
    pub plan_without: Option<Part>,
    /// Also run the command after --, watching only accesses that may race. Findings that the run shows
    /// are marked confirmed; the others say whether the run executed them. The report is written when the
    /// command ends
    #[arg(long, help_heading = "Run", requires = "command", group = "runs")]
    pub run: bool,
    /// Also run the command after -- several times, holding threads so that the predicted races happen.
    /// Findings of medium and high confidence are tried; those that happened lead the report. With --library
    /// and without a command, tests are written, compiled and run instead
    #[arg(long, help_heading = "Run", group = "runs")]
    pub confirm: bool,
    /// Keep the tests that showed a race of a library in this directory, each as a program and as a test of
    /// JUnit 5
    #[arg(long, help_heading = "Run", value_name = "DIR", requires = "confirm", conflicts_with = "command")]
    pub tests: Option<PathBuf>,
    /// How findings are tried.
    #[command(flatten)]
    pub tries: super::TryArguments,
    /// Command for --run and --confirm: java and its arguments, or anything that starts a JVM
    #[arg(last = true, value_name = "COMMAND", help_heading = "Run", requires = "runs")]
    pub command: Vec<OsString>,
    /// Check again whenever a class file, an archive or a settings file changes, until Ctrl-C
    #[arg(long, help_heading = "Run", conflicts_with_all = ["run", "confirm", "dump"])]
    pub watch: bool,
    /// Write the pairs of accesses that remain after this stage instead of the report, one per line, each
    /// with what removed it later. With --format json, as lines of JSON
    #[arg(long, help_heading = "Report", value_enum, value_name = "STAGE")]
    pub dump: Option<Stage>,
}

/// Where results are kept, so that a check of unchanged input is instant.
#[derive(Args)]
#[command(next_help_heading = "Cache")]
pub struct CacheArguments {
    /// Directory for results of earlier checks; by default selvedge in the user's cache directory. A check
    /// of unchanged input with the same options takes its result from there
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Neither use nor keep results of earlier checks
    #[arg(long, conflicts_with = "cache")]
    pub no_cache: bool,
}

/// A stage of the detection whose pairs can be written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// Both to one field, or both to array elements; at least one writes
    Original,
    /// Executed by two threads that may run in parallel
    Reachable,
    /// May concern the same object
    Aliasing,
    /// The object may be shared between threads
    Escaping,
    /// No common lock
    Unlocked,
    /// Not refuted
    Racy,
    /// Every pair, as original
    All,
}

/// From which confidence on findings count for the exit status.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// High confidence only
    High,
    /// High and medium
    Medium,
    /// Every finding
    Any,
    /// Never
    None,
}

impl FailOn {
    /// Whether a finding of this confidence decides the exit status.
    pub fn counts(self, confidence: Confidence) -> bool {
        match self {
            FailOn::High => confidence == Confidence::High,
            FailOn::Medium => confidence >= Confidence::Medium,
            FailOn::Any => true,
            FailOn::None => false,
        }
    }
}
