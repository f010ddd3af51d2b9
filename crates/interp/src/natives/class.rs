//! `java.lang.Class`: names, hierarchy, nesting.

use selvedge_base::Symbol;
use selvedge_classfile::access;
use selvedge_ir::ClassName;

use super::{NativeReturn, Row, boolean, int, null, value};
use crate::call::java_name;
use crate::class::{ClassKind, RtClassId};
use crate::exec::not_null;
use crate::machine::{Exec, Machine, Raise};
use crate::value::{ObjRef, Value};

const CLASS: &str = "java/lang/Class";

pub(crate) const ROWS: &[Row] = &[
    (CLASS, "getPrimitiveClass", "", |machine, args| {
        let keyword = machine.string_text(not_null(args[0])?);
        let class = machine.primitive_class(&keyword);
        value(machine.mirror(class)?)
    }),
    (CLASS, "desiredAssertionStatus0", "", |_, _| boolean(false)),
    (CLASS, "forName0", "", |machine, args| {
        let name = machine.string_text(not_null(args[0])?);
        let class = for_name(machine, &name)?;
        if args[1].int() != 0 {
            machine.initialize(class)?;
        }
        value(machine.mirror(class)?)
    }),
    (CLASS, "isInstance", "", |machine, args| {
        let class = this(machine, args)?;
        boolean(args[1].reference().is_some_and(|object| machine.is_instance(object, class)))
    }),
    (CLASS, "isAssignableFrom", "", |machine, args| {
        let class = this(machine, args)?;
        let other = machine.mirrored(not_null(args[1])?)?;
        boolean(machine.is_subtype(other, class))
    }),
    (CLASS, "isInterface", "", |machine, args| {
        let class = this(machine, args)?;
        boolean(modifiers(machine, class) & access::INTERFACE != 0)
    }),
    (CLASS, "isArray", "", |machine, args| {
        let class = this(machine, args)?;
        boolean(matches!(machine.class(class).kind, ClassKind::Array(_)))
    }),
    (CLASS, "isPrimitive", "", |machine, args| {
        let class = this(machine, args)?;
        boolean(matches!(machine.class(class).kind, ClassKind::Primitive))
    }),
    (CLASS, "isHidden", "", |machine, args| {
        let class = this(machine, args)?;
        boolean(matches!(machine.class(class).kind, ClassKind::Lambda(_)))
    }),
    (CLASS, "isRecord0", "", |machine, args| boolean(is_record(machine, args)?)),
    (CLASS, "initClassName", "", |machine, args| {
        let class = this(machine, args)?;
        let name = java_name(machine.class(class).name);
        let name = machine.intern_str(&name)?;
        machine.set_field_named(not_null(args[0])?, "name", name.into())?;
        value(name)
    }),
    (CLASS, "getSuperclass", "", |machine, args| {
        let class = this(machine, args)?;
        let is_interface = modifiers(machine, class) & access::INTERFACE != 0;
        match machine.class(class).superclass {
            Some(superclass) if !is_interface => value(machine.mirror(superclass)?),
            _ => null(),
        }
    }),
    (CLASS, "getInterfaces0", "", |machine, args| {
        let class = this(machine, args)?;
        let names: Vec<ClassName> = match &machine.class(class).kind {
            ClassKind::Declared(id) => {
                let program = machine.program;
                program.classes[*id].interfaces.iter().map(|&id| program.classes[id].name).collect()
            }
            ClassKind::Lambda(lambda) => {
                lambda.interfaces.iter().map(|&id| machine.program.classes[id].name).collect()
            }
            ClassKind::Array(_) => {
                vec![ClassName::new("java/lang/Cloneable"), ClassName::new("java/io/Serializable")]
            }
            ClassKind::Primitive => Vec::new(),
        };
        class_array(machine, &names)
    }),
    (CLASS, "getModifiers", "", |machine, args| {
        let class = this(machine, args)?;
        int(i32::from(modifiers(machine, class)))
    }),
    ("jdk/internal/reflect/Reflection", "getClassAccessFlags", "", |machine, args| {
        let class = this(machine, args)?;
        int(i32::from(modifiers(machine, class)))
    }),
    ("jdk/internal/reflect/Reflection", "areNestMates", "", |machine, args| {
        let a = this(machine, args)?;
        let b = machine.mirrored(not_null(args[1])?)?;
        let host = |machine: &Machine<'_>, class| machine.program.classes[machine.declared(class)].nest_host;
        boolean(host(machine, a) == host(machine, b))
    }),
    (CLASS, "getNestHost0", "", |machine, args| {
        let class = this(machine, args)?;
        let host = machine.program.classes[machine.declared(class)].nest_host;
        let host = machine.load_declared(host)?;
        value(machine.mirror(host)?)
    }),
    (CLASS, "getDeclaringClass0", "", |machine, args| {
        let class = this(machine, args)?;
        match nesting(machine, class).and_then(|nesting| nesting.outer) {
            Some(outer) => {
                let outer = machine.load(outer)?;
                value(machine.mirror(outer)?)
            }
            None => null(),
        }
    }),
    (CLASS, "getSimpleBinaryName0", "", |machine, args| {
        let class = this(machine, args)?;
        match nesting(machine, class).and_then(|nesting| nesting.name) {
            Some(name) => value(machine.intern_str(&name)?),
            None => null(),
        }
    }),
    (CLASS, "getEnclosingMethod0", "", |machine, args| {
        let class = this(machine, args)?;
        enclosing_method(machine, class)
    }),
    (CLASS, "getGenericSignature0", "", |_, _| null()),
    // Annotations are not modelled: no class and no member has any.
    (CLASS, "getRawAnnotations", "", |_, _| null()),
    (CLASS, "getConstantPool", "", |_, _| null()),
    (CLASS, "getProtectionDomain0", "", |_, _| null()),
    (CLASS, "getSigners", "", |_, _| null()),
];

/// The class that the receiver stands for.
fn this(machine: &Machine<'_>, args: &[Value]) -> Exec<RtClassId> {
    machine.mirrored(not_null(args[0])?)
}

fn for_name(machine: &mut Machine<'_>, name: &str) -> Exec<RtClassId> {
    let internal = ClassName::new(name.replace('.', "/"));
    machine.load(internal).map_err(|raise| match raise {
        Raise::New(..) => Raise::new("java/lang/ClassNotFoundException", name),
        other => other,
    })
}

/// `Class.getModifiers`: those of the source where the class is nested.
pub(crate) fn modifiers(machine: &Machine<'_>, class: RtClassId) -> u16 {
    match machine.class(class).kind {
        ClassKind::Declared(id) => {
            let flags =
                nesting(machine, class).map_or(machine.program.classes[id].flags, |nesting| nesting.flags);
            flags & !access::SUPER
        }
        ClassKind::Lambda(_) => access::FINAL | access::SYNTHETIC,
        _ => access::PUBLIC | access::FINAL | access::ABSTRACT,
    }
}

fn is_record(machine: &Machine<'_>, args: &[Value]) -> Exec<bool> {
    let class = this(machine, args)?;
    let superclass = machine.class(class).superclass;
    Ok(superclass.is_some_and(|superclass| machine.class(superclass).name.is("java/lang/Record")))
}

/// The row of a nested class in its own `InnerClasses`.
struct Nesting {
    outer: Option<ClassName>,
    name: Option<String>,
    flags: u16,
}

fn nesting(machine: &Machine<'_>, class: RtClassId) -> Option<Nesting> {
    let ClassKind::Declared(id) = machine.class(class).kind else { return None };
    let file = machine.program.class_file(id)?;
    let rows = file.inner_classes().ok()??;
    let own = machine.class(class).name;
    let row = rows.iter().find(|row| own.as_bytes() == row.inner)?;
    Some(Nesting {
        outer: row.outer.map(ClassName::new),
        name: row.name.map(|name| String::from_utf8_lossy(name).into_owned()),
        flags: row.access,
    })
}

fn enclosing_method(machine: &mut Machine<'_>, class: RtClassId) -> Exec<NativeReturn> {
    let ClassKind::Declared(id) = machine.class(class).kind else { return null() };
    let Some(file) = machine.program.class_file(id) else { return null() };
    let Ok(Some(enclosing)) = file.enclosing_method() else { return null() };
    let outer = machine.load(ClassName::new(enclosing.class))?;
    let outer = machine.mirror(outer)?;
    let method = match enclosing.method {
        Some(method) => {
            let name = machine.intern_symbol(Symbol::new(method.name))?;
            let descriptor = machine.intern_symbol(Symbol::new(method.descriptor))?;
            [Value::from(name), Value::from(descriptor)]
        }
        None => [Value::NULL, Value::NULL],
    };
    let objects = machine.load_str("[Ljava/lang/Object;")?;
    let array = machine.new_array(objects, 3)?;
    let payload = &mut machine.heap.get_mut(array).payload;
    payload.set(0, outer.into());
    payload.set(1, method[0]);
    payload.set(2, method[1]);
    value(array)
}

fn class_array(machine: &mut Machine<'_>, names: &[ClassName]) -> Exec<NativeReturn> {
    let classes = machine.load_str("[Ljava/lang/Class;")?;
    let array: ObjRef = machine.new_array(classes, names.len())?;
    for (index, &name) in names.iter().enumerate() {
        let class = machine.load(name)?;
        let mirror = machine.mirror(class)?;
        machine.heap.get_mut(array).payload.set(index, mirror.into());
    }
    value(array)
}
