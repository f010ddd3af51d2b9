//! "Before its escape": phases of an object's life as a refuter of pairs. What orders and locks later phases has refuters of its own.
//!
//! **Theorem.** If a side of a candidate is [before the escape](super::life) of the object, then in every run no other
//! thread has got hold of the object when that side executes. So the other side comes later, and is ordered with it if the reference
//! is published in order: a proof where no plain field of a shared object holds it, else a heuristic.
//!
//! The hypotheses, each with a program of the corpus in which only this one fails:
//!
//! 1. The side comes before every escape of the object, on every way (PhaseAfterEscape).
//! 2. The reference is published in order: nothing holds it without order (PhasePublishedByRace). Otherwise it is a heuristic.
//!
//! It sees through calls and returns of one thread, where [`selvedge_facts::Publication`] looks at one method and its parameters.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use selvedge_base::{FastMap, FastSet};
use selvedge_facts::refuters::PHASE;
use selvedge_facts::{Candidate, Occurrence, Refutation, Strength};
use selvedge_pta::heap::ObjectId;

use super::control::Explorer;
use super::events::{Events, Subject};
use super::life::Life;
use crate::Facts;

/// The events of all shared objects, and what of them is early, as far as it was asked.
pub struct Phases {
    events: Events,
    early: RwLock<FastMap<ObjectId, Arc<FastSet<Occurrence>>>>,
    /// Explorers that nobody uses.
    explorers: Mutex<Vec<Explorer>>,
}

impl Phases {
    /// Finds the events.
    pub fn new(facts: &Facts<'_, '_>) -> Self {
        Self { events: Events::new(facts), early: RwLock::default(), explorers: Mutex::default() }
    }

    /// The events.
    pub fn events(&self) -> &Events {
        &self.events
    }

    /// The accesses to an object that come before its escape.
    fn early(&self, facts: &Facts<'_, '_>, object: ObjectId) -> Arc<FastSet<Occurrence>> {
        if let Some(known) = self.early.read().unwrap_or_else(PoisonError::into_inner).get(&object) {
            return Arc::clone(known);
        }
        let idle = self.explorers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut explorer = idle.unwrap_or_else(|| Explorer::new(&self.events.control));
        let life = Life::of_makers(facts, &self.events, &mut explorer, Subject::Object(object));
        self.explorers.lock().unwrap_or_else(PoisonError::into_inner).push(explorer);
        let mut found: FastSet<Occurrence> = FastSet::default();
        found.extend(life.accesses.iter().filter(|lived| lived.is_early_by_order).map(|lived| lived.side));
        life.accesses.iter().filter(|lived| !lived.is_early_by_order).for_each(|lived| {
            found.remove(&lived.side);
        });
        let found = Arc::new(found);
        self.early.write().unwrap_or_else(PoisonError::into_inner).insert(object, Arc::clone(&found));
        found
    }
}

/// Why one side of a candidate comes before anybody else knows the object, if it does.
pub fn refute<'a>(facts: &'a Facts<'_, '_>, candidate: &Candidate) -> Option<Refutation<'a>> {
    let object = candidate.object?;
    let early = facts.phases().early(facts, object);
    let side = candidate.sides.iter().find(|side| early.contains(side))?;
    let access = &facts.accesses.all[side.access];
    let holders = facts.publication.plain_holders(object);
    let strength = if holders.is_empty() { Strength::Proof } else { Strength::Heuristic };
    Some(Refutation::new(PHASE, strength, move || {
        let program = facts.view.program;
        let method = program.describe_method(access.method);
        let line = facts.view.line(access.method, access.inst);
        let place = line.map_or_else(|| method.clone(), |line| format!("line {line} of {method}"));
        let unless = holders.first().map_or(String::new(), |holder| {
            format!(", if {} is published in order", holder.describe(facts.view))
        });
        format!("{place} comes before the object escapes from the thread that creates it{unless}")
    }))
}
