//! Linking a whole body: every class, field and method that it names, as the JVM would find and check them.

use selvedge_ir::{Body, Constant, FieldRef, HandleKind, InvokeKind, MethodHandle, MethodRef, Op};

use crate::problem::{Problem, ProblemKind};
use crate::program::{ClassId, MethodId, Program};
use crate::resolve::ResolveError;

impl Program {
    /// Resolves everything that a method's body names. What the JVM would refuse is listed as a problem: a class that is
    /// missing (once for all that name it), a member that is not declared, a use that is not allowed.
    pub fn check_links(&self, method: MethodId, body: &Body) {
        let links = Links { program: self, method, user: self.methods[method].class };
        for inst in body.insts.iter() {
            match &inst.op {
                Op::Invoke(kind, named) => links.method(*kind, named),
                Op::GetField(named) | Op::PutField(named) => links.field(named, false),
                Op::GetStatic(named) | Op::PutStatic(named) => links.field(named, true),
                // A class that is missing is listed by the program itself.
                Op::New(class) | Op::CheckCast(class) | Op::InstanceOf(class) | Op::Class(class) => {
                    let _ = self.resolve_class(*class);
                }
                _ => {}
            }
        }
        for site in body.call_sites.iter() {
            links.handle(&site.bootstrap.method);
            site.bootstrap.arguments.iter().for_each(|argument| links.constant(argument));
        }
        body.constants.iter().for_each(|constant| links.constant(constant));
    }
}

struct Links<'p> {
    program: &'p Program,
    method: MethodId,
    user: ClassId,
}

impl Links<'_> {
    fn complain(&self, what: String) {
        let place = self.program.describe_method(self.method);
        self.program.report(Problem::new(ProblemKind::Linkage, place, what));
    }

    fn unresolved(&self, error: ResolveError) {
        match error {
            // Listed already, once.
            ResolveError::MissingClass(_) => {}
            other => self.complain(other.to_string()),
        }
    }

    fn method(&self, kind: InvokeKind, named: &MethodRef) {
        match self.program.resolve_method(named) {
            Err(error) => self.unresolved(error),
            Ok(target) => {
                if let Err(error) = self.program.check_method_use(self.user, kind, named, target) {
                    self.complain(format!("{}.{}{}: {error}", named.owner, named.name, named.descriptor));
                }
            }
        }
    }

    fn field(&self, named: &FieldRef, as_static: bool) {
        let owner = self.program.class_named(named.owner).unwrap_or(self.program.object());
        match self.program.resolve_field(named) {
            Err(error) => self.unresolved(error),
            Ok(target) => {
                if let Err(error) = self.program.check_field_use(self.user, owner, target, as_static) {
                    self.complain(format!("{}.{}: {error}", named.owner, named.name));
                }
            }
        }
    }

    fn handle(&self, handle: &MethodHandle) {
        match handle {
            MethodHandle::Field(kind, named) => {
                self.field(named, matches!(kind, HandleKind::GetStatic | HandleKind::PutStatic));
            }
            MethodHandle::Method(kind, named) => {
                let kind = match kind {
                    HandleKind::InvokeStatic => InvokeKind::Static,
                    HandleKind::InvokeInterface => InvokeKind::Interface,
                    HandleKind::InvokeSpecial | HandleKind::NewInvokeSpecial => InvokeKind::Special,
                    _ => InvokeKind::Virtual,
                };
                self.method(kind, named);
            }
        }
    }

    fn constant(&self, constant: &Constant) {
        match constant {
            Constant::Class(class) => {
                let _ = self.program.resolve_class(*class);
            }
            Constant::MethodHandle(handle) => self.handle(handle),
            Constant::Dynamic { bootstrap, .. } => {
                self.handle(&bootstrap.method);
                bootstrap.arguments.iter().for_each(|argument| self.constant(argument));
            }
            _ => {}
        }
    }
}
