//! Why a field is racy, safe or not examined: what the last check knows of the name under the cursor.

use std::path::Path;

use selvedge_findings::{FieldRef, Location, Report, Strength};
use selvedge_report::words;

/// What is known of a name in a source file, as Markdown. Nothing, if the check knows no field of that name there.
pub fn about(report: &Report, file: &Path, name: &str) -> Option<String> {
    let stem = file.file_stem()?.to_str()?;
    let is_meant =
        |location: &Location| fields(location).any(|field| field.field == name && is_in(&field.class, stem));
    let mut parts = Vec::new();
    for finding in &report.findings {
        let pairs = finding.pairs.iter().map(|pair| &pair.location);
        if std::iter::once(&finding.location).chain(pairs).any(is_meant) {
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

/// Whether a class is declared in the file of this name, or in a class that is.
fn is_in(class: &str, stem: &str) -> bool {
    let simple = class.rsplit('.').next().unwrap_or(class);
    // A second class of a file has a name of its own; it is not found this way.
    simple.split('$').next() == Some(stem)
}
