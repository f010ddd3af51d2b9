//! Checks of one workspace, in processes of their own: one at a time, at low priority, on one core, within limits, and gone when a newer
//! one is due.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::JoinHandle;

use selvedge_findings::Report;

use crate::changes::Look;
use crate::process::{Ended, Process, niced};
use crate::project::{Project, Settings};
use crate::reading;

/// The memory that a check may use if nothing is said.
const MEMORY: &str = "2G";

/// Starts checks, and has their results.
pub struct Checker {
    executable: PathBuf,
    /// A directory of our own: answers of the build tool, and the newest report.
    scratch: PathBuf,
    running: Option<Running>,
    /// The class path as the build tool gave it, or that it gave none; with the build files that it belongs to.
    class_path: Option<(Look, Option<String>)>,
}

/// What is at work.
enum Running {
    /// The build tool is asked for the class path.
    Asking(Box<Asking>),
    /// The check itself.
    Checking(Process),
    /// Its report is read; with what the check says of itself if it could not do its work.
    Reading(JoinHandle<Result<Report, String>>, Option<String>),
}

struct Asking {
    process: Process,
    answer: PathBuf,
    settings: Settings,
    project: Project,
}

/// What became of a check.
pub enum Outcome {
    /// The report, and why it is not one of the whole program, if it is not.
    Report(Box<Report>, Option<String>),
    /// There is none, and why.
    Failed(String),
    /// The class path, or a part of it, is not known, and why: the check goes on without.
    NoClassPath(String),
}

impl Checker {
    /// Checks with this executable; `scratch` is a directory that nobody else uses.
    pub fn new(executable: PathBuf, scratch: PathBuf) -> Self {
        Self { executable, scratch, running: None, class_path: None }
    }

    /// Where the report of the newest check is that gave one.
    pub fn report_file(&self) -> PathBuf {
        self.scratch.join("races.json")
    }

    /// The executable that checks.
    pub fn executable(&self) -> &Path {
        &self.executable
    }

    /// A directory for files that live as long as the session.
    pub fn scratch(&self) -> &Path {
        &self.scratch
    }

    /// Whether something is at work.
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// The class path as far as it is known.
    pub fn class_path<'s>(&'s self, settings: &'s Settings) -> Option<&'s str> {
        settings.classpath.as_deref().or_else(|| self.class_path.as_ref()?.1.as_deref())
    }

    /// Begins a check; one that is at work is stopped. Returns what it does first.
    pub fn start(&mut self, project: &Project, settings: &Settings) -> Result<String, String> {
        self.stop();
        let known = settings.classpath.is_some() || self.knows_class_path(project);
        let asked = (!known).then(|| self.ask(project, settings)).flatten();
        if let Some(asking) = asked {
            self.running = Some(Running::Asking(Box::new(asking)));
            return Ok("asking the build tool for the class path".to_owned());
        }
        self.running = Some(Running::Checking(self.check(project, settings)?));
        Ok("checking".to_owned())
    }

    fn ask(&self, project: &Project, settings: &Settings) -> Option<Asking> {
        let answer = self.scratch.join("asked");
        let _ = std::fs::remove_dir_all(&answer);
        std::fs::create_dir(&answer).ok()?;
        let process = Process::start(project.ask_class_path(&answer)?).ok()?;
        Some(Asking { process, answer, settings: settings.clone(), project: project.clone() })
    }

    /// Whether the build tool was asked about these build files, or there is none to ask.
    fn knows_class_path(&self, project: &Project) -> bool {
        let now = || Look::at(&project.build_files());
        project.tool.is_none() || self.class_path.as_ref().is_some_and(|(look, _)| *look == now())
    }

    fn check(&self, project: &Project, settings: &Settings) -> Result<Process, String> {
        let mut command = niced(&self.executable);
        command.arg("check").args(project.classes.iter().filter(|path| path.exists()));
        command.args(["--format", "json", "--safe", "--fail-on", "none", "--output"]).arg(self.unread_file());
        command.arg("--max-memory").arg(settings.max_memory.as_deref().unwrap_or(MEMORY));
        if let Some(class_path) = self.class_path(settings).filter(|it| !it.is_empty()) {
            command.arg("--classpath").arg(class_path);
        }
        for sources in &project.sources {
            command.arg("--sources").arg(sources);
        }
        let baseline = settings.baseline(&project.root);
        if baseline.is_file() {
            command.arg("--baseline").arg(baseline);
        }
        command.args(&settings.arguments).current_dir(&project.root).env("RAYON_NUM_THREADS", "1");
        let _ = std::fs::remove_file(self.unread_file());
        start(command)
    }

    /// Where a check writes its report.
    fn unread_file(&self) -> PathBuf {
        self.scratch.join("unread.json")
    }

    /// The result, once there is one.
    pub fn poll(&mut self) -> Option<Outcome> {
        match self.running.as_mut()? {
            Running::Asking(asking) => {
                let ended = asking.process.poll()?;
                let Some(Running::Asking(asking)) = self.running.take() else { return None };
                self.take_class_path(*asking, ended)
            }
            Running::Checking(process) => {
                let Ended { status, last_words, .. } = process.poll()?;
                self.running = None;
                let (from, to) = (self.unread_file(), self.report_file());
                let sentence = last_words.unwrap_or_else(|| "the check gave no result".to_owned());
                if std::fs::rename(&from, &to).is_err() {
                    return Some(Outcome::Failed(sentence));
                }
                let doubt = (status != Some(0)).then_some(sentence);
                self.running = Some(Running::Reading(std::thread::spawn(move || reading::read(&to)), doubt));
                None
            }
            Running::Reading(thread, _) => {
                if !thread.is_finished() {
                    return None;
                }
                let Some(Running::Reading(thread, doubt)) = self.running.take() else { return None };
                Some(match thread.join() {
                    Ok(Ok(report)) => Outcome::Report(Box::new(report), doubt),
                    Ok(Err(error)) => Outcome::Failed(format!("the report cannot be read: {error}")),
                    Err(_) => Outcome::Failed("the report cannot be read".to_owned()),
                })
            }
        }
    }

    /// What the build tool has answered; then the check itself begins.
    fn take_class_path(&mut self, asking: Asking, ended: Ended) -> Option<Outcome> {
        let Asking { process, answer, settings, project } = asking;
        drop(process);
        // Modules that could not be resolved leave the others' answers.
        self.class_path = Some((Look::at(&project.build_files()), joined(&answer)));
        match self.check(&project, &settings) {
            Ok(process) => self.running = Some(Running::Checking(process)),
            Err(sentence) => return Some(Outcome::Failed(sentence)),
        }
        let is_whole = ended.status == Some(0);
        let why = ended.first_error.or(ended.last_words).unwrap_or_else(|| "it gave no reason".to_owned());
        (!is_whole).then_some(Outcome::NoClassPath(why))
    }

    /// Stops what is at work.
    pub fn stop(&mut self) {
        self.running = None;
    }
}

fn start(command: Command) -> Result<Process, String> {
    Process::start(command).map_err(|error| format!("cannot start the check: {error}"))
}

/// The class paths of several modules, each a line of some file of a directory, as one.
fn joined(answer: &Path) -> Option<String> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(answer).ok()?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut seen = BTreeSet::new();
    let mut unique = Vec::new();
    for text in files.iter().filter_map(|file| std::fs::read_to_string(file).ok()) {
        let entries = text.lines().flat_map(std::env::split_paths);
        unique.extend(entries.filter(|path| !path.as_os_str().is_empty() && seen.insert(path.clone())));
    }
    Some(std::env::join_paths(unique).ok()?.to_string_lossy().into_owned())
}
