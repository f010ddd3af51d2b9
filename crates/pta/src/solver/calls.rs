//! Calls: passing receivers, arguments, results and exceptions.

use selvedge_base::HybridSet;

use super::{CallEdge, InstanceId, NodeId, Solver, at};
use crate::context::ContextId;
use crate::heap::{FilterId, ObjectId, TypeId, Types};
use crate::plugin::{Effect, SlotCallee};
use crate::procedure::ProcedureId;
use crate::semantics::{RULE_CALL, RuleLink};
use crate::summary::{Slot, Statement, Target};

/// A method that a rule calls on the objects of a slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RuleCall {
    callee: SlotCallee,
    arguments: Vec<Option<Slot>>,
    result: Option<Slot>,
}

impl Solver<'_> {
    /// A call that needs no receiver is made when its instance is built.
    pub(super) fn call_without_receiver(&mut self, caller: InstanceId, number: u32) {
        match self.semantics.call(caller, number).target {
            Target::Static(procedure) => {
                let context = self.semantics.context_of_call(caller, number, procedure, None);
                let callee = self.instance(procedure, context);
                self.connect(CallEdge { caller, call: number, callee });
            }
            Target::Unknown(_) => {
                let method = self.semantics.procedures.method(self.semantics.instances[caller].procedure);
                self.semantics.library.note_unknown_bootstrap(self.semantics.program, method);
            }
            Target::Exact(_) | Target::Virtual(_) | Target::Named(..) => {}
        }
    }

    /// New receivers have arrived at a call.
    pub(super) fn call_on_receivers(&mut self, caller: InstanceId, number: u32, new: &HybridSet<ObjectId>) {
        let target = self.semantics.call(caller, number).target;
        // Objects of one type come in runs.
        let mut last: Option<(TypeId, Option<ProcedureId>)> = None;
        let mut connected: Option<InstanceId> = None;
        for object in new.iter() {
            let ty = self.semantics.heap.get(object).ty;
            let procedure = match last {
                Some((known, procedure)) if known == ty => procedure,
                _ => self.semantics.callee(target, object),
            };
            last = Some((ty, procedure));
            if let Some(procedure) = procedure {
                let context = self.semantics.context_of_call(caller, number, procedure, Some(object));
                let callee = self.instance(procedure, context);
                let edge = CallEdge { caller, call: number, callee };
                if connected.replace(callee) != Some(callee) {
                    self.connect(edge);
                }
                self.place_receiver(edge, object);
            }
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

    /// The part of [`connect`](Self::connect) that needs the callee to be built.
    pub(super) fn link(&mut self, edge: CallEdge) {
        if edge.call == RULE_CALL {
            return;
        }
        let (caller_base, callee_base) = (self.base(edge.caller), self.base(edge.callee));
        let caller = self.semantics.instances[edge.caller].procedure;
        let callee = self.semantics.instances[edge.callee].procedure;
        let mut edges: smallvec::SmallVec<[(NodeId, NodeId, FilterId); 8]> = smallvec::SmallVec::new();
        let call = self.semantics.call(edge.caller, edge.call);
        let called = self.semantics.summary(callee);
        // The receiver is passed object by object, to the instance that dispatch chose for it.
        let skip = usize::from(!matches!(call.target, Target::Static(_)));
        for (argument, parameter) in call.arguments.iter().zip(&called.parameters).skip(skip) {
            if let (Some(argument), Some(parameter)) = (argument, parameter) {
                edges.push((at(caller_base, *argument), at(callee_base, *parameter), Types::ANY));
            }
        }
        if let (Some(result), Some(returned), false) = (call.result, called.result, called.returns_this) {
            edges.push((at(callee_base, returned), at(caller_base, result), call.result_filter));
        }
        let scope = call.scope;
        for (from, to, filter) in edges {
            self.add_edge(from, to, filter);
        }
        self.throw_into(callee, caller, scope);
    }

    /// What a procedure throws arrives in a scope of another. Scopes have no contexts, so most call edges repeat it.
    fn throw_into(&mut self, callee: ProcedureId, caller: ProcedureId, scope: u32) {
        let (from, to) = (self.scope_node(callee, 0), self.scope_node(caller, scope));
        if self.seen_throws.insert((from, to)) {
            self.add_edge(from, to, Types::ANY);
        }
    }

    /// Puts a receiver into the first parameter of the callee, and into the result of the call if that is what the callee
    /// returns; now, or when the callee is built.
    pub(super) fn place_receiver(&mut self, edge: CallEdge, object: ObjectId) {
        let Some(base) = self.bases[edge.callee] else {
            self.unplaced.push((edge, object));
            return;
        };
        let called = self.semantics.summary(self.semantics.instances[edge.callee].procedure);
        let returns_this = called.returns_this;
        if let Some(Some(this)) = called.parameters.first() {
            self.graph.add_object(at(base, *this), object);
        }
        if returns_this
            && edge.call != RULE_CALL
            && let Some(result) = self.semantics.call(edge.caller, edge.call).result
        {
            self.graph.add_object(at(self.base(edge.caller), result), object);
        }
    }

    /// Does what a rule wants.
    pub(super) fn apply(&mut self, owner: InstanceId, effect: Effect) {
        let base = self.base(owner);
        match effect {
            Effect::Put { object, into } => self.graph.add_object(at(base, into), object),
            Effect::PutMember { object, into: (holder, member) } => {
                if let Some(into) = self.member_node(holder, member) {
                    self.graph.add_object(into, object);
                }
            }
            Effect::CopyMember { from: (from, from_member), into: (into, into_member) } => {
                let nodes = (self.member_node(from, from_member), self.member_node(into, into_member));
                if let (Some(from), Some(into)) = nodes {
                    self.add_edge(from, into, Types::ANY);
                }
            }
            Effect::LoadMember { object, member, into } => {
                if let Some(from) = self.member_node(object, member) {
                    self.add_edge(from, at(base, into), Types::ANY);
                }
            }
            Effect::StoreMember { object, member, from } => {
                if let Some(into) = self.member_node(object, member) {
                    let filter = self.semantics.heap.rule_store_filter(object, member);
                    self.add_edge(at(base, from), into, filter);
                }
            }
            Effect::Add(statement) => self.add_statement(owner, base, statement),
            Effect::Call { procedure, receiver, arguments, result } => {
                let context = self.semantics.context_of_call(owner, RULE_CALL, procedure, receiver);
                self.call_by_rule(owner, (procedure, context), receiver, arguments, result);
            }
            Effect::CallOnSlot { callee, receivers, arguments, result } => {
                let call = RuleCall { callee, arguments, result };
                let known = self.rule_calls.iter().position(|known| *known == call);
                let number = known.unwrap_or_else(|| {
                    self.rule_calls.push(call);
                    self.rule_calls.len() - 1
                });
                let statement = Statement::RuleCall { watch: receivers, number: number as u32 };
                self.add_statement(owner, base, statement);
            }
            Effect::Initialize(class) => self.initialize(class),
        }
    }

    /// New receivers have arrived at a call that a rule made.
    pub(super) fn rule_call_on_receivers(
        &mut self,
        owner: InstanceId,
        number: u32,
        new: &HybridSet<ObjectId>,
    ) {
        let RuleCall { callee, arguments, result } = self.rule_calls[number as usize].clone();
        for object in self.semantics.possible_receivers(callee, new) {
            for procedure in self.semantics.reflective_callees(callee, object) {
                let context = self.semantics.context_of_rule_call(callee, owner, procedure, object);
                self.call_by_rule(owner, (procedure, context), Some(object), arguments.clone(), result);
            }
        }
    }

    /// A statement that a rule found: it applies to what its slots hold already and to what comes.
    fn add_statement(&mut self, owner: InstanceId, base: NodeId, statement: Statement) {
        let Some(slot) = statement.watches(&[]) else {
            self.instantiate(owner, base, statement);
            return;
        };
        let node = at(base, slot);
        let statements = self.extra.entry(node).or_default();
        if statements.contains(&statement) {
            return;
        }
        statements.push(statement);
        let present = self.graph.set(node).clone();
        self.react(owner, base, statement, &present);
    }

    fn call_by_rule(
        &mut self,
        caller: InstanceId,
        (procedure, context): (ProcedureId, ContextId),
        receiver: Option<ObjectId>,
        arguments: Vec<Option<Slot>>,
        result: Option<Slot>,
    ) {
        let callee = self.instance(procedure, context);
        let edge = CallEdge { caller, call: RULE_CALL, callee };
        self.connect(edge);
        if let Some(receiver) = receiver {
            self.place_receiver(edge, receiver);
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
        let mut edges: Vec<(NodeId, NodeId, FilterId)> = parameters
            .zip(&link.arguments)
            .filter_map(|((parameter, filter), argument)| {
                Some((at(caller_base, (*argument)?), at(callee_base, (*parameter)?), filter))
            })
            .collect();
        if let (Some(result), Some(returned)) = (link.result, called.result) {
            edges.push((at(callee_base, returned), at(caller_base, result), Types::ANY));
        }
        for (from, to, filter) in edges {
            self.add_edge(from, to, filter);
        }
        self.throw_into(callee, caller, 0);
    }
}
