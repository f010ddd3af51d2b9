//! What classes and fields declare of themselves, by annotations that people already use.
//!
//! | annotation | what it does here |
//! |---|---|
//! | `@GuardedBy("lock")` on a field | a race on the field ranks high, and says where the lock is not held; accesses that keep clear of a race only by another lock, or by what is only likely, are reported with low confidence |
//! | `@ThreadSafe` on a class | a race inside it that nothing speaks against is high: the class promises that there is none |
//! | `@Immutable` on a class | a write after construction says that it breaks the declaration |
//! | `@NotThreadSafe` on a class | callers of a library are taken not to share its objects between threads |
//!
//! They are known by their simple names, whatever the package. `@VisibleForTesting` is read by the harness of open programs.
//!
//! Limits: `@GuardedBy` on methods is not checked, and a lock is compared by the name it has in the code. An access that provably
//! comes before or after those of all other threads needs no lock, whatever is declared.

use std::collections::BTreeSet;

use selvedge_base::{FastMap, FastSet};
use selvedge_facts::refuters::NOT_THREAD_SAFE;
use selvedge_facts::{AccessKind, Candidate, Locks, Origin, Place, Refutation, Strength, View};
use selvedge_findings::{Confidence, Reason, Side};
use selvedge_ir::ClassName;
use selvedge_world::{ClassId, FieldId, Program, Tier, java_name};

use crate::Facts;
use crate::ranking::Judgement;

/// How much a declaration that is not kept matters where no race follows.
const BROKEN_DECLARATION: u8 = 15;

/// What the classes of the application declare.
#[derive(Default)]
pub struct Declarations {
    /// The guards of fields, as written.
    guards: FastMap<FieldId, String>,
    thread_safe: FastSet<ClassId>,
    not_thread_safe: FastSet<ClassId>,
    immutable: FastSet<ClassId>,
}

impl Declarations {
    /// Reads the annotations of the application's classes.
    pub fn new(program: &Program) -> Self {
        let mut found = Self::default();
        for (class, data) in program.classes.iter_ids() {
            if data.tier == Tier::Application {
                found.read(program, class);
            }
        }
        found
    }

    fn read(&mut self, program: &Program, class: ClassId) {
        let annotations = program.annotations(class);
        for annotation in &annotations.class {
            match annotation.simple_name() {
                "ThreadSafe" => self.thread_safe.insert(class),
                "NotThreadSafe" => self.not_thread_safe.insert(class),
                "Immutable" => self.immutable.insert(class),
                _ => false,
            };
        }
        for (field, annotations) in annotations.fields {
            let guard = annotations.into_iter().find(|annotation| annotation.simple_name() == "GuardedBy");
            if let Some(guard) = guard.and_then(|annotation| annotation.texts.into_iter().next()) {
                self.guards.insert(field, guard);
            }
        }
    }

    /// Whether the callers of a library are told not to share the object.
    pub fn refute<'a>(&self, facts: &'a Facts<'_, '_>, candidate: &Candidate) -> Option<Refutation<'a>> {
        let is_client = |thread| facts.threads.all[thread].origin == Origin::Client;
        if self.not_thread_safe.is_empty() || !candidate.sides.iter().all(|side| is_client(side.thread)) {
            return None;
        }
        let declared = self.declared_above(facts.view, candidate)?;
        Some(Refutation::heuristic(NOT_THREAD_SAFE, move || {
            let name = java_name(facts.view.program.classes[declared].name);
            format!("{name} is declared @NotThreadSafe, so its callers do not share its objects")
        }))
    }

    /// The class of the candidate's object, or the one above it, that is declared not to be thread-safe.
    fn declared_above(&self, view: &View<'_>, candidate: &Candidate) -> Option<ClassId> {
        let heap = &view.analysis.heap;
        let name = heap.types.name(heap.get(candidate.object?).ty);
        let class = view.program.class_named(ClassName::new(name.as_bytes()))?;
        let declares =
            |class: &ClassId| self.not_thread_safe.contains(class) || self.thread_safe.contains(class);
        let nearest = view.program.superclasses(class).find(declares)?;
        self.not_thread_safe.contains(&nearest).then_some(nearest)
    }

    /// Why the object of a place is made for several threads by what its class, or the field, declares.
    pub fn declared_for_threads(
        &self,
        program: &Program,
        own: Option<ClassId>,
        place: Place,
    ) -> Option<String> {
        let (field, declaring) = match place {
            Place::Field(field) => (Some(field), Some(program.fields[field].class)),
            _ => (None, None),
        };
        let safe = own.into_iter().chain(declaring).find(|class| self.thread_safe.contains(class));
        let name = |class: ClassId| java_name(program.classes[class].name);
        let of_class = safe.map(|class| format!("{} is declared for several threads", name(class)));
        let is_guarded = field.is_some_and(|field| self.guards.contains_key(&field));
        of_class.or_else(|| is_guarded.then(|| "the field is declared with a lock".to_string()))
    }

    /// Whether a lock is declared for a place.
    pub fn speaks_of_locks(&self, place: Place) -> bool {
        matches!(place, Place::Field(field) | Place::Static(field) if self.guards.contains_key(&field))
    }

    /// What to say of two conflicting accesses that cannot race, but of which one does not hold the lock that the field
    /// declares: the code keeps clear of a race by other means than it says.
    pub fn broken(&self, place: Place, sides: &[Side; 2], refutation: &Refutation<'_>) -> Option<Judgement> {
        let (Place::Field(field) | Place::Static(field)) = place else { return None };
        let guard = self.guards.get(&field)?;
        let needs_no_lock = refutation.strength == Strength::Proof && refutation.by != Locks::BY;
        if needs_no_lock {
            return None;
        }
        let places = without_guard(guard, sides)?;
        let reasons = vec![
            Reason::evidence(format!("declared @GuardedBy(\"{guard}\"), but not held at {places}")),
            Reason::evidence(format!("no race follows from this: {}", refutation.because())),
        ];
        let advice = format!("hold {guard} at {places}, or take the declaration away");
        Some(Judgement {
            rank: BROKEN_DECLARATION,
            confidence: Confidence::Low,
            reasons,
            advice,
            left_to_callers: None,
            is_doubted: true,
        })
    }

    /// Lets what is declared of the place of a race speak in its judgement.
    pub fn speak(&self, facts: &Facts<'_, '_>, candidate: &Candidate, sides: &[Side; 2], to: &mut Judgement) {
        let accesses = candidate.sides.map(|side| &facts.accesses.all[side.access]);
        let (Place::Field(field) | Place::Static(field)) = accesses[0].place else { return };
        let class = facts.view.program.fields[field].class;
        let name = java_name(facts.view.program.classes[class].name);
        if self.immutable.contains(&class) {
            let written = accesses.iter().zip(sides).find(|(access, _)| access.kind == AccessKind::Write);
            let at = written.map_or_else(String::new, |(_, side)| format!(" at {}", side.at.place()));
            let text = format!("{name} is declared @Immutable, but is written after its construction{at}");
            to.reasons.push(Reason::evidence(text));
            to.rank = to.rank.saturating_add(10).min(100);
            to.advice = format!("make the field final and return a new {name} instead of writing to it");
        } else if self.thread_safe.contains(&class) {
            to.reasons.push(Reason::evidence(format!("{name} is declared @ThreadSafe")));
            to.rank = to.rank.saturating_add(20).min(100);
            if to.confidence == Confidence::Medium {
                to.confidence = Confidence::High;
            }
        }
        if let Some(guard) = self.guards.get(&field) {
            speak_of_guard(guard, sides, to);
        }
    }
}

fn speak_of_guard(guard: &str, sides: &[Side; 2], to: &mut Judgement) {
    to.rank = to.rank.saturating_add(20).min(100);
    let Some(places) = without_guard(guard, sides) else {
        to.reasons.push(Reason::evidence(format!("declared @GuardedBy(\"{guard}\")")));
        return;
    };
    to.reasons.push(Reason::evidence(format!("declared @GuardedBy(\"{guard}\"), but not held at {places}")));
    to.confidence = to.confidence.max(Confidence::High);
    to.advice = format!("hold {guard} at {places}, as the field declares");
}

/// The places of the sides that do not hold a guard, if there are any. A guard that is a call (`lock()`) is not followed.
fn without_guard(guard: &str, sides: &[Side; 2]) -> Option<String> {
    let holds = |side: &&Side| side.locks.iter().any(|lock| is_guard(guard, &lock.name));
    let places: BTreeSet<String> =
        sides.iter().filter(|side| !holds(side)).map(|side| side.at.place()).collect();
    let places: Vec<String> = places.into_iter().collect();
    (!places.is_empty() && !guard.contains('(')).then(|| places.join(" and "))
}

/// Whether a lock that is held, by its name in the report, is what a guard names: `this`, `C.class`, `lock`, `other.lock`.
fn is_guard(guard: &str, held: &str) -> bool {
    let last = |text: &str| text.rsplit(['.', '$']).next().unwrap_or(text).to_string();
    match guard.strip_suffix(".class") {
        Some(class) => held.strip_prefix("class ").is_some_and(|name| last(name) == last(class)),
        None if last(guard) == "this" => held.starts_with("this"),
        None => !held.starts_with("class ") && last(held) == last(guard),
    }
}

#[cfg(test)]
mod tests {
    use super::is_guard;

    #[test]
    fn guards_are_told_by_their_names() {
        for (guard, held) in [
            ("this", "this (p.Counter)"),
            ("Counter.this", "this (p.Counter)"),
            ("lock", "p.Counter.lock"),
            ("this.lock", "p.Counter.lock"),
            ("Counter.class", "class p.Counter"),
            ("p.Outer.Inner.class", "class p.Outer$Inner"),
        ] {
            assert!(is_guard(guard, held), "{guard} {held}");
        }
        for (guard, held) in
            [("this", "p.Counter.lock"), ("lock", "p.Counter.other"), ("Counter.class", "this (p.Counter)")]
        {
            assert!(!is_guard(guard, held), "{guard} {held}");
        }
    }
}
