//! Hooks before calls, for which the receiver is fetched from below the arguments.

use selvedge_classfile::edit::Jumps;
use selvedge_classfile::{
    FieldType, Insn, Kind, MemberRef, MethodDescriptor, PrimitiveType, Result, StackOp,
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
    Ok(())
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
