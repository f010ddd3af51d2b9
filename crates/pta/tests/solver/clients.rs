//! What the client of a library passes where a parameter may be nearly any object.

use std::collections::BTreeSet;

use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, GeneralValues, Limits, analyze, naive};
use selvedge_testkit::{Sources, jdk_or_skip};
use selvedge_world::EntryRequest;

use crate::mini::Corpus;

/// A library that keeps what it is given in static fields.
const LIBRARY: &str = "
public class Shelf {
    static Object any, tested, item, own;
    public static class Item {}
    public void keep(Object value) { any = value; }
    public void test(Object value) { if (value instanceof Item) tested = value; }
    public void keepItem(Item value) { item = value; }
    public static Object identity(Shelf shelf) { own = shelf; return shelf; }
}
";

fn held(values: GeneralValues, field: &str) -> Option<BTreeSet<String>> {
    let jdk = jdk_or_skip()?;
    let corpus = Corpus::load(&jdk, Sources::Texts(&[("Shelf.java", LIBRARY)]), Vec::new());
    let points = corpus.program.entry_points(&EntryRequest::Library(Vec::new())).unwrap();
    let entries =
        Entries { vm: false, general_values: values, ..Entries::of_program(&corpus.program, &points) };
    let policy = policy_named("insensitive").unwrap();
    let facts = naive::solve(&corpus.program, &corpus.models, &entries, policy.as_ref());
    let fast = analyze(&corpus.program, &corpus.models, &entries, policy.as_ref(), Limits::default());
    assert_eq!(fast.facts().differences(&facts), Vec::<String>::new());
    let says_so = fast.assumptions.iter().any(|sentence| sentence.contains("pass objects of their own"));
    assert_eq!(says_so, values == GeneralValues::Representatives);
    let objects = facts.holds.get(&format!("Shelf.{field}")).into_iter().flatten();
    Some(objects.filter_map(|object| object.split(' ').next()).map(str::to_owned).collect())
}

#[test]
fn representatives_and_what_the_method_tests_for() {
    let Some(any) = held(GeneralValues::Representatives, "any") else { return };
    assert!(any.contains("java/lang/Object") && any.contains("java/lang/String"), "{any:?}");
    assert!(!any.contains("Shelf") && !any.contains("Shelf$Item"), "{any:?}");
    let tested = held(GeneralValues::Representatives, "tested").unwrap();
    assert!(tested.contains("Shelf$Item") && !tested.contains("Shelf"), "{tested:?}");
    assert_eq!(held(GeneralValues::Representatives, "item"), Some(BTreeSet::from(["Shelf$Item".to_owned()])));
}

#[test]
fn everything_is_still_to_be_had() {
    let Some(any) = held(GeneralValues::Everything, "any") else { return };
    assert!(any.contains("Shelf") && any.contains("Shelf$Item"), "{any:?}");
}
