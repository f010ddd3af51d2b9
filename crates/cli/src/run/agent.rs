//! The agent's library as a file that a JVM can load.
//!
//! The executable carries the library ([`agent_library!`]) and writes it to the user's cache when it is first needed, under a name that
//! says what is in it. Where there is no cache, the session's directory takes the library.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use selvedge_embed::agent_library;

use crate::cache::{Cache, Kind};

static LIBRARY: &[u8] = agent_library!();

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
    // An option of the JVM's command line ends at a space.
    let of_user = Cache::of_user().filter(|cache| !cache.directory().to_string_lossy().contains(' '));
    if let Some(path) = of_user.and_then(|cache| provide(&cache).ok()) {
        return Ok(path);
    }
    provide(&Cache::at(otherwise.to_owned()))
        .with_context(|| format!("cannot write the agent's library to {}", otherwise.display()))
}

fn provide(cache: &Cache) -> std::io::Result<PathBuf> {
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(LIBRARY);
    let name = format!("{}-{hash:016x}{}", env!("CARGO_PKG_VERSION"), std::env::consts::DLL_SUFFIX);
    cache.provide(Kind::Agent, &name, LIBRARY)
}
