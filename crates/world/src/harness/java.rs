//! A harness as a Java class: for the reader, and to compile against the library.
//!
//! The class can also be run: two threads take random steps, each a creation, an assignment or a call. Types are erased, so
//! the compiler has unchecked warnings about it and no errors. Steps are spread over nested classes, because a class file
//! holds only so many constants and a method only so many bytes.

use std::collections::BTreeMap;
use std::fmt::Write;

use selvedge_base::FastMap;
use selvedge_classfile::{FieldType, MethodDescriptor};
use selvedge_ir::{ClassName, Type};

use super::signature::takes_intersection;
use super::{Call, Creation, Flow, FlowKind, Harness, Made, VariableId};
use crate::client::ClientView;
use crate::names::{java_name, java_type};
use crate::program::{ClassId, MethodId, Program};
use crate::types::TypeTable;

/// The name of the class that is printed.
const CLASS: &str = "SelvedgeHarness";
/// Steps in one nested class.
const STEPS_PER_PART: usize = 100;

impl Harness {
    /// The name of the class that [`to_java`](Self::to_java) prints; its file is called after it.
    pub const CLASS: &'static str = CLASS;

    /// The harness as the text of a Java class.
    pub fn to_java(&self, program: &Program) -> String {
        let mut printer = Printer {
            program,
            client: ClientView::new(program),
            types: TypeTable::new(program),
            generic: FastMap::default(),
            of_scala: FastMap::default(),
            harness: self,
        };
        printer.print().unwrap_or_default()
    }
}

struct Printer<'p> {
    program: &'p Program,
    client: ClientView<'p>,
    types: TypeTable<'p>,
    /// The methods with type parameters of their own of the classes looked at so far, and whether they take one with
    /// several bounds.
    generic: FastMap<ClassId, BTreeMap<MethodId, bool>>,
    of_scala: FastMap<ClassId, bool>,
    harness: &'p Harness,
}

impl Printer<'_> {
    fn print(&mut self) -> Result<String, std::fmt::Error> {
        let harness = self.harness;
        let mut out = String::new();
        writeln!(
            out,
            "// What the clients of a library may do, made by Selvedge: {} classes and interfaces, {} calls.",
            harness.interface.len(),
            harness.calls.len()
        )?;
        writeln!(out, "// Any two steps may run in two threads.\n")?;
        writeln!(out, "@SuppressWarnings({{\"unchecked\", \"rawtypes\", \"deprecation\", \"removal\"}})")?;
        writeln!(out, "public final class {CLASS} {{")?;
        writeln!(out, "    // One variable for each type that a method takes or returns.")?;
        for (id, variable) in harness.variables.iter_ids() {
            let remark = if harness.unfilled.contains(&id) { " // nothing is known to make one" } else { "" };
            let ty = self.type_name(variable.descriptor.as_bytes());
            writeln!(out, "    static {ty} {};{remark}", self.name(id))?;
        }
        let mut steps: Vec<String> = Vec::new();
        steps.extend(harness.creations.iter().map(|creation| self.creation(creation)));
        steps.extend(harness.flows.iter().map(|flow| self.flow(flow)));
        steps.extend(harness.calls.iter().map(|call| self.call(call)));
        let parts = steps.len().div_ceil(STEPS_PER_PART);
        for (part, steps) in steps.chunks(STEPS_PER_PART).enumerate() {
            writeln!(out, "\n    static final class Part{part} {{")?;
            writeln!(out, "        static void step(int number) throws Throwable {{")?;
            writeln!(out, "            switch (number) {{")?;
            for (number, step) in steps.iter().enumerate() {
                writeln!(out, "                case {number}: {step}; break;")?;
            }
            writeln!(out, "                default: break;\n            }}\n        }}\n    }}")?;
        }
        writeln!(out, "\n    static final int STEPS = {};", steps.len())?;
        writeln!(out, "\n    static void step(int number) throws Throwable {{")?;
        writeln!(out, "        switch (number / {STEPS_PER_PART}) {{")?;
        for part in 0..parts {
            writeln!(out, "            case {part}: Part{part}.step(number % {STEPS_PER_PART}); break;")?;
        }
        writeln!(out, "            default: break;\n        }}\n    }}")?;
        out.push_str(SUPPORT);
        out.push_str("}\n");
        Ok(out)
    }

    fn type_name(&mut self, descriptor: &[u8]) -> String {
        let parsed = FieldType::parse(descriptor).ok();
        parsed.and_then(|ty| self.client.type_name(ty)).unwrap_or_else(|| "Object".to_owned())
    }

    /// The name of a variable: after its type, with its number.
    fn name(&self, variable: VariableId) -> String {
        let descriptor = self.harness.variables[variable].descriptor.as_bytes();
        let dimensions = descriptor.iter().take_while(|&&byte| byte == b'[').count();
        let element = match FieldType::parse(&descriptor[dimensions..]) {
            Ok(FieldType::Class(name)) => {
                let simple = name.rsplit(|&byte| matches!(byte, b'/' | b'$')).find(|part| !part.is_empty());
                String::from_utf8_lossy(simple.unwrap_or_default()).into_owned()
            }
            Ok(ty) => java_type(ty),
            Err(_) => String::new(),
        };
        let mut characters = element.chars();
        let first = characters.next().filter(|c| c.is_alphabetic()).map_or('x', |c| c.to_ascii_lowercase());
        format!("{first}{}{}{}", characters.as_str(), "Array".repeat(dimensions), variable.number())
    }

    fn list(&self, variables: &[VariableId]) -> String {
        let names: Vec<String> = variables.iter().map(|&variable| self.name(variable)).collect();
        names.join(", ")
    }

    fn flow(&self, flow: &Flow) -> String {
        let index = if flow.kind == FlowKind::Element { "[0]" } else { "" };
        format!("{} = {}{index}", self.name(flow.to), self.name(flow.from))
    }

    fn class_name(&mut self, class: ClassId) -> String {
        let name = self.client.class(class).map(|class| class.name.clone());
        name.unwrap_or_else(|| java_name(self.program.classes[class].name))
    }

    fn creation(&mut self, creation: &Creation) -> String {
        let variable = creation.variable;
        let value = match &creation.made {
            Made::Object { constructor, arguments } => {
                let class = self.program.methods[*constructor].class;
                let name = self.class_name(class);
                if self.constructor_needs_reflection(*constructor) {
                    let parameters = self.parameter_classes(*constructor);
                    let arguments = self.list(arguments);
                    format!(
                        "({name}) {name}.class.getConstructor({parameters}).newInstance(new Object[] {{{arguments}}})"
                    )
                } else if let (Some((outer, rest)), true) = (arguments.split_first(), self.is_inner(class)) {
                    // An inner class is created by its outer instance, under its simple name.
                    let simple = name.rsplit('.').next().unwrap_or(&name);
                    format!("{}.new {simple}({})", self.name(*outer), self.list(rest))
                } else {
                    format!("new {name}({})", self.list(arguments))
                }
            }
            Made::StaticField(field) => {
                let field = &self.program.fields[*field];
                format!("{}.{}", self.class_name(field.class), field.name)
            }
            Made::Array { element } => {
                let descriptor = self.harness.variables[variable].descriptor;
                format!("new {} {{{}}}", self.type_name(descriptor.as_bytes()), self.name(*element))
            }
            Made::String => "\"text\"".to_owned(),
            Made::Class => "Object.class".to_owned(),
            Made::Implementation(class) => {
                let name = self.class_name(*class);
                format!("({name}) implement({name}.class)")
            }
        };
        format!("{} = {value}", self.name(variable))
    }

    fn call(&mut self, call: &Call) -> String {
        if self.needs_reflection(call) {
            return self.reflective_call(call);
        }
        let result = call.result.map_or_else(String::new, |variable| self.name(variable) + " = ");
        let target = match call.receiver {
            Some(receiver) => self.name(receiver),
            None => self.class_name(call.named),
        };
        let name = self.program.methods[call.method].name;
        format!("{result}{target}.{name}({})", self.list(&call.arguments))
    }
}

impl Printer<'_> {
    /// Whether a class belongs to an instance of another.
    fn is_inner(&mut self, class: ClassId) -> bool {
        self.client.class(class).is_some_and(|class| class.needs_outer.is_some())
    }

    /// Whether Java cannot call a constructor with erased types: it wants more than they say, or that of an inner class
    /// does not begin with the outer instance, as other languages have it.
    fn constructor_needs_reflection(&mut self, constructor: MethodId) -> bool {
        let method = self.program.methods[constructor];
        let outer = self.client.class(method.class).and_then(|class| class.needs_outer);
        let first = method.parameter_types().first().and_then(|ty| ty.class());
        let outer_comes_first = outer.is_none_or(|outer| first == Some(self.program.classes[outer].name));
        let generic = self.generic_methods(method.class).get(&constructor) == Some(&true);
        generic || !outer_comes_first || self.is_of_scala(method.class)
    }

    /// Whether a class was compiled by Scala, whose generic signatures do not always fit the erased ones.
    fn is_of_scala(&mut self, class: ClassId) -> bool {
        let program = self.program;
        *self.of_scala.entry(class).or_insert_with(|| {
            let marks: [&[u8]; 3] = [b"ScalaSig", b"Scala", b"ScalaInlineInfo"];
            let file = program.class_file(class);
            file.is_some_and(|file| file.attributes.iter().any(|attribute| marks.contains(&attribute.name)))
        })
    }

    /// Whether the compiler may not find its way to a method from erased types: the method wants more than its erased
    /// type says, or there is a generic one of the same name that would do as well.
    fn needs_reflection(&mut self, call: &Call) -> bool {
        let program = self.program;
        let method = program.methods[call.method];
        if self.generic_methods(method.class).get(&call.method) == Some(&true)
            || self.is_of_scala(method.class)
        {
            return true;
        }
        let parameters = method.parameter_types();
        let all: Vec<ClassId> = program
            .superclasses(call.named)
            .chain(program.all_interfaces(call.named).iter().copied())
            .collect();
        for class in all {
            let rivals: Vec<MethodId> = self.generic_methods(class).keys().copied().collect();
            for rival in rivals {
                let other = program.methods[rival];
                if rival != call.method
                    && other.name == method.name
                    && other.descriptor != method.descriptor
                    && self.accepts(&other.parameter_types(), &parameters)
                {
                    return true;
                }
            }
        }
        false
    }

    /// Whether parameters of one method could be given those of another.
    fn accepts(&mut self, wider: &[Type], narrower: &[Type]) -> bool {
        wider.len() == narrower.len()
            && wider.iter().zip(narrower).all(|(&wider, &narrower)| match (wider, narrower) {
                (Type::Ref(wider), Type::Ref(narrower)) => self.is_subtype(narrower, wider),
                _ => wider == narrower,
            })
    }

    fn is_subtype(&mut self, class: ClassName, ancestor: ClassName) -> bool {
        let (class, ancestor) = (self.types.named(class), self.types.named(ancestor));
        class.zip(ancestor).is_some_and(|(class, ancestor)| self.types.is_subtype(class, ancestor))
    }

    fn generic_methods(&mut self, class: ClassId) -> &BTreeMap<MethodId, bool> {
        let program = self.program;
        self.generic.entry(class).or_insert_with(|| {
            let Some(file) = program.class_file(class) else { return BTreeMap::new() };
            let methods = program.classes[class].methods.iter().zip(&file.methods);
            methods
                .filter_map(|(id, member)| {
                    let signature = member.signature(&file.pool).ok()??;
                    signature.starts_with(b"<").then(|| (id, takes_intersection(signature)))
                })
                .collect()
        })
    }

    fn reflective_call(&mut self, call: &Call) -> String {
        let method = self.program.methods[call.method];
        let parameters = self.parameter_classes(call.method);
        let result = call.result.map_or_else(String::new, |variable| {
            let descriptor = self.harness.variables[variable].descriptor;
            format!("{} = ({}) ", self.name(variable), self.type_name(descriptor.as_bytes()))
        });
        let receiver = call.receiver.map_or("null".to_owned(), |variable| self.name(variable));
        format!(
            "{result}invoke({}.class, \"{}\", {receiver}, new Class<?>[] {{{}}}, new Object[] {{{}}})",
            self.class_name(call.named),
            method.name,
            parameters,
            self.list(&call.arguments)
        )
    }

    /// The class objects of a method's parameter types.
    fn parameter_classes(&mut self, method: MethodId) -> String {
        let descriptor = self.program.methods[method].descriptor;
        let parsed = MethodDescriptor::parse(descriptor.as_bytes()).ok();
        let parameters = parsed.into_iter().flat_map(MethodDescriptor::params);
        let classes = parameters.map(|ty| self.client.type_name(ty).unwrap_or_default() + ".class");
        classes.collect::<Vec<String>>().join(", ")
    }
}

/// What every harness has.
const SUPPORT: &str = r"
    /** Two threads, each taking so many steps as the first argument says, for ten seconds at most. */
    public static void main(String[] arguments) throws InterruptedException {
        final int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int done = 0; done < count; done++) {
                    try {
                        step(java.util.concurrent.ThreadLocalRandom.current().nextInt(STEPS));
                    } catch (Throwable refused) {
                        // Not every step makes sense at every time.
                    }
                }
            });
            threads[i].setDaemon(true);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join(5000);
        }
    }

    /** A call that erased types would leave the compiler in doubt about. */
    static Object invoke(Class<?> type, String name, Object receiver, Class<?>[] parameters, Object[] arguments)
            throws Throwable {
        return type.getMethod(name, parameters).invoke(receiver, arguments);
    }

    /** The client's own implementation of an interface: keeps what it is given, returns what fits. */
    static Object implement(Class<?> type) {
        return java.lang.reflect.Proxy.newProxyInstance(SelvedgeHarness.class.getClassLoader(), new Class<?>[] {type},
            (proxy, method, arguments) -> {
                Object result = null;
                for (java.lang.reflect.Field variable : SelvedgeHarness.class.getDeclaredFields()) {
                    if (java.lang.reflect.Modifier.isFinal(variable.getModifiers())) {
                        continue;
                    }
                    for (int i = 0; arguments != null && i < arguments.length; i++) {
                        if (variable.getType().isInstance(arguments[i])) {
                            variable.set(null, arguments[i]);
                        }
                    }
                    if (method.getReturnType().isAssignableFrom(variable.getType()) && variable.get(null) != null) {
                        result = variable.get(null);
                    }
                }
                return result;
            });
    }
";
