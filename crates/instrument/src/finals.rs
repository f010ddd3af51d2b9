//! Final fields that a constructor may write after it has passed `this` on: another thread may read them before they are written, so they are watched like
//! other fields.
//!
//! What counts as passing on is any use of `this` but the access to a field and the call of another constructor: an argument, a stored reference, the receiver of
//! a call. The code is looked at in the order in which it is written. A constructor above that passes `this` on is not looked for.

use selvedge_base::FastSet;
use selvedge_classfile::{ClassFile, Insn, Kind, Member, Result, access};

use crate::sources::Sources;

/// The names of such fields.
pub(crate) fn late(class: &ClassFile<'_>) -> FastSet<Vec<u8>> {
    let mut late = FastSet::default();
    if class.access & access::INTERFACE != 0 || !class.fields.iter().any(is_final) {
        return late;
    }
    for method in class.methods.iter().filter(|method| method.name == b"<init>") {
        // Code that cannot be read is not rewritten either.
        let _ = add(class, method, &mut late);
    }
    late
}

/// Whether it is a final field of objects.
fn is_final(field: &Member<'_>) -> bool {
    field.access & access::FINAL != 0 && field.access & access::STATIC == 0
}

fn add(class: &ClassFile<'_>, method: &Member<'_>, late: &mut FastSet<Vec<u8>>) -> Result<()> {
    let Some(code) = method.code(&class.pool)? else { return Ok(()) };
    // How often `this` was loaded; fewer than the first three times it is for the other constructor and one field.
    let mut loads = 0;
    for item in code.instructions() {
        loads += usize::from(matches!(item?, (_, Insn::Load(Kind::Ref, 0))));
    }
    if loads < 3 {
        return Ok(());
    }
    let sources = Sources::new(class, &code)?;
    let (mut loaded, mut used, mut constructed) = (0, 0, false);
    for item in code.instructions() {
        match item? {
            (_, Insn::Load(Kind::Ref, 0)) => loaded += 1,
            (bci, Insn::GetField(_)) if sources.holder(bci) == Some(0) => used += 1,
            (bci, Insn::PutField(index)) if sources.holder(bci) == Some(0) => {
                used += 1;
                let field = class.pool.field_ref(index)?;
                let is_own = field.owner == class.this_class;
                let named = |own: &&Member<'_>| own.name == field.name && is_final(own);
                if is_own
                    && loaded > used + usize::from(constructed)
                    && class.fields.iter().any(|own| named(&own))
                {
                    late.insert(field.name.to_vec());
                }
            }
            (_, Insn::InvokeSpecial(index)) if !constructed => {
                let called = class.pool.method_ref(index)?;
                let is_above = Some(called.owner) == class.super_class || called.owner == class.this_class;
                constructed = called.name == b"<init>" && is_above;
            }
            _ => {}
        }
    }
    Ok(())
}
