//! A directory of Java sources as input: compiled with the JDK's compiler, so that there are classes to analyse.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use anyhow::{Context, Result, bail};

/// The directories of classes that this process made.
static MADE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Files at most so deep below a directory are looked for.
const DEEPEST: usize = 64;

/// The path to read instead of `path`: a directory with compiled classes if it is one of sources alone, otherwise itself.
pub fn compiled(path: &Path, classpath: Option<&OsStr>, jdk: Option<&Path>) -> Result<PathBuf> {
    let mut found = Files::default();
    if path.is_dir() {
        found.add(path, 0);
    }
    if found.others > 0 || found.sources.is_empty() {
        return Ok(path.to_owned());
    }
    let what = match found.sources.len() {
        1 => format!("`{}` contains 1 .java file and no classes", path.display()),
        count => format!("`{}` contains {count} .java files and no classes", path.display()),
    };
    let remedy = "compile first and give the directory of classes, or the libraries with --classpath";
    let classes = std::env::temp_dir().join(format!("selvedge-classes-{}-{}", std::process::id(), made()));
    std::fs::create_dir_all(&classes).with_context(|| format!("cannot write {}", classes.display()))?;
    remember(&classes);
    let list = classes.join("sources.txt");
    let mut names = String::new();
    for source in &found.sources {
        let name = source.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(names, "\"{name}\"");
    }
    std::fs::write(&list, names).with_context(|| format!("cannot write {}", list.display()))?;
    let mut javac = Command::new(tool(jdk, "javac"));
    javac.args(["-g", "-nowarn", "-proc:none", "-encoding", "UTF-8", "-d"]).arg(&classes);
    if let Some(classpath) = classpath {
        javac.arg("-cp").arg(classpath);
    }
    let mut argument = OsString::from("@");
    argument.push(&list);
    let Ok(output) = javac.arg(argument).output() else {
        bail!("{what}, and there is no javac to compile them: {remedy}");
    };
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let first = said.lines().find(|line| line.contains("error:")).unwrap_or("no reason given");
        bail!("{what}, and javac cannot compile them ({first}): {remedy}");
    }
    eprintln!("selvedge: {what}: compiled with javac");
    Ok(classes)
}

/// Removes what was compiled.
pub fn clean_up() {
    let made = std::mem::take(&mut *MADE.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    for directory in made {
        let _ = std::fs::remove_dir_all(directory);
    }
}

fn made() -> usize {
    MADE.lock().unwrap_or_else(std::sync::PoisonError::into_inner).len()
}

fn remember(directory: &Path) {
    MADE.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(directory.to_owned());
}

/// A tool of the given JDK, or of JAVA_HOME, or the one on the PATH.
pub fn tool(jdk: Option<&Path>, name: &str) -> PathBuf {
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let named = jdk.map(Path::to_owned).into_iter().chain(home).map(|home| home.join("bin").join(name));
    named.into_iter().find(|tool| tool.exists()).unwrap_or_else(|| PathBuf::from(name))
}

/// What a directory holds.
#[derive(Default)]
struct Files {
    sources: Vec<PathBuf>,
    /// Classes and archives.
    others: usize,
}

impl Files {
    fn add(&mut self, directory: &Path, depth: usize) {
        let Ok(entries) = std::fs::read_dir(directory) else { return };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort_unstable();
        for path in paths {
            let kind = path.extension().and_then(OsStr::to_str).unwrap_or_default();
            match kind {
                _ if path.is_dir() && depth < DEEPEST && !path.is_symlink() => self.add(&path, depth + 1),
                "java" => {
                    let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
                    if !matches!(stem, "module-info" | "package-info") {
                        self.sources.push(path);
                    }
                }
                "class" | "jar" | "war" | "ear" | "jmod" | "zip" => self.others += 1,
                _ => {}
            }
        }
    }
}
