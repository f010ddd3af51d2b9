//! What library methods do: the vocabulary of effects, and the rows that say which method has which.
//!
//! Analyses look into the code of the JDK, but some of it says nothing (natives, reflection), and some says in a
//! thousand instructions what one word says better (a lock is taken, a value is handed over). For both there are rows:
//! plain data in TOML files, built in and extendable by the user, each with its [provenance](Row::provenance). The
//! same rows serve the points-to analysis, the analyses of locks, threads and order, and the instrumenter.
//!
//! - [`Effect`] is the closed vocabulary; [`Special`] names what only code can do.
//! - [`Place`] is the little language of where references are found.
//! - [`Kind`] lists classes that analyses ask about by name.
//! - [`framework`] is about the classes that containers make and call.
//! - [`Models`] holds the rows and finds those for a method.
//! - [`check`](Models::check) holds them against real classes.
//!
//! Classes and members are names here, never ids: this crate knows nothing of programs.

mod builtin;
mod check;
mod class_table;
mod effect;
pub mod framework;
mod kinds;
mod list;
mod models;
mod name;
mod place;
mod read;
mod row;
mod special;

pub use check::{CheckReport, ClassLookup, DeclaredMethod, RowProblem};
pub use class_table::ClassTable;
pub use effect::{After, Argument, AtomicKind, Effect, InThread, LockMode, Order, Per, When};
pub use kinds::Kind;
pub use models::{Models, Supertypes, assumed_of_native};
pub use name::{Class, MethodRef};
pub use place::{Place, Root, Step};
pub use read::ModelError;
pub use row::{Origin, Releases, RootThread, Row, RowId, Selector, VmRoot};
pub use special::Special;
