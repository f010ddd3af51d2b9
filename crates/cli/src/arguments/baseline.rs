//! `selvedge baseline`.

use std::path::PathBuf;

use clap::Args;

pub const HELP: &str = "\
Examples:
  selvedge check app.jar --format json --output races.json
  selvedge baseline races.json --output accepted.json
      Accept all findings of a report.
  selvedge check app.jar --baseline accepted.json
      Report only findings that are not in the baseline.";

/// Arguments of `selvedge baseline`.
#[derive(Args)]
pub struct BaselineArguments {
    /// Reports in JSON whose findings to accept
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<PathBuf>,
    /// Keep the findings of this baseline as well
    #[arg(long, value_name = "FILE")]
    pub add_to: Option<PathBuf>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
