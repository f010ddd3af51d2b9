//! Values that a client can write down: expressions of Java for every type that it can make.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_base::{FastMap, FastSet};
use selvedge_classfile::{FieldType, MethodDescriptor, PrimitiveType, access};
use selvedge_ir::ClassName;

use crate::client::ClientView;
use crate::harness::usual_class;
use crate::names::package;
use crate::program::{ClassId, Method, MethodId, Program};

/// Arguments of arguments are made at most so deep.
const DEEPEST: usize = 4;

/// At most so many ways to make an object are compared.
const MOST_WAYS: usize = 24;

/// What null costs: it is passed where nothing else can be made.
const NULL: u32 = 40;

/// More than this need no object cost to be a rich one.
const RICH: u32 = 16;

/// An expression, and how much of a detour it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) cost: u32,
}

impl Value {
    fn new(text: impl Into<String>, cost: u32) -> Value {
        Value { text: text.into(), cost }
    }
}

/// Makes expressions, and remembers what they need: imports, and the helper that implements interfaces.
pub(super) struct Values<'p> {
    pub(super) program: &'p Program,
    pub(super) view: ClientView<'p>,
    /// Top-level classes by their simple names.
    simple: BTreeMap<String, String>,
    known: FastMap<ClassId, Option<Value>>,
    making: FastSet<ClassId>,
}

impl<'p> Values<'p> {
    pub(super) fn new(program: &'p Program) -> Values<'p> {
        Values {
            program,
            view: ClientView::new(program),
            simple: BTreeMap::new(),
            known: FastMap::default(),
            making: FastSet::default(),
        }
    }

    /// What to import for the classes that a text names.
    pub(super) fn imports(&self, text: &str) -> BTreeSet<String> {
        let names = |simple: &str| {
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
            text.match_indices(simple).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                let after = text[at + simple.len()..].chars().next();
                !before.is_some_and(|c| is_part(c) || c == '.') && !after.is_some_and(is_part)
            })
        };
        let wanted = self.simple.iter().filter(|(simple, full)| {
            let package = full.strip_suffix(simple.as_str()).unwrap_or_default();
            !matches!(package, "java.lang." | "") && names(simple)
        });
        wanted.map(|(_, full)| full.clone()).collect()
    }

    /// A class's name in the source: without its package, unless another class has that name.
    pub(super) fn name(&mut self, class: ClassId) -> Option<String> {
        let full = self.view.class(class)?.name.clone();
        let package = String::from_utf8_lossy(package(self.program.classes[class].name)).replace('/', ".");
        let local = full.strip_prefix(&package).map_or(full.as_str(), |rest| rest.trim_start_matches('.'));
        let top = local.split('.').next().unwrap_or(local);
        let top_full = if package.is_empty() { top.to_owned() } else { format!("{package}.{top}") };
        let taken = self.simple.entry(top.to_owned()).or_insert_with(|| top_full.clone());
        Some(if *taken == top_full { local.to_owned() } else { full.clone() })
    }

    /// The type's name in the source.
    fn type_name(&mut self, ty: FieldType<'_>) -> Option<String> {
        Some(match ty {
            FieldType::Primitive(primitive) => primitive.name().to_owned(),
            FieldType::Class(name) => {
                let class = self.program.class_named(ClassName::new(name))?;
                self.name(class)?
            }
            FieldType::Array(array) => {
                self.type_name(array.element())? + &"[]".repeat(usize::from(array.dims()))
            }
        })
    }

    /// An argument of this type; null where nothing can be made.
    pub(super) fn argument(&mut self, ty: FieldType<'_>, depth: usize) -> Option<Value> {
        if let Some(value) = self.of_type(ty, depth) {
            return Some(value);
        }
        let name = self.type_name(ty)?;
        Some(Value::new(format!("({name}) null"), NULL))
    }

    fn of_type(&mut self, ty: FieldType<'_>, depth: usize) -> Option<Value> {
        Some(match ty {
            FieldType::Primitive(primitive) => Value::new(primitive_value(primitive), 0),
            FieldType::Class(b"java/lang/String") => Value::new("\"a\"", 0),
            FieldType::Class(b"java/lang/Object") => Value::new("new Object()", 0),
            FieldType::Class(b"java/lang/Class") => Value::new("Object.class", 1),
            FieldType::Class(name) => {
                let boxed = [
                    ("java/lang/Integer", "1"),
                    ("java/lang/Long", "1L"),
                    ("java/lang/Boolean", "true"),
                    ("java/lang/Double", "1.0"),
                    ("java/lang/Number", "1"),
                    ("java/lang/CharSequence", "\"a\""),
                    ("java/lang/Comparable", "\"a\""),
                    ("java/io/Serializable", "\"a\""),
                ];
                match boxed.iter().find(|(boxed, _)| boxed.as_bytes() == name) {
                    Some((_, text)) => Value::new(*text, 0),
                    None => {
                        let class = self.program.class_named(ClassName::new(name))?;
                        self.object(class, depth)?
                    }
                }
            }
            FieldType::Array(array) => {
                let element = array.component();
                let name = self.type_name(ty)?;
                match element {
                    FieldType::Primitive(PrimitiveType::Boolean) => {
                        Value::new("new boolean[] {true, false}", 1)
                    }
                    FieldType::Primitive(_) => Value::new(format!("new {name} {{1, 2, 3}}"), 1),
                    _ => {
                        let value = self.of_type(element, depth + 1)?;
                        Value::new(format!("new {name} {{{}}}", value.text), value.cost + 1)
                    }
                }
            }
        })
    }

    /// An object of this class or of one below it.
    pub(super) fn object(&mut self, class: ClassId, depth: usize) -> Option<Value> {
        if let Some(known) = self.known.get(&class) {
            return known.clone();
        }
        if depth > DEEPEST || !self.making.insert(class) {
            return None;
        }
        let made = self.make(class, depth);
        self.making.remove(&class);
        // What was made in the middle of something else may have lacked what that is.
        if self.making.is_empty() || made.is_some() {
            self.known.insert(class, made.clone());
        }
        made
    }

    fn make(&mut self, class: ClassId, depth: usize) -> Option<Value> {
        let program = self.program;
        let mut best: Option<Value> = None;
        let mut better = |value: Option<Value>| {
            if let Some(value) = value
                && best.as_ref().is_none_or(|best| value.cost < best.cost)
            {
                best = Some(value);
            }
        };
        better(self.constant(class));
        let declared = &program.classes[class];
        for method in declared.methods.iter().take(200) {
            let method = &program.methods[method];
            if method.is_constructor() && !declared.is_abstract() {
                better(self.construction(class, method, depth));
            } else if method.is_static() && returns(method, declared.name) {
                better(self.call_of(class, method, depth).map(|it| Value { cost: it.cost + 2, ..it }));
            }
        }
        if let Some(usual) = usual_class(declared.name).and_then(|usual| program.class_named(usual))
            && usual != class
        {
            better(self.object(usual, depth));
        }
        if declared.is_abstract() {
            let below = program.subtypes(class).iter().copied().filter(|&below| below != class);
            let below: Vec<ClassId> =
                below.filter(|&below| !program.classes[below].is_abstract()).take(MOST_WAYS).collect();
            for below in below {
                better(self.object(below, depth + 1).map(|it| Value { cost: it.cost + 1, ..it }));
            }
        }
        if declared.is_interface() && self.view.class(class).is_some_and(|seen| !seen.is_sealed) {
            let name = self.name(class)?;
            better(Some(Value::new(format!("any({name}.class)"), 4)));
        }
        best
    }

    /// The same with a constructor that takes more than the simplest one, and gets all of it: such an object does more.
    pub(super) fn rich_object(&mut self, class: ClassId) -> Option<Value> {
        let program = self.program;
        let simple = self.object(class, 0)?;
        let concrete = if program.classes[class].is_abstract() {
            let mut below = program.subtypes(class).iter().copied();
            below.find(|&below| !program.classes[below].is_abstract() && self.view.class(below).is_some())?
        } else {
            class
        };
        let methods = program.classes[concrete].methods.iter().map(|id| &program.methods[id]);
        let constructors: Vec<&Method> = methods.filter(|method| method.is_constructor()).take(50).collect();
        let made = constructors.into_iter().filter_map(|method| self.construction(concrete, method, 0));
        let made: Vec<Value> = made.filter(|made| made.cost < NULL && made.text != simple.text).collect();
        made.into_iter().max_by_key(|made| (made.text.contains("any("), made.cost.min(RICH), made.text.len()))
    }

    /// A constant of the class that holds one of its objects: of an enum, or a public static final field.
    fn constant(&mut self, class: ClassId) -> Option<Value> {
        let wanted = access::PUBLIC | access::STATIC | access::FINAL;
        let program = self.program;
        let declared = &program.classes[class];
        let field =
            declared.fields.iter().map(|field| &program.fields[field]).find(|field| {
                field.flags & wanted == wanted && field.descriptor == declared.name.descriptor()
            })?;
        let name = self.name(class)?;
        Some(Value::new(format!("{name}.{}", field.name), 1))
    }

    fn construction(&mut self, class: ClassId, method: &Method, depth: usize) -> Option<Value> {
        if !is_usable(method) {
            return None;
        }
        let seen = self.view.class(class)?.clone();
        let name = self.name(class)?;
        let mut parsed = MethodDescriptor::parse(method.descriptor.as_bytes()).ok()?.params();
        let (before, name) = match seen.needs_outer {
            Some(outer) => {
                // The first parameter of the constructor of an inner class is the enclosing object.
                parsed.next();
                let local = seen.name.rsplit('.').next().unwrap_or_default().to_owned();
                (format!("{}.", self.object(outer, depth + 1)?.text), local)
            }
            None => (String::new(), name),
        };
        let (arguments, cost) = self.arguments(parsed, depth, None)?;
        Some(Value::new(format!("{before}new {name}({arguments})"), cost + 1))
    }

    /// A call of a static method of the class.
    pub(super) fn call_of(&mut self, class: ClassId, method: &Method, depth: usize) -> Option<Value> {
        let name = self.name(class)?;
        self.call_on(&name, method, depth, None)
    }

    /// A call with a receiver, or a class, before the dot; where `shared` fits, it is the argument.
    pub(super) fn call_on(
        &mut self,
        receiver: &str,
        method: &Method,
        depth: usize,
        shared: Option<(ClassId, &str)>,
    ) -> Option<Value> {
        if !is_usable(method) || !crate::client::is_java_identifier(&method.name.to_string()) {
            return None;
        }
        let parsed = MethodDescriptor::parse(method.descriptor.as_bytes()).ok()?;
        let (arguments, cost) = self.arguments(parsed.params(), depth, shared)?;
        Some(Value::new(format!("{receiver}.{}({arguments})", method.name), cost + 1))
    }

    /// A new object of the class, one of whose arguments is `shared`.
    pub(super) fn made_from(&mut self, class: ClassId, shared: (ClassId, &str)) -> Option<String> {
        if self.program.classes[class].is_abstract() || self.view.class(class)?.needs_outer.is_some() {
            return None;
        }
        let program = self.program;
        let methods = program.classes[class].methods.iter().map(|id| &program.methods[id]);
        let constructors: Vec<&Method> =
            methods.filter(|method| method.is_constructor() && is_usable(method)).collect();
        let name = self.name(class)?;
        constructors.into_iter().find_map(|constructor| {
            let parsed = MethodDescriptor::parse(constructor.descriptor.as_bytes()).ok()?;
            let (arguments, _) = self.arguments(parsed.params(), 0, Some(shared))?;
            let takes = arguments.split(", ").any(|argument| argument == shared.1);
            takes.then(|| format!("new {name}({arguments})"))
        })
    }

    /// Arguments of these types; where `shared` fits, it is the argument.
    fn arguments<'t>(
        &mut self,
        types: impl Iterator<Item = FieldType<'t>>,
        depth: usize,
        shared: Option<(ClassId, &str)>,
    ) -> Option<(String, u32)> {
        let mut texts = Vec::new();
        let mut cost = 0;
        for ty in types {
            let fits = |class: ClassId| match ty {
                FieldType::Class(name) => {
                    let wanted = self.program.class_named(ClassName::new(name));
                    wanted.is_some_and(|wanted| self.program.is_subclass(class, wanted))
                }
                _ => false,
            };
            let value = match shared.filter(|(class, _)| fits(*class)) {
                Some((_, text)) => Value::new(text, 0),
                None => self.argument(ty, depth + 1)?,
            };
            cost += value.cost + 1;
            texts.push(value.text);
        }
        Some((texts.join(", "), cost))
    }

    /// The public methods that a client can call on an object of the class, its own first.
    pub(super) fn methods_of(&self, class: ClassId) -> Vec<MethodId> {
        let program = self.program;
        let object = program.object();
        let mut seen = FastSet::default();
        let classes = program.superclasses(class).chain(program.all_interfaces(class).iter().copied());
        let mut all = Vec::new();
        for declaring in classes.filter(|&declaring| declaring != object) {
            for id in program.classes[declaring].methods.iter() {
                let method = &program.methods[id];
                let is_wanted = is_usable(method)
                    && !method.is_constructor()
                    && !method.is_class_initializer()
                    && !method.is_static();
                if is_wanted && seen.insert(method.selector) {
                    all.push(id);
                }
            }
        }
        all
    }
}

/// Whether a client may name the method, and a person has written it.
pub(super) fn is_usable(method: &Method) -> bool {
    method.is_public() && method.flags & access::SYNTHETIC == 0
}

fn returns(method: &Method, class: ClassName) -> bool {
    let parsed = MethodDescriptor::parse(method.descriptor.as_bytes()).ok();
    let result = parsed.and_then(MethodDescriptor::return_type);
    matches!(result, Some(FieldType::Class(name)) if class.is(&String::from_utf8_lossy(name)))
}

fn primitive_value(primitive: PrimitiveType) -> &'static str {
    match primitive {
        PrimitiveType::Boolean => "true",
        PrimitiveType::Char => "'a'",
        PrimitiveType::Float => "1.0f",
        PrimitiveType::Double => "1.0",
        PrimitiveType::Byte => "(byte) 1",
        PrimitiveType::Short => "(short) 1",
        PrimitiveType::Int => "1",
        PrimitiveType::Long => "1L",
    }
}
