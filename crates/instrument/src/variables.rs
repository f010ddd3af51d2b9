//! Variables that are reached by name or offset: `VarHandle` and `Unsafe`, in the code of the library and of programs.
//!
//! What is ordered is the variable: `Unsafe` names it by object and offset, and of a handle the support class finds out which it is. The hook for what
//! is written comes before the call, that for what is read after it; an update has both. A compare-and-set counts as a write only if it
//! succeeds: what the thread knows is pending during the call.
//!
//! By the memory model, accesses in plain and opaque mode order nothing, those in acquire mode only read and those in release mode only write. Code of the library
//! combines weak modes with fences, and is taken to order more than the modes say: by weak and plain accesses, too. Classes whose methods only pass a mode on
//! are not.
//! A program may also have a method handle that reads or writes a field: whether a call has one, and what the field is, the support class finds out, too.
//! Fences of programs order all of a thread's earlier steps before what other threads do after theirs.

use selvedge_classfile::edit::Jumps;
use selvedge_classfile::{FieldType, Insn, Kind, MemberRef, MethodDescriptor, Result, StackOp};

use crate::Role;
use crate::calls::{argument_locals, kind_of};
use crate::hooks::{self, Hook};
use crate::method::Work;
use selvedge_protocol::SiteKind;

/// What a call does to the variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Does {
    reads: bool,
    writes: bool,
    /// The write may fail.
    tries: bool,
}

const READS: Option<Does> = Some(Does { reads: true, writes: false, tries: false });
const WRITES: Option<Does> = Some(Does { reads: false, writes: true, tries: false });

/// The mode of an access, as the end of a name has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Plain,
    Opaque,
    Acquire,
    Release,
    Volatile,
}

/// The mode that a name ends in, and the name without it.
fn mode_of(name: &str) -> (Mode, &str) {
    let modes = [
        ("Plain", Mode::Plain),
        ("Opaque", Mode::Opaque),
        ("Acquire", Mode::Acquire),
        ("Release", Mode::Release),
        ("Volatile", Mode::Volatile),
    ];
    let found = modes.into_iter().find_map(|(end, mode)| Some((mode, name.strip_suffix(end)?)));
    found.unwrap_or((Mode::Volatile, name))
}

/// What a method of `VarHandle` or `Unsafe` does by its name; `strict` if weak modes order no more than they say.
fn by_name(name: &str, strict: bool) -> Option<Does> {
    let (mode, stem) = mode_of(name);
    let orders = |reads: bool, writes: bool, tries: bool| {
        let (acquires, releases) = match mode {
            Mode::Volatile => (true, true),
            Mode::Plain if strict => (false, false),
            Mode::Opaque if strict => (false, false),
            Mode::Acquire if strict => (true, false),
            Mode::Release if strict => (false, true),
            _ => (true, true),
        };
        let does = Does { reads: reads && acquires, writes: writes && releases, tries };
        (does.reads || does.writes).then_some(does)
    };
    if stem.starts_with("compareAnd") || stem.starts_with("weakCompareAnd") {
        return orders(true, true, true);
    }
    if stem.starts_with("getAnd") {
        return orders(true, true, false);
    }
    if stem.starts_with("putOrdered") {
        return orders(false, true, false);
    }
    // Without a mode in the name, these are plain.
    if stem == name || mode == Mode::Plain {
        return match name {
            _ if strict => None,
            "get" | "getReference" => READS,
            "set" | "putReference" => WRITES,
            _ => None,
        };
    }
    if stem.starts_with("get") {
        return orders(true, false, false);
    }
    if stem.starts_with("set") || stem.starts_with("put") {
        return orders(false, true, false);
    }
    None
}

/// How a call names its variable: what the hooks take, on the stack.
struct Variable {
    arguments: Vec<Insn<'static>>,
    read: Hook,
    write: Hook,
    attempt: Hook,
}

/// Puts hooks around a call of a handle or of `Unsafe`. Was it one?
pub(crate) fn at_call(
    work: &mut Work<'_, '_, '_, '_, '_, '_>,
    bci: u32,
    member: MemberRef<'_>,
    reports: bool,
) -> Result<bool> {
    let Ok(name) = std::str::from_utf8(member.name) else { return Ok(false) };
    let is_handle = match member.owner {
        b"java/lang/invoke/VarHandle" => true,
        b"jdk/internal/misc/Unsafe" | b"sun/misc/Unsafe" => false,
        b"java/lang/invoke/MethodHandle" => match accessor(work.context.role, name, member.descriptor)? {
            Some(writes) => {
                let does = Does { reads: !writes, writes, tries: false };
                return around(work, bci, member, true, (does, reports.then_some((writes, false))));
            }
            None => return Ok(false),
        },
        _ => return Ok(false),
    };
    if !is_handle && matches!(name, "park" | "unpark") {
        return park(work, bci, member);
    }
    if !is_handle && fence(work, bci, name)? {
        return Ok(true);
    }
    let strict = !work.context.rules.combines(work.context.class_name);
    let access = if is_handle && reports { accesses(name) } else { None };
    let does = by_name(name, strict);
    if does.is_none() && access.is_none() {
        return Ok(false);
    }
    let does = does.unwrap_or(Does { reads: false, writes: false, tries: false });
    around(work, bci, member, is_handle, (does, access))
}

/// Whether a call of a method handle that may be one of a field writes it; `None` if it cannot be.
fn accessor(role: Role, name: &str, descriptor: &[u8]) -> Result<Option<bool>> {
    if role == Role::Library || !matches!(name, "invokeExact" | "invoke") {
        return Ok(None);
    }
    let descriptor = MethodDescriptor::parse(descriptor)?;
    let parameters: Vec<FieldType<'_>> = descriptor.params().collect();
    let has_object = parameters.first().is_some_and(|first| first.is_reference());
    Ok(match (descriptor.return_type().is_some(), parameters.len()) {
        (true, 0) => Some(false),
        (true, 1) => has_object.then_some(false),
        (false, 1) => Some(true),
        (false, 2) => has_object.then_some(true),
        _ => None,
    })
}

/// Puts the hooks around a call that does this to a variable, and is this access to it. Was that possible?
fn around(
    work: &mut Work<'_, '_, '_, '_, '_, '_>,
    bci: u32,
    member: MemberRef<'_>,
    is_handle: bool,
    (does, access): (Does, Option<(bool, bool)>),
) -> Result<bool> {
    let name = std::str::from_utf8(member.name).unwrap_or_default();
    let descriptor = MethodDescriptor::parse(member.descriptor)?;
    let parameters: Vec<FieldType<'_>> = descriptor.params().collect();
    // What `Unsafe` does to raw memory names no object.
    if !is_handle && !parameters.first().is_some_and(|first| first.is_reference()) {
        return Ok(false);
    }
    let arguments = argument_locals(work, member.descriptor)?;
    let handle = work.edit.new_local(1);
    let variable = if is_handle { of_handle(&arguments, handle) } else { of_offset(&arguments) };
    let Some(variable) = variable else { return Ok(false) };
    let pending = work.edit.new_local(1);
    work.edit.reserve_stack(8);
    let [read, write, attempt] =
        [variable.read.call(work.pool)?, variable.write.call(work.pool)?, variable.attempt.call(work.pool)?];
    let ended = if does.tries && does.writes {
        ended(work, name, &descriptor, &arguments, pending)?
    } else {
        Vec::new()
    };
    let told = match access {
        Some((writes, atomic)) => told(work, bci, &variable, writes, atomic)?,
        None => Vec::new(),
    };
    let mut before = work.edit.before(bci, Jumps::Run);
    before.insns(arguments.iter().rev().map(|&(kind, slot)| Insn::Store(kind, slot)));
    before.insn(Insn::Store(Kind::Ref, handle));
    before.insns(told);
    if !ended.is_empty() {
        before.insns(variable.arguments.iter().copied()).insns([attempt, Insn::Store(Kind::Ref, pending)]);
    } else if does.writes {
        before.insns(variable.arguments.iter().copied()).insn(write);
    }
    before.insn(Insn::Load(Kind::Ref, handle));
    before.insns(arguments.iter().map(|&(kind, slot)| Insn::Load(kind, slot)));
    let mut after = work.edit.after(bci);
    after.insns(ended);
    if does.reads {
        after.insns(variable.arguments.iter().copied()).insn(read);
    }
    Ok(true)
}

/// What a call of a program by a handle does to a variable that may also be accessed without one: whether it writes, and whether it is atomic.
fn accesses(name: &str) -> Option<(bool, bool)> {
    let (mode, stem) = mode_of(name);
    match stem {
        "get" => Some((false, mode != Mode::Plain && stem != name)),
        "set" => Some((true, mode != Mode::Plain && stem != name)),
        // One that fails only reads; it is assumed to be a read, which is never too much.
        _ if stem.starts_with("compareAnd") || stem.starts_with("weakCompareAnd") => Some((false, true)),
        _ if stem.starts_with("getAnd") => Some((true, true)),
        _ => None,
    }
}

/// Tells of the access.
fn told(
    work: &mut Work<'_, '_, '_, '_, '_, '_>,
    bci: u32,
    variable: &Variable,
    writes: bool,
    atomic: bool,
) -> Result<Vec<Insn<'static>>> {
    let site = work.site(bci, if writes { SiteKind::FieldPut } else { SiteKind::FieldGet }, None);
    let kind = i32::from(writes) + if atomic { 2 } else { 0 };
    let (site, hook) = (hooks::push(site, work.pool)?, hooks::HANDLE_ACCESS.call(work.pool)?);
    let mut insns = variable.arguments.clone();
    insns.extend([site, Insn::IConst(kind), hook]);
    Ok(insns)
}

/// A variable that a handle means: by the handle, the first argument if it is an object, and the second if it is an int.
fn of_handle(arguments: &[(Kind, u16)], handle: u16) -> Option<Variable> {
    let first = match arguments.first() {
        Some(&(Kind::Ref, slot)) => Insn::Load(Kind::Ref, slot),
        _ => Insn::AConstNull,
    };
    let second = match arguments.get(1) {
        Some(&(Kind::Int, slot)) => Insn::Load(Kind::Int, slot),
        _ => Insn::IConst(0),
    };
    Some(Variable {
        arguments: vec![Insn::Load(Kind::Ref, handle), first, second],
        read: hooks::HANDLE_READ,
        write: hooks::HANDLE_WRITE,
        attempt: hooks::HANDLE_TRY,
    })
}

/// A variable that `Unsafe` accesses: by object and offset.
fn of_offset(arguments: &[(Kind, u16)]) -> Option<Variable> {
    let [(Kind::Ref, object), (Kind::Long, offset), ..] = *arguments else { return None };
    Some(Variable {
        arguments: vec![Insn::Load(Kind::Ref, object), Insn::Load(Kind::Long, offset)],
        read: hooks::UNSAFE_READ,
        write: hooks::UNSAFE_WRITE,
        attempt: hooks::UNSAFE_TRY,
    })
}

/// After a compare-and-set: tells whether it has written. Nothing if the result does not tell: then it counts as if it had.
fn ended(
    work: &mut Work<'_, '_, '_, '_, '_, '_>,
    name: &str,
    descriptor: &MethodDescriptor<'_>,
    arguments: &[(Kind, u16)],
    pending: u16,
) -> Result<Vec<Insn<'static>>> {
    let Some(result) = descriptor.return_type() else { return Ok(Vec::new()) };
    let pending = Insn::Load(Kind::Ref, pending);
    if !name.starts_with("compareAndExchange") {
        let hook = hooks::TRIED.call(work.pool)?;
        return Ok(vec![Insn::Stack(StackOp::Dup), pending, hook]);
    }
    let Some(&(kind, expected)) = arguments.len().checked_sub(2).and_then(|at| arguments.get(at)) else {
        return Ok(Vec::new());
    };
    let (hook, copy) = match (kind, kind_of(result)) {
        (Kind::Ref, Kind::Ref) => (hooks::EXCHANGED, StackOp::Dup),
        (Kind::Int, Kind::Int) => (hooks::EXCHANGED_INT, StackOp::Dup),
        (Kind::Long, Kind::Long) => (hooks::EXCHANGED_LONG, StackOp::Dup2),
        _ => return Ok(Vec::new()),
    };
    Ok(vec![Insn::Stack(copy), Insn::Load(kind, expected), pending, hook.call(work.pool)?])
}

/// A fence of a program by `Unsafe`. Was it one?
fn fence(work: &mut Work<'_, '_, '_, '_, '_, '_>, bci: u32, name: &str) -> Result<bool> {
    let (acquires, releases) = match name {
        "fullFence" => (true, true),
        "loadFence" | "acquireFence" | "loadLoadFence" => (true, false),
        "storeFence" | "releaseFence" | "storeStoreFence" => (false, true),
        _ => return Ok(false),
    };
    if work.context.role == Role::Library {
        return Ok(true);
    }
    if releases {
        let hook = hooks::RELEASE_FENCE.call(work.pool)?;
        work.edit.before(bci, Jumps::Run).insn(hook);
    }
    if acquires {
        let hook = hooks::ACQUIRE_FENCE.call(work.pool)?;
        work.edit.after(bci).insn(hook);
    }
    Ok(true)
}

/// A fence of a program by a static method of `VarHandle`. Was it one?
pub(crate) fn at_fence(
    work: &mut Work<'_, '_, '_, '_, '_, '_>,
    bci: u32,
    member: MemberRef<'_>,
) -> Result<bool> {
    match std::str::from_utf8(member.name) {
        Ok(name) if member.owner == b"java/lang/invoke/VarHandle" => fence(work, bci, name),
        _ => Ok(false),
    }
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
            work.edit.before(bci, Jumps::Run).insns([Insn::Stack(StackOp::Dup), hook]);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn does(name: &str, strict: bool) -> Option<(bool, bool, bool)> {
        by_name(name, strict).map(|does| (does.reads, does.writes, does.tries))
    }

    #[test]
    fn handles_of_fields_are_told_by_the_shape_of_their_calls() {
        let cases = [
            ("invokeExact", "()I", Some(false)),
            ("invokeExact", "(Lp/C;)I", Some(false)),
            ("invoke", "(Lp/C;J)V", Some(true)),
            ("invokeExact", "(J)V", Some(true)),
            ("invokeExact", "(I)I", None),
            ("invokeExact", "(II)V", None),
            ("invokeExact", "()V", None),
            ("invokeExact", "(Lp/C;II)V", None),
            ("invokeWithArguments", "(Lp/C;)I", None),
        ];
        for (name, descriptor, expected) in cases {
            let told = accessor(Role::Application, name, descriptor.as_bytes()).unwrap();
            assert_eq!(told, expected, "{name}{descriptor}");
        }
        assert_eq!(accessor(Role::Library, "invokeExact", b"()I").unwrap(), None);
    }

    #[test]
    fn names_tell_what_is_ordered() {
        let cases = [
            ("get", None),
            ("set", None),
            ("getOpaque", None),
            ("setOpaque", None),
            ("getVolatile", Some((true, false, false))),
            ("getAcquire", Some((true, false, false))),
            ("setRelease", Some((false, true, false))),
            ("compareAndSet", Some((true, true, true))),
            ("weakCompareAndSetPlain", None),
            ("weakCompareAndSetAcquire", Some((true, false, true))),
            ("weakCompareAndSetRelease", Some((false, true, true))),
            ("compareAndExchange", Some((true, true, true))),
            ("getAndAdd", Some((true, true, false))),
            ("getAndBitwiseOrRelease", Some((false, true, false))),
            ("getIntVolatile", Some((true, false, false))),
            ("getInt", None),
            ("putInt", None),
            ("putIntOpaque", None),
            ("putReferenceRelease", Some((false, true, false))),
            ("putOrderedObject", Some((false, true, false))),
            ("compareAndSwapInt", Some((true, true, true))),
            ("allocateInstance", None),
        ];
        for (name, expected) in cases {
            assert_eq!(does(name, true), expected, "{name}");
        }
        assert_eq!(does("set", false), Some((false, true, false)));
        assert_eq!(accesses("get"), Some((false, false)));
        assert_eq!(accesses("setVolatile"), Some((true, true)));
        assert_eq!(does("getOpaque", false), Some((true, false, false)));
        assert_eq!(does("weakCompareAndSetAcquire", false), Some((true, true, true)));
    }
}
