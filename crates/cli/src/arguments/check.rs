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
      The races of a program; where it starts is read from the archive, or found.
  selvedge check pool.jar --library
      The races of a library: any thread may call any public method.
  selvedge check target/classes --classpath 'lib/*' --sources src/main/java
      With the program's libraries, and lines of its source in the report.
  selvedge check app.jar --format html --output races.html
      A page to read and search. Other formats: json, sarif (code scanning), github (annotations).
  selvedge check app.jar --baseline accepted.json
      Only what is not in a baseline (see selvedge baseline).
  selvedge check java.base --library=java.util.Vector
      A class of the JDK.
  selvedge check app.jar --run -- java -jar app.jar
      Also run it, watching only what may race: findings that the run shows are confirmed.
  selvedge check app.jar --dump escaping
      The pairs of accesses that are left after a stage, and what removed each later.
  selvedge check
      What selvedge.toml in the working directory says.

Exit status: 0 no findings (see --fail-on), 1 findings, 2 the check could not be made.";

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
    /// Also say which fields are safe and why
    #[arg(long)]
    pub safe: bool,
    /// Write to this file which accesses a run has to watch: those that may race and say something new
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// Leave out a reason for which accesses need not be watched, to measure what it is worth
    #[arg(long, value_enum, value_name = "PART", hide = true)]
    pub plan_without: Option<Part>,
    /// Also run a command (behind --) and watch the accesses that may race: findings that the run shows are confirmed, and the
    /// others say whether the run came there. The command's output goes where it goes; the report comes when it has ended
    #[arg(long, requires = "command")]
    pub run: bool,
    /// The command for --run: java and its arguments, or anything that starts it
    #[arg(last = true, value_name = "COMMAND", requires = "run")]
    pub command: Vec<OsString>,
    /// Instead of the report, write the pairs of accesses that this stage leaves, one on a line, with what removed each
    /// later; all for every pair. As text, or with --format json as lines of JSON
    #[arg(long, value_enum, value_name = "STAGE")]
    pub dump: Option<Stage>,
}

/// A stage of the detection whose pairs can be written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// Same field or both array elements, one writes
    Original,
    /// Two threads that may run in parallel reach them
    Reachable,
    /// On a common object
    Aliasing,
    /// The object may be shared
    Escaping,
    /// Under no common lock
    Unlocked,
    /// No refuter applies
    Racy,
    /// Every pair, as with original
    All,
}

/// From which confidence on findings count for the exit status.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Only high confidence
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
