//! How findings are shown: the same for `check`, and for `report`, which shows what was found before.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use selvedge_findings::Confidence;

pub const HELP: &str = "\
Examples:
  selvedge check app.jar --format json --output races.json
  selvedge report races.json
      Print the report as text.
  selvedge report races.json --format html --output races.html
      Write it as a page: one check serves all formats.
  selvedge report races.json run-1.json run-2.json
      Merge the report of a check with those of runs, which confirm findings.
  selvedge report races.json --view objects
      Group the findings by object.
  selvedge report races.json --min-confidence low --top all
      List every finding, also those that are likely benign or likely a limit of the analysis.
  selvedge report races.json --baseline accepted.json --fail-on high
      Apply a baseline and a threshold, as check does.

Exit status: that of check.";

/// Arguments of `selvedge report`.
#[derive(Args)]
pub struct ReportArguments {
    /// Reports in JSON, written by check or run; several are merged, those of check first
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<PathBuf>,
    /// How it is shown.
    #[command(flatten)]
    pub show: ShowArguments,
}

/// How findings are shown, and which of them.
#[derive(Args)]
#[command(next_help_heading = "Report")]
pub struct ShowArguments {
    /// Format of the report
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format_parser())]
    pub format: selvedge_report::Format,
    /// Write the report to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Sources of the program: a directory, or a zip or jar archive; repeatable
    #[arg(long, value_name = "PATH")]
    pub sources: Vec<PathBuf>,
    /// How the text groups findings
    #[arg(long, value_enum, default_value_t = View::Findings)]
    pub view: View,
    /// Lowest confidence of the findings that are listed; the others are counted. JSON has all
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = MinConfidence::Medium)]
    pub min_confidence: MinConfidence,
    /// Number of classes whose findings the text lists, or all
    #[arg(long, value_name = "N", default_value = "20", value_parser = parse_top)]
    pub top: usize,
    /// One line per finding
    #[arg(long, conflicts_with = "quiet")]
    pub brief: bool,
    /// Only the summary line
    #[arg(long, short)]
    pub quiet: bool,
    /// Also print how many pairs each stage and refuter removed, and the time of each phase
    #[arg(long)]
    pub stats: bool,
    /// Report only races in these packages or classes (com.acme.*), separated by commas: where the field
    /// is declared or accessed
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub scope: Vec<String>,
    /// Leave out the findings of this baseline
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Also list findings that a suppression, a baseline or the scope leaves out, and why
    #[arg(long)]
    pub show_suppressed: bool,
    /// Compare with this report (JSON): list what is new, fixed and unchanged. Only new findings count
    /// for the exit status
    #[arg(long, value_name = "FILE")]
    pub diff: Option<PathBuf>,
    /// Lowest confidence of a finding that makes the exit status 1
    #[arg(long, value_enum, default_value_t = super::FailOn::Any)]
    pub fail_on: super::FailOn,
}

/// What the text lists.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// Each finding with both sides
    Findings,
    /// By field, array or container
    Fields,
    /// By object, named after its allocation site
    Objects,
}

/// From which confidence on findings are listed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MinConfidence {
    /// High confidence only
    High,
    /// High and medium
    Medium,
    /// Every finding
    Low,
}

impl MinConfidence {
    /// The lowest confidence that is listed.
    pub fn least(self) -> Confidence {
        match self {
            Self::High => Confidence::High,
            Self::Medium => Confidence::Medium,
            Self::Low => Confidence::Low,
        }
    }
}

/// Reads of how many classes findings are listed.
fn parse_top(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(usize::MAX),
        _ => text.parse().map_err(|_| "a number, or all".to_owned()),
    }
}

/// Reads the name of a format.
pub fn format_parser() -> impl TypedValueParser<Value = selvedge_report::Format> {
    let names = selvedge_report::Format::NAMED.map(|(name, _)| name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<selvedge_report::Format>())
}
