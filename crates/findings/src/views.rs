//! The findings seen from two other directions: by field, and by object.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::place::{Location, ObjectInfo};

/// Both views, computed from the findings.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Views {
    /// By location, the highest ranked first.
    pub by_field: Vec<FieldView>,
    /// By object, the highest ranked first. What has no object (statics) is not in it.
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

/// All findings on one object.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ObjectView {
    /// The object.
    pub object: ObjectInfo,
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
    fn add(&mut self, finding: &Finding) {
        self.rank = self.rank.max(finding.rank);
        self.pairs += 1;
        if self.findings.last() != Some(&finding.key) {
            self.findings.push(finding.key.clone());
        }
    }
}

impl Views {
    /// The views of findings that have their keys and their order.
    pub fn of(findings: &[Finding]) -> Self {
        let mut fields: BTreeMap<&Location, Entry> = BTreeMap::new();
        let mut objects: BTreeMap<&ObjectInfo, Entry> = BTreeMap::new();
        for finding in findings {
            let further = finding.pairs.iter().map(|pair| (&pair.location, pair.object.as_ref()));
            for (location, object) in
                std::iter::once((&finding.location, finding.object.as_ref())).chain(further)
            {
                fields.entry(location).or_default().add(finding);
                if let Some(object) = object {
                    objects.entry(object).or_default().add(finding);
                }
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
            .map(|(object, Entry { rank, pairs, findings })| ObjectView {
                object: object.clone(),
                rank,
                pairs,
                findings,
            })
            .collect();
        // Stable: equal ranks stay in the order of their names.
        by_field.sort_by_key(|view| std::cmp::Reverse(view.rank));
        by_object.sort_by_key(|view| std::cmp::Reverse(view.rank));
        Self { by_field, by_object }
    }
}
