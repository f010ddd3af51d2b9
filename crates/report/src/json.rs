//! JSON: what other programs rely on. Written indented, with keys in a fixed order, and read back for comparisons,
//! baselines and explanations.

use std::fmt;

use selvedge_findings::{BASELINE_SCHEMA, Baseline, Report, SCHEMA};

/// The JSON Schema that every report of this version keeps to.
pub const JSON_SCHEMA: &str = include_str!("../schema/report.json");

/// The report as JSON.
pub fn render(report: &Report) -> String {
    pretty(report)
}

/// A baseline as JSON, to be kept in a file.
pub fn baseline_to_json(baseline: &Baseline) -> String {
    pretty(baseline)
}

fn pretty(value: &impl serde::Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("plain data with string keys becomes JSON");
    text.push('\n');
    text
}

/// Why a text is not a valid report, or no baseline, that this version can read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// It is not JSON, or not of the right shape: what the parser says.
    Malformed(String),
    /// It is of another kind or version: which, and which one is understood.
    Schema {
        /// What it says it is.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(message) => write!(out, "it cannot be read as one ({message})"),
            Self::Schema { found, expected } => write!(out, "it is of the kind `{found}`, not `{expected}`"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads a report that [`render`] wrote.
pub fn read_report(text: &str) -> Result<Report, ReadError> {
    check_schema(text, SCHEMA)?;
    serde_json::from_str(text).map_err(malformed)
}

/// Reads a baseline that [`baseline_to_json`] wrote, or a person edited.
pub fn read_baseline(text: &str) -> Result<Baseline, ReadError> {
    check_schema(text, BASELINE_SCHEMA)?;
    serde_json::from_str(text).map_err(malformed)
}

fn malformed(error: serde_json::Error) -> ReadError {
    ReadError::Malformed(error.to_string())
}

/// First the kind, so that a wrong file is called that and not malformed.
fn check_schema(text: &str, expected: &'static str) -> Result<(), ReadError> {
    #[derive(serde::Deserialize)]
    struct Kind {
        schema: String,
    }
    let kind: Kind = serde_json::from_str(text).map_err(malformed)?;
    if kind.schema == expected { Ok(()) } else { Err(ReadError::Schema { found: kind.schema, expected }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_the_wrong_file_is_named() {
        let report = Report::default();
        assert_eq!(read_report(&render(&report)).unwrap(), report);
        let baseline = baseline_to_json(&Baseline::default());
        assert_eq!(read_baseline(&baseline).unwrap(), Baseline::default());
        assert_eq!(
            read_report(&baseline).unwrap_err().to_string(),
            "it is of the kind `selvedge-baseline/1`, not `selvedge/1`"
        );
        assert!(read_report("{").unwrap_err().to_string().starts_with("it cannot be read as one ("));
    }
}
