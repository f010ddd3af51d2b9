//! Which accesses of a method are redundant, on small Java methods.
//!
//! Marks at the ends of lines say what the accesses of the line do: `//= dropped` all are redundant; lines with
//! accesses and no mark report.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use selvedge_detect::{Facts, Ground, pairs};
use selvedge_facts::View;
use selvedge_models::Models;
use selvedge_protocol::{Arrays, Sites};
use selvedge_prune::{Options, plan};
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits, analyze};
use selvedge_testkit::{JavacOptions, compile, jdk_or_skip};
use selvedge_world::{EntryRequest, Input, Program};

const SOURCE: &str = "
class Box { int f; int g; final int[] cells = new int[9]; volatile int v; }

class Main {
    static int count;

    static void straight(Box box) {
        box.f = 1;
        box.f = 2; //= dropped
        use(box.f); //= dropped
        use(box.g);
        box.g = 3;
    }

    static void readsDoNotCoverWrites(Box box) {
        use(box.f);
        use(box.f); //= dropped
        box.f = 2;
    }

    static void otherObjects(Box one, Box other) {
        one.f = 1;
        other.f = 2;
        Box same = one;
        same.f = 3; //= dropped
    }

    static void branches(Box box, boolean flag) {
        if (flag) {
            box.f = 1;
        } else {
            box.g = 1;
        }
        box.f = 2;
        if (flag) box.f = 3; //= dropped
    }

    static void calls(Box box, Object lock) {
        box.f = 1;
        quiet(box);
        box.f = 2; //= dropped
        loud(lock);
        box.f = 3;
    }

    static void monitors(Box box, Object lock) {
        box.f = 1;
        synchronized (lock) {
            box.f = 2; //= dropped
            box.g = 2;
        }
        box.g = 3;
    }

    static void volatiles(Box box) {
        box.f = 1;
        use(box.v);
        box.f = 2; //= dropped
        box.v = 1;
        box.f = 3;
    }

    static void elements(int[] array, int i, int j) {
        array[i] = 1;
        array[i] = 2; //= dropped
        array[j] = 3;
        use(array[i]); //= dropped
    }

    static void throughFinal(Box box) {
        box.cells[0] = 1;
        box.cells[0] = 2; //= dropped
    }

    static void loop(Box box, int n) {
        for (int i = 0; i < n; i++) {
            box.f = i;
        }
    }

    static void loopWithVaryingObject(Box[] boxes) {
        for (int i = 0; i < 3; i++) {
            boxes[i].f = i;
        }
    }

    static void sometimes(Box box, int n) {
        for (int i = 0; i < n; i++) {
            if (i > 3) box.f = i;
        }
    }

    static void loudLoop(Box box, Object lock, int n) {
        for (int i = 0; i < n; i++) {
            box.f = i;
            synchronized (lock) { }
        }
    }

    static void handler(Box box, int[] array) {
        try {
            box.f = 1;
            box.g = 1;
        } catch (RuntimeException e) {
            box.f = 2;
        }
        box.f = 3;
    }

    static void statics() {
        count = 1;
        count = 2; //= dropped
        use(count); //= dropped
    }

    static void use(int value) { }

    static int quiet(Box box) { return 1; }

    static synchronized void loud(Object lock) { }

    public static void main(String[] arguments) {
        Box box = new Box(), other = new Box();
        Object lock = new Object();
        straight(box);
        readsDoNotCoverWrites(box);
        otherObjects(box, other);
        branches(box, arguments.length > 0);
        calls(box, lock);
        monitors(box, lock);
        volatiles(box);
        elements(new int[3], 1, 2);
        throughFinal(box);
        loop(box, 3);
        loopWithVaryingObject(new Box[] { box, box, other });
        sometimes(box, 9);
        loudLoop(box, lock, 3);
        handler(box, null);
        statics();
    }
}
";

/// Line by line: the text, how many of its accesses there are, and report.
type Lines = BTreeMap<u32, (usize, usize)>;

fn planned(options: &Options) -> Option<Lines> {
    jdk_or_skip()?;
    let compiled = compile(&[("Main.java", SOURCE)], &JavacOptions::default()).unwrap();
    let paths = vec![compiled.path().to_path_buf()];
    let program =
        Program::load(Input::read(&selvedge_world::Options { paths, ..Default::default() }).unwrap());
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let points = program.entry_points(&EntryRequest::Main("Main".to_owned())).unwrap();
    let entries = Entries::of_program(&program, &points);
    let policy = policy_named("insensitive").unwrap();
    let analysis = analyze(&program, &models, &entries, policy.as_ref(), Limits::default());
    let ground = Ground::new(View::new(&analysis, &models, &entries));
    let facts = Facts::new(&ground);
    let pruned = plan(&facts, &pairs::not_proved_safe(&facts, &pairs::Options::every_object()), options);
    let Sites::Listed(classes) = &pruned.plan.sites else { panic!("the plan lists no sites") };
    let mut lines = Lines::new();
    for access in facts.accesses.all.iter() {
        let method = &program.methods[access.method];
        let body = program.body(access.method).unwrap();
        let bci = body.insts[access.inst].bci;
        let class = program.classes[method.class].name.to_string();
        let listed = &classes[&class].methods[&format!("{}{}", method.name, method.descriptor)];
        let line = lines.entry(body.line(bci).unwrap()).or_default();
        line.0 += 1;
        line.1 += usize::from(listed.report.contains(&bci));
    }
    Some(lines)
}

fn marked(mark: &str) -> BTreeSet<u32> {
    let has =
        |(index, line): (usize, &str)| line.ends_with(&format!("//= {mark}")).then_some(index as u32 + 1);
    SOURCE.lines().enumerate().filter_map(has).collect()
}

#[test]
fn only_what_has_been_said_is_dropped() {
    let options = Options { races: false, ..Options::default() };
    let Some(lines) = planned(&options) else { return };
    let dropped = marked("dropped");
    let text = |line: &u32| SOURCE.lines().nth(*line as usize - 1).unwrap().trim();
    for line in &dropped {
        assert!(lines.contains_key(line), "nothing is accessed in: {}", text(line));
    }
    for (line, (accesses, reporting)) in &lines {
        let expected = if dropped.contains(line) { 0 } else { *accesses };
        assert_eq!(*reporting, expected, "reports in: {}", text(line));
    }
}

#[test]
fn whole_arrays_are_covered_by_any_element() {
    let options = Options { races: false, arrays: Arrays::Whole, ..Options::default() };
    let Some(lines) = planned(&options) else { return };
    let line = SOURCE.lines().position(|line| line.contains("array[j] = 3")).unwrap() as u32 + 1;
    assert_eq!(lines[&line], (1, 0));
}

#[test]
fn reasons_can_be_switched_off() {
    let options = Options { races: false, weaker_than: false, ..Options::default() };
    let Some(lines) = planned(&options) else { return };
    assert!(lines.values().all(|(accesses, reporting)| accesses == reporting));
    // One thread: nothing can race.
    let lines = planned(&Options::default()).unwrap();
    assert!(lines.values().all(|(_, reporting)| *reporting == 0), "{lines:?}");
}
