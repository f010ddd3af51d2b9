//! Reasons to doubt a pair that no refuter removes: named heuristics, which lower the confidence and prove nothing.
//!
//! | doubt | what it looks at |
//! |---|---|
//! | a crowd | an abstract object that unrelated fields hold stands for several objects |
//! | in the making | a side runs in, or below, a constructor of the object it touches or of the one object that holds it, and the constructor starts no thread |
//! | made below a constructor | two callers of the library in constructors below which such objects are made |
//! | by reflection | a side that accesses a field by a handle which may be one of many, or that is below such a call of a method |
//! | an object of its own | a side that has just got the object from a factory of a library |
//! | just allocated | a side that accesses an object which its own thread has made and not published: see [`fresh`] |
//! | through a function | a call of a function object that is taken for others, too |
//! | strangers | an array or container that a side touches whose class neither makes nor holds it, nor has it from one that does |
//! | in passing | an array or container that no field holds, and that two unrelated classes touch |
//! | an empty array | an array without elements |
//! | a place of its own | two executions of one code that go to places of an array or list which are computed |
//! | its own thread | two executions of one `run`, each on its own thread or task object, of a thread that callers start for an object, or of one that each object has started for itself |
//! | a task's own parts | two executions of one `run`, on an object that the task, or a part of it, has made and holds |
//! | who calls `run` | a caller of the library that executes the `run` of a thread |
//! | set up before it starts | what a method does that starts the thread of the other side, before it starts it |
//! | likely set up before | the same if only libraries may call back and start it earlier: only not high |
//! | a beginning | a caller of the library that executes `start`, `init`, `open` and the like, or a setter without a lock |
//! | a user interface | callers of the library that enter a class of a user interface |
//! | waited for | a caller of the library against a task whose results the class that starts it waits for |
//! | a private function | a caller of the library that executes a lambda of the library's own |
//! | a lock of one name | both sides hold the same field, or `this`, of the class that has the memory |
//! | a lock given back | a method that gives a lock back after the access without being known to hold it |
//! | no way to the object | a thread of the JVM, of the JDK's upkeep, or of windows that there are none of, in code that nobody handed to it |
//! | handed over | `main` below the `run` of a task that library code calls |
//! | started by a stranger | a thread that a library starts for a task of a class which does not mention the library |
//! | called by a stranger | an object that library code calls, and that no code on the way makes or mentions |
//! | one among many | a side below a call of a function (`Runnable`, `Comparator`) that may be one of many, or that executes the `run` of another thread |
//! | a lock around | helpers that take a lock before, and give it back after, a call on the way to each side |
//! | an asserted lock | a side below a method that asserts `Thread.holdsLock`, against one that holds a lock |
//! | by a helper | a caller of the library that enters a class which the library itself enters only with a lock held |
//! | set once | a reader that has been through the critical section which sets the field once: see [`once`] |
//! | changing hands | an object that a side gets by a compare-and-set of its state: see [`hands`] |
//! | a ring | a reader that has looked at the volatile counter which the writer advances: see [`rings`] |
//! | finalisers | a finaliser of the object, or of one that holds it, or what a `Cleaner` does |
//! | at the end | a hook that runs when the program ends: only not high |
//! | nobody keeps it | a container or an array that no field holds is what callers pass and get |
//! | before the window is shown | `main` against the event thread of a user interface |
//! | not the interface | a caller of a library that enters a package named `internal` or `impl`: see [`internal`](crate::internal) |
//!
//! A finding of several pairs is led by one without doubts where there is one.

mod fresh;
mod hands;
mod leaks;
mod locks;
mod objects;
mod once;
mod rings;
mod threads;

pub(crate) use threads::class_of_entry;

use selvedge_facts::{Candidate, Origin, Place};
use selvedge_findings::{Confidence, Side};

use crate::Facts;
use crate::names::Names;
use crate::ranking::{Judgement, LeftToCallers};
use selvedge_facts::order::event_thread;

/// Lets every doubt speak that applies to a pair.
pub(crate) fn weigh(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    candidate: &Candidate,
    sides: &[Side; 2],
    judgement: &mut Judgement,
) {
    let place = facts.accesses.all[candidate.sides[0].access].place;
    if let Some(text) = event_thread::doubt(facts, candidate) {
        judgement.doubt(text);
    }
    let is_client =
        |position: usize| facts.threads.all[candidate.sides[position].thread].origin == Origin::Client;
    let is_static_field = |field: &selvedge_world::FieldId| facts.view.program.fields[*field].is_static();
    let is_static = matches!(place, Place::Static(_))
        || candidate.object.is_some_and(|object| names.holders(object).iter().any(is_static_field));
    let doubts = [
        threads::no_way(facts, candidate, sides),
        threads::callers(facts, sides, is_static, is_client),
        threads::handed_over(facts, names, candidate),
        threads::finalizes(facts, candidate, sides),
        threads::set_up_before_start(facts, names, candidate, sides),
        threads::begins(sides, matches!(place, Place::Static(_)), is_client),
        locks::asserted(facts, names, candidate),
        threads::of_interface(facts, candidate, is_client),
        threads::waited_for(facts, candidate),
        objects::own_slot(facts, candidate),
        locks::given_back(facts, candidate),
        objects::by_reflection(facts, candidate),
    ];
    doubts.into_iter().flatten().for_each(|text| judgement.doubt(text));
    let reservations = [
        threads::at_the_end(sides),
        threads::likely_set_up_before_start(facts, names, candidate, sides)
            .filter(|_| judgement.confidence == Confidence::High),
    ];
    reservations.into_iter().flatten().for_each(|text| judgement.reserve(text));
    if let Some(object) = candidate.object {
        let doubts = [
            objects::crowd(facts.view.program, names.holders(object), place),
            objects::in_the_making(facts, names, candidate, object, sides),
            objects::own_product(facts, candidate, object),
            objects::by_function(facts, candidate),
            objects::in_passing(facts, names, candidate, object),
            objects::of_strangers(facts, names, candidate, object),
            objects::empty(facts, object),
            locks::of_one_name(facts, names, candidate, object, sides),
            threads::own_thread(facts, names, candidate, object, sides),
        ];
        doubts.into_iter().flatten().for_each(|text| judgement.doubt(text));
    }
    let is_passed =
        |object| matches!(place, Place::Element | Place::Container) && names.holders(object).is_empty();
    if is_client(0)
        && is_client(1)
        && candidate.object.is_some_and(is_passed)
        && judgement.left_to_callers.is_none()
    {
        judgement.doubt("no field holds the object: callers pass or receive it, and decide who shares it");
        judgement.left_to_callers = Some(LeftToCallers::MadeForOneThread);
    }
    // What follows costs more, and is asked of what would be listed.
    let second_looks: [&dyn Fn() -> Option<String>; 12] = [
        &|| threads::started_by_stranger(facts, candidate),
        &|| threads::among_many(facts, names, candidate),
        &|| threads::called_by_stranger(facts, names, candidate),
        &|| locks::by_helper(facts, names, candidate, is_client),
        &|| locks::around(facts, names, candidate),
        &|| fresh::doubt(facts, candidate, candidate.object?, sides),
        &|| fresh::own_parts(facts, candidate, candidate.object?),
        &|| objects::below_reflection(facts, names, candidate),
        &|| once::doubt(facts, names, candidate),
        &|| hands::doubt(facts, names, candidate, candidate.object?),
        &|| rings::doubt(facts, names, candidate),
        &|| objects::below_constructors(facts, names, candidate, candidate.object?),
    ];
    for look in second_looks {
        if judgement.confidence > Confidence::Low
            && let Some(text) = look()
        {
            judgement.doubt(text);
        }
    }
}

/// The last word: what is doubted is not high, and the rank lies in the band of the confidence, so that the two agree.
pub(crate) fn settle(judgement: &mut Judgement) {
    if judgement.is_doubted {
        judgement.confidence = judgement.confidence.min(Confidence::Medium);
    }
    let (from, width) = match judgement.confidence {
        Confidence::Low => (0, 39),
        Confidence::Medium => (40, 29),
        Confidence::High => (70, 30),
    };
    let rank = u32::from(judgement.rank.min(100));
    judgement.rank = from + u8::try_from(rank * width / 100).unwrap_or(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(rank: u8, confidence: Confidence, is_doubted: bool) -> (u8, Confidence) {
        let (reasons, advice) = (Vec::new(), String::new());
        let mut judgement =
            Judgement { rank, confidence, reasons, advice, left_to_callers: None, is_doubted };
        settle(&mut judgement);
        (judgement.rank, judgement.confidence)
    }

    #[test]
    fn rank_and_confidence_agree() {
        let bands = [Confidence::Low, Confidence::Medium, Confidence::High]
            .map(|confidence| [0, 50, 100].map(|rank| judged(rank, confidence, false).0));
        assert!(bands.concat().is_sorted());
        assert_eq!(bands, [[0, 19, 39], [40, 54, 69], [70, 85, 100]]);
    }

    #[test]
    fn what_is_doubted_is_not_high() {
        assert_eq!(judged(100, Confidence::High, true), (69, Confidence::Medium));
        assert_eq!(judged(100, Confidence::High, false), (100, Confidence::High));
    }
}
