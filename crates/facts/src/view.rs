//! The call graph as detectors see it: calls grouped by instruction, with the library effects of each.
//!
//! A call into the application's own code means what that code does. A call into the library means what its code does as well,
//! and beside it what rows of the models say: it starts a thread, takes a lock, reads a container.

use std::sync::{Arc, OnceLock};

use selvedge_base::{BitSet, FastMap, Id, IdVec, Symbol};
use selvedge_ir::{Block, Body, ClassName, Inst, InvokeKind, Op, Value};
use selvedge_models::{Effect, InThread, Models, Place, Root, Row, Step};
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::Member;
use selvedge_pta::{Analysis, Entries, Hierarchy, InstanceId, Procedure};
use selvedge_world::{ClassId, MethodId, Program, Tier};

use crate::shape::Shape;

/// A call of an instance, and whom it may reach.
#[derive(Clone, Copy, Debug)]
pub struct CallAt<'a> {
    /// The number of the call in its procedure, or [`selvedge_pta::RULE_CALL`].
    pub number: u32,
    /// The instruction, where the code has one.
    pub inst: Option<Inst>,
    /// The instances it may reach, without duplicates.
    pub callees: &'a [InstanceId],
}

/// See the [module documentation](self).
pub struct View<'a> {
    /// The program.
    pub program: &'a Program,
    /// The points-to result.
    pub analysis: &'a Analysis<'a>,
    /// The models.
    pub models: &'a Models,
    /// The rows of each reached library method that has some.
    rows: FastMap<MethodId, Vec<&'a Row>>,
    /// For each instance where its calls begin in `calls`.
    starts: IdVec<InstanceId, u32>,
    /// Calls as (number, instruction, where the callees begin in `callees`).
    calls: Vec<(u32, Option<Inst>, u32)>,
    callees: Vec<InstanceId>,
    shapes: Vec<OnceLock<Option<Arc<Shape>>>>,
    has_clients: bool,
    /// The library methods that run code in another thread.
    spawning: BitSet<MethodId>,
    /// The instances of these methods.
    spawning_instances: BitSet<InstanceId>,
    /// The instances that are code of the application.
    application: BitSet<InstanceId>,
}

impl<'a> View<'a> {
    /// Looks at a result.
    pub fn new(analysis: &'a Analysis<'a>, models: &'a Models, entries: &Entries) -> Self {
        let program = analysis.program;
        let (starts, calls, callees) = group(analysis);
        let mut view = Self {
            program,
            analysis,
            models,
            rows: FastMap::default(),
            starts,
            calls,
            callees,
            has_clients: entries.harness.is_some(),
            spawning: BitSet::new(),
            spawning_instances: BitSet::new(),
            application: BitSet::new(),
            shapes: (0..program.methods.len()).map(|_| OnceLock::new()).collect(),
        };
        view.match_rows();
        let spawns = |rows: &[&Row]| rows.iter().flat_map(|row| row.effects.iter()).any(is_spawn);
        for (&method, rows) in &view.rows {
            if spawns(rows) {
                view.spawning.insert(method);
            }
        }
        for (instance, data) in analysis.instances.iter_ids() {
            if analysis.procedures.method(data.procedure).is_some_and(|method| view.spawns(method)) {
                view.spawning_instances.insert(instance);
            }
            if let Procedure::Method(method) | Procedure::Lambda { method, .. } =
                analysis.procedures.get(data.procedure)
                && view.is_application(method)
            {
                view.application.insert(instance);
            }
        }
        view
    }

    fn match_rows(&mut self) {
        for instance in self.analysis.instances.iter() {
            let Some(method) = self.analysis.procedures.method(instance.procedure) else { continue };
            if self.is_application(method) || self.rows.contains_key(&method) {
                continue;
            }
            self.rows.insert(method, self.rows_of_method(method));
        }
    }

    fn rows_of_method(&self, method: MethodId) -> Vec<&'a Row> {
        let data = &self.program.methods[method];
        let class = self.program.classes[data.class].name.symbol();
        self.models.rows_for(class, data.name, data.descriptor, &Hierarchy(self.program))
    }

    /// Whether a class belongs to what the user asked about.
    pub fn is_application_class(&self, class: ClassId) -> bool {
        self.program.classes[class].tier == Tier::Application
    }

    /// Whether a method belongs to what the user asked about.
    pub fn is_application(&self, method: MethodId) -> bool {
        self.is_application_class(self.program.methods[method].class)
    }

    /// The methods of the application that are reached and have code, with their code.
    pub fn application_code(&self) -> impl Iterator<Item = (MethodId, &'a Body)> {
        let reached = |&method: &MethodId| self.is_application(method) && self.analysis.is_reached(method);
        let methods = self.program.methods.ids().filter(reached);
        methods.filter_map(|method| Some((method, self.program.body(method)?)))
    }

    /// What the rows say of the library methods that the application calls, by an instruction or by a method reference: the instance that calls,
    /// the call, the method and the effect.
    pub fn application_effects(
        &self,
    ) -> impl Iterator<Item = (InstanceId, CallAt<'_>, MethodId, &'a Effect)> + '_ {
        let instances = self.analysis.instances.ids().filter(|&id| self.is_application_instance(id));
        let calls = instances.flat_map(|instance| self.calls(instance).map(move |call| (instance, call)));
        calls.flat_map(move |(instance, call)| {
            let mut methods: Vec<MethodId> =
                call.callees.iter().filter_map(|&callee| self.method_of(callee)).collect();
            methods.sort_unstable();
            methods.dedup();
            methods.into_iter().filter(|&method| !self.is_application(method)).flat_map(move |method| {
                let effects = self.rows(method).iter().flat_map(|row| row.effects.iter());
                effects.map(move |effect| (instance, call, method, effect))
            })
        })
    }

    /// The method of an instance, unless it is synthetic.
    pub fn method_of(&self, instance: InstanceId) -> Option<MethodId> {
        self.analysis.procedures.method(self.analysis.instances[instance].procedure)
    }

    /// The procedure of an instance.
    pub fn procedure_of(&self, instance: InstanceId) -> Procedure {
        self.analysis.procedures.get(self.analysis.instances[instance].procedure)
    }

    /// Whether an instance is code of the application: one of its methods, or a lambda expression of one.
    pub fn is_application_instance(&self, instance: InstanceId) -> bool {
        self.application.contains(instance)
    }

    /// The instance that calls the entry points.
    pub fn roots(&self) -> Option<InstanceId> {
        let roots = self.analysis.procedures.find(Procedure::Roots)?;
        self.analysis.instances_of_procedure(roots).first().copied()
    }

    /// The body of an instance's method, unless rows say all that the method does: then its code was not analysed, and the sets of its
    /// values are empty.
    pub fn body(&self, instance: InstanceId) -> Option<&'a Body> {
        self.analysed_body(self.method_of(instance)?)
    }

    /// The body of a method, as for [`View::body`].
    fn analysed_body(&self, method: MethodId) -> Option<&'a Body> {
        let is_replaced = self.rows(method).iter().any(|row| row.replace);
        self.program.body(method).filter(|_| !is_replaced)
    }

    /// The shape of a method whose body was analysed.
    pub fn shape(&self, method: MethodId) -> Option<&Shape> {
        let made = || self.analysed_body(method).map(|body| Arc::new(Shape::new(body)));
        self.shapes[method.index()].get_or_init(made).as_deref()
    }

    /// The block of an instruction of a method.
    pub fn block_of(&self, method: MethodId, inst: Inst) -> Option<Block> {
        self.shape(method).map(|shape| shape.block_of[inst])
    }

    /// The calls of an instance that reach something, by number.
    pub fn calls(&self, instance: InstanceId) -> impl Iterator<Item = CallAt<'_>> {
        let first = self.starts[instance] as usize;
        let next = self.starts.get(InstanceId::from_index(instance.index() + 1));
        let end = next.map_or(self.calls.len(), |&next| next as usize);
        (first..end).map(|position| self.call_at(position))
    }

    fn call_at(&self, position: usize) -> CallAt<'_> {
        let (number, inst, start) = self.calls[position];
        let end = self.calls.get(position + 1).map_or(self.callees.len(), |next| next.2 as usize);
        CallAt { number, inst, callees: &self.callees[start as usize..end] }
    }

    /// The instances that an instruction of an instance may call.
    pub fn callees(&self, instance: InstanceId, inst: Inst) -> &[InstanceId] {
        self.calls(instance).find(|call| call.inst == Some(inst)).map_or(&[], |call| call.callees)
    }

    /// What the rows say of a library method; nothing for methods of the application.
    pub fn rows(&self, method: MethodId) -> &[&'a Row] {
        self.rows.get(&method).map_or(&[], Vec::as_slice)
    }

    /// What the rows say of the library methods that a call of an instance may reach, each method with its rows. Where the
    /// call reaches nothing, what they say of the method that it names.
    pub fn rows_of_call(&self, instance: InstanceId, inst: Inst) -> Vec<(MethodId, Vec<&'a Row>)> {
        let callees = self.callees(instance, inst);
        let mut found: Vec<(MethodId, Vec<&'a Row>)> = Vec::new();
        for method in callees.iter().filter_map(|&callee| self.method_of(callee)) {
            if !self.is_application(method) && !found.iter().any(|(known, _)| *known == method) {
                found.push((method, self.rows(method).to_vec()));
            }
        }
        if callees.is_empty()
            && let Some(body) = self.body(instance)
            && let Op::Invoke(_, reference) = &body.insts[inst].op
            && let Ok(method) = self.program.resolve_method(reference)
            && !self.is_application(method)
        {
            found.push((method, self.rows_of_method(method)));
        }
        found
    }

    /// Whether a call of an instance may reach a library method that has rows.
    pub fn has_rows(&self, instance: InstanceId, inst: Inst) -> bool {
        let callees = self.callees(instance, inst).iter();
        callees.filter_map(|&callee| self.method_of(callee)).any(|method| !self.rows(method).is_empty())
    }

    /// Every effect that a call of an instance may have by the rows: the union over the methods it may reach.
    pub fn may_effects(&self, instance: InstanceId, inst: Inst) -> Vec<&'a Effect> {
        let mut found: Vec<&'a Effect> = Vec::new();
        for row in self.rows_of_call(instance, inst).into_iter().flat_map(|(_, rows)| rows) {
            for effect in row.effects.iter() {
                if !found.contains(&effect) {
                    found.push(effect);
                }
            }
        }
        found
    }

    /// Every effect that a call of an instance has whatever it reaches: the intersection over the methods it may reach,
    /// nothing if one of them belongs to the application.
    pub fn must_effects(&self, instance: InstanceId, inst: Inst) -> Vec<&'a Effect> {
        let of_application =
            |&callee: &InstanceId| self.method_of(callee).is_none_or(|method| self.is_application(method));
        if self.callees(instance, inst).iter().any(of_application) {
            return Vec::new();
        }
        let mut methods = self.rows_of_call(instance, inst).into_iter();
        let effects_of = |rows: Vec<&'a Row>| rows.into_iter().flat_map(|row| row.effects.iter());
        let Some((_, first)) = methods.next() else { return Vec::new() };
        let mut found: Vec<&'a Effect> = effects_of(first).collect();
        for (_, rows) in methods {
            let others: Vec<&Effect> = effects_of(rows).collect();
            found.retain(|effect| others.contains(effect));
        }
        found
    }

    /// The value at a call that a place of an effect means; `None` for places inside objects, which no value is.
    pub fn operand(&self, body: &Body, call: Inst, place: &Place) -> Option<Value> {
        if !place.steps.is_empty() {
            return None;
        }
        let has_receiver = !matches!(body.insts[call].op, Op::Invoke(InvokeKind::Static, _));
        let arguments = body.args(call);
        match place.root {
            Root::This => has_receiver.then(|| arguments.first().copied()).flatten(),
            Root::Arg(number) => arguments.get(usize::from(number) + usize::from(has_receiver)).copied(),
            Root::Result => body.insts[call].result,
            Root::Static { .. } | Root::Vm(_) => None,
        }
    }

    /// The objects that a place of an effect may mean at a call: the call's number in an instance, and the library method
    /// whose effect it is.
    pub fn objects_at(
        &self,
        instance: InstanceId,
        number: u32,
        method: MethodId,
        place: &Place,
    ) -> Vec<ObjectId> {
        let procedure = self.analysis.instances[instance].procedure;
        let summary = self.analysis.summary(procedure);
        let Some(call) = summary.and_then(|summary| summary.calls.get(number as usize)) else {
            return Vec::new();
        };
        let has_receiver = usize::from(!self.program.methods[method].is_static());
        let slot = match place.root {
            Root::This => call.arguments.first().copied().flatten(),
            Root::Arg(number) => call.arguments.get(usize::from(number) + has_receiver).copied().flatten(),
            Root::Result => call.result,
            Root::Static { .. } | Root::Vm(_) => None,
        };
        let Some(slot) = slot else { return Vec::new() };
        self.objects_from(self.analysis.slot_points_to(instance, slot).iter().collect(), &place.steps)
    }

    /// The objects to which steps lead from others.
    pub fn objects_from(&self, mut objects: Vec<ObjectId>, steps: &[Step]) -> Vec<ObjectId> {
        for step in steps {
            objects = objects.iter().flat_map(|&object| self.step(object, *step)).collect();
            objects.sort_unstable();
            objects.dedup();
        }
        objects
    }

    fn step(&self, object: ObjectId, step: Step) -> Vec<ObjectId> {
        match step {
            Step::Elements => self.analysis.member(object, Member::Element).collect(),
            Step::Field { class, field } => {
                let class = self.program.class_named(ClassName::from_symbol(class.symbol()));
                let mut above = class.into_iter().flat_map(|class| self.program.superclasses(class));
                let declared = above.find_map(|class| {
                    self.program.classes[class]
                        .fields
                        .iter()
                        .find(|&id| self.program.fields[id].name == field)
                });
                let held = declared.map(|field| self.analysis.member(object, Member::Field(field)));
                held.into_iter().flatten().collect()
            }
            Step::EveryField => self.analysis.members_of(object).collect(),
        }
    }

    /// The callbacks of a library method that run in another thread.
    pub fn spawning_effects(&self, method: MethodId) -> impl Iterator<Item = &'a Effect> {
        self.rows(method).iter().flat_map(|row| row.effects.iter()).filter(|effect| is_spawn(effect))
    }

    /// Whether a library method runs code in another thread, by its rows.
    pub fn spawns(&self, method: MethodId) -> bool {
        self.spawning.contains(method)
    }

    /// Whether an instance is one of a library method that runs code in another thread.
    pub fn is_spawning(&self, instance: InstanceId) -> bool {
        self.spawning_instances.contains(instance)
    }

    /// The library methods that a call may reach and that run code in another thread, each once.
    pub fn spawning_methods(&self, call: &CallAt<'_>) -> Vec<MethodId> {
        let spawning = call.callees.iter().filter(|&&callee| self.is_spawning(callee));
        let mut methods: Vec<MethodId> = spawning.filter_map(|&callee| self.method_of(callee)).collect();
        methods.sort_unstable();
        methods.dedup();
        methods
    }

    /// The calls of an instance that would run code in another thread by the rows of the method that they name, and reach nothing: nobody
    /// knows the object that is called.
    pub fn unknown_starts(&self, instance: InstanceId) -> Vec<Inst> {
        let Some(body) = self.body(instance) else { return Vec::new() };
        let calls = body.insts.iter_ids().filter(|(_, data)| matches!(data.op, Op::Invoke(..)));
        let spawns = |&inst: &Inst| {
            let rows = self.rows_of_call(instance, inst).into_iter().flat_map(|(_, rows)| rows);
            rows.flat_map(|row| row.effects.iter()).any(is_spawn)
        };
        calls
            .map(|(inst, _)| inst)
            .filter(|&inst| self.callees(instance, inst).is_empty())
            .filter(spawns)
            .collect()
    }

    /// Whether unknown callers call the program: it is analysed as a library.
    pub fn has_clients(&self) -> bool {
        self.has_clients
    }

    /// The class initialisers that code of an instance may run, as instances.
    pub fn initializers(&self, instance: InstanceId) -> Vec<InstanceId> {
        let procedure = self.analysis.instances[instance].procedure;
        let Some(summary) = self.analysis.summary(procedure) else { return Vec::new() };
        let mut found = Vec::new();
        for &class in &summary.initializes {
            for class in self.program.superclasses(class) {
                let name = (Symbol::from("<clinit>"), Symbol::from("()V"));
                let initializer = self.program.declared_method(class, name.0, name.1);
                let instances = initializer.map(|method| self.analysis.instances_of(method));
                found.extend(instances.into_iter().flatten().copied());
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The line of an instruction; the bytecode index where the class file has no lines.
    pub fn line(&self, method: MethodId, inst: Inst) -> Option<u32> {
        let body = self.program.body(method)?;
        body.line(body.insts[inst].bci)
    }
}

type Grouped = (IdVec<InstanceId, u32>, Vec<(u32, Option<Inst>, u32)>, Vec<InstanceId>);

/// All call edges by caller, then by call.
fn group(analysis: &Analysis<'_>) -> Grouped {
    let mut edges = analysis.call_edges.clone();
    edges.sort_unstable();
    edges.dedup();
    let mut starts: IdVec<InstanceId, u32> = IdVec::with_capacity(analysis.instances.len());
    let mut calls: Vec<(u32, Option<Inst>, u32)> = Vec::new();
    let mut callees: Vec<InstanceId> = Vec::with_capacity(edges.len());
    let mut position = 0;
    for instance in analysis.instances.ids() {
        starts.push(calls.len() as u32);
        let mut last = None;
        while let Some(edge) = edges.get(position).filter(|edge| edge.caller == instance) {
            if last != Some(edge.call) {
                last = Some(edge.call);
                calls.push((edge.call, analysis.call_inst(edge), callees.len() as u32));
            }
            callees.push(edge.callee);
            position += 1;
        }
    }
    (starts, calls, callees)
}

/// Whether an effect runs code in another thread.
fn is_spawn(effect: &Effect) -> bool {
    matches!(effect, Effect::Callback { thread, .. } if *thread != InThread::Same)
}
