//! Questions that detectors ask of a result, beyond those that it is stored for.

use std::collections::BTreeMap;

use selvedge_base::{FastSet, HybridSet, Symbol};
use selvedge_ir::Value;
use selvedge_world::FieldId;

use crate::context::is_application;
use crate::heap::ObjectId;
use crate::procedure::{Procedure, ProcedureId};
use crate::result::Analysis;
use crate::semantics::{InstanceId, select_named};
use crate::solver::at;
use crate::summary::{Member, Slot};

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

    /// The fields of the application, instance and static, that may hold each of these objects, in order. Elements of arrays
    /// and fields of the library do not count.
    pub fn holders_of(&self, objects: &FastSet<ObjectId>) -> BTreeMap<ObjectId, Vec<FieldId>> {
        let mut found: BTreeMap<ObjectId, Vec<FieldId>> = BTreeMap::new();
        let instance_fields = self.members.iter().filter_map(|(&(_, member), &node)| match member {
            Member::Field(field) => Some((field, node)),
            _ => None,
        });
        let static_fields = self.statics.iter().map(|(&field, &node)| (field, node));
        for (field, node) in instance_fields.chain(static_fields) {
            if is_application(self.program, self.program.fields[field].class) {
                let held = self.graph.set(node).iter().filter(|object| objects.contains(object));
                held.for_each(|object| found.entry(object).or_default().push(field));
            }
        }
        for fields in found.values_mut() {
            fields.sort_unstable();
            fields.dedup();
        }
        found
    }

    /// Every member of an object that something is known to read or write, with what it may hold; in no particular order.
    /// Members that hold the same share one set.
    pub fn members(&self) -> impl Iterator<Item = (ObjectId, Member, &HybridSet<ObjectId>)> {
        self.members.iter().map(|(&(object, member), &node)| (object, member, self.graph.set(node)))
    }

    /// Every static field that something is known to read or write, with what it may hold; in no particular order.
    pub fn static_fields(&self) -> impl Iterator<Item = (FieldId, &HybridSet<ObjectId>)> {
        self.statics.iter().map(|(&field, &node)| (field, self.graph.set(node)))
    }
}
