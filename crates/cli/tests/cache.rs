//! Results of earlier checks, from the outside: the same bytes as a check that starts from nothing, or no use at all.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use selvedge_testkit::{CompiledDir, JavacOptions, compile, jdk_or_skip};

const RACY: &str = "
class Counter {
    static int hits;
    public static void main(String[] arguments) {
        new Thread(() -> hits++).start();
        hits++;
    }
}
";

/// A directory that is gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("selvedge-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn files(&self) -> Vec<PathBuf> {
        std::fs::read_dir(&self.0).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn classes(source: &str) -> CompiledDir {
    compile(&[("Counter.java", source)], &JavacOptions::default()).unwrap()
}

/// The class of the source in a directory that may be changed.
fn copy(source: &str, folder: &Folder) {
    let compiled = classes(source);
    std::fs::copy(compiled.path().join("Counter.class"), folder.0.join("Counter.class")).unwrap();
}

fn check(program: &Path, cache: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.arg("check").arg(program).arg("--cache").arg(cache).args(more).output().unwrap()
}

#[test]
fn a_kept_result_has_the_same_bytes_in_every_format() {
    let Some(_) = jdk_or_skip() else { return };
    let (program, folder) = (classes(RACY), Folder::new("cache-formats"));
    let cache = folder.0.join("cache");
    let first = check(program.path(), &cache, &["--format", "json"]);
    assert_eq!(first.status.code(), Some(1));
    let kept = Folder(cache.clone());
    let [report] = &kept.files()[..] else { panic!("{:?}", kept.files()) };
    let written = report.metadata().unwrap().modified().unwrap();
    let again = check(program.path(), &cache, &["--format", "json"]);
    assert_eq!(first, again);
    assert!(report.metadata().unwrap().modified().unwrap() >= written);
    // How a result is shown is no part of it: all of these come from the kept one.
    let json = folder.0.join("report.json");
    std::fs::write(&json, &first.stdout).unwrap();
    for format in ["text", "sarif", "html", "github"] {
        let warm = check(program.path(), &cache, &["--format", format]);
        let mut shown = Command::new(env!("CARGO_BIN_EXE_selvedge"));
        let shown = shown.arg("report").arg(&json).args(["--format", format]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&warm.stdout), String::from_utf8_lossy(&shown.stdout), "{format}");
    }
    assert_eq!(kept.files().len(), 1);
}

#[test]
fn what_decides_the_result_decides_the_key() {
    let Some(_) = jdk_or_skip() else { return };
    let (program, folder) = (Folder::new("cache-program"), Folder::new("cache-keys"));
    copy(RACY, &program);
    let cache = Folder(folder.0.join("cache"));
    let racy = check(&program.0, &cache.0, &["--brief"]);
    assert_eq!(racy.status.code(), Some(1));
    assert_eq!(cache.files().len(), 1);
    for (position, options) in
        [&["--safe"][..], &["--without", "order"], &["--locks", "likely"]].into_iter().enumerate()
    {
        check(&program.0, &cache.0, options);
        assert_eq!(cache.files().len(), position + 2, "{options:?}");
    }
    let safe = RACY.replace("static int", "static volatile int");
    copy(&safe, &program);
    assert_eq!(check(&program.0, &cache.0, &["--brief"]).status.code(), Some(0));
    copy(RACY, &program);
    assert_eq!(check(&program.0, &cache.0, &["--brief"]), racy);
    // What depends on the machine is not kept.
    let count = cache.files().len();
    check(&program.0, &cache.0, &["--max-time", "100"]);
    check(&program.0, &cache.0, &["--max-memory", "4G"]);
    assert_eq!(cache.files().len(), count);
}

#[test]
fn a_damaged_result_is_made_again() {
    let Some(_) = jdk_or_skip() else { return };
    let (program, folder) = (classes(RACY), Folder::new("cache-damage"));
    let cache = Folder(folder.0.join("cache"));
    let status = |cache: &Path| check(program.path(), cache, &["--quiet"]).status.code();
    assert_eq!(status(&cache.0), Some(1));
    let report = cache.files().pop().unwrap();
    let sound = std::fs::read(&report).unwrap();
    let mut flipped = sound.clone();
    flipped[sound.len() / 2] ^= 1;
    for damaged in [&b""[..], b"short", &sound[..sound.len() - 1], &flipped] {
        std::fs::write(&report, damaged).unwrap();
        assert_eq!(status(&cache.0), Some(1));
        assert_ne!(std::fs::read(&report).unwrap(), damaged, "written anew");
    }
    // A place that cannot be used costs time, nothing else.
    let file = folder.0.join("file");
    std::fs::write(&file, b"no directory").unwrap();
    assert_eq!(status(&file), Some(1));
}

/// What a process has written so far, as soon as it holds `wanted`.
fn wait_for(output: &mut impl std::io::Read, so_far: &mut String, wanted: &str) {
    let start = Instant::now();
    let mut buffer = [0; 4096];
    while !so_far.contains(wanted) {
        assert!(start.elapsed() < Duration::from_secs(300), "{wanted:?} did not come: {so_far}");
        let count = output.read(&mut buffer).unwrap();
        assert_ne!(count, 0, "the end came before {wanted:?}: {so_far}");
        so_far.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
}

/// Killed at the end.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn watch_checks_again_when_a_class_changes() {
    let Some(_) = jdk_or_skip() else { return };
    let program = Folder::new("watched");
    copy(RACY, &program);
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.arg("check").arg(&program.0).args(["--watch", "--quiet", "--no-cache"]);
    let mut watching = Killed(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    let mut output = watching.0.stdout.take().unwrap();
    let mut so_far = String::new();
    wait_for(&mut output, &mut so_far, "1 race");
    copy(&RACY.replace("static int", "static volatile int"), &program);
    wait_for(&mut output, &mut so_far, "no races found");
}
