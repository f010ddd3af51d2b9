//! The JVMs that run-time tests run programs on: the JDK that compiles, and those that `scripts/jdks` installs.

use std::path::{Path, PathBuf};

use crate::{find_jdk, skip, target_dir};

/// The feature releases that `scripts/jdks` installs.
const INSTALLED: [u32; 2] = [21, 25];

/// A JVM to run programs on. It may have no javac.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    /// The feature release, as in 21.
    pub feature_version: u32,
    /// The launcher.
    pub java: PathBuf,
}

/// Every JVM to run programs on, oldest first. One that is absent is named in a line that says so, and with `CI=true` in the
/// environment its absence is a failure. Programs for all of them are compiled with `--release 17`.
#[track_caller]
pub fn jvms_or_skip() -> Vec<Launcher> {
    let mut found = Vec::new();
    match find_jdk() {
        Some(jdk) => found.push(Launcher { feature_version: jdk.feature_version(), java: jdk.java }),
        None => skip("no JDK with javac found (set JAVA_HOME or put java on the PATH)"),
    }
    for feature_version in INSTALLED {
        if found.iter().any(|launcher| launcher.feature_version == feature_version) {
            continue;
        }
        match launcher_in(&target_dir().join("jdks").join(feature_version.to_string())) {
            Some(java) => found.push(Launcher { feature_version, java }),
            None => skip(&format!("no JDK {feature_version} in target/jdks (scripts/jdks installs it)")),
        }
    }
    found.sort_by_key(|launcher| launcher.feature_version);
    found
}

fn launcher_in(home: &Path) -> Option<PathBuf> {
    let java = home.join("bin").join(format!("java{}", std::env::consts::EXE_SUFFIX));
    java.is_file().then_some(java)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_release_once_and_oldest_first() {
        let found = jvms_or_skip();
        let releases: Vec<u32> = found.iter().map(|launcher| launcher.feature_version).collect();
        let mut sorted = releases.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(releases, sorted);
        assert_eq!(launcher_in(Path::new("/no/such/home")), None);
    }
}
