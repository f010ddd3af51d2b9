//! One or both detectors over a stream of events.

use selvedge_protocol::{AccessKind, DetectorChoice, Event, Location, ObjectId, Options, ThreadId};

use crate::clock::{Chain, Time};
use crate::happens_before::HappensBefore;
use crate::held::{HeldChange, HeldTable};
use crate::lockset::Lockset;
use crate::race::Race;
use crate::ranges::{Walk, Walked};

/// Judges events, one after the other.
pub trait Detector {
    /// Judges an event. `held` is what the threads hold after it, `change` what it changed about that.
    fn event(&mut self, event: &Event, held: &HeldTable, change: HeldChange) -> Option<Race>;

    /// What the detector could not do for want of memory, as a sentence without a full stop.
    fn degradation(&self) -> Option<String>;

    /// How many locations it watches.
    fn locations(&self) -> u64;
}

/// The detectors that the options choose, over one stream.
///
/// With both, a race that happens-before shows is said to be shown by it. Where locksets show another pair at the same event,
/// or one that happens-before does not, the one that is shown best is said. Every race that happens-before shows is one
/// by locksets too, except that ownership may hide it there.
#[derive(Clone, Debug)]
pub struct Engine {
    held: HeldTable,
    lockset: Option<Lockset>,
    happens_before: Option<HappensBefore>,
    events: u64,
}

impl Engine {
    /// Detectors that have seen nothing.
    pub fn new(options: &Options) -> Self {
        let choice = options.detector;
        Self {
            held: HeldTable::new(),
            lockset: (choice != DetectorChoice::HappensBefore).then(|| Lockset::new(options)),
            happens_before: (choice != DetectorChoice::Lockset).then(|| HappensBefore::new(options)),
            events: 0,
        }
    }

    /// Judges an event. Each call gives at most one race, of this event with an earlier one.
    pub fn event(&mut self, event: &Event) -> Option<Race> {
        self.events += 1;
        let change = self.held.event(event);
        let by_locks = self.lockset.as_mut().and_then(|it| it.event(event, &self.held, change));
        let by_order = self.happens_before.as_mut().and_then(|it| it.event(event, &self.held, change));
        by_order.or(by_locks)
    }

    /// Judges an access by locks only: whoever feeds the engine has judged it by order.
    pub fn event_by_locks(&mut self, event: &Event) -> Option<Race> {
        self.events += 1;
        self.lockset.as_mut().and_then(|it| it.event(event, &self.held, HeldChange::None))
    }

    /// Where the thread stands in the order of events: its chain, its time, which moves on whenever the thread hands something
    /// over, and how much of the first chains it knows. `None` if order is not looked at.
    pub fn stands(&mut self, thread: ThreadId, known: &mut [i32]) -> Option<(Chain, Time)> {
        self.happens_before.as_mut().map(|it| it.stands(thread, known))
    }

    /// The thread's time moves on without anything being passed on.
    pub fn tick(&mut self, thread: ThreadId) {
        if let Some(happens_before) = &mut self.happens_before {
            happens_before.tick(thread);
        }
    }

    /// See [`Order::catch_up`](crate::happens_before::Order::catch_up).
    pub fn catch_up(&mut self, thread: ThreadId, time: Time, known: &[i32]) {
        if let Some(happens_before) = &mut self.happens_before {
            happens_before.catch_up(thread, time, known);
        }
    }

    /// Follows a hand-over for locksets only: whoever feeds the engine follows what it orders.
    pub fn hand_over(&mut self, event: &Event) {
        if let Some(lockset) = &mut self.lockset {
            let _ = lockset.event(event, &self.held, HeldChange::None);
        }
    }

    /// Follows an acquisition or a release for what threads hold only, not for what it orders.
    pub fn hold(&mut self, event: &Event) {
        let change = self.held.event(event);
        if let Some(lockset) = &mut self.lockset {
            let _ = lockset.event(event, &self.held, change);
        }
    }

    /// Whether what was done in a chain at this time is before what the thread does now, as far as order is looked at.
    pub fn knows(&mut self, thread: ThreadId, chain: Chain, time: Time) -> bool {
        self.happens_before.as_mut().is_some_and(|it| it.knows(thread, chain, time))
    }

    /// See [`Order::learn_ended`](crate::happens_before::Order::learn_ended).
    pub fn learn_ended(&mut self, thread: ThreadId) {
        if let Some(happens_before) = &mut self.happens_before {
            happens_before.learn_ended(thread);
        }
    }

    /// See [`Order::forget`](crate::happens_before::Order::forget).
    pub fn forget(&mut self, thread: ThreadId) {
        if let Some(lockset) = &mut self.lockset {
            lockset.forget(thread);
        }
        if let Some(happens_before) = &mut self.happens_before {
            happens_before.forget(thread);
        }
    }

    /// How many threads the detectors keep clocks of.
    pub fn threads(&self) -> usize {
        let lockset = self.lockset.as_ref().map_or(0, |it| it.order().threads());
        lockset + self.happens_before.as_ref().map_or(0, |it| it.order().threads())
    }

    /// See [`Order::member`](crate::happens_before::Order::member).
    pub fn member(&self, chain: Chain, time: Time) -> Option<Option<ThreadId>> {
        self.happens_before.as_ref().and_then(|it| it.order().member(chain, time))
    }

    /// Takes notice that several threads have touched a location, though not all of that was told. Whoever feeds the engine may keep
    /// back what the first thread does until a second one comes.
    pub fn share(&mut self, location: Location) {
        if let Some(lockset) = &mut self.lockset {
            lockset.share(location);
        }
    }

    /// Which of the locks that the thread holds are enough that locksets need to hear of no further access of the thread and kind to the location
    /// under them; see [`Lockset::enough_locks`].
    pub fn enough_locks(&self, thread: ThreadId, location: Location, kind: AccessKind) -> Option<usize> {
        match &self.lockset {
            Some(lockset) => lockset.enough_locks(thread, location, kind, self.held.of(thread)),
            None => Some(0),
        }
    }

    /// Judges, by locks, accesses to many elements of an array at once.
    pub fn walk(&mut self, object: ObjectId, walk: Walk) -> (Walked, Option<Race>) {
        match &mut self.lockset {
            Some(lockset) => lockset.walk(object, walk),
            None => (Walked::Known, None),
        }
    }

    /// What the threads hold.
    pub fn held(&self) -> &HeldTable {
        &self.held
    }

    /// How many events were judged.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// The lockset detector, if it is on.
    pub fn lockset(&self) -> Option<&Lockset> {
        self.lockset.as_ref()
    }

    /// The happens-before detector, if it is on.
    pub fn happens_before(&self) -> Option<&HappensBefore> {
        self.happens_before.as_ref()
    }

    /// What the detectors could not do for want of memory, as sentences without full stops.
    pub fn degradations(&self) -> Vec<String> {
        let lockset = self.lockset.as_ref().and_then(Detector::degradation);
        let happens_before = self.happens_before.as_ref().and_then(Detector::degradation);
        lockset.into_iter().chain(happens_before).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_base::Id;
    use selvedge_protocol::{Action, ObjectId};

    /// Where threads stand says which of their accesses are ordered.
    #[test]
    fn threads_know_what_came_before_their_start() {
        let [main, other] = [0, 1].map(ThreadId::from_index);
        let mut engine = Engine::new(&Options::default());
        let (chain, before) = engine.stands(main, &mut []).unwrap();
        engine.event(&Event::new(main, Action::Fork { child: other }));
        let (_, after) = engine.stands(main, &mut []).unwrap();
        assert!(before < after);
        assert!(engine.knows(other, chain, before) && !engine.knows(other, chain, after));
        let mut known = [0; 2];
        let (others, _) = engine.stands(other, &mut known).unwrap();
        assert_eq!(known[chain as usize], before as i32);
        let members = [engine.member(chain, before), engine.member(others, 1)];
        assert_eq!(members, [Some(Some(main)), Some(Some(other))]);
    }

    /// A location that several threads have touched is nobody's own.
    #[test]
    fn shared_locations_are_judged_from_the_first_event_on() {
        let [main, other] = [0, 1].map(ThreadId::from_index);
        let location = Location::Element { object: ObjectId(1), index: 3 };
        let options = Options { detector: DetectorChoice::Lockset, ..Options::default() };
        for share in [false, true] {
            let mut engine = Engine::new(&options);
            if share {
                engine.share(location);
            }
            let write = |thread| Event::new(thread, Action::Access { location, kind: AccessKind::Write });
            assert_eq!(engine.event(&write(main)), None);
            assert_eq!(engine.event(&write(other)).is_some(), share);
        }
    }
}
