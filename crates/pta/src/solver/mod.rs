//! The solver: from entry points to points-to sets and a call graph, both at once.
//!
//! Inclusion-based (Andersen), field-sensitive, with the call graph built on the fly; what calls and allocations mean comes from
//! [`Semantics`], constraints from [`crate::summary`]. The techniques that make it fast: difference propagation, hybrid
//! sets, collapsing of cycles, filters worked out once per type, and summaries made once per procedure and instantiated
//! per context ([`crate::assembly`]). Everything that decides an order is sequential, so that the result and all numbering in it
//! are the same in every run.

mod assemble;
mod frozen;
mod graph;

use selvedge_base::{FastMap, HybridSet, IdVec};

use crate::assembly::{Assembler, Assembly};
use crate::budget::Degradation;
use crate::heap::{FilterId, ObjectId, Types};
use crate::semantics::{InstanceId, Semantics};
use crate::summary::{Slot, Statement};

pub(crate) use frozen::FrozenGraph;
pub(crate) use graph::{ConstraintGraph, NodeId};

/// The state of a run of the solver.
pub(crate) struct Solver<'p> {
    pub semantics: Semantics<'p>,
    pub graph: ConstraintGraph,
    pub assembly: Assembly,
    pub degradations: Vec<Degradation>,
    /// To which instance a node belongs as a slot.
    pub owners: IdVec<NodeId, Option<InstanceId>>,
    /// Statements that rules added to an instance, by the node they wait for.
    extra: FastMap<NodeId, Vec<Statement>>,
}

impl<'p> Solver<'p> {
    pub fn new(semantics: Semantics<'p>) -> Self {
        let mut solver = Self {
            semantics,
            graph: ConstraintGraph::default(),
            assembly: Assembly::new(),
            degradations: Vec::new(),
            owners: IdVec::new(),
            extra: FastMap::default(),
        };
        solver.prepare();
        solver
    }

    /// Runs to the fixpoint, or until it has done more work than the limit allows. Whether it got to the fixpoint.
    pub fn solve(&mut self, work_limit: u64) -> bool {
        let mut steps = 0u32;
        while self.assembly.is_incomplete() {
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

    fn add_edge(&mut self, from: NodeId, to: NodeId, filter: FilterId) {
        self.graph.add_edge(&mut self.semantics.heap, from, to, filter);
    }

    /// Lets everything that waits for a node see what is new there.
    fn visit(&mut self, node: NodeId, new: &HybridSet<ObjectId>) {
        self.graph.propagate(&mut self.semantics.heap, node, new);
        let members: smallvec::SmallVec<[NodeId; 4]> = self.graph.members(node).collect();
        for member in members {
            let Some(owner) = self.owners[member] else { continue };
            let base = self.assembly.base(owner);
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
                    self.load_all(object, at(base, into));
                }
            }
            Statement::StoreAll { from, .. } => {
                for object in new.iter() {
                    self.store_all(object, at(base, from));
                }
            }
            Statement::Call(number) => self.call_on_receivers(owner, number, new),
            Statement::RuleCall { number, .. } => {
                let (call, receivers) = self.rule_call_on(number, new.iter());
                self.make_rule_calls(owner, &call, &receivers);
            }
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
}

/// The node of a slot of the instance whose slot 0 is `base`.
pub(crate) fn at(base: NodeId, slot: Slot) -> NodeId {
    NodeId::new(base.number() + slot.number())
}
