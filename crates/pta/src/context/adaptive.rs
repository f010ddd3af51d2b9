//! The default policy: contexts where they pay.
//!
//! Races are about application objects, the containers that hold them, threads and locks; contexts are spent on these and
//! not on strings, exceptions, formatting, charsets or security.
//!
//! - A method of an *application* class is analysed once per allocation site of its receiver. Where the subclasses of the
//!   class that declares it have too many sites (the nodes of a syntax tree, say), once per class of its receiver, and
//!   where these are too many, once. Which it is depends on the program alone, not on the order of discovery. The containers and arrays that it
//!   allocates carry that site as heap context, and so do its *parts*: objects of classes that are nested in the same class as its
//!   own (the nodes and cursors of a list); what a part allocates of this kind is a part of the same whole. Its other objects have none.
//!   Methods of a part are distinguished by the part's site and what it is a part of.
//! - A method of a *container* (`java.util`, `java.util.concurrent`, threads, references) is analysed once per container: the
//!   site that an application or other code allocates it at. The parts that a container allocates itself (nodes, tables,
//!   views, iterators) belong to it and share its context, so that one element of context reaches through any number of
//!   layers: the iterator of the key set of a map has the map as its context.
//! - A static method of a container package, when called from outside (`Collections.synchronizedMap`), is analysed once per
//!   call; called from inside it keeps the context it has. Static methods of the application inherit their caller's, except *factories* and
//!   *launchers* (see the file `factories.rs`), which are analysed once per call, and what they make is distinguished by it. So are factories of the JDK that
//!   give each caller an object of its own (`DateFormat.getDateInstance`), which are rows of the models.
//! - A constructor of a wrapper (`PrintWriter`, `Formatter`) is analysed once per place where the application makes one.
//! - Everything else has no context.

use std::sync::{OnceLock, PoisonError, RwLock};

use selvedge_base::FastMap;
use selvedge_ir::Op;
use selvedge_world::{ClassId, MethodId, Program, Tier};

use super::factories::Factories;
use super::library::{is_container, is_maker, is_wrapper};
use super::{CallView, ContextId, Contexts, Element, Policy, Surroundings};
use crate::heap::{ObjectData, RuntimeType, Site, TypeId};
use crate::procedure::{Procedure, ProcedureId};

/// See the [module documentation](self).
#[derive(Default)]
pub struct Adaptive {
    roles: RwLock<FastMap<ClassId, Role>>,
    grains: RwLock<FastMap<ClassId, Grain>>,
    /// How many places of the application make objects of each of its classes: allocations, and calls of factories.
    sites: OnceLock<FastMap<ClassId, usize>>,
    factories: OnceLock<Factories>,
}

/// How finely receivers of the methods of an application class are distinguished.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grain {
    Site,
    Class,
    Nothing,
}

/// More contexts than this for each method of one class do not pay.
const MOST_CONTEXTS: usize = 24;

/// What contexts are spent on: the application and containers, not other code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Application,
    Container,
    Other,
}

impl Adaptive {
    fn role(&self, program: &Program, class: ClassId) -> Role {
        if let Some(&role) = self.roles.read().unwrap_or_else(PoisonError::into_inner).get(&class) {
            return role;
        }
        let data = &program.classes[class];
        let role = match data.tier {
            Tier::Application => Role::Application,
            Tier::Jdk if is_container(data.name) => Role::Container,
            _ => Role::Other,
        };
        self.roles.write().unwrap_or_else(PoisonError::into_inner).insert(class, role);
        role
    }

    fn factories(&self, program: &Program) -> &Factories {
        self.factories.get_or_init(|| Factories::find(program))
    }

    fn is_factory(&self, around: &Surroundings<'_>, procedure: ProcedureId) -> bool {
        let method = around.procedures.method(procedure);
        method.is_some_and(|method| self.factories(around.program).calls(method).is_some())
    }

    fn is_maker(&self, around: &Surroundings<'_>, method: Option<MethodId>) -> bool {
        method.is_some_and(|method| {
            let data = &around.program.methods[method];
            data.is_static() && is_maker(around.program.classes[data.class].name, data.name.as_bytes())
        })
    }

    /// How finely to tell receivers apart for methods that `class` declares.
    fn grain(&self, program: &Program, class: ClassId) -> Grain {
        if let Some(&grain) = self.grains.read().unwrap_or_else(PoisonError::into_inner).get(&class) {
            return grain;
        }
        let sites = self.sites.get_or_init(|| count_sites(program, self.factories(program)));
        let subtypes = program.subtypes(class);
        let total: usize = subtypes.iter().map(|class| sites.get(class).copied().unwrap_or(1)).sum();
        let grain = match () {
            () if total <= MOST_CONTEXTS => Grain::Site,
            () if subtypes.len() <= MOST_CONTEXTS => Grain::Class,
            () => Grain::Nothing,
        };
        self.grains.write().unwrap_or_else(PoisonError::into_inner).insert(class, grain);
        grain
    }

    /// The role of a method that is called on a receiver. What a subclass of a container inherits is a container's, whoever declares
    /// the subclass.
    pub(super) fn role_of_receiver(
        &self,
        around: &Surroundings<'_>,
        call: CallView,
        receiver: &ObjectData,
    ) -> Role {
        let declaring = call.callee.map(|method| around.program.methods[method].class);
        if declaring.is_some_and(|class| self.role(around.program, class) == Role::Container) {
            return Role::Container;
        }
        match around.heap.types.get(receiver.ty) {
            RuntimeType::Class(class) => self.role(around.program, *class),
            RuntimeType::Lambda { procedure, .. } => self.role_of_procedure(around, *procedure),
            RuntimeType::Array(_) | RuntimeType::Proxy(_) | RuntimeType::Client(_) => Role::Other,
        }
    }

    /// The role of a static method that is called.
    pub(super) fn role_of_static(&self, around: &Surroundings<'_>, call: CallView) -> Role {
        let class = call.callee.map(|method| around.program.methods[method].class);
        class.map_or(Role::Other, |class| self.role(around.program, class))
    }

    pub(super) fn role_of_procedure(&self, around: &Surroundings<'_>, procedure: ProcedureId) -> Role {
        match around.procedures.get(procedure) {
            Procedure::Method(method) | Procedure::Lambda { method, .. } => {
                self.role(around.program, around.program.methods[method].class)
            }
            Procedure::Proxy(_) | Procedure::Client(_) => Role::Other,
            Procedure::Roots => Role::Application,
        }
    }

    /// Whether objects of a class are parts of the objects whose methods allocate them: both classes are nested in one.
    fn is_part(&self, program: &Program, class: ClassId, allocator: ClassId) -> bool {
        let [part, whole] = [class, allocator].map(|class| program.classes[class].name.to_string());
        let outermost = |name: &str| name.split('$').next().map(str::len);
        class != allocator
            && part.contains('$')
            && part.get(..outermost(&part).unwrap_or(0)) == whole.get(..outermost(&whole).unwrap_or(0))
    }

    /// Whether a constructor of the JDK makes a wrapper for the application.
    fn makes_wrapper(&self, around: &Surroundings<'_>, call: CallView, receiver: &ObjectData) -> bool {
        let is_constructor =
            call.callee.is_some_and(|method| around.program.methods[method].is_constructor());
        is_constructor
            && self.is_wrapper(around, call.callee)
            && self.allocator(around, receiver) == Role::Application
    }

    fn is_wrapper(&self, around: &Surroundings<'_>, method: Option<MethodId>) -> bool {
        let class = method.map(|method| around.program.methods[method].class);
        class.is_some_and(|class| is_wrapper(around.program.classes[class].name))
    }

    /// The role of the code that allocated an object.
    fn allocator(&self, around: &Surroundings<'_>, object: &ObjectData) -> Role {
        match around.heap.site_of(object.site) {
            Site::Instruction { method, .. } => {
                self.role(around.program, around.program.methods[method].class)
            }
            Site::Synthetic { procedure, .. } => self.role_of_procedure(around, procedure),
            Site::Part { .. } => Role::Container,
            _ => Role::Other,
        }
    }
}

/// Counts the places in the application's code that make objects, by class.
fn count_sites(program: &Program, factories: &Factories) -> FastMap<ClassId, usize> {
    let mut sites: FastMap<ClassId, usize> = FastMap::default();
    let of_application = |class: ClassId| program.classes[class].tier == Tier::Application;
    for (id, _) in program.methods.iter_ids().filter(|(_, method)| of_application(method.class)) {
        for inst in program.body(id).into_iter().flat_map(|body| body.insts.iter()) {
            if let Op::New(name) = inst.op
                && let Some(class) = program.class_named(name)
            {
                *sites.entry(class).or_default() += factories.calls(id).unwrap_or(1);
            }
        }
    }
    sites
}

fn is_static(around: &Surroundings<'_>, procedure: ProcedureId) -> bool {
    around.procedures.method(procedure).is_some_and(|method| around.program.methods[method].is_static())
}

impl Policy for Adaptive {
    fn name(&self) -> String {
        "adaptive".into()
    }

    fn of_receiver(
        &self,
        contexts: &mut Contexts,
        around: &Surroundings<'_>,
        call: CallView,
        receiver: &ObjectData,
    ) -> ContextId {
        let declaring = call.callee.map(|method| around.program.methods[method].class);
        match self.role_of_receiver(around, call, receiver) {
            Role::Other if self.makes_wrapper(around, call, receiver) => {
                contexts.push(Element::Site(receiver.site), Contexts::EMPTY, 1)
            }
            Role::Other => Contexts::EMPTY,
            Role::Application => {
                match declaring.map_or(Grain::Site, |class| self.grain(around.program, class)) {
                    Grain::Site => contexts.push(Element::Site(receiver.site), receiver.context, 2),
                    Grain::Class => contexts.push(Element::Type(receiver.ty), Contexts::EMPTY, 1),
                    Grain::Nothing => Contexts::EMPTY,
                }
            }
            Role::Container => match self.allocator(around, receiver) {
                Role::Container if receiver.context != Contexts::EMPTY => receiver.context,
                _ => contexts.push(Element::Site(receiver.site), receiver.context, 2),
            },
        }
    }

    fn of_static(&self, contexts: &mut Contexts, around: &Surroundings<'_>, call: CallView) -> ContextId {
        let caller = around.procedures.method(call.procedure);
        match self.role_of_static(around, call) {
            Role::Other if self.is_maker(around, call.callee) => {
                contexts.push(Element::Call(call.procedure, call.number), Contexts::EMPTY, 1)
            }
            // What the constructor of a wrapper asks of its own class.
            Role::Other if self.is_wrapper(around, call.callee) && self.is_wrapper(around, caller) => {
                call.caller
            }
            Role::Other => Contexts::EMPTY,
            Role::Application => {
                let is_factory =
                    call.callee.is_some_and(|method| self.factories(around.program).calls(method).is_some());
                match is_factory {
                    true => contexts.push(Element::Call(call.procedure, call.number), call.caller, 2),
                    false => call.caller,
                }
            }
            Role::Container => match self.role_of_procedure(around, call.procedure) {
                Role::Container => call.caller,
                Role::Application | Role::Other => {
                    contexts.push(Element::Call(call.procedure, call.number), Contexts::EMPTY, 1)
                }
            },
        }
    }

    fn of_allocation(
        &self,
        contexts: &mut Contexts,
        around: &Surroundings<'_>,
        context: ContextId,
        procedure: ProcedureId,
        ty: TypeId,
    ) -> ContextId {
        let by_factory = self.is_factory(around, procedure);
        let is_kept = match around.heap.types.get(ty) {
            RuntimeType::Class(class) => match self.role(around.program, *class) {
                Role::Container if by_factory => return context,
                Role::Container => true,
                Role::Application if by_factory => true,
                Role::Application => {
                    let method = around.procedures.method(procedure).map(|id| &around.program.methods[id]);
                    let is_part = |whole| self.is_part(around.program, *class, whole);
                    if method.is_some_and(|method| !method.is_static() && is_part(method.class)) {
                        return whole(contexts, context);
                    }
                    false
                }
                Role::Other => false,
            },
            // A static method has the context of whoever called it, which says little about an array.
            RuntimeType::Array(_) => by_factory || !is_static(around, procedure),
            _ => false,
        };
        match self.role_of_procedure(around, procedure) {
            Role::Application if is_kept => contexts.truncate(context, 1),
            Role::Other if self.is_maker(around, around.procedures.method(procedure)) => context,
            Role::Application | Role::Other => Contexts::EMPTY,
            Role::Container => context,
        }
    }
}

/// What a part of the receiver in a context is a part of: the receiver, or what the receiver is a part of itself.
fn whole(contexts: &mut Contexts, context: ContextId) -> ContextId {
    match contexts.elements(context).last().copied() {
        Some(element) => contexts.push(element, Contexts::EMPTY, 1),
        None => Contexts::EMPTY,
    }
}
