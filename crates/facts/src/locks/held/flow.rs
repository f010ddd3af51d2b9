//! The locks that a method takes and gives back, at each of its instructions: a forward must-analysis, unwind edges included.
//!
//! It is done once per method, whatever its contexts, and knows nothing of what callers hold. Releases that it cannot match
//! with a lock taken by the same name before are kept: they may be of locks that a caller holds, and end every hold of the
//! method itself that may be of the same object.
//!
//! When an instruction throws, its releases have taken place and its acquisitions have not. (A `monitorexit` that throws
//! has not released: the thread did not own the monitor.) `lock` and `unlock` of `java.util.concurrent.locks`, and the calls that give a
//! view of a lock, are taken not to throw: they do only if a lock is not owned, or has been taken billions of times. So in
//! `try { lock.lock(); ... } finally { lock.unlock(); }` the lock is held wherever the handler is entered.

use std::borrow::Cow;

use selvedge_base::{Dataflow, FastMap, IdVec, Lattice, solve};
use selvedge_ir::{Block, Body, Cfg, Comparison, Condition, Inst, Op, Value, ValueNumbering};
use selvedge_models::When;
use selvedge_pta::heap::ObjectId;
use selvedge_world::MethodId;

use super::actions::{Action, Actions};
use super::optimistic::is_validated;
use super::state::{Key, Mode, Role, State};
use crate::locks::names::terms::{Code, Root, Term};
use crate::view::View;

/// What a release may have been of: any lock in this role, or one that is among these objects.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Released {
    pub(crate) role: Role,
    pub(crate) objects: Option<Vec<ObjectId>>,
}

impl Released {
    /// Whether it may have been a lock of this role that is among these objects.
    pub(crate) fn may_be(&self, role: Role, objects: Option<&[ObjectId]>) -> bool {
        self.role == role
            && match (&self.objects, objects) {
                (Some(released), Some(held)) => released.iter().any(|object| held.contains(object)),
                _ => true,
            }
    }
}

/// What a method does with locks.
#[derive(Default)]
pub(crate) struct MethodLocks {
    /// What holds before each instruction at which anything holds.
    at: FastMap<Inst, State>,
    /// What holds at every normal return; `None` if the method never returns.
    pub(crate) exit: Option<State>,
    /// The releases anywhere in the method that may be of locks that callers hold, with the objects they may release.
    pub(crate) releases: FastMap<Inst, Vec<Released>>,
}

impl MethodLocks {
    /// What holds before an instruction.
    pub(crate) fn at(&self, inst: Inst) -> Option<&State> {
        self.at.get(&inst)
    }

    /// Every lock that is held somewhere, as often as it is.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.at.values().flat_map(|state| state.held.iter().map(|held| &held.key))
    }

    /// Analyses a method.
    pub(crate) fn new(view: &View<'_>, code: &Code, method: MethodId, actions: &Actions) -> Self {
        let (Some(body), Some(numbering)) = (view.program.body(method), code.numbering(view, method)) else {
            return Self::default();
        };
        let mut flow = Flow {
            view,
            body,
            numbering,
            method,
            actions,
            code,
            unwinding: body.blocks.ids().map(|_| None).collect(),
            sets: FastMap::default(),
            releases: FastMap::default(),
        };
        let entry = entry_state(view, method);
        let before = solve(&Cfg::new(body), [(Body::ENTRY, entry)], &mut flow);
        flow.record(&before)
    }
}

/// A synchronized method holds its receiver or its class.
pub(crate) fn entry_state(view: &View<'_>, method: MethodId) -> State {
    let mut state = State::default();
    let data = &view.program.methods[method];
    if data.is_synchronized() {
        let root = match data.is_static() {
            true => Root::Class(view.program.classes[data.class].name),
            false => Root::Parameter(0),
        };
        let key = Key { term: Term::new(root), role: Role::Monitor };
        state.acquire(key, Mode::Exclusive, None);
    }
    state
}

struct Flow<'a, 'v> {
    view: &'a View<'v>,
    code: &'a Code,
    method: MethodId,
    body: &'a Body,
    numbering: &'a ValueNumbering,
    actions: &'a Actions,
    /// What holds where an exception leaves each block.
    unwinding: IdVec<Block, Option<State>>,
    /// The objects of terms in any instance; `None` if unknown.
    sets: FastMap<Key, Option<Vec<ObjectId>>>,
    releases: FastMap<Inst, Vec<Released>>,
}

impl Flow<'_, '_> {
    /// Does what an instruction does. `thrown` is given the state in which it throws.
    fn step(&mut self, inst: Inst, state: &mut State, thrown: &mut dyn FnMut(&State)) {
        let actions = self.actions.of(inst);
        let is_exit = matches!(self.body.insts[inst].op, Op::MonitorExit);
        let may_throw = self.body.may_throw(inst) && !self.is_quiet(inst);
        if is_exit {
            thrown(state);
        }
        for action in actions {
            self.release(inst, action, state);
        }
        if may_throw && !is_exit {
            thrown(state);
        }
        if let Some(result) = self.body.insts[inst].result
            && self.numbering.number(result) == result
        {
            state.redefine(result);
        }
        for action in actions {
            match action {
                Action::Acquire { key, mode } => {
                    state.acquire(key.clone(), *mode, Some(inst));
                }
                Action::Try(pending) => {
                    if !state.pending.contains(pending) {
                        state.pending.push(pending.clone());
                    }
                }
                Action::Observe(key) => {
                    if !state.optimistic.contains(key) {
                        state.optimistic.push(key.clone());
                    }
                }
                Action::Release { .. } | Action::MayRelease(_) | Action::Validate(_) => {}
            }
        }
    }

    /// Whether an instruction is a call on a lock that does not throw.
    fn is_quiet(&self, inst: Inst) -> bool {
        let Op::Invoke(_, called) = &self.body.insts[inst].op else { return false };
        let takes_or_gives = called.name.is("lock") || called.name.is("unlock");
        takes_or_gives && !self.actions.of(inst).is_empty()
            || self.code.viewed(self.view, self.method, inst).is_some()
    }

    fn release(&mut self, inst: Inst, action: &Action, state: &mut State) {
        match action {
            Action::Release { key, modes } => {
                state.optimistic.retain(|other| other != key);
                if !state.release(key, modes) {
                    let released = Released { role: key.role, objects: self.objects(key) };
                    self.lose(inst, &released, state);
                }
                state.pending.retain(|pending| pending.key != *key);
            }
            Action::MayRelease(releases) => {
                releases.iter().for_each(|released| self.lose(inst, released, state));
            }
            Action::Validate(key) => state.optimistic.retain(|other| other != key),
            Action::Acquire { .. } | Action::Try(_) | Action::Observe(_) => {}
        }
    }

    /// A lock that may be any of these is given up, taken by whatever name.
    fn lose(&mut self, inst: Inst, released: &Released, state: &mut State) {
        let mut is_kept = |key: &Key| !released.may_be(key.role, self.objects(key).as_deref());
        state.held.retain(|held| is_kept(&held.key));
        state.pending.retain(|pending| is_kept(&pending.key));
        state.note_release(inst);
        let known = self.releases.entry(inst).or_default();
        if !known.contains(released) {
            known.push(released.clone());
        }
    }

    /// What a lock may be, in any instance of the method.
    fn objects(&mut self, key: &Key) -> Option<Vec<ObjectId>> {
        if let Some(found) = self.sets.get(key) {
            return found.clone();
        }
        let mut found = Some(Vec::new());
        for &instance in self.view.analysis.instances_of(self.method) {
            let objects = self.code.lock_objects(self.view, instance, key);
            found = found.zip(objects).map(|(mut all, more)| {
                all.extend(more);
                all
            });
        }
        if let Some(all) = &mut found {
            all.sort_unstable();
            all.dedup();
        }
        self.sets.insert(key.clone(), found.clone());
        found
    }

    /// What a branch says about calls that tried to take a lock.
    fn decide(&self, from: Block, to: Block, state: &State) -> Option<State> {
        if state.pending.is_empty() {
            return None;
        }
        let Op::If { condition, then, otherwise } = self.body.insts[self.body.terminator(from)].op else {
            return None;
        };
        if then == otherwise {
            return None;
        }
        let (tested, is_long) = self.tested(self.body.args(self.body.terminator(from)))?;
        let holds = to == then;
        let is_zero = match condition {
            Condition::Eq | Condition::RefEq => holds,
            Condition::Ne | Condition::RefNe => !holds,
            _ => return None,
        };
        let mut decided = state.clone();
        for pending in state.pending.iter().filter(|pending| pending.result == tested) {
            let taken = match pending.when {
                When::ResultTrue => !is_zero && !is_long,
                When::ResultFalse => is_zero && !is_long,
                When::ResultNonzero | When::ResultNonNull => !is_zero,
                When::Always => true,
            };
            if taken {
                decided.acquire(pending.key.clone(), pending.mode, Some(pending.taken));
            }
        }
        decided.pending.retain(|pending| pending.result != tested);
        Some(decided)
    }

    /// The value that is compared with zero or null, and whether it is a long.
    fn tested(&self, args: &[Value]) -> Option<(Value, bool)> {
        let is_zero = |value: Value| {
            let inst = self.body.defining_inst(value);
            inst.is_some_and(|inst| matches!(self.body.insts[inst].op, Op::Int(0) | Op::Long(0) | Op::Null))
        };
        let value = match *args {
            [value] => value,
            [value, zero] if is_zero(zero) => value,
            _ => return None,
        };
        let compared = self.body.defining_inst(value).filter(|&inst| {
            matches!(self.body.insts[inst].op, Op::Compare(Comparison::Long))
                && is_zero(self.body.args(inst)[1])
        });
        match compared {
            Some(inst) => Some((self.numbering.number(self.body.args(inst)[0]), true)),
            None => Some((self.numbering.number(value), false)),
        }
    }

    /// What holds at an instruction, with what counts as held if it reads.
    fn with_validated(&self, block: Block, inst: Inst, state: &State) -> State {
        let mut found = state.clone();
        let reads = matches!(self.body.insts[inst].op, Op::GetField(_) | Op::GetStatic(_) | Op::ArrayLoad(_));
        for lock in state.optimistic.iter().filter(|_| reads) {
            if is_validated(self.body, self.actions, block, inst, lock) {
                found.acquire(lock.clone(), Mode::Shared, None);
            }
        }
        found
    }

    fn record(mut self, before: &IdVec<Block, Option<State>>) -> MethodLocks {
        let mut at = FastMap::default();
        let mut exit: Option<State> = None;
        for (block, state) in before.iter_ids() {
            let Some(mut state) = state.clone() else { continue };
            for inst in self.body.blocks[block].insts.iter() {
                if !state.is_empty() && is_of_interest(&self.body.insts[inst].op) {
                    at.insert(inst, self.with_validated(block, inst, &state));
                }
                if matches!(self.body.insts[inst].op, Op::Return) {
                    match &mut exit {
                        Some(exit) => {
                            state.join_into(exit);
                        }
                        None => exit = Some(state.clone()),
                    }
                }
                self.step(inst, &mut state, &mut |_| {});
            }
        }
        MethodLocks { at, exit, releases: self.releases }
    }
}

/// Whether anybody asks what is held at an instruction.
fn is_of_interest(op: &Op) -> bool {
    matches!(
        op,
        Op::Invoke(..)
            | Op::InvokeDynamic(_)
            | Op::GetField(_)
            | Op::PutField(_)
            | Op::GetStatic(_)
            | Op::PutStatic(_)
            | Op::ArrayLoad(_)
            | Op::ArrayStore(_)
    )
}

impl Dataflow<Block> for Flow<'_, '_> {
    type Fact = State;

    fn transfer(&mut self, block: Block, state: &mut State) {
        let mut unwinding: Option<State> = None;
        let mut thrown = |state: &State| match &mut unwinding {
            Some(unwinding) => {
                state.join_into(unwinding);
            }
            None => unwinding = Some(state.clone()),
        };
        for inst in self.body.blocks[block].insts.iter() {
            self.step(inst, state, &mut thrown);
        }
        self.unwinding[block] = unwinding;
    }

    fn along<'f>(
        &mut self,
        from: Block,
        to: Block,
        _: &'f State,
        after: &'f State,
    ) -> Option<Cow<'f, State>> {
        let mut own = self.body.blocks[to].insts.iter();
        let first = own.find(|&inst| !matches!(self.body.insts[inst].op, Op::Phi));
        let is_handler = first.is_some_and(|inst| matches!(self.body.insts[inst].op, Op::Catch));
        if is_handler {
            return self.unwinding[from].clone().map(Cow::Owned);
        }
        Some(match self.decide(from, to, after) {
            Some(decided) => Cow::Owned(decided),
            None => Cow::Borrowed(after),
        })
    }
}
