//! From jars, directories and a JDK to a program: hierarchy, resolution, entry points, harness.
//!
//! [`Input`] is what was read: class files with where they come from. A [`Program`] is made of it: all classes, fields
//! and methods as frozen arenas, the hierarchy over them, and what the JVM does with names: resolution, selection, access
//! control. Bad input never stops the work on the rest; it is listed as [`Problem`]s.

mod access;
mod annotations;
mod bodies;
mod border;
mod client;
mod dispatch;
mod entry;
mod harness;
mod hierarchy;
mod input;
mod link;
mod load;
mod names;
mod problem;
mod program;
mod racing;
mod references;
mod resolve;
mod types;

pub use access::LinkageError;
pub use annotations::{AnnotationUse, Annotations};
pub use entry::{EntryPoints, EntryRequest};
pub use harness::{Call, Creation, Flow, FlowKind, Harness, Made, Variable, VariableId, usual_class};
pub use input::{Bytes, ClassSource, Container, ContainerId, Input, Jdk, Limits, Options, Tier};
pub use names::{java_name, java_parameters, java_type, package};
pub use problem::{InputError, Problem, ProblemKind};
pub use program::{Class, ClassId, Field, FieldId, Method, MethodId, Program, SelectorId};
pub use racing::{Form, RacingTest, racing_tests};
pub use resolve::ResolveError;
pub use types::{Element, TypeId, TypeTable};
