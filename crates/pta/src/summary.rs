//! What a procedure does with references: the constraints that the solver instantiates once per context.
//!
//! A summary is made once for each reached procedure, from the intermediate form, from a library model or by hand for
//! synthetic code. It has *slots*, one for each reference-typed value and one for the result, and statements over them.
//! Statements that must wait for objects to arrive at a slot (loads, stores, calls by receiver) are indexed by that slot.
//!
//! # Exceptions
//! The blocks of a method that have the same handlers form a *scope*; scope 0 has none. An exception is thrown into a scope,
//! caught by the scope's handlers in order and otherwise leaves the method. Exceptions of a method are not distinguished by
//! context: each scope is one node for all contexts.

use selvedge_base::{Id, Symbol, entity};
use selvedge_ir::{CallSiteId, ClassName, Inst, Value};
use selvedge_world::{ClassId, FieldId, MethodId};

use crate::heap::{FilterId, SiteId};
use crate::procedure::ProcedureId;
use selvedge_models::Special;

entity! {
    /// A place for references in a procedure.
    Slot "l";
}

/// A place inside an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Member {
    /// An instance field.
    Field(FieldId),
    /// All elements of an array.
    Element,
    /// The value captured at this position by a lambda object, or kept by a modelled object.
    Captured(u32),
}

/// The constraints of a procedure. See the [module documentation](self).
#[derive(Debug, Default)]
pub struct Summary {
    /// How many slots there are.
    pub slots: u32,
    /// The parameters, the receiver first; `None` where they are no references.
    pub parameters: Vec<Option<Slot>>,
    /// Where returned references meet.
    pub result: Option<Slot>,
    /// Whether what is returned is always the receiver. Callers then take their own receivers for the result, not those of
    /// all callers.
    pub returns_this: bool,
    /// What is done.
    pub statements: Vec<Statement>,
    /// The calls, which statements refer to by position.
    pub calls: Vec<Call>,
    /// For each scope but the first the filter of what its handlers leave, or `None` if they leave nothing.
    pub scopes: Vec<Option<FilterId>>,
    /// The classes whose initialisers this code may run.
    pub initializes: Vec<ClassId>,
    /// The slot of each value of the method's body.
    pub slot_of_value: Vec<Option<Slot>>,
    /// A slot that rules may use as they need; modelled methods have one.
    pub spare: Option<Slot>,
    /// In the code that calls the entries: what containers do.
    pub hosted: Hosted,
    /// Positions of statements by the slot they wait for.
    watchers: Vec<u32>,
    /// Where the statements of each slot begin in `watchers`.
    watch_starts: Vec<u32>,
}

/// What the code that calls the entries does as a container.
#[derive(Clone, Debug, Default)]
pub struct Hosted {
    /// The calls that containers make, by number.
    pub roles: Vec<(u32, Role)>,
    /// The slots whose objects all calls share.
    pub shared: Vec<Slot>,
    /// The slots whose objects are made anew for each call.
    pub own: Vec<Slot>,
}

/// What a call of a container is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// It is made once, before all that are made from many threads.
    Start,
    /// It is made from many threads.
    Concurrent,
    /// Calls of this kind, named by one method of it, are made one after the other.
    Serial(MethodId),
}

impl Hosted {
    /// The role of a call; `None` if no container makes it.
    pub fn role(&self, call: u32) -> Option<Role> {
        let position = self.roles.binary_search_by_key(&call, |(number, _)| *number).ok()?;
        Some(self.roles[position].1)
    }
}

/// One constraint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Statement {
    /// `into` gets the object of a site.
    Allocate { into: Slot, site: SiteId },
    /// `into` gets what `from` holds and the filter lets through.
    Copy { into: Slot, from: Slot, filter: FilterId },
    /// `into` gets what the member of the objects at `base` holds.
    Load { into: Slot, base: Slot, member: Member },
    /// The member of the objects at `base` gets what `from` holds.
    Store { base: Slot, member: Member, from: Slot },
    /// `into` gets what all members of the objects at `base` hold.
    LoadAll { into: Slot, base: Slot },
    /// The members of the objects at `base` get what `from` holds, each what its type admits.
    StoreAll { base: Slot, from: Slot },
    /// `into` gets what a static field holds.
    LoadStatic { into: Slot, field: FieldId },
    /// A static field gets what `from` holds.
    StoreStatic { field: FieldId, from: Slot },
    /// The call with this position.
    Call(u32),
    /// What `from` holds is thrown into a scope.
    Throw { from: Slot, scope: u32 },
    /// `into` gets the exceptions of a scope that the filter lets through.
    Catch { into: Slot, scope: u32, filter: FilterId },
    /// A method that a rule calls on each object that arrives at `watch`: its number among the calls of rules.
    RuleCall { watch: Slot, number: u32 },
    /// Something with a rule of its own, run for each object that arrives at `watch`.
    Special { watch: Slot, rule: Special },
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The instruction, where the code has one.
    pub inst: Option<Inst>,
    /// How the callee is found.
    pub target: Target,
    /// The arguments, the receiver first; `None` where they are no references.
    pub arguments: Vec<Option<Slot>>,
    /// Where the result goes.
    pub result: Option<Slot>,
    /// What of the result goes there: the result of a signature-polymorphic method is cast at the call.
    pub result_filter: FilterId,
    /// The scope that exceptions of the callee are thrown into.
    pub scope: u32,
    /// What is known of arguments that are constants; empty if nothing is.
    pub constants: Vec<Option<ArgumentConstant>>,
}

/// How a callee is found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// It is this one, and has no receiver.
    Static(ProcedureId),
    /// It is this one, on each receiver.
    Exact(ProcedureId),
    /// By the class of each receiver, as an implementation of this method.
    Virtual(MethodId),
    /// The method of this name and descriptor that the class of each receiver has; `<init>` is its own constructor.
    Named(Symbol, Symbol),
    /// Through an `invokedynamic` site whose bootstrap method is unknown.
    Unknown(CallSiteId),
}

/// An argument that is a constant at the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentConstant {
    /// A string literal.
    String(Symbol),
    /// A class literal.
    Class(ClassName),
    /// The value of a static field: how offsets for `Unsafe` are passed.
    Static(FieldId),
}

impl Statement {
    /// The slots that the statement names itself; those of a call are in the call.
    pub(crate) fn slots_mut(&mut self) -> [Option<&mut Slot>; 2] {
        match self {
            Statement::Allocate { into, .. }
            | Statement::LoadStatic { into, .. }
            | Statement::Catch { into, .. } => [Some(into), None],
            Statement::Copy { into, from, .. } => [Some(into), Some(from)],
            Statement::Load { into, base, .. } | Statement::LoadAll { into, base } => {
                [Some(into), Some(base)]
            }
            Statement::Store { base, from, .. } | Statement::StoreAll { base, from } => {
                [Some(base), Some(from)]
            }
            Statement::StoreStatic { from, .. } | Statement::Throw { from, .. } => [Some(from), None],
            Statement::RuleCall { watch, .. } | Statement::Special { watch, .. } => [Some(watch), None],
            Statement::Call(_) => [None, None],
        }
    }

    /// The slot whose objects the statement waits for.
    pub fn watches(&self, calls: &[Call]) -> Option<Slot> {
        match *self {
            Statement::Load { base, .. }
            | Statement::Store { base, .. }
            | Statement::LoadAll { base, .. }
            | Statement::StoreAll { base, .. } => Some(base),
            Statement::Special { watch, .. } | Statement::RuleCall { watch, .. } => Some(watch),
            Statement::Call(number) => match calls[number as usize].target {
                Target::Exact(_) | Target::Virtual(_) | Target::Named(..) => {
                    calls[number as usize].arguments[0]
                }
                Target::Static(_) | Target::Unknown(_) => None,
            },
            _ => None,
        }
    }
}

impl Summary {
    /// The summary of a procedure that does nothing.
    pub(crate) fn nothing() -> Self {
        Self::default().finish()
    }

    /// A new slot.
    pub(crate) fn slot(&mut self) -> Slot {
        self.slots += 1;
        Slot::new(self.slots - 1)
    }

    /// The slot where returned references meet.
    pub(crate) fn result_slot(&mut self) -> Slot {
        if let Some(slot) = self.result {
            return slot;
        }
        let slot = self.slot();
        self.result = Some(slot);
        slot
    }

    pub(crate) fn push(&mut self, statement: Statement) {
        self.statements.push(statement);
    }

    pub(crate) fn push_call(&mut self, call: Call) {
        self.statements.push(Statement::Call(self.calls.len() as u32));
        self.calls.push(call);
    }

    /// The slots that have a name of their own, whatever number they have: those of the values of a body and of the result, or all where
    /// there is no body.
    pub(crate) fn named_slots(&self) -> Vec<(String, Slot)> {
        if self.slot_of_value.is_empty() {
            return (0..self.slots).map(Slot::new).map(|slot| (slot.to_string(), slot)).collect();
        }
        let values = self.slot_of_value.iter().enumerate();
        let values =
            values.filter_map(|(value, slot)| Some((Value::from_index(value).to_string(), (*slot)?)));
        values.chain(self.result.map(|slot| ("result".to_owned(), slot))).collect()
    }

    /// Indexes the statements by the slots they wait for; to be called once, when the summary is complete.
    pub(crate) fn finish(mut self) -> Self {
        let mut counts = vec![0u32; self.slots as usize + 1];
        let watched: Vec<Option<Slot>> = self.statements.iter().map(|s| s.watches(&self.calls)).collect();
        for slot in watched.iter().flatten() {
            counts[slot.number() as usize + 1] += 1;
        }
        for index in 1..counts.len() {
            counts[index] += counts[index - 1];
        }
        let mut next = counts.clone();
        let mut watchers = vec![0u32; counts.last().copied().unwrap_or(0) as usize];
        for (position, slot) in watched.iter().enumerate() {
            if let Some(slot) = slot {
                let place = &mut next[slot.number() as usize];
                watchers[*place as usize] = position as u32;
                *place += 1;
            }
        }
        self.initializes.sort_unstable();
        self.initializes.dedup();
        (self.watchers, self.watch_starts) = (watchers, counts);
        self
    }

    /// The positions of the statements that wait for objects at a slot.
    pub(crate) fn watchers(&self, slot: u32) -> &[u32] {
        let slot = slot as usize;
        &self.watchers[self.watch_starts[slot] as usize..self.watch_starts[slot + 1] as usize]
    }
}
