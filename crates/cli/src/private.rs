//! Files and directories that no other user can read, replace or predict.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

/// A name that nobody can guess.
pub fn random_name() -> String {
    // The standard library takes the keys of its hash maps from the operating system.
    let random = || RandomState::new().hash_one(0_u64);
    format!("{:016x}{:016x}", random(), random())
}

/// Makes sure that there is a directory that nobody else can use.
pub fn private_directory(path: &Path) -> std::io::Result<()> {
    if let Some(above) = path.parent() {
        std::fs::create_dir_all(above)?;
    }
    match create_private(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        Err(_) if !path.symlink_metadata().is_ok_and(|found| found.is_dir() && is_private(&found)) => {
            Err(std::io::Error::other("others can write it"))
        }
        _ => Ok(()),
    }
}

/// Creates a directory that nobody else can use; one that is there already is an error.
pub fn create_private(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Whether a file or directory is the user's own and nobody else can write it.
pub fn is_private(metadata: &std::fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o022 == 0
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        true
    }
}
