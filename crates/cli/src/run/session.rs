//! The session's directory: what the command tells the agents, and what they leave.
//!
//! Its name cannot be guessed, it is created by this process or not at all, and no other user can read it. It is locked as long as
//! the command lives, so that a later run can tell a directory that was left behind (the command was killed) and remove it; an agent that
//! outlives the command does the same when its program ends.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use selvedge_runtime::session;

use crate::private::{create_private, is_private, random_name};

/// How the names of session directories begin.
const PREFIX: &str = "selvedge-run-";

/// A directory that is gone at the end.
pub struct SessionDirectory {
    path: PathBuf,
    /// Locked.
    _lock: File,
}

impl SessionDirectory {
    /// Among temporary files; where these cannot be written, in memory or where the command was started.
    pub fn new() -> Result<SessionDirectory> {
        let places =
            [Some(std::env::temp_dir()), Some(PathBuf::from("/dev/shm")), std::env::current_dir().ok()];
        let mut refused = Vec::new();
        for place in places.into_iter().flatten() {
            let path = place.join(format!("{PREFIX}{}", random_name()));
            if path.to_string_lossy().contains(' ') {
                // An option of the JVM's command line ends at a space.
                refused.push(format!("{}: its name has a space", place.display()));
                continue;
            }
            match SessionDirectory::at(&path) {
                Ok(directory) => {
                    remove_abandoned(&place);
                    return Ok(directory);
                }
                Err(error) => refused.push(format!("{}: {error}", path.display())),
            }
        }
        bail!("cannot create a directory for the results of the run: {}", refused.join("; "))
    }

    fn at(path: &Path) -> std::io::Result<SessionDirectory> {
        create_private(path)?;
        let locked = File::create_new(path.join(session::LOCK)).and_then(|file| {
            file.lock()?;
            Ok(file)
        });
        match locked {
            Ok(lock) => Ok(SessionDirectory { path: path.to_owned(), _lock: lock }),
            Err(error) => {
                let _ = std::fs::remove_dir_all(path);
                Err(error)
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for SessionDirectory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Removes directories of commands that were killed.
fn remove_abandoned(place: &Path) {
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        let is_session = entry.file_name().to_string_lossy().starts_with(PREFIX);
        // The metadata are those of the entry itself, so a link is no directory.
        let is_own = || entry.metadata().is_ok_and(|found| found.is_dir() && is_private(&found));
        if is_session && is_own() && session::is_abandoned(&entry.path()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_lives_as_long_as_its_command() {
        let place = std::env::temp_dir().join(format!("selvedge-places-{}", random_name()));
        std::fs::create_dir(&place).unwrap();
        let path = place.join(format!("{PREFIX}one"));
        let session = SessionDirectory::at(&path).unwrap();
        assert!(SessionDirectory::at(&path).is_err(), "a second one in the same place");
        remove_abandoned(&place);
        assert!(path.is_dir());
        // The command is killed: nothing is left but the directory.
        let left = place.join(format!("{PREFIX}two"));
        create_private(&left).unwrap();
        File::create_new(left.join(session::LOCK)).unwrap();
        remove_abandoned(&place);
        assert!(!left.exists() && path.is_dir());
        drop(session);
        assert!(!path.exists());
        std::fs::remove_dir_all(&place).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_look_into_it() {
        use std::os::unix::fs::MetadataExt;
        let session = SessionDirectory::new().unwrap();
        assert_eq!(session.path().metadata().unwrap().mode() & 0o777, 0o700);
        assert_ne!(random_name(), random_name());
    }
}
