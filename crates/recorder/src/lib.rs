//! Development only: what real runs do, to hold the static call graph against.
//!
//! The crate is two things. As a shared library it is a JVMTI agent that records every call edge a run executes and
//! every class it allocates (`agent`); as a Rust library it reads the files that the agent writes ([`Recording`]),
//! reduces them to what a static call graph can be asked ([`Normalised`]), and starts recorded runs of the programs in
//! `workloads/` ([`workloads`], [`run`]).
//!
//! An edge is (caller, bytecode index of the call, callee, how). Two kinds of edges are recorded: the plain ones between
//! neighbouring frames, and *collapsed* ones, which join the nearest ordinary frame to the callee when the frames between
//! them are machinery that exists only at run time: lambda proxies, method-handle forms, reflective accessors, dynamic
//! proxies ([`plumbing`]).

#[allow(unsafe_code)]
mod agent;
mod normal;
pub mod plumbing;
mod recording;
pub mod run;
mod summary;
mod workload;

pub use normal::{Normalised, SetAside};
pub use recording::{ClassFacts, Edge, Error, Loader, Method, MethodIndex, Recording, Site, Via};
pub use summary::Summary;
pub use workload::{Workload, recordings_dir, workloads};
