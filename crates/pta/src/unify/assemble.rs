//! The constraints of unification: a copy makes two classes one.

use selvedge_base::Id;
use selvedge_ir::Type;

use super::{Task, Unifier};
use crate::assembly::{Assembler, Assembly};
use crate::context::Contexts;
use crate::heap::{FilterId, ObjectId, RuntimeType, Site, Types};
use crate::procedure::ProcedureId;
use crate::semantics::{CallEdge, InstanceId, Semantics};
use crate::solver::{NodeId, at};
use crate::summary::{Statement, Target};

impl<'p> Assembler<'p> for Unifier<'p> {
    fn semantics(&self) -> &Semantics<'p> {
        &self.semantics
    }

    fn semantics_mut(&mut self) -> &mut Semantics<'p> {
        &mut self.semantics
    }

    fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    fn assembly_mut(&mut self) -> &mut Assembly {
        &mut self.assembly
    }

    fn add_nodes(&mut self, count: u32, _: Option<InstanceId>) -> NodeId {
        self.classes.add(count)
    }

    /// Without a filter both places are one.
    fn copy(&mut self, from: NodeId, into: NodeId, filter: FilterId) {
        self.tasks.push(match filter == Types::ANY {
            true => Task::Unite(from, into),
            false => Task::Cast(from, filter, into),
        });
    }

    fn copy_one_way(&mut self, from: NodeId, into: NodeId, filter: FilterId) {
        self.tasks.push(Task::Cast(from, filter, into));
    }

    fn put(&mut self, place: NodeId, objects: &[ObjectId]) {
        let place = self.classes.find(place);
        self.arrivals.add(place, objects);
    }

    fn make(&mut self, place: NodeId, object: ObjectId) {
        let data = *self.semantics.heap.get(object);
        let is_of_class = matches!(self.semantics.heap.types.get(data.ty), RuntimeType::Class(_));
        let has_site = matches!(
            self.semantics.heap.site_of(data.site),
            Site::Instruction { .. } | Site::Synthetic { .. }
        );
        if !has_site {
            self.types.real.insert(object);
        }
        if !self.types.by_type || !is_of_class || !has_site {
            self.put(place, &[object]);
            return;
        }
        let merged = self.semantics.heap.site(Site::Merged(data.ty), data.ty);
        let ty = self.semantics.heap.object(merged, Contexts::EMPTY);
        let made = self.types.made.entry(ty).or_default();
        if !made.contains(&object) {
            made.push(object);
        }
        let representative = self.classes.find(place);
        let mut class = self.classes.take(representative);
        class.made.push(object);
        self.put_into(&mut class, vec![ty]);
        self.classes.put(representative, class);
    }

    fn wait(&mut self, owner: InstanceId, base: NodeId, statement: Statement) {
        match statement {
            Statement::Load { into, base: from, member } => {
                self.tasks.push(Task::Content(at(base, from), member, at(base, into)));
            }
            Statement::Store { base: into, member, from } => {
                self.tasks.push(Task::Content(at(base, into), member, at(base, from)));
            }
            Statement::Call(number) => {
                let call = self.semantics.call(owner, number);
                let Some(&Some(receiver)) = call.arguments.first() else { return };
                let (procedure, target) = (self.semantics.instances[owner].procedure, call.target);
                let filter = match self.slot_filters[&procedure][receiver.index()] {
                    Types::ANY => self.filter_of_receivers(target),
                    filter => filter,
                };
                self.tasks.push(Task::Call(at(base, receiver), (target, filter), (owner, number)));
            }
            _ => {
                if let Some(slot) = statement.watches(&[]) {
                    self.tasks.push(Task::Watch(at(base, slot), owner, statement));
                }
            }
        }
    }

    fn add_statement(&mut self, owner: InstanceId, base: NodeId, statement: Statement) {
        self.instantiate(owner, base, statement);
    }

    /// Methods that are copied into their callers have the receivers of the call; so have results that are the receiver.
    fn link(&mut self, edge: CallEdge) {
        let (caller, callee) = (self.assembly.base(edge.caller), self.assembly.base(edge.callee));
        let call = self.semantics.call(edge.caller, edge.call);
        let instance = self.semantics.instances[edge.callee];
        let called = self.semantics.summary(instance.procedure);
        let receiver = call.arguments.first().copied().flatten().filter(|_| called.returns_this);
        let returned = match receiver {
            Some(receiver) => Some(at(caller, receiver)),
            None => called.result.map(|returned| at(callee, returned)),
        };
        let (result, filter) = (call.result, call.result_filter);
        let is_copied = instance.context != Contexts::EMPTY;
        let skip = usize::from(!matches!(call.target, Target::Static(_)) && !is_copied);
        for (argument, parameter) in self.semantics.passed(edge, skip) {
            self.copy(at(caller, argument), at(callee, parameter), Types::ANY);
        }
        if let (Some(from), Some(result)) = (returned, result) {
            self.copy(from, at(caller, result), filter);
        }
    }

    /// Nothing to do: the result of the call is one with its receiver.
    fn hand_back(&mut self, _: CallEdge, _: &[ObjectId]) {}

    /// Notes what each slot can hold by its static type.
    fn summarized(&mut self, procedure: ProcedureId) {
        let summary = self.semantics.summary(procedure);
        let mut filters = vec![Types::ANY; summary.slots as usize];
        let slots = summary.slot_of_value.clone();
        let method = self.semantics.procedures.method(procedure);
        if let Some(body) = method.and_then(|method| self.semantics.program.body(method)) {
            for (value, data) in body.values.iter_ids() {
                if let (Type::Ref(class), Some(Some(slot))) = (data.ty, slots.get(value.index())) {
                    filters[slot.index()] = self.semantics.heap.types.filter_to(class);
                }
            }
        }
        self.slot_filters.insert(procedure, filters);
    }
}

impl Unifier<'_> {
    /// What a method can be called on: objects that have it by their class. Where a receiver's static type says nothing, as in the code
    /// that calls the entries, it would otherwise be called on all objects that were ever mixed up.
    fn filter_of_receivers(&mut self, target: Target) -> FilterId {
        let method = match target {
            Target::Virtual(method) => Some(method),
            Target::Exact(procedure) => self.semantics.procedures.method(procedure),
            Target::Named(..) | Target::Static(_) | Target::Unknown(_) => None,
        };
        let program = self.semantics.program;
        let class = method.map(|method| program.classes[program.methods[method].class].name);
        class.map_or(Types::ANY, |class| self.semantics.heap.types.filter_to(class))
    }
}
