//! Points-to analysis and call graph: inclusion-based, field- and context-sensitive, on the fly.
//!
//! [`analyze`] takes a program, library models and entry points, and returns an [`Analysis`]: what every variable, field
//! and array may point to, and which calls reach which methods, in which contexts. Flow-insensitive (over SSA), so it
//! is a *may* analysis throughout: what a run does is inside what it says, except for what
//! [`Analysis::assumptions`] lists.
//!
//! The parts: [`context`] (policies), [`heap`] (objects and types), [`summary`] (constraints of a procedure),
//! [`plugin`] (library models, reflection, lambdas), [`assembly`] (from summaries to constraints), [`solver`] (the fast solver), [`mod@naive`] (the reference
//! solver that tests hold it against), [`mod@unify`] (the heap by unification, for programs that are too large).

mod assembly;
mod budget;
mod coarsen;
mod compact;
pub mod context;
mod entry;
mod facts;
pub mod heap;
pub mod naive;
mod names;
mod plugin;
mod procedure;
mod query;
mod refine;
mod result;
mod semantics;
mod solver;
mod summarize;
pub mod summary;
mod unify;
mod why;

pub use budget::{Degradation, Limits, peak_resident_bytes, resident_bytes};
pub use entry::{Entries, GeneralValues, Service, services};
pub use facts::{Describe, Facts};
pub use plugin::{Hierarchy, handle_fits};
pub use procedure::{Procedure, ProcedureId, Procedures};
pub use result::{Analysis, Statistics};
pub use semantics::{CallEdge, Instance, InstanceId, RULE_CALL};
pub use unify::{Objects, unify};
pub use why::{Origins, Place, Step};

use std::time::Instant;

use selvedge_models::Models;
use selvedge_world::Program;

use crate::assembly::Assembler;
use crate::coarsen::Coarsening;
use crate::context::Policy;
use crate::plugin::Library;
use crate::semantics::Semantics;
use crate::solver::Solver;

/// Runs the analysis to its fixpoint, with a coarser policy or fewer contexts if that takes too much work: see [`Limits::work`].
pub fn analyze<'p>(
    program: &'p Program,
    models: &'p Models,
    entries: &Entries,
    policy: &'p dyn Policy,
    limits: Limits,
) -> Analysis<'p> {
    let asked = policy;
    let started = Instant::now();
    let mut policy = policy;
    let mut coarsening = Coarsening::start(entries.harness.is_some());
    loop {
        let coarser = policy.coarser();
        let mut given_up: Vec<Degradation> = coarsening.given_up().into_iter().collect();
        if asked.name() != policy.name() {
            given_up.push(Degradation::Policy { asked: asked.name(), used: policy.name() });
        }
        let work_limit = match (limits.work, coarser) {
            (None, _) => u64::MAX,
            (Some(usual), Some(_)) => usual.saturating_mul(Limits::NAMED_POLICY),
            (Some(usual), None) => coarsening.work_limit(usual),
        };
        let time = limits.time.map(|time| time.saturating_sub(started.elapsed()));
        let limits = Limits { time, ..limits };
        let (semantics, roots) = start(program, models, entries, policy, limits, coarsening);
        let mut solver = Solver::new(semantics);
        solver.degradations.extend(given_up);
        solver.reach(roots);
        if solver.solve(work_limit) {
            return Analysis::new(solver);
        }
        (policy, coarsening) = match coarser {
            Some(coarser) => (coarser, Coarsening::start(entries.harness.is_some())),
            None => (policy, solver.semantics.heap.coarsening.after(&solver)),
        };
    }
}

/// What a solver starts from: the meaning of everything, and the procedure that calls the entries.
fn start<'p>(
    program: &'p Program,
    models: &'p Models,
    entries: &Entries,
    policy: &'p dyn Policy,
    limits: Limits,
    coarsening: Coarsening,
) -> (Semantics<'p>, ProcedureId) {
    let mut semantics = Semantics::new(program, policy, Library::new(program, models), limits);
    semantics.heap.coarsening = coarsening;
    let procedure = semantics.procedures.intern(Procedure::Roots);
    let roots = entry::roots(program, &mut semantics.heap, models, procedure, entries);
    semantics.library.set_roots(roots);
    semantics.library.general_values = entries.general_values;
    semantics.library.made.clone_from(&entries.made);
    if entries.harness.is_some() && entries.general_values == GeneralValues::Representatives {
        entry::representatives_assumptions()
            .into_iter()
            .for_each(|sentence| semantics.library.assume(sentence));
    }
    (semantics, procedure)
}
