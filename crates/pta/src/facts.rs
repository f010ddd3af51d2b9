//! Names for everything in a result, and a whole result as text.
//!
//! Ids depend on the order in which a solver discovers things; names do not. Results of different solvers are compared by
//! name.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_base::IdVec;
use selvedge_world::{MethodId, Program};

use crate::context::{ContextId, Contexts, Element};
use crate::heap::{Heap, ObjectId, Site, SiteId};
use crate::procedure::{Procedure, ProcedureId, Procedures};
use crate::semantics::{CallEdge, Instance, InstanceId, RULE_CALL};
use crate::summary::Member;

/// A result as text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// What each variable, result, member and static field may point to; those that point nowhere are left out. In procedures
    /// without a body the slots stand for variables.
    pub holds: BTreeMap<String, BTreeSet<String>>,
    /// Which call of which instance reaches which instance.
    pub calls: BTreeSet<String>,
}

impl Facts {
    pub(crate) fn hold(&mut self, holder: String, objects: impl Iterator<Item = String>) {
        let mut objects = objects.peekable();
        if objects.peek().is_some() {
            self.holds.entry(holder).or_default().extend(objects);
        }
    }

    /// A few of the differences to another result, as sentences; none if they are equal.
    pub fn differences(&self, other: &Facts) -> Vec<String> {
        let mut found = Vec::new();
        let empty = BTreeSet::new();
        for holder in self.holds.keys().chain(other.holds.keys()).collect::<BTreeSet<_>>() {
            let (a, b) =
                (self.holds.get(holder).unwrap_or(&empty), other.holds.get(holder).unwrap_or(&empty));
            if let Some(only) = a.difference(b).next() {
                found.push(format!("only the first has {only} in {holder}"));
            }
            if let Some(only) = b.difference(a).next() {
                found.push(format!("only the second has {only} in {holder}"));
            }
        }
        found.extend(
            self.calls.difference(&other.calls).map(|call| format!("only the first has the call {call}")),
        );
        found.extend(
            other.calls.difference(&self.calls).map(|call| format!("only the second has the call {call}")),
        );
        found.truncate(20);
        found
    }
}

/// Names things in output.
pub struct Describe<'a> {
    pub(crate) program: &'a Program,
    pub(crate) heap: &'a Heap<'a>,
    pub(crate) contexts: &'a Contexts,
    pub(crate) procedures: &'a Procedures,
    pub(crate) instances: &'a IdVec<InstanceId, Instance>,
    /// Whether contexts are left out of names, so that things that differ only in them share one.
    pub(crate) forgets_contexts: bool,
}

impl Describe<'_> {
    fn at(&self, method: MethodId, inst: selvedge_ir::Inst) -> String {
        let bci = self.program.body(method).map_or(0, |body| body.insts[inst].bci);
        format!("{}@{bci}", self.program.describe_method(method))
    }

    /// A site: what is allocated where.
    pub fn site(&self, site: SiteId) -> String {
        let ty = self.heap.types.name(self.heap.site_type(site));
        match self.heap.site_of(site) {
            Site::Instruction { method, inst, depth: 0 } => format!("{ty} from {}", self.at(method, inst)),
            Site::Instruction { method, inst, depth } => {
                format!("{ty} from {}, dimension {depth}", self.at(method, inst))
            }
            Site::Synthetic { procedure, number, .. } => {
                format!("{ty} made for {} #{number}", self.procedure(procedure))
            }
            Site::Merged(_) => format!("{ty} (any)"),
            Site::Literal(text) => format!("{ty} {text:?}"),
            Site::ClassObject(class) => format!("class object of {class}"),
            Site::Part { whole, .. } => format!("{ty} inside {whole}"),
            Site::ElementClass(class) => format!("class object of elements {class}"),
            Site::VmCell(name) => format!("VM cell {name}"),
            Site::FieldHandle(field, _) => format!("{ty} for {}", self.program.describe_field(field)),
            Site::MethodHandle(method, _) => format!("{ty} for {}", self.program.describe_method(method)),
            Site::Adapted { handle, .. } => format!("adapted {}", self.site(handle)),
            Site::MethodNamed(name, _) => format!("{ty} for any {name}"),
        }
    }

    /// An abstract object: its site and heap context.
    pub fn object(&self, object: ObjectId) -> String {
        let data = self.heap.get(object);
        format!("{}{}", self.site(data.site), self.context(data.context))
    }

    /// A context in brackets; nothing for the empty one.
    pub fn context(&self, context: ContextId) -> String {
        let name = |element: &Element| match *element {
            Element::Site(site) => self.site(site),
            Element::Call(procedure, RULE_CALL) => format!("reflection in {}", self.procedure(procedure)),
            Element::Call(procedure, number) => format!("call {number} in {}", self.procedure(procedure)),
            Element::Type(ty) => self.heap.types.name(ty),
            Element::Inlined(caller, number) => {
                format!("call {number} in {}", self.instance(InstanceId::new(caller)))
            }
            Element::Beside(second) => format!("beside{}", self.context(second)),
        };
        match self.contexts.elements(context) {
            [] => String::new(),
            _ if self.forgets_contexts => String::new(),
            elements => format!(" [{}]", elements.iter().map(name).collect::<Vec<_>>().join("; ")),
        }
    }

    /// A procedure.
    pub fn procedure(&self, procedure: ProcedureId) -> String {
        match self.procedures.get(procedure) {
            Procedure::Method(method) => self.program.describe_method(method),
            Procedure::Lambda { method, inst } => format!("lambda {}", self.at(method, inst)),
            Procedure::Proxy(method) => format!("proxy of {}", self.program.describe_method(method)),
            Procedure::Client(method) => format!("client's {}", self.program.describe_method(method)),
            Procedure::Roots => "<entry>".to_string(),
        }
    }

    /// A procedure in its context.
    pub fn instance(&self, instance: InstanceId) -> String {
        let Instance { procedure, context } = self.instances[instance];
        format!("{}{}", self.procedure(procedure), self.context(context))
    }

    /// A member of an object.
    pub fn member(&self, object: ObjectId, member: Member) -> String {
        let member = match member {
            Member::Field(field) => self.program.describe_field(field),
            Member::Element => "elements".to_string(),
            Member::Captured(position) => format!("captured value {position}"),
        };
        format!("{member} of {}", self.object(object))
    }

    /// A call edge.
    pub fn edge(&self, edge: &CallEdge) -> String {
        format!("{} in {} -> {}", edge.call, self.instance(edge.caller), self.instance(edge.callee))
    }
}
