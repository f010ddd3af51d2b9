//! The accesses to an object in the order of its life: which come before its escape.
//!
//! An access of a thread is *before the escape* if a way leads to it from a `NEW` of that thread, and none from an `ESCAPE` or from a
//! `LOAD` out of something that is shared. A class has no such phase: it is published from the start.
//!
//! Where a thread makes one object after the other, each `NEW` comes after the `ESCAPE` of the one before: the graph speaks of all objects
//! of an allocation at once. There [`selvedge_facts::Publication`] helps, which follows one object through the method that makes it and
//! its constructors.
//!
//! **Theorem.** When an access that is before the escape executes, no other thread has got hold of the object: the thread has it from its
//! own `NEW` (any other way to it is a `LOAD`, or leads through code outside after an `ESCAPE`), and every way on which others come by
//! it begins with an `ESCAPE` by the thread that made it, which comes later.

use std::collections::BTreeSet;
use std::sync::Arc;

use selvedge_base::{BitSet, FastMap, FastSet};
use selvedge_facts::{AccessId, AccessKind, Occurrence, Origin, ThreadId};
use selvedge_pta::InstanceId;

use super::control::{Control, Counts, Explored, Explorer};
use super::events::{Events, Kind, Local, OfThreads, Subject};
use crate::Facts;

/// An access, as one thread makes it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Lived {
    /// Who makes it, and where.
    pub side: Occurrence,
    /// What it does to the object.
    pub kind: AccessKind,
    /// Whether it comes before the escape.
    pub is_early: bool,
    /// Whether the order of events alone shows that.
    pub is_early_by_order: bool,
}

/// The life of an object, as far as judging it needs.
pub struct Life {
    /// Whose life it is.
    pub subject: Subject,
    /// The accesses of all threads.
    pub accesses: Vec<Lived>,
    /// How many events there are, in all threads.
    pub events: usize,
    /// How much was followed to find what comes before the escape.
    pub counts: Counts,
    /// For how many threads the result of another one was taken.
    pub reused: u64,
}

impl Life {
    /// Finds the accesses, and which come before the escape.
    pub fn new(facts: &Facts<'_, '_>, events: &Events, explorer: &mut Explorer, subject: Subject) -> Self {
        let mut life = Self::by_order(facts, events, explorer, subject);
        let selvedge_facts::Facts { view, threads, accesses, publication, .. } = &**facts;
        if let Subject::Object(object) = subject {
            let at = |lived: &Lived| (lived.side.access, lived.side.instance);
            for lived in life.accesses.chunk_by_mut(|a, b| at(a) == at(b)) {
                let early =
                    publication.must_be_unpublished_in(view, threads, accesses, at(&lived[0]), object);
                lived.iter_mut().for_each(|lived| lived.is_early |= early.contains(lived.side.thread));
            }
        }
        life
    }

    /// The same by the order of events alone.
    pub fn by_order(
        facts: &Facts<'_, '_>,
        events: &Events,
        explorer: &mut Explorer,
        subject: Subject,
    ) -> Self {
        Self::in_threads(facts, events, explorer, subject, &events.threads(subject))
    }

    /// The accesses that the threads make that make the object, by the order of events alone: no others come before the escape.
    pub fn of_makers(
        facts: &Facts<'_, '_>,
        events: &Events,
        explorer: &mut Explorer,
        subject: Subject,
    ) -> Self {
        let making = events.of(subject).iter().filter(|event| event.kind == Kind::New);
        let makers = making.flat_map(|event| facts.threads.may_execute(event.instance)).copied();
        let is_counted = |thread: &ThreadId| facts.threads.all[*thread].origin != Origin::Initializers;
        Self::in_threads(facts, events, explorer, subject, &makers.filter(is_counted).collect())
    }

    fn in_threads(
        facts: &Facts<'_, '_>,
        events: &Events,
        explorer: &mut Explorer,
        subject: Subject,
        threads: &BTreeSet<ThreadId>,
    ) -> Self {
        let mut life =
            Self { subject, accesses: Vec::new(), events: 0, counts: Counts::default(), reused: 0 };
        let classes = events.by_thread(subject, threads);
        let mut escapes = Escapes::new(facts, events, explorer, subject, &classes);
        // The accesses before the escape, of the threads that have some.
        let mut early: FastMap<ThreadId, Arc<Early>> = FastMap::default();
        for OfThreads { threads, own } in &classes {
            life.events += own.len() * threads.len();
            if own.iter().any(|event| event.kind == Kind::New) {
                for &thread in threads {
                    let found = escapes.before_escape(thread, own);
                    early.extend((!found.is_empty()).then_some((thread, found)));
                }
            }
        }
        life.reused = escapes.reused;
        life.counts = escapes.explorer.take_counts();
        let made = events.of(subject).iter();
        let mut made: Vec<(AccessId, InstanceId, AccessKind)> = made
            .filter_map(|event| event.kind.access().map(|(access, kind)| (access, event.instance, kind)))
            .collect();
        made.sort_unstable();
        for (access, instance, kind) in made {
            let executing = events.executing(instance).iter().copied();
            for thread in executing.filter(|thread| threads.contains(thread)) {
                let side = Occurrence { access, instance, thread };
                let is_early = early.get(&thread).is_some_and(|early| early.contains(&(access, instance)));
                life.accesses.push(Lived { side, kind, is_early, is_early_by_order: is_early });
            }
        }
        life
    }
}

/// The accesses of a thread that come before the escape.
type Early = FastSet<(AccessId, InstanceId)>;

fn is_escape(kind: Kind) -> bool {
    matches!(kind, Kind::Escape | Kind::Load { shared: true })
}

fn is_access(event: &Local) -> bool {
    event.kind.access().is_some()
}

fn access_of(event: &Local) -> Option<(AccessId, InstanceId)> {
    event.kind.access().map(|(access, _)| (access, event.instance))
}

/// Finds which events of threads come before the escape of a subject.
struct Escapes<'l, 'g, 'a> {
    facts: &'l Facts<'g, 'a>,
    control: &'l Control,
    explorer: &'l mut Explorer,
    /// The instances that have events of the subject, or lead to such.
    leading: Option<BitSet<InstanceId>>,
    all: &'l [Local],
    /// What came out for threads that reach the same instances.
    known: FastMap<ThreadId, Arc<Early>>,
    /// Whether in what all threads reach there is so much after an escape that nothing is known to come before it.
    is_everywhere: bool,
    /// How often a result was taken from `known`.
    reused: u64,
}

impl<'l, 'g, 'a> Escapes<'l, 'g, 'a> {
    fn new(
        facts: &'l Facts<'g, 'a>,
        events: &'l Events,
        explorer: &'l mut Explorer,
        subject: Subject,
        classes: &[OfThreads],
    ) -> Self {
        let (control, all) = (&events.control, events.of(subject));
        let known = FastMap::default();
        let mut escapes =
            Self { facts, control, explorer, leading: None, all, known, is_everywhere: false, reused: 0 };
        escapes.look_at_common(classes);
        escapes
    }

    /// The threads of a large program reach nearly the same instances. What comes after an escape in those that all of them reach
    /// comes after one in each: if that is too much to be followed, it need not be tried thread by thread.
    fn look_at_common(&mut self, classes: &[OfThreads]) {
        let makes = |of: &&OfThreads| of.own.iter().any(|event| event.kind == Kind::New);
        let making = classes.iter().filter(makes).flat_map(|of| &of.threads);
        let asked = making.copied().filter(|&thread| self.control.again[thread].is_empty());
        let unlike: BTreeSet<ThreadId> = asked.map(|thread| self.control.alike(thread)).collect();
        let mut reached = unlike.iter().map(|&thread| &self.facts.threads.reached[thread]);
        let (Some(first), true) = (reached.next(), unlike.len() > 1) else { return };
        let mut common = first.clone();
        reached.for_each(|other| {
            common.intersect_with(other);
        });
        let events = self.all.iter().filter(|event| common.contains(event.instance));
        let events: Vec<Local> = events.copied().collect();
        if events.iter().any(|event| is_escape(event.kind)) {
            self.is_everywhere = self.after(&events, is_escape, &common).is_none();
        }
    }

    /// Which of the events of a thread are accesses before the escape.
    fn before_escape(&mut self, thread: ThreadId, own: &[Local]) -> Arc<Early> {
        if !self.control.again[thread].is_empty() {
            // From everywhere control comes to where the thread returns, and from there to everything.
            let is_kept = !own.iter().any(|event| is_escape(event.kind));
            return Arc::new(own.iter().filter(|_| is_kept).filter_map(access_of).collect());
        }
        if self.is_everywhere {
            return Arc::default();
        }
        let first = self.control.alike(thread);
        if let Some(known) = self.known.get(&first) {
            self.reused += 1;
            return Arc::clone(known);
        }
        let early = self.explore(&self.facts.threads.reached[thread], own);
        let early = own.iter().zip(early).filter(|(_, is_early)| *is_early);
        let found: Arc<Early> = Arc::new(early.filter_map(|(event, _)| access_of(event)).collect());
        self.known.insert(first, Arc::clone(&found));
        found
    }

    fn explore(&mut self, reached: &BitSet<InstanceId>, own: &[Local]) -> Vec<bool> {
        let nothing = vec![false; own.len()];
        let Some(escaped) = self.after(own, is_escape, reached) else { return nothing };
        if own.iter().zip(&escaped).all(|(event, escaped)| *escaped || !is_access(event)) {
            return nothing;
        }
        let Some(mut early) = self.after(own, |kind| kind == Kind::New, reached) else { return nothing };
        early.iter_mut().zip(escaped).for_each(|(early, escaped)| *early &= !escaped);
        early
    }

    /// Which of some events are accesses that come after others of them; `None` if that takes too long to find out.
    fn after(
        &mut self,
        own: &[Local],
        is_start: fn(Kind) -> bool,
        reached: &BitSet<InstanceId>,
    ) -> Option<Vec<bool>> {
        let (facts, control, all) = (self.facts, self.control, self.all);
        let leading =
            self.leading.get_or_insert_with(|| control.leading_to(all.iter().map(|event| event.instance)));
        let starts = own.iter().filter(|event| is_start(event.kind));
        let starts = starts.map(|event| (event.instance, event.inst, event.moment(facts)));
        let is_wanted = |instance| leading.contains(instance) && reached.contains(instance);
        let goals = own.iter().filter(|event| is_access(event));
        let goals = goals.map(|event| (event.instance, event.inst));
        match self.explorer.explore(control, starts, goals, is_wanted) {
            Explored::All => Some(own.iter().map(is_access).collect()),
            Explored::Some => {
                let is_after = |event: &Local| {
                    self.explorer.is_after(control, event.instance, event.inst, event.moment(facts))
                };
                Some(own.iter().map(|event| is_access(event) && is_after(event)).collect())
            }
            Explored::Nothing => None,
        }
    }
}
