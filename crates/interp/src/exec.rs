//! The instructions.

use std::rc::Rc;

use selvedge_base::Id;
use selvedge_ir::{ArrayKind, Constant, EdgeKind, Inst, InstData, InvokeKind, MethodRef, Op, PrimitiveType};

use crate::arith;
use crate::call::{Called, java_name};
use crate::class::{ClassKind, RtClassId};
use crate::heap::Payload;
use crate::machine::{Exec, Failure, Machine, Raise};
use crate::method::{Code, Link, RtMethodId};
use crate::observer::{Access, Place};
use crate::thread::{FrameKind, Phase, ThreadState};
use crate::value::{ObjRef, Value};

/// Where execution goes after an instruction.
enum Flow {
    Next,
    Jump(selvedge_ir::Block),
    /// The innermost frame is another one, or goes on elsewhere.
    Reframed,
}

impl<'p> Machine<'p> {
    /// Runs the current thread for a number of instructions, or until it waits or ends. An exit status ends the
    /// program.
    pub fn run_slice(&mut self, quantum: u64) -> Result<Option<i32>, Failure> {
        self.quantum = quantum;
        while self.quantum > 0 && self.thread().state == ThreadState::Runnable {
            if self.thread().frames.is_empty() {
                if self.thread().phase == Phase::Boot {
                    break;
                }
                if let Some(status) = self.next_phase()? {
                    return Ok(Some(status));
                }
                continue;
            }
            let result = self.run_frame();
            if let Err(raise) = result
                && let Some(status) = self.settle(raise)?
            {
                return Ok(Some(status));
            }
        }
        Ok(None)
    }

    /// Deals with an instruction that did not complete.
    fn settle(&mut self, raise: Raise) -> Result<Option<i32>, Failure> {
        let mut raise = raise;
        loop {
            let next = match raise {
                Raise::Again | Raise::Block => return Ok(None),
                Raise::Exit(status) => return Ok(Some(status)),
                Raise::Fatal(message) => return Err(self.failure(message)),
                Raise::Object(exception) => self.unwind(exception),
                Raise::New(class, message) => self.construct_exception(class, message),
            };
            match next {
                Ok(()) => return Ok(None),
                Err(next) => raise = next,
            }
        }
    }

    /// Runs the innermost frame until another one takes its place or the quantum is used up.
    fn run_frame(&mut self) -> Exec<()> {
        let current = self.current;
        let Some(frame) = self.threads[current].frames.last_mut() else { return Ok(()) };
        if let FrameKind::Init { class, started: false } = frame.kind {
            self.initialize_ancestors(class)?;
            if let Some(frame) = self.threads[current].frames.last_mut() {
                frame.kind = FrameKind::Init { class, started: true };
            }
            return Ok(());
        }
        let (code, base) = (Rc::clone(&frame.code), frame.base);
        while self.quantum > 0 {
            self.quantum -= 1;
            self.scheduler.executed += 1;
            let Some(frame) = self.threads[current].frames.last_mut() else { return Ok(()) };
            let at = frame.at;
            match self.step(&code, base, at)? {
                Flow::Next => {
                    if let Some(frame) = self.threads[current].frames.last_mut() {
                        frame.at = Inst::new(at.number() + 1);
                    }
                }
                Flow::Jump(block) => self.enter_block(block, EdgeKind::Normal)?,
                Flow::Reframed => return Ok(()),
            }
        }
        Ok(())
    }

    fn step(&mut self, code: &Code<'p>, base: usize, at: Inst) -> Exec<Flow> {
        let data = &code.body.insts[at];
        let list = code.body.list(data.args);
        let current = self.current;
        macro_rules! arg {
            ($index:expr) => {
                self.threads[current].stack[base + list[$index].index()]
            };
        }
        macro_rules! define {
            ($value:expr) => {{
                let value = $value;
                if let Some(result) = data.result {
                    self.threads[current].stack[base + result.index()] = value;
                    self.observe_value(result, value);
                }
                return Ok(Flow::Next);
            }};
        }
        match data.op {
            Op::Phi => Err(Raise::fatal("a phi is run as an instruction")),
            Op::Catch => {
                let caught = self.threads[current].frames.last().and_then(|frame| frame.caught);
                define!(Value::Ref(caught))
            }
            Op::Int(value) => define!(Value::Int(value)),
            Op::Long(value) => define!(Value::Long(value)),
            Op::Float(value) => define!(Value::Float(value)),
            Op::Double(value) => define!(Value::Double(value)),
            Op::Null => define!(Value::NULL),
            Op::String(text) => {
                let Link::Object(literal) = code.link(at) else {
                    let literal = self.intern_symbol(text)?;
                    code.set_link(at, Link::Object(literal));
                    define!(literal.into())
                };
                define!(literal.into())
            }
            Op::Class(name) => {
                let class = self.linked_class(code, at, name)?;
                define!(self.mirror(class)?.into())
            }
            Op::Constant(id) => define!(self.load_constant(&code.body.constants[id])?),
            Op::Binary(op) => match arith::binary(op, arg!(0), arg!(1)) {
                Ok(value) => define!(value),
                Err(arith::DivisionByZero) => Err(Raise::new("java/lang/ArithmeticException", "/ by zero")),
            },
            Op::Neg => define!(arith::negate(arg!(0))),
            Op::Convert(conversion) => define!(arith::convert(conversion, arg!(0))),
            Op::Compare(comparison) => define!(arith::compare(comparison, arg!(0), arg!(1))),
            Op::New(name) => {
                let class = self.linked_class(code, at, name)?;
                self.initialize(class)?;
                define!(self.new_instance(class)?.into())
            }
            Op::NewPrimitiveArray(element) => {
                let length = array_length(arg!(0))?;
                let class = self.load_str(primitive_array(element))?;
                define!(self.new_array(class, length)?.into())
            }
            Op::NewArray(name) => {
                let class = self.linked_class(code, at, name)?;
                let length = array_length(arg!(0))?;
                define!(self.new_array(class, length)?.into())
            }
            Op::NewMultiArray(name) => {
                let class = self.linked_class(code, at, name)?;
                let lengths: Vec<Value> =
                    list.iter().map(|value| self.threads[current].stack[base + value.index()]).collect();
                let lengths: Vec<usize> = lengths.into_iter().map(array_length).collect::<Exec<_>>()?;
                define!(self.new_multi_array(class, &lengths)?.into())
            }
            Op::ArrayLength => {
                let array = not_null(arg!(0))?;
                let length = self.heap.get(array).payload.length().unwrap_or(0);
                define!(Value::Int(length as i32))
            }
            Op::ArrayLoad(kind) => {
                let (array, index) = (not_null(arg!(0))?, arg!(1).int());
                let payload = &self.heap.get(array).payload;
                let value = match (kind, payload) {
                    // The common kinds first.
                    (ArrayKind::Ref, Payload::Refs(items)) => {
                        items.get(index as usize).map(|&item| Value::Ref(item))
                    }
                    (ArrayKind::Int, Payload::Ints(items)) => {
                        items.get(index as usize).map(|&item| Value::Int(item))
                    }
                    (_, payload) => payload.get(index as usize),
                };
                // A negative index is a huge one here.
                let Some(value) = value.filter(|_| index >= 0) else {
                    return Err(out_of_bounds(index, payload.length()));
                };
                self.observe(Place::Element(array, index as u32), value, false, false);
                define!(value)
            }
            Op::ArrayStore(kind) => {
                let (array, index, value) = (not_null(arg!(0))?, arg!(1).int(), arg!(2));
                let length = self.heap.get(array).payload.length();
                if index < 0 || length.is_none_or(|length| index as usize >= length) {
                    return Err(out_of_bounds(index, length));
                }
                if kind == ArrayKind::Ref {
                    self.check_array_store(array, value)?;
                }
                let element = if let Payload::Bytes(_) = &self.heap.get(array).payload {
                    self.narrow_for_bytes(array, value)
                } else {
                    value
                };
                self.heap.get_mut(array).payload.set(index as usize, element);
                self.observe(Place::Element(array, index as u32), element, true, false);
                Ok(Flow::Next)
            }
            Op::GetField(reference) => {
                let (field, slot) = self.linked_field(code, at, &reference)?;
                let object = not_null(arg!(0))?;
                let value = self.heap.get(object).payload.get(slot as usize).unwrap_or(Value::NULL);
                let is_volatile = self.program.fields[field].is_volatile();
                self.observe(Place::Field(object, field), value, false, is_volatile);
                define!(value)
            }
            Op::PutField(reference) => {
                let (field, slot) = self.linked_field(code, at, &reference)?;
                let object = not_null(arg!(0))?;
                let value = arg!(1).narrowed(reference.descriptor.as_bytes());
                self.heap.get_mut(object).payload.set(slot as usize, value);
                let is_volatile = self.program.fields[field].is_volatile();
                self.observe(Place::Field(object, field), value, true, is_volatile);
                Ok(Flow::Next)
            }
            Op::GetStatic(reference) => {
                let (class, field, slot) = self.linked_static(code, at, &reference)?;
                self.initialize(class)?;
                let value = self.classes[class].statics[slot as usize];
                let is_volatile = self.program.fields[field].is_volatile();
                self.observe(Place::Static(field), value, false, is_volatile);
                define!(value)
            }
            Op::PutStatic(reference) => {
                let (class, field, slot) = self.linked_static(code, at, &reference)?;
                self.initialize(class)?;
                let value = arg!(0).narrowed(reference.descriptor.as_bytes());
                self.classes[class].statics[slot as usize] = value;
                let is_volatile = self.program.fields[field].is_volatile();
                self.observe(Place::Static(field), value, true, is_volatile);
                Ok(Flow::Next)
            }
            Op::Invoke(kind, method) => {
                let mut args = Vec::with_capacity(list.len());
                let stack = &self.threads[current].stack;
                args.extend(list.iter().map(|value| stack[base + value.index()]));
                let target = self.call_target(code, at, kind, &method, &mut args)?;
                let called = match target {
                    Target::Method(target) => self.invoke(target, args, FrameKind::Call)?,
                    Target::Polymorphic => self.invoke_polymorphic(&method, &args)?,
                };
                self.called(data, base, called)
            }
            Op::InvokeDynamic(id) => {
                let stack = &self.threads[current].stack;
                let args: Vec<Value> = list.iter().map(|value| stack[base + value.index()]).collect();
                let called = self.invoke_dynamic(code, at, &code.body.call_sites[id], args)?;
                self.called(data, base, called)
            }
            Op::CheckCast(name) => {
                let value = arg!(0);
                if let Some(object) = value.reference() {
                    let class = self.linked_class(code, at, name)?;
                    if !self.is_instance(object, class) {
                        let (from, to) = (self.classes[self.class_of(object)].name, self.classes[class].name);
                        return Err(Raise::new(
                            "java/lang/ClassCastException",
                            format!("class {} cannot be cast to class {}", java_name(from), java_name(to)),
                        ));
                    }
                }
                define!(value)
            }
            Op::InstanceOf(name) => {
                let Some(object) = arg!(0).reference() else { define!(Value::Int(0)) };
                let class = self.linked_class(code, at, name)?;
                define!(Value::bool(self.is_instance(object, class)))
            }
            Op::MonitorEnter => {
                let object = not_null(arg!(0))?;
                self.monitor_enter(object)?;
                Ok(Flow::Next)
            }
            Op::MonitorExit => {
                let object = not_null(arg!(0))?;
                self.monitor_exit(object)?;
                Ok(Flow::Next)
            }
            Op::Goto(block) => Ok(Flow::Jump(block)),
            Op::If { condition, then, otherwise } => {
                let second = if list.len() > 1 { Some(arg!(1)) } else { None };
                Ok(Flow::Jump(if arith::holds(condition, arg!(0), second) { then } else { otherwise }))
            }
            Op::Switch(id) => {
                let switch = &code.body.switches[id];
                let key = arg!(0).int();
                let case = switch.cases.binary_search_by_key(&key, |&(key, _)| key);
                Ok(Flow::Jump(case.map_or(switch.default, |index| switch.cases[index].1)))
            }
            Op::Return => {
                let result = if list.is_empty() { None } else { Some(arg!(0)) };
                self.return_from_frame(result)?;
                Ok(Flow::Reframed)
            }
            Op::Throw => Err(Raise::Object(not_null(arg!(0))?)),
        }
    }

    fn called(&mut self, data: &InstData, base: usize, called: Called) -> Exec<Flow> {
        match called {
            Called::Pushed => Ok(Flow::Reframed),
            Called::Returned(value) => {
                if let (Some(result), Some(value)) = (data.result, value) {
                    self.thread().stack[base + result.index()] = value;
                    self.observe_value(result, value);
                }
                Ok(Flow::Next)
            }
        }
    }

    /// Tells the observer about an access.
    pub fn observe(&mut self, place: Place, value: Value, is_write: bool, is_volatile: bool) {
        if self.observes_accesses {
            let (thread, site) = (self.current, self.site());
            self.observer.access(&Access { thread, site, place, is_write, is_volatile, value });
        }
    }

    /// Tells the observer what a variable of the innermost frame holds now.
    pub fn observe_value(&mut self, variable: selvedge_ir::Value, value: Value) {
        if !self.observes_values {
            return;
        }
        let method = self.threads[self.current].frames.last().map(|frame| frame.method);
        if let Value::Ref(object) = value
            && let Some(origin) = method.and_then(|method| self.methods[method].origin)
        {
            self.observer.define(self.current, origin, variable, object);
        }
    }

    fn linked_class(&mut self, code: &Code<'p>, at: Inst, name: selvedge_ir::ClassName) -> Exec<RtClassId> {
        if let Link::Class(class) = code.link(at) {
            return Ok(class);
        }
        let class = self.load(name)?;
        code.set_link(at, Link::Class(class));
        Ok(class)
    }

    fn linked_field(
        &mut self,
        code: &Code<'p>,
        at: Inst,
        reference: &selvedge_ir::FieldRef,
    ) -> Exec<(selvedge_world::FieldId, u32)> {
        if let Link::Field { field, slot } = code.link(at) {
            return Ok((field, slot));
        }
        let field = self.resolve_field(reference)?;
        self.load_declared(self.program.fields[field].class)?;
        let slot = self.field_slots[field];
        code.set_link(at, Link::Field { field, slot });
        Ok((field, slot))
    }

    fn linked_static(
        &mut self,
        code: &Code<'p>,
        at: Inst,
        reference: &selvedge_ir::FieldRef,
    ) -> Exec<(RtClassId, selvedge_world::FieldId, u32)> {
        if let Link::Static { class, field, slot } = code.link(at) {
            return Ok((class, field, slot));
        }
        let field = self.resolve_field(reference)?;
        let declaring = self.program.fields[field].class;
        let class = self.load_declared(declaring)?;
        let slot = self.field_slots[field];
        code.set_link(at, Link::Static { class, field, slot });
        Ok((class, field, slot))
    }

    /// What a call instruction calls; class initialisation and null checks are done here.
    fn call_target(
        &mut self,
        code: &Code<'p>,
        at: Inst,
        kind: InvokeKind,
        method: &MethodRef,
        args: &mut Vec<Value>,
    ) -> Exec<Target> {
        match code.link(at) {
            Link::StaticCall(class, target) => {
                self.initialize(class)?;
                return Ok(Target::Method(target));
            }
            Link::Direct(target) => {
                not_null(args[0])?;
                return Ok(Target::Method(target));
            }
            Link::Selected { resolved, class, target } => {
                let receiver = not_null(args[0])?;
                let receiver_class = self.class_of(receiver);
                let target =
                    if class == receiver_class { target } else { self.select(receiver_class, resolved)? };
                code.set_link(at, Link::Selected { resolved, class: receiver_class, target });
                self.enter_lambda(target, receiver, args);
                return Ok(Target::Method(target));
            }
            Link::Polymorphic => return Ok(Target::Polymorphic),
            _ => {}
        }
        let link = match kind {
            InvokeKind::Static => {
                let resolved = self.resolve_method(method)?;
                let target = self.method(resolved)?;
                Link::StaticCall(self.methods[target].class, target)
            }
            InvokeKind::Special => {
                let caller = self.threads[self.current].frames.last().map(|frame| frame.method);
                let caller = caller.map_or(self.known.object, |caller| self.methods[caller].class);
                let resolved = self
                    .program
                    .resolve_special(self.declared(caller), method)
                    .map_err(|error| Raise::new("java/lang/NoSuchMethodError", error.to_string()))?;
                let resolved = resolved
                    .ok_or_else(|| Raise::new("java/lang/AbstractMethodError", method.name.to_string()))?;
                Link::Direct(self.method(resolved)?)
            }
            InvokeKind::Virtual | InvokeKind::Interface => {
                let resolved = self.resolve_method(method)?;
                if self.program.is_signature_polymorphic(resolved) {
                    Link::Polymorphic
                } else {
                    let receiver = not_null(args[0])?;
                    let class = self.class_of(receiver);
                    Link::Selected { resolved, class, target: self.select(class, resolved)? }
                }
            }
        };
        code.set_link(at, link);
        self.call_target(code, at, kind, method, args)
    }

    /// A generated adapter of a lambda gets what was captured in place of the receiver.
    pub fn enter_lambda(&self, target: RtMethodId, receiver: ObjRef, args: &mut Vec<Value>) {
        if self.methods[target].origin.is_none() {
            self.unfold_lambda(receiver, args);
        }
    }

    fn check_array_store(&self, array: ObjRef, value: Value) -> Exec<()> {
        let Some(object) = value.reference() else { return Ok(()) };
        if let ClassKind::Array(component) = self.classes[self.class_of(array)].kind
            && !self.is_instance(object, component)
        {
            let name = java_name(self.classes[self.class_of(object)].name);
            return Err(Raise::new("java/lang/ArrayStoreException", name));
        }
        Ok(())
    }

    /// What `bastore` keeps: one bit in a `boolean[]`.
    fn narrow_for_bytes(&self, array: ObjRef, value: Value) -> Value {
        let element = crate::class::element_of(self.classes[self.class_of(array)].name);
        value.narrowed(element)
    }

    fn new_multi_array(&mut self, class: RtClassId, lengths: &[usize]) -> Exec<ObjRef> {
        let Some((&length, rest)) = lengths.split_first() else {
            return Err(Raise::fatal("an array of arrays without lengths"));
        };
        let array = self.new_array(class, length)?;
        if let ClassKind::Array(component) = self.classes[class].kind
            && !rest.is_empty()
        {
            for index in 0..length {
                let element = self.new_multi_array(component, rest)?;
                self.heap.get_mut(array).payload.set(index, element.into());
            }
        }
        Ok(array)
    }

    /// A loadable constant.
    pub fn load_constant(&mut self, constant: &Constant) -> Exec<Value> {
        Ok(match constant {
            Constant::Int(value) => Value::Int(*value),
            Constant::Long(value) => Value::Long(*value),
            Constant::Float(value) => Value::Float(*value),
            Constant::Double(value) => Value::Double(*value),
            Constant::String(text) => self.intern_symbol(*text)?.into(),
            Constant::Class(name) => {
                let class = self.load(*name)?;
                self.mirror(class)?.into()
            }
            Constant::MethodType(_) | Constant::MethodHandle(_) | Constant::Dynamic { .. } => {
                return Err(Raise::fatal("method handles and dynamic constants are not modelled as values"));
            }
        })
    }
}

/// What a call instruction calls.
enum Target {
    Method(RtMethodId),
    /// A method of `VarHandle` that takes any arguments.
    Polymorphic,
}

pub(crate) fn not_null(value: Value) -> Exec<ObjRef> {
    value.reference().ok_or_else(Raise::null_pointer)
}

fn array_length(value: Value) -> Exec<usize> {
    let length = value.int();
    usize::try_from(length)
        .map_err(|_| Raise::new("java/lang/NegativeArraySizeException", length.to_string()))
}

pub(crate) fn out_of_bounds(index: i32, length: Option<usize>) -> Raise {
    let length = length.unwrap_or(0);
    Raise::new(
        "java/lang/ArrayIndexOutOfBoundsException",
        format!("Index {index} out of bounds for length {length}"),
    )
}

fn primitive_array(element: PrimitiveType) -> &'static str {
    match element {
        PrimitiveType::Boolean => "[Z",
        PrimitiveType::Char => "[C",
        PrimitiveType::Float => "[F",
        PrimitiveType::Double => "[D",
        PrimitiveType::Byte => "[B",
        PrimitiveType::Short => "[S",
        PrimitiveType::Int => "[I",
        PrimitiveType::Long => "[J",
    }
}
