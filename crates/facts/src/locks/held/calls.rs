//! The locks that are held at a call or access, as an analysis names them that follows control from object to object.
//!
//! The names are relative to the two objects of the call: to the caller's `this`, and to the receiver. Both mean the same lock
//! whenever the object is the same, since they go down stable places only. What means the same lock everywhere is apart.

use selvedge_ir::{Inst, Value};
use selvedge_pta::InstanceId;

use super::entries::{HeldBy, LockContext};
use super::state::{Mode, Role};
use crate::locks::names::terms::{Root, Steps, Term, relative};
use crate::locks::{HeldLock, Locks};
use crate::ownership::has_receiver;
use crate::view::View;

/// A lock that is found from an object by stable places: its own monitor, or a lock that it holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LockPath {
    steps: Steps,
    role: Role,
}

impl LockPath {
    /// The monitor of the object itself.
    pub fn monitor() -> Self {
        Self { steps: Steps::new(), role: Role::Monitor }
    }

    /// Whether it is a monitor, of whatever object.
    pub(crate) fn is_monitor(&self) -> bool {
        self.role == Role::Monitor
    }
}

/// A lock that means the same everywhere.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GlobalLock {
    term: Term,
    role: Role,
}

impl GlobalLock {
    /// The monitor of a class object.
    pub fn class(class: selvedge_ir::ClassName) -> Self {
        Self { term: Term::new(Root::Class(class)), role: Role::Monitor }
    }

    /// Whether it is a monitor, of whatever object.
    pub(crate) fn is_monitor(&self) -> bool {
        self.role == Role::Monitor
    }
}

/// The locks that are held at a call in every run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallLocks {
    /// Those that mean the same everywhere.
    pub global: Vec<(GlobalLock, Mode)>,
    /// Those found from the object on whose behalf the caller runs.
    pub of_caller: Vec<(LockPath, Mode)>,
    /// Those found from the receiver.
    pub of_receiver: Vec<(LockPath, Mode)>,
}

impl Locks {
    /// The locks that are held where an instance calls a method on, or accesses, the object in a value. Without an instruction (the
    /// calls of synthetic code) only what is held all the time.
    pub fn at_call(
        &self,
        view: &View<'_>,
        instance: InstanceId,
        inst: Option<Inst>,
        receiver: Option<Value>,
    ) -> CallLocks {
        let context =
            LockContext { view, singles: &self.singles, code: &self.code, summaries: &self.summaries };
        let entry = self.entries[instance].as_ref().unwrap_or(&self.empty);
        let held: Vec<HeldBy> = match inst {
            Some(inst) => context.held_at(instance, inst, entry),
            None => entry.clone(),
        };
        let mut found = CallLocks::default();
        if held.is_empty() {
            return found;
        }
        let method = view.method_of(instance);
        let lineage =
            method.zip(receiver).map(|(method, receiver)| self.code.lineage(view, method, receiver));
        let runs_for_receiver = has_receiver(view, instance);
        for held in held.into_iter().filter(|held| held.key.role != Role::Entry) {
            let (term, role, mode) = (&held.key.term, held.key.role, held.mode);
            if term.is_global() {
                found.global.push((GlobalLock { term: term.clone(), role }, mode));
                continue;
            }
            if runs_for_receiver && term.root == Root::Parameter(0) && term.owners.is_empty() {
                found.of_caller.push((LockPath { steps: term.path.clone(), role }, mode));
            }
            for relative in lineage.iter().flat_map(|lineage| relative(lineage, term)) {
                if relative.owners.is_empty() {
                    found.of_receiver.push((LockPath { steps: relative.path, role }, mode));
                }
            }
        }
        found
    }

    /// Whether the method of an instance holds a lock at an instruction that it has taken itself.
    pub fn takes_before(&self, view: &View<'_>, instance: InstanceId, inst: Inst) -> bool {
        let locks = view.method_of(instance).and_then(|method| self.summaries.method(method));
        locks.and_then(|locks| locks.at(inst)).is_some_and(|state| !state.held.is_empty())
    }

    /// The locks that are held at an instruction of an instance, for the reader.
    pub fn held_at(&self, view: &View<'_>, instance: InstanceId, inst: Inst) -> Vec<HeldLock> {
        self.for_the_reader(view, self.held(view, instance, inst))
    }
}
