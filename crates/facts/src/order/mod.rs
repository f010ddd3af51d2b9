//! Order: whether two accesses may happen in parallel.
//!
//! | file | reason why not |
//! |---|---|
//! | [`spawns`] | which threads start which, how the end of a thread is observed |
//! | [`waits`] | what a call has waited for when it returns |
//! | [`local`] | which threads a method has started and not waited for, at each point |
//! | [`collections`] | arrays and lists of threads |
//! | [`signals`] | message passing: latches, flags, semaphores, barriers, promises |
//! | [`initialization`] | what class initialisers do |
//! | [`alive`] | the same through calls: start order and join order |
//!
//! The theorem: let `p` be a thread that exists once and from which every thread `q` descends. Where `p` may not have a
//! `q` alive, whatever `p` does is ordered with all that every `q` does: each `q` has ended and `p` has waited for it, or it
//! starts later. Two descendants of such a thread are ordered if none of them may be alive where the other one starts.
//!
//! The hypotheses, each with a program of the corpus in which only this one fails:
//!
//! 1. `p` waits on every way to the access (JoinOnOnePath), without a limit of time (JoinWithTimeout), and is not interrupted
//!    (JoinInterruptedByItself, JoinInterruptedByShutdown, JoinInterruptedByCancel, JoinInterruptedByGroup).
//! 2. The thread had been started when it was waited for (JoinedBeforeStart), and has waited for those that it started
//!    (JoinedLeavesHelpers), however it ends (JoinedFailsLeavingHelper).
//! 3. Only the task completes the future (FutureCompletedByOther, FutureCompletedOnTimeout, FutureCancelled,
//!    FutureDoneAfterCancel, FutureStageOfCompleted), nor has before (FutureCompletedBefore).
//! 4. A loop waits for all threads of a collection (see [`collections`]).
//! 5. What the initialiser of a class does is ordered with the uses of this class (see the file `initialization.rs`).
//! 6. One executor or timer runs both tasks (TwoTimers).
//! 7. What a bulk operation has waited for is a task that the library starts for it (StreamStartsThreads,
//!    InvokeAllTaskStarts).
//!
//! Everything is computed twice: assuming nothing, which gives proofs, and assuming what usually holds, which gives
//! heuristics; see [`Assume`].

mod alive;
mod asked;
mod collections;
pub mod container_start;
mod context;
mod entered;
pub mod event_thread;
mod initialization;
mod interruption;
pub mod joined_owner;
mod local;
mod passages;
pub mod processes;
mod schedule;
mod signals;
mod spawns;
mod state;
pub mod stream_order;
mod together;
pub(crate) mod waits;

use selvedge_ir::{ClassName, Op, Value};
use selvedge_models::Kind;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::Site;
use selvedge_world::{FieldId, Tier};

use crate::accesses::{AccessId, Accesses, Place};
use crate::executions::Executions;
use crate::locks::Locks;
use crate::refutation::{Candidate, Occurrence, Refutation, Strength};
use crate::threads::{Origin, ThreadId, Threads};
use crate::view::View;

use alive::Alive;
use context::{OrderContext, is_one};
use initialization::Initialization;
use interruption::interrupts;
use signals::{Key, SignalSources, Signals};
use spawns::Spawns;

/// What is taken for granted about a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Assume {
    /// Nothing: what follows is proved.
    Nothing,
    /// Nobody interrupts a thread that waits; `awaitTermination` does not time out; a thread that waits for others lives
    /// to do so.
    Usual,
}

/// See the [module documentation](self).
pub struct Order<'v, 'a> {
    view: &'v View<'a>,
    threads: &'v Threads,
    executions: &'v Executions,
    accesses: &'v Accesses,
    spawns: Spawns,
    proved: Alive<'a>,
    usual: Alive<'a>,
    signals: Signals,
    initialization: Initialization,
}

impl<'v, 'a> Order<'v, 'a> {
    /// Finds what orders the threads of a program.
    pub fn new(
        view: &'v View<'a>,
        threads: &'v Threads,
        executions: &'v Executions,
        accesses: &'v Accesses,
        locks: &Locks,
    ) -> Self {
        let spawns = Spawns::new(view, threads);
        let alive = |assume, ended| Alive::new(view, threads, executions, &spawns, assume, ended);
        let proved = alive(Assume::Nothing, threads.all.ids().map(|_| Vec::new()).collect());
        let sources = SignalSources {
            view,
            threads,
            executions,
            accesses,
            locks,
            spawns: &spawns,
            alive: proved.facts(),
        };
        let signals = Signals::new(&sources, interrupts(view));
        // Who waits for a thread has waited for all those that this thread has waited for, unless an exception ended it first.
        let ended = threads.all.ids().map(|thread| signals.ended_within(view, threads, thread));
        let usual = alive(Assume::Usual, ended.collect());
        let initialization = Initialization::new(threads);
        Self { view, threads, executions, accesses, spawns, proved, usual, signals, initialization }
    }

    /// The refuter for two accesses of one thread.
    pub const SAME_THREAD: &'static str = "same-thread";
    /// The refuter for what class initialisers do.
    pub const CLASS_INITIALIZATION: &'static str = "class-initialization";
    /// The refuter for threads that have not started yet, or that were waited for.
    pub const START_AND_JOIN: &'static str = "start-and-join";
    /// The refuter for actions of barriers.
    pub const BARRIER_ACTION: &'static str = "barrier-action";
    /// The refuter for stages of completable futures.
    pub const FUTURE_ORDER: &'static str = "future-order";
    /// The refuter for executors and timers with one thread.
    pub const SINGLE_THREADED_EXECUTOR: &'static str = "single-threaded-executor";
    /// The refuter for what goes through an object that threads wait at.
    pub const SIGNAL: &'static str = "signal";
    /// The refuter for what is published by a volatile field.
    pub const VOLATILE_PUBLICATION: &'static str = "volatile-publication";
    /// The refuter for threads that usually have been waited for.
    pub const USUALLY_JOINED: &'static str = "usually-joined";

    /// Why the two sides of a candidate cannot happen in parallel, if that is known. The strongest reason is given.
    pub fn refute(&self, candidate: &Candidate) -> Option<Refutation<'_>> {
        let [a, b] = candidate.sides;
        self.same_thread(candidate)
            .or_else(|| self.class_initialization(candidate))
            .or_else(|| self.start_and_join(candidate))
            .or_else(|| self.barrier_action(candidate))
            .or_else(|| self.future_order(candidate))
            .or_else(|| self.single_threaded_executor(candidate))
            .or_else(|| self.by_signal(a, b))
            .or_else(|| self.usually_joined(candidate))
    }

    /// Whether one side comes before the other thread starts, or after it was waited for.
    pub fn start_and_join(&self, candidate: &Candidate) -> Option<Refutation<'_>> {
        let [a, b] = candidate.sides;
        self.by_start_and_join(Self::START_AND_JOIN, &self.proved, Strength::Proof, a, b)
    }

    /// As [`Order::start_and_join`], if nobody interrupts and tasks end as they usually do.
    pub fn usually_joined(&self, candidate: &Candidate) -> Option<Refutation<'_>> {
        let [a, b] = candidate.sides;
        self.by_start_and_join(Self::USUALLY_JOINED, &self.usual, Strength::Heuristic, a, b)
    }

    /// Whether one side is made before a signal through an object for which the other has waited.
    pub fn signal(&self, candidate: &Candidate) -> Option<Refutation<'_>> {
        let [a, b] = candidate.sides;
        self.by_signal(a, b).filter(|refutation| refutation.by == Self::SIGNAL)
    }

    /// Whether one side is made before a volatile write that the other has seen.
    pub fn volatile_publication(&self, candidate: &Candidate) -> Option<Refutation<'_>> {
        let [a, b] = candidate.sides;
        self.by_signal(a, b).filter(|refutation| refutation.by == Self::VOLATILE_PUBLICATION)
    }

    /// One side is made before a signal that the other comes after.
    fn by_signal(&self, a: Occurrence, b: Occurrence) -> Option<Refutation<'_>> {
        let at = |side: Occurrence| (side.thread, side.instance, self.accesses.all[side.access].inst);
        let one_way = |first: Occurrence, second: Occurrence| {
            let (key, strength) = self.signals.orders(self.view, self.threads, at(first), at(second))?;
            Some((first, key, strength))
        };
        let (there, back) = (one_way(a, b), one_way(b, a));
        let is_better = matches!((&there, &back), (Some(there), Some(back)) if there.2 < back.2);
        let (first, key, strength) = if is_better { back } else { there.or(back) }?;
        let by = match key {
            Key::Object(_) | Key::Interrupt(_) => Self::SIGNAL,
            Key::Static(_) | Key::Field(..) => Self::VOLATILE_PUBLICATION,
        };
        Some(Refutation::new(by, strength, move || {
            let through = match key {
                Key::Object(object) => self.view.analysis.describe().object(object),
                Key::Interrupt(object) => {
                    format!("the interrupt of {}", self.view.analysis.describe().object(object))
                }
                Key::Static(field) | Key::Field(_, field) => self.view.program.describe_field(field),
            };
            let place = self.place(first.access);
            format!("{place} comes before a signal through {through} that the other side has waited for")
        }))
    }

    /// The action of a barrier runs in one of the threads that wait at the barrier, while it waits: what is ordered with all of these
    /// threads is ordered with the action. As sure as the order with each of them.
    pub fn barrier_action(&self, candidate: &Candidate) -> Option<Refutation<'_>> {
        let [a, b] = candidate.sides;
        let (action, other) = [(a, b), (b, a)].into_iter().find_map(|(action, other)| {
            let barrier = self.spawns.barrier_of(self.view, action.thread)?;
            Some((self.signals.signallers(barrier)?, other))
        })?;
        let mut weakest: Option<Refutation<'_>> = None;
        for &party in action {
            let ancestor = self.spawns.common(party, other.thread, |thread| is_one(self.threads, thread))?;
            if ancestor == party {
                return None;
            }
            let party = Occurrence { thread: party, ..other };
            let of =
                |alive, strength| self.by_start_and_join(Self::BARRIER_ACTION, alive, strength, other, party);
            let found = of(&self.proved, Strength::Proof).or_else(|| of(&self.usual, Strength::Heuristic))?;
            if weakest.as_ref().is_none_or(|known| found.strength < known.strength) {
                weakest = Some(found);
            }
        }
        weakest
    }

    /// A stage starts after the stage that it depends on has ended: a proof where both run once.
    pub fn future_order(&self, candidate: &Candidate) -> Option<Refutation<'_>> {
        let [a, b] = candidate.sides;
        let orders = |first, second| self.spawns.stages_before[second].contains(&first);
        let (first, second) = if orders(a.thread, b.thread) {
            (a.thread, b.thread)
        } else if orders(b.thread, a.thread) {
            (b.thread, a.thread)
        } else {
            return None;
        };
        Some(Refutation::proof(Self::FUTURE_ORDER, move || {
            format!("{} starts after {} has ended", self.name(second), self.name(first))
        }))
    }

    /// A timer has one thread, and so has the executor that `newSingleThreadExecutor` makes: a proof where it is one object.
    pub fn single_threaded_executor(&self, candidate: &Candidate) -> Option<Refutation<'_>> {
        let [a, b] = candidate.sides;
        let [receivers, others] = [a, b].map(|side| self.spawns.receivers[side.thread].as_slice());
        let ([object], [other]) = (receivers, others) else { return None };
        let heap = &self.view.analysis.heap;
        let data = heap.get(*object);
        let is_timer = heap.types.is_instance(data.ty, ClassName::new(Kind::Timer.class()));
        let is_single_threaded = match heap.site_of(data.site) {
            Site::Instruction { method, .. } => {
                let name = self.view.program.methods[method].name;
                !self.view.is_application(method)
                    && (name.is("newSingleThreadExecutor") || name.is("newSingleThreadScheduledExecutor"))
            }
            _ => false,
        };
        let same = object == other && self.executions.is_single(*object);
        let sentence =
            move || format!("{} and {} run in one worker thread", self.name(a.thread), self.name(b.thread));
        (same && (is_timer || is_single_threaded))
            .then(|| Refutation::proof(Self::SINGLE_THREADED_EXECUTOR, sentence))
    }

    /// Whether one thread makes both accesses.
    pub fn same_thread(&self, candidate: &Candidate) -> Option<Refutation<'_>> {
        let [a, b] = candidate.sides;
        let same = a.thread == b.thread && !self.threads.all[a.thread].many;
        let sentence = move || format!("both are executed by {}, of which there is one", self.name(a.thread));
        same.then(|| Refutation::proof(Self::SAME_THREAD, sentence))
    }

    /// What the initialiser of a class does is ordered with what others do, as the file `initialization.rs` says; and usually a class
    /// is initialised before others use what its initialiser touches.
    pub fn class_initialization(&self, candidate: &Candidate) -> Option<Refutation<'_>> {
        let by_initializer = |side: &&Occurrence| self.initialization.is_by_initializer(side);
        let mut initializing = candidate.sides.iter().filter(by_initializer).peekable();
        initializing.peek()?;
        let sentence = || "the initialiser of a class runs before others use the class".to_string();
        if self.initialization.refutes(self, candidate) {
            return Some(Refutation::proof(Self::CLASS_INITIALIZATION, sentence));
        }
        let [a, b] = &candidate.sides;
        let is_started = |side: &Occurrence| {
            let other = if std::ptr::eq(side, a) { b } else { a };
            initialization::starts(self, side, other).is_some()
        };
        let is_usual = !initializing.any(|side| self.initializes_other(side.access) || is_started(side));
        is_usual.then(|| Refutation::heuristic(Self::CLASS_INITIALIZATION, sentence))
    }

    /// Whether an access is by the initialiser of a class, and others may be about its object already: see
    /// [`Order::initializes_other`], or the initialiser starts threads.
    pub fn may_be_late_initialization(&self, access: AccessId) -> bool {
        let method = self.accesses.all[access].method;
        let starts = |&instance: &InstanceId| !self.spawns.of(instance).is_empty();
        self.initializes_other(access)
            || self.view.program.methods[method].is_class_initializer()
                && self.view.analysis.instances_of(method).iter().any(starts)
    }

    /// Whether an access is by the initialiser of a class to a static field of another class of the application, or to an object that it has
    /// read from one: others may use these already.
    pub fn initializes_other(&self, access: AccessId) -> bool {
        let access = &self.accesses.all[access];
        let program = self.view.program;
        let method = &program.methods[access.method];
        let is_other = |field: FieldId| {
            let class = program.fields[field].class;
            class != method.class && program.classes[class].tier == Tier::Application
        };
        let is_loaded_from_other = |mut value: Value| {
            let Some(body) = program.body(access.method) else { return false };
            loop {
                let Some(inst) = body.defining_inst(value) else { return false };
                match &body.insts[inst].op {
                    Op::CheckCast(_) => value = body.args(inst)[0],
                    Op::GetStatic(field) => return program.resolve_field(field).is_ok_and(is_other),
                    _ => return false,
                }
            }
        };
        method.is_class_initializer()
            && match access.place {
                Place::Static(field) => is_other(field),
                _ => access.base.is_some_and(is_loaded_from_other),
            }
    }

    fn by_start_and_join(
        &self,
        by: &'static str,
        alive: &Alive<'a>,
        strength: Strength,
        a: Occurrence,
        b: Occurrence,
    ) -> Option<Refutation<'_>> {
        let ancestor = self.spawns.common(a.thread, b.thread, |thread| is_one(self.threads, thread))?;
        let may = if ancestor == a.thread {
            self.may_be_beside(alive, a, b.thread)
        } else if ancestor == b.thread {
            self.may_be_beside(alive, b, a.thread)
        } else {
            alive.may_be_together(ancestor, a.thread, b.thread)
        };
        let sentence = move || self.apart_sentence(ancestor, a, b);
        (!may).then(|| Refutation::new(by, strength, sentence))
    }

    /// Whether a thread's descendant may be alive where the thread makes an access.
    fn may_be_beside(&self, alive: &Alive<'a>, of: Occurrence, other: ThreadId) -> bool {
        let inst = self.accesses.all[of.access].inst;
        alive.may_be_alive(&self.context(), (of.thread, of.instance, inst), other)
    }

    fn context(&self) -> OrderContext<'_, 'a> {
        let Self { view, threads, executions, spawns, proved, .. } = self;
        OrderContext { view, threads, executions, spawns, facts: proved.facts(), assume: Assume::Nothing }
    }

    /// That two threads are not alive together, of which one may be the ancestor of the other.
    fn apart_sentence(&self, ancestor: ThreadId, a: Occurrence, b: Occurrence) -> String {
        let beside = |of: Occurrence, other: ThreadId| {
            let place = self.place(of.access);
            format!("at {place} {} has not been started yet or has been joined", self.name(other))
        };
        if ancestor == a.thread {
            beside(a, b.thread)
        } else if ancestor == b.thread {
            beside(b, a.thread)
        } else {
            let both = format!("{} and {}", self.name(a.thread), self.name(b.thread));
            format!("{both} are never alive together: each has been joined when the other starts")
        }
    }

    /// Where an access is, for readers.
    fn place(&self, access: AccessId) -> String {
        let access = &self.accesses.all[access];
        let method = self.view.program.describe_method(access.method);
        match self.view.line(access.method, access.inst) {
            Some(line) => format!("line {line} of {method}"),
            None => method,
        }
    }

    /// A thread, for readers.
    fn name(&self, thread: ThreadId) -> String {
        let program = self.view.program;
        match self.threads.all[thread].origin {
            Origin::Main(_) => "the main thread".to_string(),
            Origin::Client => "the callers".to_string(),
            Origin::ContainerStart => "the container's start".to_string(),
            Origin::Container(_) => "the container's threads".to_string(),
            Origin::Vm(method) => {
                format!("the JVM thread that runs {}", program.describe_method(method))
            }
            Origin::Initializers => "class initialisation".to_string(),
            Origin::Spawn { instance, inst, .. } => {
                let method = self.view.method_of(instance);
                let line = method.zip(inst).and_then(|(method, inst)| self.view.line(method, inst));
                match (method.map(|method| program.describe_method(method)), line) {
                    (Some(method), Some(line)) => format!("the thread started at line {line} of {method}"),
                    (Some(method), None) => format!("the thread started in {method}"),
                    _ => "a started thread".to_string(),
                }
            }
        }
    }
}
