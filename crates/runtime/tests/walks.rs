//! Walks through arrays are judged as the accesses to their elements would be: random walks of a few threads under random locks, told to one
//! detector as they are and to another element by element.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use selvedge_base::Id;
use selvedge_protocol::{
    AccessKind, Action, DetectorChoice, Event, HoldMode, Location, Lock, LockRole, ObjectId, Options, SiteId,
    ThreadId,
};
use selvedge_runtime::ranges::{Span, Walk, Walked};
use selvedge_runtime::{Engine, Hold};
use selvedge_testkit::Rng;

const ARRAY: ObjectId = ObjectId(9);

/// One random history, told in both ways until the array comes apart or a race is found. Whether there was one.
fn agree(seed: u64, ownership: bool) -> bool {
    let mut rng = Rng::new(seed);
    let options = Options { detector: DetectorChoice::Lockset, ownership, ..Options::default() };
    let (mut walking, mut stepping) = (Engine::new(&options), Engine::new(&options));
    let mut is_apart = false;
    for _ in 0..12 {
        let thread = ThreadId::from_index(rng.below(3));
        let lock = Lock { object: ObjectId(rng.below(2) as u64), role: LockRole::Monitor };
        let locked = rng.below(4) != 0;
        let kind = if rng.below(3) == 0 { AccessKind::Write } else { AccessKind::Read };
        let (first, step, count) = (rng.below(8) as u32, 1 + rng.below(3) as u32, 1 + rng.below(6) as u32);
        let span = Span::new(first, first + step * (count - 1), step).unwrap();
        let mode = HoldMode::Exclusive;
        let hold = |engine: &mut Engine, action| {
            if locked {
                engine.event(&Event::new(thread, action));
            }
        };
        for engine in [&mut walking, &mut stepping] {
            hold(engine, Action::Acquire { lock, mode, depth: 1 });
        }
        let step = |engine: &mut Engine| {
            let mut found = false;
            for index in span.elements() {
                let location = Location::Element { object: ARRAY, index };
                found |= engine.event(&Event::new(thread, Action::Access { location, kind })).is_some();
            }
            found
        };
        let races = step(&mut stepping);
        let told = if is_apart {
            step(&mut walking)
        } else {
            let locks = locked.then(|| Arc::new(vec![Hold { lock, mode }]));
            let (walked, race) =
                walking.walk(ARRAY, Walk { thread, site: SiteId::UNKNOWN, kind, span, locks, stands: None });
            is_apart = matches!(walked, Walked::Apart(_));
            race.is_some()
        };
        assert_eq!(told, races, "seed {seed}, ownership {ownership}: {kind:?} of {span:?} by {thread:?}");
        if races {
            return true;
        }
        for engine in [&mut walking, &mut stepping] {
            hold(engine, Action::Release { lock, mode, depth: 0 });
        }
    }
    false
}

#[test]
fn walks_race_where_their_elements_do() {
    for ownership in [true, false] {
        let racy = (0..3000).filter(|&seed| agree(seed, ownership)).count();
        assert!(
            (300..2990).contains(&racy),
            "{racy} histories with a race: too few, or all, to say anything"
        );
    }
}
