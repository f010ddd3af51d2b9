//! The happens-before detector: vector clocks with epochs, after FastTrack (Flanagan and Freund, PLDI 2009).
//!
//! **Definition.** Two accesses to one location by different threads, one of them a write, race if neither happens before
//! the other. The order is the least transitive one with program order and, as in the Java memory model and the
//! documentation of java.util.concurrent,
//! - a release before every later acquisition of the same lock, unless both are in shared mode;
//! - a write of a volatile or atomic variable before every later read of it; an update is both;
//! - a fork before all that the child does, all that the child does before a join of it;
//! - a publication before every later subscription to its channel. Channels are queues, latches, barriers, futures
//!   (an object, with an item where one is handed over), interrupts, permits (park and unpark), and the initialisation
//!   of classes. A subscription to an item sees publications of that item and those that name no item; one that
//!   names no item sees all.
//!
//! Final fields give no events: what a constructor writes to them is seen by all who get the object properly.
//!
//! **Theorem.** An access is reported only if it races with an earlier one; and of every location that has a race, the
//! first access that completes one is reported. (Afterwards the location's history is that of the last write and of the
//! reads since: further races on it may be missed.) The tests hold this against the definition in
//! [`naive`](crate::naive).
//!
//! **Chains.** A clock has a component per chain, not per thread: a new thread continues the chain of an ended one if its
//! parent has seen that end. All threads of a chain are ordered, so they can share a component; programs that start and
//! join threads for hours keep short clocks.
//!
//! **Minimal reads.** Of the reads since the last write only those are kept that are before no other. A write that is after
//! the later of two ordered reads is after both.

mod order;

use std::sync::Arc;

use selvedge_protocol::{AccessKind, Action, Event, Location, Options, SiteId, StackId, ThreadId};
use smallvec::SmallVec;

use crate::clock::{Chain, Time, VectorClock};
use crate::engine::Detector;
use crate::held::{Held, HeldChange, HeldTable, Hold};
use crate::race::{Access, Race, Shown};
use crate::shadow::{Coarseness, ShadowMap};
pub use order::Order;

/// An access that is kept: its epoch, and what a report needs.
#[derive(Clone, Debug)]
struct Past {
    chain: Chain,
    time: Time,
    thread: ThreadId,
    site: SiteId,
    stack: StackId,
    locks: Option<Arc<Vec<Hold>>>,
}

impl Past {
    fn is_before(&self, clock: &VectorClock) -> bool {
        self.time <= clock.get(self.chain)
    }

    fn access(&self, kind: AccessKind) -> Access {
        Access {
            thread: Some(self.thread),
            site: self.site,
            stack: self.stack,
            kind,
            locks: self.locks.as_deref().cloned().unwrap_or_default(),
        }
    }
}

/// What is known of a location.
#[derive(Clone, Debug, Default)]
struct History {
    write: Option<Past>,
    /// The reads since the write that are before no other.
    reads: SmallVec<[Past; 1]>,
}

/// The happens-before detector.
#[derive(Clone, Debug)]
pub struct HappensBefore {
    coarseness: Coarseness,
    order: Order,
    locations: ShadowMap<History>,
    max_clock_words: u64,
    /// Clocks took too much memory: nothing is judged any more.
    stopped: bool,
}

impl HappensBefore {
    /// A detector that has seen nothing.
    pub fn new(options: &Options) -> Self {
        Self {
            coarseness: Coarseness::new(options),
            order: Order::new(),
            locations: ShadowMap::new(options.max_locations),
            max_clock_words: options.max_clock_words,
            stopped: false,
        }
    }

    /// The order so far.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// See [`Order::learn_ended`].
    pub fn learn_ended(&mut self, thread: ThreadId) {
        self.order.learn_ended(thread);
    }

    /// See [`Order::forget`].
    pub fn forget(&mut self, thread: ThreadId) {
        self.order.forget(thread);
    }

    /// The time of the thread: that of its next access.
    pub fn time(&mut self, thread: ThreadId) -> Time {
        if self.stopped { 0 } else { self.order.now(thread).1 }
    }

    /// Where the thread stands: its chain, its time, and how much of the first chains it knows.
    pub fn stands(&mut self, thread: ThreadId, known: &mut [i32]) -> (Chain, Time) {
        let (chain, time, clock) = self.order.now(thread);
        for (chain, known) in (0..).zip(known) {
            *known = i32::try_from(clock.get(chain)).unwrap_or(i32::MAX);
        }
        (chain, if self.stopped { 0 } else { time })
    }

    /// The thread's time moves on without anything being passed on: it tells the thread's later accesses from its earlier ones.
    pub fn tick(&mut self, thread: ThreadId) {
        if !self.stopped {
            self.order.tick(thread);
        }
    }

    /// See [`Order::catch_up`].
    pub fn catch_up(&mut self, thread: ThreadId, time: Time, known: &[i32]) {
        if !self.stopped {
            self.order.catch_up(thread, time, known);
        }
    }

    /// Whether what was done in a chain at this time is before what the thread does now.
    pub fn knows(&mut self, thread: ThreadId, chain: Chain, time: Time) -> bool {
        self.stopped || time <= self.order.now(thread).2.get(chain)
    }

    fn access(&mut self, event: &Event, exact: Location, kind: AccessKind, held: &Held) -> Option<Race> {
        let location = self.coarseness.of(exact)?;
        let (chain, time, clock) = self.order.now(event.thread);
        let history = self.locations.entry(location)?;
        let same_epoch =
            |past: &Past| past.chain == chain && past.time == time && past.thread == event.thread;
        if history.write.as_ref().is_some_and(same_epoch)
            || (kind == AccessKind::Read && history.reads.iter().any(same_epoch))
        {
            // An access of this kind, or a write, was judged in this epoch: nothing has changed since, unless a
            // read of another thread came after our write, and that read was judged against it.
            if kind == AccessKind::Read || history.reads.iter().all(|read| read.thread == event.thread) {
                return None;
            }
        }
        let racing_write = history.write.as_ref().filter(|past| !past.is_before(clock));
        let racing = match racing_write {
            Some(past) => Some(past.access(AccessKind::Write)),
            None if kind == AccessKind::Write => {
                let read = history.reads.iter().find(|past| !past.is_before(clock));
                read.map(|past| past.access(AccessKind::Read))
            }
            None => None,
        };
        let past = Past {
            chain,
            time,
            thread: event.thread,
            site: event.site,
            stack: event.stack,
            locks: held.shared_locks(),
        };
        match kind {
            AccessKind::Read => {
                history.reads.retain(|read| !read.is_before(clock));
                history.reads.push(past);
            }
            AccessKind::Write => {
                history.reads.clear();
                history.write = Some(past);
            }
        }
        racing.map(|previous| Race {
            location: exact,
            current: Access {
                thread: Some(event.thread),
                site: event.site,
                stack: event.stack,
                kind,
                locks: held.locks().to_vec(),
            },
            previous,
            shown: Shown::HappensBefore,
        })
    }
}

impl Detector for HappensBefore {
    fn event(&mut self, event: &Event, held: &HeldTable, _: HeldChange) -> Option<Race> {
        if self.stopped {
            return None;
        }
        match event.action {
            Action::Access { location, kind } => {
                return self.access(event, location, kind, held.of(event.thread));
            }
            Action::Freed { object } => self.locations.free(object, drop),
            _ => {}
        }
        self.order.event(event);
        if self.order.words() > self.max_clock_words {
            self.stopped = true;
            self.order = Order::new();
            self.locations = ShadowMap::new(0);
        }
        None
    }

    fn degradation(&self) -> Option<String> {
        let refused = self.locations.refused();
        if self.stopped {
            Some("the happens-before detector stopped: too many threads and locks for its memory".to_owned())
        } else if refused > 0 {
            Some(format!(
                "the happens-before detector was full: {refused} accesses to further locations were not looked at"
            ))
        } else {
            None
        }
    }

    fn locations(&self) -> u64 {
        self.locations.len()
    }
}
