//! The heap around a raced object: who may hold it, from where, and what it may hold. A small graph to be drawn, cut to what
//! a person can take in; it is evidence for the eye, nothing is concluded from it.

use serde::{Deserialize, Serialize};

use crate::place::Frame;

/// What stands at a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeRole {
    /// The raced object itself.
    Raced,
    /// An object through which it is reached.
    #[default]
    Holder,
    /// A class, whose static field everything below is reached from.
    Class,
    /// What the raced object may hold.
    Held,
}

/// An abstract object, or a class.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct HeapNode {
    /// What it is here.
    pub role: NodeRole,
    /// Its class; for [`NodeRole::Class`] the class itself.
    pub class: String,
    /// Where it is created, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocated_at: Option<Frame>,
}

/// A reference: the node `from` may hold `to`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct HeapEdge {
    /// Index of the holder in [`Surroundings::nodes`].
    pub from: u32,
    /// Index of what it holds.
    pub to: u32,
    /// The field, `[]` for an element of an array.
    pub by: String,
}

/// The heap around a raced object. The raced object, or the class of a raced static field, is node 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Surroundings {
    /// The nodes.
    pub nodes: Vec<HeapNode>,
    /// The references between them.
    pub edges: Vec<HeapEdge>,
    /// How many further holders and held objects there are that are left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde wants")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
