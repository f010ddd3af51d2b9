//! What is recorded, and with which class path: the programs of `workloads/`, and those of the interpreter's tests.
//!
//! A workload is a Java file, or a directory of Java files and resources, named like its main class, which is in the
//! unnamed package; one of the interpreter's has `interp-` before its name. Comments at the start of the main class's file say what else it needs:
//!
//! ```text
//! // jars: xalan2 serializer      from target/jars, fetched by scripts/jars
//! // exit: 3                      the exit status of a good run, if not 0
//! ```

use crate::recording::made_classes_dir;
use selvedge_testkit::{
    Failure, JavacOptions, Jdk, RunOptions, Sources, compile_with, repository_root, target_dir,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program to record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// The name of the workload and of its recording.
    pub name: String,
    /// The main class.
    pub main_class: String,
    /// The file or directory.
    pub source: PathBuf,
    /// The jars it runs against, without `.jar`.
    pub jars: Vec<String>,
    /// The exit status of a good run.
    pub exit: i32,
}

/// Where recordings are kept.
pub fn recordings_dir() -> PathBuf {
    target_dir().join("recordings")
}

/// Every workload, sorted by name.
pub fn workloads() -> Result<Vec<Workload>, Failure> {
    let root = repository_root();
    let places = [("workloads", ""), ("workloads/corpus", ""), ("crates/interp/tests/programs", "interp-")];
    let mut found = Vec::new();
    for (place, prefix) in places {
        let dir = root.join(place);
        let entries = std::fs::read_dir(&dir).map_err(Failure::io(format!("list {}", dir.display())))?;
        for entry in entries {
            let path = entry.map_err(Failure::io(format!("list {}", dir.display())))?.path();
            let main_class = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let is_java_file = path.extension().is_some_and(|extension| extension == "java");
            if is_java_file || path.join(format!("{main_class}.java")).is_file() {
                found.push(Workload::read(format!("{prefix}{main_class}"), main_class, path)?);
            }
        }
    }
    found.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(found)
}

impl Workload {
    fn read(name: String, main_class: String, source: PathBuf) -> Result<Workload, Failure> {
        let main = if source.is_dir() { source.join(format!("{main_class}.java")) } else { source.clone() };
        let text = std::fs::read_to_string(&main).map_err(Failure::io(format!("read {}", main.display())))?;
        let (jars, exit) =
            parse_header(&text).map_err(|message| Failure::new(format!("{}: {message}", main.display())))?;
        Ok(Workload { name, main_class, source, jars, exit })
    }

    /// Compiles the program and returns its class path, its own classes first.
    pub fn class_path(&self, jdk: &Jdk) -> Result<Vec<PathBuf>, Failure> {
        let jars = self.jar_paths()?;
        let options = JavacOptions { classpath: jars.clone(), ..JavacOptions::default() };
        let sources = if self.source.is_dir() {
            Sources::Dir(&self.source)
        } else {
            Sources::Files(std::slice::from_ref(&self.source))
        };
        let classes = compile_with(jdk, sources, &options)?;
        let mut path = vec![classes.path().to_path_buf()];
        if self.source.is_dir() {
            path.push(self.source.clone());
        }
        path.extend(jars);
        Ok(path)
    }

    /// How to run it.
    pub fn run_options(&self, jdk: &Jdk) -> Result<RunOptions, Failure> {
        Ok(RunOptions {
            classpath: self.class_path(jdk)?,
            timeout: Duration::from_secs(600),
            ..RunOptions::default()
        })
    }

    /// Where its recording is kept.
    pub fn recording_path(&self) -> PathBuf {
        recordings_dir().join(format!("{}.edges", self.name))
    }

    /// Where the class files are that loaders of its own were given when it was recorded, if there were any.
    pub fn made_classes(&self) -> Option<PathBuf> {
        Some(made_classes_dir(&self.recording_path())).filter(|dir| dir.is_dir())
    }

    /// Where it is kept which classes a recording is of: compiled classes lie at a place that names their contents.
    pub fn class_path_file(&self) -> PathBuf {
        recordings_dir().join(format!("{}.classpath", self.name))
    }

    fn jar_paths(&self) -> Result<Vec<PathBuf>, Failure> {
        let dir = target_dir().join("jars");
        let find = |name: &String| {
            let path = dir.join(format!("{name}.jar"));
            let missing = || format!("{} needs {}; run scripts/jars", self.name, display(&path));
            path.is_file().then_some(path.clone()).ok_or_else(|| Failure::new(missing()))
        };
        self.jars.iter().map(find).collect()
    }
}

fn display(path: &Path) -> String {
    path.display().to_string()
}

/// The jars and the exit status that the comments at the start of a file name.
fn parse_header(text: &str) -> Result<(Vec<String>, i32), String> {
    let (mut jars, mut exit) = (Vec::new(), 0);
    for line in text.lines().map_while(|line| line.strip_prefix("//")) {
        match line.trim().split_once(": ") {
            Some(("jars", names)) => jars = names.split_whitespace().map(str::to_owned).collect(),
            Some(("exit", status)) => {
                exit = status.trim().parse().map_err(|_| format!("\"{status}\" is no exit status"))?;
            }
            _ => {}
        }
    }
    Ok((jars, exit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_name_jars_and_exit_status() {
        let header = "// A program.\n// jars: a b\n// exit: 3\nclass X {}\n// jars: c\n";
        assert_eq!(parse_header(header), Ok((vec!["a".to_owned(), "b".to_owned()], 3)));
        assert_eq!(parse_header("class X {}"), Ok((vec![], 0)));
        assert!(parse_header("// exit: soon").unwrap_err().contains("soon"));
    }

    #[test]
    fn the_repository_has_its_workloads() {
        let found = workloads().unwrap();
        let names: Vec<&str> = found.iter().map(|workload| workload.name.as_str()).collect();
        for name in ["interp-Strings", "H2", "Derby", "Hsqldb", "Xalan", "Pool", "Pool2", "Jtds", "Services"]
        {
            assert!(names.contains(&name), "{name} is missing from {names:?}");
        }
        let in_corpus = found.iter().filter(|workload| workload.jars.is_empty()).count();
        assert!(in_corpus >= 20, "only {in_corpus} small programs");
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "two workloads of one name: {names:?}");
    }
}
