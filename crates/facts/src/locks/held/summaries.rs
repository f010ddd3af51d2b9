//! What calls do to locks: the locks that a method has taken when it returns, and those that it may have given up.
//!
//! - `may_release(p)`: the releases in procedure `p`, or in what it calls in the same thread, that nothing in the same
//!   activation matches; what they may be of. A may fact.
//! - `acquires(m)`: the locks, in terms of parameters and globals, that every normal return of method `m` leaves held once
//!   more than they were on entry. A must fact.
//!
//! Each needs the other: a release is matched if the lock was taken before, perhaps by a callee; a lock is still held if
//! nothing has released it. So they are computed in turns. In each turn `may_release` grows from nothing to its least
//! solution with `acquires` as it is (at first empty, which is sound), then `acquires` grows with that `may_release`; every
//! further turn starts from sound facts and ends with sharper ones. Two turns are made.

use rayon::prelude::*;
use selvedge_base::{FastMap, FastSet};
use selvedge_ir::{Body, Inst, Op};
use selvedge_pta::ProcedureId;
use selvedge_pta::Procedures;
use selvedge_pta::heap::ObjectId;
use selvedge_world::MethodId;

use super::actions::{Action, Actions};
use super::flow::{MethodLocks, Released, entry_state};
use super::state::{Key, Mode};
use crate::limits;
use crate::locks::names::terms::{Code, Root, is_of_locks};
use crate::threads::Threads;
use crate::view::View;

/// A lock that a method has taken when it returns.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Net {
    key: Key,
    mode: Mode,
}

/// See the [module documentation](self).
#[derive(Default)]
pub(crate) struct Summaries {
    /// The methods that do something to locks themselves, or call wrappers that take some.
    methods: FastMap<MethodId, MethodLocks>,
    releases: FastMap<ProcedureId, Vec<Released>>,
    acquires: FastMap<MethodId, Vec<Net>>,
}

impl Summaries {
    /// Summarises all reached methods.
    pub(crate) fn new(view: &View<'_>, threads: &Threads, code: &Code) -> Self {
        let mut summarizer = Summarizer::new(view, threads, code);
        for _ in 0..2 {
            summarizer.find_releases();
            summarizer.find_acquires();
            if summarizer.result.acquires.is_empty() {
                break;
            }
        }
        summarizer.result
    }

    /// What a method does with locks; `None` if it does nothing itself.
    pub(crate) fn method(&self, method: MethodId) -> Option<&MethodLocks> {
        self.methods.get(&method)
    }

    /// Every lock that a method holds somewhere, by its name there; in no particular order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (MethodId, &Key)> {
        self.methods.iter().flat_map(|(&method, locks)| locks.keys().map(move |key| (method, key)))
    }

    /// Every object that a release may be of that nothing matches.
    pub(crate) fn released(&self) -> impl Iterator<Item = ObjectId> {
        self.releases.values().flatten().filter_map(|released| released.objects.as_ref()).flatten().copied()
    }

    /// What a procedure may have released of what it did not take.
    pub(crate) fn may_release(&self, procedure: ProcedureId) -> &[Released] {
        self.releases.get(&procedure).map_or(&[], Vec::as_slice)
    }
}

/// What each reached method does to locks without regard to its callees, if it does something.
fn own_actions(view: &View<'_>, code: &Code) -> FastMap<MethodId, Actions> {
    let reached: Vec<MethodId> =
        view.program.methods.ids().filter(|&method| view.analysis.is_reached(method)).collect();
    let of_method = |&method: &MethodId| {
        let actions = Actions::new(view, code, method);
        let is_kept = !actions.is_empty() || view.program.methods[method].is_synchronized();
        is_kept.then_some((method, actions))
    };
    let found: Vec<(MethodId, Actions)> = reached.par_iter().filter_map(of_method).collect();
    found.into_iter().collect()
}

/// Who calls each procedure in the same thread.
fn callers_of_procedures(view: &View<'_>, threads: &Threads) -> FastMap<ProcedureId, Vec<ProcedureId>> {
    let mut callers: FastMap<ProcedureId, Vec<ProcedureId>> = FastMap::default();
    let mut seen: FastSet<(ProcedureId, ProcedureId)> = FastSet::default();
    for (caller, data) in view.analysis.instances.iter_ids() {
        for &callee in view.calls(caller).flat_map(|call| call.callees) {
            let called = view.analysis.instances[callee].procedure;
            if threads.is_call(view, caller, callee) && seen.insert((data.procedure, called)) {
                callers.entry(called).or_default().push(data.procedure);
            }
        }
    }
    callers
}

struct Summarizer<'a, 'v> {
    view: &'a View<'v>,
    code: &'a Code,
    /// What each method does without regard to its callees. All that are analysed.
    own: FastMap<MethodId, Actions>,
    callers: FastMap<ProcedureId, Vec<ProcedureId>>,
    result: Summaries,
}

impl<'a, 'v> Summarizer<'a, 'v> {
    fn new(view: &'a View<'v>, threads: &Threads, code: &'a Code) -> Self {
        let (own, callers) = rayon::join(|| own_actions(view, code), || callers_of_procedures(view, threads));
        Self { view, code, own, callers, result: Summaries::default() }
    }

    fn callers(&self, procedure: ProcedureId) -> Vec<ProcedureId> {
        self.callers.get(&procedure).cloned().unwrap_or_default()
    }

    /// The least `may_release` with the present `acquires`.
    fn find_releases(&mut self) {
        self.result.releases.clear();
        let mut pending: Vec<MethodId> = self.own.keys().copied().collect();
        pending.sort_unstable();
        pending.reverse();
        while let Some(method) = pending.pop() {
            let locks = self.analyze(method);
            let mut grown: Vec<ProcedureId> = Vec::new();
            let released: Vec<Released> = locks.releases.values().flatten().cloned().collect();
            self.result.methods.insert(method, locks);
            if self.add_releases(Procedures::of_method(method), &released) {
                grown.push(Procedures::of_method(method));
            }
            while let Some(procedure) = grown.pop() {
                let released = self.result.may_release(procedure).to_vec();
                for caller in self.callers(procedure) {
                    match self.view.analysis.procedures.method(caller) {
                        Some(method) if self.own.contains_key(&method) => {
                            if !pending.contains(&method) {
                                pending.push(method);
                            }
                        }
                        Some(method) if self.has_rows(method) => {}
                        _ => {
                            if self.add_releases(caller, &released) {
                                grown.push(caller);
                            }
                        }
                    }
                }
            }
        }
    }

    fn add_releases(&mut self, procedure: ProcedureId, released: &[Released]) -> bool {
        if released.is_empty() {
            return false;
        }
        let known = self.result.releases.entry(procedure).or_default();
        let before = known.len();
        known.extend(released.iter().cloned());
        known.sort();
        known.dedup();
        known.len() > before
    }

    /// `acquires` with the present `may_release`, callees before callers as far as they are not recursive.
    fn find_acquires(&mut self) {
        let mut pending: Vec<MethodId> = self.own.keys().copied().collect();
        for depth in 0..limits::LOCK_WRAPPERS {
            pending.sort_unstable();
            pending.dedup();
            let mut next = Vec::new();
            for method in std::mem::take(&mut pending) {
                // At first nothing has changed since the releases were found.
                let known = self.result.methods.remove(&method).filter(|_| depth == 0);
                let locks = known.unwrap_or_else(|| self.analyze(method));
                let net = self.net(method, &locks);
                self.result.methods.insert(method, locks);
                if net.is_empty() || self.result.acquires.get(&method) == Some(&net) {
                    continue;
                }
                self.result.acquires.insert(method, net);
                let callers = self.callers(Procedures::of_method(method));
                for caller in callers.into_iter().filter_map(|id| self.view.analysis.procedures.method(id)) {
                    self.own.entry(caller).or_insert_with(|| Actions::new(self.view, self.code, caller));
                    next.push(caller);
                }
            }
            pending = next;
        }
        // Whatever is left depends on wrappers that are too deep, or recursive: it is analysed with what is known.
        for method in pending {
            let locks = self.analyze(method);
            self.result.methods.insert(method, locks);
        }
    }

    /// What a method holds at every return and did not hold on entry, as its callers can name it.
    fn net(&self, method: MethodId, locks: &MethodLocks) -> Vec<Net> {
        let Some(exit) = &locks.exit else { return Vec::new() };
        let mut exit = exit.clone();
        for held in entry_state(self.view, method).held {
            exit.release(&held.key, &[Mode::Exclusive]);
        }
        let can_be_named = |key: &Key| !matches!(key.term.root, Root::Value(_));
        let held = exit.held.into_iter().filter(|held| can_be_named(&held.key));
        held.map(|held| Net { mode: held.mode(), key: held.key }).collect()
    }

    fn analyze(&self, method: MethodId) -> MethodLocks {
        let mut actions = self.own.get(&method).cloned().unwrap_or_default();
        if let Some(body) = self.view.program.body(method) {
            for (inst, data) in body.insts.iter_ids() {
                if matches!(data.op, Op::Invoke(..)) {
                    self.add_call(method, body, inst, &mut actions);
                }
            }
        }
        MethodLocks::new(self.view, self.code, method, &actions)
    }

    /// What the callees of a call do, by their summaries.
    fn add_call(&self, method: MethodId, body: &Body, inst: Inst, actions: &mut Actions) {
        let mut released: Vec<Released> = Vec::new();
        let mut taken: Option<Vec<Net>> = None;
        for &procedure in self.code.callees(method, inst) {
            let callee = self.view.analysis.procedures.method(procedure);
            let has_rows = callee.is_some_and(|callee| self.has_rows(callee));
            if !has_rows {
                released.extend(self.result.may_release(procedure).iter().cloned());
            }
            let nets = callee.and_then(|callee| self.result.acquires.get(&callee)).filter(|_| !has_rows);
            let nets: Vec<Net> =
                nets.into_iter().flatten().filter_map(|net| self.at_call(method, body, inst, net)).collect();
            match &mut taken {
                None => taken = Some(nets),
                Some(taken) => taken.retain(|net| nets.contains(net)),
            }
        }
        if !released.is_empty() {
            released.sort();
            released.dedup();
            actions.add(inst, Action::MayRelease(released));
        }
        for net in taken.into_iter().flatten() {
            actions.add(inst, Action::Acquire { key: net.key, mode: net.mode });
        }
    }

    /// What a callee takes, in terms of the caller.
    fn at_call(&self, method: MethodId, body: &Body, inst: Inst, net: &Net) -> Option<Net> {
        let term = match net.key.term.root {
            Root::Parameter(position) => {
                let argument = body.args(inst).get(position as usize)?;
                let term = match net.key.term.path.is_empty() {
                    true => self.code.lock_term(self.view, method, *argument, net.key.role),
                    false => self.code.term(self.view, method, *argument),
                };
                net.key.term.rooted_at(term)?
            }
            _ => net.key.term.clone(),
        };
        Some(Net { key: Key { term, role: net.key.role }, mode: net.mode })
    }

    /// Whether rows of the models say what a method does to locks.
    fn has_rows(&self, method: MethodId) -> bool {
        let mut effects = self.view.rows(method).iter().flat_map(|row| row.effects.iter());
        effects.any(is_of_locks)
    }
}
