//! Tests of the order of accesses: small programs whose fields say by their names what must be found about them.
//!
//! `safe...`: every two conflicting accesses are proved to be ordered. `likely...`: all are refuted, some only by a heuristic.
//! `racy...`: two of them are not refuted. The names are the specification.

#![allow(clippy::unwrap_used)]

mod observed;
mod support;

use support::{Found, check};

#[test]
fn start_and_join() {
    check("StartJoin", &[]);
    check("NoJoin", &[]);
    check("Siblings", &[]);
    check("LoopTurns", &[]);
    check("Nested", &[]);
    check("Helpers", &[]);
    check("HelpersTwice", &[]);
    check("InField", &[]);
    check("Interrupting", &[]);
}

#[test]
fn arrays_and_lists() {
    check("JoinLoops$Arrays", &[]);
    check("JoinLoops$Broken", &[]);
    check("JoinLoops$Lists", &[]);
    check("JoinLoops$BrokenLists", &[]);
    check("JoinLoops$Stages", &[]);
}

#[test]
fn signals() {
    check("Signalling$Flags", &[]);
    check("Signalling$FromStart", &[]);
    check("Signalling$Latches", &[]);
    check("Signalling$TooFew", &[]);
    check("Signalling$Permits", &[]);
    check("Signalling$Workers", &[]);
}

#[test]
fn executors() {
    check("Executors1$A", &[]);
    check("Executors1$B", &[]);
    check("Executors1$C", &[]);
}

#[test]
fn the_check_can_fail() {
    let found = support::find("StartJoin");
    assert_eq!(found.iter().find(|(name, _)| name == "racyBeside").unwrap().1, Found::Parallel);
    assert_eq!(found.iter().find(|(name, _)| name == "safeAfter").unwrap().1, Found::Proved);
}
