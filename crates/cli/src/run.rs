//! `selvedge run`: a program under the agent, and what it shows.
//!
//! The program keeps its standard streams, arguments, signals and exit status. A command that is `java` itself gets the agent as
//! its first option; any other (a build tool, a script) gets it through `JAVA_TOOL_OPTIONS`, so that every virtual machine that
//! it starts is observed. All of them leave their results in one directory, from which the report is made.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus};

use anyhow::{Context, Result, bail};
use selvedge_findings::{Finding, Problem, Report};
use selvedge_protocol::{Options, Plan};
use selvedge_report::{Detail, Format, Style, read_baseline, render};
use selvedge_runtime::session::{Results, Settings};

use crate::arguments::RunArguments;
use crate::output;
use crate::show::{read_text, style};

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
    let agent = agent_library()?;
    let directory = SessionDirectory::new()?;
    settings.write(&directory.0).context("cannot write the agent's settings")?;
    let Some((program, rest)) = command_line.split_first() else { bail!("no command is given") };
    let agent_option = {
        let mut option = OsString::from("-agentpath:");
        option.push(&agent);
        option.push("=");
        option.push(&directory.0);
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
    let (report, executed) = collect(&directory.0, &name);
    Ok(Observed { report, status, executed })
}

/// The agent's library: beside this executable, or where Cargo leaves it.
fn agent_library() -> Result<PathBuf> {
    let name = format!("{}selvedge_agent{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let executable = std::env::current_exe().context("cannot find the running executable")?;
    let executable = executable.canonicalize().unwrap_or(executable);
    let beside = executable.parent().unwrap_or(Path::new("."));
    let places = [beside.join(&name), beside.join("deps").join(&name), beside.join("../lib").join(&name)];
    // Cargo refreshes one copy or the other: the newest is the one.
    let newest = places.iter().filter_map(|place| {
        let metadata = place.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some((metadata.modified().ok(), place))
    });
    match newest.max_by_key(|(modified, _)| *modified) {
        Some((_, place)) => Ok(place.clone()),
        None => bail!("the agent {name} is not beside {}", executable.display()),
    }
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

/// A directory that is gone at the end.
struct SessionDirectory(PathBuf);

impl SessionDirectory {
    /// Among temporary files; where these cannot be written, in memory or where the command was started.
    fn new() -> Result<SessionDirectory> {
        let name = format!("selvedge-run-{}", std::process::id());
        let places =
            [Some(std::env::temp_dir()), Some(PathBuf::from("/dev/shm")), std::env::current_dir().ok()];
        let mut refused = Vec::new();
        for path in places.into_iter().flatten().map(|place| place.join(&name)) {
            match std::fs::create_dir_all(&path) {
                Ok(()) => return Ok(SessionDirectory(path)),
                Err(error) => refused.push(format!("{}: {error}", path.display())),
            }
        }
        bail!("there is no place for what the run finds: cannot make {}", refused.join("; "))
    }
}

impl Drop for SessionDirectory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The signals that would end this process while the program should decide for itself.
#[cfg(unix)]
struct Signals(signal_hook::iterator::Signals);

#[cfg(unix)]
impl Signals {
    fn taken() -> Result<Signals> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
        let signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM]);
        Ok(Signals(signals.context("signals cannot be taken")?))
    }

    /// Waits for the program. Signals go on to it, except those from the terminal, which it has got already.
    fn wait(mut self, child: &mut Child) -> std::io::Result<ExitStatus> {
        use rustix::process::{Pid, Signal, kill_process};
        let pid = Pid::from_child(child);
        let handle = self.0.handle();
        let forwarder = std::thread::spawn(move || {
            for signal in self.0.forever() {
                let signal = match signal {
                    signal_hook::consts::SIGTERM => Signal::TERM,
                    signal_hook::consts::SIGHUP => Signal::HUP,
                    _ => continue,
                };
                // The program may have ended meanwhile.
                let _ = kill_process(pid, signal);
            }
        });
        let status = child.wait();
        handle.close();
        let _ = forwarder.join();
        status
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn taken() -> Result<Signals> {
        Ok(Signals)
    }

    fn wait(self, child: &mut Child) -> std::io::Result<ExitStatus> {
        child.wait()
    }
}
