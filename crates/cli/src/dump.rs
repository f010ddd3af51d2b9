//! `selvedge check --dump STAGE`: the pairs of accesses that a stage leaves, one on a line, with what removed each later.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use selvedge_detect::pairs::{Fate, Removal, STAGES, tell_fates};
use selvedge_findings::{Action, Frame, Strength};
use selvedge_report::{Format, words};
use serde_json::json;

use crate::arguments::Stage;
use crate::check::{Check, refuse_part};
use crate::output;

/// Writes the pairs.
pub fn run(check: &Check<'_>, stage: Stage, format: Format, output: Option<&Path>) -> Result<ExitCode> {
    let line_of: fn(&Fate) -> String = match format {
        Format::Text => as_text,
        Format::Json => as_json,
        _ => bail!("pairs are written as text or as json, not in other formats"),
    };
    let first = match stage {
        Stage::All | Stage::Original => 0,
        Stage::Reachable => 1,
        Stage::Aliasing => 2,
        Stage::Escaping => 3,
        Stage::Unlocked => 4,
        Stage::Racy => 5,
    };
    let mut out = output::open(output)?;
    let mut failure = None;
    let (report, ()) = check.report_and(|facts, options| {
        tell_fates(facts, options, &mut |fate: Fate| {
            if fate.stage >= first && failure.is_none() {
                failure = writeln!(out, "{}", line_of(&fate)).err();
            }
        });
    })?;
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    out.flush()?;
    if report.partial.is_some() {
        return Ok(ExitCode::from(refuse_part(report)));
    }
    Ok(ExitCode::SUCCESS)
}

/// `escaping  bank.Account.balance  write Account.java:12 bank.Account.deposit(long) | read ...  common-lock (proof): both hold this`
fn as_text(fate: &Fate) -> String {
    let side = |(action, frame): &(Action, Frame)| {
        format!("{} {} {}", action.name(), frame.place(), words::method(&frame.method))
    };
    let [first, second] = &fate.sides;
    let end = match &fate.removed_by {
        None => "race".to_owned(),
        Some(Removal { name, strength, because }) => {
            let strength = if *strength == Strength::Proof { "proof" } else { "heuristic" };
            format!("removed by {name} ({strength}): {because}")
        }
    };
    let columns = [
        STAGES[fate.stage].to_owned(),
        words::subject(&fate.location),
        format!("{} | {}", side(first), side(second)),
        end,
    ];
    columns.map(|column| words::clean(&column)).join("\t")
}

fn as_json(fate: &Fate) -> String {
    let sides = fate.sides.each_ref().map(|(action, frame)| {
        json!({
            "action": action.name(),
            "method": frame.method,
            "file": frame.file,
            "line": frame.line,
            "bytecode_index": frame.bytecode_index,
        })
    });
    let removed_by = fate.removed_by.as_ref().map(|removal| {
        json!({
            "name": removal.name,
            "strength": if removal.strength == Strength::Proof { "proof" } else { "heuristic" },
            "because": removal.because,
        })
    });
    json!({
        "stage": STAGES[fate.stage],
        "kind": fate.kind.name(),
        "location": fate.location,
        "sides": sides,
        "removed_by": removed_by,
    })
    .to_string()
}
