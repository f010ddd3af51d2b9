//! Which locks a thread must hold at an instruction: what a method takes and gives back, what its callers hold, what calls do.

pub(super) mod actions;
pub(super) mod calls;
pub(super) mod choices;
pub(super) mod entries;
pub(super) mod flow;
pub(super) mod monitors;
pub(super) mod naming;
pub(super) mod optimistic;
pub(super) mod state;
pub(super) mod summaries;
