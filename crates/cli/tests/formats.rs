//! Every format on programs of the corpus, from class files to bytes: held against golden files, and made twice to see that the
//! bytes are the same.
//!
//! What depends on the machine or on the JDK (times, memory, counts of library methods) is taken out of the report first. What
//! the detectors say is in the golden files: when they say something else, run with `SELVEDGE_BLESS=1` and read the diff.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use selvedge_testkit::{
    Analysed, CorpusProgram, JavacOptions, check_golden, compile, corpus, jdk_or_skip, repository_root,
};
use serde_json::{Value, json};

/// A flag on one thread, a container, a lock on one side, and a library without a `main`.
const PROGRAMS: [&str; 4] = ["LazyHash", "SharedHashMap", "GetterWithoutLock", "ObjectPool"];

fn selvedge(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    // From the root of the repository, so that paths in reports are the same everywhere.
    command.current_dir(repository_root()).env_remove("COLUMNS").args(arguments).output().unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// Checks a program and returns the report without what differs between machines.
fn checked(program: &CorpusProgram, folder: &Path) -> Value {
    let classes = compile(&[(&program.file, &program.source)], &JavacOptions::default()).unwrap();
    let entry = match &program.analysed {
        Analysed::Library(classes) => format!("--library={}", classes.join(",")),
        _ => format!("--main={}", program.class()),
    };
    let output = folder.join(format!("{}-raw.json", program.name));
    let arguments = [
        "check",
        classes.path().to_str().unwrap(),
        &entry,
        "--format=json",
        "--fail-on=none",
        "--safe",
        "--output",
        output.to_str().unwrap(),
    ];
    let run = selvedge(&arguments);
    assert_eq!(run.status.code(), Some(0), "{}", text(run.stderr));
    let mut report: Value = serde_json::from_str(&std::fs::read_to_string(output).unwrap()).unwrap();
    report["input"]["paths"] = json!([format!("{}.jar", program.name)]);
    report["assumptions"] = json!([]);
    let stages = report["stats"]["stages"].clone();
    let count = json!(0);
    report["stats"] = json!({
        "stages": stages, "refuters": [], "methods": count, "classes": count, "contexts": count, "objects": count,
        "phases": [], "peak_rss_bytes": count,
    });
    report
}

/// The data in a page, which is all of it that depends on the report, laid out for people.
fn data_of(page: &str) -> String {
    let (_, rest) = page.split_once("type=\"application/json\">").expect("the page has data");
    let (data, _) = rest.split_once("</script>").expect("the data ends");
    let data: Value = serde_json::from_str(data).expect("the data is JSON");
    serde_json::to_string_pretty(&data).unwrap() + "\n"
}

#[test]
fn every_format_on_programs_of_the_corpus() {
    let Some(_) = jdk_or_skip() else { return };
    let folder = std::env::temp_dir().join(format!("selvedge-formats-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let programs = corpus().unwrap();
    for name in PROGRAMS {
        let program = programs.iter().find(|program| program.name == name).expect("it is in the corpus");
        let report = checked(program, &folder);
        if name == PROGRAMS[2] {
            assert_eq!(report, checked(program, &folder), "the same program gives different reports");
        }
        let file = folder.join(format!("{name}.json"));
        std::fs::write(&file, serde_json::to_string(&report).unwrap()).unwrap();
        for format in ["text", "json", "sarif", "github", "html"] {
            let arguments = [
                "report",
                file.to_str().unwrap(),
                "--format",
                format,
                "--sources",
                "corpus",
                "--fail-on=none",
            ];
            let run = selvedge(&arguments);
            assert_eq!(run.status.code(), Some(0), "{}", text(run.stderr));
            let written = text(run.stdout);
            assert_eq!(written, text(selvedge(&arguments).stdout), "{name}: different bytes as {format}");
            let (written, ending) = match format {
                "html" => (data_of(&written), "page.json"),
                "text" => (written, "txt"),
                other => (written, other),
            };
            check_golden(golden(&format!("{name}.{ending}")), &written);
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/formats").join(name)
}
