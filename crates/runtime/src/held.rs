//! The locks that each thread holds, kept up by acquisitions and releases.
//!
//! **Modes.** The paper knows exclusive locks only. Here a lock may be held in shared mode (the read half of a read-write
//! lock), and locksets are sets of [`Hold`]s. Two relations replace `∈` and `∩ = ∅`:
//! - a hold *protects* against another of the same lock unless both are shared;
//! - a hold *covers* another of the same lock if it is exclusive or both are shared.
//!
//! Theorem: if lockset `Q` covers every hold of `P`, then whatever protects against some hold of `P` protects against some
//! hold of `Q`. (Let `r` protect against `p ∈ P`, covered by `q ∈ Q`: all three are of one lock. If `q` is exclusive,
//! `r` protects against it; otherwise `p` is shared too, so `r` is exclusive.) So `P ⊑ Q`, read "covered by", takes the place
//! of `P ⊆ Q` in the definition of weaker-than, and the paper's theorem holds as it stands.

use std::sync::{Arc, OnceLock};

use selvedge_base::FastMap;
use selvedge_protocol::{Action, Event, HoldMode, Lock, LockRole, SiteId, ThreadId};

/// A lock and how it is held.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hold {
    /// The lock.
    pub lock: Lock,
    /// How it is held.
    pub mode: HoldMode,
}

impl Hold {
    /// The lock, held against everyone.
    pub fn exclusive(lock: Lock) -> Self {
        Self { lock, mode: HoldMode::Exclusive }
    }

    /// Whether this keeps out whoever has `other`.
    pub fn protects(self, other: Self) -> bool {
        self.lock == other.lock && !(self.mode == HoldMode::Shared && other.mode == HoldMode::Shared)
    }

    /// Whether this keeps out everyone that `other` keeps out.
    pub fn covers(self, other: Self) -> bool {
        self.lock == other.lock && (self.mode == HoldMode::Exclusive || other.mode == HoldMode::Shared)
    }

    /// Whether it is a monitor, not a lock of java.util.concurrent.
    pub fn is_monitor(self) -> bool {
        self.lock.role == LockRole::Monitor
    }
}

/// Whether some hold of `held` covers `hold`. `held` is sorted with one hold a lock.
pub fn covers(held: &[Hold], hold: Hold) -> bool {
    find(held, hold.lock).is_some_and(|own| own.covers(hold))
}

/// Whether some hold of `held` protects against `hold`. `held` is sorted with one hold a lock.
pub fn protects(held: &[Hold], hold: Hold) -> bool {
    find(held, hold.lock).is_some_and(|own| own.protects(hold))
}

fn find(held: &[Hold], lock: Lock) -> Option<Hold> {
    // Locksets are small: a walk beats a search.
    held.iter().copied().find(|own| own.lock == lock)
}

/// More holds than this at a time are not told of: a thread that has them is treated as if it did not hold the rest.
pub const MAX_HOLDS: usize = 2048;

/// What one thread holds.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// In order of acquisition; the same lock may be there in both modes.
    acquired: Vec<(Hold, SiteId)>,
    /// The lockset: sorted, one hold a lock (exclusive, if it is held so at all).
    locks: Vec<Hold>,
    /// The lockset again, made when somebody wants to keep it.
    shared: OnceLock<Option<Arc<Vec<Hold>>>>,
}

impl Held {
    /// The lockset: sorted, one hold a lock.
    pub fn locks(&self) -> &[Hold] {
        &self.locks
    }

    /// The lockset, to keep; `None` if it is empty.
    pub fn shared_locks(&self) -> Option<Arc<Vec<Hold>>> {
        let make = || (!self.locks.is_empty()).then(|| Arc::new(self.locks.clone()));
        self.shared.get_or_init(make).clone()
    }

    /// What is held in order of acquisition, with the sites.
    pub fn acquired(&self) -> &[(Hold, SiteId)] {
        &self.acquired
    }

    /// Takes the hold unless it is there; whether it was not.
    fn acquire(&mut self, hold: Hold, site: SiteId) -> bool {
        let new = self.acquired.len() < MAX_HOLDS && self.acquired.iter().all(|(own, _)| *own != hold);
        if new {
            self.acquired.push((hold, site));
            self.rebuild();
        }
        new
    }

    /// Gives the hold back; where it was in the order of acquisition.
    fn release(&mut self, hold: Hold) -> Option<usize> {
        let position = self.acquired.iter().rposition(|(own, _)| *own == hold)?;
        self.acquired.remove(position);
        self.rebuild();
        Some(position)
    }

    fn rebuild(&mut self) {
        self.shared = OnceLock::new();
        self.locks.clear();
        self.locks.extend(self.acquired.iter().map(|(hold, _)| *hold));
        // Exclusive sorts before shared.
        self.locks.sort_unstable();
        self.locks.dedup_by_key(|hold| hold.lock);
    }
}

/// What an event did to the locks of its thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeldChange {
    /// Nothing, or what was held is still held.
    None,
    /// One more hold, the last in the order of acquisition.
    Acquired(Hold),
    /// One hold less; it was at this position in the order of acquisition.
    Released(Hold, usize),
}

/// What all threads hold.
#[derive(Clone, Debug, Default)]
pub struct HeldTable {
    threads: FastMap<ThreadId, Held>,
    nothing: Held,
}

impl HeldTable {
    /// Nobody holds anything.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the thread holds.
    pub fn of(&self, thread: ThreadId) -> &Held {
        self.threads.get(&thread).unwrap_or(&self.nothing)
    }

    /// Follows an event.
    pub fn event(&mut self, event: &Event) -> HeldChange {
        match event.action {
            Action::Acquire { lock, mode, .. } => {
                let hold = Hold { lock, mode };
                if self.entry(event.thread).acquire(hold, event.site) {
                    return HeldChange::Acquired(hold);
                }
            }
            Action::Release { lock, mode, depth: 0 } => {
                let hold = Hold { lock, mode };
                if let Some(position) = self.entry(event.thread).release(hold) {
                    return HeldChange::Released(hold, position);
                }
            }
            Action::End => {
                self.threads.remove(&event.thread);
            }
            _ => {}
        }
        HeldChange::None
    }

    fn entry(&mut self, thread: ThreadId) -> &mut Held {
        self.threads.entry(thread).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_protocol::text;

    const MODES: [HoldMode; 2] = [HoldMode::Exclusive, HoldMode::Shared];

    #[test]
    fn covering_is_what_the_theorem_says() {
        let lock = Lock { object: selvedge_protocol::ObjectId(1), role: LockRole::Monitor };
        let holds: Vec<Hold> = MODES.map(|mode| Hold { lock, mode }).to_vec();
        for &covering in &holds {
            for &covered in &holds {
                let expected = holds.iter().all(|r| !r.protects(covered) || r.protects(covering));
                assert_eq!(covering.covers(covered), expected, "{covering:?} {covered:?}");
            }
        }
    }

    #[test]
    fn only_the_last_release_gives_a_lock_back() {
        let trace = text::parse(
            "T: acquire L; T: acquire L; T: lock M shared; T: lock M; T: release L; T: release L",
        )
        .unwrap();
        let mut table = HeldTable::new();
        let changes: Vec<HeldChange> = trace.events.iter().map(|event| table.event(event)).collect();
        assert!(matches!(
            changes[..],
            [
                HeldChange::Acquired(_),
                HeldChange::None,
                HeldChange::Acquired(_),
                HeldChange::Acquired(_),
                HeldChange::None,
                HeldChange::Released(_, 0)
            ]
        ));
        let held = table.of(trace.events[0].thread);
        assert_eq!(held.locks().len(), 1, "both modes of one lock are one hold");
        assert_eq!(held.locks()[0].mode, HoldMode::Exclusive);
        assert_eq!(held.acquired().len(), 2);
    }
}
