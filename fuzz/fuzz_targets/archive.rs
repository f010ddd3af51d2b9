#![no_main]
//! Reads any bytes as an archive, links what is in it to a program without a JDK's classes, and lowers all of it.

use libfuzzer_sys::fuzz_target;
use selvedge_world::{Input, Options, Program};
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

/// A directory with a JDK of version 8 whose only archive is empty, and with the place for the input.
fn directory() -> &'static PathBuf {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let directory = std::env::temp_dir().join(format!("selvedge-fuzz-{}", std::process::id()));
        fs::create_dir_all(directory.join("jdk/jre/lib")).expect("the temporary directory can be written");
        fs::create_dir_all(directory.join("input")).expect("the temporary directory can be written");
        let end_of_empty_archive = [b"PK\x05\x06".as_slice(), &[0; 18]].concat();
        fs::write(directory.join("jdk/jre/lib/rt.jar"), end_of_empty_archive).expect("written");
        fs::write(directory.join("jdk/release"), "JAVA_VERSION=\"1.8.0_412\"\n").expect("written");
        directory
    })
}

fuzz_target!(|bytes: &[u8]| {
    let directory = directory();
    let input = directory.join("input");
    fs::write(input.join("a.jar"), bytes).expect("the temporary directory can be written");
    let options = Options { paths: vec![input], jdk: Some(directory.join("jdk")), ..Options::default() };
    let input = Input::read(&options).expect("a directory can always be read");
    let program = Program::load(input);
    for class in program.classes.ids() {
        program.lower_class(class, |_, _| {});
    }
});
