//! Where results go, and what is said beside them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use selvedge_world::{Problem, ProblemKind};

/// Standard output, or a file.
pub fn open(path: Option<&Path>) -> Result<Box<dyn Write>> {
    Ok(match path {
        None => Box::new(BufWriter::new(io::stdout().lock())),
        Some(path) => {
            let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
            Box::new(BufWriter::new(file))
        }
    })
}

/// Says now what would otherwise be said after minutes of work: that a file cannot be written. Nothing is created or changed.
pub fn check_writable(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.is_dir() {
        bail!("cannot write {}: it is a directory", path.display());
    }
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("cannot write {}: there is no directory {}", path.display(), folder.display());
    }
    if path.exists() {
        let file = File::options().append(true).open(path);
        file.with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Says on standard error how much was wrong with the input, or everything that was.
pub fn tell_problems(problems: &[Problem], all: bool) {
    if problems.is_empty() {
        return;
    }
    if all {
        problems.iter().for_each(|problem| eprintln!("selvedge: {problem}"));
        return;
    }
    let mut counts: BTreeMap<ProblemKind, usize> = BTreeMap::new();
    for problem in problems {
        *counts.entry(problem.kind).or_default() += 1;
    }
    let counts: Vec<String> = counts.into_iter().map(|(kind, count)| kind.counted(count)).collect();
    eprintln!("selvedge: not all of the input could be used: {} (--problems lists them)", counts.join(", "));
}

/// Writes to standard error. Nobody may be there to read it, and that must change nothing.
pub fn say(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}
