//! The detectors against the definitions, on random traces.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use common::{Shape, random_trace};
use selvedge_base::Id;
use selvedge_protocol::text::{self, Trace};
use selvedge_protocol::{
    AccessKind, Action, Arrays, DetectorChoice, Event, FieldId, Granularity, HoldMode, Location, Lock,
    LockRole, ObjectId, Options, ThreadId,
};
use selvedge_runtime::Engine;
use selvedge_runtime::engine::Detector;
use selvedge_runtime::held::{HeldTable, Hold};
use selvedge_runtime::lockset::Lockset;
use selvedge_runtime::naive::{self, FirstRaces};
use selvedge_runtime::shadow::Coarseness;
use selvedge_testkit::Rng;

fn shapes() -> [Shape; 4] {
    [
        Shape { threads: 3, locks: 2, objects: 1, events: 40, synchronisation: 2 },
        Shape { threads: 5, locks: 3, objects: 2, events: 70, synchronisation: 2 },
        Shape { threads: 8, locks: 2, objects: 1, events: 90, synchronisation: 3 },
        Shape { threads: 12, locks: 3, objects: 3, events: 110, synchronisation: 1 },
    ]
}

/// For each location the first event at which the detector reports.
fn detected(trace: &Trace, options: &Options) -> FirstRaces {
    let coarseness = Coarseness::new(options);
    let mut engine = Engine::new(options);
    let mut first: BTreeMap<Location, usize> = BTreeMap::new();
    for (number, event) in trace.events.iter().enumerate() {
        if let Some(race) = engine.event(event) {
            first.entry(coarseness.of(race.location).unwrap()).or_insert(number);
        }
    }
    assert_eq!(engine.degradations(), Vec::<String>::new());
    first
}

/// Makes `count` traces of each shape and lets `check` judge them; it returns how many locations were racy.
fn on_traces(count: usize, mut check: impl FnMut(&Trace) -> usize) {
    let mut racy = 0;
    let mut clean = 0;
    for (number, shape) in shapes().iter().enumerate() {
        let mut rng = Rng::new(1000 + number as u64);
        for _ in 0..count {
            let found = check(&random_trace(&mut rng, shape));
            racy += found;
            clean += usize::from(found == 0);
        }
    }
    assert!(
        racy > count && clean > count / 20,
        "the traces are not varied: {racy} racy locations, {clean} clean"
    );
}

fn assert_same(trace: &Trace, what: &str, expected: &FirstRaces, found: &FirstRaces) {
    assert_eq!(expected, found, "{what}\n{}", text::print(trace));
}

#[test]
fn locksets_without_ownership_are_the_definition() {
    let options = Options { detector: DetectorChoice::Lockset, ownership: false, ..Options::default() };
    on_traces(700, |trace| {
        let expected = naive::lockset(&trace.events, &options);
        for cache in [false, true] {
            for weaker_than in [false, true] {
                let options = Options { cache, weaker_than, ..options.clone() };
                let what = format!("cache {cache}, weaker-than {weaker_than}");
                assert_same(trace, &what, &expected, &detected(trace, &options));
            }
        }
        expected.len()
    });
}

#[test]
fn locksets_with_ownership_are_the_definition() {
    let options = Options { detector: DetectorChoice::Lockset, ..Options::default() };
    on_traces(700, |trace| {
        let expected = naive::lockset(&trace.events, &options);
        for cache in [false, true] {
            for weaker_than in [false, true] {
                let options = Options { cache, weaker_than, ..options.clone() };
                let what = format!("cache {cache}, weaker-than {weaker_than}");
                assert_same(trace, &what, &expected, &detected(trace, &options));
            }
        }
        expected.len()
    });
}

/// What fading rests on: whichever accesses are left out, no location is reported that would not be reported with them.
#[test]
fn fewer_accesses_report_no_other_locations() {
    let mut rng = Rng::new(77);
    let (mut fewer, mut same) = (0, 0);
    for detector in [DetectorChoice::Lockset, DetectorChoice::HappensBefore, DetectorChoice::Both] {
        let options = Options { detector, ..Options::default() };
        on_traces(300, |trace| {
            let all = detected(trace, &options);
            let mut left = trace.clone();
            let share = 1 + rng.below(4);
            left.events
                .retain(|event| !matches!(event.action, Action::Access { .. }) || !rng.one_in(share + 1));
            let some = detected(&left, &options);
            for location in some.keys() {
                assert!(all.contains_key(location), "{location:?}\n{}", text::print(trace));
            }
            fewer += usize::from(some.len() < all.len());
            same += usize::from(some.len() == all.len() && !all.is_empty());
            all.len()
        });
    }
    assert!(fewer > 100 && same > 100, "{fewer} {same}");
}

/// Threads that read, and now and then write, two locations under locks that live for a moment, and sometimes under lasting ones, too.
fn trace_with_short_lives(rng: &mut Rng) -> Trace {
    let mut trace = Trace::new();
    let [main, others] = [ThreadId::new(0), ThreadId::new(3)];
    let mut push = |thread, action| trace.events.push(Event::new(thread, action));
    for child in 1..=others.index() {
        push(main, Action::Fork { child: ThreadId::from_index(child) });
    }
    let writes = 4 + rng.below(60);
    for step in 0..80 {
        let thread = ThreadId::from_index(rng.below(4));
        let momentary = ObjectId(1000 + step);
        let lasting = [100, 101].map(ObjectId).into_iter().filter(|_| rng.one_in(2));
        let mut locks: Vec<Lock> =
            lasting.chain([momentary]).map(|object| Lock { object, role: LockRole::Monitor }).collect();
        if rng.one_in(8) {
            locks.pop();
        }
        let mode = HoldMode::Exclusive;
        for &lock in &locks {
            push(thread, Action::Acquire { lock, mode, depth: 1 });
        }
        let location = Location::Field { object: ObjectId(1), field: FieldId::new(rng.below(2) as u32) };
        let kind = if rng.one_in(writes) { AccessKind::Write } else { AccessKind::Read };
        push(thread, Action::Access { location, kind });
        for &lock in locks.iter().rev() {
            push(thread, Action::Release { lock, mode, depth: 0 });
        }
        push(main, Action::Freed { object: momentary });
    }
    trace
}

#[test]
fn locks_that_are_gone_change_nothing() {
    let mut rng = Rng::new(7);
    let (mut racy, mut clean) = (0, 0);
    for _ in 0..600 {
        let trace = trace_with_short_lives(&mut rng);
        for ownership in [false, true] {
            let options = Options { detector: DetectorChoice::Lockset, ownership, ..Options::default() };
            let expected = naive::lockset(&trace.events, &options);
            assert_eq!(expected, detected(&trace, &options), "{:?}", trace.events);
            racy += expected.len();
            clean += usize::from(expected.is_empty());
        }
        // Without what was left out, there would be a node for nearly each step.
        let mut lockset = Lockset::new(&Options { ownership: false, ..Options::default() });
        let mut held = HeldTable::new();
        for event in &trace.events {
            let change = held.event(event);
            lockset.event(event, &held, change);
        }
        for field in 0..2 {
            let location = Location::Field { object: ObjectId(1), field: FieldId::new(field) };
            assert!(lockset.nodes(location) <= 40, "{} nodes", lockset.nodes(location));
        }
    }
    assert!(
        racy > 100 && clean > 100,
        "the traces are not varied: {racy} racy locations, {clean} clean traces"
    );
}

/// Whoever makes accesses may keep back those that are under locks that were said to be enough, as the agent does: the same locations race at the same events.
#[test]
fn accesses_under_enough_locks_change_nothing() {
    let options = Options { detector: DetectorChoice::Lockset, cache: false, ..Options::default() };
    let mut kept_back = 0;
    on_traces(150, |trace| {
        let mut engine = Engine::new(&options);
        let mut enough: Vec<(ThreadId, Location, AccessKind, Vec<Hold>)> = Vec::new();
        let mut first: BTreeMap<Location, usize> = BTreeMap::new();
        for (number, event) in trace.events.iter().enumerate() {
            let Action::Access { location, kind } = event.action else {
                assert_eq!(engine.event(event), None);
                if matches!(event.action, Action::Fork { .. } | Action::Publish { .. }) {
                    enough.retain(|(thread, ..)| *thread != event.thread);
                }
                continue;
            };
            let held: Vec<Hold> =
                engine.held().of(event.thread).acquired().iter().map(|(hold, _)| *hold).collect();
            let is_known = |(thread, of, by, locks): &(ThreadId, Location, AccessKind, Vec<Hold>)| {
                (*thread, *of, *by) == (event.thread, location, kind)
                    && locks.iter().all(|lock| held.contains(lock))
            };
            if enough.iter().any(is_known) {
                kept_back += 1;
                continue;
            }
            if engine.event(event).is_some() {
                first.entry(location).or_insert(number);
            }
            let choices = std::iter::once(Vec::new())
                .chain(held.iter().map(|hold| vec![*hold]))
                .chain((2..=held.len()).map(|count| held[..count].to_vec()));
            if let Some(choice) = engine.enough_locks(event.thread, location, kind) {
                let locks = choices.into_iter().nth(choice).unwrap();
                enough.push((event.thread, location, kind, locks));
            }
        }
        let expected = naive::lockset(&trace.events, &options);
        assert_same(trace, "with accesses kept back", &expected, &first);
        expected.len()
    });
    assert!(kept_back > 1000, "{kept_back}");
}

#[test]
fn ownership_only_hides_races() {
    let with = Options { detector: DetectorChoice::Lockset, ..Options::default() };
    let without = Options { ownership: false, ..with.clone() };
    let mut hidden = 0;
    on_traces(300, |trace| {
        let all = detected(trace, &without);
        let shown = detected(trace, &with);
        assert!(shown.keys().all(|location| all.contains_key(location)), "{}", text::print(trace));
        hidden += all.len() - shown.len();
        shown.len()
    });
    assert!(hidden > 0, "ownership hid nothing: the test shows nothing");
}

#[test]
fn happens_before_is_the_definition() {
    let options = Options { detector: DetectorChoice::HappensBefore, ..Options::default() };
    on_traces(1500, |trace| {
        let expected = naive::happens_before(&trace.events, &options);
        assert_same(trace, "happens-before", &expected, &detected(trace, &options));
        expected.len()
    });
}

#[test]
fn coarser_locations_are_the_definition_too() {
    for (granularity, arrays) in [
        (Granularity::Object, Arrays::Whole),
        (Granularity::Field, Arrays::Whole),
        (Granularity::Field, Arrays::Off),
        (Granularity::Object, Arrays::Off),
    ] {
        for detector in [DetectorChoice::Lockset, DetectorChoice::HappensBefore] {
            let options = Options { detector, granularity, arrays, ..Options::default() };
            on_traces(60, |trace| {
                let expected = match detector {
                    DetectorChoice::Lockset => naive::lockset(&trace.events, &options),
                    _ => naive::happens_before(&trace.events, &options),
                };
                assert_same(trace, &format!("{options:?}"), &expected, &detected(trace, &options));
                expected.len()
            });
        }
    }
}

#[test]
fn a_race_by_happens_before_is_one_by_locksets() {
    let options = Options { ownership: false, ..Options::default() };
    let mut only_feasible = 0;
    on_traces(700, |trace| {
        let by_locks = naive::lockset(&trace.events, &options);
        let by_order = naive::happens_before(&trace.events, &options);
        assert!(by_order.keys().all(|location| by_locks.contains_key(location)), "{}", text::print(trace));
        only_feasible += by_locks.len() - by_order.len();
        let both = detected(trace, &options);
        assert!(by_locks.keys().eq(both.keys()), "{}", text::print(trace));
        by_order.len()
    });
    assert!(only_feasible > 0, "no race was feasible only");
}

/// The trace without the accesses that their thread has made before, as strongly, with nothing since but accesses and acquired locks: what
/// static weaker-than leaves out (`selvedge-prune`, `weaker_than`).
fn without_repetitions(trace: &Trace) -> Trace {
    let mut left = trace.clone();
    let mut made: BTreeMap<(ThreadId, Location), AccessKind> = BTreeMap::new();
    left.events.retain(|event| match event.action {
        Action::Access { location, kind } => {
            let known = made.entry((event.thread, location));
            let is_covered = matches!(&known, Entry::Occupied(one) if *one.get() >= kind);
            let strongest = known.or_insert(kind);
            *strongest = (*strongest).max(kind);
            !is_covered
        }
        Action::Acquire { .. } => true,
        _ => {
            made.retain(|(thread, _), _| *thread != event.thread);
            true
        }
    });
    left
}

/// The trace in which each thread makes all accesses between two other steps of its own at the last of them: as loops tell what they did when
/// they are left (`selvedge-instrument`, `loops`).
fn told_later(trace: &Trace) -> Trace {
    let mut later = trace.clone();
    later.events.clear();
    let mut untold: BTreeMap<ThreadId, Vec<Event>> = BTreeMap::new();
    for (number, event) in trace.events.iter().enumerate() {
        if !matches!(event.action, Action::Access { .. }) {
            later.events.push(*event);
            continue;
        }
        untold.entry(event.thread).or_default().push(*event);
        let mut next = trace.events[number + 1..].iter().filter(|next| next.thread == event.thread);
        if !next.next().is_some_and(|next| matches!(next.action, Action::Access { .. })) {
            later.events.extend(untold.remove(&event.thread).into_iter().flatten());
        }
    }
    later
}

/// Whether the first access to a location by a second thread reads.
fn is_taken_over_by_read(trace: &Trace, wanted: Location) -> bool {
    let accesses = trace.events.iter().filter_map(|event| match event.action {
        Action::Access { location, kind } if location == wanted => Some((event.thread, kind)),
        _ => None,
    });
    let first = accesses.clone().next().map(|(thread, _)| thread);
    let mut others = accesses.filter(|(thread, _)| Some(*thread) != first);
    others.next().is_some_and(|(_, kind)| kind == AccessKind::Read)
}

/// The theorems of what instrumentation leaves out and tells later: by order and by locks alone, the same locations race. With ownership
/// locksets may miss some, and these race by order, or a read has taken them over.
#[test]
fn what_is_left_out_or_told_later_is_no_race_less() {
    let lockset = Options { detector: DetectorChoice::Lockset, ownership: false, ..Options::default() };
    let owned = Options { ownership: true, ..lockset.clone() };
    let keys = |races: FirstRaces| -> BTreeSet<Location> { races.into_keys().collect() };
    for change in [without_repetitions, told_later] {
        let (mut changed, mut missed) = (0, 0);
        on_traces(400, |trace| {
            let other = change(trace);
            changed += usize::from(other.events != trace.events);
            let [all, left] = [trace, &other].map(|it| keys(naive::lockset(&it.events, &lockset)));
            assert_eq!(all, left, "locksets\n{}", text::print(trace));
            let [by_order, left_by_order] =
                [trace, &other].map(|it| keys(naive::happens_before(&it.events, &lockset)));
            assert_eq!(by_order, left_by_order, "order\n{}", text::print(trace));
            let [with_owners, left_with_owners] =
                [trace, &other].map(|it| keys(naive::lockset(&it.events, &owned)));
            for location in with_owners.difference(&left_with_owners) {
                missed += 1;
                let is_read = is_taken_over_by_read(trace, *location);
                assert!(left_by_order.contains(location) || is_read, "{location:?}\n{}", text::print(trace));
            }
            all.len()
        });
        assert!(changed > 300 && missed > 0, "{changed} traces are changed, {missed} locations are missed");
    }
}
