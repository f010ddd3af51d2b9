//! What came of trying to make a race happen.

use serde::{Deserialize, Serialize};

use crate::place::Frame;

/// How a try ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// There was no time for it, or it was not asked for.
    #[default]
    NotTried,
    /// A side was not executed.
    NotExecuted,
    /// Both sides were executed, never at the same time.
    NotMet,
    /// One thread waited for a lock that the other held at its access.
    Lock,
    /// Both threads were at their accesses at the same time.
    Confirmed,
}

impl Outcome {
    /// All outcomes, what a reader wants to see first.
    pub const ALL: [Self; 5] = [Self::Confirmed, Self::NotMet, Self::NotExecuted, Self::Lock, Self::NotTried];

    /// The word for it in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotTried => "not-tried",
            Self::NotExecuted => "not-executed",
            Self::NotMet => "not-met",
            Self::Lock => "lock",
            Self::Confirmed => "confirmed",
        }
    }
}

/// What came of trying to make a race happen.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Confirmation {
    /// How it ended.
    pub outcome: Outcome,
    /// Why, as a sentence without a full stop: the side that was not executed, the lock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// The command that repeats it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The seed of the run, for a repetition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// The test that ran when it happened, or the file of the test that was generated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// What followed, as a sentence without a full stop: an exception, another output, a hang.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harm: Option<String>,
    /// The value of the location when both threads had met.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Its value when the first of them had gone on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Both threads at the moment when they met; the first went on first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stacks: Vec<ThreadStack>,
}

/// A thread at its access.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct ThreadStack {
    /// Its name.
    pub thread: String,
    /// The monitors that it held, `p.C@1f`.
    pub locks: Vec<String>,
    /// Its calls, the access first. Methods are named without their parameters.
    pub frames: Vec<Frame>,
}
