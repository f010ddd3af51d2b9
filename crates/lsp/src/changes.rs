//! Whether files have changed: by size and time of modification, without help from the system.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The time between two looks at the files.
pub const PAUSE: Duration = Duration::from_millis(250);

/// Directories are followed so deep; a link may lead back to where it is.
const DEPTH: usize = 64;

/// The files below some paths, as they are at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Look(BTreeMap<PathBuf, (u64, Option<SystemTime>)>);

impl Look {
    /// Looks at the files and at all that is below the directories. What is not there is left out.
    pub fn at(paths: &[PathBuf]) -> Self {
        let mut look = Self::default();
        paths.iter().for_each(|path| look.add(path, 0));
        look
    }

    /// The same, when two looks in a row agree: somebody who is still writing is waited for.
    pub fn when_settled(paths: &[PathBuf]) -> Self {
        let mut last = Self::at(paths);
        loop {
            std::thread::sleep(PAUSE);
            let now = Self::at(paths);
            if now == last {
                return now;
            }
            last = now;
        }
    }

    /// Whether a file with this ending is among them.
    pub fn has(&self, ending: &str) -> bool {
        self.0.keys().any(|path| path.extension().is_some_and(|extension| extension == ending))
    }

    /// Whether files below a directory are new or have changed since an earlier look.
    pub fn has_news(&self, earlier: &Self, directory: &Path) -> bool {
        self.0.iter().any(|(path, state)| path.starts_with(directory) && earlier.0.get(path) != Some(state))
    }

    /// The class files below a directory that a later look does not have.
    pub fn gone(&self, later: &Self, directory: &Path) -> Vec<PathBuf> {
        let is_gone = |path: &&PathBuf| {
            path.extension().is_some_and(|it| it == "class")
                && path.starts_with(directory)
                && !later.0.contains_key(*path)
        };
        self.0.keys().filter(is_gone).cloned().collect()
    }

    /// When a file was written last.
    pub fn time(&self, path: &Path) -> Option<SystemTime> {
        self.0.get(path)?.1
    }

    /// Whether another look has these files in the same state.
    pub fn is_in(&self, other: &Self) -> bool {
        self.0.iter().all(|(path, state)| other.0.get(path) == Some(state))
    }

    fn add(&mut self, path: &Path, depth: usize) {
        let Ok(metadata) = path.metadata() else { return };
        if !metadata.is_dir() {
            self.0.insert(path.to_owned(), (metadata.len(), metadata.modified().ok()));
        } else if depth < DEPTH {
            for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
                self.add(&entry.path(), depth + 1);
            }
        }
    }
}
