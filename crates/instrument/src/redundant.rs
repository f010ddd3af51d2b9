//! Accesses that need no hook because another access of the method always reports the same before it, or right after.
//!
//! **Definition.** Access `S` is *covered* by `R` if on every path to `S` the access `R` has been executed, and since then nothing by
//! which the thread could have released something: no call (but of a still one of the library), no release of a monitor, no write of a field that
//! may be volatile, no initialisation of a class; both are to the same field or element of equal objects (by value numbering),
//! and `R` writes or `S` reads. And a read is covered by a write that follows it in the same block with nothing in between
//! that may release or throw.
//!
//! **Theorem.** Without the hook of a covered access a run shows races on the same locations. `R` and `S` are in one epoch of their
//! thread: by order, whatever is unordered with the one is unordered with the other, and `R` conflicts with all that `S` conflicts
//! with; by locks, none has been given back between them, so the locks held at the first are held at the second. For the read before
//! the write: the hook of the write is called after the read, in the same epoch with the same locks, and a write conflicts with all that a read
//! conflicts with.
//!
//! With ownership, locksets may miss a location that changes hands between `R` and `S`; unless the other thread only read, happens-before sees the
//! race with `R` then (`prune` spells out why).
//!
//! This is what one method shows by itself. With a plan, `prune` has said the same for the whole program, where calls that release
//! nothing do not count (there the paths, theorem and its reasons are spelt out).

use selvedge_base::{FastMap, FastSet, Id};
use selvedge_classfile::{ClassFile, Member};
use selvedge_ir::{Body, FieldRef, Inst, NoHierarchy, Op, Value, ValueNumbering, executed_before, lower};

use crate::loops::is_still_call;

/// Methods for which the sets would take more bits than this are left as they are.
const MAX_BITS: usize = 1 << 22;

/// What is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Field(FieldRef, Value),
    Static(FieldRef),
    Element(Value, Value),
}

#[derive(Clone, Copy, Debug)]
struct Access {
    inst: Inst,
    place: Place,
    writes: bool,
}

impl Access {
    fn covers(&self, other: &Access) -> bool {
        self.place == other.place && (self.writes || !other.writes)
    }
}

/// The bytecode indexes of covered accesses. `may_order` says of a field whether it may be volatile.
pub(crate) fn covered(
    class: &ClassFile<'_>,
    method: &Member<'_>,
    may_order: &dyn Fn(&FieldRef) -> bool,
) -> FastSet<u32> {
    let Ok(Some(body)) = lower(class, method, &NoHierarchy) else { return FastSet::default() };
    let numbering = ValueNumbering::new(&body);
    let accesses = accesses(&body, &numbering);
    if accesses.len() < 2 || accesses.len().saturating_mul(body.blocks.len()) > MAX_BITS {
        return FastSet::default();
    }
    let own = String::from_utf8_lossy(class.this_class).into_owned();
    let releases = |inst: Inst| may_release(&body, inst, &own, may_order);
    let redundant = redundant(&body, &accesses, &releases);
    // Code of subroutines occurs several times, and all copies must agree; others occur once.
    let kept: FastSet<u32> = accesses
        .iter()
        .filter(|access| !redundant.contains(&access.inst))
        .map(|access| body.insts[access.inst].bci)
        .collect();
    let dropped = redundant.iter().map(|inst| body.insts[*inst].bci);
    dropped.filter(|bci| !kept.contains(bci)).collect()
}

fn accesses(body: &Body, numbering: &ValueNumbering) -> Vec<Access> {
    let mut found = Vec::new();
    for (inst, data) in body.insts.iter_ids() {
        let argument = |position: usize| numbering.number(body.args(inst)[position]);
        let (place, writes) = match data.op {
            Op::GetField(field) => (Place::Field(field, argument(0)), false),
            Op::PutField(field) => (Place::Field(field, argument(0)), true),
            Op::GetStatic(field) => (Place::Static(field), false),
            Op::PutStatic(field) => (Place::Static(field), true),
            Op::ArrayLoad(_) => (Place::Element(argument(0), argument(1)), false),
            Op::ArrayStore(_) => (Place::Element(argument(0), argument(1)), true),
            _ => continue,
        };
        found.push(Access { inst, place, writes });
    }
    found
}

/// Whether the thread may release something in this step, or run code that does.
fn may_release(body: &Body, inst: Inst, own: &str, may_order: &dyn Fn(&FieldRef) -> bool) -> bool {
    let is_other = |class: selvedge_ir::ClassName| class.to_string() != own;
    match &body.insts[inst].op {
        Op::Invoke(_, method) => {
            !is_still_call(method.owner.to_string().as_bytes(), method.name.to_string().as_bytes())
        }
        Op::InvokeDynamic(_) | Op::MonitorExit | Op::Constant(_) => true,
        Op::PutField(field) => may_order(field),
        Op::GetStatic(field) => is_other(field.owner),
        Op::PutStatic(field) => is_other(field.owner) || may_order(field),
        Op::New(class) => is_other(*class),
        _ => false,
    }
}

fn redundant(body: &Body, accesses: &[Access], releases: &dyn Fn(Inst) -> bool) -> FastSet<Inst> {
    let insts: Vec<Inst> = accesses.iter().map(|access| access.inst).collect();
    let mut found = FastSet::default();
    executed_before(body, &insts, releases, |marked, told| {
        let access = &accesses[marked.index()];
        if told.iter().any(|other| accesses[other.index()].covers(access)) {
            found.insert(access.inst);
        }
    });
    let writes: FastMap<Inst, Place> =
        accesses.iter().filter(|access| access.writes).map(|access| (access.inst, access.place)).collect();
    let is_written_next = |read: &&Access| !read.writes && is_written_next(body, &writes, read, releases);
    found.extend(accesses.iter().filter(is_written_next).map(|access| access.inst));
    found
}

/// Whether a write of the same place follows the read in its block, with nothing in between that may release or throw.
fn is_written_next(
    body: &Body,
    writes: &FastMap<Inst, Place>,
    read: &Access,
    releases: &dyn Fn(Inst) -> bool,
) -> bool {
    for inst in (read.inst.index() + 1..body.insts.len()).map(Inst::from_index) {
        if writes.get(&inst) == Some(&read.place) {
            return true;
        }
        let ends = matches!(body.insts[inst].op, Op::Phi) || body.insts[inst].op.is_terminator();
        if ends || releases(inst) || body.may_throw(inst) {
            return false;
        }
    }
    false
}
