//! `selvedge confirm` from the outside: predicted races happen, what a lock guards does not, and programs that misbehave are bounded.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use selvedge_testkit::{CompiledDir, JavacOptions, Jdk, compile, jdk_or_skip, jvms_or_skip};
use serde_json::Value;

fn compiled(name: &str, source: &str) -> CompiledDir {
    compile(&[(&format!("{name}.java"), source)], &JavacOptions::default()).unwrap()
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("confirm-{name}.json"))
}

fn selvedge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selvedge")).args(arguments).output().unwrap()
}

/// Checks a program and writes the report.
fn check(name: &str, classes: &CompiledDir, file: &Path) -> Value {
    let classes = classes.path().to_str().unwrap();
    let checked =
        selvedge(&["check", classes, "--main", name, "--format", "json", "--output", file.to_str().unwrap()]);
    assert_eq!(checked.status.code(), Some(1), "{}", String::from_utf8_lossy(&checked.stderr));
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// Tries the findings of a report with a program.
fn confirm(jdk: &Jdk, name: &str, classes: &CompiledDir, report: &Path, more: &[&str]) -> (Value, Output) {
    let (classes, java) = (classes.path().to_str().unwrap(), jdk.java.to_str().unwrap());
    let mut arguments = vec!["confirm", report.to_str().unwrap(), "--format", "json"];
    arguments.extend(more);
    arguments.extend(["--", java, "-cp", classes, name]);
    let output = selvedge(&arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    let text = String::from_utf8_lossy(&output.stdout);
    let report = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {said}{text}"));
    (report, output)
}

/// Tries the findings until all have the expected outcome, and `is_wanted` holds, at most five times: whether two threads meet within a hold is
/// for the machine to decide, which may be busy. What must not happen must not happen once.
fn expect(
    (jdk, name, classes, file): (&Jdk, &str, &CompiledDir, &Path),
    more: &[&str],
    expected: &str,
    is_wanted: impl Fn(&Value) -> bool,
) -> (Value, Output) {
    let mut attempts = 0;
    loop {
        let (report, output) = confirm(jdk, name, classes, file, more);
        let outcomes = outcomes(&report);
        assert!(expected == "confirmed" || !outcomes.contains(&"confirmed"), "{name}: {report:#}");
        attempts += 1;
        if outcomes == [expected] && is_wanted(&report) {
            return (report, output);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(attempts < 5, "{name}: {outcomes:?} in place of {expected}: {said}{report:#}");
    }
}

/// The outcomes of all findings, sorted, each once.
fn outcomes(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().unwrap();
    let mut all: Vec<&str> =
        findings.iter().map(|finding| finding["confirmation"]["outcome"].as_str().unwrap()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A program whose two threads run `work`, one time each or as often as it says.
fn two_threads(name: &str, members: &str, work: &str) -> String {
    format!(
        "public class {name} {{
    {members}
    public static void main(String[] arguments) throws Exception {{
        {name} shared = new {name}();
        Runnable work = () -> {{ {work} }};
        Thread one = new Thread(work, \"one\");
        Thread two = new Thread(work, \"two\");
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(shared);
    }}
    public String toString() {{ return \"done\"; }}
}}
"
    )
}

#[test]
fn a_lost_update_happens_and_its_harm_is_seen() {
    let Some(jdk) = jdk_or_skip() else { return };
    let source = two_threads("Lost", "int hits; void count() { hits++; }", "shared.count();")
        .replace("return \"done\";", "return \"hits \" + hits;");
    let classes = compiled("Lost", &source);
    let file = scratch("lost");
    check("Lost", &classes, &file);
    let has_harm = |report: &Value| report["findings"][0]["confirmation"]["harm"].is_string();
    let (report, output) = expect((&jdk, "Lost", &classes, &file), &["--seed", "7"], "confirmed", has_harm);
    assert_eq!(output.status.code(), Some(1));
    let finding = &report["findings"][0];
    assert_eq!(
        (finding["verdict"].as_str(), finding["confidence"].as_str()),
        (Some("confirmed"), Some("high"))
    );
    let confirmation = &finding["confirmation"];
    let harm = confirmation["harm"].as_str().unwrap_or_default();
    assert_eq!(harm, "the output differs: \"hits 1\" in place of \"hits 2\"", "{confirmation:#}");
    assert_eq!(confirmation["before"], "0", "{confirmation:#}");
    let command = confirmation["command"].as_str().unwrap();
    assert!(command.contains("--finding") && command.contains("--seed 7"), "{command}");
    let stacks = confirmation["stacks"].as_array().unwrap();
    let mut threads: Vec<&str> = stacks.iter().map(|stack| stack["thread"].as_str().unwrap()).collect();
    threads.sort_unstable();
    assert_eq!(threads, ["one", "two"]);
    assert_eq!(stacks[0]["frames"][0]["method"], "Lost.count");
    std::fs::remove_file(&file).unwrap();
}

/// The class files are the same, the JVM is another.
#[test]
fn every_jvm_is_directed() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = compiled("Every", &two_threads("Every", "int hits; void m() { hits++; }", "shared.m();"));
    let file = scratch("every");
    check("Every", &classes, &file);
    for launcher in jvms_or_skip() {
        let jdk = Jdk { java: launcher.java, ..jdk.clone() };
        expect((&jdk, "Every", &classes, &file), &[], "confirmed", |_| true);
    }
    std::fs::remove_file(&file).unwrap();
}

/// Fields of all widths, statics, elements of arrays, containers: each kind of access has its own hook.
#[test]
fn every_kind_of_access_is_held() {
    let Some(jdk) = jdk_or_skip() else { return };
    let cases = [
        ("Wide", "long wide; double real; void m() { wide = wide + 1L; real = 2.0 * real; }", "shared.m();"),
        ("Fixed", "static Object last; static long sum; void m() { last = this; sum += 2; }", "shared.m();"),
        ("Cells", "int[] cells = new int[3]; void m() { cells[1] += 2; }", "shared.m();"),
        ("Wides", "double[] cells = new double[3]; void m() { cells[2] = cells[1] + 1; }", "shared.m();"),
        (
            "Copies",
            "long[] from = new long[4], to = new long[4]; void m() { System.arraycopy(from, 0, to, 1, 2); }",
            "shared.m();",
        ),
        (
            "Lists",
            "java.util.List<Long> all = new java.util.ArrayList<>(); void m(long one, int two) { all.add(two, one); }",
            "shared.m(7, 0);",
        ),
        (
            "Maps",
            "java.util.Map<String, Integer> all = new java.util.HashMap<>(); void m() { all.put(\"a\", 1); }",
            "shared.m();",
        ),
    ];
    for (name, members, work) in cases {
        let classes = compiled(name, &two_threads(name, members, work));
        let file = scratch(name);
        check(name, &classes, &file);
        expect((&jdk, name, &classes, &file), &["--confirm-time", "30"], "confirmed", |_| true);
        std::fs::remove_file(&file).unwrap();
    }
}

/// Predictions for a racy class, tried with the mended one, whose lines are the same.
#[test]
fn what_is_mended_does_not_happen() {
    let Some(jdk) = jdk_or_skip() else { return };
    let racy = [
        ("Plain", "int hits; void count() {  hits++; }"),
        ("Locked", "Object lock = new Object(); int hits; void count() { hits++; }"),
        (
            "Guarded",
            "java.util.concurrent.locks.ReentrantLock lock = new java.util.concurrent.locks.ReentrantLock(); int hits; void count() { hits++; }",
        ),
        ("Own", "int hits; void count() { hits++; }"),
    ];
    let mended = [
        "int hits; synchronized void count() { hits++; }",
        "Object lock = new Object(); int hits; void count() { synchronized (lock) { hits++; } }",
        "java.util.concurrent.locks.ReentrantLock lock = new java.util.concurrent.locks.ReentrantLock(); int hits; void count() { lock.lock(); try { hits++; } finally { lock.unlock(); } }",
        "int hits; void count() { hits++; }",
    ];
    for ((name, racy), mended) in racy.into_iter().zip(mended) {
        let file = scratch(name);
        check(name, &compiled(name, &two_threads(name, racy, "shared.count();")), &file);
        // The last one has an object for each thread.
        let work = if name == "Own" { "new Own().count();" } else { "shared.count();" };
        let classes = compiled(name, &two_threads(name, mended, work));
        let expected = if name == "Own" { "not-met" } else { "lock" };
        expect((&jdk, name, &classes, &file), &["--confirm-time", "25"], expected, |_| true);
        std::fs::remove_file(&file).unwrap();
    }
}

#[test]
fn the_order_of_start_and_join_is_not_broken() {
    let Some(jdk) = jdk_or_skip() else { return };
    let racy = two_threads("Joined", "int hits; void count() { hits++; }", "shared.count();");
    let file = scratch("joined");
    check("Joined", &compiled("Joined", &racy), &file);
    let ordered = racy.replace("two.start();", "").replace("two.join();", "two.start(); two.join();");
    let ordered = compiled("Joined", &ordered);
    expect((&jdk, "Joined", &ordered, &file), &["--confirm-time", "25"], "not-met", |_| true);
    std::fs::remove_file(&file).unwrap();
}

const RACE: &str = "int hits; void count() { hits++; }";

#[test]
fn programs_that_misbehave_are_bounded() {
    let Some(jdk) = jdk_or_skip() else { return };
    let file = scratch("faults");
    check("Fault", &compiled("Fault", &two_threads("Fault", RACE, "shared.count();")), &file);
    let plain = two_threads("Fault", RACE, "shared.count();");
    let print = "System.out.println(shared);";
    let cases = [
        // It never ends by itself; the race happened all the same.
        ("hangs", plain.replace(print, "while (true) Thread.sleep(1000);"), "16", "confirmed"),
        (
            "exits early",
            plain.replace("one.start();", "if (shared.hits == 0) System.exit(3);"),
            "10",
            "not-executed",
        ),
        (
            "has one thread",
            plain.replace("one.start();", "work.run();").replace("two.start();", "work.run();"),
            "20",
            "not-met",
        ),
        (
            "catches everything",
            plain.replace("shared.count();", "try { shared.count(); } catch (Throwable all) { }"),
            "30",
            "confirmed",
        ),
        (
            "forks",
            plain.replace(print, "new ProcessBuilder(\"sleep\", \"600\").inheritIO().start();"),
            "20",
            "confirmed",
        ),
        (
            "needs input",
            plain.replace("one.start();", "if (System.in.read() < 0) return; one.start();"),
            "10",
            "not-executed",
        ),
    ];
    for (what, source, time, expected) in cases {
        println!("{what}");
        let classes = compiled("Fault", &source);
        expect((&jdk, "Fault", &classes, &file), &["--confirm-time", time], expected, |_| true);
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn input_is_given_to_every_run() {
    let Some(jdk) = jdk_or_skip() else { return };
    let source = two_threads("Fed", RACE, "shared.count();")
        .replace("one.start();", "if (System.in.read() != 'x') return; one.start();");
    let classes = compiled("Fed", &source);
    let (file, input) = (scratch("fed"), scratch("fed-input"));
    std::fs::write(&input, "x").unwrap();
    check("Fed", &classes, &file);
    let options = ["--input", input.to_str().unwrap()];
    expect((&jdk, "Fed", &classes, &file), &options, "confirmed", |_| true);
    for file in [&file, &input] {
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn one_finding_can_be_chosen_and_the_text_leads_with_what_happened() {
    let Some(jdk) = jdk_or_skip() else { return };
    let members = "int hits; int other; void count() { hits++; } void two() { other++; }";
    let classes = compiled("Chosen", &two_threads("Chosen", members, "shared.count(); shared.two();"));
    let file = scratch("chosen");
    let report = check("Chosen", &classes, &file);
    let key = report["findings"][1]["key"].as_str().unwrap();
    // As in `expect`: one of five attempts shows it.
    let leads = || {
        let (tried, _) = confirm(&jdk, "Chosen", &classes, &file, &["--finding", key]);
        let [first, second] = [0, 1].map(|position| &tried["findings"][position]);
        let is_alone = [first, second].iter().filter(|it| it.get("confirmation").is_some()).count() == 1;
        assert!(is_alone, "only the chosen one is tried: {tried:#}");
        first["key"] == key && first["confirmation"]["outcome"] == "confirmed"
    };
    assert!((0..5).any(|_| leads()), "it leads when it has happened");
    let (path, java) = (classes.path().to_str().unwrap(), jdk.java.to_str().unwrap());
    let check = [
        "check",
        path,
        "--main",
        "Chosen",
        "--confirm",
        "--confirm-time",
        "20",
        "--",
        java,
        "-cp",
        path,
        "Chosen",
    ];
    let is_told = || {
        let text = String::from_utf8_lossy(&selvedge(&check).stdout).into_owned();
        text.contains("(confirmed: it happened)") && text.contains("selvedge confirm REPORT.json")
    };
    assert!((0..5).any(|_| is_told()), "the text leads with what happened");
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn what_cannot_be_tried_is_an_error() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = compiled("Error", &two_threads("Error", RACE, "shared.count();"));
    let file = scratch("error");
    check("Error", &classes, &file);
    let report = file.to_str().unwrap();
    let java = jdk.java.to_str().unwrap();
    let cases: [(&[&str], &str); 5] = [
        (&["confirm", report, "--", java, "-cp", "nowhere", "Nothing"], "nothing was tried"),
        (&["confirm", report, "--", "no-such-command"], "no-such-command cannot be started"),
        (&["confirm", report, "--", "true"], "no JVM that loaded the agent"),
        (&["confirm", report, "--finding", "zz", "--", java], "there is no finding zz"),
        (&["confirm", "no-such-file.json", "--", java], "there is no such file"),
    ];
    for (arguments, expected) in cases {
        let output = selvedge(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
    std::fs::remove_file(&file).unwrap();
}
