//! The constraints of an inclusion-based analysis: a copy is an edge of the graph, receivers go to callees object by object.

use selvedge_base::HybridSet;
use smallvec::SmallVec;

use super::{NodeId, Solver, at};
use crate::assembly::{Assembler, Assembly, RuleCall};
use crate::heap::{FilterId, ObjectId, TypeId, Types};
use crate::procedure::ProcedureId;
use crate::semantics::{CallEdge, InstanceId, Semantics};
use crate::summary::{Statement, Target};

impl<'p> Assembler<'p> for Solver<'p> {
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

    fn add_nodes(&mut self, count: u32, owner: Option<InstanceId>) -> NodeId {
        let first = self.graph.add_nodes(count);
        self.owners.resize_with(self.graph.node_count(), || owner);
        first
    }

    fn copy(&mut self, from: NodeId, into: NodeId, filter: FilterId) {
        self.add_edge(from, into, filter);
    }

    fn copy_one_way(&mut self, from: NodeId, into: NodeId, filter: FilterId) {
        self.add_edge(from, into, filter);
    }

    fn put(&mut self, place: NodeId, objects: &[ObjectId]) {
        self.graph.add_objects(place, objects);
    }

    fn make(&mut self, place: NodeId, object: ObjectId) {
        self.graph.add_object(place, object);
    }

    /// Nothing to do: summaries know which statements wait for which slot.
    fn wait(&mut self, _: InstanceId, _: NodeId, _: Statement) {}

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

    fn link(&mut self, edge: CallEdge) {
        let (caller, callee) = (self.assembly.base(edge.caller), self.assembly.base(edge.callee));
        let call = self.semantics.call(edge.caller, edge.call);
        let called = self.semantics.summary(self.semantics.instances[edge.callee].procedure);
        let returned = (call.result, called.result, call.result_filter, called.returns_this);
        // The receiver is passed object by object, to the instance that dispatch chose for it.
        let skip = usize::from(!matches!(call.target, Target::Static(_)));
        for (argument, parameter) in self.semantics.passed(edge, skip) {
            self.add_edge(at(caller, argument), at(callee, parameter), Types::ANY);
        }
        if let (Some(into), Some(from), filter, false) = returned {
            self.add_edge(at(callee, from), at(caller, into), filter);
        }
    }

    fn hand_back(&mut self, edge: CallEdge, receivers: &[ObjectId]) {
        if let Some(result) = self.semantics.call(edge.caller, edge.call).result {
            self.put(at(self.assembly.base(edge.caller), result), receivers);
        }
    }
}

impl Solver<'_> {
    /// New receivers have arrived at a call: those that run the same method come to it together, as far as contexts allow.
    pub(super) fn call_on_receivers(&mut self, caller: InstanceId, number: u32, new: &HybridSet<ObjectId>) {
        let target = self.semantics.call(caller, number).target;
        // Objects of one type come in runs.
        let mut last: Option<(TypeId, Option<ProcedureId>)> = None;
        let mut receivers: SmallVec<[(ProcedureId, ObjectId); 16]> = SmallVec::new();
        for object in new.iter() {
            let ty = self.semantics.heap.get(object).ty;
            let procedure = match last {
                Some((known, procedure)) if known == ty => procedure,
                _ => self.semantics.callee(target, object),
            };
            last = Some((ty, procedure));
            receivers.extend(procedure.map(|procedure| (procedure, object)));
        }
        receivers.sort_unstable();
        let contexts_differ = !self.semantics.heap.coarsening.has_no_contexts();
        let mut together: SmallVec<[ObjectId; 16]> = SmallVec::new();
        for group in receivers.chunk_by(|one, other| one.0 == other.0) {
            let mut edge: Option<CallEdge> = None;
            for &(procedure, object) in group {
                if contexts_differ || edge.is_none() {
                    let context = self.semantics.context_of_call(caller, number, procedure, Some(object));
                    let callee = self.instance(procedure, context);
                    let next = CallEdge { caller, call: number, callee };
                    if edge != Some(next) {
                        self.send_receivers(edge.replace(next), &mut together);
                    }
                }
                together.push(object);
            }
            self.send_receivers(edge, &mut together);
        }
    }

    /// The same for a call that a rule makes.
    pub(super) fn make_rule_calls(&mut self, owner: InstanceId, call: &RuleCall, new: &[ObjectId]) {
        if !self.semantics.heap.coarsening.has_no_contexts() {
            for &receiver in new {
                self.make_rule_call(owner, call, receiver);
            }
            return;
        }
        let mut receivers: Vec<(ProcedureId, ObjectId)> = Vec::new();
        for &object in new {
            let procedures = self.semantics.reflective_callees(call.callee, object);
            receivers.extend(procedures.into_iter().map(|procedure| (procedure, object)));
        }
        receivers.sort_unstable();
        for group in receivers.chunk_by(|one, other| one.0 == other.0) {
            let (procedure, first) = group[0];
            let objects: SmallVec<[ObjectId; 16]> = group.iter().map(|&(_, object)| object).collect();
            let context = self.semantics.context_of_rule_call(call.callee, owner, procedure, first);
            let arguments = call.arguments.clone();
            self.call_by_rule(owner, (procedure, context), &objects, arguments, call.result);
        }
    }

    /// Connects a call with a callee and gives it its receivers.
    fn send_receivers(&mut self, edge: Option<CallEdge>, receivers: &mut SmallVec<[ObjectId; 16]>) {
        if let Some(edge) = edge {
            self.connect(edge);
            self.place_receivers(edge, receivers);
        }
        receivers.clear();
    }
}
