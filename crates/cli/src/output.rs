//! Where results go, and what is printed beside them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitStatus;

use anyhow::{Result, anyhow, bail};
use selvedge_world::{Problem, ProblemKind};

/// Standard output, or a file.
pub fn open(path: Option<&Path>) -> Result<Box<dyn Write>> {
    Ok(match path {
        None => Box::new(BufWriter::new(io::stdout().lock())),
        Some(path) => {
            Box::new(BufWriter::new(File::create(path).map_err(|error| cannot("write", path, &error))?))
        }
    })
}

/// Writes a whole text to standard output, or to a file: what is written in part is removed again.
pub fn write(path: Option<&Path>, text: &str) -> Result<()> {
    let Some(path) = path else {
        let mut out = io::stdout().lock();
        return match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(anyhow!("cannot write to standard output: {}", reason(&error)))
            }
            written => Ok(written?),
        };
    };
    let mut file = File::create(path).map_err(|error| cannot("write", path, &error))?;
    file.write_all(text.as_bytes()).map_err(|error| {
        if path.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
            let _ = std::fs::remove_file(path);
        }
        cannot("write", path, &error)
    })
}

/// That a file cannot be read, or written, and why.
pub fn cannot(what: &str, path: &Path, error: &io::Error) -> anyhow::Error {
    let no_folder = |folder: &&Path| what == "write" && !folder.as_os_str().is_empty() && !folder.exists();
    let why = match path.parent().filter(no_folder) {
        Some(folder) => format!("there is no directory {}", folder.display()),
        None => reason(error),
    };
    anyhow!("cannot {what} {}: {why}", path.display())
}

/// Why a file cannot be used, for people.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        io::ErrorKind::InvalidData => "it is not text".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        _ => error.to_string(),
    }
}

/// Why a program cannot be started.
pub fn cannot_start(program: &OsStr, error: &io::Error) -> anyhow::Error {
    let program = Path::new(program);
    let why = match error.kind() {
        io::ErrorKind::NotFound if program.components().count() == 1 => {
            "there is no such program on the PATH".to_owned()
        }
        io::ErrorKind::PermissionDenied if program.extension().is_some_and(|end| end == "jar") => {
            format!("it is not a program; to run a jar: java -jar {}", program.display())
        }
        io::ErrorKind::PermissionDenied => "it is not executable".to_owned(),
        _ => reason(error),
    };
    anyhow!("{} cannot be started: {why}", program.display())
}

/// How a program ended: `exited with status 1`.
pub fn ended(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exited with status {code}"),
        None => format!("ended by {status}"),
    }
}

/// Reports before minutes of work that a file cannot be written. Nothing is created or changed.
pub fn check_writable(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.is_dir() {
        bail!("cannot write {}: it is a directory", path.display());
    }
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("cannot write {}: there is no directory {}", path.display(), folder.display());
    }
    if path.exists() {
        File::options().append(true).open(path).map_err(|error| cannot("write", path, &error))?;
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

/// Writes to standard error. That it may be closed changes nothing.
pub fn say(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}
