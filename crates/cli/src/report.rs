//! `selvedge report`: shows a report that was written before.

use std::process::ExitCode;

use anyhow::Result;

use crate::arguments::ReportArguments;
use crate::config::Config;
use crate::show::{Shower, read_report_file};

/// Runs the command.
pub fn run(arguments: &ReportArguments, config: &Config) -> Result<ExitCode> {
    let shower = Shower::new(&arguments.show)?;
    shower.show(read_report_file(&arguments.report)?, config)
}
