//! One session: messages of the editor, changes of the class files, and results of checks, in one loop.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use crossbeam_channel::Receiver;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWorkspaceFolders, DidCloseTextDocument, DidOpenTextDocument,
    Notification as _, WorkDoneProgressCancel,
};
use lsp_types::request::{CodeActionRequest, ExecuteCommand, HoverRequest, Request as _};
use lsp_types::{
    CodeActionParams, CodeActionProviderCapability, DidChangeTextDocumentParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    ExecuteCommandOptions, ExecuteCommandParams, Hover, HoverContents, HoverParams, HoverProviderCapability,
    InitializeParams, MarkupContent, MarkupKind, MessageType, OneOf, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::client::Client;
use crate::commands::{Jobs, Order};
use crate::java::Source;
use crate::project::Settings;
use crate::workspace::{Open, Workspace};
use crate::{hover, offers, rules, uri};

/// The time between two looks at processes that are at work.
const SOON: Duration = Duration::from_millis(25);

/// The longest time without a look at anything.
const LATE: Duration = Duration::from_millis(250);

/// What the server can do.
pub fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: Order::ALL.map(|order| order.name().to_owned()).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            ..WorkspaceServerCapabilities::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// A session with an editor.
pub struct Server {
    client: Client,
    made_with: Means,
    workspaces: Vec<Workspace>,
    /// How many folders there have been.
    folders: usize,
    open: Open,
    jobs: Jobs,
}

/// What folders are checked with.
struct Means {
    settings: Settings,
    executable: PathBuf,
    scratch: PathBuf,
}

impl Server {
    /// A session with what the editor said first.
    pub fn new(
        connection: &Connection,
        parameters: InitializeParams,
        executable: PathBuf,
        scratch: PathBuf,
    ) -> Self {
        let client = Client::new(connection.sender.clone(), parameters.capabilities);
        let options = parameters.initialization_options.unwrap_or(Value::Null);
        let settings = serde_json::from_value::<Option<Settings>>(options).unwrap_or_else(|error| {
            client.show(MessageType::ERROR, &format!("the settings are not valid: {error}"));
            None
        });
        let made_with = Means { settings: settings.unwrap_or_default(), executable, scratch };
        let mut server = Self {
            client,
            made_with,
            workspaces: Vec::new(),
            folders: 0,
            open: Open::new(),
            jobs: Jobs::default(),
        };
        let folders = parameters.workspace_folders.unwrap_or_default();
        let mut roots: Vec<PathBuf> = folders.iter().filter_map(|folder| uri::to_path(&folder.uri)).collect();
        if roots.is_empty() {
            #[allow(deprecated)]
            roots.extend(parameters.root_uri.as_ref().and_then(uri::to_path));
        }
        roots.into_iter().for_each(|root| server.add(root));
        server
    }

    fn add(&mut self, root: PathBuf) {
        let Means { settings, executable, scratch } = &self.made_with;
        let scratch = scratch.join(self.folders.to_string());
        self.folders += 1;
        if let Err(error) = std::fs::create_dir_all(&scratch) {
            let sentence = format!("cannot make the directory {}: {error}", scratch.display());
            return self.client.show(MessageType::ERROR, &sentence);
        }
        let own = scratch.join("rules.html");
        let written = std::fs::write(&own, rules::page()).ok().and_then(|()| uri::of_path(&own));
        let rules = settings.rules.clone().or_else(|| Some(written?.as_str().to_owned()));
        self.workspaces.push(Workspace::new(root, settings.clone(), rules, executable.clone(), scratch));
    }

    /// Serves until the editor says `exit` or is gone. Whether it said good-bye before.
    pub fn run(mut self, receiver: &Receiver<Message>) -> Result<bool> {
        let mut is_shut_down = false;
        loop {
            match receiver.recv_timeout(self.pause()) {
                Ok(Message::Request(request)) if is_shut_down => {
                    let sentence = "the server was shut down".to_owned();
                    let code = ErrorCode::InvalidRequest as i32;
                    self.client.answer(Response::new_err(request.id, code, sentence));
                }
                Ok(Message::Request(request)) if request.method == "shutdown" => {
                    is_shut_down = true;
                    self.workspaces.clear();
                    self.jobs = Jobs::default();
                    self.client.answer(Response::new_ok(request.id, Value::Null));
                }
                Ok(Message::Request(request)) => self.answer(request),
                Ok(Message::Notification(notification)) if notification.method == "exit" => {
                    return Ok(is_shut_down);
                }
                Ok(Message::Notification(notification)) => self.take(notification),
                Ok(Message::Response(_)) => {}
                Err(error) if error.is_timeout() => {}
                // The editor has gone without a word.
                Err(_) => return Ok(true),
            }
            self.look();
        }
    }

    fn pause(&self) -> Duration {
        if self.jobs.is_busy() || self.workspaces.iter().any(|it| it.checker().is_busy()) {
            return SOON;
        }
        let due = self.workspaces.iter().map(Workspace::due).min();
        due.map_or(LATE, |due| due.saturating_duration_since(Instant::now())).min(LATE)
    }

    /// Looks at the files that are due, and at the processes that are at work.
    fn look(&mut self) {
        for index in 0..self.workspaces.len() {
            // One check at a time, whatever the number of folders.
            let mut others = self.workspaces.iter().enumerate().filter(|(other, _)| *other != index);
            let may_start = !others.any(|(_, it)| it.checker().is_busy());
            let workspace = &mut self.workspaces[index];
            if workspace.due() <= Instant::now() {
                workspace.look(&mut self.client, may_start);
            }
            workspace.poll(&self.client);
        }
        self.jobs.poll(&mut self.client);
    }

    fn take(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Some(it) = read::<DidOpenTextDocumentParams>(params)
                    && let Some(path) = uri::to_path(&it.text_document.uri)
                {
                    self.open.insert(path, it.text_document.text);
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Some(mut it) = read::<DidChangeTextDocumentParams>(params)
                    && let Some(path) = uri::to_path(&it.text_document.uri)
                    && let Some(change) = it.content_changes.pop()
                {
                    self.open.insert(path, change.text);
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Some(it) = read::<DidCloseTextDocumentParams>(params)
                    && let Some(path) = uri::to_path(&it.text_document.uri)
                {
                    self.open.remove(&path);
                }
            }
            DidChangeWorkspaceFolders::METHOD => {
                if let Some(it) = read::<DidChangeWorkspaceFoldersParams>(params) {
                    let paths = |folders: &[lsp_types::WorkspaceFolder]| -> Vec<PathBuf> {
                        folders.iter().filter_map(|folder| uri::to_path(&folder.uri)).collect()
                    };
                    let removed = paths(&it.event.removed);
                    let (gone, kept) = std::mem::take(&mut self.workspaces)
                        .into_iter()
                        .partition(|workspace| removed.iter().any(|path| path == workspace.root()));
                    self.workspaces = kept;
                    Vec::into_iter(gone).for_each(|workspace: Workspace| workspace.close(&self.client));
                    paths(&it.event.added).into_iter().for_each(|root| self.add(root));
                }
            }
            WorkDoneProgressCancel::METHOD => {
                self.workspaces.iter_mut().for_each(|it| it.cancel(&self.client, &params["token"]));
                self.jobs.cancel(&self.client, &params["token"]);
            }
            _ => {}
        }
    }

    fn answer(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            HoverRequest::METHOD => serde_json::from_value(params).map(|it| json!(self.hover(&it))),
            CodeActionRequest::METHOD => serde_json::from_value(params).map(|it: CodeActionParams| {
                json!(offers::at(&it.context.diagnostics, &self.workspaces, &self.open))
            }),
            ExecuteCommand::METHOD => serde_json::from_value(params).map(|it| self.execute(&it)),
            _ => {
                let code = ErrorCode::MethodNotFound as i32;
                return self.client.answer(Response::new_err(id, code, format!("{method} is not supported")));
            }
        };
        self.client.answer(match answer {
            Ok(answer) => Response::new_ok(id, answer),
            Err(error) => Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string()),
        });
    }

    fn execute(&mut self, parameters: &ExecuteCommandParams) -> Value {
        let ExecuteCommandParams { command, arguments, .. } = parameters;
        let done = Order::named(command)
            .ok_or_else(|| format!("there is no command {command}"))
            .and_then(|order| self.jobs.execute(order, arguments, &mut self.workspaces, &mut self.client));
        done.unwrap_or_else(|sentence| {
            self.client.show(MessageType::ERROR, &sentence);
            Value::Null
        })
    }

    fn hover(&self, parameters: &HoverParams) -> Option<Hover> {
        let at = &parameters.text_document_position_params;
        let path = uri::to_path(&at.text_document.uri)?;
        let report = self.workspace_of(&path)?.report()?;
        let text = self.open.get(&path).cloned().or_else(|| std::fs::read_to_string(&path).ok())?;
        let source = Source::new(&text);
        let name = source.word_at(source.offset(at.position)?)?;
        let value = hover::about(report, &source, name, at.position.line.saturating_add(1))?;
        let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
        Some(Hover { contents, range: None })
    }

    /// The folder that a file belongs to: the innermost.
    fn workspace_of(&self, path: &Path) -> Option<&Workspace> {
        let owners = self.workspaces.iter().filter(|it| it.owns(path));
        owners.max_by_key(|it| it.root().as_os_str().len())
    }
}

/// The parameters of a notification; one that is malformed means nothing.
fn read<T: DeserializeOwned>(parameters: Value) -> Option<T> {
    serde_json::from_value(parameters).ok()
}
