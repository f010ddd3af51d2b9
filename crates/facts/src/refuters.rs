//! The refuters: each a reason why two accesses cannot race.
//!
//! They are tried in order, the first that applies speaks. Each has one name, by which it is switched off, counted, listed and
//! explained. Some rest on what a detector works out about whole objects, or on what is declared: these have their place in the list
//! here and their [`Rule`] in the detector.

use crate::assertions::asserted;
use crate::bundle::Facts;
use crate::confinement::Confinement;
use crate::confinement::finalised;
use crate::escape::Escape;
use crate::handover::other_object;
use crate::handover::taken_once::TakenOnce;
use crate::locks::{Locking, Locks};
use crate::order::Order;
use crate::order::{container_start, event_thread, joined_owner, processes, stream_order};
use crate::publication::Publication;
use crate::publication::ready_flag::ReadyFlag;
use crate::refutation::{Candidate, Refutation};
use crate::{Accesses, Arrays};

/// A reason why two accesses cannot race.
#[derive(Clone, Copy, Debug)]
pub struct Refuter {
    /// Its name.
    pub name: &'static str,
    /// The family that it belongs to.
    pub family: Family,
    /// What it says, for `--help` and reports.
    pub summary: &'static str,
    /// Which stage of the pipeline it is.
    pub stage: Stage,
    /// Whether its answer depends on the object of the candidate, or only on the two occurrences.
    pub depends_on_object: bool,
    /// Whether its answer depends on the threads of the two occurrences: where not, one answer is for all threads.
    pub depends_on_threads: bool,
    /// Who tries it.
    pub rule: Rule,
}

/// The stages of the pipeline that a refuter may be; the order is that of the pipeline.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// The object may be shared.
    Escaping,
    /// No common lock is held.
    Unlocked,
    /// After the stages.
    After,
}

/// Who tries a refuter.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// The facts answer.
    Facts(for<'r> fn(&'r Facts<'_, '_>, Locking, &Candidate) -> Option<Refutation<'r>>),
    /// A detector answers.
    Detector,
}

/// What refuters of one kind reason about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Family {
    /// Who may get hold of an object.
    Escape,
    /// What is done before anybody else can know the object.
    Publication,
    /// Objects that belong to one thread.
    Confinement,
    /// Locks that are held.
    Locks,
    /// What happens before what.
    Order,
    /// Objects that go from hand to hand.
    HandOver,
    /// Elements of arrays.
    Arrays,
    /// What people say.
    Assertions,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 8] = [
        Self::Escape,
        Self::Publication,
        Self::Confinement,
        Self::Locks,
        Self::Order,
        Self::HandOver,
        Self::Arrays,
        Self::Assertions,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Escape => "escape",
            Self::Publication => "publication",
            Self::Confinement => "confinement",
            Self::Locks => "locks",
            Self::Order => "order",
            Self::HandOver => "hand-over",
            Self::Arrays => "arrays",
            Self::Assertions => "assertions",
        }
    }
}

/// The refuter that rests on object races.
pub const GUARDED_OWNER: &str = "guarded-owner";
/// The refuter that rests on the phases of an object's life.
pub const PHASE: &str = "phase";
/// The refuter that believes `@NotThreadSafe`.
pub const NOT_THREAD_SAFE: &str = "not-thread-safe";

/// A refuter after the stages that depends on the object and on the threads.
const fn refuter(name: &'static str, family: Family, summary: &'static str, rule: Rule) -> Refuter {
    Refuter {
        name,
        family,
        summary,
        stage: Stage::After,
        depends_on_object: true,
        depends_on_threads: true,
        rule,
    }
}

/// A refuter whose answer is the same for all objects.
const fn for_all_objects(refuter: Refuter) -> Refuter {
    Refuter { depends_on_object: false, ..refuter }
}

/// A refuter whose answer is the same for all threads.
const fn for_all_threads(refuter: Refuter) -> Refuter {
    Refuter { depends_on_threads: false, ..refuter }
}

/// All refuters, in the order in which they are tried.
pub const REFUTERS: &[Refuter] = &[
    Refuter {
        stage: Stage::Escaping,
        ..for_all_threads(refuter(
            Escape::BY,
            Family::Escape,
            "the object never escapes the thread that creates it",
            Rule::Facts(|facts, _, candidate| facts.escape.refute(facts.view, candidate)),
        ))
    },
    Refuter {
        stage: Stage::Unlocked,
        ..for_all_threads(refuter(
            Locks::BY,
            Family::Locks,
            "both sides always hold a common lock",
            Rule::Facts(|facts, locking, candidate| facts.locks.common(facts.view, candidate, locking)),
        ))
    },
    for_all_threads(for_all_objects(refuter(
        Accesses::ATOMIC,
        Family::Order,
        "both accesses are atomic, through handles",
        Rule::Facts(|facts, _, candidate| facts.accesses.refute_atomic(candidate)),
    ))),
    for_all_objects(refuter(
        Order::SAME_THREAD,
        Family::Order,
        "one thread makes both accesses",
        Rule::Facts(|facts, _, candidate| facts.order.same_thread(candidate)),
    )),
    for_all_objects(refuter(
        Order::CLASS_INITIALIZATION,
        Family::Order,
        "a class is initialised before others use it",
        Rule::Facts(|facts, _, candidate| facts.order.class_initialization(candidate)),
    )),
    for_all_objects(refuter(
        Order::START_AND_JOIN,
        Family::Order,
        "one thread is started after the other side's access, or has been joined before it",
        Rule::Facts(|facts, _, candidate| facts.order.start_and_join(candidate)),
    )),
    for_all_objects(refuter(
        Order::BARRIER_ACTION,
        Family::Order,
        "the action of a barrier is ordered with what is ordered with all its parties",
        Rule::Facts(|facts, _, candidate| facts.order.barrier_action(candidate)),
    )),
    for_all_objects(refuter(
        Order::FUTURE_ORDER,
        Family::Order,
        "a stage starts after the one that it depends on has completed",
        Rule::Facts(|facts, _, candidate| facts.order.future_order(candidate)),
    )),
    for_all_objects(refuter(
        Order::SINGLE_THREADED_EXECUTOR,
        Family::Order,
        "both run in the one worker thread of an executor or timer",
        Rule::Facts(|facts, _, candidate| facts.order.single_threaded_executor(candidate)),
    )),
    for_all_objects(refuter(
        Order::SIGNAL,
        Family::Order,
        "one side happens before a signal (latch, barrier, queue) that the other has waited for",
        Rule::Facts(|facts, _, candidate| facts.order.signal(candidate)),
    )),
    for_all_objects(refuter(
        Order::VOLATILE_PUBLICATION,
        Family::Order,
        "one side happens before a volatile write that the other has read",
        Rule::Facts(|facts, _, candidate| facts.order.volatile_publication(candidate)),
    )),
    for_all_objects(refuter(
        Order::USUALLY_JOINED,
        Family::Order,
        "as start-and-join, if nobody interrupts and tasks end as they usually do",
        Rule::Facts(|facts, _, candidate| facts.order.usually_joined(candidate)),
    )),
    for_all_objects(refuter(
        stream_order::BY,
        Family::Order,
        "a parallel stream has finished when its last operation returns",
        Rule::Facts(|facts, _, candidate| stream_order::refute(facts.view, facts.threads, candidate)),
    )),
    refuter(
        Confinement::ONE_THREAD,
        Family::Confinement,
        "only one thread accesses the object",
        Rule::Facts(|facts, _, candidate| facts.confinement.one_thread(facts.view, candidate)),
    ),
    refuter(
        Confinement::THREAD_LOCAL_VARIABLE,
        Family::Confinement,
        "the object is the value of a ThreadLocal variable and kept nowhere else",
        Rule::Facts(|facts, _, candidate| facts.confinement.thread_local_variable(facts.view, candidate)),
    ),
    refuter(
        Confinement::THREAD_SPECIFIC,
        Family::Confinement,
        "each thread has its own object",
        Rule::Facts(|facts, _, candidate| {
            let own = || facts.thread_methods().refute(facts.view, facts.accesses, candidate);
            facts.confinement.thread_specific(facts.view, candidate).or_else(own)
        }),
    ),
    refuter(
        Publication::BY,
        Family::Publication,
        "one side comes before the object is published",
        Rule::Facts(|facts, _, candidate| {
            facts.publication.refute(facts.view, facts.threads, facts.accesses, candidate)
        }),
    ),
    for_all_objects(refuter(
        Publication::LOCAL,
        Family::Publication,
        "a library object that a method creates and only calls methods on does not escape from it",
        Rule::Facts(|facts, _, candidate| {
            facts.publication.refute_local(facts.view, facts.accesses, candidate)
        }),
    )),
    refuter(
        Arrays::BY,
        Family::Arrays,
        "the two sides access different elements of the array",
        Rule::Facts(|facts, _, candidate| facts.arrays.refute(facts, candidate)),
    ),
    refuter(
        joined_owner::BY,
        Family::Order,
        "the thread that owns the object has been joined",
        Rule::Facts(|facts, _, candidate| joined_owner::refute(facts, candidate)),
    ),
    for_all_threads(refuter(
        other_object::BY,
        Family::HandOver,
        "a comparison on the path shows that the two objects differ",
        Rule::Facts(|facts, _, candidate| {
            other_object::refute(facts.view, &facts.publication, facts.accesses, candidate)
        }),
    )),
    refuter(
        TakenOnce::BY,
        Family::HandOver,
        "each object has one owner at a time: it is handed over through queues, and to the thread that runs it",
        Rule::Facts(|facts, _, candidate| facts.taken_once.refute(facts, candidate)),
    ),
    refuter(
        ReadyFlag::BY,
        Family::Publication,
        "a volatile flag is set after one side, under a lock, and read before the other",
        Rule::Facts(|facts, _, candidate| facts.ready_flag.refute(facts, candidate)),
    ),
    refuter(
        Locks::LATER,
        Family::Locks,
        "both sides hold a common lock, unless one comes before the object is published",
        Rule::Facts(|facts, locking, candidate| {
            let Facts { view, threads, publication, .. } = facts;
            facts.locks.common_later(view, threads, publication, candidate, locking)
        }),
    ),
    for_all_objects(refuter(
        container_start::BY,
        Family::Order,
        "a container initialises its services before it calls them",
        Rule::Facts(|facts, _, candidate| container_start::refute(facts.threads, candidate)),
    )),
    for_all_threads(refuter(
        GUARDED_OWNER,
        Family::Locks,
        "the object is owned by one in whose methods no two threads are at the same time",
        Rule::Detector,
    )),
    refuter(
        PHASE,
        Family::Publication,
        "one side comes before the object escapes from the thread that creates it",
        Rule::Detector,
    ),
    refuter(
        finalised::BY,
        Family::Confinement,
        "an object is finalised when no thread can reach it",
        Rule::Facts(|facts, _, candidate| finalised::refute(facts.view, facts.threads, candidate)),
    ),
    refuter(
        NOT_THREAD_SAFE,
        Family::Assertions,
        "callers do not share objects of a class that is declared @NotThreadSafe",
        Rule::Detector,
    ),
    for_all_threads(refuter(
        asserted::BY,
        Family::Assertions,
        "the user asserts that the memory is confined or guarded",
        Rule::Detector,
    )),
    for_all_objects(refuter(
        processes::BY,
        Family::Order,
        "the two sides are in different processes: each main method starts one",
        Rule::Facts(|facts, _, candidate| facts.processes.refute(candidate)),
    )),
    for_all_objects(refuter(
        event_thread::BY,
        Family::Order,
        "both sides run in the event thread of the user interface",
        Rule::Facts(|facts, _, candidate| event_thread::refute(facts, candidate)),
    )),
];

/// The refuters of a name: that of one, or of a family.
pub fn named(name: &str) -> impl Iterator<Item = &'static Refuter> {
    REFUTERS.iter().filter(move |refuter| refuter.name == name || refuter.family.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_for_one_refuter_or_family() {
        let mut names: Vec<&str> = REFUTERS.iter().map(|refuter| refuter.name).collect();
        names.extend(Family::ALL.map(Family::name));
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "{names:?}");
        assert!(Family::ALL.into_iter().all(|family| named(family.name()).next().is_some()));
    }

    #[test]
    fn stages_come_in_order() {
        assert!(REFUTERS.is_sorted_by_key(|refuter| refuter.stage));
    }
}
