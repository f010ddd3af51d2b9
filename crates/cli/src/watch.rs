//! `selvedge check --watch`: checks again whenever a file that the check reads has changed.
//!
//! Each check is a process of its own, so that a newer one can replace it at any moment, and what one check leaves in memory is gone
//! with it. Files are compared by size and time of modification, a few times a second. A check begins when two looks in a row agree:
//! a compiler that is still writing is waited for.

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::thread::sleep;

use anyhow::{Context, Result};
use selvedge_lsp::changes::{Look, PAUSE};

use crate::arguments::CheckArguments;
use crate::config::Config;
use crate::output;

/// Checks until somebody stops it.
pub fn run(arguments: &CheckArguments, config: &Config) -> Result<ExitCode> {
    let watched = watched(arguments, config);
    let executable = std::env::current_exe().context("cannot find the selvedge executable")?;
    let line: Vec<_> = std::env::args_os().skip(1).filter(|argument| argument != "--watch").collect();
    loop {
        let seen = Look::when_settled(&watched);
        let mut check = Command::new(&executable).args(&line).spawn().context("cannot start the check")?;
        let is_finished = loop {
            if check.try_wait()?.is_some() {
                break true;
            }
            sleep(PAUSE);
            if Look::at(&watched) != seen {
                break false;
            }
        };
        if is_finished {
            output::say("selvedge: waiting for changes; Ctrl-C stops\n");
            while Look::at(&watched) == seen {
                sleep(PAUSE);
            }
        } else {
            // It may have finished in this moment.
            let _ = check.kill();
            check.wait()?;
        }
        output::say("selvedge: files have changed\n");
    }
}

/// What a check reads.
fn watched(arguments: &CheckArguments, config: &Config) -> Vec<PathBuf> {
    let classpath = arguments.input.classpath.iter().flat_map(std::env::split_paths);
    // All jars of a directory: the directory is looked at as a whole.
    let classpath = classpath.map(|path| if path.ends_with("*") { path.with_file_name("") } else { path });
    let mut paths: Vec<PathBuf> = arguments.input.paths.iter().cloned().chain(classpath).collect();
    paths.extend(arguments.analysis.models.iter().cloned());
    paths.extend(arguments.show.baseline.iter().cloned());
    paths.extend(config.file.iter().cloned());
    paths.retain(|path| !path.as_os_str().is_empty());
    paths
}
