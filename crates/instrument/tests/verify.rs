//! Rewritten classes pass the JVM's verifier.
//!
//! The classes of `java.base` replace the originals in a JVM that starts with them, so they run as well as verify; those of
//! libraries are linked one by one. With `SELVEDGE_FULL` in the environment it is the whole JDK and all installed libraries
//! (`scripts/verify-instrumented`).

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

use selvedge_base::FastSet;
use selvedge_classfile::{ClassFile, Error, Insn, access};
use selvedge_hooks::CLASSES;
use selvedge_instrument::{FieldKind, FieldName, Instrumenter, Stub, Tests, World};
use selvedge_models::Models;
use selvedge_protocol::{
    ClassPlan, DetectorChoice, MethodPlan, Options, Plan, QuietPlan, SiteEntry, SiteKind, Sites,
};
use selvedge_testkit::{Jdk, jdk_or_skip, jvms_or_skip, library_jars_or_skip, repository_root};

/// A class: its superclass, and its fields that are not static.
#[derive(Default)]
struct Known {
    above: Option<String>,
    fields: Vec<(String, FieldKind)>,
}

/// Numbers everything, and knows all classes; but pretends of every second one that it is only known when it is rewritten.
struct Count {
    classes: BTreeMap<String, Known>,
    rules: Rc<Instrumenter>,
    /// Accesses that are told; where objects are made does not count.
    sites: u32,
    slots: u32,
    fields: u32,
    skipped: Vec<String>,
    /// What has faded in every method.
    faded: FastSet<u32>,
}

impl Count {
    fn new(rules: Instrumenter) -> Count {
        let rules = Rc::new(rules);
        Count {
            classes: BTreeMap::new(),
            rules,
            sites: 0,
            slots: 0,
            fields: 0,
            skipped: Vec::new(),
            faded: FastSet::default(),
        }
    }

    fn see(&mut self, bytes: &[u8]) {
        let Ok(class) = ClassFile::parse(bytes) else { return };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let kinds = class.fields.iter().zip(selvedge_instrument::field_kinds(&class));
        let fields =
            kinds.filter(|(field, _)| field.access & access::STATIC == 0).map(|(_, named)| named).collect();
        self.classes.insert(text(class.this_class), Known { above: class.super_class.map(text), fields });
    }

    fn is_late(class: &str) -> bool {
        class.len().is_multiple_of(2)
    }

    /// The class and those above it, each with whether its fields have words.
    fn chain(&self, class: &str) -> Vec<(&Known, bool)> {
        let mut chain = Vec::new();
        let mut next = Some(class.to_owned());
        while let Some(known) = next.as_ref().and_then(|name| self.classes.get(name)) {
            chain.push((known, next.as_deref().is_some_and(|name| self.rules.has_words(name))));
            next = known.above.clone();
        }
        chain
    }
}

impl World for Count {
    fn extends_library(&self, _: &str) -> bool {
        true
    }

    fn special(&mut self, _: u32) {}

    fn loop_number(&mut self, _: &str, _: &str) -> Option<u32> {
        Some(0)
    }

    fn faded(&self, _: &str, _: &str) -> FastSet<u32> {
        self.faded.clone()
    }

    fn site(&mut self, entry: SiteEntry, _: Option<FieldName<'_>>) -> u32 {
        self.sites += u32::from(entry.kind != SiteKind::Allocation);
        self.sites
    }
    fn field_kind(&self, field: FieldName<'_>) -> FieldKind {
        if Self::is_late(field.owner) {
            return FieldKind::Unknown;
        }
        let chain = self.chain(field.owner);
        let found = chain.iter().flat_map(|(known, _)| &known.fields).find(|(name, _)| name == field.name);
        found.map_or(FieldKind::Unknown, |(_, kind)| *kind)
    }
    fn has_test(&mut self, field: FieldName<'_>) -> bool {
        if Self::is_late(field.owner) && self.classes.contains_key(field.owner) {
            return true;
        }
        for (known, has_words) in self.chain(field.owner) {
            if let Some((_, kind)) = known.fields.iter().find(|(name, _)| name == field.name) {
                return has_words && *kind == FieldKind::Plain;
            }
        }
        false
    }
    fn stubs(&mut self, class: &str, _: Option<&str>) -> Vec<Stub> {
        let mut stubs: Vec<Stub> = Vec::new();
        for (known, has_words) in self.chain(class).into_iter().filter(|_| Self::is_late(class)) {
            for (field, kind) in &known.fields {
                let tests = match kind {
                    FieldKind::Plain if has_words => Tests::Words,
                    FieldKind::Plain => Tests::Plain,
                    _ => Tests::Nothing,
                };
                if stubs.iter().all(|stub| stub.field != *field) {
                    let orders = *kind == FieldKind::Volatile;
                    stubs.push(Stub { field: field.clone(), tests, orders });
                }
            }
        }
        stubs
    }
    fn field_number(&mut self, _: &str) -> u32 {
        self.fields += 1;
        self.fields
    }
    fn method_number(&mut self, _: &str, _: &str) -> u32 {
        0
    }
    fn static_slot(&mut self, _: FieldName<'_>) -> u32 {
        self.slots += 1;
        self.slots
    }
    fn skipped(&mut self, class: &str, method: &str, why: &Error) {
        self.skipped.push(format!("{class}.{method}: {why}"));
    }
}

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{out}\n{err}");
    out.into_owned()
}

fn full() -> bool {
    std::env::var_os("SELVEDGE_FULL").is_some()
}

/// The class files of the JDK (by module) or of jars (by number): paths and bytes.
fn classes(jdk: &Jdk, name: &str, jars: &[PathBuf]) -> Vec<(String, Vec<u8>)> {
    let directory = scratch(&format!("{name}-dump"));
    let dump = directory.join("dump");
    let source = repository_root().join("crates/classfile/tests/java/DumpClasses.java");
    run(Command::new(&jdk.javac).args(["--release", "17", "-d"]).arg(&directory).arg(source));
    run(Command::new(&jdk.java).arg("-cp").arg(&directory).arg("DumpClasses").arg(&dump).args(jars));
    let bytes = std::fs::read(&dump).unwrap();
    let _ = std::fs::remove_dir_all(&directory);
    let (mut rest, mut all) = (&bytes[..], Vec::new());
    while !rest.is_empty() {
        let length = usize::from(u16::from_be_bytes([rest[0], rest[1]]));
        let path = std::str::from_utf8(&rest[2..2 + length]).unwrap().to_owned();
        rest = &rest[2 + length..];
        let length = u32::from_be_bytes([rest[0], rest[1], rest[2], rest[3]]) as usize;
        all.push((path, rest[4..4 + length].to_vec()));
        rest = &rest[4 + length..];
    }
    all
}

/// A plan by which every method has two versions: one that reports everything, and one that reports nothing. Every second call
/// enters the quiet one.
fn two_versions_of_everything(all: &[(String, Vec<u8>)]) -> Plan {
    let mut classes: BTreeMap<String, ClassPlan> = BTreeMap::new();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for (_, bytes) in all {
        let class = ClassFile::parse(bytes).unwrap();
        let mut methods = BTreeMap::new();
        for method in &class.methods {
            let Ok(Some(code)) = method.code(&class.pool) else { continue };
            let (mut report, mut calls) = (Vec::new(), [Vec::new(), Vec::new()]);
            for (bci, insn) in code.instructions().map_while(Result::ok) {
                report.push(bci);
                let is_call = matches!(
                    insn,
                    Insn::InvokeVirtual(_)
                        | Insn::InvokeInterface(_)
                        | Insn::InvokeSpecial(_)
                        | Insn::InvokeStatic(_)
                );
                if is_call {
                    calls[report.len() % 2].push(bci);
                }
            }
            let [quiet_calls, watched_calls] = calls;
            let (watched_too, quiet_too) = (watched_calls.clone(), quiet_calls.clone());
            let quiet =
                QuietPlan { quiet_calls: watched_too, watched_calls: quiet_too, ..QuietPlan::default() };
            let quiet = Some(quiet);
            let plan = MethodPlan { report, quiet_calls, watched_calls, quiet };
            methods.insert(format!("{}{}", text(method.name), text(method.descriptor)), plan);
        }
        classes.insert(text(class.this_class), ClassPlan { methods, ..ClassPlan::default() });
    }
    Plan { sites: Sites::Listed(classes), ..Plan::everything() }
}

/// Rewrites the classes by a plan and has a JVM link them. How many were linked, failed and skipped.
fn check(
    jdk: &Jdk,
    name: &str,
    plan: Plan,
    all: &[(String, Vec<u8>)],
    jars: &[PathBuf],
) -> (usize, usize, usize) {
    let directory = scratch(name);
    let mut world = Count::new(Instrumenter::new(plan, Models::builtin()).with_jdk_as_program());
    all.iter().for_each(|(_, bytes)| world.see(bytes));
    let rules = Rc::clone(&world.rules);
    let mut names = String::new();
    let mut modules: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
    let support = directory.join("support");
    std::fs::create_dir_all(support.join("java/lang")).unwrap();
    for (name, bytes) in CLASSES {
        std::fs::write(support.join(format!("{name}.class")), bytes).unwrap();
    }
    modules.insert("java.base", vec![support]);
    for (path, bytes) in all {
        if path.ends_with("module-info.class") || path.contains("META-INF/") {
            continue;
        }
        let (part, class) = path.split_once('/').unwrap();
        let rewritten = rules.instrument(bytes, &mut world).unwrap();
        let file = directory.join("classes").join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, rewritten.as_ref().unwrap_or(bytes)).unwrap();
        let class_name = class.trim_end_matches(".class").replace('/', ".");
        // All are rewritten, as they need each other; a part is linked.
        let is_hooked = class.starts_with("java/util/concurrent/");
        let is_linked =
            full() || !jars.is_empty() || all.len() < 1_000 || is_hooked || path.len().is_multiple_of(4);
        if jars.is_empty() {
            if is_linked {
                names.push_str(&format!("{class_name}\n"));
            }
            let place = directory.join("classes").join(part);
            let places = modules.entry(part).or_default();
            if places.last() != Some(&place) {
                places.push(place);
            }
        } else {
            names.push_str(&format!("{part} {class_name}\n"));
        }
    }
    std::fs::write(directory.join("names"), names).unwrap();
    let link_all = repository_root().join("crates/classfile/tests/java/LinkAll.java");
    run(Command::new(&jdk.javac).args(["--release", "17", "-d"]).arg(&directory).arg(link_all));
    let mut java = Command::new(&jdk.java);
    java.args(["-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal", "-XX:-UsePerfData"]);
    java.args(["-XX:+BytecodeVerificationRemote", "-XX:TieredStopAtLevel=1", "-Xshare:off"]);
    // Objects are larger than the JVM reckons with before it is initialised.
    java.args(["--add-modules", "ALL-SYSTEM", "-Xmn64m"]);
    for (module, places) in &modules {
        let places = std::env::join_paths(places).unwrap().into_string().unwrap();
        java.arg("--patch-module").arg(format!("{module}={places}"));
    }
    java.arg("-cp").arg(&directory).arg("LinkAll").arg(directory.join("names"));
    if !jars.is_empty() {
        java.arg(directory.join("classes")).args(jars);
    }
    let output = run(&mut java);
    println!("{name}: {} sites, {} methods skipped", world.sites, world.skipped.len());
    world.skipped.iter().take(10).for_each(|skipped| println!("  {skipped}"));
    print!("{}", &output[..output.len().min(20_000)]);
    let summary: Vec<usize> =
        output.lines().last().unwrap().split(' ').filter_map(|word| word.parse().ok()).collect();
    let _ = std::fs::remove_dir_all(&directory);
    assert!(world.sites > 1_000);
    (summary[0], summary[1], world.skipped.len())
}

/// Everything is watched, and may fade.
fn that_fades() -> Plan {
    Plan { options: Options { fade_after: 1, ..Options::default() }, ..Plan::everything() }
}

#[test]
fn the_jdk_verifies() {
    let Some(jdk) = jdk_or_skip() else { return };
    let mut all = classes(&jdk, "jdk", &[]);
    let before = all.len();
    all.retain(|(path, _)| full() || path.starts_with("java.base/"));
    assert!(all.len() > 5_000 && before > 20_000);
    for (name, mut plan) in [("jdk", that_fades()), ("jdk-twice", two_versions_of_everything(&all))] {
        // What locksets ask for besides has this JDK initialise classes before it can.
        plan.options.detector = DetectorChoice::HappensBefore;
        let (linked, failed, skipped) = check(&jdk, &format!("{name}-rewritten"), plan, &all, &[]);
        assert_eq!(failed, 0);
        assert!(linked > 1_000 && skipped < 30, "{name}: {linked} linked, {skipped} methods skipped");
    }
}

/// Rows and hooks name methods of the library, and other releases have others of the same name.
#[test]
fn the_jdk_of_every_release_verifies() {
    let Some(jdk) = jdk_or_skip() else { return };
    for launcher in jvms_or_skip() {
        if launcher.feature_version == jdk.feature_version() {
            continue;
        }
        let name = format!("jdk-{}", launcher.feature_version);
        let jdk = Jdk { java: launcher.java, ..jdk.clone() };
        let mut all = classes(&jdk, &name, &[]);
        all.retain(|(path, _)| path.starts_with("java.base/"));
        let options = Options { detector: DetectorChoice::Lockset, ..Options::default() };
        let plan = Plan { options, ..Plan::everything() };
        let (linked, failed, skipped) = check(&jdk, &format!("{name}-rewritten"), plan, &all, &[]);
        assert_eq!(failed, 0, "{name}");
        assert!(linked > 1_000 && skipped < 30, "{name}: {linked} linked, {skipped} methods skipped");
    }
}

#[test]
fn libraries_verify() {
    let (Some(jdk), Some(mut jars)) = (jdk_or_skip(), library_jars_or_skip()) else { return };
    let mut size = 0;
    jars.retain(|jar| {
        size += std::fs::metadata(jar).map_or(0, |metadata| metadata.len());
        full() || size < 8_000_000
    });
    let all = classes(&jdk, "jars", &jars);
    for (name, plan) in [("jars", that_fades()), ("jars-twice", two_versions_of_everything(&all))] {
        let (linked, failed, _) = check(&jdk, &format!("{name}-rewritten"), plan, &all, &jars);
        assert_eq!(failed, 0);
        assert!(linked > 500, "{name}: {linked}");
    }
}

/// What is put into a new array that is on the operand stack only is not told, as far as order is asked for; by locksets it makes its
/// thread the owner. What comes after others may know it is told.
#[test]
fn arrays_are_filled_in_silence() {
    let Some(_) = jdk_or_skip() else { return };
    let cases = [
        ("int[] m() { return new int[] {1, 2, 3}; }", 0, 3),
        ("long[][] m(long x) { return new long[][] {{x, 2}, {3, x}}; }", 0, 6),
        ("Object[] m(Object x) { return new Object[] {x, Integer.valueOf(3), new Object[] {x}}; }", 2, 4),
        ("int[] f; void m() { (f = new int[2])[0] = 5; }", 2, 2),
        ("int[] m(boolean x) { return new int[] {1, x ? 2 : 3, 4}; }", 0, 3),
        ("int[] m(int n) { return new int[] {1, id(new int[] {n})}; } int id(int[] a) { return 1; }", 1, 3),
        ("int[] m() { int[] a = new int[1]; a[0] = 1; return a; }", 1, 1),
    ];
    let sites = |source: &str, detector: DetectorChoice| {
        let compiled =
            selvedge_testkit::compile(&[("Main.java", source)], &selvedge_testkit::JavacOptions::default())
                .unwrap();
        let plan = || Plan { options: Options { detector, ..Options::default() }, ..Plan::everything() };
        let rules = Instrumenter::new(plan(), Models::builtin());
        let mut world = Count::new(Instrumenter::new(plan(), Models::builtin()));
        rules.instrument(&compiled.class_bytes("Main").unwrap(), &mut world).unwrap();
        world.sites
    };
    for (method, by_order, by_locksets) in cases {
        let source = format!("class Main {{ {method} }}");
        assert_eq!(sites(&source, DetectorChoice::HappensBefore), by_order, "{method}");
        assert_eq!(sites(&source, DetectorChoice::Lockset), by_locksets, "{method}");
    }
}

/// What a loop does to an array that stays the same is reported as ranges, other accesses one by one.
#[test]
fn loops_report_ranges() {
    let Some(_) = jdk_or_skip() else { return };
    let cases = [
        // A choice between the load of the array and the store; what is read there depends.
        (
            "void m(int[] a, int[] b, int n) { for (int i = 0; i < n; i++) a[i] = n > 3 && b[i] > 0 ? 1 : 0; }",
            [0, 1, 1],
        ),
        // An index by way of a variable.
        (
            "void m(int[] a, int n) { for (int i = 0; i < n; i++) { int at = 2 * i + n; a[at] = i; } }",
            [0, 1, 0],
        ),
        (
            "void m(int[] a, int n) { for (int i = 0; i < n; i++) { int at = n > 3 ? i : 5; a[at] = i; } }",
            [0, 0, 1],
        ),
        (
            "void m(int[] a, int n) { int at = 7; for (int i = 0; i < n; i++) { a[at] = i; at = 2 * i; } }",
            [0, 0, 1],
        ),
        // Final fields keep their arrays, others may not; nor do variables that change keep their objects.
        (
            "final int[] f = {1}; int m(int n) { int s = 0; for (int i = 0; i < n; i++) s += f[i]; return s; }",
            [1, 0, 0],
        ),
        (
            "int[] f = {1}; int m(int n) { int s = 0; for (int i = 0; i < n; i++) s += f[i]; return s; }",
            [0, 0, 1],
        ),
        (
            "final int[] f = {1}; Main o; int m(Main x, int n) { int s = 0; for (int i = 0; i < n; i++) { s += x.f[i]; x = x.o; } return s; }",
            [0, 0, 1],
        ),
        // Methods that are still.
        (
            "int m(int[] a, int n) { int s = 0; for (int i = 0; i < n; i++) s += Integer.bitCount(a[i]); return s; }",
            [1, 0, 0],
        ),
        (
            "double m(double[] a, int n) { double s = 0; for (int i = 0; i < n; i++) s += Math.random() * a[i]; return s; }",
            [0, 0, 1],
        ),
    ];
    for (method, expected) in cases {
        let source = format!("class Main {{ {method} }}");
        let compiled =
            selvedge_testkit::compile(&[("Main.java", &source)], &selvedge_testkit::JavacOptions::default())
                .unwrap();
        let everything = || Instrumenter::new(Plan::everything(), Models::builtin());
        let bytes = compiled.class_bytes("Main").unwrap();
        let rewritten = everything().instrument(&bytes, &mut Count::new(everything())).unwrap().unwrap();
        let class = ClassFile::parse(&rewritten).unwrap();
        let method_m = class.methods.iter().find(|method| method.name == b"m").unwrap();
        let code = method_m.code(&class.pool).unwrap().unwrap();
        let mut called = BTreeMap::<Vec<u8>, usize>::new();
        for item in code.instructions() {
            if let (_, Insn::InvokeStatic(index)) = item.unwrap() {
                *called.entry(class.pool.method_ref(index).unwrap().name.to_vec()).or_default() += 1;
            }
        }
        let is_there = |hook: &str| usize::from(called.contains_key(hook.as_bytes()));
        let singles = is_there("arrayRead") + is_there("arrayWrite");
        assert_eq!([is_there("readRange"), is_there("writeRange"), singles], expected, "{method}");
    }
}

#[test]
fn a_plan_of_nothing_changes_nothing() {
    let Some(jdk) = jdk_or_skip() else { return };
    let compiled = selvedge_testkit::compile(
        &[("Main.java", "class Main { int f; synchronized void m() { f++; synchronized (this) { f--; } } }")],
        &selvedge_testkit::JavacOptions::default(),
    )
    .unwrap();
    let _ = jdk;
    let bytes = compiled.class_bytes("Main").unwrap();
    let mut world = Count::new(Instrumenter::new(Plan::everything(), Models::builtin()));
    let nothing = Instrumenter::new(Plan::nothing(), Models::builtin());
    assert_eq!(nothing.instrument(&bytes, &mut world), Ok(None));
    let everything = Instrumenter::new(Plan::everything(), Models::builtin());
    let rewritten = everything.instrument(&bytes, &mut world).unwrap();
    assert!(rewritten.is_some_and(|rewritten| rewritten.len() > bytes.len()));
    // The first write covers all that follows before the monitor is released, and the read right before it.
    assert_eq!(world.sites, 1);
    let every = Instrumenter::new(Plan::everything(), Models::builtin()).with_every_access();
    world.sites = 0;
    every.instrument(&bytes, &mut world).unwrap();
    assert_eq!(world.sites, 4);
}

/// What has faded has no hook, nor has what it covers; the members that others rely on are the same.
#[test]
fn what_has_faded_is_not_told() {
    let Some(_) = jdk_or_skip() else { return };
    let source = "class Main { int f, g; int[] a; int m(int n) { int s = f; for (int i = 0; i < n; i++) s += a[i] * g; return s + f; } }";
    let compiled =
        selvedge_testkit::compile(&[("Main.java", source)], &selvedge_testkit::JavacOptions::default())
            .unwrap();
    let bytes = compiled.class_bytes("Main").unwrap();
    let rewritten = |faded: &[u32]| {
        let rules = Instrumenter::new(that_fades(), Models::builtin());
        let mut world = Count::new(Instrumenter::new(that_fades(), Models::builtin()));
        world.faded.extend(faded);
        let rewritten = rules.instrument(&bytes, &mut world).unwrap().unwrap();
        let class = ClassFile::parse(&rewritten).unwrap();
        let members = class.fields.iter().chain(&class.methods);
        let members: Vec<(Vec<u8>, Vec<u8>)> =
            members.map(|member| (member.name.to_vec(), member.descriptor.to_vec())).collect();
        (world.sites, members)
    };
    let all: Vec<u32> = (0..100).collect();
    let (told, members) = rewritten(&[]);
    // The first read of `f` is at 1 and covers the last one.
    assert_eq!(rewritten(&[1]), (told - 1, members.clone()));
    assert_eq!(rewritten(&all), (0, members));
    assert_eq!(told, 4);
}

/// The quiet version has the monitors of the watched one and none of its accesses.
#[test]
fn two_versions_are_two_bodies_of_one_method() {
    if jdk_or_skip().is_none() {
        return;
    }
    let source = "class Main { int f; synchronized int m(int n) { f++; switch (n) { case 1: return 2; default: } return m(1); } }";
    let compiled =
        selvedge_testkit::compile(&[("Main.java", source)], &selvedge_testkit::JavacOptions::default())
            .unwrap();
    let bytes = compiled.class_bytes("Main").unwrap();
    let plan = two_versions_of_everything(&[("Main.class".to_owned(), bytes.clone())]);
    let count = |plan: Plan| {
        let rules = Instrumenter::new(plan, Models::builtin());
        let mut world = Count::new(Instrumenter::new(Plan::everything(), Models::builtin()));
        let rewritten = rules.instrument(&bytes, &mut world).unwrap().unwrap();
        assert!(world.skipped.is_empty(), "{:?}", world.skipped);
        let class = ClassFile::parse(&rewritten).unwrap();
        let methods: Vec<_> = class.methods.iter().filter(|method| method.name == b"m").collect();
        assert_eq!(methods.len(), 1);
        let code = methods[0].code(&class.pool).unwrap().unwrap();
        let mut calls: BTreeMap<String, usize> = BTreeMap::new();
        for (_, insn) in code.instructions().map(Result::unwrap) {
            let (Insn::InvokeStatic(index) | Insn::InvokeVirtual(index)) = insn else { continue };
            let name = String::from_utf8_lossy(class.pool.method_ref(index).unwrap().name).into_owned();
            *calls.entry(name).or_default() += 1;
        }
        calls
    };
    let number = |calls: &BTreeMap<String, usize>, name: &str| calls.get(name).copied().unwrap_or(0);
    let names = ["m", "entered", "exiting", "calling", "entersQuiet", "$selvedgeWrite$f"];
    let mut off = plan.clone();
    off.options.versions = false;
    let [once, twice] = [count(off), count(plan)];
    assert_eq!(names.map(|name| number(&once, name)), [1, 1, 3, 0, 0, 1], "{once:?}");
    assert_eq!(names.map(|name| number(&twice, name)), [2, 1, 5, 2, 1, 1], "{twice:?}");
}
