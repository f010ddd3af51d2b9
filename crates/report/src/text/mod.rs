//! The report on a terminal, for a developer with no time: each finding opens with one sentence that says what is wrong;
//! then both sides, alike (what, where, by which thread, under which locks, on which path); then why, and what to do. The
//! first and the last line sum up. A class takes one place: its findings come together and, where there are more than a page
//! of findings, those after the first are one line each.

mod finding;
mod paper;
mod stats;
mod views;

use std::collections::BTreeMap;

use selvedge_findings::{
    Because, Confidence, Diff, Finding, Frame, Location, Report, Safe, Strength, Suppressed, Unexamined,
};

use crate::words;
use crate::{Detail, Style, TextView};
use paper::{Ink, Paper, Span};

/// The whole report.
pub fn render(report: &Report, style: &Style) -> String {
    let mut paper = Paper::new(style);
    let classes = by_class(report.findings.iter().filter(|finding| style.lists(finding)));
    let all: usize = classes.iter().map(Vec::len).sum();
    let listed = &classes[..style.top.min(classes.len())];
    if let Some(partial) = &report.partial {
        let text = format!("Selvedge: {}; what is not listed here may race", words::partial(partial));
        paper.flow(0, 2, &[Span::new(Ink::Alarm, text)]);
        paper.gap();
    }
    if style.detail == Detail::Full && style.view == TextView::Findings && all > 1 {
        summary(&mut paper, report);
        paper.gap();
    }
    match style.detail {
        Detail::Summary => {}
        _ if style.view != TextView::Findings => views::show(&mut paper, report, style),
        Detail::Brief => listed.iter().flatten().for_each(|finding| brief(&mut paper, finding)),
        Detail::Full => listed.iter().for_each(|findings| class(&mut paper, findings, all > PAGE)),
    }
    if style.detail != Detail::Summary {
        let further = if style.view == TextView::Findings { &classes[listed.len()..] } else { &[] };
        if !further.is_empty() {
            let count = words::count(further.iter().map(Vec::len).sum(), "more finding", "more findings");
            let classes = words::count(further.len(), "class", "classes");
            let text = format!("... and {count} in {classes}: --top N takes N classes, --top all every one");
            paper.flow(0, 4, &[Span::new(Ink::Faint, text)]);
            paper.gap();
        }
        if let Some(text) = words::unlisted(report, style) {
            paper.flow(0, 4, &[Span::new(Ink::Faint, text)]);
            paper.gap();
        }
    }
    if style.detail == Detail::Full {
        safe_locations(&mut paper, report.safe.as_deref().unwrap_or_default());
    }
    suppressed(&mut paper, report, style.detail);
    if style.stats {
        stats::show(&mut paper, report);
        paper.gap();
    }
    summary(&mut paper, report);
    paper.finish()
}

/// How many findings are shown in full, whichever classes they are of.
const PAGE: usize = 20;

/// The findings of a class: all in full, or the first in full and a line for each of the others.
fn class(paper: &mut Paper<'_>, findings: &[&Finding], is_short: bool) {
    let Some((first, further)) = findings.split_first() else { return };
    if !further.is_empty() {
        let races = words::count(findings.len(), "race", "races");
        let owner = first.location.owner();
        paper.flow(0, 3, &[Span::new(Ink::Strong, format!("== {owner}: {races}"))]);
        paper.gap();
    }
    finding::show(paper, first, finding::PathLength::Short);
    paper.gap();
    for finding in further {
        if is_short {
            let line = [
                Span::new(badge(finding.confidence), format!("[{}]", finding.confidence.name())),
                Span::plain(format!(" {} ", words::headline(finding))),
                Span::new(Ink::Faint, format!("[{}]", finding.key)),
            ];
            paper.flow(2, 4, &line);
        } else {
            finding::show(paper, finding, finding::PathLength::Short);
            paper.gap();
        }
    }
    if is_short && !further.is_empty() {
        paper.gap();
    }
}

/// One finding with all its evidence: whole paths, and every pair of accesses in full.
pub fn render_explanation(finding: &Finding, style: &Style) -> String {
    let mut paper = Paper::new(style);
    finding::show(&mut paper, finding, finding::PathLength::Whole);
    paper.finish()
}

/// Why a location is safe.
pub fn render_safe(safe: &Safe, style: &Style) -> String {
    let mut paper = Paper::new(style);
    show_safe(&mut paper, safe);
    paper.finish()
}

/// How many pairs of a location were not examined, and which limit was reached.
pub fn render_unexamined(unexamined: &Unexamined, style: &Style) -> String {
    let mut paper = Paper::new(style);
    let subject = words::subject(&unexamined.location);
    paper.flow(0, 2, &[Span::new(Ink::Strong, "[unexamined] "), Span::new(Ink::Strong, subject)]);
    let pairs = words::count(usize::try_from(unexamined.pairs).unwrap_or(usize::MAX), "pair", "pairs");
    let text = format!("{pairs} of accesses skipped: limit of {} reached", unexamined.limit);
    paper.flow(2, 4, &[Span::plain(text)]);
    paper.finish()
}

/// What changed between two reports: a line for each new and each fixed finding, unless only a summary is wanted, and one that
/// sums up.
pub fn render_diff(diff: &Diff, style: &Style) -> String {
    let mut paper = Paper::new(style);
    let lists = [("new  ", Ink::Alarm, &diff.new), ("fixed", Ink::Good, &diff.fixed)];
    for (mark, ink, findings) in lists.into_iter().filter(|_| style.detail != Detail::Summary) {
        for finding in findings.iter().filter(|finding| style.lists(finding)) {
            let confidence = format!("{}: ", finding.confidence.name());
            let spans = [
                Span::new(ink, mark),
                Span::plain(" "),
                Span::new(badge(finding.confidence), confidence),
                Span::plain(words::headline(finding)),
                Span::new(Ink::Faint, format!(" [{}]", finding.key)),
            ];
            paper.flow(0, 6, &spans);
        }
    }
    let [new, fixed, unchanged] =
        [&diff.new, &diff.fixed, &diff.unchanged].map(|list| words::thousands(list.len() as u64));
    let unlisted = diff.new.iter().chain(&diff.fixed).filter(|finding| !style.lists(finding)).count();
    if let Some(text) = words::unlisted_of(unlisted, style.least).filter(|_| style.detail != Detail::Summary)
    {
        paper.flow(0, 4, &[Span::new(Ink::Faint, text)]);
    }
    paper.flow(0, 0, &[Span::new(Ink::Strong, format!("{new} new, {fixed} fixed, {unchanged} unchanged"))]);
    paper.finish()
}

/// The findings by class, classes in the order of their first finding; within a class those of a location stand together.
fn by_class<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<Vec<&'a Finding>> {
    let mut index: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for finding in findings {
        let group = *index.entry(finding.location.owner()).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(finding);
    }
    for group in &mut groups {
        let mut first: BTreeMap<&Location, usize> = BTreeMap::new();
        for finding in group.iter() {
            let position = first.len();
            first.entry(&finding.location).or_insert(position);
        }
        group.sort_by_key(|finding| first.get(&finding.location));
    }
    groups
}

/// One line, in the shape that editors recognise: `src/bank/Account.java:12: high: ... [key]`.
fn brief(paper: &mut Paper<'_>, finding: &Finding) {
    let at = &finding.sides[0].at;
    let found = paper.style.sources.find(at);
    let place = match (&found, at.line) {
        (Some(found), Some(line)) => format!("{}:{line}", found.path),
        _ => at.place(),
    };
    let line = [
        place_span(paper, at, &place),
        Span::plain(": "),
        Span::new(badge(finding.confidence), finding.confidence.name()),
        Span::plain(format!(": {} ", words::headline(finding))),
        Span::new(Ink::Faint, format!("[{}]", finding.key)),
    ];
    paper.unbroken(&line);
}

fn badge(confidence: Confidence) -> Ink {
    match confidence {
        Confidence::High => Ink::Alarm,
        Confidence::Medium => Ink::Warning,
        Confidence::Low => Ink::Note,
    }
}

/// A place as a span that leads to its source, where that is a file.
fn place_span(paper: &Paper<'_>, frame: &Frame, text: &str) -> Span {
    let link = || {
        let file = paper.style.sources.find(frame)?.on_disk?;
        Some(format!("file://{}", crate::sarif::encode_path(&file.to_string_lossy())))
    };
    let link = if paper.style.hyperlinks { link() } else { None };
    Span::new(Ink::Place, text).linked(link)
}

/// What is not reported, one line each, and why.
fn suppressed(paper: &mut Paper<'_>, report: &Report, detail: Detail) {
    if report.suppressed.is_empty() || detail == Detail::Summary {
        return;
    }
    for Suppressed { by, reason, finding } in &report.suppressed {
        let title = [
            Span::new(Ink::Faint, format!("[suppressed by {by}] ")),
            Span::plain(words::headline(finding)),
            Span::new(Ink::Faint, format!(" [{}]", finding.key)),
        ];
        paper.flow(0, 2, &title);
        if !reason.is_empty() {
            paper.label(Span::new(Ink::Faint, "reason"), &[Span::plain(reason)]);
        }
    }
    paper.gap();
}

fn safe_locations(paper: &mut Paper<'_>, safe: &[Safe]) {
    for location in safe {
        show_safe(paper, location);
    }
    if !safe.is_empty() {
        paper.gap();
    }
}

fn show_safe(paper: &mut Paper<'_>, safe: &Safe) {
    let title = [Span::new(Ink::Good, "[safe] "), Span::new(Ink::Strong, words::subject(&safe.location))];
    paper.flow(0, 2, &title);
    for Because { refuter, strength, count, examples } in &safe.because {
        let pairs = words::count(usize::try_from(*count).unwrap_or(usize::MAX), "pair", "pairs");
        let strength = match strength {
            Strength::Proof => "proved",
            Strength::Heuristic => "likely, not proved",
        };
        paper.flow(2, 4, &[Span::plain(format!("{refuter}: {pairs} refuted ({strength})"))]);
        for example in examples {
            paper.flow(4, 6, &[Span::new(Ink::Faint, example)]);
        }
    }
}

fn summary(paper: &mut Paper<'_>, report: &Report) {
    for line in report.coverage.iter().flat_map(words::who_runs) {
        paper.flow(0, 2, &[Span::new(Ink::Faint, line)]);
    }
    let ink = match report.findings.first() {
        None if report.partial.is_none() => Ink::Good,
        _ => Ink::Strong,
    };
    let mut spans = vec![Span::new(ink, words::summary(report))];
    let time: u64 = report.stats.phases.iter().map(|phase| phase.ms).sum();
    if let Some(coverage) = &report.coverage {
        spans.push(Span::new(Ink::Faint, format!("; {}", words::analysed(coverage))));
    }
    if report.stats.methods > 0 && time > 0 {
        spans.push(Span::new(Ink::Faint, format!(" in {}", words::duration(time))));
    }
    paper.unbroken(&spans);
    if let Some(sentence) = words::little_analysed(report) {
        paper.flow(0, 2, &[Span::new(Ink::Strong, sentence)]);
    }
    if let Some(sentence) = report.coverage.as_ref().and_then(words::unknown_starts) {
        paper.flow(0, 2, &[Span::new(Ink::Strong, sentence)]);
    }
    for sentence in report.coverage.iter().flat_map(|coverage| &coverage.reduced) {
        paper.flow(0, 2, &[Span::new(Ink::Faint, format!("Less precise: {sentence}."))]);
    }
    if !report.unexamined.is_empty() {
        let pairs: u64 = report.unexamined.iter().map(|it| it.pairs).sum();
        let pairs = words::count(usize::try_from(pairs).unwrap_or(usize::MAX), "pair", "pairs");
        let mut locations: Vec<_> = report.unexamined.iter().map(|it| &it.location).collect();
        locations.dedup();
        let locations = words::count(locations.len(), "location", "locations");
        let text = format!("Not examined: {pairs} of accesses at {locations}, because a limit was reached.");
        paper.flow(0, 2, &[Span::new(Ink::Faint, text)]);
    }
}
