//! Core reflection: classes by name, constructors, methods, fields, proxies.
//!
//! What is followed: constant names, class literals, and the class objects, `Method`, `Constructor` and `Field` objects that come
//! from them. Where the class is not known, one object stands for all such members; what the application makes through
//! it is bounded by the casts of the result (see `bounds`), what it calls through it by the receiver and by the name,
//! where that is constant. What stays open is listed as an assumption.

use selvedge_base::Symbol;
use selvedge_ir::ClassName;
use selvedge_world::{ClassId, FieldId, MethodId};

use super::super::{Effect, SlotCallee};
use super::RuleRun;
use crate::heap::{ObjectId, ProxyInterfaces, RuntimeType, Site};
use crate::summary::{Member, Statement};

/// How many parameters a method that is called reflectively without being known may have.
const MOST_PARAMETERS: usize = 16;

impl RuleRun<'_, '_, '_> {
    /// `Class.forName`, `ClassLoader.loadClass`: the class that the string names.
    pub(super) fn class_for_name(&mut self) {
        let program = self.input.program;
        let name = match self.site(self.input.object) {
            Site::Literal(text) => Some(text),
            _ => self.constant_string(),
        };
        let class = name.and_then(|name| crate::names::class_with_java_name(program, name));
        let object = match class {
            Some(class) => {
                self.variants_of_bundle(class);
                self.effects.push(Effect::Initialize(class));
                self.class_object(program.classes[class].name)
            }
            None => {
                if self.input.from_application {
                    let place = self.describe_caller();
                    self.library.assume(format!(
                        "classes loaded by a computed name, by {place}, are among those that string constants and \
                         resources of the application name, and those that their objects are cast to"
                    ));
                    self.classes_named_in_resources();
                }
                self.merged("java/lang/Class")
            }
        };
        if let Some(object) = object {
            self.put(object);
        }
    }

    /// Gives the class objects of the variants of a resource bundle for languages: to its name the JDK adds that of the language.
    fn variants_of_bundle(&mut self, class: ClassId) {
        let program = self.input.program;
        let bundle = program.class_named(ClassName::new("java/util/ResourceBundle"));
        let Some(bundle) = bundle.filter(|&bundle| program.is_subclass(class, bundle)) else { return };
        let prefix = format!("{}_", program.classes[class].name);
        for &variant in program.subtypes(bundle) {
            let name = program.classes[variant].name;
            if name.as_bytes().starts_with(prefix.as_bytes()) {
                self.effects.push(Effect::Initialize(variant));
                if let Some(object) = self.class_object(name) {
                    self.put(object);
                }
            }
        }
    }

    /// Gives the class objects of the application's classes that its resources name.
    fn classes_named_in_resources(&mut self) {
        let program = self.input.program;
        for &class in program.classes_in_resources() {
            self.effects.push(Effect::Initialize(class));
            if let Some(object) = self.class_object(program.classes[class].name) {
                self.put(object);
            }
        }
    }

    /// The class that the arrived class object, or a constant receiver, stands for.
    fn known_class(&self) -> Option<ClassId> {
        let class = self.class_of_object(self.input.object).or_else(|| self.constant_class(0));
        class.and_then(|class| self.input.program.class_named(class))
    }

    /// The same; lists an assumption if it is unknown.
    fn reflected_class(&mut self, what: &str) -> Option<ClassId> {
        let found = self.known_class();
        if found.is_none() && self.input.from_application {
            let place = self.describe_caller();
            self.library.assume(format!(
                "{what} of a class that is not known, by {place}, reach no code of the program"
            ));
        }
        found
    }

    /// `Class.newInstance`, and `Unsafe.allocateInstance`, which runs no constructor.
    pub(super) fn class_new_instance(&mut self, run_constructor: bool) {
        let Some(class) = self.known_class() else {
            if run_constructor {
                self.construct_by_casts(true, None);
            }
            return;
        };
        let name = self.input.program.classes[class].name;
        if run_constructor {
            self.construct(name, true, None);
        } else if let Some(ty) = self.heap.types.named(name) {
            let object = self.allocate(ty);
            self.put(object);
        }
    }

    fn returns_array(&self) -> bool {
        self.input.method.is_some_and(|method| {
            let descriptor = self.input.program.methods[method].descriptor.as_bytes();
            descriptor.windows(2).any(|pair| pair == b")[")
        })
    }

    /// Hands out reflective objects: one, or an array of them where the method returns one.
    fn put_handles(&mut self, array: &str, handles: Vec<ObjectId>) {
        if !self.returns_array() {
            handles.into_iter().for_each(|handle| self.put(handle));
            return;
        }
        let Some(ty) = self.heap.types.named(ClassName::new(array)) else { return };
        let object = self.allocate(ty);
        self.put(object);
        for handle in handles {
            self.effects.push(Effect::PutMember { object: handle, into: (object, Member::Element) });
        }
    }

    fn method_handles(&mut self, class: &str, methods: Vec<MethodId>) -> Vec<ObjectId> {
        let Some(ty) = self.heap.types.named(ClassName::new(class)) else { return Vec::new() };
        let handle = |method| {
            let site = self.heap.site(Site::MethodHandle(method, ty), ty);
            self.heap.object(site, crate::context::Contexts::EMPTY)
        };
        methods.into_iter().map(handle).collect()
    }

    /// One object of a reflective class for all that is not known.
    fn put_unknown(&mut self, class: &str, array: &str) {
        let handles = self.merged(class).into_iter().collect();
        self.put_handles(array, handles);
    }

    /// `Class.getConstructor` and its relatives.
    pub(super) fn find_constructors(&mut self) {
        let Some(class) = self.known_class() else {
            self.put_unknown("java/lang/reflect/Constructor", "[Ljava/lang/reflect/Constructor;");
            return;
        };
        let methods = self.methods_of(class);
        let constructors = methods
            .into_iter()
            .filter(|&m| {
                let data = &self.input.program.methods[m];
                data.is_constructor() && self.is_visible(data.flags)
            })
            .collect();
        let handles = self.method_handles("java/lang/reflect/Constructor", constructors);
        self.put_handles("[Ljava/lang/reflect/Constructor;", handles);
    }

    /// Whether a member of this name is asked for: by constant name, or by any where there is none.
    fn is_asked_for(&self, name: Symbol) -> bool {
        self.returns_array() || self.constant_string().is_none_or(|wanted| wanted == name)
    }

    /// Whether the members of a class are distinguished: where they are asked for by name, and where the class is the
    /// application's. Who lists the members of a library class wants its annotations or properties; all of them are one then.
    fn lists_members_of(&self, class: ClassId) -> bool {
        let by_name = !self.returns_array() && self.constant_string().is_some();
        by_name
            || !self.heap.coarsening.is_total() && crate::context::is_application(self.input.program, class)
    }

    /// Whether the called method finds what is declared in the class itself, be it private, and not what is inherited.
    fn wants_declared(&self) -> bool {
        let name = self.input.method.and_then(|method| self.input.program.methods[method].name.as_str());
        name.is_some_and(|name| name.contains("Declared"))
    }

    /// The classes in which the called method looks for members of a class.
    fn classes_looked_through(&self, class: ClassId) -> Vec<ClassId> {
        let program = self.input.program;
        match self.wants_declared() {
            true => vec![class],
            false => {
                program.superclasses(class).chain(program.all_interfaces(class).iter().copied()).collect()
            }
        }
    }

    /// Whether the called method finds members with these flags.
    fn is_visible(&self, flags: u16) -> bool {
        self.wants_declared() || flags & selvedge_classfile::access::PUBLIC != 0
    }

    /// `Class.getMethod` and its relatives.
    pub(super) fn find_methods(&mut self) {
        const METHOD: &str = "java/lang/reflect/Method";
        const METHODS: &str = "[Ljava/lang/reflect/Method;";
        let program = self.input.program;
        let Some(class) = self.reflected_class("methods") else {
            match (self.constant_string(), self.heap.types.named(ClassName::new(METHOD))) {
                (Some(name), Some(ty)) if self.input.from_application && !self.returns_array() => {
                    let site = self.heap.site(Site::MethodNamed(name, ty), ty);
                    let object = self.heap.object(site, crate::context::Contexts::EMPTY);
                    self.put(object);
                }
                _ => self.put_unknown(METHOD, METHODS),
            }
            return;
        };
        if !self.lists_members_of(class) {
            return self.put_unknown(METHOD, METHODS);
        }
        let mut methods = Vec::new();
        for class in self.classes_looked_through(class) {
            methods.extend(self.methods_of(class).into_iter().filter(|&method| {
                let data = &program.methods[method];
                !data.is_constructor()
                    && !data.is_class_initializer()
                    && self.is_asked_for(data.name)
                    && self.is_visible(data.flags)
                    && self.lists_members_of(data.class)
            }));
        }
        let handles = self.method_handles(METHOD, methods);
        self.put_handles(METHODS, handles);
    }

    /// `Class.getField` and its relatives.
    pub(super) fn find_fields(&mut self) {
        const FIELD: &str = "java/lang/reflect/Field";
        const FIELDS: &str = "[Ljava/lang/reflect/Field;";
        let program = self.input.program;
        match self.reflected_class("fields") {
            Some(class) if self.lists_members_of(class) => {
                let classes = self.classes_looked_through(class).into_iter();
                let fields = classes.flat_map(|class| program.classes[class].fields.iter());
                let fields = fields.filter(|&field| {
                    let data = &program.fields[field];
                    self.is_asked_for(data.name) && self.is_visible(data.flags)
                });
                let fields = fields.collect();
                let handles = self.field_handles(FIELD, fields);
                self.put_handles(FIELDS, handles);
            }
            _ => self.put_unknown(FIELD, FIELDS),
        }
    }

    pub(super) fn fields_named(&self, class: ClassId, name: Symbol) -> Vec<FieldId> {
        let program = self.input.program;
        let fields = program.superclasses(class).flat_map(|class| program.classes[class].fields.iter());
        fields.filter(|&field| program.fields[field].name == name).collect()
    }

    pub(super) fn field_handles(&mut self, class: &str, fields: Vec<FieldId>) -> Vec<ObjectId> {
        let Some(ty) = self.heap.types.named(ClassName::new(class)) else { return Vec::new() };
        let handle = |field| {
            let site = self.heap.site(Site::FieldHandle(field, ty), ty);
            self.heap.object(site, crate::context::Contexts::EMPTY)
        };
        fields.into_iter().map(handle).collect()
    }

    /// `Constructor.newInstance(Object[])`.
    pub(super) fn constructor_new_instance(&mut self) {
        let elements = self.elements_of_parameter(1);
        let Site::MethodHandle(method, _) = self.site(self.input.object) else {
            return self.construct_by_casts(false, elements);
        };
        let class = self.input.program.methods[method].class;
        if self.input.program.classes[class].is_abstract() {
            return;
        }
        if let Some(ty) = self.heap.types.named(self.input.program.classes[class].name) {
            let object = self.allocate(ty);
            self.put(object);
            self.effects.push(Effect::Initialize(class));
            self.call_exact(method, Some(object), elements, None);
        }
    }

    /// A slot that gets the elements of the array at a parameter. The rule's method has one spare slot for it.
    fn elements_of_parameter(&mut self, position: usize) -> Option<crate::summary::Slot> {
        let base = self.parameter(position)?;
        let into = self.input.summary.spare?;
        self.effects.push(Effect::Add(Statement::Load { into, base, member: Member::Element }));
        Some(into)
    }

    /// `Method.invoke(receiver, Object[])`.
    pub(super) fn invoke_method(&mut self) {
        let program = self.input.program;
        let elements = self.elements_of_parameter(2);
        let result = self.input.summary.result;
        let (callee, count) = match self.site(self.input.object) {
            Site::MethodHandle(method, _) => {
                self.effects.push(Effect::Initialize(program.methods[method].class));
                if program.methods[method].is_static() {
                    return self.call_exact(method, None, elements, result);
                }
                (SlotCallee::Virtual(method), program.methods[method].parameter_types().len())
            }
            Site::MethodNamed(name, _) => (SlotCallee::Named(name), MOST_PARAMETERS),
            _ if self.input.from_application => {
                let place = self.describe_caller();
                self.library.assume(format!(
                    "methods that are not known, called by {place}, are public methods of the receivers' classes, or \
                     reach no code of the program"
                ));
                (SlotCallee::Any(self.argument_array_length(2)), MOST_PARAMETERS)
            }
            _ => return,
        };
        if let Some(receivers) = self.parameter(1) {
            let arguments = vec![elements; count];
            self.effects.push(Effect::CallOnSlot { callee, receivers, arguments, result });
        }
    }

    /// `InvocationHandler.invokeDefault(proxy, method, Object[])`: the interface's own default method, whatever the proxy
    /// makes of it.
    pub(super) fn invoke_default_method(&mut self) {
        let Site::MethodHandle(method, _) = self.site(self.input.object) else { return };
        let elements = self.elements_of_parameter(2);
        if let Some(receivers) = self.parameter(0) {
            let arguments = vec![elements; self.input.program.methods[method].parameter_types().len()];
            let result = self.input.summary.result;
            self.effects.push(Effect::CallOnSlot {
                callee: SlotCallee::Exact(method),
                receivers,
                arguments,
                result,
            });
        }
    }

    /// `Field.get(object)`.
    pub(super) fn read_field(&mut self) {
        let Site::FieldHandle(field, _) = self.site(self.input.object) else { return };
        let Some(into) = self.input.summary.result else { return };
        if self.input.program.fields[field].is_static() {
            self.effects.push(Effect::Add(Statement::LoadStatic { into, field }));
        } else if let Some(base) = self.parameter(1) {
            self.effects.push(Effect::Add(Statement::Load { into, base, member: Member::Field(field) }));
        }
    }

    /// `Field.set(object, value)`.
    pub(super) fn write_field(&mut self) {
        let Site::FieldHandle(field, _) = self.site(self.input.object) else { return };
        let Some(from) = self.parameter(2) else { return };
        if self.input.program.fields[field].is_static() {
            self.effects.push(Effect::Add(Statement::StoreStatic { field, from }));
        } else if let Some(base) = self.parameter(1) {
            self.effects.push(Effect::Add(Statement::Store { base, member: Member::Field(field), from }));
        }
    }

    /// `Class.getEnumConstants`, `Enum.valueOf`: what the class's `values()` returns, or an element of it.
    pub(super) fn enum_constants(&mut self) {
        let Some(class) = self.reflected_class("enum constants") else { return };
        let program = self.input.program;
        let Some(into) = self.input.summary.result else { return };
        self.effects.push(Effect::Initialize(class));
        let values = program.classes[class].methods.iter().find(|&method| {
            let data = &program.methods[method];
            data.is_static() && data.name.is("values") && data.descriptor.as_bytes().starts_with(b"()[")
        });
        let Some(values) = values else { return };
        if self.returns_array() {
            self.call_exact(values, None, None, Some(into));
        } else if let Some(array) = self.input.summary.spare {
            self.call_exact(values, None, None, Some(array));
            self.effects.push(Effect::Add(Statement::Load { into, base: array, member: Member::Element }));
        }
    }

    /// `Proxy.newProxyInstance`: an object that implements the interface whose class object arrived, and hands all calls to
    /// the handler. Where the JDK makes proxies of classes that are not known, they are annotations.
    pub(super) fn new_proxy(&mut self) {
        let program = self.input.program;
        let is_interface =
            |class| program.class_named(class).is_some_and(|class| program.classes[class].is_interface());
        let interfaces = match self.class_of_object(self.input.object) {
            Some(class) if is_interface(class) => ProxyInterfaces::One(class),
            // Proxies of anything else are refused.
            Some(_) => return,
            None if self.input.from_application => ProxyInterfaces::Any,
            None => ProxyInterfaces::Annotation,
        };
        let ty = self.heap.types.intern(RuntimeType::Proxy(interfaces));
        let object = self.allocate(ty);
        self.put(object);
        if let Some(from) = self.parameter(self.first_argument() + 2) {
            self.effects.push(Effect::StoreMember { object, member: Member::Captured(0), from });
            // `Proxy.getInvocationHandler` is code that reads it where real proxies keep it.
            let proxy = self.input.program.class_named(ClassName::new("java/lang/reflect/Proxy"));
            for field in proxy.map_or_else(Vec::new, |class| self.fields_named(class, "h".into())) {
                self.effects.push(Effect::StoreMember { object, member: Member::Field(field), from });
            }
        }
    }
}
