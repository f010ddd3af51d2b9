//! `VarHandle`s and field updaters.
//!
//! A handle is an abstract object that knows its field; an access through it is then an access of that field.

use selvedge_classfile::descriptor::{FieldType, MethodDescriptor};
use selvedge_ir::{ClassName, Op};
use selvedge_world::{FieldId, Program, Tier};

use super::super::Effect;
use super::RuleRun;
use crate::heap::Site;
use crate::summary::{Member, Statement};

const REFERENCE_UPDATER: &str = "java/util/concurrent/atomic/AtomicReferenceFieldUpdater";

impl RuleRun<'_, '_, '_> {
    /// `Lookup.findVarHandle(C.class, "f", ..)`, `unreflectVarHandle(field)`, `newUpdater(C.class, .., "f")`, `arrayElementVarHandle(..)`.
    ///
    /// Where the name is not constant, it is a handle of every field that fits: by its class and type, where they are known.
    pub(super) fn find_handle(&mut self) {
        let program = self.input.program;
        let Some(made) = self.input.method.map(|method| &program.methods[method]) else { return };
        let Some(class) = made.return_type().and_then(|result| result.class()) else { return };
        let name = made.name.as_str().unwrap_or_default();
        // What `newUpdater` returns is of this class, whose methods are replaced by rows.
        let handle_class = match class.is(REFERENCE_UPDATER) {
            true => format!("{class}$AtomicReferenceFieldUpdaterImpl"),
            false => class.to_string(),
        };
        let fields = match self.site(self.input.object) {
            Site::FieldHandle(field, _) => vec![field],
            _ if name == "arrayElementVarHandle" => Vec::new(),
            _ => self.fields_asked_for(name == "findStaticVarHandle"),
        };
        if fields.is_empty() {
            // A handle for the elements of arrays, or one whose field is not known.
            if let Some(ty) = self.heap.types.named(ClassName::new(&handle_class)) {
                let object = self.allocate(ty);
                self.put(object);
            }
        }
        for handle in self.field_handles(&handle_class, fields) {
            self.put(handle);
        }
    }

    /// The fields that a handle may be of: by class, name and type, as far as each is known.
    fn fields_asked_for(&mut self, of_class: bool) -> Vec<FieldId> {
        let program = self.input.program;
        let first = self.first_argument();
        let owner = self.class_of_object(self.input.object).or_else(|| self.constant_class(first));
        let owner = owner.and_then(|owner| program.class_named(owner));
        let name = self.constant_string();
        let known: Vec<FieldId> = match (owner, name) {
            (Some(owner), Some(name)) => return self.fields_named(owner, name),
            _ if !self.input.from_application => return Vec::new(),
            (Some(owner), None) => {
                program.superclasses(owner).flat_map(|class| program.classes[class].fields.iter()).collect()
            }
            (None, _) => {
                let classes = program.classes.iter().filter(|class| class.tier == Tier::Application);
                classes.flat_map(|class| class.fields.iter()).collect()
            }
        };
        // `findVarHandle(class, name, type)`; an updater's `newUpdater(class, type, name)` or `newUpdater(class, name)`.
        let ty = (first + 1..self.input.argument_count).find_map(|position| self.constant_class(position));
        let fits = |&field: &FieldId| {
            let data = &program.fields[field];
            data.is_static() == of_class
                && name.is_none_or(|name| data.name == name)
                && ty.is_none_or(|ty| is_of_type(data.descriptor.as_bytes(), ty))
        };
        known.into_iter().filter(fits).collect()
    }

    /// An access through a handle: the receiver of the call is the handle, the coordinates follow, the value is last.
    pub(super) fn access_by_handle(&mut self, reads: bool, writes: bool) {
        let program = self.input.program;
        let value = self.input.argument_count.checked_sub(1).and_then(|last| self.parameter(last));
        let member = match self.site(self.input.object) {
            Site::FieldHandle(field, _) if !self.fits_call(field) => return,
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

    /// Whether the call may be an access of a field, by the types that it passes.
    fn fits_call(&self, field: FieldId) -> bool {
        let program = self.input.program;
        let call = self.input.caller.and_then(|caller| program.body(caller)).zip(self.input.inst);
        let Some((body, inst)) = call else { return true };
        let Op::Invoke(_, called) = &body.insts[inst].op else { return true };
        !called.owner.is("java/lang/invoke/VarHandle")
            || handle_fits(program, field, called.descriptor.as_bytes())
    }
}

fn is_of_type(descriptor: &[u8], ty: ClassName) -> bool {
    match descriptor {
        [b'L', name @ .., b';'] => name == ty.as_bytes(),
        _ => descriptor == ty.as_bytes(),
    }
}

/// Whether a call through a `VarHandle` with this descriptor may access a field: the object that it is applied to and the value that goes in or
/// comes out are converted as by a cast, by boxing or unboxing, and no conversion leads from a class of the application to a primitive type.
pub fn handle_fits(program: &Program, field: FieldId, descriptor: &[u8]) -> bool {
    let Ok(descriptor) = MethodDescriptor::parse(descriptor) else { return true };
    let data = &program.fields[field];
    let mut types: Vec<FieldType<'_>> = descriptor.params().collect();
    types.extend(descriptor.return_type());
    let class = |ty: &FieldType<'_>| match ty {
        FieldType::Class(name) => program.class_named(ClassName::new(name)),
        _ => None,
    };
    let is_own =
        |ty: &FieldType<'_>| class(ty).is_some_and(|it| program.classes[it].tier == Tier::Application);
    if !data.is_static() {
        match types.first() {
            Some(FieldType::Class(_)) => {}
            _ => return false,
        }
        let holder = types.remove(0);
        let is_related = |it| program.is_subclass(it, data.class) || program.is_subclass(data.class, it);
        if is_own(&holder) && !class(&holder).is_none_or(is_related) {
            return false;
        }
    }
    let Ok(ty) = FieldType::parse(data.descriptor.as_bytes()) else { return true };
    let is_primitive = |ty: &FieldType<'_>| matches!(ty, FieldType::Primitive(_));
    // The value is the last argument of a write and the result of a read; a compare-and-set has two values.
    let values =
        types.iter().take(descriptor.params().count().saturating_sub(usize::from(!data.is_static())).max(1));
    values.into_iter().all(|value| match (is_primitive(&ty), is_primitive(value)) {
        (true, false) => !is_own(value) && !matches!(value, FieldType::Array(_)),
        (false, true) => !is_own(&ty) && !matches!(ty, FieldType::Array(_)),
        _ => true,
    })
}
