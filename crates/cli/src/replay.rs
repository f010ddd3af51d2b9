//! `selvedge replay`: detects races in a recorded trace.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use selvedge_findings::{Problem, Reason, Report};
use selvedge_protocol::trace::{MAGIC, TraceReader};
use selvedge_protocol::{Event, Tables, text};
use selvedge_report::{Detail, Format, Style, render};
use selvedge_runtime::pairs::{PairLister, Selector};
use selvedge_runtime::{Circumstances, Engine, RaceLog};

use crate::arguments::ReplayArguments;
use crate::{output, show};

/// Runs the command. The status is 1 if there are races.
pub fn run(arguments: &ReplayArguments) -> Result<ExitCode> {
    if arguments.events {
        return print_events(arguments);
    }
    let mut report = match &arguments.pairs {
        Some(location) => list_pairs(arguments, location)?,
        None => detect(arguments)?,
    };
    report.input.paths = vec![arguments.trace.display().to_string()];
    report.input.analyses = vec!["run".to_owned()];
    report.input.options = arguments.detector.told().collect();
    report.finish();
    let detail = match (arguments.quiet, arguments.brief) {
        (true, _) => Detail::Summary,
        (_, true) => Detail::Brief,
        _ => Detail::Full,
    };
    let to_terminal =
        arguments.format == Format::Text && arguments.output.is_none() && io::stdout().is_terminal();
    let style = Style { detail, ..show::style(&arguments.sources, to_terminal) };
    output::write(arguments.output.as_deref(), &render(&report, arguments.format, &style))?;
    for Problem { place, message, .. } in &report.problems {
        output::say(&format!("selvedge: {place}: {message}\n"));
    }
    // A part without a race says nothing of the rest.
    let is_partial =
        report.problems.iter().any(|problem| ["truncated", "damaged"].contains(&problem.kind.as_str()));
    Ok(ExitCode::from(match report.findings.is_empty() {
        true if is_partial => 2,
        is_free => u8::from(!is_free),
    }))
}

fn detect(arguments: &ReplayArguments) -> Result<Report> {
    let options = arguments.detector.options();
    let mut engine = Engine::new(&options);
    let mut log = RaceLog::new(options.max_races);
    let problem = each_event(&arguments.trace, |event, tables| {
        if let Some(race) = engine.event(event) {
            log.add(&race, tables, Circumstances::default());
        }
        Ok(())
    })?;
    let mut report = Report { findings: log.findings(), ..Report::default() };
    report.problems.extend(problem);
    let degraded = engine.degradations().into_iter().chain(log.degradation());
    report.problems.extend(degraded.map(|message| self::problem("degraded", &arguments.trace, message)));
    Ok(report)
}

fn list_pairs(arguments: &ReplayArguments, location: &str) -> Result<Report> {
    let selector: Selector = location.parse().map_err(anyhow::Error::msg)?;
    let mut lister = PairLister::new(selector, &arguments.detector.options());
    let problem = each_event(&arguments.trace, |event, tables| {
        lister.event(event, tables);
        Ok(())
    })?;
    if lister.accesses() == 0 {
        bail!("the trace has no access to {location}");
    }
    let findings = lister.pairs().map(|pair| {
        let count = match pair.count {
            1 => "one pair of accesses".to_owned(),
            count => format!("{count} pairs of accesses"),
        };
        pair.finding.clone().because(Reason::evidence(count))
    });
    let mut report = Report { findings: findings.collect(), ..Report::default() };
    report.problems.extend(problem);
    if lister.dropped() > 0 {
        let message = format!("{} accesses were not compared: there are too many", lister.dropped());
        report.problems.push(self::problem("degraded", &arguments.trace, message));
    }
    Ok(report)
}

fn print_events(arguments: &ReplayArguments) -> Result<ExitCode> {
    let mut out = output::open(arguments.output.as_deref())?;
    let problem = each_event(&arguments.trace, |event, tables| {
        writeln!(out, "{}", text::event(tables, event))?;
        Ok(())
    })?;
    out.flush()?;
    if let Some(problem) = problem {
        eprintln!("selvedge: {}: {}", problem.place, problem.message);
    }
    Ok(ExitCode::SUCCESS)
}

fn problem(kind: &str, path: &Path, message: String) -> Problem {
    Problem { kind: kind.to_owned(), place: path.display().to_string(), message }
}

/// Gives every event of the trace, a binary one or one in the text form, to `each`. If it ends too early, or is damaged
/// further on, that is returned as a problem: what came before counts.
fn each_event(path: &Path, mut each: impl FnMut(&Event, &Tables) -> Result<()>) -> Result<Option<Problem>> {
    let cannot_read = |error: io::Error| output::cannot("read", path, &error);
    let mut file = File::open(path).map_err(cannot_read)?;
    let mut start = Vec::new();
    (&mut file).take(MAGIC.len() as u64).read_to_end(&mut start).map_err(cannot_read)?;
    if start != MAGIC {
        let mut bytes = start;
        file.read_to_end(&mut bytes).map_err(cannot_read)?;
        let Ok(written) = String::from_utf8(bytes) else { bail!("{} is not a valid trace", path.display()) };
        let trace =
            text::parse(&written).with_context(|| format!("{} is not a valid trace", path.display()))?;
        if trace.events.is_empty() {
            bail!("{} is not a valid trace: it has no events", path.display());
        }
        trace.events.iter().try_for_each(|event| each(event, &trace.tables))?;
        return Ok(None);
    }
    let mut reader = TraceReader::new(start.as_slice().chain(file))
        .with_context(|| format!("cannot replay {}", path.display()))?;
    loop {
        match reader.next_event() {
            Ok(Some(event)) => each(&event, reader.tables())?,
            Ok(None) if reader.truncated() => {
                let message = "the trace is cut short: what comes after its end is not known".to_owned();
                return Ok(Some(problem("truncated", path, message)));
            }
            Ok(None) => return Ok(None),
            Err(error) => return Ok(Some(problem("damaged", path, error.to_string()))),
        }
    }
}
