//! One run of the program: bounded in time, with its output kept, and nothing left of it at the end.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::output;

/// At most so much of an output is kept.
const MOST_OUTPUT: u64 = 4 << 20;

/// How long a program has to end after it was asked to.
const GRACE: Duration = Duration::from_secs(2);

/// How a run ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit status; `None` if it was stopped because its time was up.
    pub status: Option<ExitStatus>,
    /// What it wrote.
    pub output: String,
    /// What it wrote to standard error.
    pub errors: String,
    /// How long it took.
    pub took: Duration,
}

/// What is run.
pub struct Program<'c> {
    /// The command line.
    pub command: &'c [OsString],
    /// What the program reads; nothing if there is no such file.
    pub input: Option<&'c Path>,
}

impl Program<'_> {
    /// Runs it once; `prepare` adds what the agent needs. It is stopped when its time is up.
    pub fn run(
        &self,
        scratch: &Path,
        limit: Duration,
        prepare: impl FnOnce(&mut Command, &[OsString]),
    ) -> Result<Ended> {
        let Some((name, rest)) = self.command.split_first() else { bail!("no command is given") };
        let [output, errors] = ["output", "errors"].map(|name| scratch.join(name));
        let create =
            |path: &PathBuf| File::create(path).with_context(|| format!("cannot write {}", path.display()));
        let mut command = Command::new(name);
        prepare(&mut command, rest);
        let input = match self.input {
            Some(path) => {
                Stdio::from(File::open(path).map_err(|error| output::cannot("read", path, &error))?)
            }
            None => Stdio::null(),
        };
        command.stdin(input).stdout(create(&output)?).stderr(create(&errors)?);
        // What the program starts goes with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let start = Instant::now();
        let mut child = command.spawn().map_err(|error| output::cannot_start(name, &error))?;
        let name = name.to_string_lossy();
        let status = wait(&mut child, limit).with_context(|| format!("{name} cannot be waited for"))?;
        let took = start.elapsed();
        stop(&mut child, status.is_none());
        Ok(Ended { status, output: kept(&output), errors: kept(&errors), took })
    }
}

fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= limit || super::stop::interrupted() {
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Ends what is left of a run: the program, if it still runs, and what it has started.
fn stop(child: &mut Child, runs: bool) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let group = Pid::from_child(child);
        if runs {
            let _ = kill_process_group(group, Signal::TERM);
            let start = Instant::now();
            while start.elapsed() < GRACE && matches!(child.try_wait(), Ok(None)) {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        // The group is that of this run only; if it is empty, there is none.
        let _ = kill_process_group(group, Signal::KILL);
    }
    #[cfg(not(unix))]
    {
        let _ = (GRACE, runs);
        let _ = child.kill();
    }
    let _ = child.wait();
}

fn kept(path: &Path) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = File::open(path) {
        let _ = file.take(MOST_OUTPUT).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
