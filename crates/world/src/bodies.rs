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

/// Of a class with more methods than this, several are made when one is asked for: each time the whole class file is parsed.
const LARGE_CLASS: usize = 256;

/// How many methods of a large class are made at once.
const AT_ONCE: usize = 64;

impl Program {
    /// The body of a method, made now if need be. `None` if it is abstract or native, or if its bytecode is malformed,
    /// which is then listed as a problem.
    pub fn body(&self, method: MethodId) -> Option<&Body> {
        if self.classes[self.methods[method].class].methods.len() > LARGE_CLASS
            && self.bodies.0[method].get().is_none()
        {
            self.make_neighbours(method);
        }
        let body = self.bodies.0[method].get_or_init(|| match self.lower(method) {
            Ok(body) => body.map(Box::new),
            Err(problem) => {
                self.report(problem);
                None
            }
        });
        body.as_deref()
    }

    /// Makes the bodies of a method and of those beside it. What is malformed is left for whoever asks for it.
    fn make_neighbours(&self, method: MethodId) {
        let class = self.methods[method].class;
        let Some(file) = self.class_file(class) else { return };
        let mut lowerer = Lowerer::new(&file, self);
        let first = self.index_in_class(method) / AT_ONCE * AT_ONCE;
        let all = self.classes[class].methods.iter().zip(&file.methods);
        for (neighbour, member) in all.skip(first).take(AT_ONCE) {
            let kept = &self.bodies.0[neighbour];
            if kept.get().is_some() || !self.methods[neighbour].has_code() {
                continue;
            }
            if let Ok(mut body) = lowerer.lower(member) {
                body.iter_mut().for_each(|body| self.redirect_references(neighbour, body));
                // Another thread may have been faster, with the same result.
                let _ = kept.set(body.map(Box::new));
            }
        }
    }

    /// Makes a method's body without keeping it.
    pub fn lower(&self, method: MethodId) -> Result<Option<Body>, Problem> {
        if let Some(body) = self.body_of_reference(method) {
            return Ok(Some(body));
        }
        let declared = &self.methods[method];
        let Some(file) = self.class_file(declared.class) else { return Ok(None) };
        let Some(member) = file.methods.get(self.index_in_class(method)) else { return Ok(None) };
        if !declared.has_code() {
            return Ok(None);
        }
        let mut body =
            Lowerer::new(&file, self).lower(member).map_err(|error| self.malformed_code(method, &error))?;
        body.iter_mut().for_each(|body| self.redirect_references(method, body));
        Ok(body)
    }

    /// Makes the bodies of all methods of a class file, one after the other, without keeping them: the fast way to look at
    /// whole programs once. Method references are left as they are.
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
        let message = format!("has invalid bytecode: {error}");
        Problem::new(ProblemKind::MalformedCode, self.describe_method(method), message)
    }

    fn index_in_class(&self, method: MethodId) -> usize {
        let first = self.classes[self.methods[method].class].methods.first();
        first.map_or(0, |first| (method.number() - first.number()) as usize)
    }
}
