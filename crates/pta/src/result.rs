//! The result of the analysis, frozen.

use std::collections::BTreeSet;

use selvedge_base::{FastMap, HybridSet, Id, IdVec};
use selvedge_ir::{Inst, Value};
use selvedge_world::{ClassId, FieldId, MethodId, Program};

use crate::budget::Degradation;
use crate::context::Contexts;
use crate::facts::{Describe, Facts};
use crate::heap::{Heap, ObjectId};
use crate::procedure::{ProcedureId, Procedures};
use crate::semantics::{CallEdge, Instance, InstanceId};
use crate::solver::{FrozenGraph, NodeId, Solver, at};
use crate::summary::{Member, Summary};

/// The points-to sets and the call graph.
pub struct Analysis<'p> {
    /// The program.
    pub program: &'p Program,
    /// The objects.
    pub heap: Heap<'p>,
    /// The contexts.
    pub contexts: Contexts,
    /// What procedures are.
    pub procedures: Procedures,
    /// Every reached procedure in every context it is reached in.
    pub instances: IdVec<InstanceId, Instance>,
    /// Every call edge, in the order of discovery.
    pub call_edges: Vec<CallEdge>,
    /// What was given up to stay within the budget.
    pub degradations: Vec<Degradation>,
    /// Sentences about what was assumed because it could not be analysed.
    pub assumptions: Vec<String>,
    /// The classes of the JDK that provide services and are left out, which an assumption says.
    pub left_out: BTreeSet<ClassId>,
    /// The name of the context policy.
    pub policy: String,
    /// Whether the heap is one by unification: what may hold one object holds all that were made one with it.
    pub is_unified: bool,
    pub(crate) instances_of: FastMap<ProcedureId, Vec<InstanceId>>,
    objects_with: FastMap<FieldId, Vec<ObjectId>>,
    edges_from: FastMap<InstanceId, Vec<CallEdge>>,
    pub(crate) graph: FrozenGraph,
    pub(crate) bases: IdVec<InstanceId, Option<NodeId>>,
    pub(crate) members: FastMap<(ObjectId, Member), NodeId>,
    pub(crate) statics: FastMap<FieldId, NodeId>,
    /// To which instance a node belongs as a slot.
    pub(crate) owners: IdVec<NodeId, Option<InstanceId>>,
    /// The node of scope 0 of each procedure; the other scopes follow.
    pub(crate) scopes: FastMap<ProcedureId, NodeId>,
    pub(crate) vm_exceptions: NodeId,
    pub(crate) empty: HybridSet<ObjectId>,
}

/// Sizes of a result, as benchmarks print them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Methods of the program that are reached.
    pub methods: usize,
    /// Instances: methods and synthetic procedures in their contexts.
    pub instances: usize,
    /// Contexts.
    pub contexts: usize,
    /// Abstract objects.
    pub objects: usize,
    /// Call edges between instances.
    pub call_edges: usize,
    /// Call edges between methods, by call instruction, with contexts forgotten.
    pub method_edges: usize,
    /// Nodes of the constraint graph.
    pub nodes: usize,
    /// Edges of the constraint graph.
    pub edges: usize,
    /// Nodes that were collapsed into others.
    pub collapsed: usize,
    /// Points-to facts of variables: the sizes of their sets added up.
    pub variable_facts: usize,
    /// Points-to facts of fields and array elements.
    pub field_facts: usize,
    /// What the solver did, in the unit of [`Limits::work`](crate::Limits::work).
    pub work: u64,
}

impl<'p> Analysis<'p> {
    /// How assumptions on code that is in no class file begin.
    pub const ON_MADE_CLASSES: &'static str = "classes that the program makes while it runs";
    /// The assumption on services of which the JDK has providers of its own.
    pub const ON_PROVIDERS: &'static str = "services are provided by the application and its libraries; what the JDK itself provides for \
         file systems, character sets, time zones and the like reaches no code of the program, unless the JDK's code names it";

    pub(crate) fn new(solver: Solver<'p>) -> Self {
        let mut instances_of: FastMap<ProcedureId, Vec<InstanceId>> = FastMap::default();
        let semantics = solver.semantics;
        for (id, instance) in semantics.instances.iter_ids() {
            instances_of.entry(instance.procedure).or_default().push(id);
        }
        let mut edges_from: FastMap<InstanceId, Vec<CallEdge>> = FastMap::default();
        let assembly = solver.assembly;
        for &edge in &assembly.call_edges {
            edges_from.entry(edge.caller).or_default().push(edge);
        }
        let mut objects_with: FastMap<FieldId, Vec<ObjectId>> = FastMap::default();
        for &(object, member) in assembly.members.keys() {
            if let Member::Field(field) = member {
                objects_with.entry(field).or_default().push(object);
            }
        }
        objects_with.values_mut().for_each(|objects| objects.sort_unstable());
        Self {
            objects_with,
            program: semantics.program,
            assumptions: semantics.library.assumptions().map(str::to_owned).collect(),
            left_out: semantics.library.left_out,
            policy: semantics.policy.name(),
            is_unified: false,
            heap: semantics.heap,
            contexts: semantics.contexts,
            procedures: semantics.procedures,
            instances: semantics.instances,
            call_edges: assembly.call_edges,
            degradations: solver.degradations,
            instances_of,
            edges_from,
            graph: FrozenGraph::new(solver.graph),
            bases: assembly.bases,
            members: assembly.members,
            statics: assembly.statics,
            owners: solver.owners,
            scopes: assembly.scopes,
            vm_exceptions: assembly.vm_exceptions,
            empty: HybridSet::default(),
        }
    }

    /// The constraints of a reached procedure.
    pub fn summary(&self, procedure: ProcedureId) -> Option<&Summary> {
        self.procedures.summary(procedure)
    }

    /// The instances of a method, one for each context in which it is reached.
    pub fn instances_of(&self, method: MethodId) -> &[InstanceId] {
        self.instances_of.get(&Procedures::of_method(method)).map_or(&[], Vec::as_slice)
    }

    /// Whether a method is reached.
    pub fn is_reached(&self, method: MethodId) -> bool {
        !self.instances_of(method).is_empty()
    }

    /// What a value of a method's body may point to in an instance of the method.
    pub fn may_point_to(&self, instance: InstanceId, value: Value) -> impl Iterator<Item = ObjectId> {
        self.value_set(instance, value).iter()
    }

    pub(crate) fn value_set(&self, instance: InstanceId, value: Value) -> &HybridSet<ObjectId> {
        let data = self.instances[instance];
        let slot = self
            .summary(data.procedure)
            .and_then(|summary| summary.slot_of_value.get(value.index()).copied()?);
        match (self.bases[instance], slot) {
            (Some(base), Some(slot)) => self.graph.set(at(base, slot)),
            _ => &self.empty,
        }
    }

    /// What a member of an object may point to.
    pub fn member(&self, object: ObjectId, member: Member) -> impl Iterator<Item = ObjectId> {
        self.member_set(object, member).iter()
    }

    /// The same as a set. Members that hold the same share one.
    pub fn member_set(&self, object: ObjectId, member: Member) -> &HybridSet<ObjectId> {
        self.members.get(&(object, member)).map_or(&self.empty, |&node| self.graph.set(node))
    }

    /// What all members of an object may hold.
    pub fn members_of(&self, object: ObjectId) -> impl Iterator<Item = ObjectId> {
        self.heap.reference_members(object).into_iter().flat_map(move |member| self.member(object, member))
    }

    /// The objects of which something is known to read or write a field, in the order in which they were found.
    pub fn objects_with(&self, field: FieldId) -> &[ObjectId] {
        self.objects_with.get(&field).map_or(&[], Vec::as_slice)
    }

    /// What a static field may point to.
    pub fn static_field(&self, field: FieldId) -> impl Iterator<Item = ObjectId> {
        self.statics.get(&field).map_or(&self.empty, |&node| self.graph.set(node)).iter()
    }

    /// The call edges that leave an instance, in the order of discovery.
    pub fn edges_from(&self, instance: InstanceId) -> &[CallEdge] {
        self.edges_from.get(&instance).map_or(&[], Vec::as_slice)
    }

    /// The instances that a call instruction may reach from an instance.
    pub fn callees(&self, instance: InstanceId, inst: Inst) -> impl Iterator<Item = InstanceId> {
        self.edges_from(instance)
            .iter()
            .filter(move |edge| self.call_inst(edge) == Some(inst))
            .map(|edge| edge.callee)
    }

    /// The instruction of a call edge; `None` where synthetic code or a rule calls.
    pub fn call_inst(&self, edge: &CallEdge) -> Option<Inst> {
        let summary = self.summary(self.instances[edge.caller].procedure)?;
        summary.calls.get(edge.call as usize)?.inst
    }

    /// What names things in output.
    pub fn describe(&self) -> Describe<'_> {
        Describe {
            program: self.program,
            heap: &self.heap,
            contexts: &self.contexts,
            procedures: &self.procedures,
            instances: &self.instances,
            forgets_contexts: false,
        }
    }

    /// The whole result as text.
    pub fn facts(&self) -> Facts {
        self.facts_as(&self.describe())
    }

    /// The whole result as text with contexts forgotten: what a variable points to in any context, who calls whom in any.
    /// Results of different policies can be compared by it.
    pub fn facts_without_contexts(&self) -> Facts {
        self.facts_as(&Describe { forgets_contexts: true, ..self.describe() })
    }

    fn facts_as(&self, describe: &Describe<'_>) -> Facts {
        let mut facts = Facts::default();
        for (id, instance) in self.instances.iter_ids() {
            let (Some(base), Some(summary)) = (self.bases[id], self.summary(instance.procedure)) else {
                continue;
            };
            let instance = describe.instance(id);
            for (name, slot) in summary.named_slots() {
                let set = self.graph.set(at(base, slot));
                facts.hold(format!("{name} of {instance}"), set.iter().map(|object| describe.object(object)));
            }
        }
        for (&(object, member), &node) in &self.members {
            let held = self.graph.set(node).iter().map(|object| describe.object(object));
            facts.hold(describe.member(object, member), held);
        }
        for (&field, &node) in &self.statics {
            let held = self.graph.set(node).iter().map(|object| describe.object(object));
            facts.hold(self.program.describe_field(field), held);
        }
        facts.calls.extend(self.call_edges.iter().map(|edge| describe.edge(edge)));
        facts
    }

    /// The sizes of the result.
    pub fn statistics(&self) -> Statistics {
        let mut edges: Vec<(ProcedureId, u32, ProcedureId)> = self
            .call_edges
            .iter()
            .map(|edge| {
                (self.instances[edge.caller].procedure, edge.call, self.instances[edge.callee].procedure)
            })
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let mut variable_facts = 0;
        for (id, instance) in self.instances.iter_ids() {
            if let (Some(base), Some(summary)) = (self.bases[id], self.summary(instance.procedure)) {
                for slot in 0..summary.slots {
                    variable_facts += self.graph.set(NodeId::new(base.number() + slot)).len();
                }
            }
        }
        Statistics {
            methods: self
                .instances_of
                .keys()
                .filter(|&&procedure| self.procedures.method(procedure).is_some())
                .count(),
            instances: self.instances.len(),
            contexts: self.contexts.len(),
            objects: self.heap.len(),
            call_edges: self.call_edges.len(),
            method_edges: edges.len(),
            nodes: self.graph.node_count(),
            edges: self.graph.edge_count,
            collapsed: self.graph.collapsed,
            variable_facts,
            work: self.graph.work,
            field_facts: self.members.values().map(|&node| self.graph.set(node).len()).sum(),
        }
    }
}
