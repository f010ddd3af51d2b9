//! Every format on sample reports, held against golden files, and written twice to see that the bytes are the same.

mod common;

use std::path::PathBuf;

use selvedge_findings::{Action, Confidence, Finding, Frame, Kind, Location, Report, Side, diff};
use selvedge_report::{
    Detail, Format, Style, TextView, render, render_diff, render_explanation, render_safe,
};
use selvedge_testkit::check_golden;

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

#[track_caller]
fn check(report: &Report, format: Format, style: &Style, file: &str) {
    let text = render(report, format, style);
    assert_eq!(text, render(&report.clone(), format, style), "the same report gives different bytes");
    assert!(text.ends_with('\n'));
    check_golden(golden(file), &text);
}

#[test]
fn text() {
    for (name, report) in common::all() {
        check(&report, Format::Text, &Style::default(), &format!("{name}.txt"));
    }
}

#[test]
fn text_with_sources_and_statistics() {
    let style = Style { stats: true, ..common::style_with_sources() };
    check(&common::bank(), Format::Text, &style, "bank-sources.txt");
}

#[test]
fn text_on_a_narrow_terminal_with_colours() {
    let style = Style { width: 60, color: true, hyperlinks: false, ..common::style_with_sources() };
    check(&common::bank(), Format::Text, &style, "bank-narrow-colour.txt");
}

#[test]
fn paths_keep_their_lines_at_any_width() {
    for (name, report) in common::all() {
        for width in [40, 60, 80, 120] {
            let text = render(&report, Format::Text, &Style { width, ..Style::default() });
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            // Of longer paths the middle is left out.
            let sides = report.findings.iter().flat_map(|finding| &finding.sides);
            for frame in sides.filter(|side| (2..13).contains(&side.path.len())).flat_map(|side| &side.path) {
                let method = selvedge_report::words::code(&frame.method);
                let line = frame.line.expect("the samples have lines");
                let shown = [format!("{method} {}", frame.place()), format!("{method} line {line}")];
                assert!(
                    shown.iter().any(|shown| text.contains(shown)),
                    "{name} at {width}: {shown:?} in\n{text}"
                );
            }
        }
    }
}

#[test]
fn brief_text() {
    let style = Style { detail: Detail::Brief, width: 40, ..common::style_with_sources() };
    check(&common::bank(), Format::Text, &style, "bank-brief.txt");
    let style = Style { detail: Detail::Summary, ..Style::default() };
    assert_eq!(render(&common::bank(), Format::Text, &style).lines().count(), 1);
}

#[test]
fn views() {
    for (view, file) in [(TextView::Fields, "bank-fields.txt"), (TextView::Objects, "bank-objects.txt")] {
        let style = Style { view, ..Style::default() };
        check(&common::bank(), Format::Text, &style, file);
    }
}

#[test]
fn json() {
    for (name, report) in common::all() {
        check(&report, Format::Json, &Style::default(), &format!("{name}.json"));
    }
}

#[test]
fn sarif() {
    for (name, report) in common::all() {
        check(&report, Format::Sarif, &Style::default(), &format!("{name}.sarif"));
    }
    check(&common::bank(), Format::Sarif, &common::style_with_sources(), "bank-sources.sarif");
}

#[test]
fn annotations() {
    for (name, report) in common::all() {
        check(&report, Format::Github, &common::style_with_sources(), &format!("{name}.github"));
    }
}

#[test]
fn explanations_and_comparisons() {
    let (bank, style) = (common::bank(), common::style_with_sources());
    check_golden(golden("bank-explain.txt"), &render_explanation(&bank.findings[0], &style));
    check_golden(golden("bank-safe.txt"), &render_safe(&bank.safe.as_ref().unwrap()[0], &style));
    let mut later = bank.clone();
    later.findings.remove(0);
    later.findings.extend(common::library().findings.into_iter().take(1));
    later.finish();
    check_golden(golden("bank-diff.txt"), &render_diff(&diff(&bank, &later), &style));
}

/// What the documentation shows is what the tool prints.
#[test]
fn the_documentation_shows_a_real_finding() {
    let report = common::bank();
    let text = first_finding_indented(&report);
    let docs = selvedge_testkit::repository_root().join("docs/reports.md");
    let docs = std::fs::read_to_string(docs).unwrap();
    assert!(docs.contains(&text), "docs/reports.md lacks this:\n{text}");
}

/// The first finding as the whole report shows it, indented as Markdown wants code.
fn first_finding_indented(report: &Report) -> String {
    let one = Report { findings: vec![report.findings[0].clone()], safe: None, ..report.clone() };
    let text = render(&one, Format::Text, &common::style_with_sources());
    let (finding, _) = text.rsplit_once("\n\n").expect("the summary stands apart");
    let indented =
        finding.lines().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") });
    indented.collect::<Vec<_>>().join("\n")
}

#[test]
fn no_terminal_sequence_gets_through() {
    for (name, report) in common::all() {
        for detail in [Detail::Brief, Detail::Full] {
            let style = Style { detail, stats: true, ..Style::default() };
            for format in [Format::Text, Format::Github] {
                let text = render(&report, format, &style);
                assert!(!text.contains('\u{1b}'), "{name}: an escape character in {format:?}");
            }
        }
    }
}

#[test]
fn links_lead_to_files_on_disk() {
    let style = Style { hyperlinks: true, ..common::style_with_sources() };
    let text = render(&common::bank(), Format::Text, &style);
    assert!(text.contains("\u{1b}]8;;file:///"), "no link in:\n{text}");
    assert!(text.contains("/tests/data/sources/bank/Account.java\u{1b}\\"));
}

/// Findings of a class, each with its own field.
fn findings_of(class: &str, count: usize, confidence: Confidence) -> Vec<Finding> {
    let side = || Side::new(Action::Write, Frame::new(format!("{class}.set()")).at("C.java", 1));
    let finding = |number: usize| {
        Finding::new("pairs", Kind::Field, Location::field(class, format!("f{number:02}")))
            .sides(side(), side())
            .ranked(50, confidence)
    };
    (0..count).map(finding).collect()
}

#[test]
fn a_class_takes_one_place_and_low_findings_are_counted() {
    let likely = [("p.A", 12), ("p.A$B", 3), ("p.C", 9)];
    let mut findings: Vec<Finding> =
        likely.iter().flat_map(|(class, count)| findings_of(class, *count, Confidence::Medium)).collect();
    findings.extend(findings_of("p.D", 2, Confidence::Low));
    let mut report = Report { findings, ..Report::default() };
    report.finish();
    let style = Style { least: Confidence::Medium, ..Style::default() };
    let text = render(&report, Format::Text, &style);
    let count = |what: &str| text.matches(what).count();
    assert_eq!((count("\n  key "), count("\n  [medium] p.")), (2, 22), "{text}");
    assert!(text.contains("== p.A: 15 races") && text.contains("== p.C: 9 races"), "{text}");
    let unlisted = "2 findings of low confidence are not listed: --min-confidence low lists them";
    assert!(text.contains(unlisted) && !text.contains("p.D"), "{text}");
    for format in [Format::Github, Format::Sarif] {
        let text = render(&report, format, &style);
        assert!(text.contains(unlisted) && !text.contains("p.D"), "{text}");
    }
    assert!(render(&report, Format::Json, &style).contains("p.D"));
    report.suppress("test", |finding| (finding.confidence > Confidence::Low).then(String::new));
    let text = render(&report, Format::Text, &Style { detail: Detail::Summary, ..style });
    assert!(text.starts_with("no likely races, 2 of low confidence in 2 fields"), "{text}");
}
