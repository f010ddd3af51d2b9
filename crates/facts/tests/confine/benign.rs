//! Kinds of races.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_facts::{Benign, Escape, PatternKind, Place, Publication};

use crate::harness::{candidates, program_or_skip, with_basis};

#[test]
fn fields_follow_the_patterns_of_their_names() {
    let Some(program) = program_or_skip() else { return };
    let found = with_basis(program, "Patterns", true, |basis| {
        let benign = Benign::new(&basis.accesses);
        let escape = Escape::new(&basis.view, &basis.threads);
        let publication = Publication::new(&basis.view, &basis.threads, &escape, &basis.accesses);
        let mut found: BTreeMap<String, BTreeSet<PatternKind>> = BTreeMap::new();
        for candidate in candidates(basis) {
            let (Place::Field(field) | Place::Static(field)) =
                basis.accesses.all[candidate.sides[0].access].place
            else {
                continue;
            };
            let name = program.fields[field].name.to_string();
            let patterns = benign.classify(&basis.view, &basis.accesses, &publication, &candidate);
            assert!(patterns.iter().all(|pattern| !pattern.because.is_empty()));
            found.entry(name).or_default().extend(patterns.iter().map(|pattern| pattern.kind));
        }
        found
    });
    use PatternKind::*;
    let expected: [(&str, &[PatternKind]); 14] = [
        ("hash", &[LazyValue]),
        ("hashReadTwice", &[LazyValue, LazyReread]),
        ("text", &[LazyValue]),
        ("wideHash", &[Tearing]),
        ("list", &[LazyObject]),
        ("checkedTwice", &[DoubleChecked]),
        ("requests", &[StatisticsCounter]),
        ("limited", &[CheckThenAct]),
        ("lastId", &[]),
        ("stopped", &[MonotoneFlag]),
        ("awaited", &[AwaitedFlag]),
        ("awaitedByGetter", &[AwaitedFlag]),
        ("toggled", &[]),
        ("total", &[Tearing]),
    ];
    let expected: BTreeMap<String, BTreeSet<PatternKind>> =
        expected.iter().map(|(name, kinds)| (name.to_string(), kinds.iter().copied().collect())).collect();
    assert_eq!(found, expected);
}

#[test]
fn harmless_kinds_are_few() {
    let harmless = [PatternKind::LazyValue, PatternKind::StatisticsCounter, PatternKind::MonotoneFlag];
    assert!(harmless.iter().all(|kind| kind.is_likely_benign()));
    assert!(!PatternKind::AwaitedFlag.is_likely_benign());
    assert!(!PatternKind::Tearing.is_likely_benign() && !PatternKind::CheckThenAct.is_likely_benign());
}
