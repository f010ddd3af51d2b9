//! Accesses to many elements of an array, for the lockset detector: what a loop did, judged as one event.
//!
//! A loop that walks through an array accesses thousands of elements with the same locks. As long as no two of these walks can
//! race, the detector keeps them as they are, a few records an array, and no element has a history of its own. When two of
//! them might race, or somebody tells of a single element, the array comes *apart*: the walks are replayed element by element, in
//! their order, and the array stays so.
//!
//! **Theorem.** Locations reported are those that would be reported if every walk were told as accesses to each of its elements. Two
//! records are kept only if no element of both is a race: they are by one thread, or both read, or the earlier one was handed over to the thread of
//! the later one, or a lock protects them, or they have no element in common, or none that the
//! earlier one accessed after its hand-over ([`ownership`](crate::ownership)). So when an array comes apart, only the walk that is new
//! can race, with the elements' histories as they would have been.
//!
//! A walk that says nothing new is dropped: an earlier one of the same thread, as strong in kind, under no more locks and through
//! the same elements has said it, and every one of its elements was shared then, or no other thread has touched one since.

use std::sync::Arc;

use selvedge_protocol::{AccessKind, SiteId, ThreadId};

use crate::held::{Hold, covers, protects};
use crate::trie::Stands;

/// An array with more walks than this comes apart.
const MAX_WALKS: usize = 32;

/// Arrays with an element beyond this one have one history for sixteen neighbours, once they are apart.
const MAX_ELEMENTS: u32 = 1 << 18;
const GROUP: u32 = 16;

/// Elements of an array: from the first to the last, a step apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    first: u32,
    last: u32,
    step: u32,
}

impl Span {
    /// The elements from `first` to `last`; `None` if there are none, or the last is no number of steps away.
    pub fn new(first: u32, last: u32, step: u32) -> Option<Span> {
        let fits = step > 0 && first <= last && (last - first).is_multiple_of(step);
        fits.then_some(Span { first, last, step })
    }

    fn has(self, index: u32) -> bool {
        self.first <= index && index <= self.last && (index - self.first).is_multiple_of(self.step)
    }

    /// Whether all elements of the other are among these.
    pub fn covers(self, other: Span) -> bool {
        let same_step = other.step.is_multiple_of(self.step) || other.first == other.last;
        self.has(other.first) && self.has(other.last) && same_step
    }

    /// The elements in both.
    pub fn meet(self, other: Span) -> Option<Span> {
        let low = self.first.max(other.first);
        let high = self.last.min(other.last);
        // The first element of `self` in the common part, and from there on until the other's steps repeat.
        let start = u64::from(low) + u64::from(Self::up_to_step(self, low));
        let common = (0..u64::from(other.step))
            .map(|turn| start + turn * u64::from(self.step))
            .take_while(|&index| index <= u64::from(high))
            .find(|&index| (index - u64::from(other.first)).is_multiple_of(u64::from(other.step)))?;
        let step = u64::from(self.step) / gcd(self.step, other.step) * u64::from(other.step);
        let last = common + (u64::from(high) - common) / step * step;
        let [first, last] = [common, last].map(|index| u32::try_from(index).ok());
        Span::new(first?, last?, u32::try_from(step).unwrap_or(u32::MAX)).or(Span::new(first?, first?, 1))
    }

    /// How far the next element of the span is from an index in its bounds.
    fn up_to_step(span: Span, index: u32) -> u32 {
        match (index - span.first) % span.step {
            0 => 0,
            beyond => span.step - beyond,
        }
    }

    /// The elements that have histories of their own, in order.
    pub fn elements(self) -> impl Iterator<Item = u32> {
        let is_grouped = self.last >= MAX_ELEMENTS;
        let step = if is_grouped { self.step * GROUP.div_ceil(self.step) } else { self.step };
        (self.first..=self.last).step_by(step as usize)
    }
}

fn gcd(a: u32, b: u32) -> u64 {
    let (mut a, mut b) = (u64::from(a), u64::from(b));
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// One thread's accesses to many elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    /// Who.
    pub thread: ThreadId,
    /// Where.
    pub site: SiteId,
    /// What it does to the elements.
    pub kind: AccessKind,
    /// Which elements.
    pub span: Span,
    /// Its lockset; `None` if it is empty.
    pub locks: Option<Arc<Vec<Hold>>>,
    /// Where the thread stood in the order of hand-overs; `None`, until it is told, for the present.
    pub stands: Option<Stands>,
}

impl Walk {
    /// The lockset: sorted, one hold a lock.
    pub fn locks(&self) -> &[Hold] {
        self.locks.as_ref().map_or(&[], |locks| locks.as_slice())
    }

    fn is_protected_from(&self, other: &Walk) -> bool {
        other.locks().iter().any(|&hold| protects(self.locks(), hold))
    }

    fn says_all_of(&self, other: &Walk) -> bool {
        let time = |walk: &Walk| walk.stands.map(|stands| stands.time);
        self.thread == other.thread
            && time(self) >= time(other)
            && (self.kind == AccessKind::Write || other.kind == AccessKind::Read)
            && self.span.covers(other.span)
            && self.locks().iter().all(|&hold| covers(other.locks(), hold))
    }
}

/// What became of a walk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Walked {
    /// It says nothing new.
    Known,
    /// It is kept.
    Kept,
    /// The array comes apart: these walks are to be told element by element, the new one last.
    Apart(Vec<Walk>),
}

/// The walks through one array.
#[derive(Clone, Debug, Default)]
pub struct Walks {
    /// In order of time, and whether all elements of each were shared when it was made.
    all: Vec<(Walk, bool)>,
}

impl Walks {
    /// Adds a walk. `owners` says whether an element is its first thread's own until a second one comes; `came_before` whether
    /// another walk was handed over to the new one's thread.
    pub fn add(&mut self, new: Walk, owners: bool, came_before: impl Fn(&Walk) -> bool) -> Walked {
        if self.is_known(&new) {
            return Walked::Known;
        }
        if self.all.len() >= MAX_WALKS || self.may_race(&new, owners, came_before) {
            let mut all = self.take();
            all.push(new);
            return Walked::Apart(all);
        }
        let is_other = |(walk, _): &(Walk, bool)| walk.thread != new.thread && walk.span.covers(new.span);
        let is_shared = !owners || self.all.iter().any(is_other);
        // Whatever races with an earlier walk that this one repeats races with this one, too.
        let repeated = |(walk, was_shared): &&mut (Walk, bool)| {
            let same = walk.thread == new.thread && walk.kind == new.kind && walk.span == new.span;
            *was_shared && same && walk.locks() == new.locks()
        };
        if let Some((walk, _)) = self.all.iter_mut().find(repeated) {
            walk.stands = new.stands;
            return Walked::Kept;
        }
        self.all.push((new, is_shared));
        Walked::Kept
    }

    /// All walks; then there are none any more.
    pub fn take(&mut self) -> Vec<Walk> {
        std::mem::take(&mut self.all).into_iter().map(|(walk, _)| walk).collect()
    }

    fn is_known(&self, new: &Walk) -> bool {
        let mut others_since = false;
        for (walk, is_shared) in self.all.iter().rev() {
            if walk.says_all_of(new) && (*is_shared || !others_since) {
                return true;
            }
            others_since |= walk.thread != new.thread && walk.span.meet(new.span).is_some();
        }
        false
    }

    fn may_race(&self, new: &Walk, owners: bool, came_before: impl Fn(&Walk) -> bool) -> bool {
        self.all.iter().enumerate().any(|(position, (walk, is_shared))| {
            let conflicts = walk.thread != new.thread
                && (walk.kind == AccessKind::Write || new.kind == AccessKind::Write)
                && !new.is_protected_from(walk)
                && !came_before(walk);
            let Some(common) = walk.span.meet(new.span).filter(|_| conflicts) else { return false };
            // An element counts from its second thread on.
            let hands_over =
                |(other, _): &(Walk, bool)| other.thread != walk.thread && other.span.meet(common).is_some();
            !owners || *is_shared || self.all[..position].iter().any(hands_over)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(first: u32, last: u32, step: u32) -> Span {
        Span::new(first, last, step).unwrap()
    }

    #[test]
    fn common_elements_are_those_in_both() {
        let list = |it: Span| (it.first..=it.last).step_by(it.step as usize).collect::<Vec<u32>>();
        for first in 0..4 {
            for step in 1..5 {
                let one = span(first, first + 6 * step, step);
                for start in 0..9 {
                    for stride in 1..5 {
                        let other = span(start, start + 4 * stride, stride);
                        let wanted: Vec<u32> = list(one).into_iter().filter(|it| other.has(*it)).collect();
                        assert_eq!(one.meet(other).map_or(Vec::new(), list), wanted, "{one:?} {other:?}");
                        assert_eq!(one.covers(other), wanted.len() == 5, "{one:?} {other:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_nobody_else_touches_and_what_all_only_read_stays_together() {
        let walk = |thread: u32, kind, first, last| Walk {
            thread: ThreadId::new(thread),
            site: SiteId::UNKNOWN,
            kind,
            span: span(first, last, 1),
            locks: None,
            stands: None,
        };
        use AccessKind::{Read, Write};
        let mut walks = Walks::default();
        let nobody = |_: &Walk| false;
        assert_eq!(walks.add(walk(0, Write, 0, 99), true, nobody), Walked::Kept);
        assert_eq!(walks.add(walk(1, Read, 0, 99), true, nobody), Walked::Kept);
        assert_eq!(walks.add(walk(2, Read, 0, 99), true, nobody), Walked::Kept);
        assert_eq!(walks.add(walk(1, Read, 5, 20), true, nobody), Walked::Known);
        // The first thread had them for itself; a write now meets the reads of the others.
        assert_eq!(walks.add(walk(0, Write, 0, 9), true, |_: &Walk| true), Walked::Kept);
        assert!(
            matches!(walks.add(walk(2, Write, 50, 60), true, nobody), Walked::Apart(all) if all.len() == 5)
        );
    }
}
