//! Method bodies: brought into the intermediate form when first asked for, then kept.

use std::sync::OnceLock;

use selvedge_base::IdVec;
use selvedge_ir::{Body, LowerError, Lowerer};

use crate::problem::{Problem, ProblemKind};
use crate::program::{ClassId, MethodId, Program};

/// The bodies made so far; `None` where there is none to be had.
#[derive(Debug)]
pub(crate) struct Bodies(IdVec<MethodId, OnceLock<Option<Box<Body>>>>);

impl Bodies {
    pub(crate) fn new(methods: usize) -> Self {
        let mut bodies = IdVec::new();
        bodies.resize_with(methods, OnceLock::new);
        Self(bodies)
    }
}

impl Program {
    /// The body of a method, made now if need be. `None` if it is abstract or native, or if its bytecode is malformed,
    /// which is then listed as a problem.
    pub fn body(&self, method: MethodId) -> Option<&Body> {
        let body = self.bodies.0[method].get_or_init(|| match self.lower(method) {
            Ok(body) => body.map(Box::new),
            Err(problem) => {
                self.report(problem);
                None
            }
        });
        body.as_deref()
    }

    /// Makes a method's body without keeping it.
    pub fn lower(&self, method: MethodId) -> Result<Option<Body>, Problem> {
        let declared = &self.methods[method];
        let Some(file) = self.class_file(declared.class) else { return Ok(None) };
        let Some(member) = file.methods.get(self.index_in_class(method)) else { return Ok(None) };
        if !declared.has_code() {
            return Ok(None);
        }
        Lowerer::new(&file, self).lower(member).map_err(|error| self.malformed_code(method, &error))
    }

    /// Makes the bodies of all methods of a class, one after the other, without keeping them: the fast way to look at
    /// whole programs once.
    pub fn lower_class(
        &self,
        class: ClassId,
        mut visit: impl FnMut(MethodId, Result<Option<Body>, Problem>),
    ) {
        let Some(file) = self.class_file(class) else { return };
        let mut lowerer = Lowerer::new(&file, self);
        for (method, member) in self.classes[class].methods.iter().zip(&file.methods) {
            visit(method, lowerer.lower(member).map_err(|error| self.malformed_code(method, &error)));
        }
    }

    fn malformed_code(&self, method: MethodId, error: &LowerError) -> Problem {
        let message = format!("has bytecode that makes no sense: {error}");
        Problem::new(ProblemKind::MalformedCode, self.describe_method(method), message)
    }

    fn index_in_class(&self, method: MethodId) -> usize {
        let first = self.classes[self.methods[method].class].methods.first();
        first.map_or(0, |first| (method.number() - first.number()) as usize)
    }
}
