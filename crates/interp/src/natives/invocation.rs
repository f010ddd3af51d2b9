//! Calls through `java.lang.reflect` and through direct method handles, by generated adapters.
//!
//! A `Method`'s or `Constructor`'s slot is the number of its declaration. A method handle is an object without fields of
//! its own here; the machine keeps what it means. Combinators of method handles are not modelled.

use selvedge_base::Symbol;
use selvedge_ir::{ArrayKind, Body, ClassName, InvokeKind, MethodRef, Op, Type, Value as SsaValue};
use selvedge_world::MethodId;

use super::{NativeReturn, Row, value};
use crate::call::Called;
use crate::class::RtClassId;
use crate::exec::not_null;
use crate::machine::{Exec, Machine, Raise};
use crate::method::RtMethodId;
use crate::synth::{BodyBuilder, descriptor_parts};
use crate::thread::FrameKind;
use crate::value::{ObjRef, Value};

/// What a direct method handle calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct DirectHandle {
    method: MethodId,
    kind: InvokeKind,
    /// Allocates the object that the constructor gets, and returns it.
    constructs: bool,
}

const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";
const OBJECT: &[u8] = b"Ljava/lang/Object;";

pub(crate) const ROWS: &[Row] = &[
    ("jdk/internal/reflect/ReflectionFactory", "inflationThreshold", "", |_, _| super::int(i32::MAX)),
    ("jdk/internal/reflect/NativeMethodAccessorImpl", "invoke0", "", |machine, args| {
        invoke_reflectively(machine, not_null(args[0])?, args[1], args[2])
    }),
    ("jdk/internal/reflect/NativeConstructorAccessorImpl", "newInstance0", "", |machine, args| {
        invoke_reflectively(machine, not_null(args[0])?, Value::NULL, args[1])
    }),
    (LOOKUP, "findVirtual", "", |machine, args| {
        let class = machine.mirrored(not_null(args[1])?)?;
        let is_interface = machine.program.classes[machine.declared(class)].is_interface();
        let kind = if is_interface { InvokeKind::Interface } else { InvokeKind::Virtual };
        let name = machine.string_text(not_null(args[2])?);
        find(machine, class, &name, not_null(args[3])?, kind)
    }),
    (LOOKUP, "findStatic", "", |machine, args| {
        let class = machine.mirrored(not_null(args[1])?)?;
        let name = machine.string_text(not_null(args[2])?);
        find(machine, class, &name, not_null(args[3])?, InvokeKind::Static)
    }),
    (LOOKUP, "findConstructor", "", |machine, args| {
        let class = machine.mirrored(not_null(args[1])?)?;
        find(machine, class, "<init>", not_null(args[2])?, InvokeKind::Special)
    }),
];

/// Runs what a `Method` or `Constructor` stands for.
fn invoke_reflectively(
    machine: &mut Machine<'_>,
    member: ObjRef,
    receiver: Value,
    args: Value,
) -> Exec<NativeReturn> {
    let method = MethodId::new(machine.field_named(member, "slot")?.int() as u32);
    let declared = machine.program.methods[method];
    let given = match args.reference() {
        Some(args) => machine.heap.get(args).payload.length().unwrap_or(0),
        None => 0,
    };
    if given != descriptor_parts(declared.descriptor).0.len() {
        return Err(Raise::new("java/lang/IllegalArgumentException", "wrong number of arguments"));
    }
    let class = machine.load_declared(declared.class)?;
    machine.initialize(class)?;
    if !declared.is_static() && !declared.is_constructor() && !machine.is_instance(not_null(receiver)?, class)
    {
        return Err(Raise::new(
            "java/lang/IllegalArgumentException",
            "object is not an instance of declaring class",
        ));
    }
    let adapter = match machine.reflective_adapters.get(&method) {
        Some(&adapter) => adapter,
        None => {
            let body = reflective_body(machine, method);
            let adapter = machine.add_generated(class, "reflective call", body);
            machine.reflective_adapters.insert(method, adapter);
            adapter
        }
    };
    Ok(NativeReturn::TailCall(adapter, vec![receiver, args]))
}

fn reference_to(machine: &Machine<'_>, method: MethodId) -> (MethodRef, InvokeKind) {
    let declared = machine.program.methods[method];
    let class = &machine.program.classes[declared.class];
    let kind = if declared.is_static() {
        InvokeKind::Static
    } else if declared.is_constructor() || declared.is_private() {
        InvokeKind::Special
    } else if class.is_interface() {
        InvokeKind::Interface
    } else {
        InvokeKind::Virtual
    };
    let interface = class.is_interface();
    let reference =
        MethodRef { owner: class.name, name: declared.name, descriptor: declared.descriptor, interface };
    (reference, kind)
}

/// `(Object receiver, Object[] args) -> Object`: unpacks, calls, boxes; an exception of the callee is wrapped.
///
/// Blocks: 0 unpacks, 1 calls, 2 returns, 3 wraps.
fn reflective_body(machine: &Machine<'_>, method: MethodId) -> Body {
    use selvedge_ir::Block;
    let (reference, kind) = reference_to(machine, method);
    let (parameters, result) = descriptor_parts(reference.descriptor);
    let mut builder = BodyBuilder::new();
    let receiver = builder.parameter(OBJECT);
    let packed = builder.parameter(b"[Ljava/lang/Object;");
    let owner = Type::Ref(reference.owner);
    let constructs = reference.name.is("<init>");
    let mut args = Vec::new();
    if constructs {
        args.push(builder.emit_value(Op::New(reference.owner), &[], owner));
    } else if kind != InvokeKind::Static {
        args.push(builder.emit_value(Op::CheckCast(reference.owner), &[receiver], owner));
    }
    for (position, parameter) in parameters.iter().enumerate() {
        let index = builder.int(position as i32);
        let boxed = builder.emit_value(Op::ArrayLoad(ArrayKind::Ref), &[packed, index], Type::object());
        args.push(builder.adapt(boxed, OBJECT, parameter));
    }
    builder.emit(Op::Goto(Block::new(1)), &[]);
    let called = builder.call_ref(kind, reference, &args);
    builder.unwind_to(Block::new(3));
    builder.emit(Op::Goto(Block::new(2)), &[]);
    let returned = match called {
        _ if constructs => args[0],
        Some(value) => builder.adapt(value, result, OBJECT),
        None => builder.emit_value(Op::Null, &[], Type::Null),
    };
    builder.emit(Op::Return, &[returned]);
    wrap_exception(&mut builder);
    builder.finish()
}

fn wrap_exception(builder: &mut BodyBuilder) {
    let name = "java/lang/reflect/InvocationTargetException";
    let class = ClassName::new(name);
    let throwable = Type::Ref(ClassName::new("java/lang/Throwable"));
    let cause = builder.emit_value(Op::Catch, &[], throwable);
    let wrapper = builder.emit_value(Op::New(class), &[], Type::Ref(class));
    builder.call(InvokeKind::Special, name, "<init>", "(Ljava/lang/Throwable;)V", &[wrapper, cause]);
    builder.emit(Op::Throw, &[wrapper]);
}

fn find(
    machine: &mut Machine<'_>,
    class: RtClassId,
    name: &str,
    method_type: ObjRef,
    kind: InvokeKind,
) -> Exec<NativeReturn> {
    let descriptor = descriptor_of(machine, method_type)?;
    let owner = machine.class(class).name;
    let interface = kind == InvokeKind::Interface;
    let reference =
        MethodRef { owner, name: Symbol::new(name), descriptor: Symbol::new(&descriptor), interface };
    let Ok(method) = machine.program.resolve_method(&reference) else {
        let message = format!("no such method: {}.{name}{descriptor}", crate::call::java_name(owner));
        return Err(Raise::new("java/lang/NoSuchMethodException", message));
    };
    let handle_class = machine.load_str("java/lang/invoke/MethodHandle")?;
    let object = machine.new_instance(handle_class)?;
    machine.set_field_named(object, "type", method_type.into())?;
    machine.method_handles.insert(object, DirectHandle { method, kind, constructs: name == "<init>" });
    value(object)
}

/// The descriptor that a `MethodType` stands for.
fn descriptor_of(machine: &Machine<'_>, method_type: ObjRef) -> Exec<String> {
    let class_descriptor = |mirror: Value| -> Exec<String> {
        let class = machine.mirrored(not_null(mirror)?)?;
        let name = machine.class(class).name;
        let primitive = crate::class::PRIMITIVES.iter().find(|(keyword, _)| name.is(keyword));
        Ok(match primitive {
            Some((_, letter)) => (*letter as char).to_string(),
            None => name.descriptor().to_string(),
        })
    };
    let parameters = not_null(machine.field_named(method_type, "ptypes")?)?;
    let payload = &machine.heap.get(parameters).payload;
    let mut descriptor = "(".to_owned();
    for index in 0..payload.length().unwrap_or(0) {
        descriptor += &class_descriptor(payload.get(index).unwrap_or(Value::NULL))?;
    }
    descriptor += ")";
    descriptor += &class_descriptor(machine.field_named(method_type, "rtype")?)?;
    Ok(descriptor)
}

impl Machine<'_> {
    /// `MethodHandle.invoke` and `invokeExact`: the call's own descriptor says how arguments come.
    pub fn invoke_handle(&mut self, handle: DirectHandle, call: &MethodRef, args: &[Value]) -> Exec<Called> {
        let key = (handle, call.descriptor);
        let adapter: RtMethodId = match self.handle_adapters.get(&key) {
            Some(&adapter) => adapter,
            None => {
                let body = handle_body(self, handle, call.descriptor)?;
                let object = self.known.object;
                let adapter = self.add_generated(object, "method handle", body);
                self.handle_adapters.insert(key, adapter);
                adapter
            }
        };
        self.invoke(adapter, args[1..].to_vec(), FrameKind::Call)
    }
}

fn handle_body(machine: &Machine<'_>, handle: DirectHandle, call: Symbol) -> Exec<Body> {
    let (reference, _) = reference_to(machine, handle.method);
    let (given, given_result) = descriptor_parts(call);
    let (parameters, result) = descriptor_parts(reference.descriptor);
    let owner = reference.owner.descriptor().as_bytes();
    let mut wanted: Vec<&[u8]> = parameters;
    if !handle.constructs && handle.kind != InvokeKind::Static {
        wanted.insert(0, owner);
    }
    if given.len() != wanted.len() {
        return Err(Raise::New("java/lang/invoke/WrongMethodTypeException", None));
    }
    let mut builder = BodyBuilder::new();
    let values: Vec<SsaValue> = given.iter().map(|descriptor| builder.parameter(descriptor)).collect();
    let mut args = Vec::new();
    for ((value, from), to) in values.into_iter().zip(&given).zip(&wanted) {
        args.push(builder.adapt(value, from, to));
    }
    let (value, result) = if handle.constructs {
        let ty = Type::Ref(reference.owner);
        let object = builder.emit_value(Op::New(reference.owner), &[], ty);
        args.insert(0, object);
        builder.call_ref(InvokeKind::Special, reference, &args);
        (Some(object), owner)
    } else {
        (builder.call_ref(handle.kind, reference, &args), result)
    };
    match value {
        Some(value) if given_result != b"V" => {
            let value = builder.adapt(value, result, given_result);
            builder.emit(Op::Return, &[value]);
        }
        None if given_result != b"V" => {
            let nothing = builder.emit_value(Op::Null, &[], Type::Null);
            builder.emit(Op::Return, &[nothing]);
        }
        _ => builder.emit(Op::Return, &[]),
    }
    Ok(builder.finish())
}
