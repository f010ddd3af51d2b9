//! `selvedge baseline`.

use std::path::PathBuf;

use clap::Args;

pub const HELP: &str = "\
Examples:
  selvedge check app.jar --format json --output races.json; selvedge baseline races.json --output accepted.json
      Accepts all findings of a report.
  selvedge check app.jar --baseline accepted.json
      Reports what is new since.";

/// Arguments of `selvedge baseline`.
#[derive(Args)]
pub struct BaselineArguments {
    /// Reports (JSON) whose findings are accepted
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<PathBuf>,
    /// Add to this baseline
    #[arg(long, value_name = "FILE")]
    pub add_to: Option<PathBuf>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
