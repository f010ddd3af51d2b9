//! `VarHandle`s, field updaters and method handles.
//!
//! A handle is an abstract object that knows its field; an access through it is then an access of that field.

use selvedge_ir::ClassName;

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

    /// `Lookup.findVirtual(C.class, "name", type)` and its relatives.
    pub(super) fn find_method_handle(&mut self) {
        let program = self.input.program;
        let owner = (0..self.input.argument_count).find_map(|position| self.constant_class(position));
        let Some(class) = owner.and_then(|owner| program.class_named(owner)) else {
            if let Some(object) = self.merged("java/lang/invoke/MethodHandle") {
                self.put(object);
            }
            return;
        };
        let Some(ty) = self.heap.types.named(ClassName::new("java/lang/invoke/MethodHandle")) else { return };
        let finds_constructor =
            self.input.method.is_some_and(|m| program.methods[m].name.is("findConstructor"));
        let name = self.constant_string();
        for class in program.superclasses(class).collect::<Vec<_>>() {
            for method in self.methods_of(class) {
                let data = &program.methods[method];
                let wanted = match finds_constructor {
                    true => data.is_constructor() && Some(program.classes[class].name) == owner,
                    false => Some(data.name) == name,
                };
                if wanted {
                    let site = self.heap.site(Site::MethodHandle(method, ty), ty);
                    let object = self.heap.object(site, crate::context::Contexts::EMPTY);
                    self.put(object);
                }
            }
        }
    }

    /// `MethodHandle.invokeExact(..)`: the arguments of the call are those of the method.
    pub(super) fn invoke_method_handle(&mut self) {
        let Site::MethodHandle(method, _) = self.site(self.input.object) else { return };
        let program = self.input.program;
        let data = &program.methods[method];
        let result = self.input.summary.result;
        let slots: Vec<_> = (1..self.input.argument_count).map(|position| self.parameter(position)).collect();
        self.effects.push(Effect::Initialize(data.class));
        if data.is_constructor() {
            let Some(ty) = self.heap.types.named(program.classes[data.class].name) else { return };
            let object = self.allocate(ty);
            self.put(object);
            let procedure = crate::procedure::Procedures::of_method(method);
            self.effects.push(Effect::Call {
                procedure,
                receiver: Some(object),
                arguments: slots,
                result: None,
            });
        } else if data.is_static() {
            let procedure = crate::procedure::Procedures::of_method(method);
            self.effects.push(Effect::Call { procedure, receiver: None, arguments: slots, result });
        } else if let Some((Some(receivers), arguments)) = slots.split_first() {
            let (receivers, arguments) = (*receivers, arguments.to_vec());
            self.effects.push(Effect::CallOnSlot { method, receivers, arguments, result });
        }
    }
}
