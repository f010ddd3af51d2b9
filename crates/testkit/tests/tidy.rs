//! The repository's habits that neither the compiler nor the linter checks.

use selvedge_testkit::{files_below, repository_root};
use std::fs;
use std::path::{Path, PathBuf};

/// Above this many lines a source file is to be split.
const LONGEST_FILE: usize = 700;

/// The text files that people write, as paths in the repository.
fn sources(suffix: &str) -> Vec<(PathBuf, String)> {
    let root = repository_root();
    let mut found = Vec::new();
    for top in ["corpus", "crates", "docs", "examples", "fuzz", "scripts", ".ci"] {
        let dir = root.join(top);
        let files = if dir.is_dir() {
            files_below(&dir, suffix).expect("the repository can be read")
        } else {
            Vec::new()
        };
        found.extend(files.into_iter().filter(|path| !path.starts_with(root.join("fuzz/target"))));
    }
    let text =
        |path: PathBuf| Some((path.strip_prefix(&root).ok()?.to_owned(), fs::read_to_string(&path).ok()?));
    found.into_iter().filter_map(text).collect()
}

/// Fails with the list of all complaints, so that one run shows everything.
#[track_caller]
fn expect_none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn rust_files_open_with_their_purpose_and_stay_short() {
    let sources = sources(".rs");
    assert!(sources.len() > 20, "only {} Rust files found", sources.len());
    let mut complaints = Vec::new();
    for (path, text) in sources {
        let lines = text.lines().count();
        if !text.starts_with("//!") && !text.starts_with("#![no_main]\n//!") {
            complaints
                .push(format!("{}: begins without a doc comment that says what it is for", path.display()));
        }
        if lines > LONGEST_FILE {
            complaints.push(format!("{}: {lines} lines, more than {LONGEST_FILE}: split it", path.display()));
        }
    }
    expect_none(complaints);
}

/// What a crashed machine or a profiler leaves behind names paths of the place where it ran.
#[test]
fn nothing_that_a_run_leaves_behind_is_kept() {
    let left: Vec<String> = [".log", ".hprof", ".jfr", ".orig", ".rej"]
        .into_iter()
        .flat_map(sources)
        .map(|(path, _)| format!("{}: left behind by a run", path.display()))
        .collect();
    expect_none(left);
}

#[test]
fn text_has_no_trailing_space_and_ends_in_a_newline() {
    let mut complaints = Vec::new();
    for (path, text) in [".rs", ".java", ".md", ".toml", ".sh"].into_iter().flat_map(sources) {
        if !text.is_empty() && !text.ends_with('\n') {
            complaints.push(format!("{}: no newline at the end", path.display()));
        }
        for (index, line) in text.lines().enumerate() {
            if line.ends_with([' ', '\t']) {
                complaints.push(format!("{}:{}: trailing space", path.display(), index + 1));
            }
        }
    }
    expect_none(complaints);
}

#[test]
fn every_crate_takes_the_workspace_settings() {
    let mut complaints = Vec::new();
    for (path, text) in sources("Cargo.toml") {
        if path.starts_with("fuzz") {
            continue;
        }
        for wanted in
            ["edition.workspace", "rust-version.workspace", "license.workspace", "[lints]\nworkspace = true"]
        {
            if !text.contains(wanted) {
                complaints.push(format!("{}: lacks `{}`", path.display(), wanted.replace('\n', " ")));
            }
        }
    }
    expect_none(complaints);
}

#[test]
fn links_between_documents_lead_somewhere() {
    let root = repository_root();
    let mut documents = sources(".md");
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        documents.push((PathBuf::from(name), fs::read_to_string(root.join(name)).unwrap()));
    }
    let mut complaints = Vec::new();
    for (path, text) in documents {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            let dir = path.parent().unwrap_or(Path::new(""));
            if !file.is_empty() && !file.contains("://") && !root.join(dir).join(file).exists() {
                complaints.push(format!("{}: the link to {link} leads nowhere", path.display()));
            }
        }
    }
    expect_none(complaints);
}

#[cfg(unix)]
#[test]
fn scripts_can_be_run() {
    use std::os::unix::fs::PermissionsExt;
    let root = repository_root();
    for (path, text) in sources("").into_iter().filter(|(_, text)| text.starts_with("#!/")) {
        let mode = fs::metadata(root.join(&path)).unwrap().permissions().mode();
        assert!(mode & 0o111 != 0, "{} is not executable", path.display());
        let is_shell = text.lines().next().is_some_and(|line| line.ends_with("sh"));
        assert!(!is_shell || text.contains("set -eu"), "{} goes on after errors", path.display());
    }
}

/// What was judged of real programs, by package and location, as `scripts/evaluate` reads it.
#[test]
fn verdicts_on_first_pages_are_sorted_and_given_once() {
    let text = fs::read_to_string(repository_root().join("benches/first-page.tsv")).expect("it is there");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    let is_form = |row: &Vec<&str>| {
        let [package, place, verdict, reason, recorded @ ..] = row.as_slice() else { return false };
        let is_verdict = ["real", "misuse", "false"].contains(verdict);
        let is_state = matches!(recorded, [] | ["listed" | "low" | "none"]);
        is_verdict && is_state && ![package, place, reason].iter().any(|part| part.is_empty())
    };
    let wrong = rows.iter().filter(|row| !is_form(row)).map(|row| row.join("\t"));
    expect_none(wrong.collect());
    let places: Vec<&[&str]> = rows.iter().map(|row| &row[..2]).collect();
    assert!(places.is_sorted_by(|one, other| one < other), "sorted by package and location, each once");
}
