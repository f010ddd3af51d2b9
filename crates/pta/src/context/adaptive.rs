//! The default policy: contexts where they pay.
//!
//! Races are about application objects, the containers that hold them, threads and locks; contexts are spent on these and
//! not on strings, exceptions, formatting, charsets or security.
//!
//! - A method of an *application* class is analysed once per allocation site of its receiver, and what it allocates carries
//!   that site as heap context.
//! - A method of a *container* (`java.util`, `java.util.concurrent`, threads, references) is analysed once per container: the
//!   site that an application or other code allocates it at. The parts that a container allocates itself (nodes, tables,
//!   views, iterators) belong to it and share its context, so that one element of context reaches through any number of
//!   layers: the iterator of the key set of a map has the map as its context.
//! - A static method of a container package, when called from outside (`Collections.synchronizedMap`), is analysed once per
//!   call; called from inside it keeps the context it has. Static methods of the application inherit their caller's.
//! - Everything else has no context.

use selvedge_base::FastMap;
use selvedge_world::{ClassId, Program, Tier};

use super::{CallView, ContextId, Contexts, Element, Policy, Surroundings};
use crate::heap::{ObjectData, RuntimeType, Site, TypeId};
use crate::procedure::{Procedure, ProcedureId};

/// Packages whose classes are containers, by the prefix of their internal names.
const CONTAINERS: [&str; 4] =
    ["java/util/concurrent/", "java/lang/ref/", "java/lang/ThreadLocal", "java/lang/Thread"];

/// Classes directly in `java/util` that are no containers.
const NO_CONTAINERS: [&str; 12] = [
    "Locale",
    "Formatter",
    "Calendar",
    "GregorianCalendar",
    "Currency",
    "ResourceBundle",
    "Scanner",
    "TimeZone",
    "ServiceLoader",
    "Date",
    "UUID",
    "PropertyResourceBundle",
];

/// See the [module documentation](self).
#[derive(Default)]
pub struct Adaptive {
    roles: std::sync::RwLock<FastMap<ClassId, Role>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Application,
    Container,
    Other,
}

impl Adaptive {
    fn role(&self, program: &Program, class: ClassId) -> Role {
        if let Some(&role) = self.roles.read().unwrap_or_else(std::sync::PoisonError::into_inner).get(&class)
        {
            return role;
        }
        let data = &program.classes[class];
        let role = match data.tier {
            Tier::Application => Role::Application,
            Tier::Jdk if is_container(&data.name.to_string()) => Role::Container,
            _ => Role::Other,
        };
        self.roles.write().unwrap_or_else(std::sync::PoisonError::into_inner).insert(class, role);
        role
    }

    fn role_of_procedure(&self, around: &Surroundings<'_>, procedure: ProcedureId) -> Role {
        match around.procedures.get(procedure) {
            Procedure::Method(method) | Procedure::Lambda { method, .. } => {
                self.role(around.program, around.program.methods[method].class)
            }
            Procedure::Proxy(_) | Procedure::Client(_) => Role::Other,
            Procedure::Roots => Role::Application,
        }
    }

    /// The role of the code that allocated an object.
    fn allocator(&self, around: &Surroundings<'_>, object: &ObjectData) -> Role {
        match around.heap.site_of(object.site) {
            Site::Instruction { method, .. } => {
                self.role(around.program, around.program.methods[method].class)
            }
            Site::Synthetic { procedure, .. } => self.role_of_procedure(around, procedure),
            _ => Role::Other,
        }
    }
}

fn is_container(name: &str) -> bool {
    if CONTAINERS.iter().any(|prefix| name.starts_with(prefix)) {
        return true;
    }
    match name.strip_prefix("java/util/") {
        Some(rest) if !rest.contains('/') => {
            let outer = rest.split('$').next().unwrap_or(rest);
            !NO_CONTAINERS.contains(&outer)
        }
        _ => false,
    }
}

impl Policy for Adaptive {
    fn name(&self) -> String {
        "adaptive".into()
    }

    fn of_receiver(
        &self,
        contexts: &mut Contexts,
        around: &Surroundings<'_>,
        _: CallView,
        receiver: &ObjectData,
    ) -> ContextId {
        let role = match around.heap.types.get(receiver.ty) {
            RuntimeType::Class(class) => self.role(around.program, *class),
            RuntimeType::Lambda { procedure, .. } => self.role_of_procedure(around, *procedure),
            RuntimeType::Array(_) | RuntimeType::Proxy | RuntimeType::Client(_) => Role::Other,
        };
        match role {
            Role::Other => Contexts::EMPTY,
            Role::Application => contexts.push(Element::Site(receiver.site), Contexts::EMPTY, 1),
            Role::Container => match self.allocator(around, receiver) {
                Role::Container if receiver.context != Contexts::EMPTY => receiver.context,
                _ => contexts.push(Element::Site(receiver.site), receiver.context, 2),
            },
        }
    }

    fn of_static(&self, contexts: &mut Contexts, around: &Surroundings<'_>, call: CallView) -> ContextId {
        let callee = call
            .callee
            .map_or(Role::Other, |method| self.role(around.program, around.program.methods[method].class));
        match callee {
            Role::Other => Contexts::EMPTY,
            Role::Application => call.caller,
            Role::Container => match self.role_of_procedure(around, call.procedure) {
                Role::Container => call.caller,
                Role::Application => {
                    contexts.push(Element::Call(call.procedure, call.number), Contexts::EMPTY, 1)
                }
                Role::Other => Contexts::EMPTY,
            },
        }
    }

    fn of_allocation(
        &self,
        contexts: &mut Contexts,
        around: &Surroundings<'_>,
        context: ContextId,
        procedure: ProcedureId,
        _: TypeId,
    ) -> ContextId {
        match self.role_of_procedure(around, procedure) {
            Role::Other => Contexts::EMPTY,
            Role::Application => contexts.truncate(context, 1),
            Role::Container => context,
        }
    }
}
