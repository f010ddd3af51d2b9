//! Files of rows: what they say is what is listed, and what is wrong in them is named with its line.

use std::path::Path;

use selvedge_models::{Models, Place};

#[test]
fn every_effect_is_listed_as_it_was_written() {
    let mut models = Models::default();
    assert_eq!(models.add_file("every_effect.toml", include_str!("data/every_effect.toml")), []);
    let mut listing: String = models.rows().iter().map(|row| format!("{}: {row}\n", row.origin)).collect();
    listing.extend(models.roots().iter().map(|root| format!("{}: {}\n", root.origin, root.describe())));
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/every_effect.txt");
    selvedge_testkit::check_golden(golden, &listing);
}

#[test]
fn every_place_reads_back_as_it_is_printed() {
    let models = Models::builtin();
    let mut count = 0;
    for place in models.rows().iter().flat_map(|row| row.effects.iter()).flat_map(|effect| effect.places()) {
        let text = place.to_string();
        assert_eq!(Place::try_from(text.clone()).as_ref(), Ok(place), "{text}");
        count += 1;
    }
    assert!(count > 1_000, "only {count} places");
}

#[test]
fn user_rows_join_the_built_in_ones() {
    let text = r#"
        provenance = "the library's manual"
        [[method]]
        class = "com.acme.Lock"
        name = "enter"
        effects = [{ acquire = { lock = "this" } }]
    "#;
    let built_in = Models::builtin();
    let models = Models::with_user_files([("acme.toml", text)]).expect("the file is right");
    assert_eq!(models.rows().len(), built_in.rows().len() + 1);
    let row = models.rows_at("com/acme/Lock".into(), "enter".into()).next().expect("the row is found");
    assert_eq!(row.to_string(), "com.acme.Lock.enter(*): acquire this");
    assert_eq!((row.origin.to_string().as_str(), &*row.provenance), ("acme.toml:3", "the library's manual"));
    assert_eq!(models.row(row.id), row);
    assert_eq!(models.rows_at("com/acme/Lock".into(), "leave".into()).count(), 0);
}

/// The messages for a file with one row of this text, with `provenance` given.
fn complaints(row: &str) -> Vec<String> {
    let text = format!("provenance = \"a test\"\n\n[[method]]\nclass = \"p.C\"\nname = \"m\"\n{row}\n");
    let errors = Models::with_user_files([("mine.toml", text.as_str())]).err().unwrap_or_default();
    errors.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn expect_complaint(row: &str, part: &str) {
    let complaints = complaints(row);
    assert_eq!(complaints.len(), 1, "{row}: {complaints:?}");
    assert!(complaints[0].contains(part), "{row}: {}", complaints[0]);
    assert!(complaints[0].starts_with("mine.toml:"), "{}", complaints[0]);
}

#[test]
fn what_is_wrong_with_a_row_is_said() {
    expect_complaint("", "missing field `effects`");
    expect_complaint("effects = [{ flows = {} }]", "unknown variant `flows`");
    expect_complaint("effects = [{ flow = { from = 'arg0' } }]", "missing field `to`");
    expect_complaint(
        "effects = [{ flow = { from = 'arg0', to = 'results' } }]",
        "`results` does not start with",
    );
    expect_complaint("effects = [{ flow = { from = 'arg0', to = 'this' } }]", "`this` cannot be stored to");
    expect_complaint("effects = [{ fresh = { class = 'p.D', elements = 'p.E' } }]", "is not an array type");
    expect_complaint("effects = [{ fresh = { class = 'int' } }]", "primitive type");
    expect_complaint("effects = [{ callback = { on = 'this', method = 'run' } }]", "is not a method");
    expect_complaint("effects = [{ callback = { on = 'this', method = 'f(I)V' } }]", "has 1 parameters");
    expect_complaint("effects = [{ callback = { method = 'run()V' } }]", "neither a receiver");
    expect_complaint("effects = [{ special = { name = 'magic' } }]", "unknown variant `magic`");
    expect_complaint("effects = []\nreplaces = true", "unknown field `replaces`");
    expect_complaint("effects = []\nprovenance = ' '", "no provenance");
    expect_complaint("effects = []\nsince = 'x'", "invalid type");
    let void = "descriptor = '(I)V'\n";
    let effects = "effects = [{ flow = { from = 'arg0', to = 'vm x' } }]";
    expect_complaint(&format!("{void}{effects}"), "`arg0` holds no references, by the descriptor `(I)V`");
    let effects = "effects = [{ flow = { from = 'arg1', to = 'vm x' } }]";
    expect_complaint(&format!("{void}{effects}"), "no argument for `arg1`");
    expect_complaint(
        &format!("{void}effects = [{{ fresh = {{ class = 'p.D' }} }}]"),
        "`result` holds no references",
    );
    let effects = "effects = [{ acquire = { lock = 'this', when = 'result-true' } }]";
    expect_complaint(&format!("{void}{effects}"), "does not fit its type");
    expect_complaint("descriptor = 'I'\neffects = []", "is not a method descriptor");
    expect_complaint("descriptor = []\neffects = []", "about nothing");
    assert_eq!(complaints("effects = []"), [""; 0]);
}

#[test]
fn every_wrong_row_of_a_file_is_reported_and_the_right_ones_are_kept() {
    let text = "\
provenance = 'a test'
[[method]]
class = 'p.C'
name = 'wrong'
effects = [{ throw = { from = 'there' } }]

[[method]]
class = 'p.C'
name = 'right'
effects = []

[[method]]
class = 'p C'
name = 'wrong'
effects = []

[[root]]
class = 'p.C'
name = 'main'
descriptor = '()V'
receiver = 'arg0'
thread = 'vm'

[[root]]
class = 'p.C'
name = 'main'
descriptor = '(I)V'
thread = 'vm'
";
    let mut models = Models::default();
    let errors: Vec<String> = models.add_file("a.toml", text).iter().map(ToString::to_string).collect();
    assert_eq!(models.rows().len(), 1);
    let parts = [
        "a.toml:2: the place `there` does not start with",
        "a.toml:12: `p C` is not a class name",
        "a.toml:17: what the JVM passes has no caller",
        "a.toml:24: the method has 1 parameters, but `args` has 0 entries",
    ];
    assert_eq!(errors.len(), parts.len(), "{errors:#?}");
    for (error, part) in errors.iter().zip(parts) {
        assert!(error.starts_with(part), "{error}");
    }
}

#[test]
fn a_file_that_is_no_toml_is_reported_with_its_line() {
    let mut models = Models::default();
    let errors = models.add_file("a.toml", "provenance = 'x'\n[[method]\n");
    assert_eq!((errors.len(), errors[0].origin.line), (1, 2), "{errors:?}");
    let errors = models.add_file("a.toml", "[[rows]]\n");
    assert_eq!(errors.len(), 1);
    assert!(errors[0].message.contains("unknown field `rows`"), "{errors:?}");
}
