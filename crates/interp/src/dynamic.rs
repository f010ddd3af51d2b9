//! `invokedynamic`: what the platform's bootstrap methods would link is generated here, once per site.

use selvedge_base::Symbol;
use selvedge_ir::{
    CallSite, CallSiteKind, ClassName, Condition, Constant, FieldRef, HandleKind, Inst, InvokeKind, Lambda,
    MethodHandle, Op, Type, Value as SsaValue,
};

use crate::call::Called;
use crate::class::{LambdaClass, RtClassId};
use crate::heap::Payload;
use crate::machine::{Exec, Machine, Raise};
use crate::method::{Code, Link, RtMethodId};
use crate::synth::{BodyBuilder, descriptor_parts, wrapper_of};
use crate::thread::FrameKind;
use crate::value::Value;

impl<'p> Machine<'p> {
    /// Runs an `invokedynamic` site.
    pub fn invoke_dynamic(
        &mut self,
        code: &Code<'p>,
        at: Inst,
        site: &CallSite,
        args: Vec<Value>,
    ) -> Exec<Called> {
        match code.link(at) {
            Link::Direct(method) => return self.invoke(method, args, FrameKind::Call),
            Link::Object(made) => return Ok(Called::Returned(Some(made.into()))),
            Link::Lambda(class) => {
                let object = self.allocate(class, Payload::Fields(args.into()))?;
                return Ok(Called::Returned(Some(object.into())));
            }
            _ => {}
        }
        let host = self.threads[self.current].frames.last().map(|frame| frame.method);
        let host = host.map_or(self.known.object, |method| self.methods[method].class);
        match &site.kind {
            CallSiteKind::Lambda(lambda) => {
                let class = self.link_lambda(host, site, lambda)?;
                if args.is_empty() {
                    // A lambda that captures nothing is one object.
                    let object = self.allocate(class, Payload::Fields(Box::default()))?;
                    code.set_link(at, Link::Object(object));
                } else {
                    code.set_link(at, Link::Lambda(class));
                }
            }
            CallSiteKind::Concat { recipe, constants } => {
                let body = concat_body(site.descriptor, *recipe, constants)?;
                code.set_link(at, Link::Direct(self.add_generated(host, "concat", body)));
            }
            CallSiteKind::RecordMethod { class, getters } => {
                let body = record_body(site, *class, getters)?;
                code.set_link(at, Link::Direct(self.add_generated(host, "record", body)));
            }
            CallSiteKind::PatternSwitch { labels, .. } => return self.pattern_switch(labels, &args),
            CallSiteKind::Other => {
                let name = match &site.bootstrap.method {
                    MethodHandle::Method(_, method) => format!("{}.{}", method.owner, method.name),
                    MethodHandle::Field(..) => "a field".to_owned(),
                };
                return Err(Raise::fatal(format!("the bootstrap method {name} is not modelled")));
            }
        }
        self.invoke_dynamic(code, at, site, args)
    }

    fn link_lambda(&mut self, host: RtClassId, site: &CallSite, lambda: &Lambda) -> Exec<RtClassId> {
        let (captured, _) = descriptor_parts(site.descriptor);
        let mut descriptors = vec![lambda.erased];
        descriptors.extend(lambda.bridges.iter().filter(|bridge| **bridge != lambda.erased));
        let mut adapters: Vec<(Symbol, RtMethodId)> = Vec::new();
        for descriptor in descriptors {
            let body = lambda_body(&captured, descriptor, lambda)?;
            adapters.push((descriptor, self.add_generated(host, "lambda", body)));
        }
        let mut interfaces = Vec::new();
        for name in [lambda.interface].iter().chain(&lambda.markers) {
            let class = self.load(*name)?;
            interfaces.push(self.declared(class));
        }
        let host = self.classes[host].name;
        Ok(self.add_lambda_class(host, LambdaClass { interfaces, method: lambda.method, adapters }))
    }

    /// Which label the first argument matches, from the second on: the number of labels if none, -1 for null.
    fn pattern_switch(&mut self, labels: &[Constant], args: &[Value]) -> Exec<Called> {
        let (Some(target), Some(start)) = (args.first(), args.get(1)) else {
            return Err(Raise::fatal("a pattern switch without its two arguments"));
        };
        let Some(target) = target.reference() else { return Ok(Called::Returned(Some(Value::Int(-1)))) };
        let name = self.classes[self.class_of(target)].name;
        for (index, label) in labels.iter().enumerate().skip(start.int().max(0) as usize) {
            let matches = match label {
                Constant::Class(class) => {
                    let class = self.load(*class)?;
                    self.is_instance(target, class)
                }
                Constant::String(text) if name.is("java/lang/String") => {
                    let label = self.intern_symbol(*text)?;
                    self.string_units(label) == self.string_units(target)
                }
                Constant::String(text) => match self.field_named(target, "name")?.reference() {
                    Some(constant) => self.string_text(constant) == text.to_string(),
                    None => false,
                },
                Constant::Int(number) if name.is("java/lang/Integer") || name.is("java/lang/Character") => {
                    self.field_named(target, "value")?.int() == *number
                }
                _ => false,
            };
            if matches {
                return Ok(Called::Returned(Some(Value::Int(index as i32))));
            }
        }
        Ok(Called::Returned(Some(Value::Int(labels.len() as i32))))
    }
}

/// A static method that takes what the lambda captured and the interface method's arguments, and calls the
/// implementation with both, adapted.
fn lambda_body(captured: &[&[u8]], descriptor: Symbol, lambda: &Lambda) -> Exec<selvedge_ir::Body> {
    let (erased, erased_result) = descriptor_parts(descriptor);
    let (instantiated, instantiated_result) = descriptor_parts(lambda.instantiated);
    let MethodHandle::Method(kind, method) = lambda.implementation else {
        return Err(Raise::fatal("a lambda is implemented by a field"));
    };
    let (mut expected, mut result): (Vec<Vec<u8>>, Vec<u8>) = {
        let (parameters, result) = descriptor_parts(method.descriptor);
        (parameters.iter().map(|parameter| parameter.to_vec()).collect(), result.to_vec())
    };
    let owner = method.owner.descriptor().as_bytes().to_vec();
    match kind {
        HandleKind::NewInvokeSpecial => result = owner,
        HandleKind::InvokeStatic => {}
        _ => expected.insert(0, owner),
    }
    let mut builder = BodyBuilder::new();
    let mut given: Vec<(SsaValue, &[u8])> =
        captured.iter().map(|descriptor| (builder.parameter(descriptor), *descriptor)).collect();
    let arguments: Vec<SsaValue> = erased.iter().map(|descriptor| builder.parameter(descriptor)).collect();
    for ((argument, from), to) in arguments.into_iter().zip(&erased).zip(&instantiated) {
        given.push((builder.adapt(argument, from, to), to));
    }
    if given.len() != expected.len() {
        return Err(Raise::fatal("a lambda's implementation takes another number of arguments"));
    }
    let mut args: Vec<SsaValue> = Vec::new();
    for ((value, from), to) in given.into_iter().zip(&expected) {
        args.push(builder.adapt(value, from, to));
    }
    let value = match kind {
        HandleKind::NewInvokeSpecial => {
            let object = builder.emit_value(Op::New(method.owner), &[], Type::Ref(method.owner));
            args.insert(0, object);
            builder.call_ref(InvokeKind::Special, method, &args);
            Some(object)
        }
        HandleKind::InvokeStatic => builder.call_ref(InvokeKind::Static, method, &args),
        HandleKind::InvokeSpecial => builder.call_ref(InvokeKind::Special, method, &args),
        HandleKind::InvokeInterface => builder.call_ref(InvokeKind::Interface, method, &args),
        _ => builder.call_ref(InvokeKind::Virtual, method, &args),
    };
    match value {
        Some(value) if erased_result != b"V" => {
            let value = builder.adapt(value, &result, instantiated_result);
            let value = builder.adapt(value, instantiated_result, erased_result);
            builder.emit(Op::Return, &[value]);
        }
        _ => builder.emit(Op::Return, &[]),
    }
    Ok(builder.finish())
}

/// The `append` of `StringBuilder` for a type.
fn append_descriptor(descriptor: &[u8]) -> &'static str {
    match descriptor {
        b"Z" => "(Z)Ljava/lang/StringBuilder;",
        b"C" => "(C)Ljava/lang/StringBuilder;",
        b"B" | b"S" | b"I" => "(I)Ljava/lang/StringBuilder;",
        b"J" => "(J)Ljava/lang/StringBuilder;",
        b"F" => "(F)Ljava/lang/StringBuilder;",
        b"D" => "(D)Ljava/lang/StringBuilder;",
        b"Ljava/lang/String;" => "(Ljava/lang/String;)Ljava/lang/StringBuilder;",
        _ => "(Ljava/lang/Object;)Ljava/lang/StringBuilder;",
    }
}

struct Appender {
    builder: BodyBuilder,
    text: SsaValue,
}

const STRING_BUILDER: &str = "java/lang/StringBuilder";
const STRING: &[u8] = b"Ljava/lang/String;";

impl Appender {
    fn new(mut builder: BodyBuilder) -> Self {
        let class = ClassName::new(STRING_BUILDER);
        let text = builder.emit_value(Op::New(class), &[], Type::Ref(class));
        builder.call(InvokeKind::Special, STRING_BUILDER, "<init>", "()V", &[text]);
        Self { builder, text }
    }

    fn append(&mut self, value: SsaValue, descriptor: &[u8]) {
        let descriptor = append_descriptor(descriptor);
        self.builder.call(InvokeKind::Virtual, STRING_BUILDER, "append", descriptor, &[self.text, value]);
    }

    fn append_text(&mut self, text: &[u8]) {
        if !text.is_empty() {
            let ty = Type::Ref(ClassName::new("java/lang/String"));
            let value = self.builder.emit_value(Op::String(Symbol::new(text)), &[], ty);
            self.append(value, STRING);
        }
    }

    fn finish(mut self) -> selvedge_ir::Body {
        let text = self.builder.call(
            InvokeKind::Virtual,
            STRING_BUILDER,
            "toString",
            "()Ljava/lang/String;",
            &[self.text],
        );
        self.builder.emit(Op::Return, text.as_slice());
        self.builder.finish()
    }
}

fn concat_body(descriptor: Symbol, recipe: Symbol, constants: &[Constant]) -> Exec<selvedge_ir::Body> {
    let (parameters, _) = descriptor_parts(descriptor);
    let mut builder = BodyBuilder::new();
    let values: Vec<SsaValue> = parameters.iter().map(|parameter| builder.parameter(parameter)).collect();
    let mut arguments = values.into_iter().zip(&parameters);
    let mut constants = constants.iter();
    let mut appender = Appender::new(builder);
    let malformed = || Raise::fatal("a concatenation's recipe does not fit its arguments");
    for piece in recipe.as_bytes().split_inclusive(|byte| matches!(byte, 1 | 2)) {
        let (text, mark) = match piece {
            [text @ .., mark @ (1 | 2)] => (text, Some(*mark)),
            text => (text, None),
        };
        appender.append_text(text);
        match mark {
            Some(1) => {
                let (value, descriptor) = arguments.next().ok_or_else(malformed)?;
                appender.append(value, descriptor);
            }
            Some(_) => match constants.next().ok_or_else(malformed)? {
                Constant::String(text) => appender.append_text(text.as_bytes()),
                Constant::Int(number) => appender.append_text(number.to_string().as_bytes()),
                Constant::Long(number) => appender.append_text(number.to_string().as_bytes()),
                Constant::Class(class) => {
                    let ty = Type::Ref(ClassName::new("java/lang/Class"));
                    let value = appender.builder.emit_value(Op::Class(*class), &[], ty);
                    appender.append(value, b"Ljava/lang/Object;");
                }
                _ => return Err(Raise::fatal("a concatenation of such a constant is not modelled")),
            },
            None => {}
        }
    }
    Ok(appender.finish())
}

fn record_body(site: &CallSite, class: ClassName, getters: &[MethodHandle]) -> Exec<selvedge_ir::Body> {
    let fields: Vec<FieldRef> = getters
        .iter()
        .map(|getter| match getter {
            MethodHandle::Field(_, field) => Ok(*field),
            MethodHandle::Method(..) => Err(Raise::fatal("a record component is read by a method")),
        })
        .collect::<Exec<_>>()?;
    let mut builder = BodyBuilder::new();
    let (parameters, _) = descriptor_parts(site.descriptor);
    let this = builder.parameter(parameters.first().copied().unwrap_or(b"Ljava/lang/Object;"));
    match site.name.as_bytes() {
        b"toString" => {
            let ty = Type::Ref(ClassName::new("java/lang/Class"));
            let mut appender = Appender::new(builder);
            let mirror = appender.builder.emit_value(Op::Class(class), &[], ty);
            let name = appender.builder.call(
                InvokeKind::Virtual,
                "java/lang/Class",
                "getSimpleName",
                "()Ljava/lang/String;",
                &[mirror],
            );
            appender.append(name.unwrap_or(mirror), STRING);
            for (position, field) in fields.iter().enumerate() {
                appender.append_text(if position == 0 { b"[" } else { b", " });
                appender.append_text(field.name.as_bytes());
                appender.append_text(b"=");
                let value = appender.builder.get_field(*field, this);
                appender.append(value, field.descriptor.as_bytes());
            }
            appender.append_text(if fields.is_empty() { b"[]" } else { b"]" });
            Ok(appender.finish())
        }
        b"hashCode" => {
            let mut sum = builder.int(0);
            for field in &fields {
                let value = builder.get_field(*field, this);
                let hash = match wrapper_of(field.descriptor.as_bytes()) {
                    Some(wrapper) => {
                        let descriptor = format!("({})I", field.descriptor);
                        builder.call(InvokeKind::Static, wrapper, "hashCode", &descriptor, &[value])
                    }
                    None => builder.call(
                        InvokeKind::Static,
                        "java/util/Objects",
                        "hashCode",
                        "(Ljava/lang/Object;)I",
                        &[value],
                    ),
                };
                let factor = builder.int(31);
                let product =
                    builder.emit_value(Op::Binary(selvedge_ir::BinaryOp::Mul), &[sum, factor], Type::Int);
                let hash = hash.unwrap_or(product);
                sum = builder.emit_value(Op::Binary(selvedge_ir::BinaryOp::Add), &[product, hash], Type::Int);
            }
            builder.emit(Op::Return, &[sum]);
            Ok(builder.finish())
        }
        b"equals" => Ok(record_equals(builder, this, class, &fields)),
        other => Err(Raise::fatal(format!("a record has no generated method {}", other.escape_ascii()))),
    }
}

/// Blocks: 0 tests identity, 1 returns true, 2 returns false, 3 tests the class, then one per component.
fn record_equals(
    mut builder: BodyBuilder,
    this: SsaValue,
    class: ClassName,
    fields: &[FieldRef],
) -> selvedge_ir::Body {
    use selvedge_ir::Block;
    let other = builder.parameter(b"Ljava/lang/Object;");
    let (yes, no) = (Block::new(1), Block::new(2));
    builder.branch(Condition::RefEq, &[this, other], yes, Block::new(3));
    let one = builder.int(1);
    builder.emit(Op::Return, &[one]);
    let zero = builder.int(0);
    builder.emit(Op::Return, &[zero]);
    let is_instance = builder.emit_value(Op::InstanceOf(class), &[other], Type::Int);
    let after = |block: Block, last: bool| if last { yes } else { Block::new(block.number() + 1) };
    let next = after(builder.block(), fields.is_empty());
    builder.branch(Condition::Ne, &[is_instance], next, no);
    for (position, field) in fields.iter().enumerate() {
        let cast = builder.emit_value(Op::CheckCast(class), &[other], Type::Ref(class));
        let (a, b) = (builder.get_field(*field, this), builder.get_field(*field, cast));
        let next = after(builder.block(), position + 1 == fields.len());
        match wrapper_of(field.descriptor.as_bytes()) {
            Some(wrapper) => {
                let letter = field.descriptor;
                let descriptor = format!("({letter}{letter})I");
                let order = builder.call(InvokeKind::Static, wrapper, "compare", &descriptor, &[a, b]);
                builder.branch(Condition::Eq, &[order.unwrap_or(a)], next, no);
            }
            None => {
                let equal = builder.call(
                    InvokeKind::Static,
                    "java/util/Objects",
                    "equals",
                    "(Ljava/lang/Object;Ljava/lang/Object;)Z",
                    &[a, b],
                );
                builder.branch(Condition::Ne, &[equal.unwrap_or(a)], next, no);
            }
        }
    }
    builder.finish()
}
