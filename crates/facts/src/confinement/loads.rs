//! Which members of which objects some threads load.
//!
//! Copies count: where `arraycopy` or `clone` moves the members of one object to another, nobody gets hold of them by that, but
//! who loads a member of the copy gets what was in the original. A copy *may* take from all objects that its source points to,
//! and put into all that its target points to; the pairs are never listed, since there may be millions of them.

use selvedge_base::{BitSet, FastMap, FastSet, HybridSet};
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::Member;

type Objects = HybridSet<ObjectId>;

/// See the [module documentation](self).
pub(super) struct Loads<'a> {
    /// What the members of each object hold, those alone that lead from one thread to another's objects.
    held: FastMap<ObjectId, Vec<(Member, &'a Objects)>>,
    loaded: FastMap<Member, BitSet<ObjectId>>,
    /// Objects of which any member is loaded.
    whole: BitSet<ObjectId>,
    /// Sets that were added already, each with the member that was loaded, or with none for all.
    seen: FastSet<(*const Objects, Option<Member>)>,
    /// From what to what members are copied.
    copies: Vec<(&'a Objects, &'a Objects)>,
    seen_copies: FastSet<(*const Objects, *const Objects)>,
}

impl<'a> Loads<'a> {
    /// No loads, of objects whose members hold this.
    pub fn new(members: impl Iterator<Item = (ObjectId, Member, &'a Objects)>) -> Self {
        let mut held: FastMap<ObjectId, Vec<(Member, &Objects)>> = FastMap::default();
        for (object, member, set) in members {
            held.entry(object).or_default().push((member, set));
        }
        Self {
            held,
            loaded: FastMap::default(),
            whole: BitSet::new(),
            seen: FastSet::default(),
            copies: Vec::new(),
            seen_copies: FastSet::default(),
        }
    }

    /// A member of these objects is loaded.
    pub fn add(&mut self, objects: &'a Objects, member: Member) {
        if self.seen.insert((objects, Some(member))) {
            let loaded = self.loaded.entry(member).or_default();
            objects.iter().for_each(|object| {
                loaded.insert(object);
            });
        }
    }

    /// Any member of these objects is loaded. Whether that is new of just these.
    pub fn add_whole(&mut self, objects: &'a Objects) -> bool {
        let is_new = self.seen.insert((objects, None));
        if is_new {
            objects.iter().for_each(|object| {
                self.whole.insert(object);
            });
        }
        is_new
    }

    /// The members of objects in `from` are copied to objects in `to`.
    pub fn add_copy(&mut self, from: &'a Objects, to: &'a Objects) {
        if self.seen_copies.insert((from, to)) {
            self.copies.push((from, to));
        }
    }

    /// Lets what is loaded from a copy count as loaded from what it is a copy of. To be called after everything was added.
    pub fn follow_copies(&mut self) {
        let copies = std::mem::take(&mut self.copies);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &(from, to) in &copies {
                if to.iter().any(|object| self.whole.contains(object)) {
                    from.iter().for_each(|object| changed |= self.whole.insert(object));
                }
                // A member that holds nothing in any copy holds nothing that a copy could have taken from the original.
                let members: FastSet<Member> =
                    to.iter().flat_map(|object| self.members(object)).map(|(member, _)| member).collect();
                for member in members {
                    let loaded = self.loaded.entry(member).or_default();
                    from.iter().for_each(|object| changed |= loaded.insert(object));
                }
            }
        }
    }

    /// Whether a member of an object is loaded.
    pub fn contains(&self, object: ObjectId, member: Member) -> bool {
        self.whole.contains(object) || self.loaded.get(&member).is_some_and(|loaded| loaded.contains(object))
    }

    /// The members of an object that are loaded, with what they hold.
    pub fn members(&self, object: ObjectId) -> impl Iterator<Item = (Member, &'a Objects)> {
        let held = self.held.get(&object).map_or(&[][..], Vec::as_slice);
        held.iter().copied().filter(move |&(member, _)| self.contains(object, member))
    }
}
