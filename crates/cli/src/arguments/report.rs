//! How findings are shown: the same for `check`, and for `report`, which shows what was found before.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

pub const HELP: &str = "\
Examples:
  selvedge check app.jar --format json --output races.json
  selvedge report races.json
      The report as text.
  selvedge report races.json --format html --output races.html
      The same as a page; so one check serves many formats.
  selvedge report races.json --view objects
      By object: which objects several threads use without order.
  selvedge report races.json --baseline accepted.json --fail-on high
      As check would with these options.

Exit status: as that of check.";

/// Arguments of `selvedge report`.
#[derive(Args)]
pub struct ReportArguments {
    /// A report (JSON) that check or run wrote
    #[arg(value_name = "REPORT")]
    pub report: PathBuf,
    /// How it is shown.
    #[command(flatten)]
    pub show: ShowArguments,
}

/// How findings are shown, and which of them.
#[derive(Args)]
pub struct ShowArguments {
    /// How to write the report
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format_parser())]
    pub format: selvedge_report::Format,
    /// Write the report to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Where the program's sources are: directories, zip or jar archives; may be given more than once
    #[arg(long, value_name = "PATH")]
    pub sources: Vec<PathBuf>,
    /// What the text lists: findings, or by field or by object with the findings of each
    #[arg(long, value_enum, default_value_t = View::Findings)]
    pub view: View,
    /// How many findings the text lists, the surest first: a number, or all
    #[arg(long, value_name = "N", default_value = "20", value_parser = parse_top)]
    pub top: usize,
    /// One line for each finding
    #[arg(long, conflicts_with = "quiet")]
    pub brief: bool,
    /// Only the last line, the summary
    #[arg(long, short)]
    pub quiet: bool,
    /// Show how many pairs each stage and refuter removed, and how long each phase took
    #[arg(long)]
    pub stats: bool,
    /// Report only races in these packages or classes (com.acme.*), separated by commas: that of the field, or of an access
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub scope: Vec<String>,
    /// Leave out the findings of this baseline
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Also show the findings that a suppression, a baseline or the scope leaves out, and why
    #[arg(long)]
    pub show_suppressed: bool,
    /// Say what is new, fixed and unchanged since this report (JSON); only new findings count for the exit status
    #[arg(long, value_name = "FILE")]
    pub diff: Option<PathBuf>,
    /// From which confidence on findings make the exit status 1
    #[arg(long, value_enum, default_value_t = super::FailOn::Any)]
    pub fail_on: super::FailOn,
}

/// What the text lists.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// Each finding with both sides
    Findings,
    /// Each field, array and container with its findings
    Fields,
    /// Each object, by where it is created, with its findings
    Objects,
}

/// Reads how many findings are listed.
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
