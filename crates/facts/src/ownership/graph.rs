//! The object graph G: which objects refer to which, ever (Milanova and Huang, section 2).
//!
//! `i -> j` if an object that `i` stands for may have a field (or element, or captured value) that refers to an object of `j`, or a
//! method that runs *on behalf of* such an object may have a variable that does. The `root` stands for static code that no
//! object has called, and for static fields.
//!
//! On whose behalf code runs: a method runs on behalf of its receiver; static code on behalf of whoever called it, so that helper
//! methods do not give everything to the root. The same holds for methods without code and those of [transparent](Kind::Transparent) classes: they are
//! operations of their callers.
//!
//! Where references come from decides how an edge may be used later:
//!
//! - *fields*: `i` holds `j` in a field;
//! - *flows*: `j` was handed to `i`, as an argument of a call on `i`, or as the result of a call that `i` made on another object. Reading
//!   or writing a field of another object, or an array's element, is such a call.
//! - An edge in neither is a creation: `i` made `j`, and only the running activation has a reference to it.
//!
//! Calls through `this` hand over nothing: both activations run on behalf of the same object.
//!
//! `exchanged(i)` holds what crossed the border of `i`: every argument and result of a call on `i` that was not made through `this`.

use selvedge_base::{FastMap, FastSet, HybridSet, Id, IdVec, Worklist, entity};
use selvedge_models::Kind;
use selvedge_pta::heap::{ObjectId, RuntimeType, Site};
use selvedge_pta::summary::{Call, Slot, Statement, Summary, Target};
use selvedge_pta::{InstanceId, Procedure, RULE_CALL};

use crate::threads::Threads;
use crate::view::{CallAt, View};

entity! {
    /// The root, or an object.
    NodeId "n";
}

impl NodeId {
    /// Static code and static fields.
    pub const ROOT: Self = Self::new(0);

    /// The node of an object.
    pub fn of(object: ObjectId) -> Self {
        Self::from_index(object.index() + 1)
    }

    /// The object of a node; `None` for the root.
    pub fn object(self) -> Option<ObjectId> {
        self.index().checked_sub(1).map(ObjectId::from_index)
    }
}

/// See the [module documentation](self).
pub struct ObjectGraph {
    edges: IdVec<NodeId, HybridSet<ObjectId>>,
    fields: IdVec<NodeId, HybridSet<ObjectId>>,
    flows: IdVec<NodeId, HybridSet<ObjectId>>,
    exchanged: IdVec<NodeId, HybridSet<ObjectId>>,
    /// On whose behalf each instance runs.
    behalf: IdVec<InstanceId, HybridSet<NodeId>>,
}

impl ObjectGraph {
    /// Builds the graph.
    pub fn new(view: &View<'_>, threads: &Threads) -> Self {
        let behalf = behalf(view);
        let count = view.analysis.heap.len() + 1;
        let empty = || (0..count).map(|_| HybridSet::default()).collect();
        let graph = Self { edges: empty(), fields: empty(), flows: empty(), exchanged: empty(), behalf };
        let mut builder = Builder { view, graph, kept: empty(), done: FastSet::default() };
        for instance in view.analysis.instances.ids() {
            builder.add_instance(instance);
        }
        builder.add_fields();
        builder.add_roots(threads);
        let ObjectGraph { edges, flows, .. } = &mut builder.graph;
        for (node, flows) in flows.iter_ids() {
            edges[node].union_with(flows);
        }
        builder.graph
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there is nothing but the root.
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(HybridSet::len).sum()
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        self.edges.ids()
    }

    /// What a node refers to.
    pub fn successors(&self, node: NodeId) -> &HybridSet<ObjectId> {
        &self.edges[node]
    }

    /// What crossed the border of a node: arguments and results of calls on it.
    pub fn exchanged(&self, node: NodeId) -> &HybridSet<ObjectId> {
        &self.exchanged[node]
    }

    /// Whether an edge is by a field.
    pub fn is_field(&self, from: NodeId, to: ObjectId) -> bool {
        self.fields[from].contains(to)
    }

    /// Whether an edge is by a reference that was handed over.
    pub fn is_flow(&self, from: NodeId, to: ObjectId) -> bool {
        self.flows[from].contains(to)
    }

    /// Whether a node refers to an object.
    pub fn is_edge(&self, from: NodeId, to: ObjectId) -> bool {
        self.edges[from].contains(to)
    }

    /// Whether more than one thread may come from a node to an object. Over an edge that is not re-entrant only the thread that created the
    /// object comes; where there is no edge, library code comes to the object for the node (a view does to the list below), on ways of which
    /// nothing is known.
    pub fn is_reentrant(&self, from: NodeId, to: ObjectId) -> bool {
        self.is_field(from, to) || self.is_flow(from, to) || !self.is_edge(from, to)
    }

    /// On whose behalf an instance may run.
    pub fn on_behalf_of(&self, instance: InstanceId) -> &HybridSet<NodeId> {
        &self.behalf[instance]
    }
}

/// Whether the code of an instance runs on behalf of its receiver.
pub fn has_receiver(view: &View<'_>, instance: InstanceId) -> bool {
    match view.procedure_of(instance) {
        Procedure::Method(method) => {
            let data = &view.program.methods[method];
            !data.is_static() && !data.is_native() && !is_transparent_class(view, data.class)
        }
        Procedure::Lambda { .. } | Procedure::Proxy(_) | Procedure::Client(_) => true,
        Procedure::Roots => false,
    }
}

/// Whether an instance is no code but an operation of its callers.
fn is_operation(view: &View<'_>, instance: InstanceId) -> bool {
    view.method_of(instance).is_some_and(|method| {
        let data = &view.program.methods[method];
        data.is_native() || (!data.is_static() && is_transparent_class(view, data.class))
    })
}

fn is_transparent_class(view: &View<'_>, class: selvedge_world::ClassId) -> bool {
    view.program.classes[class].tier == selvedge_world::Tier::Jdk
        && view.program.superclasses(class).any(|above| {
            let name = view.program.classes[above].name;
            Kind::Transparent.has(name.as_bytes())
        })
}

/// The slot of `this`, if the code runs on its behalf.
pub fn this_slot(view: &View<'_>, instance: InstanceId, summary: &Summary) -> Option<Slot> {
    summary.parameters.first().copied().flatten().filter(|_| has_receiver(view, instance))
}

/// On whose behalf each instance runs: its receivers, or else those for whom its callers run.
fn behalf(view: &View<'_>) -> IdVec<InstanceId, HybridSet<NodeId>> {
    let analysis = view.analysis;
    let own: IdVec<InstanceId, bool> =
        analysis.instances.ids().map(|instance| has_receiver(view, instance)).collect();
    let mut called: IdVec<InstanceId, bool> = IdVec::filled(false, analysis.instances.len());
    let mut behalf: IdVec<InstanceId, HybridSet<NodeId>> = IdVec::with_capacity(analysis.instances.len());
    for instance in analysis.instances.ids() {
        for call in view.calls(instance) {
            call.callees.iter().for_each(|&callee| called[callee] = true);
        }
        let mut nodes = HybridSet::default();
        if own[instance] {
            for object in analysis.parameter_points_to(instance, 0).iter() {
                nodes.insert(NodeId::of(object));
            }
        }
        behalf.push(nodes);
    }
    let is_root = |&instance: &InstanceId| {
        !own[instance]
            && (!called[instance]
                || view.procedure_of(instance) == Procedure::Roots
                || view.method_of(instance).is_some_and(|method| {
                    let data = &view.program.methods[method];
                    data.is_class_initializer() || data.name.is("main")
                }))
    };
    let mut work = Worklist::new();
    for instance in analysis.instances.ids() {
        if is_root(&instance) {
            behalf[instance].insert(NodeId::ROOT);
        }
        work.push(instance);
    }
    while let Some(instance) = work.pop() {
        let callees: Vec<InstanceId> = view
            .calls(instance)
            .flat_map(|call| call.callees.iter().copied())
            .filter(|&callee| !own[callee] && callee != instance)
            .collect();
        if callees.is_empty() {
            continue;
        }
        let nodes = behalf[instance].clone();
        for callee in callees {
            if behalf[callee].union_with(&nodes) {
                work.push(callee);
            }
        }
    }
    behalf
}

struct Builder<'b, 'v> {
    view: &'b View<'v>,
    graph: ObjectGraph,
    /// What each object keeps in its own fields by its own code.
    kept: IdVec<NodeId, HybridSet<ObjectId>>,
    /// Sets that were already given to a node, so that each is given once.
    done: FastSet<(NodeId, *const HybridSet<ObjectId>, bool)>,
}

impl<'v> Builder<'_, 'v> {
    fn add_instance(&mut self, instance: InstanceId) {
        let view = self.view;
        let Some(summary) = view.analysis.summary(view.analysis.instances[instance].procedure) else {
            return;
        };
        if view.procedure_of(instance) == Procedure::Roots {
            for slot in (0..summary.slots).map(Slot::new) {
                self.give(NodeId::ROOT, view.analysis.slot_points_to(instance, slot));
            }
        }
        let this = this_slot(view, instance, summary);
        let holders: Vec<NodeId> = self.graph.behalf[instance].iter().collect();
        if is_operation(view, instance) {
            let rule_calls = view.calls(instance).filter(|call| call.number == RULE_CALL);
            rule_calls.flat_map(|call| call.callees).for_each(|&callee| self.add_rule_call(callee, &[]));
            return;
        }
        for statement in &summary.statements {
            self.add_statement(instance, statement, this, &holders);
        }
        for call in view.calls(instance) {
            self.add_call(instance, &call, summary.calls.get(call.number as usize), this, &holders);
        }
    }

    fn add_statement(
        &mut self,
        instance: InstanceId,
        statement: &Statement,
        this: Option<Slot>,
        holders: &[NodeId],
    ) {
        let analysis = self.view.analysis;
        let set = |slot: Slot| analysis.slot_points_to(instance, slot);
        match *statement {
            Statement::Allocate { into, site } => {
                for object in set(into).iter().filter(|&object| analysis.heap.get(object).site == site) {
                    for &holder in holders {
                        self.graph.edges[holder].insert(object);
                    }
                }
            }
            Statement::Load { into, base, .. } if Some(base) != this => {
                holders.iter().for_each(|&holder| self.give(holder, set(into)));
                for object in set(base).iter() {
                    self.exchange(NodeId::of(object), set(into));
                }
            }
            Statement::Store { base, member, from } => {
                for object in set(base).iter().filter(|&object| analysis.heap.has_member(object, member)) {
                    let node = NodeId::of(object);
                    if Some(base) == this {
                        self.kept[node].union_with(set(from));
                    } else {
                        self.give(node, set(from));
                        self.exchange(node, set(from));
                    }
                }
            }
            Statement::LoadStatic { into, .. } => {
                holders.iter().for_each(|&holder| self.give(holder, set(into)));
            }
            Statement::StoreStatic { from, .. } => self.give(NodeId::ROOT, set(from)),
            Statement::Catch { into, .. } => {
                holders.iter().for_each(|&holder| self.give(holder, set(into)));
            }
            _ => {}
        }
    }

    fn add_call(
        &mut self,
        instance: InstanceId,
        at: &CallAt<'_>,
        call: Option<&Call>,
        this: Option<Slot>,
        holders: &[NodeId],
    ) {
        let view = self.view;
        let analysis = view.analysis;
        let set = |slot: Slot| analysis.slot_points_to(instance, slot);
        let Some(call) = call.filter(|_| at.number != RULE_CALL) else {
            at.callees.iter().for_each(|&callee| self.add_rule_call(callee, holders));
            return;
        };
        let receiver = match call.target {
            Target::Static(_) | Target::Unknown(_) => None,
            _ => call.arguments.first().copied().flatten(),
        };
        let through_this = receiver.is_some() && receiver == this;
        if through_this {
            return;
        }
        let is_done_by_caller = receiver.is_none() && !at.callees.iter().any(|&id| is_operation(view, id));
        if let Some(result) = call.result
            && !is_done_by_caller
        {
            holders.iter().for_each(|&holder| self.give(holder, set(result)));
        }
        let Some(receiver) = receiver else { return };
        for &callee in at.callees.iter().filter(|&&callee| has_receiver(view, callee)) {
            let summary = analysis.summary(analysis.instances[callee].procedure);
            let returned = summary.and_then(|summary| summary.result);
            let theirs = analysis.parameter_points_to(callee, 0);
            for object in set(receiver).intersection(theirs).iter() {
                let node = NodeId::of(object);
                for slot in call.arguments.iter().skip(1).copied().flatten() {
                    self.give(node, set(slot));
                    self.exchange(node, set(slot));
                }
                if let (Some(_), Some(returned)) = (call.result, returned) {
                    self.exchange(node, analysis.slot_points_to(callee, returned));
                }
            }
        }
    }

    /// A call of reflection and the like: whatever the callee gets may come from whoever makes it.
    fn add_rule_call(&mut self, callee: InstanceId, holders: &[NodeId]) {
        let analysis = self.view.analysis;
        let Some(summary) = analysis.summary(analysis.instances[callee].procedure) else { return };
        if let Some(result) = summary.result {
            let returned = analysis.slot_points_to(callee, result);
            holders.iter().for_each(|&holder| self.give(holder, returned));
        }
        if !has_receiver(self.view, callee) {
            return;
        }
        for object in analysis.parameter_points_to(callee, 0).iter() {
            let node = NodeId::of(object);
            let slots = summary.parameters.iter().skip(1).copied().flatten().chain(summary.result);
            for slot in slots {
                self.give(node, analysis.slot_points_to(callee, slot));
                self.exchange(node, analysis.slot_points_to(callee, slot));
            }
        }
    }

    /// A node is handed what is in a set.
    fn give(&mut self, node: NodeId, set: &HybridSet<ObjectId>) {
        if !set.is_empty() && self.done.insert((node, std::ptr::from_ref(set), false)) {
            self.graph.flows[node].union_with(set);
        }
    }

    fn exchange(&mut self, node: NodeId, set: &HybridSet<ObjectId>) {
        if !set.is_empty() && self.done.insert((node, std::ptr::from_ref(set), true)) {
            self.graph.exchanged[node].union_with(set);
        }
    }

    /// What objects hold. What an object has not put into its own fields itself was put there from outside, by whatever means;
    /// arrays are always filled from outside.
    fn add_fields(&mut self) {
        let analysis = self.view.analysis;
        let mut held: FastMap<NodeId, Vec<&HybridSet<ObjectId>>> = FastMap::default();
        for (object, _, set) in analysis.members() {
            held.entry(NodeId::of(object)).or_default().push(set);
        }
        for (_, set) in analysis.static_fields() {
            held.entry(NodeId::ROOT).or_default().push(set);
        }
        for (node, sets) in held {
            for set in sets {
                self.graph.fields[node].union_with(set);
            }
            let fields = self.graph.fields[node].clone();
            self.graph.edges[node].union_with(&fields);
            if !fields.is_subset(&self.kept[node]) {
                for object in fields.iter() {
                    let known =
                        self.kept[node].contains(object) || self.graph.exchanged[node].contains(object);
                    if !known {
                        self.graph.flows[node].insert(object);
                        self.graph.exchanged[node].insert(object);
                    }
                }
            }
        }
    }

    /// What the JVM and everybody knows, and what stands for objects from all over the program.
    ///
    /// What a thread runs first is known to the JVM: control gets there through nobody else.
    fn add_roots(&mut self, threads: &Threads) {
        let heap = &self.view.analysis.heap;
        for &entry in threads.all.iter().flat_map(|thread| &thread.entries) {
            if has_receiver(self.view, entry) {
                self.give(NodeId::ROOT, self.view.analysis.parameter_points_to(entry, 0));
            }
        }
        for (object, data) in heap.objects() {
            let own = matches!(
                heap.site_of(data.site),
                Site::Instruction { .. } | Site::Synthetic { .. } | Site::Part { .. }
            );
            let of_client = matches!(heap.types.get(data.ty), RuntimeType::Client(_));
            if !own || of_client {
                self.graph.flows[NodeId::ROOT].insert(object);
            }
        }
    }
}
