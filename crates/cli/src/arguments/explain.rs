//! `selvedge explain`.

use std::path::PathBuf;

use clap::Args;

use super::{AnalysisArguments, DetectionArguments, InputArguments};

pub const HELP: &str = "\
Examples:
  selvedge explain Account.balance app.jar
      Explain a field, or the array or container that it holds: its findings, why it is safe, or why it is not
      reached. The arguments may come in either order.
  selvedge explain 3f2a9c app.jar
      Explain the finding with this key.
  selvedge explain 3f2a9c --report races.json
      Explain it from an earlier report (check --safe --format json).";

/// Arguments of `selvedge explain`.
#[derive(Args)]
pub struct ExplainArguments {
    /// Key of a finding (its beginning suffices), or Class.field, with or without the package
    #[arg(value_name = "KEY|CLASS.FIELD")]
    pub what: String,
    /// The program.
    #[command(flatten)]
    pub input: InputArguments,
    /// Read this report (JSON) instead of checking again
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    pub report: Option<PathBuf>,
    /// How call graph and points-to sets are found.
    #[command(flatten)]
    pub analysis: AnalysisArguments,
    /// How pairs are judged.
    #[command(flatten)]
    pub detection: DetectionArguments,
    /// Sources of the program: a directory, or a zip or jar archive; repeatable
    #[arg(long, value_name = "PATH")]
    pub sources: Vec<PathBuf>,
}
