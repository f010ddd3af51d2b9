//! Native methods, and the few methods of the library that are replaced.
//!
//! The library runs as it is: strings, collections, formatting, locks and thread pools are the JDK's own code. What is
//! written here is what the JDK itself leaves to the JVM. A method with a body of its own is replaced only
//! where that body would start up a part of the platform that the machine does not have (modules, class loaders,
//! method handles, signals), or where the machine must see what happens (`Thread.isAlive`). Those are listed in
//! [`REPLACED`], each with the reason.

mod class;
pub(crate) mod handles;
pub(crate) mod invocation;
mod lang;
mod math;
mod memory;
mod platform;
mod reflect;
mod thread;

pub(crate) use thread::STATUS_ALIVE;

use std::sync::OnceLock;

use selvedge_base::{FastMap, Symbol};
use selvedge_ir::ClassName;

use crate::machine::{Exec, Machine};
use crate::method::RtMethodId;
use crate::value::Value;

/// A method written for the machine. It gets the receiver, if there is one, and the arguments.
pub(crate) type NativeFn = for<'m, 'p> fn(&'m mut Machine<'p>, &[Value]) -> Exec<NativeReturn>;

/// How a native method completes.
pub(crate) enum NativeReturn {
    Value(Option<Value>),
    /// By calling another method with these arguments, whose result is its own.
    TailCall(RtMethodId, Vec<Value>),
}

/// A row of a table: class, name, descriptor (empty for any), and what runs.
pub(crate) type Row = (&'static str, &'static str, &'static str, NativeFn);

/// The methods with a body of their own that are replaced, and why; `platform` and its siblings say by what.
pub const REPLACED: &[(&str, &str, &str)] = &[
    ("java/lang/Terminator", "setup", "there are no signals"),
    ("java/lang/StackTraceElement", "computeFormat", "there are no class loaders and modules to name"),
    ("java/lang/Thread", "isAlive", "the machine tells the observer about joins"),
    ("java/lang/Thread", "onSpinWait", "ends the thread's turn"),
    ("java/lang/invoke/MethodHandles", "lookup", "method handles are modelled by the machine"),
    ("java/lang/invoke/MethodHandles", "privateLookupIn", "method handles are modelled by the machine"),
    (
        "java/lang/invoke/MethodHandles",
        "arrayElementVarHandle",
        "variable handles are modelled by the machine",
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup",
        "findVarHandle",
        "variable handles are modelled by the machine",
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup",
        "findStaticVarHandle",
        "variable handles are modelled by the machine",
    ),
    ("java/lang/invoke/MethodHandles$Lookup", "findVirtual", "method handles are modelled by the machine"),
    ("java/lang/invoke/MethodHandles$Lookup", "findStatic", "method handles are modelled by the machine"),
    (
        "java/lang/invoke/MethodHandles$Lookup",
        "findConstructor",
        "method handles are modelled by the machine",
    ),
    ("jdk/internal/reflect/ReflectionFactory", "inflationThreshold", "no accessor classes are generated"),
    ("jdk/internal/misc/Unsafe", "compareAndExchangeByte", "the library's works on whole words of memory"),
    ("jdk/internal/misc/Unsafe", "compareAndExchangeShort", "the library's works on whole words of memory"),
];

const TABLES: [&[Row]; 10] = [
    class::ROWS,
    handles::ROWS,
    invocation::ROWS,
    lang::ROWS,
    math::ROWS,
    memory::ACCESSORS,
    memory::ROWS,
    platform::ROWS,
    reflect::ROWS,
    thread::ROWS,
];

/// What runs in place of a method, if anything does: of a native method, or of one that is [`REPLACED`].
pub(crate) fn find(owner: ClassName, name: Symbol, descriptor: Symbol, is_native: bool) -> Option<NativeFn> {
    if !is_native && !REPLACED.iter().any(|(class, method, _)| owner.is(class) && name.is(method)) {
        return None;
    }
    type Key = (Symbol, Symbol);
    static ROWS: OnceLock<FastMap<Key, Vec<(&'static str, NativeFn)>>> = OnceLock::new();
    let rows = ROWS.get_or_init(|| {
        let mut rows: FastMap<Key, Vec<(&'static str, NativeFn)>> = FastMap::default();
        for &(class, name, descriptor, native) in TABLES.into_iter().flatten() {
            rows.entry((Symbol::new(class), Symbol::new(name))).or_default().push((descriptor, native));
        }
        rows
    });
    if (name.is("registerNatives") || name.is("initIDs")) && descriptor.is("()V") {
        return Some(|_, _| void());
    }
    let candidates = rows.get(&(owner.symbol(), name))?;
    candidates
        .iter()
        .find(|(wanted, _)| wanted.is_empty() || descriptor.is(wanted))
        .map(|&(_, native)| native)
}

/// Returns a value.
pub(crate) fn value(value: impl Into<Value>) -> Exec<NativeReturn> {
    Ok(NativeReturn::Value(Some(value.into())))
}

pub(crate) fn int(number: i32) -> Exec<NativeReturn> {
    value(Value::Int(number))
}

pub(crate) fn long(number: i64) -> Exec<NativeReturn> {
    value(Value::Long(number))
}

pub(crate) fn boolean(truth: bool) -> Exec<NativeReturn> {
    value(Value::bool(truth))
}

pub(crate) fn null() -> Exec<NativeReturn> {
    value(Value::NULL)
}

pub(crate) fn void() -> Exec<NativeReturn> {
    Ok(NativeReturn::Value(None))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use selvedge_ir::ClassName;
    use selvedge_world::{Input, Options, Program};

    use super::{REPLACED, TABLES};

    /// Every row means a method of the library, and the list of what is replaced is the truth.
    #[test]
    fn rows_are_natives_or_listed_as_replaced() {
        let Some(jdk) = selvedge_testkit::jdk_or_skip() else { return };
        if jdk.feature_version() != 17 {
            return selvedge_testkit::skip("the natives are those of JDK 17");
        }
        let input = Input::read(&Options { jdk: Some(jdk.home), ..Options::default() }).unwrap();
        let program = Program::load(input);
        let mut replaced = BTreeSet::new();
        for &(class, name, descriptor, _) in TABLES.into_iter().flatten() {
            let id = program.class_named(ClassName::new(class)).unwrap();
            let methods = program.classes[id].methods.iter().map(|id| program.methods[id]);
            let meant: Vec<_> = methods
                .filter(|method| {
                    method.name.is(name) && (descriptor.is_empty() || method.descriptor.is(descriptor))
                })
                .collect();
            assert!(!meant.is_empty(), "{class}.{name}{descriptor} is not in the library");
            // Where the library has both, only the native one is meant.
            if meant.iter().all(|method| !method.is_native()) {
                replaced.insert((class, name));
            }
        }
        let listed: BTreeSet<(&str, &str)> = REPLACED.iter().map(|&(class, name, _)| (class, name)).collect();
        assert_eq!(replaced, listed);
    }
}
