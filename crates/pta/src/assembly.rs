//! From summaries to constraints: what the solvers do alike.
//!
//! A solver decides what it means that one place gets what another holds. All that leads up to it is the same whoever solves: a
//! procedure is summarised when it is first reached, each of its instances gets nodes for its slots, its statements become
//! copies and waiting statements, calls are connected with what they run, rules have their say. The [`Assembler`] trait has it
//! once; its required methods are the part that differs.
//!
//! # Order
//! Instances that are reached are collected and built together when the solver has come to rest, so that the bodies of all
//! methods that are new are lowered in parallel, while those that are there are built. What needs the nodes of an instance
//! (arguments, receivers) waits until it is built. All but the lowering is sequential, so that the numbering is the same in every run.
//!
//! The slots of an instance are consecutive nodes, and so are the scopes of a procedure.

use rayon::prelude::*;

use selvedge_base::{FastMap, FastSet, IdVec};
use selvedge_world::{ClassId, FieldId, MethodId};

use crate::context::{ContextId, Contexts};
use crate::heap::{FilterId, ObjectId, Types};
use crate::plugin::{Effect, SlotCallee};
use crate::procedure::ProcedureId;
use crate::semantics::{CallEdge, InstanceId, RULE_CALL, RuleLink, Semantics};
use crate::solver::{NodeId, at};
use crate::summary::{Member, Slot, Statement, Target};

/// The nodes that there are, the call graph, and what waits to be built.
pub(crate) struct Assembly {
    /// The node of slot 0 of each instance that is built; the other slots follow.
    pub bases: IdVec<InstanceId, Option<NodeId>>,
    pub members: FastMap<(ObjectId, Member), NodeId>,
    pub statics: FastMap<FieldId, NodeId>,
    /// The node of scope 0 of each procedure; the other scopes follow.
    pub scopes: FastMap<ProcedureId, NodeId>,
    pub vm_exceptions: NodeId,
    pub call_edges: Vec<CallEdge>,
    seen_edges: FastSet<CallEdge>,
    seen_throws: FastSet<(NodeId, NodeId)>,
    seen_links: FastSet<RuleLink>,
    /// Calls that rules make on the objects of a slot, by number.
    rule_calls: Vec<RuleCall>,
    /// Instances that were reached but are not built yet, and what waits for them.
    unbuilt: Vec<InstanceId>,
    unlinked: Vec<CallEdge>,
    unlinked_by_rules: Vec<RuleLink>,
    unplaced: Vec<(CallEdge, ObjectId)>,
}

/// A method that a rule calls on the objects of a slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RuleCall {
    pub callee: SlotCallee,
    pub arguments: Vec<Option<Slot>>,
    pub result: Option<Slot>,
}

impl Assembly {
    pub fn new() -> Self {
        Self {
            bases: IdVec::new(),
            members: FastMap::default(),
            statics: FastMap::default(),
            scopes: FastMap::default(),
            vm_exceptions: NodeId::new(0),
            call_edges: Vec::new(),
            seen_edges: FastSet::default(),
            seen_throws: FastSet::default(),
            seen_links: FastSet::default(),
            rule_calls: Vec::new(),
            unbuilt: Vec::new(),
            unlinked: Vec::new(),
            unlinked_by_rules: Vec::new(),
            unplaced: Vec::new(),
        }
    }

    /// Whether instances were reached that are not built yet.
    pub fn is_incomplete(&self) -> bool {
        !self.unbuilt.is_empty()
    }

    /// The node of slot 0 of an instance that is built.
    pub fn base(&self, instance: InstanceId) -> NodeId {
        self.bases[instance].expect("the instance is built")
    }

    /// The node of a scope of a procedure that is built.
    pub fn scope(&self, procedure: ProcedureId, scope: u32) -> NodeId {
        let first = self.scopes.get(&procedure).expect("the scopes of a built procedure exist");
        NodeId::new(first.number() + scope)
    }

    /// The number of a call that a rule makes.
    fn rule_call(&mut self, call: RuleCall) -> u32 {
        let known = self.rule_calls.iter().position(|known| *known == call);
        let number = known.unwrap_or_else(|| {
            self.rule_calls.push(call);
            self.rule_calls.len() - 1
        });
        number as u32
    }
}

/// See the [module documentation](self). Required is what differs between solvers.
pub(crate) trait Assembler<'p> {
    fn semantics(&self) -> &Semantics<'p>;
    fn semantics_mut(&mut self) -> &mut Semantics<'p>;
    fn assembly(&self) -> &Assembly;
    fn assembly_mut(&mut self) -> &mut Assembly;

    /// `count` new nodes, which are slots of an instance or of none; the first is returned, the others follow it.
    fn add_nodes(&mut self, count: u32, owner: Option<InstanceId>) -> NodeId;

    /// A place gets what another holds and a filter lets through. Solvers may let the other have the same.
    fn copy(&mut self, from: NodeId, into: NodeId, filter: FilterId);

    /// The same where the other must not get anything in return: exceptions.
    fn copy_one_way(&mut self, from: NodeId, into: NodeId, filter: FilterId);

    /// Objects come to a place.
    fn put(&mut self, place: NodeId, objects: &[ObjectId]);

    /// An object is made in a place.
    fn make(&mut self, place: NodeId, object: ObjectId);

    /// A statement of a new instance waits for the objects of a slot.
    fn wait(&mut self, owner: InstanceId, base: NodeId, statement: Statement);

    /// A statement that a rule found: it applies to what its slots hold already and to what comes.
    fn add_statement(&mut self, owner: InstanceId, base: NodeId, statement: Statement);

    /// Passes arguments and result of a call of a summary to a callee that is built.
    fn link(&mut self, edge: CallEdge);

    /// What a callee returns is its receiver, and these came.
    fn hand_back(&mut self, edge: CallEdge, receivers: &[ObjectId]);

    /// A procedure was summarised.
    fn summarized(&mut self, _: ProcedureId) {}

    /// Makes what is there before any procedure: what the VM throws, and where it goes if nobody catches it.
    fn prepare(&mut self) {
        let node = self.add_nodes(1, None);
        self.assembly_mut().vm_exceptions = node;
        let thrown = self.semantics_mut().vm_exceptions();
        self.put(node, &thrown);
        if let Some(cell) = self.semantics_mut().vm_cell("uncaught-exceptions")
            && let Some(into) = self.member_node(cell, Member::Captured(0))
        {
            self.copy_one_way(node, into, Types::ANY);
        }
    }

    /// The node of a member of an object; `None` where objects of that type have no such member.
    fn member_node(&mut self, object: ObjectId, member: Member) -> Option<NodeId> {
        if let Some(&node) = self.assembly().members.get(&(object, member)) {
            return Some(node);
        }
        if !self.semantics().heap.has_member(object, member) {
            return None;
        }
        let node = self.add_nodes(1, None);
        self.assembly_mut().members.insert((object, member), node);
        Some(node)
    }

    fn static_node(&mut self, field: FieldId) -> NodeId {
        if let Some(&node) = self.assembly().statics.get(&field) {
            return node;
        }
        let node = self.add_nodes(1, None);
        self.assembly_mut().statics.insert(field, node);
        node
    }

    /// The instance of a procedure in a context; a new one is noted to be built.
    fn instance(&mut self, procedure: ProcedureId, context: ContextId) -> InstanceId {
        let (id, is_new) = self.semantics_mut().instance(procedure, context);
        if is_new {
            let assembly = self.assembly_mut();
            assembly.bases.push(None);
            assembly.unbuilt.push(id);
        }
        id
    }

    /// Makes a procedure reachable without a caller: the VM calls it.
    fn reach(&mut self, procedure: ProcedureId) {
        self.instance(procedure, Contexts::EMPTY);
    }

    /// Runs the initialisers of a class.
    fn initialize(&mut self, class: ClassId) {
        for initializer in self.semantics_mut().initializers(class) {
            self.reach(initializer);
        }
    }

    /// Builds all instances that were reached, and those that building them reaches by static calls.
    fn build_reached(&mut self) {
        while self.assembly().is_incomplete() {
            let batch = std::mem::take(&mut self.assembly_mut().unbuilt);
            let (program, methods) = (self.semantics().program, without_summaries(self.semantics(), &batch));
            rayon::in_place_scope(|scope| {
                scope.spawn(|_| methods.par_iter().for_each(|&method| _ = program.body(method)));
                for &instance in &batch {
                    self.build(instance);
                }
            });
            // Callees that this batch reached by static calls come with the next.
            for edge in std::mem::take(&mut self.assembly_mut().unlinked) {
                self.link_when_built(edge);
            }
            for link in std::mem::take(&mut self.assembly_mut().unlinked_by_rules) {
                self.link_by_rule(link);
            }
            for (edge, object) in std::mem::take(&mut self.assembly_mut().unplaced) {
                self.place_receivers(edge, &[object]);
            }
        }
    }

    fn build(&mut self, id: InstanceId) {
        let procedure = self.semantics().instances[id].procedure;
        if self.semantics_mut().summarize(procedure) {
            self.build_procedure(procedure);
        }
        let slots = self.semantics().summary(procedure).slots;
        let base = self.add_nodes(slots, Some(id));
        self.assembly_mut().bases[id] = Some(base);
        for position in 0..self.semantics().summary(procedure).statements.len() {
            let statement = self.semantics().summary(procedure).statements[position];
            self.instantiate(id, base, statement);
        }
    }

    /// What is done once per procedure: its scopes, and the classes that it initialises.
    fn build_procedure(&mut self, procedure: ProcedureId) {
        self.summarized(procedure);
        let summary = self.semantics().summary(procedure);
        let (left, classes) = (summary.scopes.clone(), summary.initializes.clone());
        let scopes = self.add_nodes(left.len().max(1) as u32, None);
        for (scope, left) in left.iter().enumerate().skip(1) {
            if let Some(filter) = left {
                self.copy(NodeId::new(scopes.number() + scope as u32), scopes, *filter);
            }
        }
        self.assembly_mut().scopes.insert(procedure, scopes);
        for class in classes {
            self.initialize(class);
        }
    }

    /// What a statement does when its instance is built.
    fn instantiate(&mut self, id: InstanceId, base: NodeId, statement: Statement) {
        let procedure = self.semantics().instances[id].procedure;
        match statement {
            Statement::Allocate { into, site } => {
                let object = self.semantics_mut().allocate(id, site);
                self.make(at(base, into), object);
                if self.semantics_mut().is_finalizable(object)
                    && let Some(cell) = self.semantics_mut().vm_cell("finalizable")
                    && let Some(node) = self.member_node(cell, Member::Captured(0))
                {
                    self.put(node, &[object]);
                }
            }
            Statement::Copy { into, from, filter } => self.copy(at(base, from), at(base, into), filter),
            Statement::LoadStatic { into, field } => {
                let from = self.static_node(field);
                self.copy(from, at(base, into), Types::ANY);
            }
            Statement::StoreStatic { field, from } => {
                let into = self.static_node(field);
                self.copy(at(base, from), into, Types::ANY);
            }
            Statement::Throw { from, scope } => {
                let into = self.assembly().scope(procedure, scope);
                self.copy_one_way(at(base, from), into, Types::ANY);
            }
            Statement::Catch { into, scope, filter } => {
                let (from, by_vm) = (self.assembly().scope(procedure, scope), self.assembly().vm_exceptions);
                self.copy_one_way(from, at(base, into), filter);
                self.copy_one_way(by_vm, at(base, into), filter);
            }
            Statement::Call(number) => match self.semantics().call(id, number).target {
                Target::Static(callee) => {
                    let context = self.semantics_mut().context_of_call(id, number, callee, None);
                    let callee = self.instance(callee, context);
                    self.connect(CallEdge { caller: id, call: number, callee });
                }
                Target::Unknown(_) => {
                    let semantics = self.semantics_mut();
                    let method = semantics.procedures.method(procedure);
                    semantics.library.note_unknown_bootstrap(semantics.program, method);
                }
                Target::Exact(_) | Target::Virtual(_) | Target::Named(..) => self.wait(id, base, statement),
            },
            Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::LoadAll { .. }
            | Statement::StoreAll { .. }
            | Statement::Special { .. }
            | Statement::RuleCall { .. } => self.wait(id, base, statement),
        }
    }

    /// Connects arguments, result and exceptions of a call with a callee, once.
    fn connect(&mut self, edge: CallEdge) {
        let assembly = self.assembly_mut();
        if assembly.seen_edges.insert(edge) {
            assembly.call_edges.push(edge);
            self.link_when_built(edge);
        }
    }

    /// The part of [`connect`](Self::connect) that needs the callee to be built.
    fn link_when_built(&mut self, edge: CallEdge) {
        if self.assembly().bases[edge.callee].is_none() {
            self.assembly_mut().unlinked.push(edge);
        } else if edge.call != RULE_CALL {
            self.link(edge);
            let scope = self.semantics().call(edge.caller, edge.call).scope;
            self.throw_into(edge, scope);
        }
    }

    /// What a callee throws arrives in a scope of its caller. Scopes have no contexts, so most call edges repeat it.
    fn throw_into(&mut self, edge: CallEdge, scope: u32) {
        let instances = &self.semantics().instances;
        let (caller, callee) = (instances[edge.caller].procedure, instances[edge.callee].procedure);
        let assembly = self.assembly_mut();
        let (from, into) = (assembly.scope(callee, 0), assembly.scope(caller, scope));
        if assembly.seen_throws.insert((from, into)) {
            self.copy(from, into, Types::ANY);
        }
    }

    /// Puts receivers into the first parameter of a callee, and back into the result of the call if that is what the callee
    /// returns; now, or when the callee is built.
    fn place_receivers(&mut self, edge: CallEdge, objects: &[ObjectId]) {
        let Some(base) = self.assembly().bases[edge.callee] else {
            self.assembly_mut().unplaced.extend(objects.iter().map(|&object| (edge, object)));
            return;
        };
        let called = self.semantics().summary(self.semantics().instances[edge.callee].procedure);
        let (this, returns_this) = (called.parameters.first().copied().flatten(), called.returns_this);
        if let Some(this) = this {
            self.put(at(base, this), objects);
        }
        if returns_this && edge.call != RULE_CALL {
            self.hand_back(edge, objects);
        }
    }

    /// What all members of an object hold, a place gets.
    fn load_all(&mut self, object: ObjectId, into: NodeId) {
        for member in self.semantics().heap.reference_members(object) {
            if let Some(from) = self.member_node(object, member) {
                self.copy(from, into, Types::ANY);
            }
        }
    }

    /// All members of an object get what a place holds, each what its type admits.
    fn store_all(&mut self, object: ObjectId, from: NodeId) {
        for member in self.semantics().heap.reference_members(object) {
            let filter = self.semantics_mut().heap.rule_store_filter(object, member);
            if let Some(into) = self.member_node(object, member) {
                self.copy(from, into, filter);
            }
        }
    }

    /// Does what a rule wants.
    fn apply(&mut self, owner: InstanceId, effect: Effect) {
        let base = self.assembly().base(owner);
        match effect {
            Effect::Put { object, into } => self.put(at(base, into), &[object]),
            Effect::PutMember { object, into: (holder, member) } => {
                if let Some(into) = self.member_node(holder, member) {
                    self.put(into, &[object]);
                }
            }
            Effect::CopyMember { from: (from, from_member), into: (into, into_member) } => {
                let nodes = (self.member_node(from, from_member), self.member_node(into, into_member));
                if let (Some(from), Some(into)) = nodes {
                    self.copy(from, into, Types::ANY);
                }
            }
            Effect::LoadMember { object, member, into } => {
                if let Some(from) = self.member_node(object, member) {
                    self.copy(from, at(base, into), Types::ANY);
                }
            }
            Effect::StoreMember { object, member, from } => {
                if let Some(into) = self.member_node(object, member) {
                    let filter = self.semantics_mut().heap.rule_store_filter(object, member);
                    self.copy(at(base, from), into, filter);
                }
            }
            Effect::Add(statement) => self.add_statement(owner, base, statement),
            Effect::Call { procedure, receiver, arguments, result } => {
                let context = self.semantics_mut().context_of_call(owner, RULE_CALL, procedure, receiver);
                self.call_by_rule(owner, (procedure, context), receiver.as_slice(), arguments, result);
            }
            Effect::CallOnSlot { callee, receivers, arguments, result } => {
                let number = self.assembly_mut().rule_call(RuleCall { callee, arguments, result });
                self.add_statement(owner, base, Statement::RuleCall { watch: receivers, number });
            }
            Effect::Initialize(class) => self.initialize(class),
        }
    }

    /// A call that a rule made, and those of the new objects that can be its receivers.
    fn rule_call_on(
        &mut self,
        number: u32,
        new: impl Iterator<Item = ObjectId>,
    ) -> (RuleCall, Vec<ObjectId>) {
        let call = self.assembly().rule_calls[number as usize].clone();
        let receivers = self.semantics_mut().possible_receivers(call.callee, new);
        (call, receivers)
    }

    /// Makes the call of a rule on an object. Whether the object has what is called.
    fn make_rule_call(&mut self, owner: InstanceId, call: &RuleCall, receiver: ObjectId) -> bool {
        let procedures = self.semantics_mut().reflective_callees(call.callee, receiver);
        for &procedure in &procedures {
            let context = self.semantics_mut().context_of_rule_call(call.callee, owner, procedure, receiver);
            let callee = (procedure, context);
            self.call_by_rule(owner, callee, &[receiver], call.arguments.clone(), call.result);
        }
        !procedures.is_empty()
    }

    /// A call that a rule makes, on objects if there are any.
    fn call_by_rule(
        &mut self,
        caller: InstanceId,
        (procedure, context): (ProcedureId, ContextId),
        receivers: &[ObjectId],
        arguments: Vec<Option<Slot>>,
        result: Option<Slot>,
    ) {
        let callee = self.instance(procedure, context);
        let edge = CallEdge { caller, call: RULE_CALL, callee };
        self.connect(edge);
        let has_receiver = !receivers.is_empty();
        if has_receiver {
            self.place_receivers(edge, receivers);
        }
        let link = RuleLink { caller, callee, arguments, has_receiver, result };
        if self.assembly_mut().seen_links.insert(link.clone()) {
            self.link_by_rule(link);
        }
    }

    /// Passes arguments and results of a call that a rule made, as soon as its callee is built.
    fn link_by_rule(&mut self, link: RuleLink) {
        let bases = &self.assembly().bases;
        let (Some(caller), Some(callee)) = (bases[link.caller], bases[link.callee]) else {
            self.assembly_mut().unlinked_by_rules.push(link);
            return;
        };
        let procedure = self.semantics().instances[link.callee].procedure;
        let filters = self.semantics_mut().parameter_filters(procedure);
        let called = self.semantics().summary(procedure);
        let parameters = called.parameters.iter().zip(filters).skip(usize::from(link.has_receiver));
        let mut copies: Vec<(NodeId, NodeId, FilterId)> = parameters
            .zip(&link.arguments)
            .filter_map(|((parameter, filter), argument)| {
                Some((at(caller, (*argument)?), at(callee, (*parameter)?), filter))
            })
            .collect();
        if let (Some(result), Some(returned)) = (link.result, called.result) {
            copies.push((at(callee, returned), at(caller, result), Types::ANY));
        }
        for (from, into, filter) in copies {
            self.copy(from, into, filter);
        }
        self.throw_into(CallEdge { caller: link.caller, call: RULE_CALL, callee: link.callee }, 0);
    }
}

/// The methods of a batch that have no summary yet, each once, in the order of the batch.
fn without_summaries(semantics: &Semantics<'_>, batch: &[InstanceId]) -> Vec<MethodId> {
    let procedures = &semantics.procedures;
    let mut seen: FastSet<MethodId> = FastSet::default();
    batch
        .iter()
        .map(|&instance| semantics.instances[instance].procedure)
        .filter(|&procedure| procedures.summary(procedure).is_none())
        .filter_map(|procedure| procedures.method(procedure))
        .filter(|&method| seen.insert(method))
        .collect()
}
