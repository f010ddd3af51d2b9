//! The detectors. A race is what survives every refuter.
//!
//! | file | what it does |
//! |---|---|
//! | [`check`] | from a loaded program to a report |
//! | [`pairs`] | every pair of accesses that could race, thinned by stages and refuters |
//! | [`objects`] | objects that two threads may be inside at the same time, by ownership |
//! | [`uses`] | objects whose uses conflict in some phase of their lives |
//! | [`interthread`] | the static datarace set: pairs that one thread, one lock or one owner does not keep apart |
//! | [`refuters`] | the reasons why a pair is safe, in the order in which they are tried |
//! | [`raced`] | the memory that pairs are told of |
//! | [`paths`] | call paths from the start of a thread to an access |
//! | [`names`] | program points, threads and objects in the words of a report |
//! | [`annotations`] | what classes and fields declare of themselves |
//! | [`assertions`] | what the user asserts of them |
//! | [`surroundings`] | the heap around raced objects, for pictures |
//! | [`intent`] | which classes are made for several threads |
//! | [`ranking`] | which findings matter most, how sure they are, what to do about them |

pub mod annotations;
pub mod assertions;
pub mod check;
pub mod intent;
pub mod interthread;
pub mod names;
pub mod objects;
pub mod pairs;
pub mod paths;
pub mod raced;
pub mod ranking;
pub mod refuters;
pub mod surroundings;
pub mod uses;

use std::sync::OnceLock;

use annotations::Declarations;
use intent::Intent;
use objects::ObjectRaces;
use selvedge_facts::{
    Accesses, ArrayFacts, Arrays, Benign, Escape, Executions, Flags, Locks, Order, Ownership, Publication,
    Sharing, Taken, TakenFacts, ThreadMethods, ThreadSpecific, Threads, View,
};
use uses::refute::Phases;

/// What all other facts rest on.
pub struct Ground<'a> {
    /// The call graph with the effects of library calls.
    pub view: View<'a>,
    /// The abstract threads.
    pub threads: Threads,
    /// What runs at most once.
    pub executions: Executions,
    /// The accesses.
    pub accesses: Accesses,
}

impl<'a> Ground<'a> {
    /// Computes the ground facts.
    pub fn new(view: View<'a>) -> Self {
        let threads_and_executions = || {
            let mut threads = Threads::new(&view);
            let executions = Executions::new(&view, &mut threads);
            (threads, executions)
        };
        let ((threads, executions), accesses) = rayon::join(threads_and_executions, || Accesses::new(&view));
        Self { view, threads, executions, accesses }
    }
}

/// Everything that detectors reason with, computed once.
pub struct Facts<'g, 'a> {
    /// The call graph with the effects of library calls.
    pub view: &'g View<'a>,
    /// The abstract threads.
    pub threads: &'g Threads,
    /// What runs at most once.
    pub executions: &'g Executions,
    /// The accesses.
    pub accesses: &'g Accesses,
    /// Which objects may be shared.
    pub escape: Escape,
    /// Which locks are held.
    pub locks: Locks,
    /// What orders the threads.
    pub order: Order<'g, 'a>,
    /// Which objects belong to one thread.
    pub sharing: Sharing,
    /// Which accesses come before an object is known to others.
    pub publication: Publication,
    /// Which objects go from hand to hand.
    pub taken: Taken,
    /// What is set up before a flag says so.
    pub flags: Flags,
    /// Which elements array accesses touch.
    pub arrays: Arrays,
    /// What races of known kinds look like.
    pub benign: Benign,
    /// What classes and fields declare.
    pub declarations: Declarations,
    ownership: OnceLock<Ownership>,
    objects: OnceLock<ObjectRaces>,
    phases: OnceLock<Phases>,
    thread_specific: OnceLock<ThreadSpecific>,
    thread_methods: OnceLock<ThreadMethods>,
    /// Which classes are made for several threads.
    pub intent: Intent,
}

impl<'g, 'a> Facts<'g, 'a> {
    /// Computes the facts.
    pub fn new(ground: &'g Ground<'a>) -> Self {
        let Ground { view, threads, executions, accesses } = ground;
        let escape = Escape::new(view, threads);
        let ((locks, order), (publication, arrays, sharing)) = rayon::join(
            || {
                let locks = Locks::new(view, threads, executions, accesses);
                let order = Order::new(view, threads, executions, accesses, &locks);
                (locks, order)
            },
            || {
                let publication = Publication::new(view, threads, &escape);
                (publication, Arrays::new(view, threads), Sharing::new(view, threads, accesses))
            },
        );
        Self {
            view,
            threads,
            executions,
            accesses,
            publication,
            taken: Taken::default(),
            flags: Flags::default(),
            escape,
            arrays,
            benign: Benign::new(accesses),
            declarations: Declarations::new(view.program),
            ownership: OnceLock::new(),
            objects: OnceLock::new(),
            phases: OnceLock::new(),
            thread_specific: OnceLock::new(),
            thread_methods: OnceLock::new(),
            intent: Intent::new(view.program),
            order,
            locks,
            sharing,
        }
    }

    /// Which objects can only be reached through which others, worked out when first asked for.
    pub fn ownership(&self) -> &Ownership {
        self.ownership.get_or_init(|| Ownership::new(self.view, self.threads, self.executions))
    }

    /// The object races, worked out when first asked for.
    pub fn object_races(&self) -> &ObjectRaces {
        self.objects.get_or_init(|| ObjectRaces::new(self))
    }

    /// The phases of objects, worked out when first asked for.
    pub fn phases(&self) -> &Phases {
        self.phases.get_or_init(|| Phases::new(self))
    }

    /// What only the constructor of a thread object and the thread itself touch, worked out when first asked for.
    pub fn thread_specific(&self) -> &ThreadSpecific {
        let methods = self.thread_methods();
        let find = || ThreadSpecific::new(self.view, self.threads, self.accesses, &self.publication, methods);
        self.thread_specific.get_or_init(find)
    }

    /// What only a thread itself calls on its thread object, worked out when first asked for.
    pub fn thread_methods(&self) -> &ThreadMethods {
        self.thread_methods.get_or_init(|| ThreadMethods::new(self.view, self.threads))
    }

    /// What reasoning about objects that go from hand to hand rests on.
    pub fn for_taken(&self) -> TakenFacts<'_, 'a> {
        TakenFacts {
            view: self.view,
            threads: self.threads,
            accesses: self.accesses,
            publication: &self.publication,
        }
    }

    /// What array reasoning rests on.
    pub fn for_arrays(&self) -> ArrayFacts<'_, 'a> {
        ArrayFacts {
            view: self.view,
            threads: self.threads,
            executions: self.executions,
            accesses: self.accesses,
            sharing: &self.sharing,
        }
    }
}
