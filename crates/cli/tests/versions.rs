//! Versions of methods in real runs: what is safe is not watched, what is not is found, and the program sees nothing of it.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use selvedge_protocol::{Plan, Sites};
use selvedge_testkit::{CompiledDir, JavacOptions, Jdk, compile, jdk_or_skip};

/// The program, and the class that it loads from elsewhere.
struct Compiled {
    mixed: CompiledDir,
    late: CompiledDir,
}

fn compiled() -> Compiled {
    let source = ("Mixed.java", include_str!("programs/Mixed.java"));
    let mixed = compile(&[source], &JavacOptions::default()).unwrap();
    let options = JavacOptions { classpath: vec![mixed.path().to_path_buf()], ..JavacOptions::default() };
    let late = compile(&[("Late.java", include_str!("programs/Late.java"))], &options).unwrap();
    Compiled { mixed, late }
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("versions-{}-{name}", std::process::id()))
}

fn selvedge() -> Command {
    Command::new(env!("CARGO_BIN_EXE_selvedge"))
}

/// The plan of the program, as a file and as read.
fn plan_of(classes: &Path, name: &str, options: &[&str]) -> (PathBuf, Plan) {
    let file = scratch(name);
    let checked = selvedge()
        .arg("check")
        .arg(classes)
        .args(["--main", "Mixed", "--quiet", "--fail-on", "none", "--plan"])
        .arg(&file)
        .args(options)
        .output()
        .unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    let plan = Plan::from_json(&std::fs::read_to_string(&file).unwrap()).unwrap();
    (file, plan)
}

/// Adds the program: all its classes are verified, and methods are compiled soon.
fn java(command: &mut Command, jdk: &Jdk, compiled: &Compiled) -> Output {
    command.arg(&jdk.java).args(["-Xverify:all", "-XX:+UseSerialGC", "-cp"]).arg(compiled.mixed.path());
    command.arg("Mixed").arg(compiled.late.path()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Methods with a quiet version, and how many calls of each body of each method are quiet.
fn listed(plan: &Plan) -> (Vec<&str>, BTreeMap<&str, (usize, usize)>) {
    let Sites::Listed(classes) = &plan.sites else { panic!("{plan:?}") };
    let methods = || classes.values().flat_map(|class| &class.methods);
    let name = |signature: &'_ str| signature.find('(').map_or(0, |end| end);
    let quiet = methods().filter(|(_, plan)| plan.quiet.is_some()).map(|(it, _)| &it[..name(it)]).collect();
    let calls = methods()
        .map(|(it, plan)| {
            (
                &it[..name(it)],
                (plan.quiet_calls.len(), plan.quiet.as_ref().map_or(0, |q| q.quiet_calls.len())),
            )
        })
        .filter(|(_, counts)| *counts != (0, 0))
        .collect();
    (quiet, calls)
}

#[test]
fn a_plan_has_versions_unless_it_is_to_have_none() {
    if jdk_or_skip().is_none() {
        return;
    }
    let compiled = compiled();
    let (file, plan) = plan_of(compiled.mixed.path(), "listed.plan", &[]);
    let (methods, calls) = listed(&plan);
    assert_eq!(methods, ["deep", "fail", "fill", "late", "locked", "missing", "sum"]);
    // The recursive call of the quiet version stays quiet; that of the watched one may be of the shared object.
    assert_eq!(calls, BTreeMap::from([("run", (6, 0)), ("trace", (1, 0)), ("deep", (0, 1))]));
    let _ = std::fs::remove_file(file);
    let (file, without) = plan_of(compiled.mixed.path(), "none.plan", &["--plan-without", "versions"]);
    assert_eq!(listed(&without), (Vec::new(), BTreeMap::new()));
    for (class, method, index) in [("Mixed$Grid", "fill(I)V", 17), ("Mixed$Grid", "fill(I)V", 28)] {
        assert!(plan.reports(class, method, index) && without.reports(class, method, index));
    }
    let _ = std::fs::remove_file(file);
}

/// So often a program is run at most, until it has shown all its races.
const RUNS: usize = 12;

#[test]
fn racy_objects_are_found_and_nothing_else_is_seen() {
    let Some(jdk) = jdk_or_skip() else { return };
    let compiled = compiled();
    let (plan, _) = plan_of(compiled.mixed.path(), "racy.plan", &[]);
    let plain = java(&mut Command::new("env"), &jdk, &compiled);
    let expected = text(&plain.stdout);
    assert!(
        expected.contains("Mixed$Grid.fail(Mixed.java:") && expected.contains("void Mixed$Grid.fill(int)")
    );
    let with_plan = vec!["--plan", plan.to_str().unwrap()];
    let without = [&with_plan[..], &["--without", "versions"]].concat();
    // Of a race on both objects of a field the one that is seen first is told.
    let sure =
        ["deep", "failed", "filled", "locked", "missing", "summed"].map(|it| format!("{it} of Mixed$Grid"));
    let known = ["late of Late", "late of Mixed$Grid", "array of int[]"].map(str::to_owned);
    let mut found = Vec::new();
    for options in [with_plan, without, Vec::new()] {
        let mut places: BTreeSet<String> = BTreeSet::new();
        // The lock orders what comes after it if one thread is done with it before the other one comes: then another run shows the rest.
        for _ in 0..RUNS {
            let report = scratch("racy.json");
            let mut command = selvedge();
            command.args(["run", "--quiet", "--detector", "hb", "--format", "json", "--output"]).arg(&report);
            let output = java(command.args(&options).arg("--"), &jdk, &compiled);
            assert_eq!(text(&output.stdout), expected, "{}", text(&output.stderr));
            let told: serde_json::Value =
                serde_json::from_str(&std::fs::read_to_string(&report).unwrap()).unwrap();
            let _ = std::fs::remove_file(report);
            assert_eq!(told["problems"], serde_json::json!([]));
            places.extend(told["findings"].as_array().unwrap().iter().map(|finding| {
                let field = finding["location"]["field"].as_str().unwrap_or("array");
                format!("{field} of {}", finding["object"]["class"].as_str().unwrap_or_default())
            }));
            if sure.iter().all(|place| places.contains(place)) {
                break;
            }
        }
        found.push(places);
    }
    let _ = std::fs::remove_file(plan);
    for places in &found {
        assert!(sure.iter().all(|place| places.contains(place)), "{found:?}");
        assert!(places.iter().all(|place| sure.contains(place) || known.contains(place)), "{found:?}");
        assert!(places.iter().any(|place| place.starts_with("late ")), "{found:?}");
    }
}

/// How many objects are touched by each method of a run, and how often.
fn touched(jdk: &Jdk, compiled: &Compiled, options: &[&str]) -> BTreeMap<String, (usize, usize)> {
    let trace = scratch("run.trace");
    let mut command = selvedge();
    command.args(["run", "--quiet", "--exit-status", "0", "--record"]).arg(&trace).args(options).arg("--");
    let output = java(&mut command, jdk, compiled);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let replayed = selvedge().arg("replay").arg(&trace).arg("--events").output().unwrap();
    let _ = std::fs::remove_file(trace);
    let mut events: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for line in text(&replayed.stdout).lines() {
        // t2: read o81.sum @Mixed$Grid.fill:8
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, "read" | "write", place, site] = words[..] else { continue };
        let Some(method) = site.strip_prefix("@Mixed$Grid.").and_then(|it| it.split(':').next()) else {
            continue;
        };
        let Some((object, _)) = place.split_once('.') else { continue };
        let objects = events.entry(method.to_owned()).or_default();
        *objects.entry(object.to_owned()).or_default() += 1;
    }
    events.into_iter().map(|(method, objects)| (method, (objects.len(), objects.values().sum()))).collect()
}

#[test]
fn calls_with_safe_objects_enter_the_quiet_version() {
    let Some(jdk) = jdk_or_skip() else { return };
    let compiled = compiled();
    let (plan, _) = plan_of(compiled.mixed.path(), "counted.plan", &[]);
    let with_plan = ["--plan", plan.to_str().unwrap()];
    let versions = touched(&jdk, &compiled, &with_plan);
    let without = touched(&jdk, &compiled, &[&with_plan[..], &["--without", "versions"]].concat());
    let _ = std::fs::remove_file(plan);
    // Without versions also the objects of the two threads and of main; of those that may be null, and of the silent class, none.
    let objects = |of: &BTreeMap<String, (usize, usize)>, method: &str| of.get(method).map_or(0, |it| it.0);
    let methods = ["deep", "fail", "fill", "late", "locked", "missing", "sum"];
    assert_eq!(methods.map(|it| objects(&versions, it)), [1, 1, 1, 2, 1, 1, 1], "{versions:?}");
    assert_eq!(methods.map(|it| objects(&without, it)), [3, 2, 3, 2, 3, 1, 1], "{without:?}");
    // Two threads each fill the shared grid once: 16 reads and 16 writes.
    assert_eq!((versions["fill"].1, without["fill"].1), (64, 3 * 64 - 64), "{versions:?} {without:?}");
}
