//! `selvedge models` from the outside: what it prints, where, and with which status.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

use selvedge_testkit::{JavacOptions, compile, jdk_or_skip};

fn selvedge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selvedge")).arg("models").args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// A file of rows, in a directory of its own.
fn rows(name: &str, text: &str) -> String {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("models").join(name);
    std::fs::create_dir_all(&dir).unwrap();
    let file = dir.join("mine.toml");
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn rows_are_listed_by_class_and_effect() {
    let output = selvedge(&["list", "--class", "StampedLock", "--effect", "validate"]);
    assert_eq!((stderr(&output), output.status.code()), ("", Some(0)));
    let (place, row) = stdout(&output).split_once(": ").unwrap();
    assert!(place.starts_with("locks.toml:"), "{place}");
    assert_eq!(row, "java.util.concurrent.locks.StampedLock.validate(*): validate this when result-true\n");

    let output = selvedge(&["list", "--class", "java.lang.Shutdown", "--provenance"]);
    let lines: Vec<&str> = stdout(&output).lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].ends_with("root java.lang.Shutdown.shutdown()V with () in thread vm"), "{}", lines[0]);
    assert!(lines[1].starts_with("    HotSpot"), "{}", lines[1]);

    let output = selvedge(&["list", "--class", "no.such.Class"]);
    assert_eq!((stdout(&output), output.status.code()), ("", Some(2)));
    assert_eq!(stderr(&output), "selvedge: no model row is for such a class or has such an effect\n");
}

#[test]
fn the_rows_of_a_user_are_read_and_their_errors_told() {
    let file = rows(
        "right",
        "provenance = 'its manual'\n[[method]]\nclass = 'acme.Gate'\nname = 'enter'\n\
         effects = [{ acquire = { lock = 'this' } }]\n",
    );
    let output = selvedge(&["list", "--models", &file, "--class", "Gate"]);
    assert_eq!(stdout(&output), format!("{file}:2: acme.Gate.enter(*): acquire this\n"));

    let file = rows("wrong", "[[method]]\nclass = 'acme.Gate'\nname = 'enter'\neffects = []\n");
    let output = selvedge(&["list", "--models", &file]);
    assert_eq!((stdout(&output), output.status.code()), ("", Some(2)));
    let expected = "the row has no provenance, and the file gives none for all its rows";
    assert_eq!(stderr(&output), format!("selvedge: {file}:1: {expected}\n"));

    let output = selvedge(&["list", "--models", "no/such/file.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("selvedge: cannot read no/such/file.toml"), "{}", stderr(&output));
}

#[test]
fn rows_are_checked_against_the_jdk_and_the_given_classes() {
    let Some(_) = jdk_or_skip() else { return };
    let source = "package acme; public class Gate { public void enter() {} public static Gate the() { return null; } }";
    let classes = compile(&[("acme/Gate.java", source)], &JavacOptions::default()).unwrap();
    let head = "provenance = 'its manual'\n[[method]]\nclass = 'acme.Gate'\n";

    let right =
        rows("fits", &format!("{head}name = 'enter'\neffects = [{{ acquire = {{ lock = 'this' }} }}]\n"));
    let output = selvedge(&["check", classes.path().to_str().unwrap(), "--models", &right]);
    assert_eq!((stderr(&output), output.status.code()), ("", Some(0)));
    assert!(stdout(&output).contains(", 0 problems; "), "{}", stdout(&output));

    let wrong = rows(
        "does-not-fit",
        &format!(
            "{head}name = ['leave', 'the']\neffects = [{{ flow = {{ from = 'this.held', to = 'result' }} }}]\n"
        ),
    );
    let output = selvedge(&["check", classes.path().to_str().unwrap(), "--models", &wrong, "--natives"]);
    assert_eq!((stderr(&output), output.status.code()), ("", Some(1)));
    let problems: Vec<&str> = stdout(&output).lines().filter(|line| line.starts_with(&wrong)).collect();
    let expected = [
        ":2: acme.Gate.leave(*): the class declares no such method",
        ":2: acme.Gate.leave(*): there is no instance field acme.Gate#held",
        ":2: acme.Gate.the(*): there is no instance field acme.Gate#held",
        ":2: acme.Gate.the(*): `this.acme.Gate#held` in a static method (acme.Gate.the()Lacme/Gate;)",
    ];
    assert_eq!(problems, expected.map(|line| format!("{wrong}{line}")));
    assert!(stdout(&output).contains("\nno row for native "), "--natives lists them");
}
