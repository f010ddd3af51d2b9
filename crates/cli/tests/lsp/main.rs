//! Sessions with the language server, through the real executable: diagnostics follow the class files, hovers and actions answer from
//! the last check, changes that actions make mend what they are offered for.
#![allow(clippy::unwrap_used)]

mod changes;
mod editor;

use std::io::Write as _;
use std::time::{Duration, Instant};

use selvedge_testkit::jdk_or_skip;
use serde_json::{Value, json};

use editor::{Editor, Folder, PATIENCE, address, apply, folder};

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

/// As a library it is meant for several threads, since it has a lock.
const LIBRARY: &str = "\
public class Counter {
    private int count;

    public synchronized void up() {
        count++;
    }

    public void reset() {
        count = 0;
    }

    public static void main(String[] arguments) {
        Counter counter = new Counter();
        new Thread(counter::up).start();
        counter.reset();
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
    let rule = first["codeDescription"]["href"].as_str().unwrap();
    let (page, section) = rule.split_once('#').unwrap();
    let page = std::fs::read_to_string(page.strip_prefix("file://").unwrap()).unwrap();
    assert!(page.contains(&format!("id=\"{section}\"")), "{rule}");

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
    editor.wait_for_words("last result stays");
    folder.write("Counter.java", COUNTER);
    folder.compile();
    editor.wait_for_check();
    assert!(!editor.of(&path).is_empty());

    // What is accepted is not shown any more.
    let accept = editor.actions(&path).into_iter().find(|it| it["command"] == "selvedge.accept").unwrap();
    editor.order("selvedge.accept", &accept["arguments"]);
    editor.wait_for_check();
    assert_eq!(editor.of(&path), &[] as &[Value]);
    editor.end();
}

/// Columns count UTF-16 units, and the ends of lines stay what they are.
#[test]
fn any_letters_and_any_line_ends() {
    if jdk_or_skip().is_none() {
        return;
    }
    let folder = Folder::new("letters");
    let text = COUNTER
        .replace("        count++;", "        /* \u{1F600} \u{e9} */ count++;")
        .replace("private int count;", "private int count; // \u{1F600}")
        .replace('\n', "\r\n");
    let path = folder.write("Counter \u{fc}/Counter.java", &text);
    folder.compile();
    let mut editor = Editor::start(&folder.0, &json!({}));
    editor.wait_for_check();
    let uri = address(&path).replace(' ', "%20").replace('\u{fc}', "%C3%BC");
    let found = editor.of_uri(&uri).to_vec();
    let starts: Vec<_> = found.iter().map(|it| it["range"]["start"].clone()).collect();
    assert!(starts.contains(&json!({ "line": 4, "character": 19 })), "{starts:?}");
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 4, "character": 20 } });
    assert!(editor.ask("textDocument/hover", at)["contents"]["value"].is_string());
    let actions = editor.actions_at(&uri);
    let atomic = actions.iter().find(|it| it["data"]["change"] == "atomic").unwrap();
    let mended = apply(&text, atomic["edit"]["changes"][&uri].as_array().unwrap());
    assert!(mended.contains("*/ count.incrementAndGet();"), "{mended}");
    assert_eq!(mended.matches('\n').count(), mended.matches("\r\n").count(), "{mended:?}");
    std::fs::write(&path, &mended).unwrap();
    folder.compile();
    editor.wait_for_check();
    assert_eq!(editor.of_uri(&uri), &[] as &[Value], "{mended}");
    editor.end();
}

/// A compiler that has failed may have taken classes away before.
#[test]
fn a_broken_build_takes_nothing_away() {
    if jdk_or_skip().is_none() {
        return;
    }
    let folder = Folder::new("broken");
    let path = folder.write("Counter.java", COUNTER);
    let other = folder.write("Other.java", "class Other { int number; }\n");
    folder.compile();
    let mut editor = Editor::start(&folder.0, &json!({}));
    editor.wait_for_check();
    assert!(!editor.of(&path).is_empty());
    // What was not compiled is not changed, either.
    let is_offered =
        |editor: &mut Editor| editor.actions(&path).iter().any(|it| it["data"]["change"] == "atomic");
    assert!(is_offered(&mut editor));
    std::fs::remove_file(folder.0.join("classes/Counter.class")).unwrap();
    editor.wait_for_words("the build is broken or not done: 1 class is missing");
    assert!(!editor.of(&path).is_empty());
    assert!(!is_offered(&mut editor));
    // A class whose source is gone is meant to be gone.
    std::fs::remove_file(&path).unwrap();
    std::fs::remove_file(&other).unwrap();
    folder.write("Last.java", "class Last { public static void main(String[] arguments) {} }\n");
    folder.compile();
    editor.wait_for_check();
    assert_eq!(editor.of(&path), &[] as &[Value]);
    editor.end();
}

/// A check is held where its pairs are judged, so that it is at work for as long as the test wants.
#[test]
fn a_newer_build_and_the_user_stop_a_check() {
    if jdk_or_skip().is_none() {
        return;
    }
    let folder = Folder::new("stopped");
    folder.write("Counter.java", COUNTER);
    folder.compile();
    let mut editor = Editor::start_with(&[&folder.0], &json!({}), &[("SELVEDGE_HOLD", "pairs")]);
    let begun = |editor: &mut Editor| {
        editor.wait(|message| {
            let params = &message["params"];
            (params["value"]["kind"] == "begin").then(|| params["token"].clone())
        })
    };
    let first = begun(&mut editor);
    folder.write("Counter.java", &format!("// longer\n{COUNTER}"));
    folder.compile();
    editor.wait(|message| {
        let params = &message["params"];
        let is_stopped = params["value"]["message"] == "a newer build is checked";
        (is_stopped && params["token"] == first).then_some(())
    });
    let second = begun(&mut editor);
    assert_ne!(first, second);
    editor.tell("window/workDoneProgress/cancel", json!({ "token": second }));
    assert_eq!(editor.wait_for_end(), "cancelled");
    // Nothing is begun again until something changes; a command does it, too.
    editor.order("selvedge.check", &json!([]));
    begun(&mut editor);
    editor.end();
}

#[test]
fn several_folders_come_and_go() {
    if jdk_or_skip().is_none() {
        return;
    }
    let folders = ["one", "two"].map(Folder::new);
    let paths = folders.each_ref().map(|it| it.write("Counter.java", COUNTER));
    folders.iter().for_each(Folder::compile);
    let mut editor = Editor::start_with(&[&folders[0].0, &folders[1].0], &json!({}), &[]);
    editor.wait_for_check();
    editor.wait_for_check();
    assert!(paths.iter().all(|path| !editor.of(path).is_empty()), "{:#?}", editor.heard);
    let event = json!({ "removed": [folder(&folders[1].0)], "added": [] });
    editor.tell("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
    // Questions about files that belong to no folder have no answer.
    let at =
        json!({ "textDocument": { "uri": address(&paths[1]) }, "position": { "line": 4, "character": 9 } });
    assert_eq!(editor.ask("textDocument/hover", at), Value::Null);
    assert_eq!(editor.of(&paths[1]), &[] as &[Value]);
    assert!(!editor.of(&paths[0]).is_empty());
    editor.end();
}

/// The page, a run that makes the finding happen, and a test that does.
#[test]
fn commands_open_confirm_and_write() {
    if jdk_or_skip().is_none() {
        return;
    }
    let folder = Folder::new("commands");
    let path = folder.write("Counter.java", LIBRARY);
    folder.compile();
    let mut editor = Editor::start(&folder.0, &json!({}));
    editor.wait_for_check();
    let key = json!([editor.of(&path)[0]["data"]["key"]]);
    editor.order("selvedge.openReport", &key);
    assert_eq!(editor.wait_for_end(), "written");
    editor.wait_for_words("the report is at file://");
    editor.order("selvedge.confirm", &key);
    // One thing at a time.
    editor.order("selvedge.writeTest", &key);
    editor.wait_for_words("one thing at a time");
    let end = editor.wait_for_end();
    assert!(end.starts_with("confirmed"), "{end}");
    editor.order("selvedge.writeTest", &key);
    let end = editor.wait_for_end();
    assert!(end.starts_with("confirmed"), "{end}");
    let mut written = Vec::new();
    editor::list(&folder.0.join("racing-tests"), &mut written);
    assert!(!written.is_empty(), "{:#?}", editor.heard);
    editor.end();
}

#[test]
fn bad_words_are_answered() {
    let folder = Folder::new("bad");
    let mut editor = Editor::start(&folder.0, &json!({ "classes": "a text instead of a list" }));
    editor.wait(|message| (message["method"] == "window/showMessage").then_some(()));
    assert_eq!(editor.ask("no/such/method", json!({})), Value::Null);
    assert_eq!(editor.ask("textDocument/hover", json!({ "position": 3 })), Value::Null);
    for command in ["selvedge.openReport", "selvedge.confirm", "no.such.command"] {
        assert_eq!(editor.order(command, &json!(["no such key", 3, null])), Value::Null);
    }
    // What is no message is passed over; what names a request is answered.
    for bad in ["{", "[]", "\u{fffd}", "{\"jsonrpc\":\"2.0\"}"] {
        write!(editor.input, "Content-Length: {}\r\n\r\n{bad}", bad.len()).unwrap();
        editor.wait_for_words("what is not a message");
    }
    editor.send(&json!({ "id": 77, "method": 3 }));
    let error = editor.wait(|message| (message["id"] == 77).then(|| message["error"]["code"].clone()));
    assert_eq!(error, -32600);
    // Names of files that are none, positions that are not there, requests that are cancelled when they are answered.
    let far = json!({ "line": u32::MAX, "character": u32::MAX });
    for uri in
        ["untitled:x", "file:///etc/passwd", "file:///%00", "http://host/x", "file:///no/such/File.java"]
    {
        let at = json!({ "textDocument": { "uri": uri }, "position": far });
        assert_eq!(editor.ask("textDocument/hover", at), Value::Null, "{uri}");
        editor.tell(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "java", "version": 1, "text": "\u{0}" } }),
        );
        editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
    editor.tell("$/cancelRequest", json!({ "id": 1 }));
    editor.tell("window/workDoneProgress/cancel", json!({ "token": {} }));
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
