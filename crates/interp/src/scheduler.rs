//! The scheduler: which thread runs next, for how long, and what time it is.
//!
//! Everything follows from the seed. Quanta are drawn from a mix of very short and long ones, so that both tight
//! interleavings and long undisturbed runs occur. Time is virtual: an instruction takes a fixed time, and when every thread
//! waits, the clock jumps to the first deadline.

use crate::machine::{Failure, Machine};
use crate::observer::ThreadId;
use crate::thread::{Pending, Phase, ThreadState};

/// What an instruction takes on the virtual clock.
const NANOS_PER_INSTRUCTION: u64 = 20;

/// The state of scheduling.
#[derive(Debug)]
pub(crate) struct Scheduler {
    random: u64,
    /// Instructions run so far.
    pub executed: u64,
    /// Time that passed while every thread waited.
    skipped_nanos: u64,
}

impl Scheduler {
    pub fn new(seed: u64) -> Self {
        Self { random: seed, executed: 0, skipped_nanos: 0 }
    }

    /// The virtual clock, in nanoseconds.
    pub fn now(&self) -> u64 {
        self.executed * NANOS_PER_INSTRUCTION + self.skipped_nanos
    }

    /// The next number of a SplitMix64 sequence.
    pub fn next_random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_random() % bound.max(1) as u64) as usize
    }

    fn quantum(&mut self, alone: bool) -> u64 {
        if alone {
            return 20_000;
        }
        let longest = [5, 40, 400, 3_000][self.below(4)];
        1 + self.below(longest) as u64
    }
}

/// How the program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// With this exit status.
    Status(i32),
    /// Every thread waits for another.
    Deadlock,
}

impl Machine<'_> {
    /// Runs all threads until the program ends.
    pub fn run(&mut self) -> Result<Ending, Failure> {
        loop {
            self.wake_by_time();
            self.release_main_if_last();
            let runnable: Vec<ThreadId> =
                self.thread_ids().filter(|&id| self.threads[id].state == ThreadState::Runnable).collect();
            if runnable.is_empty() {
                if self.skip_time() {
                    continue;
                }
                return Ok(Ending::Deadlock);
            }
            self.current = runnable[self.scheduler.below(runnable.len())];
            let quantum = self.scheduler.quantum(runnable.len() == 1);
            if let Some(status) = self.run_slice(quantum)? {
                return Ok(Ending::Status(status));
            }
            if self.scheduler.executed > self.options.max_instructions {
                return Err(self.failure("the program runs longer than the machine's limit"));
            }
        }
    }

    fn deadline(&self, id: ThreadId) -> Option<u64> {
        match self.threads[id].state {
            ThreadState::Waiting { until, .. } | ThreadState::Parked { until } => until,
            ThreadState::Sleeping { until } => Some(until),
            _ => None,
        }
    }

    fn wake_by_time(&mut self) {
        let now = self.scheduler.now();
        for id in self.thread_ids() {
            if self.deadline(id).is_some_and(|until| until <= now) {
                self.wake(id);
            }
        }
    }

    /// Lets time pass until the first deadline; false if there is none.
    fn skip_time(&mut self) -> bool {
        let first = self.thread_ids().filter_map(|id| self.deadline(id)).min();
        let Some(first) = first else { return false };
        self.scheduler.skipped_nanos += first.saturating_sub(self.scheduler.now());
        true
    }

    /// Makes a thread runnable that waits for an event or a time.
    pub fn wake(&mut self, id: ThreadId) {
        if let ThreadState::Waiting { on, .. } = self.threads[id].state
            && let Some(monitor) = self.monitors.get_mut(&on)
        {
            monitor.waiters.retain(|&waiter| waiter != id);
        }
        self.threads[id].state = ThreadState::Runnable;
    }

    /// Wakes a thread because it was interrupted.
    pub fn wake_interrupted(&mut self, id: ThreadId) {
        let thread = &mut self.threads[id];
        match (&thread.state, &mut thread.pending) {
            (ThreadState::Waiting { .. }, Some(Pending::Wait { interrupted, .. }))
            | (ThreadState::Sleeping { .. }, Some(Pending::Sleep { interrupted })) => *interrupted = true,
            (ThreadState::Parked { .. }, _) => {}
            _ => return,
        }
        self.wake(id);
    }

    /// Whether any thread but the running one keeps the program alive.
    pub fn others_alive(&self) -> bool {
        let alive = |id: ThreadId| {
            let thread = &self.threads[id];
            id != ThreadId::new(0) && !thread.is_daemon && thread.state != ThreadState::Ended
        };
        self.thread_ids().any(alive)
    }

    /// The main thread has ended and waits for the others: if none is left, it goes on to shut down.
    pub fn release_main_if_last(&mut self) -> bool {
        let main = ThreadId::new(0);
        let waits = self.threads[main].state == ThreadState::Others;
        if !waits || self.others_alive() {
            return false;
        }
        self.threads[main].state = ThreadState::Runnable;
        self.threads[main].phase = Phase::Stopping;
        true
    }
}
