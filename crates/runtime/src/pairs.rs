//! All racing pairs of chosen locations, off-line.
//!
//! The detectors report at least one access of each racy location, and forget what they need not remember. Here every
//! distinct access of a chosen location is kept and compared with all later ones: quadratic, and complete up to a bound on the
//! accesses kept of one location. Accesses are distinct if their thread, site, kind, locks or epoch differ.
//!
//! Which pairs are listed is the chosen detector's matter. By happens-before: those that nothing orders. By locksets: those that have no
//! lock in common and that starts and joins of threads do not order, exactly, by clocks; with ownership none whose earlier access is
//! made while the location was the first thread's own. By both: what either lists.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_findings::Finding;
use selvedge_protocol::{
    AccessKind, Action, DetectorChoice, Event, Location, ObjectId, Options, SiteId, Tables, ThreadId,
};

use crate::clock::{Chain, Time};
use crate::happens_before::Order;
use crate::held::{HeldTable, Hold, protects};
use crate::race::{Access, Race, Shown};
use crate::report;
use crate::shadow::Coarseness;

/// At most so many distinct accesses of one location are kept.
pub const MAX_ACCESSES: usize = 20_000;

/// Which locations are looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Selector {
    /// A field, static or of any object: `p.C.f`.
    Field {
        /// The class that declares it, as Java writes it.
        class: String,
        /// Its name.
        field: String,
    },
    /// Everything in an object, or one field or element of it: `o12`, `o12.f`, `o12[3]`.
    Object {
        /// The object.
        object: ObjectId,
        /// Which part, or all.
        part: Option<SelectedPart>,
    },
}

/// A part of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SelectedPart {
    /// The field of this name.
    Field(String),
    /// The element at this index.
    Element(u32),
}

impl std::str::FromStr for Selector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a location: p.C.f, o12, o12.f or o12[3]");
        let object_end = text.find(['.', '[']).unwrap_or(text.len());
        let number = text[..object_end].strip_prefix('o').and_then(|digits| digits.parse().ok());
        let Some(number) = number else {
            let (class, field) = text.rsplit_once('.').ok_or_else(wrong)?;
            return Ok(Self::Field { class: class.replace('/', "."), field: field.to_owned() });
        };
        let rest = &text[object_end..];
        let part = match rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(index) => Some(SelectedPart::Element(index.parse().map_err(|_| wrong())?)),
            None if rest.is_empty() => None,
            None => Some(SelectedPart::Field(rest.strip_prefix('.').ok_or_else(wrong)?.to_owned())),
        };
        Ok(Self::Object { object: ObjectId(number), part })
    }
}

impl Selector {
    /// Whether the location is looked at.
    pub fn selects(&self, location: Location, tables: &Tables) -> bool {
        match (self, location) {
            (
                Self::Field { class, field: name },
                Location::Field { field, .. } | Location::Static { field },
            ) => {
                let entry = &tables.fields[field];
                entry.name == *name && tables.classes[entry.class].replace('/', ".") == *class
            }
            (Self::Object { object, part }, location) if location.object() == Some(*object) => {
                match (part, location) {
                    (None, _) => true,
                    (Some(SelectedPart::Field(name)), Location::Field { field, .. }) => {
                        tables.fields[field].name == *name
                    }
                    (Some(SelectedPart::Element(own)), Location::Element { index, .. }) => *own == index,
                    _ => false,
                }
            }
            _ => false,
        }
    }
}

/// Pairs of sites that race, with an example and a count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RacingPair {
    /// Two accesses that race, shown as well as any of the pair.
    pub race: Race,
    /// The same in names.
    pub finding: Finding,
    /// How many pairs of distinct accesses of these two sites race.
    pub count: u64,
}

/// A kept access and its epochs.
struct Kept {
    access: Access,
    /// In the order of all synchronisation.
    epoch: (Chain, Time),
    /// In the order of starts and joins.
    thread_epoch: (Chain, Time),
    /// Whether no second thread had accessed the location.
    owned: bool,
}

/// What makes an access distinct.
type Distinct = (ThreadId, SiteId, AccessKind, Vec<Hold>, Time);

#[derive(Default)]
struct OfLocation {
    owner: Option<ThreadId>,
    shared: bool,
    kept: Vec<Kept>,
    known: FxHashSet<Distinct>,
}

/// Lists the racing pairs of the chosen locations.
pub struct PairLister {
    selector: Selector,
    coarseness: Coarseness,
    detector: DetectorChoice,
    ownership: bool,
    held: HeldTable,
    order: Order,
    /// The order by starts and joins of threads alone.
    thread_order: Order,
    locations: FxHashMap<Location, OfLocation>,
    pairs: BTreeMap<[(SiteId, AccessKind); 2], RacingPair>,
    accesses: u64,
    dropped: u64,
}

impl PairLister {
    /// A lister that has seen nothing.
    pub fn new(selector: Selector, options: &Options) -> Self {
        Self {
            selector,
            coarseness: Coarseness::new(options),
            detector: options.detector,
            ownership: options.ownership,
            held: HeldTable::new(),
            order: Order::new(),
            thread_order: Order::new(),
            locations: FxHashMap::default(),
            pairs: BTreeMap::new(),
            accesses: 0,
            dropped: 0,
        }
    }

    /// Looks at an event.
    pub fn event(&mut self, event: &Event, tables: &Tables) {
        self.held.event(event);
        match event.action {
            Action::Access { location, kind } => {
                if self.selector.selects(location, tables)
                    && let Some(coarse) = self.coarseness.of(location)
                {
                    self.access(event, location, coarse, kind, tables);
                }
                return;
            }
            Action::Fork { .. } | Action::Join { .. } | Action::End => self.thread_order.event(event),
            Action::Freed { object } => {
                self.locations.retain(|location, _| location.object() != Some(object))
            }
            _ => {}
        }
        self.order.event(event);
    }

    /// How many accesses of chosen locations there were.
    pub fn accesses(&self) -> u64 {
        self.accesses
    }

    /// How many accesses were not compared because there were too many of one location.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The pairs so far, in order of their sites.
    pub fn pairs(&self) -> impl Iterator<Item = &RacingPair> {
        self.pairs.values()
    }

    fn access(
        &mut self,
        event: &Event,
        exact: Location,
        coarse: Location,
        kind: AccessKind,
        tables: &Tables,
    ) {
        self.accesses += 1;
        let thread = event.thread;
        let locks = self.held.of(thread).locks();
        let (chain, time, clock) = self.order.now(thread);
        let (thread_chain, thread_time, thread_clock) = self.thread_order.now(thread);
        let own = self.locations.entry(coarse).or_default();
        own.shared |= *own.owner.get_or_insert(thread) != thread;
        let owned = !own.shared;
        let is_new = own.known.insert((thread, event.site, kind, locks.to_vec(), time));
        if !is_new {
            return;
        }
        let (site, stack) = (event.site, event.stack);
        let access = Access { thread: Some(thread), site, stack, kind, locks: locks.to_vec() };
        for earlier in &own.kept {
            let other = &earlier.access;
            let conflict = kind == AccessKind::Write || other.kind == AccessKind::Write;
            let unordered = earlier.epoch.1 > clock.get(earlier.epoch.0);
            let by_locks = || {
                let ordered = earlier.thread_epoch.1 <= thread_clock.get(earlier.thread_epoch.0);
                let hidden = self.ownership && earlier.owned;
                !ordered && !hidden && !other.locks.iter().any(|hold| protects(locks, *hold))
            };
            let listed = match self.detector {
                DetectorChoice::HappensBefore => unordered,
                DetectorChoice::Lockset => by_locks(),
                DetectorChoice::Both => unordered || by_locks(),
            };
            if !conflict || !listed {
                continue;
            }
            let shown = if unordered { Shown::HappensBefore } else { Shown::Lockset };
            let race = || Race { location: exact, current: access.clone(), previous: other.clone(), shown };
            let mut key = [(site, kind), (other.site, other.kind)];
            key.sort_unstable();
            match self.pairs.entry(key) {
                Entry::Vacant(entry) => {
                    let race = race();
                    let finding = report::finding(&race, tables);
                    entry.insert(RacingPair { race, finding, count: 1 });
                }
                Entry::Occupied(entry) => {
                    let pair = entry.into_mut();
                    pair.count += 1;
                    if shown > pair.race.shown {
                        pair.race = race();
                        pair.finding = report::finding(&pair.race, tables);
                    }
                }
            }
        }
        if own.kept.len() < MAX_ACCESSES {
            let thread_epoch = (thread_chain, thread_time);
            own.kept.push(Kept { access, epoch: (chain, time), thread_epoch, owned });
        } else {
            self.dropped += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use selvedge_protocol::text;

    use super::*;

    fn list(trace: &str, selector: &str) -> Vec<(String, String, Shown, u64)> {
        list_by(&Options::default(), trace, selector)
    }

    fn list_by(options: &Options, trace: &str, selector: &str) -> Vec<(String, String, Shown, u64)> {
        let trace = text::parse(trace).unwrap();
        let mut lister = PairLister::new(selector.parse().unwrap(), options);
        trace.events.iter().for_each(|event| lister.event(event, &trace.tables));
        lister
            .pairs()
            .map(|pair| {
                let site = |access: &Access| text::site(&trace.tables, access.site);
                (site(&pair.race.previous), site(&pair.race.current), pair.race.shown, pair.count)
            })
            .collect()
    }

    #[test]
    fn every_racing_pair_is_listed() {
        let trace = "object o1: p.C
            main: fork T; main: write o1.f @A.a:1; main: read o1.f @A.b:2; T: read o1.f @B.c:3
            T: acquire L; T: write o1.f @B.d:4; T: release L
            main: acquire L; main: write o1.f @A.e:5; main: release L; main: write o1.g @A.h:6; T: write o1.g @B.i:7";
        let named = |list: Vec<(String, String, Shown, u64)>| {
            list.into_iter().map(|(a, b, shown, _)| format!("{a} {b} {shown:?}")).collect::<Vec<_>>()
        };
        let mut f = named(list(trace, "p.C.f"));
        f.sort();
        assert_eq!(
            f,
            [
                "A.a:1 B.c:3 HappensBefore",
                "A.a:1 B.d:4 HappensBefore",
                "A.b:2 B.d:4 HappensBefore",
                "B.c:3 A.e:5 Lockset",
            ]
        );
        assert_eq!(named(list(trace, "o1.g")), ["A.h:6 B.i:7 HappensBefore"]);
        assert_eq!(list(trace, "o1").len(), 5);
        assert!(list(trace, "o2").is_empty());
        assert!(list(trace, "o1[3]").is_empty());
    }

    #[test]
    fn pairs_of_sites_are_counted_and_shown_as_well_as_possible() {
        let mut trace =
            String::from("main: fork T; main: fork U; main: write a[1] @A.a:1; main: publish q\n");
        trace += "T: subscribe q; T: read a[1] @B.b:2; U: read a[1] @B.b:2";
        let trace = trace.replace("a[1]", "o7[1]");
        let pair = |count| [("A.a:1".to_owned(), "B.b:2".to_owned(), Shown::HappensBefore, count)];
        let without_ownership = Options { ownership: false, ..Options::default() };
        assert_eq!(list_by(&without_ownership, &trace, "o7[1]"), pair(2));
        // The write is made while the element is the first thread's own, which hides the pair that order explains.
        assert_eq!(list(&trace, "o7[1]"), pair(1));
    }

    #[test]
    fn selectors_are_read() {
        let parse = |text: &str| text.parse::<Selector>();
        assert_eq!(parse("p.C.f"), Ok(Selector::Field { class: "p.C".into(), field: "f".into() }));
        assert_eq!(parse("o12"), Ok(Selector::Object { object: ObjectId(12), part: None }));
        assert_eq!(
            parse("o12[3]"),
            Ok(Selector::Object { object: ObjectId(12), part: Some(SelectedPart::Element(3)) })
        );
        assert!(parse("f").unwrap_err().contains("not a location"));
        assert!(parse("o1[x]").is_err());
    }
}
