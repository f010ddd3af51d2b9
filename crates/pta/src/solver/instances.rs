//! Instances come to life here: a procedure is summarised when it is first reached, and its summary is instantiated for
//! each context.
//!
//! Reached instances are collected and built together once propagation has come to rest, so that the bodies of all
//! methods that are new can be lowered in parallel.

use rayon::prelude::*;

use selvedge_world::{ClassId, MethodId};

use super::{InstanceId, NodeId, Solver, at};
use crate::context::{ContextId, Contexts};
use crate::heap::{ObjectId, Types};
use crate::procedure::ProcedureId;
use crate::summary::{Member, Statement};

impl Solver<'_> {
    /// The instance of a procedure in a context; a new one is noted to be built.
    pub(super) fn instance(&mut self, procedure: ProcedureId, context: ContextId) -> InstanceId {
        let (id, is_new) = self.semantics.instance(procedure, context);
        if is_new {
            self.bases.push(None);
            self.unbuilt.push(id);
        }
        id
    }

    /// Makes a procedure reachable without a caller: the VM calls it.
    pub(crate) fn reach(&mut self, procedure: ProcedureId) {
        self.instance(procedure, Contexts::EMPTY);
    }

    /// Builds all instances that were reached, and those that building them reaches by static calls.
    pub(super) fn build_reached(&mut self) {
        while !self.unbuilt.is_empty() {
            let batch = std::mem::take(&mut self.unbuilt);
            self.lower(&batch);
            for &instance in &batch {
                self.build(instance);
            }
            // Callees that this batch reached by static calls come with the next.
            for edge in std::mem::take(&mut self.unlinked) {
                match self.bases[edge.callee] {
                    Some(_) => self.link(edge),
                    None => self.unlinked.push(edge),
                }
            }
            for link in std::mem::take(&mut self.unlinked_by_rules) {
                self.link_by_rule(link);
            }
            for (edge, object) in std::mem::take(&mut self.unplaced) {
                self.place_receiver(edge, object);
            }
        }
    }

    /// Lowers the bodies of methods that have no summary yet, in parallel; the program keeps them.
    fn lower(&self, batch: &[InstanceId]) {
        let procedures = &self.semantics.procedures;
        let mut methods: Vec<MethodId> = batch
            .iter()
            .map(|&instance| self.semantics.instances[instance].procedure)
            .filter(|&procedure| procedures.summary(procedure).is_none())
            .filter_map(|procedure| procedures.method(procedure))
            .collect();
        methods.sort_unstable();
        methods.dedup();
        let program = self.semantics.program;
        methods.par_iter().for_each(|&method| {
            program.body(method);
        });
    }

    fn build(&mut self, id: InstanceId) {
        let procedure = self.semantics.instances[id].procedure;
        if self.semantics.summarize(procedure) {
            self.build_procedure(procedure);
        }
        let slots = self.semantics.summary(procedure).slots;
        let base = self.new_nodes(slots, Some(id));
        self.bases[id] = Some(base);
        for position in 0..self.semantics.summary(procedure).statements.len() {
            let statement = self.semantics.summary(procedure).statements[position];
            self.instantiate(id, base, statement);
        }
    }

    /// What is done once per procedure: its scopes, and the classes that it initialises.
    fn build_procedure(&mut self, procedure: ProcedureId) {
        let summary = self.semantics.summary(procedure);
        let (left, classes) = (summary.scopes.clone(), summary.initializes.clone());
        let scopes = self.new_nodes(left.len().max(1) as u32, None);
        for (scope, left) in left.iter().enumerate().skip(1) {
            if let Some(filter) = left {
                self.add_edge(NodeId::new(scopes.number() + scope as u32), scopes, *filter);
            }
        }
        self.scopes.insert(procedure, scopes);
        for class in classes {
            self.initialize(class);
        }
    }

    /// What a statement does when its instance is built.
    pub(super) fn instantiate(&mut self, id: InstanceId, base: NodeId, statement: Statement) {
        let procedure = self.semantics.instances[id].procedure;
        match statement {
            Statement::Allocate { into, site } => {
                let object = self.semantics.allocate(id, site);
                self.graph.add_object(at(base, into), object);
                if self.semantics.is_finalizable(object) {
                    self.put_in_cell("finalizable", object);
                }
            }
            Statement::Copy { into, from, filter } => self.add_edge(at(base, from), at(base, into), filter),
            Statement::LoadStatic { into, field } => {
                let from = self.static_node(field);
                self.add_edge(from, at(base, into), Types::ANY);
            }
            Statement::StoreStatic { field, from } => {
                let into = self.static_node(field);
                self.add_edge(at(base, from), into, Types::ANY);
            }
            Statement::Throw { from, scope } => {
                let into = self.scope_node(procedure, scope);
                self.add_edge(at(base, from), into, Types::ANY);
            }
            Statement::Catch { into, scope, filter } => {
                let from = self.scope_node(procedure, scope);
                self.add_edge(from, at(base, into), filter);
                self.add_edge(self.vm_exceptions, at(base, into), filter);
            }
            Statement::Call(number) => self.call_without_receiver(id, number),
            // These wait for objects.
            Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::LoadAll { .. }
            | Statement::StoreAll { .. }
            | Statement::Special { .. }
            | Statement::RuleCall { .. } => {}
        }
    }

    /// Puts an object into a cell of the VM's memory.
    fn put_in_cell(&mut self, cell: &str, object: ObjectId) {
        if let Some(cell) = self.semantics.vm_cell(cell)
            && let Some(node) = self.member_node(cell, Member::Captured(0))
        {
            self.graph.add_object(node, object);
        }
    }

    pub(super) fn scope_node(&self, procedure: ProcedureId, scope: u32) -> NodeId {
        let first = self.scopes.get(&procedure).expect("the scopes of a built procedure exist");
        NodeId::new(first.number() + scope)
    }

    /// Runs the initialisers of a class.
    pub(super) fn initialize(&mut self, class: ClassId) {
        for initializer in self.semantics.initializers(class) {
            self.reach(initializer);
        }
    }
}
