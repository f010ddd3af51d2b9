//! Limits lose nothing silently, and shortcuts lose nothing.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use selvedge_facts::{AccessId, View};
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, analyze};
use selvedge_testkit::{JavacOptions, Sources, compile_with, jdk_or_skip};
use selvedge_world::{EntryRequest, Input, Program};

use super::{Judge, Limits, Unjudged};
use crate::pairs::groups::{self, Group};
use crate::pairs::{Options, Verdict, not_proved_safe};
use crate::{Facts, Ground};

/// `value` and `size` are written before their object is published and after that, with a lock and without. With contexts for calls,
/// `size` is written in an instance for each thread, and `value` in one instance for all. Of the ways in which two threads write them the
/// first are refuted and the last, of the careful and the careless thread, is not. `hits` races at many places.
const PROGRAM: &str = "
public class Limited {
    static class Item { int value, size; }
    static final Object lock = new Object();
    static Item shared;
    static int hits;

    static void set(Item item, int value) { item.size = value; put(item, value); }
    static void put(Item item, int value) { item.value = value; }

    static class Producer extends Thread {
        public void run() {
            Item item = new Item();
            set(item, 1);
            synchronized (lock) { shared = item; }
            hits++;
        }
    }
    static class Careful extends Thread {
        public void run() {
            Item item;
            synchronized (lock) { item = shared; if (item != null) set(item, 2); }
            hits = 2;
        }
    }
    static class Careless extends Thread {
        public void run() {
            Item item;
            synchronized (lock) { item = shared; }
            if (item != null) set(item, 3);
            hits = hits + 3;
        }
    }
    public static void main(String[] arguments) {
        new Producer().start();
        new Careful().start();
        new Careless().start();
    }
}
";

/// Analyses the program under a policy and hands the facts to `ask`.
fn with_facts(policy: &str, ask: impl FnOnce(&Facts<'_, '_>)) {
    let Some(jdk) = jdk_or_skip() else { return };
    let sources = Sources::Texts(&[("Limited.java", PROGRAM)]);
    let classes = compile_with(&jdk, sources, &JavacOptions::default()).unwrap();
    let paths = vec![classes.path().to_path_buf()];
    let options = selvedge_world::Options { paths, jdk: Some(jdk.home), ..Default::default() };
    let program = Program::load(Input::read(&options).unwrap());
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let points = program.entry_points(&EntryRequest::Main("Limited".to_owned())).unwrap();
    // What the VM does before `main` is not what this is about.
    let entries = Entries { vm: false, ..Entries::of_program(&program, &points) };
    let policy = policy_named(policy).unwrap();
    let analysis = analyze(&program, &models, &entries, policy.as_ref(), selvedge_pta::Limits::default());
    let ground = Ground::new(View::new(&analysis, &models, &entries));
    ask(&Facts::new(&ground));
}

/// The racy pairs of each place, and what was not looked at there.
fn judged(facts: &Facts<'_, '_>, limits: Limits) -> Vec<(BTreeSet<[AccessId; 2]>, Unjudged)> {
    let options = Options { limits, ..Options::default() };
    let groups = groups::of_accesses(facts, &options);
    let judge = |group: &Group| {
        let (counts, verdicts) = Judge::new(facts, &options, group).judge();
        let racy = verdicts.into_iter().filter_map(|verdict| match verdict {
            Verdict::Racy(candidate) => Some(candidate.sides.map(|side| side.access)),
            Verdict::Refuted(..) => None,
        });
        (racy.collect(), counts.unjudged)
    };
    groups.iter().map(judge).collect()
}

fn check_limits(facts: &Facts<'_, '_>) {
    let unlimited = Limits { racy: usize::MAX, looks: usize::MAX, ways: usize::MAX, shortcuts: true };
    let all = judged(facts, unlimited);
    assert!(all.iter().map(|(racy, _)| racy.len()).sum::<usize>() > 4, "{all:?}");
    assert!(all.iter().all(|(_, unjudged)| unjudged.sentences().is_empty()), "{all:?}");
    let options = |limits| Options { limits, ..Options::default() };
    let unproved: BTreeSet<_> = not_proved_safe(facts, &options(unlimited)).into_iter().collect();
    let (mut lost_pairs, mut lost_ways) = (0, 0);
    for few in 0..8 {
        let limited = [
            (Limits { racy: few, ..unlimited }, "was not looked at"),
            (Limits { looks: few, ..unlimited }, "was not looked at"),
            (Limits { ways: few, ..unlimited }, "the rest is taken to be"),
        ];
        for (limits, sentence) in limited {
            for ((found, unjudged), (all, _)) in judged(facts, limits).iter().zip(&all) {
                assert!(found.is_subset(all), "{limits:?} finds {found:?}");
                let lost = all.difference(found).count();
                let (told, met) = match limits.ways == few {
                    true => (unjudged.partly, &mut lost_ways),
                    false => (unjudged.pairs, &mut lost_pairs),
                };
                assert!(lost as u64 <= told, "{limits:?} loses {lost} of {all:?} and tells {unjudged:?}");
                let says_so = unjudged.sentences().iter().any(|it| it.contains(sentence));
                assert_eq!(says_so, told > 0, "{unjudged:?}");
                *met += lost;
            }
            let kept: BTreeSet<_> = not_proved_safe(facts, &options(limits)).into_iter().collect();
            assert!(kept.is_superset(&unproved), "{limits:?} takes a pair for proved safe");
        }
    }
    assert!(lost_pairs > 0 && lost_ways > 0, "no limit was met: {lost_pairs} {lost_ways}");
}

fn check_shortcuts(facts: &Facts<'_, '_>) {
    let limits = Limits { racy: usize::MAX, looks: usize::MAX, ways: usize::MAX, shortcuts: true };
    let thorough = Limits { shortcuts: false, ..limits };
    let racy = |limits| -> Vec<_> { judged(facts, limits).into_iter().map(|(racy, _)| racy).collect() };
    assert_eq!(racy(limits), racy(thorough));
    let proved = |limits| not_proved_safe(facts, &Options { limits, ..Options::default() });
    assert_eq!(proved(limits), proved(thorough));
}

#[test]
fn what_is_not_looked_at_is_said_or_refuted_like_what_stands_for_it() {
    with_facts("1-call", |facts| {
        check_limits(facts);
        check_shortcuts(facts);
    });
}
