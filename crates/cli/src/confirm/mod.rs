//! `selvedge confirm` and `check --confirm`: makes predicted races happen.
//!
//! The program is run several times. A plain run says how it ends undisturbed. Directed runs hold threads at the accesses of the findings until two threads
//! stand at both accesses of a location at once: first all findings together, with more patience from run to run, then those that are
//! left one by one. What was met is run once more by itself in both orders, and held against runs without holds: the difference is the harm.

mod harm;
mod program;
mod targets;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use selvedge_findings::{
    Confidence, Confirmation, Finding, Frame, Outcome, Problem, Report, ThreadStack, Verdict,
};
use selvedge_protocol::{Hold, HoldResults, Meeting, MeetingThread};
use selvedge_runtime::session::{Results, Settings};

use crate::arguments::{ConfirmArguments, TryArguments};
use crate::config::Config;
use crate::output;
use crate::progress::Progress;
use crate::run::{SessionDirectory, agent, equip, is_java, test_engines};
use crate::show::{Shower, read_report_file};
use program::{Ended, Program};
use targets::Targets;

/// How the runs with all findings go: who goes first, and how long the first hold of a site lasts, in milliseconds.
const ROUNDS: [(u8, u32); 3] = [(0, 80), (1, 300), (0, 1000)];

/// The patience of runs with one finding, in milliseconds.
const ALONE: u32 = 1500;

/// How much longer than the first hold all holds at a site may last together.
const BUDGET: u32 = 4;

/// How often the two threads of a pair meet in a run that looks for harm.
const MEETINGS: u32 = 30;

/// A directed run may take so much longer than a plain one, beside its holds.
const SLOWER: u32 = 3;

/// What a run may take however short a plain one is.
const SHORTEST: Duration = Duration::from_secs(8);

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

/// What is known of a finding that is tried.
#[derive(Default)]
struct Tried {
    /// Whether each side was executed, by pair.
    executed: BTreeMap<usize, [bool; 2]>,
    /// A lock that kept the two apart.
    lock: Option<String>,
    /// How the two met: which pair, and the meeting.
    met: Option<(usize, Meeting)>,
    harm: Option<String>,
    runs: u32,
}

impl Tried {
    fn is_executed(&self) -> bool {
        self.executed.values().any(|sides| sides[0] && sides[1])
    }
}

/// One directed run.
struct Round<'r> {
    findings: &'r [usize],
    first: u8,
    patience: u32,
    meetings: u32,
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
        let mut campaign = Campaign {
            tries: self,
            findings: &report.findings,
            tried: wanted.iter().map(|&position| (position, Tried::default())).collect(),
            plain: Vec::new(),
            limit: Duration::ZERO,
            end: Instant::now() + Duration::from_secs(self.options.confirm_time),
            observed: 0,
            problems: Vec::new(),
            progress: Progress::new(),
        };
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
            Some(Ended { status: Some(status), .. }) => status.to_string(),
            _ => "no exit status in time".to_owned(),
        };
        let said = plain.first().and_then(|run| run.errors.lines().find(|line| !line.trim().is_empty()));
        let said = said.map_or_else(String::new, |line| format!(": {line}"));
        let what =
            if observed == 0 { "no JVM that loaded the agent" } else { "none of the accesses executed" };
        format!("{name} ended with {status} and {what}, so nothing was tried{said}")
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
            let text = format!("two threads stood at {places} of the same location at once");
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

/// The runs.
struct Campaign<'c> {
    tries: &'c Tries<'c>,
    findings: &'c [Finding],
    tried: BTreeMap<usize, Tried>,
    plain: Vec<Ended>,
    /// How long a directed run may take.
    limit: Duration,
    end: Instant,
    observed: usize,
    problems: Vec<String>,
    progress: Progress,
}

impl Campaign<'_> {
    fn remaining(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// Whether there is time for another run.
    fn has_time(&self) -> bool {
        let ended = self.plain.iter().find(|run| run.status.is_some());
        let usual = ended.map_or(Duration::ZERO, |run| run.took);
        !interrupted() && self.remaining() > usual && !self.remaining().is_zero()
    }

    fn open(&self, wanted: &[usize]) -> Vec<usize> {
        wanted.iter().copied().filter(|finding| self.tried[finding].met.is_none()).collect()
    }

    fn go(&mut self, wanted: &[usize]) -> Result<()> {
        self.progress.show("running the program undisturbed");
        let half = self.remaining() / 2;
        self.run_plain(half)?;
        for (number, (first, patience)) in ROUNDS.into_iter().enumerate() {
            let mut open = self.open(wanted);
            if number > 1 {
                // What two runs have not executed the third will not.
                open.retain(|finding| self.tried[finding].is_executed());
            }
            if open.is_empty() || !self.has_time() {
                break;
            }
            self.progress.show(&format!("trying {} findings, run {}", open.len(), number + 1));
            self.direct(&Round { findings: &open, first, patience, meetings: 1 })?;
            if self.observed == 0 {
                return Ok(());
            }
        }
        for finding in self.open(wanted) {
            for first in [0, 1] {
                let tried = &self.tried[&finding];
                let is_hopeful = tried.is_executed() && tried.lock.is_none() && tried.met.is_none();
                if is_hopeful && self.has_time() {
                    self.progress.show("trying single findings");
                    self.direct(&Round { findings: &[finding], first, patience: ALONE, meetings: 1 })?;
                }
            }
        }
        let met: Vec<usize> =
            wanted.iter().copied().filter(|finding| self.tried[finding].met.is_some()).collect();
        if !met.is_empty() && self.has_time() {
            // With the agent and without holds: what only the agent changes is no harm.
            let control = self.direct(&Round { findings: &met, first: 0, patience: 0, meetings: 0 })?;
            self.plain.push(control);
        }
        for finding in met {
            for first in [0, 1] {
                if self.tried[&finding].harm.is_some() || !self.has_time() {
                    break;
                }
                self.progress.show("looking for harm");
                let round = Round { findings: &[finding], first, patience: ROUNDS[1].1, meetings: MEETINGS };
                let ended = self.direct(&round)?;
                // A run that was stopped because no time was left says nothing of harm.
                let is_cut = ended.status.is_none() && (interrupted() || self.remaining().is_zero());
                if let (Some(tried), false) = (self.tried.get_mut(&finding), is_cut) {
                    tried.harm = harm::harm(&self.plain, &ended);
                }
            }
        }
        Ok(())
    }

    fn program(&self) -> Program<'_> {
        Program { command: self.tries.command, input: self.tries.options.input.as_deref() }
    }

    fn run_plain(&mut self, limit: Duration) -> Result<()> {
        let session = SessionDirectory::new()?;
        let ended = self.program().run(session.path(), limit, |command, rest| {
            command.args(rest);
        })?;
        self.limit = (ended.took * SLOWER).max(self.limit).max(SHORTEST);
        self.plain.push(ended);
        Ok(())
    }

    /// A directed run, and what it shows of its findings.
    fn direct(&mut self, round: &Round<'_>) -> Result<Ended> {
        let targets =
            Targets::new(round.findings.iter().map(|&position| (position, &self.findings[position])));
        let holds = Duration::from_millis(u64::from(round.patience * BUDGET));
        let hold = Hold {
            first: round.first,
            patience: round.patience,
            budget: round.patience * BUDGET,
            meetings: round.meetings,
            seed: self.tries.options.seed,
            ..targets.hold.clone()
        };
        let sites = targets.hold.sites.len() as u32;
        let session = SessionDirectory::new()?;
        let directory = session.path();
        let agent = agent::library(directory)?;
        let settings =
            Settings { hold: Some(hold), quiet: true, test_engines: test_engines(), ..Settings::default() };
        settings.write(directory)?;
        let is_direct = self.tries.command.first().is_some_and(|name| is_java(name));
        // However many sites there are, threads are held at several of them at the same time.
        let limit = (self.limit + holds * sites.min(8)).min(self.remaining());
        let ended = self.program().run(directory, limit, |command, rest| {
            equip(command, &agent, directory, is_direct);
            command.args(rest);
        })?;
        let mut results = Vec::new();
        for read in Results::read_all(directory) {
            match read {
                Ok(read) => results.push(read),
                Err(problem) => self.problem(problem),
            }
        }
        for result in results {
            self.observed += usize::from(result.observing);
            for problem in result.problems {
                self.problem(problem);
            }
            if let Some(shown) = result.hold {
                self.note(&targets, shown);
            }
        }
        for finding in round.findings {
            if let Some(tried) = self.tried.get_mut(finding) {
                tried.runs += 1;
            }
        }
        Ok(ended)
    }

    fn problem(&mut self, problem: String) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// What a JVM has shown.
    fn note(&mut self, targets: &Targets, shown: HoldResults) {
        for (pair, &(finding, number)) in targets.of.iter().enumerate() {
            let Some(tried) = self.tried.get_mut(&finding) else { continue };
            let sides = targets.hold.pairs[pair].sides;
            let executed = tried.executed.entry(number).or_default();
            for (ran, side) in executed.iter_mut().zip(sides) {
                *ran |= shown.arrived.get(side as usize).is_some_and(|count| *count > 0);
            }
        }
        let of = |pair: u32| targets.of.get(pair as usize).copied();
        for locked in shown.locked {
            if let Some((finding, _)) = of(locked.pair)
                && let Some(tried) = self.tried.get_mut(&finding)
            {
                tried.lock.get_or_insert(locked.lock);
            }
        }
        for meeting in shown.meetings {
            if let Some((finding, number)) = of(meeting.pair)
                && let Some(tried) = self.tried.get_mut(&finding)
            {
                tried.met.get_or_insert((number, meeting));
            }
        }
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

/// Whether somebody wants this command to end.
fn interrupted() -> bool {
    #[cfg(unix)]
    {
        STOP.get().is_some_and(|stop| stop.load(std::sync::atomic::Ordering::Relaxed))
    }
    #[cfg(not(unix))]
    {
        false
    }
}

#[cfg(unix)]
static STOP: std::sync::OnceLock<std::sync::Arc<std::sync::atomic::AtomicBool>> = std::sync::OnceLock::new();

/// From now on a signal stops the runs, and what was found until then is reported.
fn signals() -> Result<()> {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let stop = STOP.get_or_init(Default::default);
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, std::sync::Arc::clone(stop))?;
        }
    }
    Ok(())
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
