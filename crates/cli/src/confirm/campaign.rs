//! The runs that try findings with one program.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::Result;
use selvedge_findings::Finding;
use selvedge_protocol::{Hold, HoldResults, Meeting};
use selvedge_runtime::session::{Results, Settings};

use super::program::{Ended, Program};
use super::stop::interrupted;
use super::targets::Targets;
use super::{Tries, harm};
use crate::progress::Progress;
use crate::run::{SessionDirectory, agent, equip, is_java, test_engines};

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

/// The same for a program that was made for one finding.
const QUICK: [(u8, u32); 2] = [(0, 300), (1, 1000)];

/// What is known of a finding that is tried.
#[derive(Default)]
pub struct Tried {
    /// Whether each side was executed, by pair.
    pub executed: BTreeMap<usize, [bool; 2]>,
    /// A lock that kept the two apart.
    pub lock: Option<String>,
    /// How the two met: which pair, and the meeting.
    pub met: Option<(usize, Meeting)>,
    pub harm: Option<String>,
    pub runs: u32,
}

impl Tried {
    /// Whether both sides of some pair were executed.
    pub fn is_executed(&self) -> bool {
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

/// Runs of one program that try findings.
pub struct Campaign<'c> {
    pub tries: &'c Tries<'c>,
    pub findings: &'c [Finding],
    pub tried: BTreeMap<usize, Tried>,
    pub plain: Vec<Ended>,
    /// How long a directed run may take.
    pub limit: Duration,
    pub end: Instant,
    pub observed: usize,
    pub problems: Vec<String>,
    pub progress: Progress,
}

impl<'c> Campaign<'c> {
    /// A campaign for the findings at these positions, which ends in time.
    pub fn new(
        tries: &'c Tries<'c>,
        findings: &'c [Finding],
        wanted: &[usize],
        end: Instant,
    ) -> Campaign<'c> {
        Campaign {
            tries,
            findings,
            tried: wanted.iter().map(|&position| (position, Tried::default())).collect(),
            plain: Vec::new(),
            limit: Duration::ZERO,
            end,
            observed: 0,
            problems: Vec::new(),
            progress: Progress::new(),
        }
    }
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

    /// Tries findings until each has happened, or there is no hope or no time left.
    pub fn go(&mut self, wanted: &[usize]) -> Result<()> {
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
        self.look_for_harm(wanted)
    }

    /// Runs those of the findings that happened once more, in both orders, beside runs in which nobody is held.
    fn look_for_harm(&mut self, wanted: &[usize]) -> Result<()> {
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

    /// Tries one finding with a program that was made for it: does it come to both accesses, they meet at once.
    pub fn go_quickly(&mut self, finding: usize) -> Result<()> {
        self.limit = SHORTEST;
        for (first, patience) in QUICK {
            let tried = &self.tried[&finding];
            let is_hopeless = tried.runs > 0 && (!tried.is_executed() || tried.lock.is_some());
            if tried.met.is_some() || is_hopeless || self.remaining().is_zero() || interrupted() {
                break;
            }
            self.direct(&Round { findings: &[finding], first, patience, meetings: 1 })?;
        }
        if self.tried[&finding].met.is_some() && self.has_time() {
            let limit = self.remaining();
            self.run_plain(limit)?;
            self.look_for_harm(&[finding])?;
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
