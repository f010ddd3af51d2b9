//! A directory of Java sources is compiled, or a sentence says why not.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use selvedge_testkit::jdk_or_skip;

fn folder(name: &str, source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(folder.join("app")).unwrap();
    std::fs::write(folder.join("app/Hits.java"), source).unwrap();
    folder
}

fn check(folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.args(["check", "--brief"]).arg(folder).output().unwrap()
}

#[test]
fn sources_are_compiled() {
    if jdk_or_skip().is_none() {
        return;
    }
    let source = "package app;
public class Hits extends Thread {
    static int count;
    public void run() { count++; }
    public static void main(String[] args) { new Hits().start(); new Hits().start(); }
}
";
    let output = check(&folder("sources", source));
    let (told, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{told}{said}");
    assert!(told.contains("Hits.java:4") && told.contains("app.Hits.count"), "{told}");
    assert!(said.contains("contains 1 .java file and no classes: compiled with javac"), "{said}");
}

#[test]
fn what_does_not_compile_is_one_sentence() {
    if jdk_or_skip().is_none() {
        return;
    }
    let output = check(&folder("broken", "package app; public class Hits { no.such.Type field; }"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("javac cannot compile them") && said.contains("--classpath"), "{said}");
}
