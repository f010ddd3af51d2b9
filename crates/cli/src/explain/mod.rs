//! `selvedge explain`: all about a finding, a field, an array or a container.
//!
//! A field is *racy* (with its findings, those included that another field of its class leads), *safe* (which refuters, which lines),
//! *unexamined* (how many pairs, which limit), or none of these: then [`program`] says what the program does with it, what it does not reach, or which names are near.

mod names;
mod program;

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use selvedge_findings::{Finding, Location, Report};
use selvedge_report::{render_explanation, render_safe, render_unexamined};

use crate::arguments::{ExplainArguments, InputArguments};
use crate::check::{Check, refuse_part};
use crate::config::Config;
use crate::guard::Guard;
use crate::progress::Progress;
use crate::{output, show};
use names::{is_meant, nearest};
use program::Answer;

/// Runs the command.
pub fn run(arguments: &ExplainArguments, config: &Config) -> Result<ExitCode> {
    let (asked, input) = in_order(arguments);
    let mut what = plain_name(&asked);
    let (report, answer) = match &arguments.report {
        Some(path) => (show::read_report_file(path)?, None),
        None => {
            let guard = Guard::new(&arguments.analysis, Progress::new());
            let check = Check {
                guard: &guard,
                input: &input,
                analysis: &arguments.analysis,
                detection: &arguments.detection,
                safe: true,
                config,
                scope: &[],
            };
            let look = || {
                check.report_and(|facts, _| {
                    let declared = program::declared(facts.view.program, &what);
                    let answer = Answer::new(facts, declared.as_ref().unwrap_or(&what));
                    (declared, answer)
                })
            };
            let (report, (declared, answer)) = guard.over(refuse_part, look)?;
            if report.partial.is_some() {
                return Ok(ExitCode::from(refuse_part(report)));
            }
            what = declared.unwrap_or(what);
            (report, Some(answer))
        }
    };
    let style = show::style(&arguments.sources, std::io::stdout().is_terminal());
    let mut text = String::new();
    let suppressed = |key: &str| {
        report.suppressed.iter().find(|suppressed| suppressed.finding.keys().any(|own| own.starts_with(key)))
    };
    if let Some(finding) = report.find(&what) {
        text += &render_explanation(finding, &style);
    } else if let Some(suppressed) = suppressed(&what) {
        text += &render_explanation(&suppressed.finding, &style);
        text += &format!("suppressed by {}: {}\n", suppressed.by, suppressed.reason);
    } else {
        let suppressed = report.suppressed.iter().map(|suppressed| &suppressed.finding);
        for finding in report.findings.iter().chain(suppressed).filter(|finding| is_about(finding, &what)) {
            if !is_named(&finding.location, &what) {
                text += &format!("{what} is one of the fields of this finding:\n");
            }
            text += &render_explanation(finding, &style);
        }
        let safe = report.safe.iter().flatten().filter(|safe| is_named(&safe.location, &what));
        safe.for_each(|safe| text += &render_safe(safe, &style));
        let unexamined = report.unexamined.iter().filter(|it| is_named(&it.location, &what));
        unexamined.for_each(|it| text += &render_unexamined(it, &style));
        // What is said of a field already need not be said of its declaration.
        if let Some(Answer::Fields(fields)) = &answer {
            let is_told = |field: &str| {
                let findings = report.findings.iter().map(|finding| &finding.location);
                let pairs = report.findings.iter().flat_map(|it| it.pairs.iter().map(|pair| &pair.location));
                let safe = report.safe.iter().flatten().map(|safe| &safe.location);
                let unexamined = report.unexamined.iter().map(|it| &it.location);
                let mut told = findings.chain(pairs).chain(safe).chain(unexamined);
                told.any(|location| is_named(location, field))
            };
            fields.iter().filter(|about| !is_told(&about.field)).for_each(|about| text += &about.text());
        }
    }
    if text.is_empty() {
        bail!("{}", nothing(&report, answer.as_ref(), &what));
    }
    let mut out = output::open(None)?;
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// A name as reports have it: `p/C.f`, or the elements of an array as `p.C.f[]` or `p.C.f[i]`, are asked for as `p.C.f`; the class of
/// an array, `int[]` or `p.Node[]`, as it is.
fn plain_name(what: &str) -> String {
    let what = what.replace('/', ".");
    let Some((before, _)) = what.split_once('[').filter(|(before, _)| !before.is_empty()) else {
        return what;
    };
    let last = before.rsplit(['.', '$']).next().unwrap_or(before);
    let is_type = last.starts_with(char::is_uppercase) && last.contains(char::is_lowercase);
    if is_type || !before.contains('.') { what } else { before.to_owned() }
}

/// What is asked about, and of which program: also where the program comes first.
fn in_order(arguments: &ExplainArguments) -> (String, InputArguments) {
    let mut input = arguments.input.clone();
    let is_there = |path: &Path| path.exists();
    let asked = input.paths.iter().position(|path| !is_there(path));
    match asked {
        Some(index) if is_there(Path::new(&arguments.what)) => {
            let what = std::mem::replace(&mut input.paths[index], arguments.what.clone().into());
            (what.to_string_lossy().into_owned(), input)
        }
        _ => (arguments.what.clone(), input),
    }
}

/// Whether a finding has a pair at the location.
fn is_about(finding: &Finding, what: &str) -> bool {
    let further = finding.pairs.iter().map(|pair| &pair.location);
    std::iter::once(&finding.location).chain(further).any(|location| is_named(location, what))
}

/// Whether the user's words mean a location: `Account.balance`, `bank.Account.balance`; for arrays and containers their class, or a field
/// that holds them.
fn is_named(location: &Location, what: &str) -> bool {
    let fits = |class: &str, field: &str| is_meant(&format!("{class}.{field}"), what);
    match &location.field {
        Some(field) => fits(&location.class, field),
        None => {
            is_meant(&location.class, what)
                || location.held_by.iter().any(|holder| fits(&holder.class, &holder.field))
        }
    }
}

/// What to say where nothing is found.
fn nothing(report: &Report, answer: Option<&Answer>, what: &str) -> String {
    match answer {
        Some(Answer::Absent(class)) => format!(
            "class {class} is used by the program but not among its classes; add it as a PATH, or with --classpath if it is a library"
        ),
        Some(Answer::Unknown { near }) => {
            format!("there is no finding and no field {what}{}", suggestion(near))
        }
        Some(Answer::Fields(_)) | None => {
            let findings = report.findings.iter().map(|finding| finding.location.to_string());
            let safe = report.safe.iter().flatten().map(|safe| safe.location.to_string());
            let near = nearest(what, findings.chain(safe));
            let hint = "; to explain any field, pass the program instead of the report";
            match near.is_empty() {
                true => format!("the report has no finding or field {what}{hint}"),
                false => format!("the report has no finding or field {what}{}", suggestion(&near)),
            }
        }
    }
}

fn suggestion(near: &[String]) -> String {
    match near {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        several => format!("; did you mean one of {}?", several.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::plain_name;

    #[test]
    fn elements_are_asked_for_by_the_field_and_arrays_by_their_class() {
        assert_eq!(plain_name("p/C.slots[i]"), "p.C.slots");
        assert_eq!(plain_name("p.C.TABLE[]"), "p.C.TABLE");
        assert_eq!(plain_name("int[]"), "int[]");
        assert_eq!(plain_name("p.Outer$Node[][]"), "p.Outer$Node[][]");
    }
}
