//! `selvedge explain`: why a finding is reported, or why a field is safe.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use anyhow::{Result, bail};
use selvedge_findings::{Location, Report};
use selvedge_report::{render_explanation, render_safe};

use crate::arguments::ExplainArguments;
use crate::check::Check;
use crate::config::Config;
use crate::{output, show};

/// Runs the command.
pub fn run(arguments: &ExplainArguments, config: &Config) -> Result<ExitCode> {
    let report = match &arguments.report {
        Some(path) => show::read_report_file(path)?,
        None => {
            let check = Check {
                input: &arguments.input,
                analysis: &arguments.analysis,
                detection: &arguments.detection,
                safe: true,
                config,
            };
            check.report()?
        }
    };
    let style = show::style(&arguments.sources, std::io::stdout().is_terminal());
    let mut text = String::new();
    let suppressed = |key: &str| {
        report.suppressed.iter().find(|suppressed| suppressed.finding.keys().any(|own| own.starts_with(key)))
    };
    if let Some(finding) = report.find(&arguments.what) {
        text += &render_explanation(finding, &style);
    } else if let Some(suppressed) = suppressed(&arguments.what) {
        text += &render_explanation(&suppressed.finding, &style);
        text += &format!("suppressed by {}: {}\n", suppressed.by, suppressed.reason);
    } else {
        let suppressed = report.suppressed.iter().map(|suppressed| &suppressed.finding);
        let findings = report.findings.iter().chain(suppressed);
        findings
            .filter(|finding| is_named(&finding.location, &arguments.what))
            .for_each(|finding| text += &render_explanation(finding, &style));
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
