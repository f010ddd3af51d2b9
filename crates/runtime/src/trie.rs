//! The history of one location as a trie of locksets (section 3.2 of the paper).
//!
//! Edges are labelled with holds, in their order; a node stands for the accesses made with exactly the locks on its path, and
//! says which threads read and which wrote. Three traversals answer an access `e` with lockset `L`:
//! 1. *weaker*: along edges that `L` covers. A node there with `e`'s thread and a kind as strong, with no hand-over by the thread in between, holds an earlier access `p`
//!    that is weaker than `e`: whatever will race with `e` races with `p`, so `e` is dropped.
//! 2. *race*: into edges that `L` does not protect against. A node there with another thread, one of the two writing,
//!    whose access was not handed over to `e`'s thread, holds a racing access.
//! 3. *merge*: `e` is added at the path `L`, and what `e` is weaker than is removed.
//!
//! **Invariant.** No access in the trie is weaker than another; so a thread is in the same role at two nodes only if
//! neither path covers the other. That keeps histories small and decides nothing: in one of more than [`LARGE`] nodes, looking
//! for what an access is weaker than costs more than it gains, and is left out.
//!
//! **Locks that are gone.** Theorem: once the object of a lock is gone, leaving the lock out of every lockset in the history changes no
//! answer about an access to come. (Such an access does not hold the lock, so no hold of its own protects against it; and whether a
//! lockset covers the history's depends on the other holds alone.) Memory that is read under the locks of objects that live for a moment would
//! otherwise have a history that grows for ever: so when a trie has grown to twice its size, [`Trie::prune`] leaves such locks
//! out, and most of what is in it comes together. A report then does not name them among the locks of the earlier access.
//!
//! **Deviation.** A node of the paper keeps one kind and one thread, or "several threads", for all its accesses. Merging a
//! read by `T1` with a write by `T2` under the same locks makes it a write by several, so that a later read by `T2` without
//! locks is reported, though no two accesses race. And "several" forgets the threads, so that a join of all of them
//! cannot be honoured. Here a node keeps readers and writers apart, each with its threads, and is exact; it also
//! knows the site of what it holds. When more than [`MAX_THREADS`] threads are in one role at one node, they become
//! "several" as in the paper.

use selvedge_protocol::{AccessKind, HoldMode, Lock, SiteId, StackId, ThreadId};
use smallvec::SmallVec;

use crate::clock::{Chain, Time};
use crate::held::{Hold, protects};

/// More threads than this in one role at one node are not distinguished.
pub const MAX_THREADS: usize = 4096;

/// A trie with more nodes than this is not searched for what an access is weaker than.
pub const LARGE: usize = 128;

/// A trie with fewer nodes than this is not pruned.
const SMALL: usize = 16;

/// An access that is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Past {
    /// Its thread.
    pub thread: ThreadId,
    /// Where it was made.
    pub site: SiteId,
    /// With which callers.
    pub stack: StackId,
    /// Where the thread stood in the order of hand-overs.
    pub stands: Stands,
}

/// A chain of threads, and its time when an access was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stands {
    /// The chain.
    pub chain: Chain,
    /// The time.
    pub time: Time,
}

impl Stands {
    /// Before everything: whatever is done there takes part in no race.
    pub const FIRST: Stands = Stands { chain: 0, time: 0 };
}

/// Accesses of one kind under one lockset: at most one a thread, the first since it last handed something over; in order of threads. Whatever races with an
/// earlier one races with that one, too.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Accesses {
    list: SmallVec<[Past; 1]>,
    /// More threads than are distinguished; the list then holds one of them.
    several: bool,
}

impl Accesses {
    fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether the thread is among them, at this time or later.
    fn contains(&self, thread: ThreadId, stands: Stands) -> bool {
        let position = self.list.binary_search_by_key(&thread, |past| past.thread);
        self.several || position.is_ok_and(|position| self.list[position].stands.time >= stands.time)
    }

    fn insert(&mut self, past: Past) {
        if self.several {
            return;
        }
        match self.list.binary_search_by_key(&past.thread, |own| own.thread) {
            Ok(position) if self.list[position].stands.time >= past.stands.time => {}
            Ok(position) => self.list[position] = past,
            Err(_) if self.list.len() == MAX_THREADS => {
                self.list.truncate(1);
                self.list.shrink_to_fit();
                self.several = true;
            }
            Err(position) => self.list.insert(position, past),
        }
    }

    fn remove(&mut self, thread: ThreadId) {
        if !self.several
            && let Ok(position) = self.list.binary_search_by_key(&thread, |own| own.thread)
        {
            self.list.remove(position);
        }
    }

    /// An access that `ordered` does not hold for, with `None` as its thread if that is not known.
    fn find(&self, ordered: impl Fn(&Past) -> bool) -> Option<Found> {
        if self.several {
            let Past { site, stack, .. } = self.list[0];
            return Some(Found { thread: None, site, stack });
        }
        let past = self.list.iter().find(|past| !ordered(past))?;
        Some(Found { thread: Some(past.thread), site: past.site, stack: past.stack })
    }
}

struct Found {
    thread: Option<ThreadId>,
    site: SiteId,
    stack: StackId,
}

/// An access on its way into a trie.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<'a> {
    /// Who, where.
    pub past: Past,
    /// What it does.
    pub kind: AccessKind,
    /// Its lockset: sorted, one hold a lock.
    pub locks: &'a [Hold],
}

/// An earlier access that races with an incoming one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partner {
    /// Its thread, if it is distinguished.
    pub thread: Option<ThreadId>,
    /// Where it was made.
    pub site: SiteId,
    /// With which callers.
    pub stack: StackId,
    /// What it did.
    pub kind: AccessKind,
    /// Its locks.
    pub locks: Vec<Hold>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// Sorted by hold.
    children: Vec<(Hold, Node)>,
    readers: Accesses,
    writers: Accesses,
}

/// The history of a location.
///
/// Memory that many only read is read under ever new locks: the trie grows, and there is nothing to be found in it. So it is known of the
/// whole whether there was a write, and whether there was a second thread.
#[derive(Clone, Debug, Default)]
pub struct Trie {
    root: Node,
    /// Whether a write was ever added.
    written: bool,
    /// The thread of all accesses, if it is one.
    first: Option<ThreadId>,
    /// Whether an access of a second thread was ever added.
    several: bool,
    /// The nodes below the root, or more: those that became empty count until the next pruning.
    grown: usize,
    /// How many there were after the last pruning.
    pruned: usize,
}

impl Trie {
    /// A history with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the history holds an access that is weaker than this one.
    pub fn has_weaker(&self, access: &Incoming<'_>) -> bool {
        self.root.has_weaker(access)
    }

    /// An access of the history that races with this one. `came_before` says that an access was handed over.
    pub fn race(&self, access: &Incoming<'_>, came_before: impl Fn(&Past) -> bool) -> Option<Partner> {
        let is_own = !self.several && self.first.is_none_or(|first| first == access.past.thread);
        if is_own || access.kind == AccessKind::Read && !self.written {
            return None;
        }
        let ordered = |past: &Past| past.thread == access.past.thread || came_before(past);
        let mut path = Vec::new();
        self.root.race(access, &ordered, &mut path)
    }

    /// Adds the access, and with `remove_stronger` removes what it is weaker than.
    pub fn merge(&mut self, access: &Incoming<'_>, remove_stronger: bool) {
        if remove_stronger && self.grown <= LARGE {
            self.root.remove_stronger(access, 0);
        }
        self.written |= access.kind == AccessKind::Write;
        self.several |= *self.first.get_or_insert(access.past.thread) != access.past.thread;
        let node = self.node_at(access.locks);
        match access.kind {
            AccessKind::Read => node.readers.insert(access.past),
            AccessKind::Write => node.writers.insert(access.past),
        }
    }

    /// The node of a lockset, made if there is none.
    fn node_at(&mut self, locks: &[Hold]) -> &mut Node {
        let mut node = &mut self.root;
        for hold in locks {
            let position = match node.children.binary_search_by_key(hold, |(label, _)| *label) {
                Ok(position) => position,
                Err(position) => {
                    node.children.insert(position, (*hold, Node::default()));
                    self.grown += 1;
                    position
                }
            };
            node = &mut node.children[position].1;
        }
        node
    }

    /// Whether the trie has grown so much since it was pruned last that it is worth while again.
    pub fn is_overgrown(&self) -> bool {
        self.grown >= SMALL.max(2 * self.pruned)
    }

    /// Leaves out locks of objects that are gone.
    pub fn prune(&mut self, is_alive: impl Fn(Lock) -> bool) {
        let mut all = Vec::new();
        std::mem::take(&mut self.root).flatten(&is_alive, &mut Vec::new(), &mut all);
        // The weakest first: then what they are weaker than is not added.
        all.sort_by_key(|(locks, _)| locks.len());
        self.grown = 0;
        for (locks, node) in all {
            for (kind, accesses) in [(AccessKind::Write, node.writers), (AccessKind::Read, node.readers)] {
                self.add_all(&locks, kind, accesses);
            }
        }
        self.pruned = self.grown;
    }

    /// Adds accesses of one kind under one lockset, those without a weaker one.
    fn add_all(&mut self, locks: &[Hold], kind: AccessKind, accesses: Accesses) {
        let new = |past: &Past| !self.has_weaker(&Incoming { past: *past, kind, locks });
        let kept: SmallVec<[Past; 1]> = accesses.list.iter().copied().filter(new).collect();
        if kept.is_empty() && !accesses.several {
            return;
        }
        let node = self.node_at(locks);
        let own = if kind == AccessKind::Read { &mut node.readers } else { &mut node.writers };
        if accesses.several {
            *own = accesses;
        } else {
            kept.into_iter().for_each(|past| own.insert(past));
        }
    }

    /// How many nodes it has.
    pub fn nodes(&self) -> usize {
        self.root.count()
    }
}

impl Node {
    fn has_weaker(&self, access: &Incoming<'_>) -> bool {
        let Past { thread, stands, .. } = access.past;
        self.writers.contains(thread, stands)
            || (access.kind == AccessKind::Read && self.readers.contains(thread, stands))
            || access.locks.iter().any(|own| {
                let covered = |mode| {
                    let label = Hold { lock: own.lock, mode };
                    own.covers(label) && self.child(label).is_some_and(|child| child.has_weaker(access))
                };
                covered(HoldMode::Exclusive) || covered(HoldMode::Shared)
            })
    }

    fn child(&self, label: Hold) -> Option<&Node> {
        let position = self.children.binary_search_by_key(&label, |(label, _)| *label).ok()?;
        Some(&self.children[position].1)
    }

    fn race(
        &self,
        access: &Incoming<'_>,
        ordered: &impl Fn(&Past) -> bool,
        path: &mut Vec<Hold>,
    ) -> Option<Partner> {
        let reads = if access.kind == AccessKind::Write { self.readers.find(ordered) } else { None };
        let found = match self.writers.find(ordered) {
            Some(found) => Some((found, AccessKind::Write)),
            None => reads.map(|found| (found, AccessKind::Read)),
        };
        if let Some((Found { thread, site, stack }, kind)) = found {
            return Some(Partner { thread, site, stack, kind, locks: path.clone() });
        }
        for (hold, child) in &self.children {
            if !protects(access.locks, *hold) {
                path.push(*hold);
                let partner = child.race(access, ordered, path);
                if partner.is_some() {
                    return partner;
                }
                path.pop();
            }
        }
        None
    }

    /// Removes what the access is weaker than, below here; the path so far covers `covered` holds of the access, the
    /// first ones. Both are sorted by lock, so a hold that is passed over cannot be covered further down.
    fn remove_stronger(&mut self, access: &Incoming<'_>, covered: usize) {
        if covered == access.locks.len() {
            self.readers.remove(access.past.thread);
            if access.kind == AccessKind::Write {
                self.writers.remove(access.past.thread);
            }
        }
        self.children.retain_mut(|(hold, child)| {
            let next = access.locks.get(covered);
            if next.is_some_and(|next| hold.covers(*next)) {
                child.remove_stronger(access, covered + 1);
            } else if next.is_none_or(|next| hold.lock < next.lock) {
                child.remove_stronger(access, covered);
            }
            !child.is_empty()
        });
    }

    /// Takes the node apart: what it and those below it hold, by the locks on the way that are alive.
    fn flatten(
        self,
        is_alive: &impl Fn(Lock) -> bool,
        path: &mut Vec<Hold>,
        all: &mut Vec<(Vec<Hold>, Node)>,
    ) {
        for (hold, child) in self.children {
            let kept = is_alive(hold.lock);
            if kept {
                path.push(hold);
            }
            child.flatten(is_alive, path, all);
            if kept {
                path.pop();
            }
        }
        if !(self.readers.is_empty() && self.writers.is_empty()) {
            all.push((
                path.clone(),
                Node { children: Vec::new(), readers: self.readers, writers: self.writers },
            ));
        }
    }

    fn is_empty(&self) -> bool {
        self.readers.is_empty() && self.writers.is_empty() && self.children.is_empty()
    }

    fn count(&self) -> usize {
        1 + self.children.iter().map(|(_, child)| child.count()).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use selvedge_protocol::{LockRole, ObjectId};

    use super::*;

    fn holds(names: &str) -> Vec<Hold> {
        let hold =
            |name: u8| Hold::exclusive(Lock { object: ObjectId(u64::from(name)), role: LockRole::Monitor });
        names.bytes().map(hold).collect()
    }

    fn incoming(thread: u32, kind: AccessKind, locks: &[Hold]) -> Incoming<'_> {
        let past = Past {
            thread: ThreadId::new(thread),
            site: SiteId::UNKNOWN,
            stack: StackId::NONE,
            stands: Stands { chain: thread, time: 1 },
        };
        Incoming { past, kind, locks }
    }

    #[test]
    fn what_is_stronger_is_removed_with_its_empty_nodes() {
        use AccessKind::{Read, Write};
        let mut trie = Trie::new();
        for locks in ["abc", "b", "ac"] {
            trie.merge(&incoming(1, Read, &holds(locks)), true);
        }
        trie.merge(&incoming(2, Read, &holds("abc")), true);
        assert_eq!(trie.nodes(), 6);
        trie.merge(&incoming(1, Write, &holds("c")), true);
        // abc keeps thread 2, ac is gone, b stays; c is new.
        assert_eq!(trie.nodes(), 6);
        assert!(trie.has_weaker(&incoming(1, Read, &holds("ac"))));
        assert!(!trie.has_weaker(&incoming(2, Read, &holds("ac"))));
        assert!(trie.has_weaker(&incoming(2, Read, &holds("abc"))));
        trie.merge(&incoming(2, Write, &holds("")), true);
        trie.merge(&incoming(1, Write, &holds("")), true);
        assert_eq!(trie.nodes(), 1);
    }

    #[test]
    fn readers_and_writers_are_told_apart() {
        use AccessKind::{Read, Write};
        let mut trie = Trie::new();
        let lock = holds("a");
        trie.merge(&incoming(1, Read, &lock), true);
        trie.merge(&incoming(2, Write, &lock), true);
        // The paper's node would be a write by several threads, and race with this.
        assert_eq!(trie.race(&incoming(2, Read, &[]), |_| false), None);
        let partner = trie.race(&incoming(2, Write, &[]), |_| false).unwrap();
        assert_eq!((partner.thread, partner.kind), (Some(ThreadId::new(1)), Read));
        let partner = trie.race(&incoming(3, Read, &[]), |_| false).unwrap();
        assert_eq!((partner.thread, partner.kind, partner.locks), (Some(ThreadId::new(2)), Write, lock));
        assert_eq!(trie.race(&incoming(3, Read, &[]), |past| past.thread == ThreadId::new(2)), None);
    }

    #[test]
    fn locks_that_are_gone_are_left_out() {
        use AccessKind::{Read, Write};
        let mut trie = Trie::new();
        trie.merge(&incoming(1, Read, &holds("a")), true);
        for name in b'b'..=b'z' {
            trie.merge(&incoming(1, Read, &holds(std::str::from_utf8(&[name]).unwrap())), true);
            trie.merge(&incoming(2, Write, &holds(&format!("A{}", name as char))), true);
        }
        let weakest = |trie: &Trie, kind| trie.has_weaker(&incoming(1, kind, &[]));
        assert!(trie.is_overgrown() && !weakest(&trie, Read));
        trie.prune(|lock| lock.object.0 < u64::from(b'b'));
        assert!(!trie.is_overgrown());
        // Thread 1 without locks, thread 2 with A: what else there was is stronger.
        assert_eq!(trie.nodes(), 2);
        assert!(weakest(&trie, Read) && !weakest(&trie, Write));
        assert!(trie.has_weaker(&incoming(2, Write, &holds("A"))));
        assert_eq!(trie.race(&incoming(1, Write, &holds("A")), |_| false), None);
        let partner = trie.race(&incoming(1, Write, &holds("a")), |_| false).unwrap();
        assert_eq!((partner.thread, partner.locks), (Some(ThreadId::new(2)), holds("A")));
    }

    #[test]
    fn very_many_threads_become_several() {
        let mut trie = Trie::new();
        for thread in 0..MAX_THREADS as u32 + 2 {
            trie.merge(&incoming(thread, AccessKind::Write, &[]), true);
        }
        assert!(trie.has_weaker(&incoming(1 << 20, AccessKind::Write, &[])));
        let partner = trie.race(&incoming(0, AccessKind::Read, &holds("a")), |_| true).unwrap();
        assert_eq!(partner.thread, None);
    }
}
