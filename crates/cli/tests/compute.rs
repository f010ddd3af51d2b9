//! Compute-heavy programs under the agent: the JVM does not crash, and they print what they print alone, in every mode and on every JVM.
//!
//! Each test run takes one program; `scripts/stress-jvm` takes many, and counts. `SELVEDGE_COMPUTE_PROGRAMS` is the number of programs,
//! `SELVEDGE_COMPUTE_ROUNDS` how often each is run in each mode, `SELVEDGE_COMPUTE_FIRST` the first seed.
#![allow(clippy::unwrap_used)]

#[path = "compute/generate.rs"]
mod generate;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use selvedge_testkit::{CompiledDir, JavacOptions, compile, jvms_or_skip};

/// The modes of a run. The last one takes a plan.
const MODES: [&[&str]; 6] = [
    &["--detector=hb"],
    &["--detector=both"],
    &["--detector=lockset"],
    &["--detector=hb", "--sample=64"],
    &["--detector=both", "--sample=64"],
    &["--detector=hb", "--plan"],
];

fn setting(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// What has gone wrong, and how many runs there were.
#[derive(Default)]
struct Tally {
    runs: usize,
    wrong: Vec<String>,
}

/// A directory for what a crashing JVM leaves.
fn scratch(seed: u64) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("compute-{seed}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

fn plan(classes: &CompiledDir, name: &str, file: &Path) {
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(["check", "--main", name, "--plan"])
        .arg(file)
        .arg(classes.path())
        .output()
        .unwrap();
    assert!(file.is_file(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn one(seed: u64, rounds: usize, tally: &mut Tally) {
    let (name, source) = generate::program(seed);
    let options = JavacOptions { release: Some(17), ..JavacOptions::default() };
    let classes = compile(&[(&format!("{name}.java"), &source)], &options).unwrap();
    let dir = scratch(seed);
    let plan_file = dir.join("plan.json");
    plan(&classes, &name, &plan_file);
    for jvm in jvms_or_skip() {
        let java = |command: &mut Command| -> Output {
            command.args(["-XX:+UseSerialGC", "-Xmx256m", "-cp"]).arg(classes.path()).arg(&name);
            command.current_dir(&dir).output().unwrap()
        };
        let expected = java(&mut Command::new(&jvm.java));
        assert_eq!(
            expected.status.code(),
            Some(0),
            "seed {seed}: {}",
            String::from_utf8_lossy(&expected.stderr)
        );
        for mode in MODES.iter().cycle().take(MODES.len() * rounds) {
            let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
            command.args(["run", "--quiet", "--exit-status", "0"]).args(*mode);
            if mode.contains(&"--plan") {
                command.arg(&plan_file);
            }
            let output = java(command.arg("--").arg(&jvm.java));
            tally.runs += 1;
            let dumped = std::fs::read_dir(&dir).unwrap().flatten();
            let dumped =
                dumped.filter(|entry| entry.file_name().to_string_lossy().starts_with("hs_err")).count();
            if output.stdout != expected.stdout || output.status.code() != Some(0) || dumped > 0 {
                let said = String::from_utf8_lossy(&output.stderr);
                let line = format!(
                    "seed {seed}, JDK {}, {mode:?}: status {:?}, {dumped} crash files, {:?}\n{said}",
                    jvm.feature_version,
                    output.status.code(),
                    String::from_utf8_lossy(&output.stdout)
                );
                println!("{line}");
                tally.wrong.push(line);
                keep_crash_files(&dir);
            } else if mode.contains(&"--detector=hb")
                && !String::from_utf8_lossy(&output.stderr).contains("no races found")
            {
                let line = format!(
                    "seed {seed}, JDK {}, {mode:?}: {}",
                    jvm.feature_version,
                    String::from_utf8_lossy(&output.stderr)
                );
                println!("{line}");
                tally.wrong.push(line);
            }
        }
    }
    let _ = std::fs::remove_dir_all(&dir);
}

/// Moves crash files out of the way of the next run.
fn keep_crash_files(dir: &Path) {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compute-crashes");
    std::fs::create_dir_all(&kept).unwrap();
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        if entry.file_name().to_string_lossy().starts_with("hs_err") {
            std::fs::rename(entry.path(), kept.join(entry.file_name())).unwrap();
        }
    }
}

#[test]
fn programs_run_as_they_do_alone() {
    let first = setting("SELVEDGE_COMPUTE_FIRST", 1);
    let programs = setting("SELVEDGE_COMPUTE_PROGRAMS", 1);
    let rounds = setting("SELVEDGE_COMPUTE_ROUNDS", 1);
    let mut tally = Tally::default();
    for seed in first..first + programs {
        one(seed as u64, rounds, &mut tally);
        println!("seed {seed}: {} runs so far, {} wrong", tally.runs, tally.wrong.len());
    }
    println!("{programs} programs, {} runs, {} wrong", tally.runs, tally.wrong.len());
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}
