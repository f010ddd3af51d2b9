//! How fast the detectors are on traces of the papers' kinds, and what each part of the lockset detector is worth.
//!
//! `cargo run --release -p selvedge-runtime --example throughput [EVENTS]`
//!
//! The traces are made here, by the descriptions of the programs in the literature: a branch-and-bound search (tsp), a
//! relaxation on a matrix with a barrier (sor), a ray tracer (a scene that all read, pictures of their own, one
//! counter), a crawler with a pool of tasks (hedc), and short-lived objects passed through a queue.

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::time::Instant;

use selvedge_protocol::{
    AccessKind, Action, Channel, DetectorChoice, Event, FieldId, HoldMode, Location, Lock, LockRole,
    ObjectId, Options, SiteId, ThreadId,
};
use selvedge_runtime::Engine;

/// A trace in the making.
struct Maker {
    events: Vec<Event>,
}

impl Maker {
    fn new(threads: u32) -> Self {
        let mut maker = Self { events: Vec::new() };
        maker.fork(threads);
        maker
    }

    fn fork(&mut self, threads: u32) {
        for child in 1..=threads {
            self.step(0, Action::Fork { child: ThreadId::new(child) });
        }
    }

    fn step(&mut self, thread: u32, action: Action) {
        let site = SiteId::new(1 + self.events.len() as u32 % 7);
        self.events.push(Event::new(ThreadId::new(thread), action).at(site));
    }

    fn read(&mut self, thread: u32, object: u64, field: u32) {
        let location = Location::Field { object: ObjectId(object), field: FieldId::new(field) };
        self.step(thread, Action::Access { location, kind: AccessKind::Read });
    }

    fn write(&mut self, thread: u32, object: u64, field: u32) {
        let location = Location::Field { object: ObjectId(object), field: FieldId::new(field) };
        self.step(thread, Action::Access { location, kind: AccessKind::Write });
    }

    fn element(&mut self, thread: u32, object: u64, index: u32, kind: AccessKind) {
        let location = Location::Element { object: ObjectId(object), index };
        self.step(thread, Action::Access { location, kind });
    }

    fn locked(&mut self, thread: u32, lock: u64, body: impl FnOnce(&mut Self)) {
        let lock = Lock { object: ObjectId(lock), role: LockRole::Monitor };
        self.step(thread, Action::Acquire { lock, mode: HoldMode::Exclusive, depth: 1 });
        body(self);
        self.step(thread, Action::Release { lock, mode: HoldMode::Exclusive, depth: 0 });
    }

    fn publish(&mut self, thread: u32, object: u64, item: u64) {
        let channel = Channel::Object { object: ObjectId(object), item: ObjectId(item) };
        self.step(thread, Action::Publish { channel });
    }

    fn subscribe(&mut self, thread: u32, object: u64, item: u64) {
        let channel = Channel::Object { object: ObjectId(object), item: ObjectId(item) };
        self.step(thread, Action::Subscribe { channel });
    }
}

/// Threads take tours from a queue under a lock, extend them, and compare with the best length, unlocked; rarely better.
fn tsp(events: usize) -> Vec<Event> {
    let mut maker = Maker::new(3);
    let mut round = 0_u64;
    while maker.events.len() < events {
        for thread in 1..=3 {
            let tour = 1000 + (round * 3 + u64::from(thread)) % 400;
            maker.locked(thread, 1, |maker| {
                maker.read(thread, 1, 0);
                maker.write(thread, 1, 0);
                (0..4).for_each(|field| maker.read(thread, tour, field));
            });
            for step in 0..60 {
                maker.read(thread, 2, 0);
                maker.read(thread, tour, step % 4);
                maker.element(thread, 3, step, AccessKind::Read);
            }
            maker.locked(thread, 1, |maker| maker.write(thread, tour, 1));
            if round.is_multiple_of(50) {
                maker.locked(thread, 2, |maker| maker.write(thread, 2, 0));
            }
        }
        round += 1;
    }
    maker.events
}

/// Each thread sweeps the even, then the odd ones of its rows and reads their neighbours, with a barrier in between.
fn sor(events: usize) -> Vec<Event> {
    let mut maker = Maker::new(3);
    let mut parity = 0;
    while maker.events.len() < events {
        parity = 1 - parity;
        for thread in 1..=3_u32 {
            for row in (thread * 10 + parity..thread * 10 + 10).step_by(2) {
                for column in 1..30 {
                    maker.element(thread, u64::from(row), column, AccessKind::Write);
                    maker.element(thread, u64::from(row) - 1, column, AccessKind::Read);
                    maker.element(thread, u64::from(row) + 1, column, AccessKind::Read);
                }
            }
            maker.publish(thread, 999, 0);
        }
        (1..=3).for_each(|thread| maker.subscribe(thread, 999, 0));
    }
    maker.events
}

/// All read the scene; each writes its own picture; a counter is written without a lock.
fn ray_tracer(events: usize) -> Vec<Event> {
    let mut maker = Maker::new(0);
    (0..2000).for_each(|object| maker.write(0, 5000 + object, 0));
    maker.fork(3);
    let mut pixel = 0_u32;
    while maker.events.len() < events {
        for thread in 1..=3 {
            for bounce in 0..40 {
                let object = 5000 + u64::from(pixel.wrapping_mul(31) + bounce * 17) % 2000;
                (0..3).for_each(|field| maker.read(thread, object, field));
            }
            maker.element(thread, u64::from(thread), pixel % 10_000, AccessKind::Write);
            pixel += 1;
        }
        if pixel.is_multiple_of(3000) {
            maker.write(1, 4, 0);
            maker.write(2, 4, 0);
        }
    }
    maker.events
}

/// Eight workers take tasks under the pool's lock; the pool's size is read without it.
fn crawler(events: usize) -> Vec<Event> {
    let mut maker = Maker::new(8);
    let mut task = 10_000_u64;
    while maker.events.len() < events {
        for thread in 1..=8 {
            task += 1;
            let own = task;
            maker.write(0, own, 0);
            maker.locked(0, 1, |maker| maker.write(0, 1, 0));
            maker.read(thread, 1, 1);
            maker.locked(thread, 1, |maker| {
                maker.read(thread, 1, 0);
                maker.write(thread, 1, 1);
            });
            maker.locked(thread, own, |maker| (0..6).for_each(|field| maker.write(thread, own, field)));
            (0..20).for_each(|_| maker.read(thread, own, 2));
            maker.step(thread, Action::Freed { object: ObjectId(own) });
        }
    }
    maker.events
}

/// Messages are made, handed over and freed.
fn messages(events: usize) -> Vec<Event> {
    let mut maker = Maker::new(2);
    let mut message = 100_u64;
    while maker.events.len() < events {
        message += 1;
        (0..4).for_each(|field| maker.write(1, message, field));
        maker.publish(1, 7, message);
        maker.subscribe(2, 7, message);
        (0..4).for_each(|field| maker.read(2, message, field));
        maker.write(2, message, 0);
        maker.step(2, Action::Freed { object: ObjectId(message) });
    }
    maker.events
}

/// Nanoseconds that this process has had a processor, where the system tells; otherwise of the clock on the wall.
fn processor_time() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let told = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    told.unwrap_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e9)
}

/// Nanoseconds an event, and how many locations were reported.
fn measure(events: &[Event], options: &Options) -> (f64, usize) {
    let mut best = f64::MAX;
    let mut racy = BTreeSet::new();
    for _ in 0..3 {
        let mut engine = Engine::new(options);
        racy.clear();
        let start = processor_time();
        for event in events {
            if let Some(race) = engine.event(event) {
                racy.insert(race.location);
            }
        }
        best = best.min((processor_time() - start) / events.len() as f64);
    }
    (best, racy.len())
}

type Make = fn(usize) -> Vec<Event>;

fn main() {
    let events: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2_000_000);
    let lockset = Options { detector: DetectorChoice::Lockset, ..Options::default() };
    let configurations = [
        ("lockset", lockset.clone()),
        ("no cache", Options { cache: false, ..lockset.clone() }),
        ("no ownership", Options { ownership: false, ..lockset.clone() }),
        ("no weaker-than", Options { weaker_than: false, ..lockset.clone() }),
        ("none of the three", Options { cache: false, ownership: false, weaker_than: false, ..lockset }),
        ("hb", Options { detector: DetectorChoice::HappensBefore, ..Options::default() }),
        ("both", Options::default()),
    ];
    let names: Vec<&str> = configurations.iter().map(|(name, _)| *name).collect();
    println!("nanoseconds of processor time per event, best of 3 (racy locations)");
    println!("| trace | {} |\n|---|{}", names.join(" | "), "---:|".repeat(names.len()));
    let programs: [(&str, Make); 5] = [
        ("tsp", tsp),
        ("sor", sor),
        ("ray tracer", ray_tracer),
        ("crawler", crawler),
        ("messages", messages),
    ];
    for (name, make) in programs {
        let trace = make(events);
        print!("| {name} |");
        for (_, options) in &configurations {
            let (nanoseconds, racy) = measure(&trace, options);
            print!(" {nanoseconds:.0} ({racy}) |");
        }
        println!();
    }
}
