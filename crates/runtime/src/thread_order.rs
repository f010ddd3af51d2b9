//! The order that starts and joins of threads enforce, alone: what takes the place of the paper's pseudo-locks.
//!
//! The paper expresses joins as locks (section 2.3): each thread `T` holds a dummy lock from its start to its end, and whoever
//! joins it takes that lock for good. Accesses of `T` and those after the join then have a lock in common. Three threads
//! with `{S1, x}`, `{S2, x}` and, after both joins, `{S1, S2}` have no race though there is no one lock that all hold.
//! Starts it cannot express so, and leaves them to ownership.
//!
//! Both are orders that no other schedule of the run can change, and clocks express them exactly. The lockset detector
//! therefore keeps clocks that move at starts only and learn at starts and joins only. Against the dummy locks that is
//! - the same for accesses before the end of a thread and after a join of it;
//! - more for threads that were joined by way of others, and for threads that are started after a join: the threads of
//!   one phase of a program do not race with those of the next;
//! - more for what a thread did before it started another;
//! - less for two threads that have both joined a third: the dummy lock that both hold would keep them apart, and
//!   nothing really does.
//!
//! **Weaker-than with this order.** An access `p` in an earlier *segment* of its thread (between two starts) does not make a later
//! one `q` redundant: a thread that was started in between is ordered after `p` and not after `q`. But `q`, made with the same or
//! fewer locks, makes `p` redundant: whatever is not ordered after `p` is not ordered after `q`.

use selvedge_protocol::{Action, Event, ThreadId};

use crate::clock::{Chain, Time, VectorClock};
use crate::happens_before::Order;

/// A segment of a thread: what it does between two starts of other threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    chain: Chain,
    time: Time,
}

impl Segment {
    /// Whether the segment comes before all that has the clock.
    #[inline]
    pub fn is_before(self, clock: &VectorClock) -> bool {
        self.time <= clock.get(self.chain)
    }
}

/// The order by starts and joins.
#[derive(Clone, Debug, Default)]
pub struct ThreadOrder {
    order: Order,
}

impl ThreadOrder {
    /// Nothing has happened.
    pub fn new() -> Self {
        Self::default()
    }

    /// Follows an event: starts, joins and ends count, all others are passed over.
    pub fn event(&mut self, event: &Event) {
        if matches!(event.action, Action::Fork { .. } | Action::Join { .. } | Action::End) {
            self.order.event(event);
        }
    }

    /// The segment in which the thread is, and what came before it.
    #[inline]
    pub fn now(&mut self, thread: ThreadId) -> (Segment, &VectorClock) {
        let (chain, time, clock) = self.order.now(thread);
        (Segment { chain, time }, clock)
    }

    /// The memory of the clocks, in words of four bytes.
    pub fn words(&self) -> u64 {
        self.order.words()
    }
}

#[cfg(test)]
mod tests {
    use selvedge_base::Id;
    use selvedge_protocol::text;

    use super::*;

    #[test]
    fn phases_follow_each_other() {
        let trace =
            text::parse("M: fork A; A: end; M: join A; M: fork B; B: fork C; B: end; M: join B; D: join A")
                .unwrap();
        let mut order = ThreadOrder::new();
        let thread = |name: &str| {
            let named = |entry: &selvedge_protocol::ThreadEntry| entry.name == name;
            ThreadId::from_index(trace.tables.threads.iter().position(named).unwrap())
        };
        let last = |order: &mut ThreadOrder, name| order.now(thread(name)).0;
        order.event(&trace.events[0]);
        let (a, m) = (last(&mut order, "A"), last(&mut order, "M"));
        trace.events[1..].iter().for_each(|event| order.event(event));
        let (b, c) = (last(&mut order, "B"), last(&mut order, "C"));
        let mut seen = |name, segment: Segment| segment.is_before(order.now(thread(name)).1);
        assert!(seen("M", a) && seen("B", a) && seen("C", a) && seen("D", a), "A has ended");
        assert!(seen("M", b), "B has ended");
        assert!(seen("B", m), "M was there before it started B");
        assert!(!seen("A", m), "M has gone on since it started A");
        assert!(!seen("M", c) && !seen("D", b) && !seen("A", b), "nothing orders these");
    }
}
