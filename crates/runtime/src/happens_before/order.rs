//! The order of events, as clocks of threads, locks, variables and channels.

use rustc_hash::FxHashMap;
use selvedge_protocol::{
    Action, Channel, ClassId, Event, HoldMode, Lock, LockRole, ObjectId, SyncKind, ThreadId,
};
use smallvec::SmallVec;

use crate::clock::{Chain, Time, VectorClock};
use crate::shadow::ShadowMap;

/// Where a thread stands.
#[derive(Clone, Debug)]
struct Thread {
    chain: Chain,
    /// The thread's own time is the component of its chain.
    clock: VectorClock,
}

/// What the holders of a lock have passed on.
#[derive(Clone, Debug, Default)]
struct LockClocks {
    exclusive: VectorClock,
    shared: VectorClock,
}

/// What was published through an object.
#[derive(Clone, Debug, Default)]
struct ObjectChannels {
    /// Everything.
    all: VectorClock,
    /// What named no item.
    unnamed: VectorClock,
    items: FxHashMap<ObjectId, VectorClock>,
    interrupt: VectorClock,
    permit: VectorClock,
}

/// The order so far. See the [module documentation](super) for what it is.
#[derive(Clone, Debug)]
pub struct Order {
    threads: FxHashMap<ThreadId, Thread>,
    /// Ended threads' chains that nobody has continued, with the last time.
    ended: Vec<(Chain, Time)>,
    chains: Chain,
    /// By chain.
    members: Vec<Members>,
    clocks: Clocks,
    /// The memory of all clocks, in words.
    words: u64,
}

/// Since when a chain is which thread's, in increasing order of times; `None` for threads that are forgotten, several in a row as one.
type Members = SmallVec<[(Time, Option<ThreadId>); 1]>;

/// The clocks of everything through which threads are ordered.
#[derive(Clone, Debug)]
struct Clocks {
    locks: FxHashMap<Lock, LockClocks>,
    variables: ShadowMap<VectorClock>,
    channels: FxHashMap<ObjectId, ObjectChannels>,
    /// The objects through which an object was handed over.
    handed_through: FxHashMap<ObjectId, SmallVec<[ObjectId; 1]>>,
    classes: FxHashMap<ClassId, VectorClock>,
}

impl Clocks {
    fn channels(&mut self, object: ObjectId) -> &mut ObjectChannels {
        self.channels.entry(object).or_default()
    }

    /// Forgets the object; how many words its clocks took.
    fn free(&mut self, object: ObjectId) -> u64 {
        let mut words = 0;
        self.variables.free(object, |clock| words += clock.words());
        for role in [LockRole::Monitor, LockRole::Explicit] {
            if let Some(clocks) = self.locks.remove(&Lock { object, role }) {
                words += clocks.exclusive.words() + clocks.shared.words();
            }
        }
        if let Some(channels) = self.channels.remove(&object) {
            let ObjectChannels { all, unnamed, items, interrupt, permit } = channels;
            words += [all, unnamed, interrupt, permit].iter().map(VectorClock::words).sum::<u64>();
            words += items.values().map(VectorClock::words).sum::<u64>();
        }
        for through in self.handed_through.remove(&object).unwrap_or_default() {
            let item = self.channels.get_mut(&through).and_then(|channels| channels.items.remove(&object));
            words += item.map_or(0, |clock| clock.words());
        }
        words
    }
}

impl Default for Order {
    fn default() -> Self {
        let clocks = Clocks {
            locks: FxHashMap::default(),
            variables: ShadowMap::new(u64::MAX),
            channels: FxHashMap::default(),
            handed_through: FxHashMap::default(),
            classes: FxHashMap::default(),
        };
        Self {
            threads: FxHashMap::default(),
            ended: Vec::new(),
            chains: 0,
            members: Vec::new(),
            clocks,
            words: 0,
        }
    }
}

/// How many ended chains are tried for a new thread.
const TRIED_CHAINS: usize = 16;

impl Order {
    /// Nothing has happened.
    pub fn new() -> Self {
        Self::default()
    }

    /// The memory of the clocks, in words of four bytes.
    pub fn words(&self) -> u64 {
        self.words
    }

    /// How many chains there are.
    pub fn chains(&self) -> u32 {
        self.chains
    }

    /// Where the thread stands: the epoch of its next access, and what came before.
    #[inline]
    pub fn now(&mut self, thread: ThreadId) -> (Chain, Time, &VectorClock) {
        let thread = self.thread(thread);
        (thread.chain, thread.clock.get(thread.chain), &thread.clock)
    }

    /// Where the thread stands, if it was seen: its chain and its time.
    pub fn stands(&self, thread: ThreadId) -> Option<(Chain, Time)> {
        let own = self.threads.get(&thread)?;
        Some((own.chain, own.clock.get(own.chain)))
    }

    /// The thread whose chain this was at a time: `Some(None)` if it is forgotten, `None` if the chain had not begun.
    pub fn member(&self, chain: Chain, time: Time) -> Option<Option<ThreadId>> {
        let members = self.members.get(chain as usize)?;
        members.iter().rev().find(|(since, _)| *since <= time).map(|(_, thread)| *thread)
    }

    /// Forgets a thread: it has ended, and nobody can join it any more. What it did before keeps its place in the order.
    pub fn forget(&mut self, thread: ThreadId) {
        let Some(Thread { chain, clock }) = self.threads.remove(&thread) else { return };
        self.words = self.words.saturating_sub(clock.words());
        let Some(members) = self.members.get_mut(chain as usize) else { return };
        members
            .iter_mut()
            .filter(|(_, member)| *member == Some(thread))
            .for_each(|(_, member)| *member = None);
        members.dedup_by(|(_, later), (_, earlier)| later.is_none() && earlier.is_none());
    }

    /// The thread comes after all that threads which have ended did, forgotten ones included.
    pub fn learn_ended(&mut self, thread: ThreadId) {
        let mut last: FxHashMap<Chain, Time> = self.ended.iter().copied().collect();
        for (chain, members) in (0..).zip(&self.members) {
            // Somebody goes on with the chain: what came before is over.
            if let Some((since, _)) = members.last() {
                last.entry(chain).or_insert(since.saturating_sub(1));
            }
        }
        let own = self.thread(thread);
        let before = own.clock.words();
        last.into_iter().for_each(|(chain, time)| own.clock.raise(chain, time));
        let after = own.clock.words();
        self.words = (self.words + after).saturating_sub(before);
    }

    /// How many threads are not forgotten.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// The thread's time moves on without anything being passed on.
    pub fn tick(&mut self, thread: ThreadId) {
        let own = self.thread(thread);
        own.clock.raise(own.chain, own.clock.get(own.chain).saturating_add(1));
    }

    /// The thread is at this time, if it was not later, and knows so much of the first chains: whoever feeds the events has
    /// followed some of the order itself.
    pub fn catch_up(&mut self, thread: ThreadId, time: Time, known: &[i32]) {
        let own = self.thread(thread);
        let before = own.clock.words();
        own.clock.raise_first(known, own.chain);
        own.clock.raise(own.chain, time);
        let after = own.clock.words();
        self.words = (self.words + after).saturating_sub(before);
    }

    /// Follows an event. Accesses order nothing.
    pub fn event(&mut self, event: &Event) {
        let thread = event.thread;
        match event.action {
            Action::Access { .. } => {}
            Action::Sync { location, kind } => {
                if kind != SyncKind::Write {
                    self.subscribe(thread, |clocks| [clocks.variables.get(location), None]);
                }
                if kind != SyncKind::Read {
                    self.publish(thread, |clocks| clocks.variables.entry(location));
                }
            }
            // Whatever the depth: a lock that is held already has nothing new to say.
            Action::Acquire { lock, mode, .. } => self.subscribe(thread, |clocks| {
                let own = clocks.locks.get(&lock);
                let shared = own.filter(|_| mode == HoldMode::Exclusive).map(|own| &own.shared);
                [own.map(|own| &own.exclusive), shared]
            }),
            Action::Release { lock, mode, depth: 0 } => self.publish(thread, |clocks| {
                let own = clocks.locks.entry(lock).or_default();
                Some(if mode == HoldMode::Exclusive { &mut own.exclusive } else { &mut own.shared })
            }),
            Action::Release { .. } => {}
            Action::Fork { child } => self.fork(thread, child),
            Action::Join { child } => {
                if let Some(ended) = self.threads.get(&child) {
                    let clock = ended.clock.clone();
                    self.learn(thread, &clock);
                }
            }
            Action::End => {
                let (chain, time, _) = self.now(thread);
                self.ended.push((chain, time));
            }
            Action::Publish { channel } => self.publish_on(thread, channel),
            Action::Subscribe { channel } => self.subscribe_to(thread, channel),
            Action::Freed { object } => self.words = self.words.saturating_sub(self.clocks.free(object)),
        }
    }

    fn publish_on(&mut self, thread: ThreadId, channel: Channel) {
        match channel {
            Channel::Object { object, item } => {
                if item == ObjectId::NONE {
                    self.publish(thread, |clocks| Some(&mut clocks.channels(object).unnamed));
                } else {
                    let through = self.clocks.handed_through.entry(item).or_default();
                    if !through.contains(&object) {
                        through.push(object);
                    }
                    self.publish(thread, |clocks| {
                        Some(clocks.channels(object).items.entry(item).or_default())
                    });
                }
                self.publish(thread, |clocks| Some(&mut clocks.channels(object).all));
            }
            Channel::Interrupt { object } => {
                self.publish(thread, |clocks| Some(&mut clocks.channels(object).interrupt));
            }
            Channel::Permit { object } => {
                self.publish(thread, |clocks| Some(&mut clocks.channels(object).permit));
            }
            Channel::Class { class } => {
                self.publish(thread, |clocks| Some(clocks.classes.entry(class).or_default()));
            }
        }
    }

    fn subscribe_to(&mut self, thread: ThreadId, channel: Channel) {
        self.subscribe(thread, |clocks| match channel {
            Channel::Class { class } => [clocks.classes.get(&class), None],
            Channel::Interrupt { object } => [clocks.channels.get(&object).map(|own| &own.interrupt), None],
            Channel::Permit { object } => [clocks.channels.get(&object).map(|own| &own.permit), None],
            Channel::Object { object, item: ObjectId::NONE } => {
                [clocks.channels.get(&object).map(|own| &own.all), None]
            }
            Channel::Object { object, item } => {
                let own = clocks.channels.get(&object);
                [own.map(|own| &own.unnamed), own.and_then(|own| own.items.get(&item))]
            }
        });
    }

    /// The clock at `place` learns what the thread knows, and the thread's time moves on.
    fn publish(&mut self, thread: ThreadId, place: impl FnOnce(&mut Clocks) -> Option<&mut VectorClock>) {
        self.thread(thread);
        let Some(own) = self.threads.get_mut(&thread) else { return };
        if let Some(clock) = place(&mut self.clocks) {
            let before = clock.words();
            clock.join(&own.clock);
            self.words = (self.words + clock.words()).saturating_sub(before);
        }
        own.clock.raise(own.chain, own.clock.get(own.chain).saturating_add(1));
    }

    /// The thread learns what the clocks at `places` say.
    fn subscribe(&mut self, thread: ThreadId, places: impl FnOnce(&Clocks) -> [Option<&VectorClock>; 2]) {
        self.thread(thread);
        let Some(own) = self.threads.get_mut(&thread) else { return };
        let before = own.clock.words();
        places(&self.clocks).into_iter().flatten().for_each(|clock| own.clock.join(clock));
        self.words = (self.words + own.clock.words()).saturating_sub(before);
    }

    /// The thread learns what the clock says.
    fn learn(&mut self, thread: ThreadId, clock: &VectorClock) {
        let own = &mut self.thread(thread).clock;
        let before = own.words();
        own.join(clock);
        self.words = (self.words + self.thread(thread).clock.words()).saturating_sub(before);
    }

    fn fork(&mut self, parent: ThreadId, child: ThreadId) {
        let (chain, time, clock) = self.now(parent);
        let mut clock = clock.clone();
        if self.threads.contains_key(&child) {
            // The child has been seen: its start was not. It learns what the parent knows nevertheless.
            self.learn(child, &clock);
        } else {
            let continued = self.ended.iter().rev().take(TRIED_CHAINS);
            let found = continued.enumerate().find(|(_, (chain, last))| *last <= clock.get(*chain));
            let (own, start) = match found.map(|(from_end, _)| self.ended.len() - 1 - from_end) {
                Some(position) => {
                    let (chain, last) = self.ended.swap_remove(position);
                    (chain, last.saturating_add(1))
                }
                None => (self.new_chain(), 1),
            };
            clock.raise(own, start);
            self.words += clock.words();
            self.put(child, Thread { chain: own, clock });
        }
        if let Some(parent) = self.threads.get_mut(&parent) {
            parent.clock.raise(chain, time.saturating_add(1));
        }
    }

    fn new_chain(&mut self) -> Chain {
        let chain = self.chains;
        self.chains += 1;
        chain
    }

    fn put(&mut self, id: ThreadId, thread: Thread) {
        let (chain, since) = (thread.chain as usize, thread.clock.get(thread.chain));
        if chain >= self.members.len() {
            self.members.resize_with(chain + 1, SmallVec::new);
        }
        self.members[chain].push((since, Some(id)));
        self.threads.insert(id, thread);
    }

    /// The thread, which begins here if it was not seen before.
    fn thread(&mut self, id: ThreadId) -> &mut Thread {
        if !self.threads.contains_key(&id) {
            let chain = self.new_chain();
            let mut clock = VectorClock::new();
            clock.raise(chain, 1);
            self.words += clock.words();
            self.put(id, Thread { chain, clock });
        }
        self.threads.get_mut(&id).expect("it was put there")
    }
}

#[cfg(test)]
mod tests {
    use selvedge_base::Id;

    use super::*;

    /// Threads that are started and joined one after the other, and then forgotten, leave nothing behind; what they did keeps its place.
    #[test]
    fn threads_that_are_forgotten_leave_nothing_behind() {
        let [main, other] = [0, 1].map(ThreadId::from_index);
        let mut order = Order::new();
        order.event(&Event::new(main, Action::Fork { child: other }));
        let (before, _, _) = order.now(other);
        let mut words = 0;
        for round in 0..100 {
            let child = ThreadId::from_index(2 + round);
            order.event(&Event::new(main, Action::Fork { child }));
            let (chain, time, _) = order.now(child);
            order.event(&Event::new(child, Action::End));
            order.event(&Event::new(main, Action::Join { child }));
            assert_eq!(order.member(chain, time), Some(Some(child)));
            order.forget(child);
            assert_eq!(order.member(chain, time), Some(None), "its place is not another's");
            assert!(time <= order.now(main).2.get(chain), "what it did is before what follows the join");
            assert!(round == 0 || order.words() == words);
            words = order.words();
        }
        assert_eq!((order.threads(), order.chains()), (2, 3));
        assert!(order.members.iter().all(|members| members.len() == 1), "{:?}", order.members);
        assert_eq!(order.member(before, 1), Some(Some(other)));
        assert_eq!(order.member(7, 1), None);
    }
}
