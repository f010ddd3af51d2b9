//! The findings seen from two other directions: by field, and by the set of objects that they may be about.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::place::{Location, ObjectInfo};

/// Both views, computed from the findings.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Views {
    /// By location, the highest ranked first.
    pub by_field: Vec<FieldView>,
    /// By set of objects, the highest ranked first. What has no object (statics) is not in it.
    pub by_object: Vec<ObjectView>,
}

/// All findings on one location.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FieldView {
    /// The location.
    pub location: Location,
    /// The highest rank among them.
    pub rank: u8,
    /// How many pairs of accesses they hold on it.
    pub pairs: u64,
    /// Keys of the findings, in the report's order.
    pub findings: Vec<String>,
}

/// All findings on one set of objects.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ObjectView {
    /// The object; of several the first.
    pub object: ObjectInfo,
    /// The others of the set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<ObjectInfo>,
    /// The highest rank among them.
    pub rank: u8,
    /// How many pairs of accesses they hold on it.
    pub pairs: u64,
    /// Keys of the findings, in the report's order.
    pub findings: Vec<String>,
}

/// What a view collects about one location or object.
#[derive(Default)]
struct Entry {
    rank: u8,
    pairs: u64,
    findings: Vec<String>,
}

impl Entry {
    fn add(&mut self, finding: &Finding, pairs: u64) {
        self.rank = self.rank.max(finding.rank);
        self.pairs += pairs;
        if self.findings.last() != Some(&finding.key) {
            self.findings.push(finding.key.clone());
        }
    }
}

impl Views {
    /// The views of findings that have their keys and their order.
    pub fn of(findings: &[Finding]) -> Self {
        let mut fields: BTreeMap<&Location, Entry> = BTreeMap::new();
        let mut objects: BTreeMap<Vec<&ObjectInfo>, Entry> = BTreeMap::new();
        for finding in findings {
            let further = finding.pairs.iter().map(|pair| &pair.location);
            for location in std::iter::once(&finding.location).chain(further) {
                fields.entry(location).or_default().add(finding, 1);
            }
            let of_pairs = finding.pairs.iter().filter_map(|pair| pair.object.as_ref());
            let set: BTreeSet<&ObjectInfo> =
                finding.object.iter().chain(&finding.objects).chain(of_pairs).collect();
            if !set.is_empty() {
                let pairs = finding.pair_count() as u64;
                objects.entry(set.into_iter().collect()).or_default().add(finding, pairs);
            }
        }
        let mut by_field: Vec<FieldView> = fields
            .into_iter()
            .map(|(location, Entry { rank, pairs, findings })| FieldView {
                location: location.clone(),
                rank,
                pairs,
                findings,
            })
            .collect();
        let mut by_object: Vec<ObjectView> = objects
            .into_iter()
            .filter_map(|(set, Entry { rank, pairs, findings })| {
                let (object, others) = set.split_first()?;
                let others = others.iter().map(|&other| other.clone()).collect();
                Some(ObjectView { object: (*object).clone(), others, rank, pairs, findings })
            })
            .collect();
        // Stable: equal ranks stay in the order of their names.
        by_field.sort_by_key(|view| std::cmp::Reverse(view.rank));
        by_object.sort_by_key(|view| std::cmp::Reverse(view.rank));
        Self { by_field, by_object }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, Kind};

    #[test]
    fn findings_are_grouped_by_their_sets_of_objects() {
        let object = |line| ObjectInfo::new("p.C", Some(Frame::new("p.M.main()").at("M.java", line)));
        let finding = |field: &str, lines: &[u32]| {
            let finding = Finding::new("pairs", Kind::Field, Location::field("p.C", field));
            let objects: Vec<ObjectInfo> = lines.iter().map(|&line| object(line)).collect();
            Finding { key: field.to_owned(), objects, ..finding.on(object(lines[0])) }
        };
        let views = Views::of(&[
            finding("a", &[1, 2]),
            finding("b", &[2]),
            finding("c", &[2, 1]),
            Finding::new("pairs", Kind::Static, Location::field("p.C", "d")),
        ]);
        let sets: Vec<(usize, &[String])> =
            views.by_object.iter().map(|view| (1 + view.others.len(), view.findings.as_slice())).collect();
        assert_eq!(sets, [(2, &["a".to_owned(), "c".to_owned()][..]), (1, &["b".to_owned()][..])]);
        assert_eq!(views.by_field.len(), 4);
    }
}
