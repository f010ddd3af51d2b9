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
