//! What the server says to the editor on its own: messages, progress, requests.

use crossbeam_channel::Sender;
use lsp_server::{Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{LogMessage, Notification as _, Progress, ShowMessage};
use lsp_types::request::{Request as _, ShowDocument, WorkDoneProgressCreate};
use lsp_types::{
    ClientCapabilities, LogMessageParams, MessageType, ShowDocumentParams, ShowMessageParams, Uri,
};
use serde::Serialize;
use serde_json::{Value, json};

/// The editor, as far as it is spoken to.
pub struct Client {
    sender: Sender<Message>,
    can_progress: bool,
    can_show: bool,
    requests: i32,
}

/// Work whose progress the editor shows, by its token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Work(String);

impl Work {
    /// Whether a token names this work.
    pub fn is(&self, token: &Value) -> bool {
        *token == self.0.as_str()
    }
}

impl Client {
    /// An editor that can do what it says.
    pub fn new(sender: Sender<Message>, capabilities: ClientCapabilities) -> Self {
        let window = capabilities.window.unwrap_or_default();
        Self {
            sender,
            can_progress: window.work_done_progress == Some(true),
            can_show: window.show_document.is_some_and(|it| it.support),
            requests: 0,
        }
    }

    /// Some work begins, which the user may cancel.
    pub fn begin(&mut self, message: &str) -> Work {
        let work = Work(format!("selvedge/{}", self.requests));
        if self.can_progress {
            self.request(WorkDoneProgressCreate::METHOD, json!({ "token": work.0 }));
        } else {
            self.requests += 1;
        }
        let value = json!({ "kind": "begin", "title": "Selvedge", "message": message, "cancellable": true });
        self.progress(&work, &value);
        work
    }

    /// What the work is at now.
    pub fn report(&self, work: &Work, message: &str) {
        self.progress(work, &json!({ "kind": "report", "message": message }));
    }

    /// The work is done.
    pub fn end(&self, work: &Work, message: &str) {
        self.progress(work, &json!({ "kind": "end", "message": message }));
    }

    fn progress(&self, work: &Work, value: &Value) {
        if self.can_progress {
            self.notify(Progress::METHOD, json!({ "token": work.0, "value": value }));
        }
    }

    /// Has the editor show a page or a file, if it can.
    pub fn open(&mut self, uri: Uri, is_page: bool) {
        if self.can_show {
            let parameters =
                ShowDocumentParams { uri, external: Some(is_page), take_focus: Some(true), selection: None };
            self.request(ShowDocument::METHOD, parameters);
        }
    }

    /// A sentence for the user to see at once.
    pub fn show(&self, kind: MessageType, sentence: &str) {
        let message = format!("Selvedge: {sentence}");
        self.notify(ShowMessage::METHOD, ShowMessageParams { typ: kind, message });
    }

    /// A sentence for the log.
    pub fn log(&self, sentence: &str) {
        let message = sentence.to_owned();
        self.notify(LogMessage::METHOD, LogMessageParams { typ: MessageType::INFO, message });
    }

    /// Sends a notification.
    pub fn notify(&self, method: &str, parameters: impl Serialize) {
        self.send(Notification::new(method.to_owned(), parameters));
    }

    /// Answers a request.
    pub fn answer(&self, response: Response) {
        self.send(response);
    }

    fn request(&mut self, method: &str, parameters: impl Serialize) {
        self.requests += 1;
        self.send(Request::new(RequestId::from(self.requests), method.to_owned(), parameters));
    }

    /// An editor that is gone misses nothing.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.sender.send(message.into());
    }
}
