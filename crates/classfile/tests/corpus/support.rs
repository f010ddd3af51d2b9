//! Real class files for the tests: those of the installed JDK, dumped once into the build directory.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The class files of a dump: where each came from, and its bytes.
pub struct Corpus {
    dump: Vec<u8>,
    /// The jars; none for the JDK.
    pub jars: Vec<PathBuf>,
}

/// How many bytes of jars make a sample of the installed libraries.
const SAMPLE_SIZE: u64 = 20_000_000;

impl Corpus {
    /// All classes of the JDK whose `java` is on the path, by module; `None`, with a message, if there is none.
    pub fn jdk() -> Option<&'static Corpus> {
        static JDK: OnceLock<Option<Corpus>> = OnceLock::new();
        JDK.get_or_init(|| Corpus::dump("jdk", Vec::new())).as_ref()
    }

    /// All classes of some jars in the distribution's folder for Java libraries, by number of the jar; `None`, with a
    /// message, if there are none.
    pub fn libraries() -> Option<&'static Corpus> {
        static LIBRARIES: OnceLock<Option<Corpus>> = OnceLock::new();
        let load = || {
            let entries = std::fs::read_dir("/usr/share/java").ok().into_iter().flatten().flatten();
            let mut jars: Vec<PathBuf> = entries
                .map(|entry| entry.path())
                .filter(|path| path.extension().is_some_and(|extension| extension == "jar"))
                .filter_map(|path| path.canonicalize().ok())
                .collect();
            jars.sort_by_key(|jar| hash(jar.as_os_str().as_encoded_bytes()));
            jars.dedup();
            let mut size = 0;
            jars.retain(|jar| {
                size += std::fs::metadata(jar).map_or(0, |metadata| metadata.len());
                size <= SAMPLE_SIZE
            });
            if jars.is_empty() {
                eprintln!("skipped: there are no Java libraries in /usr/share/java");
                return None;
            }
            Corpus::dump("libraries", jars)
        };
        LIBRARIES.get_or_init(load).as_ref()
    }

    /// Reads the dump of this name, after making it if there is none of these jars yet.
    fn dump(name: &str, jars: Vec<PathBuf>) -> Option<Corpus> {
        let key = format!("{}\n{jars:?}", java_version()?);
        let (file, key_file) =
            (scratch().join(format!("{name}.dump")), scratch().join(format!("{name}.key")));
        if !file.exists() || std::fs::read_to_string(&key_file).ok().as_ref() != Some(&key) {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/DumpClasses.java");
            run(Command::new("java").arg(source).arg(&file).args(&jars));
            std::fs::write(key_file, key).unwrap();
        }
        Some(Corpus { dump: std::fs::read(file).unwrap(), jars })
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

/// A directory that is gone at the end of the test, however it ends.
pub struct TemporaryDirectory(pub PathBuf);

impl TemporaryDirectory {
    /// A new, empty one.
    pub fn new(name: &str) -> TemporaryDirectory {
        let path = scratch().join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        TemporaryDirectory(path)
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Compiles a source file into a directory; `None`, with a message, if there is no JDK.
pub fn compile(name: &str, source: &str, directory: &Path) -> Option<()> {
    java_version()?;
    let file = directory.join(name);
    std::fs::write(&file, source).unwrap();
    run(Command::new("javac").args(["-g", "-parameters", "-d"]).arg(directory).arg(file));
    Some(())
}

/// The version of the `java` on the path; `None`, with a message, if a JDK is missing.
fn java_version() -> Option<String> {
    match (Command::new("java").arg("-version").output(), Command::new("javac").arg("-version").output()) {
        (Ok(java), Ok(_)) => Some(String::from_utf8_lossy(&java.stderr).into_owned()),
        _ => {
            eprintln!("skipped: there is no JDK on the path");
            None
        }
    }
}

/// Runs a command that must succeed, and returns what it prints.
pub fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{out}\n{err}");
    out.into_owned()
}

/// A number that depends on the bytes (FNV-1a), to choose samples by.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
