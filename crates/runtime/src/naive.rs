//! The definitions of a race as they are written, without any cleverness: all events are kept, all pairs compared.
//!
//! Slow (cubic) and independent of the detectors: locks are found by walking back over the thread's own events, order is
//! reachability in the graph of all events. The tests hold the detectors against this.

use std::collections::BTreeMap;

use selvedge_protocol::{
    AccessKind, Action, Channel, Event, HoldMode, Location, ObjectId, Options, SyncKind,
};

use crate::held::Hold;
use crate::shadow::Coarseness;

/// For each location with a race, the number of the first event that completes one.
pub type FirstRaces = BTreeMap<Location, usize>;

/// The races by locksets; see [`lockset`](crate::lockset) for the definition.
pub fn lockset(events: &[Event], options: &Options) -> FirstRaces {
    let handed_over = Reached::new(events, |one, other| thread_edge(one, other) || hands_over(one, other));
    let mut counting = accesses(events, options);
    if options.ownership {
        let all = counting.clone();
        counting.retain(|access| {
            let mut earlier = all.iter().take_while(|other| other.number <= access.number);
            let first = earlier.clone().find(|other| other.location == access.location);
            earlier.any(|other| {
                other.location == access.location
                    && first.is_some_and(|first| events[first.number].thread != events[other.number].thread)
            })
        });
    }
    first_races(&counting, |earlier, later| {
        let protected = locks(events, earlier)
            .iter()
            .any(|own| locks(events, later).iter().any(|hold| own.protects(*hold)));
        !handed_over.reaches(earlier, later) && !protected
    })
}

/// The races by happens-before; see [`happens_before`](crate::happens_before) for the definition.
pub fn happens_before(events: &[Event], options: &Options) -> FirstRaces {
    let order = Reached::new(events, |one, other| thread_edge(one, other) || synchronises(one, other));
    first_races(&accesses(events, options), |earlier, later| !order.reaches(earlier, later))
}

#[derive(Clone, Copy)]
struct NumberedAccess {
    number: usize,
    location: Location,
    kind: AccessKind,
}

fn accesses(events: &[Event], options: &Options) -> Vec<NumberedAccess> {
    let coarseness = Coarseness::new(options);
    let access = |(number, event): (usize, &Event)| {
        let Action::Access { location, kind } = event.action else { return None };
        Some(NumberedAccess { number, location: coarseness.of(location)?, kind })
    };
    events.iter().enumerate().filter_map(access).collect()
}

fn first_races(accesses: &[NumberedAccess], races: impl Fn(usize, usize) -> bool) -> FirstRaces {
    let mut first = FirstRaces::new();
    for (position, later) in accesses.iter().enumerate() {
        let completes = accesses[..position].iter().any(|earlier| {
            earlier.location == later.location
                && (earlier.kind == AccessKind::Write || later.kind == AccessKind::Write)
                && races(earlier.number, later.number)
        });
        if completes {
            first.entry(later.location).or_insert(later.number);
        }
    }
    first
}

/// What the event's thread holds at it.
fn locks(events: &[Event], number: usize) -> Vec<Hold> {
    let mut held: Vec<Hold> = Vec::new();
    for event in events[..number].iter().filter(|event| event.thread == events[number].thread) {
        match event.action {
            Action::Acquire { lock, mode, depth: 1 } => held.push(Hold { lock, mode }),
            Action::Release { lock, mode, depth: 0 } => held.retain(|hold| *hold != Hold { lock, mode }),
            _ => {}
        }
    }
    held
}

/// Whether program order, a start or a join puts the one before the other, which is later in the trace.
fn thread_edge(one: &Event, other: &Event) -> bool {
    one.thread == other.thread
        || one.action == Action::Fork { child: other.thread }
        || other.action == Action::Join { child: one.thread }
}

/// Whether synchronisation puts the one before the other, which is later in the trace.
fn synchronises(one: &Event, other: &Event) -> bool {
    match (one.action, other.action) {
        (Action::Release { lock, mode, depth: 0 }, Action::Acquire { lock: other, mode: other_mode, .. }) => {
            lock == other && (mode == HoldMode::Exclusive || other_mode == HoldMode::Exclusive)
        }
        (Action::Sync { location, kind }, Action::Sync { location: other, kind: other_kind }) => {
            location == other && kind != SyncKind::Read && other_kind != SyncKind::Write
        }
        _ => observes(one, other),
    }
}

/// Whether the one hands something over to the other, which is later in the trace, by a channel that is no permit.
fn hands_over(one: &Event, other: &Event) -> bool {
    !matches!(one.action, Action::Publish { channel: Channel::Permit { .. } }) && observes(one, other)
}

/// Whether the other, which is later in the trace, observes what the one publishes.
fn observes(one: &Event, other: &Event) -> bool {
    match (one.action, other.action) {
        (Action::Publish { channel }, Action::Subscribe { channel: other }) => match (channel, other) {
            (Channel::Object { object, item }, Channel::Object { object: other, item: other_item }) => {
                let unnamed = item == ObjectId::NONE || other_item == ObjectId::NONE;
                object == other && (unnamed || item == other_item)
            }
            _ => channel == other,
        },
        _ => false,
    }
}

/// Which events reach which, in a graph whose edges go from earlier to later events.
struct Reached {
    /// For each event, the earlier events that reach it, and itself.
    from: Vec<Vec<bool>>,
}

impl Reached {
    fn new(events: &[Event], edge: impl Fn(&Event, &Event) -> bool) -> Self {
        let mut from: Vec<Vec<bool>> = Vec::new();
        for (number, event) in events.iter().enumerate() {
            let mut reaching = vec![false; events.len()];
            reaching[number] = true;
            for (earlier, other) in events[..number].iter().enumerate() {
                if edge(other, event) {
                    reaching.iter_mut().zip(&from[earlier]).for_each(|(own, their)| *own |= their);
                }
            }
            from.push(reaching);
        }
        Self { from }
    }

    fn reaches(&self, earlier: usize, later: usize) -> bool {
        self.from[later][earlier]
    }
}
