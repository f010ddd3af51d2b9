//! Checks that are stopped, from the outside: what was found until then is written, in every format, and never as an all-clear.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use selvedge_testkit::{CompiledDir, JavacOptions, compile, jdk_or_skip};

/// Enough racy fields that some are judged before the check is held, and some are not.
fn racy(fields: usize) -> CompiledDir {
    let names: Vec<String> = (0..fields).map(|number| format!("field{number}")).collect();
    let declared: String = names.iter().map(|name| format!("    static int {name};\n")).collect();
    let changed: String = names.iter().map(|name| format!("        {name}++;\n")).collect();
    let source = format!(
        "class Counter {{\n{declared}    static void change() {{\n{changed}    }}\n    \
         public static void main(String[] arguments) {{\n        \
         new Thread(Counter::change).start();\n        change();\n    }}\n}}\n"
    );
    compile(&[("Counter.java", source.as_str())], &JavacOptions::default()).unwrap()
}

fn check(program: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.arg("check").arg(program).arg("--no-cache").args(more);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts a check that is held, and sends a signal when it says so.
fn stopped(program: &Path, hold: &str, signal: &str, more: &[&str]) -> Output {
    let mut child = check(program, more).env("SELVEDGE_HOLD", hold).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("held") {
        line.clear();
        assert_ne!(errors.read_line(&mut line).unwrap(), 0, "it ended before it was held");
    }
    send(&child, signal);
    // Both pipes are read at once: a full one would stop the command.
    let rest = std::thread::spawn(move || {
        let mut rest = Vec::new();
        errors.read_to_end(&mut rest).unwrap();
        rest
    });
    let output = child.wait_with_output().unwrap();
    Output { stderr: rest.join().unwrap(), ..output }
}

fn send(child: &Child, signal: &str) {
    assert!(Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap().success());
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_signal_leaves_what_was_judged() {
    let Some(_) = jdk_or_skip() else { return };
    let program = racy(100);
    let output = stopped(program.path(), "pairs:1", "INT", &["--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let partial = &report["partial"];
    assert_eq!(partial["because"], "a signal");
    assert_eq!(partial["phase"], "pairs");
    let (judged, of) = (partial["judged"].as_u64().unwrap(), partial["of"].as_u64().unwrap());
    assert!(0 < judged && judged < of, "{judged} of {of}");
    let unexamined = report["unexamined"].as_array().unwrap();
    let of_program = |list: &[serde_json::Value]| {
        list.iter()
            .filter(|it| it["location"]["class"] == "Counter" && it["location"]["field"].is_string())
            .count()
    };
    assert!(of_program(unexamined) > 0, "fields are left");
    let findings = report["findings"].as_array().unwrap();
    let told: usize = findings.iter().map(|it| 1 + it["pairs"].as_array().map_or(0, Vec::len)).sum();
    assert!(told + of_program(unexamined) >= 100, "{told} told, {} not", of_program(unexamined));
    assert_eq!(output.status.code(), Some(if findings.is_empty() { 2 } else { 1 }));
}

#[test]
fn every_format_is_marked_wherever_the_signal_comes() {
    let Some(_) = jdk_or_skip() else { return };
    let program = racy(3);
    let marks = [
        ("text", "Selvedge: partial result, stopped by a signal in the phase points-to"),
        ("json", "\"partial\": {"),
        ("sarif", "\"executionSuccessful\": false"),
        ("html", "partial result, stopped by a signal"),
        ("github", "::warning title=Partial result::"),
    ];
    for (format, mark) in marks {
        let output = stopped(program.path(), "points-to", "TERM", &["--format", format]);
        let written = text(&output.stdout);
        assert!(written.contains(mark), "{format}: {written}");
        assert_eq!(output.status.code(), Some(2), "{format}");
        if format == "text" {
            assert!(written.starts_with(mark), "{written}");
            assert!(!written.contains("no races found;"), "{written}");
        }
    }
}

#[test]
fn the_memory_limit_holds_for_every_phase() {
    let Some(_) = jdk_or_skip() else { return };
    let program = racy(3);
    // No command of this size fits, whatever the machine.
    let output = check(program.path(), &["--max-memory", "1M"]).output().unwrap();
    let written = text(&output.stdout);
    assert!(written.contains("stopped by the memory limit of 1 MB"), "{written}{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(2));
    let output = check(program.path(), &["--max-time", "0"]).output().unwrap();
    assert!(text(&output.stdout).contains("stopped by the time limit of 0 s"), "{}", text(&output.stdout));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn memory_that_is_refused_is_a_sentence() {
    let Some(_) = jdk_or_skip() else { return };
    let program = racy(3);
    let limited = "ulimit -v 300000 && exec \"$0\" check \"$1\" --no-cache";
    let output = Command::new("sh")
        .arg("-c")
        .arg(limited)
        .arg(env!("CARGO_BIN_EXE_selvedge"))
        .arg(program.path())
        .output();
    let output = output.unwrap();
    assert!(text(&output.stderr).contains("memory"), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}
