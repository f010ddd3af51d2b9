//! What holds on entry to the instances that threads execute, as sets of bits of which each is kept once: a thousand threads execute the same
//! library code, and most of it with the same set.

use std::sync::Arc;

use selvedge_base::{BitSet, FastMap, Id, IdVec, entity};
use selvedge_pta::InstanceId;

use crate::threads::ThreadId;

entity! {
    /// A set that is kept once.
    SetId "s";
}

/// For each thread that was examined, and each instance that it executes, a set.
pub(super) struct Entered<T: Id> {
    sets: IdVec<SetId, Arc<BitSet<T>>>,
    ids: FastMap<Arc<BitSet<T>>, SetId>,
    /// By thread, in the order of instances.
    of_threads: FastMap<ThreadId, Arc<[(InstanceId, SetId)]>>,
}

impl<T: Id> Default for Entered<T> {
    fn default() -> Self {
        Self { sets: IdVec::new(), ids: FastMap::default(), of_threads: FastMap::default() }
    }
}

impl<T: Id> Entered<T> {
    /// Keeps the sets of a thread.
    pub fn add(&mut self, thread: ThreadId, found: FastMap<InstanceId, BitSet<T>>) {
        let mut kept: Vec<(InstanceId, SetId)> =
            found.into_iter().map(|(instance, set)| (instance, self.keep(set))).collect();
        kept.sort_unstable();
        self.of_threads.insert(thread, kept.into());
    }

    /// Gives a thread the sets of another that was examined.
    pub fn add_like(&mut self, thread: ThreadId, other: ThreadId) {
        let known = self.of_threads.get(&other).map(Arc::clone);
        self.of_threads.extend(known.map(|known| (thread, known)));
    }

    /// Whether a thread was examined.
    pub fn has(&self, thread: ThreadId) -> bool {
        self.of_threads.contains_key(&thread)
    }

    /// What holds where a thread enters an instance; `None` if the thread was not examined, or never enters it.
    pub fn get(&self, thread: ThreadId, instance: InstanceId) -> Option<&BitSet<T>> {
        let kept = self.of_threads.get(&thread)?;
        let position = kept.binary_search_by_key(&instance, |&(instance, _)| instance).ok()?;
        Some(&self.sets[kept[position].1])
    }

    fn keep(&mut self, set: BitSet<T>) -> SetId {
        if let Some(&id) = self.ids.get(&set) {
            return id;
        }
        let set = Arc::new(set);
        let id = self.sets.push(Arc::clone(&set));
        self.ids.insert(set, id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_are_kept_once() {
        let set = |ids: &[u32]| ids.iter().map(|&id| ThreadId::new(id)).collect::<BitSet<_>>();
        let [a, b, c] = [0, 1, 2].map(InstanceId::new);
        let [first, second, third, none] = [0, 1, 2, 3].map(ThreadId::new);
        let mut entered: Entered<ThreadId> = Entered::default();
        entered.add(first, [(b, set(&[1, 70])), (a, set(&[]))].into_iter().collect());
        entered.add(second, [(c, set(&[70, 1]))].into_iter().collect());
        entered.add_like(third, first);
        entered.add_like(none, none);
        assert_eq!(entered.sets.len(), 2);
        assert_eq!(entered.get(first, b), Some(&set(&[1, 70])));
        assert_eq!(entered.get(third, a), Some(&set(&[])));
        assert_eq!(entered.get(second, c), entered.get(third, b));
        assert_eq!((entered.get(second, a), entered.has(none)), (None, false));
    }
}
