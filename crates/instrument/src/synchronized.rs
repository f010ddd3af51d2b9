//! Synchronized methods: the monitor is taken before the first instruction and left after the last.
//!
//! The lock is kept in a local of its own, since code may overwrite its parameters. Normal exits report before they return;
//! exceptions that leave the method pass through an added handler. (An exception thrown by a `return` itself, for a monitor
//! that is not held, is not thought of: no compiler makes such code.)

use selvedge_classfile::edit::{Jumps, Type};
use selvedge_classfile::{Code, Insn, Kind, Result, access};

use crate::hooks;
use crate::method::Work;

/// Tells of the monitor of a synchronized method.
pub(crate) fn wrap(work: &mut Work<'_, '_, '_, '_, '_, '_>, code: &Code<'_>) -> Result<()> {
    let class = work.context.class;
    let is_static = work.context.method.access & access::STATIC != 0;
    let lock = if !is_static {
        Insn::Load(Kind::Ref, 0)
    } else if class.major >= 49 {
        Insn::Ldc(work.pool.class(class.this_class)?)
    } else {
        // Class constants did not exist; such methods keep their monitor to themselves.
        return Ok(());
    };
    let untold = std::mem::take(&mut work.untold);
    let (entered, exiting) = (hooks::ENTERED.call(work.pool)?, hooks::EXITING.call(work.pool)?);
    let edit = &mut work.edit;
    edit.reserve_stack(2);
    let kept = edit.declare_local(Type::Class(b"java/lang/Object"));
    let load = Insn::Load(Kind::Ref, kept);
    edit.at_entry().insns([lock, Insn::Store(Kind::Ref, kept), load, entered]);
    for item in code.instructions() {
        if let (bci, Insn::Return(_)) = item? {
            edit.before(bci, Jumps::Run).insns([load, exiting]);
        }
    }
    let handler = edit.new_label();
    let length = code.bytes.len() as u32;
    edit.add_handler(0, length, handler);
    edit.before(length, Jumps::Run)
        .label(handler)
        .exact_frame(&[], &[Type::Class(b"java/lang/Throwable")])
        .insns(untold)
        .insns([load, exiting, Insn::AThrow]);
    Ok(())
}
