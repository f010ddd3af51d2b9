//! Checks in a process of their own: one at a time, at low priority, on one core, within limits, and gone when a newer one is due.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

use selvedge_findings::Report;
use selvedge_report::read_report;

use crate::project::{Project, Settings};

/// The memory that a check may use if nothing is said.
const MEMORY: &str = "2G";

/// Starts checks, and has their results.
pub struct Checker {
    executable: PathBuf,
    /// A directory of our own for files that live as long as a question.
    scratch: PathBuf,
    running: Option<Running>,
    /// The class path as the build tool gave it, or that it gave none; with the build files that it belongs to.
    class_path: Option<(crate::changes::Look, Option<String>)>,
}

/// What is at work.
enum Running {
    /// The build tool is asked for the class path.
    Asking(Box<Asking>),
    /// The check itself.
    Checking(Process),
}

struct Asking {
    process: Process,
    answer: PathBuf,
    settings: Settings,
    project: Project,
}

/// A process whose output is collected.
struct Process {
    child: Child,
    output: JoinHandle<Vec<u8>>,
    errors: JoinHandle<Vec<u8>>,
}

/// What became of a check.
pub enum Outcome {
    /// The report.
    Report(Box<Report>),
    /// There is none, and why.
    Failed(String),
}

impl Checker {
    /// Checks with this executable.
    pub fn new(executable: PathBuf, scratch: PathBuf) -> Self {
        Self { executable, scratch, running: None, class_path: None }
    }

    /// A directory for files that nobody else needs.
    pub fn scratch(&self) -> &Path {
        &self.scratch
    }

    /// Begins a check; one that is at work is stopped.
    pub fn start(&mut self, project: &Project, settings: &Settings) -> Result<(), String> {
        self.stop();
        let known = settings.classpath.clone().map(Some).or_else(|| self.known_class_path(project));
        if let Some(class_path) = known {
            let process = self.check(project, settings, class_path.as_deref())?;
            self.running = Some(Running::Checking(process));
            return Ok(());
        }
        let answer = self.scratch.join("asked.classpath");
        let _ = std::fs::remove_file(&answer);
        let asked = project.ask_class_path(&answer).and_then(|command| Process::start(command).ok());
        self.running = Some(match asked {
            Some(process) => {
                let (project, settings) = (project.clone(), settings.clone());
                Running::Asking(Box::new(Asking { process, answer, settings, project }))
            }
            None => Running::Checking(self.check(project, settings, None)?),
        });
        Ok(())
    }

    /// What the build tool has said of these build files; `Some(None)` if there is none to ask.
    fn known_class_path(&self, project: &Project) -> Option<Option<String>> {
        if project.tool.is_none() {
            return Some(None);
        }
        let now = crate::changes::Look::at(&project.build_files());
        let (look, class_path) = self.class_path.as_ref()?;
        (*look == now).then(|| class_path.clone())
    }

    fn check(
        &self,
        project: &Project,
        settings: &Settings,
        class_path: Option<&str>,
    ) -> Result<Process, String> {
        let mut command = Command::new("nice");
        command.args(["-n", "10"]).arg(&self.executable);
        if !has_nice() {
            command = Command::new(&self.executable);
        }
        command.arg("check").args(project.classes.iter().filter(|path| path.exists()));
        command.args(["--format", "json", "--safe", "--fail-on", "none"]);
        command.arg("--max-memory").arg(settings.max_memory.as_deref().unwrap_or(MEMORY));
        if let Some(class_path) = class_path.filter(|it| !it.is_empty()) {
            command.arg("--classpath").arg(class_path);
        }
        for sources in &project.sources {
            command.arg("--sources").arg(sources);
        }
        let baseline = baseline(project, settings);
        if baseline.is_file() {
            command.arg("--baseline").arg(baseline);
        }
        command.args(&settings.arguments).current_dir(&project.root).env("RAYON_NUM_THREADS", "1");
        Process::start(command).map_err(|error| format!("cannot start the check: {error}"))
    }

    /// The result, once there is one.
    pub fn poll(&mut self) -> Option<Outcome> {
        let process = match self.running.as_mut()? {
            Running::Asking(asking) => &mut asking.process,
            Running::Checking(process) => process,
        };
        let is_done = match process.child.try_wait() {
            Ok(status) => status.is_some(),
            Err(_) => true,
        };
        if !is_done {
            return None;
        }
        match self.running.take()? {
            Running::Asking(asking) => {
                let Asking { process, answer, settings, project } = *asking;
                let _ = process.finish();
                let class_path = std::fs::read_to_string(&answer).ok().map(|text| text.trim().to_owned());
                let _ = std::fs::remove_file(&answer);
                let _ = std::fs::remove_file(answer.with_extension("gradle"));
                let look = crate::changes::Look::at(&project.build_files());
                self.class_path = Some((look, class_path.clone()));
                match self.check(&project, &settings, class_path.as_deref()) {
                    Ok(process) => self.running = Some(Running::Checking(process)),
                    Err(sentence) => return Some(Outcome::Failed(sentence)),
                }
                None
            }
            Running::Checking(process) => {
                let (output, errors) = process.finish();
                Some(match read_report(&String::from_utf8_lossy(&output)) {
                    Ok(report) => Outcome::Report(Box::new(report)),
                    Err(_) => Outcome::Failed(last_sentence(&errors)),
                })
            }
        }
    }

    /// Stops what is at work.
    pub fn stop(&mut self) {
        let process = match self.running.take() {
            Some(Running::Asking(asking)) => asking.process,
            Some(Running::Checking(process)) => process,
            None => return,
        };
        process.kill();
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Process {
    fn start(mut command: Command) -> std::io::Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let output = collect(child.stdout.take());
        let errors = collect(child.stderr.take());
        Ok(Self { child, output, errors })
    }

    fn finish(mut self) -> (Vec<u8>, Vec<u8>) {
        let _ = self.child.wait();
        (self.output.join().unwrap_or_default(), self.errors.join().unwrap_or_default())
    }

    fn kill(mut self) {
        // It may have finished in this moment.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn collect(from: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut from) = from {
            let _ = from.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Whether there is a command that lowers the priority of another.
fn has_nice() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join("nice").is_file())
}

/// Where accepted findings are kept.
pub fn baseline(project: &Project, settings: &Settings) -> PathBuf {
    let name = settings.baseline.as_deref().unwrap_or(Path::new("selvedge-baseline.json"));
    project.root.join(name)
}

fn last_sentence(errors: &[u8]) -> String {
    let text = String::from_utf8_lossy(errors);
    let last = text.lines().map(str::trim).rfind(|line| !line.is_empty());
    last.map_or("the check gave no result".to_owned(), |line| {
        line.trim_start_matches("selvedge: ").to_owned()
    })
}
