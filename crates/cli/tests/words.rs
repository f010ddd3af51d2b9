//! Words that the glossary retires stay out of what people read: the pages, the help that they show, and the sentences
//! that the program prints.
#![allow(clippy::unwrap_used)]

use selvedge_testkit::{files_below, repository_root};

/// What is retired, and what is written instead.
const RETIRED: [(&str, &str); 17] = [
    ("virtual machine", "JVM"),
    ("told apart", "distinguished"),
    ("tells apart", "distinguishes"),
    ("tell apart", "distinguish"),
    ("comes to its end", "finishes"),
    ("come to an end", "finish"),
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

#[test]
fn retired_words_stay_out_of_the_pages() {
    let root = repository_root();
    let mut pages = files_below(&root.join("docs"), ".md").unwrap();
    pages.extend(
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].iter().map(|page| root.join(page)),
    );
    let mut found = Vec::new();
    for page in pages {
        let name = page.strip_prefix(&root).unwrap().display().to_string();
        if EXEMPT.contains(&name.as_str()) {
            continue;
        }
        for (number, line) in (1..).zip(std::fs::read_to_string(&page).unwrap().lines()) {
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
