//! What the user asserts of classes, fields and threads, and the analysis cannot see: a refuter that believes it.
//!
//! **Theorem** (strength `Heuristic`: somebody says so). If an object is handed from thread to thread safely and used by one at
//! a time, or every access to a field holds one lock, then accesses to it do not race. Nor do two accesses that are never made at the
//! same time: by threads of which one ends before the other starts, or by calls that the callers of a library order.
//!
//! An assertion about a class holds for its objects and those of its subclasses; about a field, for the field and for the arrays
//! and containers that it may hold; about threads, see the file `asserted/threads.rs`.

mod threads;

use std::sync::OnceLock;

use selvedge_base::{FastMap, FastSet};
use selvedge_findings::pattern::{matches_class, matches_member};
use selvedge_ir::ClassName;
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::Member;
use selvedge_world::{ClassId, FieldId, Program, Tier, java_name};

use crate::accesses::Place;
use crate::bundle::Facts;
use crate::refutation::{Candidate, Refutation};

/// The name of the refuter.
pub const BY: &str = "asserted";

/// What is asserted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Used by one thread at a time.
    Confined,
    /// Always accessed under one lock.
    Guarded {
        /// Which, for people.
        by: Option<String>,
    },
    /// The entry of a thread never runs in parallel with another one.
    Apart {
        /// A pattern for the methods or classes of the other.
        from: String,
    },
    /// A method that starts threads has at most one of each start alive at a time.
    OneThread,
}

/// One assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// A pattern for classes, or, with a claim about fields or threads, for `p.C.f` or `p.C.m`.
    pub about: String,
    /// What is asserted.
    pub claim: Claim,
    /// Where, as a file and line.
    pub said_at: String,
    /// Why.
    pub reason: String,
}

impl Assertion {
    /// The assertion as a sentence, for the report's assumptions.
    pub fn sentence(&self) -> String {
        let Self { about, claim, said_at, reason } = self;
        match claim {
            Claim::Confined => format!("{about} is used by one thread at a time, says {said_at}: {reason}"),
            Claim::Guarded { by: Some(lock) } => {
                format!("{about} is guarded by {lock}, says {said_at}: {reason}")
            }
            Claim::Apart { from } => {
                format!("{about} and {from} never run in parallel, says {said_at}: {reason}")
            }
            Claim::OneThread => {
                format!("{about} has one thread at a time of each start, says {said_at}: {reason}")
            }
            Claim::Guarded { by: None } => format!("{about} is guarded by a lock, says {said_at}: {reason}"),
        }
    }
}

/// The assertions, found in a program.
#[derive(Clone, Debug, Default)]
pub struct Assertions {
    sentences: Vec<String>,
    /// The assertion about each class and field, by its position.
    classes: FastMap<ClassId, usize>,
    fields: FastMap<FieldId, usize>,
    /// The assertion about the fields that hold an object, for objects that only asserted fields hold.
    held: OnceLock<FastMap<ObjectId, usize>>,
    threads: threads::Asserted,
}

impl Assertions {
    /// Finds what the assertions are about. Also returns the positions of those that are about nothing in the program.
    pub fn new(program: &Program, assertions: &[Assertion]) -> (Self, Vec<usize>) {
        let mut found =
            Self { sentences: assertions.iter().map(Assertion::sentence).collect(), ..Self::default() };
        if assertions.is_empty() {
            return (found, Vec::new());
        }
        for (class, data) in program.classes.iter_ids().filter(|(_, data)| data.tier == Tier::Application) {
            let name = java_name(data.name);
            for (position, assertion) in assertions.iter().enumerate() {
                if assertion.claim == Claim::Confined && matches_class(&assertion.about, &name) {
                    found.classes.entry(class).or_insert(position);
                }
                let is_of_memory = matches!(assertion.claim, Claim::Confined | Claim::Guarded { .. });
                for field in data.fields.iter().filter(|_| is_of_memory) {
                    let field_name = format!("{name}.{}", program.fields[field].name);
                    if matches_member(&assertion.about, &field_name) {
                        found.fields.entry(field).or_insert(position);
                    }
                }
            }
        }
        found.threads = threads::Asserted::new(program, assertions);
        let of_memory = found.classes.values().chain(found.fields.values()).copied();
        let used: FastSet<usize> = of_memory.chain(found.threads.positions()).collect();
        let unused = (0..assertions.len()).filter(|position| !used.contains(position)).collect();
        (found, unused)
    }

    /// Whether an assertion speaks of the candidate's memory or threads.
    pub fn refute(&self, facts: &Facts<'_, '_>, candidate: &Candidate) -> Option<Refutation<'_>> {
        let position = self.of_memory(facts, candidate).or_else(|| self.threads.of_pair(facts, candidate))?;
        Some(Refutation::heuristic(BY, move || self.sentences[position].clone()))
    }

    fn of_memory(&self, facts: &Facts<'_, '_>, candidate: &Candidate) -> Option<usize> {
        if self.classes.is_empty() && self.fields.is_empty() {
            return None;
        }
        let place = facts.accesses.all[candidate.sides[0].access].place;
        let position = match place {
            Place::Field(field) | Place::Static(field) => self.fields.get(&field).copied(),
            Place::Element | Place::Container => self.held_by_asserted(facts, candidate.object?),
        };
        position.or_else(|| self.of_class(facts, candidate.object?))
    }

    /// The assertion about the class of an object, or one above it.
    fn of_class(&self, facts: &Facts<'_, '_>, object: ObjectId) -> Option<usize> {
        let heap = &facts.view.analysis.heap;
        let name = heap.types.name(heap.get(object).ty);
        let class = facts.view.program.class_named(ClassName::new(name.as_bytes()))?;
        facts.view.program.superclasses(class).find_map(|class| self.classes.get(&class).copied())
    }

    /// The assertion about the fields of the application that may hold an object, if all of them are asserted.
    fn held_by_asserted(&self, facts: &Facts<'_, '_>, object: ObjectId) -> Option<usize> {
        self.held.get_or_init(|| self.held_only_by_asserted(facts)).get(&object).copied()
    }

    fn held_only_by_asserted(&self, facts: &Facts<'_, '_>) -> FastMap<ObjectId, usize> {
        let (program, analysis) = (facts.view.program, facts.view.analysis);
        let of_application =
            |field: FieldId| program.classes[program.fields[field].class].tier == Tier::Application;
        let holders = || {
            let members = analysis.members().filter_map(|(_, member, held)| match member {
                Member::Field(field) => Some((field, held)),
                _ => None,
            });
            members.chain(analysis.static_fields()).filter(|(field, _)| of_application(*field))
        };
        let mut asserted: FastMap<ObjectId, usize> = FastMap::default();
        for (field, held) in holders() {
            let Some(&position) = self.fields.get(&field) else { continue };
            for object in held.iter() {
                let known = asserted.entry(object).or_insert(position);
                *known = position.min(*known);
            }
        }
        for (_, held) in holders().filter(|(field, _)| !self.fields.contains_key(field)) {
            asserted.retain(|&object, _| !held.contains(object));
        }
        asserted
    }
}
