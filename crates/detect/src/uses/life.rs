//! The accesses to an object in the order of its life: which come before its escape.
//!
//! An access of a thread is *before the escape* if a way leads to it from a `NEW` of that thread, and none from an `ESCAPE` or from a
//! `LOAD` out of something that is shared. A class has no such phase: everybody knows it.
//!
//! Where a thread makes one object after the other, each `NEW` comes after the `ESCAPE` of the one before: the graph speaks of all objects
//! of an allocation at once. There [`selvedge_facts::Publication`] helps, which follows one object through the method that makes it and
//! its constructors.
//!
//! **Theorem.** When an access that is before the escape executes, no other thread has got hold of the object: the thread has it from its
//! own `NEW` (any other way to it is a `LOAD`, or leads through code outside after an `ESCAPE`), and every way on which others come by
//! it begins with an `ESCAPE` by the thread that made it, which comes later.

use std::collections::BTreeSet;

use selvedge_base::BitSet;
use selvedge_facts::{AccessKind, Occurrence, Origin, ThreadId};
use selvedge_pta::InstanceId;

use super::control::{Control, Explored, Explorer, leading_to};
use super::events::{Events, Kind, Local, Subject};
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
}

impl Life {
    /// Finds the accesses, and which come before the escape.
    pub fn new(facts: &Facts<'_, '_>, events: &Events, explorer: &mut Explorer, subject: Subject) -> Self {
        let mut life = Self::by_order(facts, events, explorer, subject);
        let Facts { view, threads, accesses, publication, .. } = facts;
        if let Subject::Object(object) = subject {
            for lived in life.accesses.iter_mut().filter(|lived| !lived.is_early) {
                lived.is_early =
                    publication.must_be_unpublished(view, threads, accesses, &lived.side, object);
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
        Self::in_threads(facts, events, explorer, subject, &events.threads(facts, subject))
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
        let all = events.of(subject);
        let mut life = Self { subject, accesses: Vec::new(), events: 0 };
        let mut leading: Option<BitSet<InstanceId>> = None;
        for &thread in threads {
            let reached = &facts.threads.reached[thread];
            let own: Vec<Local> =
                all.iter().filter(|event| reached.contains(event.instance)).copied().collect();
            life.events += own.len();
            let is_made = own.iter().any(|event| event.kind == Kind::New);
            let early = if is_made {
                let instances = all.iter().map(|event| event.instance);
                let leading = leading.get_or_insert_with(|| leading_to(&events.control, instances));
                before_escape(facts, &events.control, explorer, thread, &own, leading)
            } else {
                vec![false; own.len()]
            };
            for (event, is_early) in own.iter().zip(early) {
                if let Some((access, kind)) = event.kind.access() {
                    let side = Occurrence { access, instance: event.instance, thread };
                    life.accesses.push(Lived { side, kind, is_early, is_early_by_order: is_early });
                }
            }
        }
        life.accesses.sort_unstable();
        life.accesses.dedup();
        life
    }
}

/// Which of the events of a thread are accesses before the escape.
fn before_escape(
    facts: &Facts<'_, '_>,
    control: &Control,
    explorer: &mut Explorer,
    thread: ThreadId,
    own: &[Local],
    leading: &BitSet<InstanceId>,
) -> Vec<bool> {
    let reached = &facts.threads.reached[thread];
    let is_escape = |kind| matches!(kind, Kind::Escape | Kind::Load { shared: true });
    if !control.again[thread].is_empty() {
        // From everywhere control comes to where the thread returns, and from there to everything.
        let is_kept = !own.iter().any(|event| is_escape(event.kind));
        return own.iter().map(|event| is_kept && event.kind.access().is_some()).collect();
    }
    let is_access = |event: &Local| event.kind.access().is_some();
    let mut after = |is_start: fn(Kind) -> bool| -> Option<Vec<bool>> {
        let starts = own.iter().filter(|event| is_start(event.kind));
        let starts = starts.map(|event| (event.instance, event.inst, event.moment(facts)));
        let is_wanted = |instance| leading.contains(instance) && reached.contains(instance);
        let goals = own.iter().filter(|event| is_access(event));
        let goals = goals.map(|event| (event.instance, event.inst));
        let is_after = |explorer: &Explorer, event: &Local| {
            explorer.is_after(control, event.instance, event.inst, event.moment(facts))
        };
        match explorer.explore(control, starts, goals, is_wanted) {
            Explored::All => Some(own.iter().map(is_access).collect()),
            Explored::Some => {
                Some(own.iter().map(|event| is_access(event) && is_after(explorer, event)).collect())
            }
            Explored::Nothing => None,
        }
    };
    let nothing = vec![false; own.len()];
    let Some(escaped) = after(is_escape) else { return nothing };
    if own.iter().zip(&escaped).all(|(event, escaped)| *escaped || !is_access(event)) {
        return nothing;
    }
    let Some(mut early) = after(|kind| kind == Kind::New) else { return nothing };
    early.iter_mut().zip(escaped).for_each(|(early, escaped)| *early &= !escaped);
    early
}
