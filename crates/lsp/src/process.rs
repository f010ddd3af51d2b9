//! Processes of our own: at low priority, with their output collected, and stopped when nobody wants them any more.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// So long the last words of a process that has ended are waited for: a child of its own may live on and hold the pipe.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// So many bytes of what a process prints are kept.
const MOST_OUTPUT: u64 = 1 << 20;

/// A process at work. Dropping it kills it.
pub struct Process {
    child: Child,
    output: Option<JoinHandle<String>>,
    errors: Option<JoinHandle<String>>,
    /// Since when it has ended.
    ended: Option<Instant>,
}

/// What a process left.
pub struct Ended {
    /// Its exit status, if it was not killed.
    pub status: Option<i32>,
    /// The last line of its standard error.
    pub last_words: Option<String>,
    /// The first line of its standard output that names an error, as Maven prints them.
    pub first_error: Option<String>,
}

impl Process {
    /// Starts a command without input.
    pub fn start(mut command: Command) -> std::io::Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (output, errors) = (child.stdout.take().map(collect), child.stderr.take().map(collect));
        Ok(Self { child, output, errors, ended: None })
    }

    /// What it left, once it has ended.
    pub fn poll(&mut self) -> Option<Ended> {
        let status = match self.child.try_wait() {
            Ok(None) => return None,
            Ok(Some(status)) => status.code(),
            Err(_) => None,
        };
        let is_silent = [&self.output, &self.errors].into_iter().flatten().all(JoinHandle::is_finished);
        if !is_silent && self.ended.get_or_insert_with(Instant::now).elapsed() < LAST_WORDS {
            return None;
        }
        let text = |thread: Option<JoinHandle<String>>| {
            thread.filter(JoinHandle::is_finished).and_then(|it| it.join().ok()).unwrap_or_default()
        };
        let (output, errors) = (text(self.output.take()), text(self.errors.take()));
        let last = errors.lines().map(str::trim).rfind(|line| !line.is_empty());
        let last_words = last.map(|line| line.trim_start_matches("selvedge: ").to_owned());
        let first_error =
            output.lines().find_map(|line| Some(line.split_once("[ERROR]")?.1.trim().to_owned()));
        Some(Ended { status, last_words, first_error })
    }
}

/// Reads a stream to its end; the beginning is kept.
fn collect(from: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut from = from;
        let mut bytes = Vec::new();
        let _ = from.by_ref().take(MOST_OUTPUT).read_to_end(&mut bytes);
        let _ = std::io::copy(&mut from, &mut std::io::sink());
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have finished in this moment.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A command that runs an executable at low priority, where the system has a command for that.
pub fn niced(executable: &Path) -> Command {
    let path = std::env::var_os("PATH").unwrap_or_default();
    if !std::env::split_paths(&path).any(|folder| folder.join("nice").is_file()) {
        return Command::new(executable);
    }
    let mut command = Command::new("nice");
    command.args(["-n", "10"]).arg(executable);
    command
}
