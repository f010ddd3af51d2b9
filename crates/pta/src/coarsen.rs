//! Contexts that do not pay, given up so that the analysis finishes.
//!
//! A policy chooses contexts without knowing what flows where. Where a program sends nearly everything through a few
//! variables (an interpreter, a dynamic language's runtime), thousands of containers meet there; each call on them then
//! reaches every context, and every context holds everything. Such contexts cost nearly all of the time and tell nothing
//! apart.
//!
//! So the analysis is run with a limit on its *work*, a count that is the same on every machine. When the limit is
//! reached, it starts again, with less to distinguish and with more work allowed, from one [`Level`] to the next:
//!
//! 1. Costs are taken from what has been found. The cost of a *context* is the sizes of the points-to sets of all variables in it. The most
//!    expensive contexts are given up, as many as make up [`SHARE`] of the cost of all. One that was given up is replaced by one that
//!    only names the type of the receiver, or by none. What a container of the JDK makes for itself (entries, nodes of trees) is
//!    one object for each class and container. Where the cost is spread over too many contexts ([`MOST_GIVEN_UP`]), this level is left out.
//! 2. Contexts for containers alone: the methods of a container of the JDK that code of the application makes are distinguished by the place
//!    that makes it, and so is what the container makes for itself. Nothing else has a context. What passes through collections is what
//!    all else rests on: without this, all collections of a class hold the same. Left out for libraries.
//! 3. No contexts at all. What rules make for the JDK (copies of arrays, objects by reflection), and what they make for the application
//!    by reflection, is one object for each type; other objects are still distinguished by the place that makes them.
//! 4. One object for each type, and no limit.
//!
//! This is the idea of Scaler (Li, Tan, Møller and Smaragdakis, FSE 2018), to spend contexts where their estimated cost is
//! low, with the estimate taken from a run that was cut short instead of from one without contexts, which for large
//! programs is no cheaper.
//!
//! The result is that of a policy which has fewer contexts and objects from the start: sound, and the same in every run.

use selvedge_base::{FastMap, FastSet};
use selvedge_world::{ClassId, MethodId, Tier};

use crate::budget::Degradation;
use crate::context::library::is_container;
use crate::context::{ContextId, Contexts, Element};
use crate::facts::Describe;
use crate::heap::{RuntimeType, Site};
use crate::semantics::Semantics;
use crate::solver::{NodeId, Solver};

/// The part of the cost of all contexts that those which are given up make up, in percent.
const SHARE: usize = 75;

/// Where more contexts than this would be given up on [`Level::SomeContexts`], all are: costs that so many share are those of
/// values that come together everywhere, and the contexts that are left soon hold them, too.
const MOST_GIVEN_UP: usize = 400;

/// How much has been given up; see the [module documentation](self).
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    #[default]
    Nothing,
    SomeContexts,
    Containers,
    AllContexts,
    Objects,
}

/// What is given up, and what stands for it.
#[derive(Default)]
pub(crate) struct Coarsening {
    level: Level,
    /// Whether [`Level::Containers`] is left out: it was measured for programs with a beginning, not for libraries, whose callers
    /// hand containers everywhere.
    skips_containers: bool,
    /// The contexts that are given up on [`Level::SomeContexts`], by their names, which are the same in every run.
    given_up: FastSet<String>,
    replaced: FastMap<ContextId, ContextId>,
}

impl Coarsening {
    /// Nothing is given up yet.
    pub fn start(skips_containers: bool) -> Self {
        Self { skips_containers, ..Self::default() }
    }

    /// What is given up when it is no longer worth while to choose.
    fn at(&self, level: Level) -> Self {
        let is_left_out = level == Level::Containers && self.skips_containers;
        let level = if is_left_out { Level::AllContexts } else { level };
        Self { level, ..Self::start(self.skips_containers) }
    }

    /// What a result says about it.
    pub fn given_up(&self) -> Option<Degradation> {
        match self.level {
            Level::Nothing => None,
            Level::SomeContexts => Some(Degradation::Contexts(self.given_up.len())),
            Level::Containers => Some(Degradation::AllButContainers),
            Level::AllContexts => Some(Degradation::AllContexts),
            Level::Objects => Some(Degradation::Everything),
        }
    }

    /// Whether anything has been given up.
    pub fn has_started(&self) -> bool {
        self.level > Level::Nothing
    }

    /// Whether no context is left, so that calls do not tell their receivers apart.
    pub fn has_no_contexts(&self) -> bool {
        self.level >= Level::AllContexts
    }

    /// Whether no context is left, and one object for each type.
    pub fn is_total(&self) -> bool {
        self.level == Level::Objects
    }

    /// The work that is allowed, where so much is allowed for the first start.
    pub fn work_limit(&self, first: u64) -> u64 {
        match self.level {
            Level::Nothing => first,
            Level::SomeContexts => first.saturating_mul(2),
            Level::Containers => first.saturating_mul(5),
            Level::AllContexts => first.saturating_mul(10),
            Level::Objects => u64::MAX,
        }
    }

    /// Whether the objects of a site are merged with those of the same type.
    pub fn merges(&self, site: Site) -> bool {
        match site {
            Site::Instruction { .. } | Site::Synthetic { .. } | Site::Part { .. } => self.is_total(),
            _ => false,
        }
    }

    /// Whether what a rule makes for a method of this tier is merged with other objects of its type.
    pub fn merges_by_rule(&self, tier: Tier, ty: &RuntimeType) -> bool {
        let is_by_reflection = matches!(ty, RuntimeType::Class(_));
        self.level >= Level::AllContexts && (tier == Tier::Jdk || is_by_reflection)
    }

    /// What to give up after a run that was cut short: what costs the most there.
    pub fn after(&self, solver: &Solver<'_>) -> Self {
        match self.level {
            Level::Nothing => {
                let contexts = most_expensive(costs_of_contexts(solver));
                if contexts.len() > MOST_GIVEN_UP {
                    return self.at(Level::Containers);
                }
                let describe = describe(&solver.semantics);
                let given_up = contexts.into_iter().map(|context| describe.context(context)).collect();
                Self { given_up, ..self.at(Level::SomeContexts) }
            }
            Level::SomeContexts => self.at(Level::Containers),
            Level::Containers => self.at(Level::AllContexts),
            Level::AllContexts | Level::Objects => self.at(Level::Objects),
        }
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
        match self.heap.coarsening.level {
            Level::Nothing => return context,
            Level::SomeContexts | Level::Containers if context == Contexts::EMPTY => return context,
            Level::SomeContexts | Level::Containers => {}
            Level::AllContexts | Level::Objects => return Contexts::EMPTY,
        }
        if let Some(&known) = self.heap.coarsening.replaced.get(&context) {
            return known;
        }
        let stands = match self.contexts.elements(context).first().copied() {
            Some(element) if self.heap.coarsening.level == Level::Containers => {
                if self.is_of_container(element) {
                    self.contexts.push(element, Contexts::EMPTY, 1)
                } else {
                    Contexts::EMPTY
                }
            }
            _ if !self.heap.coarsening.given_up.contains(&describe(self).context(context)) => context,
            Some(Element::Site(site)) => {
                let ty = self.heap.site_type(site);
                self.contexts.push(Element::Type(ty), Contexts::EMPTY, 1)
            }
            _ => Contexts::EMPTY,
        };
        self.heap.coarsening.replaced.insert(context, stands);
        stands
    }

    /// Whether an element names a container of the JDK that code of the application makes, by itself or by a call of the JDK.
    fn is_of_container(&self, element: Element) -> bool {
        let tier = |method: MethodId| self.program.classes[self.program.methods[method].class].tier;
        match element {
            Element::Site(site) => {
                let made = match self.heap.site_of(site) {
                    Site::Instruction { method, .. } => tier(method) == Tier::Application,
                    _ => false,
                };
                let ty = self.heap.types.get(self.heap.site_type(site));
                let is_of_jdk = |class: &ClassId| {
                    let data = &self.program.classes[*class];
                    data.tier == Tier::Jdk && is_container(data.name)
                };
                made && matches!(ty, RuntimeType::Class(class) if is_of_jdk(class))
            }
            Element::Call(procedure, _) => {
                self.procedures.method(procedure).is_some_and(|method| tier(method) == Tier::Application)
            }
            Element::Type(_) | Element::Inlined(..) | Element::Beside(_) => false,
        }
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
