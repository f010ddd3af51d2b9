//! Damaged text: whatever stands in a file, parsing ends with methods or an error, and the verifier and the printer take
//! any body that parsing gives. What is printed reads back as the same.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use selvedge_ir::text::parse;
use selvedge_ir::{ValueNumbering, verify};
use selvedge_testkit::{Rng, files_below, mutate};

/// Replaces, repeats, swaps or drops words, so that the syntax mostly holds and the meaning does not.
fn shuffle_words(rng: &mut Rng, text: &str) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ',']).collect();
    for _ in 0..1 + rng.below(6) {
        let (from, to) = (rng.below(words.len()), rng.below(words.len()));
        match rng.below(4) {
            0 => words[to] = words[from],
            1 => words.swap(from, to),
            2 => words.insert(to, words[from]),
            _ => _ = words.remove(to),
        }
    }
    words.concat()
}

#[test]
fn damaged_text_is_refused_or_read_but_never_fatal() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let texts: Vec<String> = files_below(&tests, ".ir")
        .unwrap()
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap())
        .flat_map(|text| {
            text.split_inclusive("\n}\n").map(|method| format!("{method}\n")).collect::<Vec<_>>()
        })
        .filter(|text| text.contains("method"))
        .collect();
    assert!(texts.len() > 60);
    let mut rng = Rng::new(20);
    let (mut parsed, mut sound) = (0, 0);
    for round in 0..30_000 {
        let text = rng.pick(&texts).unwrap();
        let damaged = if round % 4 == 0 {
            let donor = rng.pick(&texts).unwrap();
            String::from_utf8_lossy(&mutate(&mut rng, text.as_bytes(), donor.as_bytes()).bytes).into_owned()
        } else {
            shuffle_words(&mut rng, text)
        };
        let Ok(methods) = parse(&damaged) else { continue };
        for method in &methods {
            parsed += 1;
            if verify(&method.body).is_ok() {
                sound += 1;
                ValueNumbering::new(&method.body);
                let printed = method.print();
                assert!(parse(&printed).unwrap() == [method.clone()], "{printed}");
            } else {
                method.print();
            }
        }
    }
    assert!(parsed > 3_000 && sound > 500 && sound < parsed, "{parsed} parsed, {sound} sound");
}
