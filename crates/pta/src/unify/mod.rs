//! The heap by unification (Steensgaard, POPL 1996; Ruf, PLDI 2000): nearly linear, for programs that are too large for the
//! inclusion-based [solver](crate::solver).
//!
//! Where a reference is copied, both places are taken to hold the same objects: an assignment makes their [classes](classes) one. So
//! nothing ever flows, and each member, cast and called method of a class is looked at once for each of its objects.
//!
//! Deviations from plain unification, each for precision at little cost:
//! - a cast, and what a handler catches, is a class of its own that gets the objects which pass it;
//! - receivers are passed object by object to the methods that they select, so `this` holds what the method can run on (in methods that
//!   are copied into their callers it is one with the receiver of the call);
//! - in the end every place shows the objects of its class that its static type admits.
//!
//! There are no contexts, except that modelled library methods are copied into their callers as always; Ruf's method summaries, which
//! distinguish what a method does for its callers, are not made. So all objects of one class of the program meet as `this` of its methods,
//! and with [`Objects::ByType`] one object, the *type*, stands for them while classes are put together; objects that the JDK makes stay
//! merged. In the end a type is the objects that are made in its class of places, or, where it came by a call or cast, all of that type.
//!
//! **Theorem.** Every object, call edge and points-to fact of the inclusion-based solver without contexts is in the result, with
//! merged objects for what the JDK makes, if values hold what their static types say: unification adds the other direction to each copy.
//! A test holds the two against each other.

mod assemble;
mod calls;
mod classes;
mod merge;
mod outcome;
mod rules;

use std::collections::VecDeque;

use selvedge_base::{FastMap, FastSet, HybridSet};
use selvedge_models::Models;
use selvedge_world::Program;

use crate::assembly::{Assembler, Assembly};
use crate::coarsen::Coarsening;
use crate::context::Insensitive;
use crate::heap::{FilterId, ObjectId, TypeId};
use crate::procedure::ProcedureId;
use crate::semantics::{InstanceId, Semantics};
use crate::solver::NodeId;
use crate::summary::{Member, Statement};
use crate::{Analysis, Entries, Limits, start};
use classes::{Called, Classes};

/// How objects are distinguished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objects {
    /// By type while classes are put together; see the [module documentation](self).
    ByType,
    /// By the instruction that makes them.
    BySite,
}

/// Runs the analysis by unification.
pub fn unify<'p>(
    program: &'p Program,
    models: &'p Models,
    entries: &Entries,
    objects: Objects,
) -> Analysis<'p> {
    let (mut semantics, roots) =
        start(program, models, entries, &Insensitive, Limits::default(), Coarsening::default());
    semantics.heap.merges_library = objects == Objects::ByType;
    let mut unifier = Unifier::new(semantics, objects);
    unifier.reach(roots);
    unifier.solve();
    unifier.finish()
}

/// Something that is still to be done. Nothing is done while a class is being worked on.
enum Task {
    /// Two places hold the same.
    Unite(NodeId, NodeId),
    /// A place holds what a member of the objects at another holds.
    Content(NodeId, Member, NodeId),
    /// What of one place passes a filter is in another.
    Cast(NodeId, FilterId, NodeId),
    /// A call on the objects of a place.
    Call(NodeId, Called, (InstanceId, u32)),
    /// A statement that must see each object of a place.
    Watch(NodeId, InstanceId, Statement),
}

struct Unifier<'p> {
    semantics: Semantics<'p>,
    assembly: Assembly,
    classes: Classes,
    tasks: Vec<Task>,
    arrivals: Arrivals,
    types: StandingTypes,
    /// What each slot of a procedure can hold by its static type.
    slot_filters: FastMap<ProcedureId, Vec<FilterId>>,
    /// The members of objects of a type that hold references.
    members_of_type: FastMap<TypeId, Vec<Member>>,
    /// How often each rule has had something to say.
    fired: FastMap<(InstanceId, Statement), u32>,
    /// The highest number of a captured value that is looked at.
    captured: Option<u32>,
}

/// Objects that come to places when there are no tasks left.
#[derive(Default)]
struct Arrivals {
    waiting: FastMap<NodeId, Vec<ObjectId>>,
    /// The places in the order of their turns: what comes to a place before its turn comes together.
    turns: VecDeque<NodeId>,
}

impl Arrivals {
    fn add(&mut self, place: NodeId, objects: &[ObjectId]) {
        let waiting = self.waiting.entry(place).or_default();
        if waiting.is_empty() && !objects.is_empty() {
            self.turns.push_back(place);
        }
        waiting.extend_from_slice(objects);
    }

    fn next(&mut self) -> Option<(NodeId, Vec<ObjectId>)> {
        let place = self.turns.pop_front()?;
        Some((place, self.waiting.remove(&place).unwrap_or_default()))
    }
}

/// The types that stand for objects.
struct StandingTypes {
    /// Whether any do.
    by_type: bool,
    /// The objects that each type stands for.
    made: FastMap<ObjectId, Vec<ObjectId>>,
    /// Types that are objects of their own, because the library makes some.
    real: FastSet<ObjectId>,
}

impl<'p> Unifier<'p> {
    fn new(semantics: Semantics<'p>, objects: Objects) -> Self {
        let by_type = objects == Objects::ByType;
        let mut unifier = Self {
            semantics,
            assembly: Assembly::new(),
            classes: Classes::new(),
            tasks: Vec::new(),
            arrivals: Arrivals::default(),
            types: StandingTypes { by_type, made: FastMap::default(), real: FastSet::default() },
            slot_filters: FastMap::default(),
            members_of_type: FastMap::default(),
            fired: FastMap::default(),
            captured: None,
        };
        unifier.prepare();
        unifier
    }

    fn solve(&mut self) {
        loop {
            while let Some(task) = self.tasks.pop() {
                self.work_on(task);
            }
            if let Some((place, objects)) = self.arrivals.next() {
                self.arrive(place, objects);
            } else if self.assembly.is_incomplete() {
                self.build_reached();
            } else {
                return;
            }
        }
    }

    fn work_on(&mut self, task: Task) {
        match task {
            Task::Unite(a, b) => self.unite(a, b),
            Task::Content(base, member, place) => self.add_content(base, member, place),
            Task::Cast(from, filter, into) => self.add_cast(from, filter, into),
            Task::Call(receivers, called, site) => self.add_site(receivers, called, site),
            Task::Watch(place, owner, statement) => {
                let representative = self.classes.find(place);
                let mut class = self.classes.take(representative);
                self.watch(&mut class, owner, statement, &HybridSet::default());
                self.classes.put(representative, class);
            }
        }
    }
}
