//! One method: what of it reports, and the walk over its instructions.

use selvedge_classfile::edit::{CodeEditor, Jumps};
use selvedge_classfile::{ClassFile, Code, Insn, MemberRef, PoolEditor, Result, StackOp, access};
use selvedge_classfile::{Member, opcode};
use selvedge_protocol::plan::Reporting;
use selvedge_protocol::{SiteEntry, SiteKey, SiteKind};

use crate::hooks;
use crate::{FieldName, Instrumenter, Role, World, calls, library, synchronized, variables};

/// A method to be rewritten, and what that depends on.
pub(crate) struct Context<'c, 'e, 'a> {
    pub(crate) class: &'e ClassFile<'a>,
    pub(crate) class_name: &'c str,
    pub(crate) method: &'e Member<'a>,
    /// Name and descriptor.
    pub(crate) signature: &'c str,
    pub(crate) role: Role,
    pub(crate) rules: &'c Instrumenter,
    pub(crate) world: &'c mut dyn World,
}

/// The work on one method's code.
pub(crate) struct Work<'w, 'c, 'e, 'a, 'p, 'q> {
    pub(crate) context: &'w mut Context<'c, 'e, 'a>,
    pub(crate) edit: CodeEditor<'w, 'a>,
    pub(crate) pool: &'p mut PoolEditor<'q>,
    /// Source lines by original bci.
    pub(crate) lines: Vec<(u32, u16)>,
    pub(crate) file: Option<String>,
}

impl<'a> Context<'_, '_, 'a> {
    /// The new code; `None` if it stays as it is.
    pub(crate) fn rewritten(&mut self, pool: &mut PoolEditor<'_>) -> Result<Option<Vec<u8>>> {
        let Some(mut code) = self.method.code(&self.class.pool)? else { return Ok(None) };
        let patched = self.with_waits_replaced(&code, pool)?;
        let class: ClassFile<'_> = self.class.clone();
        let method = self.method.clone();
        if let Some(bytes) = &patched {
            code.bytes = bytes;
        }
        self.rewritten_code(&class, &method, &code, patched.is_some(), pool)
    }

    fn rewritten_code(
        &mut self,
        class: &ClassFile<'_>,
        method: &Member<'_>,
        code: &Code<'_>,
        patched: bool,
        pool: &mut PoolEditor<'_>,
    ) -> Result<Option<Vec<u8>>> {
        let reporting = match self.role {
            Role::Application => self.rules.plan.method(self.class_name, self.signature),
            _ => Reporting::None,
        };
        let lines = code.line_table().unwrap_or_default();
        let file = class.attribute(b"SourceFile").and_then(|info| match info {
            &[high, low] => class.pool.utf8(u16::from_be_bytes([high, low])).ok(),
            _ => None,
        });
        let file = file.map(|name| String::from_utf8_lossy(name).into_owned());
        let mut context = Context {
            class,
            class_name: self.class_name,
            method,
            signature: self.signature,
            role: self.role,
            rules: self.rules,
            world: &mut *self.world,
        };
        let edit = CodeEditor::new(class, method, code);
        let mut work = Work { context: &mut context, edit, pool, lines, file };
        let unready = work.unready_until(code)?;
        for item in code.instructions() {
            let (bci, insn) = item?;
            work.instruction(bci, &insn, unready, reporting)?;
        }
        if method.access & access::SYNCHRONIZED != 0 {
            synchronized::wrap(&mut work, code)?;
        }
        if work.context.role == Role::Library {
            library::at_entry_and_exits(&mut work, code)?;
        }
        if work.edit.is_unchanged() && !patched {
            return Ok(None);
        }
        work.edit.finish(work.pool).map(Some)
    }

    /// The code with calls of `Object.wait` replaced by calls of the support class, which take the same operands: a wait that
    /// ends with an exception has taken the monitor again, too.
    fn with_waits_replaced(&self, code: &Code<'a>, pool: &mut PoolEditor<'_>) -> Result<Option<Vec<u8>>> {
        if self.role == Role::Library {
            return Ok(None);
        }
        let mut patched: Option<Vec<u8>> = None;
        for item in code.instructions() {
            let (bci, Insn::InvokeVirtual(index)) = item? else { continue };
            let Ok(MemberRef { name: b"wait", descriptor, .. }) = self.class.pool.method_ref(index) else {
                continue;
            };
            let hook = match descriptor {
                b"()V" => hooks::AWAIT,
                b"(J)V" => hooks::AWAIT_MILLIS,
                b"(JI)V" => hooks::AWAIT_NANOS,
                _ => continue,
            };
            let Insn::InvokeStatic(target) = hook.call(pool)? else { continue };
            let bytes = patched.get_or_insert_with(|| code.bytes.to_vec());
            let at = bci as usize;
            bytes[at] = opcode::INVOKESTATIC;
            bytes[at + 1..at + 3].copy_from_slice(&target.to_be_bytes());
        }
        Ok(patched)
    }
}

impl Work<'_, '_, '_, '_, '_, '_> {
    /// In a constructor, the index of the call of another constructor: before it, `this` must not be passed on.
    fn unready_until(&self, code: &Code<'_>) -> Result<u32> {
        if self.context.method.name != b"<init>" {
            return Ok(0);
        }
        let mut pending = 0;
        let mut last = 0;
        for item in code.instructions() {
            match item? {
                (_, Insn::New(_)) => pending += 1,
                (bci, Insn::InvokeSpecial(index)) => {
                    let is_constructor = self
                        .context
                        .class
                        .pool
                        .method_ref(index)
                        .is_ok_and(|member| member.name == b"<init>");
                    if is_constructor && pending == 0 {
                        last = bci;
                    } else if is_constructor {
                        pending -= 1;
                    }
                }
                _ => {}
            }
        }
        Ok(last)
    }

    fn instruction(
        &mut self,
        bci: u32,
        insn: &Insn<'_>,
        unready: u32,
        reporting: Reporting<'_>,
    ) -> Result<()> {
        let reports = match reporting {
            Reporting::All => true,
            Reporting::None => false,
            Reporting::Listed(plan) => plan.report.binary_search(&bci).is_ok(),
        };
        match *insn {
            Insn::GetField(index) | Insn::PutField(index) => {
                let write = matches!(insn, Insn::PutField(_));
                let field = self.context.class.pool.field_ref(index)?;
                if write && bci < unready && field.owner == self.context.class.this_class {
                    return Ok(());
                }
                self.field(bci, field, write, reports)
            }
            Insn::GetStatic(index) | Insn::PutStatic(index) => {
                let field = self.context.class.pool.field_ref(index)?;
                self.static_field(bci, field, matches!(insn, Insn::PutStatic(_)), reports)
            }
            Insn::ArrayLoad(_) if reports => self.array(bci, false, false),
            Insn::ArrayStore(kind) if reports => self.array(bci, true, takes_two_slots(kind)),
            Insn::MonitorEnter => {
                let entered = hooks::ENTERED.call(self.pool)?;
                self.edit.reserve_stack(1);
                self.edit.before(bci, Jumps::Run).insn(Insn::Stack(StackOp::Dup));
                self.edit.after(bci).insn(entered);
                Ok(())
            }
            Insn::MonitorExit => {
                let exiting = hooks::EXITING.call(self.pool)?;
                self.edit.reserve_stack(1);
                self.edit.before(bci, Jumps::Run).insns([Insn::Stack(StackOp::Dup), exiting]);
                Ok(())
            }
            Insn::InvokeVirtual(index) | Insn::InvokeInterface(index) => {
                let member = self.context.class.pool.method_ref(index)?;
                if variables::at_call(self, bci, member)? {
                    return Ok(());
                }
                if reports { calls::container(self, bci, member) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    /// A number for the instruction at `bci`.
    pub(crate) fn site(&mut self, bci: u32, kind: SiteKind, target: Option<FieldName<'_>>) -> u32 {
        let line = self.lines.iter().filter(|(start, _)| *start <= bci).max_by_key(|(start, _)| *start);
        let method = self.context.method;
        let key = SiteKey::new(
            self.context.class_name,
            String::from_utf8_lossy(method.name),
            String::from_utf8_lossy(method.descriptor),
            bci,
        );
        let entry =
            SiteEntry { key, kind, file: self.file.clone(), line: line.map(|(_, line)| u32::from(*line)) };
        self.context.world.site(entry, target)
    }
}

fn takes_two_slots(kind: selvedge_classfile::ArrayKind) -> bool {
    matches!(kind, selvedge_classfile::ArrayKind::Long | selvedge_classfile::ArrayKind::Double)
}
