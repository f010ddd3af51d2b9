//! Hooks before calls, for which the receiver is fetched from below the arguments.

use selvedge_classfile::edit::Jumps;
use selvedge_classfile::{
    BinaryOp, FieldType, Insn, Kind, MemberRef, MethodDescriptor, PrimitiveType, Result, StackOp,
};
use selvedge_protocol::SiteKind;

use crate::FieldName;
use crate::hooks::{self, push};
use crate::method::Work;

/// The kind of value that a local of a type holds.
pub(crate) fn kind_of(of: FieldType<'_>) -> Kind {
    match of {
        FieldType::Primitive(PrimitiveType::Long) => Kind::Long,
        FieldType::Primitive(PrimitiveType::Float) => Kind::Float,
        FieldType::Primitive(PrimitiveType::Double) => Kind::Double,
        FieldType::Primitive(_) => Kind::Int,
        FieldType::Class(_) | FieldType::Array(_) => Kind::Ref,
    }
}

/// New locals for the arguments of a call: kind and slot, in the order of the arguments.
pub(crate) fn argument_locals(
    work: &mut Work<'_, '_, '_, '_, '_, '_>,
    descriptor: &[u8],
) -> Result<Vec<(Kind, u16)>> {
    let mut locals = Vec::new();
    for parameter in MethodDescriptor::parse(descriptor)?.params() {
        locals.push((kind_of(parameter), work.edit.new_local(parameter.slots())));
    }
    Ok(locals)
}

/// Before a call of a library method that may read or change an unsynchronised object: which it is the receiver's class tells. The call may name
/// a class of the application that inherits the method. If such a class has a method of its own, a call of that one is none of these, and the one that
/// it makes in turn by `super`, which is `special`, is.
pub(crate) fn container(
    work: &mut Work<'_, '_, '_, '_, '_, '_>,
    bci: u32,
    member: MemberRef<'_>,
    special: bool,
) -> Result<()> {
    let owner = String::from_utf8_lossy(member.owner).into_owned();
    if !work.context.rules.container_methods.contains(member.name)
        || !(work.context.rules.is_library(&owner) || work.context.world.extends_library(&owner))
    {
        return Ok(());
    }
    let method =
        format!("{}{}", String::from_utf8_lossy(member.name), String::from_utf8_lossy(member.descriptor));
    let target = FieldName { owner: &owner, name: &method };
    let site = work.site(bci, SiteKind::Call, Some(target));
    if special {
        work.context.world.special(site);
    }
    let (site, hook) = (push(site, work.pool)?, hooks::CALL.call(work.pool)?);
    let arguments = argument_locals(work, member.descriptor)?;
    work.edit.reserve_stack(2);
    work.edit
        .before(bci, Jumps::Run)
        .insns(arguments.iter().rev().map(|&(kind, slot)| Insn::Store(kind, slot)))
        .insns([Insn::Stack(StackOp::Dup), site, hook])
        .insns(arguments.iter().map(|&(kind, slot)| Insn::Load(kind, slot)));
    Ok(())
}

/// Whether a static method is `System.arraycopy`.
pub(crate) fn is_arraycopy(member: MemberRef<'_>) -> bool {
    member.owner == b"java/lang/System"
        && member.name == b"arraycopy"
        && member.descriptor == b"(Ljava/lang/Object;ILjava/lang/Object;II)V"
}

/// Before a copy of elements: they are read here and written there.
pub(crate) fn copying(work: &mut Work<'_, '_, '_, '_, '_, '_>, bci: u32) -> Result<()> {
    let arguments = argument_locals(work, b"(Ljava/lang/Object;ILjava/lang/Object;II)V")?;
    let reads = work.site(bci, SiteKind::ArrayLoad, None);
    let writes = work.site(bci, SiteKind::ArrayStore, None);
    let sites = [push(reads, work.pool)?, push(writes, work.pool)?];
    let hook = hooks::COPYING.call(work.pool)?;
    work.edit.reserve_stack(7);
    work.edit
        .before(bci, Jumps::Run)
        .insns(arguments.iter().rev().map(|&(kind, slot)| Insn::Store(kind, slot)))
        .insns(arguments.iter().map(|&(kind, slot)| Insn::Load(kind, slot)))
        .insns(sites)
        .insn(hook)
        .insns(arguments.iter().map(|&(kind, slot)| Insn::Load(kind, slot)));
    Ok(())
}

/// Before a call of an array's `clone`, which reads it.
pub(crate) fn cloning(work: &mut Work<'_, '_, '_, '_, '_, '_>, bci: u32) -> Result<()> {
    let site = work.site(bci, SiteKind::ArrayLoad, None);
    let (site, hook) = (push(site, work.pool)?, hooks::CLONING.call(work.pool)?);
    work.edit.reserve_stack(2);
    work.edit.before(bci, Jumps::Run).insns([Insn::Stack(StackOp::Dup), site, hook]);
    work.made(bci)
}

/// What a library method does to an array: which argument that is, where its elements begin and end, and whether they are written.
struct Bulk {
    array: usize,
    /// The argument that says it; from the first element on without it.
    first: Option<usize>,
    end: End,
    writes: bool,
}

/// Where elements end.
enum End {
    /// Where the array does.
    All,
    /// At the index that an argument says.
    Before(usize),
    /// There is one.
    Next,
}

/// What a static method does to arrays, by its name and the shape of its arguments. Those that hand elements to code of the program, or look at some only, are left out.
fn bulk(member: MemberRef<'_>) -> Result<Vec<Bulk>> {
    if member.owner == b"java/lang/reflect/Array" {
        let one = |writes| vec![Bulk { array: 0, first: Some(1), end: End::Next, writes }];
        return Ok(match member.name {
            b"getLength" => Vec::new(),
            name if name.starts_with(b"get") => one(false),
            name if name.starts_with(b"set") => one(true),
            _ => Vec::new(),
        });
    }
    if member.owner != b"java/util/Arrays" {
        return Ok(Vec::new());
    }
    let parameters: Vec<FieldType<'_>> = MethodDescriptor::parse(member.descriptor)?.params().collect();
    let is_array = |at: usize| matches!(parameters.get(at), Some(FieldType::Array(_)));
    let is_int = |at: usize| matches!(parameters.get(at), Some(FieldType::Primitive(PrimitiveType::Int)));
    if !is_array(0) {
        return Ok(Vec::new());
    }
    let all = |array, writes| Bulk { array, first: None, end: End::All, writes };
    let ranged = |writes| Bulk { array: 0, first: Some(1), end: End::Before(2), writes };
    Ok(match member.name {
        b"copyOf" if is_int(1) => vec![Bulk { array: 0, first: None, end: End::Before(1), writes: false }],
        b"copyOfRange" if is_int(1) && is_int(2) => vec![ranged(false)],
        b"equals" if parameters.len() == 2 && is_array(1) => vec![all(0, false), all(1, false)],
        b"hashCode" | b"toString" if parameters.len() == 1 => vec![all(0, false)],
        b"fill" if parameters.len() == 2 => vec![all(0, true)],
        b"fill" if parameters.len() == 4 => vec![ranged(true)],
        b"sort" | b"parallelSort" if is_int(1) && is_int(2) => vec![ranged(true)],
        b"sort" | b"parallelSort" => vec![all(0, true)],
        _ => Vec::new(),
    })
}

/// Before a method of `java.util.Arrays` that copies, compares, fills or sorts, or one of `java.lang.reflect.Array` that accesses an element. Was it one?
pub(crate) fn of_arrays(
    work: &mut Work<'_, '_, '_, '_, '_, '_>,
    bci: u32,
    member: MemberRef<'_>,
) -> Result<bool> {
    let told = bulk(member)?;
    if told.is_empty() {
        return Ok(false);
    }
    let arguments = argument_locals(work, member.descriptor)?;
    let mut insns = Vec::new();
    for Bulk { array, first, end, writes } in told {
        let site = work.site(bci, if writes { SiteKind::ArrayStore } else { SiteKind::ArrayLoad }, None);
        let hook = if writes { hooks::BULK_WRITE } else { hooks::BULK_READ };
        let argument = |at: usize| Insn::Load(arguments[at].0, arguments[at].1);
        let first = first.map_or(Insn::IConst(0), argument);
        insns.extend([argument(array), first]);
        match end {
            End::All => insns.push(push(i32::MAX as u32, work.pool)?),
            End::Before(at) => insns.push(argument(at)),
            End::Next => insns.extend([first, Insn::IConst(1), Insn::Binary(BinaryOp::Add, Kind::Int)]),
        }
        insns.extend([push(site, work.pool)?, hook.call(work.pool)?]);
    }
    work.edit.reserve_stack(5);
    work.edit
        .before(bci, Jumps::Run)
        .insns(arguments.iter().rev().map(|&(kind, slot)| Insn::Store(kind, slot)))
        .insns(insns)
        .insns(arguments.iter().map(|&(kind, slot)| Insn::Load(kind, slot)));
    if member.name.starts_with(b"copyOf") {
        work.made(bci)?;
    }
    Ok(true)
}

/// After a call that may be of `Thread.isAlive` or `Thread.getState`: who hears that a thread has ended comes after it. Native in some versions of the
/// JDK, so told by the callers.
pub(crate) fn of_thread(
    work: &mut Work<'_, '_, '_, '_, '_, '_>,
    bci: u32,
    member: MemberRef<'_>,
) -> Result<()> {
    let hook = match (member.name, member.descriptor) {
        (b"isAlive", b"()Z") => hooks::ALIVE_ASKED,
        (b"getState", b"()Ljava/lang/Thread$State;") => hooks::STATE_ASKED,
        _ => return Ok(()),
    };
    let hook = hook.call(work.pool)?;
    let thread = work.edit.new_local(1);
    work.edit.reserve_stack(2);
    work.edit.before(bci, Jumps::Run).insns([Insn::Stack(StackOp::Dup), Insn::Store(Kind::Ref, thread)]);
    work.edit.after(bci).insns([Insn::Stack(StackOp::Dup), Insn::Load(Kind::Ref, thread), hook]);
    Ok(())
}
