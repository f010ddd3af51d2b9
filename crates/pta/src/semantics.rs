//! What calls, allocations and library methods mean, whatever solves the constraints.
//!
//! Both solvers are driven by this: which procedure a call runs on an object, in which context, what a site
//! allocates, what a procedure's constraints are, what a rule says. All of it is a function of the program, the policy and the
//! numbering of instances; none of it looks at points-to sets.

use selvedge_base::{FastMap, FastSet, IdVec, Symbol, entity};
use selvedge_classfile::{FieldType, MethodDescriptor};
use selvedge_ir::ClassName;
use selvedge_models::Special;
use selvedge_world::{ClassId, MethodId, Program};

use crate::budget::{Budget, Limits};
use crate::compact::compact;
use crate::context::{CallView, ContextId, Contexts, Element, Policy, Surroundings, is_application};
use crate::heap::{FilterId, Heap, ObjectId, RuntimeType, Site, SiteId, TypeId, Types};
use crate::names::{class_initializer, find_method};
use crate::plugin::{
    Effect, Library, RuleInput, SlotCallee, client_summary, hands_back_a_parameter, lambda_summary,
    proxy_summary, runs_privileged_action,
};
use crate::procedure::{Procedure, ProcedureId, Procedures};
use crate::summarize::summarize;
use crate::summary::{Call, Slot, Summary, Target};

entity! {
    /// A procedure in a context.
    InstanceId "x";
}

/// A procedure in a context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Instance {
    /// The procedure.
    pub procedure: ProcedureId,
    /// The context.
    pub context: ContextId,
}

/// A call edge: a call of an instance reaches another instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CallEdge {
    /// The calling instance.
    pub caller: InstanceId,
    /// The number of the call in its procedure, or [`RULE_CALL`].
    pub call: u32,
    /// The called instance.
    pub callee: InstanceId,
}

/// The number in [`CallEdge::call`] of calls that a rule makes (reflection): they have no place in a summary.
pub const RULE_CALL: u32 = u32::MAX;

/// Arguments and result of a call that a rule makes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct RuleLink {
    pub caller: InstanceId,
    pub callee: InstanceId,
    /// The arguments without the receiver, as slots of the caller.
    pub arguments: Vec<Option<Slot>>,
    pub has_receiver: bool,
    pub result: Option<Slot>,
}

/// The exceptions that the VM itself throws, native methods, and library code that models replace.
const VM_EXCEPTIONS: [&str; 28] = [
    "java/lang/NullPointerException",
    "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/ArithmeticException",
    "java/lang/ClassCastException",
    "java/lang/NegativeArraySizeException",
    "java/lang/ArrayStoreException",
    "java/lang/IllegalMonitorStateException",
    "java/lang/OutOfMemoryError",
    "java/lang/StackOverflowError",
    "java/lang/ExceptionInInitializerError",
    "java/lang/NoClassDefFoundError",
    "java/lang/NoSuchMethodError",
    "java/lang/NoSuchFieldError",
    "java/lang/AbstractMethodError",
    "java/lang/UnsatisfiedLinkError",
    "java/lang/InternalError",
    "java/lang/IllegalArgumentException",
    "java/lang/IllegalThreadStateException",
    "java/lang/InterruptedException",
    "java/lang/CloneNotSupportedException",
    "java/lang/ClassNotFoundException",
    "java/lang/InstantiationException",
    "java/lang/IllegalAccessException",
    "java/lang/NoSuchMethodException",
    "java/lang/NoSuchFieldException",
    "java/lang/reflect/InvocationTargetException",
    "java/io/IOException",
    "java/io/FileNotFoundException",
];

/// See the [module documentation](self).
pub(crate) struct Semantics<'p> {
    pub program: &'p Program,
    pub policy: &'p dyn Policy,
    pub library: Library<'p>,
    pub heap: Heap<'p>,
    pub contexts: Contexts,
    pub procedures: Procedures,
    pub instances: IdVec<InstanceId, Instance>,
    pub budget: Budget,
    /// Whether slots that must hold the same are one; see [`crate::compact`].
    pub compacts: bool,
    instance_ids: FastMap<Instance, InstanceId>,
    dispatched: FastMap<(MethodId, TypeId), Option<ProcedureId>>,
    reflected: FastMap<(SlotCallee, TypeId), Vec<ProcedureId>>,
    initialized: FastSet<ClassId>,
    finalizable: FastMap<ClassId, bool>,
    /// Which methods are analysed anew at each call, as far as it was asked.
    inlined: FastMap<MethodId, bool>,
}

impl<'p> Semantics<'p> {
    pub fn new(program: &'p Program, policy: &'p dyn Policy, library: Library<'p>, limits: Limits) -> Self {
        Self {
            program,
            policy,
            library,
            heap: Heap::new(program),
            contexts: Contexts::new(),
            procedures: Procedures::new(program),
            instances: IdVec::new(),
            budget: Budget::new(limits),
            compacts: true,
            instance_ids: FastMap::default(),
            dispatched: FastMap::default(),
            reflected: FastMap::default(),
            initialized: FastSet::default(),
            finalizable: FastMap::default(),
            inlined: FastMap::default(),
        }
    }

    /// The instance of a procedure in a context, and whether it is new.
    pub fn instance(&mut self, procedure: ProcedureId, context: ContextId) -> (InstanceId, bool) {
        let instance = Instance { procedure, context };
        if let Some(&id) = self.instance_ids.get(&instance) {
            return (id, false);
        }
        let id = self.instances.push(instance);
        self.instance_ids.insert(instance, id);
        (id, true)
    }

    /// The constraints of a procedure that has been summarised.
    ///
    /// # Panics
    /// If it has not: callers only ask for instances that are built.
    pub fn summary(&self, procedure: ProcedureId) -> &Summary {
        self.procedures.summary(procedure).expect("the procedure of a built instance has a summary")
    }

    /// The call with this number of an instance.
    pub fn call(&self, caller: InstanceId, number: u32) -> &Call {
        &self.summary(self.instances[caller].procedure).calls[number as usize]
    }

    /// The slots of a caller and a callee between which a call passes arguments, without the first few.
    pub fn passed(&self, edge: CallEdge, skip: usize) -> smallvec::SmallVec<[(Slot, Slot); 8]> {
        let call = self.call(edge.caller, edge.call);
        let parameters = &self.summary(self.instances[edge.callee].procedure).parameters;
        let both = call.arguments.iter().zip(parameters).skip(skip);
        both.filter_map(|(argument, parameter)| Some(((*argument)?, (*parameter)?))).collect()
    }

    /// Summarises a procedure unless that was done. Returns whether it was not.
    pub fn summarize(&mut self, procedure: ProcedureId) -> bool {
        if self.procedures.summary(procedure).is_some() {
            return false;
        }
        let summary = self.make_summary(procedure);
        self.procedures.set_summary(procedure, summary);
        true
    }

    fn make_summary(&mut self, procedure: ProcedureId) -> Summary {
        let program = self.program;
        let method = match self.procedures.get(procedure) {
            Procedure::Method(method) => method,
            Procedure::Lambda { method, inst } => {
                return lambda_summary(program, &mut self.heap, procedure, method, inst);
            }
            Procedure::Proxy(method) => return proxy_summary(program, &mut self.heap, procedure, method),
            Procedure::Client(method) => {
                let general = self.library.general_values;
                return client_summary(program, &mut self.heap, procedure, method, general);
            }
            Procedure::Roots => return self.library.take_roots(),
        };
        if let Some(summary) = self.library.summary(program, &mut self.heap, method) {
            return summary;
        }
        let Some(body) = program.body(method) else { return Summary::nothing() };
        let mut summary = summarize(program, &mut self.heap, &mut self.procedures, method, body);
        if self.compacts {
            summary = compact(summary);
        }
        self.library.extend(program, &mut self.heap, method, summary.finish())
    }

    /// The class initialisers that run when a class is initialised for the first time: its own, its superclasses' and
    /// their interfaces'.
    pub fn initializers(&mut self, class: ClassId) -> Vec<ProcedureId> {
        let mut found = Vec::new();
        let mut stack = vec![class];
        while let Some(class) = stack.pop() {
            if !self.initialized.insert(class) {
                continue;
            }
            found.extend(class_initializer(self.program, class).map(Procedures::of_method));
            let data = &self.program.classes[class];
            stack.extend(data.superclass);
            stack.extend(data.interfaces.iter().copied());
        }
        found
    }

    /// One object of each exception that the VM throws.
    pub fn vm_exceptions(&mut self) -> Vec<ObjectId> {
        let mut objects = Vec::new();
        for name in VM_EXCEPTIONS {
            if let Some(ty) = self.heap.types.named(ClassName::new(name)) {
                let site = self.heap.site(Site::Merged(ty), ty);
                objects.push(self.heap.object(site, Contexts::EMPTY));
            }
        }
        objects
    }

    /// A cell of the VM's memory, which rows know by its name; what it holds is its first captured value.
    pub fn vm_cell(&mut self, name: &str) -> Option<ObjectId> {
        let ty = self.heap.types.named(ClassName::object())?;
        let site = self.heap.site(Site::VmCell(name.into()), ty);
        Some(self.heap.object(site, Contexts::EMPTY))
    }

    /// Whether the VM runs a finaliser on objects like this one.
    pub fn is_finalizable(&mut self, object: ObjectId) -> bool {
        let Some(class) = self.heap.types.class(self.heap.get(object).ty) else { return false };
        if let Some(&known) = self.finalizable.get(&class) {
            return known;
        }
        let method = find_method(self.program, class, "finalize".into(), "()V".into());
        let overridden =
            method.is_some_and(|method| self.program.methods[method].class != self.program.object());
        self.finalizable.insert(class, overridden);
        overridden
    }

    /// The call that an inlined instance was made for.
    fn inlined_at(&self, context: ContextId) -> Option<(InstanceId, u32)> {
        match self.contexts.elements(context) {
            [Element::Inlined(caller, number)] => Some((InstanceId::new(*caller), *number)),
            _ => None,
        }
    }

    /// Modelled library methods and those that hand back what they are given are distinguished at each call, as if they were copied there, whatever the policy.
    fn inlined(&mut self, caller: InstanceId, number: u32, callee: ProcedureId) -> Option<ContextId> {
        let method = self.procedures.method(callee)?;
        if !self.is_inlined(method) {
            return None;
        }
        let instance = self.instances[caller];
        // A model that calls a model is distinguished by its place only: else models that call each other never end.
        // What such a method calls of its own kind belongs to the same copy.
        if self.inlined_at(instance.context).is_some() && !self.library.is_inlined(method) {
            return Some(instance.context);
        }
        let element = match self.inlined_at(instance.context) {
            Some(_) => Element::Call(instance.procedure, number),
            None => Element::Inlined(caller.number(), number),
        };
        Some(self.contexts.push(element, Contexts::EMPTY, 1))
    }

    fn is_inlined(&mut self, method: MethodId) -> bool {
        let (program, library) = (self.program, &self.library);
        let decide = || {
            library.is_inlined(method)
                || library.needs_its_call(method)
                || hands_back_a_parameter(program, method)
                || runs_privileged_action(program, method)
        };
        *self.inlined.entry(method).or_insert_with(decide)
    }

    /// The context in which a call runs its callee: by the receiver, if it has one.
    pub fn context_of_call(
        &mut self,
        caller: InstanceId,
        number: u32,
        callee: ProcedureId,
        receiver: Option<ObjectId>,
    ) -> ContextId {
        if let Some(context) = self.inlined(caller, number, callee) {
            return context;
        }
        if self.heap.coarsening.has_no_contexts() || self.budget.is_flattened(callee) {
            return Contexts::EMPTY;
        }
        let Instance { procedure, context } = self.instances[caller];
        let call = CallView { caller: context, procedure, number, callee: self.procedures.method(callee) };
        let around = Surroundings { program: self.program, heap: &self.heap, procedures: &self.procedures };
        let chosen = match receiver {
            Some(receiver) => {
                let receiver = self.heap.get(receiver);
                self.policy.of_receiver(&mut self.contexts, &around, call, receiver)
            }
            None => self.policy.of_static(&mut self.contexts, &around, call),
        };
        self.affordable(chosen)
    }

    /// The context in which a rule's call on the objects of a slot runs. A method that is only guessed gets no contexts: it
    /// would have one for each receiver of each guess.
    pub fn context_of_rule_call(
        &mut self,
        called: SlotCallee,
        caller: InstanceId,
        callee: ProcedureId,
        receiver: ObjectId,
    ) -> ContextId {
        match (called, self.inlined(caller, RULE_CALL, callee)) {
            (_, Some(context)) => context,
            (SlotCallee::Any(_) | SlotCallee::Named(_), None) => Contexts::EMPTY,
            (SlotCallee::Virtual(_) | SlotCallee::Exact(_), None) => {
                self.context_of_call(caller, RULE_CALL, callee, Some(receiver))
            }
        }
    }

    /// The heap context of what an instance allocates.
    fn heap_context(&mut self, instance: Instance, ty: TypeId) -> ContextId {
        let around = Surroundings { program: self.program, heap: &self.heap, procedures: &self.procedures };
        let chosen =
            self.policy.of_allocation(&mut self.contexts, &around, instance.context, instance.procedure, ty);
        self.affordable(chosen)
    }

    /// The object that an instance allocates at a site. What a model allocates, its caller does.
    pub fn allocate(&mut self, id: InstanceId, site: SiteId) -> ObjectId {
        let ty = self.heap.site_type(site);
        let (instance, site) = match (self.heap.site_of(site), self.inlined_at(self.instances[id].context)) {
            (Site::Synthetic { number, .. }, Some((caller, call))) => {
                let calling = self.instances[caller];
                let number = (call << 4) | (number & 15);
                (calling, self.heap.site_of_model(calling.procedure, number, ty))
            }
            _ => (self.instances[id], site),
        };
        let context = self.heap_context(instance, ty);
        self.heap.object(site, context)
    }

    /// The procedure that a call runs on a receiver.
    pub fn callee(&mut self, target: Target, receiver: ObjectId) -> Option<ProcedureId> {
        let ty = self.heap.get(receiver).ty;
        match target {
            Target::Exact(procedure) => Some(procedure),
            Target::Virtual(method) => self.dispatch(method, ty),
            Target::Named(name, descriptor) => self.dispatch_named(name, descriptor, ty),
            Target::Static(_) | Target::Unknown(_) => None,
        }
    }

    /// The method of this name that objects of a type have.
    fn dispatch_named(&mut self, name: Symbol, descriptor: Symbol, ty: TypeId) -> Option<ProcedureId> {
        let procedures = &mut self.procedures;
        let mut intern = |procedure: Procedure| Some(procedures.intern(procedure));
        select_named(self.program, &self.heap.types, &mut intern, name, descriptor, ty)
    }

    /// What a call of `method` runs on objects of a type.
    pub fn dispatch(&mut self, method: MethodId, ty: TypeId) -> Option<ProcedureId> {
        if let Some(&found) = self.dispatched.get(&(method, ty)) {
            return found;
        }
        let procedures = &mut self.procedures;
        let mut intern = |procedure: Procedure| Some(procedures.intern(procedure));
        let found = select(self.program, &self.heap.types, &mut intern, method, ty);
        self.dispatched.insert((method, ty), found);
        found
    }

    /// What a reflective call runs on an object; nothing on objects that do not have the method.
    pub fn reflective_callees(&mut self, callee: SlotCallee, receiver: ObjectId) -> Vec<ProcedureId> {
        let ty = self.heap.get(receiver).ty;
        if let Some(known) = self.reflected.get(&(callee, ty)) {
            return known.clone();
        }
        let found = self.find_reflective_callees(callee, ty);
        self.reflected.insert((callee, ty), found.clone());
        found
    }

    /// Those of some objects that can be receivers of a reflective call: all that have the method, perhaps more.
    pub fn possible_receivers(
        &mut self,
        callee: SlotCallee,
        objects: impl Iterator<Item = ObjectId>,
    ) -> Vec<ObjectId> {
        match callee {
            SlotCallee::Virtual(method) | SlotCallee::Exact(method) => {
                let class = self.program.classes[self.program.methods[method].class].name;
                let filter = self.heap.types.filter_to(class);
                let passing = self.heap.passing(filter);
                objects.filter(|&object| passing.contains(object)).collect()
            }
            SlotCallee::Named(_) | SlotCallee::Any(_) => objects.collect(),
        }
    }

    fn find_reflective_callees(&mut self, callee: SlotCallee, ty: TypeId) -> Vec<ProcedureId> {
        let program = self.program;
        let has = |types: &Types<'_>, method: MethodId| {
            types.is_instance(ty, program.classes[program.methods[method].class].name)
        };
        let methods = match callee {
            SlotCallee::Virtual(method) | SlotCallee::Exact(method) => vec![method],
            SlotCallee::Named(_) | SlotCallee::Any(_) => match self.heap.types.class(ty) {
                Some(class) => invocable_methods(program, class, callee),
                None => Vec::new(),
            },
        };
        let mut found = Vec::new();
        for method in methods {
            if !has(&self.heap.types, method) {
                continue;
            }
            found.extend(match callee {
                SlotCallee::Exact(_) => Some(Procedures::of_method(method)),
                _ => self.dispatch(method, ty),
            });
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What each parameter of a procedure lets in where a rule passes arguments: reflection checks them against the
    /// declared types.
    pub fn parameter_filters(&mut self, procedure: ProcedureId) -> Vec<FilterId> {
        let count = self.summary(procedure).parameters.len();
        let mut filters = vec![Types::ANY; count];
        let Some(method) = self.procedures.method(procedure) else { return filters };
        let data = &self.program.methods[method];
        let Ok(descriptor) = MethodDescriptor::parse(data.descriptor.as_bytes()) else { return filters };
        let declared = filters.iter_mut().skip(usize::from(!data.is_static()));
        for (filter, ty) in declared.zip(descriptor.params()) {
            *filter = match ty {
                FieldType::Class(name) => self.heap.types.filter_to(ClassName::new(name)),
                FieldType::Array(array) => self.heap.types.filter_to(ClassName::new(array.descriptor())),
                FieldType::Primitive(_) => Types::ANY,
            };
        }
        filters
    }

    /// What a rule says to an object that arrived at the slot it watches in an instance.
    pub fn fire(&mut self, owner: InstanceId, rule: Special, object: ObjectId) -> Vec<Effect> {
        let instance = self.instances[owner];
        let (caller, number) = self.inlined_at(instance.context).unwrap_or((owner, RULE_CALL));
        let calling = self.instances[caller];
        let heap_context = self.heap_context(calling, self.heap.get(object).ty);
        let calling_summary = self.procedures.summary(calling.procedure);
        let call = calling_summary.and_then(|summary| summary.calls.get(number as usize));
        let summary = self.procedures.summary(instance.procedure).expect("watching instances are built");
        let caller = self.procedures.method(calling.procedure);
        let in_application =
            |method: MethodId| is_application(self.program, self.program.methods[method].class);
        let input = RuleInput {
            program: self.program,
            summary,
            method: self.procedures.method(instance.procedure),
            caller,
            inst: call.and_then(|call| call.inst),
            from_application: caller.is_some_and(in_application),
            constants: call.map_or(&[], |call| call.constants.as_slice()),
            argument_count: call.map_or(summary.parameters.len(), |call| call.arguments.len()),
            site: (calling.procedure, number),
            heap_context,
            object,
        };
        self.library.fire(&input, &mut self.heap, rule)
    }
}

/// The instance methods of a class and its superclasses and interfaces that a reflective call may mean.
fn invocable_methods(program: &Program, class: ClassId, callee: SlotCallee) -> Vec<MethodId> {
    let is_wanted = |&method: &MethodId| {
        let data = &program.methods[method];
        let is_public = data.flags & selvedge_classfile::access::PUBLIC != 0;
        is_public
            && !data.is_static()
            && !data.is_constructor()
            && match callee {
                SlotCallee::Named(name) => data.name == name,
                SlotCallee::Any(count) => {
                    is_application(program, data.class)
                        && count.is_none_or(|count| data.parameter_types().len() == count)
                }
                SlotCallee::Virtual(_) | SlotCallee::Exact(_) => false,
            }
    };
    let above = program.superclasses(class).chain(program.all_interfaces(class).iter().copied());
    above.flat_map(|class| program.classes[class].methods.iter()).filter(is_wanted).collect()
}

/// Gives the id of a synthetic procedure; `None` where there is none.
pub(crate) type IdOf<'a> = &'a mut dyn FnMut(Procedure) -> Option<ProcedureId>;

/// The method of this name and descriptor that objects of a type have.
pub(crate) fn select_named(
    program: &Program,
    types: &Types<'_>,
    id_of: IdOf<'_>,
    name: Symbol,
    descriptor: Symbol,
    ty: TypeId,
) -> Option<ProcedureId> {
    let class = match types.get(ty) {
        RuntimeType::Class(class) => *class,
        RuntimeType::Lambda { interfaces, .. } => {
            let find = |interface: &ClassName| {
                find_method(program, program.class_named(*interface)?, name, descriptor)
            };
            let method = interfaces.iter().find_map(find)?;
            return select(program, types, id_of, method, ty);
        }
        RuntimeType::Client(interface) => *interface,
        RuntimeType::Array(_) | RuntimeType::Proxy(_) => return None,
    };
    let method = find_method(program, class, name, descriptor)?;
    if program.methods[method].is_constructor() {
        return (program.methods[method].class == class).then(|| Procedures::of_method(method));
    }
    select(program, types, id_of, method, ty)
}

/// What a call of `method` runs on objects of a type: selection by the JVM's rules for classes, and the same in spirit
/// for the types that only exist at run time.
fn select(
    program: &Program,
    types: &Types<'_>,
    id_of: IdOf<'_>,
    method: MethodId,
    ty: TypeId,
) -> Option<ProcedureId> {
    let declared = &program.methods[method];
    let in_object = declared.class == program.object();
    match types.get(ty) {
        RuntimeType::Class(class) => program.dispatch(*class, method).map(Procedures::of_method),
        RuntimeType::Array(_) => in_object.then(|| Procedures::of_method(method)),
        RuntimeType::Lambda { .. } if in_object || declared.is_private() => {
            Some(Procedures::of_method(method))
        }
        RuntimeType::Lambda { procedure, interfaces } => {
            let find = |interface: &ClassName| {
                find_method(program, program.class_named(*interface)?, declared.name, declared.descriptor)
            };
            let found = interfaces.iter().find_map(find)?;
            let is_abstract = program.methods[found].is_abstract();
            Some(if is_abstract { *procedure } else { Procedures::of_method(found) })
        }
        RuntimeType::Client(_) if in_object || declared.is_private() => Some(Procedures::of_method(method)),
        RuntimeType::Client(interface) => {
            let found = find_method(program, *interface, declared.name, declared.descriptor)?;
            if program.methods[found].is_abstract() {
                return id_of(Procedure::Client(found));
            }
            Some(Procedures::of_method(found))
        }
        RuntimeType::Proxy(_) => {
            let is_final = declared.flags & selvedge_classfile::access::FINAL != 0;
            if in_object && is_final {
                return Some(Procedures::of_method(method));
            }
            let is_implemented = program.classes[declared.class].is_interface()
                && types.is_instance(ty, program.classes[declared.class].name);
            if is_implemented || in_object { id_of(Procedure::Proxy(method)) } else { None }
        }
    }
}
