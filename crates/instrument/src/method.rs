//! One method: what of it reports, and the walk over its instructions.

use selvedge_classfile::Member;
use selvedge_classfile::edit::{CodeEditor, Jumps};
use selvedge_classfile::{ClassFile, Code, Insn, MemberRef, PoolEditor, Result, StackOp, access};
use selvedge_protocol::plan::Reporting;
use selvedge_protocol::{SiteEntry, SiteKey, SiteKind};

use crate::hooks;
use crate::{FieldName, Instrumenter, Role, World, calls, library, members, synchronized, variables};

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
        let (class, method) = (self.class, self.method);
        let Some(code) = method.code(&class.pool)? else { return Ok(None) };
        let code = &code;
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
        let edit = CodeEditor::new(class, method, code);
        let mut work = Work { context: self, edit, pool, lines, file };
        let unready = work.unready_until(code)?;
        for item in code.instructions() {
            let (bci, insn) = item?;
            work.instruction(bci, &insn, unready, reporting)?;
        }
        if work.context.role == Role::Application {
            work.claims(code, unready)?;
            if method.name == b"<clinit>" {
                work.initialised(code)?;
            }
        }
        if method.access & access::SYNCHRONIZED != 0 {
            synchronized::wrap(&mut work, code)?;
        }
        if work.context.role == Role::Library {
            library::at_entry_and_exits(&mut work, code)?;
        }
        if work.edit.is_unchanged() {
            return Ok(None);
        }
        work.edit.finish(work.pool).map(Some)
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
            Insn::NewArray(_) | Insn::ANewArray(_) | Insn::MultiANewArray(..) if self.watches_arrays() => {
                let hook = hooks::MADE.call(self.pool)?;
                self.edit.reserve_stack(1);
                self.edit.after(bci).insns([Insn::Stack(StackOp::Dup), hook]);
                Ok(())
            }
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
                if self.wait(bci, insn, member)? {
                    return Ok(());
                }
                if variables::at_call(self, bci, member)? {
                    return Ok(());
                }
                if reports { calls::container(self, bci, member) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    /// Claims new objects and clones for the thread that makes them. Of library objects only those are claimed of which a
    /// second reference is on the stack when the constructor returns, as compilers have it.
    fn claims(&mut self, code: &Code<'_>, constructor_call: u32) -> Result<()> {
        let class = self.context.class;
        let mut overwrites_this = false;
        let mut calls_superclass = false;
        // For each `new` whose constructor has not been called yet: whether the next instruction is `dup`.
        let mut pending: Vec<bool> = Vec::new();
        for item in code.instructions() {
            match item? {
                (_, Insn::Store(_, 0)) => overwrites_this = true,
                (bci, Insn::New(_)) => {
                    let next = code.decode_at(bci + 3);
                    pending.push(matches!(next, Ok((Insn::Stack(StackOp::Dup), _))));
                }
                (bci, Insn::InvokeSpecial(index)) => {
                    let member = class.pool.method_ref(index)?;
                    if member.name == b"<init>"
                        && pending.pop() == Some(true)
                        && self.context.rules.container_classes.contains(member.owner)
                    {
                        let hook = hooks::MADE.call(self.pool)?;
                        self.edit.reserve_stack(1);
                        self.edit.after(bci).insns([Insn::Stack(StackOp::Dup), hook]);
                    }
                    let of_library = self.context.rules.is_library(&String::from_utf8_lossy(member.owner));
                    if member.name == b"clone" && member.descriptor == b"()Ljava/lang/Object;" && of_library {
                        members::claim_clone(self, bci)?;
                    }
                    calls_superclass |= bci == constructor_call && Some(member.owner) == class.super_class;
                }
                _ => {}
            }
        }
        let is_constructor = self.context.method.name == b"<init>";
        if is_constructor && calls_superclass && !overwrites_this && self.context.rules.is_topmost(class) {
            members::claim_new(self, constructor_call)?;
        }
        Ok(())
    }

    /// Tells of the end of the class's initialisation.
    fn initialised(&mut self, code: &Code<'_>) -> Result<()> {
        let hook = hooks::INITIALISED.call(self.pool)?;
        for item in code.instructions() {
            if let (bci, Insn::Return(_)) = item? {
                let site = self.site(bci, SiteKind::Publish, None);
                let site = hooks::push(site, self.pool)?;
                self.edit.reserve_stack(1);
                self.edit.before(bci, Jumps::Run).insns([site, hook]);
            }
        }
        Ok(())
    }

    /// Replaces a call of `Object.wait` by one of the support class, which takes the same operands: a wait that ends with an
    /// exception has taken the monitor again, too. Was it one?
    fn wait(&mut self, bci: u32, insn: &Insn<'_>, member: MemberRef<'_>) -> Result<bool> {
        let hook = match (insn, member.name, member.descriptor) {
            _ if self.context.role == Role::Library => return Ok(false),
            (Insn::InvokeVirtual(_), b"wait", b"()V") => hooks::AWAIT,
            (Insn::InvokeVirtual(_), b"wait", b"(J)V") => hooks::AWAIT_MILLIS,
            (Insn::InvokeVirtual(_), b"wait", b"(JI)V") => hooks::AWAIT_NANOS,
            _ => return Ok(false),
        };
        if let Insn::InvokeStatic(method) = hook.call(self.pool)? {
            self.edit.replace_call(bci, method);
        }
        Ok(true)
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
