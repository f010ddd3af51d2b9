//! Where things lie: the repository, its target directory, the cache in it; and ordered directory walks.

use crate::Failure;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The root of the repository (the directory of the workspace manifest).
pub fn repository_root() -> PathBuf {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_dir.ancestors().nth(2).unwrap_or(crate_dir).to_path_buf()
}

/// Cargo's target directory: `CARGO_TARGET_DIR` if set, else `target` in the repository.
pub fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => repository_root().join(dir),
        None => repository_root().join("target"),
    }
}

/// The directory of everything that tests keep between runs. Deleting it only costs time.
pub fn cache_dir() -> PathBuf {
    target_dir().join("testkit-cache")
}

/// A fresh directory in the cache which no other thread or process has, to build an entry in before it is renamed.
pub(crate) fn unique_work_dir() -> Result<PathBuf, Failure> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let dir = cache_dir().join(format!("work-{}-{number}", std::process::id()));
    // A directory of this name can only be left over from a process that died and whose number came round again.
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).map_err(Failure::io(format!("create {}", dir.display())))?;
    Ok(dir)
}

/// Every regular file below `dir` whose name ends in `suffix`, sorted by path; links are followed.
pub fn files_below(dir: &Path, suffix: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut pending = vec![dir.to_path_buf()];
    while let Some(next) = pending.pop() {
        let entries = fs::read_dir(&next).map_err(Failure::io(format!("list {}", next.display())))?;
        for entry in entries {
            let path = entry.map_err(Failure::io(format!("list {}", next.display())))?.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.to_string_lossy().ends_with(suffix) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
