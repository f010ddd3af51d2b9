//! What came of trying to make a race happen, in words.

use selvedge_findings::{Confirmation, Outcome};

/// The outcome in two or three words.
pub fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Confirmed => "confirmed",
        Outcome::NotMet => "not met",
        Outcome::NotExecuted => "not executed",
        Outcome::Lock => "refuted by a lock",
        Outcome::NotTried => "not tried",
    }
}

/// The outcome and what led to it, as a sentence without a full stop.
pub fn sentence(confirmation: &Confirmation) -> String {
    let word = outcome(confirmation.outcome);
    match &confirmation.because {
        Some(because) => format!("{word}: {because}"),
        None if confirmation.outcome == Outcome::Confirmed => {
            format!("{word}: two threads were at the two accesses of the same location at the same time")
        }
        None => word.to_owned(),
    }
}

/// The value before and after, if it is known.
pub fn values(confirmation: &Confirmation) -> Option<String> {
    match (&confirmation.before, &confirmation.after) {
        (Some(before), Some(after)) => {
            Some(format!("{before} when they met, {after} when the first had gone on"))
        }
        (Some(before), None) => Some(format!("{before} when they met")),
        _ => None,
    }
}
