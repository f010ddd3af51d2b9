//! What a directed run holds: accesses that are predicted to race, and which of them are to meet.
//!
//! A thread that comes to one of two accesses is held before it for a while. If another thread comes to the partner access of the same
//! location meanwhile, both are at their accesses at the same time, and the race is real. Sites are named as findings name them, by method and
//! line, so that a report is all that is needed to make such a run.

use serde::{Deserialize, Serialize};

/// What to hold, and how.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Hold {
    /// [`Hold::VERSION`].
    pub version: u32,
    /// The accesses.
    pub sites: Vec<HoldSite>,
    /// Which of them are to meet.
    pub pairs: Vec<HoldPair>,
    /// Which side of a pair goes first when both have met: 0 or 1.
    pub first: u8,
    /// How long the first hold at a site may last, in milliseconds; later ones are shorter if nobody comes.
    pub patience: u32,
    /// How long threads may be held at one site in all, in milliseconds.
    pub budget: u32,
    /// After so many meetings a pair is left alone.
    pub meetings: u32,
    /// Decides between choices that are otherwise equal.
    pub seed: u32,
}

impl Hold {
    /// The version of this form.
    pub const VERSION: u32 = 1;
}

/// The place of accesses in the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct HoldSite {
    /// The class, `p.C`.
    pub class: String,
    /// The method with the types of its parameters, `m(int,java.lang.String)`.
    pub method: String,
    /// The source line, if the class file has lines.
    pub line: Option<u32>,
    /// The index of the bytecode, where there is no line.
    pub index: Option<u32>,
    /// What is done there.
    pub access: HoldAccess,
}

/// Which instructions of a place are meant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HoldAccess {
    /// A read of a field of this name, static or not.
    Read(String),
    /// A write of a field of this name, static or not.
    Write(String),
    /// A read of an array's element.
    ArrayRead,
    /// A write of an array's element.
    ArrayWrite,
    /// A call of a method of this name; of any name if it is empty.
    Call(String),
}

impl Default for HoldAccess {
    fn default() -> Self {
        Self::Call(String::new())
    }
}

/// Two accesses that are predicted to race.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct HoldPair {
    /// The two sites, by position; they may be the same.
    pub sides: [u32; 2],
    /// For calls: the class that the called object must have. An object of another class may guard itself.
    pub receiver: Option<String>,
    /// For fields: the declaring class and the name, to read the value when both have met.
    pub field: Option<(String, String)>,
}

/// What a directed run has shown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct HoldResults {
    /// How often a thread came to each site.
    pub arrived: Vec<u64>,
    /// How many instructions were found for each site; 0 for those of classes that were not loaded.
    pub found: Vec<u64>,
    /// Where two threads have met.
    pub meetings: Vec<Meeting>,
    /// Pairs at which one thread waited for a lock that the other, held at its access, had.
    pub locked: Vec<Locked>,
    /// How long threads were held in all, in milliseconds.
    pub held: u64,
}

/// Two threads at their accesses at the same time.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Meeting {
    /// The pair, by position.
    pub pair: u32,
    /// Which of the two threads went first: 0 or 1.
    pub first: u8,
    /// The two threads, by the side at which they stood.
    pub threads: [MeetingThread; 2],
    /// The test that ran, as findings name methods.
    pub test: Option<String>,
    /// The location's value when they met, if it can be told.
    pub before: Option<String>,
    /// Its value when the first had gone on.
    pub between: Option<String>,
}

/// One of two threads that met.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct MeetingThread {
    /// Its name.
    pub name: String,
    /// The monitors that it held, `p.C@1f`.
    pub locks: Vec<String>,
    /// Its stack, the access first.
    pub stack: Vec<StackLine>,
}

/// A line of a stack, as the JVM prints it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct StackLine {
    /// The class, `p.C`.
    pub class: String,
    /// The method's name.
    pub method: String,
    /// The source file, if it is known.
    pub file: Option<String>,
    /// The line, if it is known.
    pub line: Option<u32>,
}

/// A lock that kept two accesses apart.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Locked {
    /// The pair, by position.
    pub pair: u32,
    /// The lock, `p.C@1f`.
    pub lock: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_held_survives_its_file() {
        let site = HoldSite {
            class: "p.C".to_owned(),
            method: "m(int)".to_owned(),
            line: Some(7),
            index: None,
            access: HoldAccess::Write("f".to_owned()),
        };
        let pair =
            HoldPair { sides: [0, 0], receiver: None, field: Some(("p.C".to_owned(), "f".to_owned())) };
        let hold = Hold { version: Hold::VERSION, sites: vec![site], pairs: vec![pair], ..Hold::default() };
        let text = serde_json::to_string(&hold).unwrap();
        assert_eq!(serde_json::from_str::<Hold>(&text).unwrap(), hold);
    }
}
