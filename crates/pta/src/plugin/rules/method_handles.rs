//! Method handles.
//!
//! A handle is an abstract object that knows its method or field. What a combinator makes of handles (`bindTo`,
//! `insertArguments`, `filterArguments`, `guardWithTest`, ...) is a set of *adapted* handles: each stands for one of the handles
//! that went in, and for a cell that holds the values bound on the way. A call of an adapted handle calls it with everything
//! that may arrive: the arguments of the call, the bound values and the results of the handles beside it, each where its
//! type fits. In which order a combinator puts them is not followed.

use selvedge_ir::ClassName;
use selvedge_world::{FieldId, MethodId};

use super::super::{Effect, SlotCallee};
use super::RuleRun;
use crate::context::Contexts;
use crate::heap::{ObjectId, Site, SiteId, Types};
use crate::procedure::Procedures;
use crate::summary::{Member, Slot, Statement};

const METHOD_HANDLE: &str = "java/lang/invoke/MethodHandle";

impl RuleRun<'_, '_, '_> {
    fn called_name(&self) -> String {
        self.input
            .method
            .map_or_else(String::new, |method| self.input.program.methods[method].name.to_string())
    }

    /// `Lookup.findVirtual(C.class, "name", type)` and its relatives; `unreflect(method)`; `bind(object, "name", type)`.
    pub(super) fn find_method_handle(&mut self) {
        let Some(ty) = self.heap.types.named(ClassName::new(METHOD_HANDLE)) else { return };
        let program = self.input.program;
        let called = self.called_name();
        let site = match self.site(self.input.object) {
            Site::MethodHandle(method, _) if called.starts_with("unreflect") => {
                Some(Site::MethodHandle(method, ty))
            }
            Site::FieldHandle(field, _) if called.starts_with("unreflect") => {
                Some(Site::FieldHandle(field, ty))
            }
            _ => None,
        };
        if let Some(site) = site {
            let object = self.handle_object(site, ty);
            return self.put(object);
        }
        let class = match called.as_str() {
            "bind" => self.heap.types.class(self.heap.get(self.input.object).ty),
            _ => {
                let class = self.class_of_object(self.input.object).or_else(|| self.constant_class(1));
                class.and_then(|class| program.class_named(class))
            }
        };
        let (Some(class), name) = (class, self.constant_string()) else {
            if let Some(object) = self.merged(METHOD_HANDLE) {
                self.put(object);
            }
            return;
        };
        if called.ends_with("Getter") || called.ends_with("Setter") {
            let fields = match name {
                Some(name) => self.fields_named(class, name),
                None if self.input.from_application => program
                    .superclasses(class)
                    .flat_map(|class| program.classes[class].fields.iter())
                    .collect(),
                None => Vec::new(),
            };
            for handle in self.field_handles(METHOD_HANDLE, fields) {
                self.put(handle);
            }
            return;
        }
        let mut found: Vec<MethodId> = Vec::new();
        if called == "findConstructor" {
            let methods = self.methods_of(class).into_iter();
            found.extend(methods.filter(|&method| program.methods[method].is_constructor()));
        } else {
            let above = program.superclasses(class).chain(program.all_interfaces(class).iter().copied());
            for above in above.collect::<Vec<_>>() {
                let methods = self.methods_of(above).into_iter();
                // Without a name it may be any that can be found so.
                found.extend(methods.filter(|&method| match name {
                    Some(name) => program.methods[method].name == name,
                    None => {
                        let data = &program.methods[method];
                        self.input.from_application
                            && crate::context::is_application(program, above)
                            && !data.is_constructor()
                            && !data.is_class_initializer()
                            && data.is_static() == (called == "findStatic")
                    }
                }));
            }
        }
        for method in found {
            let object = self.handle_object(Site::MethodHandle(method, ty), ty);
            if called == "bind" {
                self.put_adapted(object);
                self.bind(self.input.object);
            } else {
                self.put(object);
            }
        }
    }

    fn handle_object(&mut self, site: Site, ty: crate::heap::TypeId) -> ObjectId {
        let site = self.heap.site(site, ty);
        self.heap.object(site, Contexts::EMPTY)
    }

    /// The cell of the values that are bound at this call.
    fn bound(&mut self) -> Option<(SiteId, ObjectId)> {
        let ty = self.heap.types.named(ClassName::object())?;
        let (procedure, number) = self.input.site;
        let site = self.heap.site_of_model(procedure, number, ty);
        Some((site, self.heap.object(site, Contexts::EMPTY)))
    }

    fn bind(&mut self, object: ObjectId) {
        if let Some((_, cell)) = self.bound() {
            self.effects.push(Effect::PutMember { object, into: (cell, Member::Captured(0)) });
        }
    }

    /// Gives a handle as this call adapts it.
    fn put_adapted(&mut self, object: ObjectId) {
        let (Some((cell_site, cell)), Some(ty)) =
            (self.bound(), self.heap.types.named(ClassName::new(METHOD_HANDLE)))
        else {
            return;
        };
        let handle = match self.site(object) {
            Site::Adapted { handle, cell: inner } => {
                let inner = self.heap.object(inner, Contexts::EMPTY);
                let from = (inner, Member::Captured(0));
                self.effects.push(Effect::CopyMember { from, into: (cell, Member::Captured(0)) });
                handle
            }
            _ => self.heap.get(object).site,
        };
        let adapted = self.handle_object(Site::Adapted { handle, cell: cell_site }, ty);
        self.put(adapted);
    }

    /// A combinator: everything that goes in arrives here, one after the other.
    pub(super) fn adapt_method_handle(&mut self) {
        let object = self.input.object;
        if self.heap.types.is_instance(self.heap.get(object).ty, ClassName::new(METHOD_HANDLE)) {
            self.put_adapted(object);
        } else if matches!(self.called_name().as_str(), "bindTo" | "insertArguments") {
            self.bind(object);
        }
    }

    /// `MethodHandle.invokeExact(..)`.
    pub(super) fn invoke_method_handle(&mut self) {
        let last = self.input.argument_count;
        let takes_array = self.called_name() == "invokeWithArguments";
        match self.site(self.input.object) {
            Site::MethodHandle(method, _) if !takes_array => {
                let slots = (1..last).map(|position| self.parameter(position)).collect();
                self.call_behind_handle(method, slots);
            }
            Site::FieldHandle(field, _) if !takes_array => {
                let slots: Vec<_> = (1..last).map(|position| self.parameter(position)).collect();
                self.access_behind_handle(field, &slots);
            }
            Site::Adapted { handle, cell } => {
                let Some(mixed) = self.mix_arguments() else { return };
                let cell = self.heap.object(cell, Contexts::EMPTY);
                self.effects.push(Effect::LoadMember {
                    object: cell,
                    member: Member::Captured(0),
                    into: mixed,
                });
                self.call_mixed(self.heap.site_of(handle), mixed);
            }
            site => {
                if let (true, Some(mixed)) = (takes_array, self.mix_arguments()) {
                    self.call_mixed(site, mixed);
                }
            }
        }
    }

    /// The slot in which all arguments meet, with the result of the call, which may be an argument in turn.
    fn mix_arguments(&mut self) -> Option<Slot> {
        let into = self.input.summary.spare?;
        let copy = |from: Slot| Effect::Add(Statement::Copy { into, from, filter: Types::ANY });
        let slots: Vec<Slot> =
            (1..self.input.argument_count).filter_map(|position| self.parameter(position)).collect();
        for slot in slots {
            self.effects.push(copy(slot));
            self.effects.push(Effect::Add(Statement::Load { into, base: slot, member: Member::Element }));
        }
        self.effects.extend(self.input.summary.result.map(copy));
        Some(into)
    }

    /// Calls what is behind a handle with whatever fits.
    fn call_mixed(&mut self, handle: Site, mixed: Slot) {
        let program = self.input.program;
        match handle {
            Site::MethodHandle(method, _) => {
                let data = &program.methods[method];
                let receiver = usize::from(!data.is_static() && !data.is_constructor());
                let count = data.parameter_types().len() + receiver;
                self.call_behind_handle(method, vec![Some(mixed); count]);
            }
            Site::FieldHandle(field, _) => self.access_behind_handle(field, &[Some(mixed)]),
            _ => {}
        }
    }

    /// Calls the method behind a handle; the receiver is the first argument.
    fn call_behind_handle(&mut self, method: MethodId, slots: Vec<Option<Slot>>) {
        let program = self.input.program;
        let data = &program.methods[method];
        let result = self.input.summary.result;
        let procedure = Procedures::of_method(method);
        self.effects.push(Effect::Initialize(data.class));
        if data.is_constructor() {
            let Some(ty) = self.heap.types.named(program.classes[data.class].name) else { return };
            let object = self.allocate(ty);
            self.put(object);
            let receiver = Some(object);
            self.effects.push(Effect::Call { procedure, receiver, arguments: slots, result: None });
        } else if data.is_static() {
            self.effects.push(Effect::Call { procedure, receiver: None, arguments: slots, result });
        } else if let Some((Some(receivers), arguments)) = slots.split_first() {
            let (receivers, arguments) = (*receivers, arguments.to_vec());
            let callee = SlotCallee::Virtual(method);
            self.effects.push(Effect::CallOnSlot { callee, receivers, arguments, result });
        }
    }

    /// Reads or writes the field behind a handle: it writes if it is given one argument more than a read needs.
    fn access_behind_handle(&mut self, field: FieldId, slots: &[Option<Slot>]) {
        let is_static = self.input.program.fields[field].is_static();
        let (base, value) = match (is_static, slots) {
            (true, [value, ..]) => (None, *value),
            (true, []) => (None, None),
            (false, [base, value, ..]) => (*base, *value),
            (false, [base]) => (*base, None),
            (false, []) => return,
        };
        let statement = match (is_static, base, value, self.input.summary.result) {
            (true, _, Some(from), _) => Statement::StoreStatic { field, from },
            (true, _, None, Some(into)) => Statement::LoadStatic { into, field },
            (false, Some(base), Some(from), _) => {
                Statement::Store { base, member: Member::Field(field), from }
            }
            (false, Some(base), None, Some(into)) => {
                Statement::Load { into, base, member: Member::Field(field) }
            }
            _ => return,
        };
        self.effects.push(Effect::Add(statement));
    }
}
