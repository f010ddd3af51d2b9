//! `selvedge run`: a program under the agent, and what it shows.
//!
//! The program keeps its standard streams, arguments, signals and exit status. A command that is `java` itself gets the agent as
//! its first option, and prints races as they happen; any other (a build tool, a script) gets it through `JAVA_TOOL_OPTIONS`, so that
//! every JVM that it starts is observed, and the races are printed when it ends. All JVMs leave their results in one
//! directory, from which the report is made.

pub mod agent;
mod outcome;
mod session;
mod signals;
mod tools;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use selvedge_protocol::{Options, Plan};
use selvedge_report::{Detail, Format, Style, render};
use selvedge_runtime::session::Settings;

use crate::arguments::RunArguments;
use crate::audit::Audit;
use crate::detector_arguments::Detector;
use crate::show::{read_baseline_file, read_text, style};
use crate::{output, partners};

pub use outcome::Observed;
pub use session::SessionDirectory;
use signals::Signals;
pub use tools::test_engines;

/// The exit status of a program that is ended at its first race, if the exit status at the end is to be the program's own.
const HALT_STATUS: u8 = 66;

/// The exit status if nothing was observed, or not all that was to be seen, or the run contradicts the analysis.
const NOT_OBSERVED: u8 = 2;

/// Runs the command.
pub fn run(arguments: &RunArguments) -> Result<ExitCode> {
    let baseline = arguments.baseline.as_deref().map(read_baseline_file).transpose()?;
    arguments.output.iter().chain(&arguments.record).try_for_each(|path| output::check_writable(path))?;
    let audit = arguments.audit.as_deref().map(Audit::read).transpose()?;
    let mut settings = settings(arguments)?;
    let partners = std::mem::take(&mut settings.plan.partners);
    let mut observed = observe(&settings, &arguments.command, arguments.children)?;
    partners::tell(&partners, &mut observed.report);
    let contradictions = audit.map_or_else(Vec::new, |audit| audit.judge(&mut observed.report));
    if let Some(baseline) = baseline {
        baseline.apply(&mut observed.report);
        observed.report.suppressed.clear();
    }
    write_report(arguments, &observed)?;
    for contradiction in &contradictions {
        output::say(&format!("selvedge: error of the analysis: {contradiction}\n"));
    }
    Ok(match contradictions.is_empty() {
        true => exit_code(arguments, &observed),
        false => ExitCode::from(NOT_OBSERVED),
    })
}

/// Runs a program under the agent. `children` asks for the JVMs that it starts as well.
pub fn observe(settings: &Settings, command_line: &[OsString], children: bool) -> Result<Observed> {
    let session = SessionDirectory::new()?;
    let directory = session.path();
    let agent = agent::library(directory)?;
    let Some((program, rest)) = command_line.split_first() else { bail!("no command is given") };
    let is_direct = is_java(program) && !children;
    // What another program reads from its children is that program's: races are reported when it ends.
    let settings = Settings { quiet: settings.quiet || !is_direct, ..settings.clone() };
    settings.write(directory).context("cannot write the agent's settings")?;
    let mut command = Command::new(program);
    equip(&mut command, &agent, directory, is_direct);
    let name = program.to_string_lossy();
    let signals = Signals::taken()?;
    let mut child = command.args(rest).spawn().map_err(|error| output::cannot_start(program, &error))?;
    let status = signals.wait(&mut child).with_context(|| format!("{name} cannot be waited for"))?;
    Ok(outcome::collect(directory, &name, status))
}

/// Gives a command the agent: as java's first option, or through the environment.
pub fn equip(command: &mut Command, agent: &Path, directory: &Path, is_direct: bool) {
    let mut option = OsString::from("-agentpath:");
    option.push(agent);
    option.push("=");
    option.push(directory);
    if is_direct {
        command.arg(&option);
    } else {
        command.env("JAVA_TOOL_OPTIONS", with_given("JAVA_TOOL_OPTIONS", &option));
        // A daemon that runs already is not observed, and one that this build starts would carry the agent into later builds.
        command.env("GRADLE_OPTS", with_given("GRADLE_OPTS", OsStr::new("-Dorg.gradle.daemon=false")));
    }
}

/// Whether a command is the JVM's launcher.
pub fn is_java(program: &OsStr) -> bool {
    Path::new(program).file_stem() == Some(OsStr::new("java"))
}

/// What a variable of the environment holds, and an option behind it.
fn with_given(variable: &str, option: &OsStr) -> OsString {
    let mut options = std::env::var_os(variable).unwrap_or_default();
    if !options.is_empty() {
        options.push(" ");
    }
    options.push(option);
    options
}

fn settings(arguments: &RunArguments) -> Result<Settings> {
    let mut plan = match &arguments.plan {
        Some(path) => Plan::from_json(&read_text(path)?)
            .with_context(|| format!("{} is not a valid plan", path.display()))?,
        None => Plan::everything(),
    };
    plan.options = Options { fade_after: arguments.sample.unwrap_or(0), ..arguments.detector.options() };
    plan.accesses.include.extend(arguments.include.iter().cloned());
    plan.accesses.exclude.extend(arguments.exclude.iter().cloned());
    if arguments.include.is_empty() {
        plan.accesses.exclude.extend(tools::classes());
    }
    let record = match &arguments.record {
        Some(path) => Some(std::path::absolute(path).context("the trace has no place")?),
        None => None,
    };
    Ok(Settings {
        plan,
        quiet: arguments.quiet,
        halt_status: arguments.halt_on_race.then(|| match arguments.exit_status {
            0 => i32::from(HALT_STATUS),
            status => i32::from(status),
        }),
        stop: arguments.stop_on_race,
        max_reports: Some(arguments.detector.max_reports),
        note_executed: false,
        record,
        test_engines: tools::test_engines(),
        hold: None,
        directory: None,
    })
}

fn write_report(arguments: &RunArguments, observed: &Observed) -> Result<()> {
    let report = &observed.report;
    if let Some(path) = &arguments.output {
        let text = render(report, arguments.format, &style(&arguments.sources, false));
        if let Err(error) = output::write(Some(path), &text) {
            // What was found took a run to find: it must not be lost with the file.
            output::say(&text);
            return Err(error);
        }
    }
    summarise(arguments, observed);
    Ok(())
}

/// What is printed at the end, whether or not there is a file. The program's standard output stays its own.
fn summarise(arguments: &RunArguments, observed: &Observed) {
    let report = &observed.report;
    for assumption in report.assumptions.iter().filter(|_| !arguments.quiet) {
        output::say(&format!("selvedge: {assumption}\n"));
    }
    let has_file = arguments.output.is_some();
    let live = is_java(&arguments.command[0]) && !arguments.children && !arguments.quiet;
    if let Some(why) = &observed.nothing {
        output::say(&format!("selvedge: {why}\n"));
    } else if !(arguments.quiet && has_file || observed.crashed && report.findings.is_empty()) {
        let detail = |detail| Style { detail, ..style(&arguments.sources, false) };
        output::say(&match (arguments.format, has_file) {
            // Races that were not printed as they happened are printed now.
            (Format::Text, false) if !live && !arguments.quiet => {
                render(report, Format::Text, &detail(Detail::Full))
            }
            (Format::Text, _) | (_, true) => render(report, Format::Text, &detail(Detail::Summary)),
            (format, false) => render(report, format, &style(&arguments.sources, false)),
        });
        let is_text = has_file || arguments.format == Format::Text;
        if is_text && !arguments.quiet && arguments.detector.detector == Detector::Hb {
            output::say(
                "selvedge: races that another schedule may show were not looked for: --detector both reports them, by locksets\n",
            );
        }
    }
    for what in &observed.incomplete {
        output::say(&format!("selvedge: {what}\n"));
    }
}

/// 2 if nothing was observed; the status that is asked for if there is a race; otherwise the program's own, and after a signal, as shells
/// have it. A run in which a JVM crashed is never a success.
fn exit_code(arguments: &RunArguments, observed: &Observed) -> ExitCode {
    if observed.nothing.is_some() {
        return ExitCode::from(NOT_OBSERVED);
    }
    let mut counted = observed.report.findings.iter();
    if arguments.exit_status != 0 && counted.any(|finding| arguments.fail_on.counts(finding.confidence)) {
        return ExitCode::from(arguments.exit_status);
    }
    if observed.crashed {
        return ExitCode::from(NOT_OBSERVED);
    }
    let status = observed.status;
    #[cfg(unix)]
    let after_signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| 128 + signal);
    #[cfg(not(unix))]
    let after_signal = None;
    let code = status.code().or(after_signal).unwrap_or(1);
    ExitCode::from((code & 0xff) as u8)
}
