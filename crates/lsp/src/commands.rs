//! Commands that the editor may ask for: check again, accept, open the report, confirm, write a test.
//!
//! What takes long is a process of its own, one at a time, whose result is shown when it ends.

use std::path::PathBuf;

use lsp_types::MessageType;
use selvedge_findings::{Baseline, Confirmation, Finding, Outcome, Report, class_of};
use selvedge_report::{baseline_to_json, read_baseline, read_report, words};
use serde_json::{Value, json};

use crate::client::{Client, Work};
use crate::process::{Process, niced};
use crate::reading;
use crate::uri;
use crate::workspace::Workspace;

/// How long runs may take that try one finding.
const SECONDS: &str = "60";

/// What can be ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Check again, although nothing has changed.
    Check,
    /// Add a finding to the baseline.
    Accept,
    /// Show the page of the report at a finding.
    OpenReport,
    /// Make a finding happen.
    Confirm,
    /// Write a test that shows a finding.
    WriteTest,
}

impl Order {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 5] = [Self::Accept, Self::OpenReport, Self::Confirm, Self::WriteTest, Self::Check];

    /// Its name in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Self::Check => "selvedge.check",
            Self::Accept => "selvedge.accept",
            Self::OpenReport => "selvedge.openReport",
            Self::Confirm => "selvedge.confirm",
            Self::WriteTest => "selvedge.writeTest",
        }
    }

    /// How it is offered at a finding, if it is about one.
    pub fn title(self) -> Option<&'static str> {
        match self {
            Self::Check => None,
            Self::Accept => Some("Accept this race into the baseline"),
            Self::OpenReport => Some("Open the report at this race"),
            Self::Confirm => Some("Confirm this race: run the program until it happens"),
            Self::WriteTest => Some("Write a test that shows this race"),
        }
    }

    /// The order of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.name() == name)
    }
}

/// The work that commands have begun.
#[derive(Default)]
pub struct Jobs {
    running: Option<Job>,
}

struct Job {
    order: Order,
    key: String,
    process: Process,
    work: Work,
    /// Where its result is written: a page, or a report.
    result: PathBuf,
}

impl Jobs {
    /// Whether something is at work.
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Does what is ordered, or begins it. The answer to the request.
    pub fn execute(
        &mut self,
        order: Order,
        arguments: &[Value],
        workspaces: &mut [Workspace],
        client: &mut Client,
    ) -> Result<Value, String> {
        if order == Order::Check {
            workspaces.iter_mut().for_each(Workspace::check_again);
            return Ok(Value::Null);
        }
        let key = arguments.first().and_then(Value::as_str).unwrap_or_default();
        let known = workspaces.iter().find_map(|workspace| Some((workspace, workspace.finding(key)?)));
        let (workspace, finding) = known.ok_or("the newest check has no such finding")?;
        if order == Order::Accept {
            return accept(workspace, key);
        }
        if let Some(job) = &self.running {
            return Err(format!(
                "one thing at a time: \"{}\" is not done",
                job.order.title().unwrap_or_default()
            ));
        }
        let (command, result) = match order {
            Order::OpenReport => page(workspace),
            Order::Confirm => confirmation(workspace, finding)?,
            _ => test(workspace, finding)?,
        };
        let _ = std::fs::remove_file(&result);
        let process = Process::start(command).map_err(|error| format!("cannot start selvedge: {error}"))?;
        let work = client.begin(order.title().unwrap_or_default());
        self.running = Some(Job { order, key: key.to_owned(), process, work, result });
        Ok(Value::Null)
    }

    /// Stops the work whose progress has this token.
    pub fn cancel(&mut self, client: &Client, token: &Value) {
        if self.running.as_ref().is_some_and(|job| job.work.is(token))
            && let Some(job) = self.running.take()
        {
            client.end(&job.work, "cancelled");
        }
    }

    /// Says what came of the work, once it is done.
    pub fn poll(&mut self, client: &mut Client) {
        let Some(ended) = self.running.as_mut().and_then(|job| job.process.poll()) else { return };
        let Some(Job { order, key, work, result, .. }) = self.running.take() else { return };
        let why = ended.last_words.unwrap_or_else(|| "it gave no reason".to_owned());
        if !result.is_file() {
            client.end(&work, "no result");
            return client.show(MessageType::WARNING, &why);
        }
        if order == Order::OpenReport {
            client.end(&work, "written");
            let Some(page) = uri::of_path(&result) else { return };
            let address = format!("{}#/finding/{key}", page.as_str());
            client.log(&format!("the report is at {address}"));
            return if let Ok(uri) = address.parse() {
                client.open(uri, true)
            };
        }
        let report = reading::read(&result).unwrap_or_default();
        // Called as a library, the class may show the race at other lines.
        let other = || report.findings.iter().find(|it| it.confirmation.as_ref().is_some_and(is_confirmed));
        let finding = report.find(&key).or_else(other);
        let tried = finding.and_then(|finding| finding.confirmation.as_ref());
        let kind = if tried.is_some_and(is_confirmed) { MessageType::INFO } else { MessageType::WARNING };
        let sentence = tried.map_or(why, words::confirmation::sentence);
        client.end(&work, &sentence);
        client.show(kind, &sentence);
        let written = tried.and_then(|it| it.test.as_deref()).and_then(|it| std::path::absolute(it).ok());
        if let Some(uri) = written.as_deref().and_then(uri::of_path) {
            client.open(uri, false);
        }
    }
}

fn is_confirmed(confirmation: &Confirmation) -> bool {
    confirmation.outcome == Outcome::Confirmed
}

/// Adds a finding to the baseline; the file's change makes the next check leave it out.
fn accept(workspace: &Workspace, key: &str) -> Result<Value, String> {
    let path = workspace.settings().baseline(workspace.root());
    let mut baseline = match std::fs::read_to_string(&path) {
        Ok(text) => read_baseline(&text).map_err(|error| format!("{}: {error}", path.display()))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Baseline::default(),
        Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
    };
    // All pairs of the finding: the server does not keep them.
    let text =
        std::fs::read_to_string(workspace.checker().report_file()).map_err(|error| error.to_string())?;
    let mut report =
        read_report(&text).map_err(|error| format!("the report of the newest check: {error}"))?;
    report.findings.retain(|finding| finding.key == key);
    baseline.accept(&report);
    std::fs::write(&path, baseline_to_json(&baseline))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(json!({ "baseline": path }))
}

/// `selvedge report`, which writes the page.
fn page(workspace: &Workspace) -> (std::process::Command, PathBuf) {
    let checker = workspace.checker();
    let result = checker.scratch().join("races.html");
    let mut command = niced(checker.executable());
    command.arg("report").arg(checker.report_file()).args(["--no-config", "--fail-on", "none"]);
    command.args(["--format", "html", "--output"]).arg(&result);
    for sources in workspace.project().sources {
        command.arg("--sources").arg(sources);
    }
    command.current_dir(workspace.root());
    (command, result)
}

/// `selvedge confirm`, which runs the program until the finding happens.
fn confirmation(
    workspace: &Workspace,
    finding: &Finding,
) -> Result<(std::process::Command, PathBuf), String> {
    let checker = workspace.checker();
    let settings = workspace.settings();
    let program = if settings.command.is_empty() {
        let main = main_class(finding, workspace.report()).ok_or(
            "it is not known which main class shows this race: set `command`, for example to [\"mvn\", \"-q\", \"test\"]",
        )?;
        let mut class_path = workspace.project().classes;
        class_path.retain(|path| path.exists());
        class_path.extend(checker.class_path(settings).iter().flat_map(std::env::split_paths));
        let class_path = std::env::join_paths(class_path).map_err(|error| error.to_string())?;
        vec!["java".to_owned(), "-cp".to_owned(), class_path.to_string_lossy().into_owned(), main]
    } else {
        settings.command.clone()
    };
    let result = checker.scratch().join("confirmed.json");
    let mut command = niced(checker.executable());
    command.arg("confirm").arg(checker.report_file()).args(["--no-config", "--finding", &finding.key]);
    command.args(["--confirm-time", SECONDS, "--format", "json", "--output"]).arg(&result);
    command.arg("--").args(program).current_dir(workspace.root());
    Ok((command, result))
}

/// The main class from which a side of the finding is reached, or the only one.
fn main_class(finding: &Finding, report: Option<&Report>) -> Option<String> {
    let mains = &report?.coverage.as_ref()?.mains;
    let starts = finding.sides.iter().filter_map(|side| side.path.first());
    let mut starts = starts.map(|frame| class_of(&frame.method).to_owned());
    starts.find(|class| mains.contains(class)).or_else(|| match &mains[..] {
        [only] => Some(only.clone()),
        _ => None,
    })
}

/// `selvedge check --library --confirm`, which writes tests that show the races of the class.
fn test(workspace: &Workspace, finding: &Finding) -> Result<(std::process::Command, PathBuf), String> {
    let checker = workspace.checker();
    let settings = workspace.settings();
    let location = &finding.location;
    let holder = location.held_by.first().map(|it| it.class.as_str());
    let class = location.field.as_ref().map_or(holder, |_| Some(location.class.as_str()));
    let class = class.ok_or("it is not known which class to test: no field holds what is raced for")?;
    let root = workspace.root();
    let tests = settings.tests.as_deref().map_or_else(
        || {
            let usual = root.join("src/test/java");
            if usual.is_dir() { usual } else { root.join("racing-tests") }
        },
        |tests| root.join(tests),
    );
    let result = checker.scratch().join("tested.json");
    let mut command = niced(checker.executable());
    command.arg("check").args(workspace.project().classes.iter().filter(|path| path.exists()));
    command.arg("--no-config").arg(format!("--library={class}")).args(["--scope", class]);
    command.arg("--confirm").arg("--tests").arg(tests);
    command
        .args(["--confirm-time", SECONDS, "--fail-on", "none", "--format", "json", "--output"])
        .arg(&result);
    if let Some(class_path) = checker.class_path(settings).filter(|it| !it.is_empty()) {
        command.arg("--classpath").arg(class_path);
    }
    command.current_dir(root);
    Ok((command, result))
}
