//! Classes with many plain fields, of which nothing is made for several threads: beans, options, statements.
//!
//! That callers should not share an object of such a class is one thing to know, not one for each of its fields. So the findings on the
//! fields of a class that are all left to callers become one, if there are many; all pairs are kept.

use std::collections::BTreeMap;

use selvedge_findings::{Finding, Kind, Location, Reason, group_by_cause};

/// With fewer fields than this each has its own finding.
const MANY: usize = 4;

/// Which fields are left to callers by all their pairs.
#[derive(Default)]
pub(super) struct PlainClasses(BTreeMap<Location, bool>);

impl PlainClasses {
    /// Notes a pair.
    pub(super) fn look_at(&mut self, finding: &Finding, is_left_to_callers: bool) {
        if finding.kind == Kind::Field {
            *self.0.entry(finding.location.clone()).or_insert(true) &= is_left_to_callers;
        }
    }

    /// Puts the findings on the fields of such a class together.
    pub(super) fn put_together(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let is_plain =
            |finding: &Finding| finding.kind == Kind::Field && self.0.get(&finding.location) == Some(&true);
        let mut fields: BTreeMap<String, usize> = BTreeMap::new();
        for finding in findings.iter().filter(|finding| is_plain(finding)) {
            *fields.entry(finding.location.class.clone()).or_default() += 1;
        }
        let is_many = |class: &str| fields.get(class).is_some_and(|&count| count >= MANY);
        let mut position = 0;
        let mut grouped = group_by_cause(findings, |finding| {
            position += 1;
            match is_plain(finding) && is_many(&finding.location.class) {
                true => Err(finding.location.class.clone()),
                false => Ok(position),
            }
        });
        for finding in &mut grouped {
            if is_plain(finding) && is_many(&finding.location.class) {
                let others = fields[&finding.location.class] - 1;
                finding
                    .reasons
                    .push(Reason::doubt(format!("{others} more fields of the class are like this one")));
            }
        }
        grouped
    }
}

#[cfg(test)]
mod tests {
    use selvedge_findings::{Action, Confidence, Frame, Side};

    use super::*;

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
        findings.iter().for_each(|finding| plain.look_at(finding, true));
        let grouped = plain.put_together(findings);
        assert_eq!(grouped.len(), 1);
        assert_eq!(grouped[0].pair_count(), 4);
    }

    #[test]
    fn a_field_with_a_pair_that_matters_stays_by_itself() {
        let findings: Vec<Finding> = ["a", "b", "c", "d", "e"].map(|field| finding("p.Bean", field)).into();
        let mut plain = PlainClasses::default();
        findings.iter().for_each(|finding| plain.look_at(finding, true));
        plain.look_at(&findings[0], false);
        let grouped = plain.put_together(findings);
        let fields: Vec<_> = grouped.iter().map(|finding| finding.location.to_string()).collect();
        assert_eq!(fields, ["p.Bean.a", "p.Bean.b"]);
    }

    #[test]
    fn few_fields_stay_apart() {
        let findings: Vec<Finding> = ["a", "b"].map(|field| finding("p.Bean", field)).into();
        let mut plain = PlainClasses::default();
        findings.iter().for_each(|finding| plain.look_at(finding, true));
        assert_eq!(plain.put_together(findings).len(), 2);
    }
}
