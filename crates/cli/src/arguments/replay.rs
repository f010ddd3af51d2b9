//! `selvedge replay`.

use std::path::PathBuf;

use clap::Args;

use crate::detector_arguments::DetectorArguments;

pub const HELP: &str = "\
Examples:
  selvedge replay run.trace
      The races that the recorded run shows.
  selvedge replay run.trace --detector hb
      Only those that nothing in the run ordered.
  selvedge replay run.trace --pairs bank.Account.balance
      Every pair of lines that races for a field; o12, o12.f or o12[3] for an object, its field, its element.
  selvedge replay run.trace --events | less
      The events themselves, as text. Traces in that form can be replayed too.

Exit status: 0 no races, 1 races, 2 the trace cannot be read.";

/// Arguments of `selvedge replay`.
#[derive(Args)]
pub struct ReplayArguments {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// How the detector works.
    #[command(flatten)]
    pub detector: DetectorArguments,
    /// List every pair of lines that races for this location, not only one for each location
    #[arg(long, value_name = "LOCATION")]
    pub pairs: Option<String>,
    /// Print the events instead of judging them
    #[arg(long, conflicts_with = "pairs")]
    pub events: bool,
    /// How to write the report: text, json, sarif, github or html
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = super::report::format_parser())]
    pub format: selvedge_report::Format,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Where the program's sources are: directories, zip or jar archives; may be given more than once
    #[arg(long, value_name = "PATH")]
    pub sources: Vec<PathBuf>,
    /// One line for each race
    #[arg(long, conflicts_with = "quiet")]
    pub brief: bool,
    /// Only the last line, the summary
    #[arg(long, short)]
    pub quiet: bool,
}
