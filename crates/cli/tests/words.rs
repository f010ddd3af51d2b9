//! Words that the glossary retires stay out of what people read: the pages, the help that they show, the sentences that the
//! program prints, and the comments. Prose has lines of at most 110 columns.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use selvedge_testkit::{files_below, repository_root};

/// What is retired, and what is written instead.
const RETIRED: [(&str, &str); 31] = [
    ("virtual machine", "JVM"),
    ("told apart", "distinguished"),
    ("tells apart", "distinguishes"),
    ("tell apart", "distinguish"),
    ("comes to its end", "finishes"),
    ("come to an end", "finish"),
    ("comes to an end", "finishes"),
    ("thorough compiler", "C2"),
    ("quick compiler", "C1"),
    ("are told of", "report, list"),
    ("is told by", "is reported by"),
    ("watched no more", "no longer watched"),
    ("is no plan", "is not a valid plan"),
    ("is no baseline", "is not a valid baseline file"),
    ("is no report", "is not a valid report"),
    ("is no trace", "is not a valid trace"),
    ("is taken to be", "is assumed to be, or: skipped, limit of N reached"),
    ("are taken to be", "are assumed to be"),
    ("as far as is known", "what is known, or what was not checked"),
    ("nobody else can know", "not published"),
    ("what points where", "points-to analysis"),
    ("what nothing ordered", "what happens-before does not order"),
    ("keeps nobody out", "excludes nothing"),
    ("stood at both", "were at both"),
    ("stand at both", "are at both"),
    ("holds no jdk", "is not a JDK"),
    ("in their custody", "owns"),
    ("are told with", "are reported with"),
    ("harm each other", "conflict"),
    ("nobody knows yet", "not published"),
    ("kept apart", "ordered, excluded or refuted"),
];

/// Pages that do not speak of Selvedge as it is, and ones that quote code.
const EXEMPT: [&str; 2] = ["docs/glossary.md", "docs/idioms.md"];

fn retired(line: &str) -> Option<&'static (&'static str, &'static str)> {
    let line = line
        .to_lowercase()
        .replace("java virtual machine (jvm)", "")
        .replace("java virtual machine specification", "");
    RETIRED.iter().find(|(phrase, _)| line.contains(phrase))
}

/// The pages that people read, by their names in the repository.
fn pages() -> Vec<(String, String)> {
    let root = repository_root();
    let mut pages = files_below(&root.join("docs"), ".md").unwrap();
    let others = [
        "README.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "corpus/README.md",
    ];
    pages.extend(others.iter().map(|page| root.join(page)));
    let read = |page: PathBuf| {
        let name = page.strip_prefix(&root).unwrap().display().to_string();
        (name, std::fs::read_to_string(&page).unwrap())
    };
    pages.into_iter().map(read).collect()
}

#[test]
fn retired_words_stay_out_of_the_pages() {
    let mut found = Vec::new();
    for (name, text) in pages() {
        if EXEMPT.contains(&name.as_str()) {
            continue;
        }
        for (number, line) in (1..).zip(text.lines()) {
            if let Some((phrase, instead)) = retired(line) {
                found.push(format!("{name}:{number}: {phrase}; write: {instead}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Pages that tests write from comments and help, whose paragraphs are single lines.
const GENERATED: [&str; 4] =
    ["docs/configuration.md", "docs/idioms.md", "docs/commands.md", "docs/analyses/"];

#[test]
fn prose_has_lines_of_110_columns() {
    let mut found = Vec::new();
    for (name, text) in pages() {
        if GENERATED.iter().any(|page| name.starts_with(page)) {
            continue;
        }
        let mut is_fenced = false;
        for (number, line) in (1..).zip(text.lines()) {
            is_fenced ^= line.starts_with("```");
            // Commands, tables, headings and links are as long as they are.
            let is_exempt = is_fenced
                || line.starts_with("    ")
                || line.starts_with(['|', '#', '<'])
                || line.contains("](");
            if !is_exempt && line.chars().count() > 110 {
                found.push(format!("{name}:{number}: {} columns", line.chars().count()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn retired_words_stay_out_of_comments() {
    let root = repository_root();
    let crates = root.join("crates");
    let mut sources = files_below(&crates, ".rs").unwrap();
    sources.extend(files_below(&crates.join("hooks"), ".java").unwrap());
    let mut found = Vec::new();
    for source in sources {
        let name = source.strip_prefix(&root).unwrap().display().to_string();
        let text = std::fs::read_to_string(&source).unwrap();
        let is_comment =
            |line: &&str| ["//", "/*", "*"].iter().any(|mark| line.trim_start().starts_with(mark));
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| is_comment(line)) {
            if let Some((phrase, instead)) = retired(line) {
                found.push(format!("{name}:{number}: {phrase}; write: {instead}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn retired_words_stay_out_of_the_sentences_that_are_printed() {
    let root = repository_root();
    let mut found = Vec::new();
    for source in files_below(&root.join("crates"), ".rs").unwrap() {
        let name = source.strip_prefix(&root).unwrap().display().to_string();
        if !name.contains("/src/") || name.ends_with("tests.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&source).unwrap();
        let product = text.split("#[cfg(test)]").next().unwrap();
        let is_code = |line: &&str| line.contains('"') && !line.trim_start().starts_with("//");
        for (number, line) in (1..).zip(product.lines()).filter(|(_, line)| is_code(line)) {
            if let Some((phrase, instead)) = retired(line) {
                found.push(format!("{name}:{number}: {phrase}; write: {instead}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
