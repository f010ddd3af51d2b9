//! One or both detectors over a stream of events.

use selvedge_protocol::{DetectorChoice, Event, Location, Options, SiteId, ThreadId};

use crate::happens_before::HappensBefore;
use crate::held::{HeldChange, HeldTable};
use crate::lockset::Lockset;
use crate::race::Race;

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

    /// The time of the thread in the order of events: it moves on whenever the thread hands something over. 0 if order is
    /// not looked at.
    pub fn time(&mut self, thread: ThreadId) -> u32 {
        self.happens_before.as_mut().map_or(0, |it| it.time(thread))
    }

    /// Whether what `earlier` did at this time is before what the thread does now, as far as order is looked at.
    pub fn knows(&mut self, thread: ThreadId, earlier: ThreadId, time: u32) -> bool {
        self.happens_before.as_mut().is_some_and(|it| it.knows(thread, earlier, time))
    }

    /// Takes notice of what a thread did to a location at known times, earlier, while no other thread touched it. Whoever feeds
    /// the engine may keep such accesses back until a second thread comes.
    pub fn recall(
        &mut self,
        location: Location,
        thread: ThreadId,
        write: Option<(u32, SiteId)>,
        read: Option<(u32, SiteId)>,
    ) {
        if let Some(lockset) = &mut self.lockset {
            lockset.recall(location, thread);
        }
        if let Some(happens_before) = &mut self.happens_before {
            happens_before.recall(location, thread, write, read);
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
    use selvedge_protocol::{AccessKind, Action, ObjectId};

    /// What was kept back counts as if it had been told when it happened.
    #[test]
    fn recalled_accesses_race_unless_ordered() {
        let [main, other] = [0, 1].map(ThreadId::from_index);
        let location = Location::Element { object: ObjectId(1), index: 3 };
        let mut engine = Engine::new(&Options::default());
        let before = engine.time(main);
        engine.event(&Event::new(main, Action::Fork { child: other }));
        let after = engine.time(main);
        assert!(before < after);
        let read = Event::new(other, Action::Access { location, kind: AccessKind::Read });
        let mut ordered = engine.clone();
        assert!(ordered.knows(other, main, before) && !ordered.knows(other, main, after));
        ordered.recall(location, main, Some((before, SiteId::UNKNOWN)), None);
        assert_eq!(ordered.event(&read), None);
        engine.recall(location, main, Some((after, SiteId::new(7))), None);
        let race = engine.event(&read).expect("nothing orders the two");
        assert_eq!((race.previous.thread, race.previous.kind), (Some(main), AccessKind::Write));
        assert_eq!(race.previous.site, SiteId::new(7));
    }
}
