//! The refuters as their files describe them: every hypothesis has its racy program, and library classes are named in rows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files_below(directory: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("the directory is there") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            files_below(&path, extension, found);
        } else if path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
    found.sort_unstable();
}

fn sources(of: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    files_below(&root().join(of), extension, &mut found);
    found
}

/// The names in parentheses in the numbered points of a file's head: `(OneProgram, Another)`.
fn programs_named(text: &str) -> Vec<String> {
    let mut points = String::new();
    let mut is_point = false;
    for line in text.lines().map_while(|line| line.strip_prefix("//!")) {
        let begins = line.trim_start().starts_with(|c: char| c.is_ascii_digit());
        is_point = begins || is_point && line.starts_with("    ");
        if is_point {
            points.push_str(line);
            points.push(' ');
        }
    }
    let mut found = Vec::new();
    for part in points.split('(').skip(1) {
        let Some((inside, _)) = part.split_once(')') else { continue };
        let names: Vec<&str> = inside.split(',').map(str::trim).collect();
        let is_program = |name: &&str| {
            name.len() > 4
                && name.starts_with(|c: char| c.is_ascii_uppercase())
                && name.chars().all(|c| c.is_ascii_alphanumeric())
        };
        if names.iter().all(is_program) {
            found.extend(names.into_iter().map(str::to_owned));
        }
    }
    found
}

#[test]
fn every_hypothesis_has_a_racy_program() {
    let is_racy = |path: &PathBuf| std::fs::read_to_string(path).unwrap().contains("//~ RACE");
    let programs = sources("corpus", "java");
    let name = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    let racy: BTreeSet<String> = programs.iter().filter(|path| is_racy(path)).map(name).collect();
    let (mut seen, mut missing) = (BTreeSet::new(), Vec::new());
    for path in sources("crates/facts/src", "rs").into_iter().chain(sources("crates/detect/src", "rs")) {
        for program in programs_named(&std::fs::read_to_string(&path).unwrap()) {
            if !racy.contains(&program) {
                missing.push(format!("{}: there is no racy program {program}", path.display()));
            }
            seen.insert(program);
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    println!("{} programs stand for hypotheses", seen.len());
    assert!(seen.len() >= 50, "only {} programs are named", seen.len());
}

/// The string literals of a file's code, tests and comments left out, that name classes of the library.
fn class_names(text: &str) -> usize {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let names = |line: &str| {
        let literals = line.split('"').skip(1).step_by(2);
        let of_library =
            |text: &&str| ["java/", "javax/", "jdk/", "sun/"].iter().any(|start| text.starts_with(start));
        literals.filter(of_library).count()
    };
    lines.map(names).sum()
}

#[test]
fn library_classes_are_named_in_rows_only() {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for of in ["crates/facts/src", "crates/detect/src"] {
        for path in sources(of, "rs") {
            let count = class_names(&std::fs::read_to_string(&path).unwrap());
            let inside = path.strip_prefix(root()).unwrap_or(&path).to_string_lossy().into_owned();
            if count > 0 && !inside.ends_with("tests.rs") {
                found.insert(inside, count);
            }
        }
    }
    assert!(
        found.is_empty(),
        "these belong into rows of `models`, effects of methods or kinds of classes: {found:?}"
    );
}
