//! What goes wrong at the command line or with the input is told in one sentence on standard error, with status 2, and nothing else
//! happens: no panic, no half-written file.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn selvedge() -> Command {
    Command::new(env!("CARGO_BIN_EXE_selvedge"))
}

/// A directory with files that are not what they should be.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("selvedge-mistakes-{name}-{}", std::process::id()));
        std::fs::create_dir_all(path.join("empty")).unwrap();
        // The end of an archive without entries.
        let mut nothing = b"PK\x05\x06".to_vec();
        nothing.extend([0; 18]);
        for (file, content) in [
            ("text.jar", &b"no archive"[..]),
            ("zero.jar", b""),
            ("nothing.jar", &nothing),
            ("text.json", b"no JSON"),
            ("other.json", b"{}"),
            ("baseline.json", br#"{"schema": "selvedge-baseline/1", "accepted": []}"#),
            ("unknown.toml", b"efort = \"low\"\n"),
        ] {
            std::fs::write(path.join(file), content).unwrap();
        }
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn mistakes_are_told_in_a_sentence() {
    let folder = Folder::new("told");
    let expected: &[(&str, &str)] = &[
        ("check missing.jar", "cannot read missing.jar: there is no such file"),
        ("check text.jar", "cannot read text.jar: it is neither a class file nor a zip archive"),
        ("check zero.jar", "cannot read zero.jar: it is neither a class file nor a zip archive"),
        ("check", "nothing to look at: give a jar"),
        ("check text.json", "cannot read text.json: it is neither"),
        ("check empty --analysis pears", "there is no analysis pears; there are pairs"),
        ("check empty --without sense", "there is no refuter sense; there are "),
        ("check empty --jdk empty", "holds no JDK"),
        ("check empty --jdk empty", "pass the home of a JDK"),
        (
            "run java -jar app.jar",
            "`--` is missing before the command that is to run: selvedge run -- java -jar app.jar",
        ),
        ("check empty --run java -jar app.jar", "selvedge check empty --run -- java -jar app.jar"),
        ("check empty --output missing/races.html", "there is no directory missing"),
        ("check empty --config unknown.toml", "unknown.toml:1: there is no key `efort`"),
        ("check empty --config missing.toml", "missing.toml"),
        ("explain A.b missing.jar", "cannot read missing.jar"),
        ("explain A.b --report text.json", "text.json is not a valid report"),
        ("harness missing.jar", "cannot read missing.jar"),
        ("inspect missing.jar --what threads", "cannot read missing.jar"),
        ("report missing.json", "cannot read missing.json: there is no such file"),
        (
            "report text.json",
            "text.json is not a valid report, as `--format json` writes it: it cannot be read as one",
        ),
        (
            "report other.json",
            "other.json is not a valid report, as `--format json` writes it: it cannot be read as one",
        ),
        ("report baseline.json", "it is of the kind `selvedge-baseline/1`, not `selvedge/1`"),
        ("report empty", "cannot read empty: it is a directory"),
        ("report other.json --baseline text.json", "text.json is not a valid baseline file"),
        ("report other.json --diff text.json", "text.json is not a valid report"),
        ("report other.json --output empty", "cannot write empty: it is a directory"),
        ("baseline missing.json", "cannot read missing.json"),
        ("baseline text.json", "text.json is not a valid report"),
        ("replay missing.trace", "cannot read missing.trace"),
        ("replay text.json", "text.json is not a valid trace"),
        ("models list --class NoSuchClass", "no row is about such a class"),
        ("man nonsense", "there is no command nonsense"),
    ];
    for (line, sentence) in expected {
        let run = selvedge().current_dir(&folder.0).args(line.split(' ')).output().unwrap();
        let told = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{line}: {told}");
        assert!(told.starts_with("selvedge: ") && told.contains(sentence), "{line}: {told}");
        assert_eq!(told.lines().count(), 1, "{line}: {told}");
        assert!(run.stdout.is_empty(), "{line}");
    }
}

/// Where the JDK must be read first.
#[test]
fn input_without_classes_is_a_mistake() {
    let Some(_) = selvedge_testkit::jdk_or_skip() else { return };
    let folder = Folder::new("classes");
    for line in ["check empty", "check nothing.jar", "inspect empty --what threads"] {
        let run = selvedge().current_dir(&folder.0).args(line.split(' ')).output().unwrap();
        let told = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{line}: {told}");
        assert!(
            told.starts_with("selvedge: there are no classes in the given paths: pass a jar"),
            "{line}: {told}"
        );
    }
    std::fs::write(folder.0.join("empty").join("A.kt"), "class A").unwrap();
    let run = selvedge().current_dir(&folder.0).args(["check", "empty"]).output().unwrap();
    let told = String::from_utf8(run.stderr).unwrap();
    assert!(told.contains("but 1 .kt file: compile it first"), "{told}");
}

/// Whoever reads the output may stop at any line.
#[test]
fn a_closed_pipe_is_no_error() {
    let mut run =
        selvedge().args(["models", "list"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(run.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(!first.is_empty());
    let rest = run.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(rest.stderr).unwrap(), "");
    assert_eq!(rest.status.code(), Some(0));
}
