//! The most general client: what is in it, and that javac takes it.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use common::read;
use selvedge_ir::ClassName;
use selvedge_testkit::{
    JavacOptions, RunOptions, Sources, compile, compile_with, jdk_or_skip, library_jar_or_skip, run_main,
};
use selvedge_world::{ClassId, EntryPoints, EntryRequest, FlowKind, Harness, Made, Program, java_name};

fn library() -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/library");
    let jdk = selvedge_testkit::find_jdk().unwrap();
    compile_with(&jdk, Sources::Dir(&sources), &JavacOptions::default()).unwrap().path().to_path_buf()
}

fn harness_of(program: &Program, classes: &[&str]) -> Harness {
    let classes = classes.iter().map(|&name| name.to_owned()).collect();
    match program.entry_points(&EntryRequest::Library(classes)).unwrap() {
        EntryPoints::Library(classes) => Harness::new(program, &classes),
        EntryPoints::Mains(_) => panic!("a library was asked for"),
    }
}

/// Compiles a harness against what it was made from.
fn compiled(program: &Program, harness: &Harness, classpath: &[&Path]) -> PathBuf {
    let options = JavacOptions {
        classpath: classpath.iter().map(|path| path.to_path_buf()).collect(),
        ..JavacOptions::default()
    };
    let file = format!("{}.java", Harness::CLASS);
    compile(&[(&file, &harness.to_java(program))], &options).unwrap().path().to_path_buf()
}

struct Shown<'p>(&'p Program, Harness);

impl Shown<'_> {
    fn variable(&self, id: selvedge_world::VariableId) -> String {
        let descriptor = self.1.variables[id].descriptor;
        let class = ClassName::of_descriptor(descriptor.as_bytes());
        class.map_or_else(|| descriptor.to_string(), |class| java_name(class).replace("java.lang.", ""))
    }

    fn calls(&self) -> BTreeSet<String> {
        let calls = self.1.calls.iter().map(|call| {
            let result = call.result.map_or("nothing".to_owned(), |result| self.variable(result));
            let target = call.receiver.map_or_else(
                || format!("static {}", java_name(self.0.classes[call.named].name)),
                |receiver| self.variable(receiver),
            );
            let arguments: Vec<String> =
                call.arguments.iter().map(|&argument| self.variable(argument)).collect();
            format!("{result} = {target}.{}({})", self.0.methods[call.method].name, arguments.join(", "))
        });
        calls.collect()
    }

    fn creations(&self) -> BTreeSet<String> {
        let creations = self.1.creations.iter().map(|creation| {
            let variable = self.variable(creation.variable);
            let made = match &creation.made {
                Made::Object { constructor, arguments } => {
                    let arguments: Vec<String> =
                        arguments.iter().map(|&argument| self.variable(argument)).collect();
                    let class = self.0.methods[*constructor].class;
                    format!("new {}({})", java_name(self.0.classes[class].name), arguments.join(", "))
                }
                Made::StaticField(field) => self.0.describe_field(*field),
                Made::Array { element } => format!("array of {}", self.variable(*element)),
                Made::String => "string".to_owned(),
                Made::Class => "class".to_owned(),
                Made::Implementation(class) => format!("own {}", java_name(self.0.classes[*class].name)),
            };
            format!("{variable} = {made}")
        });
        creations.collect()
    }
}

#[test]
fn a_client_does_all_that_a_client_can() {
    let Some(_) = jdk_or_skip() else { return };
    let library = library();
    let program = Program::load(read(&[&library]));
    let harness = harness_of(&program, &[]);
    compiled(&program, &harness, &[&library]);
    let shown = Shown(&program, harness);
    let (calls, creations) = (shown.calls(), shown.creations());
    let expect = |set: &BTreeSet<String>, present: &[&str], absent: &[&str]| {
        for text in present {
            assert!(set.contains(*text), "{text} is not in {set:#?}");
        }
        for text in absent {
            assert!(!set.iter().any(|line| line.contains(text)), "{text} is in {set:#?}");
        }
    };
    expect(
        &calls,
        &[
            "nothing = lib.Shelf.put(Comparable)",
            "nothing = lib.Container.put(Object)",
            "Object[] = lib.Shelf.toArray(Object[])",
            "int[][] = lib.Shelf.sizes(long[][])",
            "nothing = lib.Shelf.both(Enum, java.util.Map)",
            "lib.Shelf$Board = lib.Shelf.board()",
            "lib.Shelf = lib.Shelf$Board.shelf()",
            "nothing = lib.Shelf.hidden()",
            "nothing = lib.Shelf.inherited(lib.Listener)",
            "lib.Container = lib.Listener.changed(lib.Shelf, I)",
            "lib.Shelf = static lib.Shelf.of(lib.Container, Comparable)",
            "lib.Shelf$Order[] = static lib.Shelf$Order.values()",
            "lib.Container = static lib.Container.empty()",
            "I = lib.Shelf$Label.number()",
            "nothing = Iterable.forEach(java.util.function.Consumer)",
        ],
        &["guarded", "own(", "takesHidden", "internal", "Marker", "Secret", "clone"],
    );
    expect(
        &creations,
        &[
            "lib.Shelf = new lib.Shelf(I)",
            "lib.Shelf = new lib.Shelf(java.util.Collection, lib.Shelf$Order[])",
            "lib.Shelf = lib.Shelf.SHARED",
            "lib.Shelf$Board = new lib.Shelf$Board(lib.Shelf, I, java.util.List)",
            "lib.Shelf$Board$Nail = new lib.Shelf$Board$Nail(lib.Shelf$Board)",
            "lib.Shelf$Label = new lib.Shelf$Label(String, I)",
            "lib.Listener = own lib.Listener",
            "java.util.function.Function = own java.util.function.Function",
            "java.util.ArrayList = new java.util.ArrayList()",
            "lib.Shelf$Order[] = array of lib.Shelf$Order",
            "String = string",
        ],
        &["own lib.Shelf", "new lib.Shelf$Order", "new lib.Shelf$Round", "new lib.Hidden"],
    );
    // A shelf is a container; an order comes out of the array of all; nobody makes a visitor.
    let flows: Vec<(String, String, FlowKind)> = (shown.1.flows.iter())
        .map(|flow| (shown.variable(flow.from), shown.variable(flow.to), flow.kind))
        .collect();
    let flow = |from: &str, to: &str, kind| (from.to_owned(), to.to_owned(), kind);
    assert!(flows.contains(&flow("lib.Shelf", "lib.Container", FlowKind::Value)));
    assert!(!flows.contains(&flow("lib.Shelf", "Object", FlowKind::Value)), "goes by way of lib.Container");
    assert!(flows.contains(&flow("lib.Shelf$Order[]", "lib.Shelf$Order", FlowKind::Element)));
    let unfilled: Vec<String> = shown.1.unfilled.iter().map(|&variable| shown.variable(variable)).collect();
    assert_eq!(unfilled, ["lib.Shelf$Visitor"]);
}

#[test]
fn a_client_of_an_interface_holds_what_implements_it() {
    let Some(_) = jdk_or_skip() else { return };
    let library = library();
    let program = Program::load(read(&[&library]));
    let harness = harness_of(&program, &["lib.Container"]);
    compiled(&program, &harness, &[&library]);
    let shown = Shown(&program, harness);
    let (calls, creations) = (shown.calls(), shown.creations());
    assert!(!calls.iter().any(|call| call.contains("lib.Shelf.")), "{calls:#?}");
    for made in ["lib.Shelf = new lib.Shelf(I)", "lib.Container = own lib.Container"] {
        assert!(creations.contains(made), "{made} is not in {creations:#?}");
    }
}

#[test]
fn each_variable_reaches_all_supertypes() {
    let Some(_) = jdk_or_skip() else { return };
    let library = library();
    let program = Program::load(read(&[&library]));
    let harness = harness_of(&program, &[]);
    let class = |id: selvedge_world::VariableId| {
        let name = ClassName::of_descriptor(harness.variables[id].descriptor.as_bytes())?;
        program.class_named(name)
    };
    let reached = |from: selvedge_world::VariableId| {
        let mut seen = BTreeSet::from([from]);
        let mut stack = vec![from];
        while let Some(variable) = stack.pop() {
            for flow in
                harness.flows.iter().filter(|flow| flow.from == variable && flow.kind == FlowKind::Value)
            {
                if seen.insert(flow.to) {
                    stack.push(flow.to);
                }
            }
        }
        seen
    };
    let mut pairs = 0;
    for from in harness.variables.ids() {
        let Some(class_from) = class(from) else { continue };
        let reached = reached(from);
        for to in harness.variables.ids() {
            if let Some(class_to) = class(to) {
                assert_eq!(reached.contains(&to), program.is_subclass(class_from, class_to));
                pairs += 1;
            }
        }
    }
    assert!(pairs > 300);
}

#[test]
fn the_interface_can_be_named() {
    let Some(_) = jdk_or_skip() else { return };
    let library = library();
    let program = Program::load(read(&[&library]));
    let harness = harness_of(&program, &["lib.Listener"]);
    compiled(&program, &harness, &[&library]);
    let interface: Vec<ClassId> = vec![program.class_named(ClassName::new("lib/Listener")).unwrap()];
    assert_eq!(harness.interface, interface);
    let shown = Shown(&program, harness);
    assert_eq!(
        shown.calls(),
        BTreeSet::from(["lib.Container = lib.Listener.changed(lib.Shelf, I)".to_owned()])
    );
}

#[test]
fn a_harness_runs() {
    let Some(jdk) = jdk_or_skip() else { return };
    let library = library();
    let program = Program::load(read(&[&library]));
    let classes = compiled(&program, &harness_of(&program, &[]), &[&library]);
    let mut options = RunOptions::with_classpath(&[&classes, &library]);
    options.args = vec!["300".to_owned()];
    let run = run_main(&jdk, Harness::CLASS, &options).unwrap();
    assert_eq!((run.exit_code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
}

#[test]
fn harnesses_of_real_libraries_compile() {
    let Some(_) = jdk_or_skip() else { return };
    for (name, at_least) in
        [("commons-pool", 200), ("commons-pool2", 400), ("jtds", 1000), ("disruptor", 300)]
    {
        let Some(jar) = library_jar_or_skip(name) else { continue };
        let program = Program::load(read(&[&jar]));
        let harness = harness_of(&program, &[]);
        assert!(harness.calls.len() >= at_least, "{name}: only {} calls", harness.calls.len());
        compiled(&program, &harness, &[&jar]);
    }
}

#[test]
fn a_module_of_the_jdk_offers_what_it_exports() {
    let Some(_) = jdk_or_skip() else { return };
    let program = Program::load(read(&[Path::new("java.logging")]));
    let harness = harness_of(&program, &[]);
    let names: Vec<String> =
        harness.interface.iter().map(|&class| java_name(program.classes[class].name)).collect();
    assert!(names.contains(&"java.util.logging.Logger".to_owned()));
    assert!(names.iter().all(|name| name.starts_with("java.util.logging.")), "{names:?}");
    compiled(&program, &harness, &[]);
}
