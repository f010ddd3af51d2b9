//! What is known about locks at a point of a method: the facts of the dataflow in [`flow`](super::flow).
//!
//! The order of the lattice: less held, less pending, more released is higher. Joining two states keeps what both hold.

use selvedge_base::Lattice;
use selvedge_ir::{Inst, Value};
use selvedge_models::When;
use selvedge_world::FieldId;

use crate::limits;
use crate::locks::names::terms::{Root, Term};

/// In which role an object is a lock: its monitor and the lock of `java.util.concurrent` that it is are two locks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Role {
    /// Its monitor.
    Monitor,
    /// Itself.
    Lock,
    /// A field of it that is claimed once; see [`claims`](crate::locks::mutexes::claims).
    Claim(FieldId),
    /// An entry of the map that it is; see [`computing`](crate::locks::mutexes::computing). This excludes others from the entry's value only.
    Entry,
}

/// What else can hold a lock at the same time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mode {
    /// Others in shared mode.
    Shared,
    /// Nobody.
    Exclusive,
}

/// A lock.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Key {
    pub(crate) term: Term,
    pub(crate) role: Role,
}

/// A lock that this activation has taken, by this name, more often than it has released it by this name.
///
/// The same lock may be taken by several names: its holds are then the sum, so that a release by one name never ends what
/// was taken by another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Held {
    pub(crate) key: Key,
    /// How often exclusively, and how often in shared mode. At least so often: both are lower bounds, where an
    /// exclusive hold may be counted as shared.
    pub(crate) exclusive: u8,
    pub(crate) shared: u8,
    /// Where it was taken; `None` on entry to a synchronized method.
    pub(crate) taken: Option<Inst>,
}

impl Held {
    pub(crate) fn mode(&self) -> Mode {
        if self.exclusive > 0 { Mode::Exclusive } else { Mode::Shared }
    }
}

/// A lock that was taken if the result of the call that tried to is as `when` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pending {
    pub(crate) result: Value,
    pub(crate) when: When,
    pub(crate) key: Key,
    pub(crate) mode: Mode,
    pub(crate) taken: Inst,
}

/// See the [module documentation](self).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct State {
    /// By key.
    pub(crate) held: Vec<Held>,
    pub(crate) pending: Vec<Pending>,
    /// The releases on the way that may have been of locks that the caller holds, by instruction.
    pub(crate) released: Vec<Inst>,
    /// Locks of which an optimistic read is under way.
    pub(crate) optimistic: Vec<Key>,
}

impl State {
    pub(crate) fn is_empty(&self) -> bool {
        self.held.is_empty() && self.released.is_empty() && self.optimistic.is_empty()
    }

    pub(crate) fn acquire(&mut self, key: Key, mode: Mode, taken: Option<Inst>) {
        let at = match self.held.binary_search_by(|held| held.key.cmp(&key)) {
            Ok(at) => at,
            Err(at) => {
                self.held.insert(at, Held { key, exclusive: 0, shared: 0, taken });
                at
            }
        };
        let held = &mut self.held[at];
        let count = if mode == Mode::Exclusive { &mut held.exclusive } else { &mut held.shared };
        *count = (*count + 1).min(limits::HOLDS);
    }

    /// Gives up one hold by this name; whether there was one. A stronger hold is given up only if there is no other.
    pub(crate) fn release(&mut self, key: &Key, modes: &[Mode]) -> bool {
        let Ok(at) = self.held.binary_search_by(|held| held.key.cmp(key)) else { return false };
        let held = &mut self.held[at];
        let either = modes.len() > 1;
        let count = match modes.first() {
            _ if either && held.exclusive > 0 => &mut held.exclusive,
            _ if either => &mut held.shared,
            Some(Mode::Exclusive) if held.exclusive > 0 => &mut held.exclusive,
            Some(_) => &mut held.shared,
            None => return false,
        };
        let Some(less) = count.checked_sub(1) else { return false };
        *count = less;
        if held.exclusive == 0 && held.shared == 0 {
            self.held.remove(at);
        }
        true
    }

    /// Forgets what is named by a value that is computed anew.
    pub(crate) fn redefine(&mut self, value: Value) {
        let root = Root::Value(value);
        self.held.retain(|held| held.key.term.root != root);
        self.pending.retain(|pending| pending.key.term.root != root && pending.result != value);
        self.optimistic.retain(|key| key.term.root != root);
    }

    pub(crate) fn note_release(&mut self, inst: Inst) {
        if let Err(at) = self.released.binary_search(&inst) {
            self.released.insert(at, inst);
        }
    }
}

impl Lattice for State {
    fn join_into(&self, target: &mut Self) -> bool {
        let before = target.clone();
        target.held.retain_mut(|held| {
            let Ok(at) = self.held.binary_search_by(|other| other.key.cmp(&held.key)) else { return false };
            let other = &self.held[at];
            let total = (held.exclusive + held.shared).min(other.exclusive + other.shared);
            held.exclusive = held.exclusive.min(other.exclusive);
            held.shared = total - held.exclusive;
            held.taken = held.taken.min(other.taken);
            true
        });
        target.pending.retain(|pending| self.pending.contains(pending));
        target.optimistic.retain(|key| self.optimistic.contains(key));
        self.released.iter().for_each(|&inst| target.note_release(inst));
        *target != before
    }
}
