//! Java sources, and what their methods look like after lowering: `lowering/X.java` and `lowering/X.ir`.
//!
//! The golden files are what JDK 17's javac makes of the sources. `// javac: ...` as the first line of a source gives
//! further options. Every method must also pass the verifier and survive printing and parsing.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;

use selvedge_testkit::{JavacOptions, Sources, compare_golden, compile_with, files_below, jdk_or_skip, skip};

#[test]
fn lowered_sources() {
    let Some(jdk) = jdk_or_skip() else { return };
    if jdk.feature_version() != 17 {
        return skip("the golden files are for the classes that JDK 17 compiles");
    }
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lowering");
    let sources = files_below(&dir, ".java").unwrap();
    assert!(sources.len() > 10, "{sources:?}");
    let mut failures = Vec::new();
    for source in sources {
        let text = std::fs::read_to_string(&source).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let args = first.strip_prefix("// javac: ").unwrap_or_default();
        let args = args.split_whitespace().map(str::to_owned).collect();
        let options = JavacOptions { args, ..JavacOptions::default() };
        let classes = compile_with(&jdk, Sources::Files(std::slice::from_ref(&source)), &options).unwrap();
        let mut printed = String::new();
        for class in classes.class_files().unwrap() {
            let name = class.display().to_string();
            for method in common::lower_class(&name, &std::fs::read(&class).unwrap()) {
                common::check_method(&name, &method);
                printed.push_str(&method.print());
                printed.push('\n');
            }
        }
        failures.extend(compare_golden(&source.with_extension("ir"), &printed).err());
    }
    let failures: Vec<String> = failures.iter().map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
