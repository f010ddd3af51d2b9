//! `selvedge explain`.

use std::path::PathBuf;

use clap::Args;

use super::{AnalysisArguments, DetectionArguments, InputArguments};

pub const HELP: &str = "\
Examples:
  selvedge explain Account.balance app.jar
      All about a field, or the array or container that it holds: its findings in full, which reasons make it
      safe, or why the analysis does not reach it. The program may also come first.
  selvedge explain 3f2a9c app.jar
      All about the finding with this key.
  selvedge explain 3f2a9c --report races.json
      The same from a report that was written before (with check --safe --format json).";

/// Arguments of `selvedge explain`.
#[derive(Args)]
pub struct ExplainArguments {
    /// The key of a finding (its beginning is enough), or a field as Class.field (the class with or without its package)
    #[arg(value_name = "KEY|CLASS.FIELD")]
    pub what: String,
    /// The program.
    #[command(flatten)]
    pub input: InputArguments,
    /// Take it from this report (JSON) instead of checking again
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    pub report: Option<PathBuf>,
    /// How call graph and points-to sets are found.
    #[command(flatten)]
    pub analysis: AnalysisArguments,
    /// How pairs are judged.
    #[command(flatten)]
    pub detection: DetectionArguments,
    /// Where the program's sources are: directories, zip or jar archives; may be given more than once
    #[arg(long, value_name = "PATH")]
    pub sources: Vec<PathBuf>,
}
