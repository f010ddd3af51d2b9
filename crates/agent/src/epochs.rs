//! Where threads stand, as the support class needs it: epochs, clocks, and which locks were held when.
//!
//! The support class judges accesses to fields and array elements itself ([`crate::natives`] hears of races only), by the thread's clock,
//! which every step leaves in an array of the thread. An epoch ends with every release; and with every acquisition too, which orders
//! nothing but lets the locks of an earlier access be told by its epoch.

use std::collections::VecDeque;
use std::sync::Arc;

use selvedge_base::Id;
use selvedge_jvm::Jvm;
use selvedge_jvm::sys::jni::jobject;
use selvedge_protocol::{Event, ThreadId};
use selvedge_runtime::Hold;

use crate::state::State;

/// How many chains the clock in the array has.
const CLOCK: usize = 64;

/// So many changes of a thread's locks are remembered.
const MAX_PAST: usize = 1 << 13;

/// Since when a thread holds which locks; `None` for no locks.
#[derive(Debug, Default)]
pub(crate) struct PastLocks {
    changes: VecDeque<(u32, Option<Arc<Vec<Hold>>>)>,
}

impl PastLocks {
    fn note(&mut self, time: u32, locks: Option<Arc<Vec<Hold>>>) {
        if self.changes.back().is_some_and(|(_, last)| *last == locks) {
            return;
        }
        if self.changes.len() == MAX_PAST {
            self.changes.pop_front();
        }
        self.changes.push_back((time, locks));
    }

    /// The locks held at a time.
    fn at(&self, time: u32) -> Vec<Hold> {
        let position = self.changes.partition_point(|(since, _)| *since <= time);
        let locks = position.checked_sub(1).and_then(|position| self.changes[position].1.as_deref());
        locks.cloned().unwrap_or_default()
    }
}

impl State {
    /// The thread's chain and time.
    fn stands(&mut self, thread: ThreadId, known: &mut [i32]) -> (u32, u32) {
        match self.engine.stands(thread, known) {
            Some(stands) => stands,
            None => {
                let (chain, time, _) = self.order.now(thread);
                (chain, time)
            }
        }
    }

    /// The thread whose chain this was at a time.
    pub(crate) fn member(&self, chain: u32, time: u32) -> Option<ThreadId> {
        match self.engine.happens_before() {
            Some(_) => self.engine.member(chain, time),
            None => self.order.member(chain, time),
        }
    }

    /// Follows the order where no detector does.
    pub(crate) fn follow(&mut self, event: &Event) {
        if self.engine.happens_before().is_none() {
            self.order.event(event);
        }
    }

    /// The locks of the thread have changed: its epoch ends.
    pub(crate) fn locks_changed(&mut self, thread: ThreadId) {
        if self.engine.happens_before().is_some() {
            self.engine.tick(thread);
        } else {
            self.order.tick(thread);
        }
        let time = self.stands(thread, &mut []).1;
        let locks = self.engine.held().of(thread).shared_locks();
        self.past_locks.entry(thread).or_default().note(time, locks);
    }

    /// The locks that a thread held at a time.
    pub(crate) fn locks_at(&self, thread: ThreadId, time: u32) -> Vec<Hold> {
        self.past_locks.get(&thread).map(|past| past.at(time)).unwrap_or_default()
    }

    /// Leaves in an array of the support class what it has to know of the thread: its clock, then chain, time, number, a
    /// hash of the locks held, and how often there was a collection.
    pub(crate) fn leave(&mut self, jvm: &Jvm, thread: ThreadId, array: jobject, collections: i32) {
        let mut all = [0; CLOCK + 5];
        let (chain, time) = self.stands(thread, &mut all[..CLOCK]);
        let int = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
        let hash = self.holding.get(&thread).map_or(0, |holding| holding.hash);
        all[CLOCK..].copy_from_slice(&[int(chain), int(time), thread.index() as i32, hash, collections]);
        jvm.set_ints(array, 0, &all);
    }
}
