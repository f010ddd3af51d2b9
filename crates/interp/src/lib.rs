//! A concrete interpreter of the intermediate form: the oracle the analyses are tested against.
//!
//! [`run`] executes the `main` method of a Java program: every method, the library's included, as its body in the
//! intermediate form. So a program that prints what `java` prints is evidence that lowering, resolution and
//! dispatch mean what the JVM means. Threads run interleaved under a scheduler that a seed decides; the same seed gives
//! the same run. An [`Observer`] sees calls, allocations, accesses, locks and threads as they happen: what an analysis
//! claims about every run must hold for what it saw.
//!
//! | file | what it holds |
//! |---|---|
//! | `value`, `heap`, `place` | values, objects, memory by offset |
//! | `class`, `method`, `thread` | classes, linked code, frames |
//! | `exec`, `arith`, `call` | instructions, calls, exceptions, class initialisation |
//! | `dynamic`, `synth` | `invokedynamic`, by generated bodies |
//! | `monitor`, `scheduler` | locks, waiting, time |
//! | `natives` | what the JDK leaves to the virtual machine |
//! | `boot` | starting up |
//!
//! Not modelled: garbage collection, class loaders, modules, files, method handles as values, most of reflection, weak
//! memory (executions are sequentially consistent).

mod arith;
mod boot;
mod call;
mod class;
mod dynamic;
mod exec;
mod heap;
mod machine;
mod method;
mod monitor;
mod natives;
mod observer;
mod place;
mod scheduler;
mod string;
mod synth;
mod thread;
mod value;

pub use boot::{Outcome, run};
pub use heap::Heap;
pub use machine::{Failure, Options};
pub use natives::REPLACED;
pub use observer::{Access, NoObserver, Observer, Place, Site, ThreadId};
pub use value::{ObjRef, Value};
