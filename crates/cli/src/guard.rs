//! Limits for a whole check, and signals: whatever phase they come in, what was found until then is written.
//!
//! A thread of its own looks at the clock, at the memory in use and for signals. While pairs are judged and reported, it asks the work to stop
//! ([`Control`]), and the command ends as always, with a report that is marked as partial. Before that, and where the work does not
//! heed it in time, it writes the report itself and ends the process: there is nothing to lose but what was not finished.

use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use selvedge_detect::control::{Control, Stage};
use selvedge_findings::{Partial, Report};
use selvedge_pta::resident_bytes;
use selvedge_report::words;

use crate::arguments::AnalysisArguments;
use crate::progress::Progress;
use crate::{memory, output, sources};

/// The time between two looks.
const PAUSE: Duration = Duration::from_millis(50);

/// How long judged pairs may take to be reported when somebody asks to stop, and how long what is reported may take to be written.
const GRACE: Duration = Duration::from_secs(5);

/// The part of the time limit after which no further pairs are judged, and after which none are reported, in percent.
const JUDGING: u32 = 85;
const REPORTING: u32 = 95;

/// The part of the time limit that the points-to analysis may use before it drops contexts: all are dropped at twice this.
const POINTS_TO: u32 = 4;

/// Watches over one command.
pub struct Guard {
    /// What the work is asked, and how far it is.
    pub control: Control,
    limits: Limits,
    started: Instant,
    progress: Progress,
    phase: Mutex<String>,
    /// What the work was first asked to stop for.
    cause: OnceLock<String>,
    hold: Option<(String, u64)>,
    end: Mutex<End>,
    ended: Condvar,
}

/// What the user allows.
#[derive(Clone, Copy, Default, Debug)]
struct Limits {
    time: Option<Duration>,
    memory: Option<u64>,
}

/// Who ends the command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Open,
    Work,
    Guard,
}

/// What a look has found.
#[derive(Clone, Copy, Debug)]
struct Look {
    elapsed: Duration,
    resident: u64,
    /// What the system still has, if it says so.
    available: Option<u64>,
    /// How many times a signal has come.
    signals: u32,
    stage: Stage,
}

/// What is to be done, in the order of urgency.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Action {
    Nothing,
    StopJudging,
    StopReporting,
    TakeOver,
}

impl Guard {
    /// Begins now. The phases are shown by `progress`.
    pub fn new(arguments: &AnalysisArguments, progress: Progress) -> Self {
        let control = Control::default();
        // For tests: `PHASE` or `pairs:N` holds the work when the phase begins, or when so many locations are judged.
        let hold = std::env::var("SELVEDGE_HOLD").ok().map(|at| match at.split_once(':') {
            Some((phase, count)) => (phase.to_owned(), count.parse().unwrap_or(0)),
            None => (at, 0),
        });
        if let Some((_, count)) = &hold {
            control.hold_after(*count);
        }
        Self {
            control,
            limits: Limits {
                time: arguments.max_time.map(Duration::from_secs),
                memory: arguments.max_memory,
            },
            started: Instant::now(),
            progress,
            phase: Mutex::new("reading".to_owned()),
            cause: OnceLock::new(),
            hold,
            end: Mutex::new(End::Open),
            ended: Condvar::new(),
        }
    }

    /// Does the work under the eyes of a thread that writes the report, as `write` does, if the work is not to be waited for. `write`
    /// gives the exit status.
    pub fn over<T>(&self, write: impl FnOnce(Report) -> u8 + Send, work: impl FnOnce() -> T) -> T {
        std::thread::scope(|scope| {
            scope.spawn(|| self.watch(write));
            let result = work();
            self.finish();
            result
        })
    }

    /// A phase begins.
    pub fn show(&self, phase: &str) {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = phase.to_owned();
        self.progress.show(phase);
        if self.hold.as_ref().is_some_and(|(held, count)| held == phase && *count == 0) {
            output::say(&format!("selvedge: held in {phase}\n"));
            std::thread::sleep(Duration::from_secs(300));
        }
    }

    /// The analysis begins anew; what the first one found is not reported.
    pub fn restart(&self) {
        self.control.restart();
    }

    /// Nothing is worked on any more: what follows writes its result. If that is done already, this does not return.
    pub fn finish(&self) {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        while *end == End::Guard {
            end = self.ended.wait(end).unwrap_or_else(PoisonError::into_inner);
        }
        *end = End::Work;
        self.ended.notify_all();
        self.progress.clear();
    }

    /// The time that the points-to analysis may use before it becomes coarser.
    pub fn time_for_points_to(&self) -> Option<Duration> {
        self.limits.time.map(|limit| (limit / POINTS_TO).saturating_sub(self.started.elapsed()))
    }

    /// That the result is a part of what was asked for, if it is.
    pub fn partial(&self) -> Option<Partial> {
        self.control.is_cut().then(|| self.stopped())
    }

    fn watch(&self, write: impl FnOnce(Report) -> u8) {
        let mut signals = Signals::taken();
        let (mut asked_at, mut came) = (None, 0);
        let mut is_held = false;
        loop {
            came += signals.come();
            let look = self.look(came);
            let action = action(self.limits, &look, asked_at.map(|at: Instant| at.elapsed()));
            if action > Action::Nothing {
                asked_at.get_or_insert_with(Instant::now);
                self.cause.get_or_init(|| because(self.limits, &look));
            }
            match action {
                Action::Nothing => {}
                Action::StopJudging => self.control.stop_judging(),
                Action::StopReporting => self.control.stop_reporting(),
                Action::TakeOver => return self.take_over(write),
            }
            let (judged, all) = self.control.judged();
            if look.stage == Stage::Judging {
                self.progress.count(judged, all);
            }
            let is_full = self.hold.as_ref().is_some_and(|(_, count)| *count > 0 && judged >= *count);
            if is_full && !std::mem::replace(&mut is_held, true) {
                output::say(&format!("selvedge: held with {judged} judged\n"));
            }
            let end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = self.ended.wait_timeout_while(end, PAUSE, |end| *end == End::Open);
            if *waited.unwrap_or_else(PoisonError::into_inner).0 != End::Open {
                return;
            }
        }
    }

    fn look(&self, signals: u32) -> Look {
        Look {
            elapsed: self.started.elapsed(),
            resident: resident_bytes().unwrap_or(0),
            available: memory::available(),
            signals,
            stage: self.control.stage(),
        }
    }

    /// Writes what was found so far, and ends the process.
    fn take_over(&self, write: impl FnOnce(Report) -> u8) {
        {
            let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
            if *end != End::Open {
                return;
            }
            *end = End::Guard;
        }
        self.progress.clear();
        let mut report =
            Report { findings: self.control.found(), partial: Some(self.stopped()), ..Report::default() };
        report.finish();
        let status = write(report);
        sources::clean_up();
        std::process::exit(i32::from(status));
    }

    fn stopped(&self) -> Partial {
        let phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (judged, of) = self.control.judged();
        Partial { because: self.cause.get().cloned().unwrap_or_default(), phase, judged, of }
    }
}

/// What a look calls for. `since_asked` is the time since the work was asked to stop.
fn action(limits: Limits, look: &Look, since_asked: Option<Duration>) -> Action {
    let asked = match since_asked {
        Some(since) if since > GRACE * 2 => Action::TakeOver,
        Some(since) if since > GRACE => Action::StopReporting,
        Some(_) => Action::StopJudging,
        None => Action::Nothing,
    };
    let by_signal = match look.signals {
        0 => Action::Nothing,
        1 => Action::StopJudging,
        _ => Action::TakeOver,
    };
    let by_time = limits.time.map_or(Action::Nothing, |limit| match look.elapsed {
        elapsed if elapsed >= limit => Action::TakeOver,
        elapsed if elapsed >= limit * REPORTING / 100 => Action::StopReporting,
        elapsed if elapsed >= limit * JUDGING / 100 => Action::StopJudging,
        _ => Action::Nothing,
    });
    let is_full = limits.memory.is_some_and(|limit| look.resident >= limit) || lacks_memory(look);
    let is_over = limits.memory.is_some_and(|limit| look.resident >= limit / 10 * 11);
    let by_memory = match (is_full, is_over) {
        (_, true) => Action::TakeOver,
        (true, false) => Action::StopReporting,
        (false, false) => Action::Nothing,
    };
    let urgent = by_signal.max(by_time).max(by_memory);
    match look.stage {
        // Nobody heeds a wish: whoever asks is served at once, and a limit when it is reached.
        Stage::Preparing if look.signals > 0 || is_full || by_time == Action::TakeOver => Action::TakeOver,
        Stage::Preparing => Action::Nothing,
        Stage::Judging | Stage::Judged => urgent.max(asked),
    }
}

/// Whether the system is about to end processes for lack of memory.
fn lacks_memory(look: &Look) -> bool {
    look.available.is_some_and(|available| available < memory::RESERVE)
}

/// What stopped the work.
fn because(limits: Limits, look: &Look) -> String {
    if look.signals > 0 {
        return "a signal".to_owned();
    }
    match limits {
        Limits { memory: Some(limit), .. } if look.resident >= limit => {
            format!("the memory limit of {}", words::size(limit))
        }
        _ if lacks_memory(look) => {
            format!("lack of memory with {} in use", words::size(look.resident))
        }
        Limits { time: Some(limit), .. } => format!("the time limit of {} s", limit.as_secs()),
        _ => "a signal".to_owned(),
    }
}

/// The signals that ask a command to end.
struct Signals {
    #[cfg(unix)]
    taken: Option<signal_hook::iterator::Signals>,
}

impl Signals {
    /// From now on they do not end this process.
    fn taken() -> Self {
        #[cfg(unix)]
        {
            use signal_hook::consts::{SIGINT, SIGTERM};
            Self { taken: signal_hook::iterator::Signals::new([SIGINT, SIGTERM]).ok() }
        }
        #[cfg(not(unix))]
        Self {}
    }

    /// How many have come since the last look.
    fn come(&mut self) -> u32 {
        #[cfg(unix)]
        {
            u32::try_from(self.taken.iter_mut().flat_map(signal_hook::iterator::Signals::pending).count())
                .unwrap_or(u32::MAX)
        }
        #[cfg(not(unix))]
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const LIMITS: Limits = Limits { time: Some(Duration::from_secs(100)), memory: Some(1000) };

    fn look(stage: Stage, seconds: u32, resident: u64) -> Look {
        Look { elapsed: SECOND * seconds, resident, available: None, signals: 0, stage }
    }

    #[test]
    fn time_stops_judging_then_reporting_then_everything() {
        let act = |stage, seconds| action(LIMITS, &look(stage, seconds, 1), None);
        assert_eq!(act(Stage::Preparing, 99), Action::Nothing);
        assert_eq!(act(Stage::Preparing, 100), Action::TakeOver);
        let judging = [84, 85, 94, 95, 99, 100].map(|seconds| act(Stage::Judging, seconds));
        use Action::{Nothing, StopJudging, StopReporting, TakeOver};
        assert_eq!(judging, [Nothing, StopJudging, StopJudging, StopReporting, StopReporting, TakeOver]);
        assert_eq!(action(Limits::default(), &look(Stage::Judging, 100_000, 1 << 40), None), Nothing);
    }

    #[test]
    fn memory_stops_what_would_need_more() {
        let act = |stage, resident| action(LIMITS, &look(stage, 1, resident), None);
        assert_eq!(act(Stage::Preparing, 999), Action::Nothing);
        assert_eq!(act(Stage::Preparing, 1000), Action::TakeOver);
        assert_eq!(act(Stage::Judging, 1000), Action::StopReporting);
        assert_eq!(act(Stage::Judged, 1100), Action::TakeOver);
        let poor = Look { available: Some(1), ..look(Stage::Preparing, 1, 1) };
        assert_eq!(action(Limits::default(), &poor, None), Action::TakeOver);
        assert!(because(Limits::default(), &poor).starts_with("lack of memory"));
    }

    #[test]
    fn a_second_signal_is_not_argued_with() {
        let signalled = |signals, stage| Look { signals, ..look(stage, 1, 1) };
        let act = |look: Look, since| action(LIMITS, &look, since);
        assert_eq!(act(signalled(1, Stage::Preparing), None), Action::TakeOver);
        assert_eq!(act(signalled(1, Stage::Judging), None), Action::StopJudging);
        assert_eq!(act(signalled(2, Stage::Judging), None), Action::TakeOver);
        assert_eq!(act(signalled(1, Stage::Judging), Some(GRACE + SECOND)), Action::StopReporting);
        assert_eq!(act(signalled(1, Stage::Judged), Some(GRACE * 2 + SECOND)), Action::TakeOver);
        assert_eq!(because(LIMITS, &signalled(1, Stage::Judging)), "a signal");
        assert_eq!(because(LIMITS, &look(Stage::Judging, 100, 1)), "the time limit of 100 s");
        assert_eq!(because(LIMITS, &look(Stage::Judging, 1, 1000)), "the memory limit of 1 kB");
    }
}
