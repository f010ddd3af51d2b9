//! Random legal traces.

use std::collections::BTreeMap;

use selvedge_protocol::text::Trace;
use selvedge_protocol::{
    AccessKind, Action, Channel, ClassId, Event, FieldId, HoldMode, Location, Lock, LockRole, ObjectId,
    SyncKind, ThreadId,
};
use selvedge_protocol::{Definition, FieldEntry, ThreadEntry};
use selvedge_testkit::Rng;

/// How a random trace is made.
pub struct Shape {
    /// At most so many threads.
    pub threads: usize,
    pub locks: usize,
    pub objects: usize,
    pub events: usize,
    /// One event in so many is not an access.
    pub synchronisation: usize,
}

struct State {
    running: Vec<ThreadId>,
    ended: Vec<ThreadId>,
    next: u32,
    /// Per lock and mode, who holds it how often.
    held: BTreeMap<(Lock, HoldMode), Vec<(ThreadId, u32)>>,
}

impl State {
    fn holders(&self, lock: Lock, mode: HoldMode) -> &[(ThreadId, u32)] {
        self.held.get(&(lock, mode)).map_or(&[], Vec::as_slice)
    }

    /// A lock can be taken exclusively if nobody else has it, and shared if nobody else has it exclusively.
    fn may_acquire(&self, thread: ThreadId, lock: Lock, mode: HoldMode) -> bool {
        let others = |mode| self.holders(lock, mode).iter().any(|(holder, _)| *holder != thread);
        !others(HoldMode::Exclusive) && (mode == HoldMode::Shared || !others(HoldMode::Shared))
    }
}

/// A trace that a program could make: locks exclude, threads run after they are started and are joined after their end.
pub fn random_trace(rng: &mut Rng, shape: &Shape) -> Trace {
    let mut trace = Trace::new();
    let tables = &mut trace.tables;
    tables.define(Definition::Class("p/C".into())).unwrap();
    for field in ["f", "g"] {
        let entry = FieldEntry { class: ClassId::new(0), name: field.into() };
        tables.define(Definition::Field(entry)).unwrap();
    }
    let mut state =
        State { running: vec![ThreadId::new(0)], ended: Vec::new(), next: 1, held: BTreeMap::new() };
    for number in 0..shape.threads {
        let entry = ThreadEntry { name: format!("t{number}"), ..ThreadEntry::default() };
        tables.define(Definition::Thread(entry)).unwrap();
    }
    while trace.events.len() < shape.events {
        let thread = *rng.pick(&state.running).unwrap();
        let action = if rng.one_in(shape.synchronisation) {
            synchronisation(rng, shape, &mut state, thread)
        } else {
            let kind = if rng.one_in(3) { AccessKind::Write } else { AccessKind::Read };
            Some(Action::Access { location: location(rng, shape), kind })
        };
        if let Some(action) = action {
            trace.events.push(Event::new(thread, action));
        }
    }
    trace
}

fn location(rng: &mut Rng, shape: &Shape) -> Location {
    let object = ObjectId(1 + rng.below(shape.objects) as u64);
    let field = FieldId::new(rng.below(2) as u32);
    match rng.below(4) {
        0 => Location::Static { field },
        1 => Location::Element { object, index: rng.below(2) as u32 },
        _ => Location::Field { object, field },
    }
}

fn synchronisation(rng: &mut Rng, shape: &Shape, state: &mut State, thread: ThreadId) -> Option<Action> {
    let object = ObjectId(100 + rng.below(shape.locks) as u64);
    let role = if rng.one_in(4) { LockRole::Explicit } else { LockRole::Monitor };
    let mode =
        if role == LockRole::Explicit && rng.one_in(2) { HoldMode::Shared } else { HoldMode::Exclusive };
    let lock = Lock { object, role };
    match rng.below(16) {
        0..=4 if state.may_acquire(thread, lock, mode) => {
            let holders = state.held.entry((lock, mode)).or_default();
            let depth = match holders.iter_mut().find(|(holder, _)| *holder == thread) {
                Some((_, depth)) => {
                    *depth += 1;
                    *depth
                }
                None => {
                    holders.push((thread, 1));
                    1
                }
            };
            Some(Action::Acquire { lock, mode, depth })
        }
        5..=9 => {
            let own: Vec<(Lock, HoldMode)> = state
                .held
                .iter()
                .filter(|(_, holders)| holders.iter().any(|(holder, _)| *holder == thread))
                .map(|(key, _)| *key)
                .collect();
            let (lock, mode) = *rng.pick(&own)?;
            let holders = state.held.get_mut(&(lock, mode)).unwrap();
            let (_, depth) = holders.iter_mut().find(|(holder, _)| *holder == thread).unwrap();
            *depth -= 1;
            let depth = *depth;
            holders.retain(|(_, depth)| *depth > 0);
            Some(Action::Release { lock, mode, depth })
        }
        10 | 11 if (state.next as usize) < shape.threads => {
            let child = ThreadId::new(state.next);
            state.next += 1;
            state.running.push(child);
            Some(Action::Fork { child })
        }
        12 if thread.number() != 0 && !holds_anything(state, thread) && rng.one_in(2) => {
            state.running.retain(|running| *running != thread);
            state.ended.push(thread);
            Some(Action::End)
        }
        13 => Some(Action::Join { child: *rng.pick(&state.ended)? }),
        14 => {
            let location =
                Location::Field { object: ObjectId(200 + rng.below(2) as u64), field: FieldId::new(0) };
            let kind = [SyncKind::Read, SyncKind::Write, SyncKind::Update][rng.below(3)];
            Some(Action::Sync { location, kind })
        }
        15 => {
            let object = ObjectId(300);
            let channel = match rng.below(5) {
                0 => Channel::Object { object, item: ObjectId::NONE },
                1 => Channel::Object { object, item: ObjectId(301 + rng.below(2) as u64) },
                2 => Channel::Interrupt { object },
                3 => Channel::Permit { object },
                _ => Channel::Class { class: ClassId::new(0) },
            };
            Some(if rng.one_in(2) { Action::Publish { channel } } else { Action::Subscribe { channel } })
        }
        _ => None,
    }
}

fn holds_anything(state: &State, thread: ThreadId) -> bool {
    state.held.values().flatten().any(|(holder, _)| *holder == thread)
}
