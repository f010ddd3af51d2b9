//! What an execution shows to whoever watches it: the concrete side of the analyses' theorems.
//!
//! Every event names the thread and, where there is one, the [`Site`]: the bytecode instruction that caused it. Frames of
//! generated code (lambda adapters, string concatenation) have no site of their own; they report that of the nearest
//! frame that has one, so that a call through a lambda appears as a call from the interface call's site to its body.

use std::fmt;

use selvedge_base::entity;
use selvedge_ir::ClassName;
use selvedge_world::{FieldId, MethodId};

use crate::value::{ObjRef, Value};

entity! {
    /// A thread of the execution, in order of its start. The main thread is the first.
    ThreadId "t";
}

/// An instruction of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The method it is in.
    pub method: MethodId,
    /// Its bytecode index.
    pub bci: u32,
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.method, self.bci)
    }
}

/// What is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A field of an object.
    Field(ObjRef, FieldId),
    /// A static field.
    Static(FieldId),
    /// An element of an array.
    Element(ObjRef, u32),
}

/// A read or write of memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Access {
    /// Who.
    pub thread: ThreadId,
    /// Where.
    pub site: Option<Site>,
    /// What.
    pub place: Place,
    /// Whether it writes.
    pub is_write: bool,
    /// Whether it synchronises: a volatile field, or an atomic operation of `Unsafe` or a `VarHandle`.
    pub is_volatile: bool,
    /// What was read or written.
    pub value: Value,
}

/// Callbacks, all empty unless overridden.
#[allow(unused_variables)]
pub trait Observer {
    /// Whether [`access`](Self::access) is to be called at all: accesses are most of what happens.
    fn wants_accesses(&self) -> bool {
        false
    }
    /// A method is entered. Without a site the caller is the JVM itself: `main`, a thread's `run`, class
    /// initialisers, constructors of exceptions that the machine throws.
    fn call(&mut self, thread: ThreadId, site: Option<Site>, callee: MethodId) {}
    /// A method is left, normally or not.
    fn leave(&mut self, thread: ThreadId, callee: MethodId) {}
    /// An object or array was allocated; its fields are still zero.
    fn allocation(&mut self, thread: ThreadId, site: Option<Site>, object: ObjRef, class: ClassName) {}
    /// Memory was read or written; see [`wants_accesses`](Self::wants_accesses).
    fn access(&mut self, access: &Access) {}
    /// Whether [`define`](Self::define) is to be called at all.
    fn wants_values(&self) -> bool {
        false
    }
    /// A variable of reference type, parameters included, got a value in the running activation of a method; see
    /// [`wants_values`](Self::wants_values).
    fn define(
        &mut self,
        thread: ThreadId,
        method: MethodId,
        variable: selvedge_ir::Value,
        object: Option<ObjRef>,
    ) {
    }
    /// A thread took a monitor, or took it once more: `depth` is 1 for the first time.
    fn monitor_enter(&mut self, thread: ThreadId, site: Option<Site>, object: ObjRef, depth: u32) {}
    /// A thread gave up a monitor once; `depth` is 0 when it no longer holds it. `Object.wait` gives it up whole.
    fn monitor_exit(&mut self, thread: ThreadId, site: Option<Site>, object: ObjRef, depth: u32) {}
    /// `Thread.start`: from here on `child` may run.
    fn thread_start(&mut self, parent: ThreadId, site: Option<Site>, child: ThreadId, object: ObjRef) {}
    /// A thread ran its last instruction.
    fn thread_end(&mut self, thread: ThreadId) {}
    /// `Thread.join` (or `isAlive`) told `thread` that `other` has ended.
    fn thread_join(&mut self, thread: ThreadId, site: Option<Site>, other: ThreadId) {}
    /// `Object.notify` or `notifyAll` woke a waiting thread.
    fn notify(&mut self, thread: ThreadId, site: Option<Site>, object: ObjRef, woken: ThreadId) {}
    /// The initialiser of a class has completed.
    fn class_initialized(&mut self, thread: ThreadId, class: ClassName) {}
    /// A method caught an exception.
    fn catch(&mut self, thread: ThreadId, site: Option<Site>, exception: ObjRef) {}
}

/// Watches nothing.
#[derive(Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}
