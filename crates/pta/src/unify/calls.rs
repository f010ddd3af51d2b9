//! Calls: which methods the objects of a class select, and what is one place with what then.

use selvedge_base::{FastSet, HybridSet, Id};

use super::classes::{Called, Calls, Class};
use super::{Task, Unifier};
use crate::context::{ContextId, Contexts};
use crate::heap::{FilterId, ObjectId, Types};
use crate::plugin::{Effect, SlotCallee};
use crate::procedure::ProcedureId;
use crate::semantics::{CallEdge, InstanceId, RULE_CALL, RuleLink};
use crate::solver::{NodeId, at};
use crate::summary::{Slot, Statement, Target};

/// A method that a rule calls on the objects of a slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RuleCall {
    callee: SlotCallee,
    arguments: Vec<Option<Slot>>,
    result: Option<Slot>,
}

impl Unifier<'_> {
    pub(super) fn instance(&mut self, procedure: ProcedureId, context: ContextId) -> InstanceId {
        let (id, is_new) = self.semantics.instance(procedure, context);
        if is_new {
            self.bases.push(None);
            self.unbuilt.push(id);
        }
        id
    }

    /// A call of a new instance.
    pub(super) fn add_call(&mut self, caller: InstanceId, base: NodeId, number: u32) {
        let call = self.semantics.call(caller, number);
        match call.target {
            Target::Static(procedure) => {
                let context = self.semantics.context_of_call(caller, number, procedure, None);
                let callee = self.instance(procedure, context);
                self.connect(CallEdge { caller, call: number, callee });
            }
            Target::Unknown(_) => {
                let method = self.semantics.procedures.method(self.semantics.instances[caller].procedure);
                self.semantics.library.note_unknown_bootstrap(self.semantics.program, method);
            }
            target => {
                let Some(&Some(receiver)) = call.arguments.first() else { return };
                let procedure = self.semantics.instances[caller].procedure;
                let filter = self.slot_filters[&procedure][receiver.index()];
                self.tasks.push(Task::Call(at(base, receiver), (target, filter), (caller, number)));
            }
        }
    }

    /// A call on the objects of a place runs what other such calls do.
    pub(super) fn add_site(&mut self, receivers: NodeId, called: Called, site: (InstanceId, u32)) {
        let representative = self.classes.find(receivers);
        let mut class = self.classes.take(representative);
        let one = Calls { sites: vec![site], ..Calls::default() };
        match class.calls.get(called) {
            Some(_) => self.join_calls(class.calls.entry(called), one, &class.set),
            None => self.add_calls_to(&mut class, called, one, &HybridSet::default()),
        }
        self.classes.put(representative, class);
    }

    /// Calls of a method that was not called on a class before. They have seen some objects.
    pub(super) fn add_calls_to(
        &mut self,
        class: &mut Class,
        called: Called,
        mut calls: Calls,
        seen: &HybridSet<ObjectId>,
    ) {
        let position = class.calls.all.len() as u32;
        for (ty, selected) in &mut class.types.all {
            let Some(&first) = selected.objects.first() else { continue };
            if self.semantics.heap.types.passes(called.1, *ty)
                && let Some(procedure) = self.semantics.callee(called.0, first)
            {
                selected.calls.push((position, procedure));
                let new: Vec<ObjectId> =
                    selected.objects.iter().copied().filter(|&object| !seen.contains(object)).collect();
                self.give(&mut calls, procedure, &new);
            }
        }
        class.calls.insert(called, calls);
    }

    /// Calls run a procedure on new objects.
    pub(super) fn give(&mut self, calls: &mut Calls, procedure: ProcedureId, new: &[ObjectId]) {
        if new.is_empty() {
            return;
        }
        if calls.callees.get(procedure).is_some() {
            self.place_at(&calls.sites, procedure, new);
        } else {
            for &(caller, number) in &calls.sites {
                self.run(&mut calls.reached, caller, number, procedure, new);
            }
        }
        calls.callees.entry(procedure).extend_from_slice(new);
    }

    /// The calls of two classes that become one: each runs what the other one does. Ours have seen the objects of `seen`.
    pub(super) fn join_calls(&mut self, ours: &mut Calls, mut theirs: Calls, seen: &HybridSet<ObjectId>) {
        for &(caller, number) in &theirs.sites {
            for (procedure, objects) in &ours.callees.all {
                self.run(&mut ours.reached, caller, number, *procedure, objects);
            }
        }
        for (procedure, mut objects) in std::mem::take(&mut theirs.callees.all) {
            if ours.callees.get(procedure).is_none() {
                for &(caller, number) in &ours.sites {
                    self.run(&mut theirs.reached, caller, number, procedure, &objects);
                }
                ours.callees.insert(procedure, objects);
                continue;
            }
            objects.retain(|&object| !seen.contains(object));
            self.place_at(&ours.sites, procedure, &objects);
            ours.callees.entry(procedure).extend(objects);
        }
        ours.reached.extend(theirs.reached);
        ours.sites.extend(theirs.sites);
    }

    /// New receivers for what calls already run. Methods that are copied into their callers have the receivers of the call.
    fn place_at(&mut self, sites: &[(InstanceId, u32)], procedure: ProcedureId, objects: &[ObjectId]) {
        if let (Some(&first), Some(&(caller, number))) = (objects.first(), sites.first()) {
            let context = self.semantics.context_of_call(caller, number, procedure, Some(first));
            if context == Contexts::EMPTY {
                let callee = self.instance(procedure, context);
                self.place_receivers(callee, objects);
            }
        }
    }

    /// A call runs a procedure on some objects.
    fn run(
        &mut self,
        reached: &mut FastSet<InstanceId>,
        caller: InstanceId,
        number: u32,
        procedure: ProcedureId,
        objects: &[ObjectId],
    ) {
        let Some(&first) = objects.first() else { return };
        let context = self.semantics.context_of_call(caller, number, procedure, Some(first));
        let callee = self.instance(procedure, context);
        self.connect(CallEdge { caller, call: number, callee });
        if context == Contexts::EMPTY && reached.insert(callee) {
            self.place_receivers(callee, objects);
        }
    }

    /// Puts receivers into the first parameter of an instance, now or when it is built.
    pub(super) fn place_receivers(&mut self, callee: InstanceId, objects: &[ObjectId]) {
        let Some(base) = self.bases[callee] else {
            self.unplaced.push((callee, objects.to_vec()));
            return;
        };
        let called = self.semantics.summary(self.semantics.instances[callee].procedure);
        if let Some(Some(this)) = called.parameters.first() {
            self.send(at(base, *this), objects);
        }
    }

    /// Connects arguments, result and exceptions of a call with a callee, once.
    fn connect(&mut self, edge: CallEdge) {
        if !self.seen_edges.insert(edge) {
            return;
        }
        self.call_edges.push(edge);
        if self.bases[edge.callee].is_some() {
            self.link(edge);
        } else {
            self.unlinked.push(edge);
        }
    }

    pub(super) fn link(&mut self, edge: CallEdge) {
        if edge.call == RULE_CALL {
            return;
        }
        let (caller_base, callee_base) = (self.base(edge.caller), self.base(edge.callee));
        let caller = self.semantics.instances[edge.caller].procedure;
        let callee = self.semantics.instances[edge.callee].procedure;
        let call = self.semantics.call(edge.caller, edge.call);
        let called = self.semantics.summary(callee);
        let is_copied = self.semantics.instances[edge.callee].context != Contexts::EMPTY;
        let skip = usize::from(!matches!(call.target, Target::Static(_)) && !is_copied);
        for (argument, parameter) in call.arguments.iter().zip(&called.parameters).skip(skip) {
            if let (Some(argument), Some(parameter)) = (argument, parameter) {
                self.tasks.push(Task::Unite(at(caller_base, *argument), at(callee_base, *parameter)));
            }
        }
        let receiver = call.arguments.first().copied().flatten().filter(|_| called.returns_this);
        let returned = match receiver {
            Some(receiver) => Some((at(caller_base, receiver), call.result)),
            None => called.result.map(|returned| (at(callee_base, returned), call.result)),
        };
        let (filter, scope) = (call.result_filter, call.scope);
        if let Some((from, Some(result))) = returned {
            self.copy(from, at(caller_base, result), filter);
        }
        self.throw_into(callee, caller, scope);
    }

    /// What a procedure throws arrives in a scope of another.
    fn throw_into(&mut self, callee: ProcedureId, caller: ProcedureId, scope: u32) {
        let (from, to) = (self.scope_node(callee, 0), self.scope_node(caller, scope));
        self.tasks.push(Task::Unite(from, to));
    }

    /// Does what a rule wants.
    pub(super) fn apply(&mut self, owner: InstanceId, effect: Effect) {
        let base = self.base(owner);
        match effect {
            Effect::Put { object, into } => self.send(at(base, into), &[object]),
            Effect::PutMember { object, into: (holder, member) } => {
                if let Some(into) = self.member_node(holder, member) {
                    self.send(into, &[object]);
                }
            }
            Effect::CopyMember { from: (from, from_member), into: (into, into_member) } => {
                let nodes = (self.member_node(from, from_member), self.member_node(into, into_member));
                if let (Some(from), Some(into)) = nodes {
                    self.tasks.push(Task::Unite(from, into));
                }
            }
            Effect::LoadMember { object, member, into } => {
                if let Some(from) = self.member_node(object, member) {
                    self.tasks.push(Task::Unite(from, at(base, into)));
                }
            }
            Effect::StoreMember { object, member, from } => {
                if let Some(into) = self.member_node(object, member) {
                    let filter = self.semantics.heap.rule_store_filter(object, member);
                    self.copy(at(base, from), into, filter);
                }
            }
            Effect::Add(statement) => self.instantiate(owner, base, statement),
            Effect::Call { procedure, receiver, arguments, result } => {
                self.call_by_rule(owner, procedure, receiver, arguments, result);
            }
            Effect::CallOnSlot { callee, receivers, arguments, result } => {
                let call = RuleCall { callee, arguments, result };
                let known = self.rule_calls.iter().position(|known| *known == call);
                let number = known.unwrap_or_else(|| {
                    self.rule_calls.push(call);
                    self.rule_calls.len() - 1
                });
                let statement = Statement::RuleCall { watch: receivers, number: number as u32 };
                self.instantiate(owner, base, statement);
            }
            Effect::Initialize(class) => self.initialize(class),
        }
    }

    /// A new receiver has arrived at a call that a rule made. Whether it has what is called.
    pub(super) fn rule_call_on(&mut self, owner: InstanceId, number: u32, object: ObjectId) -> bool {
        let RuleCall { callee, arguments, result } = self.rule_calls[number as usize].clone();
        let procedures = self.semantics.reflective_callees(callee, object);
        for &procedure in &procedures {
            self.call_by_rule(owner, procedure, Some(object), arguments.clone(), result);
        }
        !procedures.is_empty()
    }

    fn call_by_rule(
        &mut self,
        caller: InstanceId,
        procedure: ProcedureId,
        receiver: Option<ObjectId>,
        arguments: Vec<Option<Slot>>,
        result: Option<Slot>,
    ) {
        let context = self.semantics.context_of_call(caller, RULE_CALL, procedure, receiver);
        let callee = self.instance(procedure, context);
        self.connect(CallEdge { caller, call: RULE_CALL, callee });
        if let Some(receiver) = receiver {
            self.place_receivers(callee, &[receiver]);
        }
        let link = RuleLink { caller, callee, arguments, has_receiver: receiver.is_some(), result };
        if self.seen_links.insert(link.clone()) {
            self.link_by_rule(link);
        }
    }

    /// Passes arguments and results of a call that a rule made, as soon as its callee is built.
    pub(super) fn link_by_rule(&mut self, link: RuleLink) {
        let (Some(caller_base), Some(callee_base)) = (self.bases[link.caller], self.bases[link.callee])
        else {
            self.unlinked_by_rules.push(link);
            return;
        };
        let caller = self.semantics.instances[link.caller].procedure;
        let callee = self.semantics.instances[link.callee].procedure;
        let filters = self.semantics.parameter_filters(callee);
        let called = self.semantics.summary(callee);
        let parameters = called.parameters.iter().zip(filters).skip(usize::from(link.has_receiver));
        let mut copies: Vec<(NodeId, NodeId, FilterId)> = parameters
            .zip(&link.arguments)
            .filter_map(|((parameter, filter), argument)| {
                Some((at(caller_base, (*argument)?), at(callee_base, (*parameter)?), filter))
            })
            .collect();
        if let (Some(result), Some(returned)) = (link.result, called.result) {
            copies.push((at(callee_base, returned), at(caller_base, result), Types::ANY));
        }
        for (from, into, filter) in copies {
            self.copy(from, into, filter);
        }
        self.throw_into(callee, caller, 0);
    }
}
