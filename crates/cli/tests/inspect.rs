//! `selvedge inspect` from the outside: what it prints, where, and with which status.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use selvedge_testkit::{JavacOptions, compile, jdk_or_skip};

const SHAPES: [(&str, &str); 2] = [
    (
        "shapes/Shape.java",
        "package shapes; public interface Shape extends Comparable<Shape> {
            double area();
            default int compareTo(Shape other) { return Double.compare(area(), other.area()); } }",
    ),
    (
        "shapes/Square.java",
        "package shapes; public class Square implements Shape {
            private final double side;
            public Square(double side) { this.side = side; }
            public double area() { return side * side; }
            static class Unit extends Square { Unit() { super(1); } } }",
    ),
];

fn shapes() -> PathBuf {
    compile(&SHAPES, &JavacOptions::default()).unwrap().path().to_path_buf()
}

fn selvedge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selvedge")).args(arguments).output().unwrap()
}

fn inspect(path: &Path, arguments: &[&str]) -> Output {
    selvedge(&[&["inspect", path.to_str().unwrap()], arguments].concat())
}

/// What a successful run prints; it must say nothing else.
fn printed(path: &Path, arguments: &[&str]) -> String {
    let output = inspect(path, arguments);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

/// The one sentence of a run that fails.
fn complaint(output: Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stdout, b"");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text.trim_end().to_owned()
}

#[test]
fn the_intermediate_form_reads_back() {
    let Some(_) = jdk_or_skip() else { return };
    let text = printed(&shapes(), &[]);
    let methods = selvedge_ir::text::parse(&text).unwrap();
    let names: Vec<String> =
        methods.iter().map(|method| format!("{}.{}", method.header.owner, method.header.name)).collect();
    assert_eq!(
        names,
        [
            "shapes/Shape.compareTo",
            "shapes/Shape.compareTo",
            "shapes/Square.<init>",
            "shapes/Square.area",
            "shapes/Square$Unit.<init>",
        ]
    );
    assert!(text.contains("; interface shapes.Shape, from Shape.java\n\n; abstract area()D\n"), "{text}");
}

#[test]
fn classes_and_methods_are_chosen_by_name() {
    let Some(_) = jdk_or_skip() else { return };
    let shapes = shapes();
    let chosen = |arguments: &[&str]| {
        let methods = selvedge_ir::text::parse(&printed(&shapes, arguments)).unwrap();
        let name = |method: &selvedge_ir::text::Method| {
            format!("{}.{}{}", method.header.owner, method.header.name, method.header.descriptor)
        };
        methods.iter().map(name).collect::<Vec<String>>()
    };
    assert_eq!(chosen(&["--class", "Square$*"]), ["shapes/Square$Unit.<init>()V"]);
    assert_eq!(chosen(&["--class", "shapes.Square", "--method", "area"]), ["shapes/Square.area()D"]);
    assert_eq!(
        chosen(&["--method", "compareTo(Lshapes/Shape;)I"]),
        ["shapes/Shape.compareTo(Lshapes/Shape;)I"]
    );
    assert_eq!(
        chosen(&["--class", "java.lang.Object", "--method", "toString"]),
        ["java/lang/Object.toString()Ljava/lang/String;"]
    );
    assert_eq!(
        complaint(inspect(&shapes, &["--class", "Circle"])),
        "selvedge: there is no class Circle in the given paths, their class path or the JDK"
    );
    assert_eq!(
        complaint(inspect(&shapes, &["--method", "perimeter"])),
        "selvedge: no class that was chosen has a method perimeter"
    );
}

#[test]
fn the_hierarchy_as_a_tree_and_as_a_graph() {
    let Some(_) = jdk_or_skip() else { return };
    let shapes = shapes();
    assert_eq!(
        printed(&shapes, &["--what", "hierarchy"]),
        "java.lang.Object\n  interface shapes.Shape extends java.lang.Comparable\n  \
         shapes.Square implements shapes.Shape\n    shapes.Square$Unit\n"
    );
    let graph = printed(&shapes, &["--what", "hierarchy", "--format", "dot", "--class", "Square"]);
    assert!(graph.starts_with("digraph hierarchy {") && graph.ends_with("}\n"), "{graph}");
    for label in ["java.lang.Object", "java.lang.Comparable", "shapes.Shape", "shapes.Square"] {
        assert!(graph.contains(&format!("[label=\"{label}\"")), "{graph}");
    }
    assert_eq!(graph.matches(" -> ").count(), 3);
}

#[test]
fn a_control_flow_graph() {
    let Some(_) = jdk_or_skip() else { return };
    let graph = printed(&shapes(), &["--format", "dot", "--method", "area"]);
    assert!(graph.contains("label=\"shapes.Square.area()\""), "{graph}");
    assert!(graph.contains("getfield shapes/Square.side:D v0"), "{graph}");
}

#[test]
fn output_goes_to_a_file() {
    let Some(_) = jdk_or_skip() else { return };
    let shapes = shapes();
    let file = std::env::temp_dir().join(format!("selvedge-inspect-{}.ir", std::process::id()));
    assert_eq!(printed(&shapes, &["--output", file.to_str().unwrap()]), "");
    let written = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(written, printed(&shapes, &[]));
    let nowhere = shapes.join("no/such/directory");
    let message = complaint(inspect(&shapes, &["--output", nowhere.to_str().unwrap()]));
    assert!(message.starts_with("selvedge: cannot write "), "{message}");
}

#[test]
fn problems_are_counted_or_listed() {
    let Some(_) = jdk_or_skip() else { return };
    let shapes = shapes();
    // Without its interface, the class has a phantom for it.
    let square = shapes.join("shapes/Square.class");
    let output = inspect(&square, &["--what", "hierarchy"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "java.lang.Object\n  shapes.Square implements shapes.Shape\n"
    );
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "selvedge: not all of the input could be used: 1 missing class (--problems lists them)\n"
    );
    let output = inspect(&square, &["--what", "hierarchy", "--problems"]);
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "selvedge: shapes.Shape: is not in the input, its class path or the JDK\n"
    );
    let output = selvedge(&["inspect", square.to_str().unwrap(), "--classpath", shapes.to_str().unwrap()]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn what_cannot_be_done_is_one_sentence() {
    let Some(_) = jdk_or_skip() else { return };
    let shapes = shapes();
    let gone = shapes.join("gone.jar");
    assert_eq!(
        complaint(inspect(&gone, &[])),
        format!("selvedge: cannot read {}: there is no such file", gone.display())
    );
    let no_jdk = complaint(inspect(&shapes, &["--jdk", shapes.to_str().unwrap()]));
    assert!(no_jdk.contains("is not a JDK"), "{no_jdk}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.arg("inspect").arg(&shapes).env_remove("JAVA_HOME").env("PATH", "");
    assert_eq!(
        complaint(command.output().unwrap()),
        "selvedge: no JDK found: give its directory with --jdk, set JAVA_HOME, or put java on the PATH"
    );
    let usage = selvedge(&["inspect"]);
    assert_eq!(usage.status.code(), Some(2));
}

#[test]
fn a_reader_that_stops_early_is_no_error() {
    let Some(_) = jdk_or_skip() else { return };
    let mut child = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(["inspect", "java.logging"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn help_shows_examples() {
    let help = selvedge(&["inspect", "--help"]);
    assert_eq!(help.status.code(), Some(0));
    let text = String::from_utf8(help.stdout).unwrap();
    assert!(text.contains("Examples:") && text.contains("selvedge inspect app.jar --class"), "{text}");
}
