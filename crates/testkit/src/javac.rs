//! The javac driver. A compilation is looked up by a hash of everything that decides its result (compiler version,
//! options, class path, sources) and run only if it is not in the cache.
//!
//! Entries are built in a directory of their own and renamed into place, so several threads and processes can ask for
//! the same compilation at once: the first to finish wins, the others take its result. A failed compilation leaves
//! nothing behind.

use crate::files::unique_work_dir;
use crate::hash::KeyHasher;
use crate::{Failure, Jdk, RunOptions, cache_dir, files_below, run_with_timeout};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What to compile.
#[derive(Clone, Copy, Debug)]
pub enum Sources<'a> {
    /// Sources in memory: a relative path such as `p/Main.java`, and the text.
    Texts(&'a [(&'a str, &'a str)]),
    /// Files on disk; only their last name is kept, so they must differ in it.
    Files(&'a [PathBuf]),
    /// Every `.java` file below a directory, with its path in it.
    Dir(&'a Path),
}

/// How to compile. The default is `javac -g -nowarn -proc:none` at the compiler's own release.
#[derive(Clone, Debug, Default)]
pub struct JavacOptions {
    /// `--release`: language level and class-file version.
    pub release: Option<u32>,
    /// Further arguments, placed after the driver's own and so able to override them.
    pub args: Vec<String>,
    /// Directories and jars to compile against.
    pub classpath: Vec<PathBuf>,
}

/// A directory of class files in the cache. Do not change what is in it: other tests share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledDir {
    dir: PathBuf,
}

impl CompiledDir {
    /// The directory: the root of the package tree.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// Every class file in it, sorted by path.
    pub fn class_files(&self) -> Result<Vec<PathBuf>, Failure> {
        files_below(&self.dir, ".class")
    }

    /// The bytes of one class, named with slashes: `p/Outer$Inner`.
    pub fn class_bytes(&self, name: &str) -> Result<Vec<u8>, Failure> {
        let path = self.dir.join(format!("{name}.class"));
        fs::read(&path).map_err(Failure::io(format!("read {}", path.display())))
    }
}

/// Compiles sources given as text with the JDK that [`find_jdk`](crate::find_jdk) finds.
pub fn compile(sources: &[(&str, &str)], options: &JavacOptions) -> Result<CompiledDir, Failure> {
    let jdk = crate::find_jdk().ok_or_else(|| Failure::new("no JDK found to compile with"))?;
    compile_with(&jdk, Sources::Texts(sources), options)
}

/// Compiles with a given JDK. The compiler's complaints are the failure's message, unchanged.
pub fn compile_with(jdk: &Jdk, sources: Sources<'_>, options: &JavacOptions) -> Result<CompiledDir, Failure> {
    let mut sources = load(sources)?;
    sources.sort();
    let entry = cache_dir().join(key(jdk, &sources, options)?);
    if entry.is_dir() {
        return Ok(CompiledDir { dir: entry });
    }
    let work = unique_work_dir()?;
    let result = run_javac(jdk, &work, &sources, options).and_then(|classes| install(&classes, &entry));
    let _ = fs::remove_dir_all(&work);
    result.map(|()| CompiledDir { dir: entry })
}

/// Reads the sources as (relative path, text).
fn load(sources: Sources<'_>) -> Result<Vec<(String, String)>, Failure> {
    let read = |path: &Path, name: &Path| {
        let text = fs::read_to_string(path).map_err(Failure::io(format!("read {}", path.display())))?;
        Ok((name.to_string_lossy().into_owned(), text))
    };
    match sources {
        Sources::Texts(texts) => {
            Ok(texts.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect())
        }
        Sources::Files(files) => {
            files.iter().map(|path| read(path, path.file_name().unwrap_or_default().as_ref())).collect()
        }
        Sources::Dir(dir) => {
            let files = files_below(dir, ".java")?;
            files.iter().map(|path| read(path, path.strip_prefix(dir).unwrap_or(path))).collect()
        }
    }
}

fn key(jdk: &Jdk, sources: &[(String, String)], options: &JavacOptions) -> Result<String, Failure> {
    let mut hasher = KeyHasher::new();
    hasher.field(b"javac 1");
    hasher.field(jdk.version.as_bytes());
    hasher.field(jdk.home.to_string_lossy().as_bytes());
    hasher.field(format!("{:?} {:?}", options.release, options.args).as_bytes());
    for entry in &options.classpath {
        hash_classpath_entry(&mut hasher, entry)?;
    }
    for (path, text) in sources {
        hasher.field(path.as_bytes());
        hasher.field(text.as_bytes());
    }
    Ok(hasher.finish())
}

/// A jar or a directory counts by its files' names and contents: a rebuilt dependency is a new key.
fn hash_classpath_entry(hasher: &mut KeyHasher, entry: &Path) -> Result<(), Failure> {
    hasher.field(entry.to_string_lossy().as_bytes());
    // A cache entry's own name already stands for its contents.
    if entry.parent() == Some(cache_dir().as_path()) {
        return Ok(());
    }
    let files = if entry.is_dir() { files_below(entry, ".class")? } else { vec![entry.to_path_buf()] };
    for file in files {
        hasher.field(file.to_string_lossy().as_bytes());
        hasher.field(&fs::read(&file).map_err(Failure::io(format!("read {}", file.display())))?);
    }
    Ok(())
}

/// Writes the sources below `work`, compiles them, and returns the directory of the classes.
fn run_javac(
    jdk: &Jdk,
    work: &Path,
    sources: &[(String, String)],
    options: &JavacOptions,
) -> Result<PathBuf, Failure> {
    let (source_dir, class_dir) = (work.join("src"), work.join("classes"));
    fs::create_dir_all(&class_dir).map_err(Failure::io(format!("create {}", class_dir.display())))?;
    let mut command = Command::new(&jdk.javac);
    command.args(["-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1", "-encoding", "UTF-8"]);
    command.args(["-g", "-nowarn", "-proc:none", "-implicit:none"]);
    if let Some(release) = options.release {
        // Releases that a compiler is about to drop only cause a remark, which is no concern of the tests.
        command.args(["-Xlint:-options", "--release", &release.to_string()]);
    }
    command.arg("-cp").arg(class_path(&options.classpath)?);
    command.arg("-d").arg(&class_dir);
    command.args(&options.args);
    let mut names = std::collections::BTreeSet::new();
    for (path, text) in sources {
        if !names.insert(path) {
            return Err(Failure::new(format!("two sources are called {path}")));
        }
        let file = source_dir.join(path);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent).map_err(Failure::io(format!("create {}", parent.display())))?;
        }
        fs::write(&file, text).map_err(Failure::io(format!("write {}", file.display())))?;
        command.arg(path);
    }
    command.current_dir(&source_dir);
    let run = run_with_timeout(command, Duration::from_secs(300))?;
    if run.exit_code == Some(0) {
        return Ok(class_dir);
    }
    let how = if run.timed_out { "javac took more than 300 s and was stopped" } else { "javac failed" };
    Err(Failure::new(format!("{how}\n{}{}", run.stdout, run.stderr)))
}

/// The class path as one argument; `.` stands for none, since an empty argument would mean the same less visibly.
pub(crate) fn class_path(entries: &[PathBuf]) -> Result<OsString, Failure> {
    if entries.is_empty() {
        return Ok(OsString::from("."));
    }
    std::env::join_paths(entries).map_err(|error| Failure::new(format!("bad class path: {error}")))
}

/// Renames the finished directory into place. Losing the race against another builder of the same entry is success.
fn install(classes: &Path, entry: &Path) -> Result<(), Failure> {
    match fs::rename(classes, entry) {
        Err(_) if entry.is_dir() => Ok(()),
        result => result.map_err(Failure::io(format!("move the classes to {}", entry.display()))),
    }
}

impl RunOptions {
    /// Options whose class path is these directories and jars.
    pub fn with_classpath(entries: &[&Path]) -> Self {
        RunOptions { classpath: entries.iter().map(|entry| entry.to_path_buf()).collect(), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCES: [(&str, &str); 1] = [("p/A.java", "package p; public class A { int x; }")];

    #[test]
    fn compiles_once_and_then_answers_from_the_cache() {
        let Some(_) = crate::jdk_or_skip() else { return };
        let first = compile(&SOURCES, &JavacOptions::default()).unwrap();
        let modified =
            |dir: &CompiledDir| fs::metadata(dir.path().join("p/A.class")).unwrap().modified().unwrap();
        let built = modified(&first);
        let second = compile(&SOURCES, &JavacOptions::default()).unwrap();
        assert_eq!(first, second);
        assert_eq!(built, modified(&second));
        assert_eq!(&first.class_bytes("p/A").unwrap()[..4], b"\xca\xfe\xba\xbe");
    }

    #[test]
    fn release_and_arguments_make_another_entry() {
        let Some(_) = crate::jdk_or_skip() else { return };
        let release = |release| JavacOptions { release: Some(release), ..JavacOptions::default() };
        let (old, new) = (compile(&SOURCES, &release(8)).unwrap(), compile(&SOURCES, &release(11)).unwrap());
        let major = |dir: &CompiledDir| dir.class_bytes("p/A").unwrap()[7];
        assert_eq!((major(&old), major(&new)), (52, 55));
        let stripped = JavacOptions { args: vec!["-g:none".to_owned()], ..release(8) };
        let stripped = compile(&SOURCES, &stripped).unwrap();
        assert!(stripped.class_bytes("p/A").unwrap().len() < old.class_bytes("p/A").unwrap().len());
    }

    #[test]
    fn the_compilers_complaint_is_shown_as_it_is() {
        let Some(_) = crate::jdk_or_skip() else { return };
        let failure =
            compile(&[("B.java", "class B { int x = \"no\"; }")], &JavacOptions::default()).unwrap_err();
        let shown = format!("{failure:?}");
        assert!(shown.contains("B.java:1: error: incompatible types"), "{shown}");
        assert!(shown.contains("class B { int x = \"no\"; }"), "{shown}");
    }

    #[test]
    fn compiles_against_another_compilation() {
        let Some(_) = crate::jdk_or_skip() else { return };
        let library = compile(&SOURCES, &JavacOptions::default()).unwrap();
        let options =
            JavacOptions { classpath: vec![library.path().to_path_buf()], ..JavacOptions::default() };
        let user = compile(&[("C.java", "class C extends p.A { }")], &options).unwrap();
        let classes = user.class_files().unwrap();
        assert_eq!(classes, [user.path().join("C.class")]);
    }

    #[test]
    fn many_threads_may_ask_for_the_same_compilation() {
        let Some(jdk) = crate::jdk_or_skip() else { return };
        // A text no earlier run has compiled: all threads start with the entry absent.
        let text = format!("class D {{ String s = \"{:?}\"; }}", std::time::SystemTime::now());
        let sources = [("D.java", text.as_str())];
        let dirs: Vec<CompiledDir> = std::thread::scope(|scope| {
            let ask = || compile_with(&jdk, Sources::Texts(&sources), &JavacOptions::default()).unwrap();
            let threads: Vec<_> = (0..3).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(dirs.windows(2).all(|pair| pair[0] == pair[1]));
        assert_eq!(dirs[0].class_files().unwrap().len(), 1);
        fs::remove_dir_all(dirs[0].path()).unwrap();
    }

    #[test]
    fn files_and_directories_are_sources_too() {
        let Some(jdk) = crate::jdk_or_skip() else { return };
        let dir = unique_work_dir().unwrap();
        fs::create_dir_all(dir.join("q")).unwrap();
        fs::write(dir.join("q/E.java"), "package q; class E { }").unwrap();
        let options = JavacOptions::default();
        let from_dir = compile_with(&jdk, Sources::Dir(&dir), &options).unwrap();
        let from_file = compile_with(&jdk, Sources::Files(&[dir.join("q/E.java")]), &options).unwrap();
        assert_eq!(from_dir.class_bytes("q/E").unwrap(), from_file.class_bytes("q/E").unwrap());
        fs::remove_dir_all(dir).unwrap();
    }
}
