//! The text form: what it means, and that printing and parsing undo each other.

use super::*;
use crate::event::{Action, Channel, HoldMode, Lock, LockRole, ObjectId};

const EVERYTHING: &str = "\
object o1: p.Account @p.Bank.open:7
object o2: int[]
thread t0 \"main thread\"
thread t1 \"worker 1\" @p.Bank.main:9
t0: fork t1 @p.Bank.main:9
t1: acquire o1; t1: acquire o1
t1: write o1.balance @p.Account.deposit:12 < p.Bank.run:20 < p.Bank.main:@3
t1: release o1; t1: release o1   # a comment
t0: lock o5 shared
t0: read o2[3]
t0: write p.Bank::count
t0: read o7.*
t0: unlock o5 shared
t0: volatile-read o1.v; t0: volatile-write p.Bank::w; t0: volatile-update o9.n
t0: publish o4 item o1; t1: subscribe o4 item o1
t0: publish o4; t0: publish interrupt o8; t1: subscribe permit o8; t0: publish class p.Bank
t1: end
t0: join t1
t0: freed o1
";

#[test]
fn printing_and_parsing_undo_each_other() {
    let trace = parse(EVERYTHING).unwrap();
    let printed = print(&trace);
    assert_eq!(print(&parse(&printed).unwrap()), printed);
    assert_eq!(parse(&printed).unwrap().events.len(), trace.events.len());
    assert!(
        printed.contains("t1: write o1.balance @p.Account.deposit:12 < p.Bank.run:20 < p.Bank.main:@3\n")
    );
    assert!(printed.contains("thread t1 \"worker 1\" @p.Bank.main:9\n"));
}

#[test]
fn depth_counts_what_is_held() {
    let trace = parse("T: acquire L; T: acquire L; T: release L; T: lock L; T: release L").unwrap();
    let depths: Vec<u32> = trace
        .events
        .iter()
        .map(|event| match event.action {
            Action::Acquire { depth, .. } | Action::Release { depth, .. } => depth,
            _ => panic!("{event:?}"),
        })
        .collect();
    assert_eq!(depths, [1, 2, 1, 1, 0]);
    let Action::Acquire { lock, mode, .. } = trace.events[3].action else { panic!() };
    assert_eq!(lock, Lock { object: ObjectId(1 << 32), role: LockRole::Explicit });
    assert_eq!(mode, HoldMode::Exclusive);
}

#[test]
fn a_field_belongs_to_its_objects_class() {
    let trace = parse("object a: p.A; object b: q.B\nT: read a.f; T: read b.f; T: read a.f").unwrap();
    let tables = &trace.tables;
    assert_eq!(tables.fields.len(), 2);
    assert_eq!(tables.classes[tables.fields.iter().next_back().unwrap().class], "q/B");
}

#[test]
fn channels_are_told_apart() {
    let trace = parse("T: publish q; T: publish q item x; T: publish permit q").unwrap();
    let channels: Vec<Channel> = trace
        .events
        .iter()
        .map(|event| if let Action::Publish { channel } = event.action { channel } else { panic!() })
        .collect();
    assert_ne!(channels[0], channels[1]);
    assert_ne!(channels[0], channels[2]);
}

#[test]
fn mistakes_are_told_with_their_line() {
    let error = |text: &str| parse(text).unwrap_err().to_string();
    assert_eq!(error("T: read o.f\nread o.f"), "line 2: `read o.f` does not begin with a thread and a colon");
    assert_eq!(error("T: reed o.f"), "line 1: `reed o.f` is not a step");
    assert_eq!(error("T: read o"), "line 1: `o` is not a location: o.f, p.C::f, a[3] or o.*");
    assert_eq!(error("T: read a[-1]"), "line 1: `-1` is not an index");
    assert_eq!(error("T: release L"), "line 1: `L` is released and not held");
    assert_eq!(error("T: end @nowhere"), "line 1: `nowhere` is not a place: p.C.m:12");
    assert_eq!(error("T: publish q item"), "line 1: `q item` is not a channel");
    assert_eq!(error("object o"), "line 1: `object o` does not say a class");
}
