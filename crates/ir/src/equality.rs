//! When two bodies are the same: instruction by instruction, wherever their argument lists and tables are stored.
//!
//! Floating-point constants are compared by their bits, so a body with a NaN is equal to itself.

use crate::body::{Body, InstData, Value};
use crate::dynamic::{Bootstrap, CallSite, CallSiteKind, Constant};
use crate::op::Op;

impl PartialEq for Body {
    fn eq(&self, other: &Body) -> bool {
        let same_inst = |(a, b): (&InstData, &InstData)| {
            a.result == b.result
                && a.bci == b.bci
                && args(self, a) == args(other, b)
                && same_op(self, &a.op, other, &b.op)
        };
        self.parameters == other.parameters
            && self.values == other.values
            && self.blocks == other.blocks
            && self.lines == other.lines
            && self.insts.len() == other.insts.len()
            && self.insts.iter().zip(other.insts.iter()).all(same_inst)
    }
}

/// The arguments of an instruction, `None` if there is no such list.
fn args<'b>(body: &'b Body, inst: &InstData) -> Option<&'b [Value]> {
    let start = inst.args.start as usize;
    body.lists.get(start..start.saturating_add(inst.args.len as usize))
}

fn same_op(left: &Body, a: &Op, right: &Body, b: &Op) -> bool {
    match (*a, *b) {
        (Op::Float(a), Op::Float(b)) => a.to_bits() == b.to_bits(),
        (Op::Double(a), Op::Double(b)) => a.to_bits() == b.to_bits(),
        (Op::Switch(a), Op::Switch(b)) => left.switches.get(a) == right.switches.get(b),
        (Op::Constant(a), Op::Constant(b)) => {
            same_option(left.constants.get(a), right.constants.get(b), same_constant)
        }
        (Op::InvokeDynamic(a), Op::InvokeDynamic(b)) => {
            same_option(left.call_sites.get(a), right.call_sites.get(b), same_call_site)
        }
        (a, b) => a == b,
    }
}

fn same_option<T>(a: Option<&T>, b: Option<&T>, same: impl FnOnce(&T, &T) -> bool) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => true,
        _ => false,
    }
}

fn same_constant(a: &Constant, b: &Constant) -> bool {
    match (a, b) {
        (Constant::Float(a), Constant::Float(b)) => a.to_bits() == b.to_bits(),
        (Constant::Double(a), Constant::Double(b)) => a.to_bits() == b.to_bits(),
        (
            Constant::Dynamic { name, descriptor, bootstrap },
            Constant::Dynamic { name: other_name, descriptor: other_descriptor, bootstrap: other_bootstrap },
        ) => {
            name == other_name && descriptor == other_descriptor && same_bootstrap(bootstrap, other_bootstrap)
        }
        (a, b) => a == b,
    }
}

fn same_constants(a: &[Constant], b: &[Constant]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_constant(a, b))
}

fn same_bootstrap(a: &Bootstrap, b: &Bootstrap) -> bool {
    a.method == b.method && same_constants(&a.arguments, &b.arguments)
}

fn same_call_site(a: &CallSite, b: &CallSite) -> bool {
    let same_kind = match (&a.kind, &b.kind) {
        (
            CallSiteKind::Concat { recipe, constants },
            CallSiteKind::Concat { recipe: other_recipe, constants: other_constants },
        ) => recipe == other_recipe && same_constants(constants, other_constants),
        (a, b) => a == b,
    };
    same_kind
        && a.name == b.name
        && a.descriptor == b.descriptor
        && same_bootstrap(&a.bootstrap, &b.bootstrap)
}
