//! One session: messages of the editor, changes of the class files, and results of checks, in one loop.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, LogMessage, Notification as _,
    Progress, PublishDiagnostics, ShowMessage,
};
use lsp_types::request::{
    CodeActionRequest, ExecuteCommand, HoverRequest, Request as _, ShowDocument, WorkDoneProgressCreate,
};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionProviderCapability, Command,
    Diagnostic, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    ExecuteCommandOptions, ExecuteCommandParams, Hover, HoverContents, HoverParams, HoverProviderCapability,
    InitializeParams, LogMessageParams, MarkupContent, MarkupKind, MessageType, PublishDiagnosticsParams,
    Range, ServerCapabilities, ShowDocumentParams, ShowMessageParams, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextEdit, Uri, WorkspaceEdit,
};
use selvedge_findings::{Baseline, Confidence, Finding, Report};
use selvedge_report::{Format, Sources, Style, baseline_to_json, read_baseline, render, words};
use serde::Serialize;
use serde_json::{Value, json};

use crate::actions::{self, Texts};
use crate::changes::{Look, PAUSE};
use crate::checker::{self, Checker, Outcome};
use crate::java::Source;
use crate::project::{Project, Settings};
use crate::{diagnostics, hover, uri};

/// The commands that the editor may ask for.
const CHECK: &str = "selvedge.check";
const ACCEPT: &str = "selvedge.accept";
const OPEN_REPORT: &str = "selvedge.openReport";

/// What the server can do.
pub fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: [CHECK, ACCEPT, OPEN_REPORT].map(str::to_owned).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// A session with an editor.
pub struct Server {
    connection: Connection,
    settings: Settings,
    root: Option<PathBuf>,
    can_progress: bool,
    can_show: bool,
    /// The texts that the editor has open, which may differ from those on disk.
    open: BTreeMap<PathBuf, String>,
    checker: Checker,
    files: Files,
    /// What the newest check found.
    last: Option<Checked>,
    published: BTreeSet<PathBuf>,
    requests: i32,
}

/// The class files, as far as they were looked at.
#[derive(Default)]
struct Files {
    /// As the last check that was begun has seen them.
    checked: Look,
    /// As they were a moment ago.
    before: Look,
}

/// A report with the sources as they were when it was made.
struct Checked {
    report: Report,
    sources: Sources,
}

/// Texts of the editor or of the disk, if they are still those that the check has seen.
struct Current<'s> {
    open: &'s BTreeMap<PathBuf, String>,
    report: &'s Report,
    sources: &'s Sources,
}

impl Texts for Current<'_> {
    fn text(&self, path: &Path) -> Option<String> {
        let text = match self.open.get(path) {
            Some(text) => text.clone(),
            None => std::fs::read_to_string(path).ok()?,
        };
        let frames = self.report.findings.iter().flat_map(|it| it.sides.iter()).map(|side| &side.at);
        let found = frames
            .filter_map(|frame| self.sources.find(frame))
            .find(|it| it.on_disk.as_deref() == Some(path))?;
        text.lines().eq(found.lines.iter().map(String::as_str)).then_some(text)
    }
}

impl Server {
    /// A session with what the editor said first.
    pub fn new(
        connection: Connection,
        parameters: InitializeParams,
        executable: PathBuf,
        scratch: PathBuf,
    ) -> Self {
        let options = parameters.initialization_options.unwrap_or(Value::Null);
        let (settings, mistake) = match serde_json::from_value::<Option<Settings>>(options) {
            Ok(settings) => (settings.unwrap_or_default(), None),
            Err(error) => (Settings::default(), Some(error)),
        };
        let folder = parameters.workspace_folders.and_then(|folders| Some(folders.into_iter().next()?.uri));
        #[allow(deprecated)]
        let root = folder.or(parameters.root_uri).as_ref().and_then(uri::to_path);
        let window = parameters.capabilities.window.unwrap_or_default();
        let server = Self {
            connection,
            settings,
            root,
            can_progress: window.work_done_progress == Some(true),
            can_show: window.show_document.is_some_and(|it| it.support),
            open: BTreeMap::new(),
            checker: Checker::new(executable, scratch),
            files: Files::default(),
            last: None,
            published: BTreeSet::new(),
            requests: 0,
        };
        if let Some(error) = mistake {
            server.show(MessageType::ERROR, format!("Selvedge's settings are not valid: {error}"));
        }
        server
    }

    /// Serves until the editor says good-bye or is gone.
    pub fn run(mut self) -> Result<()> {
        loop {
            match self.connection.receiver.recv_timeout(PAUSE) {
                Ok(Message::Request(request)) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(());
                    }
                    self.answer(request);
                }
                Ok(Message::Notification(notification)) => {
                    if notification.method == "exit" {
                        return Ok(());
                    }
                    self.take(notification);
                }
                Ok(Message::Response(_)) => {}
                Err(error) if error.is_timeout() => self.look(),
                Err(_) => return Ok(()),
            }
            self.finish_check();
        }
    }

    /// Begins a check when the class files have changed and nobody writes them any more.
    fn look(&mut self) {
        let Some(root) = self.root.clone() else { return };
        let project = Project::find(&root, &self.settings);
        let mut watched = project.classes.clone();
        watched.extend(project.build_files());
        watched.extend([checker::baseline(&project, &self.settings), root.join("selvedge.toml")]);
        let now = Look::at(&watched);
        let is_settled = now == std::mem::replace(&mut self.files.before, now.clone());
        if !is_settled || now == self.files.checked {
            return;
        }
        // A broken or cleaned build: what is known stays.
        if !now.has("class") && !now.has("jar") {
            if self.last.is_some() {
                self.log("there are no class files any more; the last result stays until the next build");
            }
            self.files.checked = now;
            return;
        }
        self.files.checked = now;
        match self.checker.start(&project, &self.settings) {
            Ok(()) => self.progress(&json!({ "kind": "begin", "title": "Selvedge", "message": "checking" })),
            Err(sentence) => self.show(MessageType::ERROR, format!("Selvedge: {sentence}")),
        }
    }

    fn finish_check(&mut self) {
        let Some(outcome) = self.checker.poll() else { return };
        match outcome {
            // A part of a result says nothing about the rest.
            Outcome::Report(report) if report.partial.is_some() && self.last.is_some() => {
                self.progress(&json!({ "kind": "end", "message": "no result" }));
                let summary = words::summary(&report);
                self.show(MessageType::WARNING, format!("Selvedge: {summary}. The last result stays."));
            }
            Outcome::Report(report) => {
                let root = self.root.clone().unwrap_or_default();
                let (sources, _) = Sources::open(&Project::find(&root, &self.settings).sources);
                let summary = words::summary(&report);
                self.last = Some(Checked { report: *report, sources });
                self.publish();
                self.progress(&json!({ "kind": "end", "message": summary }));
                self.log(&summary);
            }
            Outcome::Failed(sentence) => {
                self.progress(&json!({ "kind": "end", "message": "no result" }));
                let kept = if self.last.is_some() { " The last result stays." } else { "" };
                self.show(MessageType::WARNING, format!("Selvedge: {sentence}{kept}"));
            }
        }
    }

    /// Publishes what the last check found, and takes back what it found no more.
    fn publish(&mut self) {
        let Some(Checked { report, sources }) = &self.last else { return };
        let least = match self.settings.min_confidence.as_deref() {
            Some("low") => Confidence::Low,
            Some("high") => Confidence::High,
            _ => Confidence::Medium,
        };
        let found = diagnostics::of_report(report, sources, least, self.settings.rules.as_deref());
        let gone: Vec<PathBuf> =
            self.published.iter().filter(|path| !found.contains_key(*path)).cloned().collect();
        let now: BTreeSet<PathBuf> = found.keys().cloned().collect();
        for (path, diagnostics) in found.into_iter().chain(gone.into_iter().map(|path| (path, Vec::new()))) {
            if let Some(uri) = uri::of_path(&path) {
                let parameters = PublishDiagnosticsParams { uri, diagnostics, version: None };
                self.notify(PublishDiagnostics::METHOD, parameters);
            }
        }
        self.published = now;
    }

    fn take(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Ok(it) = serde_json::from_value::<DidOpenTextDocumentParams>(params)
                    && let Some(path) = uri::to_path(&it.text_document.uri)
                {
                    self.open.insert(path, it.text_document.text);
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Ok(mut it) = serde_json::from_value::<DidChangeTextDocumentParams>(params)
                    && let Some(path) = uri::to_path(&it.text_document.uri)
                    && let Some(change) = it.content_changes.pop()
                {
                    self.open.insert(path, change.text);
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Ok(it) = serde_json::from_value::<DidCloseTextDocumentParams>(params)
                    && let Some(path) = uri::to_path(&it.text_document.uri)
                {
                    self.open.remove(&path);
                }
            }
            _ => {}
        }
    }

    fn answer(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            HoverRequest::METHOD => serde_json::from_value(params).map(|it| json!(self.hover(&it))),
            CodeActionRequest::METHOD => {
                serde_json::from_value(params).map(|it| json!(self.code_actions(&it)))
            }
            ExecuteCommand::METHOD => serde_json::from_value(params).map(|it| self.execute(&it)),
            _ => {
                let code = lsp_server::ErrorCode::MethodNotFound as i32;
                return self.send(Response::new_err(id, code, format!("{method} is not supported")));
            }
        };
        self.send(match answer {
            Ok(answer) => Response::new_ok(id, answer),
            Err(error) => {
                Response::new_err(id, lsp_server::ErrorCode::InvalidParams as i32, error.to_string())
            }
        });
    }

    fn text(&self, path: &Path) -> Option<String> {
        self.open.get(path).cloned().or_else(|| std::fs::read_to_string(path).ok())
    }

    fn hover(&self, parameters: &HoverParams) -> Option<Hover> {
        let at = &parameters.text_document_position_params;
        let path = uri::to_path(&at.text_document.uri)?;
        let text = self.text(&path)?;
        let source = Source::new(&text);
        let name = source.word_at(source.offset(at.position)?)?;
        let value = hover::about(&self.last.as_ref()?.report, &path, name)?;
        let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
        Some(Hover { contents, range: None })
    }

    fn code_actions(&self, parameters: &CodeActionParams) -> Vec<CodeActionOrCommand> {
        let Some(checked) = &self.last else { return Vec::new() };
        let ours = parameters
            .context
            .diagnostics
            .iter()
            .filter(|it| it.source.as_deref() == Some(diagnostics::SOURCE));
        let mut found = Vec::new();
        for diagnostic in ours {
            let key = diagnostic.data.as_ref().and_then(|data| data.get("key")?.as_str());
            let finding = checked.report.findings.iter().find(|finding| Some(finding.key.as_str()) == key);
            if let Some(finding) = finding {
                found.extend(self.actions_for(finding, diagnostic, checked));
            }
        }
        found
    }

    fn actions_for(
        &self,
        finding: &Finding,
        diagnostic: &Diagnostic,
        checked: &Checked,
    ) -> Vec<CodeActionOrCommand> {
        let Checked { report, sources } = checked;
        let texts = Current { open: &self.open, report, sources };
        let mut found: Vec<CodeActionOrCommand> = actions::changes(finding, sources, &texts)
            .into_iter()
            .map(|change| {
                let edit = self.workspace_edit(&change);
                CodeActionOrCommand::CodeAction(CodeAction {
                    title: change.title,
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![diagnostic.clone()]),
                    edit: Some(edit),
                    data: Some(json!({ "change": change.name })),
                    ..CodeAction::default()
                })
            })
            .collect();
        let suppressed = self.suppression(finding).map(|edit| {
            CodeActionOrCommand::CodeAction(CodeAction {
                title: format!("Suppress the race on {} in selvedge.toml", words::subject(&finding.location)),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic.clone()]),
                edit: Some(edit),
                data: Some(json!({ "change": "suppress" })),
                ..CodeAction::default()
            })
        });
        found.extend(suppressed);
        let command = |title: &str, name: &str| {
            let arguments = Some(vec![json!(finding.key)]);
            CodeActionOrCommand::Command(Command {
                title: title.to_owned(),
                command: name.to_owned(),
                arguments,
            })
        };
        found.push(command("Accept this race into the baseline", ACCEPT));
        found.push(command("Open the report at this race", OPEN_REPORT));
        found
    }

    fn workspace_edit(&self, change: &actions::Change) -> WorkspaceEdit {
        let mut changes: Vec<(Uri, Vec<TextEdit>)> = Vec::new();
        for (path, edits) in &change.edits {
            let (Some(uri), Some(text)) = (uri::of_path(path), self.text(path)) else { continue };
            let source = Source::new(&text);
            let edit = |edit: &actions::Edit| TextEdit {
                range: Range::new(source.position(edit.range.start), source.position(edit.range.end)),
                new_text: edit.text.clone(),
            };
            changes.push((uri, edits.iter().map(edit).collect()));
        }
        WorkspaceEdit { changes: Some(changes.into_iter().collect()), ..WorkspaceEdit::default() }
    }

    /// A rule at the end of `selvedge.toml`, which is made if it is not there. The reason is for the user to write.
    fn suppression(&self, finding: &Finding) -> Option<WorkspaceEdit> {
        let path = self.root.as_ref()?.join("selvedge.toml");
        let uri = uri::of_path(&path)?;
        let location = &finding.location;
        let (class, field) = match (&location.field, &location.held_by[..]) {
            (Some(field), _) => (&location.class, field),
            (None, [holder, ..]) => (&holder.class, &holder.field),
            (None, []) => return None,
        };
        let text = self.text(&path);
        let gap = if text.as_deref().is_none_or(str::is_empty) { "" } else { "\n" };
        let rule = format!(
            "{gap}[[suppress]]\nfield = \"{class}.{field}\"\nreason = \"TODO: say why this race is harmless\"\n"
        );
        let source_text = text.clone().unwrap_or_default();
        let end = Source::new(&source_text).position(source_text.len());
        let mut operations = Vec::new();
        if text.is_none() {
            operations.push(json!({ "kind": "create", "uri": uri, "options": { "ignoreIfExists": true } }));
        }
        operations.push(json!({
            "textDocument": { "uri": uri, "version": null },
            "edits": [{ "range": Range::new(end, end), "newText": rule }],
        }));
        serde_json::from_value(json!({ "documentChanges": operations })).ok()
    }

    fn execute(&mut self, parameters: &ExecuteCommandParams) -> Value {
        let key = parameters.arguments.first().and_then(Value::as_str).unwrap_or_default().to_owned();
        let done = match parameters.command.as_str() {
            CHECK => {
                self.files.checked = Look::default();
                Ok(Value::Null)
            }
            ACCEPT => self.accept(&key),
            OPEN_REPORT => self.open_report(&key),
            other => Err(format!("there is no command {other}")),
        };
        done.unwrap_or_else(|sentence| {
            self.show(MessageType::ERROR, format!("Selvedge: {sentence}"));
            Value::Null
        })
    }

    /// Adds a finding to the baseline; the file's change makes the next check leave it out.
    fn accept(&mut self, key: &str) -> Result<Value, String> {
        let (root, checked) = self.root.clone().zip(self.last.as_ref()).ok_or("nothing was checked yet")?;
        let finding = checked.report.findings.iter().find(|finding| finding.key == key);
        let finding = finding.ok_or("the last check has no such finding")?;
        let path = checker::baseline(&Project::find(&root, &self.settings), &self.settings);
        let mut baseline = match std::fs::read_to_string(&path) {
            Ok(text) => read_baseline(&text).map_err(|error| format!("{}: {error}", path.display()))?,
            Err(_) => Baseline::default(),
        };
        baseline.accept(&Report { findings: vec![finding.clone()], ..Report::default() });
        std::fs::write(&path, baseline_to_json(&baseline))
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        Ok(json!({ "baseline": path }))
    }

    /// Writes the page of the last report and has the editor show it.
    fn open_report(&mut self, key: &str) -> Result<Value, String> {
        let checked = self.last.as_ref().ok_or("nothing was checked yet")?;
        let root = self.root.clone().unwrap_or_default();
        let (sources, _) = Sources::open(&Project::find(&root, &self.settings).sources);
        let page = render(&checked.report, Format::Html, &Style { sources, ..Style::default() });
        let path = self.checker.scratch().join("races.html");
        std::fs::write(&path, page).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        let page = uri::of_path(&path).ok_or("the page has no address")?;
        let address = format!("{}#/finding/{key}", page.as_str());
        if self.can_show
            && let Ok(uri) = address.parse::<Uri>()
        {
            let parameters =
                ShowDocumentParams { uri, external: Some(true), take_focus: Some(true), selection: None };
            self.request(ShowDocument::METHOD, parameters);
        }
        Ok(json!({ "page": address }))
    }

    fn progress(&mut self, value: &Value) {
        if !self.can_progress {
            return;
        }
        let token = "selvedge/check";
        if value["kind"] == "begin" {
            self.request(WorkDoneProgressCreate::METHOD, json!({ "token": token }));
        }
        self.notify(Progress::METHOD, json!({ "token": token, "value": value }));
    }

    fn show(&self, kind: MessageType, message: String) {
        self.notify(ShowMessage::METHOD, ShowMessageParams { typ: kind, message });
    }

    fn log(&self, message: &str) {
        self.notify(
            LogMessage::METHOD,
            LogMessageParams { typ: MessageType::INFO, message: message.to_owned() },
        );
    }

    fn notify(&self, method: &str, parameters: impl Serialize) {
        self.send(Notification::new(method.to_owned(), parameters));
    }

    fn request(&mut self, method: &str, parameters: impl Serialize) {
        self.requests += 1;
        self.send(Request::new(RequestId::from(self.requests), method.to_owned(), parameters));
    }

    /// An editor that is gone misses nothing.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.connection.sender.send(message.into());
    }
}
