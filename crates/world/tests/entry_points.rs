//! Where programs start: as asked for, as manifests say, as found, or as libraries.
#![allow(clippy::unwrap_used)]

mod common;

use common::{TempDir, read};
use selvedge_testkit::jar::{Method, entries_from_dir, manifest, zip};
use selvedge_testkit::{CompiledDir, JavacOptions, compile, jdk_or_skip};
use selvedge_world::{EntryPoints, EntryRequest, Program, java_name};

fn classes() -> CompiledDir {
    let main = |name: &str| {
        format!(
            "package p; public class {name} {{ public static void main(String[] a) {{ }} public void f() {{ }} }}"
        )
    };
    let (one, two) = (main("One"), main("Two"));
    let sources = [
        ("p/One.java", one.as_str()),
        ("p/Two.java", two.as_str()),
        ("p/Sub.java", "package p; public class Sub extends One { }"),
        ("p/None.java", "package p; public class None { static void main(String[] a) { } void main() { } }"),
        ("p/Note.java", "package p; public @interface Note { }"),
        ("p/Own.java", "package p; class Own { public void f() { } public static class Nested { } }"),
    ];
    compile(&sources, &JavacOptions::default()).unwrap()
}

fn check(program: &Program, request: EntryRequest, expected: &str) {
    let found = match program.entry_points(&request) {
        Ok(EntryPoints::Mains(mains)) => {
            let mains: Vec<String> = mains.iter().map(|&main| program.describe_method(main)).collect();
            format!("mains {}", mains.join(" "))
        }
        Ok(EntryPoints::Library(classes)) => {
            let names: Vec<String> =
                classes.iter().map(|&class| java_name(program.classes[class].name)).collect();
            format!("library {}", names.join(" "))
        }
        Err(error) => error.to_string(),
    };
    assert_eq!(found, expected);
}

#[test]
fn as_asked_for() {
    let Some(_) = jdk_or_skip() else { return };
    let program = Program::load(read(&[classes().path()]));
    let main = |name: &str| EntryRequest::Main(name.to_owned());
    check(&program, main("p.Two"), "mains p.Two.main(java.lang.String[])");
    check(&program, main("p.Sub"), "mains p.One.main(java.lang.String[])");
    check(
        &program,
        main("p.Gone"),
        "there is no class p.Gone in the given paths, their class path or the JDK",
    );
    if program.jdk_version < 25 {
        check(&program, main("p.None"), "the class p.None has no method public static void main(String[])");
    }
    let library = |names: &[&str]| EntryRequest::Library(names.iter().map(|&name| name.to_owned()).collect());
    check(&program, library(&[]), "library p.None p.One p.Sub p.Two");
    check(&program, library(&["p.Two", "p.Own", "p.Two"]), "library p.Own p.Two");
    check(
        &program,
        EntryRequest::Find,
        "mains p.One.main(java.lang.String[]) p.Two.main(java.lang.String[])",
    );
}

#[test]
fn as_the_manifest_says_or_as_found() {
    let Some(_) = jdk_or_skip() else { return };
    let compiled = classes();
    let dir = TempDir::new();
    let jar = |name: &str, attributes: &[(&str, &str)], keep: &[&str]| {
        let mut entries =
            entries_from_dir(compiled.path(), Some(&manifest(attributes)), Method::Deflated).unwrap();
        entries.retain(|entry| {
            entry.name.starts_with("META-INF") || keep.iter().any(|kept| entry.name.ends_with(kept))
        });
        Program::load(read(&[&dir.write(name, &zip(&entries))]))
    };
    let all = ["One.class", "Two.class", "None.class"];
    let named = jar("named.jar", &[("Main-Class", "p.Two")], &all);
    check(&named, EntryRequest::Find, "mains p.Two.main(java.lang.String[])");
    let wrong = jar("wrong.jar", &[("Main-Class", "p.Gone")], &all[1..]);
    check(&wrong, EntryRequest::Find, "mains p.Two.main(java.lang.String[])");
    assert!(
        wrong.problems().iter().any(|problem| problem.message.contains("names p.Gone as its main class"))
    );
    let none = jar("none.jar", &[], &all[2..]);
    check(&none, EntryRequest::Find, "library p.None");
}
