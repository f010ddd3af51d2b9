//! Finding a JDK for tests: `JAVA_HOME` first, then `java` on the `PATH` with links resolved.
//!
//! A runtime without javac is not a JDK here: the tests that ask for one compile Java sources.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A JDK with its tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// The directory that holds `bin` and `lib`.
    pub home: PathBuf,
    /// The launcher.
    pub java: PathBuf,
    /// The compiler.
    pub javac: PathBuf,
    /// The disassembler.
    pub javap: PathBuf,
    /// The full version, as in `17.0.15` or `1.8.0_412`.
    pub version: String,
}

impl Jdk {
    /// The feature release: 8 for `1.8.0_412`, 17 for `17.0.15`.
    pub fn feature_version(&self) -> u32 {
        feature_version(&self.version).unwrap_or(0)
    }

    /// The JDK in `home`, if its tools and a version are there.
    fn at(home: &Path) -> Option<Jdk> {
        let tool = |name: &str| {
            let path = home.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
            path.is_file().then_some(path)
        };
        let release = std::fs::read_to_string(home.join("release")).ok()?;
        Some(Jdk {
            home: home.to_path_buf(),
            java: tool("java")?,
            javac: tool("javac")?,
            javap: tool("javap")?,
            version: release_version(&release)?,
        })
    }
}

/// The value of `JAVA_VERSION` in a JDK's `release` file.
fn release_version(release: &str) -> Option<String> {
    let value = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    let version = value.trim().trim_matches('"');
    feature_version(version).map(|_| version.to_owned())
}

fn feature_version(version: &str) -> Option<u32> {
    let version = version.strip_prefix("1.").unwrap_or(version);
    let digits = version.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// The homes that a launcher found at `java` may belong to: its grandparent, and above it for JDK 8's `jre/bin/java`.
fn homes_of_launcher(java: &Path) -> Vec<PathBuf> {
    let resolved = java.canonicalize().unwrap_or_else(|_| java.to_path_buf());
    resolved.ancestors().skip(2).take(2).map(Path::to_path_buf).collect()
}

fn search(java_home: Option<&Path>, path: Option<&std::ffi::OsStr>) -> Option<Jdk> {
    if let Some(jdk) = java_home.and_then(Jdk::at) {
        return Some(jdk);
    }
    let launcher = format!("java{}", std::env::consts::EXE_SUFFIX);
    let launchers = std::env::split_paths(path?).map(|dir| dir.join(&launcher)).filter(|java| java.is_file());
    launchers.flat_map(|java| homes_of_launcher(&java)).find_map(|home| Jdk::at(&home))
}

/// The JDK to test with, or `None`. The search is done once per process.
pub fn find_jdk() -> Option<Jdk> {
    static FOUND: OnceLock<Option<Jdk>> = OnceLock::new();
    FOUND
        .get_or_init(|| {
            let java_home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
            search(java_home.as_deref(), std::env::var_os("PATH").as_deref())
        })
        .clone()
}

/// The JDK, or `None` after a line that says the test is skipped. With `CI=true` in the environment it panics instead,
/// so that a test run that counts never passes by skipping.
///
/// ```no_run
/// # fn a_test() {
/// let Some(jdk) = selvedge_testkit::jdk_or_skip() else { return };
/// # }
/// ```
#[track_caller]
pub fn jdk_or_skip() -> Option<Jdk> {
    let jdk = find_jdk();
    if jdk.is_none() {
        crate::skip("no JDK with javac found (set JAVA_HOME or put java on the PATH)");
    }
    jdk
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::unique_work_dir;
    use std::fs;

    /// Writes an empty tool set with a `release` file; enough for the search, which runs nothing.
    fn fake_jdk(home: &Path, version: &str) {
        fs::create_dir_all(home.join("bin")).unwrap();
        for tool in ["java", "javac", "javap"] {
            fs::write(home.join("bin").join(format!("{tool}{}", std::env::consts::EXE_SUFFIX)), "").unwrap();
        }
        fs::write(home.join("release"), format!("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"{version}\"\n")).unwrap();
    }

    #[test]
    fn versions_old_and_new() {
        assert_eq!(feature_version("1.8.0_412"), Some(8));
        assert_eq!(feature_version("17.0.15"), Some(17));
        assert_eq!(feature_version("25-ea"), Some(25));
        assert_eq!(feature_version("unknown"), None);
        assert_eq!(release_version("OS=\"Linux\"\nJAVA_VERSION=\"17.0.15\"\n").as_deref(), Some("17.0.15"));
    }

    #[test]
    fn java_home_wins_over_the_path_and_a_runtime_is_passed_over() {
        let dir = unique_work_dir().unwrap();
        let (home, on_path, runtime) = (dir.join("home"), dir.join("path"), dir.join("jre-only"));
        fake_jdk(&home, "21.0.1");
        fake_jdk(&on_path, "17.0.1");
        fake_jdk(&runtime, "11.0.1");
        fs::remove_file(runtime.join("bin").join(format!("javac{}", std::env::consts::EXE_SUFFIX))).unwrap();
        let path = std::env::join_paths([runtime.join("bin"), on_path.join("bin")]).unwrap();

        let version = |home: Option<&Path>| search(home, Some(&path)).map(|jdk| jdk.version);
        assert_eq!(version(Some(&home)).as_deref(), Some("21.0.1"));
        assert_eq!(version(None).as_deref(), Some("17.0.1"));
        assert_eq!(version(Some(&dir.join("absent"))).as_deref(), Some("17.0.1"));
        assert_eq!(search(Some(&runtime), None), None);
        fs::remove_dir_all(dir).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_and_the_nested_runtime_of_jdk_8_are_resolved() {
        let dir = unique_work_dir().unwrap().canonicalize().unwrap();
        let home = dir.join("jdk8");
        fake_jdk(&home, "1.8.0_412");
        fs::create_dir_all(home.join("jre/bin")).unwrap();
        fs::write(home.join("jre/bin/java"), "").unwrap();
        fs::create_dir_all(dir.join("links")).unwrap();
        std::os::unix::fs::symlink(home.join("jre/bin/java"), dir.join("links/java")).unwrap();

        let jdk = search(None, Some(dir.join("links").as_os_str())).unwrap();
        assert_eq!((jdk.home.as_path(), jdk.feature_version()), (home.as_path(), 8));
        fs::remove_dir_all(dir).unwrap();
    }
}
