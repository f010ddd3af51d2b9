//! Pruning changes nothing but cost: runs of the corpus, judged with all their events and with those of the plan.
//!
//! The interpreter runs the programs under seeded schedules and shows every access, lock and thread. From what it shows a
//! full trace is made, and from that the trace of a run with the plan: without the accesses at sites that do not report, in the version of
//! the method that is executed.
//!
//! The same runs are held against the static datarace set (`selvedge check --analysis interthread`): without the sites in no pair of it
//! they show the same races. It has every pair that `pairs` tells, and proves no pair safe that `pairs` does not, so a plan need not
//! ask it.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)]
mod observed;

use rayon::prelude::*;
use selvedge_base::FastSet;
use selvedge_detect::interthread::Interthread;
use selvedge_detect::{Facts, Ground, pairs};
use selvedge_facts::{Access, AccessId, View};
use selvedge_interp as interp;
use selvedge_models::Models;
use selvedge_protocol::{DetectorChoice, Options, Plan};
use selvedge_prune::{Counts, Pruned, Versioned, plan};
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits, analyze};
use selvedge_testkit::{Analysed, compile_corpus, corpus, jdk_or_skip, skip};
use selvedge_world::{EntryRequest, Input, Program};

use observed::{OPTIMISTIC, Recorded, Tokens, access_sites, racy, record, reports};

/// The folders of the corpus whose programs are run.
const TOPICS: [&str; 4] = ["locks", "threads", "arrays", "papers"];

/// Those that are run as well where `SELVEDGE_FULL` is set.
const MORE_TOPICS: [&str; 7] = ["accesses", "atomics", "benign", "escape", "order", "containers", "modern"];

/// How many programs are analysed together.
const TOGETHER: usize = 10;

const SEEDS: [u64; 1] = [1];

/// What the static analyses say of some programs.
struct Static {
    /// The plans with all reasons, and with the weaker-than relation alone.
    plans: [Pruned; 2],
    /// The sites in no pair of the static datarace set.
    settled: FastSet<interp::Site>,
    /// The sites of class initialisers.
    initializing: FastSet<interp::Site>,
    /// What the static datarace set and `pairs` disagree in.
    complaints: Vec<String>,
    /// Pairs of the set, and locations that `pairs` cannot prove to be safe, one pair each.
    pairs: [usize; 2],
}

fn analyse(program: &Program, models: &Models, mains: &[String]) -> Static {
    let mut entries = Entries::of_mains(Vec::new());
    for main in mains {
        let points = program.entry_points(&EntryRequest::Main(main.clone())).unwrap();
        entries.mains.extend(Entries::of_program(program, &points).mains);
    }
    let policy = policy_named("adaptive").unwrap();
    let analysis = analyze(program, models, &entries, policy.as_ref(), Limits::default());
    let ground = Ground::new(View::new(&analysis, models, &entries));
    let facts = Facts::new(&ground);
    let all = selvedge_prune::Options { versions: Versioned::Everything, ..Default::default() };
    let set = Interthread::new(&facts).set;
    let mut complaints = Vec::new();
    let describe = |pair: [AccessId; 2]| {
        let names = pair.map(|id| {
            let access = &facts.accesses.all[id];
            let line = facts.view.line(access.method, access.inst).unwrap_or(0);
            format!("{}:{line} {:?} {:?}", program.describe_method(access.method), access.kind, access.place)
        });
        names.join(" and ")
    };
    let mut races: Vec<[AccessId; 2]> =
        pairs::Settled::new(&facts, &pairs::Options::default()).races().collect();
    races.sort_unstable();
    // The set leaves class initialisers out.
    let initializes = |access: &Access| program.methods[access.method].is_class_initializer();
    let is_of_initializer =
        |pair: &[AccessId; 2]| pair.iter().any(|&id| initializes(&facts.accesses.all[id]));
    races.retain(|race| !set.contains(*race) && !is_of_initializer(race));
    for race in races {
        complaints.push(format!("told by pairs, but not in the static datarace set: {}", describe(race)));
    }
    let unproved: Vec<[AccessId; 2]> = pairs::not_proved_safe(&facts, &pairs::Options::default())
        .into_iter()
        .filter_map(|location| match location.why {
            pairs::Why::Candidate(candidate) => Some(candidate.sides.map(|side| side.access)),
            pairs::Why::ManyWays(..) | pairs::Why::ManyPairs | pairs::Why::Watched => None,
        })
        .collect();
    for &pair in unproved.iter().filter(|pair| !set.contains(**pair) && !is_of_initializer(pair)) {
        complaints.push(format!("proved by the static datarace set alone: {}", describe(pair)));
    }
    let site = |access: &Access| {
        let bci = program.body(access.method).unwrap().insts[access.inst].bci;
        interp::Site { method: access.method, bci }
    };
    let all_sites = || facts.accesses.all.iter_ids();
    let settled = all_sites().filter(|(id, _)| !set.sites.contains(*id)).map(|(_, it)| site(it)).collect();
    let initializing = all_sites().filter(|(_, it)| initializes(it)).map(|(_, it)| site(it)).collect();
    let unproved = pairs::not_proved_safe(&facts, &pairs::Options::every_object());
    let plan = |options| plan(&facts, &unproved, &options);
    Static {
        plans: [plan(all), plan(selvedge_prune::Options { races: false, ..all })],
        settled,
        initializing,
        complaints,
        pairs: [set.pairs.len(), unproved.len()],
    }
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
    pairs: [usize; 2],
    /// Accesses of runs at sites in no pair of the static datarace set.
    settled: usize,
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
    let is_full = std::env::var_os("SELVEDGE_FULL").is_some();
    let is_wanted = |topic: &str| TOPICS.contains(&topic) || is_full && MORE_TOPICS.contains(&topic);
    let mains: Vec<(String, bool)> = corpus()
        .unwrap()
        .into_iter()
        .filter(|one| is_wanted(&one.topic) && !one.name.contains(OPTIMISTIC))
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
        all.settled += tally.settled;
        all.counts.versions += tally.counts.versions;
        all.counts.quiet_calls += tally.counts.quiet_calls;
        all.pairs = [all.pairs[0] + tally.pairs[0], all.pairs[1] + tally.pairs[1]];
        all.counts.accesses += tally.counts.accesses;
        all.counts.safe += tally.counts.safe;
        all.counts.redundant += tally.counts.redundant;
    }
    println!("{all:?}");
    assert!(all.complaints.is_empty(), "{}", all.complaints.join("\n"));
    assert!(all.runs > 30 && all.racy > 10, "too little was run: {all:?}");
    assert!(all.failed.len() * 10 < all.runs, "too many programs cannot be run: {all:?}");
    assert!(all.kept * 4 < all.accesses * 3, "the plan leaves out too little: {all:?}");
    assert!(all.settled * 4 > all.accesses, "the static datarace set leaves out too little: {all:?}");
    assert!(all.pairs[0] > all.pairs[1], "the static datarace set is to be the coarser one: {all:?}");
    assert!(all.counts.redundant > 0, "{all:?}");
}

fn judge_batch(
    program: &Program,
    models: &Models,
    sites: &FastSet<interp::Site>,
    mains: &[(String, bool)],
) -> Tally {
    let names: Vec<String> = mains.iter().map(|(main, _)| main.clone()).collect();
    let Static { plans: [pruned, thinned], settled, initializing, complaints, pairs } =
        analyse(program, models, &names);
    let mut tally = Tally { counts: pruned.counts, complaints, pairs, ..Tally::default() };
    let tokens = Tokens::new(program, &pruned.plan);
    let lockset =
        Options { detector: DetectorChoice::Lockset, ownership: false, cache: false, ..Options::default() };
    let hb = Options { detector: DetectorChoice::HappensBefore, ..Options::default() };
    for (main, is_racy) in mains {
        for seed in SEEDS {
            let events = match record(program, sites, &tokens, main, seed) {
                Ok(run) => run.events,
                Err(failure) => {
                    tally.failed.push(failure);
                    continue;
                }
            };
            let of = |plan: &Plan| -> Vec<&Recorded> {
                events.iter().filter(|event| reports(program, plan, event)).collect()
            };
            let (planned, without_redundant) = (of(&pruned.plan), of(&thinned.plan));
            let without = |sites: &[&FastSet<interp::Site>]| -> Vec<&Recorded> {
                let is_left_out = |site: &interp::Site| sites.iter().any(|sites| sites.contains(site));
                events.iter().filter(|(_, made)| !made.is_some_and(|it| is_left_out(&it.site))).collect()
            };
            let unsettled = without(&[&settled]);
            let full = racy(events.iter(), &hb);
            let mut hold = |holds: bool, what: &str| {
                if !holds {
                    tally.complaints.push(format!("{main}, seed {seed}: {what}"));
                }
            };
            hold(*is_racy || full.is_empty(), "a report of a safe program");
            hold(full == racy(planned.iter().copied(), &hb), "other races by happens-before");
            hold(
                full == racy(unsettled.iter().copied(), &hb),
                "a race by happens-before that is not in the static datarace set",
            );
            // Locksets do not know that class initialisers come first.
            let [late, late_unsettled] = [without(&[&initializing]), without(&[&initializing, &settled])];
            hold(
                racy(late.into_iter(), &lockset) == racy(late_unsettled.into_iter(), &lockset),
                "a race by locksets that is not in the static datarace set",
            );
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
            tally.settled += events.len() - unsettled.len();
            tally.kept += planned.iter().filter(|(_, site)| site.is_some()).count();
        }
    }
    tally
}
