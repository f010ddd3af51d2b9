//! The agent's library as a file that a JVM can load.
//!
//! The executable carries the library ([`agent_library!`]) and writes it to the user's cache when it is first needed, under a name that
//! says what is in it. A file that is there already is used only if it is the user's own, nobody else can write it, and its content is
//! the same to the byte. Where there is no cache, the session's directory takes the library.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use selvedge_embed::agent_library;

use super::session::{is_private, private_directory, random_name};

static LIBRARY: &[u8] = agent_library!();

/// How the names of libraries in the cache begin.
const PREFIX: &str = "agent-";

/// Libraries of other versions are removed from the cache if nobody has used them for so long.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Fails, with the way out, if this executable has no agent.
pub fn check() -> Result<()> {
    if LIBRARY.is_empty() {
        bail!(
            "this selvedge was built without the agent, so it cannot run programs: build it with `cargo build`"
        );
    }
    Ok(())
}

/// The library as a file; in `otherwise` if the user's cache cannot be used.
pub fn library(otherwise: &Path) -> Result<PathBuf> {
    check()?;
    if let Some(cache) = cache_directory()
        && let Ok(path) = provide(&cache, LIBRARY)
    {
        return Ok(path);
    }
    provide(otherwise, LIBRARY)
        .with_context(|| format!("cannot write the agent's library to {}", otherwise.display()))
}

/// Where libraries are kept between runs.
fn cache_directory() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    // An option of the JVM's command line ends at a space.
    let directory = base.join("selvedge");
    (!directory.to_string_lossy().contains(' ')).then_some(directory)
}

/// A file of this content in a directory, written unless it is there.
fn provide(directory: &Path, content: &[u8]) -> std::io::Result<PathBuf> {
    private_directory(directory)?;
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(content);
    let name = format!("{PREFIX}{}-{hash:016x}{}", env!("CARGO_PKG_VERSION"), std::env::consts::DLL_SUFFIX);
    let path = directory.join(&name);
    if is_same(&path, content) {
        // Says that it is used.
        let _ = std::fs::File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        return Ok(path);
    }
    remove_unused(directory);
    let partial = directory.join(format!("{name}.{}", random_name()));
    let written = write(&partial, content).and_then(|()| std::fs::rename(&partial, &path));
    if written.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    written.map(|()| path)
}

fn write(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o700);
    options.open(path)?.write_all(content)
}

/// Whether a file can be trusted and has this content.
fn is_same(path: &Path, content: &[u8]) -> bool {
    let Ok(metadata) = path.symlink_metadata() else { return false };
    metadata.is_file()
        && metadata.len() == content.len() as u64
        && is_private(&metadata)
        && std::fs::read(path).is_ok_and(|found| found == content)
}

fn remove_unused(directory: &Path) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let is_library = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let age =
            entry.metadata().and_then(|metadata| metadata.modified()).map(|modified| modified.elapsed());
        if is_library && matches!(age, Ok(Ok(age)) if age > UNUSED) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch() -> PathBuf {
        std::env::temp_dir().join(format!("selvedge-cache-{}", random_name()))
    }

    #[test]
    fn what_is_not_the_library_is_replaced() {
        let directory = scratch();
        let path = provide(&directory, b"agent").unwrap();
        assert_eq!(provide(&directory, b"agent").unwrap(), path);
        assert_ne!(provide(&directory, b"other").unwrap(), path);
        std::fs::write(&path, b"wrong").unwrap();
        assert_eq!(provide(&directory, b"agent").unwrap(), path);
        assert_eq!(std::fs::read(&path).unwrap(), b"agent");
        std::fs::remove_dir_all(&directory).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn others_can_neither_read_nor_replace_it() {
        use std::os::unix::fs::PermissionsExt;
        let directory = scratch();
        let path = provide(&directory, b"agent").unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&directory), mode(&path)), (0o700, 0o700));
        // One that anybody could have written is written anew.
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o777)).unwrap();
        assert!(!is_same(&path, b"agent"));
        provide(&directory, b"agent").unwrap();
        assert_eq!(mode(&path), 0o700);
        // A link is not followed.
        let target = directory.join("elsewhere");
        std::fs::write(&target, b"agent").unwrap();
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(&target, &path).unwrap();
        provide(&directory, b"agent").unwrap();
        assert!(path.symlink_metadata().unwrap().is_file());
        std::fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn old_libraries_go() {
        let directory = scratch();
        let old = provide(&directory, b"old").unwrap();
        let long_ago = SystemTime::now() - UNUSED - Duration::from_secs(60);
        std::fs::File::open(&old).unwrap().set_modified(long_ago).unwrap();
        provide(&directory, b"new").unwrap();
        assert!(!old.exists());
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
