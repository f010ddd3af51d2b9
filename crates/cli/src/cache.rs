//! The user's cache directory: files that take long to make and depend on nothing but their key.
//!
//! Invariants. A file is complete: it is written under another name and renamed. A file is trusted only if it is the user's own and
//! no one else can write it; a link is not followed. What was not used for [`UNUSED`] is removed when something new of its kind comes, and so
//! does what exceeds the room of its kind, oldest first. Nothing depends on the cache but time: it may be removed at any moment.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::private::{is_private, private_directory, random_name};

/// Files that nobody has used for so long are removed.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The agent's library of some version.
    Agent,
    /// The result of a check.
    Report,
}

impl Kind {
    /// How the names of such files begin.
    const fn prefix(self) -> &'static str {
        match self {
            Kind::Agent => "agent-",
            Kind::Report => "report-",
        }
    }

    /// How many bytes all such files may take.
    const fn room(self) -> u64 {
        match self {
            Kind::Agent => u64::MAX,
            Kind::Report => 256 << 20,
        }
    }
}

/// A directory of such files.
pub struct Cache {
    directory: PathBuf,
}

impl Cache {
    /// The user's own, where the system says where it is.
    pub fn of_user() -> Option<Self> {
        let absolute =
            |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
        Some(Self::at(base.join("selvedge")))
    }

    /// The one in this directory, which is made when it is first needed.
    pub fn at(directory: PathBuf) -> Self {
        Self { directory }
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// A file of this content, written unless it is there.
    pub fn provide(&self, kind: Kind, name: &str, content: &[u8]) -> io::Result<PathBuf> {
        private_directory(&self.directory)?;
        let path = self.path(kind, name);
        if self.read(kind, name).is_some_and(|found| found == content) {
            return Ok(path);
        }
        self.make_room(kind, content.len() as u64);
        let partial = self.directory.join(format!("{}{name}.{}", kind.prefix(), random_name()));
        let written = write(&partial, content).and_then(|()| std::fs::rename(&partial, &path));
        if written.is_err() {
            let _ = std::fs::remove_file(&partial);
        }
        written.map(|()| path)
    }

    /// The content of a file, if it is there and can be trusted. It counts as used.
    pub fn read(&self, kind: Kind, name: &str) -> Option<Vec<u8>> {
        let path = self.path(kind, name);
        let metadata = path.symlink_metadata().ok()?;
        if !metadata.is_file() || !is_private(&metadata) {
            return None;
        }
        let content = std::fs::read(&path).ok()?;
        let _ = std::fs::File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(content)
    }

    fn path(&self, kind: Kind, name: &str) -> PathBuf {
        self.directory.join(format!("{}{name}", kind.prefix()))
    }

    /// Removes what is old, and the oldest until `more` bytes fit.
    fn make_room(&self, kind: Kind, more: u64) {
        let mut files: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
        for entry in std::fs::read_dir(&self.directory).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(kind.prefix())
                && let Ok(metadata) = entry.metadata()
                && let Ok(modified) = metadata.modified()
            {
                files.push((modified, entry.path(), metadata.len()));
            }
        }
        files.sort_unstable();
        let mut taken = files.iter().fold(more, |sum, (_, _, size)| sum.saturating_add(*size));
        for (modified, path, size) in files {
            let is_old = modified.elapsed().is_ok_and(|age| age > UNUSED);
            if is_old || taken > kind.room() {
                let _ = std::fs::remove_file(path);
                taken -= size;
            }
        }
    }
}

fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o700);
    options.open(path)?.write_all(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch() -> Cache {
        Cache::at(std::env::temp_dir().join(format!("selvedge-cache-{}", random_name())))
    }

    fn provide(cache: &Cache, name: &str, content: &[u8]) -> PathBuf {
        cache.provide(Kind::Agent, name, content).unwrap()
    }

    #[test]
    fn other_content_is_replaced() {
        let cache = scratch();
        let path = provide(&cache, "1.so", b"agent");
        assert_eq!(provide(&cache, "1.so", b"agent"), path);
        assert_ne!(provide(&cache, "2.so", b"other"), path);
        std::fs::write(&path, b"wrong").unwrap();
        assert_eq!(provide(&cache, "1.so", b"agent"), path);
        assert_eq!(std::fs::read(&path).unwrap(), b"agent");
        std::fs::remove_dir_all(cache.directory()).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn others_can_neither_read_nor_replace_it() {
        use std::os::unix::fs::PermissionsExt;
        let cache = scratch();
        let path = provide(&cache, "1.so", b"agent");
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(cache.directory()), mode(&path)), (0o700, 0o700));
        // One that anybody could have written is not read, and written anew.
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(cache.read(Kind::Agent, "1.so"), None);
        provide(&cache, "1.so", b"agent");
        assert_eq!(mode(&path), 0o700);
        // A link is not followed.
        let target = cache.directory().join("elsewhere");
        std::fs::write(&target, b"agent").unwrap();
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(&target, &path).unwrap();
        assert_eq!(cache.read(Kind::Agent, "1.so"), None);
        provide(&cache, "1.so", b"agent");
        assert!(path.symlink_metadata().unwrap().is_file());
        std::fs::remove_dir_all(cache.directory()).unwrap();
    }

    #[test]
    fn what_is_old_goes() {
        let cache = scratch();
        let old = provide(&cache, "1.so", b"old");
        let report = cache.provide(Kind::Report, "1", b"another kind").unwrap();
        let long_ago = SystemTime::now() - UNUSED - Duration::from_secs(60);
        for path in [&old, &report] {
            std::fs::File::open(path).unwrap().set_modified(long_ago).unwrap();
        }
        provide(&cache, "2.so", b"new");
        assert!(!old.exists() && report.exists());
        std::fs::remove_dir_all(cache.directory()).unwrap();
    }

    #[test]
    fn the_oldest_makes_room() {
        let cache = scratch();
        let first = cache.provide(Kind::Report, "1", b"first").unwrap();
        let second = cache.provide(Kind::Report, "2", b"second").unwrap();
        let a_minute_ago = SystemTime::now() - Duration::from_secs(60);
        std::fs::File::open(&first).unwrap().set_modified(a_minute_ago).unwrap();
        cache.make_room(Kind::Report, Kind::Report.room() - 8);
        assert!(!first.exists() && second.exists());
        std::fs::remove_dir_all(cache.directory()).unwrap();
    }
}
