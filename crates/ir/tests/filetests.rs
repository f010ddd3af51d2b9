//! Hand-written bodies. `filetests/X.ir` parses, passes the verifier and prints as it stands there. `filetests/X.bad.ir`
//! holds broken methods, each after remarks that say what is wrong with it: `; error: ...`.
//!
//! `SELVEDGE_BLESS=1` rewrites both.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use selvedge_ir::text::{Method, parse};
use selvedge_ir::verify_method;
use selvedge_testkit::{compare_golden, files_below};

fn verify(method: &Method) -> Vec<String> {
    let result = verify_method(&method.body, method.header.descriptor.as_bytes(), method.header.is_static());
    result.err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

/// Prints what was read, after the remarks at the start of the file.
fn good(text: &str) -> String {
    let methods = match parse(text) {
        Ok(methods) => methods,
        Err(error) => return error.to_string(),
    };
    let remarks = text.lines().take_while(|line| line.starts_with(';'));
    let mut printed: Vec<String> = vec![remarks.map(|line| format!("{line}\n")).collect()];
    for method in &methods {
        match verify(method).as_slice() {
            [] => printed.push(method.print()),
            errors => printed.push(format!("{}{}\n", method.print(), errors.join("\n"))),
        }
    }
    printed.retain(|part| !part.is_empty());
    printed.join("\n")
}

/// Repeats each method of the file after what is wrong with it.
fn bad(text: &str) -> String {
    let mut sections: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with("; error: ")) {
        if line.starts_with("method ") || sections.is_empty() {
            sections.push(String::new());
        }
        let section = sections.last_mut().unwrap();
        section.push_str(line);
        section.push('\n');
    }
    let judge = |section: &String| {
        let errors = match parse(section) {
            Err(error) => vec![error.to_string()],
            Ok(methods) => methods.iter().flat_map(verify).collect(),
        };
        let errors: String = errors.iter().map(|error| format!("; error: {error}\n")).collect();
        format!("{errors}{section}")
    };
    sections.iter().map(judge).collect()
}

fn run(suffix: &str, files_expected: usize, judge: fn(&str) -> String) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let files = files_below(&dir, suffix).unwrap();
    let files: Vec<_> = files
        .iter()
        .filter(|path| suffix == ".bad.ir" || !path.to_string_lossy().ends_with(".bad.ir"))
        .collect();
    assert!(files.len() >= files_expected, "{files:?}");
    let mut failures = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(path).unwrap();
        failures.extend(compare_golden(path, &judge(&text)).err().map(|failure| failure.to_string()));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn good_files_print_as_they_are() {
    run(".ir", 4, good);
}

#[test]
fn bad_files_are_refused_for_the_stated_reasons() {
    run(".bad.ir", 4, bad);
    // A file without an error among the bad ones would pass as its own golden file: make sure each method has one.
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    for path in files_below(&dir, ".bad.ir").unwrap() {
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("method ")) {
            let before = index.checked_sub(1).map(|before| lines[before]).unwrap_or_default();
            assert!(before.starts_with("; error: "), "{}: nothing is wrong with {line}", path.display());
        }
    }
}
