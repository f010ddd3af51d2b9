//! Questions that detectors ask of a result, beyond those that it is stored for.

use selvedge_base::{HybridSet, Symbol};
use selvedge_ir::Value;

use crate::heap::ObjectId;
use crate::procedure::{Procedure, ProcedureId};
use crate::result::Analysis;
use crate::semantics::{InstanceId, select_named};
use crate::solver::at;
use crate::summary::Slot;

impl Analysis<'_> {
    /// What a value of a method's body may point to in an instance of the method, as a set.
    pub fn points_to(&self, instance: InstanceId, value: Value) -> &HybridSet<ObjectId> {
        self.value_set(instance, value)
    }

    /// What a slot of an instance may point to.
    pub fn slot_points_to(&self, instance: InstanceId, slot: Slot) -> &HybridSet<ObjectId> {
        self.bases[instance].map_or(&self.empty, |base| self.graph.set(at(base, slot)))
    }

    /// What a parameter of an instance may point to, the receiver at position 0.
    pub fn parameter_points_to(&self, instance: InstanceId, position: usize) -> &HybridSet<ObjectId> {
        let summary = self.summary(self.instances[instance].procedure);
        let slot = summary.and_then(|summary| summary.parameters.get(position).copied().flatten());
        slot.map_or(&self.empty, |slot| self.slot_points_to(instance, slot))
    }

    /// The procedure that runs when the method of this name and descriptor is called on an object; `None` if objects
    /// like it have no such method, or it was never reached.
    pub fn implementation(&self, object: ObjectId, name: Symbol, descriptor: Symbol) -> Option<ProcedureId> {
        let ty = self.heap.get(object).ty;
        let mut find = |procedure: Procedure| self.procedures.find(procedure);
        select_named(self.program, &self.heap.types, &mut find, name, descriptor, ty)
    }

    /// The instances of a procedure, one for each context in which it is reached.
    pub fn instances_of_procedure(&self, procedure: ProcedureId) -> &[InstanceId] {
        self.instances_of.get(&procedure).map_or(&[], Vec::as_slice)
    }

    /// The instances of a procedure that may run with this object as receiver.
    pub fn instances_on(
        &self,
        procedure: ProcedureId,
        receiver: ObjectId,
    ) -> impl Iterator<Item = InstanceId> {
        let instances = self.instances_of_procedure(procedure).iter().copied();
        instances.filter(move |&instance| self.parameter_points_to(instance, 0).contains(receiver))
    }
}
