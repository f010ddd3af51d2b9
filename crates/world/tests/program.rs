//! What a program is made of: numbering, phantoms, broken hierarchies, subtypes, arrays, bodies.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use common::{TempDir, class_file, read};
use selvedge_base::{Id, Symbol};
use selvedge_ir::{ClassName, FieldRef, MethodRef, Type, TypeOracle};
use selvedge_testkit::jar::{Entry, Method, zip};
use selvedge_testkit::{JavacOptions, Rng, compile, jdk_or_skip};
use selvedge_world::{ClassId, Problem, ProblemKind, Program, ResolveError, Tier, TypeTable};

fn load(path: &Path) -> Program {
    Program::load(read(&[path]))
}

fn class(program: &Program, name: &str) -> ClassId {
    program.class_named(ClassName::new(name)).unwrap_or_else(|| panic!("{name} is not in the program"))
}

fn method_ref(owner: &str, name: &str, descriptor: &str) -> MethodRef {
    let owner = ClassName::new(owner);
    MethodRef { owner, name: Symbol::new(name), descriptor: Symbol::new(descriptor), interface: false }
}

fn listed(program: &Program, kind: ProblemKind) -> Vec<String> {
    let problems: Vec<Problem> = program.problems();
    problems.iter().filter(|problem| problem.kind == kind).map(ToString::to_string).collect()
}

#[test]
fn ids_go_by_tier_and_name_whatever_the_number_of_threads() {
    let Some(_) = jdk_or_skip() else { return };
    let dir = TempDir::new();
    let library = zip(&[Entry::new(
        "a/Library.class",
        &class_file("a/Library", "java/lang/Object", &[]),
        Method::Deflated,
    )]);
    dir.write("lib/x.jar", &library);
    dir.write("z/Last.class", &class_file("z/Last", "a/Library", &["gone/Interface"]));
    dir.write("b/First.class", &class_file("b/First", "gone/Class", &[]));
    let in_one_thread =
        || rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(|| load(dir.path()));
    let in_five =
        || rayon::ThreadPoolBuilder::new().num_threads(5).build().unwrap().install(|| load(dir.path()));
    let (program, again) = (in_one_thread(), in_five());
    let names = |program: &Program| program.classes.iter().map(|class| class.name).collect::<Vec<_>>();
    assert!(names(&program) == names(&again));
    let members = |program: &Program| {
        let methods = program
            .methods
            .iter()
            .map(|method| (method.class, method.name, method.descriptor, method.selector));
        methods.collect::<Vec<_>>()
    };
    assert!(members(&program) == members(&again));
    assert_eq!(program.problems(), again.problems());

    let first: Vec<String> = names(&program)[..3].iter().map(ToString::to_string).collect();
    assert_eq!(first, ["b/First", "z/Last", "a/Library"]);
    let last: Vec<String> =
        names(&program)[program.classes.len() - 2..].iter().map(ToString::to_string).collect();
    assert_eq!(last, ["gone/Class", "gone/Interface"]);
    assert!(program.classes.iter().map(|class| class.tier).take(program.classes.len() - 2).is_sorted());
    let by_name = |id: ClassId| program.classes[id].name;
    assert!(program.classes.ids().all(|id| program.class_named(by_name(id)) == Some(id)));
}

#[test]
fn missing_classes_are_phantoms_and_listed_once() {
    let Some(_) = jdk_or_skip() else { return };
    let sources = [
        (
            "p/A.java",
            "package p; public class A extends Base implements Face { Used u; Object o() { return Used.make(); } }",
        ),
        ("p/B.java", "package p; public class B extends Base { }"),
        ("p/Base.java", "package p; public class Base { int inherited; }"),
        ("p/Face.java", "package p; public interface Face { }"),
        ("p/Used.java", "package p; public class Used { static Used make() { return null; } }"),
    ];
    let compiled = compile(&sources, &JavacOptions::default()).unwrap();
    let dir = TempDir::new();
    for name in ["A", "B"] {
        dir.write(&format!("p/{name}.class"), &compiled.class_bytes(&format!("p/{name}")).unwrap());
    }
    let program = load(dir.path());
    let missing = |name: &str| format!("p.{name}: is not in the input, its class path or the JDK");
    assert_eq!(listed(&program, ProblemKind::MissingClass), [missing("Base"), missing("Face")]);
    let (base, face) = (class(&program, "p/Base"), class(&program, "p/Face"));
    assert!(program.classes[base].is_phantom() && program.classes[base].superclass == Some(program.object()));
    assert!(program.classes[face].is_phantom() && program.classes[face].is_interface());
    assert!(program.is_subclass(class(&program, "p/A"), face));

    // A class that is only mentioned is a problem when it is asked for, and then one.
    let make = method_ref("p/Used", "make", "()Lp/Used;");
    for _ in 0..2 {
        assert_eq!(program.resolve_method(&make), Err(ResolveError::MissingClass(ClassName::new("p/Used"))));
    }
    let inherited = FieldRef {
        owner: ClassName::new("p/A"),
        name: Symbol::new("inherited"),
        descriptor: Symbol::new("I"),
    };
    assert_eq!(program.resolve_field(&inherited), Err(ResolveError::MissingClass(ClassName::new("p/Base"))));
    assert_eq!(
        listed(&program, ProblemKind::MissingClass),
        [missing("Base"), missing("Face"), missing("Used")]
    );
    // Where no ancestor is missing, the member is.
    let none = method_ref("java/lang/String", "none", "()V");
    assert_eq!(program.resolve_method(&none), Err(ResolveError::NoSuchMethod(none)));
    assert_eq!(
        program.resolve_class(ClassName::new("no/Such")),
        Err(ResolveError::MissingClass(ClassName::new("no/Such")))
    );
}

#[test]
fn broken_hierarchies_are_cut() {
    let Some(_) = jdk_or_skip() else { return };
    let dir = TempDir::new();
    let write = |name: &str, superclass: &str, interfaces: &[&str]| {
        dir.write(&format!("{name}.class"), &class_file(name, superclass, interfaces));
    };
    write("Own", "Own", &[]);
    write("Chick", "Egg", &[]);
    write("Egg", "Chick", &[]);
    write("Below", "Egg", &[]);
    write("ExtendsInterface", "java/lang/Runnable", &[]);
    write("ImplementsClass", "java/lang/Object", &["java/lang/Thread", "java/lang/Runnable"]);
    let program = load(dir.path());
    assert_eq!(
        listed(&program, ProblemKind::BrokenHierarchy),
        [
            "ExtendsInterface: extends an interface; java.lang.Object is used as its superclass",
            "ImplementsClass: implements a class that is not an interface, which is ignored",
            "Chick: is its own ancestor; the cycle is cut here",
            "Own: is its own ancestor; the cycle is cut here",
        ]
    );
    let object = program.object();
    for id in program.classes.ids() {
        assert_eq!(program.superclasses(id).last(), Some(object));
    }
    let (below, chick, egg) = (class(&program, "Below"), class(&program, "Chick"), class(&program, "Egg"));
    assert!(
        program.is_subclass(below, egg)
            && program.is_subclass(egg, chick)
            && !program.is_subclass(chick, egg)
    );
    assert_eq!(program.subtypes(chick), [chick, egg, below]);
    let interfaces = program.all_interfaces(class(&program, "ImplementsClass"));
    assert_eq!(interfaces, [class(&program, "java/lang/Runnable")]);
}

#[test]
fn deep_hierarchies_need_no_stack() {
    let Some(_) = jdk_or_skip() else { return };
    const DEPTH: usize = 20_000;
    let chain = (0..DEPTH).map(|n| {
        let superclass = if n == 0 { "java/lang/Object".to_owned() } else { format!("C{}", n - 1) };
        let name = format!("C{n}");
        Entry::new(&format!("{name}.class"), &class_file(&name, &superclass, &[]), Method::Stored)
    });
    let dir = TempDir::new();
    let program = load(&dir.write("deep.jar", &zip(&chain.collect::<Vec<_>>())));
    let (top, bottom) = (class(&program, "C0"), class(&program, &format!("C{}", DEPTH - 1)));
    assert!(program.is_subclass(bottom, top));
    assert_eq!(program.subtypes(top).len(), DEPTH);
    let hash = program.resolve_method(&method_ref("C9", "hashCode", "()I")).unwrap();
    assert_eq!(program.dispatch(bottom, hash), Some(hash));
}

#[test]
fn duplicates_are_listed_by_archive() {
    let Some(_) = jdk_or_skip() else { return };
    let entry = |name: &str, superclass: &str| {
        Entry::new(&format!("{name}.class"), &class_file(name, superclass, &[]), Method::Deflated)
    };
    let dir = TempDir::new();
    let a = dir.write("a.jar", &zip(&[entry("C", "java/lang/Object"), entry("D", "java/lang/Object")]));
    let b = dir.write("b.jar", &zip(&[entry("C", "java/lang/Thread"), entry("D", "java/lang/Object")]));
    let here = dir.path().display();
    let program = Program::load(read(&[&a, &b]));
    assert_eq!(
        listed(&program, ProblemKind::DuplicateClass),
        [format!(
            "{here}/b.jar: holds classes that {here}/a.jar has as well, from where they are used: C, D"
        )]
    );
    assert_eq!(program.classes[class(&program, "C")].superclass, Some(program.object()));
    let program = Program::load(read(&[&b, &a]));
    assert_eq!(program.classes[class(&program, "C")].superclass, Some(class(&program, "java/lang/Thread")));
}

#[test]
fn malformed_and_misplaced_classes_are_left_out() {
    let Some(_) = jdk_or_skip() else { return };
    let dir = TempDir::new();
    let good = class_file("p/Good", "java/lang/Object", &[]);
    dir.write("root/p/Good.class", &good);
    dir.write("root/elsewhere/Good.class", &good);
    dir.write("root/Cut.class", &good[..20]);
    let program = load(&dir.path().join("root"));
    let problems = listed(&program, ProblemKind::MalformedClass);
    assert_eq!(problems.len(), 2, "{problems:#?}");
    assert!(problems[0].contains("root!/Cut.class: is not a usable class file"), "{}", problems[0]);
    assert!(
        problems[1].contains("holds the class p.Good, which the JVM would not look for there"),
        "{}",
        problems[1]
    );
    let application = program.classes.iter().filter(|class| class.tier == Tier::Application);
    assert_eq!(application.map(|class| class.name.to_string()).collect::<Vec<_>>(), ["p/Good"]);
}

/// All ancestors by plain search.
fn ancestors(program: &Program, class: ClassId) -> BTreeSet<ClassId> {
    let mut found = BTreeSet::new();
    let mut stack = vec![class];
    while let Some(class) = stack.pop() {
        if found.insert(class) {
            stack.extend(program.classes[class].superclass);
            stack.extend(&program.classes[class].interfaces);
        }
    }
    found
}

#[test]
fn subtypes_agree_with_a_plain_search_of_the_jdk() {
    let Some(_) = jdk_or_skip() else { return };
    let program = Program::load(read(&[]));
    assert_eq!(program.problems(), []);
    let ids: Vec<ClassId> = program.classes.ids().collect();
    let mut rng = Rng::new(7);
    let sample: Vec<ClassId> = (0..300).map(|_| *rng.pick(&ids).unwrap()).collect();
    let mut subtypes = 0;
    for &class in &sample {
        let ancestors = ancestors(&program, class);
        for other in sample.iter().chain(&ancestors) {
            assert_eq!(program.is_subclass(class, *other), ancestors.contains(other));
        }
        for &ancestor in &ancestors {
            let list = program.subtypes(ancestor);
            assert_eq!(list.iter().filter(|&&subtype| subtype == class).count(), 1);
            assert_eq!(list[0], ancestor);
            subtypes += list.len();
        }
        let interfaces: Vec<ClassId> = ancestors
            .iter()
            .copied()
            .filter(|&ancestor| ancestor != class && program.classes[ancestor].is_interface())
            .collect();
        assert_eq!(program.all_interfaces(class), interfaces);
    }
    assert!(subtypes > 100_000);
    assert!(program.subtypes(class(&program, "java/util/Map")).iter().all(|&class| {
        ancestors(&program, class).contains(&program.class_named(ClassName::new("java/util/Map")).unwrap())
    }));
}

#[test]
fn array_types_are_covariant() {
    let Some(_) = jdk_or_skip() else { return };
    let program = Program::load(read(&[]));
    let mut types = TypeTable::new(&program);
    let mut check = |subtype: &str, supertype: &str, expected: bool| {
        let (a, b) =
            (types.named(ClassName::new(subtype)).unwrap(), types.named(ClassName::new(supertype)).unwrap());
        assert_eq!(types.is_subtype(a, b), expected, "{subtype} {supertype}");
        assert_eq!(types.name(a), ClassName::new(subtype));
    };
    check("[I", "java/lang/Object", true);
    check("[I", "java/lang/Cloneable", true);
    check("[I", "java/io/Serializable", true);
    check("[I", "java/lang/Runnable", false);
    check("[I", "[J", false);
    check("[I", "[Ljava/lang/Object;", false);
    check("[[I", "[Ljava/lang/Object;", true);
    check("[[I", "[Ljava/lang/Cloneable;", true);
    check("[[[I", "[[Ljava/lang/Object;", true);
    check("[Ljava/lang/String;", "[Ljava/lang/Comparable;", true);
    check("[Ljava/lang/Comparable;", "[Ljava/lang/String;", false);
    check("[Ljava/lang/Object;", "[Ljava/lang/Object;", true);
    check("java/lang/Object", "[I", false);
    check("java/lang/String", "java/lang/Comparable", true);
    assert_eq!(types.named(ClassName::new("[Lno/Such;")), None);
    assert_eq!(types.named(ClassName::new("[X")), None);
    let first = types.named(ClassName::new("[I")).unwrap();
    assert_eq!(first.index(), program.classes.len());
    assert_eq!(types.dispatch_class(first), program.object());
}

#[test]
fn arrays_and_method_handles_resolve() {
    let Some(_) = jdk_or_skip() else { return };
    let program = Program::load(read(&[]));
    let clone = program.resolve_method(&method_ref("[I", "clone", "()Ljava/lang/Object;")).unwrap();
    assert_eq!(program.describe_method(clone), "java.lang.Object.clone()");
    for (owner, name, descriptor) in [
        ("java/lang/invoke/MethodHandle", "invokeExact", "(IJ)Ljava/lang/String;"),
        ("java/lang/invoke/VarHandle", "compareAndSet", "(Ljava/lang/Object;II)Z"),
    ] {
        let found = program.resolve_method(&method_ref(owner, name, descriptor)).unwrap();
        assert!(program.is_signature_polymorphic(found));
        assert!(program.methods[found].name.is(name));
    }
    let plain = program
        .resolve_method(&method_ref(
            "java/lang/invoke/MethodHandle",
            "invokeWithArguments",
            "([Ljava/lang/Object;)Ljava/lang/Object;",
        ))
        .unwrap();
    assert!(!program.is_signature_polymorphic(plain));
}

#[test]
fn bodies_are_made_once_and_typed_by_the_program() {
    let Some(_) = jdk_or_skip() else { return };
    let text =
        "package p; class A { A f(boolean b) { return b ? new B() : new C(); } static native void n(); }
        class B extends A { } class C extends A { }";
    let program = load(compile(&[("p/A.java", text)], &JavacOptions::default()).unwrap().path());
    let a = class(&program, "p/A");
    let named = |name: &str| {
        program.classes[a].methods.iter().find(|&method| program.methods[method].name.is(name)).unwrap()
    };
    let body = program.body(named("f")).unwrap();
    assert!(std::ptr::eq(body, program.body(named("f")).unwrap()));
    assert_eq!(program.lower(named("f")).unwrap().as_ref(), Some(body));
    // The merge of a B and a C is an A, as only the hierarchy tells.
    assert!(body.values.iter().any(|value| {
        value.ty == Type::Ref(ClassName::new("p/A"))
            && matches!(value.def, selvedge_ir::ValueDef::Inst(inst)
            if body.insts[inst].op == selvedge_ir::Op::Phi)
    }));
    assert!(program.body(named("n")).is_none());
    assert_eq!(program.superclass(ClassName::new("p/B")), Some(ClassName::new("p/A")));
    assert_eq!(program.source_file(a), Some(Symbol::new("A.java")));
    assert_eq!(program.problems(), []);
}

#[test]
fn methods_of_large_classes_have_the_bodies_that_each_has_alone() {
    let Some(_) = jdk_or_skip() else { return };
    let methods: String = (0..700)
        .map(|number| {
            format!("    static int m{number}(int n) {{ return n > {number} ? m{number}(n - 1) : n; }}\n")
        })
        .collect();
    let source = format!("abstract class Large {{\n{methods}    abstract void none();\n}}\n");
    let dir = compile(&[("Large.java", &source)], &JavacOptions::default()).unwrap();
    let program = load(dir.path());
    assert!(program.classes[class(&program, "Large")].methods.len() > 700);
    // Those of the JDK, too.
    let large = program.classes.iter().filter(|class| class.methods.len() > 256);
    let methods: Vec<_> = large.flat_map(|class| class.methods.iter()).collect();
    assert!(methods.len() > 2000, "{}", methods.len());
    for method in methods {
        let alone = program.lower(method).ok().flatten();
        assert_eq!(format!("{:?}", program.body(method)), format!("{:?}", alone.as_ref()));
    }
}
