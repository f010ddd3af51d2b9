//! Statements that must see each object of a class: what rules say, and accesses to all members.

use selvedge_base::HybridSet;

use super::classes::{Class, is_uniform};
use super::{Task, Unifier};
use crate::assembly::Assembler;
use crate::heap::ObjectId;
use crate::semantics::InstanceId;
use crate::solver::at;
use crate::summary::{Slot, Statement};

/// To so many objects a rule of reflection is applied in one place. Where more meet, unification has mixed up what the program distinguishes.
const MOST_TARGETS: u32 = 100;

/// What is assumed then.
const WORN_OUT: &str =
    "where unification leaves more than 100 targets for a reflective call, the others are not called";

impl Unifier<'_> {
    /// A statement is to see each object of a class. It has seen some.
    pub(super) fn watch(
        &mut self,
        class: &mut Class,
        owner: InstanceId,
        statement: Statement,
        seen: &HybridSet<ObjectId>,
    ) {
        let procedure = self.semantics.instances[owner].procedure;
        if is_uniform(statement) {
            if let Some(&first) = class.uniform.get((procedure, statement)) {
                let (ours, theirs) = (self.assembly.base(first), self.assembly.base(owner));
                for slot in (0..self.semantics.summary(procedure).slots).map(Slot::new) {
                    self.tasks.push(Task::Unite(at(ours, slot), at(theirs, slot)));
                }
                return;
            }
            class.uniform.insert((procedure, statement), owner);
        } else if class.others.get((owner, statement)).is_some() {
            return;
        } else {
            class.others.insert((owner, statement), ());
        }
        let new: Vec<ObjectId> = class.set.iter().filter(|&object| !seen.contains(object)).collect();
        self.react(owner, statement, &new);
    }

    /// Lets all statements that must see each object of a class see some.
    pub(super) fn show(&mut self, class: &Class, new: &[ObjectId]) {
        if !new.is_empty() {
            let uniform = class.uniform.all.iter().map(|&((_, statement), owner)| (owner, statement));
            let others = class.others.all.iter().map(|&(other, ())| other);
            for (owner, statement) in others.chain(uniform) {
                self.react(owner, statement, new);
            }
        }
    }

    /// What a statement does with each new object.
    fn react(&mut self, owner: InstanceId, statement: Statement, new: &[ObjectId]) {
        let base = self.assembly.base(owner);
        match statement {
            Statement::LoadAll { into, .. } => {
                new.iter().for_each(|&object| self.load_all(object, at(base, into)));
            }
            Statement::StoreAll { from, .. } => {
                new.iter().for_each(|&object| self.store_all(object, at(base, from)));
            }
            Statement::RuleCall { number, .. } => {
                let (call, receivers) = self.rule_call_on(number, new.iter().copied());
                for receiver in receivers {
                    if self.is_worn_out(owner, statement) {
                        return;
                    }
                    if self.make_rule_call(owner, &call, receiver) {
                        *self.fired.entry((owner, statement)).or_default() += 1;
                    }
                }
            }
            Statement::Special { rule, .. } => {
                for &object in new {
                    if !is_uniform(statement) && self.is_worn_out(owner, statement) {
                        return;
                    }
                    let effects = self.semantics.fire(owner, rule, object);
                    if !effects.is_empty() {
                        *self.fired.entry((owner, statement)).or_default() += 1;
                    }
                    effects.into_iter().for_each(|effect| self.apply(owner, effect));
                }
            }
            _ => {}
        }
    }

    /// Whether a rule has had its say so often that what it says now is likely of no use.
    fn is_worn_out(&mut self, owner: InstanceId, statement: Statement) -> bool {
        let worn_out = self.fired.get(&(owner, statement)).is_some_and(|&times| times >= MOST_TARGETS);
        if worn_out && !self.semantics.library.assumptions().any(|known| known == WORN_OUT) {
            self.semantics.library.assume(WORN_OUT.to_owned());
        }
        worn_out
    }
}
