//! Racing tests: a client with two threads that call two methods of a library on objects that both can reach.
//!
//! What makes the two calls meet is the *sharing context*: one receiver for both, one argument for both, a receiver that was made
//! from the other, or two that were made from a third object. For a pair of methods the contexts are listed, the most likely first, each as
//! a [`RacingTest`]; which of them leads both threads to the racing accesses only a run tells.
//!
//! Only what a client may name is used: public classes, constructors, factories and methods. Interfaces that nothing implements are
//! implemented by a proxy whose methods agree to everything.

mod source;
mod values;

use selvedge_classfile::{FieldType, MethodDescriptor};
use selvedge_ir::ClassName;

use crate::program::{ClassId, Method, MethodId, Program};
pub use source::Form;
use values::{Value, Values, is_usable};

/// At most so many tests are made for a pair of methods.
const MOST_TESTS: usize = 8;

/// At most so many calls prepare the shared object.
const MOST_STEPS: usize = 8;

/// A preparing call may take arguments of this cost.
const CHEAP: u32 = 8;

/// How the names of methods begin that make an object ready, or put something into it, in the order in which they are called: what is set up later
/// may throw away what was put in before.
const PREPARES: [&str; 14] = [
    "set",
    "configure",
    "init",
    "enable",
    "load",
    "open",
    "start",
    "register",
    "add",
    "put",
    "push",
    "offer",
    "insert",
    "append",
];

/// A program of two threads, as parts of its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RacingTest {
    /// Declarations of what the threads share: statements without semicolons.
    declarations: Vec<String>,
    /// Calls before the threads start, whose exceptions do not matter.
    steps: Vec<String>,
    /// What each thread calls.
    calls: [String; 2],
    /// The names of the two methods, for the name of the test.
    methods: [String; 2],
    /// The classes to import.
    imports: Vec<String>,
}

/// The tests for two methods, by their names in findings (`p.C.get(int)`), that race on something of the class `about`; the most likely first. If there is none, why.
pub fn racing_tests(
    program: &Program,
    entries: [&str; 2],
    about: Option<&str>,
) -> Result<Vec<RacingTest>, String> {
    let [one, two] = [find(program, entries[0])?, find(program, entries[1])?];
    let mut maker = Maker { values: Values::new(program), program, tests: Vec::new() };
    let about = about.and_then(|name| program.class_named(ClassName::new(name.replace('.', "/"))));
    maker.make(one, two, about);
    let Maker { tests, mut values, .. } = maker;
    if tests.is_empty() {
        return Err(why_none(&mut values, [one, two]));
    }
    Ok(tests)
}

/// The method of this name, if a client can call it.
fn find(program: &Program, name: &str) -> Result<MethodId, String> {
    let before = name.split('(').next().unwrap_or(name);
    let (class, method) = before.rsplit_once('.').ok_or_else(|| format!("{name} is not a method"))?;
    if method.starts_with('<') {
        return Err(format!("{before} runs before the object is published"));
    }
    let absent = || format!("{name} is not in the given classes");
    let declaring = program.class_named(ClassName::new(class.replace('.', "/"))).ok_or_else(absent)?;
    let is_named = |id: &MethodId| program.describe_method(*id).replace(", ", ",") == name;
    let id = program.classes[declaring].methods.iter().find(is_named).ok_or_else(absent)?;
    if !is_usable(&program.methods[id]) {
        return Err(format!("{before} is not public: a test would have to extend the class"));
    }
    Ok(id)
}

fn why_none(values: &mut Values<'_>, methods: [MethodId; 2]) -> String {
    for id in methods {
        let method = values.program.methods[id];
        let name = crate::names::java_name(values.program.classes[method.class].name);
        if values.view.class(method.class).is_none() {
            return format!("{name} is not public");
        }
        if !method.is_static() && values.object(method.class, 0).is_none() {
            return format!("no object of {name} can be made from outside");
        }
    }
    "no object was found that both methods reach".to_owned()
}

struct Maker<'p> {
    program: &'p Program,
    values: Values<'p>,
    tests: Vec<RacingTest>,
}

impl Maker<'_> {
    fn make(&mut self, one: MethodId, two: MethodId, about: Option<ClassId>) {
        let [first, second] = [one, two].map(|id| self.program.methods[id]);
        if first.is_static() && second.is_static() {
            self.statics(&first, &second);
        }
        if let Some(about) = about {
            self.one_argument(&first, &second, about);
        }
        self.one_receiver(&first, &second);
        self.made_from(&first, &second);
        self.made_from(&second, &first);
        if let Some(about) = about {
            self.made_from_third(&first, &second, about);
        }
        self.tests.truncate(MOST_TESTS);
    }

    fn push(&mut self, declarations: Vec<String>, steps: Vec<String>, calls: [String; 2], of: [&Method; 2]) {
        let text = [&declarations[..], &steps[..], &calls[..]].concat().join("\n");
        let test = RacingTest {
            imports: self.values.imports(&text).into_iter().collect(),
            declarations,
            steps,
            calls,
            methods: of.map(|method| method.name.to_string()),
        };
        if !self.tests.contains(&test) {
            self.tests.push(test);
        }
    }

    /// The call of a method: on its class, on what is shared, or on an object of its own.
    fn call(
        &mut self,
        method: &Method,
        receiver: Option<&str>,
        argument: Option<(ClassId, &str)>,
    ) -> Option<String> {
        let receiver = match (method.is_static(), receiver) {
            (true, _) => self.values.name(method.class)?,
            (false, Some(receiver)) => receiver.to_owned(),
            (false, None) => self.values.object(method.class, 0)?.text,
        };
        Some(self.values.call_on(&receiver, method, 0, argument)?.text)
    }

    fn statics(&mut self, first: &Method, second: &Method) {
        let calls = [first, second].map(|method| self.call(method, None, None));
        if let [Some(one), Some(two)] = calls {
            self.push(Vec::new(), Vec::new(), [one.clone(), two.clone()], [first, second]);
            self.push(Vec::new(), vec![two.clone(), one.clone()], [one, two], [first, second]);
        }
    }

    /// Both methods are called on one object.
    fn one_receiver(&mut self, first: &Method, second: &Method) {
        let class = match [first, second] {
            [one, two] if one.is_static() => two.class,
            [one, two] if two.is_static() => one.class,
            [one, two] if self.program.is_subclass(one.class, two.class) => one.class,
            [one, two] if self.program.is_subclass(two.class, one.class) => two.class,
            _ => return,
        };
        let (Some(value), Some(name)) = (self.values.object(class, 0), self.values.name(class)) else {
            return;
        };
        let calls = [first, second].map(|method| self.call(method, Some("shared"), None));
        let [Some(one), Some(two)] = calls else { return };
        let calls = [one.clone(), two.clone()];
        let prepared = self.preparations(class, "shared");
        let rich = self.values.rich_object(class);
        let all: Vec<Vec<String>> = [Some(value), rich]
            .into_iter()
            .flatten()
            .map(|it| vec![declaration(&name, "shared", &it)])
            .collect();
        for steps in [Vec::new(), prepared, vec![two, one]] {
            for declarations in &all {
                self.push(declarations.clone(), steps.clone(), calls.clone(), [first, second]);
            }
        }
    }

    /// Calls that put something into an object.
    fn preparations(&mut self, class: ClassId, receiver: &str) -> Vec<String> {
        let mut steps = Vec::new();
        for id in self.values.methods_of(class) {
            let method = self.program.methods[id];
            let name = method.name.to_string();
            if let Some(turn) = PREPARES.iter().position(|prefix| name.starts_with(prefix))
                && let Some(call) = self.values.call_on(receiver, &method, 0, None)
                && call.cost <= CHEAP
            {
                steps.push((turn, call.text));
            }
        }
        steps.sort_by_key(|(turn, _)| *turn);
        // What is put in counts more than what is set.
        let surplus = steps.len().saturating_sub(MOST_STEPS);
        steps.drain(..surplus);
        steps.into_iter().map(|(_, text)| text).collect()
    }

    /// Both methods take the same object.
    fn one_argument(&mut self, first: &Method, second: &Method, about: ClassId) {
        let takes = |method: &Method| {
            let parsed = MethodDescriptor::parse(method.descriptor.as_bytes()).ok();
            let mut parameters = parsed.into_iter().flat_map(MethodDescriptor::params);
            parameters.any(|parameter| match parameter {
                FieldType::Class(name) => {
                    self.program.class_named(ClassName::new(name)).is_some_and(|wanted| {
                        wanted != self.program.object() && self.program.is_subclass(about, wanted)
                    })
                }
                _ => false,
            })
        };
        if !takes(first) || !takes(second) {
            return;
        }
        let (Some(value), Some(name)) = (self.values.object(about, 0), self.values.name(about)) else {
            return;
        };
        let calls = [first, second].map(|method| self.call(method, None, Some((about, "shared"))));
        if let [Some(one), Some(two)] = calls {
            let declarations = vec![declaration(&name, "shared", &value)];
            self.push(declarations, Vec::new(), [one, two], [first, second]);
        }
    }

    /// The receiver of one method comes from that of the other: its constructor takes it, or a method returns it.
    fn made_from(&mut self, first: &Method, second: &Method) {
        if first.is_static() || second.is_static() || first.class == second.class {
            return;
        }
        let program = self.program;
        let (Some(value), Some(name), Some(other)) = (
            self.values.object(first.class, 0),
            self.values.name(first.class),
            self.values.name(second.class),
        ) else {
            return;
        };
        let mut ways: Vec<String> =
            self.values.made_from(second.class, (first.class, "shared")).into_iter().collect();
        for id in self.values.methods_of(first.class) {
            let method = program.methods[id];
            let parsed = MethodDescriptor::parse(method.descriptor.as_bytes()).ok();
            let gives = match parsed.and_then(MethodDescriptor::return_type) {
                Some(FieldType::Class(name)) => program.class_named(ClassName::new(name)),
                _ => None,
            };
            if gives.is_some_and(|gives| program.is_subclass(gives, second.class))
                && let Some(call) = self.values.call_on("shared", &method, 0, None)
            {
                ways.push(call.text);
            }
        }
        let calls =
            [(first, "shared"), (second, "other")].map(|(method, on)| self.call(method, Some(on), None));
        let [Some(one), Some(two)] = calls else { return };
        for way in ways.into_iter().take(2) {
            let declarations = vec![declaration(&name, "shared", &value), format!("{other} other = {way}")];
            self.push(declarations, Vec::new(), [one.clone(), two.clone()], [first, second]);
        }
    }

    /// Two receivers are made from a third object.
    fn made_from_third(&mut self, first: &Method, second: &Method, about: ClassId) {
        if first.is_static() || second.is_static() {
            return;
        }
        let (Some(value), Some(name)) = (self.values.object(about, 0), self.values.name(about)) else {
            return;
        };
        let mut declarations = vec![declaration(&name, "shared", &value)];
        let mut calls = Vec::new();
        for (method, variable) in [(first, "one"), (second, "two")] {
            let made = self.values.made_from(method.class, (about, "shared"));
            let (Some(made), Some(class)) = (made, self.values.name(method.class)) else { return };
            declarations.push(format!("{class} {variable}Receiver = {made}"));
            let Some(call) = self.call(method, Some(&format!("{variable}Receiver")), None) else { return };
            calls.push(call);
        }
        if let Ok(calls) = <[String; 2]>::try_from(calls) {
            self.push(declarations, Vec::new(), calls, [first, second]);
        }
    }
}

fn declaration(class: &str, variable: &str, value: &Value) -> String {
    format!("{class} {variable} = {}", value.text)
}
