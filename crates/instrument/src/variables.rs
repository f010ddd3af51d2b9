//! Variables that are reached by name or offset: `VarHandle` and `Unsafe`, in the code of the library and of programs.
//!
//! The variable is taken to be the object that it is a part of, as the handle or offset is not known here: all such variables
//! of one object are one. So a step orders more than it must, and never less. The hook for what is written comes before the call,
//! that for what is read after it; an update has both. A compare-and-set that fails counts as if it had written.

use selvedge_classfile::edit::Jumps;
use selvedge_classfile::{FieldType, Insn, Kind, MemberRef, MethodDescriptor, Result};

use crate::calls::argument_locals;
use crate::hooks;
use crate::method::Work;

/// What a call does to the variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Does {
    reads: bool,
    writes: bool,
}

const READS: Option<Does> = Some(Does { reads: true, writes: false });
const WRITES: Option<Does> = Some(Does { reads: false, writes: true });
const UPDATES: Option<Does> = Some(Does { reads: true, writes: true });

/// By the names of `VarHandle`.
fn by_handle(name: &str) -> Option<Does> {
    match name {
        _ if name.starts_with("compareAnd") || name.starts_with("weakCompareAnd") => UPDATES,
        _ if name.starts_with("getAnd") => UPDATES,
        "getVolatile" | "getAcquire" | "getOpaque" => READS,
        "setVolatile" | "setRelease" | "setOpaque" => WRITES,
        _ => None,
    }
}

/// By the names of `Unsafe`, which end in the type.
fn by_unsafe(name: &str) -> Option<Does> {
    let ordered = name.ends_with("Volatile")
        || name.ends_with("Acquire")
        || name.ends_with("Release")
        || name.ends_with("Opaque");
    match name {
        _ if name.starts_with("compareAnd") || name.starts_with("weakCompareAnd") => UPDATES,
        _ if name.starts_with("getAnd") => UPDATES,
        _ if name.starts_with("get") && ordered => READS,
        _ if name.starts_with("put") && (ordered || name.starts_with("putOrdered")) => WRITES,
        _ => None,
    }
}

/// Puts hooks around a call of a handle or of `Unsafe`. Was it one?
pub(crate) fn at_call(
    work: &mut Work<'_, '_, '_, '_, '_, '_>,
    bci: u32,
    member: MemberRef<'_>,
) -> Result<bool> {
    let Ok(name) = std::str::from_utf8(member.name) else { return Ok(false) };
    let does = match member.owner {
        b"java/lang/invoke/VarHandle" => by_handle(name),
        b"jdk/internal/misc/Unsafe" | b"sun/misc/Unsafe" => {
            if matches!(name, "park" | "unpark") {
                return park(work, bci, member);
            }
            by_unsafe(name)
        }
        _ => return Ok(false),
    };
    let Some(does) = does else { return Ok(false) };
    let first = MethodDescriptor::parse(member.descriptor)?.params().next();
    let hook = hooks::SYNC.call(work.pool)?;
    let arguments = argument_locals(work, member.descriptor)?;
    work.edit.reserve_stack(2);
    // A handle of a static variable has no object: then it is the handle itself, below the arguments.
    let on_object = first.is_some_and(FieldType::is_reference);
    let handle = work.edit.new_local(1);
    let variable = match (on_object, arguments.first()) {
        (true, Some(&(_, slot))) => Insn::Load(Kind::Ref, slot),
        _ => Insn::Load(Kind::Ref, handle),
    };
    let mut before = work.edit.before(bci, Jumps::Run);
    before.insns(arguments.iter().rev().map(|&(kind, slot)| Insn::Store(kind, slot)));
    before.insns([Insn::Store(Kind::Ref, handle), Insn::Load(Kind::Ref, handle)]);
    if does.writes {
        before.insns([variable, Insn::IConst(1), hook]);
    }
    before.insns(arguments.iter().map(|&(kind, slot)| Insn::Load(kind, slot)));
    if does.reads {
        work.edit.after(bci).insns([variable, Insn::IConst(0), hook]);
    }
    Ok(true)
}

/// `Unsafe.park(ZJ)` and `Unsafe.unpark(Object)`: the permit is handed over.
fn park(work: &mut Work<'_, '_, '_, '_, '_, '_>, bci: u32, member: MemberRef<'_>) -> Result<bool> {
    match member.descriptor {
        b"(ZJ)V" => {
            let hook = hooks::PARKED.call(work.pool)?;
            work.edit.after(bci).insn(hook);
        }
        b"(Ljava/lang/Object;)V" => {
            let hook = hooks::UNPARKING.call(work.pool)?;
            work.edit.reserve_stack(1);
            let dup = Insn::Stack(selvedge_classfile::StackOp::Dup);
            work.edit.before(bci, Jumps::Run).insns([dup, hook]);
        }
        _ => return Ok(false),
    }
    Ok(true)
}
