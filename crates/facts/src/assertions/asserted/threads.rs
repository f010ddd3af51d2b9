//! What the user asserts of threads: which never run in parallel, and which starts have one thread at a time.
//!
//! The *entries* of an abstract thread are the first methods of the application that it executes: `run` of a thread or task; for callers
//! of a library, each public method that they call. An access is *only behind* a pattern if no call of the thread leads to it from an
//! entry that the pattern does not mean.

use std::sync::{Arc, Mutex, PoisonError};

use selvedge_base::{BitSet, FastMap, FastSet};
use selvedge_findings::pattern::{matches_class, matches_member};
use selvedge_pta::InstanceId;
use selvedge_world::{MethodId, Program, Tier, java_name};

use super::{Assertion, Claim};
use crate::bundle::Facts;
use crate::refutation::{Candidate, Occurrence};
use crate::threads::{Origin, ThreadId};

/// The assertions about threads, with the methods that they mean.
#[derive(Clone, Debug, Default)]
pub(super) struct Asserted {
    apart: Vec<(usize, [Arc<FastSet<MethodId>>; 2])>,
    one_thread: Vec<(usize, FastSet<MethodId>)>,
    /// The instances that a thread reaches from entries that are not meant, by the assertion and its side.
    elsewhere: Arc<Mutex<FastMap<Key, Arc<BitSet<InstanceId>>>>>,
}

type Key = (ThreadId, usize, usize);

impl Asserted {
    pub(super) fn new(program: &Program, assertions: &[Assertion]) -> Self {
        let mut asserted = Self::default();
        for (position, assertion) in assertions.iter().enumerate() {
            let methods = |pattern: &str| methods(program, pattern);
            match &assertion.claim {
                Claim::Apart { from } => {
                    let sides = [methods(&assertion.about), methods(from)];
                    if sides.iter().all(|side| !side.is_empty()) {
                        asserted.apart.push((position, sides.map(Arc::new)));
                    }
                }
                Claim::OneThread => {
                    let methods = methods(&assertion.about);
                    if !methods.is_empty() {
                        asserted.one_thread.push((position, methods));
                    }
                }
                Claim::Confined | Claim::Guarded { .. } => {}
            }
        }
        asserted
    }

    /// The positions of the assertions that mean something in the program.
    pub(super) fn positions(&self) -> impl Iterator<Item = usize> {
        let apart = self.apart.iter().map(|(position, _)| *position);
        apart.chain(self.one_thread.iter().map(|(position, _)| *position))
    }

    /// The assertion by which the two sides of a pair are never executed at the same time.
    pub(super) fn of_pair(&self, facts: &Facts<'_, '_>, candidate: &Candidate) -> Option<usize> {
        let [first, second] = &candidate.sides;
        let by_start = self.one_thread.iter().find(|(_, methods)| {
            let site =
                |side: &Occurrence| start(facts, side.thread).filter(|(method, ..)| methods.contains(method));
            site(first).is_some_and(|site_of_first| site(second) == Some(site_of_first))
        });
        let apart = || {
            let behind = |side: &Occurrence, position: usize, which: usize, methods: &FastSet<MethodId>| {
                self.is_only_behind(facts, side, (position, which), methods)
            };
            self.apart.iter().find(|(position, [one, other])| {
                let fits = |one_side: &Occurrence, other_side: &Occurrence| {
                    behind(one_side, *position, 0, one) && behind(other_side, *position, 1, other)
                };
                fits(first, second) || fits(second, first)
            })
        };
        by_start.map(|(position, _)| *position).or_else(|| apart().map(|(position, _)| *position))
    }

    fn is_only_behind(
        &self,
        facts: &Facts<'_, '_>,
        side: &Occurrence,
        (position, which): (usize, usize),
        methods: &FastSet<MethodId>,
    ) -> bool {
        let key = (side.thread, position, which);
        let mut known = self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
        let elsewhere = known.entry(key).or_insert_with(|| Arc::new(elsewhere(facts, side.thread, methods)));
        !elsewhere.contains(side.instance)
    }
}

/// The methods of the application that a pattern means, by their own names or that of their class.
fn methods(program: &Program, pattern: &str) -> FastSet<MethodId> {
    let of_application = |class| program.classes[class].tier == Tier::Application;
    let methods = program.methods.iter_ids().filter(|(_, method)| of_application(method.class));
    let is_meant = |class: &str, name: &str| {
        matches_member(pattern, &format!("{class}.{name}")) || matches_class(pattern, class)
    };
    methods
        .filter(|(_, method)| {
            is_meant(&java_name(program.classes[method.class].name), &method.name.to_string())
        })
        .map(|(id, _)| id)
        .collect()
}

/// Where a thread is started: the method and the number of the call in it.
fn start(facts: &Facts<'_, '_>, thread: ThreadId) -> Option<(MethodId, u32)> {
    match facts.threads.all[thread].origin {
        Origin::Spawn { instance, call, .. } => method_of(facts, instance).map(|method| (method, call)),
        _ => None,
    }
}

fn method_of(facts: &Facts<'_, '_>, instance: InstanceId) -> Option<MethodId> {
    let analysis = facts.view.analysis;
    analysis.procedures.method(analysis.instances[instance].procedure)
}

/// The instances that a thread reaches from entries other than these methods, what stands before any entry among them.
fn elsewhere(facts: &Facts<'_, '_>, thread: ThreadId, methods: &FastSet<MethodId>) -> BitSet<InstanceId> {
    let program = facts.view.program;
    let is_of_application =
        |method: MethodId| program.classes[program.methods[method].class].tier == Tier::Application;
    let mut found: BitSet<InstanceId> = BitSet::new();
    let mut pending: Vec<(InstanceId, bool)> =
        facts.threads.all[thread].entries.iter().map(|&entry| (entry, false)).collect();
    let mut before: FastSet<InstanceId> = FastSet::default();
    while let Some((instance, entered)) = pending.pop() {
        let method = method_of(facts, instance);
        let is_entry = !entered && method.is_some_and(is_of_application);
        if is_entry && method.is_some_and(|method| methods.contains(&method)) {
            continue;
        }
        let entered = entered || is_entry;
        let is_new = if entered { found.insert(instance) } else { before.insert(instance) };
        if !is_new {
            continue;
        }
        for call in facts.view.calls(instance) {
            let callees = call.callees.iter();
            let called = callees.filter(|&&callee| facts.threads.is_call(facts.view, instance, callee));
            pending.extend(called.map(|&callee| (callee, entered)));
        }
    }
    found
}
