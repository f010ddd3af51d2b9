//! Serialisation: which objects are read, and the methods that run meanwhile.
//!
//! Object streams are analysed as code. What their code does through reflection is said here and by rows: the hooks
//! that classes have, the fields that are read and set (`arg0.*`), and what `ObjectStreamClass.newInstance` makes. It makes an
//! object of each class of which the program writes one. Streams may also come from elsewhere: the application's own calls
//! of `readObject` give objects of its serialisable classes to which the result is cast, and of those that the
//! fields of these are declared with.
//!
//! Objects of the JDK's own classes that are no containers (dates, numbers, components of windows) are *values*: what is read is
//! what was written, and their hooks and fields are left alone. What the JDK keeps in them is no part of the program.

use selvedge_base::FastSet;
use selvedge_classfile::descriptor::MethodDescriptor;
use selvedge_ir::{ClassName, Inst, Op, Type};
use selvedge_world::{ClassId, MethodId, Program, Tier};

use super::super::Effect;
use super::super::lambda::box_class;
use super::RuleRun;
use crate::context::Contexts;
use crate::context::library::is_container;
use crate::heap::{ObjectId, RuntimeType, Site};
use crate::procedure::{ProcedureId, Procedures};
use crate::summary::{Member, Statement};

impl RuleRun<'_, '_, '_> {
    /// An object is written: one like it may be read.
    pub(super) fn write_object(&mut self) {
        let written = self.input.object;
        let Some(cell) = self.deserialized() else { return };
        match self.heap.types.get(self.heap.get(written).ty).clone() {
            RuntimeType::Class(class) if self.is_enum(class) => {
                self.effects.push(Effect::PutMember { object: written, into: (cell, Member::Captured(0)) });
            }
            RuntimeType::Class(class) if self.is_value(class) => {
                if let Some(values) = self.deserialized_values() {
                    self.effects
                        .push(Effect::PutMember { object: written, into: (values, Member::Captured(0)) });
                }
            }
            RuntimeType::Class(class) => self.read_instance_of(class),
            RuntimeType::Array(_) => self.read_array_like(written),
            RuntimeType::Lambda { procedure, .. } => self.read_lambda(procedure, written),
            RuntimeType::Proxy(_) | RuntimeType::Client(_) => {}
        }
    }

    /// The application reads an object: it has a class that the result is cast to.
    pub(super) fn read_object(&mut self) {
        if let (Some(object), Some(into)) = (self.deserialized_values(), self.input.summary.result) {
            self.effects.push(Effect::LoadMember { object, member: Member::Captured(0), into });
        }
        if !self.input.from_application {
            return;
        }
        let place = self.describe_caller();
        self.library.assume(format!(
            "objects read by {place} are of classes whose objects the program writes, or of the application's that they \
             are cast to, and their fields of the classes these declare"
        ));
        let mut seen: FastSet<ClassId> = FastSet::default();
        let mut pending: Vec<ClassName> = self.casts_of_result();
        let program = self.input.program;
        while let Some(declared) = pending.pop() {
            let Some(declared) = program.class_named(declared) else { continue };
            for &class in program.subtypes(declared) {
                let data = &program.classes[class];
                let is_made = data.tier == Tier::Application && !data.is_abstract() && !data.is_phantom();
                if is_made && self.is_serializable(class) && seen.insert(class) {
                    pending.extend(self.declared_in_fields(class));
                }
            }
        }
        let mut classes: Vec<ClassId> = seen.into_iter().collect();
        classes.sort_unstable();
        classes.into_iter().for_each(|class| self.read_instance_of(class));
    }

    /// The classes of the application that the fields of a class are declared with.
    fn declared_in_fields(&self, class: ClassId) -> Vec<ClassName> {
        let program = self.input.program;
        let fields = program.superclasses(class).flat_map(|class| program.classes[class].fields.iter());
        let declared = fields.filter(|&field| !program.fields[field].is_static()).filter_map(|field| {
            let Some(Type::Ref(class)) = program.fields[field].ty() else { return None };
            let id = program.class_named(class)?;
            crate::context::is_application(program, id).then_some(class)
        });
        declared.collect()
    }

    /// The object that holds all objects that are read.
    fn deserialized(&mut self) -> Option<ObjectId> {
        self.cell("deserialized")
    }

    /// The object that holds all values that are read.
    fn deserialized_values(&mut self) -> Option<ObjectId> {
        self.cell("deserialized-values")
    }

    fn cell(&mut self, name: &str) -> Option<ObjectId> {
        let ty = self.heap.types.named(ClassName::object())?;
        let site = self.heap.site(Site::VmCell(name.into()), ty);
        Some(self.heap.object(site, Contexts::EMPTY))
    }

    /// Whether objects of a class are read as they were written; see the [module documentation](self).
    fn is_value(&self, class: ClassId) -> bool {
        let data = &self.input.program.classes[class];
        data.tier == Tier::Jdk && !is_container(data.name)
    }

    /// The members of the object that arrived, unless it is a value.
    fn serialized_members(&mut self) -> Vec<Member> {
        match self.heap.types.get(self.heap.get(self.input.object).ty) {
            RuntimeType::Class(class) if !self.is_value(*class) => {
                self.heap.reference_members(self.input.object)
            }
            _ => Vec::new(),
        }
    }

    /// `ObjectStreamClass.getObjFieldValues(object, values)`.
    pub(super) fn get_serialized_fields(&mut self) {
        let (Some(base), Some(from)) = (self.parameter(self.first_argument() + 1), self.input.summary.spare)
        else {
            return;
        };
        self.effects.push(Effect::Add(Statement::Store { base, member: Member::Element, from }));
        for member in self.serialized_members() {
            self.effects.push(Effect::LoadMember { object: self.input.object, member, into: from });
        }
    }

    /// `ObjectStreamClass.setObjFieldValues(object, values)`.
    pub(super) fn set_serialized_fields(&mut self) {
        let (Some(base), Some(into)) = (self.parameter(self.first_argument() + 1), self.input.summary.spare)
        else {
            return;
        };
        self.effects.push(Effect::Add(Statement::Load { into, base, member: Member::Element }));
        for member in self.serialized_members() {
            self.effects.push(Effect::StoreMember { object: self.input.object, member, from: into });
        }
    }

    fn is_enum(&self, class: ClassId) -> bool {
        self.input.program.superclasses(class).any(|class| self.input.program.classes[class].is_enum())
    }

    fn is_a(&self, class: ClassId, name: &str) -> bool {
        let above = self.input.program.class_named(ClassName::new(name));
        above.is_some_and(|above| self.input.program.is_subclass(class, above))
    }

    fn is_serializable(&self, class: ClassId) -> bool {
        self.is_a(class, "java/io/Serializable") && !self.is_enum(class)
    }

    /// The object of a type that reading makes: one for the program.
    fn read_object_of(&mut self, class: ClassName) -> Option<ObjectId> {
        let ty = self.heap.types.named(class)?;
        let description = self.input.program.class_named(ClassName::new("java/io/ObjectStreamClass"))?;
        let maker = self.input.program.declared_method(
            description,
            "newInstance".into(),
            "()Ljava/lang/Object;".into(),
        )?;
        let site = self.heap.site_of_model(Procedures::of_method(maker), 0, ty);
        Some(self.heap.object(site, Contexts::EMPTY))
    }

    /// Makes an object of a class as reading does.
    fn read_instance_of(&mut self, class: ClassId) {
        let program = self.input.program;
        let data = &program.classes[class];
        if data.is_abstract() || !self.is_serializable(class) {
            return;
        }
        let (Some(object), Some(cell)) = (self.read_object_of(data.name), self.deserialized()) else {
            return;
        };
        self.effects.push(Effect::PutMember { object, into: (cell, Member::Captured(0)) });
        self.effects.push(Effect::Initialize(class));
        let constructor = |class: ClassId| program.declared_method(class, "<init>".into(), "()V".into());
        if self.is_a(class, "java/lang/Record") {
            let Some(component) = self.input.summary.spare else { return };
            let from = (cell, Member::Captured(0));
            self.effects.push(Effect::LoadMember { object: from.0, member: from.1, into: component });
            for method in self.methods_of(class) {
                if program.methods[method].is_constructor() {
                    self.call_exact(method, Some(object), Some(component), None);
                }
            }
        } else if self.is_a(class, "java/io/Externalizable") {
            constructor(class)
                .into_iter()
                .for_each(|constructor| self.call_exact(constructor, Some(object), None, None));
        } else {
            let above = program.superclasses(class).find(|&class| !self.is_serializable(class));
            above
                .and_then(constructor)
                .into_iter()
                .for_each(|constructor| self.call_exact(constructor, Some(object), None, None));
        }
    }

    /// An array like one that is written, with whatever is read and fits.
    fn read_array_like(&mut self, written: ObjectId) {
        let RuntimeType::Array(class) = self.heap.types.get(self.heap.get(written).ty).clone() else {
            return;
        };
        let made = self.read_object_of(class);
        let (Some(object), Some(cell), Some(element)) = (made, self.deserialized(), self.input.summary.spare)
        else {
            return;
        };
        self.effects.push(Effect::PutMember { object, into: (cell, Member::Captured(0)) });
        for cell in [Some(cell), self.deserialized_values()].into_iter().flatten() {
            self.effects.push(Effect::LoadMember {
                object: cell,
                member: Member::Captured(0),
                into: element,
            });
        }
        self.effects.push(Effect::StoreMember { object, member: Member::Element, from: element });
    }

    /// A lambda object is written as a description of it and made anew by its class when that is read.
    fn read_lambda(&mut self, procedure: ProcedureId, written: ObjectId) {
        let program = self.input.program;
        let Site::Instruction { method, inst, .. } = self.site(written) else { return };
        debug_assert!(procedure >= Procedures::of_method(method), "lambdas come after methods");
        let maker = program.declared_method(
            program.methods[method].class,
            "$deserializeLambda$".into(),
            "(Ljava/lang/invoke/SerializedLambda;)Ljava/lang/Object;".into(),
        );
        let (Some(maker), Some(cell)) = (maker, self.deserialized()) else { return };
        let described = self.read_object_of(ClassName::new("java/lang/invoke/SerializedLambda"));
        let captured = self.read_object_of(ClassName::object().array_of());
        let (Some(described), Some(captured), Some(argument)) =
            (described, captured, self.input.summary.spare)
        else {
            return;
        };
        let values = program.body(method).map_or(&[][..], |body| body.args(inst));
        for position in 0..values.len() as u32 {
            let from = (written, Member::Captured(position));
            self.effects.push(Effect::CopyMember { from, into: (captured, Member::Element) });
        }
        // Numbers are described by their boxes.
        for class in boxes_of_captured(program, method, inst) {
            if let Some(object) = self.merged(class) {
                self.effects.push(Effect::PutMember { object, into: (captured, Member::Element) });
            }
        }
        let text = self.merged("java/lang/String");
        for member in self.heap.reference_members(described) {
            let Member::Field(field) = member else { continue };
            let object = match program.fields[field].ty().and_then(|ty| ty.class()) {
                Some(class) if class.is("java/lang/String") => text,
                Some(class) if class.is_array() => Some(captured),
                _ => None,
            };
            if let Some(object) = object {
                self.effects.push(Effect::PutMember { object, into: (described, member) });
            }
        }
        self.effects.push(Effect::PutMember { object: described, into: (cell, Member::Captured(0)) });
        self.effects.push(Effect::LoadMember { object: cell, member: Member::Captured(0), into: argument });
        self.call_exact(maker, None, Some(argument), self.input.summary.spare);
        self.effects.push(Effect::StoreMember { object: cell, member: Member::Captured(0), from: argument });
    }

    /// `ObjectStreamClass.invokeReadObject(object, ..)` and its relatives: the hooks of the object's classes. They are private, so that
    /// each class has its own; those that replace the object are inherited.
    pub(super) fn run_serialization_hook(&mut self) {
        let program = self.input.program;
        let object = self.input.object;
        let Some(class) = self.heap.types.class(self.heap.get(object).ty) else { return };
        let Some(method) = self.input.method.map(|method| program.methods[method].name.to_string()) else {
            return;
        };
        let (name, descriptor, is_inherited) = match method.as_str() {
            "invokeWriteObject" => ("writeObject", "(Ljava/io/ObjectOutputStream;)V", false),
            "invokeReadObject" => ("readObject", "(Ljava/io/ObjectInputStream;)V", false),
            "invokeReadObjectNoData" => ("readObjectNoData", "()V", false),
            "invokeWriteReplace" => ("writeReplace", "()Ljava/lang/Object;", true),
            "invokeReadResolve" => ("readResolve", "()Ljava/lang/Object;", true),
            _ => return,
        };
        if !self.is_serializable(class) || self.is_value(class) {
            return;
        }
        let declared: Vec<MethodId> = program
            .superclasses(class)
            .filter_map(|class| program.declared_method(class, name.into(), descriptor.into()))
            .filter(|&method| !program.methods[method].is_static() && program.methods[method].has_code())
            .collect();
        let count = if is_inherited { 1 } else { declared.len() };
        let stream = self.parameter(self.first_argument() + 1);
        for hook in declared.into_iter().take(count) {
            let result = is_inherited.then_some(self.input.summary.result).flatten();
            self.effects.push(Effect::Call {
                procedure: Procedures::of_method(hook),
                receiver: Some(object),
                arguments: if is_inherited { Vec::new() } else { vec![stream] },
                result,
            });
        }
    }
}

/// The classes that the numbers which a lambda captures are boxed into.
fn boxes_of_captured(program: &Program, method: MethodId, inst: Inst) -> Vec<&'static str> {
    let Some(body) = program.body(method) else { return Vec::new() };
    let Op::InvokeDynamic(site) = body.insts[inst].op else { return Vec::new() };
    let parsed = MethodDescriptor::parse(body.call_sites[site].descriptor.as_bytes());
    parsed.map_or_else(|_| Vec::new(), |captured| captured.params().filter_map(box_class).collect())
}
