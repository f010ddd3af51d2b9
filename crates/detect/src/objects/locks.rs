//! Locksets of entrances: which locks a thread holds whenever control passes from one object to another (Milanova and Huang,
//! section 4.2).
//!
//! An element is a lock that means the same everywhere, a lock that is found from the *target* (its monitor, or a lock that it holds in a
//! stable field), or a lock found from the *source*. Two entrances to the same object with a common element, held exclusively
//! by at least one, cannot be used at the same time: a target lock is the same because the object is; a source lock is named by
//! the abstract source `i`, and counts only where the object can have but one source of `i`: it was never handed to `i`, so `i` made
//! it, or it lies in the boundary of `i`.

use selvedge_base::{FastMap, IdVec, entity};
use selvedge_facts::ownership::NodeId;
use selvedge_facts::{GlobalLock, LockPath, Mode};

entity! {
    /// A set of locks.
    LocksetId "ls";
    /// A lock in a set.
    ElementId "le";
}

/// A lock, as an entrance names it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Element {
    /// It means the same everywhere.
    Global(GlobalLock),
    /// It is found from the target.
    Target(LockPath),
    /// It is found from the only source of this kind that the target has.
    Source(NodeId, LockPath),
}

/// Elements in order, each with how it is held.
pub type Lockset = Vec<(ElementId, Mode)>;

/// All locksets, each once.
pub struct Locksets {
    elements: IdVec<ElementId, Element>,
    element_ids: FastMap<Element, ElementId>,
    sets: IdVec<LocksetId, Lockset>,
    set_ids: FastMap<Lockset, LocksetId>,
    meets: FastMap<(LocksetId, LocksetId), LocksetId>,
}

impl Default for Locksets {
    fn default() -> Self {
        let mut sets = Self {
            elements: IdVec::new(),
            element_ids: FastMap::default(),
            sets: IdVec::new(),
            set_ids: FastMap::default(),
            meets: FastMap::default(),
        };
        sets.intern(Vec::new());
        sets
    }
}

impl Locksets {
    /// The set without locks.
    pub const NONE: LocksetId = LocksetId::new(0);

    /// The id of a lock.
    pub fn element(&mut self, element: Element) -> ElementId {
        if let Some(&id) = self.element_ids.get(&element) {
            return id;
        }
        let id = self.elements.push(element.clone());
        self.element_ids.insert(element, id);
        id
    }

    /// The id of a set, given in any order, with doubles.
    pub fn set(&mut self, mut locks: Lockset) -> LocksetId {
        // The stronger hold of a lock comes first.
        locks.sort_unstable_by(|a, b| (a.0, b.1).cmp(&(b.0, a.1)));
        locks.dedup_by_key(|lock| lock.0);
        self.intern(locks)
    }

    fn intern(&mut self, locks: Lockset) -> LocksetId {
        if let Some(&id) = self.set_ids.get(&locks) {
            return id;
        }
        let id = self.sets.push(locks.clone());
        self.set_ids.insert(locks, id);
        id
    }

    /// The locks of a set.
    pub fn get(&self, set: LocksetId) -> &[(ElementId, Mode)] {
        &self.sets[set]
    }

    /// What a lock is.
    pub fn what(&self, element: ElementId) -> &Element {
        &self.elements[element]
    }

    /// What both sets hold, in the weaker mode.
    pub fn meet(&mut self, a: LocksetId, b: LocksetId) -> LocksetId {
        if a == b {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.meets.get(&key) {
            return known;
        }
        let both = self.sets[a].iter().filter_map(|&(element, mode)| {
            let at = self.sets[b].binary_search_by_key(&element, |lock| lock.0).ok()?;
            Some((element, mode.min(self.sets[b][at].1)))
        });
        let both: Lockset = both.collect();
        let met = self.intern(both);
        self.meets.insert(key, met);
        met
    }

    /// What either set holds.
    pub fn join(&mut self, a: LocksetId, b: LocksetId) -> LocksetId {
        match (a, b) {
            (Self::NONE, set) | (set, Self::NONE) => set,
            (a, b) if a == b => a,
            _ => self.set(self.sets[a].iter().chain(&self.sets[b]).copied().collect()),
        }
    }

    /// A lock of both sets that at least one of them holds exclusively.
    pub fn common(&self, a: LocksetId, b: LocksetId) -> Option<ElementId> {
        self.sets[a].iter().find_map(|&(element, mode)| {
            let at = self.sets[b].binary_search_by_key(&element, |lock| lock.0).ok()?;
            ((mode, self.sets[b][at].1) != (Mode::Shared, Mode::Shared)).then_some(element)
        })
    }
}
