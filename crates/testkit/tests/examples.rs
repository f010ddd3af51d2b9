//! The example programs compile, and the bank's guarded balance comes out right.

use selvedge_testkit::{
    JavacOptions, RunOptions, Sources, compile_with, jdk_or_skip, repository_root, run_main,
};

#[test]
fn every_example_compiles_without_remarks() {
    let Some(jdk) = jdk_or_skip() else { return };
    let options =
        JavacOptions { args: vec!["-Xlint:all".to_owned(), "-Werror".to_owned()], ..JavacOptions::default() };
    let mut seen = 0;
    for entry in std::fs::read_dir(repository_root().join("examples")).unwrap() {
        let path = entry.unwrap().path();
        // Those of the tutorial and of the build tools are compiled with the libraries and the plugins that they use.
        if path.ends_with("tutorial") || path.ends_with("shop") {
            continue;
        }
        compile_with(&jdk, Sources::Dir(&path), &options).unwrap();
        seen += 1;
    }
    assert!(seen > 0);
}

#[test]
fn the_bank_keeps_its_balance() {
    let Some(jdk) = jdk_or_skip() else { return };
    let dir = repository_root().join("examples/bank");
    let classes = compile_with(&jdk, Sources::Dir(&dir), &JavacOptions::default()).unwrap();
    let run = run_main(&jdk, "bank.Main", &RunOptions::with_classpath(&[classes.path()])).unwrap();
    assert!(run.stdout.starts_with("balance 200000, deposits "), "{run:?}");
}
