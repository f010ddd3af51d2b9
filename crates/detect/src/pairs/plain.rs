//! Classes whose fields are left to callers: beans, options, builders, statements.
//!
//! That callers should not share an object of such a class is one thing to know, not one for each of its fields. So the findings on the
//! fields of a class that are all left to callers, and on the arrays that only such fields hold, become one, which names them; all pairs
//! are kept. Containers that only such fields hold are one finding of their own: a map that is changed is not said below a getter.
//! Fields of a class that synchronises, which no lock ever guards, are put together likewise, apart from the others; and so are
//! fields that a constructor wrote and that others see unset because the reference is published by a race.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_findings::{Finding, Kind, Location, Reason, group_by_cause};

use crate::ranking::LeftToCallers;

/// Why each location is left to callers by all its pairs; `None` if it is not.
#[derive(Default)]
pub(super) struct PlainClasses(BTreeMap<Location, Option<LeftToCallers>>);

impl PlainClasses {
    /// Notes a pair.
    pub(super) fn look_at(&mut self, finding: &Finding, left: Option<LeftToCallers>) {
        let known = self.0.entry(finding.location.clone()).or_insert(left);
        *known = known.zip(left).map(|(known, left)| known.max(left));
    }

    /// Puts the findings on the fields of such a class together.
    pub(super) fn put_together(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let class_of = |finding: &Finding| {
            let left = self.0.get(&finding.location).copied().flatten()?;
            Some((holder_of(&finding.location)?, left, finding.kind == Kind::Container))
        };
        let mut members: BTreeMap<(String, LeftToCallers, bool), BTreeSet<String>> = BTreeMap::new();
        for finding in &findings {
            if let Some(class) = class_of(finding) {
                members.entry(class).or_default().insert(field_of(&finding.location));
            }
        }
        let mut position = 0;
        let mut grouped = group_by_cause(findings, |finding| {
            position += 1;
            class_of(finding).ok_or(position)
        });
        for finding in &mut grouped {
            let own = field_of(&finding.location);
            let fields = class_of(finding).and_then(|class| members.get(&class));
            let others: Vec<&str> =
                fields.into_iter().flatten().filter(|&field| *field != own).map(String::as_str).collect();
            if others.is_empty() {
                continue;
            }
            let shown = others[..others.len().min(NAMED)].join(", ");
            let more = match others.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            finding.reasons.push(Reason::doubt(format!("the same holds for {shown}{more}")));
        }
        grouped
    }
}

/// How many of the fields that were put together are named.
const NAMED: usize = 8;

/// The name of the field, or of the first that holds the object.
fn field_of(location: &Location) -> String {
    let held = || location.held_by.first().map(|holder| holder.field.clone());
    location.field.clone().or_else(held).unwrap_or_default()
}

/// The class that has a field, or all fields that may hold an object.
fn holder_of(location: &Location) -> Option<String> {
    if location.field.is_some() {
        return Some(location.class.clone());
    }
    let (first, others) = location.held_by.split_first()?;
    others.iter().all(|other| other.class == first.class).then(|| first.class.clone())
}

#[cfg(test)]
mod tests {
    use selvedge_findings::{Action, Confidence, Frame, Side};

    use super::*;

    const PLAIN: Option<LeftToCallers> = Some(LeftToCallers::MadeForOneThread);

    fn finding(class: &str, field: &str) -> Finding {
        let side = || Side::new(Action::Write, Frame::new(format!("{class}.set()")).at("C.java", 1));
        Finding::new("pairs", Kind::Field, Location::field(class, field))
            .sides(side(), side())
            .ranked(30, Confidence::Low)
    }

    #[test]
    fn many_plain_fields_of_a_class_are_one_finding() {
        let findings: Vec<Finding> = ["a", "b", "c", "d"].map(|field| finding("p.Bean", field)).into();
        let mut plain = PlainClasses::default();
        findings.iter().for_each(|finding| plain.look_at(finding, PLAIN));
        let grouped = plain.put_together(findings);
        assert_eq!(grouped.len(), 1);
        assert_eq!(grouped[0].pair_count(), 4);
        assert_eq!(grouped[0].reasons, [Reason::doubt("the same holds for b, c, d")]);
    }

    #[test]
    fn a_field_with_a_pair_that_matters_stays_by_itself() {
        let findings: Vec<Finding> = ["a", "b", "c", "d", "e"].map(|field| finding("p.Bean", field)).into();
        let mut plain = PlainClasses::default();
        findings.iter().for_each(|finding| plain.look_at(finding, PLAIN));
        plain.look_at(&findings[0], None);
        let grouped = plain.put_together(findings);
        let fields: Vec<_> = grouped.iter().map(|finding| finding.location.to_string()).collect();
        assert_eq!(fields, ["p.Bean.a", "p.Bean.b"]);
    }

    #[test]
    fn a_container_is_not_put_with_the_fields() {
        let mut list = finding("p.Bean", "list");
        let held_by = selvedge_findings::FieldRef { class: "p.Bean".into(), field: "list".into() };
        list.location = Location::object("java.util.ArrayList", vec![held_by]);
        list.kind = Kind::Container;
        let findings = vec![finding("p.Bean", "a"), list, finding("p.Other", "a")];
        let mut plain = PlainClasses::default();
        findings.iter().for_each(|finding| plain.look_at(finding, PLAIN));
        assert_eq!(plain.put_together(findings).len(), 3);
    }

    #[test]
    fn fields_that_are_never_guarded_stay_apart_from_those_of_plain_objects() {
        let findings: Vec<Finding> = ["a", "b", "c"].map(|field| finding("p.Bean", field)).into();
        let mut plain = PlainClasses::default();
        findings.iter().for_each(|finding| plain.look_at(finding, PLAIN));
        plain.look_at(&findings[2], Some(LeftToCallers::NeverGuarded));
        assert_eq!(plain.put_together(findings).len(), 2);
    }
}
