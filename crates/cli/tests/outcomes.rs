//! What `selvedge run` answers when little or nothing could be observed: never a clean run.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use selvedge_testkit::{CompiledDir, JavacOptions, compile, jdk_or_skip, jvms_or_skip};

const PROGRAM: &str = "import java.nio.file.*;
public class Outcome {
    static int hits;
    public static void main(String[] arguments) throws Exception {
        Thread other = new Thread(() -> hits++, \"other\\n::error::\");
        other.start();
        hits++;
        other.join();
        switch (arguments.length == 0 ? \"\" : arguments[0]) {
            case \"crash\":
                java.lang.reflect.Field field = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\");
                field.setAccessible(true);
                ((sun.misc.Unsafe) field.get(null)).putAddress(0, 0);
                break;
            case \"gone\":
                // The directory is the agent's option.
                for (String option : java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments()) {
                    if (!option.startsWith(\"-agentpath\")) continue;
                    Path session = Path.of(option.substring(option.indexOf('=') + 1));
                    try (var files = Files.list(session)) {
                        for (Path file : files.toArray(Path[]::new)) Files.delete(file);
                    }
                    Files.delete(session);
                }
                break;
            case \"orphan\":
                ProcessHandle.current().parent().get().destroyForcibly();
                Thread.sleep(500);
                break;
        }
        System.out.println(\"done\");
    }
}";

fn compiled() -> CompiledDir {
    // Unsafe is in no API that --release knows; the JDK that compiles is the oldest.
    compile(&[("Outcome.java", PROGRAM)], &JavacOptions::default()).unwrap()
}

fn selvedge(temporary: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.env("TMPDIR", temporary).current_dir(temporary).arg("run");
    command
}

/// A directory for temporary files, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("outcomes-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn sessions(&self) -> usize {
        let entries = std::fs::read_dir(&self.0).unwrap().flatten();
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("selvedge-run-")).count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn no_jvm_is_not_a_clean_run() {
    let folder = Folder::new("none");
    let output = selvedge(&folder.0).args(["--", "true"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("started no JVM that loaded the agent"), "{}", text(&output));
    let Some(jdk) = jdk_or_skip() else { return };
    let output =
        selvedge(&folder.0).arg("--").arg(&jdk.java).args(["-XX:+NoSuchOption", "Main"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    for nothing in ["-version", "NoSuchClass"] {
        let output = selvedge(&folder.0).arg("--").arg(&jdk.java).arg(nothing).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(text(&output).contains("loaded no class of a program"), "{}", text(&output));
    }
    assert_eq!(folder.sessions(), 0);
}

#[test]
fn a_crash_is_reported_as_one_on_every_jvm() {
    let classes = compiled();
    for launcher in jvms_or_skip() {
        let folder = Folder::new("crash");
        for watched in ["Outcome", "none.**"] {
            let output = selvedge(&folder.0)
                .args(["--exit-status", "0", "--include", watched, "--"])
                .arg(&launcher.java)
                .args(["-XX:-CreateCoredumpOnCrash", "-cp"])
                .arg(classes.path())
                .args(["Outcome", "crash"])
                .output()
                .unwrap();
            let said = text(&output);
            assert_eq!(output.status.code(), Some(2), "JDK {}: {said}", launcher.feature_version);
            assert!(said.contains("crashed under the agent") && said.contains("hs_err_pid"), "{said}");
            assert!(!said.contains("no races found"), "{said}");
        }
    }
}

#[test]
fn results_that_are_lost_are_missed() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = compiled();
    let folder = Folder::new("gone");
    let output = selvedge(&folder.0)
        .arg("--")
        .arg(&jdk.java)
        .arg("-cp")
        .arg(classes.path())
        .args(["Outcome", "gone"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("was removed during the run"), "{}", text(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n");
}

/// The command is killed: its program goes on, and when that ends nothing is left.
#[test]
fn a_killed_command_leaves_nothing_behind() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = compiled();
    let folder = Folder::new("orphan");
    let mut child = selvedge(&folder.0)
        .arg("--")
        .arg(&jdk.java)
        .arg("-cp")
        .arg(classes.path())
        .args(["Outcome", "orphan"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The pipe is closed when the program has ended, too.
    let output = std::io::read_to_string(child.stdout.take().unwrap()).unwrap();
    assert!(!child.wait().unwrap().success());
    assert_eq!(output, "done\n");
    assert_eq!(folder.sessions(), 0);
}

/// Nobody reads standard error, or it is full: the program and the status are the same.
#[test]
fn standard_error_does_not_matter() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = compiled();
    let folder = Folder::new("stderr");
    for redirection in ["2>&-", "2>/dev/full", "2>/dev/null"] {
        let script = format!(
            "exec {} run -- {} -cp {} Outcome {redirection}",
            env!("CARGO_BIN_EXE_selvedge"),
            jdk.java.display(),
            classes.path().display()
        );
        let output = Command::new("sh").args(["-c", &script]).env("TMPDIR", &folder.0).output().unwrap();
        assert_eq!(output.status.code(), Some(66), "{redirection}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n", "{redirection}");
    }
    assert_eq!(folder.sessions(), 0);
}

/// A script's streams are its own: races are printed when it ends. Names are no commands.
#[test]
fn races_of_a_script_are_printed_at_its_end() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = compiled();
    let folder = Folder::new("script");
    let java = format!("{} -cp {} Outcome", jdk.java.display(), classes.path().display());
    let script = format!("({java}) 2>{}/inner; echo end >&2", folder.0.display());
    let output = selvedge(&folder.0).args(["--", "sh", "-c", &script]).output().unwrap();
    let said = text(&output);
    assert_eq!(output.status.code(), Some(66), "{said}");
    let (before, after) = said.split_once("end\n").unwrap();
    assert!(!before.contains("Outcome.hits") && after.contains("Outcome.hits"), "{said}");
    assert!(!std::fs::read_to_string(folder.0.join("inner")).unwrap().contains("Outcome.hits"));
    assert!(!said.lines().any(|line| line.trim_start().starts_with("::")), "{said}");
    let direct =
        selvedge(&folder.0).arg("--").arg(&jdk.java).arg("-cp").arg(classes.path()).arg("Outcome").output();
    let said = text(&direct.unwrap());
    assert!(said.contains("\\u000a::error::"), "{said}");
    assert!(!said.lines().any(|line| line.trim_start().starts_with("::")), "{said}");
}
