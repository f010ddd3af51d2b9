//! What was found: said at once on the standard error output, and left as a file when the machine ends.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

use selvedge_findings::{Finding, Side, Verdict};
use selvedge_runtime::session::{Results, Settings};

use crate::state::State;

/// The first races are saved as they come, further ones not more often than this.
const PAUSE: Duration = Duration::from_secs(1);
const FIRST: usize = 100;

/// One race in plain text.
pub(crate) fn say(finding: &Finding) {
    // One write, so that lines of several threads and processes do not mix.
    let _ = std::io::stderr().write_all(text(finding).as_bytes());
}

fn text(finding: &Finding) -> String {
    let how = match finding.verdict {
        Verdict::HappensBefore => "nothing orders the two accesses in this run",
        Verdict::Lockset | Verdict::Predicted => "no lock is held at both accesses",
    };
    let location = match &finding.location.field {
        Some(field) => format!("{}.{field}", finding.location.class),
        None => finding.location.class.clone(),
    };
    let mut out = format!("selvedge: race on {} {location}: {how}\n", finding.kind.name());
    for side in &finding.sides {
        side_text(side, &mut out);
    }
    out
}

fn side_text(side: &Side, out: &mut String) {
    // Writing to a string does not fail.
    let name = side.thread.name.as_deref().unwrap_or("a thread");
    let _ = writeln!(out, "  {} by thread \"{name}\"", side.action.name());
    let _ = writeln!(out, "    at {} ({})", side.at.method, side.at.place());
    for frame in side.path.iter().rev() {
        let _ = writeln!(out, "    at {} ({})", frame.method, frame.place());
    }
    if let Some(start) = &side.thread.spawned_at {
        let _ = writeln!(out, "    in a thread started at {} ({})", start.method, start.place());
    }
    let locks: Vec<&str> = side.locks.iter().map(|lock| lock.name.as_str()).collect();
    let held = if locks.is_empty() { "no locks".to_owned() } else { locks.join(", ") };
    let _ = writeln!(out, "    holding {held}");
}

impl State {
    fn results(&self) -> Results {
        let mut problems: Vec<String> =
            self.skipped.iter().map(|what| format!("not observed: {what}")).collect();
        problems.extend(self.engine.degradations());
        problems.extend(self.log.degradation());
        Results {
            findings: self.log.findings(),
            problems,
            assumptions: self.faded.told(self.settings.plan.options.fade_after).into_iter().collect(),
            executed: self.executed.clone(),
            events: self.engine.events(),
            threads: self.tables.threads.len() as u64,
            milliseconds: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// Leaves the results at the end.
    pub(crate) fn finish(&mut self, settings: &Settings) {
        if let Some(recorder) = self.recorder.take() {
            recorder.finish();
        }
        save(self);
        if settings.directory.is_none() && !settings.quiet {
            eprintln!("selvedge: {} races in {} events", self.log.len(), self.engine.events());
        }
    }
}

/// Saves what is known so far, unless that was done a moment ago: a machine that is killed leaves no time at its end.
pub(crate) fn save_at_times(state: &mut State) {
    if state.log.len() <= FIRST || state.last_saved.is_none_or(|last| last.elapsed() > PAUSE) {
        save(state);
        state.last_saved = Some(Instant::now());
    }
}

fn save(state: &State) {
    let Some(directory) = &state.settings.directory else { return };
    if let Err(error) = state.results().write(directory) {
        eprintln!("selvedge: cannot write to {}: {error}", directory.display());
    }
}

/// Ends the process at a race.
pub(crate) fn halt(state: &mut State, status: i32) {
    let settings = state.settings.clone();
    state.finish(&settings);
    unsafe extern "C" {
        fn _exit(status: i32) -> !;
    }
    // SAFETY: ends the process at once, as `Runtime.halt` does; everything of ours is written.
    unsafe { _exit(status) }
}
