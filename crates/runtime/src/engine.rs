//! One or both detectors over a stream of events.

use selvedge_protocol::{DetectorChoice, Event, Options};

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
