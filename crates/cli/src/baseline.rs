//! `selvedge baseline`: accepts findings, so that later checks report only new ones.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use selvedge_findings::Baseline;
use selvedge_report::{baseline_to_json, read_baseline, words};

use crate::arguments::BaselineArguments;
use crate::{output, show};

/// Runs the command.
pub fn run(arguments: &BaselineArguments) -> Result<ExitCode> {
    let mut baseline = match &arguments.add_to {
        Some(path) => read_baseline(&show::read_text(path)?)
            .with_context(|| format!("{} is not a valid baseline file", path.display()))?,
        None => Baseline::default(),
    };
    let (mut findings, mut pairs) = (0, 0);
    for path in &arguments.reports {
        let report = show::read_report_file(path)?;
        findings += report.findings.len();
        pairs += baseline.accept(&report);
    }
    let mut out = output::open(arguments.output.as_deref())?;
    out.write_all(baseline_to_json(&baseline).as_bytes())?;
    out.flush()?;
    eprintln!(
        "selvedge: {} accepted, with {} that were not accepted before",
        words::count(findings, "finding", "findings"),
        words::count(pairs, "pair of accesses", "pairs of accesses"),
    );
    Ok(ExitCode::SUCCESS)
}
