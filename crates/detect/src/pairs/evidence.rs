//! Which memory is guarded by a lock somewhere, as far as all judged pairs show it.
//!
//! A location is *guarded somewhere* if a pair of it was refuted by a common lock of its class or of the class that accesses it, or if a side of a pair that races holds a lock of
//! a class of the same family as the location (`this`, a field of the class, the class itself). A race on memory that others guard is a
//! lock forgotten on one path. Where no access holds a lock, the class may as well leave the threads to its callers, as statements, result
//! sets and builders do. The same holds of two sides without a lock where most accesses have none: a caller that happens to hold a lock while it
//! uses the object does not make the class one for several threads. This is no proof of anything; it moves the rank.

use selvedge_base::{FastMap, FastSet};
use selvedge_facts::{AccessId, Candidate, HeldLock, Locks, Occurrence, Place};
use selvedge_ir::{ClassName, Op};
use selvedge_models::Kind;
use selvedge_pta::heap::ObjectId;

use super::PairResult;
use crate::{Facts, intent};

/// See the [module documentation](self).
#[derive(Default)]
pub(super) struct Guarded {
    somewhere: FastSet<Memory>,
    /// The accesses to each memory, and whether they hold a lock somewhere.
    accesses: FastMap<Memory, FastMap<AccessId, bool>>,
}

type Memory = (Place, Option<ObjectId>);

impl Guarded {
    pub(super) fn new(facts: &Facts<'_, '_>, verdicts: &[(Place, PairResult<'_>)]) -> Self {
        let mut guarded = Self::default();
        for (place, verdict) in verdicts {
            let memory = memory(*place, verdict.candidate());
            let accesses = guarded.accesses.entry(memory).or_default();
            for side in &verdict.candidate().sides {
                let holds = holds_near_lock(facts, *place, side);
                *accesses.entry(side.access).or_default() |= holds;
            }
            let is_guarded = match verdict {
                PairResult::Refuted(refutation, candidate) => {
                    refutation.by == Locks::BY
                        && candidate.sides.iter().any(|side| holds_near_lock(facts, *place, side))
                }
                PairResult::Unexamined(_) => false,
                PairResult::Racy(candidate) => {
                    !guarded.somewhere.contains(&memory)
                        && candidate.sides.iter().any(|side| holds_own_lock(facts, *place, side))
                }
            };
            if is_guarded {
                guarded.somewhere.insert(memory);
            }
        }
        guarded
    }

    /// Whether somebody takes a lock for the memory of a pair: a side of it, or most of those who access it.
    pub(super) fn is_somewhere(&self, facts: &Facts<'_, '_>, place: Place, candidate: &Candidate) -> bool {
        let memory = memory(place, candidate);
        let is_locked = |side| holds_near_lock(facts, place, side);
        let are_most = || {
            let accesses = self.accesses.get(&memory);
            let locked = accesses.map_or(0, |all| all.values().filter(|&&holds| holds).count());
            2 * locked >= accesses.map_or(0, |all| all.len())
        };
        self.somewhere.contains(&memory) && (candidate.sides.iter().any(is_locked) || are_most())
    }
}

/// A field, whichever object it is of; otherwise an object.
fn memory(place: Place, candidate: &Candidate) -> (Place, Option<ObjectId>) {
    let is_field = matches!(place, Place::Field(_) | Place::Static(_));
    (place, candidate.object.filter(|_| !is_field))
}

/// Whether a side holds a lock of the class whose memory it accesses, or of a class nested with it.
fn holds_own_lock(facts: &Facts<'_, '_>, place: Place, side: &Occurrence) -> bool {
    let (view, program) = (facts.view, facts.view.program);
    let family = family_of(facts, place, side);
    let locks = facts.locks.must_hold(view, side.access, side.instance);
    let locks = locks.iter().filter(|lock| !is_customary(facts, lock));
    locks.filter_map(|lock| lock.class).any(|class| intent::family(program, class) == family)
}

/// Whether a side holds a lock of the class whose memory it accesses, or of the class that accesses it. A lock that a caller far away holds for
/// purposes of its own does not make the class one for several threads.
fn holds_near_lock(facts: &Facts<'_, '_>, place: Place, side: &Occurrence) -> bool {
    let program = facts.view.program;
    let accessing = intent::family(program, program.methods[facts.accesses.all[side.access].method].class);
    let mut families = vec![family_of(facts, place, side)];
    families.push(lender(facts, side).unwrap_or(accessing));
    let locks = facts.locks.must_hold(facts.view, side.access, side.instance);
    let is_near =
        |lock: &HeldLock| lock.class.is_none_or(|class| families.contains(&intent::family(program, class)));
    locks.iter().any(|lock| is_near(lock) && !is_customary(facts, lock))
}

/// The outermost class of the method that a side has just got the accessed object from, if it is one of the application.
fn lender(facts: &Facts<'_, '_>, side: &Occurrence) -> Option<String> {
    let access = &facts.accesses.all[side.access];
    let body = facts.view.program.body(access.method)?;
    let made = body.defining_inst(access.base?)?;
    let Op::Invoke(_, called) = &body.insts[made].op else { return None };
    let method = facts.view.program.resolve_method(called).ok()?;
    let is_own = facts.view.is_application(method);
    is_own.then(|| intent::family(facts.view.program, facts.view.program.methods[method].class))
}

/// Whether a lock is one that a class takes because its superclass does: `mark` and `reset` of streams are synchronized since the first JDK.
fn is_customary(facts: &Facts<'_, '_>, lock: &HeldLock) -> bool {
    let program = facts.view.program;
    let method = &program.methods[lock.taken_in];
    let is_mark = method.name.is("mark") || method.name.is("reset");
    let stream = program.class_named(ClassName::new(Kind::InputStream.class()));
    let is_stream = || stream.is_some_and(|stream| program.is_subclass(method.class, stream));
    lock.taken_at.is_none() && is_mark && is_stream()
}

/// The outermost class that has the memory which a side accesses: of a container, the class that accesses it or, where another one has
/// just returned it, that one.
fn family_of(facts: &Facts<'_, '_>, place: Place, side: &Occurrence) -> String {
    let program = facts.view.program;
    let class = match place {
        Place::Field(field) | Place::Static(field) => program.fields[field].class,
        Place::Element | Place::Container => {
            if let Some(lender) = lender(facts, side) {
                return lender;
            }
            program.methods[facts.accesses.all[side.access].method].class
        }
    };
    intent::family(program, class)
}
