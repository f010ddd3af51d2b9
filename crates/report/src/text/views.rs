//! The findings by field or by set of objects: what each is about, how many pairs it has, and a line for each finding.

use std::collections::BTreeMap;

use selvedge_findings::{Finding, ObjectInfo, Report};

use super::paper::{Ink, Paper, Span};
use super::{badge, place_span};
use crate::words;
use crate::{Style, TextView};

/// Shows a view, the highest rank first, of the findings that are listed.
pub fn show(paper: &mut Paper<'_>, report: &Report, style: &Style) {
    let listed = report.findings.iter().filter(|finding| style.lists(finding));
    let by_key: BTreeMap<&str, &Finding> = listed.map(|finding| (finding.key.as_str(), finding)).collect();
    let find = |keys: &[String]| -> Vec<&Finding> {
        keys.iter().filter_map(|key| by_key.get(key.as_str()).copied()).collect()
    };
    if style.view == TextView::Objects {
        for object in &report.views.by_object {
            let mut title = vec![Span::new(Ink::Strong, &object.object.class)];
            if let Some(frame) = &object.object.allocated_at {
                title.push(Span::plain(" created at "));
                title.push(place_span(paper, frame, &frame.place()));
                title.push(Span::plain(format!(" in {}", words::code(&frame.method))));
            }
            title.extend(others(paper, &object.others));
            entry(paper, title, object.rank, object.pairs, &find(&object.findings));
        }
    } else {
        for field in &report.views.by_field {
            let title = vec![Span::new(Ink::Strong, words::subject(&field.location))];
            entry(paper, title, field.rank, field.pairs, &find(&field.findings));
        }
    }
    paper.gap();
}

/// How many further objects of a set are named.
const OTHERS: usize = 4;

/// The further objects of a set.
fn others(paper: &Paper<'_>, others: &[ObjectInfo]) -> Vec<Span> {
    let mut spans = Vec::new();
    for other in others.iter().take(OTHERS) {
        spans.push(Span::plain(format!(", or {}", other.class)));
        if let Some(frame) = &other.allocated_at {
            spans.push(Span::plain(" created at "));
            spans.push(place_span(paper, frame, &frame.place()));
        }
    }
    if others.len() > OTHERS {
        let more = words::count(others.len() - OTHERS, "more object", "more objects");
        spans.push(Span::plain(format!(", or one of {more}")));
    }
    spans
}

fn entry(paper: &mut Paper<'_>, mut title: Vec<Span>, rank: u8, pairs: u64, findings: &[&Finding]) {
    if findings.is_empty() {
        return;
    }
    let races = words::count(findings.len(), "race", "races");
    let pairs = words::count(usize::try_from(pairs).unwrap_or(usize::MAX), "pair", "pairs");
    title.push(Span::new(Ink::Faint, format!("  {races}, {pairs}, rank {rank}")));
    paper.flow(0, 2, &title);
    for finding in findings {
        let line = [
            Span::new(badge(finding.confidence), format!("[{}]", finding.confidence.name())),
            Span::plain(format!(" {} ", words::headline(finding))),
            Span::new(Ink::Faint, format!("[{}]", finding.key)),
        ];
        paper.flow(2, 4, &line);
    }
    paper.gap();
}
