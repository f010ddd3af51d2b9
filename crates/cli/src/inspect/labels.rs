//! How methods, objects and places of an analysis are called in output: by line, not by number.

use selvedge_base::Id;
use selvedge_ir::{Inst, InvokeKind, Op, Value, ValueDef};
use selvedge_pta::heap::{ObjectId, RuntimeType, Site, TypeId};
use selvedge_pta::summary::{Member, Slot};
use selvedge_pta::{Analysis, CallEdge, InstanceId, Place, Procedure, ProcedureId, RULE_CALL};
use selvedge_world::{MethodId, Program, java_name};

/// Names things of one analysis.
pub struct Labels<'a, 'p> {
    analysis: &'a Analysis<'p>,
    program: &'p Program,
    /// Whether contexts are named too.
    contexts: bool,
}

impl<'a, 'p> Labels<'a, 'p> {
    pub fn new(analysis: &'a Analysis<'p>, contexts: bool) -> Self {
        Self { analysis, program: analysis.program, contexts }
    }

    /// The source line of an instruction, where the class file tells.
    pub fn line(&self, method: MethodId, inst: Inst) -> Option<u32> {
        let body = self.program.body(method)?;
        body.line(body.insts[inst].bci)
    }

    /// A place in the code.
    pub fn at(&self, method: MethodId, inst: Inst) -> String {
        let method_name = self.program.describe_method(method);
        match (self.line(method, inst), self.program.body(method)) {
            (Some(line), _) => format!("{method_name}, line {line}"),
            (None, Some(body)) => format!("{method_name}, bytecode {}", body.insts[inst].bci),
            (None, None) => method_name,
        }
    }

    /// A procedure.
    pub fn procedure(&self, procedure: ProcedureId) -> String {
        match self.analysis.procedures.get(procedure) {
            Procedure::Method(method) => self.program.describe_method(method),
            Procedure::Lambda { method, inst } => format!("<lambda in {}>", self.at(method, inst)),
            Procedure::Proxy(method) => format!("<proxy of {}>", self.program.describe_method(method)),
            Procedure::Client(method) => format!("<client's {}>", self.program.describe_method(method)),
            Procedure::Roots => "<entry>".to_owned(),
        }
    }

    /// A procedure, in its context if contexts are distinguished.
    pub fn instance(&self, instance: InstanceId) -> String {
        let data = self.analysis.instances[instance];
        let mut text = self.procedure(data.procedure);
        if self.contexts {
            text += &self.analysis.describe().context(data.context);
        }
        text
    }

    fn ty(&self, ty: TypeId) -> String {
        match self.analysis.heap.types.get(ty) {
            RuntimeType::Class(class) => java_name(self.program.classes[*class].name),
            RuntimeType::Array(name) => java_name(*name),
            RuntimeType::Lambda { interfaces, .. } => {
                let names: Vec<String> = interfaces.iter().map(|&name| java_name(name)).collect();
                format!("lambda {}", names.join(" & "))
            }
            RuntimeType::Proxy(_) => "proxy".to_owned(),
            RuntimeType::Client(interface) => {
                format!("client's {}", java_name(self.program.classes[*interface].name))
            }
        }
    }

    /// An object: what it is, and where it is allocated.
    pub fn object(&self, object: ObjectId) -> String {
        let data = self.analysis.heap.get(object);
        let ty = self.ty(data.ty);
        let mut text = match self.analysis.heap.site_of(data.site) {
            Site::Instruction { method, inst, .. } => format!("{ty} of {}", self.at(method, inst)),
            Site::Synthetic { procedure, .. } => format!("{ty} made for {}", self.procedure(procedure)),
            Site::Merged(_) => format!("any {ty}"),
            Site::Part { whole, .. } => format!("{ty} inside {}", whole.to_string().replace('/', ".")),
            Site::ClassObject(class) | Site::ElementClass(class) => format!("{}.class", java_name(class)),
            _ => self.analysis.describe().site(data.site),
        };
        if self.contexts {
            text += &self.analysis.describe().context(data.context);
        }
        text
    }

    /// A member of an object.
    pub fn member(&self, object: ObjectId, member: Member) -> String {
        let object = self.object(object);
        match member {
            Member::Field(field) => format!("{} of {object}", self.program.describe_field(field)),
            Member::Element => format!("elements of {object}"),
            Member::Captured(position) => format!("captured value {position} of {object}"),
        }
    }

    /// A value of a method's body: what defines it, and at which line.
    pub fn value(&self, method: MethodId, value: Value) -> String {
        let Some(body) = self.program.body(method) else { return value.to_string() };
        let inst = match body.values[value].def {
            ValueDef::Parameter(0) if !self.program.methods[method].is_static() => return "this".to_owned(),
            ValueDef::Parameter(position) => {
                let receiver = u32::from(!self.program.methods[method].is_static());
                return format!("parameter {}", position + 1 - receiver);
            }
            ValueDef::Inst(inst) => inst,
        };
        let what = match &body.insts[inst].op {
            Op::Phi => "merged value".to_owned(),
            Op::Catch => "caught exception".to_owned(),
            Op::New(class) | Op::NewArray(class) | Op::NewMultiArray(class) => {
                format!("new {}", java_name(*class))
            }
            Op::NewPrimitiveArray(_) => "new array".to_owned(),
            Op::ArrayLoad(_) => "element".to_owned(),
            Op::GetField(field) | Op::GetStatic(field) => {
                format!("field {}.{}", java_name(field.owner), field.name)
            }
            Op::Invoke(_, callee) => format!("result of {}.{}", java_name(callee.owner), callee.name),
            Op::InvokeDynamic(_) => "result of invokedynamic".to_owned(),
            Op::CheckCast(class) => format!("cast to {}", java_name(*class)),
            _ => "constant".to_owned(),
        };
        match self.line(method, inst) {
            Some(line) => format!("{value}, line {line}, {what}"),
            None => format!("{value}, {what}"),
        }
    }

    /// A place on the way of an object.
    pub fn place(&self, place: Place) -> String {
        match place {
            Place::Slot(instance, slot) => self.slot(instance, slot),
            Place::Member(object, member) => self.member(object, member),
            Place::Static(field) => self.program.describe_field(field),
            Place::Exceptions(procedure, _) => format!("exceptions of {}", self.procedure(procedure)),
            Place::VmExceptions => "exceptions of the JVM".to_owned(),
        }
    }

    fn slot(&self, instance: InstanceId, slot: Slot) -> String {
        let procedure = self.analysis.instances[instance].procedure;
        let name = self.instance(instance);
        let Some(summary) = self.analysis.summary(procedure) else { return name };
        let is_returned = summary.result == Some(slot);
        if let Some(method) = self.analysis.procedures.method(procedure)
            && let Some(index) = summary.slot_of_value.iter().position(|&known| known == Some(slot))
        {
            let returned = if is_returned { ", returned" } else { "" };
            return format!("{} in {name}{returned}", self.value(method, Value::from_index(index)));
        }
        if is_returned {
            return format!("result of {name}");
        }
        match summary.parameters.iter().position(|&known| known == Some(slot)) {
            Some(position) => format!("argument {position} of {name}"),
            None => format!("inside {name}"),
        }
    }

    /// How a call edge calls, and at which line.
    pub fn call(&self, edge: &CallEdge) -> (Option<u32>, &'static str) {
        if edge.call == RULE_CALL {
            return (None, "reflective");
        }
        let method = self.analysis.procedures.method(self.analysis.instances[edge.caller].procedure);
        let (Some(method), Some(inst)) = (method, self.analysis.call_inst(edge)) else {
            return (None, "implicit");
        };
        let kind = self.program.body(method).map(|body| &body.insts[inst].op);
        let kind = match kind {
            Some(Op::Invoke(InvokeKind::Virtual, _)) => "virtual",
            Some(Op::Invoke(InvokeKind::Interface, _)) => "interface",
            Some(Op::Invoke(InvokeKind::Special, _)) => "special",
            Some(Op::Invoke(InvokeKind::Static, _)) => "static",
            Some(Op::InvokeDynamic(_)) => "dynamic",
            _ => "implicit",
        };
        (self.line(method, inst), kind)
    }
}
