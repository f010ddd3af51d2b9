//! `selvedge run`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::detector_arguments::DetectorArguments;

pub const HELP: &str = "\
The program keeps its standard input and output, its arguments and signals. Races are printed on standard error: \
while it runs if the command is java, and when it ends if the command is a build tool or a script.

Examples:
  selvedge run -- java -jar app.jar
      Report the races of this run as they happen; the exit status is 66 if there is one.
  selvedge run --exit-status 0 -- java -jar app.jar
      Report races, and keep the exit status of the program.
  selvedge run -- mvn -q test
      Observe every JVM that a build starts, and name the test that showed each race.
  selvedge run --detector both -- java -cp target/classes com.acme.Main
      Also report accesses without a common lock, which may collide under another schedule.
  selvedge run --sample -- java -jar app.jar
      For long runs: stop watching an access that was judged a thousand times.
  selvedge run --output races.html --format html -- java -jar app.jar
      Write a page to read and search.

Exit status: 66 if there is a race (see --exit-status), otherwise that of the program. 2 if no JVM was \
observed, if one crashed, or if a race contradicts the plan of --audit.";

/// After how many judgements sampling stops watching an access if no number is given.
const SAMPLES: &str = "1024";

/// Arguments of `selvedge run`.
#[derive(Args)]
pub struct RunArguments {
    /// How the detector works.
    #[command(flatten)]
    pub detector: DetectorArguments,
    /// Watch only accesses in these classes (p.C, p.*, p.**); repeatable. By default all except those of
    /// build tools and test engines (Maven, Gradle, Surefire, JUnit, TestNG)
    #[arg(long, help_heading = "Run", value_name = "CLASSES")]
    pub include: Vec<String>,
    /// Do not watch accesses in these classes; repeatable
    #[arg(long, help_heading = "Run", value_name = "CLASSES")]
    pub exclude: Vec<String>,
    /// Watch only the accesses in this plan (from check --plan)
    #[arg(long, help_heading = "Run", value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// Watch every access, and report a race on an access that this plan leaves out as an error of the
    /// analysis
    #[arg(long, help_heading = "Run", value_name = "PLAN", conflicts_with_all = ["plan", "sample"])]
    pub audit: Option<PathBuf>,
    /// Stop watching an access after it was judged this often while several threads ran (1024 without a
    /// number). Makes long runs cheap; a race that shows only later is missed
    #[arg(long, alias = "fade", help_heading = "Run", value_name = "TIMES", num_args = 0..=1, require_equals = true, default_missing_value = SAMPLES)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1 << 30), conflicts_with = "record")]
    pub sample: Option<u32>,
    /// Also write all events to this file, for selvedge replay
    #[arg(long, help_heading = "Run", value_name = "TRACE")]
    pub record: Option<PathBuf>,
    /// Format of the report
    #[arg(long, help_heading = "Report", value_name = "FORMAT", default_value = "text", value_parser = super::report::format_parser())]
    pub format: selvedge_report::Format,
    /// Write the report to this file
    #[arg(long, help_heading = "Report", short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Sources of the program: a directory, or a zip or jar archive; repeatable
    #[arg(long, help_heading = "Report", value_name = "PATH")]
    pub sources: Vec<PathBuf>,
    /// Leave out the findings of this baseline
    #[arg(long, help_heading = "Report", value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Do not print races while the program runs
    #[arg(long, help_heading = "Report", short)]
    pub quiet: bool,
    /// End the program at the first race, with status 66 or that of --exit-status
    #[arg(long, help_heading = "Run")]
    pub halt_on_race: bool,
    /// Suspend all threads at each race, for a debugger or jstack, until the file is removed that the
    /// message names
    #[arg(long, help_heading = "Run", conflicts_with = "halt_on_race")]
    pub stop_on_race: bool,
    /// Exit status if there is a race; 0 keeps the program's own
    #[arg(long, help_heading = "Report", value_name = "STATUS", default_value_t = 66)]
    pub exit_status: u8,
    /// Lowest confidence of a race that changes the exit status
    #[arg(long, help_heading = "Report", value_enum, default_value_t = super::FailOn::Any)]
    pub fail_on: super::FailOn,
    /// Also observe JVMs that the program starts (always the case if the command is not java)
    #[arg(long, help_heading = "Run")]
    pub children: bool,
    /// java and its arguments, or anything that starts a JVM
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}
