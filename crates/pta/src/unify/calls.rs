//! Calls: which methods the objects of a class select, and on which of them these run.

use selvedge_base::{FastSet, HybridSet};

use super::Unifier;
use super::classes::{Called, Calls, Class};
use crate::assembly::Assembler;
use crate::context::Contexts;
use crate::heap::ObjectId;
use crate::procedure::ProcedureId;
use crate::semantics::{CallEdge, InstanceId};
use crate::solver::NodeId;

impl Unifier<'_> {
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
                self.place_receivers(CallEdge { caller, call: number, callee }, objects);
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
        let edge = CallEdge { caller, call: number, callee };
        self.connect(edge);
        if context == Contexts::EMPTY && reached.insert(callee) {
            self.place_receivers(edge, objects);
        }
    }
}
