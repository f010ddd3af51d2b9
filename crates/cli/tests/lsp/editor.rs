//! An editor without a person, and a folder that it edits.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Longer than any check takes at low priority on a busy machine: a session that hangs fails.
pub const PATIENCE: Duration = Duration::from_secs(900);

/// An editor without a person.
pub struct Editor {
    pub child: Child,
    pub input: ChildStdin,
    messages: Receiver<Value>,
    /// The newest diagnostics of each file.
    diagnostics: BTreeMap<String, Vec<Value>>,
    /// What the server said beside them.
    pub heard: Vec<Value>,
    /// How much of that was waited for.
    heeded: usize,
    number: i64,
}

impl Editor {
    pub fn start(root: &Path, options: &Value) -> Self {
        Self::start_with(&[root], options, &[])
    }

    /// An editor with several folders, whose server has these variables in its environment.
    pub fn start_with(roots: &[&Path], options: &Value, environment: &[(&str, &str)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
        command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).envs(environment.iter().copied());
        let mut child = command.env("XDG_CACHE_HOME", roots[0].join(".cache")).spawn().unwrap();
        let (sender, messages) = channel();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take().unwrap();
        let mut editor = Self {
            child,
            input,
            messages,
            diagnostics: BTreeMap::new(),
            heard: Vec::new(),
            heeded: 0,
            number: 0,
        };
        let answer = editor.ask(
            "initialize",
            json!({
                "processId": null,
                "rootUri": address(roots[0]),
                "workspaceFolders": roots.iter().map(|root| folder(root)).collect::<Vec<_>>(),
                "capabilities": { "window": { "workDoneProgress": true } },
                "initializationOptions": options,
            }),
        );
        assert_eq!(answer["serverInfo"]["name"], "selvedge", "{answer}");
        editor.tell("initialized", json!({}));
        editor
    }

    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    pub fn tell(&mut self, method: &str, parameters: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    pub fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let id = self.number;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        self.wait(|message| {
            (message["id"] == id && message.get("method").is_none()).then(|| message["result"].clone())
        })
    }

    /// Takes messages until one is what is waited for.
    pub fn wait<T>(&mut self, wanted: impl Fn(&Value) -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            let left = PATIENCE.checked_sub(start.elapsed()).expect("the server has not answered");
            let message = self.messages.recv_timeout(left).expect("the server has not answered");
            if message["method"] == "textDocument/publishDiagnostics" {
                let found = message["params"]["diagnostics"].as_array().unwrap().clone();
                self.diagnostics.insert(message["params"]["uri"].as_str().unwrap().to_owned(), found);
            }
            let result = wanted(&message);
            self.heard.push(message);
            if let Some(result) = result {
                return result;
            }
        }
    }

    /// Waits until some work has ended that no newer one has replaced, and returns what is said of it.
    pub fn wait_for_end(&mut self) -> String {
        self.wait(|message| {
            let value = &message["params"]["value"];
            let end = value["message"].as_str().unwrap_or_default();
            let is_end = message["method"] == "$/progress" && value["kind"] == "end";
            (is_end && end != "a newer build is checked").then(|| end.to_owned())
        })
    }

    /// Waits until a check has given its result.
    pub fn wait_for_check(&mut self) {
        let end = self.wait_for_end();
        assert_ne!(end, "no result", "{:#?}", self.heard);
    }

    /// Waits until the server has said a sentence with these words, in the log or at once, after the last that was waited for.
    pub fn wait_for_words(&mut self, words: &str) {
        let is_it = |message: &Value| {
            let is_said =
                message["method"] == "window/logMessage" || message["method"] == "window/showMessage";
            is_said && message["params"]["message"].as_str().is_some_and(|text| text.contains(words))
        };
        if let Some(at) = self.heard[self.heeded..].iter().position(is_it) {
            self.heeded += at + 1;
            return;
        }
        self.wait(|message| is_it(message).then_some(()));
        self.heeded = self.heard.len();
    }

    /// Orders something about a finding.
    pub fn order(&mut self, command: &str, arguments: &Value) -> Value {
        self.ask("workspace/executeCommand", json!({ "command": command, "arguments": arguments }))
    }

    pub fn of(&self, path: &Path) -> &[Value] {
        self.of_uri(&address(path))
    }

    pub fn of_uri(&self, uri: &str) -> &[Value] {
        self.diagnostics.get(uri).map_or(&[], Vec::as_slice)
    }

    pub fn actions(&mut self, path: &Path) -> Vec<Value> {
        self.actions_at(&address(path))
    }

    pub fn actions_at(&mut self, uri: &str) -> Vec<Value> {
        let diagnostics = self.of_uri(uri).to_vec();
        let Some(range) = diagnostics.first().map(|it| it["range"].clone()) else { return Vec::new() };
        let parameters = json!({
            "textDocument": { "uri": uri },
            "range": range,
            "context": { "diagnostics": diagnostics },
        });
        self.ask("textDocument/codeAction", parameters).as_array().unwrap().clone()
    }

    pub fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.child.wait().unwrap().success());
    }
}

fn read(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().strip_prefix("Content-Length: ") {
            Some(text) => length = text.parse().ok()?,
            None if line.trim().is_empty() => break,
            None => {}
        }
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// A folder as the protocol names it.
pub fn folder(root: &Path) -> Value {
    json!({ "uri": address(root), "name": root.file_name().unwrap().to_string_lossy() })
}

pub fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// A plain folder with sources in `src`, compiled to `classes`.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("selvedge-lsp-test-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(root.join("src")).unwrap();
        Self(root.canonicalize().unwrap())
    }

    pub fn source(&self, name: &str) -> PathBuf {
        self.0.join("src").join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.source(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Compiles everything beside, then puts the classes where they belong.
    pub fn compile(&self) {
        let made = self.0.join("made");
        let _ = std::fs::remove_dir_all(&made);
        let mut sources = Vec::new();
        list(&self.0.join("src"), &mut sources);
        let mut javac = Command::new("javac");
        let run = javac.args(["-g", "-nowarn", "-d"]).arg(&made).args(sources).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let _ = std::fs::remove_dir_all(self.0.join("classes"));
        std::fs::rename(made, self.0.join("classes")).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn list(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            list(&path, found);
        } else if path.extension().is_some_and(|it| it == "java") {
            found.push(path);
        }
    }
}

/// A text after the edits that the protocol lists; columns count UTF-16 units.
pub fn apply(text: &str, edits: &[Value]) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let offset = |position: &Value| {
        let line = position["line"].as_u64().unwrap() as usize;
        let before: usize = lines[..line].iter().map(|line| line.len()).sum();
        let mut units = position["character"].as_u64().unwrap() as usize;
        let within = lines.get(line).copied().unwrap_or_default().char_indices().find(|(_, character)| {
            let is_there = units == 0;
            units = units.saturating_sub(character.len_utf16());
            is_there
        });
        before + within.map_or_else(|| lines.get(line).map_or(0, |line| line.len()), |(at, _)| at)
    };
    let mut changed = text.to_owned();
    let mut ordered: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|it| {
            (offset(&it["range"]["start"]), offset(&it["range"]["end"]), it["newText"].as_str().unwrap())
        })
        .collect();
    ordered.sort_unstable();
    for (start, end, new) in ordered.into_iter().rev() {
        changed.replace_range(start..end, new);
    }
    changed
}

/// The text of a file after a change of the workspace that lists document changes, as suppressions do.
pub fn apply_to_documents(action: &Value, path: &Path) {
    let changes = action["edit"]["documentChanges"].as_array().unwrap();
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let edits = changes.iter().find_map(|it| it["edits"].as_array()).unwrap();
    std::fs::write(path, apply(&text, edits)).unwrap();
}
