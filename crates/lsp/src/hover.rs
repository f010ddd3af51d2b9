//! Why a field is racy, safe or not examined: what the last check knows of the name under the cursor.

use selvedge_findings::{FieldRef, Finding, Location, Report, Strength, class_of};
use selvedge_report::words;

use crate::java::Source;

/// What is known of a name in a source file, as Markdown: of the field of that name that a class of the file declares, or that is accessed
/// on the line (counted from 1). Nothing, if there is no such field.
pub fn about(report: &Report, source: &Source<'_>, name: &str, line: u32) -> Option<String> {
    let is_meant = |location: &Location| {
        fields(location).any(|field| field.field == name && source.declares(&field.class))
    };
    let is_here = |finding: &Finding| {
        finding
            .sides
            .iter()
            .any(|side| side.at.line == Some(line) && source.declares(class_of(&side.at.method)))
            && fields(&finding.location).any(|field| field.field == name)
    };
    let mut parts = Vec::new();
    for finding in &report.findings {
        let pairs = finding.pairs.iter().map(|pair| &pair.location);
        if is_here(finding) || std::iter::once(&finding.location).chain(pairs).any(is_meant) {
            let mut text = format!("**Race** ({}): {}", finding.confidence.name(), words::headline(finding));
            if !finding.advice.is_empty() {
                text += &format!("  \nFix: {}", finding.advice);
            }
            parts.push(text);
        }
    }
    for unexamined in report.unexamined.iter().filter(|it| is_meant(&it.location)) {
        let pairs = words::thousands(unexamined.pairs);
        parts.push(format!("**Unexamined**: {pairs} pairs of accesses ({})", unexamined.limit));
    }
    for safe in report.safe.iter().flatten().filter(|it| is_meant(&it.location)) {
        let because: Vec<String> = safe
            .because
            .iter()
            .map(|it| {
                let strength = match it.strength {
                    Strength::Proof => "proof",
                    Strength::Heuristic => "heuristic",
                };
                format!("`{}` ({strength}, {} pairs)", it.refuter, words::thousands(it.count))
            })
            .collect();
        parts.push(format!(
            "**No race found** on {}: {}",
            words::subject(&safe.location),
            because.join(", ")
        ));
    }
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// The field of a location, or the fields that may hold it.
fn fields(location: &Location) -> impl Iterator<Item = FieldRef> {
    let own =
        location.field.iter().map(|field| FieldRef { class: location.class.clone(), field: field.clone() });
    own.chain(location.held_by.iter().cloned()).collect::<Vec<_>>().into_iter()
}
