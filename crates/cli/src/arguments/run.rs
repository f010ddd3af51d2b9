//! `selvedge run`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::detector_arguments::DetectorArguments;

pub const HELP: &str = "\
The program keeps its standard input and output, its arguments, signals and exit status. Races are printed on standard error: as they
happen if the command is java, and when it ends if it is a build tool or a script, whose JVMs are all observed.

Examples:
  selvedge run -- java -jar app.jar
      Races that happen in this run, as they happen; the exit status is 66 if there is one.
  selvedge run --exit-status 0 -- java -jar app.jar
      Only the report: the exit status is the program's own.
  selvedge run -- mvn -q test
      Every JVM that a build starts; each race with the test that showed it.
  selvedge run --detector both -- java -cp target/classes com.acme.Main
      Also races that another schedule may show: accesses with no lock in common.
  selvedge run --fade -- java -jar app.jar
      For long runs: what was judged a thousand times is watched no more.
  selvedge run --output races.html --format html -- java -jar app.jar
      A report to read and search.

Exit status: 66 if there is a race (see --exit-status), otherwise that of the program; 2 if no JVM was observed, or one crashed, or a race
contradicts the plan of --audit.";

/// After how many judgements accesses fade if nobody says otherwise.
const FADE_AFTER: &str = "1024";

/// Arguments of `selvedge run`.
#[derive(Args)]
pub struct RunArguments {
    /// How the detector works.
    #[command(flatten)]
    pub detector: DetectorArguments,
    /// Only accesses in classes like this (p.C, p.*, p.**); may be given more than once. Without, all but the classes of build tools and
    /// test engines (Maven, Gradle, Surefire, JUnit, TestNG)
    #[arg(long, value_name = "CLASSES")]
    pub include: Vec<String>,
    /// No accesses in classes like this; may be given more than once
    #[arg(long, value_name = "CLASSES")]
    pub exclude: Vec<String>,
    /// Which classes, methods and instructions to observe, as a plan (JSON)
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// Watch everything, and report as an error of the analysis a race with an access that this plan (of check --plan) leaves out
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["plan", "fade"])]
    pub audit: Option<PathBuf>,
    /// Watch an access no more when it was judged so often while several threads ran (1024 if no number is given): long runs
    /// get cheap, and a race that shows only later is missed
    #[arg(long, value_name = "TIMES", num_args = 0..=1, require_equals = true, default_missing_value = FADE_AFTER)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1 << 30), conflicts_with = "record")]
    pub fade: Option<u32>,
    /// Also write all events to this file, for selvedge replay
    #[arg(long, value_name = "TRACE")]
    pub record: Option<PathBuf>,
    /// How to write the report: text, json, sarif, github or html
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = super::report::format_parser())]
    pub format: selvedge_report::Format,
    /// Write the report to this file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Where the program's sources are: directories, zip or jar archives; may be given more than once
    #[arg(long, value_name = "PATH")]
    pub sources: Vec<PathBuf>,
    /// Leave out the findings of this baseline
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Do not print races as they happen
    #[arg(long, short)]
    pub quiet: bool,
    /// End the program at the first race (with status 66, or that of --exit-status)
    #[arg(long)]
    pub halt_on_race: bool,
    /// The exit status if there is a race; 0 for the program's own
    #[arg(long, value_name = "STATUS", default_value_t = 66)]
    pub exit_status: u8,
    /// From which confidence on races decide the exit status
    #[arg(long, value_enum, default_value_t = super::FailOn::Any)]
    pub fail_on: super::FailOn,
    /// Also observe JVMs that the program starts (always so if the command is not java)
    #[arg(long)]
    pub children: bool,
    /// The command: java and its arguments, or anything that starts it
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}
