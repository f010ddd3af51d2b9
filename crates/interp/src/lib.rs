//! A concrete interpreter of the intermediate form: the oracle the analyses are tested against.
//!
//! [`run`] executes the `main` method of a Java program: every method, the library's included, as its body in the
//! intermediate form. So a program that prints what `java` prints is evidence that lowering, resolution and
//! dispatch mean what the JVM means. Threads run interleaved under a scheduler that a seed decides; the same seed gives
//! the same run. An [`Observer`] sees calls, allocations, accesses, locks and threads as they happen: what an analysis
//! claims about every run must hold for what it saw.
//!
//! ```no_run
//! use selvedge_interp::{Observer, Options, Site, ThreadId, run};
//! use selvedge_world::{Input, MethodId, Program};
//!
//! #[derive(Default)]
//! struct Calls(Vec<(Option<Site>, MethodId)>);
//!
//! impl Observer for Calls {
//!     fn call(&mut self, _: ThreadId, site: Option<Site>, callee: MethodId) {
//!         self.0.push((site, callee));
//!     }
//! }
//!
//! # fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let paths = vec!["classes".into()];
//! let program = Program::load(Input::read(&selvedge_world::Options { paths, ..Default::default() })?);
//! let mut calls = Calls::default();
//! let outcome = run(&program, "Main", &Options { seed: 42, ..Options::default() }, &mut calls)?;
//! println!("{} calls, exit status {:?}", calls.0.len(), outcome.status);
//! # Ok(())
//! # }
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `value`, `heap`, `place` | values, objects, memory by offset |
//! | `class`, `method`, `thread` | classes, linked code, frames |
//! | `exec`, `arith`, `call` | instructions, calls, exceptions, class initialisation |
//! | `dynamic`, `synth` | `invokedynamic`, by generated bodies |
//! | `monitor`, `scheduler` | locks, waiting, time |
//! | `natives` | what the JDK leaves to the JVM |
//! | `boot` | starting up |
//!
//! Not modelled: garbage collection, class loaders and classes defined at run time (proxies), modules and services
//! (locale data), annotations, files, combinators of method handles, weak memory (executions are sequentially
//! consistent). Nothing is ever collected and nothing has annotations, as far as the program can see; whatever else is not
//! modelled ends the run with a [`Failure`] that says so. The natives are those of JDK 17.

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
