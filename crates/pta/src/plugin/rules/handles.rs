//! `VarHandle`s and field updaters.
//!
//! A handle is an abstract object that knows its field; an access through it is then an access of that field.

use super::super::Effect;
use super::RuleRun;
use crate::heap::Site;
use crate::summary::{Member, Statement};

impl RuleRun<'_, '_, '_> {
    /// `Lookup.findVarHandle(C.class, "f", ..)`, `newUpdater(C.class, .., "f")`, `arrayElementVarHandle(..)`.
    pub(super) fn find_handle(&mut self) {
        let program = self.input.program;
        let Some(result) = self.input.method.and_then(|method| program.methods[method].return_type()) else {
            return;
        };
        let Some(class) = result.class() else { return };
        let Some(name) = self.constant_string() else {
            // A handle for the elements of arrays, or one whose field is not known.
            if let Some(ty) = self.heap.types.named(class) {
                let object = self.allocate(ty);
                self.put(object);
            }
            return;
        };
        let owner = (0..self.input.argument_count).find_map(|position| self.constant_class(position));
        let Some(owner) = owner.and_then(|owner| program.class_named(owner)) else { return };
        let fields = self.fields_named(owner, name);
        let text = class.to_string();
        for handle in self.field_handles(&text, fields) {
            self.put(handle);
        }
    }

    /// An access through a handle: the receiver of the call is the handle, the coordinates follow, the value is last.
    pub(super) fn access_by_handle(&mut self, reads: bool, writes: bool) {
        let program = self.input.program;
        let value = self.input.argument_count.checked_sub(1).and_then(|last| self.parameter(last));
        let member = match self.site(self.input.object) {
            Site::FieldHandle(field, _) if program.fields[field].is_static() => {
                if let (true, Some(into)) = (reads, self.input.summary.result) {
                    self.effects.push(Effect::Add(Statement::LoadStatic { into, field }));
                }
                if let (true, Some(from)) = (writes, value) {
                    self.effects.push(Effect::Add(Statement::StoreStatic { field, from }));
                }
                return;
            }
            Site::FieldHandle(field, _) => Member::Field(field),
            _ => Member::Element,
        };
        let Some(base) = self.parameter(1) else { return };
        if let (true, Some(into)) = (reads, self.input.summary.result) {
            self.effects.push(Effect::Add(Statement::Load { into, base, member }));
        }
        if let (true, Some(from)) = (writes, value) {
            self.effects.push(Effect::Add(Statement::Store { base, member, from }));
        }
    }
}
