//! `selvedge run`: a program under the agent, and what it shows.
//!
//! The program keeps its standard streams, arguments, signals and exit status. A command that is `java` itself gets the agent as
//! its first option; any other (a build tool, a script) gets it through `JAVA_TOOL_OPTIONS`, so that every virtual machine that
//! it starts is observed. All of them leave their results in one directory, from which the report is made.

pub mod agent;
mod session;
mod signals;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus};

use anyhow::{Context, Result, bail};
use selvedge_findings::{Finding, Problem, Report};
use selvedge_protocol::{Options, Plan};
use selvedge_report::{Detail, Format, Style, read_baseline, render};
use selvedge_runtime::session::{Results, Settings};

use crate::arguments::RunArguments;
use crate::output;
use crate::show::{read_text, style};

use session::SessionDirectory;
use signals::Signals;

/// The exit status of a program that is ended at its first race, unless another is asked for.
const HALT_STATUS: i32 = 66;

/// How the machine compiles what it runs. Tests of accesses make several times the code of a method: the quick compiler's counters for the thorough one,
/// which all threads write, and the thorough one's work cost more than they gain unless a method is very hot. So nothing is counted but calls and
/// iterations, and the thorough compiler comes later, ten times as late as usual. Options of the command line come after these, and override them. A machine that does not
/// know one of them runs nevertheless.
const COMPILATION: [&str; 6] = [
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:-C1UpdateMethodData",
    "-XX:Tier4InvocationThreshold=50000",
    "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=150000",
    "-XX:Tier4BackEdgeThreshold=400000",
];

/// Runs the command.
pub fn run(arguments: &RunArguments) -> Result<ExitCode> {
    let observed = observe(&settings(arguments)?, &arguments.command, arguments.children)?;
    let mut report = observed.report;
    if let Some(path) = &arguments.baseline {
        let text = read_text(path)?;
        let baseline = read_baseline(&text).with_context(|| format!("{} is no baseline", path.display()))?;
        baseline.apply(&mut report);
        report.suppressed.clear();
    }
    write_report(arguments, &report)?;
    Ok(match arguments.exit_status {
        Some(wanted) if !report.findings.is_empty() => ExitCode::from(wanted),
        _ => exit_code(observed.status),
    })
}

/// What a run has shown.
pub struct Observed {
    /// The races of all virtual machines.
    pub report: Report,
    /// How the program ended.
    pub status: ExitStatus,
    /// The methods with watched accesses that were executed, as findings name methods.
    pub executed: BTreeSet<String>,
}

/// Runs a program under the agent. `children` asks for the virtual machines that it starts as well.
pub fn observe(settings: &Settings, command_line: &[OsString], children: bool) -> Result<Observed> {
    let session = SessionDirectory::new()?;
    let directory = session.path();
    let agent = agent::library(directory)?;
    settings.write(directory).context("cannot write the agent's settings")?;
    let Some((program, rest)) = command_line.split_first() else { bail!("no command is given") };
    let agent_option = {
        let mut option = OsString::from("-agentpath:");
        option.push(&agent);
        option.push("=");
        option.push(directory);
        option
    };
    let mut command = Command::new(program);
    let is_java = Path::new(program).file_stem() == Some(OsStr::new("java"));
    if is_java && !children {
        command.args(COMPILATION).arg(&agent_option);
    } else {
        let mut options = OsString::from(COMPILATION.join(" "));
        options.push(" ");
        if let Some(given) = std::env::var_os("JAVA_TOOL_OPTIONS") {
            options.push(given);
            options.push(" ");
        }
        options.push(&agent_option);
        command.env("JAVA_TOOL_OPTIONS", options);
    }
    let name = program.to_string_lossy();
    let signals = Signals::taken()?;
    let mut child = command.args(rest).spawn().with_context(|| format!("{name} cannot be started"))?;
    let status = signals.wait(&mut child).with_context(|| format!("{name} cannot be waited for"))?;
    let (report, executed) = collect(directory, &name);
    Ok(Observed { report, status, executed })
}

fn settings(arguments: &RunArguments) -> Result<Settings> {
    let mut plan = match &arguments.plan {
        Some(path) => {
            Plan::from_json(&read_text(path)?).with_context(|| format!("{} is no plan", path.display()))?
        }
        None => Plan::everything(),
    };
    plan.options = Options { fade_after: arguments.fade.unwrap_or(0), ..arguments.detector.options() };
    plan.accesses.include.extend(arguments.include.iter().cloned());
    plan.accesses.exclude.extend(arguments.exclude.iter().cloned());
    let record = match &arguments.record {
        Some(path) => Some(std::path::absolute(path).context("the trace has no place")?),
        None => None,
    };
    Ok(Settings {
        plan,
        quiet: arguments.quiet,
        halt_status: arguments.halt_on_race.then(|| arguments.exit_status.map_or(HALT_STATUS, i32::from)),
        max_reports: Some(arguments.detector.max_reports),
        note_executed: false,
        record,
        directory: None,
    })
}

/// One report of what all virtual machines have left.
fn collect(directory: &Path, program: &str) -> (Report, BTreeSet<String>) {
    let mut report = Report::default();
    let mut executed = BTreeSet::new();
    report.input.paths = vec![program.to_owned()];
    let mut machines = 0;
    let problem = |message: String| Problem { place: "the run".to_owned(), kind: "run".to_owned(), message };
    for results in Results::read_all(directory) {
        match results {
            Ok(results) => {
                machines += 1;
                executed.extend(results.executed);
                for finding in results.findings {
                    add(&mut report.findings, finding);
                }
                report.assumptions.extend(results.assumptions);
                report.problems.extend(results.problems.into_iter().map(problem));
            }
            Err(message) => report.problems.push(problem(message)),
        }
    }
    if machines == 0 {
        let message = "no virtual machine left results: none was started, or it was killed".to_owned();
        report.problems.push(problem(message));
    }
    report.finish();
    (report, executed)
}

/// Adds a finding unless another machine had the same.
fn add(findings: &mut Vec<Finding>, finding: Finding) {
    let same = findings.iter_mut().find(|other| {
        let sides = |finding: &Finding| finding.sides.clone().map(|side| (side.action, side.at));
        let (mut own, mut others) = (sides(&finding), sides(other));
        own.sort();
        others.sort();
        own == others && other.location == finding.location
    });
    match same {
        Some(other) if other.verdict < finding.verdict => *other = finding,
        Some(_) => {}
        None => findings.push(finding),
    }
}

fn write_report(arguments: &RunArguments, report: &Report) -> Result<()> {
    if let Some(path) = &arguments.output {
        let text = render(report, arguments.format, &style(&arguments.sources, false));
        let mut written = output::open(Some(path));
        if let Ok(out) = &mut written {
            let result = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            written = match result.with_context(|| format!("cannot write {}", path.display())) {
                Ok(()) => return summarise(arguments, report),
                Err(error) => Err(error),
            };
        }
        // What was found took a run to find: it must not be lost with the file.
        let _ = std::io::stderr().write_all(text.as_bytes());
        return written.map(drop);
    }
    summarise(arguments, report)
}

/// What is said at the end, whether or not there is a file.
fn summarise(arguments: &RunArguments, report: &Report) -> Result<()> {
    if arguments.quiet && arguments.output.is_some() {
        return Ok(());
    }
    // The program's standard output stays its own.
    let text = match (arguments.format, &arguments.output) {
        (Format::Text, _) | (_, Some(_)) => {
            render(report, Format::Text, &Style { detail: Detail::Summary, ..Style::default() })
        }
        (format, None) => render(report, format, &style(&arguments.sources, false)),
    };
    for assumption in report.assumptions.iter().filter(|_| !arguments.quiet) {
        eprintln!("selvedge: {assumption}");
    }
    std::io::stderr().write_all(text.as_bytes()).context("cannot write the report")
}

/// The program's own status; after a signal, as shells have it.
fn exit_code(status: ExitStatus) -> ExitCode {
    #[cfg(unix)]
    let after_signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| 128 + signal);
    #[cfg(not(unix))]
    let after_signal = None;
    let code = status.code().or(after_signal).unwrap_or(1);
    ExitCode::from((code & 0xff) as u8)
}
