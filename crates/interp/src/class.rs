//! Classes at run time: layout of instances, static fields, initialisation state, mirrors, subtyping.

use selvedge_ir::{ClassName, FieldRef};
use selvedge_world::{ClassId, FieldId, MethodId};

use crate::machine::{Exec, Machine, Raise};
use crate::method::RtMethodId;
use crate::observer::ThreadId;
use crate::value::{ObjRef, Value};
use selvedge_base::{Symbol, entity};

entity! {
    /// A class of the running program: declared, array, primitive or made for a lambda.
    RtClassId "rc";
}

/// What stands behind a class.
#[derive(Debug)]
pub(crate) enum ClassKind {
    /// A class or interface of the program.
    Declared(ClassId),
    /// Arrays of this component.
    Array(RtClassId),
    /// `int` and its siblings, and `void`.
    Primitive,
    /// What a lambda expression makes.
    Lambda(LambdaClass),
}

/// The class of the objects that one lambda expression makes.
#[derive(Debug)]
pub(crate) struct LambdaClass {
    pub interfaces: Vec<ClassId>,
    /// The interface's method's name, and for each descriptor under which it can be called what runs. It gets the
    /// captured values in place of the receiver.
    pub method: Symbol,
    pub adapters: Vec<(Symbol, RtMethodId)>,
}

/// How far initialisation is (JVM specification 5.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InitState {
    Untouched,
    Running(ThreadId),
    Done,
    Failed,
}

/// A class at run time.
#[derive(Debug)]
pub(crate) struct RtClass {
    /// Internal name; for a primitive type its keyword.
    pub name: ClassName,
    pub kind: ClassKind,
    pub superclass: Option<RtClassId>,
    /// The fields of a fresh instance, inherited ones first.
    pub template: Box<[Value]>,
    pub statics: Vec<Value>,
    pub init: InitState,
    /// Its `java.lang.Class`.
    pub mirror: Option<ObjRef>,
    /// Its arrays, once one was asked for.
    pub array: Option<RtClassId>,
}

/// The primitive types with their descriptors.
pub(crate) const PRIMITIVES: [(&str, u8); 9] = [
    ("boolean", b'Z'),
    ("byte", b'B'),
    ("char", b'C'),
    ("short", b'S'),
    ("int", b'I'),
    ("long", b'J'),
    ("float", b'F'),
    ("double", b'D'),
    ("void", b'V'),
];

/// The element descriptor of an array class's name: `I` for `[I`.
pub(crate) fn element_of(name: ClassName) -> &'static [u8] {
    name.element_descriptor().unwrap_or(b"")
}

impl Machine<'_> {
    pub(crate) fn class(&self, class: RtClassId) -> &RtClass {
        &self.classes[class]
    }

    /// The class of an object.
    pub(crate) fn class_of(&self, object: ObjRef) -> RtClassId {
        self.heap.get(object).class
    }

    /// The declared class behind a class; for arrays and lambdas `java/lang/Object`.
    pub(crate) fn declared(&self, class: RtClassId) -> ClassId {
        match self.classes[class].kind {
            ClassKind::Declared(id) => id,
            _ => self.program.object(),
        }
    }

    /// Loads a class by internal name or array descriptor.
    pub(crate) fn load(&mut self, name: ClassName) -> Exec<RtClassId> {
        if let Some(&class) = self.classes_by_name.get(&name) {
            return Ok(class);
        }
        if let Some(element) = name.element_descriptor() {
            let component = self.load_descriptor(element)?;
            return Ok(self.array_class(component));
        }
        match self.program.class_named(name) {
            Some(id) if !self.program.classes[id].is_phantom() => self.load_declared(id),
            _ => Err(Raise::new("java/lang/NoClassDefFoundError", name.to_string())),
        }
    }

    pub(crate) fn load_str(&mut self, name: &str) -> Exec<RtClassId> {
        self.load(ClassName::new(name))
    }

    /// The class of a field descriptor, primitive or not.
    pub(crate) fn load_descriptor(&mut self, descriptor: &[u8]) -> Exec<RtClassId> {
        if let Some((name, _)) = PRIMITIVES.iter().find(|(_, letter)| descriptor == [*letter]) {
            return Ok(self.primitive_class(name));
        }
        let name = ClassName::of_descriptor(descriptor)
            .ok_or_else(|| Raise::fatal(format!("malformed descriptor {}", descriptor.escape_ascii())))?;
        self.load(name)
    }

    /// The class of a primitive type by its keyword.
    pub(crate) fn primitive_class(&mut self, keyword: &str) -> RtClassId {
        // Keywords are not class names, so that no class of the program can be meant.
        let name = ClassName::new([b"primitive ", keyword.as_bytes()].concat());
        if let Some(&class) = self.classes_by_name.get(&name) {
            return class;
        }
        let class = self.add_class(ClassName::new(keyword), ClassKind::Primitive, None);
        self.classes_by_name.insert(name, class);
        class
    }

    /// The class of arrays with this component.
    pub(crate) fn array_class(&mut self, component: RtClassId) -> RtClassId {
        if let Some(array) = self.classes[component].array {
            return array;
        }
        let element = self.classes[component].name;
        let name = match self.classes[component].kind {
            ClassKind::Primitive => {
                let letter = PRIMITIVES.iter().find(|(keyword, _)| element.is(keyword)).map_or(b'V', |p| p.1);
                ClassName::new([b'[', letter])
            }
            _ => element.array_of(),
        };
        let object = self.known.object;
        let class = self.add_class(name, ClassKind::Array(component), Some(object));
        self.classes[component].array = Some(class);
        self.classes_by_name.insert(name, class);
        class
    }

    fn add_class(&mut self, name: ClassName, kind: ClassKind, superclass: Option<RtClassId>) -> RtClassId {
        self.classes.push(RtClass {
            name,
            kind,
            superclass,
            template: Box::default(),
            statics: Vec::new(),
            init: InitState::Done,
            mirror: None,
            array: None,
        })
    }

    /// Makes the class of a lambda's objects.
    pub(crate) fn add_lambda_class(&mut self, host: ClassName, lambda: LambdaClass) -> RtClassId {
        let number = self.classes.len();
        let name = ClassName::new(format!("{host}$$Lambda${number}"));
        let object = self.known.object;
        self.add_class(name, ClassKind::Lambda(lambda), Some(object))
    }

    pub(crate) fn load_declared(&mut self, id: ClassId) -> Exec<RtClassId> {
        let declared = &self.program.classes[id];
        if let Some(&class) = self.classes_by_name.get(&declared.name) {
            return Ok(class);
        }
        let superclass = match declared.superclass {
            Some(superclass) => Some(self.load_declared(superclass)?),
            None => None,
        };
        let class = self.add_class(declared.name, ClassKind::Declared(id), superclass);
        self.classes_by_name.insert(declared.name, class);
        let inherited = superclass.map_or(&[][..], |superclass| &self.classes[superclass].template);
        let mut template = inherited.to_vec();
        let mut statics = Vec::new();
        let constants = self.constant_values(id);
        for (position, field) in declared.fields.iter().enumerate() {
            let data = &self.program.fields[field];
            let default = Value::default_of(data.descriptor.as_bytes());
            if !data.is_static() {
                self.field_slots[field] = template.len() as u32;
                template.push(default);
                continue;
            }
            self.field_slots[field] = statics.len() as u32;
            statics.push(match constants.get(position) {
                Some(FieldConstant::Value(value)) => *value,
                Some(FieldConstant::Text(text)) => self.intern_symbol(*text)?.into(),
                _ => default,
            });
        }
        let data = &mut self.classes[class];
        data.template = template.into();
        data.statics = statics;
        data.init = InitState::Untouched;
        Ok(class)
    }

    /// The `ConstantValue` attributes of a class's fields, in their order.
    fn constant_values(&self, class: ClassId) -> Vec<FieldConstant> {
        let Some(file) = self.program.class_file(class) else { return Vec::new() };
        let constant = |field: &selvedge_classfile::Member<'_>| {
            use selvedge_classfile::Constant;
            let index: [u8; 2] = field.attribute(b"ConstantValue")?.try_into().ok()?;
            Some(match file.pool.get(u16::from_be_bytes(index)).ok()? {
                Constant::Integer(value) => FieldConstant::Value(Value::Int(value)),
                Constant::Float(value) => FieldConstant::Value(Value::Float(value)),
                Constant::Long(value) => FieldConstant::Value(Value::Long(value)),
                Constant::Double(value) => FieldConstant::Value(Value::Double(value)),
                Constant::String(text) => FieldConstant::Text(Symbol::new(text)),
                _ => return None,
            })
        };
        file.fields.iter().map(|field| constant(field).unwrap_or(FieldConstant::None)).collect()
    }

    /// Whether every instance of `class` is one of `ancestor`.
    pub(crate) fn is_subtype(&self, class: RtClassId, ancestor: RtClassId) -> bool {
        if class == ancestor {
            return true;
        }
        match (&self.classes[class].kind, &self.classes[ancestor].kind) {
            (ClassKind::Declared(class), ClassKind::Declared(ancestor)) => {
                self.program.is_subclass(*class, *ancestor)
            }
            (ClassKind::Array(class), ClassKind::Array(ancestor)) => self.is_subtype(*class, *ancestor),
            (ClassKind::Array(_), ClassKind::Declared(_)) => {
                let name = self.classes[ancestor].name;
                name.is("java/lang/Object")
                    || name.is("java/lang/Cloneable")
                    || name.is("java/io/Serializable")
            }
            (ClassKind::Lambda(lambda), ClassKind::Declared(ancestor)) => {
                *ancestor == self.program.object()
                    || lambda.interfaces.iter().any(|&each| self.program.is_subclass(each, *ancestor))
            }
            _ => false,
        }
    }

    pub(crate) fn is_instance(&self, object: ObjRef, class: RtClassId) -> bool {
        self.is_subtype(self.class_of(object), class)
    }

    /// The `java.lang.Class` of a class.
    pub(crate) fn mirror(&mut self, class: RtClassId) -> Exec<ObjRef> {
        if let Some(mirror) = self.classes[class].mirror {
            return Ok(mirror);
        }
        let class_class = self.load_str("java/lang/Class")?;
        let mirror = self.new_instance(class_class)?;
        self.heap.get_mut(mirror).mirrored = Some(class);
        self.classes[class].mirror = Some(mirror);
        if let ClassKind::Array(component) = self.classes[class].kind {
            let component = self.mirror(component)?;
            self.set_field_named(mirror, "componentType", component.into())?;
        }
        Ok(mirror)
    }

    /// The class that a `java.lang.Class` stands for.
    pub(crate) fn mirrored(&self, mirror: ObjRef) -> Exec<RtClassId> {
        let class = self.heap.get(mirror).mirrored;
        class.ok_or_else(|| Raise::fatal("a java.lang.Class was made other than by the machine"))
    }

    /// The slot of an instance field by its name, in the class or a superclass.
    pub(crate) fn slot_named(&self, class: RtClassId, name: &str) -> Exec<(FieldId, usize)> {
        let declared = self.declared(class);
        for class in self.program.superclasses(declared) {
            for field in self.program.classes[class].fields.iter() {
                let data = &self.program.fields[field];
                if !data.is_static() && data.name.is(name) {
                    return Ok((field, self.field_slots[field] as usize));
                }
            }
        }
        Err(Raise::fatal(format!("{} has no field {name}", self.classes[class].name)))
    }

    pub(crate) fn field_named(&self, object: ObjRef, name: &str) -> Exec<Value> {
        let (_, slot) = self.slot_named(self.class_of(object), name)?;
        Ok(self.heap.get(object).payload.get(slot).unwrap_or(Value::NULL))
    }

    pub(crate) fn set_field_named(&mut self, object: ObjRef, name: &str, value: Value) -> Exec<()> {
        let (_, slot) = self.slot_named(self.class_of(object), name)?;
        self.heap.get_mut(object).payload.set(slot, value);
        Ok(())
    }

    /// A static field by its name, with its place.
    pub(crate) fn static_named(&mut self, class: RtClassId, name: &str) -> Exec<&mut Value> {
        let declared = self.declared(class);
        let fields = self.program.classes[declared].fields;
        let field = fields.iter().find(|&field| {
            let data = &self.program.fields[field];
            data.is_static() && data.name.is(name)
        });
        let slot = field.map(|field| self.field_slots[field] as usize);
        let missing = format!("{} has no static field {name}", self.classes[class].name);
        slot.and_then(|slot| self.classes[class].statics.get_mut(slot)).ok_or_else(|| Raise::fatal(missing))
    }

    /// The field a reference means.
    pub(crate) fn resolve_field(&self, field: &FieldRef) -> Exec<FieldId> {
        self.program
            .resolve_field(field)
            .map_err(|error| Raise::new("java/lang/NoSuchFieldError", error.to_string()))
    }

    /// Whether an interface has a method with a body, so that initialising an implementor initialises it.
    pub(crate) fn has_default_methods(&self, interface: ClassId) -> bool {
        let program = self.program;
        let is_default = |id: MethodId| program.methods[id].has_code() && !program.methods[id].is_static();
        program.classes[interface].methods.iter().any(is_default)
    }
}

enum FieldConstant {
    None,
    Value(Value),
    Text(Symbol),
}
