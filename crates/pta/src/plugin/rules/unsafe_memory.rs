//! `Unsafe` by offset.
//!
//! An offset is a number, which points-to analysis does not follow. But it comes, by a convention that all users of
//! `Unsafe` follow, from a static field that the class initialiser sets to `objectFieldOffset(C.class, "f")`; that is
//! read off the initialiser. Accesses of arrays are accesses of their elements, whatever the offset.

use selvedge_base::FastMap;
use selvedge_ir::{Body, Op, Value};
use selvedge_world::{ClassId, FieldId, Program};

use super::super::Effect;
use super::RuleRun;
use crate::heap::RuntimeType;
use crate::summary::{ArgumentConstant, Member};

impl RuleRun<'_, '_, '_> {
    /// An access at an offset of the object that arrived; the value is the last parameter.
    pub(super) fn access_by_offset(&mut self, reads: bool, writes: bool) {
        let object = self.input.object;
        let ty = self.heap.get(object).ty;
        let offset = self.first_argument() + 1;
        let members = match self.heap.types.get(ty) {
            RuntimeType::Array(_) => vec![Member::Element],
            _ => match self.constant(offset) {
                Some(ArgumentConstant::Static(field)) => match self.field_of_offset(field) {
                    Some(field) => vec![Member::Field(field)],
                    None if self.input.from_application => self.heap.reference_members(object),
                    None => Vec::new(),
                },
                // The offset was computed: any field it may be. The JDK computes offsets for reflection and deserialisation only,
                // which are followed where they start, if at all.
                _ if self.input.from_application => self.heap.reference_members(object),
                _ => Vec::new(),
            },
        };
        let value = self.input.summary.parameters.len().checked_sub(1).and_then(|last| self.parameter(last));
        for member in members {
            if let (true, Some(into)) = (reads, self.input.summary.result) {
                self.effects.push(Effect::LoadMember { object, member, into });
            }
            if let (true, Some(from)) = (writes, value) {
                self.effects.push(Effect::StoreMember { object, member, from });
            }
        }
    }

    /// The field that an offset kept in a static field stands for.
    fn field_of_offset(&mut self, kept: FieldId) -> Option<FieldId> {
        if let Some(&known) = self.library.offsets.get(&kept) {
            return known;
        }
        let class = self.input.program.fields[kept].class;
        for (kept, field) in offsets_of(self.input.program, class) {
            self.library.offsets.insert(kept, Some(field));
        }
        *self.library.offsets.entry(kept).or_insert(None)
    }
}

/// The static fields of a class that keep offsets, with the fields these are offsets of.
fn offsets_of(program: &Program, class: ClassId) -> FastMap<FieldId, FieldId> {
    let mut offsets = FastMap::default();
    let Some(body) = crate::names::class_initializer(program, class).and_then(|method| program.body(method))
    else {
        return offsets;
    };
    for inst in body.insts.ids() {
        let Op::PutStatic(kept) = body.insts[inst].op else { continue };
        let (Some(kept), Some(field)) =
            (crate::names::resolve_field(program, &kept), offset_source(program, body, body.args(inst)[0]))
        else {
            continue;
        };
        offsets.insert(kept, field);
    }
    offsets
}

/// The field of `objectFieldOffset(C.class, "f")`, if that is what a value is.
fn offset_source(program: &Program, body: &Body, value: Value) -> Option<FieldId> {
    let inst = body.defining_inst(value)?;
    let Op::Invoke(_, method) = body.insts[inst].op else { return None };
    if !method.name.is("objectFieldOffset") {
        return None;
    }
    let constants =
        || body.args(inst).iter().filter_map(|&value| Some(body.insts[body.defining_inst(value)?].op));
    let owner = constants()
        .find_map(|op| if let Op::Class(class) = op { program.class_named(class) } else { None })?;
    let name = constants().find_map(|op| if let Op::String(text) = op { Some(text) } else { None })?;
    program.classes[owner].fields.iter().find(|&field| program.fields[field].name == name)
}
