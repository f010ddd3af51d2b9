//! The detectors. A race is what survives every refuter.
//!
//! | file | what it does |
//! |---|---|
//! | [`check`] | from a loaded program to a report |
//! | [`pairs`] | every pair of accesses that could race, thinned by stages and refuters |
//! | [`objects`] | objects in whose methods two threads may be at the same time, by ownership |
//! | [`uses`] | objects with conflicting accesses in some phase of their lives |
//! | [`interthread`] | the static datarace set: pairs without a common thread, lock or owner |
//! | [`refuters`] | how detectors ask the refuters, and what they add to them |
//! | [`raced`] | the locations of reported pairs |
//! | [`paths`] | call paths from the start of a thread to an access |
//! | [`names`] | program points, threads and objects in the words of a report |
//! | [`annotations`] | what classes and fields declare of themselves |
//! | [`surroundings`] | the heap around racy objects, for pictures |
//! | [`intent`] | which classes are made for several threads |
//! | `credence` | why a pair that survives may still not be real |
//! | [`ranking`] | which findings matter most, how sure they are, what to do about them |

pub mod annotations;
pub mod check;
pub mod control;
mod credence;
pub mod intent;
mod internal;
pub mod interthread;
mod metrics;
pub mod names;
pub mod objects;
pub mod pairs;
pub mod paths;
pub mod raced;
pub mod ranking;
pub mod refuters;
pub mod surroundings;
mod unseen;
pub mod uses;

use std::ops::Deref;
use std::sync::OnceLock;

use annotations::Declarations;
use intent::Intent;
use objects::ObjectRaces;
pub use selvedge_facts::Ground;
use uses::refute::Phases;

/// The facts about a program, and what detectors add to them.
pub struct Facts<'g, 'a> {
    common: selvedge_facts::Facts<'g, 'a>,
    /// What classes and fields declare.
    pub declarations: Declarations,
    /// Which classes are made for several threads.
    pub intent: Intent,
    objects: OnceLock<ObjectRaces>,
    phases: OnceLock<Phases>,
}

impl<'g, 'a> Deref for Facts<'g, 'a> {
    type Target = selvedge_facts::Facts<'g, 'a>;

    fn deref(&self) -> &Self::Target {
        &self.common
    }
}

impl<'g, 'a> Facts<'g, 'a> {
    /// Computes the facts.
    pub fn new(ground: &'g Ground<'a>) -> Self {
        Self {
            common: selvedge_facts::Facts::new(ground),
            declarations: Declarations::new(ground.view.program),
            intent: Intent::new(ground.view.program),
            objects: OnceLock::new(),
            phases: OnceLock::new(),
        }
    }

    /// The object races, worked out when first asked for.
    pub fn object_races(&self) -> &ObjectRaces {
        self.objects.get_or_init(|| ObjectRaces::new(self))
    }

    /// The phases of objects, worked out when first asked for.
    pub fn phases(&self) -> &Phases {
        self.phases.get_or_init(|| Phases::new(self))
    }
}
