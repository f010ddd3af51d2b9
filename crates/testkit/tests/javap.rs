//! The reader of javap's output, on classes compiled for it and on a real package of the JDK.

use selvedge_testkit::javap::{Site, disassemble, parse};
use selvedge_testkit::{JavacOptions, compile, jdk_or_skip};

const SOURCE: &str = r#"package p;
import java.util.function.Supplier;

class Sites<T extends Comparable<T>> {
    int count;
    static String label = "a // b: {";

    Sites() { }

    native int away(int x);

    @Deprecated
    <U> Supplier<U> make(U u, int[][] grid) throws Exception {
        synchronized (this) {
            count = grid.length;
        }
        try {
            switch (count) {
                case 1: return () -> u;
                case 1000: label = "x";
                default: grid = new int[count][2];
            }
            switch (label) { case "one": count++; }
        } catch (IllegalStateException e) {
            throw new Exception(e);
        }
        return null;
    }
}
"#;

#[test]
fn a_class_with_everything() {
    let Some(jdk) = jdk_or_skip() else { return };
    let compiled = compile(&[("p/Sites.java", SOURCE)], &JavacOptions::default()).unwrap();
    let files = compiled.class_files().unwrap();
    let class = &disassemble(&jdk, &files).unwrap()[0];
    assert!(class.header.starts_with("class p.Sites<T extends java.lang.Comparable<T>>"), "{}", class.header);
    assert_eq!(class.field_descriptors, ["I", "Ljava/lang/String;"]);
    let headers: Vec<&str> = class.methods.iter().map(|method| method.header.as_str()).collect();
    assert_eq!(headers[0], "p.Sites();");
    assert_eq!(headers[1], "native int away(int);");
    assert!(headers.contains(&"static {};"));
    assert!(class.methods[1].code.is_none());

    let make = &class.methods[2];
    assert_eq!(make.descriptor, "(Ljava/lang/Object;[[I)Ljava/util/function/Supplier;");
    let code = make.code.as_ref().unwrap();
    let sites: Vec<(u32, Site)> = code
        .instructions
        .iter()
        .filter_map(|insn| Some((insn.bci, Site::of(insn, "p/Sites").unwrap()?)))
        .collect();
    let kinds = |wanted: fn(&Site) -> bool| sites.iter().filter(|(_, site)| wanted(site)).count();
    assert_eq!(kinds(|site| *site == Site::MonitorEnter), 1);
    assert_eq!(kinds(|site| *site == Site::MonitorExit), 2);
    assert_eq!(kinds(|site| matches!(site, Site::Dynamic { .. })), 1);
    assert_eq!(kinds(|site| *site == Site::NewMultiArray("[[I".to_owned(), 2)), 1);
    assert_eq!(kinds(|site| *site == Site::New("java/lang/Exception".to_owned())), 1);

    let switches: Vec<usize> =
        code.instructions.iter().map(|insn| insn.switch_targets.len()).filter(|&n| n > 0).collect();
    assert_eq!(switches, [3, 2, 2]);
    assert!(code.instructions.is_sorted_by_key(|insn| insn.bci));
    let all: Vec<u32> = code.instructions.iter().map(|insn| insn.bci).collect();
    assert_eq!(code.certainly_reachable().into_iter().collect::<Vec<_>>(), all, "javac writes no dead code");

    let throwing = code.instructions.iter().find(|insn| insn.mnemonic == "athrow" && insn.bci > 30).unwrap();
    let line = SOURCE.lines().position(|line| line.contains("throw new")).unwrap() as u32 + 1;
    assert_eq!(code.lines_at(throwing.bci), [line]);
    assert!(code.handlers.iter().any(|handler| handler.target < throwing.bci));
}

#[test]
fn several_classes_come_in_order() {
    let Some(jdk) = jdk_or_skip() else { return };
    let sources = [
        ("A.java", "class A { int a; }"),
        ("B.java", "interface B { void b(); }"),
        ("C.java", "class C { }"),
    ];
    let compiled = compile(&sources, &JavacOptions::default()).unwrap();
    let mut files = compiled.class_files().unwrap();
    files.reverse();
    let headers: Vec<String> =
        disassemble(&jdk, &files).unwrap().into_iter().map(|class| class.header).collect();
    assert_eq!(headers, ["class C {", "interface B {", "class A {"]);
}

#[test]
fn modules_have_no_members() {
    let text = "Compiled from \"module-info.java\"\nmodule java.sql@17 {\n  requires java.base@17;\n  exports java.sql;\n}\n";
    let classes = parse(text).unwrap();
    assert_eq!((classes.len(), classes[0].methods.len(), classes[0].field_descriptors.len()), (1, 0, 0));
}

#[test]
fn long_methods_have_long_indexes() {
    let code = "    Code:\n     999: nop\n    1000: nop\n   10000: return\n    LineNumberTable:\n      line 7: 999\n";
    let text = format!("class C {{\n  void m();\n    descriptor: ()V\n{code}}}\n");
    let classes = parse(&text).unwrap();
    let code = classes[0].methods[0].code.as_ref().unwrap();
    assert_eq!(code.instructions.iter().map(|insn| insn.bci).collect::<Vec<_>>(), [999, 1000, 10000]);
    assert_eq!(code.lines_at(10000), [7]);
}

#[test]
fn strange_text_is_an_error() {
    let error = |text: &str| parse(text).unwrap_err().to_string();
    assert!(error("Error: class not found: X\n").contains("javap reports an error"));
    assert!(error("class C {\n").contains("ends inside class C {"));
    let code = "class C {\n  void m();\n    descriptor: ()V\n    Code:\n       what is this\n}\n";
    assert!(error(code).contains("line 5: not understood"));
}
