//! Value numbering: which values of a body are certainly equal.
//!
//! Two values with the same number are equal wherever both are available, that is, wherever both definitions dominate
//! (in the sense of [`Availability`](crate::Availability)). Different numbers say nothing.
//!
//! Congruence is computed optimistically over the whole body, by passes over hashed expressions in reverse postorder
//! until nothing changes (Simpson's RPO algorithm): a value starts out as unknown, a phi ignores unknown arguments, and
//! each pass can only split what earlier passes held to be the same. So phis of the same block that always merge the same
//! are the same, even around loops. Equal are:
//! - constants, strings and class literals included (both are interned);
//! - arithmetic, conversions, comparisons, `instanceof` and array lengths of equal operands (int and long operands of
//!   commutative operations in either order);
//! - a cast and what it casts;
//! - phis of one block with equal arguments, and a phi whose arguments are all equal with each of them;
//! - loads of the same field, from equal objects, if the caller says that the field is *stable*.
//!
//! Why this is sound: unfolding a number's expressions ends at leaves (parameters, results of opaque operations, phis)
//! whose definitions dominate those of all values with the number. Where a value is available its leaves are, too, and
//! they cannot have been computed anew without the value being computed anew: else there were a path to it around its
//! definition. All values with the number are therefore the same function of the same current leaves.

use selvedge_base::{FastMap, IdVec, Symbol};
use smallvec::SmallVec;

use crate::body::{Block, Body, InstData, Value};
use crate::op::{BinaryOp, Comparison, Conversion, FieldRef, Op};
use crate::types::{ClassName, Type};

/// Which values of a body are certainly equal; see the [module documentation](self).
#[derive(Clone, Debug)]
pub struct ValueNumbering {
    /// For each value the first one that is equal.
    numbers: IdVec<Value, Value>,
}

/// After this many passes a body is numbered anew without optimism, in one. Real bodies need a handful.
const MAX_PASSES: usize = 64;

impl ValueNumbering {
    /// Numbers the values of a verified body. No load is held to be stable.
    pub fn new(body: &Body) -> Self {
        Self::with_stable_loads(body, |_| false)
    }

    /// Numbers the values of a verified body. A load of a field that is `stable` gives the same value whenever the body
    /// loads it from the same object: nothing writes the field between two loads of the body, in no thread. A final field
    /// is stable in methods other than those that assign it, given that nothing circumvents the language.
    pub fn with_stable_loads(body: &Body, stable: impl Fn(&FieldRef) -> bool) -> Self {
        let mut numberer = Numberer {
            body,
            stable: &stable,
            numbers: IdVec::filled(None, body.values.len()),
            leaders: FastMap::default(),
        };
        let converged = (0..MAX_PASSES).any(|_| !numberer.pass(true));
        if !converged {
            numberer.numbers = IdVec::filled(None, body.values.len());
            numberer.pass(false);
        }
        let numbers = numberer.numbers.iter_ids().map(|(value, number)| number.unwrap_or(value)).collect();
        Self { numbers }
    }

    /// The number of a value: the same for values that are certainly equal. It is one of them, the first in the order of
    /// the blocks.
    pub fn number(&self, value: Value) -> Value {
        self.numbers[value]
    }

    /// Whether two values are certainly equal wherever both are available.
    pub fn same(&self, a: Value, b: Value) -> bool {
        self.number(a) == self.number(b)
    }
}

/// An expression over numbers. Equal expressions have equal values.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Expression {
    Int(i32),
    Long(i64),
    Float(u32),
    Double(u64),
    Null,
    String(Symbol),
    Class(ClassName),
    Binary(BinaryOp, Value, Value),
    Neg(Value),
    Convert(Conversion, Value),
    Compare(Comparison, Value, Value),
    InstanceOf(ClassName, Value),
    ArrayLength(Value),
    GetField(FieldRef, Value),
    GetStatic(FieldRef),
    Phi(Block, SmallVec<[Value; 4]>),
}

/// What a pass finds out about an instruction's result.
enum Found {
    /// It is this value.
    Same(Value),
    /// It is what equal expressions are.
    Expression(Expression),
    /// It may be anything.
    Opaque,
}

struct Numberer<'b> {
    body: &'b Body,
    stable: &'b dyn Fn(&FieldRef) -> bool,
    /// `None` where no pass has come yet.
    numbers: IdVec<Value, Option<Value>>,
    /// The first value of each expression in the current pass.
    leaders: FastMap<Expression, Value>,
}

impl Numberer<'_> {
    /// Numbers every value once; whether any number changed.
    fn pass(&mut self, optimistic: bool) -> bool {
        let body = self.body;
        self.leaders.clear();
        let mut changed = false;
        for &parameter in &body.parameters {
            changed |= self.numbers[parameter].replace(parameter) != Some(parameter);
        }
        for (block, data) in body.blocks.iter_ids() {
            for inst in data.insts.iter() {
                let inst = &body.insts[inst];
                let Some(result) = inst.result else { continue };
                let number = match self.find(block, inst, result, optimistic) {
                    Found::Same(number) => number,
                    Found::Expression(expression) => *self.leaders.entry(expression).or_insert(result),
                    Found::Opaque => result,
                };
                changed |= self.numbers[result].replace(number) != Some(number);
            }
        }
        changed
    }

    fn find(&self, block: Block, inst: &InstData, result: Value, optimistic: bool) -> Found {
        let args = self.body.list(inst.args);
        // Definitions come before uses that are not phis, so these have their numbers.
        let arg = |position: usize| self.numbers[args[position]].unwrap_or(args[position]);
        Found::Expression(match inst.op {
            Op::Phi => return self.find_phi(block, args, result, optimistic),
            Op::Int(value) => Expression::Int(value),
            Op::Long(value) => Expression::Long(value),
            Op::Float(value) => Expression::Float(value.to_bits()),
            Op::Double(value) => Expression::Double(value.to_bits()),
            Op::Null => Expression::Null,
            Op::String(text) => Expression::String(text),
            Op::Class(class) => Expression::Class(class),
            Op::Binary(op) => {
                let (mut a, mut b) = (arg(0), arg(1));
                let commutes = matches!(
                    op,
                    BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor
                );
                if commutes && b < a && matches!(self.body.ty(result), Type::Int | Type::Long) {
                    (a, b) = (b, a);
                }
                Expression::Binary(op, a, b)
            }
            Op::Neg => Expression::Neg(arg(0)),
            Op::Convert(conversion) => Expression::Convert(conversion, arg(0)),
            Op::Compare(comparison) => Expression::Compare(comparison, arg(0), arg(1)),
            Op::InstanceOf(class) => Expression::InstanceOf(class, arg(0)),
            Op::ArrayLength => Expression::ArrayLength(arg(0)),
            Op::CheckCast(_) => return Found::Same(arg(0)),
            Op::GetField(field) if (self.stable)(&field) => Expression::GetField(field, arg(0)),
            Op::GetStatic(field) if (self.stable)(&field) => Expression::GetStatic(field),
            _ => return Found::Opaque,
        })
    }

    fn find_phi(&self, block: Block, args: &[Value], result: Value, optimistic: bool) -> Found {
        let known = |&arg: &Value| self.numbers[arg];
        if !optimistic && args.iter().any(|arg| known(arg).is_none()) {
            return Found::Opaque;
        }
        // An argument that is the phi itself changes nothing.
        let mut others = args.iter().filter_map(known).filter(|&number| number != result);
        let Some(first) = others.next() else { return Found::Opaque };
        if others.all(|number| number == first) {
            return Found::Same(first);
        }
        Found::Expression(Expression::Phi(block, args.iter().map(|arg| known(arg).unwrap_or(*arg)).collect()))
    }
}

#[cfg(test)]
mod tests;
