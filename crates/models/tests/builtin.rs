//! The built-in rows against the classes of the JDK that the tests run with.

use std::sync::OnceLock;

use selvedge_base::Symbol;
use selvedge_classfile::ClassFile;
use selvedge_models::{CheckReport, ClassTable, DeclaredMethod, Models};
use selvedge_world::{Input, Options};

/// The classes of the JDK under test; `None`, after a line that says so, where there is none.
fn jdk_classes() -> Option<&'static ClassTable> {
    static CLASSES: OnceLock<Option<ClassTable>> = OnceLock::new();
    let read = || {
        let jdk = selvedge_testkit::jdk_or_skip()?;
        let input =
            Input::read(&Options { jdk: Some(jdk.home), ..Options::default() }).expect("the JDK can be read");
        let mut table = ClassTable::new(Some(u32::from(input.jdk.version)));
        for source in &input.classes {
            table.add(&ClassFile::parse(&source.bytes).expect("JDK classes are right"));
        }
        assert!(table.len() > 5_000, "only {} classes in the JDK", table.len());
        Some(table)
    };
    CLASSES.get_or_init(read).as_ref()
}

fn report() -> Option<CheckReport> {
    jdk_classes().map(|classes| Models::builtin().check(classes))
}

fn lines(items: &[impl ToString]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_row_says_why() {
    let models = Models::builtin();
    assert!(models.rows().len() > 300, "only {} rows", models.rows().len());
    for row in models.rows() {
        assert!(!row.provenance.trim().is_empty(), "{}: {row}", row.origin);
    }
}

#[test]
fn every_row_matches_a_method_and_its_places() {
    let Some(report) = report() else { return };
    assert!(report.problems.is_empty(), "\n{}", lines(&report.problems));
    assert!(report.matched > 300, "only {} rows match", report.matched);
}

#[test]
fn every_native_that_returns_a_reference_has_a_row() {
    /// Modules whose natives are left to what is assumed of any native: nothing that programs meet in passing.
    const LEFT_OUT: &[&str] = &[
        "com/sun/java/swing/",
        "com/sun/media/",
        "com/sun/nio/sctp/",
        "java/awt/",
        "jdk/jfr/",
        "jdk/vm/ci/",
        "sun/awt/",
        "sun/font/",
        "sun/java2d/",
        "sun/jvm/hotspot/",
        "sun/nio/ch/sctp/",
        "sun/print/",
        "sun/security/pkcs11/",
        "sun/security/smartcardio/",
    ];
    let Some(report) = report() else { return };
    let left_out = |native: &DeclaredMethod| {
        LEFT_OUT.iter().any(|package| native.class.as_bytes().starts_with(package.as_bytes()))
    };
    let missing: Vec<DeclaredMethod> =
        report.natives_without_row.into_iter().filter(|native| !left_out(native)).collect();
    assert!(missing.is_empty(), "\n{}", lines(&missing));
}

#[test]
fn rows_at_subtypes_hide_those_above() {
    let Some(classes) = jdk_classes() else { return };
    let text = r#"
        provenance = "a test"
        [[method]]
        class = "java.util.Collection"
        name = "size"
        subtypes = true
        effects = [{ container-read = { object = "this" } }]
        [[method]]
        class = "java.util.AbstractSet"
        name = "size"
        effects = []
        [[method]]
        class = "java.util.HashSet"
        name = "size"
        subtypes = true
        effects = [{ container-write = { object = "this" } }]
    "#;
    let mut models = Models::default();
    assert_eq!(models.add_file("a.toml", text), []);
    let found = |class: &str| {
        let rows = models.rows_for(Symbol::new(class), "size".into(), "()I".into(), classes);
        rows.iter().map(|row| row.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(found("java/util/ArrayList"), ["java.util.Collection+.size(*): container-read this"]);
    assert_eq!(found("java/util/HashSet"), ["java.util.HashSet+.size(*): container-write this"]);
    // Collection is also above LinkedHashSet along its interface Set: HashSet's row hides it there too.
    assert_eq!(found("java/util/LinkedHashSet"), ["java.util.HashSet+.size(*): container-write this"]);
    assert_eq!(found("java/lang/String"), [""; 0]);
}

#[test]
fn overriding_methods_may_return_something_more_precise() {
    let Some(classes) = jdk_classes() else { return };
    let models = Models::builtin();
    let descriptor = "(Ljava/util/concurrent/Callable;)Ljava/util/concurrent/ForkJoinTask;";
    let class = Symbol::new("java/util/concurrent/ForkJoinPool");
    let rows = models.rows_for(class, "submit".into(), descriptor.into(), classes);
    let subjects: Vec<String> = rows.iter().map(|row| row.selector.class.to_string()).collect();
    assert_eq!(subjects, ["java.util.concurrent.ExecutorService"]);
}

#[test]
fn rows_of_other_releases_can_be_left_out() {
    let models = Models::builtin();
    let count =
        |models: &Models| models.rows_at("java/lang/Thread".into(), "startVirtualThread".into()).count();
    assert_eq!((count(&models), count(&models.for_release(17)), count(&models.for_release(21))), (1, 0, 1));
    let kept = models.for_release(17);
    assert!(kept.rows().iter().all(|row| kept.row(row.id) == row), "ids are positions");
}

#[test]
fn an_unknown_native_is_assumed_to_make_what_it_returns() {
    let assumed = |descriptor: &str| {
        let effects = selvedge_models::assumed_of_native(descriptor.into());
        effects.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(assumed("(Ljava/lang/Object;)I"), [""; 0]);
    assert_eq!(assumed("()Ljava/lang/String;"), ["fresh java.lang.String -> result"]);
    assert_eq!(assumed("()[Lp/C;"), ["fresh p.C[] -> result of p.C"]);
    assert_eq!(assumed("()[[B"), ["fresh byte[][] -> result of byte[]"]);
    assert_eq!(assumed("()[B"), ["fresh byte[] -> result"]);
}
