//! Workflow commands that GitHub turns into annotations of a pull request, one line each:
//! `::warning file=src/bank/Account.java,line=12,title=Race on bank.Account.balance::...`.
//!
//! The service shows ten annotations of each level for a step, so the findings come in their order, the highest rank
//! first, and the summary is a plain line at the end.

use selvedge_findings::{Confidence, Finding, Report};

use crate::words;
use crate::{Sources, Style};

/// One command for each finding, and the summary.
pub fn render(report: &Report, style: &Style) -> String {
    let mut out = String::new();
    if let Some(partial) = &report.partial {
        out += &format!("::warning title=Partial result::{}\n", data(&words::partial(partial)));
    }
    for finding in report.findings.iter().filter(|finding| style.lists(finding)) {
        out += &command(finding, &style.sources);
        out.push('\n');
    }
    for line in words::unlisted(report, style).into_iter().chain([words::summary(report)]) {
        out += &words::clean(&line);
        out.push('\n');
    }
    out
}

fn command(finding: &Finding, sources: &Sources) -> String {
    let level = match finding.confidence {
        Confidence::High => "error",
        Confidence::Medium => "warning",
        Confidence::Low => "notice",
    };
    let at = &finding.sides[0].at;
    let mut properties = Vec::new();
    let file = sources.find(at).filter(|found| found.on_disk.is_some()).map(|found| found.path);
    if let Some(file) = file.or_else(|| at.source_path()) {
        properties.push(format!("file={}", property(&file)));
        if let Some(line) = at.line {
            properties.push(format!("line={line}"));
        }
    }
    let title = format!("Race on {}", words::subject(&finding.location));
    properties.push(format!("title={}", property(&title)));
    let mut message = words::headline(finding);
    for side in &finding.sides {
        let place = format!("{} in {}", side.at.place(), side.at.method);
        let thread = words::thread_in_full(&side.thread);
        message += &format!("\n{} at {place}; thread: {thread}", words::deed_in_full(side));
    }
    if let Some(confirmation) = &finding.confirmation {
        message += &format!("\n{}", words::confirmation::sentence(confirmation));
        if let Some(harm) = &confirmation.harm {
            message += &format!("\nHarm: {harm}");
        }
    }
    if !finding.advice.is_empty() {
        message += &format!("\nFix: {}", finding.advice);
    }
    message += &format!("\nKey: {}", finding.key);
    format!("::{level} {}::{}", properties.join(","), data(&message))
}

/// The message of a command: it ends with the line, and `%` begins an escape. Logs are also read on terminals.
fn data(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' => escaped += "%25",
            '\r' => escaped += "%0D",
            '\n' => escaped += "%0A",
            other => escaped += &words::clean(other.encode_utf8(&mut [0; 4])),
        }
    }
    escaped
}

/// The value of a property, which also ends at a colon or comma.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out_of_a_command() {
        assert_eq!(data("100 %\n::error::x\r"), "100 %25%0A::error::x%0D");
        assert_eq!(property("a,b:c%\n"), "a%2Cb%3Ac%25%0A");
    }
}
