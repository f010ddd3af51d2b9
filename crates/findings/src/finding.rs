//! One finding: two accesses that may collide, and everything a person needs to judge and mend it.

use serde::{Deserialize, Serialize};

use crate::call_paths::CallPaths;
use crate::confirmation::Confirmation;
use crate::place::{Frame, Location, Lock, ObjectInfo, ThreadInfo};
use crate::surroundings::Surroundings;

/// What kind of memory is raced for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// An instance field.
    #[default]
    Field,
    /// A static field.
    Static,
    /// An element of an array.
    Array,
    /// The content of a library object that is not thread-safe, such as a `HashMap`.
    Container,
    /// An object as a whole: two threads inside its methods at the same time.
    Object,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Self; 5] = [Self::Field, Self::Static, Self::Array, Self::Container, Self::Object];

    /// The word for it in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Field => "field",
            Self::Static => "static",
            Self::Array => "array",
            Self::Container => "container",
            Self::Object => "object",
        }
    }
}

/// What one side does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Reads the location.
    #[default]
    Read,
    /// Writes the location.
    Write,
    /// Calls a method of the object.
    Call,
}

impl Action {
    /// The word for it in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Call => "call",
        }
    }
}

/// How the race is known. A later one is stronger; a run raises it, nothing lowers it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The static analysis could not refute it.
    #[default]
    Predicted,
    /// A run showed both accesses, with no common lock.
    Lockset,
    /// A run showed both accesses, and nothing ordered them.
    HappensBefore,
    /// Both threads were at their accesses at the same time.
    Confirmed,
}

impl Verdict {
    /// The word for it in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Predicted => "predicted",
            Self::Lockset => "lockset",
            Self::HappensBefore => "happens-before",
            Self::Confirmed => "confirmed",
        }
    }
}

/// How sure the detector is that this is a real race that matters. A later one is surer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Likely benign, or likely a limit of the analysis.
    #[default]
    Low,
    /// Nothing speaks against it.
    Medium,
    /// Something speaks for it: a run showed it, or the access pattern is known to break.
    High,
}

impl Confidence {
    /// All of them, the surest first.
    pub const ALL: [Self; 3] = [Self::High, Self::Medium, Self::Low];

    /// The word for it in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// What a reason speaks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReasonKind {
    /// Why it is reported.
    #[default]
    Evidence,
    /// A refuter that was tried and did not apply.
    Tried,
    /// Why it may be harmless or not real; lowers the rank.
    Doubt,
}

/// One reason, as a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Reason {
    /// What it speaks for.
    pub kind: ReasonKind,
    /// The refuter that speaks, where there is one: `locks`, `order`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refuter: Option<String>,
    /// The sentence.
    pub text: String,
}

impl Reason {
    /// Why it is reported.
    pub fn evidence(text: impl Into<String>) -> Self {
        Self { kind: ReasonKind::Evidence, refuter: None, text: text.into() }
    }

    /// What `refuter` looked for and did not find.
    pub fn tried(refuter: impl Into<String>, text: impl Into<String>) -> Self {
        Self { kind: ReasonKind::Tried, refuter: Some(refuter.into()), text: text.into() }
    }

    /// Why it may be harmless.
    pub fn doubt(text: impl Into<String>) -> Self {
        Self { kind: ReasonKind::Doubt, refuter: None, text: text.into() }
    }
}

/// One of the two accesses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Side {
    /// What it does.
    pub action: Action,
    /// Where: written into the JSON as keys of the side itself.
    #[serde(flatten)]
    pub at: Frame,
    /// By which thread.
    pub thread: ThreadInfo,
    /// The locks held on every way there, sorted by name.
    pub locks: Vec<Lock>,
    /// A call path from the thread's entry to the access: the calls in between, outermost first, each at the line of the
    /// call, and the access itself last; [`Report::finish`](crate::Report::finish) adds it where it lacks. Empty if no
    /// path is known.
    pub path: Vec<Frame>,
    /// For a call: the method as the code names it, without parameters: `java.util.HashMap.put`. Not part of the fingerprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub called: Option<String>,
}

impl Side {
    /// An access with no thread, locks or path said yet.
    pub fn new(action: Action, at: Frame) -> Self {
        Self { action, at, ..Self::default() }
    }

    /// The same access, which is a call of this method.
    pub fn calling(self, called: Option<String>) -> Self {
        Self { called, ..self }
    }

    /// The same access by this thread.
    pub fn by(self, thread: ThreadInfo) -> Self {
        Self { thread, ..self }
    }

    /// The same access under these locks.
    pub fn under(self, mut locks: Vec<Lock>) -> Self {
        locks.sort();
        Self { locks, ..self }
    }

    /// The same access reached on this path.
    pub fn through(self, path: Vec<Frame>) -> Self {
        Self { path, ..self }
    }

    /// Where a reader finds the access in the source: for an [accessor](Frame::is_accessor), the call of it.
    pub fn in_source(&self) -> &Frame {
        match self.at.is_accessor() {
            true => self.path.iter().rev().find(|frame| !frame.is_accessor()).unwrap_or(&self.at),
            false => &self.at,
        }
    }

    /// Ends the path with the access, if there is one and it does not.
    pub(crate) fn complete_path(&mut self) {
        if self.path.last().is_some_and(|last| *last != self.at) {
            self.path.push(self.at.clone());
        }
    }
}

/// A further pair of accesses that has the same cause as the finding it is in.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pair {
    /// Its own fingerprint.
    pub key: String,
    /// What is raced for.
    pub kind: Kind,
    /// Which memory.
    pub location: Location,
    /// Which object; `None` for statics.
    pub object: Option<ObjectInfo>,
    /// The two accesses.
    pub sides: [Side; 2],
}

/// A race, or several pairs of accesses with one cause: this pair stands for the rest.
///
/// In the JSON, a side of a further pair has no `path` where an earlier side of the finding with the same action, place, thread and locks has
/// the same one.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(from = "crate::written::Read")]
pub struct Finding {
    /// The fingerprint: 16 hexadecimal digits, and `-2`, `-3`, ... where several pairs are alike. Set by
    /// [`Report::finish`](crate::Report::finish).
    pub key: String,
    /// The analysis that found it: `pairs`, `objects`, `uses`, `interthread`, `run`.
    pub analysis: String,
    /// What is raced for.
    pub kind: Kind,
    /// Which memory.
    pub location: Location,
    /// Which object; `None` for statics.
    pub object: Option<ObjectInfo>,
    /// All objects that the pairs of the finding may be about, sorted, if the detector knows more than [`Finding::object`].
    pub objects: Vec<ObjectInfo>,
    /// The two accesses, in the order to be shown: the one to look at first comes first.
    pub sides: [Side; 2],
    /// How it is known.
    pub verdict: Verdict,
    /// How sure the detector is.
    pub confidence: Confidence,
    /// What came of trying to make it happen, if that was tried.
    pub confirmation: Option<Confirmation>,
    /// Why it is reported, what was tried, what speaks against it.
    pub reasons: Vec<Reason>,
    /// How much it is worth looking at: 0 to 100.
    pub rank: u8,
    /// What to change, as a sentence or two; empty if nothing is known.
    pub advice: String,
    /// Further pairs that one change would mend together with this one.
    pub pairs: Vec<Pair>,
    /// How many more of them there are that the report does not list.
    pub unlisted: usize,
    /// The heap around the raced object, where the detector knows it.
    pub surroundings: Option<Surroundings>,
    /// All call paths to its accesses, where the detector knows them.
    pub call_paths: Option<CallPaths>,
}

impl Finding {
    /// A finding whose sides, reasons and rank are still to be said: see the methods below.
    pub fn new(analysis: impl Into<String>, kind: Kind, location: Location) -> Self {
        Self { analysis: analysis.into(), kind, location, confidence: Confidence::Medium, ..Self::default() }
    }

    /// The object that is raced for.
    pub fn on(self, object: ObjectInfo) -> Self {
        Self { object: Some(object), ..self }
    }

    /// The two accesses, in the order to be shown.
    pub fn sides(self, first: Side, second: Side) -> Self {
        Self { sides: [first, second], ..self }
    }

    /// Adds a reason.
    pub fn because(mut self, reason: Reason) -> Self {
        self.reasons.push(reason);
        self
    }

    /// How much it is worth looking at, and how sure that is.
    pub fn ranked(self, rank: u8, confidence: Confidence) -> Self {
        Self { rank: rank.min(100), confidence, ..self }
    }

    /// What to change.
    pub fn advise(self, advice: impl Into<String>) -> Self {
        Self { advice: advice.into(), ..self }
    }

    /// How it is known.
    pub fn known_by(self, verdict: Verdict) -> Self {
        Self { verdict, ..self }
    }

    /// Its own pair of accesses and the further ones.
    pub fn pair_count(&self) -> usize {
        1 + self.pairs.len() + self.unlisted
    }

    /// The fingerprints of all its pairs, its own first.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.key.as_str()).chain(self.pairs.iter().map(|pair| pair.key.as_str()))
    }

    /// Its own pair of accesses, as one that another finding can take in.
    pub(crate) fn into_pairs(self) -> impl Iterator<Item = Pair> {
        let Self { key, kind, location, object, sides, pairs, .. } = self;
        std::iter::once(Pair { key, kind, location, object, sides }).chain(pairs)
    }
}
