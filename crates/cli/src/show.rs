//! From findings to output: what is left out, how it looks here and now, and the exit status.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use selvedge_findings::{Baseline, Confidence, Coverage, Report, diff, in_scope};
use selvedge_report::{
    Detail, Format, SourceMarks, Sources, Style, TextView, read_baseline, read_report, render, render_diff,
    summary,
};

use crate::arguments::{ShowArguments, View};
use crate::config::Config;
use crate::{hints, output, suppress};

/// Shows a report as the arguments ask for it. What they name is read before anything is analysed: see [`Shower::new`].
pub struct Shower<'a> {
    arguments: &'a ShowArguments,
    old: Option<Report>,
    baseline: Option<Baseline>,
}

impl<'a> Shower<'a> {
    /// Reads what the arguments name, so that a wrong name is reported before the work begins.
    pub fn new(arguments: &'a ShowArguments) -> Result<Self> {
        let old = arguments.diff.as_deref().map(read_report_file).transpose()?;
        let baseline = arguments.baseline.as_deref().map(read_baseline_file);
        if let Some(path) = &arguments.output {
            output::check_writable(path)?;
        }
        Ok(Self { arguments, old, baseline: baseline.transpose()? })
    }

    /// Leaves out what is suppressed, writes the report, and gives the exit status.
    pub fn show(&self, report: Report, config: &Config) -> Result<ExitCode> {
        self.show_for_status(report, config).map(ExitCode::from)
    }

    /// The same, with the status as a number.
    pub fn show_for_status(&self, mut report: Report, config: &Config) -> Result<u8> {
        let arguments = self.arguments;
        let is_text = arguments.format == Format::Text;
        let to_terminal = is_text && arguments.output.is_none() && io::stdout().is_terminal();
        let style = Style {
            detail: match (arguments.quiet, arguments.brief) {
                (true, _) => Detail::Summary,
                (_, true) => Detail::Brief,
                _ => Detail::Full,
            },
            view: match arguments.view {
                View::Findings => TextView::Findings,
                View::Fields => TextView::Fields,
                View::Objects => TextView::Objects,
            },
            least: arguments.min_confidence.least(),
            top: arguments.top,
            stats: arguments.stats,
            ..style(&self.sources(&report), to_terminal)
        };
        self.leave_out(&mut report, &style.sources, config);
        if !arguments.sources.is_empty() {
            report.input.sources = arguments.sources.iter().map(|path| path.display().to_string()).collect();
        }
        let changes = self.old.as_ref().map(|old| diff(old, &report));
        let text = match &changes {
            Some(changes) if is_text => render_diff(changes, &style),
            _ => render(&report, arguments.format, &style),
        };
        output::write(arguments.output.as_deref(), &text)?;
        for hint in hints::of_places(&report, &style.sources, &arguments.sources) {
            output::say(&format!("selvedge: {hint}\n"));
        }
        if let Some(path) = &arguments.output {
            output::say(&format!("selvedge: {}; written to {}\n", summary(&report), path.display()));
        }
        let fails = |confidence: Confidence| arguments.fail_on.counts(confidence);
        if let Some(failure) = report.coverage.as_ref().and_then(Coverage::failure) {
            eprintln!("selvedge: {failure}");
            return Ok(2);
        }
        if let (Some(changes), false) = (&changes, is_text) {
            let style = Style { detail: Detail::Summary, ..Style::default() };
            eprint!("selvedge: {}", render_diff(changes, &style));
        }
        // Compared with an earlier report, only what is new counts.
        let mut counted = report.findings.iter();
        let status = match &changes {
            Some(changes) => changes.new.iter().any(|finding| fails(finding.confidence)),
            None => counted.any(|finding| fails(finding.confidence)),
        };
        // What is not examined is not safe.
        Ok(if report.partial.is_some() && !status { 2 } else { u8::from(status) })
    }

    /// Where sources are looked for: where the arguments say, or where the report found them when it was made.
    fn sources(&self, report: &Report) -> Vec<PathBuf> {
        if !self.arguments.sources.is_empty() {
            return self.arguments.sources.clone();
        }
        report.input.sources.iter().map(PathBuf::from).filter(|path| path.exists()).collect()
    }

    fn leave_out(&self, report: &mut Report, sources: &Sources, config: &Config) {
        let scope = &self.arguments.scope;
        if !scope.is_empty() {
            report.suppress("scope", |finding| {
                (!in_scope(scope, finding)).then(|| format!("not in {}", scope.join(", ")))
            });
        }
        let marks = SourceMarks::new(sources);
        report.suppress("source", |finding| marks.suppress(finding));
        suppress::by_rules(report, config);
        if let Some(baseline) = &self.baseline {
            baseline.apply(report);
        }
        if !self.arguments.show_suppressed {
            report.suppressed.clear();
        }
    }
}

/// How a report looks here and now.
pub fn style(sources: &[PathBuf], to_terminal: bool) -> Style {
    let (sources, problems) = Sources::open(sources);
    for problem in problems {
        eprintln!("selvedge: {}: {}", problem.place, problem.message);
    }
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    Style {
        color: to_terminal && !is_set("NO_COLOR") && !is_dumb,
        hyperlinks: to_terminal && !is_dumb,
        width: width(to_terminal).unwrap_or(Style::default().width),
        sources,
        ..Style::default()
    }
}

/// The columns to write for: what COLUMNS says, or those of the terminal.
fn width(to_terminal: bool) -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let of_terminal = || {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(usize::from(width.0)).filter(|&width| width > 0)
    };
    columns.or_else(|| if to_terminal { of_terminal() } else { None })
}

/// Reads a report that `check --format json` wrote.
pub fn read_report_file(path: &Path) -> Result<Report> {
    let text = read_text(path)?;
    read_report(&text)
        .with_context(|| format!("{} is not a valid report, as `--format json` writes it", path.display()))
}

/// Reads a text file.
pub fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| output::cannot("read", path, &error))
}

/// Reads a baseline.
pub fn read_baseline_file(path: &Path) -> Result<Baseline> {
    let text = read_text(path)?;
    read_baseline(&text).with_context(|| {
        format!("{} is not a valid baseline file, as `selvedge baseline` writes it", path.display())
    })
}
