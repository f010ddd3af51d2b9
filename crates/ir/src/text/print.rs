//! Printing. Total: a body that the verifier would refuse prints, too, as far as it makes sense.

use std::fmt::{self, Write};

use super::MethodHeader;
use super::name::{Class, Descriptor, Name, Quoted};
use super::words::{self, word};
use crate::body::{Block, Body, EdgeKind, InstData, Value};
use crate::dynamic::{Bootstrap, CallSite, CallSiteKind, Constant, Lambda, MethodHandle};
use crate::op::{FieldRef, InvokeKind, MethodRef, Op, Switch};
use crate::types::Type;

/// Where `@` stands if the instruction before it is short enough.
const BCI_COLUMN: usize = 58;
/// How many entries of the line table stand on one line.
const LINES_PER_LINE: usize = 10;
/// A switch with more cases than this is printed on several lines.
const CASES_ON_ONE_LINE: usize = 4;

/// The text form of a method; see the [module documentation](super).
pub fn print(header: &MethodHeader, body: &Body) -> String {
    let mut printer = Printer { body, out: String::new(), line: None };
    match printer.method(header) {
        Ok(()) => printer.out,
        Err(fmt::Error) => unreachable!("writing to a string does not fail"),
    }
}

/// The text form of one block alone, as for a picture of the control-flow graph.
pub fn print_block(body: &Body, block: Block) -> String {
    let mut printer = Printer { body, out: String::new(), line: None };
    match printer.block(block) {
        Ok(()) => printer.out,
        Err(fmt::Error) => unreachable!("writing to a string does not fail"),
    }
}

struct Printer<'b> {
    body: &'b Body,
    out: String,
    /// The source line of the instruction printed last.
    line: Option<u32>,
}

impl<'b> Printer<'b> {
    fn method(&mut self, header: &MethodHeader) -> fmt::Result {
        let body = self.body;
        self.out.write_str("method ")?;
        let mut other_flags = header.access;
        for &(flag, word) in words::FLAGS.iter().filter(|&&(flag, _)| header.access & flag != 0) {
            other_flags &= !flag;
            write!(self.out, "{word} ")?;
        }
        if other_flags != 0 {
            write!(self.out, "{other_flags:#06x} ")?;
        }
        let (owner, name, descriptor) =
            (Class(header.owner), Name(header.name), Descriptor(header.descriptor));
        writeln!(self.out, "{owner}.{name}{descriptor} {{")?;
        if !body.parameters.is_empty() {
            let parameters: Vec<String> =
                body.parameters.iter().map(|&value| format!("{value}: {}", self.ty(value))).collect();
            writeln!(self.out, "  parameters {}", parameters.join(", "))?;
        }
        for lines in body.lines.chunks(LINES_PER_LINE) {
            let entries: Vec<String> = lines.iter().map(|(bci, line)| format!("@{bci} {line}")).collect();
            writeln!(self.out, "  lines {}", entries.join(", "))?;
        }
        if !body.parameters.is_empty() || !body.lines.is_empty() {
            self.out.write_char('\n')?;
        }
        for block in body.blocks.ids() {
            self.block(block)?;
        }
        for (id, call_site) in body.call_sites.iter_ids() {
            write!(self.out, "\ncallsite {id} = ")?;
            write_call_site(&mut self.out, call_site)?;
        }
        for (id, constant) in body.constants.iter_ids() {
            writeln!(self.out, "\nconstant {id} = {}", ConstantText(constant))?;
        }
        self.out.write_str("}\n")
    }

    fn block(&mut self, block: Block) -> fmt::Result {
        let body = self.body;
        let data = &body.blocks[block];
        write!(self.out, "{block}:")?;
        for (index, edge) in data.predecessors.iter().enumerate() {
            let kind = if edge.kind == EdgeKind::Unwind { "unwind " } else { "" };
            write!(self.out, "{}{kind}{}", if index == 0 { " <- " } else { ", " }, edge.from)?;
        }
        self.out.write_char('\n')?;
        for (index, unwind) in data.unwind.iter().enumerate() {
            self.out.write_str(if index == 0 { "  unwind " } else { ", " })?;
            match unwind.catches {
                Some(class) => write!(self.out, "{} -> {}", Class(class), unwind.handler)?,
                None => write!(self.out, "any -> {}", unwind.handler)?,
            }
        }
        if !data.unwind.is_empty() {
            self.out.write_char('\n')?;
        }
        for inst in data.insts.iter() {
            if let Some(inst) = body.insts.get(inst) {
                self.inst(block, inst)?;
            }
        }
        Ok(())
    }

    fn inst(&mut self, block: Block, inst: &InstData) -> fmt::Result {
        let body = self.body;
        let start = self.out.len();
        self.out.write_str("  ")?;
        if let Some(result) = inst.result {
            write!(self.out, "{result}: {} = ", self.ty(result))?;
        }
        self.op(block, inst)?;
        let since_line_start = match self.out[start..].rfind('\n') {
            Some(line_end) => &self.out[start + line_end + 1..],
            None => &self.out[start..],
        };
        let padding = BCI_COLUMN.saturating_sub(since_line_start.chars().count()).max(1);
        write!(self.out, "{:padding$}@{}", "", inst.bci)?;
        let line = body.line(inst.bci);
        let mut remarks = Vec::new();
        if let Some(line) = line.filter(|_| line != self.line) {
            remarks.push(format!("line {line}"));
        }
        self.line = line;
        remarks.extend(self.remark(&inst.op));
        if !remarks.is_empty() {
            write!(self.out, "  ; {}", remarks.join(", "))?;
        }
        self.out.write_char('\n')
    }

    fn ty(&self, value: Value) -> TypeText {
        TypeText(self.body.values.get(value).map(|data| data.ty))
    }

    fn args(&self, inst: &InstData) -> &'b [Value] {
        let start = inst.args.start as usize;
        self.body.lists.get(start..start.saturating_add(inst.args.len as usize)).unwrap_or(&[])
    }

    fn op(&mut self, block: Block, inst: &InstData) -> fmt::Result {
        let body = self.body;
        let out = &mut self.out;
        match inst.op {
            Op::Phi => return self.phi(block, inst),
            Op::Catch => out.write_str("catch")?,
            Op::Int(value) => write!(out, "int {value}")?,
            Op::Long(value) => write!(out, "long {value}")?,
            Op::Float(value) => write!(out, "float {}", FloatText(value))?,
            Op::Double(value) => write!(out, "double {}", DoubleText(value))?,
            Op::Null => out.write_str("null")?,
            Op::String(text) => write!(out, "string {}", Quoted(text.as_bytes()))?,
            Op::Class(class) => write!(out, "class {}", Class(class))?,
            Op::Constant(id) => write!(out, "constant {id}")?,
            Op::Binary(op) => out.write_str(word(words::BINARY, op))?,
            Op::Neg => out.write_str("neg")?,
            Op::Convert(conversion) => out.write_str(word(words::CONVERSIONS, conversion))?,
            Op::Compare(comparison) => out.write_str(word(words::COMPARISONS, comparison))?,
            Op::New(class) => write!(out, "new {}", Class(class))?,
            Op::NewPrimitiveArray(element) => write!(out, "newarray {}", word(words::PRIMITIVES, element))?,
            Op::NewArray(array) => write!(out, "anewarray {}", Class(array))?,
            Op::NewMultiArray(array) => write!(out, "multianewarray {}", Class(array))?,
            Op::ArrayLength => out.write_str("arraylength")?,
            Op::ArrayLoad(kind) => write!(out, "arrayload {}", word(words::ARRAYS, kind))?,
            Op::ArrayStore(kind) => write!(out, "arraystore {}", word(words::ARRAYS, kind))?,
            Op::GetField(field) => write!(out, "getfield {}", FieldText(field))?,
            Op::PutField(field) => write!(out, "putfield {}", FieldText(field))?,
            Op::GetStatic(field) => write!(out, "getstatic {}", FieldText(field))?,
            Op::PutStatic(field) => write!(out, "putstatic {}", FieldText(field))?,
            Op::Invoke(kind, method) => {
                let by_interface = kind == InvokeKind::Interface;
                write!(out, "invoke {} {}", word(words::INVOKES, kind), MethodText { method, by_interface })?;
            }
            Op::InvokeDynamic(id) => write!(out, "invokedynamic {id}")?,
            Op::CheckCast(class) => write!(out, "checkcast {}", Class(class))?,
            Op::InstanceOf(class) => write!(out, "instanceof {}", Class(class))?,
            Op::MonitorEnter => out.write_str("monitorenter")?,
            Op::MonitorExit => out.write_str("monitorexit")?,
            Op::Goto(target) => write!(out, "goto {target}")?,
            Op::If { condition, .. } => write!(out, "if {}", word(words::CONDITIONS, condition))?,
            Op::Switch(_) => out.write_str("switch")?,
            Op::Return => out.write_str("return")?,
            Op::Throw => out.write_str("throw")?,
        }
        for (index, arg) in self.args(inst).iter().enumerate() {
            write!(self.out, "{}{arg}", if index == 0 { " " } else { ", " })?;
        }
        match inst.op {
            Op::If { then, otherwise, .. } => write!(self.out, " then {then} else {otherwise}"),
            Op::Switch(id) => match body.switches.get(id) {
                Some(switch) => write_switch(&mut self.out, switch),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn phi(&mut self, block: Block, inst: &InstData) -> fmt::Result {
        self.out.write_str("phi")?;
        let predecessors = &self.body.blocks[block].predecessors;
        for (index, arg) in self.args(inst).iter().enumerate() {
            self.out.write_str(if index == 0 { " " } else { ", " })?;
            if let Some(edge) = predecessors.get(index) {
                write!(self.out, "{} ", edge.from)?;
            }
            write!(self.out, "{arg}")?;
        }
        Ok(())
    }

    /// What an instruction comes to that only mentions a table.
    fn remark(&self, op: &Op) -> Option<String> {
        match *op {
            Op::Constant(id) => self.body.constants.get(id).map(|constant| match constant {
                Constant::Dynamic { name, .. } => format!("dynamic {}", Name(*name)),
                _ => ConstantText(constant).to_string(),
            }),
            Op::InvokeDynamic(id) => self.body.call_sites.get(id).map(|site| match &site.kind {
                CallSiteKind::Lambda(lambda) => format!("lambda {}", HandleText(&lambda.implementation)),
                CallSiteKind::Concat { recipe, .. } => format!("concat {}", Quoted(recipe.as_bytes())),
                CallSiteKind::RecordMethod { class, .. } => {
                    format!("{} of record {}", site.name, Class(*class))
                }
                CallSiteKind::PatternSwitch { labels, .. } => format!("switch of {} labels", labels.len()),
                CallSiteKind::Other => format!("bootstrap {}", HandleText(&site.bootstrap.method)),
            }),
            _ => None,
        }
    }
}

fn write_switch(out: &mut String, switch: &Switch) -> fmt::Result {
    let separator = if switch.cases.len() > CASES_ON_ONE_LINE { "\n    " } else { " " };
    out.write_str(" {")?;
    for (key, target) in &switch.cases {
        write!(out, "{separator}{key} -> {target},")?;
    }
    write!(out, "{separator}default -> {}", switch.default)?;
    out.write_str(if separator == " " { " }" } else { "\n  }" })
}

fn write_bootstrap(out: &mut String, bootstrap: &Bootstrap) -> fmt::Result {
    writeln!(out, "  bootstrap {}", HandleText(&bootstrap.method))?;
    bootstrap.arguments.iter().try_for_each(|argument| writeln!(out, "  argument {}", ConstantText(argument)))
}

fn write_call_site(out: &mut String, site: &CallSite) -> fmt::Result {
    writeln!(out, "{}{} {{", Name(site.name), Descriptor(site.descriptor))?;
    write_bootstrap(out, &site.bootstrap)?;
    match &site.kind {
        CallSiteKind::Lambda(lambda) => write_lambda(out, lambda)?,
        CallSiteKind::Concat { recipe, constants } => {
            writeln!(out, "  concat {}", Quoted(recipe.as_bytes()))?;
            for constant in constants {
                writeln!(out, "  with {}", ConstantText(constant))?;
            }
        }
        CallSiteKind::RecordMethod { class, getters } => {
            writeln!(out, "  record {}", Class(*class))?;
            for getter in getters {
                writeln!(out, "  getter {}", HandleText(getter))?;
            }
        }
        CallSiteKind::PatternSwitch { labels, of_enum } => {
            writeln!(out, "  {}", if *of_enum { "enum_switch" } else { "type_switch" })?;
            for label in labels {
                writeln!(out, "  label {}", ConstantText(label))?;
            }
        }
        CallSiteKind::Other => writeln!(out, "  other")?,
    }
    out.write_str("}\n")
}

fn write_lambda(out: &mut String, lambda: &Lambda) -> fmt::Result {
    let (interface, method) = (Class(lambda.interface), Name(lambda.method));
    writeln!(out, "  lambda {interface}.{method}{}", Descriptor(lambda.erased))?;
    writeln!(out, "  instantiated {}", Descriptor(lambda.instantiated))?;
    writeln!(out, "  implementation {}", HandleText(&lambda.implementation))?;
    for &marker in &lambda.markers {
        writeln!(out, "  marker {}", Class(marker))?;
    }
    for &bridge in &lambda.bridges {
        writeln!(out, "  bridge {}", Descriptor(bridge))?;
    }
    Ok(())
}

struct TypeText(Option<Type>);

impl fmt::Display for TypeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(Type::Ref(class)) => Class(class).fmt(f),
            Some(primitive) => primitive.fmt(f),
            None => f.write_str("?"),
        }
    }
}

struct FieldText(FieldRef);

impl fmt::Display for FieldText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FieldRef { owner, name, descriptor } = self.0;
        write!(f, "{}.{}:{}", Class(owner), Name(name), Name(descriptor))
    }
}

/// A method with a mark if its owner is not the kind of class that the call suggests.
struct MethodText {
    method: MethodRef,
    by_interface: bool,
}

impl fmt::Display for MethodText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MethodRef { owner, name, descriptor, interface } = self.method;
        match (interface, self.by_interface) {
            (true, false) => write!(f, "{} ", words::OF_INTERFACE)?,
            (false, true) => write!(f, "{} ", words::OF_CLASS)?,
            _ => {}
        }
        write!(f, "{}.{}{}", Class(owner), Name(name), Descriptor(descriptor))
    }
}

struct HandleText<'a>(&'a MethodHandle);

impl fmt::Display for HandleText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self.0 {
            MethodHandle::Field(kind, field) => {
                write!(f, "{} {}", word(words::FIELD_HANDLES, kind), FieldText(field))
            }
            MethodHandle::Method(kind, method) => {
                let by_interface = kind == crate::dynamic::HandleKind::InvokeInterface;
                write!(f, "{} {}", word(words::METHOD_HANDLES, kind), MethodText { method, by_interface })
            }
        }
    }
}

struct ConstantText<'a>(&'a Constant);

impl fmt::Display for ConstantText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Constant::Int(value) => write!(f, "int {value}"),
            Constant::Long(value) => write!(f, "long {value}"),
            Constant::Float(value) => write!(f, "float {}", FloatText(*value)),
            Constant::Double(value) => write!(f, "double {}", DoubleText(*value)),
            Constant::String(text) => write!(f, "string {}", Quoted(text.as_bytes())),
            Constant::Class(class) => write!(f, "class {}", Class(*class)),
            Constant::MethodType(descriptor) => write!(f, "method_type {}", Descriptor(*descriptor)),
            Constant::MethodHandle(handle) => write!(f, "handle {}", HandleText(handle)),
            Constant::Dynamic { name, descriptor, bootstrap } => {
                let method = HandleText(&bootstrap.method);
                write!(f, "dynamic {}:{} {method} {{", Name(*name), Name(*descriptor))?;
                for (index, argument) in bootstrap.arguments.iter().enumerate() {
                    write!(f, "{}{}", if index == 0 { " " } else { ", " }, ConstantText(argument))?;
                }
                f.write_str(" }")
            }
        }
    }
}

struct FloatText(f32);

impl fmt::Display for FloatText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_nan() { write!(f, "{:#010x}", self.0.to_bits()) } else { write!(f, "{:?}", self.0) }
    }
}

struct DoubleText(f64);

impl fmt::Display for DoubleText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_nan() { write!(f, "{:#018x}", self.0.to_bits()) } else { write!(f, "{:?}", self.0) }
    }
}
