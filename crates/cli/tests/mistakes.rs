//! Mistakes at the command line or in the input are one sentence on standard error, with status 2, and have no other effect: no panic,
//! no half-written file.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use selvedge_testkit::{JavacOptions, compile};

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
            ("cut.jar", b"PK\x03\x04 and no directory at the end"),
            ("A.java", b"class A {}"),
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
        ("check zero.jar", "cannot read zero.jar: it is empty, neither a class file nor a zip archive"),
        ("check cut.jar", "cannot read cut.jar: it is a zip archive that is cut short or damaged"),
        ("check A.java", "cannot read A.java: it is a source file: compile it"),
        ("check", "nothing to look at: give a jar"),
        ("check text.json", "cannot read text.json: it is neither"),
        ("check empty --analysis pears", "there is no analysis pears; there are pairs"),
        ("check empty --without sense", "there is no refuter sense; there are "),
        ("check empty --jdk empty", "empty is not a JDK"),
        ("check empty --jdk missing", "there is no such directory; pass the home of a JDK"),
        ("check empty --jdk text.jar", "is a file, not a JDK; pass the home of a JDK"),
        ("check empty --jdk empty", "pass the home of a JDK"),
        (
            "run java -jar app.jar",
            "`--` is missing before the command to run: selvedge run -- java -jar app.jar",
        ),
        ("check empty --run java -jar app.jar", "selvedge check empty --run -- java -jar app.jar"),
        ("run ls", "selvedge run -- ls"),
        ("confirm other.json ls", "selvedge confirm other.json -- ls"),
        ("run -- no-such-program", "there is no such program on the PATH"),
        ("run -- ./text.jar", "it is not a program; to run a jar: java -jar"),
        ("run --output missing/x.json -- java", "cannot write missing/x.json: there is no directory missing"),
        (
            "run --record missing/x.trace -- java",
            "cannot write missing/x.trace: there is no directory missing",
        ),
        ("check empty --output missing/races.html", "there is no directory missing"),
        ("check empty --config unknown.toml", "unknown.toml:1: there is no key `efort`"),
        ("check empty --config missing.toml", "cannot read missing.toml: there is no such file"),
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
        ("replay missing.trace", "cannot read missing.trace: there is no such file"),
        ("replay zero.jar", "zero.jar is not a valid trace: it has no events"),
        ("replay text.json", "text.json is not a valid trace"),
        ("models list --class NoSuchClass", "no model row is for such a class"),
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

/// What looks like a good result and is none.
#[test]
fn nothing_looked_at_is_not_a_good_result() {
    let Some(jdk) = selvedge_testkit::jdk_or_skip() else { return };
    let folder = Folder::new("nothing");
    let source = "package p; public class Main { public static void main(String[] arguments) {} }";
    let classes = compile(&[("p/Main.java", source)], &JavacOptions::default()).unwrap();
    let classes = classes.path();
    let class = std::fs::read(classes.join("p").join("Main.class")).unwrap();
    std::fs::write(folder.0.join("empty").join("Main.class"), &class[..60]).unwrap();
    let refuse = |command: &mut Command, sentence: &str| {
        let run = command.output().unwrap();
        let told = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{told}");
        assert!(told.contains(sentence), "{told}");
    };
    refuse(selvedge().arg("check").arg(classes).args(["--scope", "q.*"]), "there is no class in --scope q.*");
    refuse(selvedge().arg("check").arg(folder.0.join("empty")), "no class in the given paths can be read");
    for pattern in ["--include=q.*", "--exclude=p.**"] {
        let mut run = selvedge();
        run.current_dir(&folder.0)
            .args(["run", pattern, "--"])
            .arg(&jdk.java)
            .arg("-cp")
            .arg(classes)
            .arg("p.Main");
        refuse(&mut run, "loaded no class that is watched");
    }
}

/// A full disk and a pipe without a writer.
#[cfg(target_os = "linux")]
#[test]
fn devices_are_sentences_too() {
    let Some(_) = selvedge_testkit::jdk_or_skip() else { return };
    let folder = Folder::new("devices");
    let report = selvedge_testkit::repository_root().join("crates/report/tests/golden/bank.json");
    assert!(Command::new("mkfifo").arg(folder.0.join("pipe")).status().unwrap().success());
    let report = report.to_str().unwrap();
    for (line, sentence) in [
        (vec!["report", report, "--output", "/dev/full"], "cannot write /dev/full: the disk is full"),
        (vec!["check", "pipe"], "cannot read pipe: it is not a regular file"),
        (vec!["report", report, "--quiet", "--sources", "pipe"], "pipe: is neither a directory nor a file"),
    ] {
        let run = selvedge().current_dir(&folder.0).args(&line).output().unwrap();
        let told = String::from_utf8(run.stderr).unwrap();
        assert!(told.contains(sentence), "{line:?}: {told}");
    }
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
