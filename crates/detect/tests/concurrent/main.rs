//! Proofs against runs: random programs in the vocabulary of `java.util.concurrent`.
//!
//! Each program is analysed alone, and run under several schedules by the interpreter, with the definition of a data race as the judge. A
//! pair of accesses that races in some run must not have been removed by a proof, nor by the stages before the refuters. A program that shows the
//! contrary is shrunk, and the test fails with its text and with what removed the pair.
//!
//! `SELVEDGE_RANDOM_PROGRAMS=10000` tests so many programs instead of the usual number, `SELVEDGE_RANDOM_PROGRAMS=400..440` those of
//! these seeds. `SELVEDGE_SCHEDULES=20` takes so many schedules for each. `SELVEDGE_COUNTEREXAMPLES=FILE` appends what is found to a file, as it is, and goes on.
#![allow(clippy::unwrap_used)]

mod judge;
mod mutations;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

use rayon::prelude::*;
use selvedge_base::FastSet;
use selvedge_detect::pairs::{self, Settled};
use selvedge_detect::{Facts, Ground};
use selvedge_facts::{AccessId, View};
use selvedge_interp::{self as interp, Site, run};
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits, analyze};
use selvedge_testkit::concurrent::Program as Written;
use selvedge_testkit::{JavacOptions, Jdk, Sources, compile_with, jdk_or_skip, skip};
use selvedge_world::{EntryRequest, Input, Program};

use judge::Judge;

/// How many programs every run of the tests takes.
const USUAL: u64 = 48;

/// How many programs are compiled and loaded together.
const TOGETHER: usize = 64;

/// How many programs are analysed together: most of the time goes into the library code that they share.
const AT_ONCE: usize = 16;

/// Instructions of a run. Starting up the library takes a third.
const MAX_INSTRUCTIONS: u64 = 3_000_000;

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn seeds() -> Range<u64> {
    let asked = std::env::var("SELVEDGE_RANDOM_PROGRAMS").unwrap_or_default();
    let parse = |text: &str| text.parse::<u64>().ok();
    let range = asked.split_once("..").and_then(|(first, end)| Some(parse(first)?..parse(end)?));
    range.unwrap_or(0..parse(&asked).unwrap_or(USUAL))
}

/// What became of one program.
#[derive(Default)]
struct Judged {
    /// Races that a proof denies: the lines of the two sides, and what removed the pair.
    denied: BTreeMap<[String; 2], String>,
    /// Pairs that raced, by the lines of the two sides.
    races: BTreeSet<[String; 2]>,
    /// Those of them that `check` does not report, by the heuristic that removed them.
    missed: BTreeMap<[String; 2], String>,
    /// Pairs that a proof removed.
    proved: usize,
    /// Runs that ended, that ended in a deadlock, and that did not end.
    ended: [usize; 3],
    /// What the interpreter cannot do.
    failures: BTreeSet<String>,
}

fn options(proofs_only: bool) -> pairs::Options {
    pairs::Options { proofs_only, include_initializers: proofs_only, ..pairs::Options::default() }
}

/// Analyses some programs together and runs each.
fn judge(program: &Program, models: &Models, mains: &[String]) -> Vec<Judged> {
    let mut entries = Entries::of_mains(Vec::new());
    for main in mains {
        let points = program.entry_points(&EntryRequest::Main(main.clone())).unwrap();
        entries.mains.extend(Entries::of_program(program, &points).mains);
    }
    let policy = policy_named("adaptive").unwrap();
    let analysis = analyze(program, models, &entries, policy.as_ref(), Limits::default());
    let ground = Ground::new(View::new(&analysis, models, &entries));
    let facts = Facts::new(&ground);
    let mut at: BTreeMap<Site, Vec<AccessId>> = BTreeMap::new();
    for (id, access) in facts.accesses.all.iter_ids() {
        let bci = program.body(access.method).unwrap().insts[access.inst].bci;
        at.entry(Site { method: access.method, bci }).or_default().push(id);
    }
    let sites: FastSet<Site> = at.keys().copied().collect();
    let [proved, told] = [true, false].map(|proofs_only| Settled::new(&facts, &options(proofs_only)));
    let any = |pair: [Site; 2], settled: &Settled| {
        let [first, second] = pair.map(|site| &at[&site]);
        first.iter().any(|&a| second.iter().any(|&b| settled.race([a, b]).is_some()))
    };
    // A side that is reported with another one is reported.
    let reported: FastSet<AccessId> = told.races().flatten().collect();
    let is_reported = |pair: [Site; 2]| {
        any(pair, &told) || pair.iter().all(|site| at[site].iter().any(|access| reported.contains(access)))
    };
    let mut reasons: [Option<Reasons>; 2] = [None, None];
    let mut all = Vec::new();
    for main in mains {
        let mut judged = Judged::default();
        let races = run_under_schedules(program, &sites, main, &mut judged);
        judged.races = races.iter().map(|&pair| named(program, pair)).collect();
        for pair in races {
            let is_denied = !any(pair, &proved);
            if !is_denied && is_reported(pair) {
                continue;
            }
            let reasons = reasons[usize::from(is_denied)].get_or_insert_with(|| removals(&facts, is_denied));
            let sides = named(program, pair);
            let why = reasons.get(&sides).cloned().unwrap_or_else(|| "no such pair".to_owned());
            if is_denied {
                judged.denied.insert(sides, why);
            } else {
                judged.missed.insert(sides, why);
            }
        }
        all.push(judged);
    }
    let class = |id: AccessId| program.classes[program.methods[facts.accesses.all[id].method].class].name;
    for [a, _] in proved.safe() {
        let name = class(a).to_string().replace('/', ".");
        let owner = mains.iter().position(|main| name.split('$').next() == Some(main.as_str()));
        if let Some(owner) = owner {
            all[owner].proved += 1;
        }
    }
    all
}

/// The pairs that race in some run of a program.
fn run_under_schedules(
    program: &Program,
    sites: &FastSet<Site>,
    main: &str,
    judged: &mut Judged,
) -> BTreeSet<[Site; 2]> {
    let mut races = BTreeSet::new();
    for seed in 0..number("SELVEDGE_SCHEDULES").unwrap_or(4) {
        let mut judge = Judge::new(program, sites);
        let limits =
            interp::Options { seed, max_instructions: MAX_INSTRUCTIONS, ..interp::Options::default() };
        match run(program, main, &limits, &mut judge) {
            Ok(outcome) => judged.ended[usize::from(outcome.status.is_none())] += 1,
            Err(failure) if failure.message.contains("longer than") => judged.ended[2] += 1,
            Err(failure) => {
                judged.failures.insert(failure.message.lines().next().unwrap_or_default().to_owned());
            }
        }
        races.extend(judge.races);
    }
    races
}

/// What removed a pair, without the reason.
fn refuter(why: &str) -> &str {
    why.split(':').next().unwrap_or_default()
}

/// What removed pairs, by their sides.
type Reasons = BTreeMap<[String; 2], String>;

/// The two sides of a pair, in the words of a report.
fn named(program: &Program, pair: [Site; 2]) -> [String; 2] {
    let mut names = pair.map(|site| {
        let line = program.body(site.method).and_then(|body| body.line(site.bci)).unwrap_or(0);
        let class = program.classes[program.methods[site.method].class].name.to_string();
        format!("{}.java:{line}", class.split('$').next().unwrap_or_default())
    });
    names.sort();
    names
}

/// What removed each pair.
fn removals(facts: &Facts<'_, '_>, proofs_only: bool) -> Reasons {
    let mut found = BTreeMap::new();
    pairs::tell_fates(facts, &options(proofs_only), &mut |fate| {
        let mut lines = fate.sides.each_ref().map(|(_, frame)| {
            format!("{}:{}", frame.file.as_deref().unwrap_or_default(), frame.line.unwrap_or(0))
        });
        lines.sort();
        if let Some(removal) = &fate.removed_by {
            found.insert(lines, format!("{}: {} ({:?})", removal.name, removal.because, removal.strength));
        }
    });
    found
}

/// Programs by the names of their classes, and what became of them. Those that do not compile are left out.
fn judge_all(jdk: &Jdk, programs: &BTreeMap<String, &Written>) -> BTreeMap<String, Judged> {
    let texts = programs.iter().map(|(name, written)| (format!("{name}.java"), written.java(name)));
    judge_sources(jdk, texts.collect())
}

/// The same for the texts of programs, by their files.
fn judge_sources(jdk: &Jdk, mut sources: BTreeMap<String, String>) -> BTreeMap<String, Judged> {
    let compiled = loop {
        let texts: Vec<(&str, &str)> =
            sources.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
        match compile_with(jdk, Sources::Texts(&texts), &JavacOptions::default()) {
            Ok(compiled) => break compiled,
            Err(failure) => {
                let message = format!("{failure:?}");
                let wrong: BTreeSet<String> = message
                    .lines()
                    .filter_map(|line| {
                        line.split_once(".java:").filter(|(_, rest)| rest.contains(": error:"))
                    })
                    .map(|(name, _)| format!("{name}.java"))
                    .collect();
                assert!(
                    !wrong.is_empty() && wrong.iter().all(|file| sources.contains_key(file)),
                    "{message}"
                );
                sources.retain(|file, _| !wrong.contains(file));
            }
        }
        if sources.is_empty() {
            return BTreeMap::new();
        }
    };
    let paths = vec![compiled.path().to_path_buf()];
    let input = selvedge_world::Options { paths, jdk: Some(jdk.home.clone()), ..Default::default() };
    let program = Program::load(Input::read(&input).unwrap());
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let names: Vec<String> =
        sources.into_keys().map(|file| file.trim_end_matches(".java").replace('/', ".")).collect();
    let judged = names
        .par_chunks(AT_ONCE)
        .flat_map_iter(|names| names.iter().cloned().zip(judge(&program, &models, names)));
    let judged = judged.collect();
    let _ = std::fs::remove_dir_all(compiled.path());
    judged
}

/// A smallest program that still shows a race which the same refuter denies, with the races.
fn shrink(jdk: &Jdk, written: &Written, refuters: &BTreeSet<String>) -> (Written, Judged) {
    let mut smallest = written.clone();
    let mut last = Judged::default();
    loop {
        let smaller = smallest.smaller();
        let named: BTreeMap<String, &Written> =
            smaller.iter().enumerate().map(|(index, written)| (format!("S{index:03}"), written)).collect();
        let found = judge_all(jdk, &named)
            .into_iter()
            .find(|(_, judged)| judged.denied.values().any(|why| refuters.contains(refuter(why))));
        let Some((name, judged)) = found else { return (smallest, last) };
        smallest = named[&name].clone();
        last = judged;
    }
}

#[test]
fn no_run_contradicts_a_proof() {
    let Some(jdk) = jdk_or_skip() else { return };
    if jdk.feature_version() != 17 {
        return skip("the interpreter runs the library of JDK 17");
    }
    let file = std::env::var_os("SELVEDGE_COUNTEREXAMPLES");
    let all: Vec<u64> = seeds().collect();
    let (mut total, mut counterexamples) = (Judged::default(), Vec::new());
    let (mut programs, mut races, mut missed) = (0, 0, BTreeMap::<String, usize>::new());
    for chunk in all.chunks(TOGETHER) {
        let written: BTreeMap<String, Written> =
            chunk.iter().map(|&seed| (format!("R{seed}"), Written::new(seed))).collect();
        let judged =
            judge_all(&jdk, &written.iter().map(|(name, written)| (name.clone(), written)).collect());
        programs += judged.len();
        for (name, judged) in judged {
            races += judged.races.len();
            total.proved += judged.proved;
            for why in judged.missed.values() {
                *missed.entry(refuter(why).to_owned()).or_default() += 1;
            }
            for (sum, part) in total.ended.iter_mut().zip(judged.ended) {
                *sum += part;
            }
            total.failures.extend(judged.failures);
            let refuters: BTreeSet<String> = judged
                .denied
                .values()
                .map(|why| why.split(':').next().unwrap_or_default().to_owned())
                .collect();
            if judged.denied.is_empty() {
                continue;
            }
            let (mut small, mut denied) = (written[&name].clone(), judged.denied);
            // Shrinking takes longer than finding: whoever collects many does it for those that are worth it.
            if file.is_none() {
                let (smallest, last) = shrink(&jdk, &small, &refuters);
                small = smallest;
                if !last.denied.is_empty() {
                    denied = last.denied;
                }
            }
            let mut text = format!("## {name}\n");
            for ([a, b], why) in &denied {
                let _ = writeln!(text, "{a} and {b} race in a run, but were removed by {why}");
            }
            let _ = writeln!(text, "```java\n{}```", small.java(&name));
            if let Some(file) = &file {
                use std::io::Write as _;
                let mut out = std::fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
                out.write_all(text.as_bytes()).unwrap();
            }
            counterexamples.push(text);
        }
        println!(
            "{programs} programs: {} pairs raced, {} pairs proved safe, {} counterexamples; runs ended {:?}; missed by heuristics {:?}; {:?}",
            races,
            total.proved,
            counterexamples.len(),
            total.ended,
            missed,
            total.failures
        );
    }
    assert!(counterexamples.is_empty() || file.is_some(), "{}", counterexamples.join("\n"));
    assert!(programs == all.len(), "only {programs} of {} programs compile", all.len());
    let proved = total.proved;
    assert!(races > 0 && proved > races, "too little is tested: {races} races, {proved} proofs");
}
