//! What becomes of an object: the four steps of von Praun and Gross, section 3.4.
//!
//! 1. *Before escape*: an access of the thread that made the object, before it is published ([`super::life`]).
//! 2. *Ordered*: by the starts and ends of threads, and beyond the paper by volatile variables, latches, queues and futures
//!    ([`selvedge_facts::order`]).
//! 3. *Read-only*, or *lock-protected*: all that remain only read, or each two of which one writes hold a common lock.
//! 4. *Mix-protected*: so it is for each field. Otherwise the object is *conflicting*.
//!
//! Class initialisers do not conflict.
//!
//! **Theorem.** If two accesses of one object conflict in some run and nothing orders them, the object is conflicting, given that its
//! reference is published in order where step 1 is used.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::ops::Range;

use selvedge_facts::{AccessId, AccessKind, Candidate, Locking, Occurrence, Place};

use super::events::Subject;
use super::life::{Life, Lived};
use crate::Facts;

/// What is known of an object.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum UseClass {
    /// No two threads access it.
    Local,
    /// Its accesses are before its escape, or ordered.
    Ordered,
    /// Beside others, threads only read it.
    ReadOnly,
    /// A lock protects what is not ordered.
    LockProtected,
    /// Each field is protected for itself.
    MixProtected,
    /// Two accesses conflict.
    Conflicting(ConflictType, Candidate),
}

/// How a conflict looks, the least suspicious first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ConflictType {
    /// All writes hold a common lock.
    WritesLocked,
    /// Each thread likely has an object of its own.
    ThreadLocal,
    /// All hold a lock that is likely, but not certain to be one.
    LikelyLock,
    /// No lock protects it.
    Unlocked,
}

impl ConflictType {
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::WritesLocked => "all writes hold a common lock, but not all reads",
            Self::ThreadLocal => "each thread likely has an object of its own",
            Self::LikelyLock => "all hold a lock that is likely one, but may be several",
            Self::Unlocked => "no common lock protects it",
        }
    }
}

/// A verdict, and what it is about.
#[derive(Clone, PartialEq, Debug)]
pub struct UseSummary {
    /// What becomes of the object.
    pub verdict: UseClass,
    /// The fields (elements, content) in conflict.
    pub places: BTreeSet<Place>,
    /// The accesses that conflict with some other.
    pub accesses: BTreeSet<AccessId>,
    /// Some of the pairs that conflict, of each place the first ones.
    pub conflicts: Vec<Candidate>,
}

/// Accesses to the same place of an object.
type Group = Vec<(Occurrence, AccessKind)>;

/// More pairs than this are not compared to tell which accesses of a place in conflict take part, nor to tell how an object without a
/// conflict is protected.
const MOST_PAIRS: usize = 20_000;

/// When so many pairs of a place have been compared and none conflicts, the next counts as a conflict: that is on the safe side.
const MOST_COMPARED: usize = 200_000;

/// So many pairs of accesses that are both known to be in conflict are passed over at the cost of one comparison.
const PASSED_OVER: usize = 100;

/// So many conflicts of a place are kept.
const MOST_CONFLICTS: usize = 400;

/// Judges an object by its life.
pub fn judge(facts: &Facts<'_, '_>, life: &Life) -> UseSummary {
    let mut judgement = UseSummary {
        verdict: UseClass::Local,
        places: BTreeSet::new(),
        accesses: BTreeSet::new(),
        conflicts: Vec::new(),
    };
    let mut threads = life.accesses.iter().map(|lived| lived.side.thread);
    let is_single = match threads.next() {
        Some(first) => !facts.threads.all[first].many && threads.all(|thread| thread == first),
        None => true,
    };
    if is_single {
        return judgement;
    }
    let late: Group =
        life.accesses.iter().filter(|lived| !lived.is_early).map(|lived| (lived.side, lived.kind)).collect();
    let mut places: BTreeMap<Place, Group> = BTreeMap::new();
    for of_access in late.chunk_by(|(a, _), (b, _)| a.access == b.access) {
        let place = facts.accesses.all[of_access[0].0.access].place;
        places.entry(place).or_default().extend(of_access);
    }
    let subject = life.subject;
    let mut is_locked = false;
    for (&place, group) in &places {
        let found = compare(facts, subject, group);
        is_locked |= found.is_locked;
        if !found.conflicts.is_empty() {
            judgement.places.insert(place);
            judgement.accesses.extend(found.accesses);
            judgement.conflicts.extend(found.conflicts);
        }
    }
    let first = judgement.conflicts.iter().min_by_key(|candidate| candidate.sides).copied();
    judgement.verdict = match first {
        Some(candidate) => UseClass::Conflicting(conflict_type(facts, subject, &late), candidate),
        None if is_mixed(facts, subject, &places) => UseClass::MixProtected,
        None if is_locked => UseClass::LockProtected,
        None if late.len() > 1 && late.iter().all(|(_, kind)| *kind == AccessKind::Read) => {
            UseClass::ReadOnly
        }
        None => UseClass::Ordered,
    };
    judgement
}

/// The accesses to the places of an object that would be in conflict if only locks counted: neither what comes before the escape nor what is
/// ordered is left out. That is what the paper compares its verdicts with.
pub fn without_order(facts: &Facts<'_, '_>, life: &Life, known: &UseSummary) -> BTreeSet<AccessId> {
    let mut places: BTreeMap<Place, Group> = BTreeMap::new();
    for lived in &life.accesses {
        let place = facts.accesses.all[lived.side.access].place;
        places.entry(place).or_default().push((lived.side, lived.kind));
    }
    let is_unprotected = |group: &Group| {
        let pairs = group.iter().enumerate().flat_map(|(at, &a)| group[at..].iter().map(move |&b| (a, b)));
        let mut conflicting = pairs.filter(|&(a, b)| may_conflict(facts, a, b)).enumerate();
        conflicting.any(|(tried, (a, b))| {
            let candidate = Candidate { sides: [a.0, b.0], object: life.subject.object() };
            tried >= MOST_PAIRS || facts.locks.common(facts.view, &candidate, Locking::Sound).is_none()
        })
    };
    let in_conflict = |(place, group): &(Place, Group)| known.places.contains(place) || is_unprotected(group);
    let groups = places.into_iter().filter(in_conflict).flat_map(|(_, group)| group);
    groups.map(|(side, _)| side.access).collect()
}

/// What comparing the accesses to one place shows.
#[derive(Default)]
struct Compared {
    /// The first pairs that conflict.
    conflicts: Vec<Candidate>,
    /// Whether a lock keeps some apart.
    is_locked: bool,
    /// Those that conflict with some other.
    accesses: BTreeSet<AccessId>,
}

fn compare(facts: &Facts<'_, '_>, subject: Subject, group: &Group) -> Compared {
    let mut found = Compared::default();
    let positions = 0..group.len();
    // A read is only compared with the writes that come after it.
    let writes: Vec<usize> = positions.filter(|&it| group[it].1 == AccessKind::Write).collect();
    if writes.is_empty() {
        return found;
    }
    // Those of one access come one after the other.
    let by_access = || group.chunk_by(|(a, _), (b, _)| a.access == b.access);
    let all: BTreeSet<AccessId> = by_access().map(|of_access| of_access[0].0.access).collect();
    let numbers = by_access().enumerate().flat_map(|(number, of)| iter::repeat_n(number, of.len()));
    let numbers: Vec<usize> = numbers.collect();
    let mut is_known: Vec<bool> = vec![false; all.len()];
    let (mut tried, mut passed_over) = (0, 0);
    for (position, &(a, first)) in group.iter().enumerate() {
        // Nothing is left to be found.
        if found.conflicts.len() >= MOST_CONFLICTS && found.accesses.len() == all.len() {
            return found;
        }
        let others = match first {
            AccessKind::Write => Others::All(position..group.len()),
            AccessKind::Read => {
                Others::Some(writes[writes.partition_point(|&it| it < position)..].iter().copied())
            }
        };
        for other in others {
            let (b, second) = group[other];
            if is_known[numbers[position]]
                && is_known[numbers[other]]
                && found.conflicts.len() >= MOST_CONFLICTS
            {
                passed_over += 1;
                continue;
            }
            if !may_conflict(facts, (a, first), (b, second)) {
                continue;
            }
            tried += 1;
            if !found.conflicts.is_empty() && tried + passed_over / PASSED_OVER > MOST_PAIRS {
                found.accesses = all;
                return found;
            }
            let candidate = Candidate { sides: [a, b], object: subject.object() };
            if tried > MOST_COMPARED {
                found.accesses = all;
                found.conflicts.push(candidate);
                return found;
            }
            if facts.order.refute(&candidate).is_some() {
                continue;
            }
            if facts.locks.common(facts.view, &candidate, Locking::Sound).is_some() {
                found.is_locked = true;
                continue;
            }
            (is_known[numbers[position]], is_known[numbers[other]]) = (true, true);
            found.accesses.extend([a.access, b.access]);
            if found.conflicts.len() < MOST_CONFLICTS {
                found.conflicts.push(candidate);
            }
        }
    }
    found
}

/// With whom an access is compared.
enum Others<I> {
    /// With all from a position on.
    All(Range<usize>),
    /// With some of them.
    Some(I),
}

impl<I: Iterator<Item = usize>> Iterator for Others<I> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        match self {
            Self::All(range) => range.next(),
            Self::Some(positions) => positions.next(),
        }
    }
}

/// Whether two accesses may be made by two threads, one of them a write.
fn may_conflict(
    facts: &Facts<'_, '_>,
    (a, first): (Occurrence, AccessKind),
    (b, second): (Occurrence, AccessKind),
) -> bool {
    let parallel = a.thread != b.thread || facts.threads.all[a.thread].many;
    parallel && first.max(second) == AccessKind::Write
}

/// Whether an object each place of which is protected has no lock that protects all of it.
fn is_mixed(facts: &Facts<'_, '_>, subject: Subject, places: &BTreeMap<Place, Group>) -> bool {
    let mut tried = 0;
    let groups: Vec<&Group> = places.values().collect();
    for (position, first) in groups.iter().enumerate() {
        for second in &groups[position + 1..] {
            for &a in first.iter() {
                for &b in second.iter().filter(|&&b| may_conflict(facts, a, b)) {
                    tried += 1;
                    if tried > MOST_PAIRS {
                        return true;
                    }
                    let candidate = Candidate { sides: [a.0, b.0], object: subject.object() };
                    if facts.order.refute(&candidate).is_none()
                        && facts.locks.common(facts.view, &candidate, Locking::Sound).is_none()
                    {
                        return true;
                    }
                }
            }
        }
    }
    false
}

/// What keeps an access apart from the others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Protection {
    /// Nobody else knows the object yet.
    BeforeEscape,
    /// No other thread writes what it reads.
    Undisturbed,
    /// Starts and ends of threads, or another order.
    Order,
    /// A lock that the other holds, too.
    Lock,
    /// Nothing, from some of them.
    None,
}

impl Protection {
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::BeforeEscape => "before its escape",
            Self::Undisturbed => "undisturbed",
            Self::Order => "ordered",
            Self::Lock => "locked",
            Self::None => "in conflict",
        }
    }
}

/// Every access of a life, each with what keeps it apart from the other accesses.
pub fn protections(facts: &Facts<'_, '_>, life: &Life) -> Vec<(Lived, BTreeSet<Protection>)> {
    let place = |lived: &Lived| facts.accesses.all[lived.side.access].place;
    let protect = |lived: &Lived| -> BTreeSet<Protection> {
        if lived.is_early {
            return BTreeSet::from([Protection::BeforeEscape]);
        }
        let others = life.accesses.iter().filter(|other| {
            !other.is_early
                && place(other) == place(lived)
                && may_conflict(facts, (lived.side, lived.kind), (other.side, other.kind))
        });
        let by = others.map(|other| {
            let candidate = Candidate { sides: [lived.side, other.side], object: life.subject.object() };
            match facts.order.refute(&candidate) {
                Some(_) => Protection::Order,
                None if facts.locks.common(facts.view, &candidate, Locking::Sound).is_some() => {
                    Protection::Lock
                }
                None => Protection::None,
            }
        });
        let by: BTreeSet<Protection> = by.collect();
        if by.is_empty() { BTreeSet::from([Protection::Undisturbed]) } else { by }
    };
    life.accesses.iter().map(|lived| (*lived, protect(lived))).collect()
}

fn conflict_type(facts: &Facts<'_, '_>, subject: Subject, late: &Group) -> ConflictType {
    let by_workers = || late.iter().all(|(side, _)| facts.confinement.is_worker(side.thread));
    if let Subject::Object(object) = subject
        && (facts.confinement.must_be_confined(object)
            || facts.confinement.must_be_specific(object) && by_workers())
    {
        return ConflictType::ThreadLocal;
    }
    let all_hold = |sides: &[Occurrence], locking: Locking| {
        let have_common = |sides: [Occurrence; 2]| {
            let candidate = Candidate { sides, object: subject.object() };
            facts.locks.common(facts.view, &candidate, locking).is_some()
        };
        // A lock that the first holds with each other one: few objects have more than some dozens of accesses. Where several threads
        // make an access, it must be the same lock in each of them.
        let many = |side: &&Occurrence| facts.threads.all[side.thread].many;
        sides.iter().skip(1).all(|&other| have_common([sides[0], other]))
            && sides.iter().filter(many).all(|&side| have_common([side, side]))
    };
    let writes: Vec<Occurrence> =
        late.iter().filter(|(_, kind)| *kind == AccessKind::Write).map(|&(side, _)| side).collect();
    let everything: Vec<Occurrence> = late.iter().map(|&(side, _)| side).collect();
    let is_locked =
        |side: &Occurrence| !facts.locks.must_hold(facts.view, side.access, side.instance).is_empty();
    if writes.iter().all(is_locked) && all_hold(&writes, Locking::Sound) {
        ConflictType::WritesLocked
    } else if all_hold(&everything, Locking::Likely) && everything.iter().all(is_locked) {
        ConflictType::LikelyLock
    } else {
        ConflictType::Unlocked
    }
}
