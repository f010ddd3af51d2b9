//! What the support class finds in runs against the definition of a race.
//!
//! Random schedules of three threads, which take turns by means that the agent does not see, access an array and an object in
//! loops of all shapes: the same steps are made into events, of which the definition says which locations are racy.
//!
//! By locks, what a thread repeats before it releases something may be left out (it can matter only if the location has changed hands
//! in between, as `selvedge_prune` explains): what a run finds is between the definition with and without that.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use selvedge_protocol::{
    AccessKind, Action, DetectorChoice, Event, FieldId, HoldMode, Location, Lock, LockRole, ObjectId,
    Options, ThreadId,
};
use selvedge_runtime::naive;
use selvedge_testkit::{JavacOptions, Rng, compile, jdk_or_skip};

const LENGTH: i32 = 18;
const SCHEDULES: usize = 60;

const ARRAY: ObjectId = ObjectId(1);
const PAIR: ObjectId = ObjectId(2);
const CLASS: ObjectId = ObjectId(3);

/// What a thread does: as `Schedule.access` has it; 0 and 1 take and give back a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    thread: u32,
    what: i32,
    from: i32,
    to: i32,
}

fn explicit(number: i32) -> Lock {
    Lock { object: ObjectId(10 + number as u64), role: LockRole::Explicit }
}

/// Steps that a program can do: a lock is taken by one thread at a time, and given back by the thread that has it.
fn random_steps(rng: &mut Rng) -> Vec<Step> {
    let mut holders: [Option<u32>; 2] = [None; 2];
    let mut steps = Vec::new();
    for _ in 0..12 {
        let thread = rng.below(3) as u32;
        let lock = rng.below(2);
        let step = |what, from: usize, to: usize| Step { thread, what, from: from as i32, to: to as i32 };
        if rng.one_in(2) && holders[lock].is_none() {
            holders[lock] = Some(thread);
            steps.push(step(0, lock, 0));
        } else if rng.one_in(2) && holders[lock] == Some(thread) {
            holders[lock] = None;
            steps.push(step(1, lock, 0));
        }
        let from = rng.below(LENGTH as usize - 6);
        let to = from + 1 + rng.below(LENGTH as usize - from - 1);
        steps.push(step(2 + rng.below(16) as i32, from, to));
    }
    steps
}

/// The accesses of a step: location, and whether it writes.
fn accesses(step: Step) -> Vec<(Location, bool)> {
    let element = |index: i32| Location::Element { object: ARRAY, index: index as u32 };
    let field = |number| Location::Field { object: PAIR, field: FieldId::new(number) };
    let (from, to) = (step.from, step.to);
    let all = |indexes: Vec<i32>, writes| indexes.into_iter().map(|index| (element(index), writes)).collect();
    match step.what {
        2 | 8 => all((from..to).collect(), false),
        3 => all((from..to).collect(), true),
        4 => all((from..to).step_by(2).collect(), false),
        5 => all((from..to).step_by(2).collect(), true),
        6 => all((from + 1..to - 1).step_by(2).flat_map(|i| [i - 1, i + 1]).collect(), false),
        7 => all((from / 3..to / 3).flat_map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(), true),
        9 => {
            let mut all = Vec::new();
            for i in from..LENGTH - 1 {
                all.push((element(i), false));
                if i == to {
                    break;
                }
                all.push((element(i + 1), true));
            }
            all
        }
        10 => all((from..LENGTH).collect(), false),
        11 | 12 => vec![(element(from), true)],
        13 if to > 0 => vec![(field(0), false), (field(0), true)],
        14 if to > 1 => vec![(field(1), false)],
        15 => vec![(field(1), true)],
        16 => (from..to - 1).flat_map(|i| [(element(i + 1), false), (element(i), true)]).collect(),
        17 => all((from..to).flat_map(|row| row..to).collect(), false),
        _ => Vec::new(),
    }
}

fn events(steps: &[Step]) -> Vec<Event> {
    let main = ThreadId::new(0);
    let thread = |step: &Step| ThreadId::new(step.thread + 1);
    let mut events: Vec<Event> =
        (1..4).map(|child| Event::new(main, Action::Fork { child: ThreadId::new(child) })).collect();
    for step in steps {
        let mut push = |action| events.push(Event::new(thread(step), action));
        let mode = HoldMode::Exclusive;
        let monitor = Lock { object: CLASS, role: LockRole::Monitor };
        match step.what {
            0 => push(Action::Acquire { lock: explicit(step.from), mode, depth: 1 }),
            1 => push(Action::Release { lock: explicit(step.from), mode, depth: 0 }),
            what => {
                if what == 16 {
                    push(Action::Acquire { lock: monitor, mode, depth: 1 });
                }
                for (location, writes) in accesses(*step) {
                    let kind = if writes { AccessKind::Write } else { AccessKind::Read };
                    push(Action::Access { location, kind });
                }
                if what == 16 {
                    push(Action::Release { lock: monitor, mode, depth: 0 });
                }
            }
        }
    }
    events
}

/// Of each schedule (by number) what is racy: the array, or a field of the object.
type Racy = BTreeSet<(usize, &'static str)>;

/// Without what a thread repeats before it releases something.
fn without_repeated(events: Vec<Event>) -> Vec<Event> {
    let mut done: BTreeSet<(ThreadId, Location, bool)> = BTreeSet::new();
    let is_new = |event: &Event| match event.action {
        Action::Access { location, kind } => done.insert((event.thread, location, kind == AccessKind::Write)),
        _ => {
            done.retain(|(thread, ..)| *thread != event.thread);
            true
        }
    };
    events.into_iter().filter(is_new).collect()
}

fn expected(schedules: &[Vec<Step>], detector: DetectorChoice, all: bool) -> Racy {
    let options = Options { detector, ..Options::default() };
    let mut racy = Racy::new();
    for (number, steps) in schedules.iter().enumerate() {
        let events = if all { events(steps) } else { without_repeated(events(steps)) };
        let first = match detector {
            DetectorChoice::HappensBefore => naive::happens_before(&events, &options),
            _ => naive::lockset(&events, &options),
        };
        racy.extend(first.keys().map(|location| match location {
            Location::Element { .. } => (number, "array"),
            _ => (number, "field"),
        }));
    }
    racy
}

/// The sources: one class for each schedule, and a main class that plays them in turn.
fn sources(schedules: &[Vec<Step>]) -> Vec<(String, String)> {
    let template = include_str!("programs/Schedule.java").replace("LENGTH", &LENGTH.to_string());
    let mut all = vec![
        ("Turn.java".to_owned(), include_str!("programs/Turn.java").to_owned()),
        ("Play.java".to_owned(), include_str!("programs/Play.java").to_owned()),
    ];
    let mut calls = String::new();
    for (number, steps) in schedules.iter().enumerate() {
        let list: Vec<String> = steps
            .iter()
            .map(|step| format!("{{{}, {}, {}, {}}}", step.thread, step.what, step.from, step.to))
            .collect();
        let steps = format!("STEPS = {{{}}};", list.join(", "));
        let source =
            template.replace("STEPS = {};", &steps).replace("Schedule", &format!("Schedule{number}"));
        all.push((format!("Schedule{number}.java"), source));
        calls += &format!("Schedule{number}.main(args); ");
    }
    let main = format!(
        "public class Main {{ public static void main(String[] args) throws InterruptedException {{ {calls}}} }}"
    );
    all.push(("Main.java".to_owned(), main));
    all
}

/// What a run finds.
fn found(jdk: &Path, classes: &Path, detector: &str) -> Racy {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let plan = scratch.join(format!("judging-{}-{detector}.plan", std::process::id()));
    let report = scratch.join(format!("judging-{}-{detector}.json", std::process::id()));
    let scope = r#""include": [], "exclude": ["#;
    std::fs::write(
        &plan,
        format!(
            r#"{{"version": 1, "accesses": {{{scope}"Turn", "Play"]}}, "synchronisation": {{{scope}"Turn"]}}, "sites": "all"}}"#
        ),
    )
    .unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(["run", "--quiet", "--detector", detector, "--format", "json", "--plan"])
        .arg(&plan)
        .arg("--output")
        .arg(&report)
        .arg("--")
        .arg(jdk)
        .args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"])
        .arg(classes)
        .arg("Main")
        .output()
        .unwrap();
    let text = std::fs::read_to_string(&report)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    for file in [plan, report] {
        let _ = std::fs::remove_file(file);
    }
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut racy = Racy::new();
    for finding in report["findings"].as_array().unwrap() {
        let kind = if finding["kind"] == "array" { "array" } else { "field" };
        for side in finding["sides"].as_array().unwrap() {
            let method = side["method"].as_str().unwrap_or_default();
            let number = method.strip_prefix("Schedule").and_then(|rest| rest.split('.').next());
            racy.extend(number.and_then(|number| number.parse().ok()).map(|number| (number, kind)));
        }
    }
    racy
}

fn check(detector: DetectorChoice, name: &str) {
    let Some(jdk) = jdk_or_skip() else { return };
    let mut rng = Rng::new(7);
    let schedules: Vec<Vec<Step>> = (0..SCHEDULES).map(|_| random_steps(&mut rng)).collect();
    let sources = sources(&schedules);
    let sources: Vec<(&str, &str)> =
        sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let classes = compile(&sources, &JavacOptions::default()).unwrap();
    let most = expected(&schedules, detector, true);
    let least = expected(&schedules, detector, false);
    let found = found(&jdk.java, classes.path(), name);
    assert!(least.len() > SCHEDULES / 4 && most.len() < 2 * SCHEDULES - SCHEDULES / 4, "{least:?} {most:?}");
    let describe = |racy: &Racy, other: &Racy| -> Vec<String> {
        racy.difference(other)
            .map(|&(number, kind)| format!("{number} {kind} {:?}", schedules[number]))
            .collect()
    };
    let (missed, wrong) = (describe(&least, &found), describe(&found, &most));
    assert!(missed.is_empty() && wrong.is_empty(), "missed: {missed:#?}\nwrong: {wrong:#?}");
}

#[test]
fn by_order_runs_show_what_the_definition_says() {
    check(DetectorChoice::HappensBefore, "hb");
}

#[test]
fn by_locks_runs_show_what_the_definition_says() {
    check(DetectorChoice::Lockset, "lockset");
}
