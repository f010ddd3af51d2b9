//! The lockset detector (sections 2 to 4 and 7 of the paper).
//!
//! **Definition.** Two accesses race if they are to the same location, by different threads, one of them writes, no
//! hold of the one protects against a hold of the other (see [`held`](crate::held)), and neither was handed over to the thread of the
//! other: no start, end or channel (a queue, a latch, a barrier, a future, the initialisation of a class) puts the one before the other. With ownership, accesses of a location's first owner
//! before the hand-over do not count (see [`ownership`](crate::ownership)).
//!
//! **Theorem.** For every location that has a racing pair among the accesses that count, and for no other, at least one
//! access is reported, at the latest when the second access of the first such pair is made. Caches and the
//! weaker-than relation do not change the set of these locations; the tests hold both against
//! [`naive`](crate::naive).
//!
//! Locks, volatile variables and permits to go on do not order anything here: another schedule may turn round what they order. What this
//! reports and [`happens_before`](crate::happens_before) does not is either a race that another schedule shows, or
//! ordered by such a variable.
//!
//! A thread's accesses since it last handed something over are alike for the order of hand-overs. So the history has one access of each thread, kind and lockset, the
//! latest by that count: whatever races with an earlier one races with that one, too.

use selvedge_base::{FastMap, FastSet};
use selvedge_protocol::{
    AccessKind, Action, Channel, Event, Location, ObjectId, Options, SiteId, StackId, ThreadId,
};
use smallvec::SmallVec;

use crate::cache::ThreadCache;
use crate::engine::Detector;
use crate::happens_before::Order;
use crate::held::{Held, HeldChange, HeldTable, Hold};
use crate::ownership::{Ownership, Touched};
use crate::race::{Access, Race, Shown};
use crate::ranges::{Walk, Walked, Walks};
use crate::shadow::{Coarseness, ShadowMap};
use crate::trie::{Incoming, Past, Stands, Trie};

/// What is known of a location.
#[derive(Clone, Debug, Default)]
struct History {
    ownership: Ownership,
    /// Made when the first access counts.
    trie: Option<Box<Trie>>,
}

/// How many accesses each part has dealt with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Dropped because the thread's cache had them.
    pub cached: u64,
    /// Not counted because the location was the thread's own.
    pub owned: u64,
    /// Dropped because the trie held a weaker one.
    pub redundant: u64,
    /// Checked for races and recorded.
    pub recorded: u64,
}

/// The lockset detector.
#[derive(Clone, Debug)]
pub struct Lockset {
    coarseness: Coarseness,
    ownership: bool,
    weaker_than: bool,
    cache: bool,
    caches: FastMap<ThreadId, Box<ThreadCache>>,
    /// The order by hand-overs.
    order: Order,
    locations: ShadowMap<History>,
    /// The objects of the locks in histories, as far as they are not gone.
    lock_objects: FastSet<ObjectId>,
    /// Arrays of which only walks were told so far.
    walks: FastMap<ObjectId, Walks>,
    counts: Counts,
}

impl Lockset {
    /// A detector that has seen nothing.
    pub fn new(options: &Options) -> Self {
        Self {
            coarseness: Coarseness::new(options),
            ownership: options.ownership,
            weaker_than: options.weaker_than,
            cache: options.cache,
            caches: FastMap::default(),
            order: Order::new(),
            locations: ShadowMap::new(options.max_locations),
            lock_objects: FastSet::default(),
            walks: FastMap::default(),
            counts: Counts::default(),
        }
    }

    /// How many accesses each part has dealt with.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The order by hand-overs.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// See [`Order::forget`].
    pub fn forget(&mut self, thread: ThreadId) {
        self.order.forget(thread);
        self.caches.remove(&thread);
    }

    /// How many nodes the history of the location has; for tests and measurements.
    pub fn nodes(&self, location: Location) -> usize {
        let history = self.coarseness.of(location).and_then(|location| self.locations.get(location));
        history.and_then(|history| history.trie.as_deref()).map_or(0, Trie::nodes)
    }

    /// Which of the locks that the thread holds are enough that no further access of the thread and kind to the location under them, and whatever others, says
    /// anything new: the number of the first of these choices that is, or `None`. No lock (0), each by itself, in order of acquisition (1 and up), the outermost two,
    /// three and so on, up to all of them.
    ///
    /// Theorem: what is redundant stays so until the thread hands something over, and so does what holds more locks. (The history only ever gets weaker accesses in place of stronger ones, and locks that are gone left
    /// out, which makes them weaker.) So whoever makes the accesses need not tell those.
    pub fn enough_locks(
        &self,
        thread: ThreadId,
        location: Location,
        kind: AccessKind,
        held: &Held,
    ) -> Option<usize> {
        let history = self.coarseness.of(location).and_then(|location| self.locations.get(location))?;
        let trie = history.trie.as_deref().filter(|_| self.weaker_than)?;
        let (chain, time) = self.order.stands(thread)?;
        let stands = Stands { chain, time };
        let past = Past { thread, site: SiteId::UNKNOWN, stack: StackId::NONE, stands };
        let all: SmallVec<[Hold; 8]> = held.acquired().iter().map(|(hold, _)| *hold).collect();
        let alone = (0..all.len()).map(|position| &all[position..=position]);
        let outermost = (2..=all.len()).map(|count| &all[..count]);
        let mut choices = std::iter::once(&all[..0]).chain(alone).chain(outermost);
        choices.position(|locks| trie.has_weaker(&Incoming { past, kind, locks }))
    }

    /// Takes notice that several threads have touched a location.
    pub fn share(&mut self, location: Location) {
        self.take_apart(location);
        let Some(location) = self.coarseness.of(location) else { return };
        if let Some(history) = self.locations.entry(location) {
            history.ownership = Ownership::Shared;
        }
    }

    /// Judges accesses to many elements of an array; what became of them, and the first race. If the array is apart, its
    /// elements have to be told one by one from now on, these too: somebody has told of single ones, and who had the others is not known here.
    pub fn walk(&mut self, object: ObjectId, mut walk: Walk) -> (Walked, Option<Race>) {
        if self.locations.knows(object) {
            return (Walked::Apart(Vec::new()), None);
        }
        let (chain, time, clock) = self.order.now(walk.thread);
        walk.stands.get_or_insert(Stands { chain, time });
        let came_before = |other: &Walk| other.stands.is_some_and(|it| clock.get(it.chain) >= it.time);
        let walks = self.walks.entry(object).or_default();
        match walks.add(walk, self.ownership, came_before) {
            Walked::Apart(all) => {
                self.walks.remove(&object);
                let mut race = None;
                for walk in &all {
                    race = race.or(self.replay(object, walk));
                }
                (Walked::Apart(Vec::new()), race)
            }
            other => (other, None),
        }
    }

    /// Tells the walks through an array, if a location is in one, element by element.
    fn take_apart(&mut self, location: Location) {
        let Location::Element { object, .. } = location else { return };
        if self.walks.is_empty() {
            return;
        }
        for walk in self.walks.remove(&object).map_or(Vec::new(), |mut walks| walks.take()) {
            // There is no race among them, or the array would be apart.
            self.replay(object, &walk);
        }
    }

    fn replay(&mut self, object: ObjectId, walk: &Walk) -> Option<Race> {
        let mut found = None;
        let stands = walk.stands.unwrap_or(Stands::FIRST);
        let past = Past { thread: walk.thread, site: walk.site, stack: StackId::NONE, stands };
        for index in walk.span.elements() {
            let exact = Location::Element { object, index };
            let Some(location) = self.coarseness.of(exact) else { continue };
            let race = self.judge(exact, location, past, walk.kind, walk.locks()).1;
            found = found.or(race);
        }
        found
    }

    fn access(&mut self, event: &Event, exact: Location, kind: AccessKind, held: &Held) -> Option<Race> {
        self.take_apart(exact);
        let location = self.coarseness.of(exact)?;
        if self.cache && self.cache_of(event.thread).contains(location, kind) {
            self.counts.cached += 1;
            return None;
        }
        let (chain, time, _) = self.order.now(event.thread);
        let stands = Stands { chain, time };
        let past = Past { thread: event.thread, site: event.site, stack: event.stack, stands };
        let (touched, race) = self.judge(exact, location, past, kind, held.locks());
        if self.cache && touched.is_some() {
            if let Some(Touched::HandedOver(owner)) = touched {
                self.cache_of(owner).evict(location);
            }
            self.cache_of(event.thread).insert(location, kind, held.acquired().len());
        }
        race
    }

    /// Judges and records an access; what became of the location, `None` if there is no room for it.
    fn judge(
        &mut self,
        exact: Location,
        location: Location,
        past: Past,
        kind: AccessKind,
        locks: &[Hold],
    ) -> (Option<Touched>, Option<Race>) {
        let Some(history) = self.locations.entry(location) else { return (None, None) };
        let touched = if self.ownership { history.ownership.touch(past.thread) } else { Touched::Shared };
        if touched == Touched::Owned {
            self.counts.owned += 1;
            return (Some(touched), None);
        }
        let incoming = Incoming { past, kind, locks };
        let trie = history.trie.get_or_insert_default();
        if self.weaker_than && trie.has_weaker(&incoming) {
            self.counts.redundant += 1;
            return (Some(touched), None);
        }
        self.counts.recorded += 1;
        let (_, _, clock) = self.order.now(past.thread);
        let partner = trie.race(&incoming, |other| clock.get(other.stands.chain) >= other.stands.time);
        self.lock_objects.extend(locks.iter().map(|hold| hold.lock.object));
        trie.merge(&incoming, self.weaker_than);
        if self.weaker_than && trie.is_overgrown() {
            trie.prune(|lock| self.lock_objects.contains(&lock.object));
        }
        let race = partner.map(|partner| Race {
            location: exact,
            current: Access {
                thread: Some(past.thread),
                site: past.site,
                stack: past.stack,
                kind,
                locks: locks.to_vec(),
            },
            previous: Access {
                thread: partner.thread,
                site: partner.site,
                stack: partner.stack,
                kind: partner.kind,
                locks: partner.locks,
            },
            shown: Shown::Lockset,
        });
        (Some(touched), race)
    }

    fn cache_of(&mut self, thread: ThreadId) -> &mut ThreadCache {
        self.caches.entry(thread).or_default()
    }
}

impl Detector for Lockset {
    fn event(&mut self, event: &Event, held: &HeldTable, change: HeldChange) -> Option<Race> {
        if let HeldChange::Released(_, position) = change
            && let Some(cache) = self.caches.get_mut(&event.thread)
        {
            cache.released(position);
        }
        match event.action {
            Action::Access { location, kind } => {
                return self.access(event, location, kind, held.of(event.thread));
            }
            Action::Publish { channel: Channel::Permit { .. } }
            | Action::Subscribe { channel: Channel::Permit { .. } } => {}
            Action::Join { .. } | Action::Subscribe { .. } => self.order.event(event),
            Action::Fork { .. } | Action::Publish { .. } | Action::End => {
                self.order.event(event);
                self.caches.remove(&event.thread);
            }
            Action::Freed { object } => {
                self.order.event(event);
                self.walks.remove(&object);
                self.locations.free(object, drop);
                self.lock_objects.remove(&object);
            }
            _ => {}
        }
        None
    }

    fn degradation(&self) -> Option<String> {
        let refused = self.locations.refused();
        (refused > 0).then(|| {
            format!(
                "the lockset detector was full: {refused} accesses to further locations were not looked at"
            )
        })
    }

    fn locations(&self) -> u64 {
        self.locations.len()
    }
}
