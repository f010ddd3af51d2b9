//! What all JVMs of a run have left, as one report; and whether that is all there was to see.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitStatus;

use selvedge_findings::{Finding, Problem, Report};
use selvedge_runtime::session::Results;

use crate::output::ended;

/// What a run has shown.
pub struct Observed {
    /// The races of all JVMs.
    pub report: Report,
    /// How the program ended.
    pub status: ExitStatus,
    /// The methods with watched accesses that were executed, as findings name methods.
    pub executed: BTreeSet<String>,
    /// Why nothing was observed, as a sentence without a full stop; `None` if something was.
    pub nothing: Option<String>,
    /// What was not observed to the end, as sentences without full stops: JVMs that crashed, were killed, or still run.
    pub incomplete: Vec<String>,
    /// Whether a JVM crashed.
    pub crashed: bool,
}

/// One report of what all JVMs have left.
pub fn collect(directory: &Path, program: &str, status: ExitStatus) -> Observed {
    let mut report = Report::default();
    report.input.paths = vec![program.to_owned()];
    let mut observed = Observed {
        report,
        status,
        executed: BTreeSet::new(),
        nothing: None,
        incomplete: Vec::new(),
        crashed: false,
    };
    let problem = |message: String| Problem { place: "the run".to_owned(), kind: "run".to_owned(), message };
    let (mut loaded, mut observing, mut classes, mut watched) = (0, 0, 0, 0);
    let mut unreadable = Vec::new();
    for results in Results::read_all(directory) {
        let results = match results {
            Ok(results) => results,
            Err(message) => {
                unreadable.push(message);
                continue;
            }
        };
        loaded += 1;
        observing += usize::from(results.observing);
        classes += results.classes;
        watched += results.watched;
        if !results.observing {
            unreadable.extend(results.problems.iter().cloned());
        }
        if !results.finished {
            observed.unfinished(&results);
        }
        observed.executed.extend(results.executed);
        for finding in results.findings {
            add(&mut observed.report.findings, finding);
        }
        observed.report.assumptions.extend(results.assumptions);
        observed.report.problems.extend(results.problems.into_iter().map(problem));
    }
    if observing == 0 {
        observed.nothing = Some(why_nothing(directory, program, loaded, &unreadable, status));
    } else if watched == 0 && observed.report.findings.is_empty() && observed.incomplete.is_empty() {
        let what = match classes {
            0 => "and loaded no class of a program, so nothing was checked",
            _ => "and loaded no class that is watched, so nothing was checked: see --include and --exclude",
        };
        observed.nothing = Some(format!("{program} {} {what}", ended(status)));
    } else if loaded > observing {
        observed.incomplete.push(format!(
            "{} of {loaded} JVMs were not observed: {}",
            loaded - observing,
            unreadable.join("; ")
        ));
    } else if !unreadable.is_empty() {
        observed.incomplete.push(format!("results of a JVM are lost: {}", unreadable.join("; ")));
    }
    let said = observed.nothing.iter().chain(&observed.incomplete);
    observed.report.problems.extend(said.cloned().map(problem));
    observed.report.finish();
    observed
}

fn why_nothing(
    directory: &Path,
    program: &str,
    loaded: usize,
    errors: &[String],
    status: ExitStatus,
) -> String {
    if !directory.is_dir() {
        return format!("the results are lost: {} was removed during the run", directory.display());
    }
    if loaded > 0 && errors.is_empty() {
        return format!("{program} {} before the agent could begin, so nothing was checked", ended(status));
    }
    if !errors.is_empty() {
        return format!("the JVM could not be observed: {}", errors.join("; "));
    }
    format!(
        "{program} {} and started no JVM that loaded the agent, so nothing was checked: give a command that starts java",
        ended(status)
    )
}

impl Observed {
    /// A JVM has left no results at its end.
    fn unfinished(&mut self, results: &Results) {
        let process = results.process;
        let log = format!("hs_err_pid{process}.log");
        let places = [results.directory.clone(), std::env::temp_dir()];
        let log = places.iter().map(|place| place.join(&log)).find(|log| log.is_file());
        if log.is_some() || died_of_itself(self.status) {
            self.crashed = true;
            let log = log.map_or_else(|| "the JVM's hs_err log".to_owned(), |log| log.display().to_string());
            self.incomplete.push(format!(
                "the JVM with process id {process} crashed under the agent, and what it did after its last report is unknown: \
                 see {log}; try -XX:TieredStopAtLevel=1 among java's options, or --exclude the class that the log names under \
                 \"Current CompileTask\"",
            ));
        } else if is_running(process) {
            self.incomplete.push(format!(
                "the JVM with process id {process} still runs: races that it shows later are not reported"
            ));
        } else {
            self.incomplete.push(format!(
                "the JVM with process id {process} was killed, and what it did after its last report is unknown"
            ));
        }
    }
}

/// Whether a program was ended by a signal that it brought about itself, as a JVM that crashes is.
fn died_of_itself(status: ExitStatus) -> bool {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        signal.is_some_and(|signal| [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV].contains(&signal))
    }
    #[cfg(not(unix))]
    {
        let _ = status;
        false
    }
}

fn is_running(process: u32) -> bool {
    #[cfg(unix)]
    {
        let pid = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
        pid.is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok())
    }
    #[cfg(not(unix))]
    {
        let _ = process;
        false
    }
}

/// Adds a finding unless another JVM had the same.
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
