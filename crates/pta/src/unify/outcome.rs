//! From classes to the result: every place shows the objects of its class that its static type admits.

use selvedge_base::{FastMap, FastSet, HybridSet, Id, IdVec};
use selvedge_ir::Type;
use selvedge_world::FieldId;

use super::Unifier;
use super::classes::Class;
use crate::Analysis;
use crate::heap::{FilterId, ObjectId, Types};
use crate::semantics::InstanceId;
use crate::solver::{ConstraintGraph, NodeId, Solver};
use crate::summary::Member;

impl<'p> Unifier<'p> {
    /// The result: every place shows what its static type admits of its class.
    pub(super) fn finish(mut self) -> Analysis<'p> {
        let count = self.classes.len();
        let mut shown: FastMap<(NodeId, FilterId), u32> = FastMap::default();
        let mut sets: IdVec<NodeId, HybridSet<ObjectId>> = (0..count).map(|_| HybridSet::default()).collect();
        let mut parents: Vec<u32> = (0..count as u32).collect();
        for (place, filter) in self.static_types() {
            let class = self.classes.find(place);
            parents[place.index()] = *shown.entry((class, filter)).or_insert_with(|| {
                let mut set = HybridSet::default();
                for object in objects_of(self.classes.class(class), &self.types.made, &self.types.real) {
                    let ty = self.semantics.heap.get(object).ty;
                    if self.semantics.heap.types.passes(filter, ty) {
                        set.insert(object);
                    }
                }
                sets.push(set).number()
            });
        }
        for ((object, member), place) in self.assembly.members.clone() {
            for &made in self.types.made.get(&object).into_iter().flatten() {
                self.assembly.members.insert((made, member), place);
            }
        }
        parents.extend(count as u32..sets.len() as u32);
        let mut owners: IdVec<NodeId, Option<InstanceId>> = IdVec::filled(None, sets.len());
        for (instance, base) in self.assembly.bases.iter_ids() {
            let Some(base) = *base else { continue };
            let slots = self.semantics.summary(self.semantics.instances[instance].procedure).slots;
            for place in base.number()..base.number() + slots {
                owners[NodeId::new(place)] = Some(instance);
            }
        }
        let mut solver = Solver::new(self.semantics);
        solver.graph = ConstraintGraph::of_classes(parents, sets);
        solver.assembly = self.assembly;
        solver.owners = owners;
        let mut analysis = Analysis::new(solver);
        analysis.policy = "unify".to_owned();
        analysis.is_unified = true;
        analysis
    }

    /// Every place with the filter of its static type, in order.
    fn static_types(&mut self) -> Vec<(NodeId, FilterId)> {
        let mut found: Vec<(NodeId, FilterId)> =
            (0..self.classes.len()).map(|place| (NodeId::from_index(place), Types::ANY)).collect();
        for (instance, base) in self.assembly.bases.iter_ids() {
            let Some(base) = *base else { continue };
            let filters = &self.slot_filters[&self.semantics.instances[instance].procedure];
            for (slot, &filter) in filters.iter().enumerate() {
                found[base.index() + slot].1 = filter;
            }
        }
        let (program, heap) = (self.semantics.program, &mut self.semantics.heap);
        let mut of_field = |field: FieldId| match program.fields[field].ty() {
            Some(Type::Ref(class)) => heap.types.filter_to(class),
            _ => Types::ANY,
        };
        for (&(_, member), &place) in &self.assembly.members {
            if let Member::Field(field) = member {
                found[place.index()].1 = of_field(field);
            }
        }
        for (&field, &place) in &self.assembly.statics {
            found[place.index()].1 = of_field(field);
        }
        for (&(object, member), &place) in &self.assembly.members {
            if member == Member::Element {
                let ty = self.semantics.heap.get(object).ty;
                found[place.index()].1 = self.semantics.heap.types.element_filter(ty);
            }
        }
        found
    }
}

/// The objects of a class, types as what they stand for.
fn objects_of(
    class: &Class,
    made: &FastMap<ObjectId, Vec<ObjectId>>,
    real: &FastSet<ObjectId>,
) -> Vec<ObjectId> {
    let mut found = class.made.clone();
    for object in class.set.iter() {
        let all = made.get(&object);
        if all.is_none() || (class.whole.contains(object) && real.contains(&object)) {
            found.push(object);
        }
        found.extend(all.filter(|_| class.whole.contains(object)).into_iter().flatten());
    }
    found
}
