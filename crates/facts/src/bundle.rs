//! All facts about a program, computed once and shared by all detectors: the one context that refuters are given.

use std::sync::OnceLock;

use crate::accesses::Accesses;
use crate::arrays::Arrays;
use crate::benign::Benign;
use crate::confinement::Confinement;
use crate::confinement::thread_specific::{ThreadMethods, ThreadSpecific};
use crate::escape::Escape;
use crate::executions::Executions;
use crate::handover::taken_once::TakenOnce;
use crate::locks::{Locking, Locks};
use crate::order::Order;
use crate::order::processes::Processes;
use crate::ownership::Ownership;
use crate::publication::Publication;
use crate::publication::ready_flag::ReadyFlag;
use crate::refutation::{Candidate, Refutation, Strength};
use crate::threads::Threads;
use crate::view::View;

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

/// Everything that refuters reason with, computed once.
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
    pub confinement: Confinement,
    /// Which accesses come before an object is known to others.
    pub publication: Publication,
    /// Which objects go from hand to hand.
    pub taken_once: TakenOnce,
    /// What is set up before a flag says so.
    pub ready_flag: ReadyFlag,
    /// Which elements array accesses touch.
    pub arrays: Arrays,
    /// What races of known kinds look like.
    pub benign: Benign,
    /// Which process each thread belongs to.
    pub processes: Processes,
    ownership: OnceLock<Ownership>,
    thread_specific: OnceLock<ThreadSpecific>,
    thread_methods: OnceLock<ThreadMethods>,
}

impl<'g, 'a> Facts<'g, 'a> {
    /// Computes the facts.
    pub fn new(ground: &'g Ground<'a>) -> Self {
        let Ground { view, threads, executions, accesses } = ground;
        let escape = Escape::new(view, threads);
        let ((locks, order), (publication, arrays, confinement)) = rayon::join(
            || {
                let locks = Locks::new(view, threads, executions, accesses);
                let order = Order::new(view, threads, executions, accesses, &locks);
                (locks, order)
            },
            || {
                let publication = Publication::new(view, threads, &escape, accesses);
                (publication, Arrays::new(view, threads), Confinement::new(view, threads, accesses))
            },
        );
        Self {
            view,
            threads,
            executions,
            accesses,
            publication,
            taken_once: TakenOnce::default(),
            ready_flag: ReadyFlag::default(),
            escape,
            arrays,
            benign: Benign::new(accesses),
            processes: Processes::new(threads),
            ownership: OnceLock::new(),
            thread_specific: OnceLock::new(),
            thread_methods: OnceLock::new(),
            order,
            locks,
            confinement,
        }
    }

    /// Which objects can only be reached through which others, worked out when first asked for.
    pub fn ownership(&self) -> &Ownership {
        self.ownership.get_or_init(|| Ownership::new(self.view, self.threads, self.executions))
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

    /// Whether the two sides of a candidate are proved to hold a common lock, or to be ordered.
    pub(crate) fn must_be_ordered(&self, candidate: &Candidate) -> bool {
        let is_proof = |refutation: Refutation<'_>| refutation.strength == Strength::Proof;
        self.locks.common(self.view, candidate, Locking::Sound).is_some_and(is_proof)
            || self.order.refute(candidate).is_some_and(is_proof)
    }
}
