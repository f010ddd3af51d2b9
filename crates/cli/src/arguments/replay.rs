//! `selvedge replay`.

use std::path::PathBuf;

use clap::Args;

use crate::detector_arguments::DetectorArguments;

pub const HELP: &str = "\
Examples:
  selvedge replay run.trace
      Report the races of the recorded run.
  selvedge replay run.trace --detector both
      Also report accesses without a common lock, which may collide under another schedule.
  selvedge replay run.trace --pairs bank.Account.balance
      List every pair of lines that races on a field. o12, o12.f and o12[3] name an object, its field, its element.
  selvedge replay run.trace --events | less
      Print the events as text. Traces in that form can be replayed as well.

Exit status: 0 no races, 1 races, 2 the trace cannot be read.";

/// Arguments of `selvedge replay`.
#[derive(Args)]
pub struct ReplayArguments {
    /// Trace written by run --record
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// How the detector works.
    #[command(flatten)]
    pub detector: DetectorArguments,
    /// List every pair of lines that races on this location, instead of one per location
    #[arg(long, help_heading = "Report", value_name = "LOCATION")]
    pub pairs: Option<String>,
    /// Print the events instead of judging them
    #[arg(long, help_heading = "Report", conflicts_with = "pairs")]
    pub events: bool,
    /// Format of the report
    #[arg(long, help_heading = "Report", value_name = "FORMAT", default_value = "text", value_parser = super::report::format_parser())]
    pub format: selvedge_report::Format,
    /// Write to this file instead of standard output
    #[arg(long, help_heading = "Report", short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Sources of the program: a directory, or a zip or jar archive; repeatable
    #[arg(long, help_heading = "Report", value_name = "PATH")]
    pub sources: Vec<PathBuf>,
    /// One line per race
    #[arg(long, help_heading = "Report", conflicts_with = "quiet")]
    pub brief: bool,
    /// Only the summary line
    #[arg(long, help_heading = "Report", short)]
    pub quiet: bool,
}
