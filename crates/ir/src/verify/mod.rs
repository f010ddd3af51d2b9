//! Checks that a body is what [`body`](crate::Body) says it is.
//!
//! Three phases, each only if the one before found nothing, because it relies on what that one made sure:
//! 1. `structure`: every id exists, definitions and values agree, blocks are well-formed ranges;
//! 2. `edges`: predecessor lists mirror terminators and unwind lists, handlers start with a catch, all is reachable;
//! 3. here: every use is reached by its definition; and `types`: operands and results fit their operation.
//!
//! The time is linear in the size of the body (up to the near-linear dominators). Nothing here panics, whatever the
//! body: bodies read from text may be anything. At most [`MAX_ERRORS`] errors are reported.

mod edges;
mod structure;
mod types;

use std::fmt;

use crate::body::{Block, Body, EdgeKind, Inst};
use crate::cfg::Availability;
use crate::op::Op;

/// How many errors are reported for one body at most.
pub const MAX_ERRORS: usize = 100;

/// Something in a body that must not be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The block it is in.
    pub block: Option<Block>,
    /// The instruction it is about.
    pub inst: Option<Inst>,
    /// What is wrong: a sentence without its full stop.
    pub problem: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.block, self.inst) {
            (Some(block), Some(inst)) => write!(f, "{block}, {inst}: ")?,
            (Some(block), None) => write!(f, "{block}: ")?,
            (None, Some(inst)) => write!(f, "{inst}: ")?,
            (None, None) => {}
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for VerifyError {}

/// Checks a body by itself.
pub fn verify(body: &Body) -> Result<(), Vec<VerifyError>> {
    Verifier { body, errors: Vec::new() }.run(None)
}

/// Checks a body, and that its parameters and returns are those of a method with this descriptor.
pub fn verify_method(body: &Body, descriptor: &[u8], is_static: bool) -> Result<(), Vec<VerifyError>> {
    Verifier { body, errors: Vec::new() }.run(Some((descriptor, is_static)))
}

struct Verifier<'b> {
    body: &'b Body,
    errors: Vec<VerifyError>,
}

impl Verifier<'_> {
    fn run(mut self, method: Option<(&[u8], bool)>) -> Result<(), Vec<VerifyError>> {
        self.structure();
        if self.errors.is_empty() {
            self.edges();
        }
        if self.errors.is_empty() {
            self.uses();
            self.types(method);
        }
        if self.errors.is_empty() { Ok(()) } else { Err(self.errors) }
    }

    fn error(&mut self, block: Option<Block>, inst: Option<Inst>, problem: impl Into<String>) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(VerifyError { block, inst, problem: problem.into() });
        }
    }

    /// Every use is reached by its definition, which has the lower number, and every block by the entry.
    fn uses(&mut self) {
        let body = self.body;
        let available = Availability::new(body);
        for (block, data) in body.blocks.iter_ids() {
            if !available.is_reached(block) {
                self.error(Some(block), None, "no path leads here from the entry");
                continue;
            }
            for inst in data.insts.iter() {
                let args = body.args(inst);
                if !matches!(body.insts[inst].op, Op::Phi) {
                    for &arg in args {
                        let definer = available.defining_block(arg);
                        if !available.at_use(body, arg, block, inst) {
                            self.error(Some(block), Some(inst), format!("{arg} may not be defined yet here"));
                        } else if definer > block {
                            let problem =
                                format!("{arg} is defined in {definer}, which must come before its use");
                            self.error(Some(block), Some(inst), problem);
                        }
                    }
                    continue;
                }
                for (&arg, edge) in args.iter().zip(&data.predecessors) {
                    let is_available = match edge.kind {
                        EdgeKind::Normal => available.at_end(arg, edge.from),
                        EdgeKind::Unwind => available.at_unwind(arg, edge.from),
                    };
                    if !is_available {
                        let edge = edge.from;
                        let problem = format!("{arg} may not be defined yet on the edge from {edge}");
                        self.error(Some(block), Some(inst), problem);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
