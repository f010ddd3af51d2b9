//! Versions of methods change no verdict: random programs whose methods work on objects of one thread and of two, judged with all
//! their events and with those of the plan, in the version that each call enters.
//!
//! In each program two threads call random methods of nodes that they have made and of nodes that both know. Methods access fields
//! of their node and of the next, and call each other, some under a lock, some overridden. So one method has safe and conflicting
//! contexts, quiet calls in both versions, recursion, and calls of which the receiver may be either.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)]
mod observed;

use std::fmt::Write;

use selvedge_base::FastSet;
use selvedge_detect::{Facts, Ground, pairs};
use selvedge_facts::View;
use selvedge_models::Models;
use selvedge_protocol::{DetectorChoice, Options};
use selvedge_prune::{Pruned, Versioned, plan};
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits, analyze};
use selvedge_testkit::{JavacOptions, Rng, compile, jdk_or_skip, skip};
use selvedge_world::{EntryRequest, Input, MethodId, Program};

use observed::{Made, Recorded, Run, Tokens, access_sites, racy, record, reports};

const PROGRAMS: usize = 24;
const METHODS: usize = 5;
const FIELDS: usize = 3;
const SEEDS: u64 = 3;

/// A statement of a method, on `this` or the next node.
fn statement(rng: &mut Rng, out: &mut String) {
    let node = if rng.below(3) == 0 { "next" } else { "this" };
    let (field, method) = (rng.below(FIELDS), rng.below(METHODS));
    let line = match rng.below(9) {
        0..=1 => format!("{node}.f{field} = depth;"),
        2..=3 => format!("result += {node}.f{field};"),
        4..=6 => format!("result += {node}.m{method}(depth - 1);"),
        7 => format!("synchronized ({node}) {{ {node}.f{field}++; }}"),
        _ => format!("if (depth % 2 == 0) result += {node}.m{method}(depth - 1);"),
    };
    writeln!(out, "            {line}").unwrap();
}

fn methods(rng: &mut Rng, overriding: bool, out: &mut String) {
    for method in 0..METHODS {
        if overriding && rng.below(3) > 0 {
            continue;
        }
        writeln!(out, "        int m{method}(int depth) {{").unwrap();
        writeln!(
            out,
            "            int result = 0;\n            if (depth <= 0 || next == null) return result;"
        )
        .unwrap();
        if overriding {
            writeln!(out, "            result += super.m{method}(depth - 1);").unwrap();
        }
        for _ in 0..1 + rng.below(3) {
            statement(rng, out);
        }
        writeln!(out, "            return result;\n        }}").unwrap();
    }
}

fn random_program(number: usize, rng: &mut Rng) -> String {
    let mut out = format!(
        "public class P{number} {{\n    static class Node {{\n        int f0, f1, f2;\n        Node next;\n"
    );
    methods(rng, false, &mut out);
    out += "    }\n    static class Leaf extends Node {\n";
    methods(rng, true, &mut out);
    out += "    }\n    static final Node shared = new Node();\n    static final Leaf leaf = new Leaf();\n";
    out += "    static class Worker extends Thread {\n        boolean flag;\n        public void run() {\n";
    out += "            int result = 0;\n            Node own = new Node();\n            Leaf other = new Leaf();\n";
    // What is next of an own node is an own node, or now and then a shared one.
    let next = ["other", "own", "shared"][if rng.below(4) == 0 { 2 } else { rng.below(2) }];
    writeln!(out, "            own.next = {next};\n            other.next = own;").unwrap();
    out +=
        "            Node either = flag ? own : shared;\n            Node none = flag ? new Leaf() : null;\n";
    for _ in 0..8 {
        let node = ["own", "own", "other", "other", "shared", "leaf", "either"][rng.below(7)];
        writeln!(out, "            result += {node}.m{}({});", rng.below(METHODS), 1 + rng.below(3)).unwrap();
        if rng.below(6) == 0 {
            let method = rng.below(METHODS);
            writeln!(
                out,
                "            try {{ none.m{method}(1); }} catch (NullPointerException error) {{ }}"
            )
            .unwrap();
        }
    }
    out += "            if (result == 77) System.out.println(result);\n        }\n    }\n";
    out += "    public static void main(String[] arguments) throws InterruptedException {\n";
    out += "        shared.next = leaf;\n        leaf.next = shared;\n        Worker one = new Worker(), two = new Worker();\n";
    out += "        one.flag = true;\n        one.start();\n        two.start();\n        one.join();\n        two.join();\n    }\n}\n";
    out
}

fn planned(program: &Program, models: &Models, main: &str) -> Pruned {
    let points = program.entry_points(&EntryRequest::Main(main.to_owned())).unwrap();
    let entries = Entries::of_program(program, &points);
    let policy = policy_named("adaptive").unwrap();
    let analysis = analyze(program, models, &entries, policy.as_ref(), Limits::default());
    let ground = Ground::new(View::new(&analysis, models, &entries));
    let options = selvedge_prune::Options { versions: Versioned::Everything, ..Default::default() };
    let facts = Facts::new(&ground);
    plan(&facts, &pairs::not_proved_safe(&facts, &pairs::Options::every_object()), &options)
}

#[test]
fn versions_change_no_verdict() {
    let Some(jdk) = jdk_or_skip() else { return };
    if jdk.feature_version() != 17 {
        return skip("the interpreter runs the library of JDK 17");
    }
    let mut rng = Rng::new(11);
    let sources: Vec<(String, String)> =
        (0..PROGRAMS).map(|number| (format!("P{number}.java"), random_program(number, &mut rng))).collect();
    let texts: Vec<(&str, &str)> =
        sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let classes = compile(&texts, &JavacOptions::default()).unwrap();
    let paths = vec![classes.path().to_path_buf()];
    let input = selvedge_world::Options { paths, jdk: Some(jdk.home), ..Default::default() };
    let program = Program::load(Input::read(&input).unwrap());
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let sites = access_sites(&program);
    let hb = Options { detector: DetectorChoice::HappensBefore, ..Options::default() };
    let lockset =
        Options { detector: DetectorChoice::Lockset, ownership: false, cache: false, ..Options::default() };
    let (mut versions, mut races, mut spared, mut kept) = (0, 0, 0, 0);
    let mut entered_somewhere: FastSet<MethodId> = FastSet::default();
    for (number, (_, source)) in sources.iter().enumerate() {
        let main = format!("P{number}");
        let Pruned { plan, counts, .. } = planned(&program, &models, &main);
        versions += counts.versions;
        let tokens = Tokens::new(&program, &plan);
        for seed in 0..SEEDS {
            let Run { events, entered } = record(&program, &sites, &tokens, &main, seed).unwrap();
            entered_somewhere.extend(entered);
            let told: Vec<&Recorded> = events.iter().filter(|it| reports(&program, &plan, it)).collect();
            let is_spared = |recorded: &&Recorded| {
                let &&(event, made) = recorded;
                let watched = (event, made.map(|made| Made { quiet: false, ..made }));
                !reports(&program, &plan, recorded) && reports(&program, &plan, &watched)
            };
            spared += events.iter().filter(is_spared).count();
            kept += told.iter().filter(|(_, made)| made.is_some()).count();
            let full = racy(events.iter(), &hb);
            races += full.len();
            assert_eq!(racy(told.iter().copied(), &hb), full, "{main}, seed {seed}:\n{source}");
            let by_locks = racy(told.iter().copied(), &lockset);
            assert!(full.is_subset(&by_locks), "{main}, seed {seed}, by locks:\n{source}");
        }
    }
    let entered = entered_somewhere.len();
    println!(
        "{versions} versions, {entered} entered, {races} racy locations, {kept} accesses told, {spared} spared"
    );
    assert!(versions > 20 && entered > 10 && races > 60 && spared > 100);
}
