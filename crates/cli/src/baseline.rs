//! `selvedge baseline`: accepts findings, so that later checks report only new ones.

use std::process::ExitCode;

use anyhow::Result;
use selvedge_findings::Baseline;
use selvedge_report::{baseline_to_json, words};

use crate::arguments::BaselineArguments;
use crate::{output, show};

/// Runs the command.
pub fn run(arguments: &BaselineArguments) -> Result<ExitCode> {
    let mut baseline = match &arguments.add_to {
        Some(path) => show::read_baseline_file(path)?,
        None => Baseline::default(),
    };
    let (mut findings, mut pairs) = (0, 0);
    for path in &arguments.reports {
        let report = show::read_report_file(path)?;
        findings += report.findings.len();
        pairs += baseline.accept(&report);
    }
    output::write(arguments.output.as_deref(), &baseline_to_json(&baseline))?;
    eprintln!(
        "selvedge: {} accepted, with {} that were not accepted before",
        words::count(findings, "finding", "findings"),
        words::count(pairs, "pair of accesses", "pairs of accesses"),
    );
    Ok(ExitCode::SUCCESS)
}
