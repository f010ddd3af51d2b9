//! All call paths to the accesses of a finding, as one graph: from where threads start to the methods that make the accesses.
//!
//! A side has one path, to be read; the graph has every other one, too. A pair of paths, one to each access, is a way in which the race may
//! happen, as "Effective Static Race Detection for Java" reports it.

use serde::{Deserialize, Serialize};

use crate::place::Frame;

/// A method of the graph.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct PathMethod {
    /// The method; without a line.
    #[serde(flatten)]
    pub at: Frame,
    /// Whether a thread of the finding comes here first.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_start: bool,
    /// Whether it makes an access of the finding.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_access: bool,
}

/// A call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct PathCall {
    /// Index of the caller in [`CallPaths::methods`].
    pub from: u32,
    /// Index of the method that is called.
    pub to: u32,
    /// The line of the call, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// The graph.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct CallPaths {
    /// The methods, the nearest to the accesses first.
    pub methods: Vec<PathMethod>,
    /// The calls between them. Library code in between is left out.
    pub calls: Vec<PathCall>,
    /// How many paths of the graph lead to the methods of the two accesses of the finding's own pair; methods that call each other in a circle
    /// count as one. If methods are left out, there may be more.
    pub leading: [u64; 2],
    /// How many methods are left out because the graph would be too large.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u32,
}

impl CallPaths {
    /// Counts stop here.
    pub const MOST: u64 = 1_000_000;

    /// Whether there is more than the one path that each side shows.
    pub fn are_several(&self) -> bool {
        self.leading.iter().any(|&count| count > 1)
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde wants")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde wants")]
fn is_false(flag: &bool) -> bool {
    !*flag
}
