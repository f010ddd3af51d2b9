//! `selvedge explain`: why a finding is reported, or why a field is safe.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use anyhow::{Result, bail};
use selvedge_findings::{Location, Report};
use selvedge_report::{render_explanation, render_safe};

use crate::arguments::{ExplainArguments, InputArguments};
use crate::check;
use crate::output;

/// Runs the command.
pub fn run(arguments: &ExplainArguments) -> Result<ExitCode> {
    let report = match &arguments.report {
        Some(path) => check::read_report_file(path)?,
        None => {
            let input = InputArguments {
                paths: arguments.paths.clone(),
                classpath: arguments.classpath.clone(),
                jdk: arguments.jdk.clone(),
                problems: false,
            };
            check::make_report(&input, &arguments.analysis, &arguments.detection, true)?
        }
    };
    let style = check::style(&arguments.sources, std::io::stdout().is_terminal());
    let mut text = String::new();
    if let Some(finding) = report.find(&arguments.what) {
        text += &render_explanation(finding, &style);
    } else {
        let findings = report.findings.iter().filter(|finding| is_named(&finding.location, &arguments.what));
        findings.for_each(|finding| text += &render_explanation(finding, &style));
        let safe = report.safe.iter().flatten().filter(|safe| is_named(&safe.location, &arguments.what));
        safe.for_each(|safe| text += &render_safe(safe, &style));
    }
    if text.is_empty() {
        bail!("{}", nothing(&report, &arguments.what));
    }
    let mut out = output::open(None)?;
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Whether the user's words mean a location: `Account.balance`, `bank.Account.balance`; for arrays and containers a field that
/// holds them.
fn is_named(location: &Location, what: &str) -> bool {
    let fits = |class: &str, field: &str| {
        let full = format!("{class}.{field}");
        full == what
            || full.ends_with(&format!(".{what}"))
            || full.replace('$', ".").ends_with(&format!(".{what}"))
    };
    location.field.as_deref().is_some_and(|field| fits(&location.class, field))
        || location.held_by.iter().any(|holder| fits(&holder.class, &holder.field))
}

fn nothing(report: &Report, what: &str) -> String {
    if report.safe.is_none() {
        return format!(
            "the report has no finding {what}; to ask about safe fields, write it with check --safe --format json"
        );
    }
    format!(
        "there is no finding {what}, and no field of that name that two threads could reach with a write among them"
    )
}
