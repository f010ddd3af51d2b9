//! The detectors against the definitions, on random traces.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;

use common::{Shape, random_trace};
use selvedge_protocol::text::{self, Trace};
use selvedge_protocol::{Arrays, DetectorChoice, Granularity, Location, Options};
use selvedge_runtime::Engine;
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
