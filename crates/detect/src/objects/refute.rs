//! "Owned by a guarded owner": object races as a refuter of pairs.
//!
//! **Theorem.** If two accesses to an object are made in methods (or uses) of which no object race is found, then a common lock orders them
//! or one thread makes both. For then, by Theorem 4 of [`races`](super::races), the accesses, or the entrances to an owner of the
//! object through which both threads came, hold a common lock all the while, or lie on edges that only one thread can use.
//!
//! The answer is the same for all threads: a thread that never comes to a method of the object makes no access there.
//!
//! The hypotheses, each with a program of the corpus in which only this one fails:
//!
//! 1. All references to the object lead through the owner (GuardedOwnerLeaks).
//! 2. Both threads hold a common lock from where they enter the owner until they access the object (GuardedOwnerUnlocked).
//! 3. No side is made while a constructor of the object or of an owner runs, or the constructor does not publish the object
//!    (GuardedOwnerEscapesEarly): then it is a heuristic.

use selvedge_facts::ownership::NodeId;
use selvedge_facts::refuters::GUARDED_OWNER;
use selvedge_facts::{Candidate, Occurrence, Origin, Refutation, Strength};
use selvedge_pta::heap::ObjectId;

use super::events::{What, is_own_state};
use super::races::ObjectRaces;
use crate::Facts;

/// Why the two sides of a candidate do not meet in the object, if that is known.
pub fn refute<'a>(facts: &'a Facts<'_, '_>, candidate: &Candidate) -> Option<Refutation<'a>> {
    let object = candidate.object?;
    let races = facts.object_races();
    let [a, b] = candidate.sides.map(|side| happening(facts, races, object, side));
    let (a, b) = (a?, b?);
    if races.may_race(facts, object, a, b) {
        return None;
    }
    let is_built = |side: Occurrence, what: What| {
        let on_object = races.calls.tuple(NodeId::of(object), side.instance);
        let tuple = match what {
            What::Method(tuple) => Some(tuple),
            What::Use(..) => on_object,
        };
        tuple.is_some_and(|tuple| races.calls.is_under_construction(tuple))
            || (matches!(what, What::Use(..)) && used_in_construction(facts, races, object, side))
    };
    let assumes = is_built(candidate.sides[0], a) || is_built(candidate.sides[1], b);
    let strength = if assumes { Strength::Heuristic } else { Strength::Proof };
    Some(Refutation::new(GUARDED_OWNER, strength, move || because(facts, object)))
}

/// What a side does to the object; `None` if nothing is known of it, as of what class initialisers do.
fn happening(facts: &Facts<'_, '_>, races: &ObjectRaces, object: ObjectId, side: Occurrence) -> Option<What> {
    if facts.threads.all[side.thread].origin == Origin::Initializers {
        return None;
    }
    let what = if is_own_state(facts, side.access, side.instance) {
        What::Method(races.calls.tuple(NodeId::of(object), side.instance)?)
    } else {
        What::Use(side.access, side.instance)
    };
    races.may_happen(object, what).then_some(what)
}

/// Whether a use may be made on behalf of something that is under construction and owns the object.
fn used_in_construction(
    facts: &Facts<'_, '_>,
    races: &ObjectRaces,
    object: ObjectId,
    side: Occurrence,
) -> bool {
    facts.ownership().graph.on_behalf_of(side.instance).iter().any(|node| {
        facts.ownership().graph.successors(node).contains(object)
            && races
                .calls
                .tuple(node, side.instance)
                .is_some_and(|tuple| races.calls.is_under_construction(tuple))
    })
}

fn because(facts: &Facts<'_, '_>, object: ObjectId) -> String {
    let describe = facts.view.analysis.describe();
    match facts.ownership().owner(object).object() {
        Some(owner) => format!(
            "{} is owned by {}, in whose methods no two threads are at the same time on the path to it",
            describe.object(object),
            describe.object(owner)
        ),
        None => format!(
            "every thread that reaches {} holds a common lock or created it itself",
            describe.object(object)
        ),
    }
}
