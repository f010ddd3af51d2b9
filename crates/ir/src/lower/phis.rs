//! Removes phis that merge nothing, and renumbers what is left.
//!
//! A phi is *redundant* if only one value flows into it, directly or through other redundant phis; also groups of phis
//! that only feed each other and take one value from outside (in irreducible code) are redundant, so the
//! result is minimal SSA.
//!
//! # How
//! In rounds. Each starts by assuming that every phi not yet known to merge is redundant, and lets each such phi take
//! the first value that reaches it from a parameter, an instruction or a merging phi. A phi that another value reaches
//! merges, since the two values came to it by paths on which every phi passed only the one or only the other: no
//! single phi before it can stand for both. Those phis keep their first value for the rest of the round, so what is
//! concluded later in the round rests on the same grounds. A round that finds nothing new ends it: then every
//! remaining phi has one value.

use selvedge_base::{Id, IdRange, IdVec};

use crate::body::{Body, Inst, InstData, Value, ValueDef, ValueList};
use crate::op::Op;

/// Not known yet.
const NONE: u32 = u32::MAX;

/// How many phi arguments are looked at before the remaining phis of a body are left alone. A phi too many is right,
/// too, and only hostile code comes near this number.
const BUDGET: usize = 20_000_000;

/// Buffers, reused from method to method.
#[derive(Default)]
pub(super) struct Buffers {
    phis: Vec<Phi>,
    /// By value: the one it stands for in this round; afterwards its new number.
    stands_for: Vec<u32>,
}

struct Phi {
    args: ValueList,
    result: Value,
    merges: bool,
}

/// Removes all redundant phis of a body.
pub(super) fn remove_redundant(body: &mut Body, buffers: &mut Buffers) {
    let Buffers { phis, stands_for } = buffers;
    phis.clear();
    for InstData { op, args, result, .. } in body.insts.iter() {
        if let (Op::Phi, &Some(result)) = (op, result) {
            phis.push(Phi { args: *args, result, merges: false });
        }
    }
    if phis.is_empty() {
        return;
    }
    stands_for.clear();
    stands_for.extend(0..body.values.len() as u32);
    let found_all = find_merging(body, phis, stands_for);
    if found_all && phis.iter().any(|phi| !phi.merges) {
        renumber(body, phis, stands_for);
    }
}

/// Sets `merges`, and for the other phis `stands_for`. False if that would take too long.
fn find_merging(body: &Body, phis: &mut [Phi], stands_for: &mut [u32]) -> bool {
    let mut budget = BUDGET;
    loop {
        for phi in phis.iter() {
            stands_for[phi.result.index()] = if phi.merges { phi.result.number() } else { NONE };
        }
        let mut found = false;
        let mut changed = true;
        while changed {
            changed = false;
            for phi in phis.iter_mut().filter(|phi| !phi.merges) {
                budget = budget.saturating_sub(phi.args.len as usize);
                let mut value = stands_for[phi.result.index()];
                for &arg in body.list(phi.args) {
                    let flowing_in = stands_for[arg.index()];
                    if flowing_in == NONE || flowing_in == value {
                        continue;
                    }
                    changed = true;
                    if value != NONE {
                        phi.merges = true;
                        found = true;
                        break;
                    }
                    value = flowing_in;
                    stands_for[phi.result.index()] = value;
                }
            }
            if budget == 0 {
                return false;
            }
        }
        if !found {
            return true;
        }
    }
}

/// Drops the phis that do not merge, replaces them by what they stand for and closes the gaps.
fn renumber(body: &mut Body, phis: &[Phi], stands_for: &mut [u32]) {
    let mut dropped = phis.iter().filter(|phi| !phi.merges).map(|phi| phi.result.number()).peekable();
    let mut values = IdVec::with_capacity(body.values.len());
    // Values are numbered in order of definition, so a dropped phi's stand-in may get its number after it: two steps.
    let mut new_number = vec![NONE; stands_for.len()];
    for (value, data) in body.values.iter_ids() {
        if dropped.peek() == Some(&value.number()) {
            dropped.next();
        } else {
            new_number[value.index()] = values.len() as u32;
            values.push(*data);
        }
    }
    for value in 0..stands_for.len() {
        stands_for[value] = new_number[stands_for[value] as usize];
    }
    let renamed = |value: Value| Value::new(stands_for[value.index()]);

    let mut insts = IdVec::with_capacity(body.insts.len());
    let mut lists = Vec::with_capacity(body.lists.len());
    for block in body.blocks.iter_mut() {
        let first: Inst = insts.next_id();
        for inst in block.insts.iter() {
            let InstData { op, args, result, bci } = body.insts[inst];
            let is_dropped = |value: Value| new_number[value.index()] == NONE;
            if result.is_some_and(is_dropped) {
                continue;
            }
            let start = lists.len() as u32;
            let old = &body.lists[args.start as usize..(args.start + args.len) as usize];
            lists.extend(old.iter().map(|&arg| renamed(arg)));
            let result = result.map(renamed);
            let inst = insts.push(InstData { op, args: ValueList { start, len: args.len }, result, bci });
            if let Some(result) = result {
                values[result].def = ValueDef::Inst(inst);
            }
        }
        block.insts = IdRange::new(first, insts.next_id());
    }
    body.values = values;
    body.insts = insts;
    body.lists = lists;
}
