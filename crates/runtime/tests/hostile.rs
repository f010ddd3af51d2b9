//! Traces that no program would make: the detectors judge them somehow, in bounded time and memory, and do not fail.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Shape, random_trace};
use selvedge_protocol::text::{self, Trace};
use selvedge_protocol::trace::{TraceReader, TraceWriter};
use selvedge_protocol::{Definition, Options};
use selvedge_runtime::pairs::PairLister;
use selvedge_runtime::{Circumstances, Engine, RaceLog};
use selvedge_testkit::{Rng, mutate};

fn written(trace: &Trace) -> Vec<u8> {
    let mut writer = TraceWriter::new(Vec::new());
    let tables = &trace.tables;
    tables.classes.iter().for_each(|it| writer.define(&Definition::Class(it.clone())).unwrap());
    tables.fields.iter().for_each(|it| writer.define(&Definition::Field(it.clone())).unwrap());
    tables.threads.iter_ids().for_each(|(_, it)| writer.define(&Definition::Thread(it.clone())).unwrap());
    trace.events.iter().for_each(|event| writer.event(event).unwrap());
    writer.finish().unwrap()
}

/// Judges whatever can be read; how many events and races that is.
fn judge(bytes: &[u8], options: &Options) -> (u64, u64) {
    let Ok(mut reader) = TraceReader::new(bytes) else { return (0, 0) };
    let mut engine = Engine::new(options);
    let mut log = RaceLog::new(options.max_races);
    let mut lister = PairLister::new("p.C.f".parse().unwrap(), options);
    while let Ok(Some(event)) = reader.next_event() {
        if let Some(race) = engine.event(&event) {
            log.add(&race, reader.tables(), Circumstances::default());
        }
        lister.event(&event, reader.tables());
    }
    assert!(log.findings().iter().all(|finding| !finding.location.class.is_empty()));
    (engine.events(), log.total())
}

#[test]
fn damaged_traces_are_judged_without_failing() {
    let mut rng = Rng::new(77);
    let shape = Shape { threads: 6, locks: 3, objects: 2, events: 120, synchronisation: 2 };
    let (mut events, mut races) = (0, 0);
    for _ in 0..60 {
        let bytes = written(&random_trace(&mut rng, &shape));
        let donor = written(&random_trace(&mut rng, &shape));
        for _ in 0..60 {
            let mutant = mutate(&mut rng, &bytes, &donor);
            let (judged, racy) = judge(&mutant.bytes, &Options::default());
            events += judged;
            races += racy;
        }
    }
    assert!(events > 50_000 && races > 1_000, "{events} events, {races} races");
}

#[test]
fn very_many_locks_at_once_are_borne() {
    let mut text = String::from("main: fork T; T: read o.f\n");
    for number in 0..20_000 {
        text += &format!("main: acquire o{}\n", number + 10);
    }
    text += "main: write o.f; T: acquire o12; T: write o.f; T: release o12; T: write o.f\n";
    let trace = text::parse(&text).unwrap();
    let mut engine = Engine::new(&Options::default());
    let races = trace.events.iter().filter_map(|event| engine.event(event)).count();
    assert_eq!(races, 3, "two that nothing orders, and one that has no lock in common");
}

#[test]
fn steps_out_of_order_are_borne() {
    for text in [
        "T: join T; T: fork T; T: write o.f",
        "T: end; T: end; T: write o.f; U: join T; U: fork T; T: write o.f; T: end; U: fork V; V: write o.f",
        "T: freed o; T: write o.f; U: write o.f; T: freed o; U: write o.f",
        "T: join U; U: join T; T: write o.f; U: write o.f",
        "T: subscribe q; T: subscribe q item x; T: publish q item q; T: freed q; T: subscribe q item q",
    ] {
        let trace = text::parse(text).unwrap();
        for detector in [Options::default(), Options { ownership: false, cache: false, ..Options::default() }]
        {
            let mut engine = Engine::new(&detector);
            trace.events.iter().for_each(|event| drop(engine.event(event)));
            assert_eq!(engine.events(), trace.events.len() as u64);
        }
    }
}
