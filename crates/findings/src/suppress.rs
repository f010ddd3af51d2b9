//! Findings that are not reported: by a rule that a person wrote, with the reason that they gave.
//!
//! A finding is left out if every pair of it is: a pair that no rule is about brings the whole finding back, so that a rule
//! for one method hides nothing that other methods do.

use serde::{Deserialize, Serialize};

use crate::finding::{Finding, Side};
use crate::name::class_of;
use crate::pattern::{matches_class, matches_member, matches_method};
use crate::place::Location;

/// A finding that is not reported.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Suppressed {
    /// What suppresses it: `baseline`, `configuration`, `annotation`, `source`, `scope`.
    pub by: String,
    /// Why, in the words of whoever suppressed it; empty if they gave none.
    #[serde(default)]
    pub reason: String,
    /// The finding.
    pub finding: Finding,
}

/// One pair of accesses of a finding: its own, or a further one.
#[derive(Clone, Copy, Debug)]
pub struct PairRef<'a> {
    /// Its fingerprint.
    pub key: &'a str,
    /// What is raced for.
    pub location: &'a Location,
    /// The two accesses.
    pub sides: &'a [Side; 2],
}

impl PairRef<'_> {
    /// The classes that the raced memory belongs to: that of the field, or of the fields that hold the array, container
    /// or object; its own class where no field does.
    pub fn owners(&self) -> Vec<&str> {
        match (&self.location.field, &self.location.held_by[..]) {
            (None, [_, ..]) => self.location.held_by.iter().map(|holder| holder.class.as_str()).collect(),
            _ => vec![&self.location.class],
        }
    }

    /// The fields that are raced for, as `p.C.f`: the field itself, or those that hold the array, container or object.
    pub fn fields(&self) -> Vec<String> {
        match &self.location.field {
            Some(field) => vec![format!("{}.{field}", self.location.class)],
            None => {
                self.location.held_by.iter().map(|held| format!("{}.{}", held.class, held.field)).collect()
            }
        }
    }

    /// The methods of both paths, the accesses among them.
    pub fn methods(&self) -> impl Iterator<Item = &str> {
        let frames = self.sides.iter().flat_map(|side| std::iter::once(&side.at).chain(&side.path));
        frames.map(|frame| frame.method.as_str())
    }
}

impl Finding {
    /// All its pairs, its own first.
    pub fn all_pairs(&self) -> impl Iterator<Item = PairRef<'_>> {
        let own = PairRef { key: &self.key, location: &self.location, sides: &self.sides };
        let further = self.pairs.iter().map(|pair| PairRef {
            key: &pair.key,
            location: &pair.location,
            sides: &pair.sides,
        });
        std::iter::once(own).chain(further)
    }
}

/// A suppression that a person wrote: a pair is meant if everything that is given fits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rule {
    /// The class that the raced memory belongs to, or the raced object's own class: a pattern.
    pub class: Option<String>,
    /// The raced field, or one that holds the raced object: a pattern over `p.C.f`.
    pub field: Option<String>,
    /// A method on either path: a pattern over `p.C.m`.
    pub method: Option<String>,
    /// The beginning of the pair's key.
    pub key: Option<String>,
    /// Why it is right to suppress this.
    pub reason: String,
}

impl Rule {
    /// Whether the rule is about a pair.
    pub fn applies(&self, pair: &PairRef<'_>) -> bool {
        let Self { class, field, method, key, reason: _ } = self;
        if class.is_none() && field.is_none() && method.is_none() && key.is_none() {
            return false;
        }
        class.as_deref().is_none_or(|pattern| {
            matches_class(pattern, &pair.location.class)
                || pair.owners().iter().any(|owner| matches_class(pattern, owner))
        }) && field
            .as_deref()
            .is_none_or(|pattern| pair.fields().iter().any(|field| matches_member(pattern, field)))
            && method
                .as_deref()
                .is_none_or(|pattern| pair.methods().any(|method| matches_method(pattern, method)))
            && key.as_deref().is_none_or(|key| pair.key.starts_with(key))
    }
}

/// The reason why all pairs of a finding are suppressed, each by one of the rules: that of the first pair. `used` is told
/// which rules were needed.
pub fn suppressed_by_rules(rules: &[Rule], finding: &Finding, used: &mut [bool]) -> Option<String> {
    let mut needed = Vec::new();
    for pair in finding.all_pairs() {
        needed.push(rules.iter().position(|rule| rule.applies(&pair))?);
    }
    for &index in &needed {
        if let Some(used) = used.get_mut(index) {
            *used = true;
        }
    }
    needed.first().map(|&index| rules[index].reason.clone())
}

/// Whether a finding is in one of the packages or classes: by its memory, or by one of its accesses.
pub fn in_scope(patterns: &[String], finding: &Finding) -> bool {
    let fits = |class: &str| patterns.iter().any(|pattern| matches_class(pattern, class));
    finding.all_pairs().any(|pair| {
        pair.owners().into_iter().any(fits) || pair.sides.iter().any(|side| fits(class_of(&side.at.method)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, FieldRef, Frame, Kind, Report};

    fn finding(field: &str, methods: [&str; 2]) -> Finding {
        let side = |method: &str| Side::new(Action::Write, Frame::new(method).at("C.java", 3));
        Finding::new("pairs", Kind::Field, Location::field("p.C", field))
            .sides(side(methods[0]), side(methods[1]))
    }

    fn rule(set: impl FnOnce(&mut Rule)) -> Rule {
        let mut rule = Rule { reason: "so".to_owned(), ..Rule::default() };
        set(&mut rule);
        rule
    }

    #[test]
    fn everything_given_must_fit() {
        let finding = finding("hits", ["p.C.m(int)", "q.D.n()"]);
        let suppresses = |rule: Rule| suppressed_by_rules(&[rule], &finding, &mut [false]).is_some();
        assert!(!suppresses(rule(|_| {})), "a rule about nothing");
        assert!(suppresses(rule(|it| it.class = Some("p.*".into()))));
        assert!(suppresses(rule(|it| it.field = Some("C.hits".into()))));
        assert!(suppresses(rule(|it| it.method = Some("q.D.*".into()))));
        assert!(!suppresses(rule(|it| {
            it.field = Some("C.hits".into());
            it.method = Some("C.other".into());
        })));
    }

    #[test]
    fn any_frame_of_a_path_counts_and_holders_stand_for_containers() {
        let mut found = finding("x", ["p.C.m()", "p.C.m()"]);
        found.location = Location::object(
            "java.util.HashMap",
            vec![FieldRef { class: "p.Cache".into(), field: "map".into() }],
        );
        found.sides[1].path = vec![Frame::new("main.Start.go()"), Frame::new("p.C.m()")];
        let suppresses = |rule: Rule| suppressed_by_rules(&[rule], &found, &mut [false]).is_some();
        assert!(suppresses(rule(|it| it.method = Some("Start.go".into()))));
        assert!(suppresses(rule(|it| it.field = Some("Cache.map".into()))));
        assert!(suppresses(rule(|it| it.class = Some("p.Cache".into()))));
        assert!(suppresses(rule(|it| it.class = Some("HashMap".into()))));
    }

    #[test]
    fn one_pair_that_is_not_meant_brings_the_finding_back() {
        let mut found = finding("x", ["p.C.a()", "p.C.b()"]);
        found.pairs = finding("x", ["p.C.c()", "p.C.b()"]).into_pairs().collect();
        let only_a = rule(|it| it.method = Some("C.a".into()));
        let only_c = rule(|it| it.method = Some("C.c".into()));
        let mut used = [false, false];
        assert_eq!(suppressed_by_rules(std::slice::from_ref(&only_a), &found, &mut used), None);
        assert_eq!(suppressed_by_rules(&[only_a, only_c], &found, &mut used), Some("so".to_owned()));
        assert_eq!(used, [true, true]);
    }

    #[test]
    fn what_is_suppressed_is_kept_and_counted() {
        let mut report = Report { findings: vec![finding("a", ["p.C.m()"; 2])], ..Report::default() };
        report.finish();
        assert!(in_scope(&["p.*".to_owned()], &report.findings[0]));
        assert!(!in_scope(&["q.*".to_owned()], &report.findings[0]));
        report.suppress("configuration", |_| Some("so".to_owned()));
        assert!(report.findings.is_empty() && report.views.by_field.is_empty());
        assert_eq!(report.suppressed[0].reason, "so");
        assert_eq!(report.stats.suppressed["configuration"], 1);
    }
}
