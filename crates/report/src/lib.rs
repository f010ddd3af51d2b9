//! A finished [`Report`], for people and for other programs.
//!
//! [`render`] is the one entry: a report, a [`Format`], a [`Style`], and out comes the whole text. The same report and
//! style give the same bytes. Everything that comes from the analysed program (names, source lines) is taken as
//! untrusted: control characters do not reach the terminal, markup does not reach the page.
//!
//! - [`Format::Text`]: for the terminal; the first line of a finding says what is wrong in plain words.
//! - [`Format::Json`]: everything, by the schema in [`JSON_SCHEMA`].
//! - [`Format::Sarif`]: SARIF 2.1.0, for code scanning and editors.
//! - [`Format::Github`]: workflow commands that become annotations of a pull request.
//! - [`Format::Html`]: one page that needs no network.

mod github;
mod html;
mod json;
mod marks;
mod sarif;
mod sources;
mod text;
pub mod words;

pub use json::{JSON_SCHEMA, ReadError, baseline_to_json, read_baseline, read_report};
pub use marks::SourceMarks;
pub use sources::{Found, Sources};
pub use text::{render_diff, render_explanation, render_safe, render_unexamined};
pub use words::summary;

use selvedge_findings::Kind;

/// The name of the rule that findings of a kind break: `race/field`.
pub fn rule(kind: Kind) -> &'static str {
    sarif::rules::id(kind)
}

use selvedge_findings::{Confidence, Finding, Report, Verdict};

/// The forms that a report can take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// For the terminal.
    #[default]
    Text,
    /// Everything, for programs.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of a pull request.
    Github,
    /// One page that needs no network.
    Html,
}

impl Format {
    /// All formats with the names that users give them.
    pub const NAMED: [(&'static str, Self); 5] = [
        ("text", Self::Text),
        ("json", Self::Json),
        ("sarif", Self::Sarif),
        ("github", Self::Github),
        ("html", Self::Html),
    ];
}

impl std::str::FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::NAMED.iter().find(|(known, _)| *known == name);
        found.map(|(_, format)| *format).ok_or_else(|| {
            let names: Vec<&str> = Self::NAMED.iter().map(|(name, _)| *name).collect();
            format!("there is no format `{name}`; there are {}", names.join(", "))
        })
    }
}

/// How much of each finding the terminal shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Detail {
    /// Only the last line.
    Summary,
    /// One line each.
    Brief,
    /// Both sides, the reasons, the advice.
    #[default]
    Full,
}

/// What the text lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TextView {
    /// Each finding with both sides.
    #[default]
    Findings,
    /// Each field, array and container with its findings.
    Fields,
    /// Each object, by where it is created, with its findings.
    Objects,
}

/// How a report is to look. The default is plain text, 100 columns wide, without sources.
#[derive(Debug)]
pub struct Style {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether to use colours.
    pub color: bool,
    /// Whether places are links that the terminal can open.
    pub hyperlinks: bool,
    /// How much to show of each finding.
    pub detail: Detail,
    /// What the text lists.
    pub view: TextView,
    /// The lowest confidence of a finding that is listed; JSON has all.
    pub least: Confidence,
    /// How many classes the text lists the findings of.
    pub top: usize,
    /// Whether to show counts and times after the findings.
    pub stats: bool,
    /// Where the program's sources are.
    pub sources: Sources,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            width: 100,
            color: false,
            hyperlinks: false,
            detail: Detail::Full,
            view: TextView::Findings,
            least: Confidence::Low,
            top: usize::MAX,
            stats: false,
            sources: Sources::default(),
        }
    }
}

impl Style {
    /// Whether a finding is listed. What happened is listed whatever its confidence.
    pub(crate) fn lists(&self, finding: &Finding) -> bool {
        finding.confidence >= self.least || finding.verdict == Verdict::Confirmed
    }
}

/// The report in one of its forms, complete, with a newline at the end.
pub fn render(report: &Report, format: Format, style: &Style) -> String {
    match format {
        Format::Text => text::render(report, style),
        Format::Json => json::render(report),
        Format::Sarif => sarif::render(report, style),
        Format::Github => github::render(report, style),
        Format::Html => html::render(report, style),
    }
}
