//! What was wrong with the input, without stopping the work.
//!
//! Readers never fail on bad input: they leave out what they cannot use and list a [`Problem`] for it. Only an input
//! that cannot be read at all is an [`InputError`].

use std::fmt;

/// Something in the input that could not be used as it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Problem {
    /// What sort of problem it is.
    pub kind: ProblemKind,
    /// Where it is: a file, an entry of an archive (`app.jar!/lib/x.jar`), a class, a method.
    pub place: String,
    /// What is the matter, as a sentence without the place and without a full stop.
    pub message: String,
}

/// The sorts of problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ProblemKind {
    /// A file, archive or module image that is damaged or cannot be read.
    Unreadable,
    /// An archive that asks for more memory or nesting than is sensible.
    Hostile,
    /// A class file that cannot be parsed.
    MalformedClass,
    /// A class that occurs more than once; the first is used.
    DuplicateClass,
    /// A class that something refers to and that is not there.
    MissingClass,
    /// A class that is its own ancestor, or that extends an interface, or the like.
    BrokenHierarchy,
    /// A use of a class or member that the JVM would refuse: no such member, no access.
    Linkage,
    /// A method whose bytecode cannot be brought into the intermediate form.
    MalformedCode,
}

impl ProblemKind {
    /// A few words for summaries: `12 missing classes`.
    pub fn counted(self, count: usize) -> String {
        let (one, many) = match self {
            ProblemKind::Unreadable => ("unreadable file", "unreadable files"),
            ProblemKind::Hostile => ("refused archive entry", "refused archive entries"),
            ProblemKind::MalformedClass => ("malformed class", "malformed classes"),
            ProblemKind::DuplicateClass => ("overlap of archives", "overlaps of archives"),
            ProblemKind::MissingClass => ("missing class", "missing classes"),
            ProblemKind::BrokenHierarchy => ("broken class hierarchy", "broken class hierarchies"),
            ProblemKind::Linkage => ("linkage error", "linkage errors"),
            ProblemKind::MalformedCode => ("malformed method", "malformed methods"),
        };
        format!("{count} {}", if count == 1 { one } else { many })
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProblemKind::Unreadable => "unreadable",
            ProblemKind::Hostile => "hostile",
            ProblemKind::MalformedClass => "malformed-class",
            ProblemKind::DuplicateClass => "duplicate-class",
            ProblemKind::MissingClass => "missing-class",
            ProblemKind::BrokenHierarchy => "broken-hierarchy",
            ProblemKind::Linkage => "linkage",
            ProblemKind::MalformedCode => "malformed-code",
        })
    }
}

impl Problem {
    /// A problem at a place.
    pub fn new(kind: ProblemKind, place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind, place: place.into(), message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Why there is no input to work on: a sentence for the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputError(String);

impl InputError {
    /// An error that reads as this sentence.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InputError {}
