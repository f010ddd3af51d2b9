//! `selvedge run` when things go wrong: the program behaves as it does without the agent, and the report is written.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use selvedge_testkit::jar::{Entry, Method, zip};
use selvedge_testkit::{CompiledDir, JavacOptions, compile, jvms_or_skip};

const FAULTS: &str = include_str!("programs/Faults.java");

/// Class files for every JVM.
fn options() -> JavacOptions {
    JavacOptions { release: Some(17), ..JavacOptions::default() }
}

fn faults() -> CompiledDir {
    compile(&[("Faults.java", FAULTS)], &options()).unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const SMALL: [&str; 4] = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx192m", "-cp"];

fn plain(java: &Path, classes: &Path, what: &str) -> Output {
    Command::new(java).args(SMALL).arg(classes).args(["Faults", what]).output().unwrap()
}

fn watched(java: &Path, classes: &Path, what: &str, how: &str) -> (Output, Option<String>) {
    let file: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fault-{what}{how}.json"));
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(["run", "--quiet", how, "--exit-status", "0", "--format", "json", "--output"])
        .arg(&file)
        .arg("--")
        .arg(java)
        .args(SMALL)
        .arg(classes)
        .args(["Faults", what])
        .output()
        .unwrap();
    let report = std::fs::read_to_string(&file).ok();
    let _ = std::fs::remove_file(&file);
    (output, report)
}

/// The program prints and ends the same way, and leaves a report.
fn check(what: &str) {
    let classes = faults();
    let all = ["--detector=hb", "--detector=lockset", "--detector=both", "--sample=4"];
    for (index, jvm) in jvms_or_skip().iter().enumerate() {
        // Every mode on the first JVM; what differs between JVMs does not depend on the mode.
        check_on(&jvm.java, classes.path(), what, if index == 0 { &all } else { &all[..1] });
    }
}

fn on_every_jvm(check: impl Fn(&Path)) {
    for jvm in jvms_or_skip() {
        println!("JDK {}", jvm.feature_version);
        check(&jvm.java);
    }
}

fn check_on(java: &Path, classes: &Path, what: &str, modes: &[&str]) {
    let expected = plain(java, classes, what);
    for how in modes {
        let (output, report) = watched(java, classes, what, how);
        assert_eq!(text(&output.stdout), text(&expected.stdout), "{what}, {how}: {}", text(&output.stderr));
        assert_eq!(output.status.code(), expected.status.code(), "{what}, {how}");
        let report: serde_json::Value = serde_json::from_str(&report.unwrap()).unwrap();
        assert!(report["findings"].is_array(), "{what}, {how}");
    }
}

#[test]
fn memory_runs_out() {
    check("memory");
}

#[test]
fn the_stack_overflows() {
    check("stack");
}

#[test]
fn threads_die() {
    check("death");
}

#[test]
fn ten_thousand_threads() {
    check("threads");
}

#[test]
fn a_thousand_class_loaders() {
    check("loaders");
}

#[test]
fn objects_are_serialised_and_cloned() {
    check("copies");
}

#[test]
fn the_program_halts() {
    check("halt");
}

/// Another tool has put the agent into the environment already.
#[test]
fn the_agent_is_loaded_twice() {
    on_every_jvm(the_agent_is_loaded_twice_on);
}

fn the_agent_is_loaded_twice_on(java: &Path) {
    let classes = faults();
    let script = format!(
        "{} run --quiet -- {} {} {} Faults copies",
        env!("CARGO_BIN_EXE_selvedge"),
        java.display(),
        SMALL.join(" "),
        classes.path().display()
    );
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(["run", "--quiet", "--", "sh", "-c", &script])
        .output()
        .unwrap();
    assert_eq!(
        text(&output.stdout),
        text(&plain(java, classes.path(), "copies").stdout),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(0));
}

/// What was seen until the JVM was killed is in the report.
#[test]
fn the_machine_is_killed() {
    on_every_jvm(the_machine_is_killed_on);
}

fn the_machine_is_killed_on(java: &Path) {
    let classes = faults();
    let (output, report) = watched(java, classes.path(), "kill", "--detector=both");
    assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("killed\n", Some(128 + 9)));
    assert!(text(&output.stderr).contains("was killed, and what it did after"), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_str(&report.unwrap()).unwrap();
    assert_eq!(report["findings"][0]["location"]["field"], "shared", "{report}");
}

/// A class gets new code while the program runs, from another agent.
#[test]
fn a_class_is_redefined() {
    on_every_jvm(a_class_is_redefined_on);
}

fn a_class_is_redefined_on(java: &Path) {
    let classes = faults();
    let changed = FAULTS.replace("return ++count;", "count += 10; return count;");
    let changed = compile(&[("Faults.java", &changed)], &options()).unwrap();
    let manifest = "Premain-Class: Faults$Redefiner\nCan-Redefine-Classes: true\n";
    let jar = classes.path().join("redefiner.jar");
    let entry = Entry::new("META-INF/MANIFEST.MF", manifest.as_bytes(), Method::Stored);
    std::fs::write(&jar, zip(&[entry])).unwrap();
    let arguments = [
        format!("-javaagent:{}", jar.display()),
        "-cp".to_owned(),
        classes.path().display().to_string(),
        "Faults".to_owned(),
        "redefine".to_owned(),
        changed.path().join("Faults$Part.class").display().to_string(),
    ];
    let expected = Command::new(java).args(&arguments).output().unwrap();
    assert_eq!(text(&expected.stdout), "1\n11\n31\ndone\n", "{}", text(&expected.stderr));
    for detector in ["hb", "both"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
        command.args(["run", "--quiet", "--detector", detector, "--"]).arg(java);
        let output = command.args(&arguments).output().unwrap();
        assert_eq!(text(&output.stdout), text(&expected.stdout), "{detector}: {}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stderr).contains("no races found"), "{}", text(&output.stderr));
    }
}

/// Temporary files cannot be written, nor, once the program has removed their directory, the trace and the report.
#[test]
fn nothing_can_be_written() {
    on_every_jvm(nothing_can_be_written_on);
}

fn nothing_can_be_written_on(java: &Path) {
    let classes = faults();
    let gone = classes.path().join("gone");
    std::fs::create_dir(&gone).unwrap();
    let script = format!(
        "rmdir {0}; exec {1} {2} {3} Faults copies",
        gone.display(),
        java.display(),
        SMALL.join(" "),
        classes.path().display()
    );
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .env("TMPDIR", "/proc/no-such-directory")
        .args(["run", "--format", "json", "--record"])
        .arg(gone.join("trace"))
        .arg("--output")
        .arg(gone.join("report.json"))
        .args(["--", "sh", "-c", &script])
        .output()
        .unwrap();
    let said = text(&output.stderr);
    assert_eq!(text(&output.stdout), text(&plain(java, classes.path(), "copies").stdout), "{said}");
    assert!(said.contains("the trace ") && said.contains("gone/trace cannot be written"), "{said}");
    // The report is said instead, and the status says that the file is not there.
    assert!(said.contains("\"schema\": \"selvedge/1\"") && said.contains("cannot write"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}

/// Flight Recorder rewrites classes of events from what the agent has made of them, and hands over to whoever waits for the end of a stream.
const RECORDER: &str = "import java.util.concurrent.CountDownLatch;
import jdk.jfr.Event;
import jdk.jfr.consumer.RecordingStream;

public class Recorder {
    static int seen;
    static class Step extends Event {
        int number;
        synchronized void raise() { number++; }
    }
    public static void main(String[] arguments) throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        try (RecordingStream stream = new RecordingStream()) {
            stream.enable(Step.class);
            stream.onEvent(Step.class.getName(), event -> {
                seen += event.getInt(\"number\");
                first.countDown();
            });
            seen = 1;
            stream.startAsync();
            Step step = new Step();
            step.raise();
            step.commit();
            first.await();
            Thread closer = new Thread(stream::close);
            closer.start();
            stream.awaitTermination();
            System.out.println(seen);
            closer.join();
        }
    }
}";

#[test]
fn flight_recorder_streams_events() {
    let classes = compile(&[("Recorder.java", RECORDER)], &options()).unwrap();
    for jvm in jvms_or_skip() {
        let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
            .args(["run", "--"])
            .arg(&jvm.java)
            .args(["-XX:+UseSerialGC", "-cp"])
            .arg(classes.path())
            .arg("Recorder")
            .output()
            .unwrap();
        let said = text(&output.stderr);
        assert_eq!(text(&output.stdout), "2\n", "JDK {}: {said}", jvm.feature_version);
        assert!(said.contains("no races found"), "JDK {}: {said}", jvm.feature_version);
    }
}
