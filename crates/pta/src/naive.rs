//! The reference solver: what the fast one must compute, in the plainest way.
//!
//! Every constraint is applied to the whole of the current sets, again and again, until nothing changes. No queue, no
//! differences, no cycles, no constraint graph; a constraint is skipped only if the set it reads has not grown since it
//! was last applied. It shares with the fast solver what things *mean* (`Semantics`, summaries) and nothing of how
//! they are solved. Its summaries have a slot for each variable: which of them may be one is a claim of [`crate::compact`], and results
//! are compared by variable.

use std::collections::BTreeSet;

use selvedge_base::{FastMap, FastSet};
use selvedge_models::Models;
use selvedge_world::{FieldId, Program};

use crate::budget::Limits;
use crate::coarsen::Coarsening;
use crate::context::{ContextId, Contexts, Policy};
use crate::entry::Entries;
use crate::facts::{Describe, Facts};
use crate::heap::{FilterId, ObjectId, Types};
use crate::plugin::{Effect, SlotCallee};
use crate::procedure::ProcedureId;
use crate::semantics::{CallEdge, InstanceId, RULE_CALL, Semantics};
use crate::summary::{Member, Slot, Statement, Target};

/// Something that holds objects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Holder {
    Slot(InstanceId, Slot),
    Member(ObjectId, Member),
    Static(FieldId),
    Scope(ProcedureId, u32),
    VmExceptions,
}

/// A call that a rule makes on whatever a slot holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct CallOnSlot {
    owner: InstanceId,
    callee: SlotCallee,
    receivers: Slot,
    arguments: Vec<Option<Slot>>,
    result: Option<Slot>,
}

struct Naive<'p> {
    semantics: Semantics<'p>,
    sets: FastMap<Holder, BTreeSet<ObjectId>>,
    /// All subset constraints, with the size that the source had when each was last applied.
    flows: Vec<(Holder, Holder, FilterId, usize)>,
    seen_flows: FastSet<(Holder, Holder, FilterId)>,
    /// Statements that wait for objects, with the instance they are in and how many objects they were applied to.
    waiting: Vec<(InstanceId, Statement, usize)>,
    seen_waiting: FastSet<(InstanceId, Statement)>,
    calls_on_slots: Vec<CallOnSlot>,
    reached: Vec<InstanceId>,
    built: usize,
    new_procedures: Vec<ProcedureId>,
    edges: BTreeSet<CallEdge>,
    changed: bool,
}

/// Solves the same constraints as [`analyze`](crate::analyze), slowly, and returns what it found as text.
pub fn solve(program: &Program, models: &Models, entries: &Entries, policy: &dyn Policy) -> Facts {
    let (mut semantics, roots) =
        crate::start(program, models, entries, policy, Limits::default(), Coarsening::default());
    semantics.compacts = false;
    let mut naive = Naive {
        semantics,
        sets: FastMap::default(),
        flows: Vec::new(),
        seen_flows: FastSet::default(),
        waiting: Vec::new(),
        seen_waiting: FastSet::default(),
        calls_on_slots: Vec::new(),
        reached: Vec::new(),
        built: 0,
        new_procedures: Vec::new(),
        edges: BTreeSet::new(),
        changed: false,
    };
    for object in naive.semantics.vm_exceptions() {
        naive.add(Holder::VmExceptions, object);
    }
    if let Some(cell) = naive.semantics.vm_cell("uncaught-exceptions") {
        naive.flow(Holder::VmExceptions, Holder::Member(cell, Member::Captured(0)), Types::ANY);
    }
    naive.instance(roots, Contexts::EMPTY);
    naive.run();
    naive.facts()
}

impl Naive<'_> {
    fn run(&mut self) {
        loop {
            self.changed = false;
            while self.built < self.reached.len() {
                self.built += 1;
                self.build(self.reached[self.built - 1]);
            }
            for index in 0..self.flows.len() {
                self.apply_flow(index);
            }
            for index in 0..self.waiting.len() {
                let (owner, statement, applied) = self.waiting[index];
                let calls = &self.semantics.summary(self.semantics.instances[owner].procedure).calls;
                let size = statement.watches(calls).map_or(0, |slot| self.size(Holder::Slot(owner, slot)));
                if size != applied {
                    self.waiting[index].2 = size;
                    self.apply_statement(owner, statement);
                }
            }
            for index in 0..self.calls_on_slots.len() {
                let call = self.calls_on_slots[index].clone();
                for object in self.objects(Holder::Slot(call.owner, call.receivers)) {
                    for procedure in self.semantics.reflective_callees(call.callee, object) {
                        let context =
                            self.semantics.context_of_rule_call(call.callee, call.owner, procedure, object);
                        let callee = (procedure, context);
                        self.call_by_rule(call.owner, callee, Some(object), &call.arguments, call.result);
                    }
                }
            }
            if !self.changed && self.built == self.reached.len() {
                return;
            }
        }
    }

    fn objects(&self, holder: Holder) -> Vec<ObjectId> {
        self.sets.get(&holder).into_iter().flatten().copied().collect()
    }

    fn size(&self, holder: Holder) -> usize {
        self.sets.get(&holder).map_or(0, BTreeSet::len)
    }

    fn add(&mut self, holder: Holder, object: ObjectId) {
        self.changed |= self.sets.entry(holder).or_default().insert(object);
    }

    fn flow(&mut self, from: Holder, to: Holder, filter: FilterId) {
        if from != to && self.seen_flows.insert((from, to, filter)) {
            self.flows.push((from, to, filter, 0));
            self.changed = true;
        }
    }

    fn apply_flow(&mut self, index: usize) {
        let (from, to, filter, applied) = self.flows[index];
        let size = self.size(from);
        if size == applied {
            return;
        }
        self.flows[index].3 = size;
        for object in self.objects(from) {
            let ty = self.semantics.heap.get(object).ty;
            if self.semantics.heap.types.passes(filter, ty) {
                self.add(to, object);
            }
        }
    }

    fn instance(&mut self, procedure: ProcedureId, context: ContextId) -> InstanceId {
        let (id, is_new) = self.semantics.instance(procedure, context);
        if is_new {
            self.reached.push(id);
            self.changed = true;
            // The statements follow when it is built; callers need to know the parameters now.
            if self.semantics.summarize(procedure) {
                self.new_procedures.push(procedure);
            }
        }
        id
    }

    fn build(&mut self, id: InstanceId) {
        for procedure in std::mem::take(&mut self.new_procedures) {
            let summary = self.semantics.summary(procedure);
            let (scopes, classes) = (summary.scopes.clone(), summary.initializes.clone());
            for (scope, left) in scopes.into_iter().enumerate().skip(1) {
                if let Some(filter) = left {
                    self.flow(Holder::Scope(procedure, scope as u32), Holder::Scope(procedure, 0), filter);
                }
            }
            classes.into_iter().for_each(|class| self.initialize(class));
        }
        let procedure = self.semantics.instances[id].procedure;
        for statement in self.semantics.summary(procedure).statements.clone() {
            self.add_statement(id, statement);
        }
    }

    fn initialize(&mut self, class: selvedge_world::ClassId) {
        for initializer in self.semantics.initializers(class) {
            self.instance(initializer, Contexts::EMPTY);
        }
    }

    fn add_statement(&mut self, id: InstanceId, statement: Statement) {
        let procedure = self.semantics.instances[id].procedure;
        let slot = |slot| Holder::Slot(id, slot);
        match statement {
            Statement::Allocate { into, site } => {
                let object = self.semantics.allocate(id, site);
                self.add(slot(into), object);
                if self.semantics.is_finalizable(object)
                    && let Some(cell) = self.semantics.vm_cell("finalizable")
                {
                    self.add(Holder::Member(cell, Member::Captured(0)), object);
                }
            }
            Statement::Copy { into, from, filter } => self.flow(slot(from), slot(into), filter),
            Statement::LoadStatic { into, field } => self.flow(Holder::Static(field), slot(into), Types::ANY),
            Statement::StoreStatic { field, from } => {
                self.flow(slot(from), Holder::Static(field), Types::ANY)
            }
            Statement::Throw { from, scope } => {
                self.flow(slot(from), Holder::Scope(procedure, scope), Types::ANY)
            }
            Statement::Catch { into, scope, filter } => {
                self.flow(Holder::Scope(procedure, scope), slot(into), filter);
                self.flow(Holder::VmExceptions, slot(into), filter);
            }
            Statement::Call(number)
                if matches!(self.semantics.call(id, number).target, Target::Static(_)) =>
            {
                self.call(id, number, None);
            }
            _ => {
                if self.seen_waiting.insert((id, statement)) {
                    self.waiting.push((id, statement, 0));
                    self.changed = true;
                }
            }
        }
    }

    fn apply_statement(&mut self, id: InstanceId, statement: Statement) {
        let slot = |slot| Holder::Slot(id, slot);
        match statement {
            Statement::Load { into, base, member } => {
                for object in self.objects(slot(base)) {
                    if self.semantics.heap.has_member(object, member) {
                        self.flow(Holder::Member(object, member), slot(into), Types::ANY);
                    }
                }
            }
            Statement::Store { base, member, from } => {
                for object in self.objects(slot(base)) {
                    if self.semantics.heap.has_member(object, member) {
                        let filter = self.semantics.heap.store_filter(object, member);
                        self.flow(slot(from), Holder::Member(object, member), filter);
                    }
                }
            }
            Statement::LoadAll { into, base } => {
                for object in self.objects(slot(base)) {
                    for member in self.semantics.heap.reference_members(object) {
                        if self.semantics.heap.has_member(object, member) {
                            self.flow(Holder::Member(object, member), slot(into), Types::ANY);
                        }
                    }
                }
            }
            Statement::StoreAll { base, from } => {
                for object in self.objects(slot(base)) {
                    for member in self.semantics.heap.reference_members(object) {
                        if self.semantics.heap.has_member(object, member) {
                            let filter = self.semantics.heap.rule_store_filter(object, member);
                            self.flow(slot(from), Holder::Member(object, member), filter);
                        }
                    }
                }
            }
            Statement::Call(number) => {
                let receiver = self.semantics.call(id, number).arguments.first().copied().flatten();
                for object in receiver.map(|receiver| self.objects(slot(receiver))).unwrap_or_default() {
                    self.call(id, number, Some(object));
                }
            }
            Statement::Special { watch, rule } => {
                for object in self.objects(slot(watch)) {
                    for effect in self.semantics.fire(id, rule, object) {
                        self.effect(id, effect);
                    }
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, caller: InstanceId, number: u32, receiver: Option<ObjectId>) {
        let target = self.semantics.call(caller, number).target;
        let procedure = match (target, receiver) {
            (Target::Static(procedure), _) => Some(procedure),
            (_, Some(receiver)) => self.semantics.callee(target, receiver),
            (_, None) => None,
        };
        let Some(procedure) = procedure else { return };
        let context = self.semantics.context_of_call(caller, number, procedure, receiver);
        let callee = self.instance(procedure, context);
        self.changed |= self.edges.insert(CallEdge { caller, call: number, callee });
        let call = self.semantics.call(caller, number).clone();
        let summary = self.semantics.summary(procedure);
        let (parameters, result, returns_this) =
            (summary.parameters.clone(), summary.result, summary.returns_this);
        if let (Some(receiver), Some(Some(this))) = (receiver, parameters.first()) {
            self.add(Holder::Slot(callee, *this), receiver);
        }
        let skip = usize::from(receiver.is_some());
        for (argument, parameter) in call.arguments.iter().zip(&parameters).skip(skip) {
            if let (Some(argument), Some(parameter)) = (argument, parameter) {
                self.flow(Holder::Slot(caller, *argument), Holder::Slot(callee, *parameter), Types::ANY);
            }
        }
        if let (Some(into), true, Some(receiver)) = (call.result, returns_this, receiver) {
            self.add(Holder::Slot(caller, into), receiver);
        } else if let (Some(into), Some(from)) = (call.result, result) {
            self.flow(Holder::Slot(callee, from), Holder::Slot(caller, into), call.result_filter);
        }
        let scope = Holder::Scope(self.semantics.instances[caller].procedure, call.scope);
        self.flow(Holder::Scope(procedure, 0), scope, Types::ANY);
    }

    fn effect(&mut self, owner: InstanceId, effect: Effect) {
        let slot = |slot| Holder::Slot(owner, slot);
        match effect {
            Effect::Put { object, into } => self.add(slot(into), object),
            Effect::PutMember { object, into: (holder, member) } => {
                if self.semantics.heap.has_member(holder, member) {
                    self.add(Holder::Member(holder, member), object);
                }
            }
            Effect::CopyMember { from: (from, from_member), into: (into, into_member) } => {
                let heap = &self.semantics.heap;
                if heap.has_member(from, from_member) && heap.has_member(into, into_member) {
                    self.flow(
                        Holder::Member(from, from_member),
                        Holder::Member(into, into_member),
                        Types::ANY,
                    );
                }
            }
            Effect::LoadMember { object, member, into } => {
                if self.semantics.heap.has_member(object, member) {
                    self.flow(Holder::Member(object, member), slot(into), Types::ANY);
                }
            }
            Effect::StoreMember { object, member, from } => {
                if self.semantics.heap.has_member(object, member) {
                    let filter = self.semantics.heap.rule_store_filter(object, member);
                    self.flow(slot(from), Holder::Member(object, member), filter);
                }
            }
            Effect::Add(statement) => self.add_statement(owner, statement),
            Effect::Call { procedure, receiver, arguments, result } => {
                let context = self.semantics.context_of_call(owner, RULE_CALL, procedure, receiver);
                self.call_by_rule(owner, (procedure, context), receiver, &arguments, result);
            }
            Effect::CallOnSlot { callee, receivers, arguments, result } => {
                let call = CallOnSlot { owner, callee, receivers, arguments, result };
                if !self.calls_on_slots.contains(&call) {
                    self.calls_on_slots.push(call);
                    self.changed = true;
                }
            }
            Effect::Initialize(class) => self.initialize(class),
        }
    }

    fn call_by_rule(
        &mut self,
        caller: InstanceId,
        (procedure, context): (ProcedureId, ContextId),
        receiver: Option<ObjectId>,
        arguments: &[Option<Slot>],
        result: Option<Slot>,
    ) {
        let callee = self.instance(procedure, context);
        self.changed |= self.edges.insert(CallEdge { caller, call: RULE_CALL, callee });
        let summary = self.semantics.summary(procedure);
        let (parameters, returned) = (summary.parameters.clone(), summary.result);
        if let (Some(receiver), Some(Some(this))) = (receiver, parameters.first()) {
            self.add(Holder::Slot(callee, *this), receiver);
        }
        let filters = self.semantics.parameter_filters(procedure);
        let parameters = parameters.iter().zip(filters).skip(usize::from(receiver.is_some()));
        for ((parameter, filter), argument) in parameters.zip(arguments) {
            if let (Some(parameter), Some(argument)) = (parameter, argument) {
                self.flow(Holder::Slot(caller, *argument), Holder::Slot(callee, *parameter), filter);
            }
        }
        if let (Some(into), Some(from)) = (result, returned) {
            self.flow(Holder::Slot(callee, from), Holder::Slot(caller, into), Types::ANY);
        }
        let caller = self.semantics.instances[caller].procedure;
        self.flow(Holder::Scope(procedure, 0), Holder::Scope(caller, 0), Types::ANY);
    }

    fn facts(&self) -> Facts {
        let describe = Describe {
            program: self.semantics.program,
            heap: &self.semantics.heap,
            contexts: &self.semantics.contexts,
            procedures: &self.semantics.procedures,
            instances: &self.semantics.instances,
            forgets_contexts: false,
        };
        let mut facts = Facts::default();
        for &instance in &self.reached {
            let place = describe.instance(instance);
            for (name, slot) in
                self.semantics.summary(self.semantics.instances[instance].procedure).named_slots()
            {
                let set = self.objects(Holder::Slot(instance, slot)).into_iter();
                facts.hold(format!("{name} of {place}"), set.map(|object| describe.object(object)));
            }
        }
        for (holder, set) in &self.sets {
            let name = match *holder {
                Holder::Member(object, member) => describe.member(object, member),
                Holder::Static(field) => self.semantics.program.describe_field(field),
                Holder::Slot(..) | Holder::Scope(..) | Holder::VmExceptions => continue,
            };
            facts.hold(name, set.iter().map(|&object| describe.object(object)));
        }
        for edge in &self.edges {
            facts.calls.insert(describe.edge(edge));
        }
        facts
    }
}
