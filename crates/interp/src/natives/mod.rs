//! Native methods, and the few methods of the library that are replaced.
//!
//! The library runs as it is: strings, collections, formatting, locks and thread pools are the JDK's own code. What is
//! written here is what the JDK itself leaves to the virtual machine. A method with a body of its own is replaced only
//! where that body would start up a part of the platform that the machine does not have (modules, class loaders,
//! method handles, signals), or where the machine must see what happens (`Thread.isAlive`). Those are listed in
//! [`REPLACED`], each with the reason.

mod class;
pub(crate) mod handles;
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
    ("java/lang/Class", "getEnumConstantsShared", "calls values() directly instead of through reflection"),
    ("java/lang/Class", "isRecord", "reads the class instead of through reflection"),
    ("java/lang/Terminator", "setup", "there are no signals"),
    ("java/lang/StackTraceElement", "computeFormat", "there are no class loaders and modules to name"),
    ("java/lang/Thread", "isAlive", "the machine tells the observer about joins"),
    ("java/lang/Thread", "onSpinWait", "ends the thread's turn"),
    ("java/lang/System", "getSecurityManager", "there is none"),
    ("java/lang/System", "getenv", "the environment is empty"),
    ("java/lang/ClassLoader", "getSystemClassLoader", "there are no class loaders"),
    ("java/lang/Module", "isNamed", "there are no modules"),
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
    ("java/lang/invoke/VarHandle", "withInvokeExactBehavior", "variable handles are modelled by the machine"),
    ("java/security/AccessController", "doPrivileged", "runs the action; there are no permissions"),
    ("java/security/AccessController", "getContext", "there are no permissions"),
    ("jdk/internal/misc/Unsafe", "compareAndExchangeByte", "the library's works on whole words of memory"),
    ("jdk/internal/misc/Unsafe", "compareAndExchangeShort", "the library's works on whole words of memory"),
    ("jdk/internal/reflect/Reflection", "verifyMemberAccess", "access was checked by the compiler"),
    ("sun/reflect/misc/ReflectUtil", "ensureMemberAccess", "access was checked by the compiler"),
];

/// What runs in place of a method, if anything does.
pub(crate) fn find(owner: ClassName, name: Symbol, descriptor: Symbol) -> Option<NativeFn> {
    type Key = (Symbol, Symbol);
    static ROWS: OnceLock<FastMap<Key, Vec<(&'static str, NativeFn)>>> = OnceLock::new();
    let rows = ROWS.get_or_init(|| {
        let mut rows: FastMap<Key, Vec<(&'static str, NativeFn)>> = FastMap::default();
        let tables = [
            class::ROWS,
            handles::ROWS,
            lang::ROWS,
            math::ROWS,
            memory::ACCESSORS,
            memory::ROWS,
            platform::ROWS,
            reflect::ROWS,
            thread::ROWS,
        ];
        for &(class, name, descriptor, native) in tables.into_iter().flatten() {
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
