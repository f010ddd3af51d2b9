//! Real class files for the tests: those of the installed JDK, dumped once into the build directory.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The class files of a dump: where each came from, and its bytes.
pub struct Corpus {
    dump: Vec<u8>,
}

impl Corpus {
    /// All classes of the JDK whose `java` is on the path; `None`, with a message, if there is none.
    pub fn jdk() -> Option<&'static Corpus> {
        static JDK: OnceLock<Option<Corpus>> = OnceLock::new();
        JDK.get_or_init(|| Corpus::dump("jdk", &[])).as_ref()
    }

    /// All classes of the jars in the distribution's folder for Java libraries; `None`, with a message, if there are
    /// none.
    pub fn libraries() -> Option<&'static Corpus> {
        static LIBRARIES: OnceLock<Option<Corpus>> = OnceLock::new();
        let load = || {
            let entries = std::fs::read_dir("/usr/share/java").ok().into_iter().flatten().flatten();
            // Versioned names are links to the same jars.
            let mut jars: Vec<PathBuf> = entries
                .map(|entry| entry.path())
                .filter(|path| path.extension().is_some_and(|extension| extension == "jar"))
                .filter_map(|path| path.canonicalize().ok())
                .collect();
            jars.sort();
            jars.dedup();
            if jars.is_empty() {
                eprintln!("skipped: there are no Java libraries in /usr/share/java");
                return None;
            }
            let key = jars.iter().map(|jar| jar.as_os_str().len()).sum::<usize>();
            Corpus::dump(&format!("libraries-{}-{key}", jars.len()), &jars)
        };
        LIBRARIES.get_or_init(load).as_ref()
    }

    fn dump(name: &str, jars: &[PathBuf]) -> Option<Corpus> {
        let version = java_version()?;
        let file = scratch().join(format!("{name}-{version}.dump"));
        if !file.exists() {
            let partial = scratch().join(format!("{name}-{}.partial", std::process::id()));
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/DumpClasses.java");
            let output =
                Command::new("java").arg(source).arg(&partial).args(jars).output().expect("java starts");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            std::fs::rename(partial, &file).unwrap();
        }
        Some(Corpus { dump: std::fs::read(file).unwrap() })
    }

    /// `(path, class file)` of every class, in a fixed order.
    pub fn classes(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let mut rest = &self.dump[..];
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let mut take = |length: usize| {
                let (head, tail) = rest.split_at(length);
                rest = tail;
                head
            };
            let length = u16::from_be_bytes(take(2).try_into().unwrap());
            let path = std::str::from_utf8(take(length.into())).unwrap();
            let length = u32::from_be_bytes(take(4).try_into().unwrap());
            Some((path, take(length as usize)))
        })
    }
}

/// A directory for files that tests of one build share.
fn scratch() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// The version of the `java` on the path, as a file name; `None`, with a message, if a JDK is missing.
fn java_version() -> Option<String> {
    let output =
        match (Command::new("java").arg("-version").output(), Command::new("javac").arg("-version").output())
        {
            (Ok(java), Ok(_)) => java,
            _ => {
                eprintln!("skipped: there is no JDK on the path");
                return None;
            }
        };
    let text = String::from_utf8_lossy(&output.stderr);
    Some(text.lines().next()?.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '.').collect())
}
