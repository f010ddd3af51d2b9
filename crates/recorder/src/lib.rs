//! Development only: what real runs do, to hold the static call graph against.
//!
//! The crate is two things. As a shared library it is a JVMTI agent that records every call edge a run executes and
//! every class it allocates (`agent`); as a Rust library it reads the files that the agent writes ([`Recording`]),
//! reduces them to what a static call graph can be asked ([`Normalised`]), and starts recorded runs ([`workloads`],
//! [`run`]).
//!
//! An edge is (caller, bytecode index of the call, callee, how). Two kinds of edges are recorded: the plain ones between
//! neighbouring frames, and *collapsed* ones, which join the nearest ordinary frame to the callee when the frames between
//! them are machinery that exists only at run time: lambda proxies, method-handle forms, reflective accessors, dynamic
//! proxies ([`plumbing`]).
//!
//! [`compare`] asks a static call graph about everything that a recording shows and says what it lacks, and why.

#[allow(unsafe_code)]
mod agent;
mod explain;
mod frontier;
mod hierarchy;
mod normal;
pub mod plumbing;
mod points_to;
mod recall;
mod recording;
pub mod run;
mod summary;
mod workload;

pub use explain::{Explained, explain};
pub use frontier::{Hidden, frontier};
pub use hierarchy::ClassHierarchy;
pub use normal::{Normalised, SetAside};
pub use points_to::PointsTo;
pub use recall::{Cause, Graph, Miss, Recall, Tally, compare};
pub use recording::{ClassFacts, Edge, Error, Loader, Method, MethodIndex, Recording, Site, Via};
pub use summary::Summary;
pub use workload::{Workload, recordings_dir, workloads};
