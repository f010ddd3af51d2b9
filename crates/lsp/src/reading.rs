//! Reading the report of a check without holding all of it.
//!
//! The JSON of a large library is some hundred megabytes, most of it the further pairs of findings of low confidence. Findings are read
//! one by one, and of each only so many pairs are kept; the rest counts as unlisted, so that no change of the code is offered for it.

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use selvedge_findings::{
    Confidence, Coverage, Finding, Partial, Problem, Report, SCHEMA, Safe, Stats, Unexamined, Views,
};
use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};

/// So many further pairs of a finding are kept, and of one of low confidence.
const MOST_PAIRS: (usize, usize) = (100, 20);

/// What the server needs of a report.
#[derive(Deserialize)]
struct Lean {
    schema: String,
    #[serde(default)]
    partial: Option<Partial>,
    #[serde(deserialize_with = "findings")]
    findings: Vec<Finding>,
    views: Views,
    #[serde(default)]
    safe: Option<Vec<Safe>>,
    #[serde(default)]
    unexamined: Vec<Unexamined>,
    #[serde(default)]
    coverage: Option<Coverage>,
    stats: Stats,
    problems: Vec<Problem>,
}

/// Reads the report in a file.
pub fn read(path: &Path) -> Result<Report, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let lean: Lean = serde_json::from_reader(BufReader::with_capacity(1 << 16, file))
        .map_err(|error| error.to_string())?;
    let Lean { schema, partial, findings, views, safe, unexamined, coverage, stats, problems } = lean;
    if schema != SCHEMA {
        return Err(format!("it is of the kind `{schema}`"));
    }
    Ok(Report {
        schema,
        partial,
        findings,
        views,
        safe,
        unexamined,
        coverage,
        stats,
        problems,
        ..Report::default()
    })
}

fn findings<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Finding>, D::Error> {
    deserializer.deserialize_seq(Findings)
}

struct Findings;

impl<'de> Visitor<'de> for Findings {
    type Value = Vec<Finding>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of findings")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Vec<Finding>, A::Error> {
        let mut kept = Vec::new();
        while let Some(mut finding) = all.next_element::<Finding>()? {
            let most = if finding.confidence == Confidence::Low { MOST_PAIRS.1 } else { MOST_PAIRS.0 };
            finding.unlisted += finding.pairs.len().saturating_sub(most);
            finding.pairs.truncate(most);
            finding.pairs.shrink_to_fit();
            // Paths are shown of the first pair only.
            finding.pairs.iter_mut().flat_map(|pair| &mut pair.sides).for_each(|side| side.path = Vec::new());
            kept.push(finding);
        }
        Ok(kept)
    }
}
