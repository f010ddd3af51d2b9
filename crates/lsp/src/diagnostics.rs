//! Findings as diagnostics: one at each of the two accesses, with the other access and both call paths as related places.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr as _;

use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Position, Range, Uri,
};
use selvedge_findings::{Confidence, Finding, Frame, Report, Side};
use selvedge_report::{Sources, words};

use crate::java::{utf16, words};
use crate::uri;

/// What the name of the source of a diagnostic is.
pub const SOURCE: &str = "selvedge";

/// A call path has so many related places at most; long ones are cut in the middle of nowhere that matters, their beginning.
const MOST_FRAMES: usize = 12;

/// The diagnostics of a report, by file. Findings whose sources are not on disk have none.
pub fn of_report(
    report: &Report,
    sources: &Sources,
    least: Confidence,
    rules: Option<&str>,
) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let mut found: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
    for finding in report.findings.iter().filter(|finding| finding.confidence >= least) {
        for (index, side) in finding.sides.iter().enumerate() {
            let Some((path, range)) = place(sources, &side.at, finding) else { continue };
            let other = &finding.sides[1 - index];
            let is_same_place =
                index == 1 && place(sources, &other.at, finding) == Some((path.clone(), range));
            if !is_same_place {
                found.entry(path).or_default().push(diagnostic(finding, side, other, range, sources, rules));
            }
        }
    }
    found
}

fn diagnostic(
    finding: &Finding,
    side: &Side,
    other: &Side,
    range: Range,
    sources: &Sources,
    rules: Option<&str>,
) -> Diagnostic {
    let mut message = words::headline(finding);
    if !finding.advice.is_empty() {
        message += &format!("\nFix: {}", finding.advice);
    }
    let rule = selvedge_report::rule(finding.kind);
    let section = rule.trim_start_matches("race/");
    let href = rules.and_then(|rules| Uri::from_str(&format!("{rules}#{section}")).ok());
    let mut related = Vec::new();
    let mut add = |frame: &Frame, text: String| {
        if let Some((path, range)) = place(sources, frame, finding)
            && let Some(uri) = uri::of_path(&path)
        {
            related.push(DiagnosticRelatedInformation { location: Location { uri, range }, message: text });
        }
    };
    let does = |side: &Side| format!("{} in {}", words::deed_in_full(side), words::code(&side.at.method));
    add(&other.at, format!("the other access: {}; {}", does(other), words::thread_in_full(&other.thread)));
    for (name, side) in [("this access", side), ("the other access", other)] {
        let calls = side.path.len().saturating_sub(1);
        for frame in side.path[..calls].iter().skip(calls.saturating_sub(MOST_FRAMES)) {
            add(frame, format!("path of {name}: {}", words::code(&frame.method)));
        }
    }
    Diagnostic {
        range,
        severity: Some(match finding.confidence {
            Confidence::High => DiagnosticSeverity::ERROR,
            Confidence::Medium => DiagnosticSeverity::WARNING,
            Confidence::Low => DiagnosticSeverity::HINT,
        }),
        code: Some(NumberOrString::String(rule.to_owned())),
        code_description: href.map(|href| CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: Some(related),
        tags: None::<Vec<DiagnosticTag>>,
        data: Some(serde_json::json!({ "key": finding.key })),
    }
}

/// Where a place of the code is on disk: the name of the field on its line, or the whole line.
fn place(sources: &Sources, frame: &Frame, finding: &Finding) -> Option<(PathBuf, Range)> {
    let found = sources.find(frame)?;
    let path = found.on_disk.clone()?;
    let number = frame.line?;
    let line = found.lines.get(number.checked_sub(1)? as usize)?;
    let names =
        finding.location.field.iter().chain(finding.location.held_by.iter().map(|holder| &holder.field));
    let range = names.filter_map(|name| word(line, name)).next();
    let range = range.unwrap_or(line.len() - line.trim_start().len()..line.trim_end().len());
    let position = |at: usize| Position::new(number - 1, utf16(&line[..at]));
    Some((path, Range::new(position(range.start), position(range.end.max(range.start)))))
}

/// Where a name stands in a line as a whole word.
fn word(line: &str, name: &str) -> Option<std::ops::Range<usize>> {
    words(line).find(|range| &line[range.clone()] == name)
}
