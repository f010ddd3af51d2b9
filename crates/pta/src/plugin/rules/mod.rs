//! Rules for library methods whose effect depends on the very objects they get.
//!
//! A rule is a function from an object that arrived at the watched slot (see `model_summary`) to [`Effect`]s. Rules are
//! monotone: more objects only ever give more effects, which is what makes the solver's result independent of order.
//!
//! Slots of the modelled method are its parameters, the receiver first, and its result.

mod bounds;
mod handles;
mod method_handles;
mod objects;
mod reflection;
mod serialization;
mod services;
mod unsafe_memory;

pub use handles::handle_fits;

use selvedge_ir::ClassName;
use selvedge_models::Special;
use selvedge_world::{ClassId, MethodId};

use super::{Effect, Library, RuleInput};
use crate::heap::{Heap, ObjectId, Site, TypeId};
use crate::procedure::Procedures;
use crate::summary::{ArgumentConstant, Slot};

/// What a rule says to the object in its input.
pub(super) fn fire(
    library: &mut Library<'_>,
    input: &RuleInput<'_>,
    heap: &mut Heap<'_>,
    rule: Special,
) -> Vec<Effect> {
    let mut rule_run = RuleRun { library, input, heap, effects: Vec::new() };
    match rule {
        Special::Clone => rule_run.clone_object(),
        Special::GetClass => rule_run.get_class(),
        Special::ArrayCopyOf => rule_run.copy_array(),
        Special::ArrayNewInstance => rule_run.new_array(),
        Special::ForName => rule_run.class_for_name(),
        Special::NewInstance | Special::UnsafeAllocate => {
            rule_run.class_new_instance(rule == Special::NewInstance)
        }
        Special::GetConstructor => rule_run.find_constructors(),
        Special::ConstructorNewInstance => rule_run.constructor_new_instance(),
        Special::GetMethod => rule_run.find_methods(),
        Special::Invoke => rule_run.invoke_method(),
        Special::InvokeDefault => rule_run.invoke_default_method(),
        Special::ComponentType => rule_run.component_type(),
        Special::GetField => rule_run.find_fields(),
        Special::FieldGet => rule_run.read_field(),
        Special::FieldSet => rule_run.write_field(),
        Special::EnumConstants => rule_run.enum_constants(),
        Special::Proxy => rule_run.new_proxy(),
        Special::ServiceLoader => rule_run.load_services(),
        Special::NamedFactory => rule_run.make_named_factory(),
        Special::DefineClass => rule_run.define_class(),
        Special::VarHandleFind => rule_run.find_handle(),
        Special::VarHandleRead => rule_run.access_by_handle(true, false),
        Special::VarHandleWrite | Special::VarHandleCompareAndSet => rule_run.access_by_handle(false, true),
        Special::VarHandleExchange => rule_run.access_by_handle(true, true),
        Special::UnsafeGet => rule_run.access_by_offset(true, false),
        Special::UnsafePut | Special::UnsafeCompareAndSet => rule_run.access_by_offset(false, true),
        Special::UnsafeExchange => rule_run.access_by_offset(true, true),
        Special::MethodHandleFind => rule_run.find_method_handle(),
        Special::MethodHandleAdapt => rule_run.adapt_method_handle(),
        Special::MethodHandleInvoke => rule_run.invoke_method_handle(),
        // Their results carry no references of the program, or the code that runs is analysed as code.
        Special::ArrayCopy
        | Special::CallerClass
        | Special::UnsafeOffset
        | Special::UnsafeStaticBase
        | Special::MethodHandleLinkTo
        | Special::LambdaMetafactory
        | Special::RecordMethods
        | Special::SwitchBootstrap
        | Special::StringConcat => {}
        Special::Serialize => rule_run.write_object(),
        Special::Deserialize => rule_run.read_object(),
        Special::SerializationHook => rule_run.run_serialization_hook(),
        Special::SerializationGetFields => rule_run.get_serialized_fields(),
        Special::SerializationSetFields => rule_run.set_serialized_fields(),
    }
    rule_run.effects
}

/// One run of a rule.
struct RuleRun<'a, 'b, 'p> {
    library: &'a mut Library<'b>,
    input: &'a RuleInput<'a>,
    heap: &'a mut Heap<'p>,
    effects: Vec<Effect>,
}

impl RuleRun<'_, '_, '_> {
    fn parameter(&self, position: usize) -> Option<Slot> {
        self.input.summary.parameters.get(position).copied().flatten()
    }

    /// The position of the first parameter after the receiver.
    fn first_argument(&self) -> usize {
        usize::from(self.input.method.is_some_and(|method| !self.input.program.methods[method].is_static()))
    }

    fn put(&mut self, object: ObjectId) {
        if let Some(into) = self.input.summary.result {
            self.effects.push(Effect::Put { object, into });
        }
    }

    /// An object that this call makes, as if the caller had allocated it.
    fn allocate(&mut self, ty: TypeId) -> ObjectId {
        let (procedure, number) = self.input.site;
        let site = self.heap.site_of_model(procedure, number, ty);
        self.heap.object(site, self.input.heap_context)
    }

    fn merged(&mut self, class: &str) -> Option<ObjectId> {
        let ty = self.heap.types.named(ClassName::new(class))?;
        let site = self.heap.site(Site::Merged(ty), ty);
        Some(self.heap.object(site, crate::context::Contexts::EMPTY))
    }

    fn site(&self, object: ObjectId) -> Site {
        self.heap.site_of(self.heap.get(object).site)
    }

    /// The class that a class object stands for, where it is known.
    fn class_of_object(&self, object: ObjectId) -> Option<ClassName> {
        match self.site(object) {
            Site::ClassObject(class) => Some(class),
            _ => None,
        }
    }

    /// The class object of a class.
    fn class_object(&mut self, class: ClassName) -> Option<ObjectId> {
        self.class_object_at(Site::ClassObject(class))
    }

    fn class_object_at(&mut self, site: Site) -> Option<ObjectId> {
        let ty = self.heap.types.named(ClassName::new("java/lang/Class"))?;
        let site = self.heap.site(site, ty);
        Some(self.heap.object(site, crate::context::Contexts::EMPTY))
    }

    fn constant(&self, position: usize) -> Option<ArgumentConstant> {
        self.input.constants.get(position).copied().flatten()
    }

    fn constant_class(&self, position: usize) -> Option<ClassName> {
        match self.constant(position)? {
            ArgumentConstant::Class(class) => Some(class),
            _ => None,
        }
    }

    /// The first constant string among the arguments.
    fn constant_string(&self) -> Option<selvedge_base::Symbol> {
        self.input.constants.iter().flatten().find_map(|constant| match constant {
            ArgumentConstant::String(text) => Some(*text),
            _ => None,
        })
    }

    fn methods_of(&self, class: ClassId) -> Vec<MethodId> {
        self.input.program.classes[class].methods.iter().collect()
    }

    /// Calls the constructors of a class (all, or only the one without parameters) on a new object of it.
    fn construct(&mut self, class: ClassName, only_default: bool, arguments: Option<Slot>) {
        let program = self.input.program;
        let Some(id) = program.class_named(class) else { return };
        if program.classes[id].is_abstract() || program.classes[id].is_phantom() {
            return;
        }
        let Some(ty) = self.heap.types.named(class) else { return };
        let object = self.allocate(ty);
        self.put(object);
        self.effects.push(Effect::Initialize(id));
        for method in self.methods_of(id) {
            let data = &program.methods[method];
            if data.is_constructor() && (!only_default || data.descriptor.is("()V")) {
                self.call_exact(method, Some(object), arguments, None);
            }
        }
    }

    /// Calls a method with the same slot for each of its reference parameters: reflection passes them in an array.
    fn call_exact(
        &mut self,
        method: MethodId,
        receiver: Option<ObjectId>,
        each: Option<Slot>,
        result: Option<Slot>,
    ) {
        let count =
            super::lambda::parameter_kinds(self.input.program.methods[method].descriptor.as_bytes()).len();
        self.effects.push(Effect::Call {
            procedure: Procedures::of_method(method),
            receiver,
            arguments: vec![each; count],
            result,
        });
    }

    fn describe_caller(&self) -> String {
        let called =
            self.input.method.map_or_else(String::new, |method| self.input.program.describe_method(method));
        match self.input.caller {
            Some(caller) => format!("{called} in {}", self.input.program.describe_method(caller)),
            None => called,
        }
    }
}
