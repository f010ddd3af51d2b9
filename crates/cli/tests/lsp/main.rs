//! Sessions with the language server, through the real executable: diagnostics follow the class files, hovers and actions answer from
//! the last check, changes that actions make mend what they are offered for.
#![allow(clippy::unwrap_used)]

mod changes;
mod editor;

use std::time::{Duration, Instant};

use selvedge_testkit::jdk_or_skip;
use serde_json::{Value, json};

use editor::{Editor, Folder, PATIENCE, address, apply};

const COUNTER: &str = "\
class Counter {
    private int count;

    void add() {
        count++;
    }

    int get() {
        return count;
    }

    public static void main(String[] arguments) {
        Counter counter = new Counter();
        new Thread(counter::add).start();
        counter.add();
        System.out.println(counter.get());
    }
}
";

#[test]
fn a_session_from_the_first_word_to_the_last() {
    if jdk_or_skip().is_none() {
        return;
    }
    let folder = Folder::new("session");
    let path = folder.write("Counter.java", COUNTER);
    let mut editor = Editor::start(&folder.0, &json!({}));
    editor.tell(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": address(&path), "languageId": "java", "version": 1, "text": COUNTER } }),
    );
    // Nothing is compiled yet, so nothing is checked; questions are answered all the same.
    let at = json!({ "textDocument": { "uri": address(&path) }, "position": { "line": 4, "character": 9 } });
    assert_eq!(editor.ask("textDocument/hover", at.clone()), Value::Null);
    folder.compile();
    editor.wait_for_check();
    let found = editor.of(&path).to_vec();
    assert!(!found.is_empty(), "{:#?}", editor.heard);
    let first = &found[0];
    assert_eq!(first["source"], "selvedge");
    assert_eq!(first["code"], "race/field");
    assert_eq!(first["range"]["start"], json!({ "line": 4, "character": 8 }));
    assert!(!first["relatedInformation"].as_array().unwrap().is_empty());
    let hover = editor.ask("textDocument/hover", at);
    assert!(hover["contents"]["value"].as_str().unwrap().contains("**Race**"), "{hover}");

    let actions = editor.actions(&path);
    let titles: Vec<&str> = actions.iter().map(|it| it["title"].as_str().unwrap()).collect();
    for wanted in ["AtomicInteger", "synchronized", "selvedge.toml", "baseline", "Open the report"] {
        assert!(titles.iter().any(|title| title.contains(wanted)), "{wanted}: {titles:?}");
    }
    // A text that the check has not seen is not changed.
    editor.tell(
        "textDocument/didChange",
        json!({
            "textDocument": { "uri": address(&path), "version": 2 },
            "contentChanges": [{ "text": format!("// new\n{COUNTER}") }],
        }),
    );
    assert!(editor.actions(&path).iter().all(|it| it["data"]["change"] != "atomic"));

    // The mended class takes the findings away.
    let atomic = actions.iter().find(|it| it["data"]["change"] == "atomic").unwrap();
    let edits = atomic["edit"]["changes"][address(&path)].as_array().unwrap();
    let mended = apply(COUNTER, edits);
    folder.write("Counter.java", &mended);
    folder.compile();
    editor.wait_for_check();
    assert_eq!(editor.of(&path), &[] as &[Value], "{mended}");

    // A build that is gone takes nothing away, and the next one is checked.
    std::fs::remove_dir_all(folder.0.join("classes")).unwrap();
    editor.wait(|message| {
        let text = message["params"]["message"].as_str()?;
        (message["method"] == "window/logMessage" && text.contains("last result stays")).then_some(())
    });
    folder.write("Counter.java", COUNTER);
    folder.compile();
    editor.wait_for_check();
    assert!(!editor.of(&path).is_empty());

    // What is accepted is not shown any more.
    let accept = editor.actions(&path).into_iter().find(|it| it["command"] == "selvedge.accept").unwrap();
    editor.ask(
        "workspace/executeCommand",
        json!({ "command": "selvedge.accept", "arguments": accept["arguments"] }),
    );
    editor.wait_for_check();
    assert_eq!(editor.of(&path), &[] as &[Value]);
    editor.end();
}

#[test]
fn bad_words_are_answered() {
    let folder = Folder::new("bad");
    let mut editor = Editor::start(&folder.0, &json!({ "classes": "a text instead of a list" }));
    editor.wait(|message| (message["method"] == "window/showMessage").then_some(()));
    assert_eq!(editor.ask("no/such/method", json!({})), Value::Null);
    assert_eq!(editor.ask("textDocument/hover", json!({ "position": 3 })), Value::Null);
    assert_eq!(
        editor.ask("workspace/executeCommand", json!({ "command": "selvedge.openReport" })),
        Value::Null
    );
    editor.end();
}

/// An editor that dies takes the server with it.
#[test]
fn a_closed_input_ends_the_server() {
    let folder = Folder::new("closed");
    let editor = Editor::start(&folder.0, &json!({}));
    let Editor { mut child, input, .. } = editor;
    drop(input);
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < PATIENCE, "the server goes on without an editor");
        std::thread::sleep(Duration::from_millis(50));
    }
}
