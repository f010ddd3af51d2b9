//! `selvedge.toml`, suppressions, dumps and views, from the outside on one small program.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use selvedge_testkit::{CompiledDir, JavacOptions, compile, jdk_or_skip};

/// Three racy fields: one plain, one with an annotation that is kept in the class file, one with Java's own.
const SOURCE: &str = r#"package app;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

@Retention(RetentionPolicy.CLASS)
@interface SuppressRaces { String value(); }

public class Hits extends Thread {
    static int plain;
    @SuppressRaces("shown to people only") static int annotated;
    @SuppressWarnings("selvedge") static int inSource;
    static int locked;
    static final Object LOCK = new Object();

    public void run() {
        plain++;
        annotated++;
        inSource++;
        synchronized (LOCK) { locked++; }
    }

    public static void main(String[] args) {
        new Hits().start();
        new Hits().start();
    }
}
"#;

struct Project {
    folder: PathBuf,
    classes: CompiledDir,
}

impl Project {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("selvedge-{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("src/app")).unwrap();
        std::fs::write(folder.join("src/app/Hits.java"), SOURCE).unwrap();
        let classes = compile(&[("app/Hits.java", SOURCE)], &JavacOptions::default()).unwrap();
        Self { folder, classes }
    }

    /// Writes the configuration, with the classes as input.
    fn configure(&self, text: &str) {
        let inputs = format!("inputs = [{:?}]\n", self.classes.path());
        std::fs::write(self.folder.join("selvedge.toml"), inputs + text).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
        command.current_dir(&self.folder).args(arguments).output().unwrap()
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The locations of the findings and what suppressed the others, in a report.
fn locations(report: &Path) -> (Vec<String>, Vec<(String, String)>) {
    let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(report).unwrap()).unwrap();
    let field = |finding: &serde_json::Value| finding["location"]["field"].as_str().unwrap().to_owned();
    let mut found: Vec<String> = report["findings"].as_array().unwrap().iter().map(field).collect();
    found.sort();
    let none = Vec::new();
    let suppressed = report["suppressed"].as_array().unwrap_or(&none);
    let mut suppressed: Vec<(String, String)> =
        suppressed.iter().map(|it| (field(&it["finding"]), it["by"].as_str().unwrap().to_owned())).collect();
    suppressed.sort();
    (found, suppressed)
}

#[test]
fn what_is_suppressed_is_counted_and_can_be_shown() {
    let Some(_) = jdk_or_skip() else { return };
    let project = Project::new("suppress");
    project.configure("");
    let report = project.folder.join("races.json");
    let output = project.run(&["check", "--format", "json", "--output", "races.json"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert_eq!(locations(&report), (vec!["inSource".to_owned(), "plain".to_owned()], vec![]));

    project.configure(
        "sources = \"src\"\n[[suppress]]\nfield = \"Hits.plain\"\nreason = \"known\"\n\n[[suppress]]\nclass = \"no.Such\"\nreason = \"old\"\n",
    );
    let output = project.run(&["check", "--format", "json", "--output", "races.json", "--show-suppressed"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("selvedge.toml:7: this [[suppress]] leaves out no finding"),
        "{output:?}"
    );
    let by = |field: &str, by: &str| (field.to_owned(), by.to_owned());
    let expected =
        vec![by("annotated", "annotation"), by("inSource", "source"), by("plain", "configuration")];
    assert_eq!(locations(&report), (vec![], expected));

    let output = project.run(&["report", "races.json", "--show-suppressed", "--no-config"]);
    let shown = text(&output.stdout);
    assert!(
        shown.contains("[suppressed by annotation]") && shown.contains("shown to people only"),
        "{shown}"
    );
    assert!(shown.contains("no races found; 3 suppressed (annotation, configuration, source)"), "{shown}");
}

#[test]
fn assertions_refute_and_are_told() {
    let Some(_) = jdk_or_skip() else { return };
    let project = Project::new("assume");
    project.configure(
        "sources = \"src\"\n[[assume]]\nguarded = \"app.Hits.plain\"\nby = \"the operating system\"\nreason = \"so they say\"\n",
    );
    let output = project.run(&["check"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let output = project.run(&["explain", "Hits.plain"]);
    let shown = text(&output.stdout);
    assert!(shown.contains("asserted") && shown.contains("so they say"), "{shown}");
    // Threads: an entry against itself, and a start whose threads follow each other. The two starts of `main` are different ones.
    let status = |claim: &str| {
        project.configure(&format!("sources = \"src\"\n[[assume]]\n{claim}\nreason = \"so they say\"\n"));
        let output = project.run(&["check", "--quiet"]);
        (output.status.code(), text(&output.stderr))
    };
    assert_eq!(status("never-parallel = \"Hits.run\"").0, Some(0));
    assert_eq!(status("never-parallel = \"app.Hits\"\nwith = \"Hits.run\"").0, Some(0));
    assert_eq!(status("never-parallel = \"Hits.run\"\nwith = \"Hits.main\"").0, Some(1));
    assert_eq!(status("one-thread = \"Hits.main\"").0, Some(1));
    let (_, complaint) = status("one-thread = \"no.Such.method\"");
    assert!(complaint.contains("selvedge.toml:3"), "{complaint}");
}

#[test]
fn one_start_may_have_one_thread_at_a_time() {
    let Some(_) = jdk_or_skip() else { return };
    let restarted = "package app;
public class Hits extends Thread {
    static int plain;
    public void run() { plain++; }
    public static void main(String[] args) {
        for (String name : args) new Hits().start();
    }
}
";
    let classes = compile(&[("app/Hits.java", restarted)], &JavacOptions::default()).unwrap();
    let mut project = Project::new("restarted");
    project.classes = classes;
    project.configure("");
    assert_eq!(project.run(&["check"]).status.code(), Some(1));
    project.configure("[[assume]]\none-thread = \"app.Hits.main\"\nreason = \"each waits for the last\"\n");
    assert_eq!(project.run(&["check"]).status.code(), Some(0));
}

#[test]
fn errors_name_the_line() {
    let project = Project {
        folder: std::env::temp_dir().join("selvedge-errors"),
        classes: match jdk_or_skip() {
            Some(_) => compile(&[("app/Hits.java", SOURCE)], &JavacOptions::default()).unwrap(),
            None => return,
        },
    };
    std::fs::create_dir_all(&project.folder).unwrap();
    project.configure("efort = \"low\"\n");
    let output = project.run(&["check"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("selvedge.toml:2: there is no key `efort`; did you mean `effort`?")
    );
    let output = project.run(&["check", "--no-config"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("nothing to look at"), "{output:?}");
}

#[test]
fn stages_are_dumped_and_views_shown() {
    let Some(_) = jdk_or_skip() else { return };
    let project = Project::new("dump");
    project.configure("");
    let dump = |stage: &str| {
        let output = project.run(&["check", "--dump", stage, "--format", "json"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let lines: Vec<serde_json::Value> =
            text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        lines
    };
    let all = dump("all");
    let removed = |field: &str| {
        let of_field = all.iter().filter(|pair| pair["location"]["field"] == field);
        of_field
            .map(|pair| pair["removed_by"]["name"].as_str().unwrap_or("race").to_owned())
            .collect::<Vec<_>>()
    };
    assert!(removed("plain").iter().any(|name| name == "race"), "{all:?}");
    assert!(removed("locked").iter().all(|name| name == "common-lock"), "{all:?}");
    let racy = dump("racy");
    assert!(!racy.is_empty() && racy.len() < all.len());
    assert!(racy.iter().all(|pair| pair["stage"] == "racy" && pair["removed_by"].is_null()));

    let threads = text(&project.run(&["inspect", "--what", "threads"]).stdout);
    assert!(threads.contains("main thread") && threads.contains("begins in"), "{threads}");
    assert!(threads.contains("started at"), "{threads}");
    let locks = text(&project.run(&["inspect", "--what", "locks"]).stdout);
    assert!(locks.contains("lock app.Hits.LOCK") && locks.contains("accesses to app.Hits.locked"), "{locks}");
    for what in ["threads", "locks"] {
        let dot = text(&project.run(&["inspect", "--what", what, "--format", "dot"]).stdout);
        assert!(dot.starts_with(&format!("digraph {what} {{")) && dot.trim_end().ends_with('}'), "{dot}");
    }
}

#[test]
fn the_tool_describes_itself() {
    let folder = std::env::temp_dir().join(format!("selvedge-man-{}", std::process::id()));
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_selvedge")).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(run(&["completions", shell]).contains("selvedge"), "{shell}");
    }
    assert!(run(&["man"]).contains(".TH selvedge 1"));
    assert!(run(&["man", "check"]).contains("fail\\-on"));
    run(&["man", "--dir", folder.to_str().unwrap()]);
    assert!(folder.join("selvedge-check.1").is_file() && folder.join("selvedge.1").is_file());
    let _ = std::fs::remove_dir_all(folder);
    let report: serde_json::Value = serde_json::from_str(&run(&["schema"])).unwrap();
    assert_eq!(report["properties"]["schema"]["const"], "selvedge/1");
    let config: serde_json::Value = serde_json::from_str(&run(&["schema", "config"])).unwrap();
    assert!(config["properties"]["effort"]["enum"].as_array().unwrap().len() == 3);
}
