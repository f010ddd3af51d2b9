//! The trace format: round trips, cuts at every byte, damage.

use selvedge_testkit::Rng;

use super::*;
use crate::event::{
    AccessKind, Action, Channel, Event, HoldMode, Location, Lock, LockRole, ObjectId, SiteId, StackId,
    SyncKind, ThreadId,
};
use crate::event::{ClassId, FieldId};
use crate::site::{SiteKey, SiteKind};
use crate::tables::{Definition, FieldEntry, ObjectEntry, SiteEntry, Tables, ThreadEntry};

/// Definitions that every event of [`random_event`] finds what it names in.
fn definitions() -> Vec<Definition> {
    let mut all = vec![Definition::Class("p/Ä".into()), Definition::Class("[I".into())];
    for number in 0..4u32 {
        all.push(Definition::Field(FieldEntry {
            class: ClassId::new(number % 2),
            name: format!("f{number}"),
        }));
        all.push(Definition::Site(SiteEntry {
            key: SiteKey::new("p/Ä", "m", "(I)V", number * 1000),
            kind: SiteKind::ALL[number as usize],
            file: (number % 2 == 0).then(|| "Ä.java".to_owned()),
            line: (number < 2).then_some(number),
        }));
        all.push(Definition::Stack(vec![SiteId::new(number), SiteId::UNKNOWN]));
        let entry =
            ThreadEntry { name: "worker".into(), spawned_at: SiteId::new(number), entry: "p/R".into() };
        all.push(Definition::Thread(entry));
        let entry = ObjectEntry { class: ClassId::new(1), allocated_at: SiteId::new(number) };
        all.push(Definition::Object(ObjectId(u64::MAX - u64::from(number)), entry));
    }
    all
}

fn random_event(rng: &mut Rng) -> Event {
    let mut small = |bound: usize| rng.below(bound) as u32;
    let object = ObjectId([0, 7, u64::MAX, 1 << 40, 8][small(5) as usize]);
    let field = FieldId::new(small(4));
    let location = match small(4) {
        0 => Location::Field { object, field },
        1 => Location::Static { field },
        2 => Location::Element { object, index: if small(2) == 0 { u32::MAX } else { small(300) } },
        _ => Location::Content { object },
    };
    let mode = if small(2) == 0 { HoldMode::Exclusive } else { HoldMode::Shared };
    let role = if small(2) == 0 { LockRole::Monitor } else { LockRole::Explicit };
    let lock = Lock { object, role };
    let channel = match small(4) {
        0 => Channel::Object { object, item: ObjectId(u64::from(small(1000))) },
        1 => Channel::Interrupt { object },
        2 => Channel::Permit { object },
        _ => Channel::Class { class: ClassId::new(small(2)) },
    };
    let child = ThreadId::new(small(4));
    let action = match small(12) {
        0 => Action::Access { location, kind: AccessKind::Read },
        1 => Action::Access { location, kind: AccessKind::Write },
        2 => Action::Sync { location, kind: SyncKind::Read },
        3 => Action::Sync { location, kind: SyncKind::Write },
        4 => Action::Sync { location, kind: SyncKind::Update },
        5 => Action::Acquire { lock, mode, depth: small(3) },
        6 => Action::Release { lock, mode, depth: small(3) },
        7 => Action::Fork { child },
        8 => Action::Join { child },
        9 => Action::Publish { channel },
        10 => Action::Subscribe { channel },
        _ => [Action::End, Action::Freed { object }][small(2) as usize],
    };
    let stack = if small(3) == 0 { StackId::new(small(5)) } else { StackId::NONE };
    Event { thread: ThreadId::new(small(4)), site: SiteId::new(small(5)), stack, action }
}

fn sample() -> (Vec<Event>, Vec<u8>) {
    let mut rng = Rng::new(6);
    let events: Vec<Event> = (0..400).map(|_| random_event(&mut rng)).collect();
    let mut writer = TraceWriter::new(Vec::new());
    for definition in definitions() {
        writer.define(&definition).unwrap();
    }
    for event in &events {
        writer.event(event).unwrap();
    }
    (events, writer.finish().unwrap())
}

/// Reads as far as it goes: the events, whether it was cut off, and the error.
fn read(bytes: &[u8]) -> (Vec<Event>, bool, Option<TraceError>) {
    let mut events = Vec::new();
    let mut reader = match TraceReader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => return (events, false, Some(error)),
    };
    loop {
        match reader.next_event() {
            Ok(Some(event)) => events.push(event),
            Ok(None) => return (events, reader.truncated(), None),
            Err(error) => return (events, reader.truncated(), Some(error)),
        }
    }
}

#[test]
fn what_is_written_is_read_again() {
    let (events, bytes) = sample();
    let (again, truncated, error) = read(&bytes);
    assert!(error.is_none(), "{error:?}");
    assert!(!truncated);
    assert_eq!(again, events);

    let mut reader = TraceReader::new(bytes.as_slice()).unwrap();
    let first = reader.next_event().unwrap();
    assert_eq!(first, events.first().copied());
    let mut tables = Tables::new();
    definitions().into_iter().for_each(|definition| tables.define(definition).unwrap());
    assert_eq!(reader.tables(), &tables);
}

#[test]
fn a_freed_object_is_known_until_the_next_event() {
    let mut writer = TraceWriter::new(Vec::new());
    definitions().iter().for_each(|definition| writer.define(definition).unwrap());
    let object = ObjectId(u64::MAX);
    writer.event(&Event::new(ThreadId::new(0), Action::Freed { object })).unwrap();
    writer.event(&Event::new(ThreadId::new(0), Action::End)).unwrap();
    let bytes = writer.finish().unwrap();
    let mut reader = TraceReader::new(bytes.as_slice()).unwrap();
    reader.next_event().unwrap();
    assert!(reader.tables().objects.contains_key(&object));
    reader.next_event().unwrap();
    assert!(!reader.tables().objects.contains_key(&object));
}

#[test]
fn a_trace_that_is_cut_off_is_good_up_to_the_cut() {
    let (events, bytes) = sample();
    let header = MAGIC.len() + 1;
    for cut in 0..bytes.len() {
        let (read, truncated, error) = read(&bytes[..cut]);
        if cut < header {
            assert!(matches!(error, Some(TraceError::NoTrace)), "{cut}: {error:?}");
            continue;
        }
        assert!(error.is_none() && truncated, "{cut}: {error:?}");
        assert_eq!(read, events[..read.len()], "cut at {cut}");
    }
}

#[test]
fn damage_gives_an_error_or_other_events_and_nothing_worse() {
    let (_, bytes) = sample();
    let mut rng = Rng::new(1);
    let mut errors = 0;
    for _ in 0..20_000 {
        let mutant = selvedge_testkit::mutate(&mut rng, &bytes, &bytes);
        let (_, _, error) = read(&mutant.bytes);
        if let Some(error) = error {
            errors += 1;
            assert!(!error.to_string().is_empty());
        }
    }
    assert!(errors > 1000, "only {errors} mutants were refused");
}

#[test]
fn errors_are_sentences() {
    let error = |bytes: &[u8]| read(bytes).2.unwrap().to_string();
    let with = |rest: &[u8]| [MAGIC.as_slice(), &[1], rest].concat();
    assert_eq!(error(b"not a trace"), "this is not a valid trace");
    assert_eq!(
        error(&[MAGIC.as_slice(), &[9]].concat()),
        "the trace has version 9; this program reads version 1"
    );
    assert_eq!(
        error(&with(&[op::CLASS, 0xff, 0xff, 0xff, 0x7f])),
        "the trace is damaged at byte 9: a text of 268435455 bytes"
    );
    assert_eq!(
        error(&with(&[op::FIELD, 5, 1, b'f'])),
        "the trace is damaged at byte 9: c5 is used and was not defined"
    );
    assert_eq!(error(&with(&[op::END, 0])), "the trace is damaged at byte 9: t0 is used and was not defined");
    assert_eq!(error(&with(&[0x3f])), "the trace is damaged at byte 9: there is no record 0x3f");
    assert!(error(&with(&[op::STACK, 0xff, 0xff, 0xff, 0x7f])).ends_with("a stack of 268435455 frames"));
    assert!(error(&with(&[0xff; 20])).contains("there is no record"));
}

#[test]
fn an_event_takes_few_bytes() {
    let mut out = Vec::new();
    let mut encoder = Encoder::new();
    let location = |index| Location::Element { object: ObjectId(123_456), index };
    for index in 0..100 {
        let access = Action::Access { location: location(index), kind: AccessKind::Write };
        encoder.event(&Event::new(ThreadId::new(0), access).at(SiteId::new(900)), &mut out);
    }
    assert!(out.len() < 100 * 5, "{} bytes", out.len());
}
