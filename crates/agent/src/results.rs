//! What was found: printed at once on standard error, and left as a file: when the agent is loaded, when hooks begin to work, with
//! new races, and when the JVM ends. So whoever reads it knows whether the JVM was observed, and whether to the end.
//!
//! Standard error may be closed or full, and what is printed holds names that the program chose: neither may have consequences.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

use selvedge_findings::{Finding, Frame, Side, Verdict};
use selvedge_runtime::session::{Results, Settings, is_abandoned};

use crate::state::State;

/// The first races are saved as they come, further ones not more often than this.
const PAUSE: Duration = Duration::from_secs(1);
const FIRST: usize = 100;

/// Prints a sentence.
pub(crate) fn say(sentence: &str) {
    print(&format!("selvedge: {}\n", escaped(sentence)));
}

/// Prints one race.
pub(crate) fn print_race(finding: &Finding) {
    print(&text(finding));
}

fn print(text: &str) {
    // One write, so that lines of several threads and processes do not mix.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// A name without what a terminal or a CI server would take for a command.
fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for character in name.chars() {
        // Beside control characters: line and paragraph separators, and what changes the direction of writing.
        let is_format = matches!(character, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if character.is_control() || is_format {
            let _ = write!(out, "\\u{:04x}", u32::from(character));
        } else {
            out.push(character);
        }
    }
    // `::command::` counts at the start of a line only, where no name is; this one counts everywhere.
    out.replace("##[", "# #[")
}

fn text(finding: &Finding) -> String {
    let how = match finding.verdict {
        Verdict::Confirmed => "both threads were at their accesses at the same time",
        Verdict::HappensBefore => "happens-before does not order the two accesses in this run",
        Verdict::Lockset | Verdict::Predicted => "no lock is held at both accesses",
    };
    let class = &finding.location.class;
    let location = match (&finding.location.field, &finding.location.held_by[..]) {
        (Some(field), _) => format!("{class}.{field}"),
        (None, []) => class.clone(),
        (None, holders) => {
            let holders: Vec<String> =
                holders.iter().map(|holder| format!("{}.{}", holder.class, holder.field)).collect();
            format!("{class} in {}", holders.join(" or "))
        }
    };
    let mut out = format!("selvedge: race on {} {}: {how}\n", finding.kind.name(), escaped(&location));
    for side in &finding.sides {
        side_text(side, &mut out);
    }
    if let Some(frame) = finding.object.as_ref().and_then(|object| object.allocated_at.as_ref()) {
        // Writing to a string does not fail.
        let _ = writeln!(out, "  created at {} ({})", escaped(&frame.method), escaped(&frame.place()));
    }
    for reason in finding.reasons.iter().filter(|reason| reason.text.starts_with("the test ")) {
        // Writing to a string does not fail.
        let _ = writeln!(out, "  while {}", escaped(&reason.text));
    }
    if let Some(reason) =
        finding.reasons.iter().find(|reason| reason.text.contains("callers of the earlier access"))
    {
        let _ = writeln!(out, "  {}", escaped(&reason.text));
    }
    out
}

fn side_text(side: &Side, out: &mut String) {
    // Writing to a string does not fail.
    let name = side.thread.name.as_deref().unwrap_or("a thread");
    let _ = writeln!(out, "  {} by thread \"{}\"", side.action.name(), escaped(name));
    let mut frame = |before: &str, frame: &Frame| {
        let _ = writeln!(out, "    {before} {} ({})", escaped(&frame.method), escaped(&frame.place()));
    };
    frame("at", &side.at);
    side.path.iter().rev().for_each(|caller| frame("at", caller));
    if let Some(start) = &side.thread.spawned_at {
        frame("in a thread started at", start);
    }
    let locks: Vec<&str> = side.locks.iter().map(|lock| lock.name.as_str()).collect();
    let held = if locks.is_empty() { "no locks".to_owned() } else { escaped(&locks.join(", ")) };
    let _ = writeln!(out, "    holding {held}");
}

impl State {
    fn results(&self) -> Results {
        let mut problems: Vec<String> =
            self.skipped.iter().map(|what| format!("not observed: {what}")).collect();
        problems.extend(self.engine.degradations());
        problems.extend(self.log.degradation());
        Results {
            process: std::process::id(),
            directory: std::env::current_dir().unwrap_or_default(),
            observing: self.observing,
            classes: self.program_classes,
            watched: self.watched_classes,
            finished: self.finished,
            findings: self.log.findings_with(|site| {
                self.callers
                    .get(&(site, None))
                    .map(|stack| selvedge_runtime::report::path(*stack, &self.tables))
            }),
            problems,
            assumptions: self.faded.told(self.settings.plan.options.fade_after).into_iter().collect(),
            executed: self.executed.clone(),
            hold: None,
            events: self.engine.events(),
            threads: self.tables.threads.len() as u64,
            kept: self.kept(),
            milliseconds: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// Leaves the results at the end.
    pub(crate) fn finish(&mut self, settings: &Settings) {
        if let Some(recorder) = self.recorder.take() {
            recorder.finish();
        }
        self.finished = true;
        save(self);
        match &settings.directory {
            // The command was killed: nobody will read this, and nobody else removes it.
            Some(directory) if is_abandoned(directory) => {
                let _ = std::fs::remove_dir_all(directory);
            }
            None if !settings.quiet => {
                say(&format!("{} races in {} events", self.log.len(), self.engine.events()));
            }
            _ => {}
        }
    }
}

/// Saves what is known so far, unless that was done a moment ago: a JVM that is killed leaves no time at its end.
pub(crate) fn save_at_times(state: &mut State) {
    if state.log.len() <= FIRST || state.last_saved.is_none_or(|last| last.elapsed() > PAUSE) {
        save(state);
        state.last_saved = Some(Instant::now());
    }
}

/// Leaves what is known so far.
pub(crate) fn save(state: &State) {
    for directory in state.settings.directory.iter().chain(&state.also) {
        if let Err(error) = state.results().write(directory) {
            say(&format!("cannot write to {}: {error}", directory.display()));
        }
    }
}

/// Ends the process at a race.
pub(crate) fn halt(state: &mut State, status: i32) {
    let settings = state.settings.clone();
    state.finish(&settings);
    unsafe extern "C" {
        fn _exit(status: i32) -> !;
    }
    // SAFETY: `_exit` of the C library has this signature, may be called on any thread, and runs no handlers that could use what is torn
    // down; everything of ours is written.
    unsafe { _exit(status) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_commands() {
        assert_eq!(escaped("worker 1 \u{e9}"), "worker 1 \u{e9}");
        assert_eq!(escaped("a\n::error::b\u{1b}[2J"), "a\\u000a::error::b\\u001b[2J");
        assert_eq!(escaped("##[error]"), "# #[error]");
        assert_eq!(escaped("\u{202e}x"), "\\u202ex");
    }
}
