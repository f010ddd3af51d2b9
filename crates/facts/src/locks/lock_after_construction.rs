//! Locks that are held at every access except while the object is constructed.
//!
//! A helper that all others call under the lock of the object is called by the constructor, too, which needs no lock: nobody
//! else knows the object yet. What is held whenever the helper is entered is nothing then ([`entries`](super::held::entries)). So the
//! calls that lead to it are distinguished.
//!
//! **Theorem.** Whenever an instance is entered in a thread on a receiver of a kind, the receiver is not published, or all
//! locks are held that [`Locks::held_later`] gives. By induction over the calls that lead there. A call
//!
//! - that passes what is unpublished at the call ([`publication`](crate::publication)) enters it on what no other thread knows;
//! - that passes the caller's own receiver, which the caller leaks on no way to the call, enters it on what no other thread
//!   knows if so the caller was entered, and else with what the caller holds at the call, given that it was entered with the
//!   locks that the theorem gives for it;
//! - that the thread does not make, or that passes no object of the kind, does not enter it so;
//! - enters it with what the caller always holds at the call, whatever else it passes.
//!
//! The hypotheses, each with a program of the corpus in which only this one fails:
//!
//! 1. The receiver is not leaked before the call (ConstructorLeaksThenCallsHelper).
//! 2. All others who call hold the lock (ConstructorAndOthersCallHelper).
//!
//! So take two accesses to one object, each to the receiver of its method, which leaks it on no way to the access, with these
//! locks, or any other access with the locks that it always holds. If the two have a lock in common, either both hold it, or at
//! one of them the object is not published: what comes before the publication is ordered with what comes after it if the
//! object is published safely. Where a plain field holds the object that is only likely, as for what is not published
//! ([`Publication::plain_holders`]).

use std::sync::Arc;

use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use super::held::entries::{HeldBy, meet};
use super::{Locking, Locks, NamedLocks};
use crate::describe;
use crate::limits;
use crate::publication::{Publication, Way};
use crate::refutation::{Candidate, Occurrence, Refutation, Strength};
use crate::threads::{ThreadId, Threads};
use crate::view::View;

/// What is held on entry where others may know the receiver; `None` if no call leads there on such a receiver.
pub(super) type Later = Option<Arc<[HeldBy]>>;

/// An instance, the kind of its receiver, the thread, and how many calls are followed.
pub(super) type Question = (InstanceId, ObjectId, ThreadId, usize);

/// What the answers rest on.
#[derive(Clone, Copy)]
struct Basis<'a, 'v> {
    view: &'a View<'v>,
    threads: &'a Threads,
    publication: &'a Publication,
}

impl Locks {
    /// The name under which it refutes.
    pub const LATER: &'static str = "lock-after-construction";

    /// Whether both sides hold a common lock unless one of them still constructs the object.
    pub fn common_later<'a>(
        &'a self,
        view: &'a View<'_>,
        threads: &Threads,
        publication: &'a Publication,
        candidate: &Candidate,
        locking: Locking,
    ) -> Option<Refutation<'a>> {
        let object = candidate.object?;
        let ground = Basis { view, threads, publication };
        let later = candidate.sides.each_ref().map(|side| self.names_later(ground, side, object));
        if later.iter().all(Option::is_none) {
            return None;
        }
        let [first, second] = later;
        let names = [first, second].into_iter().zip(&candidate.sides);
        let names: Vec<NamedLocks> =
            names.map(|(later, side)| later.unwrap_or_else(|| self.names(view, side))).collect();
        let (strength, here, there) =
            self.best_common(view, candidate, locking, [names.first()?, names.last()?])?;
        let holders = publication.plain_holders(object);
        let strength = if holders.is_empty() { strength } else { Strength::Heuristic };
        let [here, there] = [here.taken, there.taken];
        let is_same = candidate.sides.iter().all(|side| self.is_same_later(ground, side, object));
        let refutation = Refutation::new(Self::LATER, strength, move || {
            let (what, both) = (describe::object(view, object), self.describe_both(view, here, there));
            let unless = holders.first().map_or(String::new(), |holder| {
                format!(", if {} is published in order", holder.describe(view))
            });
            format!("both hold {both}, but while {what} is constructed and not published yet{unless}")
        });
        Some(refutation.for_all_threads(is_same))
    }

    /// Whether all threads that execute the instance of a side enter it with the same locks, as far as others may know the receiver.
    fn is_same_later(&self, ground: Basis<'_, '_>, side: &Occurrence, object: ObjectId) -> bool {
        self.same_later.get_or_insert((side.instance, object), || {
            let executing = ground.threads.may_execute(side.instance).iter().copied();
            let mut later = executing.map(|thread| {
                self.held_later(ground, (side.instance, object, thread, limits::CONSTRUCTOR_CALLS))
            });
            let first = later.next();
            later.all(|other| Some(&other) == first.as_ref())
        })
    }

    /// What an occurrence holds where others may know its object, if it is the receiver and some calls come before that.
    fn names_later(&self, ground: Basis<'_, '_>, side: &Occurrence, object: ObjectId) -> Option<NamedLocks> {
        let Basis { view, threads, publication } = ground;
        let access = &self.accesses[side.access];
        if !publication.is_own_receiver(view, threads, (side, object), access.inst, access.base?) {
            return None;
        }
        let later =
            self.held_later(ground, (side.instance, object, side.thread, limits::CONSTRUCTOR_CALLS))?;
        let always = self.entries[side.instance].as_deref().unwrap_or_default();
        if later[..] == *always {
            return None;
        }
        let find = || {
            let held = self.context(view).held_at(side.instance, access.inst, &later);
            self.names_of(view, side, held).into()
        };
        Some(self.names_later.get_or_insert((*side, object), find))
    }

    /// See the [module documentation](self).
    fn held_later(&self, ground: Basis<'_, '_>, question: Question) -> Later {
        let (instance, object, thread, depth) = question;
        let Basis { view, threads, publication } = ground;
        let always = |instance| Some(Arc::from(self.entries[instance].as_deref().unwrap_or_default()));
        if depth == 0 {
            return always(instance);
        }
        if let Some(known) = self.later.get(&question) {
            return known;
        }
        let find = || {
            let Some(ways) = publication.ways_in(view, threads, instance, (object, thread)) else {
                return always(instance);
            };
            let context = self.context(view);
            let mut met: Option<Vec<HeldBy>> = None;
            for way in ways {
                let (caller, inst, entry) = match way {
                    Way::Receiver(caller, inst) => {
                        let entry = self.held_later(ground, (caller, object, thread, depth - 1));
                        (caller, Some(inst), entry)
                    }
                    Way::Known(caller, inst) => (caller, inst, always(caller)),
                };
                let Some(entry) = entry else { continue };
                for call in view.calls(caller).filter(|call| call.inst == inst) {
                    if call.callees.contains(&instance) {
                        meet(&mut met, &context.given(caller, &call, &entry));
                    }
                }
            }
            met.map(Arc::from)
        };
        self.later.get_or_insert(question, find)
    }
}
