//! Which threads have ended before a point, by joins: the pseudo-locks of the paper (section 2.3).
//!
//! The paper gives each thread `T` a dummy lock, held from its start to its end, and taken for good by whoever joins it.
//! Its accesses and those after the join then have a lock in common. Three threads with `{S1, x}`, `{S2, x}` and, after
//! both joins, `{S1, S2}` have no race though there is no one lock that all hold.
//!
//! Three deviations, all towards what really is ordered:
//! - whoever joins takes the dummy lock in *shared* mode: two threads that both joined `T` are not protected
//!   from each other by that;
//! - whoever joins `T` also takes what `T` has taken, and a thread that is started takes what its parent has taken: the
//!   threads of one phase have ended before those of the next are started;
//! - the dummy locks are not put on the paths of the tries. That a thread holds its own is said by the thread
//!   of the access, and after a join nobody holds the dummy lock exclusively any more, so that the shared hold
//!   matters for the check of an access against earlier ones and not for what is recorded of it.
//!
//! So what is kept is, for each thread, the set of threads whose end it has seen. Sets are shared between threads and hold
//! ranges of numbers: a program that starts and joins threads in turn needs one range.

use std::sync::Arc;

use selvedge_base::Id;
use selvedge_protocol::{Action, Event, ThreadId};

/// For each thread, the threads whose end it has seen.
#[derive(Clone, Debug, Default)]
pub struct ThreadEnds {
    seen: Vec<Arc<Ranges>>,
}

impl ThreadEnds {
    /// Nobody has seen anything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether `thread` has seen the end of `other`: everything `other` did came before.
    #[inline]
    pub fn has_seen(&self, thread: ThreadId, other: ThreadId) -> bool {
        self.seen.get(thread.index()).is_some_and(|seen| seen.contains(other.number()))
    }

    /// Follows an event.
    pub fn event(&mut self, event: &Event) {
        let parent = event.thread.index();
        match event.action {
            Action::Fork { child } => {
                let inherited = self.seen.get(parent).filter(|seen| !seen.list.is_empty()).map(Arc::clone);
                if let Some(inherited) = inherited {
                    let child = self.entry(child);
                    if child.list.is_empty() {
                        *child = inherited
                    } else {
                        Arc::make_mut(child).join(&inherited)
                    }
                }
            }
            Action::Join { child } => {
                let theirs = self.seen.get(child.index()).map(Arc::clone);
                let own = Arc::make_mut(self.entry(event.thread));
                own.insert(child.number());
                if let Some(theirs) = theirs {
                    own.join(&theirs);
                }
            }
            _ => {}
        }
    }

    fn entry(&mut self, thread: ThreadId) -> &mut Arc<Ranges> {
        if thread.index() >= self.seen.len() {
            self.seen.resize_with(thread.index() + 1, Arc::default);
        }
        &mut self.seen[thread.index()]
    }
}

/// A set of numbers as sorted, disjoint, non-adjacent ranges with both ends included.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Ranges {
    list: Vec<(u32, u32)>,
}

impl Ranges {
    fn contains(&self, number: u32) -> bool {
        let after = self.list.partition_point(|(start, _)| *start <= number);
        after > 0 && number <= self.list[after - 1].1
    }

    fn insert(&mut self, number: u32) {
        if !self.contains(number) {
            self.join(&Ranges { list: vec![(number, number)] });
        }
    }

    fn join(&mut self, other: &Ranges) {
        if other.list.iter().all(|range| self.list.contains(range)) {
            return;
        }
        let mut all: Vec<(u32, u32)> = self.list.iter().chain(&other.list).copied().collect();
        all.sort_unstable();
        self.list.clear();
        for (start, end) in all {
            match self.list.last_mut() {
                Some(last) if start <= last.1.saturating_add(1) => last.1 = last.1.max(end),
                _ => self.list.push((start, end)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use selvedge_protocol::text;
    use selvedge_testkit::Rng;

    use super::*;

    #[test]
    fn ranges_are_sets() {
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let (mut ranges, mut set) = (Ranges::default(), BTreeSet::new());
            for _ in 0..rng.below(30) {
                let number = rng.below(25) as u32;
                ranges.insert(number);
                set.insert(number);
            }
            assert!(
                (0..30).all(|number| ranges.contains(number) == set.contains(&number)),
                "{ranges:?} {set:?}"
            );
            assert!(ranges.list.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0), "{ranges:?}");
        }
    }

    #[test]
    fn phases_follow_each_other() {
        let trace =
            text::parse("M: fork A; A: end; M: join A; M: fork B; B: fork C; M: join B; D: join A").unwrap();
        let mut ends = ThreadEnds::new();
        trace.events.iter().for_each(|event| ends.event(event));
        let thread = |name: &str| {
            trace.tables.threads.iter_ids().find(|(_, entry)| entry.name == name).map(|(id, _)| id).unwrap()
        };
        let seen = |a, b| ends.has_seen(thread(a), thread(b));
        assert!(seen("M", "A") && seen("B", "A") && seen("C", "A") && seen("M", "B") && seen("D", "A"));
        assert!(!seen("A", "B") && !seen("M", "C") && !seen("D", "B") && !seen("A", "M"));
    }
}
