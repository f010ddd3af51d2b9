//! Members added to classes.
//!
//! The topmost application class of a hierarchy (its superclass is none) gets the field that holds the word of an object, and
//! two static methods that test it for a read and for a write:
//!
//! ```java
//! public transient synthetic long $selvedge;
//! public static synthetic void $selvedgeRead(Object object, int site) {
//!     if (object == null) return;                      // the access itself will throw
//!     long word = ((Topmost) object).$selvedge;
//!     if (word != Selvedge.mine()) ((Topmost) object).$selvedge = Selvedge.read(object, word, site);
//! }
//! ```
//!
//! A constructor of such a class that calls one of its superclass claims the new object for its thread, and so does whoever clones
//! one, whose word was cloned with it (`claim_new`, `claim_clone`). Calls name the class that the access names, so that access rules and loaders are the same as for the access. A word is
//! only written when it changes. `java.lang.Thread` gets the field that holds the agent's part of the thread.

use selvedge_classfile::edit::{ClassEditor, CodeEditor, NewAttribute, Type};
use selvedge_classfile::{ClassFile, CompareOp, Cond, Insn, Kind, Result, StackOp, access};

use crate::hooks::{self, Hook};
use crate::method::Work;
use crate::{Instrumenter, SUPPORT_NAME};

/// The field that holds an object's word, and the one that holds the agent's part of a thread.
pub const WORD_FIELD: &[u8] = b"$selvedge";

pub(crate) const TEST_READ: &[u8] = b"$selvedgeRead";
pub(crate) const TEST_WRITE: &[u8] = b"$selvedgeWrite";
pub(crate) const TEST_DESCRIPTOR: &[u8] = b"(Ljava/lang/Object;I)V";

impl Instrumenter {
    /// Whether the class gets the field and the tests.
    pub(crate) fn is_topmost(&self, class: &ClassFile<'_>) -> bool {
        let superclass = class.super_class.map(String::from_utf8_lossy);
        class.access & access::INTERFACE == 0 && superclass.is_some_and(|name| !self.has_word(&name))
    }

    /// Adds what an application class needs. Was there anything?
    pub(crate) fn add_members<'a>(
        &self,
        class: &ClassFile<'a>,
        editor: &mut ClassEditor<'_, 'a>,
    ) -> Result<bool> {
        if !self.is_topmost(class) {
            return Ok(false);
        }
        editor.add_field(access::PUBLIC | access::TRANSIENT | access::SYNTHETIC, WORD_FIELD, b"J", &[])?;
        for (name, hook) in [(TEST_READ, hooks::READ), (TEST_WRITE, hooks::WRITE)] {
            add_test(class, editor, name, hook)?;
        }
        Ok(true)
    }
}

fn add_test<'a>(
    class: &ClassFile<'a>,
    editor: &mut ClassEditor<'_, 'a>,
    name: &'static [u8],
    hook: Hook,
) -> Result<()> {
    let flags = access::PUBLIC | access::STATIC | access::SYNTHETIC;
    let pool = editor.pool();
    let this_class = Insn::CheckCast(pool.class(class.this_class)?);
    let (get, put) = {
        let field = pool.field(class.this_class, WORD_FIELD, b"J")?;
        (Insn::GetField(field), Insn::PutField(field))
    };
    let (mine, hook) = (hooks::MINE.call(pool)?, hook.call(pool)?);
    let code = CodeEditor::assemble(class, flags, name, TEST_DESCRIPTOR, pool, |edit| {
        edit.reserve_stack(7);
        let word = edit.new_local(2);
        let end = edit.new_label();
        let parameters = [Type::Class(b"java/lang/Object"), Type::Int];
        let object = Insn::Load(Kind::Ref, 0);
        edit.at_entry()
            .insn(object)
            .branch(|to| Insn::IfNull(true, to), end)
            .insns([object, this_class, get, Insn::Stack(StackOp::Dup2), Insn::Store(Kind::Long, word)])
            .insns([mine, Insn::Compare(CompareOp::LCmp)])
            .branch(|to| Insn::IfZero(Cond::Eq, to), end)
            .insns([object, this_class, object, Insn::Load(Kind::Long, word), Insn::Load(Kind::Int, 1)])
            .insns([hook, put])
            .label(end)
            .exact_frame(&parameters, &[])
            .insn(Insn::Return(None));
    })?;
    editor.add_method(flags, name, TEST_DESCRIPTOR, &[NewAttribute { name: b"Code", info: &code }])
}

/// After the call of another constructor at `bci`: the new object is the thread's own.
pub(crate) fn claim_new(work: &mut Work<'_, '_, '_, '_, '_, '_>, bci: u32) -> Result<()> {
    let fresh = hooks::FRESH.call(work.pool)?;
    let put = Insn::PutField(work.pool.field(work.context.class.this_class, WORD_FIELD, b"J")?);
    work.edit.reserve_stack(3);
    work.edit.after(bci).insns([Insn::Load(Kind::Ref, 0), fresh, put]);
    Ok(())
}

/// After a call of the library's `clone` for `this` at `bci`: the clone is the thread's own, whatever it was cloned from.
pub(crate) fn claim_clone(work: &mut Work<'_, '_, '_, '_, '_, '_>, bci: u32) -> Result<()> {
    let fresh = hooks::FRESH.call(work.pool)?;
    let this_class = work.context.class.this_class;
    let cast = Insn::CheckCast(work.pool.class(this_class)?);
    let put = Insn::PutField(work.pool.field(this_class, WORD_FIELD, b"J")?);
    work.edit.reserve_stack(3);
    work.edit.after(bci).insns([Insn::Stack(StackOp::Dup), cast, fresh, put]);
    Ok(())
}

/// Adds the agent's part to `java.lang.Thread`.
pub(crate) fn add_to_thread(editor: &mut ClassEditor<'_, '_>) -> Result<()> {
    let descriptor = format!("L{SUPPORT_NAME};");
    editor.add_field(access::TRANSIENT | access::SYNTHETIC, WORD_FIELD, descriptor.as_bytes(), &[])
}
