//! `java.lang`: objects, strings, system, exceptions.

use super::{Row, boolean, int, long, null, value, void};
use crate::class::ClassKind;
use crate::exec::not_null;
use crate::heap::Payload;
use crate::machine::{Exec, Machine, Raise};
use crate::value::{ObjRef, Value};

/// Recorded frames of an exception, as many as the JVM keeps.
const MAX_TRACE: usize = 1024;

pub(crate) const ROWS: &[Row] = &[
    ("java/lang/Object", "getClass", "", |machine, args| {
        let class = machine.class_of(not_null(args[0])?);
        value(machine.mirror(class)?)
    }),
    ("java/lang/Object", "hashCode", "", |machine, args| {
        let object = not_null(args[0])?;
        int(machine.identity_hash(object))
    }),
    ("java/lang/Object", "clone", "", |machine, args| value(clone(machine, not_null(args[0])?)?)),
    ("java/lang/Object", "notify", "", |machine, args| {
        machine.monitor_notify(not_null(args[0])?, false)?;
        void()
    }),
    ("java/lang/Object", "notifyAll", "", |machine, args| {
        machine.monitor_notify(not_null(args[0])?, true)?;
        void()
    }),
    ("java/lang/Object", "wait", "(J)V", |machine, args| {
        if args[1].long() < 0 {
            return Err(Raise::new("java/lang/IllegalArgumentException", "timeout value is negative"));
        }
        machine.monitor_wait(not_null(args[0])?, args[1].long())?;
        void()
    }),
    ("java/lang/String", "intern", "", |machine, args| {
        let string = not_null(args[0])?;
        let units = machine.string_units(string);
        value(machine.intern(units, Some(string))?)
    }),
    ("java/lang/StringUTF16", "isBigEndian", "", |_, _| boolean(false)),
    ("java/lang/System", "identityHashCode", "", |machine, args| match args[0].reference() {
        Some(object) => int(machine.identity_hash(object)),
        None => int(0),
    }),
    ("java/lang/System", "arraycopy", "", |machine, args| {
        array_copy(machine, args)?;
        void()
    }),
    ("java/lang/System", "nanoTime", "", |machine, _| long(machine.scheduler.now() as i64)),
    ("java/lang/System", "currentTimeMillis", "", |machine, _| {
        long(EPOCH_MILLIS + machine.scheduler.now() as i64 / 1_000_000)
    }),
    ("java/lang/System", "setIn0", "", |machine, args| set_system_stream(machine, "in", args)),
    ("java/lang/System", "setOut0", "", |machine, args| set_system_stream(machine, "out", args)),
    ("java/lang/System", "setErr0", "", |machine, args| set_system_stream(machine, "err", args)),
    ("java/lang/Runtime", "availableProcessors", "", |_, _| int(2)),
    ("java/lang/Runtime", "freeMemory", "", |_, _| long(1 << 28)),
    ("java/lang/Runtime", "totalMemory", "", |_, _| long(1 << 29)),
    ("java/lang/Runtime", "maxMemory", "", |_, _| long(1 << 30)),
    ("java/lang/Runtime", "gc", "", |_, _| void()),
    ("java/lang/Shutdown", "beforeHalt", "", |_, _| void()),
    ("java/lang/Shutdown", "halt0", "", |_, args| Err(Raise::Exit(args[0].int()))),
    ("java/lang/Throwable", "fillInStackTrace", "(I)Ljava/lang/Throwable;", |machine, args| {
        let throwable = not_null(args[0])?;
        fill_in_stack_trace(machine, throwable)?;
        value(throwable)
    }),
    ("java/lang/NullPointerException", "getExtendedNPEMessage", "", |_, _| null()),
    ("java/lang/StackTraceElement", "initStackTraceElements", "", |machine, args| {
        init_stack_trace(machine, not_null(args[0])?, not_null(args[1])?)?;
        void()
    }),
    ("java/lang/StackTraceElement", "computeFormat", "", |_, _| void()),
];

/// The date of the virtual clock's start: any fixed one does.
pub(crate) const EPOCH_MILLIS: i64 = 1_700_000_000_000;

fn set_system_stream(machine: &mut Machine<'_>, name: &str, args: &[Value]) -> Exec<super::NativeReturn> {
    let system = machine.load_str("java/lang/System")?;
    *machine.static_named(system, name)? = args[0];
    void()
}

fn clone(machine: &mut Machine<'_>, object: ObjRef) -> Exec<ObjRef> {
    let cloneable = machine.load_str("java/lang/Cloneable")?;
    let class = machine.class_of(object);
    if !machine.is_subtype(class, cloneable) {
        let name = crate::call::java_name(machine.class(class).name);
        return Err(Raise::new("java/lang/CloneNotSupportedException", name));
    }
    let payload = machine.heap.get(object).payload.clone();
    machine.allocate(class, payload)
}

fn array_copy(machine: &mut Machine<'_>, args: &[Value]) -> Exec<()> {
    let (from, to) = (not_null(args[0])?, not_null(args[2])?);
    let (source, target, count) = (args[1].int(), args[3].int(), args[4].int());
    let lengths = (machine.heap.get(from).payload.length(), machine.heap.get(to).payload.length());
    let (Some(from_length), Some(to_length)) = lengths else {
        return Err(Raise::new("java/lang/ArrayStoreException", "arraycopy: not an array"));
    };
    let same_kind = std::mem::discriminant(&machine.heap.get(from).payload)
        == std::mem::discriminant(&machine.heap.get(to).payload);
    if !same_kind {
        return Err(Raise::new("java/lang/ArrayStoreException", "arraycopy: type mismatch"));
    }
    let inside = |start: i32, length: usize| {
        start >= 0 && count >= 0 && i64::from(start) + i64::from(count) <= length as i64
    };
    if !inside(source, from_length) || !inside(target, to_length) {
        let message = if count < 0 {
            format!("arraycopy: length {count} is negative")
        } else if !inside(source, from_length) {
            format!(
                "arraycopy: last source index {} out of bounds for length {from_length}",
                i64::from(source) + i64::from(count)
            )
        } else {
            format!(
                "arraycopy: last destination index {} out of bounds for length {to_length}",
                i64::from(target) + i64::from(count)
            )
        };
        return Err(Raise::new("java/lang/ArrayIndexOutOfBoundsException", message));
    }
    let (source, target, count) = (source as usize, target as usize, count as usize);
    observe_copy(machine, (from, source), (to, target), count);
    if from == to {
        machine.heap.get_mut(from).payload.copy_within(source, target, count);
        return Ok(());
    }
    // An array of references whose type does not say that all elements fit is copied one by one.
    let (from_class, to_class) = (machine.class_of(from), machine.class_of(to));
    if let Payload::Refs(items) = &machine.heap.get(from).payload
        && !machine.is_subtype(from_class, to_class)
        && let ClassKind::Array(component) = machine.class(to_class).kind
    {
        let items: Vec<Option<ObjRef>> = items[source..source + count].to_vec();
        for (offset, item) in items.into_iter().enumerate() {
            if item.is_some_and(|item| !machine.is_instance(item, component)) {
                return Err(Raise::new(
                    "java/lang/ArrayStoreException",
                    format!("arraycopy: element type mismatch at {offset}"),
                ));
            }
            machine.heap.get_mut(to).payload.set(target + offset, Value::Ref(item));
        }
        return Ok(());
    }
    if let Some((from, to)) = machine.heap.pair(from, to) {
        to.payload.copy_from(&from.payload, source, target, count);
    }
    Ok(())
}

fn observe_copy(machine: &mut Machine<'_>, from: (ObjRef, usize), to: (ObjRef, usize), count: usize) {
    use crate::observer::Place;
    if machine.observes_accesses {
        let values: Vec<Option<Value>> =
            (0..count).map(|offset| machine.heap.get(from.0).payload.get(from.1 + offset)).collect();
        for (offset, value) in values.into_iter().enumerate() {
            let value = value.unwrap_or(Value::NULL);
            machine.observe(Place::Element(from.0, (from.1 + offset) as u32), value, false, false);
            machine.observe(Place::Element(to.0, (to.1 + offset) as u32), value, true, false);
        }
    }
}

/// Records the frames that lead to the creation of an exception, without those of its own constructors.
fn fill_in_stack_trace(machine: &mut Machine<'_>, throwable: ObjRef) -> Exec<()> {
    let class = machine.class_of(throwable);
    let mut trace = Vec::new();
    let mut inside = true;
    for frame in machine.threads[machine.current].frames.iter().rev() {
        let method = &machine.methods[frame.method];
        let makes_exception = method.name.is("fillInStackTrace")
            || method.name.is("<init>") && machine.is_subtype(class, method.class);
        inside &= makes_exception;
        if inside || method.origin.is_none() {
            continue;
        }
        trace.push((frame.method, frame.code.body.insts[frame.at].bci));
        if trace.len() == MAX_TRACE {
            break;
        }
    }
    let depth = trace.len() as i32;
    machine.backtraces.insert(throwable, trace);
    machine.set_field_named(throwable, "backtrace", throwable.into())?;
    machine.set_field_named(throwable, "depth", Value::Int(depth))?;
    // As the JVM does: the elements are made when they are asked for.
    machine.set_field_named(throwable, "stackTrace", Value::NULL)
}

fn init_stack_trace(machine: &mut Machine<'_>, elements: ObjRef, throwable: ObjRef) -> Exec<()> {
    let trace = machine.backtraces.get(&throwable).cloned().unwrap_or_default();
    for (index, (method, bci)) in trace.into_iter().enumerate() {
        let Some(element) = machine.heap.get(elements).payload.get(index).and_then(|value| value.reference())
        else {
            break;
        };
        let data = &machine.methods[method];
        let (class, name, origin) = (data.class, data.name, data.origin);
        let class_name = crate::call::java_name(machine.class(class).name);
        let class_name = machine.intern_str(&class_name)?;
        let name = machine.intern_symbol(name)?;
        let line = origin.and_then(|origin| machine.program.body(origin)).and_then(|body| body.line(bci));
        let file = machine.program.source_file(machine.declared(class));
        let mirror = machine.mirror(class)?;
        machine.set_field_named(element, "declaringClassObject", mirror.into())?;
        machine.set_field_named(element, "declaringClass", class_name.into())?;
        machine.set_field_named(element, "methodName", name.into())?;
        machine.set_field_named(element, "lineNumber", Value::Int(line.map_or(-1, |line| line as i32)))?;
        if let Some(file) = file {
            let file = machine.intern_symbol(file)?;
            machine.set_field_named(element, "fileName", file.into())?;
        }
    }
    Ok(())
}
