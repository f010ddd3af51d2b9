//! The solver: from entry points to points-to sets and a call graph, both at once.
//!
//! Inclusion-based (Andersen), field-sensitive, with the call graph built on the fly; what calls and allocations mean comes from
//! [`Semantics`], constraints from [`crate::summary`]. The techniques that make it fast: difference propagation, hybrid
//! sets, collapsing of cycles, filters worked out once per type, and summaries made once per procedure and instantiated
//! per context. Everything that decides an order is sequential, so that the result and all numbering in it are the same in
//! every run; only the lowering of newly reached methods runs in parallel.
//!
//! The slots of an instance are consecutive nodes of the constraint graph.

mod calls;
mod graph;
mod instances;

use selvedge_base::{FastMap, FastSet, HybridSet, IdVec};
use selvedge_world::FieldId;

use crate::budget::Degradation;
use crate::heap::{FilterId, ObjectId, Types};
use crate::procedure::ProcedureId;
use crate::semantics::{CallEdge, InstanceId, RuleLink, Semantics};
use crate::summary::{Member, Slot, Statement};

pub(crate) use graph::{ConstraintGraph, NodeId};

/// The state of a run of the solver.
pub(crate) struct Solver<'p> {
    pub semantics: Semantics<'p>,
    pub graph: ConstraintGraph,
    /// The node of slot 0 of each instance that is built; the other slots follow.
    pub bases: IdVec<InstanceId, Option<NodeId>>,
    pub members: FastMap<(ObjectId, Member), NodeId>,
    pub statics: FastMap<FieldId, NodeId>,
    pub call_edges: Vec<CallEdge>,
    pub degradations: Vec<Degradation>,
    /// To which instance a node belongs as a slot.
    pub owners: IdVec<NodeId, Option<InstanceId>>,
    /// The node of scope 0 of each procedure; the other scopes follow.
    pub scopes: FastMap<ProcedureId, NodeId>,
    pub vm_exceptions: NodeId,
    seen_edges: FastSet<CallEdge>,
    seen_throws: FastSet<(NodeId, NodeId)>,
    /// Statements that rules added to an instance, by the node they wait for.
    extra: FastMap<NodeId, Vec<Statement>>,
    /// Calls that rules make on the objects of a slot, by number.
    rule_calls: Vec<calls::RuleCall>,
    seen_links: FastSet<RuleLink>,
    /// Instances that were reached but are not built yet, and what waits for them.
    unbuilt: Vec<InstanceId>,
    unlinked: Vec<CallEdge>,
    unlinked_by_rules: Vec<RuleLink>,
    unplaced: Vec<(CallEdge, ObjectId)>,
}

impl<'p> Solver<'p> {
    pub fn new(semantics: Semantics<'p>) -> Self {
        let mut solver = Self {
            semantics,
            graph: ConstraintGraph::default(),
            bases: IdVec::new(),
            members: FastMap::default(),
            statics: FastMap::default(),
            call_edges: Vec::new(),
            degradations: Vec::new(),
            owners: IdVec::new(),
            scopes: FastMap::default(),
            vm_exceptions: NodeId::new(0),
            seen_edges: FastSet::default(),
            seen_throws: FastSet::default(),
            extra: FastMap::default(),
            rule_calls: Vec::new(),
            seen_links: FastSet::default(),
            unbuilt: Vec::new(),
            unlinked: Vec::new(),
            unlinked_by_rules: Vec::new(),
            unplaced: Vec::new(),
        };
        solver.vm_exceptions = solver.new_nodes(1, None);
        for object in solver.semantics.vm_exceptions() {
            solver.graph.add_object(solver.vm_exceptions, object);
        }
        if let Some(cell) = solver.semantics.vm_cell("uncaught-exceptions")
            && let Some(node) = solver.member_node(cell, Member::Captured(0))
        {
            solver.add_edge(solver.vm_exceptions, node, Types::ANY);
        }
        solver
    }

    /// Runs to the fixpoint, or until it has done more work than the limit allows. Whether it got to the fixpoint.
    pub fn solve(&mut self, work_limit: u64) -> bool {
        let mut steps = 0u32;
        while !self.unbuilt.is_empty() {
            self.build_reached();
            if self.graph.wants_collapse() {
                self.graph.collapse_cycles();
            }
            while let Some((node, new)) = self.graph.pop() {
                self.visit(node, &new);
                steps = steps.wrapping_add(1);
                if steps.is_multiple_of(1024) {
                    self.check_budget();
                    if self.graph.work() > work_limit {
                        return false;
                    }
                    if self.graph.wants_collapse() {
                        self.graph.collapse_cycles();
                    }
                }
            }
        }
        true
    }

    fn check_budget(&mut self) {
        let Semantics { budget, instances, .. } = &mut self.semantics;
        self.degradations.extend(budget.check(self.graph.node_count(), instances));
    }

    fn new_nodes(&mut self, count: u32, owner: Option<InstanceId>) -> NodeId {
        let first = self.graph.add_nodes(count);
        self.owners.resize_with(self.graph.node_count(), || owner);
        first
    }

    fn add_edge(&mut self, from: NodeId, to: NodeId, filter: FilterId) {
        self.graph.add_edge(&mut self.semantics.heap, from, to, filter);
    }

    /// Lets everything that waits for a node see what is new there.
    fn visit(&mut self, node: NodeId, new: &HybridSet<ObjectId>) {
        self.graph.propagate(&mut self.semantics.heap, node, new);
        let members: smallvec::SmallVec<[NodeId; 4]> = self.graph.members(node).collect();
        for member in members {
            let Some(owner) = self.owners[member] else { continue };
            let base = self.base(owner);
            let procedure = self.semantics.instances[owner].procedure;
            let slot = member.number() - base.number();
            for index in 0..self.semantics.summary(procedure).watchers(slot).len() {
                let summary = self.semantics.summary(procedure);
                let statement = summary.statements[summary.watchers(slot)[index] as usize];
                self.react(owner, base, statement, new);
            }
            for statement in self.extra.get(&member).cloned().unwrap_or_default() {
                self.react(owner, base, statement, new);
            }
        }
    }

    /// What a statement does when objects arrive at the slot it waits for.
    fn react(&mut self, owner: InstanceId, base: NodeId, statement: Statement, new: &HybridSet<ObjectId>) {
        match statement {
            Statement::Load { into, member, .. } => {
                for object in self.semantics.heap.candidates(new, member) {
                    if let Some(from) = self.member_node(object, member) {
                        self.add_edge(from, at(base, into), Types::ANY);
                    }
                }
            }
            Statement::Store { member, from, .. } => {
                for object in self.semantics.heap.candidates(new, member) {
                    let filter = self.semantics.heap.store_filter(object, member);
                    if let Some(to) = self.member_node(object, member) {
                        self.add_edge(at(base, from), to, filter);
                    }
                }
            }
            Statement::LoadAll { into, .. } => {
                for object in new.iter() {
                    for member in self.semantics.heap.reference_members(object) {
                        if let Some(from) = self.member_node(object, member) {
                            self.add_edge(from, at(base, into), Types::ANY);
                        }
                    }
                }
            }
            Statement::StoreAll { from, .. } => {
                for object in new.iter() {
                    for member in self.semantics.heap.reference_members(object) {
                        let filter = self.semantics.heap.rule_store_filter(object, member);
                        if let Some(to) = self.member_node(object, member) {
                            self.add_edge(at(base, from), to, filter);
                        }
                    }
                }
            }
            Statement::Call(number) => self.call_on_receivers(owner, number, new),
            Statement::RuleCall { number, .. } => self.rule_call_on_receivers(owner, number, new),
            Statement::Special { rule, .. } => {
                for object in new.iter() {
                    for effect in self.semantics.fire(owner, rule, object) {
                        self.apply(owner, effect);
                    }
                }
            }
            _ => {}
        }
    }

    /// The node of a member of an object; `None` where objects of that type have no such member.
    fn member_node(&mut self, object: ObjectId, member: Member) -> Option<NodeId> {
        if let Some(&node) = self.members.get(&(object, member)) {
            return Some(node);
        }
        if !self.semantics.heap.has_member(object, member) {
            return None;
        }
        let node = self.new_nodes(1, None);
        self.members.insert((object, member), node);
        Some(node)
    }

    fn static_node(&mut self, field: FieldId) -> NodeId {
        if let Some(&node) = self.statics.get(&field) {
            return node;
        }
        let node = self.new_nodes(1, None);
        self.statics.insert(field, node);
        node
    }

    fn base(&self, instance: InstanceId) -> NodeId {
        self.bases[instance].expect("the instance is built")
    }
}

/// The node of a slot of the instance whose slot 0 is `base`.
pub(crate) fn at(base: NodeId, slot: Slot) -> NodeId {
    NodeId::new(base.number() + slot.number())
}
