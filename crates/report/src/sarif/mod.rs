//! SARIF 2.1.0, for code scanning services and editors.
//!
//! A finding is a result at its first side. Both paths are thread flows of one code flow, as the format has it for
//! concurrent code; the other side, the creation of the object, the starts of the threads and the further pairs are
//! related locations. The key is a partial fingerprint, so that services follow a finding through edits. Levels come
//! from the confidence.

mod model;
pub(crate) mod rules;

use selvedge_findings::{Confidence, Finding, Frame, Partial, Problem, ReasonKind, Report, Side, Suppressed};

use crate::words;
use crate::{Sources, Style};
use model::{
    Artifact, ArtifactLocation, CodeFlow, Driver, Invocation, Location, Log, LogicalLocation, Message,
    Notification, PhysicalLocation, Properties, Region, Run, SarifResult, Suppression, ThreadFlow,
    ThreadFlowLocation, Tool,
};

/// The name under which the key is given as a fingerprint.
const FINGERPRINT: &str = "selvedge/v1";
/// Further pairs that become related locations.
const FURTHER: usize = 20;

/// The report as a log with one run.
pub fn render(report: &Report, style: &Style) -> String {
    let listed = report.findings.iter().filter(|finding| style.lists(finding));
    let mut results: Vec<SarifResult> = listed.map(|finding| result(finding, &style.sources)).collect();
    for Suppressed { by, reason, finding } in &report.suppressed {
        let in_source = matches!(by.as_str(), "source" | "annotation");
        let suppression = Suppression {
            kind: if in_source { "inSource" } else { "external" },
            justification: if reason.is_empty() { by.clone() } else { reason.clone() },
        };
        let result = result(finding, &style.sources);
        results.push(SarifResult { suppressions: Some(vec![suppression]), ..result });
    }
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: vec![Run {
            tool: Tool {
                driver: Driver {
                    name: "Selvedge",
                    semantic_version: report.tool.version.clone(),
                    rules: rules::all(),
                },
            },
            invocations: vec![Invocation {
                execution_successful: report.partial.is_none(),
                tool_execution_notifications: notifications(report, style),
            }],
            artifacts: report.input.paths.iter().map(|path| Artifact { location: file(path) }).collect(),
            results,
            column_kind: "unicodeCodePoints",
        }],
    };
    let mut text = serde_json::to_string_pretty(&log).expect("plain data with string keys becomes JSON");
    text.push('\n');
    text
}

fn result(finding: &Finding, sources: &Sources) -> SarifResult {
    let mut related = vec![(second_words(finding), finding.sides[1].at.clone())];
    if let Some(frame) = finding.object.as_ref().and_then(|object| object.allocated_at.as_ref()) {
        related.push(("the object is created here".to_owned(), frame.clone()));
    }
    for side in &finding.sides {
        if let Some(frame) = &side.thread.spawned_at {
            let text = format!("{} is started here", words::thread(&side.thread));
            if !related.iter().any(|(known, at)| *known == text && at == frame) {
                related.push((text, frame.clone()));
            }
        }
    }
    for pair in finding.pairs.iter().take(FURTHER) {
        for side in &pair.sides {
            let text =
                format!("same cause: {} of {}", words::deed(side.action), words::subject(&pair.location));
            if !related.iter().any(|(_, at)| *at == side.at) && side.at != finding.sides[0].at {
                related.push((text, side.at.clone()));
            }
        }
    }
    let related = related
        .into_iter()
        .zip(1..)
        .map(|((text, frame), id)| Location {
            id: Some(id),
            message: Some(message(text)),
            ..location(&frame, sources)
        })
        .collect();
    SarifResult {
        rule_id: rules::id(finding.kind),
        rule_index: rules::index(finding.kind),
        level: match finding.confidence {
            Confidence::High => "error",
            Confidence::Medium => "warning",
            Confidence::Low => "note",
        },
        message: message(full_message(finding)),
        locations: vec![location(&finding.sides[0].at, sources)],
        related_locations: related,
        code_flows: vec![CodeFlow {
            message: message("both accesses, each from the start of its thread".to_owned()),
            thread_flows: finding
                .sides
                .iter()
                .zip(["first", "second"])
                .map(|(side, id)| thread_flow(finding, side, id, sources))
                .collect(),
        }],
        partial_fingerprints: [(FINGERPRINT, finding.key.clone())].into(),
        rank: f64::from(finding.rank),
        suppressions: None,
        properties: Properties {
            analysis: finding.analysis.clone(),
            confidence: finding.confidence.name(),
            verdict: finding.verdict.name(),
            confirmation: finding.confirmation.clone(),
            pairs: finding.pair_count(),
        },
    }
}

fn second_words(finding: &Finding) -> String {
    let side = &finding.sides[1];
    format!("the other side: {} by {}", words::deed_in_full(side), words::thread(&side.thread))
}

/// The headline, the reasons and the advice, a sentence each.
fn full_message(finding: &Finding) -> String {
    let mut text = format!("{}.", words::headline(finding));
    match (&finding.confirmation, words::verdict(finding.verdict)) {
        (Some(confirmation), _) => text += &format!(" {}.", words::confirmation::sentence(confirmation)),
        (None, Some(verdict)) => text += &format!(" It was confirmed: {verdict}."),
        (None, None) => {}
    }
    if let Some(harm) = finding.confirmation.as_ref().and_then(|it| it.harm.as_ref()) {
        text += &format!(" Harm: {harm}.");
    }
    for reason in finding.reasons.iter().filter(|reason| reason.kind != ReasonKind::Tried) {
        let but = if reason.kind == ReasonKind::Doubt { "But: " } else { "" };
        text += &format!(" {but}{}.", reason.text);
    }
    if !finding.advice.is_empty() {
        text += &format!(" Fix: {}", finding.advice);
    }
    text
}

fn thread_flow(finding: &Finding, side: &Side, id: &'static str, sources: &Sources) -> ThreadFlow {
    let mut steps: Vec<(Option<String>, &Frame)> = Vec::new();
    if let Some(frame) = &side.thread.spawned_at {
        steps.push((Some(format!("{} is started", words::thread(&side.thread))), frame));
    }
    for frame in &side.path {
        steps.push((Some(format!("in {}", words::code(&frame.method))), frame));
    }
    if side.path.last() != Some(&side.at) {
        steps.push((None, &side.at));
    }
    let held: Vec<&str> = side.locks.iter().map(|lock| lock.name.as_str()).collect();
    let held =
        if held.is_empty() { "no lock held".to_owned() } else { format!("holding {}", held.join(", ")) };
    let deed = match &side.called {
        Some(called) => format!("call of {} on {}", words::code(called), words::subject(&finding.location)),
        None => format!("{} of {}", words::deed(side.action), words::subject(&finding.location)),
    };
    let deed = format!("{deed}, {held}");
    if let Some((text, _)) = steps.last_mut() {
        *text = Some(deed);
    }
    ThreadFlow {
        id,
        message: message(words::thread_in_full(&side.thread)),
        locations: steps
            .into_iter()
            .zip(1..)
            .map(|((text, frame), order)| ThreadFlowLocation {
                location: Location { message: text.map(message), ..location(frame, sources) },
                execution_order: order,
            })
            .collect(),
    }
}

fn message(text: String) -> Message {
    Message { text }
}

fn location(frame: &Frame, sources: &Sources) -> Location {
    let found = sources.find(frame).filter(|found| found.on_disk.is_some());
    let artifact = match (found, frame.source_path()) {
        (Some(found), _) => Some(file(&found.path)),
        // Relative to a source root that the tool was not told.
        (None, Some(path)) => Some(file(&path)),
        (None, None) => None,
    };
    let region = frame.line.filter(|line| *line > 0).map(|start_line| Region { start_line });
    Location {
        id: None,
        physical_location: artifact.map(|artifact_location| PhysicalLocation { artifact_location, region }),
        logical_locations: vec![LogicalLocation {
            fully_qualified_name: frame.method.clone(),
            kind: "function",
        }],
        message: None,
    }
}

/// Where a file is: relative to wherever the viewer has the sources, or by its whole address.
fn file(path: &str) -> ArtifactLocation {
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    ArtifactLocation { uri: format!("{scheme}{}", encode_path(path)) }
}

/// A path as part of an address: what addresses do not allow is escaped, and so is a colon that would make the
/// beginning of a relative path a scheme.
pub fn encode_path(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'/'
            | b'.'
            | b'-'
            | b'_'
            | b'~'
            | b'$'
            | b'!'
            | b'+' => {
                uri.push(char::from(byte));
            }
            other => uri += &format!("%{other:02X}"),
        }
    }
    uri
}

/// What stopped the command, what is wrong with the input, and what is not listed.
fn notifications(report: &Report, style: &Style) -> Vec<Notification> {
    let problem = |it: &Problem| Notification {
        level: "warning",
        message: message(format!("{} {}", it.place, it.message)),
    };
    let unlisted = words::unlisted(report, style);
    let unlisted = unlisted.map(|text| Notification { level: "note", message: message(text) });
    let stopped = |it: &Partial| Notification { level: "error", message: message(words::partial(it)) };
    report.partial.iter().map(stopped).chain(report.problems.iter().map(problem)).chain(unlisted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_addresses() {
        assert_eq!(encode_path("src/p/C$1.java"), "src/p/C$1.java");
        assert_eq!(encode_path("a b:c/ü%.java"), "a%20b%3Ac/%C3%BC%25.java");
        assert_eq!(file("lib/app.jar").uri, "lib/app.jar");
        assert_eq!(file("/opt/lib/app.jar").uri, "file:///opt/lib/app.jar");
    }
}
