//! One folder of the editor: its class files, its checks, and what the newest of them found.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use lsp_types::notification::{Notification as _, PublishDiagnostics};
use lsp_types::{Diagnostic, MessageType, PublishDiagnosticsParams};
use selvedge_findings::{Confidence, Finding, Report, class_of};
use selvedge_report::{Sources, words};
use serde_json::Value;

use crate::actions::Texts;
use crate::changes::{Look, PAUSE};
use crate::checker::{Checker, Outcome};
use crate::client::{Client, Work};
use crate::project::{Project, Settings};
use crate::{diagnostics, uri};

/// Looking at the files may take one part in so many of the time.
const SHARE_OF_LOOKS: u32 = 20;

/// The texts that the editor has open, which may differ from those on disk.
pub type Open = BTreeMap<PathBuf, String>;

/// A folder that is checked.
pub struct Workspace {
    root: PathBuf,
    settings: Settings,
    /// Where the page with the rules is.
    rules: Option<String>,
    checker: Checker,
    files: Files,
    /// The check that is at work, as the editor shows it.
    work: Option<Work>,
    /// What the newest check found.
    last: Option<Checked>,
    published: BTreeSet<PathBuf>,
}

/// The files that a check reads, as far as they were looked at.
struct Files {
    /// As they were when it was last decided whether to check.
    decided: Look,
    /// As they were a moment ago.
    before: Look,
    /// As the newest check has read them.
    read: Look,
    /// When to look again.
    due: Instant,
}

/// A report, and what it was made of.
struct Checked {
    report: Report,
    sources: Sources,
    /// The class files.
    files: Look,
    /// The directories and archives with the classes.
    classes: Vec<PathBuf>,
}

impl Workspace {
    /// A folder of which nothing is known. Checks are processes of `executable`; `scratch` is a directory of its own.
    pub fn new(
        root: PathBuf,
        settings: Settings,
        rules: Option<String>,
        executable: PathBuf,
        scratch: PathBuf,
    ) -> Self {
        let files = Files {
            decided: Look::default(),
            before: Look::default(),
            read: Look::default(),
            due: Instant::now(),
        };
        let checker = Checker::new(executable, scratch);
        Self { root, settings, rules, checker, files, work: None, last: None, published: BTreeSet::new() }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What the user has set.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What there is to check.
    pub fn project(&self) -> Project {
        Project::find(&self.root, &self.settings)
    }

    /// The checks.
    pub fn checker(&self) -> &Checker {
        &self.checker
    }

    /// The report of the newest check.
    pub fn report(&self) -> Option<&Report> {
        Some(&self.last.as_ref()?.report)
    }

    /// The sources as the newest check found them.
    pub fn sources(&self) -> Option<&Sources> {
        Some(&self.last.as_ref()?.sources)
    }

    /// The finding with a key.
    pub fn finding(&self, key: &str) -> Option<&Finding> {
        self.report()?.findings.iter().find(|finding| finding.key == key)
    }

    /// Whether a file is the folder's, or has diagnostics of it.
    pub fn owns(&self, path: &Path) -> bool {
        path.starts_with(&self.root) || self.published.contains(path)
    }

    /// When the files are to be looked at again.
    pub fn due(&self) -> Instant {
        self.files.due
    }

    /// Has the next look begin a check, whatever it sees.
    pub fn check_again(&mut self) {
        self.files.decided = Look::default();
        self.files.read = Look::default();
        self.files.due = Instant::now();
    }

    /// Looks at the files, and begins a check when they have changed and nobody writes them any more. While another folder is checked,
    /// this one waits.
    pub fn look(&mut self, client: &mut Client, may_start: bool) {
        let start = Instant::now();
        let project = self.project();
        let mut watched = project.classes.clone();
        watched.extend(project.build_files());
        watched.extend([self.settings.baseline(&self.root), self.root.join("selvedge.toml")]);
        let now = Look::at(&watched);
        let is_settled = now == std::mem::replace(&mut self.files.before, now.clone());
        // What has just changed is looked at again soon: a build writes many files in a row.
        let pause = if is_settled { PAUSE } else { PAUSE / 2 };
        self.files.due = Instant::now() + pause.max(start.elapsed() * SHARE_OF_LOOKS);
        if !is_settled || now == self.files.decided || !may_start {
            return;
        }
        let lost = self.lost(&now);
        self.files.decided = now.clone();
        if lost > 0 {
            let classes = if lost == 1 { "1 class is".to_owned() } else { format!("{lost} classes are") };
            client.log(&format!(
                "the build is broken or not done: {classes} missing; the last result stays until the next build"
            ));
        } else if now.has("class") || now.has("jar") {
            self.files.read = now;
            self.start(client, &project);
        }
    }

    /// How many classes a build has taken away without writing others in their directory, although their sources are still there.
    fn lost(&self, now: &Look) -> usize {
        let Some(last) = &self.last else { return 0 };
        let lost = last.classes.iter().flat_map(|directory| {
            let gone = if now.has_news(&self.files.read, directory) {
                Vec::new()
            } else {
                self.files.read.gone(now, directory)
            };
            gone.into_iter().filter_map(|file| class_name(directory, &file))
        });
        lost.filter(|class| has_source(&last.sources, class)).count()
    }

    fn start(&mut self, client: &mut Client, project: &Project) {
        self.end(client, "a newer build is checked");
        match self.checker.start(project, &self.settings) {
            Ok(what) => self.work = Some(client.begin(&what)),
            Err(sentence) => client.show(MessageType::ERROR, &sentence),
        }
    }

    /// Stops the check whose progress has this token.
    pub fn cancel(&mut self, client: &Client, token: &Value) {
        if self.work.as_ref().is_some_and(|work| work.is(token)) {
            self.checker.stop();
            self.end(client, "cancelled");
        }
    }

    fn end(&mut self, client: &Client, message: &str) {
        if let Some(work) = self.work.take() {
            client.end(&work, message);
        }
    }

    /// Takes what a check has found, once it is done.
    pub fn poll(&mut self, client: &Client) {
        let Some(outcome) = self.checker.poll() else { return };
        let kept = if self.last.is_some() { ". The last result stays." } else { "" };
        let refused = |sentence: &str| format!("{}{kept}", sentence.trim_end_matches('.'));
        match outcome {
            Outcome::NoClassPath(why) => {
                client.log(&format!("the build tool gave no class path, or a part of it: {why}"));
                if let Some(work) = &self.work {
                    client.report(work, "checking");
                }
            }
            // A part of a result says nothing about the rest.
            Outcome::Report(report, doubt) if self.last.is_some() && is_part(&report, &doubt) => {
                let why = doubt.unwrap_or_else(|| words::summary(&report));
                self.end(client, "no result");
                client.show(MessageType::WARNING, &refused(&why));
            }
            Outcome::Report(report, doubt) => {
                let (sources, _) = Sources::open(&self.project().sources);
                let summary = words::summary(&report);
                let (files, classes) = (self.files.read.clone(), self.project().classes);
                self.last = Some(Checked { report: *report, sources, files, classes });
                let found = self.diagnostics();
                self.publish(client, found);
                self.end(client, &summary);
                client.log(&summary);
                if let Some(sentence) = doubt {
                    client.show(MessageType::WARNING, &sentence);
                }
            }
            Outcome::Failed(sentence) => {
                self.end(client, "no result");
                client.show(MessageType::WARNING, &refused(&sentence));
            }
        }
    }

    /// What the editor should show.
    fn diagnostics(&self) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
        let least = self.settings.min_confidence.unwrap_or(Confidence::Medium);
        self.last.as_ref().map_or_else(BTreeMap::new, |Checked { report, sources, .. }| {
            diagnostics::of_report(report, sources, least, self.rules.as_deref())
        })
    }

    /// Publishes diagnostics, and takes back those of other files.
    fn publish(&mut self, client: &Client, found: BTreeMap<PathBuf, Vec<Diagnostic>>) {
        let now: BTreeSet<PathBuf> = found.keys().cloned().collect();
        let gone: Vec<PathBuf> = self.published.difference(&now).cloned().collect();
        for (path, diagnostics) in found.into_iter().chain(gone.into_iter().map(|path| (path, Vec::new()))) {
            if let Some(uri) = uri::of_path(&path) {
                let parameters = PublishDiagnosticsParams { uri, diagnostics, version: None };
                client.notify(PublishDiagnostics::METHOD, parameters);
            }
        }
        self.published = now;
    }

    /// Takes back everything: the editor has closed the folder.
    pub fn close(mut self, client: &Client) {
        self.end(client, "the folder was closed");
        self.publish(client, BTreeMap::new());
    }

    /// The texts of sources that the newest check has seen as they are.
    pub fn texts<'w>(&'w self, open: &'w Open) -> impl Texts + 'w {
        Current { workspace: self, open }
    }
}

/// Texts of the disk, if they are what was compiled and what the editor shows.
struct Current<'w> {
    workspace: &'w Workspace,
    open: &'w Open,
}

impl Texts for Current<'_> {
    fn text(&self, path: &Path, class: &str) -> Option<String> {
        let text = std::fs::read_to_string(path).ok()?;
        let is_shown = self.open.get(path).is_none_or(|shown| *shown == text);
        let written = path.metadata().and_then(|it| it.modified()).ok()?;
        let last = self.workspace.last.as_ref()?;
        // Archives are not looked into: what is in them was compiled elsewhere.
        let is_compiled = last.classes.iter().filter(|it| it.is_dir()).any(|directory| {
            let outermost = class.split('$').next().unwrap_or(class);
            let file = directory.join(outermost.replace('.', "/")).with_extension("class");
            let now = Look::at(std::slice::from_ref(&file));
            let is_read = now.has("class") && now.is_in(&last.files);
            is_read && now.time(&file).is_some_and(|compiled| compiled >= written)
        });
        (is_shown && is_compiled).then_some(text)
    }
}

/// Whether a report is not one of the whole program: it was cut, or the check could not do its work.
fn is_part(report: &Report, doubt: &Option<String>) -> bool {
    report.partial.is_some() || doubt.is_some()
}

/// `p.C` for the file of the class below a directory; nothing for nested classes, which come and go with their outer one.
fn class_name(directory: &Path, file: &Path) -> Option<String> {
    let name = file.strip_prefix(directory).ok()?.with_extension("");
    let name = name.to_str()?.replace(['/', '\\'], ".");
    (!name.contains('$')).then_some(name)
}

/// Whether a source file is there that is called like the class.
fn has_source(sources: &Sources, class: &str) -> bool {
    let simple = class.rsplit('.').next().unwrap_or(class);
    ["java", "kt", "scala", "groovy"].iter().any(|ending| {
        let frame = selvedge_findings::Frame::new(format!("{class}.x()")).at(format!("{simple}.{ending}"), 1);
        debug_assert_eq!(class_of(&frame.method), class);
        sources.find(&frame).and_then(|it| it.on_disk).is_some_and(|path| path.exists())
    })
}
