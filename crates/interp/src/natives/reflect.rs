//! The part of reflection that the library itself leans on: arrays, callers, declared fields.

use super::{NativeReturn, Row, int, null, value, void};
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
    ("jdk/internal/reflect/Reflection", "verifyMemberAccess", "", |_, _| super::boolean(true)),
    ("sun/reflect/misc/ReflectUtil", "ensureMemberAccess", "", |_, _| void()),
    ("java/lang/Class", "getDeclaredFields0", "", |machine, args| {
        let class = machine.mirrored(not_null(args[0])?)?;
        value(declared_fields(machine, class)?)
    }),
];

fn array_length(machine: &Machine<'_>, array: ObjRef) -> Exec<usize> {
    let length = machine.heap.get(array).payload.length();
    length.ok_or_else(|| Raise::new("java/lang/IllegalArgumentException", "Argument is not an array"))
}

/// `java.lang.reflect.Field`s whose slots are the machine's own, as `Unsafe` expects.
fn declared_fields(machine: &mut Machine<'_>, class: crate::class::RtClassId) -> Exec<ObjRef> {
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
