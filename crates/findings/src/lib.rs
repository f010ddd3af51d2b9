//! What the detectors say, as plain data: no arena ids, no borrowed program, nothing that needs the analysis to be read.
//!
//! A detector, static or at run time, makes [`Finding`]s and puts them into a [`Report`]; [`Report::finish`] gives each
//! its fingerprint, sorts them and computes the views. Everything downstream (text, JSON, SARIF, HTML, baselines,
//! comparisons) works on the finished report only. The JSON form of these types, key by key and in this order, is what
//! other programs rely on: keys are added, never renamed, within one value of [`SCHEMA`].
//!
//! ```
//! use selvedge_findings::*;
//!
//! let side = |action, method: &str, line| Side::new(action, Frame::new(method).at("Bank.java", line));
//! let mut report = Report::default();
//! report.findings.push(
//!     Finding::new("pairs", Kind::Field, Location::field("bank.Account", "balance"))
//!         .sides(side(Action::Write, "bank.Account.deposit(int)", 12), side(Action::Read, "bank.Account.get()", 20))
//!         .because(Reason::evidence("no lock is held on both sides"))
//!         .ranked(70, Confidence::Medium),
//! );
//! report.finish();
//! assert_eq!(report.findings[0].key.len(), 16);
//! ```

mod baseline;
mod call_paths;
mod confirmation;
mod coverage;
mod diff;
mod finding;
mod fingerprint;
mod group;
mod merge;
mod name;
pub mod pattern;
mod place;
mod report;
mod stats;
mod suppress;
mod surroundings;
mod views;
mod written;

pub use baseline::{Accepted, BASELINE_SCHEMA, Baseline};
pub use call_paths::{CallPaths, PathCall, PathMethod};
pub use confirmation::{Confirmation, Outcome, ThreadStack};
pub use coverage::Coverage;
pub use diff::{Diff, diff};
pub use finding::{Action, Confidence, Finding, Kind, Pair, Reason, ReasonKind, Side, Verdict};
pub use fingerprint::fingerprint;
pub use group::group_by_cause;
pub use merge::merge;
pub use name::{class_of, method_name, package_of, short_class, short_lock, short_method, type_name};
pub use place::{FieldRef, Frame, Location, Lock, LockMode, ObjectInfo, ThreadInfo};
pub use report::{Because, Input, Partial, Problem, Report, SCHEMA, Safe, Strength, Tool, Unexamined};
pub use stats::{
    ApplicationTable, InterthreadTable, ObjectTable, Phase, RefuterCount, Stages, Stats, UseTable,
};
pub use suppress::{PairRef, Rule, Suppressed, in_scope, suppressed_by_rules};
pub use surroundings::{HeapEdge, HeapNode, NodeRole, Surroundings};
pub use views::{FieldView, ObjectView, Views};
