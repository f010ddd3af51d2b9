//! The wish to stop, and how far the work has come: shared by those who work and those who watch.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use selvedge_findings::Finding;

/// How long work is held at most that a test has asked to be held.
const LONGEST_HOLD: Duration = Duration::from_secs(300);

/// A handle of what is shared; its clones are handles of the same.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<State>);

#[derive(Debug, Default)]
struct State {
    stage: AtomicU8,
    wish: AtomicU8,
    is_cut: AtomicBool,
    done: AtomicU64,
    all: AtomicU64,
    hold_after: AtomicU64,
    findings: Mutex<Vec<Finding>>,
}

/// Where the work is, as far as a wish to stop is concerned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// Nothing is judged yet, and nobody looks whether to stop.
    Preparing,
    /// Pairs are judged and reported; a wish is heeded.
    Judging,
    /// All pairs are judged.
    Judged,
}

/// What is wished.
const STOP_JUDGING: u8 = 1;
const STOP_REPORTING: u8 = 2;

impl Control {
    /// Asks to judge no further pair. What is judged is reported.
    pub fn stop_judging(&self) {
        self.0.wish.fetch_max(STOP_JUDGING, SeqCst);
    }

    /// Asks to report no further pair, either.
    pub fn stop_reporting(&self) {
        self.0.wish.fetch_max(STOP_REPORTING, SeqCst);
    }

    /// Whether no further pair is to be judged. Who asks leaves something out if so.
    pub(crate) fn skips_judging(&self) -> bool {
        self.skips(STOP_JUDGING)
    }

    /// Whether no further pair is to be reported. Who asks leaves something out if so.
    pub(crate) fn skips_reporting(&self) -> bool {
        self.skips(STOP_REPORTING)
    }

    fn skips(&self, wish: u8) -> bool {
        let skips = self.0.wish.load(SeqCst) >= wish;
        if skips {
            self.0.is_cut.store(true, SeqCst);
        }
        skips
    }

    /// Whether something was left out because of a wish.
    pub fn is_cut(&self) -> bool {
        self.0.is_cut.load(SeqCst)
    }

    /// Where the work is.
    pub fn stage(&self) -> Stage {
        match self.0.stage.load(SeqCst) {
            0 => Stage::Preparing,
            1 => Stage::Judging,
            _ => Stage::Judged,
        }
    }

    pub(crate) fn enter(&self, stage: Stage) {
        self.0.stage.store(stage as u8, SeqCst);
    }

    /// How many locations are judged, and how many there are.
    pub fn judged(&self) -> (u64, u64) {
        (self.0.done.load(SeqCst), self.0.all.load(SeqCst))
    }

    /// Another analysis begins, whose result replaces that of the one before. A wish stays.
    pub fn restart(&self) {
        self.0.done.store(0, SeqCst);
        self.0.all.store(0, SeqCst);
        self.0.findings.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.enter(Stage::Preparing);
    }

    /// So many locations are to be judged.
    pub(crate) fn begin(&self, locations: usize) {
        self.0.done.store(0, SeqCst);
        self.0.all.store(locations as u64, SeqCst);
        self.enter(Stage::Judging);
    }

    /// A location is judged.
    pub(crate) fn step(&self) {
        let done = self.0.done.fetch_add(1, SeqCst) + 1;
        let hold_after = self.0.hold_after.load(SeqCst);
        if hold_after > 0 && done >= hold_after {
            let start = Instant::now();
            while self.0.wish.load(SeqCst) == 0 && start.elapsed() < LONGEST_HOLD {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }

    /// Holds the work when so many locations are judged, until somebody asks to stop: for tests, which cannot know how long work takes.
    pub fn hold_after(&self, locations: u64) {
        self.0.hold_after.store(locations, SeqCst);
    }

    /// Keeps what is found, for whoever has to end before the work does.
    pub(crate) fn keep(&self, findings: &[Finding]) {
        *self.0.findings.lock().unwrap_or_else(PoisonError::into_inner) = findings.to_vec();
    }

    /// What was found so far.
    pub fn found(&self) -> Vec<Finding> {
        self.0.findings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
