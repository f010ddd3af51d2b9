//! The tables about frameworks: what is right is read, what is wrong is said.

use selvedge_models::Models;
use selvedge_models::framework::{Calls, Instances, Overlap};

#[test]
fn built_in_frameworks_say_what_they_call() {
    let models = Models::builtin();
    for framework in models.frameworks() {
        let calls_something = framework.calls != Calls::Named(Vec::new())
            || !framework.call_annotations.is_empty()
            || !framework.start_annotations.is_empty();
        assert!(calls_something, "{}: nothing is called", framework.name);
        assert!(framework.provenance.len() > 20, "{}: no reason", framework.name);
    }
    let named = |name: &str| {
        let found = models.frameworks().iter().find(|framework| &*framework.name == name);
        found.unwrap_or_else(|| panic!("there are no {name}"))
    };
    assert_eq!(named("servlets").instances, Instances::One);
    assert_eq!(named("JAX-RS resources").instances, Instances::PerCall);
    assert_eq!(named("Spring scheduled methods").overlap, Overlap::OtherMethods);
    assert!(matches!(named("management beans").instances, Instances::Registered(_)));
}

#[track_caller]
fn expect_complaint(table: &str, part: &str) {
    let text = format!("provenance = \"a test\"\n[[framework]]\nname = \"x\"\n{table}\n");
    let errors = Models::default().add_file("mine.toml", &text);
    assert_eq!(errors.len(), 1, "{table}: {errors:?}");
    assert!(errors[0].message.contains(part), "{table}: {}", errors[0]);
}

#[test]
fn what_is_wrong_with_a_framework_is_said() {
    expect_complaint("instances = \"one\"", "nothing says by what the classes are recognised");
    expect_complaint("supertypes = [\"p.C\"]\ninstances = \"two\"", "unknown variant");
    expect_complaint("supertypes = [\"p.C\"]\ninstances = \"registered\"", "`from` must say");
    expect_complaint(
        "supertypes = [\"p.C\"]\ninstances = \"one\"\nfrom = \"vm x\"",
        "registered instances only",
    );
    expect_complaint(
        "supertypes = [\"p.C\"]\ninstances = \"registered\"\nfrom = \"arg0\"",
        "is not a place of a container",
    );
    expect_complaint(
        "supertypes = [\"p.C\"]\ninstances = \"one\"\nstarts = [\"a b\"]",
        "is not a method name",
    );
    expect_complaint("supertypes = [\"p.C\"]\ninstances = \"one\"\nmany = 1", "unknown field `many`");
}
