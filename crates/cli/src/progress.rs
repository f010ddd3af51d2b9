//! The phase that is running and for how long, on a terminal only: nothing is written where standard error is piped.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use selvedge_report::words;

/// Shows the phase that is running.
pub struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Shows nothing, wherever it is.
    pub fn none() -> Self {
        Self { bar: None }
    }

    /// Begins with nothing to show.
    pub fn new() -> Self {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if !io::stderr().is_terminal() || is_dumb {
            return Self::none();
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("selvedge: {msg} {spinner} {elapsed}");
        if let Ok(style) = style {
            bar.set_style(style.tick_chars("-\\|/ "));
        }
        bar.enable_steady_tick(Duration::from_millis(150));
        Self { bar: Some(bar) }
    }

    /// A phase begins.
    pub fn show(&self, phase: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(phase.to_owned());
        }
    }

    /// So many locations of so many are judged.
    pub fn count(&self, done: u64, all: u64) {
        if let Some(bar) = &self.bar {
            let [done, all] = [done, all].map(words::thousands);
            bar.set_message(format!("pairs ({done} of {all} locations judged)"));
        }
    }

    /// Nothing runs any more.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
