//! What the solver analyses: methods of the program, and code that exists in no class file.
//!
//! A [`ProcedureId`] below the number of the program's methods is the method with the same number; the others are synthetic:
//! the method behind a lambda expression, an interface method of a dynamic proxy, the code that calls the entry points.

use selvedge_base::{FastMap, Id, IdVec, entity};
use selvedge_ir::Inst;
use selvedge_world::{MethodId, Program};

use crate::summary::Summary;

entity! {
    /// A method or a synthetic procedure.
    ProcedureId "p";
}

/// What a procedure is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Procedure {
    /// A method of the program.
    Method(MethodId),
    /// The method of the functional interface, as implemented by the lambda expression at an instruction.
    Lambda {
        /// The method that contains the expression.
        method: MethodId,
        /// The expression.
        inst: Inst,
    },
    /// An interface method as dynamic proxies implement it: it calls the invocation handler.
    Proxy(MethodId),
    /// An interface method as the client of an open program implements it.
    Client(MethodId),
    /// The code that calls the program's entry points, as the VM or unknown callers would.
    Roots,
}

/// All procedures, with the summaries of those that were reached.
pub struct Procedures {
    methods: usize,
    synthetic: IdVec<ProcedureId, Procedure>,
    ids: FastMap<Procedure, ProcedureId>,
    summaries: FastMap<ProcedureId, Summary>,
}

impl Procedures {
    pub(crate) fn new(program: &Program) -> Self {
        Self {
            methods: program.methods.len(),
            synthetic: IdVec::new(),
            ids: FastMap::default(),
            summaries: FastMap::default(),
        }
    }

    /// The procedure of a method.
    pub fn of_method(method: MethodId) -> ProcedureId {
        ProcedureId::from_index(method.index())
    }

    /// What a procedure is.
    pub fn get(&self, id: ProcedureId) -> Procedure {
        match id.index().checked_sub(self.methods) {
            None => Procedure::Method(MethodId::from_index(id.index())),
            Some(index) => self.synthetic[ProcedureId::from_index(index)],
        }
    }

    /// The method behind a procedure, unless it is synthetic.
    pub fn method(&self, id: ProcedureId) -> Option<MethodId> {
        (id.index() < self.methods).then(|| MethodId::from_index(id.index()))
    }

    /// The id of a procedure that was reached.
    pub fn find(&self, procedure: Procedure) -> Option<ProcedureId> {
        match procedure {
            Procedure::Method(method) => Some(Self::of_method(method)),
            _ => self.ids.get(&procedure).copied(),
        }
    }

    /// The id of a procedure.
    pub(crate) fn intern(&mut self, procedure: Procedure) -> ProcedureId {
        if let Procedure::Method(method) = procedure {
            return Self::of_method(method);
        }
        if let Some(&id) = self.ids.get(&procedure) {
            return id;
        }
        let id = ProcedureId::from_index(self.methods + self.synthetic.push(procedure).index());
        self.ids.insert(procedure, id);
        id
    }

    pub(crate) fn summary(&self, id: ProcedureId) -> Option<&Summary> {
        self.summaries.get(&id)
    }

    pub(crate) fn set_summary(&mut self, id: ProcedureId, summary: Summary) {
        self.summaries.insert(id, summary);
    }
}
