//! Pruning changes nothing but cost: runs of the corpus, judged with all their events and with those of the plan.
//!
//! The interpreter runs the programs under seeded schedules and shows every access, lock and thread. From what it shows a
//! full trace is made, and from that the trace of a run with the plan: without the accesses at sites that do not report.
#![allow(clippy::unwrap_used)]

mod observed;

use rayon::prelude::*;
use selvedge_base::FastSet;
use selvedge_detect::{Facts, Ground};
use selvedge_facts::View;
use selvedge_interp as interp;
use selvedge_models::Models;
use selvedge_protocol::{DetectorChoice, Options, Plan};
use selvedge_prune::{Counts, Pruned, plan};
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits, analyze};
use selvedge_testkit::{Analysed, compile_corpus, corpus, jdk_or_skip, skip};
use selvedge_world::{EntryRequest, Input, Program};

use observed::{OPTIMISTIC, Recorded, access_sites, racy, record};

/// The folders of the corpus whose programs are run.
const TOPICS: [&str; 4] = ["locks", "threads", "arrays", "papers"];

/// How many programs are analysed together.
const TOGETHER: usize = 10;

const SEEDS: [u64; 1] = [1];

fn reports(program: &Program, plan: &Plan, (_, site): &Recorded) -> bool {
    let Some(site) = site else { return true };
    let method = &program.methods[site.method];
    let class = program.classes[method.class].name.to_string();
    plan.reports(&class, &format!("{}{}", method.name, method.descriptor), site.bci)
}

/// The plans with all reasons, and with the weaker-than relation alone.
fn plans(program: &Program, models: &Models, mains: &[String]) -> [Pruned; 2] {
    let mut entries = Entries::of_mains(Vec::new());
    for main in mains {
        let points = program.entry_points(&EntryRequest::Main(main.clone())).unwrap();
        entries.mains.extend(Entries::of_program(program, &points).mains);
    }
    let policy = policy_named("adaptive").unwrap();
    let analysis = analyze(program, models, &entries, policy.as_ref(), Limits::default());
    let ground = Ground::new(View::new(&analysis, models, &entries));
    let facts = Facts::new(&ground);
    let all = selvedge_prune::Options::default();
    [plan(&facts, &all), plan(&facts, &selvedge_prune::Options { races: false, ..all })]
}

/// What was judged.
#[derive(Default, Debug)]
struct Tally {
    runs: usize,
    failed: Vec<String>,
    complaints: Vec<String>,
    accesses: usize,
    kept: usize,
    racy: usize,
    counts: Counts,
}

#[test]
fn a_plan_changes_no_verdict() {
    let Some(jdk) = jdk_or_skip() else { return };
    if jdk.feature_version() != 17 {
        return skip("the interpreter runs the library of JDK 17");
    }
    let compiled = compile_corpus(&jdk).unwrap();
    let paths = vec![compiled.path().to_path_buf()];
    let input = selvedge_world::Options { paths, jdk: Some(jdk.home.clone()), ..Default::default() };
    let program = Program::load(Input::read(&input).unwrap());
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let mains: Vec<(String, bool)> = corpus()
        .unwrap()
        .into_iter()
        .filter(|one| TOPICS.contains(&one.topic.as_str()) && !one.name.contains(OPTIMISTIC))
        .filter_map(|one| {
            let is_racy = one.is_racy();
            if let Analysed::Main(main) = one.analysed { Some((main, is_racy)) } else { None }
        })
        .collect();
    let sites = access_sites(&program);
    let batches: Vec<&[(String, bool)]> = mains.chunks(TOGETHER).collect();
    let tallies: Vec<Tally> =
        batches.into_par_iter().map(|batch| judge_batch(&program, &models, &sites, batch)).collect();
    let mut all = Tally::default();
    for tally in tallies {
        all.runs += tally.runs;
        all.failed.extend(tally.failed);
        all.complaints.extend(tally.complaints);
        all.accesses += tally.accesses;
        all.kept += tally.kept;
        all.racy += tally.racy;
        all.counts.accesses += tally.counts.accesses;
        all.counts.safe += tally.counts.safe;
        all.counts.redundant += tally.counts.redundant;
        all.counts.first_iteration += tally.counts.first_iteration;
    }
    println!("{all:?}");
    assert!(all.complaints.is_empty(), "{}", all.complaints.join("\n"));
    assert!(all.runs > 30 && all.racy > 10, "too little was run: {all:?}");
    assert!(all.failed.len() * 10 < all.runs, "too many programs cannot be run: {all:?}");
    assert!(all.kept * 4 < all.accesses * 3, "the plan leaves out too little: {all:?}");
    assert!(all.counts.redundant > 0 && all.counts.first_iteration > 0, "{all:?}");
}

fn judge_batch(
    program: &Program,
    models: &Models,
    sites: &FastSet<interp::Site>,
    mains: &[(String, bool)],
) -> Tally {
    let names: Vec<String> = mains.iter().map(|(main, _)| main.clone()).collect();
    let [pruned, thinned] = plans(program, models, &names);
    let mut tally = Tally { counts: pruned.counts, ..Tally::default() };
    let lockset =
        Options { detector: DetectorChoice::Lockset, ownership: false, cache: false, ..Options::default() };
    let hb = Options { detector: DetectorChoice::HappensBefore, ..Options::default() };
    for (main, is_racy) in mains {
        for seed in SEEDS {
            let events = match record(program, sites, main, seed) {
                Ok(events) => events,
                Err(failure) => {
                    tally.failed.push(failure);
                    continue;
                }
            };
            let of = |plan: &Plan| -> Vec<&Recorded> {
                events.iter().filter(|event| reports(program, plan, event)).collect()
            };
            let (planned, without_redundant) = (of(&pruned.plan), of(&thinned.plan));
            let full = racy(events.iter(), &hb);
            let mut hold = |holds: bool, what: &str| {
                if !holds {
                    tally.complaints.push(format!("{main}, seed {seed}: {what}"));
                }
            };
            hold(*is_racy || full.is_empty(), "a report of a safe program");
            hold(full == racy(planned.iter().copied(), &hb), "other races by happens-before");
            hold(
                racy(events.iter(), &lockset) == racy(without_redundant.iter().copied(), &lockset),
                "other races by locksets without redundant accesses",
            );
            hold(
                full.is_subset(&racy(planned.iter().copied(), &lockset)),
                "a race by happens-before that locksets do not show",
            );
            tally.runs += 1;
            tally.racy += full.len();
            tally.accesses += events.iter().filter(|(_, site)| site.is_some()).count();
            tally.kept += planned.iter().filter(|(_, site)| site.is_some()).count();
        }
    }
    tally
}
