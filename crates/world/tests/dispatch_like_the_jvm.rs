//! Resolution, selection and access control against a real JVM: for a set of classes with every trick of dispatch, what
//! each name resolves to, which method each call selects on each receiver, and who may call what.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use common::{TempDir, read};
use selvedge_base::Symbol;
use selvedge_ir::{ClassName, FieldRef, InvokeKind, MethodRef};
use selvedge_testkit::{JavacOptions, RunOptions, Sources, compile, compile_with, jdk_or_skip, run_main};
use selvedge_world::{ClassId, LinkageError, MethodId, Program, java_name};

const CLASSES: [&str; 24] = [
    "a.Packages",
    "a.Base",
    "b.Middle",
    "a.Lower",
    "b.Bottom",
    "a.Root",
    "a.Left",
    "a.Right",
    "a.Named",
    "a.Diamond",
    "a.Unnamed",
    "a.Late",
    "a.Whole",
    "a.Source",
    "a.Strings",
    "a.Narrow",
    "a.MoreCovariant",
    "a.Nest",
    "a.Nest$Inner",
    "a.Nest$Child",
    "a.Evolved",
    "a.Rival",
    "a.Torn",
    "a.Abandoned",
];

/// Classes compiled against older versions of these, as after an incomplete recompilation.
const NEWER: [(&str, &str); 2] = [
    (
        "a/Evolved.java",
        "package a; interface Evolved { default void added() { Trace.t(\"a.Evolved.added\"); } void abandoned(); }",
    ),
    ("a/Rival.java", "package a; interface Rival { default void added() { Trace.t(\"a.Rival.added\"); } }"),
];

fn classes_in(dir: &TempDir) {
    let jdk = selvedge_testkit::find_jdk().unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/dispatch");
    let compiled = compile_with(&jdk, Sources::Dir(&sources), &JavacOptions::default()).unwrap();
    let options = JavacOptions { classpath: vec![compiled.path().to_path_buf()], ..JavacOptions::default() };
    let newer = compile(&NEWER, &options).unwrap();
    for root in [compiled, newer] {
        for file in root.class_files().unwrap() {
            let name = file.strip_prefix(root.path()).unwrap().to_str().unwrap();
            dir.write(name, &std::fs::read(&file).unwrap());
        }
    }
}

struct Driver {
    program: Program,
    classes: Vec<ClassId>,
    lines: Vec<String>,
}

impl Driver {
    fn class_name(&self, class: ClassId) -> String {
        java_name(self.program.classes[class].name)
    }

    /// `a.Base.own`, as the methods name themselves.
    fn traced(&self, method: Option<MethodId>) -> String {
        let Some(method) = method else { return "error".to_owned() };
        let declared = &self.program.methods[method];
        format!("{}.{}", self.class_name(declared.class), declared.name)
    }

    fn method_ref(&self, owner: ClassId, selector: (Symbol, Symbol)) -> MethodRef {
        MethodRef {
            owner: self.program.classes[owner].name,
            name: selector.0,
            descriptor: selector.1,
            interface: self.program.classes[owner].is_interface(),
        }
    }

    fn virtuals(&mut self, named: ClassId, selector: (Symbol, Symbol)) {
        let program = &self.program;
        let method = self.method_ref(named, selector);
        let Ok(resolved) = program.resolve_method(&method) else { return };
        if program.check_method_use(named, InvokeKind::Virtual, &method, resolved).is_err() {
            return;
        }
        for &receiver in &self.classes {
            if !program.is_subclass(receiver, named) || program.classes[receiver].is_abstract() {
                continue;
            }
            let selected = self.traced(program.dispatch(receiver, resolved));
            let (named, receiver) = (self.class_name(named), self.class_name(receiver));
            self.lines
                .push(format!("virtual {named} {}{} on {receiver}: {selected}", selector.0, selector.1));
        }
    }

    fn specials(&mut self, caller: ClassId, selector: (Symbol, Symbol)) {
        let program = &self.program;
        if program.classes[caller].is_abstract() {
            return;
        }
        let superclasses = program.superclasses(caller).skip(1).filter(|&class| class != program.object());
        let above: Vec<ClassId> =
            program.classes[caller].interfaces.iter().copied().chain(superclasses).collect();
        for named in above {
            let method = self.method_ref(named, selector);
            let Ok(resolved) = program.resolve_method(&method) else { continue };
            if program.check_method_use(caller, InvokeKind::Special, &method, resolved).is_err() {
                continue;
            }
            // Method handles, unlike the bytecode, ask that what a super call finds be accessible as well.
            let again = self.method_ref(program.classes[caller].superclass.unwrap(), selector);
            if let Ok(found) = program.resolve_method(&again)
                && !program.classes[named].is_interface()
                && program.check_method_use(caller, InvokeKind::Special, &again, found).is_err()
            {
                continue;
            }
            let Some(selected) = program.resolve_special(caller, &method).unwrap() else { continue };
            let selected = self.traced(Some(selected));
            let (named, caller) = (self.class_name(named), self.class_name(caller));
            self.lines.push(format!("special {named} {}{} in {caller}: {selected}", selector.0, selector.1));
        }
    }

    fn access(&mut self, user: ClassId, named: ClassId, selector: (Symbol, Symbol)) {
        let method = self.method_ref(named, selector);
        let result = if !self.program.can_access_class(user, named) {
            "refused"
        } else {
            let Ok(resolved) = self.program.resolve_method(&method) else { return };
            match self.program.check_method_use(user, InvokeKind::Virtual, &method, resolved) {
                Ok(()) => "allowed",
                Err(LinkageError::WrongOwnerKind) => panic!("{method:?} says itself what its owner is"),
                Err(_) => "refused",
            }
        };
        let (named, user) = (self.class_name(named), self.class_name(user));
        self.lines.push(format!("access {named} {}{} in {user}: {result}", selector.0, selector.1));
    }

    fn field(&mut self, named: ClassId, name: Symbol) {
        let owner = self.program.classes[named].name;
        let field = FieldRef { owner, name, descriptor: Symbol::new("Ljava/lang/String;") };
        let Ok(resolved) = self.program.resolve_field(&field) else { return };
        if self.program.check_field_use(named, named, resolved, true).is_ok() {
            let value = self.program.describe_field(resolved);
            self.lines.push(format!("field {} {name}: {value}", self.class_name(named)));
        }
    }
}

#[test]
fn every_call_selects_what_the_jvm_selects() {
    let Some(jdk) = jdk_or_skip() else { return };
    let dir = TempDir::new();
    classes_in(&dir);
    let mut options = RunOptions::with_classpath(&[dir.path()]);
    options.args = CLASSES.map(str::to_owned).to_vec();
    let run = run_main(&jdk, "Driver", &options).unwrap();
    assert_eq!((run.exit_code, run.stderr.as_str()), (Some(0), ""));

    let program = Program::load(read(&[dir.path()]));
    assert_eq!(program.problems(), []);
    let class = |name: &str| program.class_named(ClassName::new(name.replace('.', "/"))).unwrap();
    let classes: Vec<ClassId> = CLASSES.iter().map(|name| class(name)).collect();
    let declared = classes.iter().flat_map(|&class| program.classes[class].methods.iter());
    let selectors: BTreeSet<(Symbol, Symbol)> = declared
        .map(|method| &program.methods[method])
        .filter(|method| !method.is_constructor() && !method.is_class_initializer())
        .map(|method| (method.name, method.descriptor))
        .collect();
    let fields = classes.iter().flat_map(|&class| program.classes[class].fields.iter());
    let fields: BTreeSet<Symbol> = fields.map(|field| program.fields[field].name).collect();

    let mut driver = Driver { program, classes: classes.clone(), lines: Vec::new() };
    for &named in &classes {
        selectors.iter().for_each(|&selector| driver.virtuals(named, selector));
    }
    for &caller in &classes {
        selectors.iter().for_each(|&selector| driver.specials(caller, selector));
    }
    for &user in &classes {
        for &named in &classes {
            selectors.iter().for_each(|&selector| driver.access(user, named, selector));
        }
    }
    for &named in &classes {
        fields.iter().for_each(|&field| driver.field(named, field));
    }

    let expected: BTreeSet<&str> = run.stdout.lines().collect();
    let ours: BTreeSet<&str> = driver.lines.iter().map(String::as_str).collect();
    let missing: Vec<_> = expected.difference(&ours).collect();
    let wrong: Vec<_> = ours.difference(&expected).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "the JVM says {missing:#?}\nbut here it is {wrong:#?}");
    for (kind, at_least) in [("virtual", 100), ("special", 50), ("access", 2000), ("field", 10)] {
        let count = expected.iter().filter(|line| line.starts_with(kind)).count();
        assert!(count >= at_least, "only {count} lines about {kind}");
    }
    assert!(expected.iter().any(|line| line.ends_with(": error")));
}
