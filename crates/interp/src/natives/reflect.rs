//! The part of reflection that the library itself leans on: arrays, callers, declared members.

use selvedge_base::Symbol;
use selvedge_ir::ClassName;
use selvedge_world::{ClassId, MethodId};

use super::{NativeReturn, Row, int, null, value, void};
use crate::class::{ClassKind, RtClassId};
use crate::exec::{not_null, out_of_bounds};
use crate::machine::{Exec, Machine, Raise};
use crate::value::{ObjRef, Value};

const ARRAY: &str = "java/lang/reflect/Array";

pub(crate) const ROWS: &[Row] = &[
    (ARRAY, "getLength", "", |machine, args| {
        let array = not_null(args[0])?;
        int(array_length(machine, array)? as i32)
    }),
    (ARRAY, "newArray", "", |machine, args| {
        let component = machine.mirrored(not_null(args[0])?)?;
        let length = usize::try_from(args[1].int())
            .map_err(|_| Raise::new("java/lang/NegativeArraySizeException", args[1].int().to_string()))?;
        let class = machine.array_class(component);
        value(machine.new_array(class, length)?)
    }),
    (ARRAY, "get", "", |machine, args| {
        let (array, index) = (not_null(args[0])?, args[1].int());
        let length = array_length(machine, array)?;
        let element = machine.heap.get(array).payload.get(index as usize).filter(|_| index >= 0);
        let element = element.ok_or_else(|| out_of_bounds(index, Some(length)))?;
        let descriptor = crate::class::element_of(machine.class(machine.class_of(array)).name);
        match crate::synth::wrapper_of(descriptor) {
            None => value(element),
            Some(wrapper) => {
                let method = machine.method_named(
                    wrapper,
                    "valueOf",
                    &format!("({})L{wrapper};", descriptor[0] as char),
                )?;
                let class = machine.methods[method].class;
                machine.initialize(class)?;
                Ok(NativeReturn::TailCall(method, vec![element]))
            }
        }
    }),
    (ARRAY, "set", "(Ljava/lang/Object;ILjava/lang/Object;)V", |machine, args| {
        let (array, index) = (not_null(args[0])?, args[1].int());
        let length = array_length(machine, array)?;
        if index < 0 || index as usize >= length {
            return Err(out_of_bounds(index, Some(length)));
        }
        let descriptor = crate::class::element_of(machine.class(machine.class_of(array)).name);
        let element = match crate::synth::wrapper_of(descriptor) {
            None => args[2],
            Some(_) => machine.field_named(not_null(args[2])?, "value")?,
        };
        machine.heap.get_mut(array).payload.set(index as usize, element);
        void()
    }),
    ("jdk/internal/reflect/Reflection", "getCallerClass", "", |machine, _| {
        // The innermost frame is the method that asks; its caller is wanted.
        let frames = &machine.threads[machine.current].frames;
        let real: Vec<_> =
            frames.iter().rev().filter(|frame| machine.methods[frame.method].origin.is_some()).collect();
        match real.get(1).map(|frame| machine.methods[frame.method].class) {
            Some(class) => value(machine.mirror(class)?),
            None => null(),
        }
    }),
    ("java/io/ObjectStreamClass", "initNative", "", |_, _| void()),
    ("java/io/ObjectStreamClass", "hasStaticInitializer", "", |machine, args| {
        let class = machine.mirrored(not_null(args[0])?)?;
        let declared = machine.declared(class);
        let initializer = machine.program.declared_method(declared, "<clinit>".into(), "()V".into());
        super::boolean(initializer.is_some())
    }),
    ("java/lang/Class", "getDeclaredFields0", "", |machine, args| {
        let class = machine.mirrored(not_null(args[0])?)?;
        value(declared_fields(machine, class)?)
    }),
    ("java/lang/Class", "getDeclaredMethods0", "", |machine, args| {
        let class = machine.mirrored(not_null(args[0])?)?;
        value(declared_methods(machine, class, false, args[1].int() != 0)?)
    }),
    ("java/lang/Class", "getDeclaredConstructors0", "", |machine, args| {
        let class = machine.mirrored(not_null(args[0])?)?;
        value(declared_methods(machine, class, true, args[1].int() != 0)?)
    }),
];

fn array_length(machine: &Machine<'_>, array: ObjRef) -> Exec<usize> {
    let length = machine.heap.get(array).payload.length();
    length.ok_or_else(|| Raise::new("java/lang/IllegalArgumentException", "Argument is not an array"))
}

/// `java.lang.reflect.Field`s whose slots are the machine's own, as `Unsafe` expects.
fn declared_fields(machine: &mut Machine<'_>, class: RtClassId) -> Exec<ObjRef> {
    let field_class = machine.load_str("java/lang/reflect/Field")?;
    let field_array = machine.load_str("[Ljava/lang/reflect/Field;")?;
    let declared = machine.declared(class);
    let ids: Vec<_> = machine.program.classes[declared].fields.iter().collect();
    let array = machine.new_array(field_array, ids.len())?;
    let mirror = machine.mirror(class)?;
    for (index, id) in ids.into_iter().enumerate() {
        let data = machine.program.fields[id];
        let ty = machine.load_descriptor(data.descriptor.as_bytes())?;
        let ty = machine.mirror(ty)?;
        let name = machine.intern_symbol(data.name)?;
        let field = machine.new_instance(field_class)?;
        let slot = machine.field_slots[id] as i32;
        for (name, value) in [
            ("clazz", mirror.into()),
            ("slot", Value::Int(slot)),
            ("name", name.into()),
            ("type", ty.into()),
            ("modifiers", Value::Int(data.flags.into())),
        ] {
            machine.set_field_named(field, name, value)?;
        }
        machine.heap.get_mut(array).payload.set(index, field.into());
    }
    Ok(array)
}

/// `java.lang.reflect.Method`s or `Constructor`s, whose slots are the numbers of their declarations.
fn declared_methods(
    machine: &mut Machine<'_>,
    class: RtClassId,
    constructors: bool,
    public_only: bool,
) -> Exec<ObjRef> {
    let kind = if constructors { "java/lang/reflect/Constructor" } else { "java/lang/reflect/Method" };
    let member_class = machine.load_str(kind)?;
    let declared = machine.declared(class);
    let program = machine.program;
    let wanted = |id: &MethodId| {
        let method = &program.methods[*id];
        method.is_constructor() == constructors
            && !method.is_class_initializer()
            && (!public_only || method.is_public())
    };
    let ids: Vec<MethodId> = match machine.class(class).kind {
        ClassKind::Declared(_) => program.classes[declared].methods.iter().filter(wanted).collect(),
        _ => Vec::new(),
    };
    let array_class = machine.array_class(member_class);
    let array = machine.new_array(array_class, ids.len())?;
    let mirror = machine.mirror(class)?;
    for (index, id) in ids.into_iter().enumerate() {
        let data = machine.program.methods[id];
        let (parameters, result) = crate::synth::descriptor_parts(data.descriptor);
        let parameter_types = class_array(machine, &parameters)?;
        let exceptions = declared_exceptions(machine, declared, id);
        let exceptions: Vec<&[u8]> = exceptions.iter().map(|name| name.as_bytes()).collect();
        let exception_types = class_array(machine, &exceptions)?;
        let member = machine.new_instance(member_class)?;
        machine.set_field_named(member, "clazz", mirror.into())?;
        machine.set_field_named(member, "slot", Value::Int(id.number() as i32))?;
        machine.set_field_named(member, "parameterTypes", parameter_types.into())?;
        machine.set_field_named(member, "exceptionTypes", exception_types.into())?;
        machine.set_field_named(member, "modifiers", Value::Int(data.flags.into()))?;
        if !constructors {
            let name = machine.intern_symbol(data.name)?;
            let result = machine.load_descriptor(result)?;
            let result = machine.mirror(result)?;
            machine.set_field_named(member, "name", name.into())?;
            machine.set_field_named(member, "returnType", result.into())?;
        }
        machine.heap.get_mut(array).payload.set(index, member.into());
    }
    Ok(array)
}

/// The descriptors of the exceptions that a method of a class declares.
fn declared_exceptions(machine: &Machine<'_>, class: ClassId, method: MethodId) -> Vec<Symbol> {
    let first = machine.program.classes[class].methods.first();
    let position = first.map_or(0, |first| (method.number() - first.number()) as usize);
    let Some(file) = machine.program.class_file(class) else { return Vec::new() };
    let exceptions = file.methods.get(position).and_then(|member| member.exceptions(&file.pool).ok()?);
    exceptions.into_iter().flatten().map(|name| ClassName::new(name).descriptor()).collect()
}

/// A `Class[]` of the classes with these descriptors.
fn class_array(machine: &mut Machine<'_>, descriptors: &[&[u8]]) -> Exec<ObjRef> {
    let class_class = machine.load_str("[Ljava/lang/Class;")?;
    let array = machine.new_array(class_class, descriptors.len())?;
    for (index, descriptor) in descriptors.iter().enumerate() {
        let class = machine.load_descriptor(descriptor)?;
        let mirror = machine.mirror(class)?;
        machine.heap.get_mut(array).payload.set(index, mirror.into());
    }
    Ok(array)
}
