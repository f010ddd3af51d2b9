//! Calling contexts and heap contexts, and the policies that choose them.
//!
//! A context is a list of at most a few [`Element`]s, the most recent first: allocation sites of receivers for object
//! sensitivity, call sites for call-site sensitivity, types for type sensitivity. The same lists serve as calling contexts
//! of methods and as heap contexts of objects, so that for object sensitivity "contexts and abstract objects are the same
//! thing" (seed 003, section 2): an object is an allocation site with a heap context, and the context of a method is its
//! receiver's site followed by the receiver's heap context.
//!
//! A [`Policy`] is a pure function from what is known at a call or an allocation to a context. Each is one small file.

mod adaptive;
mod call_site;
mod factories;
mod insensitive;
pub(crate) mod library;
mod object;
mod refined;
mod type_based;

use smallvec::SmallVec;

use selvedge_base::{FastMap, IdVec, entity};
use selvedge_world::{ClassId, MethodId, Program};

pub use adaptive::Adaptive;
pub use call_site::CallSiteSensitive;
pub use insensitive::Insensitive;
pub use library::is_collection;
pub use object::ObjectSensitive;
pub use refined::Refined;
pub use type_based::TypeSensitive;

use crate::heap::{Heap, ObjectData, SiteId, TypeId};
use crate::procedure::{ProcedureId, Procedures};

entity! {
    /// An interned context.
    ContextId "k";
}

/// One step of a context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Element {
    /// Where a receiver was allocated.
    Site(SiteId),
    /// A call: the calling procedure, and the number of the call in it.
    Call(ProcedureId, u32),
    /// The class of the code that allocated a receiver.
    Type(TypeId),
    /// Tells two instances of a modelled library method apart as if it had been copied into its caller.
    Inlined(u32, u32),
    /// What a second policy chose, beside what the default did; the last element. See [`Refined`].
    Beside(ContextId),
}

type Elements = SmallVec<[Element; 2]>;

/// All contexts that were needed, each once.
pub struct Contexts {
    lists: IdVec<ContextId, Elements>,
    ids: FastMap<Elements, ContextId>,
    pushed: FastMap<(Element, ContextId, u8), ContextId>,
}

impl Contexts {
    /// The context that tells nothing apart.
    pub const EMPTY: ContextId = ContextId::new(0);

    pub(crate) fn new() -> Self {
        let mut contexts = Self { lists: IdVec::new(), ids: FastMap::default(), pushed: FastMap::default() };
        contexts.intern(Elements::new());
        contexts
    }

    fn intern(&mut self, elements: Elements) -> ContextId {
        if let Some(&id) = self.ids.get(&elements) {
            return id;
        }
        let id = self.lists.push(elements.clone());
        self.ids.insert(elements, id);
        id
    }

    /// The context that starts with `first` and goes on with `rest`, cut to `limit` elements.
    pub fn push(&mut self, first: Element, rest: ContextId, limit: usize) -> ContextId {
        if limit == 0 {
            return Self::EMPTY;
        }
        if let Some(&id) = self.pushed.get(&(first, rest, limit as u8)) {
            return id;
        }
        let tail = self.lists[rest].iter().copied().take(limit - 1);
        let id = self.intern(std::iter::once(first).chain(tail).collect());
        self.pushed.insert((first, rest, limit as u8), id);
        id
    }

    /// The first `limit` elements of a context.
    pub fn truncate(&mut self, context: ContextId, limit: usize) -> ContextId {
        match self.lists[context].split_first() {
            None => context,
            Some(_) if limit == 0 => Self::EMPTY,
            Some(_) if self.lists[context].len() <= limit => context,
            Some(_) => {
                let elements = self.lists[context].iter().copied().take(limit).collect();
                self.intern(elements)
            }
        }
    }

    /// A context without its [`Element::Beside`], and what that names.
    fn split(&mut self, context: ContextId) -> (ContextId, ContextId) {
        match self.lists[context].split_last() {
            Some((&Element::Beside(second), first)) => {
                let first = first.iter().copied().collect();
                (self.intern(first), second)
            }
            _ => (context, Self::EMPTY),
        }
    }

    /// The context of which [`split`](Self::split) gives these two.
    fn join(&mut self, first: ContextId, second: ContextId) -> ContextId {
        if second == Self::EMPTY {
            return first;
        }
        let elements = self.lists[first].iter().copied().chain([Element::Beside(second)]).collect();
        self.intern(elements)
    }

    /// The elements of a context, the most recent first.
    pub fn elements(&self, context: ContextId) -> &[Element] {
        &self.lists[context]
    }

    /// How many contexts there are.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Whether there is only the empty context.
    pub fn is_empty(&self) -> bool {
        self.lists.len() <= 1
    }
}

/// What a policy may look at.
pub struct Surroundings<'a> {
    /// The program.
    pub program: &'a Program,
    /// Types and sites.
    pub heap: &'a Heap<'a>,
    /// What procedures are.
    pub procedures: &'a Procedures,
}

/// A call as a policy sees it.
#[derive(Clone, Copy, Debug)]
pub struct CallView {
    /// The context of the calling method.
    pub caller: ContextId,
    /// The calling procedure.
    pub procedure: ProcedureId,
    /// The number of the call in it.
    pub number: u32,
    /// The method that is called; `None` where it is synthetic (the body of a lambda, a harness).
    pub callee: Option<MethodId>,
}

/// Chooses contexts. See the [module documentation](self).
pub trait Policy: Sync {
    /// The name under which the policy is asked for and reported.
    fn name(&self) -> String;

    /// The context in which a method is analysed when it is called on `receiver`.
    fn of_receiver(
        &self,
        contexts: &mut Contexts,
        around: &Surroundings<'_>,
        call: CallView,
        receiver: &ObjectData,
    ) -> ContextId;

    /// The context in which a static method is analysed: that of its caller, unless the policy says otherwise.
    fn of_static(&self, _: &mut Contexts, _: &Surroundings<'_>, call: CallView) -> ContextId {
        call.caller
    }

    /// The policy to go on with where this one takes too much work. Without one, the most expensive contexts are given up.
    fn coarser(&self) -> Option<&dyn Policy> {
        None
    }

    /// How many elements of the context of its allocation an object keeps, where the policy treats all objects alike.
    fn heap_depth(&self) -> usize {
        0
    }

    /// The heap context of an object of type `ty` that is allocated in `procedure` under `context`.
    fn of_allocation(
        &self,
        contexts: &mut Contexts,
        _around: &Surroundings<'_>,
        context: ContextId,
        _procedure: ProcedureId,
        _ty: TypeId,
    ) -> ContextId {
        contexts.truncate(context, self.heap_depth())
    }
}

/// The policy with this name: `insensitive`, `1-call`, `2-object`, `2-type`, `adaptive`, ... Those with a number refine
/// the adaptive one.
pub fn policy_named(name: &str) -> Option<Box<dyn Policy>> {
    match name {
        "insensitive" => return Some(Box::new(Insensitive)),
        "adaptive" => return Some(Box::new(Adaptive::default())),
        _ => {}
    }
    let (depth, kind) = name.split_once('-')?;
    let depth = depth.parse().ok().filter(|depth| (1..=3).contains(depth))?;
    let chosen: Box<dyn Policy> = match kind {
        "call" => Box::new(CallSiteSensitive { depth }),
        "object" => Box::new(ObjectSensitive { depth }),
        "type" => Box::new(TypeSensitive { depth }),
        _ => return None,
    };
    let coarser = match depth {
        1 => Box::new(Adaptive::default()),
        _ => policy_named(&format!("{}-{kind}", depth - 1))?,
    };
    Some(Box::new(Refined::new(chosen, coarser)))
}

/// The names [`policy_named`] knows.
pub const POLICIES: [&str; 11] = [
    "insensitive",
    "1-call",
    "2-call",
    "3-call",
    "1-object",
    "2-object",
    "3-object",
    "1-type",
    "2-type",
    "3-type",
    "adaptive",
];

/// Whether a class belongs to the program under analysis rather than to its libraries or the JDK.
pub(crate) fn is_application(program: &Program, class: ClassId) -> bool {
    program.classes[class].tier == selvedge_world::Tier::Application
}

#[cfg(test)]
mod tests {
    use selvedge_base::Id;

    use super::*;

    #[test]
    fn contexts_are_interned_and_cut() {
        let mut contexts = Contexts::new();
        let site = |n| Element::Site(SiteId::new(n));
        let a = contexts.push(site(1), Contexts::EMPTY, 2);
        let ba = contexts.push(site(2), a, 2);
        let cb = contexts.push(site(3), ba, 2);
        assert_eq!(contexts.elements(cb), [site(3), site(2)]);
        assert_eq!(contexts.push(site(2), a, 2), ba);
        assert_eq!(contexts.truncate(ba, 1), contexts.push(site(2), Contexts::EMPTY, 1));
        assert_eq!(contexts.truncate(ba, 0), Contexts::EMPTY);
        assert_eq!(contexts.push(site(9), ba, 0), Contexts::EMPTY);
        assert_eq!(contexts.len(), Id::index(cb) + 2);
    }

    #[test]
    fn every_listed_policy_exists_under_its_name() {
        for name in POLICIES {
            assert_eq!(policy_named(name).map(|policy| policy.name()).as_deref(), Some(name));
        }
        assert!(policy_named("4-object").is_none() && policy_named("x").is_none());
    }
}
