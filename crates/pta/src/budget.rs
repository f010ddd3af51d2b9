//! Budgets for time and memory, and what is given up when they are reached.
//!
//! When a budget is reached the analysis does not stop: it *flattens* procedures, most expensive first. A flattened procedure gets no
//! new contexts; calls of it that would need one go to its instance without context. What was found stays, so the result
//! stays sound, and it says what was given up.

use std::fmt;
use std::time::{Duration, Instant};

use selvedge_base::{FastMap, FastSet, IdVec};

use crate::procedure::ProcedureId;
use crate::semantics::{Instance, InstanceId};

/// What the analysis may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time after which contexts are given up.
    pub time: Option<Duration>,
    /// Resident memory in bytes above which contexts are given up.
    pub memory: Option<u64>,
    /// Work after which contexts are given up and the analysis starts again: how many sets and objects the solver moves. The
    /// same on every machine, so that the result is, too.
    pub work: Option<u64>,
    /// Contexts of one procedure above which it is flattened. This one is deterministic.
    pub contexts_per_procedure: Option<usize>,
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self { time: None, memory: None, work: None, contexts_per_procedure: None };

    /// The work that is allowed where nobody says otherwise: five to ten seconds on the machines of 2026, and five times
    /// what a program of a few hundred classes needs.
    pub const USUAL_WORK: u64 = 20_000_000;

    /// How many times that a policy may take for which there is a [coarser one](crate::context::Policy::coarser).
    pub const NAMED_POLICY: u64 = 3;
}

impl Default for Limits {
    /// A limit on work alone, so that every analysis ends and gives the same result everywhere.
    fn default() -> Self {
        Self { work: Some(Self::USUAL_WORK), ..Self::NONE }
    }
}

/// What was given up, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Degradation {
    /// A budget was reached while the analysis ran, and procedures got no new contexts from then on.
    Procedures {
        /// Which budget.
        reason: &'static str,
        /// How many procedures.
        procedures: usize,
    },
    /// The analysis took too much work and started again with a coarser policy.
    Policy {
        /// The policy that was asked for.
        asked: String,
        /// The one that was used.
        used: String,
    },
    /// The analysis took too much work and started again without this many contexts.
    Contexts(usize),
    /// It took too much work even so, and started again with contexts for containers alone.
    AllButContainers,
    /// It took too much work even so, and started again without contexts.
    AllContexts,
    /// It took too much work even then, and started again with one object for each type.
    Everything,
}

impl fmt::Display for Degradation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Degradation::Procedures { reason, procedures } => write!(
                f,
                "the budget for {reason} was reached: {procedures} methods were analysed with fewer contexts from then on"
            ),
            Degradation::Policy { asked, used } => write!(
                f,
                "the budget for work was reached: contexts are those of the policy {used}, not of {asked}"
            ),
            Degradation::Contexts(contexts) => write!(
                f,
                "the budget for work was reached: the {contexts} most expensive contexts were given up, so that objects \
                 used in them are not distinguished there"
            ),
            Degradation::AllButContainers => f.write_str(
                "the budget for work was reached: contexts were given up but for those of containers, so that what different \
                 objects of a class hold is not distinguished",
            ),
            Degradation::AllContexts => f.write_str(
                "the budget for work was reached: the program was analysed without contexts, so that what different \
                 containers hold is not distinguished",
            ),
            Degradation::Everything => f.write_str(
                "the budget for work was reached: the program was analysed without contexts, and objects of the same type are \
                 not distinguished",
            ),
        }
    }
}

pub(crate) struct Budget {
    limits: Limits,
    started: Instant,
    flattened: FastSet<ProcedureId>,
    everything: bool,
    stage: u32,
    contexts: FastMap<ProcedureId, usize>,
    counted: usize,
    next_memory_check: usize,
}

impl Budget {
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            started: Instant::now(),
            flattened: FastSet::default(),
            everything: false,
            stage: 0,
            contexts: FastMap::default(),
            counted: 0,
            next_memory_check: 0,
        }
    }

    /// Whether a procedure gets no new contexts.
    pub fn is_flattened(&self, procedure: ProcedureId) -> bool {
        self.everything || self.flattened.contains(&procedure)
    }

    /// Looks whether a budget is reached; if so, flattens, and says what.
    pub fn check(&mut self, nodes: usize, instances: &IdVec<InstanceId, Instance>) -> Option<Degradation> {
        if self.everything {
            return None;
        }
        for (_, instance) in instances.iter_ids_from(self.counted) {
            *self.contexts.entry(instance.procedure).or_default() += 1;
        }
        self.counted = instances.len();
        if let Some(limit) = self.limits.contexts_per_procedure {
            let before = self.flattened.len();
            self.flattened
                .extend(self.contexts.iter().filter(|(_, count)| **count > limit).map(|(id, _)| *id));
            if self.flattened.len() > before {
                let procedures = self.flattened.len() - before;
                return Some(Degradation::Procedures { reason: "contexts of one method", procedures });
            }
        }
        if self.limits.time.is_some_and(|limit| self.started.elapsed() > limit * (self.stage + 2) / 2) {
            return Some(self.flatten("time"));
        }
        if let Some(limit) = self.limits.memory
            && nodes >= self.next_memory_check
        {
            self.next_memory_check = nodes + nodes / 16 + 10_000;
            // Halfway to the limit the most expensive are flattened, closer to it everything.
            if resident_bytes().is_some_and(|used| used > limit / 4 * u64::from(self.stage + 2).min(4)) {
                return Some(self.flatten("memory"));
            }
        }
        None
    }

    /// Flattens the procedures with the most contexts, then everything.
    fn flatten(&mut self, reason: &'static str) -> Degradation {
        self.stage += 1;
        let before = self.flattened.len();
        let threshold = match self.stage {
            1 => 64,
            2 => 8,
            _ => {
                self.everything = true;
                return Degradation::Procedures { reason, procedures: self.contexts.len() };
            }
        };
        self.flattened
            .extend(self.contexts.iter().filter(|(_, count)| **count > threshold).map(|(id, _)| *id));
        Degradation::Procedures { reason, procedures: self.flattened.len() - before }
    }
}

/// The resident memory of this process, where the system tells.
pub fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = status.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// The most memory that this process has held so far, in bytes, where the system tells.
pub fn peak_resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
