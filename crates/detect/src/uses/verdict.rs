//! What becomes of an object: the four steps of von Praun and Gross, section 3.4.
//!
//! 1. *Before escape*: an access of the thread that made the object, to which no way leads from an `ESCAPE`, or from a `LOAD` out of
//!    something that is shared, is to an object that nobody else knows.
//! 2. *Ordered*: by the starts and ends of threads, and beyond the paper by volatile variables, latches, queues and futures
//!    ([`selvedge_facts::order`]).
//! 3. *Read-only*, or *lock-protected*: all that remain only read, or each two of which one writes hold a common lock.
//! 4. *Mix-protected*: so it is for each field. Otherwise the object is *conflicting*.
//!
//! Class initialisers do not conflict.
//!
//! **Theorem.** If two accesses of one object conflict in some run and nothing orders them, the object is conflicting, given that its
//! reference is published in order where step 1 is used.

use std::collections::BTreeSet;

use selvedge_base::BitSet;
use selvedge_facts::{AccessKind, Candidate, Locking, Occurrence};
use selvedge_pta::heap::ObjectId;

use super::graph::{Kind, UseGraph, UseId};
use crate::Facts;

/// What is known of an object.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Verdict {
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

/// The accesses of a graph, each as one thread makes it.
pub fn accesses(graph: &UseGraph) -> Vec<(UseId, Occurrence, AccessKind)> {
    let found = graph.uses.iter_ids().filter_map(|(id, event)| {
        let (access, kind) = match event.kind {
            Kind::Get(access) => (access, AccessKind::Read),
            Kind::Put(access) => (access, AccessKind::Write),
            _ => return None,
        };
        Some((id, Occurrence { access, instance: event.instance, thread: event.thread }, kind))
    });
    found.collect()
}

/// The accesses that are made before the object has escaped.
pub fn before_escape(graph: &UseGraph) -> BitSet<UseId> {
    let of_kind = |is_it: fn(&Kind) -> bool| {
        graph.uses.iter_ids().filter(move |(_, event)| is_it(&event.kind)).map(|(id, _)| id)
    };
    let escaped = graph.after(of_kind(|kind| matches!(kind, Kind::Escape | Kind::Load { shared: true })));
    let mut made = graph.after(of_kind(|kind| matches!(kind, Kind::New)));
    made.subtract(&escaped);
    made
}

/// More pairs than this are not compared to tell how an object is protected.
const MOST_PAIRS: usize = 20_000;

/// Judges an object by its graph.
pub fn judge(facts: &Facts<'_, '_>, graph: &UseGraph) -> Verdict {
    let all = accesses(graph);
    let early = before_escape(graph);
    let mut late: Vec<(Occurrence, AccessKind)> =
        all.iter().filter(|(id, ..)| !early.contains(*id)).map(|&(_, side, kind)| (side, kind)).collect();
    late.sort_unstable();
    late.dedup();
    let threads: BTreeSet<_> = all.iter().map(|(_, side, _)| side.thread).collect();
    let is_local = threads.len() < 2 && !threads.iter().any(|&thread| facts.threads.all[thread].many);
    if is_local {
        return Verdict::Local;
    }
    let object = Some(graph.object);
    let mut unordered: Vec<(Candidate, bool)> = Vec::new();
    for (position, &(a, first)) in late.iter().enumerate() {
        for &(b, second) in &late[position..] {
            let parallel = a.thread != b.thread || facts.threads.all[a.thread].many;
            if !parallel || first.max(second) != AccessKind::Write {
                continue;
            }
            let candidate = Candidate { sides: [a, b], object };
            let [x, y] = [a, b].map(|side| &facts.accesses.all[side.access]);
            let same_place = (x.place, x.element) == (y.place, y.element);
            if unordered.len() < MOST_PAIRS || same_place {
                if facts.order.refute(&candidate).is_some() {
                    continue;
                }
                let locked = facts.locks.common(facts.view, &candidate, Locking::Sound).is_some();
                if same_place && !locked {
                    return Verdict::Conflicting(conflict_type(facts, graph.object, &late), candidate);
                }
                unordered.push((candidate, locked));
            }
        }
    }
    let writes = late.iter().any(|(_, kind)| *kind == AccessKind::Write);
    match (unordered.is_empty(), unordered.iter().all(|(_, locked)| *locked)) {
        (true, _) if !writes && late.len() > 1 => Verdict::ReadOnly,
        (true, _) => Verdict::Ordered,
        (false, true) => Verdict::LockProtected,
        (false, false) => Verdict::MixProtected,
    }
}

fn conflict_type(facts: &Facts<'_, '_>, object: ObjectId, late: &[(Occurrence, AccessKind)]) -> ConflictType {
    let by_workers = || late.iter().all(|(side, _)| facts.sharing.is_worker(side.thread));
    if facts.sharing.must_be_confined(object) || facts.sharing.must_be_specific(object) && by_workers() {
        return ConflictType::ThreadLocal;
    }
    let all_hold = |sides: &[Occurrence], locking: Locking| {
        // A lock that the first holds with each other one: few objects have more than some dozens of accesses.
        sides.iter().skip(1).all(|&other| {
            let candidate = Candidate { sides: [sides[0], other], object: Some(object) };
            facts.locks.common(facts.view, &candidate, locking).is_some()
        })
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
