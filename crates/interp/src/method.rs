//! Methods at run time: their code, what it was linked to, and calling.

use std::cell::Cell;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use selvedge_base::{Symbol, entity};
use selvedge_ir::{Body, Inst, MethodRef};
use selvedge_world::{FieldId, MethodId};

use crate::class::{ClassKind, RtClassId};
use crate::machine::{Exec, Machine, Raise};
use crate::natives::{self, NativeFn};
use crate::value::{ObjRef, Value};

entity! {
    /// A method of the running program: declared, or made by the machine.
    RtMethodId "rm";
}

/// A method at run time.
pub(crate) struct RtMethod<'p> {
    pub class: RtClassId,
    pub name: Symbol,
    pub descriptor: Symbol,
    /// Its declaration; `None` for generated code.
    pub origin: Option<MethodId>,
    pub is_static: bool,
    pub is_synchronized: bool,
    pub code: MethodCode<'p>,
}

/// How a method is run.
#[derive(Clone)]
pub(crate) enum MethodCode<'p> {
    /// Not called yet.
    Unlinked,
    Ir(Rc<Code<'p>>),
    Native(NativeFn),
}

/// A body, of the program or generated.
pub(crate) enum BodyRef<'p> {
    Program(&'p Body),
    Generated(Arc<Body>),
}

impl Deref for BodyRef<'_> {
    type Target = Body;
    fn deref(&self) -> &Body {
        match self {
            BodyRef::Program(body) => body,
            BodyRef::Generated(body) => body,
        }
    }
}

/// A body with what its instructions were resolved to so far.
pub(crate) struct Code<'p> {
    pub body: BodyRef<'p>,
    links: Vec<Cell<Link>>,
}

/// What an instruction's symbolic reference was resolved to. Resolution happens when the instruction is first run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Link {
    None,
    Class(RtClassId),
    /// A string or other constant.
    Object(ObjRef),
    Field {
        field: FieldId,
        slot: u32,
    },
    Static {
        class: RtClassId,
        field: FieldId,
        slot: u32,
    },
    /// A call with one target.
    Direct(RtMethodId),
    /// A static call whose class must be initialised.
    StaticCall(RtClassId, RtMethodId),
    /// A call that selects by receiver, with the last receiver's class and target.
    Selected {
        resolved: MethodId,
        class: RtClassId,
        target: RtMethodId,
    },
    /// A lambda expression: the class of what it makes.
    Lambda(RtClassId),
    /// A call of a `VarHandle`'s or `MethodHandle`'s method.
    Polymorphic,
}

impl<'p> Code<'p> {
    pub fn new(body: BodyRef<'p>) -> Self {
        let links = vec![Cell::new(Link::None); body.insts.len()];
        Self { body, links }
    }

    pub fn link(&self, inst: Inst) -> Link {
        self.links[inst.number() as usize].get()
    }

    pub fn set_link(&self, inst: Inst, link: Link) {
        self.links[inst.number() as usize].set(link);
    }
}

impl<'p> Machine<'p> {
    /// The run-time method of a declaration.
    pub(crate) fn method(&mut self, id: MethodId) -> Exec<RtMethodId> {
        if let Some(method) = self.method_of[id] {
            return Ok(method);
        }
        let declared = self.program.methods[id];
        let class = self.load_declared(declared.class)?;
        let method = self.methods.push(RtMethod {
            class,
            name: declared.name,
            descriptor: declared.descriptor,
            origin: Some(id),
            is_static: declared.is_static(),
            is_synchronized: declared.is_synchronized(),
            code: MethodCode::Unlinked,
        });
        self.method_of[id] = Some(method);
        Ok(method)
    }

    /// Adds a generated static method.
    pub(crate) fn add_generated(&mut self, class: RtClassId, name: &str, body: Body) -> RtMethodId {
        let code = Code::new(BodyRef::Generated(Arc::new(body)));
        self.methods.push(RtMethod {
            class,
            name: Symbol::new(name),
            descriptor: Symbol::new("()V"),
            origin: None,
            is_static: true,
            is_synchronized: false,
            code: MethodCode::Ir(Rc::new(code)),
        })
    }

    /// How a method is run: a replacement or native written for the machine, or its body in the intermediate form.
    pub(crate) fn code(&mut self, method: RtMethodId) -> Exec<MethodCode<'p>> {
        match &self.methods[method].code {
            MethodCode::Unlinked => {}
            code => return Ok(code.clone()),
        }
        let RtMethod { class, name, descriptor, origin, .. } = self.methods[method];
        let owner = self.classes[class].name;
        let describe = || format!("{owner}.{name}{descriptor}");
        let origin = origin.ok_or_else(|| Raise::fatal(format!("{} has no code", describe())))?;
        let is_native = self.program.methods[origin].is_native();
        let code = if let Some(native) = natives::find(owner, name, descriptor, is_native) {
            MethodCode::Native(native)
        } else if is_native {
            return Err(Raise::fatal(format!("the native method {} is not modelled", describe())));
        } else if self.program.methods[origin].is_abstract() {
            return Err(Raise::new("java/lang/AbstractMethodError", describe()));
        } else {
            MethodCode::Ir(Rc::new(Code::new(self.body(origin)?)))
        };
        self.methods[method].code = code.clone();
        Ok(code)
    }

    fn body(&self, method: MethodId) -> Exec<BodyRef<'p>> {
        let body = self.program.body(method);
        let missing = || Raise::fatal(format!("{} was not lowered", self.program.describe_method(method)));
        body.map(BodyRef::Program).ok_or_else(missing)
    }

    /// The method a reference means.
    pub(crate) fn resolve_method(&self, method: &MethodRef) -> Exec<MethodId> {
        self.program
            .resolve_method(method)
            .map_err(|error| Raise::new("java/lang/NoSuchMethodError", error.to_string()))
    }

    /// The method of a class by name and descriptor; for the machine's own calls into the library.
    pub(crate) fn method_named(&mut self, class: &str, name: &str, descriptor: &str) -> Exec<RtMethodId> {
        let owner = selvedge_ir::ClassName::new(class);
        let (name, descriptor) = (Symbol::new(name), Symbol::new(descriptor));
        let id =
            self.program.class_named(owner).and_then(|id| self.program.declared_method(id, name, descriptor));
        let id = id.ok_or_else(|| Raise::fatal(format!("the library has no {class}.{name}{descriptor}")))?;
        self.method(id)
    }

    /// What runs when `resolved` is called on an object of class `receiver`.
    pub(crate) fn select(&mut self, receiver: RtClassId, resolved: MethodId) -> Exec<RtMethodId> {
        if let ClassKind::Lambda(lambda) = &self.classes[receiver].kind {
            let wanted = &self.program.methods[resolved];
            if wanted.name == lambda.method && wanted.is_abstract() {
                let adapter = lambda.adapters.iter().find(|(descriptor, _)| *descriptor == wanted.descriptor);
                if let Some(&(_, adapter)) = adapter {
                    return Ok(adapter);
                }
            }
            // Any other method is Object's or a default method, which the functional interface inherits or overrides.
            let interfaces = lambda.interfaces.clone();
            for interface in interfaces {
                if let Some(target) = self.program.dispatch(interface, resolved) {
                    return self.method(target);
                }
            }
        }
        match self.program.dispatch(self.declared(receiver), resolved) {
            Some(target) => self.method(target),
            None => Err(Raise::new("java/lang/AbstractMethodError", self.program.describe_method(resolved))),
        }
    }

    /// What a call of the lambda method `method` on `receiver` gets: the captured values in place of the receiver.
    pub(crate) fn unfold_lambda(&self, receiver: ObjRef, args: &mut Vec<Value>) {
        if let crate::heap::Payload::Fields(captured) = &self.heap.get(receiver).payload {
            args.splice(0..1, captured.iter().copied());
        }
    }
}
