//! Which methods have versions and which calls enter them, on a small program.
//!
//! Marks at the ends of lines: `//= quiet` the calls of the line enter quiet versions, in the body of a method with one version or in the
//! watched one; `//= quiet in quiet` only in the quiet one; `//= watched` they must enter the watched one. Other calls reach no
//! method with versions. `//= versions` stands where such a method begins, and `//= left out` at accesses that only the watched one
//! reports.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use selvedge_detect::{Facts, Ground, pairs};
use selvedge_facts::View;
use selvedge_models::Models;
use selvedge_protocol::{MethodPlan, Plan};
use selvedge_prune::{Options, Pruned, Versioned, plan};
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits, analyze};
use selvedge_testkit::{JavacOptions, compile, jdk_or_skip};
use selvedge_world::{EntryRequest, Input, MethodId, Program};

const SOURCE: &str = "
class Box implements Comparable, Runnable {
    int f, g, h, r, c;
    static int count;

    void mixed(int n) { //= versions
        f = n; //= left out
        count = n;
    }

    void onlyShared(int n) {
        g = n;
    }

    void onlyOwn(int n) {
        h = n;
    }

    void recursive(int n) { //= versions
        r = n; //= left out
        if (n > 0) recursive(n - 1); //= quiet in quiet
    }

    public int compareTo(Object other) {
        return c - ((Box) other).c;
    }

    public void run() {
        c = 1;
    }
}

class Other extends Box {
    void mixed(int n) {
    }
}

class Main {
    static final Box shared = new Box();

    static class Worker extends Thread {
        public void run() {
            Box own = new Box();
            own.mixed(1); //= quiet
            shared.mixed(1); //= watched
            shared.onlyShared(1);
            own.onlyOwn(1);
            own.recursive(3); //= quiet
            shared.recursive(3); //= watched
            Box either = Main.flag ? own : shared;
            either.mixed(2); //= watched
            Box quiet = Main.flag ? own : new Other();
            quiet.mixed(2); //= quiet
            new Other().mixed(2);
            java.util.Arrays.sort(new Box[] {own, new Box()});
            own.compareTo(new Box());
            shared.compareTo(new Box());
            Runnable task = own::run;
            task.run();
            own.run();
            shared.run();
        }
    }

    static boolean flag;

    public static void main(String[] arguments) {
        flag = arguments.length > 0;
        new Worker().start();
        new Worker().start();
    }
}
";

fn planned(versions: Versioned) -> Option<(Program, Pruned)> {
    let jdk = jdk_or_skip()?;
    let classes = compile(&[("Main.java", SOURCE)], &JavacOptions::default()).unwrap();
    let paths = vec![classes.path().to_path_buf()];
    let input = selvedge_world::Options { paths, jdk: Some(jdk.home), ..Default::default() };
    let program = Program::load(Input::read(&input).unwrap());
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let points = program.entry_points(&EntryRequest::Main("Main".to_owned())).unwrap();
    let entries = Entries::of_program(&program, &points);
    let policy = policy_named("adaptive").unwrap();
    let pruned = {
        let analysis = analyze(&program, &models, &entries, policy.as_ref(), Limits::default());
        let ground = Ground::new(View::new(&analysis, &models, &entries));
        let facts = Facts::new(&ground);
        let unproved = pairs::not_proved_safe(&facts, &pairs::Options::every_object());
        plan(&facts, &unproved, &Options { versions, ..Options::default() })
    };
    Some((program, pruned))
}

fn listed<'p>(program: &Program, plan: &'p Plan, method: MethodId) -> Option<&'p MethodPlan> {
    let data = &program.methods[method];
    let class = program.classes[data.class].name.to_string();
    plan.listed(&class, &format!("{}{}", data.name, data.descriptor))
}

/// The marks that the plan would make, by line.
fn marks(program: &Program, plan: &Plan) -> BTreeSet<(u32, &'static str)> {
    let mut marks = BTreeSet::new();
    for (method, _) in program.methods.iter_ids() {
        let Some(listed) = listed(program, plan, method) else { continue };
        let body = program.body(method).unwrap();
        let line = |bci: u32| body.line(bci).unwrap();
        marks.extend(listed.quiet_calls.iter().map(|bci| (line(*bci), "quiet")));
        let watched =
            |bci: &&u32| !listed.quiet.as_ref().is_some_and(|quiet| quiet.quiet_calls.contains(bci));
        marks.extend(listed.watched_calls.iter().filter(watched).map(|bci| (line(*bci), "watched")));
        let Some(quiet) = &listed.quiet else { continue };
        let first = body.insts.iter().map(|inst| line(inst.bci)).min().unwrap();
        marks.insert((first - 1, "versions"));
        let only_there = |bci: &&u32| !listed.quiet_calls.contains(bci);
        marks.extend(quiet.quiet_calls.iter().filter(only_there).map(|bci| (line(*bci), "quiet in quiet")));
        let left_out = listed.report.iter().filter(|bci| !quiet.report.contains(bci));
        marks.extend(left_out.map(|bci| (line(*bci), "left out")));
    }
    marks
}

#[test]
fn versions_are_where_marks_say() {
    let Some((program, pruned)) = planned(Versioned::Everything) else { return };
    let known = ["versions", "left out", "quiet", "quiet in quiet", "watched"];
    let wanted: BTreeSet<(u32, &str)> = SOURCE
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| Some((number, line.split_once("//= ")?.1)))
        .collect();
    assert!(wanted.iter().all(|(_, mark)| known.contains(mark)));
    let found = marks(&program, &pruned.plan);
    let wanted: BTreeSet<(u32, &str)> = wanted.into_iter().collect();
    assert_eq!(found, wanted);
    assert_eq!((pruned.counts.versions, pruned.counts.quiet_calls), (2, 4));
}

#[test]
fn versions_that_save_little_are_not_made() {
    let Some((_, pruned)) = planned(Versioned::WhatPays) else { return };
    assert_eq!((pruned.counts.versions, pruned.counts.quiet_calls), (0, 0));
    assert!(pruned.plan.versions().is_empty());
}

/// Versions change what reports in no other body.
#[test]
fn watched_versions_report_as_without() {
    let (Some((_, with)), Some((_, without))) = (planned(Versioned::Everything), planned(Versioned::Nothing))
    else {
        return;
    };
    let reports = |pruned: &Pruned| {
        let selvedge_protocol::Sites::Listed(classes) = &pruned.plan.sites else {
            panic!("nothing is listed")
        };
        let methods = classes.values().flat_map(|class| &class.methods);
        methods.map(|(name, plan)| (name.clone(), plan.report.clone())).collect::<Vec<_>>()
    };
    assert_eq!(reports(&with), reports(&without));
}
