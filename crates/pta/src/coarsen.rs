//! Contexts that do not pay, given up so that the analysis comes to its end.
//!
//! A policy chooses contexts without knowing what flows where. Where a program sends nearly everything through a few
//! variables (an interpreter, a dynamic language's runtime), thousands of containers meet there; each call on them then
//! reaches every context, and every context holds everything. Such contexts cost nearly all of the time and tell nothing
//! apart.
//!
//! So the analysis is run with a limit on its *work*, a count that is the same on every machine. When the limit is
//! reached, costs are taken from what has been found, and the analysis starts again, with less to tell apart and with half as much
//! work again. The cost of a *context* is the sizes of the points-to sets of all variables in it. The most expensive contexts are given
//! up, as many as make up [`SHARE`] of the cost of all. One that was given up is replaced by one that only names the type of
//! the receiver, or by none. What a container of the JDK makes for itself (entries, nodes of trees) is then one object for each
//! class and container.
//!
//! If the limit is reached again, the third start has no contexts at all and one object for each type, and no limit.
//!
//! This is the idea of Scaler (Li, Tan, Møller and Smaragdakis, FSE 2018), to spend contexts where their estimated cost is
//! low, with the estimate taken from a run that was cut short instead of from one without contexts, which for large
//! programs is no cheaper.
//!
//! The result is that of a policy which has fewer contexts and objects from the start: sound, and the same in every run.

use selvedge_base::{FastMap, FastSet};

use crate::budget::Degradation;
use crate::context::{ContextId, Contexts, Element};
use crate::facts::Describe;
use crate::heap::Site;
use crate::semantics::Semantics;
use crate::solver::{NodeId, Solver};

/// The part of the cost of all contexts that those which are given up make up, in percent.
const SHARE: usize = 75;

/// After so many starts the analysis goes without contexts, and with one object for each type.
const MOST_STARTS: u32 = 2;

/// The contexts that are given up, and what stands for them.
#[derive(Default)]
pub(crate) struct Coarsening {
    /// By their names, which are the same in every run.
    given_up: FastSet<String>,
    /// How often the analysis has started again.
    starts: u32,
    replaced: FastMap<ContextId, ContextId>,
}

impl Coarsening {
    /// What a result says about it.
    pub fn given_up(&self) -> Option<Degradation> {
        (self.starts > 0).then(|| match self.is_total() {
            true => Degradation::Everything,
            false => Degradation::Contexts(self.given_up.len()),
        })
    }

    /// Whether anything has been given up.
    pub fn has_started(&self) -> bool {
        self.starts > 0
    }

    /// Whether no context is left.
    pub fn is_total(&self) -> bool {
        self.starts >= MOST_STARTS
    }

    /// Whether the objects of a site are merged with those of the same type.
    pub fn merges(&self, site: Site) -> bool {
        match site {
            Site::Instruction { .. } | Site::Synthetic { .. } | Site::Part { .. } => self.is_total(),
            _ => false,
        }
    }

    /// Gives up what costs the most in a run that was cut short.
    pub fn after(&self, solver: &Solver<'_>) -> Self {
        let mut given_up = self.given_up.clone();
        let describe = describe(&solver.semantics);
        let contexts = most_expensive(costs_of_contexts(solver));
        given_up.extend(contexts.into_iter().map(|context| describe.context(context)));
        Self { given_up, starts: self.starts + 1, replaced: FastMap::default() }
    }
}

/// Those of the highest cost that make up [`SHARE`] of all.
fn most_expensive<T: Copy + Ord>(costs: FastMap<T, usize>) -> Vec<T> {
    let mut costs: Vec<(usize, T)> = costs.into_iter().map(|(item, cost)| (cost, item)).collect();
    costs.sort_unstable_by_key(|&(cost, item)| (std::cmp::Reverse(cost), item));
    let total: usize = costs.iter().map(|&(cost, _)| cost).sum();
    let mut sum = 0;
    costs.retain(|&(cost, _)| {
        let is_wanted = sum < total / 100 * SHARE;
        sum += cost;
        is_wanted
    });
    costs.into_iter().map(|(_, item)| item).collect()
}

impl Semantics<'_> {
    /// The context that stands for one that a policy chose.
    pub(crate) fn affordable(&mut self, context: ContextId) -> ContextId {
        if self.heap.coarsening.starts == 0 || context == Contexts::EMPTY {
            return context;
        }
        if self.heap.coarsening.is_total() {
            return Contexts::EMPTY;
        }
        if let Some(&known) = self.heap.coarsening.replaced.get(&context) {
            return known;
        }
        let stands = match self.contexts.elements(context).first() {
            _ if !self.heap.coarsening.given_up.contains(&describe(self).context(context)) => context,
            Some(&Element::Site(site)) => {
                let ty = self.heap.site_type(site);
                self.contexts.push(Element::Type(ty), Contexts::EMPTY, 1)
            }
            _ => Contexts::EMPTY,
        };
        self.heap.coarsening.replaced.insert(context, stands);
        stands
    }
}

fn describe<'a>(semantics: &'a Semantics<'_>) -> Describe<'a> {
    Describe {
        program: semantics.program,
        heap: &semantics.heap,
        contexts: &semantics.contexts,
        procedures: &semantics.procedures,
        instances: &semantics.instances,
        forgets_contexts: false,
    }
}

/// The sizes of the points-to sets of all variables in each context that a policy chose.
fn costs_of_contexts(solver: &Solver<'_>) -> FastMap<ContextId, usize> {
    let semantics = &solver.semantics;
    let mut costs: FastMap<ContextId, usize> = FastMap::default();
    for (id, instance) in semantics.instances.iter_ids() {
        let elements = semantics.contexts.elements(instance.context);
        let is_chosen = matches!(elements.first(), Some(Element::Site(_) | Element::Call(..)));
        let (true, Some(base)) = (is_chosen, solver.assembly.bases[id]) else { continue };
        let slots = semantics.summary(instance.procedure).slots;
        let cost: usize =
            (0..slots).map(|slot| solver.graph.set(NodeId::new(base.number() + slot)).len()).sum();
        *costs.entry(instance.context).or_default() += cost;
    }
    costs
}
