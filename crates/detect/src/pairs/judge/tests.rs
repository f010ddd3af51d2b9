//! Limits lose nothing silently, shortcuts lose nothing, and it does not matter who judges, nor in which order.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use rayon::prelude::*;
use selvedge_facts::{AccessId, AccessKind, Candidate, Occurrence, Place, Publication, Strength, View};
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::heap::ObjectId;
use selvedge_pta::{Entries, InstanceId, analyze};
use selvedge_testkit::{JavacOptions, Sources, compile_with, jdk_or_skip};
use selvedge_world::{EntryRequest, Input, Program};

use super::{Counts, Judge, Limit, Limits, Passed, Silent};
use crate::pairs::groups::{self, Entry, Group};
use crate::pairs::{Options, PairResult, Unproved, not_proved_safe};
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

/// An item that is passed on further than anybody follows it, and one that two methods pass to each other, before they are published.
fn passing_on() -> String {
    let fields: String = (0..20).map(|it| format!("int f{it}; ")).collect();
    let steps: String = (0..19)
        .map(|it| {
            format!("    static void step{it}(Item item) {{ item.f{it} = {it}; step{}(item); }}\n", it + 1)
        })
        .collect();
    format!(
        "
public class Limited {{
    static class Item {{ {fields}int even, odd; }}
    static final Object lock = new Object();
    static Item shared;

{steps}
    static void step19(Item item) {{ item.f19 = 19; }}
    static void even(Item item, int n) {{ item.even = n; if (n > 0) odd(item, n - 1); }}
    static void odd(Item item, int n) {{ item.odd = n; if (n > 0) even(item, n - 1); }}

    static class Producer extends Thread {{
        public void run() {{
            Item item = new Item();
            step0(item);
            even(item, 4);
            synchronized (lock) {{ shared = item; }}
        }}
    }}
    static class Consumer extends Thread {{
        public void run() {{
            Item item;
            synchronized (lock) {{ item = shared; }}
            if (item != null) System.out.println(item.f0 + item.f10 + item.f13 + item.f19 + item.even + item.odd);
        }}
    }}
    public static void main(String[] arguments) {{
        for (int i = 0; i < 2; i++) {{ new Producer().start(); new Consumer().start(); }}
    }}
}}
"
    )
}

/// Analyses the first program under a policy and hands the facts to `ask`.
fn with_facts(policy: &str, ask: impl FnOnce(&Facts<'_, '_>)) {
    with_ground(PROGRAM, policy, |ground| ask(&Facts::new(ground)));
}

fn with_ground(program: &str, policy: &str, ask: impl FnOnce(&Ground<'_>)) {
    let Some(jdk) = jdk_or_skip() else { return };
    let sources = Sources::Texts(&[("Limited.java", program)]);
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
    ask(&Ground::new(View::new(&analysis, &models, &entries)));
}

/// What is said of a pair.
#[derive(PartialEq, Debug)]
struct Told {
    candidate: Candidate,
    /// Who refutes it, and the sentence.
    refuted: Option<(&'static str, Strength, String)>,
}

impl Told {
    fn new(verdict: &PairResult<'_>) -> Self {
        let refuted = match verdict {
            PairResult::Racy(_) | PairResult::Unexamined(_) => None,
            PairResult::Refuted(refutation, _) => {
                Some((refutation.by, refutation.strength, refutation.because()))
            }
        };
        Self { candidate: *verdict.candidate(), refuted }
    }
}

/// What is said of each pair, group by group, by so many threads, with facts that nobody has asked before or that were asked in the
/// opposite order.
fn verdicts(ground: &Ground<'_>, threads: usize, asked_before: bool) -> Vec<(Counts, Vec<Told>)> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let (facts, options) = (Facts::new(ground), Options::default());
        let judge = |group: &Group| {
            let (counts, verdicts) = Judge::new(&facts, &options, group).judge();
            (counts, verdicts.iter().map(Told::new).collect())
        };
        if asked_before {
            let all = Options { include_initializers: true, ..Options::default() };
            let mut groups = groups::of_accesses(&facts, &all);
            groups.reverse();
            groups.iter_mut().for_each(|group| group.entries.reverse());
            groups.iter().for_each(|group| drop(judge(group)));
        }
        groups::of_accesses(&facts, &options).par_iter().with_max_len(1).map(judge).collect()
    })
}

/// The racy pairs of each place, and what was not looked at there.
fn judged(facts: &Facts<'_, '_>, limits: Limits) -> Vec<(BTreeSet<[AccessId; 2]>, Vec<Passed>)> {
    let options = Options { limits, ..Options::default() };
    let groups = groups::of_accesses(facts, &options);
    let judge = |group: &Group| {
        let (counts, verdicts) = Judge::new(facts, &options, group).judge();
        let racy = verdicts.into_iter().filter_map(|verdict| match verdict {
            PairResult::Racy(candidate) => Some(candidate.sides.map(|side| side.access)),
            PairResult::Refuted(..) | PairResult::Unexamined(_) => None,
        });
        (racy.collect(), counts.passed)
    };
    groups.iter().map(judge).collect()
}

/// An access in an instance of its method.
type There = (AccessId, InstanceId);

fn accesses(watched: &BTreeSet<There>) -> BTreeSet<AccessId> {
    watched.iter().map(|(access, _)| *access).collect()
}

/// The accesses that reach a location that is not proved safe, and where they do.
fn watched(facts: &Facts<'_, '_>, options: &Options) -> BTreeSet<There> {
    let found = not_proved_safe(facts, options);
    let proofs = Options { include_initializers: true, ..options.clone() };
    let mut watched = BTreeSet::new();
    for group in groups::of_accesses(facts, &proofs) {
        for entry in &group.entries {
            let touched = facts.accesses.may_touch(facts.view, entry.access, entry.instance);
            let is_touched = |it: &&Unproved| {
                it.objects.is_empty() || it.objects.iter().any(|&object| touched.contains(object))
            };
            if found.iter().filter(|it| it.place == group.place).any(|it| is_touched(&it)) {
                watched.insert((entry.access, entry.instance));
            }
        }
    }
    watched
}

/// The same, object by object, with every two entries and threads.
fn watched_by_definition(facts: &Facts<'_, '_>) -> BTreeSet<There> {
    let options = Options { include_initializers: true, proofs_only: true, ..Options::default() };
    let mut watched = BTreeSet::new();
    for group in groups::of_accesses(facts, &options) {
        let mut judge = Judge::new(facts, &options, &group);
        let touched = |entry: &Entry| facts.accesses.may_touch(facts.view, entry.access, entry.instance);
        let mut objects: BTreeSet<Option<ObjectId>> =
            group.entries.iter().flat_map(|entry| touched(entry).iter().map(Some)).collect();
        if let Place::Static(_) = group.place {
            objects.insert(None);
        }
        for object in objects {
            let kind = |entry: &Entry| match object {
                None => Some(facts.accesses.all[entry.access].kind),
                Some(object) => facts.accesses.kind_on(entry.access, object),
            };
            let touches = |entry: &&Entry| {
                object.is_none_or(|object| touched(entry).contains(object)) && kind(entry).is_some()
            };
            let entries: Vec<&Entry> = group.entries.iter().filter(touches).collect();
            let mut races = |a: &Entry, b: &Entry| {
                let threads = a.threads.iter().flat_map(|x| b.threads.iter().map(move |y| (*x, *y)));
                let of = |entry: &Entry, thread| Occurrence {
                    access: entry.access,
                    instance: entry.instance,
                    thread,
                };
                kind(a).max(kind(b)) == Some(AccessKind::Write)
                    && threads.filter(|(x, y)| x != y || facts.threads.all[*x].many).any(|(x, y)| {
                        let candidate = Candidate { sides: [of(a, x), of(b, y)], object };
                        judge.try_refuters(&candidate, &mut Silent::default()).1.is_none()
                    })
            };
            if entries.iter().enumerate().any(|(at, a)| entries[at..].iter().any(|b| races(a, b))) {
                watched.extend(entries.iter().map(|entry| (entry.access, entry.instance)));
            }
        }
    }
    watched
}

fn check_limits(facts: &Facts<'_, '_>) {
    let most = usize::MAX;
    let unlimited = Limits { racy: most, looks: most, looks_of_class: most, ways: most, shortcuts: true };
    let all = judged(facts, unlimited);
    assert!(all.iter().map(|(racy, _)| racy.len()).sum::<usize>() > 4, "{all:?}");
    assert!(all.iter().all(|(_, passed)| passed.is_empty()), "{all:?}");
    let options = |limits| Options { limits, ..Options::default() };
    let unproved = watched(facts, &options(unlimited));
    let every = watched(facts, &Options { every_object: true, ..options(unlimited) });
    let (mut lost_pairs, mut lost_ways, mut fewer_watched) = (0, 0, 0);
    for few in 0..8 {
        let limited = [
            (Limits { racy: few, ..unlimited }, Limit::Racy(few)),
            (Limits { looks: few, looks_of_class: 0, ..unlimited }, Limit::Looks(few)),
            (Limits { ways: few, ..unlimited }, Limit::Ways(few)),
        ];
        for (limits, limit) in limited {
            for ((found, passed), (all, _)) in judged(facts, limits).iter().zip(&all) {
                assert!(found.is_subset(all), "{limits:?} finds {found:?}");
                let lost = all.difference(found).count();
                let told: u64 = passed.iter().map(|it| it.pairs).sum();
                let met = if limits.ways == few { &mut lost_ways } else { &mut lost_pairs };
                assert!(lost as u64 <= told, "{limits:?} loses {lost} of {all:?} and lists {passed:?}");
                assert!(passed.iter().all(|it| it.limit == limit), "{passed:?}");
                *met += lost;
            }
            let kept = watched(facts, &options(limits));
            assert!(kept.is_superset(&unproved), "{limits:?} takes a pair for proved safe");
            let each = watched(facts, &Options { every_object: true, ..options(limits) });
            assert!(each.is_subset(&kept) && accesses(&each) == accesses(&kept), "{limits:?}");
            assert!(each.is_superset(&every), "{limits:?} takes a pair for proved safe");
            fewer_watched += usize::from(kept.len() > unproved.len());
        }
    }
    assert!(lost_pairs > 0 && lost_ways > 0, "no limit was met: {lost_pairs} {lost_ways}");
    assert!(fewer_watched > 0, "no limit was met where only proofs count");
}

fn check_shortcuts(facts: &Facts<'_, '_>) {
    let most = usize::MAX;
    let limits = Limits { racy: most, looks: most, looks_of_class: most, ways: most, shortcuts: true };
    let thorough = Limits { shortcuts: false, ..limits };
    let racy = |limits| -> Vec<_> { judged(facts, limits).into_iter().map(|(racy, _)| racy).collect() };
    assert_eq!(racy(limits), racy(thorough));
    let naive = watched_by_definition(facts);
    assert!(!naive.is_empty());
    for limits in [limits, thorough] {
        let some = watched(facts, &Options { limits, ..Options::default() });
        assert_eq!(accesses(&some), accesses(&naive));
        assert!(some.is_superset(&naive));
        assert_eq!(watched(facts, &Options { limits, every_object: true, ..Options::default() }), naive);
    }
}

#[test]
fn verdicts_do_not_depend_on_threads_or_order() {
    with_ground(&passing_on(), "insensitive", |ground| {
        let alone = verdicts(ground, 1, false);
        let of_kind = |wanted: fn(&Told) -> bool| {
            alone.iter().flat_map(|(_, told)| told).filter(|it| wanted(it)).count()
        };
        let (racy, refuted) = (
            of_kind(|it| it.refuted.is_none()),
            of_kind(|it| it.refuted.as_ref().is_some_and(|(by, ..)| *by == Publication::BY)),
        );
        assert!(racy > 0 && refuted > 0, "{racy} races, {refuted} unpublished");
        for (threads, asked_before) in [(1, true), (4, false), (4, true)] {
            let others = verdicts(ground, threads, asked_before);
            assert!(alone == others, "{threads} threads, asked before: {asked_before}");
        }
    });
}

#[test]
fn what_is_not_looked_at_is_said_or_refuted_like_what_stands_for_it() {
    with_facts("1-call", |facts| {
        check_limits(facts);
        check_shortcuts(facts);
    });
}
