//! The committed classes are what their sources say.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use selvedge_hooks::{CLASSES, HOLD_CLASSES};
use selvedge_testkit::{jdk_or_skip, repository_root};

/// What the classes use of the JDK that programs cannot.
const STUBS: [&str; 4] = [
    "java/lang/Thread.java",
    "jdk/internal/misc/Unsafe.java",
    "jdk/internal/vm/annotation/DontInline.java",
    "jdk/internal/vm/annotation/ForceInline.java",
];

/// `javac --release 8 -g:none` makes the same bytes on every JDK.
#[test]
fn the_classes_are_what_their_sources_say() {
    let Some(jdk) = jdk_or_skip() else { return };
    let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("java");
    let out = repository_root().join("target/hooks-compiled");
    let _ = std::fs::remove_dir_all(&out);
    std::fs::create_dir_all(&out).unwrap();
    let output = Command::new(&jdk.javac)
        .args(["--release", "8", "-Xlint:-options", "-g:none", "-d"])
        .arg(&out)
        .args(STUBS.map(|file| java.join("stub").join(file)))
        .args(CLASSES.iter().chain(&HOLD_CLASSES).map(|(name, _)| java.join(format!("{name}.java"))))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for (name, bytes) in CLASSES.into_iter().chain(HOLD_CLASSES) {
        let made = std::fs::read(out.join(format!("{name}.class"))).unwrap();
        assert!(made == bytes, "run crates/hooks/java/build: {name} is not that of the source");
    }
}

/// Every source has a place in the order in which the classes are defined.
#[test]
fn every_source_is_listed() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("java/java/lang");
    for entry in std::fs::read_dir(sources).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let name = format!("java/lang/{}", file.strip_suffix(".java").unwrap());
        assert!(
            CLASSES.iter().chain(&HOLD_CLASSES).any(|(listed, _)| *listed == name),
            "{name} is not in CLASSES"
        );
    }
}
