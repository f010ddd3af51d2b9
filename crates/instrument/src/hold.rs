//! Classes for directed runs: a hook before each access at which threads are to be held, and nothing else.
//!
//! Sites are named by method and line, as findings name them; every instruction of the line that does what the site says has the hook. Two
//! instructions of one line are distinguished by the object that they touch.

use selvedge_classfile::edit::{ClassEditor, CodeEditor, Jumps};
use selvedge_classfile::{
    ClassFile, Code, FieldType, Insn, Kind, Member, MemberRef, MethodDescriptor, PoolEditor, Result, StackOp,
};
use selvedge_hooks::HOLD_NAME;
use selvedge_protocol::{HoldAccess, HoldSite};

use crate::calls::{is_arraycopy, kind_of};
use crate::hooks::push;
use crate::method::{takes_two_slots, unready_until};

/// A rewritten class, and for each of the given sites how many instructions were found.
pub struct Held {
    /// The class; `None` if nothing was found.
    pub bytes: Option<Vec<u8>>,
    /// Numbers of sites, once for each instruction.
    pub found: Vec<u32>,
}

/// Puts hooks before the accesses of these sites, which are of this class; each has its number.
pub fn hold(bytes: &[u8], sites: &[(u32, &HoldSite)]) -> Result<Held> {
    let class = ClassFile::parse(bytes)?;
    let mut editor = ClassEditor::new(&class);
    let mut found = Vec::new();
    for (position, method) in class.methods.iter().enumerate() {
        let name = java_name(method);
        let of_method: Vec<(u32, &HoldSite)> =
            sites.iter().filter(|(_, site)| site.method == name).copied().collect();
        let Some(code) = method.code(&class.pool)?.filter(|_| !of_method.is_empty()) else { continue };
        let work = Work { class: &class, method, sites: &of_method };
        if let Some(rewritten) = work.rewrite(&code, editor.pool(), &mut found)? {
            editor.replace_code(position, rewritten)?;
        }
    }
    let bytes = if found.is_empty() { None } else { Some(editor.write()?) };
    Ok(Held { bytes, found })
}

/// A method as findings write it, without its class: `m(int,java.lang.String[])`.
fn java_name(method: &Member<'_>) -> String {
    let name = String::from_utf8_lossy(method.name);
    let parameters = MethodDescriptor::parse(method.descriptor)
        .map(|descriptor| descriptor.params().map(type_name).collect::<Vec<_>>().join(","));
    format!("{name}({})", parameters.unwrap_or_default())
}

fn type_name(of: FieldType<'_>) -> String {
    match of {
        FieldType::Primitive(primitive) => primitive.name().to_owned(),
        FieldType::Class(name) => String::from_utf8_lossy(name).replace('/', "."),
        FieldType::Array(array) => type_name(array.component()) + "[]",
    }
}

/// Whether an instruction does what a site says.
type Does<'d> = &'d dyn Fn(&HoldAccess) -> bool;

struct Work<'w, 'a> {
    class: &'w ClassFile<'a>,
    method: &'w Member<'a>,
    sites: &'w [(u32, &'w HoldSite)],
}

impl<'a> Work<'_, 'a> {
    fn rewrite(
        &self,
        code: &Code<'a>,
        pool: &mut PoolEditor<'_>,
        found: &mut Vec<u32>,
    ) -> Result<Option<Vec<u8>>> {
        let lines = code.line_table().unwrap_or_default();
        let unready = unready_until(self.class, self.method, code)?;
        let mut edit = CodeEditor::new(self.class, self.method, code);
        for item in code.instructions() {
            let (bci, insn) = item?;
            let line = lines.iter().filter(|(start, _)| *start <= bci).max_by_key(|(start, _)| *start);
            let line = line.map(|(_, line)| u32::from(*line));
            let at = |does: Does<'_>| -> Option<u32> {
                let here = |site: &HoldSite| match (site.line, site.index) {
                    (Some(wanted), _) => line == Some(wanted),
                    (None, Some(index)) => index == bci,
                    (None, None) => true,
                };
                self.sites
                    .iter()
                    .find(|(_, site)| here(site) && does(&site.access))
                    .map(|(number, _)| *number)
            };
            let number = self.instruction(&mut edit, bci, &insn, unready, &at, pool)?;
            found.extend(number);
        }
        if edit.is_unchanged() { Ok(None) } else { edit.finish(pool).map(Some) }
    }

    /// Puts the hook before an instruction, if it is one of the accesses; the numbers of its sites.
    fn instruction(
        &self,
        edit: &mut CodeEditor<'_, 'a>,
        bci: u32,
        insn: &Insn<'_>,
        unready: u32,
        at: &dyn Fn(Does<'_>) -> Option<u32>,
        pool: &mut PoolEditor<'_>,
    ) -> Result<Vec<u32>> {
        use StackOp::*;
        let hook = |pool: &mut PoolEditor<'_>, name: &str, descriptor: &str| -> Result<Insn<'static>> {
            let method = pool.method(HOLD_NAME.as_bytes(), name.as_bytes(), descriptor.as_bytes())?;
            Ok(Insn::InvokeStatic(method))
        };
        match *insn {
            Insn::GetField(index) | Insn::PutField(index) => {
                let write = matches!(insn, Insn::PutField(_));
                let field = self.class.pool.field_ref(index)?;
                if write && bci < unready && field.owner == self.class.this_class {
                    return Ok(Vec::new());
                }
                let Some(site) = at(&|access| is_field(access, field.name, write)) else {
                    return Ok(Vec::new());
                };
                let above: &[StackOp] = match (write, matches!(field.descriptor, b"J" | b"D")) {
                    (false, _) => &[Dup],
                    (true, false) => &[Dup2, Pop],
                    (true, true) => &[Dup2X1, Pop2, DupX2],
                };
                let call = [push(site, pool)?, hook(pool, "field", "(Ljava/lang/Object;I)V")?];
                edit.reserve_stack(5);
                edit.before(bci, Jumps::Run).insns(above.iter().map(|&op| Insn::Stack(op))).insns(call);
                Ok(vec![site])
            }
            Insn::GetStatic(index) | Insn::PutStatic(index) => {
                let field = self.class.pool.field_ref(index)?;
                let write = matches!(insn, Insn::PutStatic(_));
                let Some(site) = at(&|access| is_field(access, field.name, write)) else {
                    return Ok(Vec::new());
                };
                let call = [push(site, pool)?, hook(pool, "fixed", "(I)V")?];
                edit.reserve_stack(1);
                edit.before(bci, Jumps::Run).insns(call);
                Ok(vec![site])
            }
            Insn::ArrayLoad(_) | Insn::ArrayStore(_) => {
                let write = matches!(insn, Insn::ArrayStore(_));
                let two_slots = matches!(*insn, Insn::ArrayStore(kind) if takes_two_slots(kind));
                let Some(site) = at(&|access| is_element(access, write)) else { return Ok(Vec::new()) };
                let above: &[StackOp] = match (write, two_slots) {
                    (false, _) => &[Dup2],
                    (true, false) => &[DupX2, Pop, Dup2X1],
                    (true, true) => &[Dup2X2, Pop2, Dup2X2],
                };
                let call = [push(site, pool)?, hook(pool, "element", "(Ljava/lang/Object;II)V")?];
                edit.reserve_stack(6);
                edit.before(bci, Jumps::Run).insns(above.iter().map(|&op| Insn::Stack(op))).insns(call);
                Ok(vec![site])
            }
            Insn::InvokeStatic(index) => {
                let member = self.class.pool.method_ref(index)?;
                if !is_arraycopy(member) {
                    return Ok(Vec::new());
                }
                let sites = [false, true].map(|write| at(&|access| is_element(access, write)));
                if sites == [None, None] {
                    return Ok(Vec::new());
                }
                let descriptor = "(Ljava/lang/Object;ILjava/lang/Object;IIII)V";
                let call = hook(pool, "copy", descriptor)?;
                let numbers =
                    [push(sites[0].unwrap_or(u32::MAX), pool)?, push(sites[1].unwrap_or(u32::MAX), pool)?];
                let arguments = locals(edit, member)?;
                edit.reserve_stack(7);
                edit.before(bci, Jumps::Run)
                    .insns(arguments.iter().rev().map(|&(kind, slot)| Insn::Store(kind, slot)))
                    .insns(arguments.iter().map(|&(kind, slot)| Insn::Load(kind, slot)))
                    .insns(numbers)
                    .insn(call)
                    .insns(arguments.iter().map(|&(kind, slot)| Insn::Load(kind, slot)));
                Ok(sites.into_iter().flatten().collect())
            }
            Insn::InvokeVirtual(index) | Insn::InvokeInterface(index) | Insn::InvokeSpecial(index) => {
                let member = self.class.pool.method_ref(index)?;
                let is_clone = member.name == b"clone" && member.owner.starts_with(b"[");
                let calls = |access: &HoldAccess| match access {
                    HoldAccess::Call(name) => name.is_empty() || name.as_bytes() == member.name,
                    HoldAccess::ArrayRead => is_clone,
                    _ => false,
                };
                let site = at(&calls).filter(|_| member.name != b"<init>");
                let Some(site) = site.filter(|_| bci >= unready) else { return Ok(Vec::new()) };
                let call = [push(site, pool)?, hook(pool, "call", "(Ljava/lang/Object;I)V")?];
                let arguments = locals(edit, member)?;
                edit.reserve_stack(2);
                edit.before(bci, Jumps::Run)
                    .insns(arguments.iter().rev().map(|&(kind, slot)| Insn::Store(kind, slot)))
                    .insn(Insn::Stack(Dup))
                    .insns(call)
                    .insns(arguments.iter().map(|&(kind, slot)| Insn::Load(kind, slot)));
                Ok(vec![site])
            }
            _ => Ok(Vec::new()),
        }
    }
}

fn is_field(access: &HoldAccess, name: &[u8], write: bool) -> bool {
    match access {
        HoldAccess::Read(wanted) => !write && wanted.as_bytes() == name,
        HoldAccess::Write(wanted) => write && wanted.as_bytes() == name,
        _ => false,
    }
}

fn is_element(access: &HoldAccess, write: bool) -> bool {
    *access == if write { HoldAccess::ArrayWrite } else { HoldAccess::ArrayRead }
}

/// New locals for the arguments of a call: kind and slot, in the order of the arguments.
fn locals(edit: &mut CodeEditor<'_, '_>, member: MemberRef<'_>) -> Result<Vec<(Kind, u16)>> {
    let parameters = MethodDescriptor::parse(member.descriptor)?;
    Ok(parameters.params().map(|parameter| (kind_of(parameter), edit.new_local(parameter.slots()))).collect())
}
