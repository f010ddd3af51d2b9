#![no_main]
//! Parses any text as the intermediate form; what the verifier accepts must print and parse to the same again.

use libfuzzer_sys::fuzz_target;
use selvedge_ir::{text, verify};

fuzz_target!(|input: &str| {
    let Ok(methods) = text::parse(input) else { return };
    for method in methods {
        if verify(&method.body).is_err() {
            continue;
        }
        let again = text::parse(&method.print()).expect("what was printed can be parsed");
        assert!(again.len() == 1 && again[0].body == method.body, "the text form loses nothing");
    }
});
