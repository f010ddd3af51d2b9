//! The refuters: each a reason why two accesses cannot race.
//!
//! They are tried in order, the first that applies speaks. Each has a name by which it can be switched off and by which
//! reports count it.

use selvedge_facts::{
    Candidate, Escape, Flags, Locking, Locks, Publication, Refutation, Strength, Taken, excluded, finalizers,
    hosting, joined, streams,
};

use crate::objects::refute as objects;
use crate::pairs::{Options, Settled};
use crate::raced::Raced;
use crate::uses::refute as phase;
use crate::{Facts, annotations, assertions};

/// A reason why two accesses cannot race.
pub struct Refuter {
    /// Its name.
    pub name: &'static str,
    /// What it says, for `--help` and reports.
    pub summary: &'static str,
    /// Whether its answer depends on the object of the candidate, or only on the two occurrences.
    pub depends_on_object: bool,
    /// Whether its answer depends on the threads of the two occurrences: where not, one answer is for all threads.
    pub depends_on_threads: bool,
    /// Whether it is the stage `unlocked` of the pipeline; all others come after the stages.
    pub is_lock_stage: bool,
    /// Tries it.
    pub refute: for<'r> fn(&'r Facts<'_, '_>, &'r Options, &Candidate) -> Option<Refutation<'r>>,
}

/// How the analyses of whole objects ask whether two accesses may race.
#[derive(Clone, Copy)]
pub struct Judging<'j> {
    /// How pairs are judged.
    pub options: &'j Options,
    /// What became of the pairs.
    pub settled: &'j Settled,
    /// What they are told of.
    pub raced: &'j Raced,
}

impl Judging<'_> {
    /// Whether some refuter excludes a candidate.
    pub fn is_refuted(&self, facts: &Facts<'_, '_>, candidate: &Candidate) -> bool {
        let asked = || REFUTERS.iter().filter(|refuter| !self.options.without.contains(refuter.name));
        let is_settled = self.settled.contains(candidate.sides.map(|side| side.access));
        is_settled
            || facts.escape.refute(facts.view, candidate).is_some()
            || asked().any(|refuter| (refuter.refute)(facts, self.options, candidate).is_some())
    }
}

/// The refuter of the stage `escaping`: the object never leaves the thread that makes it.
pub const SHARING: &str = Escape::BY;

/// The refuter of the stage `unlocked`: both sides hold a common lock.
pub const COMMON_LOCK: &str = Locks::BY;

/// The refuter that rests on the publication of the object.
pub const PUBLICATION: &str = "publication";

/// The refuters that analyses of whole objects add.
pub const OF_WHOLE_OBJECTS: [&str; 2] = [objects::BY, phase::BY];

/// All refuters after the stage `escaping`.
pub const REFUTERS: &[Refuter] = &[
    Refuter {
        name: COMMON_LOCK,
        summary: "both sides always hold a common lock",
        depends_on_object: true,
        depends_on_threads: false,
        is_lock_stage: true,
        refute: |facts, options, candidate| {
            let locking = if options.likely_locks { Locking::Likely } else { Locking::Sound };
            facts.locks.common(facts.view, candidate, locking)
        },
    },
    Refuter {
        name: "order",
        summary: "one side always happens before the other",
        depends_on_object: false,
        depends_on_threads: true,
        is_lock_stage: false,
        refute: |facts, _, candidate| facts.order.refute(candidate),
    },
    Refuter {
        name: streams::BY,
        summary: "a parallel stream is done when its last operation returns",
        depends_on_object: false,
        depends_on_threads: true,
        is_lock_stage: false,
        refute: |facts, _, candidate| streams::refute(facts.view, facts.threads, candidate),
    },
    Refuter {
        name: "sharing",
        summary: "each thread has its own object",
        depends_on_object: true,
        depends_on_threads: true,
        is_lock_stage: false,
        refute: |facts, _, candidate| {
            let own = || facts.thread_methods().refute(facts.view, facts.accesses, candidate);
            facts.sharing.refute(facts.view, candidate).or_else(own)
        },
    },
    Refuter {
        name: PUBLICATION,
        summary: "one side comes before any other thread can know the object",
        depends_on_object: true,
        depends_on_threads: true,
        is_lock_stage: false,
        refute: |facts, _, candidate| {
            facts.publication.refute(facts.view, facts.threads, facts.accesses, candidate)
        },
    },
    Refuter {
        name: Publication::LOCAL,
        summary: "an object of the library that a method makes and only calls methods on stays there",
        depends_on_object: false,
        depends_on_threads: true,
        is_lock_stage: false,
        refute: |facts, _, candidate| facts.publication.refute_local(facts.view, facts.accesses, candidate),
    },
    Refuter {
        name: "disjoint-elements",
        summary: "the two sides access different elements of the array",
        depends_on_object: true,
        depends_on_threads: true,
        is_lock_stage: false,
        refute: |facts, _, candidate| facts.arrays.refute(&facts.for_arrays(), candidate),
    },
    Refuter {
        name: joined::BY,
        summary: "the thread that owns the object has been joined",
        depends_on_object: true,
        depends_on_threads: true,
        is_lock_stage: false,
        refute: |facts, _, candidate| joined::refute(&facts.for_arrays(), &facts.arrays, candidate),
    },
    Refuter {
        name: excluded::BY,
        summary: "the value was compared with the object on the way, and differs",
        depends_on_object: true,
        depends_on_threads: false,
        is_lock_stage: false,
        refute: |facts, _, candidate| {
            excluded::refute(facts.view, &facts.publication, facts.accesses, candidate)
        },
    },
    Refuter {
        name: Taken::BY,
        summary: "each object goes from hand to hand: through queues, and to the thread that runs it",
        depends_on_object: true,
        depends_on_threads: true,
        is_lock_stage: false,
        refute: |facts, _, candidate| {
            let is_proof = |refutation: Refutation<'_>| refutation.strength == Strength::Proof;
            let ordered = |of: &Candidate| {
                facts.locks.common(facts.view, of, Locking::Sound).is_some_and(is_proof)
                    || facts.order.refute(of).is_some_and(is_proof)
            };
            facts.taken.refute(facts.for_taken(), &ordered, candidate)
        },
    },
    Refuter {
        name: Flags::BY,
        summary: "a volatile flag is set after the one side, under a lock, and seen before the other",
        depends_on_object: true,
        depends_on_threads: true,
        is_lock_stage: false,
        refute: |facts, _, candidate| facts.flags.refute(facts.for_taken(), &facts.locks, candidate),
    },
    Refuter {
        name: Locks::LATER,
        summary: "both sides hold a common lock, unless one comes before any other thread can know the object",
        depends_on_object: true,
        depends_on_threads: true,
        is_lock_stage: false,
        refute: |facts, options, candidate| {
            let locking = if options.likely_locks { Locking::Likely } else { Locking::Sound };
            let Facts { view, threads, publication, .. } = facts;
            facts.locks.common_later(view, threads, publication, candidate, locking)
        },
    },
    Refuter {
        name: hosting::BY,
        summary: "a container prepares its services before it calls them",
        depends_on_object: false,
        depends_on_threads: true,
        is_lock_stage: false,
        refute: |facts, _, candidate| hosting::refute(facts.threads, candidate),
    },
    Refuter {
        name: objects::BY,
        summary: "the object belongs to one whose methods no two threads are in on the way to it",
        depends_on_object: true,
        depends_on_threads: false,
        is_lock_stage: false,
        refute: |facts, options, candidate| {
            options.guarded_owners.then(|| objects::refute(facts, candidate)).flatten()
        },
    },
    Refuter {
        name: phase::BY,
        summary: "one side comes before the object escapes from the thread that makes it",
        depends_on_object: true,
        depends_on_threads: true,
        is_lock_stage: false,
        refute: |facts, options, candidate| options.phases.then(|| phase::refute(facts, candidate)).flatten(),
    },
    Refuter {
        name: finalizers::BY,
        summary: "an object is finalised when nobody else can reach it",
        depends_on_object: true,
        depends_on_threads: true,
        is_lock_stage: false,
        refute: |facts, _, candidate| finalizers::refute(facts.view, facts.threads, candidate),
    },
    Refuter {
        name: annotations::NOT_THREAD_SAFE,
        summary: "callers do not share objects of a class that is declared @NotThreadSafe",
        depends_on_object: true,
        depends_on_threads: true,
        is_lock_stage: false,
        refute: |facts, _, candidate| facts.declarations.refute(facts, candidate),
    },
    Refuter {
        name: assertions::BY,
        summary: "the user asserts that the memory is confined or guarded",
        depends_on_object: true,
        depends_on_threads: false,
        is_lock_stage: false,
        refute: |facts, options, candidate| options.assertions.refute(facts, candidate),
    },
];
