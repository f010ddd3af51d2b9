//! Fingerprints: a short name for a pair of accesses that stays the same while the program around it is edited.
//!
//! Made from what is compared (`check` and `run` both compare pairs of accesses), the kind, the location (class and
//! field), and the two methods with what each does, in sorted order. Not from lines, bytecode indexes, objects, threads,
//! locks, paths or holders: those change with edits elsewhere. The numbers that compilers give to lambdas, anonymous classes
//! and accessors are left out for the same reason. Pairs that are alike in all this are distinguished by an ordinal in the
//! order of their lines, so that an edit that moves both changes nothing.

use rustc_hash::FxHashMap;

use crate::finding::{Action, Finding, Kind, Pair, Side};
use crate::place::Location;

/// The fingerprint of a finding's own pair, without an ordinal.
pub fn fingerprint(finding: &Finding) -> String {
    hash(&finding.analysis, finding.kind, &finding.location, &finding.sides)
}

fn hash(analysis: &str, kind: Kind, location: &Location, sides: &[Side; 2]) -> String {
    // A container is used by calls. A run also knows which of them change it.
    let action = |side: &Side| if kind == Kind::Container { Action::Call } else { side.action };
    let mut methods =
        [&sides[0], &sides[1]].map(|side| (without_numbers(&side.at.method), action(side).name()));
    methods.sort();
    let mut hash = Fnv::new();
    hash.field(compared_by(analysis));
    hash.field(kind.name());
    hash.field(&without_numbers(&location.class));
    hash.field(location.field.as_deref().unwrap_or_default());
    for (method, action) in &methods {
        hash.field(method);
        hash.field(action);
    }
    format!("{:016x}", hash.state)
}

/// What an analysis compares, as the analysis that first did: a run reports pairs of accesses, too.
fn compared_by(analysis: &str) -> &str {
    match analysis {
        "run" => "pairs",
        other => other,
    }
}

/// The name without the digits that follow a `$`: `C$1.lambda$run$0()` is `C$.lambda$run$()`.
fn without_numbers(name: &str) -> String {
    let mut kept = String::with_capacity(name.len());
    let mut after_dollar = false;
    for character in name.chars() {
        if after_dollar && character.is_ascii_digit() {
            continue;
        }
        after_dollar = character == '$';
        kept.push(character);
    }
    kept
}

/// FNV-1a with 64 bits, fields closed by a byte that no name contains.
struct Fnv {
    state: u64,
}

impl Fnv {
    fn new() -> Self {
        Self { state: 0xcbf2_9ce4_8422_2325 }
    }

    fn field(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.state = (self.state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// One pair to be given a key: where it sits (finding, and further pair in it), and what orders it among its equals.
struct Slot<'a> {
    finding: usize,
    pair: Option<usize>,
    order: Order<'a>,
}

/// The two sides sorted as in the fingerprint, with their positions; then what else distinguishes pairs.
type Order<'a> =
    ([(String, Action, Option<u32>, Option<u32>); 2], &'a Location, Option<&'a crate::ObjectInfo>);

fn order<'a>(location: &'a Location, object: Option<&'a crate::ObjectInfo>, sides: &[Side; 2]) -> Order<'a> {
    let mut positions = [&sides[0], &sides[1]]
        .map(|side| (without_numbers(&side.at.method), side.action, side.at.line, side.at.bytecode_index));
    positions.sort();
    (positions, location, object)
}

/// Gives every finding and every further pair its key.
pub(crate) fn assign_keys(findings: &mut [Finding]) {
    let mut alike: FxHashMap<String, Vec<Slot<'_>>> = FxHashMap::default();
    for (index, finding) in findings.iter().enumerate() {
        let own = order(&finding.location, finding.object.as_ref(), &finding.sides);
        let slot = Slot { finding: index, pair: None, order: own };
        alike.entry(fingerprint(finding)).or_default().push(slot);
        for (pair_index, pair) in finding.pairs.iter().enumerate() {
            let Pair { kind, location, object, sides, .. } = pair;
            let key = hash(&finding.analysis, *kind, location, sides);
            let order = order(location, object.as_ref(), sides);
            alike.entry(key).or_default().push(Slot { finding: index, pair: Some(pair_index), order });
        }
    }
    let mut keys: Vec<(usize, Option<usize>, String)> = Vec::new();
    for (key, mut slots) in alike {
        // The sort is stable, so that the order of the input decides what nothing else does.
        slots.sort_by(|a, b| a.order.cmp(&b.order));
        for (ordinal, slot) in slots.iter().enumerate() {
            let key = if ordinal == 0 { key.clone() } else { format!("{key}-{}", ordinal + 1) };
            keys.push((slot.finding, slot.pair, key));
        }
    }
    for (finding, pair, key) in keys {
        match pair {
            None => findings[finding].key = key,
            Some(pair) => findings[finding].pairs[pair].key = key,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, Location, ObjectInfo};

    fn finding(lines: [u32; 2], methods: [&str; 2]) -> Finding {
        let side = |action, index: usize| {
            Side::new(action, Frame::new(methods[index]).at("Bank.java", lines[index]))
        };
        Finding::new("pairs", Kind::Field, Location::field("bank.Account", "balance"))
            .sides(side(Action::Write, 0), side(Action::Read, 1))
    }

    #[test]
    fn lines_objects_and_the_order_of_sides_do_not_matter() {
        let methods = ["bank.Account.set(int)", "bank.Account.get()"];
        let one = finding([12, 20], methods);
        let mut other = finding([112, 7], methods).on(ObjectInfo::new("bank.Account", None));
        other.sides.swap(0, 1);
        assert_eq!(fingerprint(&one), fingerprint(&other));
        // Keys are in users' baselines: a change of this value breaks them.
        assert_eq!(fingerprint(&one), "a0175bb2106546a7");
    }

    #[test]
    fn what_is_raced_for_and_who_races_matters() {
        let methods = ["bank.Account.set(int)", "bank.Account.get()"];
        let one = finding([1, 2], methods);
        let mut others = vec![finding([1, 2], ["bank.Account.set(long)", "bank.Account.get()"])];
        others.push(Finding { analysis: "objects".into(), ..one.clone() });
        others.push(Finding { kind: Kind::Static, ..one.clone() });
        others.push(Finding { location: Location::field("bank.Account", "owner"), ..one.clone() });
        let mut swapped = one.clone();
        swapped.sides[1].action = Action::Write;
        others.push(swapped);
        for other in others {
            assert_ne!(fingerprint(&one), fingerprint(&other), "{other:?}");
        }
    }

    #[test]
    fn numbers_of_lambdas_and_anonymous_classes_do_not_matter() {
        let one = finding([1, 2], ["p.C$1.run()", "p.C.lambda$main$0(int)"]);
        let other = finding([1, 2], ["p.C$12.run()", "p.C.lambda$main$3(int)"]);
        assert_eq!(fingerprint(&one), fingerprint(&other));
        assert_ne!(
            fingerprint(&one),
            fingerprint(&finding([1, 2], ["p.C$1.run()", "p.C.lambda$stop$0(int)"]))
        );
    }

    #[test]
    fn equal_fingerprints_are_numbered_by_line() {
        let methods = ["bank.Account.set(int)", "bank.Account.get()"];
        let mut findings = vec![finding([30, 9], methods), finding([20, 9], methods)];
        findings[1].pairs = finding([40, 9], methods).into_pairs().collect();
        assign_keys(&mut findings);
        let base = fingerprint(&findings[0]);
        assert_eq!(findings[1].key, base);
        assert_eq!(findings[0].key, format!("{base}-2"));
        assert_eq!(findings[1].pairs[0].key, format!("{base}-3"));
    }

    #[test]
    fn a_run_gives_the_key_of_the_prediction() {
        let predicted = finding([1, 2], ["p.C.a()", "p.C.b()"]);
        let shown = Finding { analysis: "run".to_owned(), ..predicted.clone() };
        let other = Finding { analysis: "uses".to_owned(), ..predicted.clone() };
        assert_eq!(fingerprint(&shown), fingerprint(&predicted));
        assert_ne!(fingerprint(&other), fingerprint(&predicted));
        let used = |action| {
            let mut finding = Finding { kind: Kind::Container, ..predicted.clone() };
            finding.sides[0].action = action;
            fingerprint(&finding)
        };
        assert_eq!(used(Action::Call), used(Action::Write));
    }
}
