//! `selvedge report`: shows reports that were written before, merged into one.

use std::process::ExitCode;

use anyhow::{Result, bail};
use selvedge_findings::{Report, merge};

use crate::arguments::ReportArguments;
use crate::config::Config;
use crate::show::{Shower, read_report_file};

/// Runs the command.
pub fn run(arguments: &ReportArguments, config: &Config) -> Result<ExitCode> {
    let shower = Shower::new(&arguments.show)?;
    let reports: Vec<Report> =
        arguments.reports.iter().map(|path| read_report_file(path)).collect::<Result<_>>()?;
    let Some(report) = reports.into_iter().reduce(merge) else { bail!("no report is given") };
    shower.show(report, config)
}
