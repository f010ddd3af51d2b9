//! `selvedge confirm` and `check --confirm`: makes predicted races happen.
//!
//! The program is run several times. A plain run says how it ends undisturbed. Directed runs hold threads at the accesses of the findings until two threads
//! are at both accesses of a location at the same time: first all findings together, with longer holds from run to run, then those that are
//! left one by one. What was met is run once more by itself in both orders, and held against runs without holds: the difference is the harm.

mod campaign;
mod harm;
mod library;
mod program;
mod stop;
mod targets;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use selvedge_findings::{
    Confidence, Confirmation, Finding, Frame, Outcome, Problem, Report, ThreadStack, Verdict,
};
use selvedge_protocol::MeetingThread;

use crate::arguments::{ConfirmArguments, TryArguments};
use crate::config::Config;
use crate::output;
use crate::run::agent;
use crate::show::{Shower, read_report_file};
use campaign::{Campaign, Tried};
pub use library::Library;
use program::Ended;
use stop::{interrupted, signals};
use targets::Targets;

/// At most so many lines of a stack are kept.
const LINES: usize = 30;

/// Runs the command.
pub fn run(arguments: &ConfirmArguments, config: &Config) -> Result<ExitCode> {
    agent::check()?;
    let shower = Shower::new(&arguments.show)?;
    let mut report = read_report_file(&arguments.report)?;
    let chosen = keys(&report, &arguments.finding)?;
    let tries = Tries {
        command: &arguments.command,
        options: &arguments.tries,
        chosen: (!arguments.finding.is_empty()).then_some(chosen),
        report: Some(&arguments.report),
    };
    let is_observed = tries.confirm(&mut report)?;
    let status = shower.show(report, config)?;
    Ok(if is_observed { status } else { ExitCode::from(2) })
}

/// The findings that are asked for by their keys.
fn keys(report: &Report, asked: &[String]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for key in asked {
        match report.find(key) {
            Some(finding) => found.push(finding.key.clone()),
            None => bail!("there is no finding {key} in the report, or several begin so"),
        }
    }
    Ok(found)
}

/// What is to be tried, and how.
pub struct Tries<'a> {
    /// The program and its arguments.
    pub command: &'a [OsString],
    /// How long, with which seed and input.
    pub options: &'a TryArguments,
    /// The keys of the findings; `None` for all of medium and high confidence.
    pub chosen: Option<Vec<String>>,
    /// The report that the findings are from, if it is a file.
    pub report: Option<&'a Path>,
}

impl Tries<'_> {
    /// Tries the findings of a report, and writes down what came of it. Whether a JVM was observed.
    pub fn confirm(&self, report: &mut Report) -> Result<bool> {
        signals()?;
        let is_chosen = |finding: &Finding| match &self.chosen {
            Some(keys) => keys.contains(&finding.key),
            None => finding.confidence >= Confidence::Medium,
        };
        let wanted: Vec<usize> = report
            .findings
            .iter()
            .enumerate()
            .filter(|(_, finding)| is_chosen(finding) && !Targets::new([(0, *finding)]).of.is_empty())
            .map(|(position, _)| position)
            .collect();
        let end = Instant::now() + Duration::from_secs(self.options.confirm_time);
        let mut campaign = Campaign::new(self, &report.findings, &wanted, end);
        if !wanted.is_empty() {
            campaign.go(&wanted)?;
        }
        campaign.progress.clear();
        let Campaign { tried, plain, observed, problems, .. } = campaign;
        let was_interrupted = interrupted();
        for (position, finding) in report.findings.iter_mut().enumerate() {
            match tried.get(&position) {
                Some(tried) => self.judge(finding, tried),
                None if is_chosen(finding) => {
                    not_tried(finding, "a race on an object as a whole has no two accesses")
                }
                None if self.chosen.is_some() => {}
                None => not_tried(finding, "its confidence is low"),
            }
        }
        let problem = |message: &String| Problem {
            kind: "confirm".to_owned(),
            place: "the directed runs".to_owned(),
            message: message.clone(),
        };
        report.problems.extend(problems.iter().map(problem));
        for sentence in problems {
            output::say(&format!("selvedge: {sentence}\n"));
        }
        // A program that fails and comes to none of the accesses is not the one that was meant.
        let has_failed = plain.iter().all(|run| run.status.is_some_and(|status| !status.success()));
        let comes_to_none = tried.values().all(|tried| tried.executed.values().flatten().all(|ran| !ran));
        let is_observed = wanted.is_empty() || observed > 0 && !(has_failed && comes_to_none);
        if !is_observed {
            output::say(&format!("selvedge: {}\n", self.why_nothing(&plain, observed)));
        } else if was_interrupted {
            output::say("selvedge: interrupted; what was tried until then is reported\n");
        }
        report.finish();
        Ok(is_observed)
    }

    fn why_nothing(&self, plain: &[Ended], observed: usize) -> String {
        let name = self.command.first().map(|name| name.to_string_lossy()).unwrap_or_default();
        let status = match plain.first() {
            Some(Ended { status: Some(status), .. }) => output::ended(*status),
            _ => "did not end in time".to_owned(),
        };
        let said = plain.first().and_then(|run| run.errors.lines().find(|line| !line.trim().is_empty()));
        let said = said.map_or_else(String::new, |line| format!(": {line}"));
        let what = match observed {
            0 => "and started no JVM that loaded the agent",
            _ => "and executed none of the accesses",
        };
        format!("{name} {status} {what}, so nothing was tried{said}")
    }

    /// Writes down what came of a finding.
    fn judge(&self, finding: &mut Finding, tried: &Tried) {
        let mut confirmation = Confirmation::default();
        if let Some((pair, meeting)) = &tried.met {
            let sides = match pair.checked_sub(1).and_then(|at| finding.pairs.get(at)) {
                Some(pair) => &pair.sides,
                None => &finding.sides,
            };
            let [one, two] = sides.each_ref().map(|side| side.at.place());
            let places = if one == two {
                format!("two accesses at {one}")
            } else {
                format!("the accesses at {one} and {two}")
            };
            let text = format!("two threads were at {places} of the same location at the same time");
            let stack = |side: usize| thread_stack(&meeting.threads[side]);
            let first = usize::from(meeting.first.min(1));
            confirmation = Confirmation {
                outcome: Outcome::Confirmed,
                because: Some(text),
                command: Some(self.repeat(&finding.key)),
                seed: Some(self.options.seed),
                test: meeting.test.clone(),
                harm: tried.harm.clone(),
                before: meeting.before.clone(),
                after: meeting.between.clone(),
                stacks: vec![stack(first), stack(1 - first)],
            };
            finding.verdict = Verdict::Confirmed;
            finding.confidence = Confidence::High;
        } else if tried.runs == 0 {
            confirmation.because = Some("no time was left; --confirm-time gives more".to_owned());
        } else if let Some(lock) = &tried.lock {
            confirmation.outcome = Outcome::Lock;
            confirmation.because =
                Some(format!("one thread waited for {lock}, which the other held at its access"));
        } else if tried.is_executed() {
            confirmation.outcome = Outcome::NotMet;
            let runs = tried.runs;
            confirmation.because = Some(format!("both sides were executed, never together in {runs} runs"));
        } else {
            confirmation.outcome = Outcome::NotExecuted;
            let ran = tried.executed.get(&0).copied().unwrap_or_default();
            let missing = finding.sides.iter().zip(ran).filter(|(_, ran)| !ran);
            let mut missing: Vec<String> = missing.map(|(side, _)| side.at.place()).collect();
            missing.dedup();
            confirmation.because = Some(format!("the runs did not execute {}", missing.join(" and ")));
        }
        finding.confirmation = Some(confirmation);
    }

    /// The command that tries one finding again.
    fn repeat(&self, key: &str) -> String {
        let report = self.report.map_or_else(|| "REPORT.json".to_owned(), |path| path.display().to_string());
        let words: Vec<String> = self.command.iter().map(|word| quoted(&word.to_string_lossy())).collect();
        let seed = self.options.seed;
        format!("selvedge confirm {} --finding {key} --seed {seed} -- {}", quoted(&report), words.join(" "))
    }
}

fn not_tried(finding: &mut Finding, because: &str) {
    let because = Some(because.to_owned());
    finding.confirmation = Some(Confirmation { because, ..Confirmation::default() });
}

fn thread_stack(thread: &MeetingThread) -> ThreadStack {
    let frame = |line: &selvedge_protocol::StackLine| Frame {
        method: format!("{}.{}", line.class, line.method),
        file: line.file.clone(),
        line: line.line,
        bytecode_index: None,
    };
    ThreadStack {
        thread: thread.name.clone(),
        locks: thread.locks.clone(),
        frames: thread.stack.iter().take(LINES).map(frame).collect(),
    }
}

/// A word of a command line as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// The path of a report that is being written, for the command that repeats a try.
pub fn written_report(path: Option<&PathBuf>, format: selvedge_report::Format) -> Option<&Path> {
    path.map(PathBuf::as_path).filter(|_| format == selvedge_report::Format::Json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("java"), "java");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
