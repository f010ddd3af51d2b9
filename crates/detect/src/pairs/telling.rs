//! Evidence and advice for a pair that survived: why no lock and no order excludes it, and which lock to hold.

use selvedge_facts::{Candidate, Origin};
use selvedge_findings::{Frame, Lock, LockMode, Side, class_of, short_lock, short_method};

use crate::Facts;

/// Why the locks do not help.
pub fn locking([first, second]: &[Side; 2]) -> &'static str {
    match (first.locks.as_slice(), second.locks.as_slice()) {
        ([], []) => "neither side holds a lock",
        ([], _) | (_, []) => "only one side holds a lock, which excludes nothing",
        (ours, theirs) => {
            let has = |locks: &[Lock], lock: &Lock, mode| {
                locks.iter().any(|other| other.name == lock.name && other.mode == mode)
            };
            let is_shared =
                |lock: &&Lock| lock.mode == LockMode::Shared && has(theirs, lock, LockMode::Shared);
            let is_named = |lock: &&Lock| theirs.iter().any(|other| other.name == lock.name);
            if ours.iter().find(is_shared).is_some() {
                "both sides hold the lock only for reading"
            } else if ours.iter().find(is_named).is_some() {
                "both sides hold a lock of this name, which may be two different objects"
            } else {
                "the two sides hold different locks"
            }
        }
    }
}

/// The names of locks that both sides hold, one of them exclusively.
pub fn common_names([first, second]: &[Side; 2]) -> impl Iterator<Item = &str> {
    let is_common = |lock: &&Lock| {
        let excludes = |other: &Lock| [*lock, other].iter().any(|lock| lock.mode == LockMode::Exclusive);
        second.locks.iter().any(|other| other.name == lock.name && excludes(other))
    };
    first.locks.iter().filter(is_common).map(|lock| lock.name.as_str())
}

/// Why the two may happen at the same time.
pub fn together(facts: &Facts<'_, '_>, candidate: &Candidate) -> &'static str {
    let [first, second] = candidate.sides.map(|side| &facts.threads.all[side.thread].origin);
    let is_same = candidate.sides[0].thread == candidate.sides[1].thread;
    match (first, second) {
        (Origin::Client, Origin::Client) => "any two threads may call the library at the same time",
        (Origin::Container(_), Origin::Container(_)) => "the container calls it from several threads",
        (Origin::Spawn { .. }, Origin::Spawn { .. }) if is_same => {
            "several such threads may run at the same time, and nothing orders these accesses"
        }
        (Origin::Client, _) | (_, Origin::Client) => "callers may run in parallel with the other thread",
        _ => "no start, join or hand-over orders the two accesses",
    }
}

/// Whether a caller of a library comes to a side through the main method of a program, as far as its path shows.
pub fn is_started_by_main(facts: &Facts<'_, '_>, candidate: &Candidate, sides: &[Side; 2]) -> bool {
    candidate.sides.iter().zip(sides).any(|(occurrence, side)| {
        let is_client = facts.threads.all[occurrence.thread].origin == Origin::Client;
        is_client && side.thread.entry.ends_with(".main(java.lang.String[])")
    })
}

/// What to do: hold the lock of the one side on the other, at the place that lacks it; or what helps in general.
pub fn advice(sides: &[Side; 2], general: String) -> String {
    let (with, without) = match (sides[0].locks.is_empty(), sides[1].locks.is_empty()) {
        (false, true) => (&sides[0], &sides[1]),
        (true, false) => (&sides[1], &sides[0]),
        (true, true) => return without_locks(sides, general),
        (false, false) => return general,
    };
    let Some(lock) = with.locks.iter().find(|lock| lock.mode == LockMode::Exclusive) else { return general };
    let (missing, name) = match monitor_of(lock).and_then(|class| innermost(without, class)) {
        Some(frame) => (frame, "this".to_owned()),
        None => (without.in_source(), short_lock(&lock.name)),
    };
    let line = |frame: &Frame| frame.line.map(|line| format!("line {line}"));
    let held = match with.in_source().file == missing.file {
        true => line(with.in_source()).unwrap_or_else(|| with.in_source().place()),
        false => with.in_source().place(),
    };
    format!("in {}, hold {name}, as {held} does; or {general}", in_method(missing))
}

/// The same where neither side holds a lock: advice that begins with guarding everything names the two places first.
fn without_locks(sides: &[Side; 2], general: String) -> String {
    let (guarded, rest) = match GUARD.iter().find_map(|all| Some((*all, general.strip_prefix(all)?))) {
        Some(found) => found,
        None => return general,
    };
    let [first, second] = [sides[0].in_source(), sides[1].in_source()];
    let all = guarded.trim_start_matches("guard all ").trim_end_matches(" with one lock");
    let places = match (first == second, class_of(&first.method) == class_of(&second.method)) {
        (true, _) => in_method(first),
        (false, true) if first.method == second.method => match (first.line, second.line) {
            (Some(one), Some(other)) if one != other => {
                format!("{} (lines {} and {})", short_method(&first.method), one.min(other), one.max(other))
            }
            _ => in_method(first),
        },
        (false, is_one_class) => {
            let other = in_method(second);
            let other = match is_one_class {
                true => other.split_once('.').map_or(other.as_str(), |(_, method)| method),
                false => &other,
            };
            format!("{} and {other}", in_method(first))
        }
    };
    format!("hold one lock in {places}, and for all other {all}{rest}")
}

/// How advice begins that says to guard everything with one lock.
const GUARD: [&str; 3] = [
    "guard all accesses to the array with one lock",
    "guard all accesses with one lock",
    "guard all uses with one lock",
];

/// A method with the line in it: `C.m (line 1)`.
fn in_method(frame: &Frame) -> String {
    let line = frame.line.map(|line| format!(" (line {line})")).unwrap_or_default();
    format!("{}{line}", short_method(&frame.method))
}

/// The class of a lock that is the receiver of the methods that take it: `p.C` of `this (p.C)`.
fn monitor_of(lock: &Lock) -> Option<&str> {
    lock.name.strip_prefix("this (")?.strip_suffix(')')
}

/// The last call on the way to a side inside a class: where its receiver can be locked.
fn innermost<'a>(side: &'a Side, class: &str) -> Option<&'a Frame> {
    let frames = side.path.iter().chain([&side.at]);
    frames.rev().find(|frame| class_of(&frame.method) == class && !frame.is_accessor())
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_findings::Action;

    fn side(line: u32, locks: &[Lock]) -> Side {
        let at = Frame::new("p.C.m()").at("C.java", line);
        Side::new(Action::Write, at).under(locks.to_vec())
    }

    #[test]
    fn locks_are_explained() {
        let lock = || Lock::new("p.C.lock");
        let check = |first: &[Lock], second: &[Lock], expected: &str| {
            assert_eq!(locking(&[side(1, first), side(2, second)]), expected);
        };
        check(&[], &[], "neither side holds a lock");
        check(&[lock()], &[], "only one side holds a lock, which excludes nothing");
        check(&[lock()], &[Lock::new("p.C.other")], "the two sides hold different locks");
        check(&[lock().shared()], &[lock().shared()], "both sides hold the lock only for reading");
        check(
            &[lock()],
            &[lock()],
            "both sides hold a lock of this name, which may be two different objects",
        );
    }

    #[test]
    fn the_lock_of_one_side_is_advised() {
        let sides = [side(1, &[]), side(2, &[Lock::new("p.C.lock")])];
        assert_eq!(
            advice(&sides, "do this".to_owned()),
            "in C.m (line 1), hold C.lock, as line 2 does; or do this"
        );
        let sides = [side(1, &[]), side(2, &[Lock::new("this (p.Owner)")])];
        let path = ["p.Owner.evict()", "p.Owner.count()", "p.C.m()"];
        let frames = path.iter().zip(7..).map(|(method, line)| Frame::new(*method).at("Owner.java", line));
        let sides = sides.map(|side| side.through(frames.clone().collect()));
        assert_eq!(
            advice(&sides, "do this".to_owned()),
            "in Owner.count (line 8), hold this, as C.java:2 does; or do this"
        );
        let sides = [side(1, &[]), side(2, &[Lock::new("p.C.lock").shared()])];
        assert_eq!(advice(&sides, "do this".to_owned()), "do this");
    }

    #[test]
    fn an_accessor_is_told_at_its_call() {
        let at = Frame::new("p.C.access$000(p.C)").at("C.java", 3);
        let path = vec![Frame::new("p.C$1.run()").at("C.java", 9), at.clone()];
        let inner = Side::new(Action::Read, at).through(path);
        let general = "guard all accesses with one lock".to_owned();
        let advice = advice(&[side(1, &[]), inner], general);
        assert_eq!(advice, "hold one lock in C.m (line 1) and C$1.run (line 9), and for all other accesses");
    }

    #[test]
    fn places_without_locks_are_named() {
        let general = || "guard all accesses with one lock, or do this".to_owned();
        let of = |first: Side, second: Side| advice(&[first, second], general());
        let other = |method: &str| Side::new(Action::Read, Frame::new(method).at("C.java", 9));
        let expected =
            |places: &str| format!("hold one lock in {places}, and for all other accesses, or do this");
        assert_eq!(of(side(1, &[]), side(2, &[])), expected("C.m (lines 1 and 2)"));
        assert_eq!(of(side(1, &[]), side(1, &[])), expected("C.m (line 1)"));
        assert_eq!(of(side(1, &[]), other("p.C.n()")), expected("C.m (line 1) and n (line 9)"));
        assert_eq!(of(side(1, &[]), other("p.D.n()")), expected("C.m (line 1) and D.n (line 9)"));
        assert_eq!(advice(&[side(1, &[]), side(2, &[])], "do this".to_owned()), "do this");
    }
}
